#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# overlay: all-boards
# in: check-all
#
# Each model of board that is not in a robot of its own test, and each thing on it,
# under Debian's kernel; and each gone and back.

. "$(dirname "$0")/lib.sh"

described >/tmp/described
is "$(wc -l </tmp/described)" 8 "the device tree describes a servo and seven boards"
eventually grep -q "^dxl_board " /proc/modules
ok $? "their module loaded itself"
all_there() {
	[ "$(ls $iio/*/label 2>/dev/null | wc -l)" -eq 8 ]
}
eventually all_there
ok $? "all sense something, and are IIO devices"

# raw LABEL CHANNEL -- of a board
raw() {
	attribute "$(joint "$1")/in_$2_raw"
}

# senses ID LABEL ITEM COUNT CHANNEL -- what the board counts is what IIO reads
senses() {
	dxlctl set "$1" "$3" raw "$4" >/dev/null
	is "$(raw "$2" "$5")" "$4" "$2: $5 is its $3"
}

# --- the supply of all that hangs on the controllers ---

fails_with "" "a foot has no supply" raw RFoot count1
for label in cm-730 cm-740 opencr; do
	holds "$(joint $label)/servo_power" 0 "$label: nobody has switched it on"
done
succeeds "cm-730 switches it on" into "$(joint cm-730)/servo_power" 1
supplied() {
	raw RFoot count1 && raw LFoot count1
}
eventually supplied
ok $? "and the feet answer"

# --- what they sense ---

for board in "200 cm-730" "201 cm-740"; do
	id=${board% *} label=${board#* }
	senses "$id" "$label" gyro_x 600 anglvel_x
	senses "$id" "$label" acc_z 400 accel_z
	senses "$id" "$label" present_voltage 118 voltage0
done
senses 200 cm-730 mic_1 77 voltage1
senses 200 cm-730 adc_15 1000 voltage15
senses 202 opencr gyro_y -300 anglvel_y
senses 202 opencr acc_x 1000 accel_x
for fsr in 1 2 3 4; do
	senses 111 RFoot fsr_$fsr $((fsr * 1000)) count$fsr
	senses 112 LFoot fsr_$fsr $((fsr * 2000)) count$fsr
done
senses 203 cm-510 port_1 400 accel_x
senses 203 cm-510 port_2 1023 voltage2
senses 203 cm-510 port_3 455 anglvel_x
senses 203 cm-510 port_4 45 anglvel_y
senses 203 cm-510 port_6 300 proximity6
senses 203 cm-510 sounds 9 count2
dxlctl set 203 port_5 100 >/dev/null
is "$(raw cm-510 distance5)" 100 "cm-510: distance5 is its port_5, in mm"
simulates 203 port_output 32 "and it switches the output of port 6"
senses 207 Sanyo status 128 count1
dxlctl set 207 charge 42 >/dev/null
charge_is() {
	line_is /sys/class/power_supply/Sanyo-0-207/capacity "$1"
}
eventually charge_is 42
ok $? "Sanyo is a power supply"
holds /sys/class/power_supply/Sanyo-0-207/manufacturer SANYO "with its maker"

# --- their lights ---

lights 200 cm-730::indicator-3 1 led_panel 2
lights 201 cm-740::indicator-3 1 led_panel 2
lights 202 opencr::indicator-1 1 led 1
lights 203 cm-510::play 1 led 64
lights 111 RFoot::indicator 1 led 1
into /sys/class/leds/cm-730:rgb:head/multi_intensity "31 0 0"
lights 200 cm-730:rgb:head 31 led_5 31
into /sys/class/leds/opencr:rgb:indicator/multi_intensity "0 31 0"
lights 202 opencr:rgb:indicator 31 led_rgb 992

# --- their buttons ---

presses 200 "cm-730 buttons" mode BTN_MODE
presses 200 "cm-730 buttons" start BTN_START
presses 201 "cm-740 buttons" start BTN_START
presses 202 "opencr buttons" start BTN_START
presses 203 "cm-510 buttons" up BTN_DPAD_UP

# --- their buzzers ---

# tone HZ -- an EV_SND, SND_TONE
tone() {
	printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\022\0\002\0'
	printf "\\$(printf %03o $(($1 % 256)))\\$(printf %03o $(($1 / 256)))\0\0"
}

for board in "202 opencr" "203 cm-510"; do
	id=${board% *} label=${board#* }
	exec 3>"$(input_of "$label buzzer")"
	tone 440 >/tmp/tone
	cat /tmp/tone >&3
	eventually simulated_is "$id" buzzer 440
	ok $? "$label makes a tone" || echo "# $(simulated "$id" buzzer)"
	exec 3>&-
	eventually simulated_is "$id" buzzer 0
	ok $? "which ends with who has made it"
done

# --- each gone and back ---

goes_and_returns 111 raw RFoot count1
goes_and_returns 112 raw LFoot count1
goes_and_returns 200 raw cm-730 voltage0
goes_and_returns 201 raw cm-740 voltage0
goes_and_returns 202 raw opencr voltage0
goes_and_returns 203 raw cm-510 voltage0
goes_and_returns 207 raw Sanyo count1
is "$(raw cm-510 distance5)" 100 "and tells what it senses, as before"
done_testing
