#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# robot: darwin-op
# in: check-all
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
holds "$dir/in_angl0_scale" 0.001533981 "a count is 360/4096 degrees"
holds "$dir/in_angl0_offset" -2048 "the middle is 0 rad"
holds "$dir/out_angl0_raw_available" "[0 1 4095]" "the goal has its range"
fails_with "out of range" "a goal above it is refused" into "$dir/out_angl0_raw" 4096
succeeds "0.5 rad down is set" naohw set HeadPitch/Position/Actuator 0.5
# Its head is level at 40 degrees of the servo, whose count grows upward:
# (0.698132 - 0.5) rad / 0.001533981 + 2048
near "$(simulated 20 goal_position)" 2177 1 "and is the servo's goal"
succeeds "a knee is bent further than it can" naohw set LKneePitch/Position/Actuator 3
# 133 degrees; its servo is turned around: -2.321288 rad / 0.001533981 + 2048
near "$(simulated 14 goal_position)" 535 1 "and its goal is what the body can do"

file=$motions/darwin-op.mtn
# QEMU stands still for tenths of a second, and is slow.
goal=$(dirname "$(grep -lx dxl0-goal $iio/iio:device*/name)")
into "$goal/watchdog_ms" 10000
beat_every 40
succeeds "a page plays" naohw play --head --stiff --settle 60 "$file" Stand
check_pose "$file" Stand

file=/share/motion/op3-motion.bin
if [ -f "$file" ]; then
	# The servos of the OP3's legs are mounted the other way.
	fails_with "KneePitch" "a page of the OP3 would bend its knees backwards" naohw play "$file" 9
else
	skip "a page of the OP3 would bend its knees backwards" "the file is not here"
fi
done_testing
