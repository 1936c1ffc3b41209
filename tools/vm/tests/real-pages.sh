#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# robot: bioloid
# in: check-all
# shared-data: motion
#
# Motion files made by others, for robots that count as a Bioloid does.

. "$(dirname "$0")/lib.sh"

described >/tmp/described
# QEMU stands still for tenths of a second, and is slow.
goal=$(dirname "$(grep -lx dxl0-goal $iio/iio:device*/name)")
into "$goal/watchdog_ms" 10000
beat_every 40

# plays FILE PAGE LAST-PAGE -- LAST-PAGE is the one that its chain ends with
plays() {
	local file=/share/motion/$1
	if [ ! -f "$file" ]; then
		skip "$1 plays page $2" "the file is not here"
		return
	fi
	succeeds "$1 plays page $2" naohw play --head --stiff --settle 60 "$file" "$2"
	check_pose "$file" "$3"
}

plays bioloid-soccer.mtn Init Init
plays bioloid-soccer.mtn 'F getup' 'F getup'
plays hros1-motion.bin 1 1
plays hros1-motion.bin 25 25
done_testing
