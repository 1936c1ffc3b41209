# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash disable=SC2034
#
# Sourced by the tests of keys, behind beat.sh: robots and walks of theirs.

walk_dir=/share/walk walk_pause=1
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
