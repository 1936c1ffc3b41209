#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
#
# OP3 with its controller: nothing moves before that gives the servos their supply, and
# then it feels how the body stands. Frames of all that there is fit into the period that
# its overlay gives.

. "$(dirname "$0")/beat.sh"
. "$(dirname "$0")/boards-lib.sh"

robot=/share/overlays/virt-op3-boards.dtbo

all_answer() {
	local dir
	for dir in $iio/iio:device*; do
		[ ! -e "$dir/in_voltage0_raw" ] ||
			attribute "$dir/in_voltage0_raw" >/dev/null 2>&1 || return
	done
}

start_boards 21

fails_with "" "no servo has its supply" attribute "$(joint HeadYaw)/in_angl0_raw"
succeeds "but the controller answers" attribute "$(joint OpenCR)/in_voltage0_raw"
eventually frames_have accel200_z
succeeds "and there are frames of it" frames dxl0 1
succeeds "it gives the others their supply" into "$(joint OpenCR)/servo_power" 1
eventually all_answer
ok $? "all of them answer then"
into $dxl/dxl0/cycle/reset 1
frames dxl0 1 >/tmp/frames
ok $? "there are frames of all"
near "$(found frames /tmp/frames)" 100 2 "one in each period"
is "$(found skipped /tmp/frames) $(found absent /tmp/frames) $(cycle_of dxl0 overruns)" "0 0 0" \
	"in which nothing is missing"
echo "# $(tr '\n' ' ' </tmp/frames)"
succeeds "a joint has torque" into "$(joint HeadYaw)/out_angl0_en" 1

dxlctl upright >/dev/null
near "$(physical OpenCR accel_z)" 9807 20 "up is up"
near "$(physical OpenCR incli_x)" 0 100 "it does not lean to a side"
near "$(physical OpenCR incli_y)" 0 100 "nor forward"

# Its x points to the back, its y to the right.
dxlctl lean 10 -20 >/dev/null
near "$(physical OpenCR incli_x)" -10000 100 "to the right by ten degrees"
near "$(physical OpenCR incli_y)" 20000 100 "backward by twenty"
near "$(physical OpenCR incli_z)" 0 100 "and not turned"
near "$(physical OpenCR accel_x)" -3354 20 "its back is down"
near "$(physical OpenCR accel_y)" -1600 20 "and so is its right"

succeeds "the supply is taken away" into "$(joint OpenCR)/servo_power" 0
fails_with "" "no joint answers then" attribute "$(joint HeadYaw)/in_angl0_raw"
holds "$(joint OpenCR)/servo_power" 0 "and that is said"
done_testing
