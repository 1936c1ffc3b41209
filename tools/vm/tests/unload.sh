#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# robot: bioloid
# in: check-all
#
# The bus is taken away in mid-traffic and comes back, again and again. The
# runner looks for splats in the kernel's log.

. "$(dirname "$0")/lib.sh"

remember_line

# Reads whatever there is, until told to stop
traffic() {
	while [ ! -e /tmp/stop ]; do
		cat $iio/iio:device*/in_angl0_raw $dxl/*/statistics/ack
		echo 500 | tee $iio/iio:device*/out_angl0_raw
	done >/dev/null 2>&1
}

servos_back() {
	[ "$(grep -lx ax-12 $iio/iio:device*/name | wc -l)" -eq 20 ]
}

for _ in 1 2 3; do traffic & done
for round in 1 2 3 4 5; do
	sleep 0.3
	succeeds "round $round: the bus is taken away" line_down
	is "$(ls $dxl | wc -l)" 0 "round $round: no device is left"
	succeeds "round $round: and comes again" line_up
	eventually servos_back
	ok $? "round $round: 20 servos are back"
done

for round in 1 2 3; do
	sleep 0.3
	# An attribute that is just being read holds a reference to its module.
	eventually rmmod dxl_servo
	ok $? "round $round: dxl_servo is unloaded"
	simulates 5 torque_enable 0 "round $round: which switches torque off"
	# What holds the line has it in use; a serdev's driver has not.
	[ "$(line_module)" = dxl_serdev ] || line_down
	eventually rmmod "$(line_module)"
	ok $? "round $round: $(line_module) is unloaded"
	eventually rmmod dxl
	ok $? "round $round: dxl is unloaded"
	udevadm trigger --action=add
	[ "$(line_module)" = dxl_serdev ] || line_up
	eventually servos_back
	ok $? "round $round: udev brings all of it back"
done
touch /tmp/stop
wait
done_testing
