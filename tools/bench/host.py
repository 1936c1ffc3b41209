# SPDX-License-Identifier: GPL-2.0-or-later
"""Simulators beside the guest, at the other end of its serial lines."""

import fcntl
import glob
import os
import socket
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

# The guest's first serial lines are the runner's.
FIRST_LINE = 3

PATIENCE_S = 10

# A real UART takes an interrupt at once, whatever else the machine does. So the
# guest goes before all others, and a simulator gives way to the guest alone.
GUEST_PRIORITY = 20
SIMULATOR_PRIORITY = 10

# Address of the Return Delay Time in each protocol's control tables.
RETURN_DELAY = {1: 5, 2: 9}


def wait_until(condition, what):
    end = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > end:
            raise SystemExit("bench: " + what)
        time.sleep(0.02)


def process_tree(root):
    """{pid: (name, CPU ticks)} of the process and all that descend from it"""
    parents = {}
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path, encoding="ascii", errors="replace") as stat:
                name, fields = stat.read().split("(", 1)[1].rsplit(")", 1)
                fields = fields.split()
        except OSError:
            continue
        parents[int(path.split("/")[2])] = (int(fields[1]), name, sum(map(int, fields[11:15])))
    family = {root}
    while True:
        more = {pid for pid, values in parents.items() if values[0] in family} - family
        if not more:
            return {pid: parents[pid][1:] for pid in family if pid in parents}
        family |= more


def cpu_ns(root):
    """CPU time of the guest: of its processes and those that they have outlived"""
    ticks = sum(ticks for _, ticks in process_tree(root).values())
    return ticks * 1000000000 // os.sysconf("SC_CLK_TCK")


def keep(fd):
    """The same above the first ten, of which the runner has a use of its own"""
    kept = fcntl.fcntl(fd, fcntl.F_DUPFD, 20)
    os.close(fd)
    return kept


class Processors:
    """Who runs where, and before whom

    One simulator shares the guest's processor: it spins while the guest sleeps, and
    to wake another on the same processor takes the least time. Four could not spin
    there; they sleep on another. Without the right to such priorities, or a second
    processor for all the rest, everybody runs where the scheduler likes.
    """

    def __init__(self, scenario):
        cpus = sorted(os.sched_getaffinity(0))
        self.guest = cpus[-1]
        self.simulators = cpus[-1] if scenario.buses == 1 else cpus[0]
        self.exact = len(cpus) > 1 and self.may_have_priority()
        self.spin = scenario.buses == 1 if self.exact else scenario.buses < len(cpus)

    @staticmethod
    def may_have_priority():
        try:
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
        except PermissionError:
            return False
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
        return True

    def place(self, pid, cpu, priority):
        if not self.exact:
            return
        try:
            os.sched_setaffinity(pid, {cpu})
            os.sched_setscheduler(pid, os.SCHED_FIFO, os.sched_param(priority))
        except ProcessLookupError:
            pass  # A process of the guest may have ended meanwhile.

    def place_simulator(self, pid):
        self.place(pid, self.simulators, SIMULATOR_PRIORITY)

    def place_guest(self, root):
        """The kernel and its processes; what they start has the same"""
        for pid, (name, _) in process_tree(root).items():
            if name == "linux":
                self.place(pid, self.guest, GUEST_PRIORITY)


class HostBuses:
    """The buses of a scenario, each a simulator behind descriptors that the guest gets

    Also the host's part of the talk with guest.sh: it says a word, and goes on when
    there is a file of that name.
    """

    def __init__(self, scenario, overlay):
        self.scenario = scenario
        self.overlay = overlay
        self.processors = Processors(scenario)
        self.simulators = []
        self.fds = []
        self.placed = False
        self.samples = {}

    def __enter__(self):
        # pylint: disable=consider-using-with # closed in __exit__
        self.temporary = tempfile.TemporaryDirectory(prefix="naohw-bench-")
        self.directory = self.temporary.name
        for bus in range(self.scenario.buses):
            self.start(bus)
        return self

    def __exit__(self, *_):
        for pair in self.fds:
            for fd in pair:
                os.close(fd)
        for simulator in self.simulators:
            simulator.terminate()
        for simulator in self.simulators:
            try:
                simulator.wait(PATIENCE_S)
            except subprocess.TimeoutExpired:
                simulator.kill()
        self.temporary.cleanup()

    def control(self, bus):
        return os.path.join(self.directory, "control%d" % bus)

    def start(self, bus):
        """UML reads byte by byte, which takes the least time from a pipe

        Messages of a socket have the time at which they were sent: a UART begins to
        send then, not when the simulator comes to see it.
        """
        received, to_guest = os.pipe()
        sent, from_guest = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.simulators.append(subprocess.Popen(
            [os.path.join(ROOT, "build", "host", "bin", "dxlsim"), "--overlay", self.overlay]
            + ["--stdio", "--control", self.control(bus), "--wire-time", "--quiet"]
            + ["--turnaround", str(self.scenario.turnaround_us)]
            + (["--spin"] if self.processors.spin else []),
            stdin=from_guest, stdout=to_guest,
        ))
        from_guest.close()
        os.close(to_guest)
        self.fds.append((keep(received), keep(sent.detach())))
        wait_until(lambda: os.path.exists(self.control(bus)), "dxlsim does not start")
        # As they come, devices have the longest return delay there is.
        for device in self.ask(bus, "list"):
            self.command(bus, "write %s %d 0"
                         % (device.split()[0], RETURN_DELAY[self.scenario.protocol]))
        self.processors.place_simulator(self.simulators[-1].pid)

    def ask(self, bus, line):
        """The lines of the simulator's answer but the last, which is "ok" """
        with socket.socket(socket.AF_UNIX) as control:
            control.settimeout(PATIENCE_S)
            control.connect(self.control(bus))
            control.sendall(line.encode() + b"\n")
            lines = []
            for answer in control.makefile(encoding="ascii"):
                lines.append(answer.rstrip("\n"))
                if lines[-1] == "ok":
                    return lines[:-1]
                if lines[-1].startswith("error"):
                    break
        raise SystemExit("bench: dxlsim: %s: %s" % (line, "\n".join(lines)))

    def command(self, bus, line):
        self.ask(bus, line)

    def answer(self, guest, line):
        """Does what the guest asks for, in `host WORD ROUND`"""
        words = line.split()
        if len(words) != 3 or words[0] != "host":
            return
        if not self.placed:
            self.processors.place_guest(guest)
            self.placed = True
        if words[1] in ("silence", "unsilence"):
            for bus in range(self.scenario.buses):
                self.command(bus, "%s %d" % (words[1], self.scenario.missing))
        self.samples.setdefault(words[1], []).append(cpu_ns(guest))
        with open(os.path.join(self.directory, "-".join(words[1:])), "w", encoding="ascii"):
            pass

    def run(self, command):
        """What the guest prints, line by line, with all that it asks for done"""
        output = []
        with subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL,
                              pass_fds=sum(self.fds, ()), text=True) as guest:
            for line in guest.stdout:
                output.append(line.rstrip("\r\n"))
                self.answer(guest.pid, output[-1])
        if guest.returncode or "guest: end" not in output:
            sys.stderr.write("\n".join(output) + "\n")
            raise SystemExit("bench: the guest failed with status %d" % guest.returncode)
        return output

    def cpu_ns(self, who):
        return sum(self.samples[who + "-ends"]) - sum(self.samples[who + "-begins"])
