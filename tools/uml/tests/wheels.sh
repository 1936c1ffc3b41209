#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# program: naohw
# program: naohwd
# share: userspace/motions
#
# Wheels of both protocols beside joints, driven by timed commands, with the wire as the judge: each
# cycle has their speeds, and what ends the program, or the mode, ends the motion. And the same servos
# as joints that do not move, for each reason that the servo or the bus has for that.

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

simulates_torque_off_of() {
	[ "$(simulated "$1" torque_enable)" = 0 ]
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

# --- joints that do not move, and why ---

# dir ID -- its IIO device
dir() {
	echo "$dxl/0-$(printf %03d "$1")"/iio:device*
}

# lose ID COMMAND... -- it does not answer any more by this, which is noticed by who asks
lose() {
	local id=$1
	shift
	"$@" >/dev/null
	eventually is_lost "$id"
	ok $? "$id does not answer any more"
}

is_lost() {
	cat "$(dir "$1")/in_angl0_raw" 2>/dev/null
	device_is "$1" lost
}

# come_back ID COMMAND...
come_back() {
	local id=$1
	shift
	"$@" >/dev/null
	eventually device_is "$id" active
	ok $? "$id answers again"
	cat "$(dir "$id")/in_angl0_raw" >/dev/null 2>&1
}

# listed LABEL WORD -- by list, in its line and with what to do
listed() {
	naohw list >/tmp/said 2>&1
	grep -q "^$1 .* $2\$" /tmp/said && grep -q "^$2: .*\<$1\>.*: .*; " /tmp/said
	ok $? "naohw list: $1 is $2" || sed 's/^/# /' /tmp/said
}

# told LABEL WORD REMEDY -- by the doctor, which ends with 1
told() {
	fails_with "$1" "the doctor names $1" naohw doctor
	grep -q "why: $2" $tried && grep -q "do:  $3" $tried
	ok $? "and says that it is $2, and what to do" || sed 's/^/# /' $tried
}

# page ID... -- /tmp/page.mtn, which sends these by its one page
page() {
	local id enable=0
	for id in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do
		case " $* " in
		*" $id "*) enable="$enable 1" ;;
		*) enable="$enable 0" ;;
		esac
	done
	# M2 counts to 4095.
	sed "1,/^page_begin/{s/^enable=.*/enable=$enable/;s/^motor_type=0 0 0/motor_type=0 0 1/};/^page_end/q" \
		/share/motions/bioloid.mtn >/tmp/page.mtn
}

{
	echo "<ModulePreference>"
	for label in A1 M2 A3 X101 X252; do
		part $label Position angl0 1 3
	done
	echo "</ModulePreference>"
} >/tmp/ill.xml
export NAOHW_ROBOT=/tmp/ill.xml

into "$(dir 1)/out_angl0_en" 0
into "$(dir 101)/out_angl0_en" 0
mode position 101
page 1 3
listed A1 mode
told A1 mode "let it go, write position to its operating_mode"
fails_with "its operating mode has no goal positions; let it go" "so does naohw set" \
	naohw set A1/Position/Actuator 0.2
play=0
naohw play -q --stiff /tmp/page.mtn Stand >/tmp/said 2>&1 || play=$?
is $play 3 "a page that it stays behind of does not end with success"
grep -q "^mode: A1: .*; let it go" /tmp/said
ok $? "and the joint is named, with the reason and what to do" || sed 's/^/# /' /tmp/said
near "$(simulated 3 present_position)" 285 4 "the other joint is where the page has it"
mode position 1
into "$(dir 2)/out_angl0_en" 0
page 2
naohw play -q /tmp/page.mtn Stand >/tmp/said 2>&1
is $? 3 "a joint without torque stays behind, too"
grep -q "^no-torque: M2: .*--stiff\|^free: M2: .*out_angl0_en" /tmp/said
ok $? "and is named" || sed 's/^/# /' /tmp/said
page 4
succeeds "one that the robot does not have is ignored" naohw play --stiff /tmp/page.mtn Stand
grep -q "^Note: .* ignored: 4" $tried
ok $? "with a note" || sed 's/^/# /' $tried

into "$(dir 2)/out_angl0_en" 1
into "$(dir 2)/out_angl0_torque_limit" 0
listed M2 torque-limit
told M2 torque-limit "hold the robot, and set its Hardness/Actuator above 0"
into "$(dir 2)/out_angl0_en" 0
into "$(dir 2)/out_angl0_torque_limit" 100
listed M2 free
into "$(dir 101)/out_angl0_en" 1
# 90 degrees are more than it stands.
dxlctl write 101 146 90 >/dev/null
eventually simulates_torque_off_of 101
listed X101 shut-down

lose 252 dxlctl silence 252
listed X252 no-answer
told X252 "It is not plugged" "see to its plug"
come_back 252 dxlctl unsilence 252
lose 252 dxlctl write 252 68 0
listed X252 no-answer
told X252 return-level "ask again, .* set its status return level"
# What answers a PING of Protocol 2.0 tells its model, and may have been plugged out since.
listed X252 no-answer
send "set A3/Hardness 1" "wait 60000"
sleep 1
fails_with "The bus was not looked at for other causes, as a program streams" \
	"while a program streams the doctor looks at no bus, and says so" naohw doctor
kill "$send"
ends 130 "which it does until it is told to end"
come_back 252 dxlctl write 252 68 2
lose 252 dxlctl write 252 13 1
told X252 protocol "set its protocol"
come_back 252 dxlctl write 252 13 2

dxlctl silence 3 >/dev/null
eventually is_lost 3
dxlctl write 3 0 18 0 >/dev/null
come_back 3 dxlctl unsilence 3
listed A3 other-model
told A3 other-model "put in the model that the overlay says"

# As it is when the driver meets it first
into /sys/bus/dxl/drivers/dxl-servo/unbind 0-003
into /sys/bus/dxl/drivers/dxl-servo/bind 0-003 2>/dev/null
sleep 1
holds $dxl/0-003/label A3 "what no driver has taken keeps its label"
told "A3 (model 18)" other-model "put in the model that the overlay says"
grep -q "modprobe" $tried
[ $? -ne 0 ]
ok $? "no module is wanted that is not needed"
naohw list >/tmp/said 2>&1
grep -q "^A3 .*(other-model)" /tmp/said
ok $? "naohw list: it is other-model, too" || sed 's/^/# /' /tmp/said
done_testing
