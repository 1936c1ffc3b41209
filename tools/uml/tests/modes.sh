#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# in: check-all
# rounds: 3
#
# Servos in all modes: what moves them dies, at ROUNDS random moments, and none turns on;
# nor does one when its torque comes back, or when its stream ends as it should. So it is
# with who has them moved one by one, and holds a lease.

. "$(dirname "$0")/beat.sh"

grace_us=20000

# device ID -- its directory in IIO
device() {
	printf '%s\n' "$dxl/${bus#dxl}-$(printf %03d "$1")"/iio:device*
}

# mode MODE ID... -- of servos without torque
mode() {
	local id mode=$1
	shift
	for id; do
		into "$(device "$id")/out_angl0_en" 0
		into "$(device "$id")/operating_mode" "$mode"
	done
}

# turns -- how fast the fastest of the wheels turns
turns() {
	local id most=0 now wheels="1 5 9 13 17" speed=present_speed
	if [ "$bus" = dxl1 ]; then
		wheels="1 2 3 5 6 7 9 10 11 13 14 15 17 18 19"
		speed=present_velocity
	fi
	for id in $wheels; do
		now=$(simulated "$id" $speed)
		now=${now#-}
		[ "$now" -le "$most" ] || most=$now
	done
	echo "$most"
}

# die NAME WATCHDOG_MS ARGUMENT...
die() {
	local name=$1 watchdog=$2
	shift 2
	into "$goal/watchdog_ms" "$watchdog"
	torque_on "$bus"
	cut_off "$name" "$watchdog" stream "$bus" --all-goals "$@"
	find_goal
	is "$(stream_state)" tripped "it has tripped"
	end_stream
	usleep 300000
	is "$(turns)" 0 "no wheel turns"
	torque_on "$bus"
	usleep 300000
	is "$(turns)" 0 "nor when it has torque again"
}

# ends -- a stream, as it should
ends() {
	into "$goal/watchdog_ms" 500
	stream "$bus" --all-goals --for 800000 --end close >/tmp/stream 2>&1 &
	usleep 500000
	[ "$(turns)" -gt 0 ]
	ok $? "$bus: wheels turn by poses"
	wait $!
	ok $? "the stream ends" || sed 's/^/# /' /tmp/stream
	eventually is_plain
	usleep 300000
	is "$(turns)" 0 "and no wheel turns any more"
}

# die_by_hand NAME WATCHDOG_MS ARGUMENT... -- the judge is told 0 where it is at once
die_by_hand() {
	local name=$1 watchdog=$2
	shift 2
	cut_off "$name" "$watchdog" by_hand "$bus" "$@"
	is "$(stream_state)" idle "the lease is over"
}

leases() {
	local round=0
	into "$goal/watchdog_ms" 200
	while [ "$round" -lt "$ROUNDS" ]; do
		round=$((round + 1))
		die_by_hand "$bus: who holds a lease is killed, the ${round}th" 0 \
			--for "$(random $round 100000 1500000)"
		die_by_hand "$bus: who holds a lease is stopped, the ${round}th" 200 \
			--for "$(random $((round + 500)) 100000 1500000)" --end stop
	done
}

load_modules 1000
start_robot a $robot 20 5
start_robot b /share/test-overlays/twenty-xm430-4m.dtbo 20 9
wait_for_devices dxl0 dxl1

on a dxl0
leases
mode pwm 1 5 9 13 17
torque_on dxl0
ends
on b dxl1
mode velocity 1 5 9 13 17
mode pwm 2 6 10 14 18
mode current 3 7 11 15 19
mode extended-position 4 8
torque_on dxl1
ends
die_often
done_testing
