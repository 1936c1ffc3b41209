#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Traces whose times from a command to the wire were counted by hand, as TAP."""

import sys

sys.dont_write_bytecode = True  # the source tree stays as it is

from program import load  # noqa: E402

wire_ns = load("naohwd").wire_ns


def mark(ms):
    return "rpcloop-285 [000] ..... 12.%03d000: tracing_mark_write: command" % ms


def sent(ms, packet):
    return "<idle>-0 [000] b.s.. 12.%03d000: dxl_tx: dxl0 len=%d %s" % (
        ms, len(packet) // 2, packet)


# FF FF FE len 83 1E 04, and of each servo its ID, goal and speed; sums are of nobody's interest.
REST = "fffffe0e831e04" "01f4015901" "020a025901" "00"
FIRST_MOVED = "fffffe0e831e04" "01f5015901" "020a025901" "00"
FIRST_FASTER = "fffffe0e831e04" "01f4016001" "020a025901" "00"
# Servo 2 with its torque limit, in a packet of its own
SECOND_MOVED = "fffffe0b831e06" "020b025901ac00" "00"
READ = "ffff0104022408cc"
# A sync write to the lights, which has changed
LIGHT = "fffffe08831901" "0101" "0200" "00"

CASES = [
    ("the first pose that differs",
     [sent(0, REST), mark(5), sent(10, REST), sent(20, FIRST_MOVED)], [15]),
    ("reads and other writes are none",
     [sent(0, REST), mark(5), sent(6, READ), sent(7, LIGHT), sent(10, FIRST_MOVED)], [5]),
    ("a speed is no goal",
     [sent(0, REST), mark(5), sent(10, FIRST_FASTER), sent(20, FIRST_MOVED)], [15]),
    ("a servo may be in a packet of its own",
     [sent(0, REST), mark(5), sent(10, REST), sent(11, SECOND_MOVED)], [6]),
    ("what changes before the command is not its own",
     [sent(0, REST), sent(4, FIRST_MOVED), mark(5), sent(10, REST)], [5]),
    ("a command is counted once",
     [sent(0, REST), mark(5), sent(10, FIRST_MOVED), sent(20, REST)], [5]),
    ("one that changes nothing is not counted", [sent(0, REST), mark(5), sent(10, REST)], []),
    ("they come sorted",
     [sent(0, REST), mark(1), sent(10, FIRST_MOVED), mark(18), sent(20, REST)], [2, 9]),
]

failed = 0
print("1..%d" % len(CASES))
for number, (name, lines, expected) in enumerate(CASES, 1):
    times = [round(ns / 1e6, 3) for ns in wire_ns(lines)]
    ok = times == expected
    failed += not ok
    print("%sok %d - %s" % ("" if ok else "not ", number, name))
    if not ok:
        print("# %s instead of %s ms" % (times, expected))
sys.exit(failed > 0)
