#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A trigger that polls from a thread of its own, without a pause: IIO's loop. It
# makes frames, takes poses and reads a servo, and goes on with each.

. "$(dirname "$0")/lib.sh"

# device NAME -- the IIO device of that name
device() {
	dirname "$(grep -lx "$1" $iio/iio:device*/name)"
}

# by_loop DEVICE CHANNEL... -- enables it with the loop for a trigger
by_loop() {
	local device=$1 channel
	shift
	for channel; do
		into "$channel" 1
	done
	into "$device/trigger/current_trigger" loop && into "$device/buffer/enable" 1
}

# past FILE NUMBER -- has a counter come that far?
past() {
	[ "$(cat "$1")" -ge "$2" ]
}

load_modules
start_sim a $robot
start_attach a --overlay $robot
eventually servos_are 20
ok $? "20 servos are there"
eventually [ -e "$(device dxl0-state)/in_angl20_raw" ]
eventually device dxl0-goal
mkdir /sys/kernel/config/iio/triggers/loop/loop
ok $? "there is a loop"

state=$(device dxl0-state)
succeeds "it is the frames' trigger" by_loop "$state" "$state/scan_elements/in_angl1_en"
succeeds "and makes frames" dd if="/dev/${state##*/}" bs=2 count=20 of=/dev/null
into "$state/buffer/enable" 0

goal=$(device dxl0-goal)
succeeds "it is the poses' trigger" by_loop "$goal" "$goal"/scan_elements/out_*_en
dd if=/dev/zero of="/dev/${goal##*/}" bs=80 count=1 2>/dev/null
eventually past "$goal/poses" 1
ok $? "and takes one" || grep -H . "$goal"/poses "$goal"/underruns "$goal"/dropped | sed 's/^/# /'
into "$goal/buffer/enable" 0

own=$(joint RShoulderPitch)
succeeds "it is a servo's trigger" by_loop "$own" "$own/scan_elements/in_angl0_en" \
	"$own/scan_elements/in_timestamp_en"
dd if="/dev/${own##*/}" bs=16 count=5 status=none >/tmp/samples &
reader=$!
end_of $reader
is "$status" 0 "and gives samples, one after the other"
od -An -v -td8 -j 8 -w16 /tmp/samples | awk '{ t = $1; if (t <= last) bad++; last = t } END { exit bad || NR != 5 }'
ok $? "each with its own time" || od -An -v -td8 -w16 /tmp/samples | sed 's/^/# /'
into "$own/buffer/enable" 0

for device in "$state" "$goal" "$own"; do
	into "$device/trigger/current_trigger" dxl0-cycle
done
# It stays: the kernel's rmdir for it writes to memory that it has freed.
done_testing
