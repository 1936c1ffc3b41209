#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
#
# A servo that was lost, and is another one when it is back, is asked anew what it
# is and how it answers before anybody uses it.

. "$(dirname "$0")/lib.sh"

read_model() {
	cat $dxl/0-001/model_number
}

# Who reads what is known as lost has it asked anew at the next use, in any case.
lose() {
	dxlctl silence 1 >/dev/null
	for _ in 1 2 3 4 5 6 7 8; do
		device_is 1 lost || attribute "$dir/in_angl0_raw" 2>/dev/null
	done
	device_is 1 lost
	ok $? "$1: it is lost"
}

come_back() {
	dxlctl unsilence 1 >/dev/null
	eventually device_is 1 active
	ok $? "$1: it is back"
	sleep 0.1
}

load_modules 1000
start_sim a $robot --wire-time
start_attach a --overlay $robot
eventually servos_are 20
ok $? "20 servos are there"
dir=$(joint RShoulderPitch)

lose "with another status level"
dxlctl write 1 16 1 >/dev/null
come_back "with another status level"
succeeds "it is written to as one that does not answer writes" into "$dir/out_angl0_raw" 600
simulates 1 goal_position 600 "and gets it"

lose "as another model"
dxlctl write 1 0 18 0 >/dev/null
come_back "as another model"
is "$(read_model)" 18 "what it is has been read anew"
fails_with "No such device" "and it is not used as what it was" attribute "$dir/in_angl0_raw"
# It may be replaced, so there is room for it.
goal=$(grep -lx dxl0-goal $iio/iio:device*/name)
fails_with "No such device" "nor by the pose device" \
	attribute "${goal%/name}/out_angl1_raw"
done_testing
