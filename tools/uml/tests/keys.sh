#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# program: naohw
# share: userspace/robots
# share: tools/vm/tests/walk
#
# Keys of robots that are others without some of their parts, both ways: a Bioloid without a
# controller, and the variants of a NAO, which have its boards. What is whole is walked in a virtual
# machine (vm:keys-*).

. "$(dirname "$0")/beat.sh"
walk_dir=/share/walk
# shellcheck source=tools/vm/tests/walk/walk.sh
. $walk_dir/walk.sh

# is_robot NAME -- to naohw
is_robot() {
	export NAOHW_ROBOT="/share/robots/$1.xml"
}

# robot NAME DEVICES -- simulated and attached
robot() {
	is_robot "$1"
	start_robot a "/share/overlays/virt-$1.dtbo" "$2" 5
	wait_for_devices dxl0
}

# --- a Bioloid ---

load_modules 1000
modprobe dxl_board
robot bioloid 20
walk bioloid
kill $attach
end_of $attach
kill $sim
end_of $sim
eventually no_devices
ok $? "it is gone"

# --- a NAO's variants ---

robot nao-h25-v33 36

for robot in nao-h21-v33 nao-t14-v33 nao-t2-v33; do
	is_robot $robot
	walk $robot 1
done
for robot in nao-h25-v32 nao-h25-v40; do
	is_robot $robot
	walk_own $robot
done
done_testing
