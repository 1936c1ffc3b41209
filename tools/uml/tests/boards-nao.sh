#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
#
# NAO's boards that feel and shine, from the outside in and back: what each senses is
# read in IIO, its own device and the frames; hands and obstacles are events; every
# light shows what Linux has set, and its neighbours do not. A board goes away and
# comes back.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/boards-lib.sh"

robot=/share/test-overlays/boards-nao.dtbo
count=9
sensors=7

# light LABEL:COLOR:FUNCTION MAX -- it is there, with so many levels
light() {
	holds "$leds/$1/max_brightness" "$2" "$1 has $2 levels"
}

# colors NAME RED GREEN BLUE BRIGHTNESS
colors() {
	into "$leds/$1/multi_intensity" "$2 $3 $4"
	into "$leds/$1/brightness" "$5"
}

# shows_color ID LABEL PREFIX RED GREEN BLUE NAME -- the three of an RGB light
shows_color() {
	local red green
	eventually simulated_is "$1" "${3}red" "$4"
	red=$number
	look "$1" "${3}green"
	green=$number
	look "$1" "${3}blue"
	is "$red $green $number" "$4 $5 $6" "$2: $7"
}

start_boards $count $sensors
for found in "RFoot nao-foot-board" "LFoot nao-foot-board" "RHand nao-hand-touch" \
	"LHand nao-hand-touch" "Chest nao-chest-board" "Head nao-touch-board" \
	"Inertial nao-inertial-sensor"; do
	holds "$(joint "${found% *}")/name" "${found#* }" "$found"
done
! ls $iio/iio:device*/servo_power >/dev/null 2>&1
ok $? "none of them switches a supply"

# --- forces ---

