#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# robot: bioloid
# tty: yes
#
# A UART of which no device tree tells becomes a bus by dxlattach, with modules that
# load themselves, and is a tty again in the end.

. "$(dirname "$0")/lib.sh"

servos_are() {
	[ "$(grep -lx ax-12 $iio/iio:device*/name 2>/dev/null | wc -l)" -eq "$1" ]
}

arrived() {
	at=$(cat "$dir/in_angl0_raw") && [ "$at" -ge 598 ] && [ "$at" -le 602 ]
}

is "$(ls $dxl 2>/dev/null | wc -l)" 0 "there is no bus"
for round in 1 2; do
	succeeds "round $round: the port is attached" attach
	is "$(described | wc -l)" 20 "round $round: the overlay describes 20 servos"
	eventually servos_are 20
	ok $? "round $round: all of them have their driver"
	dir=$(joint HeadYaw)
	holds "$dir/in_voltage0_raw" "$(simulated 19 present_voltage)" "round $round: what one says arrives"
	into "$dir/out_angl0_raw" 600
	eventually arrived
	ok $? "round $round: what it is told, too"
	holds $dxl/dxl0/statistics/checksum_errors 0 "round $round: no packet was damaged"
	succeeds "round $round: the port is let go" line_down
	is "$(ls $dxl | wc -l)" 0 "round $round: no device is left"
	simulates 19 torque_enable 0 "round $round: and no torque"
done
eventually rmmod dxl_ldisc
ok $? "the line discipline is unloaded"
done_testing
