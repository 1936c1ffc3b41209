#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# robot: bioloid-premium
#
# A board beside the servos, under Debian's kernel: its modules load themselves, and
# the standard tools find in it what they know.

. "$(dirname "$0")/lib.sh"

export NAOHW_ROBOT=bioloid-premium
described >/tmp/described
is "$(wc -l </tmp/described)" 21 "the device tree describes 20 servos and a board"
is "$(tail -n 1 /tmp/described)" "200 CM-510" "the board"

for module in dxl_servo dxl_board led_class_multicolor evdev; do
	eventually grep -q "^$module " /proc/modules
	ok $? "module $module loaded itself"
done

dir=$(joint CM-510)
holds "$dir/name" cm-510 "it is an IIO device"
holds "$(readlink -f "$dir/..")/firmware_version" "$(simulated 200 firmware_version)" \
	"which tells its firmware"

iio_info >/tmp/iio_info 2>&1
for channel in anglvel_x anglvel_y distance5 voltage0 voltage1 voltage2 voltage6 count1 count2; do
	grep -q "$channel:  (input" /tmp/iio_info
	ok $? "iio_info lists $channel"
done
! grep "ERROR" /tmp/iio_info | grep -v 'keep_alive\|recover'
ok $? "iio_info reads every attribute"

dxlctl set 200 port_5 250 >/dev/null
dxlctl set 200 port_4 -300 >/dev/null
is "$(iio_attr -c cm-510 distance5 raw 2>&1)" 250 "iio_attr reads a distance"
is "$(iio_attr -c cm-510 anglvel_y raw 2>&1)" 45 "and a rate"
is "$(iio_readdev -b 4 -s 4 cm-510 distance5 2>/dev/null | hexdump -v -e '1/2 "%u "')" \
	"250 250 250 250 " "iio_readdev reads it by the beat of the bus"

in_frames() {
	[ "$(iio_readdev -b 4 -s 4 dxl0-state distance5320 2>/dev/null |
		hexdump -v -e '1/2 "%u "')" = "250 250 250 250 " ]
}
eventually in_frames
ok $? "frames have it, too"
succeeds "naohw finds the joints as before" naohw get HeadYaw/Position/Sensor

light=/sys/class/leds/CM-510::play
into $light/brightness 1
light_is_on() {
	[ "$(simulated 200 led)" = 64 ]
}
eventually light_is_on
ok $? "a light is on"

buttons=
for input in /sys/class/input/input*; do
	[ "$(cat "$input/name")" != "CM-510 buttons" ] || buttons=$(echo "$input"/event*)
done
# Each event is 24 bytes, of which the last 8 are type, code and value; a report
# of the key and one that it is complete.
dd if="/dev/input/${buttons##*/}" bs=24 count=4 status=none >/tmp/events &
reader=$!
sleep 0.5
dxlctl press 200 up >/dev/null
sleep 0.5
dxlctl release 200 up >/dev/null
gone() {
	! kill -0 $reader
}
eventually gone
is "$(od -An -v -tu2 -w24 /tmp/events | awk '{ print $9, $10, $11 }' | xargs)" \
	"1 544 1 0 0 0 1 544 0 0 0 0" "a button goes down and up"
done_testing
