#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# program: naohw
# program: naohwd
#
# Wheels of both protocols beside joints, driven by timed commands, with the wire as the judge: each
# cycle has their speeds, and what ends the program, or the mode, ends the motion.

. "$(dirname "$0")/beat.sh"
. "$(dirname "$0")/send-lib.sh"

# leaf NAME TYPE VALUE
leaf() {
	echo "<Preference memoryName='Device/SubDeviceList/$1' type='$2' value='$3'/>"
}

# hardness LABEL
hardness() {
	leaf "$1/Hardness/Actuator/Channel" string out_angl0
	leaf "$1/Hardness/Actuator/Attribute" string torque_limit
	leaf "$1/Hardness/Actuator/Enable" string en
	leaf "$1/Hardness/Actuator/Gain" float 0.01
	leaf "$1/Hardness/Actuator/Min" float 0
	leaf "$1/Hardness/Actuator/Max" float 1
}

# part LABEL KEY CHANNEL GAIN LIMIT
part() {
	leaf "$1/$2/Sensor/Channel" string "in_$3"
	leaf "$1/$2/Sensor/Gain" float "$4"
	leaf "$1/$2/Actuator/Channel" string "out_$3"
	leaf "$1/$2/Actuator/Gain" float "$4"
	leaf "$1/$2/Actuator/Min" float "-$5"
	leaf "$1/$2/Actuator/Max" float "$5"
	hardness "$1"
}

# mode MODE ID
mode() {
	into "$dxl/0-$(printf %03d "$2")"/iio:device*/out_angl0_en 0
	into "$dxl/0-$(printf %03d "$2")"/iio:device*/operating_mode "$1"
}

# speeds_of TRACE -- how many sync writes have the goal velocity (104) of X101, and which that are
speeds_of() {
	awk '/ > FF FF FD 00 FE .. .. 83 68 00 04 00 65 / { count++; seen[$15 $16 $17 $18] = 1 }
		END { for (speed in seen) kinds = kinds " " speed; print count + 0 kinds }' "$1"
}

# trace SECONDS -- of the wire, into /tmp/trace; exchanges: how many there were meanwhile
trace() {
	local from
	from=$(($(wc -c </tmp/sim.a.log) + 1))
	exchanges=$(cycle_of dxl0 exchanges)
	dxlctl trace on >/dev/null
	sleep "$1"
	dxlctl trace off >/dev/null
	exchanges=$(($(cycle_of dxl0 exchanges) - exchanges))
	tail -c +$from /tmp/sim.a.log >/tmp/trace
}

simulates_torque_off() {
	[ "$(simulated 101 torque_enable) $(simulated 1 torque_enable)" = "0 0" ]
}

still() {
	[ "$(simulated 101 present_velocity) $(simulated 1 present_speed)" = "0 0" ]
}

{
	echo "<ModulePreference>"
	part A1 Speed anglvel0 1 4
	part X101 Speed anglvel0 -1 4
	part A3 Position angl0 1 2
	echo "<Preference memoryName='DCM/TargetCycleTime' type='float' value='20'/>"
	echo "</ModulePreference>"
} >/tmp/cart.xml
export NAOHW_ROBOT=/tmp/cart.xml

load_modules 1000
start_sim a /share/test-overlays/mixed.dtbo --wire-time
start_attach a --overlay /share/test-overlays/mixed.dtbo
eventually attached a 6
ok $? "6 devices are on the bus" || sed 's/^/# /' /tmp/attach.a
wait_for_devices dxl0
into "$dxl/dxl0/cycle/period_us" 20000
on a dxl0
mode pwm 1
mode velocity 101

# --- commands ---

# Against its servo: 2 rad/s are -83 steps of 0.229 a minute, 1 rad/s 86 of 0.111.
stiff="set A1/Hardness 1;set X101/Hardness 0.8;set A3/Hardness 1"
IFS=';'
# shellcheck disable=SC2086 # a line each
send $stiff "set X101/Speed 0@500 2@1500 2@5000" "set A1/Speed 1@1500 1@5000" "set A3 0.3@2000"
IFS=' ''	'"$newline"
sleep 2.5
near "$(simulated 101 goal_velocity)" -83 1 "a wheel has the speed that it is to have"
near "$(simulated 101 present_velocity)" -83 2 "and turns"
near "$(simulated 1 moving_speed)" 86 1 "so has one of Protocol 1.0"
near "$(naohw get X101/Speed/Sensor | awk '{ print int($NF * 10) }')" 20 1 "its sensor says so"
near "$(simulated 3 goal_position)" $((512 + 59)) 1 "a joint goes to its angle beside them"
trace 1
# shellcheck disable=SC2046 # two words
set -- $(speeds_of /tmp/trace)
near "$1" "$exchanges" 2 "each cycle has the speed"
is $# 2 "and no other one" || echo "# $*"
ends 0 "the commands are carried out"
eventually still
ok $? "and the wheels stand when the program has ended"
is "$(simulated 101 goal_velocity) $(simulated 1 moving_speed)" "0 0" "as they are told"
simulates 101 torque_enable 1 "with their torque"
eventually is_plain
ok $? "their poses go with the program"

# --- when the program does not end them ---

send "set X101/Speed 2@500" "set A1/Speed -1@500" "wait 60000"
sleep 2
near "$(simulated 101 goal_velocity)" -83 1 "wheels turn again"
kill -9 "$send"
wait "$send" 2>/dev/null
eventually simulates_torque_off
ok $? "one that is killed has its wheels let go"
eventually still
ok $? "and they stand"
succeeds "they get their torque back" naohw recover
sleep 3
is "$(simulated 101 torque_enable) $(simulated 101 goal_velocity)" "1 0" "and stand with it"
is "$(simulated 1 torque_enable) $(simulated 1 moving_speed)" "1 0" "in either protocol"

# --- another mode than the one that was meant ---

send "set X101/Hardness 0.8" "set X101/Speed 2@500" "wait 60000"
sleep 2
near "$(simulated 101 goal_velocity)" -83 1 "one turns"
mode position 101
eventually still
before=$(simulated 101 present_position)
into "$dxl/0-101"/iio:device*/out_angl0_en 1
sleep 2
simulates 101 torque_enable 1 "as a joint it gets torque by hand"
near "$(simulated 101 present_position)" "$before" 2 "and no speed for an angle"
kill "$send"
ends 130 "until it is told to end"
send "set X101/Speed 2@500"
ends 1 "in that mode its speed is refused"
grep -q "in no mode in which it is a wheel" /tmp/said
ok $? "and told why" || sed 's/^/# /' /tmp/said
mode velocity 101

fails_with "nobody to stop it" "naohw set does not begin to turn a wheel" naohw set X101/Speed/Actuator 1
succeeds "one can have it stand" naohw set X101/Speed/Actuator 0

# --- beside naohwd ---

mkdir -p /run/naohw
naohwd --robot /tmp/cart.xml --socket /run/naohw/cart.sock 2>/tmp/naohwd.log &
naohwd=$!
eventually [ -S /run/naohw/cart.sock ]
send "set X101/Hardness 0.8" "set X101/Speed 2@500" "wait 60000"
sleep 2
near "$(simulated 101 goal_velocity)" -83 1 "a wheel turns beside naohwd"
kill -9 "$send"
wait "$send" 2>/dev/null
eventually still
ok $? "and stands when its program has died"
simulates 101 torque_enable 1 "with its torque"
kill "$naohwd"
wait "$naohwd"
ok $? "naohwd ends" || sed 's/^/# /' /tmp/naohwd.log
done_testing
