#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# robot: nao-h25-v33
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

naohw list >/tmp/said 2>&1
ok $? "naohw lists the joints"
said "^25 of 25 joints are there (.*/nao-h25-v33.xml)"
ok $? "all of them"
is "$(value LKneePitch/Position/Actuator/Max)" 2113 "with the limits of its body"
succeeds "the head turns" naohw set HeadYaw/Position/Actuator -0.5
near "$(simulated 1 goal_position)" -5215 1 "as far as it was told"
succeeds "more than the body can" naohw set HeadPitch/Position/Actuator 3
near "$(simulated 2 goal_position)" 5370 1 "is as far as it can"
succeeds "a hip by its other name" naohw set RHipYawPitch/Position/Actuator -0.5
near "$(simulated 15 goal_position)" -5215 1 "is the one motor of both"
for joint in HeadYaw HeadPitch LElbowRoll LHipYawPitch; do
	succeeds "$joint has hardness" naohw set $joint/Hardness/Actuator 0.9
	is "$(value $joint/Hardness/Actuator)" 900 "which it tells"
done
is "$(simulated 1 hardness) $(simulated 1 torque_enable)" "900 1" "as the motor has it"
is "$(simulated 1 goal_position)" "$(simulated 1 present_position)" "and stays where it was"
succeeds "the head turns now" naohw set HeadYaw/Position/Actuator -0.5
head_has_turned() {
	[ "$(simulated 1 present_position)" -lt -5200 ]
}
eventually head_has_turned
ok $? "and arrives"
near "$(value HeadYaw/Position/Sensor)" -500 2 "where its sensor tells"
near "$(value HeadYaw/Temperature/Sensor)" 50000 2000 "warm as a NAO's motors begin"
succeeds "its current" naohw get HeadYaw/ElectricCurrent/Sensor

# [pos-13]
# --- calibrated; the chest has both its copies written once, and the next is the first ---

fails_with "has torque" "a joint with torque is not calibrated" \
	naohw calibrate joint HeadYaw --at 0
succeeds "it is let go" naohw set HeadYaw/Hardness/Actuator 0
before=$(value HeadYaw/Position/Sensor)
succeeds "and is calibrated where it is" naohw calibrate joint HeadYaw --at 0.25
near "$(value HeadYaw/Position/Sensor)" 250 1 "which is where it was told that it is"
succeeds "and back" naohw calibrate joint HeadYaw --at "$(awk "BEGIN { print $before / 1000 }")"
near "$(value HeadYaw/Position/Sensor)" "$before" 2 "where it was"
zero=$(cat "$(joint HeadYaw)/in_angl0_calibbias")
into "$(joint HeadYaw)/in_angl0_calibbias" 0
fails_with "naohw calibrate joint HeadYaw" "who is not calibrated is told so" \
	naohw set HeadYaw/Hardness/Actuator 0.9
into "$(joint HeadYaw)/in_angl0_calibbias" "$zero"
succeeds "it has hardness again" naohw set HeadYaw/Hardness/Actuator 0.9
dxlctl set 201 gyro_x raw -1900 >/dev/null
succeeds "the gyrometer is calibrated" naohw calibrate gyro --count 4
near "$(value InertialSensor/GyroscopeX/Sensor)" 0 1 "and says that nothing turns"
succeeds "and forgets it" naohw pref --layer body --unset \
	InertialSensor/GyroscopeX/Sensor/Offset InertialSensor/GyroscopeY/Sensor/Offset
dxlctl set 201 gyro_x raw -2000 >/dev/null

# QEMU stands still for tenths of a second, and is slow.
into $dxl/dxl0/cycle/period_us 40000
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
naohw play --record /tmp/nod.frames /tmp/nod.mtn Nod >/tmp/said 2>&1
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
for joint in HeadYaw HeadPitch LElbowRoll LHipYawPitch; do
	succeeds "$joint is let go" naohw set $joint/Hardness/Actuator 0
	is "$(value $joint/Hardness/Actuator)" 0 "and braked"
