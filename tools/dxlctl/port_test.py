#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""port_test.py DXLCTL -- the program at a guest's port, which all programs there share: what
one that ended too early leaves to the next one. A pty stands for the port, and this script
for the simulator behind it. Prints TAP."""

import fcntl
import os
import pty
import signal
import subprocess
import sys
import threading
import tty

PATIENCE = 60  # seconds; nothing here is measured


class Simulator(threading.Thread):
    """Answers as dxlsim does; "long" only tells its end when it is let"""

    def __init__(self):
        super().__init__(daemon=True)
        self.fd, self.slave = pty.openpty()
        tty.setraw(self.slave)
        self.port = os.ttyname(self.slave)
        self.in_long = threading.Event()
        self.let = threading.Event()
        self.heard = []

    def answer(self, words):
        if words == "long":
            os.write(self.fd, b"first 1\nsecond 2\nthi")
            self.in_long.set()
            self.let.wait(PATIENCE)
            return "rd 3\nok\n"
        if words == "refused":
            return "error: no\n"
        if words.startswith("number "):
            return words + "\nok\n"
        if words == "silence":
            return ""
        return 'error: "%s" is no command, try help\n' % words.split(" ")[0]

    def asked(self):
        """What it has heard but for the words by which a call catches up"""
        return [words for words in self.heard if not words.startswith("dxlctl-")]

    def run(self):
        with os.fdopen(os.dup(self.fd), "rb", buffering=0) as port:
            line = b""
            while byte := port.read(1):
                line += byte
                if byte == b"\n":
                    self.heard.append(line.decode().rstrip("\n"))
                    os.write(self.fd, self.answer(self.heard[-1]).encode())
                    line = b""


class Scene:
    def __init__(self):
        self.simulator = Simulator()
        self.simulator.start()
        self.environment = {**os.environ, "DXLSIM_CONTROL": self.simulator.port}

    def begin(self, *words):
        return subprocess.Popen(
            [sys.argv[1], *words],
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            stdin=subprocess.PIPE,
            text=True,
            # Python ignores it, and who inherits that does not die of it.
            restore_signals=True,
        )

    def call(self, *words, lines=""):
        """Returns exit status and output"""
        with self.begin(*words) as process:
            output, _ = process.communicate(lines, timeout=PATIENCE)
        return process.returncode, output

    def works(self):
        return self.call("number", "7") == (0, "number 7\nok\n")

    def begin_long(self):
        """A call in the middle of its answer"""
        process = self.begin("long")
        assert self.simulator.in_long.wait(PATIENCE)
        return process

    def end(self, process):
        process.wait(PATIENCE)
        self.simulator.let.set()


def answers(scene):
    return scene.works() and scene.call("refused") == (1, "error: no\n")


def one_line_a_call(scene):
    good = scene.works() and answers(scene)
    return good and scene.simulator.asked() == ["number 7", "number 7", "refused"]


def lines_of_input(scene):
    """All of them, with an error among them, and one without an end."""
    asked = ["number 1", "refused", "number  2", "number 3"]
    status, output = scene.call("-", lines="\n".join(asked))
    good = output == "number 1\nok\nerror: no\nnumber  2\nok\nnumber 3\nok\n"
    return good and status == 1 and scene.call("-", lines="number 4\n")[0] == 0


def no_lines_of_input(scene):
    return scene.call("-") == (0, "") and not scene.simulator.asked()


def lines_without_an_answer(scene):
    """None is sent behind one of them, and what is left is left to the next call."""
    status, output = scene.call("-", lines="number 1\nsilence\nnumber 2\n")
    good = (status, output) == (2, "number 1\nok\n")
    return good and scene.simulator.asked() == ["number 1", "silence"] and scene.works()


def no_answer(scene):
    return scene.call("silence") == (2, "") and scene.works()


def a_pipe_that_closes(scene):
    with scene.begin_long() as process:
        process.stdout.close()
        scene.simulator.let.set()
        process.wait(PATIENCE)
    return scene.works()


def ended_by(number):
    def case(scene):
        with scene.begin_long() as process:
            process.send_signal(number)
            scene.end(process)
        return scene.works()

    return case


def the_next_comes_before_the_rest(scene):
    """The rest of an answer arrives while the next call waits for its own."""
    with scene.begin_long() as process:
        process.kill()
        process.wait(PATIENCE)
    with scene.begin("number", "8") as process:
        scene.simulator.let.set()
        output, _ = process.communicate(timeout=PATIENCE)
    return (process.returncode, output) == (0, "number 8\nok\n")


def several_at_once(scene):
    processes = [scene.begin("number", str(i)) for i in range(8)]
    good = True
    for i, process in enumerate(processes):
        with process:
            output, _ = process.communicate(timeout=PATIENCE)
        good = good and (process.returncode, output) == (0, "number %d\nok\n" % i)
    return good


def one_that_waits_for_another(scene):
    """dxlctl gives up, and reads nothing that is for the process that has the port."""
    with open(scene.simulator.port, "r+b", buffering=0) as port:
        fcntl.flock(port, fcntl.LOCK_EX)
        status, _ = scene.call("number", "9")
        good = status == 2 and not scene.simulator.heard
    return good and scene.works()


def no_port(scene):
    port = scene.environment["DXLSIM_CONTROL"]
    scene.environment["DXLSIM_CONTROL"] = port + ".none"
    missing = scene.call("number", "9")[0]
    scene.environment["DXLSIM_CONTROL"] = port
    return missing == 2 and scene.works()


CASES = [
    ("answers", answers),
    ("one line a call", one_line_a_call),
    ("lines of input", lines_of_input),
    ("no lines of input", no_lines_of_input),
    ("lines without an answer", lines_without_an_answer),
    ("no answer", no_answer),
    ("a pipe that closes", a_pipe_that_closes),
    ("ended by Ctrl-C", ended_by(signal.SIGINT)),
    ("ended by SIGTERM", ended_by(signal.SIGTERM)),
    ("killed", ended_by(signal.SIGKILL)),
    ("killed, and the next comes before the rest", the_next_comes_before_the_rest),
    ("several at once", several_at_once),
    ("one that waits for another", one_that_waits_for_another),
    ("no port", no_port),
]


def main():
    failed = False
    for number, (name, case) in enumerate(CASES, 1):
        try:
            good = case(Scene())
        except (AssertionError, OSError, subprocess.SubprocessError) as error:
            good = False
            print("# %r" % error)
        failed = failed or not good
        print("%s %d - %s" % ("ok" if good else "not ok", number, name), flush=True)
    print("1..%d" % len(CASES))
    return failed


sys.exit(main())
