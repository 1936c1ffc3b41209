# SPDX-License-Identifier: GPL-2.0-or-later
"""A whole robot in a guest of either kernel, for the benches of the DCM and of naohwd."""

import argparse
import json
import os
import shutil
from dataclasses import dataclass

from host import FIRST_LINE, ROOT, HostBuses
from program import HERE, load
import stock

cycle = load("cycle")
bench = cycle.bench

OFF = ("p50", "p99", "p999", "max")


@dataclass(frozen=True)
class Robot:
    """What the simulator and its place have to know of one: as Scenario has it"""

    title: str
    description: str
    overlay: str
    protocol: int
    devices: int
    baud: int
    period_us: int
    turnaround_us: int = 0
    buses: int = 1

    def overlay_path(self):
        return os.path.join(ROOT, "build", "overlays", self.overlay)

    def description_path(self):
        return os.path.join(ROOT, "userspace", "robots", self.description)


NAO = Robot("a NAO, 36 devices at 4 Mbaud", "nao-h25-v33.xml", "virt-nao-h25-v33.dtbo",
            1, 36, 4000000, 10000)
BIOLOID = Robot("a Bioloid, 20 AX-12 at 1 Mbaud", "bioloid.xml", "virt-bioloid.dtbo",
                1, 20, 1000000, 10000)


class Buses(HostBuses):
    """Programs of the guest may be busy all the time"""

    def __init__(self, robot):
        super().__init__(robot, robot.overlay_path())
        self.processors = cycle.CycleProcessors(robot)


@dataclass(frozen=True)
class Guest:
    """The script that runs there, and the programs that it needs

    Of those with the library there is the source here; others are tests' own.
    """

    name: str
    script: str
    with_library: tuple
    others: tuple = ()

    def build(self, directory, compiler, library, *more):
        return [cycle.build_program(name, directory, compiler, *cycle.with_library(library), *more)
                for name in self.with_library] + \
               [cycle.build_program(name, directory, compiler) for name in self.others]

    def write_share(self, robot):
        os.makedirs(bench.SHARE, exist_ok=True)
        for path in (os.path.join(HERE, "guest-lib.sh"), os.path.join(HERE, self.script),
                     robot.overlay_path(), robot.description_path()):
            shutil.copy(path, bench.SHARE)

    def command(self, kernel, robot, cycles):
        return ["--", "sh", "/share/bench/" + self.script, kernel,
                "/share/bench/" + robot.description, str(robot.period_us), str(cycles),
                str(bench.STALL_US)]

    def run_uml(self, robot, options, *installed):
        """Its lines, with programs that are installed as well"""
        self.write_share(robot)
        library = os.path.join(ROOT, "build", "host", "lib")
        programs = self.build(bench.BUILD, "gcc", library, "-Wl,-rpath," + library)
        programs += [os.path.join(ROOT, "build", "host", "bin", name) for name in installed]
        with Buses(robot) as buses:
            command = [os.path.join(ROOT, "tools", "uml", "run"), "--kernel", "bench", "--stack"]
            command += ["--name", self.name, "--timeout", "600", "--share", bench.SHARE]
            for program in programs:
                command += ["--program", program]
            command += ["--out", buses.directory]
            command += ["--arg", "ssl%d=fd:%d,fd:%d" % (FIRST_LINE, *buses.fds[0])]
            if options.modules:
                command += ["--modules", options.modules]
            if options.no_build:
                command += ["--no-build"]
            command += [*self.command("uml", robot, options.cycles),
                        "/share/bench/" + robot.overlay, str(robot.devices), str(robot.baud)]
            return buses.run(command)

    def run_stock(self, robot, options, cycles, out=None):
        """Its lines; what it leaves in /host is in the directory out"""
        self.write_share(robot)
        compiler = os.path.join(ROOT, "tools", "vm", "cc")
        library = os.path.join(ROOT, "build", "arm64", "root", "usr", "lib", "aarch64-linux-gnu")
        self.build(bench.SHARE, compiler, library)
        command = stock.command_of("bus", robot, bench.SHARE, robot.overlay_path(), options)
        if out:
            command += ["--out", out]
        return stock.output_of(command + self.command("stock", robot, max(cycles, 1)))


def parse(who, lines):
    """{phase: {key: value}} of lines `WHO PHASE KEY=VALUE`"""
    phases = {}
    for line in lines:
        words = line.split()
        if len(words) == 3 and words[0] == who and "=" in words[2]:
            key, value = words[2].split("=", 1)
            phases.setdefault(words[1], {})[key] = int(value)
    return phases


def off_of(values, what):
    return {name: values["%s_%s_ns" % (what, name)] for name in OFF}


def ratio_of(ours, limit):
    return {name: ours[name] / limit[name] if limit[name] else None for name in OFF}


def off_cells(row, *more):
    """Of a table: both that dcmloop measures, in us"""
    cells = ["%.1f" % (row[what][name] / 1e3) for what in ("cycle_ns", "frame_ns") for name in OFF]
    cells += [cycle.cell(row["ratio"][name]) for name in OFF]
    return cells + ["%d" % row["nack"], "%d" % row["late"], *more]


def print_cells(width, first, cells):
    print("%-*s" % (width, first) + "".join("%9s" % cell for cell in cells))


def write_results(name, rows):
    path = os.path.join(bench.BUILD, name)
    with open(path + ".new", "w", encoding="ascii") as out:
        json.dump(rows, out, indent=1)
        out.write("\n")
    os.replace(path + ".new", path)


def arguments(doc, share):
    """The share of the cycles that the stock kernel gets is said as in "half of them" """
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--kernel", choices=cycle.KERNELS, help="this kernel alone")
    parser.add_argument("--cycles", type=int, default=2000,
                        help="of each measurement, %s on the stock kernel (2000)" % share)
    parser.add_argument("--modules", help="UML's modules, as they are")
    parser.add_argument("--no-build", action="store_true", help="take programs as they are")
    return parser.parse_args()


def prepare(options):
    os.makedirs(bench.SHARE, exist_ok=True)
    if not options.no_build:
        cycle.build_stack()
