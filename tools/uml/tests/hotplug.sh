#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# in: check-all
# rounds: 1
#
# A stream that never ends, and says how stiff each joint is: each of twenty servos is taken
# from it ROUNDS times, by its cable, its power and its driver, and comes back. The others go
# on, and it is given its torque by who wants it to have that.

. "$(dirname "$0")/beat.sh"

# has_state ID STATE -- is it that?
has_state() {
	line_is "$dxl/0-$(printf %03d "$1")/state" "$2"
}

# bound ID -- has it a driver and its devices?
bound() {
	[ -e "$(echo $dxl/0-"$(printf %03d "$1")"/iio:device*/label)" ]
}

# torque_of ID
torque_of() {
	simulated "$1" torque_enable
}

# hold -- do all joints but those named?
hold() {
	dxlctl torque all | awk -v but=" $* " '
	/^ok/ { next }
	{ joints++ }
	!$2 && !index(but, " " $1 " ") { print "# joint " $1 " is free"; bad = 1 }
	END { exit bad || joints != 20 }'
}

# hold_others -- but those that have been taken in this round
hold_others() {
	# shellcheck disable=SC2046 # words
	hold $(seq 1 "$id")
}

wrong() {
	echo "# servo $id, $1, round $round"
	bad=1
}

recovered() {
	[ "$(stream_state)" = streaming ]
}

# recover -- those that have lost their torque get it again
recover() {
	into "$goal/recover" 1 || wrong "no recovery"
	usleep 2100000
	recovered || eventually recovered || wrong "does not recover"
}

by_cable() {
	dxlctl silence "$id" >/dev/null
	eventually has_state "$id" lost || wrong "is not lost"
	hold || wrong "somebody has been let go"
	dxlctl unsilence "$id" >/dev/null
	eventually has_state "$id" active || wrong "does not come back"
	[ "$(torque_of "$id")" = 1 ] || wrong "has lost its torque by a cable"
}

by_power() {
	dxlctl silence "$id" >/dev/null
	dxlctl power-cycle "$id" >/dev/null
	eventually has_state "$id" lost || wrong "is not lost"
	hold_others || wrong "somebody has been let go"
	dxlctl unsilence "$id" >/dev/null
	eventually has_state "$id" active || wrong "does not come back"
	usleep 200000
	[ "$(torque_of "$id")" = 0 ] || wrong "has got torque by itself"
}

by_driver() {
	local name
	name=0-$(printf %03d "$id")
	echo "$name" >/sys/bus/dxl/drivers/dxl-servo/unbind
	hold_others || wrong "somebody has been let go"
	[ "$(torque_of "$id")" = 0 ] || wrong "has not been let go"
	echo "$name" >/sys/bus/dxl/drivers/dxl-servo/bind
	eventually bound "$id" || wrong "is not bound again"
	usleep 200000
	[ "$(torque_of "$id")" = 0 ] || wrong "has got torque by being bound"
}

# moves ID -- does it get goals?
moves() {
	local before
	before=$(last_goal "$1")
	usleep 50000
	[ "$(last_goal "$1")" -gt "$before" ]
}

load_modules 1000
start_robot a $robot 20 5
wait_for_devices dxl0
torque_on dxl0
stream dxl0 --by-frames --stiffness 40:60 --for 100000000000 >/tmp/stream 2>&1 &
stream=$!
usleep 500000
bus=dxl0
find_goal
poses=$(cat "$goal/poses")

for how in by_cable by_power by_driver; do
	bad=0
	round=0
	while [ "$round" -lt "$ROUNDS" ]; do
		round=$((round + 1))
		id=0
		while [ $id -lt 20 ]; do
			id=$((id + 1))
			$how
			[ "$(stream_state)" = streaming ] || wrong "it is $(stream_state)"
		done
		[ $how = by_cable ] || recover
		hold || wrong "not all hold"
	done
	ok $bad "each of 20 servos goes and comes back, $ROUNDS times each, $how"
done

hold
ok $? "all joints hold"
bad=0
for id in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	moves $id || wrong "does not move"
done
ok $bad "and move"
kill -0 $stream
ok $? "and the stream has never ended" || sed 's/^/# /' /tmp/stream
echo "# $(($(cat "$goal/poses") - poses)) poses, $(cat "$goal/dropped") dropped"
is "$(cat "$goal/stale") $(cat "$(device_named dxl0-state)/stale")" "0 0" \
	"and all are in their places"


# soft -- how many joints have not the stiffness that poses say
soft() {
	all_simulated torque_limit | awk '$1 < 400 { soft++ } END { print soft + 0 }'
}

is "$(soft)" 0 "all are as stiff as poses say"
into "$goal/buffer0/enable" 0
done_testing
