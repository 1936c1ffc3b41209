#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
#
# A servo that is without power for a moment, while it is moved, does not get its
# torque back by the next pose, but when it is told to, and slowly; the others go on.

. "$(dirname "$0")/beat.sh"

# others_are TORQUE ID -- has every joint but one TORQUE?
others_are() {
	dxlctl torque all | awk -v torque="$1" -v but="$2" '
	/^ok/ { next }
	$1 != but && $2 != torque { print "# joint " $1 " has " $2; bad = 1 }
	END { exit bad }'
}

# blink ID STIFFNESS -- a servo's power goes, and comes back; the register of what its
# torque is limited to
blink() {
	local id=$1 stiffness=$2 full before
	full=$(simulated "$id" "$stiffness")
	into "$goal/watchdog_ms" 500
	torque_on "$bus"
	stream "$bus" --by-frames --frame in_angl --for 5000000 --end close >/tmp/stream 2>&1 &
	stream=$!
	usleep 500000
	is "$(stream_state) $(simulated "$id" torque_enable)" "streaming 1" "$bus: joint $id is moved"
	dxlctl power-cycle "$id" >/dev/null
	usleep 500000
	before=$(last_goal "$id")
	usleep 500000
	simulates "$id" torque_enable 0 "it has no torque after its power was gone"
	is "$(last_goal "$id")" "$before" "and gets no goals"
	others_are 1 "$id"
	ok $? "the others hold"
	is "$(stream_state)" streaming "and are moved"

	succeeds "it gets it back when that is asked for" into "$goal/recover" 1
	usleep 500000
	near "$(simulated "$id" "$stiffness")" $((full / 4)) $((full / 10)) "slowly"
	simulates "$id" torque_enable 1 "with its torque on"
	usleep 1700000
	is "$(simulated "$id" "$stiffness") $(stream_state)" "$full streaming" "until it is as before"
	[ "$(last_goal "$id")" != "$before" ]
	ok $? "and it is moved with the others"
	others_are 1 "$id"
	ok $? "who have held all the time"
}

# ended -- the stream, as it should
ended() {
	wait $stream
	ok $? "the stream ends in its time" || sed 's/^/# /' /tmp/stream
	is "$(stream_state)" idle "and is no more"
}

load_modules 1000
start_robot a $robot 20 5
start_robot b /share/test-overlays/twenty-xm430-4m.dtbo 20 9
wait_for_devices dxl0 dxl1

on a dxl0
blink 5 torque_limit
ended
on b dxl1
blink 7 goal_pwm
simulates 7 bus_watchdog 50 "it watches the bus again"
ended
done_testing
