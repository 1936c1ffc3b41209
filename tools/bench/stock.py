# SPDX-License-Identifier: GPL-2.0-or-later
"""The cycle on the stock arm64 kernel in QEMU, whose time is a count of instructions."""

import os
import subprocess
import sys

from host import RETURN_DELAY, ROOT

# The UART's clock is too slow for the highest rates. QEMU's takes any; the kernel has
# to believe it.
UART_CLOCK = (
    'fragment@1 { target-path = "/apb-pclk"; __overlay__ { clock-frequency = <64000000>; }; };'
)
UART = "/pl011@9000000"

# Enough for their cost, which is always the same.
COST_FRAMES = 400


def command_of(port, scenario, share, overlay, options):
    command = [os.path.join(ROOT, "tools", "vm", "run"), "--name", "bench-" + port]
    command += ["--icount", "--timeout", "900", "--overlay", overlay, "--share", share]
    for number in range(1, scenario.devices + 1):
        command += ["--sim-command",
                    "write %d %d 0" % (number, RETURN_DELAY[scenario.protocol])]
    if port == "tty":
        command += ["--tty"]
    if options.no_build:
        command += ["--no-build"]
    return command


def share_one_processor():
    """How many bytes an interrupt finds must not depend on who is how fast

    With one processor for both, QEMU and the simulator, and nobody interrupted by who
    wakes up, they take turns: bytes come until the UART is full, and then the guest runs.
    """
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


def output_of(command, preexec_fn=None):
    """What a guest prints, line by line"""
    guest = subprocess.run(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL,
                           preexec_fn=preexec_fn, text=True, check=False)
    if guest.returncode or "guest: end" not in guest.stdout.splitlines():
        sys.stderr.write(guest.stdout)
        raise SystemExit("bench: the guest failed with status %d" % guest.returncode)
    return guest.stdout.splitlines()


def run_guest(what, port, scenario, share, overlay, options, arguments):
    """Its output: the "cost" or "lateness" of a "bus" or a "tty" """
    command = command_of(port, scenario, share, overlay, options)
    command += ["--", "sh", "/share/bench/stock-guest.sh", what, port, *map(str, arguments)]
    return output_of(command, share_one_processor if what == "cost" else None)


def machine(values):
    return values["kernel"] + values["user"]


def per_frame(results, who, count):
    """What many frames cost more than a few: of the whole machine, without what it does
    at rest, and of the process alone
    """
    many, few = results[(who, "many")], results[(who, "few")]
    rest = results[({"kernel": "bus", "loop": "tty"}[who], "rest")]
    frames = many[count] - few[count]
    at_rest = machine(rest) / rest["ns"] * (many["ns"] - few["ns"])
    return ((machine(many) - machine(few) - at_rest) / frames,
            (many["process"] - few["process"]) / frames)
