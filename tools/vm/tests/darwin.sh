#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# robot: darwin-op
# shared-data: motion
#
# The other model: an MX-28 counts 4096 steps a turn.

. "$(dirname "$0")/lib.sh"

export NAOHW_ROBOT=darwin-op
described >/tmp/described
while read -r id label; do
	dir=$(joint "$label")
	is "$(cat "$dir/name") $(cat "$(readlink -f "$dir/..")/id")" "mx-28 $id" "$label is an mx-28 with ID $id"
done </tmp/described

dir=$(joint HeadPitch)
is "$(cat "$dir/in_angl0_scale")" 0.001533981 "a count is 360/4096 degrees"
is "$(cat "$dir/in_angl0_offset")" -2048 "the middle is 0 rad"
is "$(cat "$dir/out_angl0_raw_available")" "[0 1 4095]" "the goal has its range"
fails_with "out of range" "a goal above it is refused" into "$dir/out_angl0_raw" 4096
succeeds "0.5 rad is set" naohw set HeadPitch/Position/Actuator 0.5
# 0.5 rad / 0.001533981 + 2048
near "$(simulated 20 goal_position)" 2374 1 "and is the servo's goal"

file=/share/motion/op3-motion.bin
if [ -f "$file" ]; then
	succeeds "a page of the OP3 plays" naohw play "$file" 9
	check_pose "$file" 9
else
	skip "a page of the OP3 plays" "the file is not here"
fi
done_testing