for foot in "111 RFoot" "112 LFoot"; do
	id=${foot% *} label=${foot#* }
	for fsr in 1 2 3 4; do
		senses "$id" "$label" fsr_$fsr $fsr.25 count$fsr ${fsr}250 1
		raw "$id" "$label" fsr_$fsr count$fsr 0 1 65535
		holds "$(joint "$label")/in_count${fsr}_label" fsr$fsr "$label: its name"
	done
	holds "$(joint "$label")/in_count5_label" buttons "$label: its bumpers"
	[ ! -e "$(joint "$label")/in_count6_raw" ]
	ok $? "$label has nothing else"
done

# weight SENSOR... -- what these carry on both feet, in mN
weight() {
	local sensor foot sum=0
	for sensor; do
		for foot in RFoot LFoot; do
			sum=$((sum + $(cat "$(joint $foot)/in_count${sensor}_raw")))
		done
	done
	echo $sum
}

dxlctl upright >/dev/null
near "$(weight 1 2 3 4)" 48994 100 "upright, the feet carry the robot"
near "$(weight 1 2)" 14644 100 "three tenths of it in front, as the ankles are near the heels"
dxlctl lean 0 10 >/dev/null
[ "$(weight 1 2)" -gt "$(weight 3 4)" ]
ok $? "leaning forward, more than that"
near "$(weight 1 2 3 4)" 48994 100 "of the same weight"
dxlctl lie back >/dev/null
is "$(weight 1 2 3 4)" 0 "lying, they carry nothing"

# --- rates, accelerations and angles ---

senses 201 Inertial gyro_x 100 anglvel_x 1745 4
senses 201 Inertial gyro_y -250 anglvel_y -4363 4
senses 201 Inertial gyro_reference 1.5 voltage1 1500000 500
holds "$(joint Inertial)/in_voltage1_label" reference "its name"
senses 201 Inertial acc_x 1 accel_x 9807 1
senses 201 Inertial acc_y -2 accel_y -19613 1
senses 201 Inertial acc_z 0.5 accel_z 4903 1
senses 201 Inertial angle_x -90 incli_x -90000 4
senses 201 Inertial angle_y 45.5 incli_y 45500 4
raw 201 Inertial gyro_x anglvel_x -4095 -2000 0
raw 201 Inertial acc_z accel_z -128 -1 127
raw 201 Inertial angle_y incli_y -31416 -1 31416
holds "$(joint Inertial)/in_anglvel_x_offset" 2000 "where it rests"

dxlctl lean 10 -20 >/dev/null
near "$(physical Inertial incli_x)" 10000 4 "to the right by ten degrees"
near "$(physical Inertial incli_y)" -20000 4 "backward by twenty"
near "$(physical Inertial accel_x)" 3327 88 "its front is up"
near "$(physical Inertial accel_y)" 1600 88 "and so is its left"
near "$(physical Inertial accel_z)" 9075 88 "and most of all its top"

# --- frames ---

eventually frames_have count1227
ok $? "the frames have the boards' values"
holds "$state/in_count1136_label" "LFoot fsr1" "a force by its name"
holds "$state/in_count5231_label" "RFoot buttons" "and the bumpers by theirs"
holds "$state/in_count1227_label" "Head buttons" "and touch"
holds "$state/in_incli201_y_label" "Inertial" "and an angle by its board's"
dxlctl set 112 fsr_1 raw 1234 >/dev/null
dxlctl set 201 angle_y raw -2 >/dev/null
dxlctl press 203 rear >/dev/null
for channel in count1136 incli201_y count1227; do
	into "$state/scan_elements/in_${channel}_en" 1
done
# In the order of their IDs: fsr1 of the foot, the angle, touch of the head
into "$state/buffer/enable" 1
# shellcheck disable=SC2046
set -- $(fifth_frame 6)
is "$1 $2 $3 $4 $5" "210 4 254 255 4" "a frame has them all"

# [sw-2]
# --- touch, bumpers and the button: in frames and polled ---

head=$(input_of "Head buttons")
eventually held_is "$head" "706 "
ok $? "Head: the hand on its rear is felt"
dxlctl release 203 rear >/dev/null
eventually held_is "$head" ""
ok $? "Head: and is gone"
presses 203 Head front middle rear
keys_are "Head in frames" 704 705 706
into "$state/buffer/enable" 0
presses 203 Head front middle rear
keys_are Head 704 705 706
evdev keys "$head" 2 >/tmp/keys &
pid=$!
sleep 0.2
dxlctl press 203 rear >/dev/null
dxlctl release 203 rear >/dev/null
sleep 0.1
dxlctl press 203 front >/dev/null
usleep 40000
dxlctl release 203 front >/dev/null
end_of $pid
is "$(tr '\n' ' ' </tmp/keys)" "704 1 704 0 " "Head: what is shorter than its reading is missed"
for id in 113 114; do
	label=$(if [ $id -eq 113 ]; then echo RHand; else echo LHand; fi)
	presses $id $label back left right
	keys_are $label 704 705 706
done
for id in 111 112; do
	label=$(if [ $id -eq 111 ]; then echo RFoot; else echo LFoot; fi)
	presses $id $label left right
	keys_are $label 704 705
done
presses 200 Chest chest
keys_are Chest 315

# A release while answers are missing is told later, and none of it is made up.
evdev keys "$head" 4 >/tmp/keys &
pid=$!
dxlctl press 203 front >/dev/null
dxlctl press 203 rear >/dev/null
eventually held_is "$head" "704 706 "
ok $? "Head: two at once"
dxlctl drop next 2 id 203 >/dev/null
dxlctl release 203 front >/dev/null
eventually held_is "$head" "706 "
ok $? "Head: one is let go while answers are missing"
dxlctl release 203 rear >/dev/null
end_of $pid
is "$(tr '\n' ' ' </tmp/keys)" "704 1 706 1 704 0 706 0 " "Head: and nothing else happens"

# [tou-2]
# --- the lights near what is touched ---

# lights_are LEVELS -- the head's twelve, in the order of their registers
lights_are() {
	[ "$(dxlctl read 203 64 12 | head -n 1)" = "$1" ]
}

# lit NAME LEVELS
lit() {
	eventually lights_are "$2"
	ok $? "$1" || dxlctl read 203 64 12
}

# feels NAME LEVELS -- they are so once somebody has read what is touched
feels() {
	attribute "$(joint Head)/in_count1_raw" >/dev/null
	lit "$@"
}

dark="0 0 0 0 0 0 0 0 0 0 0 0"
front="15 15 15 15 0 0 0 0 0 0 0 0"
middle="0 0 0 0 15 15 0 0 0 0 0 0"
rear="0 0 0 0 0 0 15 15 15 15 15 15"
ends="15 15 15 15 0 0 15 15 15 15 15 15"
for sensor in "front $front" "middle $middle" "rear $rear"; do
	name=${sensor%% *}
	dxlctl press 203 "$name" >/dev/null
	feels "$name: the lights near it come on" "${sensor#* }"
	dxlctl release 203 "$name" >/dev/null
	feels "$name: and go off" "$dark"
done

# In frames, two at once
into "$state/buffer/enable" 1
dxlctl press 203 front >/dev/null
dxlctl press 203 rear >/dev/null
lit "front and rear: in frames, too" "$ends"
dxlctl release 203 front >/dev/null
lit "rear alone" "$rear"
dxlctl release 203 rear >/dev/null
lit "and none" "$dark"
into "$state/buffer/enable" 0

# Told not to, by either way that LEDs have
into $leds/Head:blue:front-left-0/trigger none
into $leds/Head:blue:front-right-1/brightness 0
dxlctl press 203 front >/dev/null
feels "two have been told not to" "0 15 15 0 0 0 0 0 0 0 0 0"
dxlctl release 203 front >/dev/null
feels "front: let go" "$dark"
into $leds/Head:blue:front-left-0/trigger Head-touch-front
into $leds/Head:blue:front-right-1/trigger Head-touch-rear
dxlctl press 203 front >/dev/null
feels "one is told to again, and one belongs to another sensor" "15 15 15 0 0 0 0 0 0 0 0 0"
into $leds/Chest:rgb:indicator/trigger Head-touch-middle
dxlctl press 203 middle >/dev/null
feels "and the middle beside it" "15 15 15 0 15 15 0 0 0 0 0 0"
shows_color 200 Chest "" 255 255 255 "so does a light of another board"

# Nobody touches a head that is gone.
evdev keys "$head" 2 >/dev/null &
pid=$!
dxlctl silence 203 >/dev/null
eventually device_is 203 lost
end_of $pid
dxlctl release 203 front >/dev/null
dxlctl release 203 middle >/dev/null
dxlctl unsilence 203 >/dev/null
eventually device_is 203 active
lit "it has been gone, and is dark" "$dark"
shows_color 200 Chest "" 0 0 0 "so is the other board's"
for light in "$leds"/Head:blue:* $leds/Chest:rgb:indicator; do
	into "$light/trigger" none
done

# --- lights ---

light Chest:rgb:indicator 255
holds $leds/Chest:rgb:indicator/multi_index "red green blue" "its colours"
shows_color 200 Chest "" 0 0 0 "it is off at first"
colors Chest:rgb:indicator 255 128 1 255
shows_color 200 Chest "" 255 128 1 "a colour"
into $leds/Chest:rgb:indicator/brightness 51
shows_color 200 Chest "" 51 26 0 "a fifth of it"
into $leds/Chest:rgb:indicator/brightness 4000
shows_color 200 Chest "" 255 128 1 "more than all is all"
colors Chest:rgb:indicator 0 256 70000 255
shows_color 200 Chest "" 0 255 255 "of each colour, too"
fails_with "nvalid argument" "two colours are none" \
	into $leds/Chest:rgb:indicator/multi_intensity "1 2"

for foot in "111 RFoot 112" "112 LFoot 111"; do
	# shellcheck disable=SC2086
	set -- $foot
	light "$2:rgb:indicator" 255
	colors "$2:rgb:indicator" 1 2 254 255
	shows_color "$1" "$2" "" 1 2 254 "a colour"
	into "$leds/$2:rgb:indicator/brightness" 0
	shows_color "$1" "$2" "" 0 0 0 "and off"
	simulates "$3" blue 0 "$2: and not the other foot"
done

# A light at a time, of as many levels as its place
lights="front-left-0 front-left-1 front-right-0 front-right-1 middle-left-0 middle-right-0
	rear-left-0 rear-left-1 rear-left-2 rear-right-0 rear-right-1 rear-right-2"
level=0
for name in $lights; do
	level=$((level + 1))
	light "Head:blue:$name" 15
	into "$leds/Head:blue:$name/brightness" $level
	shows 203 Head "$(echo "$name" | tr - _)" $level "$name is at $level"
done
is "$(dxlctl read 203 64 12 | head -n 1)" "1 2 3 4 5 6 7 8 9 10 11 12" "all stay as they are"
into $leds/Head:blue:front-left-1/brightness 200
shows 203 Head front_left_1 15 "more than all is all"
simulates 203 front_right_0 3 "and does not spill into the next"

level=0
for side in left right; do
	for place in 0 36 72 108 144 180 216 252 288 324; do
		level=$((level % 15 + 1))
		light "Ears:blue:$side-${place}deg" 15
		into "$leds/Ears:blue:$side-${place}deg/brightness" $level
		shows 205 Ears ${side}_$place $level "$side $place is at $level"
	done
done
ears="1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 1 2 3 4 5"
is "$(dxlctl read 205 64 20 | head -n 1)" "$ears" "all stay as they are"
into "$leds/Ears:blue:right-324deg/brightness" 16
shows 205 Ears right_324 15 "more than all is all"
into "$leds/Ears:blue:right-324deg/brightness" 5

# Each light of the eyes has a colour of its own
level=0
for side in left right; do
	for place in 0 45 90 135 180 225 270 315; do
		light "Face:rgb:$side-${place}deg" 63
		colors "Face:rgb:$side-${place}deg" $((level + 1)) $((level + 2)) $((level + 3)) 63
		level=$((level + 3))
		shows_color 204 Face ${side}_${place}_ $((level - 2)) $((level - 1)) $level \
			"$side $place has its colour"
	done
done
face=$(seq 48 | xargs)
is "$(dxlctl read 204 64 48 | head -n 1)" "$face" "all stay as they are"
into "$leds/Face:rgb:left-45deg/brightness" 99
shows_color 204 Face left_45_ 4 5 6 "more than all is all"
colors Face:rgb:left-45deg 64 0 1000 63
shows_color 204 Face left_45_ 63 0 63 "of each colour, too"
simulates 204 left_90_red 7 "and does not spill into the next"
colors Face:rgb:left-45deg 4 5 6 63
shows_color 204 Face left_45_ 4 5 6 "it has its own again"

# In an exchange of the bus
into "$state/buffer/enable" 1
colors Chest:rgb:indicator 10 20 30 255
into $leds/Face:rgb:right-315deg/brightness 0
into $leds/Head:blue:rear-right-2/brightness 9
shows_color 200 Chest "" 10 20 30 "a colour in an exchange"
shows 203 Head rear_right_2 9 "and a light"
shows_color 204 Face right_315_ 0 0 0 "and the last light of the longest item"
into "$state/buffer/enable" 0
into $leds/Face:rgb:right-315deg/brightness 63
shows 204 Face right_315_blue 48 "it is on again"

# --- gone and back ---

dxlctl press 203 middle >/dev/null
evdev keys "$head" 2 >/tmp/keys &
pid=$!
eventually held_is "$head" "705 "
ok $? "a hand is on the head"
dxlctl silence 203 >/dev/null
eventually device_is 203 lost
ok $? "its board is lost"
end_of $pid
eventually held_is "$head" ""
ok $? "and the hand is taken to be gone"
fails_with "" "its touch cannot be read" attribute "$(joint Head)/in_count1_raw"
into $leds/Head:blue:middle-left-0/brightness 14
dxlctl release 203 middle >/dev/null
dxlctl write 203 64 0 0 0 0 0 0 0 0 0 0 0 0 >/dev/null
dxlctl unsilence 203 >/dev/null
eventually device_is 203 active
ok $? "it is back"
shows 203 Head middle_left_0 14 "and its lights are what Linux has set meanwhile"
is "$(dxlctl read 203 64 12 | head -n 1)" "1 15 3 4 14 6 7 8 9 10 11 9" "all of them"
simulates 200 green 20 "the others have not changed"

# One that is asked nothing is missed when it is told something.
dxlctl silence 204 >/dev/null
colors Face:rgb:left-0deg 11 12 13 63
eventually device_is 204 lost
ok $? "the face is lost"
dxlctl power-cycle 204 >/dev/null
dxlctl unsilence 204 >/dev/null
eventually device_is 204 active
ok $? "and comes back"
shows_color 204 Face left_0_ 11 12 13 "with what it has been told"
is "$(dxlctl read 204 67 45 | head -n 1)" "$(seq 4 48 | xargs)" "and all that it had"

rmmod dxl_board
eventually simulated_is 203 front_right_0 0
ok $? "lights go off with the driver"
modprobe dxl_board
eventually servos_are $sensors
ok $? "the driver comes back"

# --- found by a scan ---

for id in 111 113 200 201 203 204 205; do
	into $dxl/dxl0/delete_device $id
done
succeeds "a scan" into $dxl/dxl0/scan 111,113,200,201,203,204,205
for found in '111 dxl:p2m4E02 nao-foot-board' '113 dxl:p2m4E04 nao-hand-touch' \
	'200 dxl:p2m4E01 nao-chest-board' '203 dxl:p2m4E03 nao-touch-board' \
	'201 dxl:p2m4E07 nao-inertial-sensor'; do
	# shellcheck disable=SC2086
	set -- $found
	dev=$(device_of_id "$1")
	holds "$dev/modalias" "$2" "$3 has its modalias"
	is "$(cat "$dev"/iio:device*/name)" "$3" "and is bound as what it is"
done
for found in '204 dxl:p2m4E05 rgb:right-315deg' '205 dxl:p2m4E06 blue:left-36deg'; do
	# shellcheck disable=SC2086
	set -- $found
	holds "$(device_of_id "$1")/modalias" "$2" "$1 has its modalias"
	[ -e "$leds/0-$1:$3" ]
	ok $? "and its lights"
done
[ -e "$leds/0-200:rgb:indicator" ]
ok $? "without a label, lights have the name of the device"
done_testing
