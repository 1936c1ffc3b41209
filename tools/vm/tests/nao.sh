#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# robot: nao-h25-v33
# in: check-all
#
# All of a NAO under Debian's kernel: its modules load themselves, and the standard
# tools find in it what they know; lights blink by the kernel's own triggers. What each key
# tells is uml:keys-nao's, and what needs no such kernel uml:nao's.

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

naohw doctor >/tmp/doctor 2>&1
ok $? "the doctor finds nothing wrong" || sed 's/^/# /' /tmp/doctor

# --- its joints, by their keys ---

# said PATTERN -- did the last program of ours say that?
said() {
	grep -q "$1" /tmp/said || { sed 's/^/# /' /tmp/said; return 1; }
}

# value KEY -- in thousandths, of the number that naohw prints last
value() {
	naohw get "$1" | awk '{ printf "%.0f\n", 1000 * $NF }'
}

# stands ID COUNT NAME -- where a page of 4096 counts a turn has the joint
stands() {
	near "$(simulated "$1" present_position)" $((($2 - 2048) * 16)) 16 "$3"
}

# hard VALUE NAME -- four joints are, and tell it
hard() {
	local value=$1 name=$2 joint keys=
	set --
	for joint in HeadYaw HeadPitch LElbowRoll LHipYawPitch; do
		keys="$keys $joint/Hardness/Actuator"
		set -- "$@" $joint/Hardness/Actuator "$value"
	done
	succeeds "$name" naohw set "$@"
	# shellcheck disable=SC2086 # words
	is "$(naohw get $keys | cut -d' ' -f2 | xargs)" "$value $value $value $value" "which they tell"
}

naohw list >/tmp/said 2>&1
ok $? "naohw lists the joints"
said "^25 of 25 joints answer (.*/nao-h25-v33.xml)"
ok $? "all of them"
succeeds "the head turns, more than it can, and a hip by its other name" naohw set \
	HeadYaw/Position/Actuator -0.5 HeadPitch/Position/Actuator 3 RHipYawPitch/Position/Actuator -0.5
near "$(simulated 1 goal_position)" -5215 1 "as far as it was told"
near "$(simulated 2 goal_position)" 5370 1 "as far as it can"
near "$(simulated 15 goal_position)" -5215 1 "the one motor of both hips"
hard 0.9 "four joints have hardness"
is "$(simulated 1 hardness) $(simulated 1 torque_enable)" "900 1" "as the motor has it"
simulates 1 goal_position "$(simulated 1 present_position)" "and stays where it was"
succeeds "the head turns now" naohw set HeadYaw/Position/Actuator -0.5
head_has_turned() {
	[ "$(simulated 1 present_position)" -lt -5200 ]
}
eventually head_has_turned
ok $? "and arrives"
near "$(value HeadYaw/Position/Sensor)" -500 2 "where its sensor tells"

# QEMU stands still for tenths of a second, and is slow.
beat_every 40
naohw watch --count 1 >/tmp/said 2>&1
ok $? "naohw watches them"
said "^HeadYaw  *-0.50"
ok $? "in frames"
said "^RAnkleRoll  *0.000"
ok $? "to the last"
is "$(grep -c 'nan\|Board\|Battery' /tmp/said)" 0 "and what is no joint is none"

# Pages speak to these motors as to an MX-28: IDs 1, 2 and 6, below their zeros, too.
awk 'function row(word, plain, a, b, c,  id) {
	printf "%s=", word
	for (id = 0; id < 26; id++)
		printf "%s ", id == 1 ? a : id == 2 ? b : id == 6 ? c : plain
}
BEGIN {
	print "type=motion\nversion=1.01"
	row("enable", 0, 1, 1, 1); print ""
	row("motor_type", 1, 1, 1, 1); print ""
	print "page_begin\nname=Nod"
	row("compliance", 5, 5, 5, 5); print ""
	print "play_param=0 0 1 1.0 32"
	row("step", 2048, 2700, 1722, 1200); print "0.100 1.000"
	row("step", 2048, 1396, 2300, 2000); print "0.000 1.000"
	print "page_end"
}' >/tmp/nod.mtn
naohw play --head --record /tmp/nod.frames /tmp/nod.mtn Nod >/tmp/said 2>&1
ok $? "a page plays, and is recorded" || sed 's/^/# /' /tmp/said
stands 1 1396 "HeadYaw is where it ends"
stands 2 2300 "HeadPitch, too"
stands 6 2000 "and LElbowRoll"
near "$(simulated 15 present_position)" 0 16 "a joint that it does not move stays"
succeeds "the head goes up" naohw set HeadPitch/Position/Actuator -0.6
succeeds "the play is replayed" naohw replay /tmp/nod.frames
stands 2 2300 "and the head is where it ended"
succeeds "100 frames are recorded" naohw record --quiet --count 100 /tmp/rest.csv
is "$(head -n 1 /tmp/rest.csv | tr , '\n' | grep -c '\.present$')" 25 "of all joints"
hard 0 "they are let go"
succeeds "one is free" naohw set HeadYaw/Hardness/Actuator -1
is "$(value HeadYaw/Hardness/Actuator)" -1000 "and says so"
is "$(simulated 1 torque_enable) $(simulated 1 brake)" "0 0" "as the motor has it"
beat_every 10

