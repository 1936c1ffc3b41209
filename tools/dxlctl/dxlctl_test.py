#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""dxlctl_test.py DXLCTL -- the program before a socket that answers as dxlsim does.
Prints TAP."""

import os
import socket
import subprocess
import sys
import tempfile
import threading

PATIENCE = 60  # seconds; nothing here is measured


class Simulator(threading.Thread):
    """Answers each line by the line and "ok", but "refused" with an error and "quit"
    with nothing"""

    def __init__(self, path):
        super().__init__(daemon=True)
        self.heard = []
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.bind(path)
        self.socket.listen()

    def run(self):
        connection, _ = self.socket.accept()
        with connection, connection.makefile("rw") as stream:
            for line in stream:
                self.heard.append(line.rstrip("\n"))
                if self.heard[-1] == "quit":
                    break
                stream.write("error: no\n" if self.heard[-1] == "refused" else line + "ok\n")
                stream.flush()


def talk(*words, lines=""):
    """Returns exit status, output, and what the simulator heard"""
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "control")
        simulator = Simulator(path)
        simulator.start()
        process = subprocess.run(
            [sys.argv[1], *words],
            env={**os.environ, "DXLSIM_CONTROL": path},
            input=lines,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=PATIENCE,
            text=True,
            check=False,
        )
    return process.returncode, process.stdout, simulator.heard


CASES = [
    ("words", talk("get", "1", "goal") == (0, "get 1 goal\nok\n", ["get 1 goal"])),
    ("a refusal", talk("refused") == (1, "error: no\n", ["refused"])),
    ("no answer", talk("quit") == (2, "", ["quit"])),
    ("lines", talk("-", lines="a 1\nb\n") == (0, "a 1\nok\nb\nok\n", ["a 1", "b"])),
    ("a line that begins so", talk("okay", "1") == (0, "okay 1\nok\n", ["okay 1"])),
    ("or so", talk("errors") == (0, "errors\nok\n", ["errors"])),
    ("no lines", talk("-") == (0, "", [])),
    ("the last without an end", talk("-", lines="a\nb") == (0, "a\nok\nb\nok\n", ["a", "b"])),
    (
        "a refusal among lines",
        talk("-", lines="a\nrefused\nb\n")
        == (1, "a\nok\nerror: no\nb\nok\n", ["a", "refused", "b"]),
    ),
    ("no answer among lines", talk("-", lines="a\nquit\nb\n") == (2, "a\nok\n", ["a", "quit"])),
    ("a line too long", talk("-", lines="a\n" + "b" * 5000) == (2, "a\nok\n", ["a"])),
    ("as many as one likes", talk("-", lines="a\n" * 3000)[1] == "a\nok\n" * 3000),
]

for number, (name, good) in enumerate(CASES, 1):
    print("%s %d - %s" % ("ok" if good else "not ok", number, name))
print("1..%d" % len(CASES))
sys.exit(not all(good for _, good in CASES))
