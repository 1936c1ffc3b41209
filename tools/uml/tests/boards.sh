#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
#
# Every board, from the outside in and back: what its simulator senses is read in
# IIO, its own device and the frames; fingers on its buttons are events; lights,
# tones and the servos' supply are what Linux has set. A board goes away and comes
# back, and forgets nothing that Linux has told it.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/boards-lib.sh"

robot=/share/test-overlays/boards.dtbo
count=7

# centre ID LABEL FORCES EXPECTED -- where the centre of four forces is
centre() {
	local id=$1 label=$2 forces=$3 expected=$4 dir fsr=1 force
	for force in $forces; do
		dxlctl set "$id" fsr_$fsr "$force" >/dev/null
		fsr=$((fsr + 1))
	done
	dir=$(joint "$label")
	is "$(cat "$dir/in_positionrelative_x_raw" "$dir/in_positionrelative_y_raw" | xargs)" \
		"$expected" "$label: the centre of $forces"
}

answers() {
	attribute "$(joint "$1")/in_voltage0_raw" >/dev/null 2>&1
}

start_boards $count

# --- the servos' supply ---

for label in cm-730 cm-740 opencr; do
	holds "$(joint $label)/servo_power" 0 "$label: the supply is as it was"
done
simulates 200 dynamixel_power 0 "nobody has switched it"
fails_with "" "without it a foot does not answer" answers RFoot
fails_with "nvalid argument" "it is on or off" into "$(joint cm-730)/servo_power" 2
succeeds "it is switched on" into "$(joint cm-730)/servo_power" 1
simulates 200 dynamixel_power 1 "and is on"
for label in RFoot LFoot; do
	eventually answers $label
	ok $? "$label answers now"
done
[ ! -e "$(joint RFoot)/servo_power" ] && [ ! -e "$(joint cm-510)/servo_power" ]
ok $? "what does not switch it does not say so"

# --- sensors ---

for id in 200 201; do
	label=cm-7$((id == 200 ? 30 : 40))
	senses $id $label gyro_x 100 anglvel_x 1745 32
	senses $id $label gyro_y -250 anglvel_y -4363 32
	senses $id $label gyro_z 2000 anglvel_z 31964 10
	senses $id $label acc_x 1 accel_x 9807 77
	senses $id $label acc_y -2 accel_y -19613 77
	senses $id $label acc_z 5 accel_z 39150 10
	senses $id $label present_voltage 11.8 voltage0 11800000 0
	raw $id $label gyro_z anglvel_z 0 512 1023
	raw $id $label acc_y accel_y 0 1023
done
senses 200 cm-730 mic_1 1.65 voltage1 1650000 3300
senses 200 cm-730 mic_2 3.0 voltage9 3000000 3300
for adc in 2 3 4 5 6 7 8 10 11 12 13 14 15; do
	raw 200 cm-730 adc_$adc voltage$adc $((60 * adc)) 1023
	holds "$(joint cm-730)/in_voltage${adc}_label" adc$adc "cm-730: its name"
done
[ ! -e "$(joint cm-740)/in_voltage1_raw" ]
ok $? "cm-740 has no ADC"

senses 202 opencr gyro_x 500 anglvel_x 8727 2
senses 202 opencr gyro_y -1990 anglvel_y -34732 2
senses 202 opencr acc_x -1.5 accel_x -14710 2
senses 202 opencr acc_z 1 accel_z 9807 2
senses 202 opencr roll -90 incli_x -90000 0
senses 202 opencr pitch 45.5 incli_y 45500 0
senses 202 opencr yaw 179 incli_z 179000 0
senses 202 opencr present_voltage 11.1 voltage0 11100000 0
raw 202 opencr gyro_z anglvel_z -32768 -1 32767

for id in 111 112; do
	label=$(if [ $id -eq 111 ]; then echo RFoot; else echo LFoot; fi)
	for fsr in 1 2 3 4; do
		senses $id $label fsr_$fsr $fsr.5 count$fsr ${fsr}500 1
		raw $id $label fsr_$fsr count$fsr 0 65535
	done
	senses $id $label present_voltage 12 voltage0 12000000 0
	centre $id $label "0 0 0 0" "255 255"
	centre $id $label "1 0 0 1" "0 127"
	centre $id $label "0 1 1 0" "254 127"
	centre $id $label "1 1 0 0" "127 254"
	centre $id $label "0 0 1 1" "127 0"