# --- what it senses ---

dxlctl set 206 charge 42 >/dev/null
charge_is() {
	line_is /sys/class/power_supply/Battery-0-206/capacity "$1"
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

head=$(input_of "Head buttons")
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

# --- what it feels, as a program has it in SI units ---

feel=/usr/share/naohw/examples/feel
dxlctl upright >/dev/null
dxlctl press 203 rear >/dev/null
$feel >/tmp/said 2>&1
ok $? "a program of a user's asks for messages"
said "^acceleration -*0\.00 -*0\.00 9\.[78][0-9] m/s2, fresh$"
ok $? "what stands is kept from falling"
said "^battery 42 %, "
ok $? "the battery has its charge"
said "^head touched: front 0, middle 0, rear 1, fresh$"
ok $? "the head is touched behind"
dxlctl release 203 rear >/dev/null
dxlctl lean 0 90 >/dev/null
$feel >/tmp/said 2>&1
ok $? "it is laid down"
said "^acceleration -*[0-9.]* -*[0-9.]* -*0\.[0-9]* m/s2, fresh$"
ok $? "then z has nothing of that"
dxlctl upright >/dev/null

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
lights 203 Head:blue:rear-right-2 7 rear_right_2 7
lights 205 Ears:blue:left-324deg 5 left_324 5
into $leds/Face:rgb:right-315deg/multi_intensity "0 0 63"
lights 204 Face:rgb:right-315deg 63 right_315_blue 63
for board in "200 ChestBoard" "111 RFoot" "112 LFoot"; do
	set -- $board
	into "$leds/$2:rgb:indicator/multi_intensity" "255 0 0"
	lights "$1" "$2:rgb:indicator" 255 red 255
done

# --- the other boards ---

raw() {
	attribute "$(joint "$1")/in_$2_raw"
}

# senses ID LABEL ITEM COUNT CHANNEL -- what the board counts is what IIO reads
senses() {
	dxlctl set "$1" "$3" raw "$4" >/dev/null
	is "$(raw "$2" "$5")" "$4" "$2: $5 is its $3"
}

senses 111 RFoot fsr_1 1234 count1
senses 112 LFoot fsr_4 4321 count4
senses 201 InertialSensor gyro_x -2100 anglvel_x
senses 201 InertialSensor acc_z 57 accel_z
senses 201 InertialSensor angle_y -3000 incli_y
senses 206 Battery cell_voltage_min 3600 voltage2
presses 200 "ChestBoard buttons" chest BTN_START
presses 111 "RFoot buttons" left BTN_TRIGGER_HAPPY1
presses 112 "LFoot buttons" right BTN_TRIGGER_HAPPY2
presses 113 "RHandTouch buttons" back BTN_TRIGGER_HAPPY1
presses 114 "LHandTouch buttons" right BTN_TRIGGER_HAPPY3

dxlctl obstacle front 1000mm >/dev/null
into "$(joint US)/sonar_mode" 4
echo_is() {
	[ "$(raw US distance1)" = "$1" ]
}
eventually echo_is 100
ok $? "the sonar hears an echo from a metre away" || raw US distance1

chest=/sys/bus/nvmem/devices/0-200/nvmem
printf 'Nao7\0' | dd of=$chest bs=24 seek=1 conv=notrunc status=none
is "$(dd if=$chest bs=24 skip=1 count=1 status=none | tr -d '\0')" Nao7 "the chest keeps a name"

# --- what its body keeps, which needs no file of this head; the rest is uml:nao's ---

gain=Device/SubDeviceList/LFoot/FSR/FrontLeft/Sensor/Gain
succeeds "its calibration is saved" naohw pref --layer body $gain 1.01
rm /etc/naohw/robots/nao-h25-v33/Device_Body.xml
naohw pref --show-origin $gain >/tmp/said 2>&1
said "ChestBoard:body-[ab]:[0-9]*[[:space:]]1.01\$"
ok $? "and another head has it"

# --- gone and back: one of each kind ---

goes_and_returns 1 raw HeadYaw angl0
goes_and_returns 111 raw RFoot count1
goes_and_returns 114 evtest --query "$(input_of "LHandTouch buttons")" EV_KEY BTN_TRIGGER_HAPPY1
goes_and_returns 200 dd if=$chest of=/dev/null bs=24 count=1
goes_and_returns 205 into $leds/Ears:blue:left-324deg/brightness 3
eventually simulated_is 205 left_324 3
ok $? "a light shows what it was told meanwhile"
done_testing
