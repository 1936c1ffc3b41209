#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# rounds: 2
#
# Poses that say how stiff each joint is: what dies in the middle leaves no joint stiff,
# what they set free is free, what was without power or has shut itself down stays so, and
# they cost their bytes on the line and no more.

. "$(dirname "$0")/beat.sh"

grace_us=20000

# has TORQUE -- every joint
has() {
	dxlctl torque all | awk -v torque="$1" '
	/^ok/ { next }
	$2 != torque { print "# joint " $1 " has " $2; bad = 1 }
	END { exit bad }'
}

# begin RANGE ARGUMENT... -- a stream with that stiffness
begin() {
	into "$goal/watchdog_ms" 500
	stream "$bus" --stiffness "$@" --end close >/tmp/stream 2>&1 &
	stream=$!
	usleep 500000
	find_goal
}

ended() {
	wait $stream
	ok $? "the stream ends in its time" || sed 's/^/# /' /tmp/stream
	eventually is_plain
	ok $? "with its channels"
}

# die NAME WATCHDOG_MS ARGUMENT...
die() {
	local name=$1 watchdog=$2
	shift 2
	into "$goal/watchdog_ms" "$watchdog"
	torque_on "$bus"
	cut_off "$name" "$watchdog" stream "$bus" --stiffness 20:90 "$@"
	find_goal
	is "$(stream_state)" tripped "it has tripped"
	end_stream
}

# stiffness ID REGISTER FULL -- in percent
stiffness() {
	echo $(($(simulated "$1" "$2") * 100 / $3))
}

# sets_free REGISTER FULL
sets_free() {
	begin 70:70 --for 1500000
	has 1
	ok $? "$bus: a pose makes its joints stiff"
	near "$(stiffness 3 "$1" "$2")" 70 1 "as stiff as it says"
	ended
	has 1
	ok $? "and they hold when it ends"
	begin 0:0 --for 1500000
	has 0
	ok $? "another one sets them free"
	ended
	has 0
	ok $? "and so they stay"
}

# blink REGISTER FULL -- a servo's power goes, and comes back
blink() {
	begin 40:40 --for 6000000 --by-frames --frame in_angl
	dxlctl power-cycle 4 >/dev/null
	usleep 1000000
	is "$(simulated 4 torque_enable) $(stream_state)" "0 streaming" \
		"$bus: one without power for a moment gets no torque by poses"
	succeeds "it recovers" into "$goal/recover" 1
	usleep 500000
	near "$(stiffness 4 "$1" "$2")" 10 4 "slowly"
	usleep 1800000
	near "$(stiffness 4 "$1" "$2")" 40 1 "to the stiffness that they say"
	is "$(simulated 4 torque_enable) $(stream_state)" "1 streaming" "and holds"
	ended
}

# overload ID RANGE ARGUMENT... -- an AX-12 that cannot hold what it has to
overload() {
	local id=$1
	shift
	begin "$@" --for 12000000
	dxlctl write "$id" 40 132 3 >/dev/null
	usleep 4000000
	is "$(simulated "$id" torque_enable) $(simulated "$id" torque_limit)" "0 0" \
		"stiffness $*: one that shuts itself down is left alone"
	dxlctl write "$id" 40 0 0 >/dev/null
	usleep 1000000
	is "$(simulated "$id" torque_limit) $(stream_state)" "0 streaming" "so it stays"
	succeeds "it recovers" into "$goal/recover" 1
	usleep 2500000
	simulates "$id" torque_enable 1 "and holds"
	ended
}

# sent -- bytes, but those of questions to servos that nobody hears of otherwise
sent() {
	echo $(($(cat $dxl/dxl0/statistics/tx_bytes) - 8 * $(cat $dxl/dxl0/statistics/ack)))
}

# costs WHAT BYTES RANGE -- of one pose on the line
costs() {
	local before after poses
	begin "$3" --for 3000000
	poses=$(cat "$goal/poses")
	before=$(sent)
	usleep 1500000
	poses=$(($(cat "$goal/poses") - poses))
	after=$(sent)
	ended
	echo "# $1: $(((after - before) * 1000 / poses)) bytes for 1000 poses, needed $(($2 * 1000))"
	near $(((after - before) * 100 / poses)) $(($2 * 100)) $(($2 * 3)) "$1 costs its bytes"
}

load_modules 1000
start_robot a $robot 20 5
start_robot b /share/test-overlays/twenty-xm430-4m.dtbo 20 9
wait_for_devices dxl0 dxl1

die_often

on a dxl0
torque_on dxl0
sets_free torque_limit 1023
blink torque_limit 1023
overload 5 50:50
overload 5 50:50 --by-frames --frame in_angl
overload 6 30:60 --by-frames --frame in_angl
# A header and a checksum; ID, goal, speed; and the torque limit
costs "the same stiffness" $((8 + 20 * 5)) 50:50

on b dxl1
torque_on dxl1
sets_free goal_pwm 885
blink goal_pwm 885
done_testing
