#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# robot: bioloid
# in: check-all
#
# Timed commands for a Bioloid on a stock kernel, with the simulator as the judge: from a pipe, from
# a program of a user's, and when whoever gives them dies or stops; and from a program for a NAO.

. "$(dirname "$0")/lib.sh"
# shellcheck source=tools/vm/tests/lola_lib.sh
. "$(dirname "$0")/lola_lib.sh"

goal=$(dirname "$(grep -lx dxl0-goal $iio/iio:device*/name)")
nod=/usr/share/naohw/examples/nod

# all_have TORQUE LIMIT -- every simulated joint
all_have() {
	all_are torque_enable "$1" && all_are torque_limit "$2"
}

# goals -- as lines "id goal"
goals() {
	all_simulated goal_position | awk '{ print NR, $1 }'
}

# not_turned COUNTS BEFORE AFTER -- which of the joints that a NAO has as well, all but the hips' yaws,
# are not so many counts from where they were, within one; goals as above
not_turned() {
	awk -v counts="$1" '
		NR == FNR { was[$1] = $2; next }
		{ off = $2 > was[$1] ? $2 - was[$1] : was[$1] - $2 }
		$1 != 7 && $1 != 8 && (off < counts - 1 || off > counts + 1)' "$2" "$3"
}

none_has_torque() {
	all_are torque_enable 0
}

# find_goal -- which is registered anew with each stream that says how stiff joints are
find_goal() {
	goal=$(dirname "$(grep -lx dxl0-goal $iio/iio:device*/name 2>/dev/null)") &&
		[ "$(cat "$goal/stiffness" 2>/dev/null)" = 0 ]
}

slow_down

# --- from a pipe, and by pattern ---

printf '%s\n' "set */Hardness/Actuator 0.5@200" "wait 300" "set HeadYaw 0@400 0.5@1500" |
	naohw send -q - >/tmp/said 2>&1
is $? 0 "commands from a pipe are carried out" || sed 's/^/# /' /tmp/said
# 0.5 rad / 0.005113269 + 512
near "$(simulated 19 goal_position)" 610 1 "a joint is sent to where it is to be"
near "$(simulated 19 present_position)" 610 3 "and is there"
all_have 1 512 || all_have 1 511
ok $? "and all joints are half as stiff as they can be"

eventually find_goal
succeeds "a program of a user's nods" $nod
# 0.8 of 1023
near "$(simulated 20 torque_limit)" 818 1 "with a stiff neck"
near "$(simulated 20 present_position)" "$(simulated 20 goal_position)" 3 "and has nodded"

# --- what nobody watches does not move ---

eventually find_goal
printf '%s\n' "set */Hardness/Actuator 0.5" "set HeadYaw 0@60000" "wait 60000" >/tmp/commands
naohw send -q /tmp/commands >/tmp/said 2>&1 &
send=$!
eventually grep -q streaming "$iio"/iio:device*/stream_state
fails_with "(naohw, process $send)" "a second one is refused, and told by whom" \
	naohw send -q /tmp/commands
sleep 1
kill -9 $send
wait $send 2>/dev/null
eventually none_has_torque
ok $? "one that is killed has all joints let go"
succeeds "and they are given back, by who comes when the stream of the dead is still there" naohw recover

eventually find_goal
naohw send -q /tmp/commands >/tmp/said 2>&1 &
send=$!
eventually grep -q streaming "$iio"/iio:device*/stream_state
sleep 2
kill $send
wait $send
is $? 130 "one that is interrupted ends"
near "$(simulated 19 goal_position)" "$(simulated 19 present_position)" 4 "and the joint stays where it is"
simulates 19 torque_enable 1 "as stiff as it was"

# --- a program for a NAO ---

eventually find_goal
mkdir -p /run/naohw
rpc=/run/naohw/bioloid.sock
serve --lola-end hold --socket $rpc
client "a NAO's program finds 0 for what a Bioloid lacks [lola-5]" connect read 20 \
	is Position 6 0 0 is Position 23 0 0 is Accelerometer 2 0 0 is Battery 0 0 0
rm -f /tmp/seen
slow_client set Stiffness all 0.5 set Position all 0 answer 100 say zeros until /tmp/seen \
	set Position all 0.1 answer 100
eventually grep -q zeros /tmp/client.log
goals >/tmp/zeros
touch /tmp/seen
wait $client
is $? 0 "it moves the joints that there are" || sed 's/^/# /' /tmp/client.log
goals >/tmp/turned
is "$(not_turned 20 /tmp/zeros /tmp/turned)" "" "all of them"
slowly 0 "or one" set Stiffness all 0.5 set Position all 0 set Position 0 0.5 \
	answer 100 is Position 0 0.5 0.02 is Stiffness 0 0.5 0.01 is Stiffness 6 0 0
near "$(simulated 19 goal_position)" 610 1 "a joint is sent to where it is to be"
slowly 137 "and dies while one is on its way [lola-20]" set Position 0 -1.5 answer 4 die
logged "closed the connection" "naohwd sees that"
sleep 1
held=$(simulated 19 goal_position)
near "$held" 414 190 "the joint holds in the middle of its way"
sleep 1
simulates 19 goal_position "$held" "and goes on holding"
simulates 19 torque_enable 1 "with torque"

# --- among a hundred clients ---

# moves COMMAND... -- prints how often the joint's goal is another in the meantime, and "back" if it
# is ever less than before
moves() {
	local before goal steps=0
	before=$(simulated 19 goal_position)
	"$@" >/tmp/said 2>&1 &
	while kill -0 $! 2>/dev/null; do
		goal=$(simulated 19 goal_position)
		[ "$goal" -ge "$before" ] || echo back
		[ "$goal" -eq "$before" ] || steps=$((steps + 1))
		before=$goal
		sleep 0.2
	done
	wait $!
	echo "$? $steps"
}

rpc_crowd $rpc Device/SubDeviceList/HeadYaw/Position/Sensor/Value 100 /tmp/enough >/tmp/crowd.log 2>&1 &
crowd=$!
eventually grep -q here /tmp/crowd.log
ok $? "there are a hundred, of whom one never reads and one sends garbage" || sed 's/^/# /' /tmp/crowd.log
succeeds "a joint is set" naohw set HeadYaw/Position/Actuator -0.5
# -0.5 rad / 0.005113269 + 512
eventually simulated_is 19 goal_position 414
ok $? "and goes there" || echo "# $(simulated 19 goal_position)"
printf '%s\n' "set HeadYaw 0.5@6000" "wait 6000" >/tmp/commands
moves naohw send -q /tmp/commands >/tmp/moved
tail -n 1 /tmp/moved >/tmp/end
read -r status steps </tmp/end
is "$status" 0 "one more moves it" || sed 's/^/# /' /tmp/moved /tmp/said
! grep -q back /tmp/moved && [ "$steps" -ge 2 ]
ok $? "step by step, and never back" || sed 's/^/# /' /tmp/moved
near "$(simulated 19 goal_position)" 610 1 "to where it is to be"
touch /tmp/enough
wait $crowd
is $? 0 "and all others have been served" || sed 's/^/# /' /tmp/crowd.log
ends
done_testing
