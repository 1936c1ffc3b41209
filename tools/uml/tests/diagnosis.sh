#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# program: naohw
# program: naohwd
# share: userspace/robots
# share: userspace/motions
# share: tools/vm/tests/lola_lib.sh
#
# A Bioloid whose servos fall silent and become hot, beside naohwd: which joints lose
# their torque, by the simulator; what is refused meanwhile; and what comes back.

. "$(dirname "$0")/beat.sh"
# shellcheck source=tools/vm/tests/lola_lib.sh
. /share/lola_lib.sh

export NAOHW_ROBOT=/share/robots/bioloid.xml
head="HeadYaw HeadPitch"
left="LShoulderPitch LShoulderRoll LElbowRoll"
right="RShoulderPitch RShoulderRoll RElbowRoll"
legs="LHipYaw LHipRoll LHipPitch LKneePitch LAnklePitch LAnkleRoll
	RHipYaw RHipRoll RHipPitch RKneePitch RAnklePitch RAnkleRoll"

# have STATE JOINT... -- torque, each of them
have() {
	local state=$1 label
	shift
	for label; do
		has "$label" torque_enable "$state" || return
	done
}

# stiff_but_for NAME JOINT... -- that is to be so soon, of all 20
stiff_but_for() {
	local name=$1 label
	shift
	# shellcheck disable=SC2086 # labels
	eventually have 0 "$@" && for label in $head $left $right $legs; do
		case " $* " in
		*" $label "*) ;;
		*) has "$label" torque_enable 1 || break ;;
		esac
	done
	ok $? "$name"
}

# raise_arm -- away from its posture
raise_arm() {
	succeeds "an arm is raised" naohw set RShoulderPitch/Position/Actuator -1
	eventually is_raised
	ok $? "and is up"
}

is_raised() {
	local at
	at=$(of RShoulderPitch present_position)
	[ $((at > posture ? at - posture : posture - at)) -gt 60 ]
}

# At its safe posture, in counts that are near the description's Rest
crouches() {
	near "$(of RShoulderPitch present_position)" "$1" 12 "$2: an arm is at its posture"
}

load_modules 1000
start_robot a /share/overlays/virt-bioloid.dtbo 20 5
wait_for_devices dxl0
mkdir -p /run/naohw
naohw pref DCM/DiagnosisRules NAO
# What takes seconds needs no more frames than that.
naohw pref DCM/TargetCycleTime 40
into $dxl/dxl0/cycle/period_us 40000
serve --socket /run/naohw/bioloid.sock

# --- rest and wake up ---

succeeds "a robot wakes up" naohw wake
# shellcheck disable=SC2086
eventually have 1 $head $left $right $legs
ok $? "and all its joints are stiff"
succeeds "nothing is wrong with it" naohw diagnose
succeeds "it goes to rest" naohw rest
# shellcheck disable=SC2086
eventually have 0 $head $left $right $legs
ok $? "and all its joints are limp"
posture=$(of RShoulderPitch present_position)
fails_with "at rest" "none is made stiff" naohw set HeadYaw/Hardness/Actuator 1
client "nor all by LoLA" connect set Stiffness all 1 set Position all 0 answer 60
# shellcheck disable=SC2086
have 0 $head $left $right $legs
ok $? "they stay limp"
near "$(of RShoulderPitch present_position)" "$posture" 2 "where they are"
# What LoLA's client had is at its end, by then.
sleep 6
succeeds "until it wakes up" naohw wake
# shellcheck disable=SC2086
eventually have 1 $head $left $right $legs
ok $? "then they are stiff"

# --- an arm ---

dxlctl silence "$(id_of LElbowRoll)" >/dev/null
eventually have 0 LShoulderPitch LShoulderRoll
ok $? "one silent servo of an arm has that let go"
# shellcheck disable=SC2086
have 1 $head $right $legs
ok $? "and no other joint" || dxlctl torque all | sed 's/^/# /'
fails_with "LElbowRoll: no answer" "that is diagnosed" naohw diagnose
fails_with "at rest" "the arm is kept so" naohw set LShoulderPitch/Hardness/Actuator 1
naohw list >/tmp/said 2>&1
grep -q "^LShoulderPitch.*diagnosis" /tmp/said
ok $? "and the list says why" || sed 's/^/# /' /tmp/said
dxlctl unsilence "$(id_of LElbowRoll)" >/dev/null
# That takes a second of good frames; the command itself is dear.
sleep 4
succeeds "when it answers again the arm may be stiff" naohw set LShoulderPitch/Hardness/Actuator 1 LShoulderRoll/Hardness/Actuator 1
eventually have 1 LShoulderPitch
ok $? "and the arm is"

# --- a hot leg ---

succeeds "the robot is awake" naohw wake
raise_arm
dxlctl write "$(id_of RKneePitch)" 43 66 >/dev/null # present_temperature
# shellcheck disable=SC2086
eventually have 0 $head $left $right $legs
ok $? "with a hot knee the robot rests"
crouches "$posture" "by the heat"
fails_with "RKneePitch: too hot" "and may not wake up" naohw wake
fails_with "RKneePitch: too hot" "which is diagnosed" naohw diagnose
fails_with "at rest" "no play makes it stiff" naohw play --stiff /share/motions/bioloid.mtn Stand
client "nor LoLA" connect set Stiffness all 1 answer 60
# shellcheck disable=SC2086
have 0 $head $left $right $legs
ok $? "it has no torque"
# By then LoLA's client is at its end, too.
sleep 6
dxlctl write "$(id_of RKneePitch)" 43 40 >/dev/null
sleep 4
succeeds "it may wake up" naohw wake
# shellcheck disable=SC2086
eventually have 1 $head $left $right $legs
ok $? "when it has cooled the robot wakes up"

# --- a leg without its servo ---

raise_arm
dxlctl silence "$(id_of LAnkleRoll)" >/dev/null
eventually have 0 RKneePitch LHipYaw
ok $? "with a silent ankle the legs are let go at once"
has RShoulderPitch torque_enable 1
ok $? "while an arm is on its way to its posture"
# shellcheck disable=SC2086
eventually have 0 $head $left $right
ok $? "where it is let go"
crouches "$posture" "beside limp legs"
dxlctl unsilence "$(id_of LAnkleRoll)" >/dev/null
sleep 4
succeeds "when it answers again the robot wakes up" naohw wake
ends
done_testing
