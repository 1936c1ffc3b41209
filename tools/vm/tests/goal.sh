#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# robot: bioloid
# in: check-all
#
# What is written through IIO is what the simulated servo does, and the other
# way round.

. "$(dirname "$0")/lib.sh"

# arrived DIR GOAL
arrived() {
	local at
	at=$(cat "$1/in_angl0_raw") && [ "$at" -ge $(($2 - 2)) ] && [ "$at" -le $(($2 + 2)) ]
}

for case in 'HeadYaw 19 700' 'RShoulderPitch 1 300' 'LKneePitch 14 650'; do
	# shellcheck disable=SC2086
	set -- $case
	dir=$(joint "$1")
	succeeds "$1: goal $3 is written" into "$dir/out_angl0_raw" $3
	simulates "$2" goal_position "$3" "$1: the servo has the goal"
	holds "$dir/out_angl0_raw" "$3" "$1: the goal reads back"
	eventually arrived "$dir" "$3"
	ok $? "$1: IIO sees it arrive"
	near "$(simulated "$2" present_position)" "$3" 2 "$1: the simulated joint arrives"
	holds "$dir/out_angl0_en" 1 "$1: its torque is on"
done

dir=$(joint HeadYaw)
echo 512 >"$dir/out_angl0_raw"
eventually arrived "$dir" 512
echo 40 >"$dir/out_anglvel0_raw"
simulates 19 moving_speed 40 "speed reaches the servo"
echo 1000 >"$dir/out_angl0_raw"
eventually sh -c "at=\$(cat $dir/in_anglvel0_raw); [ \$at -ge 32 ] && [ \$at -le 48 ]"
ok $? "it moves with that speed, counterclockwise"
echo 100 >"$dir/out_angl0_raw"
eventually sh -c "[ \$(cat $dir/in_anglvel0_raw) -lt 0 ]"
ok $? "speed is negative clockwise"

echo 0 >"$dir/out_angl0_en"
simulates 19 torque_enable 0 "torque is switched off"
echo 50.0 >"$dir/out_angl0_torque_limit"
near "$(simulated 19 torque_limit)" 512 1 "half the torque is half the register"
holds "$dir/out_angl0_torque_limit" 50.0 "and reads back in percent"

fails_with "out of range" "a goal above the range is refused" into "$dir/out_angl0_raw" 1024
fails_with "out of range" "a goal below the range is refused" into "$dir/out_angl0_raw" -1
fails_with "out of range" "more than all torque is refused" into "$dir/out_angl0_torque_limit" 100.1
fails_with "nvalid" "junk is refused" into "$dir/out_anglvel0_raw" fast
simulates 19 goal_position 100 "nothing of that reached the servo"
done_testing
