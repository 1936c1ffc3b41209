#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# in: check-all
# program: naohw
# share: userspace/robots
# share: tools/vm/tests/walk
#
# Keys of the variants of a NAO, which have some of its parts, or other ones, both ways.

. "$(dirname "$0")/beat.sh"
. "$(dirname "$0")/keys-lib.sh"

load_modules 1000
modprobe dxl_board
robot nao-h25-v33 36
for robot in nao-h21-v33 nao-t14-v33 nao-t2-v33; do
	is_robot $robot
	walk $robot
done
for robot in nao-h25-v32 nao-h25-v40; do
	is_robot $robot
	walk_own $robot
done
done_testing