done
near "$(physical LFoot positionrelative_x)" 50000000 1 "127 is half of the foot"

senses 203 cm-510 present_voltage 9.6 voltage0 9600000 0
senses 203 cm-510 port_3 300 anglvel_x 5236 26
senses 203 cm-510 port_4 -150 anglvel_y -2618 26
senses 203 cm-510 port_5 350 distance5 350 2
senses 203 cm-510 port_2 2.5 voltage2 2500000 5000
raw 203 cm-510 port_2 voltage2 0 1023
raw 203 cm-510 port_1 accel_x 0 338 1023
near "$(physical cm-510 accel_x)" 99396 2 "cm-510: 10.14 g is the most"
raw 203 cm-510 port_6 proximity6 0 1023
raw 203 cm-510 sounds count2 0 65535
[ ! -e "$(joint cm-510)/in_proximity6_scale" ]
ok $? "cm-510: what the infrared sensor sees has no unit"
holds "$(joint cm-510)/in_distance5_label" port5 "cm-510: a port has its name"
simulates 203 port_output 32 "cm-510: the infrared sensor's output is on"

# --- frames ---

eventually frames_have count1135
ok $? "the frames have the boards' values"
holds "$state/in_count1135_label" "RFoot fsr1" "one of several has its name, too"
holds "$state/in_accel200_z_label" "cm-730" "one that is alone goes by the board's"
dxlctl set 111 fsr_1 raw 1234 >/dev/null
dxlctl set 200 acc_z raw 640 >/dev/null
dxlctl press 200 start >/dev/null
for channel in count1135 accel200_z count1224 count367; do
	into "$state/scan_elements/in_${channel}_en" 1
done
# In the order of their IDs: fsr1 and age of the foot, buttons and acceleration
into "$state/buffer/enable" 1
# shellcheck disable=SC2046
set -- $(fifth_frame 6)
is "$1 $2 $3 $4 $5 $6" "210 4 0 2 128 2" "a frame has them all"

# --- buttons that frames carry, and those that are polled ---

mode_start=$(input_of "cm-730 buttons")
eventually held_is "$mode_start" "315 "
ok $? "cm-730: START, which frames carry, is held"
dxlctl release 200 start >/dev/null
eventually held_is "$mode_start" ""
ok $? "cm-730: and is released"
presses 200 cm-730 mode start
keys_are "cm-730 in frames" 316 315
into "$state/buffer/enable" 0
presses 200 cm-730 mode start
keys_are cm-730 316 315
presses 201 cm-740 mode start
keys_are cm-740 316 315
presses 202 opencr mode start user reset
keys_are opencr 316 315 704 705
presses 203 cm-510 start up down left right
keys_are cm-510 315 544 545 546 547

# --- lights ---

is "$(simulated 200 led_5) $(simulated 202 led_rgb)" "0 0" "lights are off at first"
for n in 2 3 4; do
	into "$leds/cm-730::indicator-$n/brightness" 1
done
shows 200 cm-730 led_panel 7 "three lights are on"
into "$leds/cm-730::indicator-3/brightness" 0
shows 200 cm-730 led_panel 5 "and the one between is off"
holds "$leds/cm-730:rgb:head/max_brightness" 31 "a colour has 31 levels"
holds "$leds/cm-730:rgb:head/multi_index" "red green blue" "and there are three"
into "$leds/cm-730:rgb:head/multi_intensity" "31 0 0"
into "$leds/cm-730:rgb:head/brightness" 31
shows 200 cm-730 led_5 31 "the head is red"
into "$leds/cm-730:rgb:eyes/multi_intensity" "1 2 3"
into "$leds/cm-730:rgb:eyes/brightness" 31
shows 200 cm-730 led_6 $((1 + 2 * 32 + 3 * 1024)) "the eyes have another colour"
is "$(simulated 200 led_panel) $(simulated 200 led_5)" "5 31" "the others stay as they are"
into "$leds/cm-740:rgb:eyes/brightness" 255
shows 201 cm-740 led_6 32767 "more than all is all"
into "$leds/opencr:rgb:indicator/multi_intensity" "0 31 0"
into "$leds/opencr:rgb:indicator/brightness" 16
shows 202 opencr led_rgb $((16 * 32)) "half a green"
into "$leds/opencr::indicator-3/brightness" 1
shows 202 opencr led 4 "a light"
into "$leds/RFoot::indicator/brightness" 1
shows 111 RFoot led 1 "a light"
simulates 112 led 0 "and not the other foot's"
value=0 bit=1
for light in power tx rx aux manage programming play; do
	into "$leds/cm-510::$light/brightness" 1
	value=$((value + bit))
	bit=$((2 * bit))
	shows 203 cm-510 led $value "$light is on"
