#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# rounds: 5
#
# The simulator dies, and the line with it, in every state of the bus: while
# devices are added, while a scan runs, while others read, write and bind, while
# the bus is being detached. Whatever it is, dxlattach ends, nothing hangs, no
# device is left, and the next round works.

. "$(dirname "$0")/lib.sh"

overlay=/share/test-overlays/mixed.dtbo
servos=6

# Reads and writes whatever there is, until told to stop
traffic() {
	while [ ! -e /tmp/stop ]; do
		cat $iio/iio:device*/in_angl0_raw $dxl/*/statistics/ack $dxl/*/state
		echo 500 | tee $iio/iio:device*/out_angl0_raw
	done >/dev/null 2>&1
}

# Takes the driver from its devices and gives it back
binding() {
	local driver=/sys/bus/dxl/drivers/dxl-servo device
	while [ ! -e /tmp/stop ]; do
		for device in "$dxl"/*-*; do
			echo "${device##*/}" >$driver/unbind
			echo "${device##*/}" >$driver/bind
		done
	done >/dev/null 2>&1
}

# Holds files open over the hang-up, which must neither keep it nor read stale
holding() {
	exec 3<"$1/in_angl0_raw"
	while [ ! -e /tmp/stop ]; do sleep 0.1; done
	cat <&3
} >/dev/null 2>&1

# start_state STATE -- brings the bus there and leaves it on its way
start_state() {
	case $1 in
	starting)
		start_attach a --overlay $overlay
		;;
	adding)
		start_attach a --overlay $overlay
		eventually [ -d $dxl/dxl0 ]
		;;
	scanning)
		start_attach a --scan
		eventually [ -d $dxl/dxl0 ]
		;;
	traffic | holding | binding | detaching)
		start_attach a --overlay $overlay
		eventually servos_are $servos || sed 's/^/# /' /tmp/attach.a
		traffic &
		[ "$1" != holding ] || holding "$(joint A1)" &
		[ "$1" != binding ] || binding &
		[ "$1" != detaching ] || kill $attach
		;;
	esac
}

load_modules
round=0
while [ "$round" -lt "$ROUNDS" ]; do
	for state in starting adding scanning traffic holding binding detaching; do
		round=$((round + 1))
		start_sim a $overlay
		rm -f /tmp/stop
		start_state $state
		# Somewhere else in what is going on in each round
		usleep $((round * 37337 % 150000))
		kill -KILL $sim
		end_of $attach
		# It may have ended before the line went, or come too late.
		case $state,$status in
		*,3 | detaching,0 | starting,1) ok 0 "round $round, $state: dxlattach ends" ;;
		*) ok 1 "round $round, $state: dxlattach ends with $status" || sed 's/^/# /' /tmp/attach.a ;;
		esac
		touch /tmp/stop
		eventually no_devices
		ok $? "round $round, $state: no device is left"
		wait
	done
done
eventually rmmod dxl_ldisc
ok $? "nobody holds the line discipline any more"
eventually rmmod dxl_servo
ok $? "nor the servos' driver"
done_testing
