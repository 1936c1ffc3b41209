#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# in: check-all
# rounds: 30
#
# Frames and poses of 20 AX-12 every 10 ms, for ROUNDS seconds of bus time.

. "$(dirname "$0")/beat.sh"

load_modules 1000
start_robot a $robot 20 5
wait_for_devices dxl0
read_frames "20 AX-12" dxl0 "$ROUNDS" 103 --watermark 16
done_testing
