#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# robot: nao-h25-v33
# timeout: 400
#
# All of a NAO under Debian's kernel: its modules load themselves, and the standard
# tools find in it what they know; lights blink by the kernel's own triggers.

. "$(dirname "$0")/lib.sh"

leds=/sys/class/leds

described >/tmp/described
is "$(wc -l </tmp/described)" 36 "the device tree describes 25 motors and 11 boards"

for module in dxl_servo dxl_board led_class_multicolor evdev; do
	eventually grep -q "^$module " /proc/modules
	ok $? "module $module loaded itself"
done
all_there() {
	[ "$(ls $iio/*/label 2>/dev/null | wc -l)" -eq 34 ]
}
eventually all_there
ok $? "25 motors and the 9 boards that sense something are IIO devices"

iio_info >/tmp/iio_info 2>&1
! grep "ERROR" /tmp/iio_info | grep -v 'keep_alive\|recover'
ok $? "iio_info reads every attribute"

# --- what it senses ---

dxlctl set 206 charge 42 >/dev/null
charge_is() {
	[ "$(cat /sys/class/power_supply/Battery/capacity)" = "$1" ]
}
eventually charge_is 42
ok $? "the power supply has the battery's charge"

in_frames() {
	iio_readdev -b 4 -s 4 dxl0-state temp1 2>/dev/null |
		hexdump -v -e '1/1 "%u "' | grep -qx "50 50 50 50 "
}
eventually in_frames
ok $? "iio_readdev reads the frames"

# --- its buttons ---

event_of() {
	local input
	for input in /sys/class/input/input*; do
		[ "$(cat "$input/name")" != "$1" ] || echo "/dev/input/$(basename "$input"/event*)"
	done
}
head=$(event_of "Head buttons")
evtest "$head" >/tmp/evtest 2>&1 &
reader=$!
listed() {
	grep -q "$1" /tmp/evtest
}
eventually listed "Testing"
for key in 1 2 3; do
	listed "(BTN_TRIGGER_HAPPY$key)"
	ok $? "evtest lists the head's sensor $key"
done
dxlctl press 203 middle >/dev/null
eventually listed "(BTN_TRIGGER_HAPPY2), value 1"
ok $? "evtest shows that it is touched"
evtest --query "$head" EV_KEY BTN_TRIGGER_HAPPY2
is $? 10 "and asks for it"
dxlctl release 203 middle >/dev/null
eventually listed "(BTN_TRIGGER_HAPPY2), value 0"
ok $? "evtest shows that it is let go"
kill $reader

# --- its lights ---

modprobe -a ledtrig-timer ledtrig-pattern
light=$leds/Head:blue:front-left-0
# shows LEVEL -- does the light?
shows() {
	[ "$(simulated 203 front_left_0)" = "$1" ]
}

succeeds "a light has the trigger timer" into "$light/trigger" timer
succeeds "on for 300 ms" into "$light/delay_on" 300
succeeds "off for 300 ms" into "$light/delay_off" 300
for level in 0 15 0 15; do
	eventually shows $level
	ok $? "it is at $level"
done

succeeds "a light has the trigger pattern" into "$light/trigger" pattern
succeeds "a pattern of two levels" into "$light/pattern" "3 300 3 0 9 300 9 0"
for level in 3 9 3 9; do
	eventually shows $level
	ok $? "it is at $level"
done
succeeds "no trigger" into "$light/trigger" none
done_testing
