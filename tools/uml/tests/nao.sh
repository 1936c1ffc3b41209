#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# in: check-all
# program: naohw
# share: userspace/robots
#
# All of a NAO, as vm:nao, in what is no stock kernel's: how it is calibrated, what its body
# keeps, and each of its devices gone and back.

. "$(dirname "$0")/beat.sh"

leds=/sys/class/leds
chest=/sys/bus/nvmem/devices/0-200/nvmem
export NAOHW_ROBOT=/share/robots/nao-h25-v33.xml

# said PATTERN -- did the last program of ours say that?
said() {
	grep -q "$1" /tmp/said || { sed 's/^/# /' /tmp/said; return 1; }
}

# value KEY -- in thousandths, of the number that naohw prints last
value() {
	naohw get "$1" | awk '{ printf "%.0f\n", 1000 * $NF }'
}

raw() {
	attribute "$(joint "$1")/in_$2_raw"
}

load_modules 1000
modprobe dxl_board
start_robot a /share/overlays/virt-nao-h25-v33.dtbo 36 5
wait_for_devices dxl0

succeeds "the head has hardness" naohw set HeadYaw/Hardness/Actuator 0.9

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

# [cfg-2]
# --- what its body keeps ---

gain=Device/SubDeviceList/LFoot/FSR/FrontLeft/Sensor/Gain
file=/share/robots/nao-h25-v33/Device_Body.xml

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
goes_and_returns 113 raw RHandTouch count1
goes_and_returns 114 raw LHandTouch count1
goes_and_returns 200 dd if=$chest of=/dev/null bs=24 count=1
goes_and_returns 201 raw InertialSensor accel_z
goes_and_returns 202 raw US distance1
goes_and_returns 203 into $leds/Head:blue:rear-right-2/brightness 3
goes_and_returns 204 into $leds/Face:rgb:right-315deg/brightness 3
goes_and_returns 205 into $leds/Ears:blue:left-324deg/brightness 3
goes_and_returns 206 raw Battery count1
done_testing
