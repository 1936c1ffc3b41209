# SPDX-License-Identifier: GPL-2.0-or-later
"""Simulators beside the guest, at the other end of its serial lines."""

import fcntl
import glob
import os
import socket
import subprocess
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

# The guest's first serial lines are the runner's.
FIRST_LINE = 3

PATIENCE_S = 10

# Address of the Return Delay Time in each protocol's control tables.
RETURN_DELAY = {1: 5, 2: 9}


def wait_until(condition, what):
    end = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > end:
            raise SystemExit("bench: " + what)
        time.sleep(0.02)


def process_tree(root):
    """The process and all that descend from it"""
    parents = {}
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path, encoding="ascii", errors="replace") as stat:
                fields = stat.read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        parents[int(path.split("/")[2])] = (int(fields[1]), sum(map(int, fields[11:15])))
    family = {root}
    while True:
        more = {pid for pid, (parent, _) in parents.items() if parent in family} - family
        if not more:
            return {pid: parents[pid][1] for pid in family if pid in parents}
        family |= more


def cpu_ns(root):
    """CPU time of the guest: of its processes and those that they have outlived"""
    return sum(process_tree(root).values()) * 1000000000 // os.sysconf("SC_CLK_TCK")


def may_spin(scenario):
    """A simulator that sleeps has to be woken, which a real servo has not"""
    return scenario.buses < len(os.sched_getaffinity(0))


def connect(path):
    """A descriptor above the first ten, of which the runner has a use of its own"""
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(path)
        return fcntl.fcntl(line.fileno(), fcntl.F_DUPFD, 20)


class HostBuses:
    """The buses of a scenario, each a simulator on a socket that the guest gets

    Also the host's part of the talk with guest.sh: it says a word, and goes on when
    there is a file of that name.
    """

    def __init__(self, scenario, overlay):
        self.scenario = scenario
        self.overlay = overlay
        self.simulators = []
        self.fds = []
        self.samples = {}

    def __enter__(self):
        # pylint: disable=consider-using-with # closed in __exit__
        self.temporary = tempfile.TemporaryDirectory(prefix="naohw-bench-")
        self.directory = self.temporary.name
        for bus in range(self.scenario.buses):
            self.start(bus)
        return self

    def __exit__(self, *_):
        for fd in self.fds:
            os.close(fd)
        for simulator in self.simulators:
            simulator.terminate()
        for simulator in self.simulators:
            try:
                simulator.wait(PATIENCE_S)
            except subprocess.TimeoutExpired:
                simulator.kill()
        self.temporary.cleanup()

    def path(self, name, bus):
        return os.path.join(self.directory, "%s%d" % (name, bus))

    def start(self, bus):
        line, control = self.path("line", bus), self.path("control", bus)
        self.simulators.append(subprocess.Popen(
            [os.path.join(ROOT, "build", "host", "bin", "dxlsim"), "--overlay", self.overlay]
            + ["--unix", line, "--control", control, "--wire-time", "--quiet"]
            + ["--turnaround", str(self.scenario.turnaround_us)]
            + (["--spin"] if may_spin(self.scenario) else []),
            stdin=subprocess.DEVNULL,
        ))
        wait_until(lambda: os.path.exists(line) and os.path.exists(control),
                   "dxlsim does not start")
        self.fds.append(connect(line))
        # As they come, devices have the longest return delay there is.
        for number in range(1, self.scenario.devices + 1):
            self.command(bus, "write %d %d 0" % (number, RETURN_DELAY[self.scenario.protocol]))

    def command(self, bus, line):
        with socket.socket(socket.AF_UNIX) as control:
            control.settimeout(PATIENCE_S)
            control.connect(self.path("control", bus))
            control.sendall(line.encode() + b"\n")
            answer = b""
            while not answer.endswith(b"\n"):
                answer += control.recv(4096)
        if not answer.endswith(b"ok\n"):
            raise SystemExit("bench: dxlsim: %s: %s" % (line, answer.decode()))

    def answer(self, guest, line):
        """Does what the guest asks for"""
        words = line.split()
        if len(words) != 2 or words[0] != "host":
            return
        if words[1] == "silence":
            for bus in range(self.scenario.buses):
                self.command(bus, "silence %d" % self.scenario.missing)
        self.samples[words[1]] = cpu_ns(guest)
        with open(os.path.join(self.directory, words[1]), "w", encoding="ascii"):
            pass

    def cpu_ns(self, who):
        return self.samples[who + "-ends"] - self.samples[who + "-begins"]
