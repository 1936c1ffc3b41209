#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# robot: bioloid
# in: check-all
#
# Poses that say how stiff each joint is, by a shell that writes samples; what happens when
# it does not any more; and a servo that shuts itself down meanwhile.

. "$(dirname "$0")/lib.sh"

# channels -- how many of them are stiffness
channels() {
	local file count=0
	for file in "$goal"/scan_elements/out_count*_en; do
		[ ! -e "$file" ] || count=$((count + 1))
	done
	echo $count
}

# pose GOAL STIFFNESS -- of all 20 joints, not fast
pose() {
	pose_all "$1" 50 "$2"
}

# all_have TORQUE LIMIT -- every simulated joint
all_have() {
	all_are torque_enable "$1" && all_are torque_limit "$2"
}

is_free() {
	[ "$(simulated "$1" torque_enable) $(simulated "$1" torque_limit)" = "0 0" ]
}

eventually goal_has stiffness 0
is "$(channels)" 0 "poses have no stiffness"
succeeds "unless that is asked for" into "$goal/stiffness" 1
eventually goal_has stiffness 1
is "$(channels)" 20 "then they have one for each joint"
succeeds "a stream begins" open_stream
live &
exec 3>"/dev/$(basename "$goal")"
pose 512 300
eventually all_have 1 300
ok $? "a pose makes all joints as stiff as it says"
pose 512 0
eventually all_have 0 300
ok $? "and sets them free"
pose 520 400
eventually all_have 1 400
ok $? "and makes them stiff again"

# More than it can hold with that
dxlctl write 5 40 132 3 >/dev/null
eventually is_free 5
ok $? "one that is overloaded shuts itself down"
pose 520 500
sleep 1
pose 520 600
sleep 1
is_free 5
ok $? "and gets no stiffness any more"
simulates 6 torque_limit 600 "as the others do"
dxlctl write 5 40 0 0 >/dev/null
succeeds "it recovers" into "$goal/recover" 1
eventually stream_is streaming
ok $? "in mid-stream"
eventually all_have 1 600
ok $? "and is as stiff as the others"

kill $!
eventually stream_is tripped
ok $? "nobody is there any more"
eventually all_have 0 600
ok $? "and all joints are free"
exec 3>&-
into "$goal/buffer/enable" 0
eventually goal_has stiffness 0
ok $? "the next poses have no stiffness"
done_testing
