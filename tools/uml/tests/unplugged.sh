#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# rounds: 2
#
# The adapter is unplugged in the middle of an exchange with one of 20 devices:
# every transfer that is under way or comes then ends, once and with an error, and
# when it is plugged in again everything works. ROUNDS times, with single, group and
# fast group reads and both protocols in turn, half of them amid all other faults.

. "$(dirname "$0")/campaign.sh"

# round NUMBER OVERLAY CELLS
round() {
	local words="seed=$1"
	cells=$3
	start_sim faults "$2" --wire-time
	attach_campaign "$2"
	# Each of the mixes with each overlay, as the numbers go up.
	[ $(($1 % 8)) -lt 4 ] || mix $(($1 + $1 / 8))

	into $campaign/run "$cells seconds=1 unplug=1 $words" 2>/tmp/run.log &
	run=$!
	usleep $((100000 + $1 * 37337 % 700000))
	dxlctl disconnect next 1 >/dev/null
	wait $run
	ok $? "round $1: every transfer ends, and with an error when the line has gone" ||
		sed 's/^/# /' /tmp/run.log $campaign/result
	end_of $attach
	is "$status" 3 "round $1: dxlattach ends"
	eventually no_devices
	ok $? "round $1: no device is left"
	calm

	eventually [ -e /tmp/tty.faults ]
	attach_campaign "$2"
	drive "round $1, plugged in again: nothing fails" seconds=1 strict=1

	kill $attach
	end_of $attach
	kill $sim
	wait $sim
}

load_modules 1000
modprobe dxl_campaign
for nth in $(seq "$ROUNDS"); do
	case $((nth % 4)) in
	0) round "$nth" /share/overlays/virt-bioloid.dtbo "$ax" ;;
	1) round "$nth" /share/overlays/virt-op3.dtbo "$x" ;;
	2) round "$nth" /share/test-overlays/twenty-mx-28.dtbo "$ax" ;;
	3) round "$nth" /share/test-overlays/ten-ax-12-ten-xm430.dtbo "$both" ;;
	esac
done
done_testing
