#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""terminal.py COMMAND... -- a person at the shell of tools/vm/run, which COMMAND is, on a
terminal of its own: what it greets with, the terminal's size and its keys, the guide's commands
(guide.sh), and the ways out. Prints TAP."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

PATIENCE = int(os.environ.get("NAOHW_PATIENCE", "6")) * 300  # seconds; nothing here is measured
ESCAPES = re.compile(rb"\x1b\[[0-9;?]*[a-zA-Z]|\r")
PROMPT = "root@guest:~# "


class Terminal:
    """A command on a terminal, and what it has written so far"""

    def __init__(self, command, rows, columns):
        self.master, slave = pty.openpty()
        self.process = None
        self.resize(rows, columns)
        self.process = subprocess.Popen(
            command,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
            env={**os.environ, "TERM": "xterm-256color"},
        )
        os.close(slave)
        self.raw = b""

    def resize(self, rows, columns):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("4H", rows, columns, 0, 0))
        if self.process:
            os.killpg(self.process.pid, signal.SIGWINCH)

    def text(self):
        return ESCAPES.sub(b"", self.raw).decode(errors="replace")

    def listen(self):
        """False when there is nothing more to come"""
        if select.select([self.master], [], [], 1)[0]:
            try:
                self.raw += os.read(self.master, 65536)
            except OSError:
                return False
        return True

    def until(self, text):
        """What comes up to that text, or None without it; what is behind that is not lost"""
        deadline = time.monotonic() + PATIENCE
        while text not in self.text():
            if not self.listen() or time.monotonic() > deadline:
                return None
        before, _, rest = self.text().partition(text)
        self.raw = rest.encode()
        return before

    def type(self, keys):
        os.write(self.master, keys.encode())

    def say(self, line):
        """What the shell answers, up to its prompt"""
        self.type(line + "\r")
        return self.until(PROMPT) or ""

    def status(self):
        """Of the command, when it has ended"""
        deadline = time.monotonic() + PATIENCE
        while self.listen() and time.monotonic() < deadline:
            pass
        return self.process.wait(PATIENCE)


class Results:
    def __init__(self):
        self.count = 0
        self.bad = 0

    def ok(self, good, name, said=""):
        self.count += 1
        self.bad += not good
        print("%s %d - %s" % ("ok" if good else "not ok", self.count, name))
        if not good:
            print("".join("# %s\n" % line for line in said.splitlines()), end="")
        sys.stdout.flush()

    def add(self, tap):
        """The results of a test that has been run in the guest, which had a plan"""
        for line in tap.splitlines():
            if match := re.match(r"(not ok|ok) \d+ - (.*)", line):
                self.ok(match[1] == "ok", match[2])
            elif line.startswith("#"):
                print(line)
        self.ok("\n1.." in tap, "all of the guide has been tried")


def at_once(command, results):
    """The machine is left while it boots."""
    shell = Terminal(command, 24, 80)
    results.ok(shell.until("half a minute\n") is not None, "it says that it boots", shell.text())
    shell.type("\x1dx")
    results.ok(shell.status() == 0, "Ctrl-] and x leave it at once", shell.text())


def main(command):
    results = Results()
    at_once(command, results)
    shell = Terminal(command, 40, 120)
    greeting = shell.until(PROMPT)
    results.ok(greeting is not None, "a shell comes", shell.text())
    if greeting is None:
        os.killpg(shell.process.pid, signal.SIGTERM)
        return results
    tried = re.findall(r"^    (\S.*?)   ", greeting, re.MULTILINE)
    results.ok(len(tried) == 3, "it greets with three commands", greeting)
    for line in tried:
        said = shell.say(line + "; echo status $?")
        results.ok("\nstatus 0\n" in said, line, said)
    said = shell.say("stty size; tput colors")
    results.ok("40 120\n256\n" in said, "the terminal has its size and its colours", said)
    shell.resize(50, 100)
    said = shell.say('until [ "$(stty size)" = "50 100" ]; do sleep 0.2; done; echo "resi"zed')
    results.ok("\nresized\n" in said, "and its new size", said)
    # Keys that come before the line is run would be the line editor's.
    shell.type("echo be''gun; sleep 10000\r")
    shell.until("\nbegun\n")
    shell.type("\x03")
    shell.until(PROMPT)
    said = shell.say("echo status $?")
    results.ok("status 130" in said, "Ctrl-C ends a program", said)
    said = shell.say("bash /share/tests/shell/guide.sh >/host/guide.tap 2>&1; cat /host/guide.tap")
    results.add(said)
    shell.type("exit 7\r")
    results.ok(shell.status() == 7, "exit leaves it, with a status", shell.text())
    return results


outcome = main(sys.argv[1:])
print("1..%d" % outcome.count)
sys.exit(outcome.bad > 0)
