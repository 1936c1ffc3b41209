#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# robot: bioloid
#
# Every joint of the overlay is there, as the device that it is, with right
# units, and its modules were loaded by modalias alone, or as a line discipline.

. "$(dirname "$0")/lib.sh"

described >/tmp/described
is "$(wc -l </tmp/described)" 20 "20 servos are described"

for module in dxl "$(line_module)" dxl_servo; do
	grep -q "^$module " /proc/modules
	ok $? "module $module loaded itself"
done

while read -r id label; do
	dir=$(joint "$label")
	[ -d "$dir" ]
	ok $? "$label has an IIO device" || continue
	dev=$(readlink -f "$dir/..")
	holds "$dir/name" ax-12 "$label is an ax-12"
	holds "$dev/id" "$id" "$label has ID $id"
	holds "$dev/model_number" "$(simulated "$id" model_number)" "$label reports its model"
	holds "$dev/firmware_version" "$(simulated "$id" firmware_version)" "$label reports its firmware"
done </tmp/described

# As a person would look: iio_info knows every channel with its unit.
iio_info >/tmp/iio_info 2>&1
is "$(grep -c ': ax-12$\|: ax-12 (label' /tmp/iio_info)" 20 "iio_info lists 20 servos"
for channel in 'angl0:  (input' 'anglvel0:  (input' 'temp0:  (input' \
	'voltage0:  (input' 'angl0:  (output)' 'anglvel0:  (output)'; do
	[ "$(grep -c "$channel" /tmp/iio_info)" -ge 20 ]
	ok $? "iio_info lists $channel"
done
# Two of the pose device can only be written.
! grep "ERROR" /tmp/iio_info | grep -v 'keep_alive\|recover'
ok $? "iio_info reads every attribute"

dir=$(joint HeadYaw)
holds "$dir/in_angl0_scale" 0.005113269 "a count is 300/1024 degrees"
holds "$dir/in_angl0_offset" -512 "the middle is 0 rad"
holds "$dir/in_voltage0_scale" 100 "voltage counts tenths of a volt"
holds "$dir/in_temp0_scale" 1000 "temperature counts degrees"
holds "$dir/in_voltage0_raw" "$(simulated 19 present_voltage)" "voltage is the servo's"
holds "$dir/in_temp0_raw" "$(simulated 19 present_temperature)" "temperature is the servo's"
holds "$dir/out_angl0_raw_available" "[0 1 1023]" "the goal has a range"

is "$(cat $iio/iio:device*/name | grep -c '^dxl0-goal$')" 1 "the bus has one pose device"
done_testing
