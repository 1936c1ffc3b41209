#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# program: naohw
# share: userspace/robots
# share: userspace/motions
#
# A DARwIn-OP that obeys physics, as Linux has it: it stands by a page that is played, its joints carry
# it, and its sensors tell of a push, and of the fall that comes of it.

. "$(dirname "$0")/beat.sh"
. "$(dirname "$0")/boards-lib.sh"
export NAOHW_ROBOT=/share/robots/darwin-op.xml

carries_nothing() {
	[ "$(feet_carry)" -eq 0 ]
}

# size NUMBER
size() {
	echo "${1#-}"
}

start_body
fails_with "physics" "nobody tells a body how it leans" dxlctl lean 0 10
succeeds "its servos have their supply" into "$(joint CM-730)/servo_power" 1
wait_for_devices dxl0
# 20 MX-28, one by one, do not fit into less.
into $dxl/dxl0/cycle/period_us 20000
near "$(physical CM-730 accel_z)" 9807 300 "up is up, while somebody holds it"
is "$(feet_carry)" 0 "and its feet carry nothing"

succeeds "it is to stand" naohw play --head --stiff --settle 5 --tolerance 60 \
	/share/motions/darwin-op.mtn Stand
sleep 3
# The sum of its links' masses
near "$(feet_carry)" 28440 1500 "when it is let go it stands, on both feet"
near "$(physical CM-730 accel_z)" 9807 300 "upright"
load=$(cat "$(joint LKneePitch)/in_angl0_load")
[ "$(size "${load%.*}")" -ge 2 ]
ok $? "a knee carries its part" || echo "# $load"

succeeds "somebody pushes it" dxlctl push forward 60N for 0.3
sleep 0.3
rate=$(physical CM-730 anglvel_y)
[ "$(size "$rate")" -gt 300 ]
ok $? "the gyroscope tells of it" || echo "# $rate"
eventually carries_nothing
ok $? "it falls" || echo "# $(feet_carry)"
sleep 1
near "$(physical CM-730 accel_z)" 0 3500 "and lies"
[ "$(size "$(physical CM-730 accel_y)")" -gt 7000 ]
ok $? "on its face" || echo "# $(physical CM-730 accel_x) $(physical CM-730 accel_y)"
done_testing
