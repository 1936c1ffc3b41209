#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# robot: bioloid
# in: check-all
#
# A robot that moves is disturbed neither by a second play nor by a dry run.

. "$(dirname "$0")/lib.sh"

described >/tmp/described
file=$motions/bioloid.mtn
# QEMU stands still for tenths of a second, and is slow.
goal=$(dirname "$(grep -lx dxl0-goal $iio/iio:device*/name)")
into "$goal/watchdog_ms" 10000
beat_every 40

succeeds "the first stands up" naohw play --stiff --settle 60 "$file" Stand
(
	# Slow enough to be still on its way when the others have ended
	naohw play --speed 0.2 "$file" Wave >/tmp/first 2>&1
	echo $? >/tmp/first.status
) &
eventually grep -q "step 1/" /tmp/first
ok $? "the first is on its way"
fails_with "another program is moving the robot" "a second play is refused" \
	naohw play --settle 60 "$file" Bow
succeeds "a dry run works" naohw play --dry-run "$file" Bow
[ ! -e /tmp/first.status ]
ok $? "the first was moving all the while"
wait
is "$(cat /tmp/first.status)" 0 "the first ends well" || sed 's/^/# /' /tmp/first
check_pose "$file" Wave

# One that died leaves buffer/enable at 1, which must not keep others out.
naohw play --settle 60 "$file" Wave >/tmp/first 2>&1 &
eventually grep -q "step 2/" /tmp/first
kill -KILL $!
wait
# Its joints may have been let go meanwhile, which nobody but us may undo.
succeeds "after one that was killed the torque comes back" naohw recover
succeeds "and the next plays" naohw play --settle 60 "$file" Stand
check_pose "$file" Stand
done_testing
