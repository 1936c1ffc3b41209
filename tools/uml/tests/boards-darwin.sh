#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
#
# DARwIn-OP with its boards: nothing moves before the controller gives the servos
# their supply, and then its feet and the controller feel one and the same body.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/boards-lib.sh"

robot=/share/overlays/virt-darwin-op-boards.dtbo

all_answer() {
	local dir
	for dir in $iio/iio:device*; do
		[ ! -e "$dir/in_voltage0_raw" ] ||
			attribute "$dir/in_voltage0_raw" >/dev/null 2>&1 || return
	done
}

start_boards 23

fails_with "" "no servo has its supply" attribute "$(joint HeadYaw)/in_angl0_raw"
succeeds "but the controller answers" attribute "$(joint CM-730)/in_voltage0_raw"
succeeds "it gives the others their supply" into "$(joint CM-730)/servo_power" 1
eventually all_answer
ok $? "all of them answer then"
succeeds "a joint has torque" into "$(joint HeadYaw)/out_angl0_en" 1

dxlctl upright >/dev/null
near "$(feet_carry)" 28440 100 "upright, the feet carry 2.9 kg"
is "$(raw_of RFoot positionrelative_y)" "$(raw_of LFoot positionrelative_y)" \
	"both of them at the same place"
near "$(raw_of CM-730 accel_z)" 640 1 "up is up"
upright_y=$(raw_of RFoot positionrelative_y)

dxlctl lean 0 10 >/dev/null
[ "$(raw_of RFoot positionrelative_y)" -gt "$upright_y" ]
ok $? "leaning forward, the weight is at the toes"
near "$(feet_carry)" 28440 100 "and is the same"
# The axis that points forward points down by ten degrees: a sixth of gravity.
near "$(raw_of CM-730 accel_y)" 490 1 "the controller feels it, too"
is "$(raw_of CM-730 accel_x)" 512 "and not to the side"

dxlctl lie face >/dev/null
is "$(feet_carry)" 0 "lying, the feet carry nothing"
is "$(raw_of RFoot positionrelative_x) $(raw_of LFoot positionrelative_y)" "255 255" \
	"and have no centre"
near "$(raw_of CM-730 accel_z)" 512 2 "up is elsewhere"

succeeds "the supply is taken away" into "$(joint CM-730)/servo_power" 0
fails_with "" "no joint answers then" attribute "$(joint HeadYaw)/in_angl0_raw"
holds "$(joint CM-730)/servo_power" 0 "and that is said"
done_testing
