# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# Sourced by the tests of a day: 20 servos in the kernel, as a simulator that is a
# program would need the most of a day for a day.

. "$(dirname "$0")/beat.sh"

fake_bus=/sys/module/dxl_fake_bus/parameters

lockstep() {
	into $fake_bus/lockstep_us "$1"
}

goals() {
	cat $fake_bus/goals
}

forget_goals() {
	into $fake_bus/goals 0
}

# start_bus PARAMETER=VALUE... -- dxl0, of which all servos have their torque
start_bus() {
	# The kernel's first timers are late, by a tick.
	sleep 1
	load_modules 1000
	modprobe dxl_fake_bus "$@"
	succeeds "a scan" into $dxl/dxl0/scan 1-20
	wait_for_devices dxl0
	is "$(ls -d $dxl/0-* | wc -l)" 20 "20 servos are on the bus"
	torque_on dxl0
}
