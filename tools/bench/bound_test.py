#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Cases of the wire bound that were counted by hand, as TAP."""

import sys

sys.dont_write_bytecode = True  # the source tree stays as it is

from bound import Line  # noqa: E402

# 18 AX-12, at 1 Mbaud 10 us a byte. A read of 8: FF FF id 04 02 addr 8 sum is 8
# bytes, its answer FF FF id 0A err d*8 sum is 14: 220 us. A sync write of 4:
# FF FF FE len 83 addr 4 18*(id d*4) sum is 98 bytes: 980 us.
AX = Line(1, 1000000, 0)

# 20 devices of Protocol 2.0. Sync write of 4: FF FF FD 00 FE len*2 83 addr*2 len*2
# 20*(id d*4) crc*2 is 114 bytes. Sync read of 10: 14 bytes and 20 IDs, 34. Each
# answer FF FF FD 00 id len*2 55 err d*10 crc*2 is 21 bytes.
SLOW = Line(2, 1000000, 50)
FAST = Line(2, 4000000, 0)

CASES = [
    ("18 single reads", AX.read_us("single", 18, 8), 3960),
    ("18 single reads and a sync write", AX.exchange_us("single", 18, 8, 4), 4940),
    ("one of 18 silent", AX.silent_us("single", 18, 8, 4, 8, 1000), 4940 - 140 + 140 + 50 + 1000),
    ("a return delay counts for each answer", Line(1, 1000000, 20).read_us("single", 18, 8), 4320),
    ("sync read of 20", SLOW.read_us("sync", 20, 10), 340 + 20 * 260),
    ("sync write and read of 20", SLOW.exchange_us("sync", 20, 10, 4), 1140 + 5540),
    ("the same of 5", SLOW.exchange_us("sync", 5, 10, 4), 390 + 190 + 1300),
    ("sync read at 4 Mbaud", FAST.read_us("sync", 20, 10), (34 + 420) * 2.5),
    # FF FF FD 00 FE len*2 55 is 8 bytes, err id d*10 crc*2 is 14.
    ("fast sync read of 20", FAST.read_us("fast", 20, 10), (34 + 288) * 2.5),
    # Sync write of 4 to 250: 14 + 250*5 is 1264 bytes. Request 14 + 250, answer 8 + 250*14.
    ("250 at 4 Mbaud", FAST.exchange_us("fast", 250, 10, 4), (1264 + 264 + 3508) * 2.5),
    # 9 answer, the tenth takes 210 us, 4 bytes of stuffing, 5 of the UART and the
    # margin, and 10 are asked again.
    (
        "the tenth of 20 silent in a sync read",
        SLOW.silent_us("sync", 20, 10, 0, 9, 1000),
        340 + 9 * 260 + 1210 + 90 + 240 + 10 * 260,
    ),
    ("the last of 20 silent", SLOW.silent_us("sync", 20, 10, 0, 19, 1000), 340 + 19 * 260 + 1210 + 90),
    # Nobody sends the header: what came before the time-out is the request.
    (
        "the first of 20 silent in a fast sync read",
        FAST.silent_us("fast", 20, 10, 0, 0, 1000),
        85 + 52.5 + 22.5 + 1000 + (14 + 19 + 8 + 19 * 14) * 2.5,
    ),
    ("nobody is asked", SLOW.exchange_us("sync", 0, 10, 0), 0),
]


def main():
    failed = False
    for number, (name, got, wanted) in enumerate(CASES, 1):
        good = abs(got - wanted) < 1e-6
        failed = failed or not good
        print("%s %d - %s" % ("ok" if good else "not ok", number, name))
        if not good:
            print("# %s us, by hand %s us" % (got, wanted))
    print("1..%d" % len(CASES))
    return failed


sys.exit(main())
