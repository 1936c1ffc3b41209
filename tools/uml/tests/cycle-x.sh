#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# in: check-all
# rounds: 10
#
# Frames and poses of 20 XM430 at 4 Mbaud every 2 ms, for ROUNDS seconds of bus time.

. "$(dirname "$0")/beat.sh"

load_modules 1000
start_robot a /share/test-overlays/twenty-xm430-4m.dtbo 20 9
wait_for_devices dxl0
succeeds "a period of 2 ms" into $dxl/dxl0/cycle/period_us 2000
torque_on dxl0
read_frames "20 XM430" dxl0 "$ROUNDS" 41 --watermark 64
done_testing
