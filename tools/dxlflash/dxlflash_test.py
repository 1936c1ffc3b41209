#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""dxlflash_test.py DXLFLASH [IMAGE ELF] -- the program before a pty with a boot loader of
ROBOTIS' behind it, as far as that is known. Prints TAP."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
import tty
import zlib

PATIENCE = 60  # seconds; nothing here is measured
PAUSE = 1.0  # what ends an image: longer than any two pieces are apart
MARK = b"naohw-image:cm-510;"


def whole(image):
    """With what is at an image's end: CRC-32 and length"""
    return image + struct.pack("<II", zlib.crc32(image), len(image))


BODY = bytes(range(256)) * 20 + MARK + bytes(100)
IMAGE = whole(BODY)


class Board(threading.Thread):
    """Reads and answers until its port is closed. What it got is in .loaded, .sum_right,
    .started and .heard"""

    def __init__(self, fd, called=b"CM-510", calls=3, echo=False, damage=False, mute=False,
                 noise=b"", hang_up=0, silent=False, knows=(b"ld", b"go"), erases=0):
        super().__init__(daemon=True)
        self.fd, self.called, self.calls, self.echo = fd, called, calls, echo
        self.damage, self.mute, self.noise, self.hang_up = damage, mute, noise, hang_up
        self.silent, self.knows, self.erases = silent, knows, erases  # once it has greeted
        self.loaded = self.sum_right = None
        self.started = False
        self.heard = b""
        self.loading = threading.Event()  # it has said Ready
        self.coming = threading.Event()  # bytes of an image have come
        self.told = threading.Event()  # whether it was right

    def read(self, seconds):
        """What comes next, or nothing for so long"""
        ready, _, _ = select.select([self.fd], [], [], seconds)
        return os.read(self.fd, 4096) if ready else b""

    def take_image(self):
        """Bytes until a pause, of which the last is their sum"""
        os.write(self.fd, b"\r\nWrite address : 0x0000\r\n")
        time.sleep(self.erases)
        while self.read(0):  # who erases misses what comes
            pass
        os.write(self.fd, b"Ready..")
        self.loading.set()
        got = b""
        while piece := self.read(PAUSE):
            got += piece
            self.coming.set()
            if self.hang_up and len(got) >= self.hang_up:
                raise OSError
        if self.damage:
            got = bytes([got[0] ^ 1]) + got[1:]
        self.loaded = got[:-1]
        self.sum_right = sum(self.loaded) % 256 == got[-1]
        os.write(self.fd, b"Success\r\n" if self.sum_right else b"Fail\r\n")
        self.told.set()

    def obey(self, line):
        if self.silent:
            return
        if line and line not in self.knows:
            os.write(self.fd, b"\r\nBad command")
        elif line == b"ld":
            self.take_image()
        elif line == b"go":
            self.started = True
        os.write(self.fd, b"\r\n- ")

    def serve(self):
        greeted, line = False, b""
        while self.noise and not self.read(0.05):
            os.write(self.fd, self.noise)
        while True:
            for byte in os.read(self.fd, 1):
                byte = bytes([byte])
                self.heard += byte
                if self.mute:
                    continue
                if not greeted and self.heard.count(b"#") >= self.calls:
                    greeted = True
                    os.write(self.fd, b"\xff\r\nSYSTEM O.K. (" + self.called +
                             b" Boot loader V1.5)\r\n- ")
                    continue
                if self.echo:
                    os.write(self.fd, byte)
                line = line + byte if byte != b"\r" else self.obey(line.strip(b"#")) or b""

    def run(self):
        try:
            self.serve()
        except OSError:  # the other end has closed it, or we are to
            os.close(self.fd)


def new_pty():
    master, slave = pty.openpty()
    tty.setraw(slave)
    return master, slave, os.ttyname(slave)


def flash(image=IMAGE, wait="10", kill=False, **how):
    """Returns exit status, what was said, and the board"""
    master, slave, name = new_pty()
    board = Board(master, **how)
    board.start()
    with tempfile.NamedTemporaryFile() as file:
        file.write(image)
        file.flush()
        process = subprocess.Popen([sys.argv[1], name, file.name, "--wait", wait],
                                   stderr=subprocess.PIPE, text=True)
        if kill and board.coming.wait(PATIENCE):
            process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=PATIENCE)
    os.close(slave)
    board.join(PATIENCE)
    return process.returncode, said, board


def run(*words):
    process = subprocess.run([sys.argv[1], *words], stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, timeout=PATIENCE, check=False)
    return process.returncode, process.stdout


def loads(image=IMAGE, **how):
    status, said, board = flash(image, **how)
    return (status == 0 and board.loaded == image and board.sum_right and board.started
            and "RoboPlus" in said and "MODE" in said)


def refuses(pattern, **how):
    """Fails with those words, and nothing but '#' was said to whoever is there"""
    status, said, board = flash(**how)
    return status == 1 and re.search(pattern, said) and not board.heard.strip(b"#")


def is_not_sent(pattern, **how):
    """Fails with those words, and no byte of the image was sent to whoever greeted"""
    status, said, board = flash(**how)
    return (status == 1 and re.search(pattern, said) and board.loaded is None
            and MARK not in board.heard and len(board.heard) < 100)


