#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# program: naohw
# program: naohwd
# share: userspace/robots
# share: tools/vm/tests/lola_lib.sh
#
# An OP3 moved by LoLA: naohwd's poses have stiffness, and X servos have a register of two bytes
# for that behind goals of four. And tones of its buzzer, with their ends; and what the doctor and a
# list say of a robot that has no supply, and of servos that have just fallen silent.

. "$(dirname "$0")/beat.sh"
. "$(dirname "$0")/boards-lib.sh"
# shellcheck source=tools/vm/tests/lola_lib.sh
. /share/lola_lib.sh
# shellcheck disable=SC2034 # boards-lib.sh's
robot=/share/overlays/virt-op3-boards.dtbo
export NAOHW_ROBOT=/share/robots/op3.xml

# tone SECONDS HZ -- in the background; sets $tone
tone() {
	naohw set ChestBoard/Buzzer/Duration/Actuator "$1" ChestBoard/Buzzer/Frequency/Actuator "$2" \
		>/tmp/tone.log 2>&1 &
	tone=$!
}

# sounds HZ NAME -- 0: it is silent
sounds() {
	eventually has OpenCR buzzer "$1"
	ok $? "$2" || { echo "# $(of OpenCR buzzer) Hz"; sed 's/^/# /' /tmp/tone.log; }
}

# tones WHERE -- each with its end
tones() {
	local status=0
	tone 2 440
	sounds 440 "$1: a tone begins"
	sounds 0 "$1: it ends when its time is over"
	wait $tone || status=$?
	is $status 0 "$1: and so does the program that has begun it"
	tone 60 880
	sounds 880 "$1: another one begins"
	kill -9 $tone
	sounds 0 "$1: it ends with its program, which is killed"
}

# lists COUNT NAME -- so many joints answer
lists() {
	naohw list >/tmp/list 2>&1
	is "$(tail -n 1 /tmp/list | cut -d ' ' -f 1-5)" "$1 of 20 joints answer" "$2"
}

# finds TEXT NAME -- the doctor says that
finds() {
	naohw doctor >/tmp/doctor 2>&1
	grep -q "$1" /tmp/doctor
	ok $? "$2" || sed 's/^/# /' /tmp/doctor
}

start_boards 21
lists 0 "without a supply no joint answers"
finds "OpenCR gives the servos no supply" "and the doctor knows why"
succeeds "its servos have their supply" into "$(joint OpenCR)/servo_power" 1
sleep 1
lists 20 "then all do"
finds "^Nothing is wrong" "and what was before is no fault of any"
dxlctl silence all >/dev/null
finds "^problem *answers *No answer from .* and 15 more" "that all are silent is found at once"
dxlctl unsilence all >/dev/null
sleep 1
finds "^Nothing is wrong" "and that they are so no more"
dxlctl silence 13 >/dev/null
finds "^problem *answers *No answer from RKneePitch (" "and that one is"
lists 19 "as does a list"
dxlctl unsilence 13 >/dev/null
sleep 1
lists 20 "which finds one again that was lost"
tones "alone"
serve --lola-end hold
tones "beside naohwd"
client "a client says where its head is to be" connect set Stiffness all 0.5 set Position all 0 \
	set Position 0 0.5 answer 100 is Position 0 0.5 0.02
# 0.5 of 2 pi, of 4096 a turn, from the middle
near "$(of HeadYaw goal_position)" 2374 3 "the head goes there"
near "$(of HeadYaw present_position)" 2374 12 "and is there"
near "$(of HeadYaw goal_pwm)" 442 3 "half as stiff as it can be"
is "$(cat "$(dirname "$(grep -l dxl0-goal $iio/iio:device*/name)")/stream_state")" streaming \
	"and the stream runs"
ends
done_testing
