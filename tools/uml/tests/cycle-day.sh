#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# timeout: 600
# rounds: 120
#
# Frames and poses of 20 XM430 every 100 ms, for ROUNDS seconds of bus time: a day of
# them fits into an hour, and shows what counts time and wraps.

. "$(dirname "$0")/beat.sh"

load_modules 1000
start_robot a /share/test-overlays/twenty-xm430-4m.dtbo 20 9
wait_for_devices dxl0
succeeds "a period of 100 ms" into $dxl/dxl0/cycle/period_us 100000
torque_on dxl0
read_frames "20 XM430, slowly" dxl0 "$ROUNDS" 200 --watermark 8
done_testing