def refuses_image(image, pattern):
    with tempfile.NamedTemporaryFile() as file:
        file.write(image)
        file.flush()
        status, said = run("/dev/null", file.name)
    return status == 1 and re.search(pattern, said)


def breaks_off(pattern, **how):
    status, said, board = flash(**how)
    return (status == 1 and re.search(pattern, said) and "run this again" in said
            and not board.started)


def loads_past(stop):
    """Whatever becomes of the terminal, an image that is on its way goes on: stop(process,
    terminal) once it has begun"""
    master, slave, name = new_pty()
    screen, terminal = pty.openpty()
    board = Board(master)
    board.start()
    with tempfile.NamedTemporaryFile() as file:
        file.write(IMAGE)
        file.flush()
        process = subprocess.Popen([sys.argv[1], name, file.name], stderr=terminal)
        if board.loading.wait(PATIENCE):
            stop(process, terminal)
        loaded = board.told.wait(PATIENCE)
        termios.tcflow(terminal, termios.TCOON)
        process.send_signal(signal.SIGCONT)
        status = process.wait(PATIENCE)
    for fd in (slave, screen, terminal):
        os.close(fd)
    board.join(PATIENCE)
    return loaded and status == 0 and board.loaded == IMAGE and board.started


def refuses_port_in_use():
    master, slave, name = new_pty()
    fcntl.flock(slave, fcntl.LOCK_EX)
    with tempfile.NamedTemporaryFile() as file:
        file.write(IMAGE)
        file.flush()
        status, said = run(name, file.name)
    os.close(slave)
    os.close(master)
    return status == 1 and "in use" in said


CASES = [
    ("a board", lambda: loads()),
    ("one that is started late", lambda: loads(calls=40)),
    ("one that echoes, as CM510", lambda: loads(echo=True, called=b"CM510")),
    ("an image of one piece", lambda: loads(image=whole(MARK))),
    ("another board", lambda: refuses("is a CM-530, and the image is for a cm-510",
                                      called=b"CM-530")),
    ("a board of a longer name", lambda: refuses("is a CM-5100", called=b"CM-5100")),
    ("nobody", lambda: refuses("no boot loader", mute=True, wait="1")),
    ("a bus", lambda: refuses("somebody talks", noise=b"\xff\xff\x01\x02\x01\xfb")),
    ("a bus at another rate", lambda: refuses("somebody talks", noise=b"\x80")),
    ("one that falls silent", lambda: is_not_sent("has said nothing", silent=True)),
    ("one that does not load", lambda: is_not_sent("Bad command", knows=(b"go",))),
    ("one that erases first", lambda: loads(erases=1)),
    ("a damaged byte", lambda: breaks_off('but: "Fail', damage=True)),
    ("a cable that is pulled out", lambda: breaks_off("hung up|error", hang_up=1000)),
    ("an interruption", lambda: breaks_off("no whole program", image=whole(BODY * 10), kill=True)),
    ("a terminal that takes nothing", lambda: loads_past(
        lambda _, terminal: termios.tcflow(terminal, termios.TCOOFF))),
    ("a terminal's Ctrl-Z", lambda: loads_past(
        lambda process, _: process.send_signal(signal.SIGTSTP))),
    ("an ELF file", lambda: refuses_image(b"\x7fELF" + IMAGE, "ELF")),
    ("a hex file", lambda: refuses_image(b":100000000C94", "hex")),
    ("somebody else's image", lambda: refuses_image(bytes(1000), "no firmware of naohw")),
    ("a mark without a board", lambda: refuses_image(b"x naohw-image:;", "which board")),
    ("a mark without an end", lambda: refuses_image(b"x naohw-image:cm-5", "which board")),
    ("an image that is cut off", lambda: all(refuses_image(IMAGE[:size], "is cut off or damaged")
                                             for size in (5140, 5200, len(IMAGE) - 1))),
    ("a damaged image", lambda: refuses_image(b"\0\0" + IMAGE[2:], "is cut off or damaged")),
    ("nothing", lambda: refuses_image(b"", "empty")),
    ("too much", lambda: refuses_image(MARK + bytes(0x1e000), "more than the 122880")),
    ("no file", lambda: run("/dev/null", "/nonexistent/image")[0] == 1),
    ("no serial port", lambda: "not a serial port" in run("/dev/null", sys.argv[2])[1]
     if len(sys.argv) > 2 else True),
    ("a port in use", refuses_port_in_use),
    ("help", lambda: run("--help")[0] == 0 and "RoboPlus" in run("--help")[1]),
    ("wrong words", lambda: all(run(*words)[0] == 2 for words in (
        (), ("a",), ("a", "b", "c"), ("--wait", "0", "a", "b"), ("--wait", "x", "a", "b"),
        ("--no",)))),
]
if len(sys.argv) > 2:
    with open(sys.argv[2], "rb") as built:
        CASES.append(("the image that is built", lambda real=built.read(): loads(image=real)))
    with open(sys.argv[3], "rb") as built:
        CASES.append(("what it was made of", lambda elf=built.read(): refuses_image(elf, "ELF")))


failed = False
for number, (what, check) in enumerate(CASES, 1):
    good = check()
    failed |= not good
    print(f"{'ok' if good else 'not ok'} {number} - {what}", flush=True)
print(f"1..{len(CASES)}")
sys.exit(failed)