done
succeeds "one is free" naohw set HeadYaw/Hardness/Actuator -1
is "$(value HeadYaw/Hardness/Actuator)" -1000 "and says so"
is "$(simulated 1 torque_enable) $(simulated 1 brake)" "0 0" "as the motor has it"
into $dxl/dxl0/cycle/period_us 10000

# --- what it senses ---

dxlctl set 206 charge 42 >/dev/null
charge_is() {
	[ "$(cat /sys/class/power_supply/Battery-0-206/capacity)" = "$1" ]
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

# --- its other keys ---

naohw list --long | sed -n 's/^float .* \(Device[^ ]*\/Value[0-9]*\)$/\1/p' >/tmp/keys
is "$(wc -l </tmp/keys)" 286 "all of NAO's keys have a value"
# shellcheck disable=SC2046 # keys
naohw get $(cat /tmp/keys) >/tmp/said 2>&1
ok $? "which can be read" || sed 's/^/# /' /tmp/said

# shows_key KEY VALUE ID FIELD LEVEL -- a light is set by its key, and told back by it
shows_key() {
	succeeds "$1 is set" naohw set "$1/Actuator" "$2"
	eventually simulated_is "$3" "$4" "$5"
	ok $? "and shows" || echo "# $(simulated "$3" "$4")"
}

dxlctl set 112 fsr_1 raw 4903 >/dev/null
dxlctl set 112 fsr_2 raw 9807 >/dev/null
dxlctl set 112 fsr_3 raw 0 >/dev/null
dxlctl set 112 fsr_4 raw 0 >/dev/null
near "$(value LFoot/FSR/FrontLeft/Sensor)" 500 1 "half a kilogram on a corner of the foot"
near "$(value LFoot/FSR/TotalWeight/Sensor)" 1500 1 "and one and a half on all of it"
near "$(value LFoot/FSR/CenterOfPressure/X/Sensor)" 70 1 "in front"
is "$(value Battery/Charge/Sensor)" 420 "what the battery has"
is "$(value InertialSensor/AccZ/Sensor)" 57000 "what the accelerometer counts"
near "$(value US/Left/Sensor)" 1000 10 "how far the obstacle is"
near "$(value US/Left/Sensor/Value)" 1000 10 "by its whole name, too"
is "$(value US/Actuator)" 4000 "the sonar's mode"
is "$(value ChestBoard/Button/Sensor)" 0 "the chest's button is up"
dxlctl press 200 chest >/dev/null
key_is_1000() {
	[ "$(value "$1")" = 1000 ]
}
eventually key_is_1000 ChestBoard/Button/Sensor
ok $? "and down"
dxlctl release 200 chest >/dev/null
dxlctl press 203 middle >/dev/null
eventually key_is_1000 Head/Touch/Middle/Sensor
ok $? "the head is touched in the middle"
is "$(value Head/Touch/Front/Sensor)" 0 "and not in front"
dxlctl release 203 middle >/dev/null
shows_key Head/Led/Front/Left/0 1 203 front_left_0 15
shows_key Ears/Led/Right/36Deg 0.4 205 right_36 6
near "$(value Ears/Led/Right/36Deg/Actuator)" 400 0 "told back as it was [led-8]"
shows_key Face/Led/Red/Left/45Deg 0.4 204 left_45_red 25
near "$(value Face/Led/Red/Left/45Deg/Actuator)" 397 0 "or as the nearest level [led-8]"
shows_key Face/Led/Red/Left/0Deg 0.5 204 left_0_red 32
shows_key Face/Led/Blue/Left/0Deg 1 204 left_0_blue 63
is "$(simulated 204 left_0_red)" 32 "beside which its red stays"
near "$(value Face/Led/Red/Left/0Deg/Actuator)" 508 1 "at the level that it has"
name=Device/DeviceList/ChestBoard/BodyNickName
naohw get $name >/tmp/said 2>&1
said "Nao7"
ok $? "its name, on kernels that show no cells as well"

# [cfg-2]
# --- what its body keeps ---

gain=Device/SubDeviceList/LFoot/FSR/FrontLeft/Sensor/Gain
file=/etc/naohw/robots/nao-h25-v33/Device_Body.xml

# keeps COPY VALUE NAME -- the gain, as the chest keeps it there
keeps() {
	naohw pref --show-origin $gain >/tmp/said 2>&1
	said "ChestBoard:body-$1:[0-9]*[[:space:]]$2\$"
	ok $? "$3"
}

succeeds "its calibration is saved" naohw pref --layer body $gain 1.01
keeps a 1.01 "the chest keeps it"
succeeds "it changes" naohw pref --layer body $gain 1.02
keeps b 1.02 "the other copy has it then"
rm $file
keeps b 1.02 "another head has it, too"
dxlctl power-cycle 200 >/dev/null
eventually attribute $chest
keeps b 1.02 "and it stays without power"
for pages in 0 1; do
	dxlctl power-cut 200 $pages >/dev/null
	fails_with ChestBoard "the power goes while page $pages is written" \
		naohw pref --layer body $gain 1.03
	eventually attribute $chest
	keeps b 1.02 "what was there is whole"
done
succeeds "it changes again" naohw pref --layer body $gain 1.04
keeps a 1.04 "in the copy that was not"
state=$(dirname "$(grep -lx dxl0-state $iio/iio:device*/name)")
into "$state/scan_elements/in_temp1_en" 1
into "$state/buffer/enable" 1
fails_with "while another program streams" "while frames are read nothing is saved" \
	naohw pref --layer body $gain 1.05
naohw pref --show-origin $gain >/tmp/said 2>&1
said "$file:[0-9]*[[:space:]]1.04\$"
ok $? "and what it kept last holds"
into "$state/buffer/enable" 0
into "$state/scan_elements/in_temp1_en" 0
sed -i 's/1\.04/1.06/' $file
keeps a 1.04 "afterwards it is the chest's again"
succeeds "that file can be restored" naohw pref --restore
keeps b 1.06 "which the chest keeps from then on"
for at in 192 4288; do
	printf xxxx | dd of=$chest bs=4 seek=$((at / 4)) conv=notrunc status=none
done
naohw get LKneePitch/Position/Sensor >/tmp/said 2>&1
ok $? "when both its copies are broken the robot can be used"
said "warning: ChestBoard:body: neither of its copies is whole, and $file holds"
ok $? "and its user is told so"
naohw doctor >/tmp/said 2>&1
said "^problem  body "
ok $? "also by the doctor"
succeeds "the file mends that, too" naohw pref --restore
keeps b 1.06 "and the chest has it again"
naohw doctor >/tmp/said 2>&1
said "^ok  *body .*generation 1\."
ok $? "in both its copies"
succeeds "it is taken out" naohw pref --layer body --unset $gain
naohw pref --show-origin $gain >/tmp/said 2>&1
said "nao-h25-v33.xml:"
ok $? "and is the type's again"

# --- each gone and back ---

goes_and_returns 1 raw HeadYaw angl0
goes_and_returns 111 raw RFoot count1
goes_and_returns 112 raw LFoot count1
goes_and_returns 113 evtest --query "$(input_of "RHandTouch buttons")" EV_KEY BTN_TRIGGER_HAPPY1
goes_and_returns 114 evtest --query "$(input_of "LHandTouch buttons")" EV_KEY BTN_TRIGGER_HAPPY1
goes_and_returns 200 dd if=$chest of=/dev/null bs=24 count=1
goes_and_returns 201 raw InertialSensor accel_z
goes_and_returns 202 raw US distance1
goes_and_returns 203 into $leds/Head:blue:rear-right-2/brightness 3
goes_and_returns 204 into $leds/Face:rgb:right-315deg/brightness 3
goes_and_returns 205 into $leds/Ears:blue:left-324deg/brightness 3
goes_and_returns 206 raw Battery count1
eventually simulated_is 205 left_324 3
ok $? "a light shows what it was told meanwhile"
done_testing
