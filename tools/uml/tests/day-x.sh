#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# in: check-all
# rounds: 30
#
# The same of 20 XM430 at 4 Mbaud every 2 ms.

. "$(dirname "$0")/day.sh"

start_bus protocol=2 baud=4000000
succeeds "a period of 2 ms" into $dxl/dxl0/cycle/period_us 2000
poses="--at-once 128 --length 256 --pause 250000"
read_frames "20 XM430" dxl0 "$ROUNDS" 41 --watermark 128
done_testing