done
for light in power tx rx aux manage programming play; do
	into "$leds/cm-510::$light/brightness" 0
done
shows 203 cm-510 led 0 "all are off"

# In an exchange of the bus
into "$state/buffer/enable" 1
into "$leds/cm-510::play/brightness" 1
into "$leds/opencr::indicator-1/brightness" 1
shows 203 cm-510 led 64 "a light is on in an exchange"
shows 202 opencr led 5 "and one of the other protocol"
into "$state/buffer/enable" 0

# --- tones ---

for board in "202 opencr" "203 cm-510"; do
	id=${board% *} label=${board#* }
	evdev tone "$(input_of "$label buzzer")" 440 &
	pid=$!
	shows "$id" "$label" buzzer 440 "it makes a tone"
	kill $pid
	shows "$id" "$label" buzzer 0 "which ends with who has made it"
done
evdev tone "$(input_of "cm-510 buzzer")" 440 &
pid=$!
shows 203 cm-510 buzzer 440 "it makes a tone again"
kill -STOP $pid
sleep 70
simulates 203 buzzer 0 "which a program that is stopped has for a minute at the most"
kill -9 $pid
is "$(input_of "cm-730 buzzer")" "" "cm-730 makes none"

# --- gone and back ---

dxlctl press 200 mode >/dev/null
evdev keys "$mode_start" 2 >/tmp/keys &
pid=$!
eventually held_is "$mode_start" "316 "
ok $? "a button is held"
dxlctl silence 200 >/dev/null
eventually device_is 200 lost
ok $? "its board is lost"
end_of $pid
eventually held_is "$mode_start" ""
ok $? "and the button is taken to be released" || evdev held "$mode_start" | sed 's/^/# /'
fails_with "" "its values cannot be read" attribute "$(joint cm-730)/in_voltage0_raw"
into "$leds/cm-730::indicator-3/brightness" 1
dxlctl release 200 mode >/dev/null
dxlctl write 200 25 0 0 0 0 0 >/dev/null
dxlctl unsilence 200 >/dev/null
eventually device_is 200 active
ok $? "it is back"
shows 200 cm-730 led_panel 7 "and its lights are what Linux has set meanwhile"
simulates 200 led_5 31 "all of them"
simulates 200 dynamixel_power 1 "the supply is still on"

rmmod dxl_board
eventually simulated_is 200 led_panel 0
ok $? "lights go off with the driver"
simulates 200 dynamixel_power 1 "the supply stays on"
modprobe dxl_board
eventually servos_are $count
ok $? "the driver comes back"
simulates 200 dynamixel_power 1 "the supply stays on then, too"

# --- found by a scan ---

for id in 111 200 202 203; do
	into $dxl/dxl0/delete_device $id
done
succeeds "a scan" into $dxl/dxl0/scan 111,200,202,203
for found in '111 dxl:p1m0154 fsr' '200 dxl:p1m7300 cm-730' '202 dxl:p2m7400 opencr' \
	'203 dxl:p1m0510 cm-510'; do
	# shellcheck disable=SC2086
	set -- $found
	dev=$(device_of_id "$1")
	holds "$dev/modalias" "$2" "$3 has its modalias"
	is "$(cat "$dev"/iio:device*/name)" "$3" "and is bound as what it is"
done
[ -e "$leds/0-203::power" ]
ok $? "without a label, lights have the name of the device"
done_testing
