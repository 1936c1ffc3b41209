#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# rounds: 20
#
# Frames and poses of 20 AX-12 every 10 ms, for ROUNDS seconds of bus time, from
# servos in the kernel: `make soak` has a day of them.

. "$(dirname "$0")/day.sh"

start_bus protocol=1 baud=1000000
poses="--at-once 128 --length 256 --pause 400000"
read_frames "20 AX-12" dxl0 "$ROUNDS" 103 --watermark 128
done_testing
