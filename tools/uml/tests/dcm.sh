#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# program: naohw
# share: userspace/robots
#
# Timed commands for a NAO, with the simulator as the judge: what becomes of them on the wire, what
# protects the robot whatever they say, and how it ends when the program does not.

. "$(dirname "$0")/beat.sh"
. "$(dirname "$0")/send-lib.sh"

# naohw looks at each file of each device, at each start.
overlay=/share/test-overlays/nao-elbow.dtbo
export NAOHW_ROBOT=/share/robots/nao-t14-v33.xml
battery=206
half_rad=5215 # of 65536 a turn

id_of() {
	basename "$(dirname "$(realpath "$(joint "$1")")")" | sed 's/.*-0*//'
}

# look_at LABEL FIELD -- of a joint whose ID is in a variable; sets number
look_at() {
	local id
	eval "id=\$$1"
	look "$id" "$2"
}

# has FIELD VALUE LABEL... -- each of these joints
has() {
	local field=$1 value=$2 label
	shift 2
	for label; do
		look_at "$label" "$field"
		[ "$number" = "$value" ] || return
	done
}

# follow LABEL FIELD TIMES -- what it is 20 times a second, a line each
follow() {
	local left=$3
	while [ "$left" -gt 0 ]; do
		look_at "$1" "$2"
		echo "$number"
		usleep 50000
		left=$((left - 1))
	done
}

# registers -- of all joints, a line each: ID, what, and its number; of goals how many there were
registers() {
	local id field
	dxlctl goals all | awk '$2 ~ /^[0-9]+$/ { print $1, "goals", $2 }' >/tmp/goals
	cat /tmp/goals
	while read -r id _; do
		for field in hardness goal_speed present_position; do
			look "$id" $field
			echo "$id $field $number"
		done
	done </tmp/goals
}

# what FIELD FILE -- that of all joints, as registers has put it there
what() {
	grep -w "$1" "$2"
}

# goals_since BEFORE AFTER -- how many the one that was let go by hand has got, and the others
goals_since() {
	awk -v free="$RElbowYaw" '
	$2 != "goals" { next }
	NR == FNR { before[$1] = $3; next }
	{ more = $3 - before[$1] }
	$1 == free { told = free " " more; next }
	!(more in seen) { seen[more]; others = others " " more }
	END { print told ", all others" others }' "$1" "$2"
}

# goes_up_to END SECONDS -- from 0 on without a step back, and as long as that
goes_up_to() {
	awk -v end="$1" -v seconds="$2" '
	$1 < last { bad = 1 }
	{ last = $1 }
	$1 > 20 && $1 < end - 20 { between++ }
	END {
		printf "# %d of %d between, the last is %d\n", between, NR, last
		off = last - end
		exit bad || off > 2 || off < -2 || between < seconds * 17 || between > seconds * 21
	}'
}

load_modules 1000
modprobe dxl_board
start_sim a $overlay --wire-time
start_attach a --overlay $overlay
eventually attached a 11
ok $? "11 devices are on the bus" || sed 's/^/# /' /tmp/attach.a
wait_for_devices dxl0
on a dxl0
HeadYaw=$(id_of HeadYaw)
HeadPitch=$(id_of HeadPitch)
RElbowYaw=$(id_of RElbowYaw)

# --- commands ---

send "set HeadYaw/Hardness/Actuator 0.8@100" "wait 200" "set HeadYaw 0@300 0.5@2300" \
	"set HeadPitch 0.3@500" "set Face/Led/Red/Left/0Deg/Actuator 1@500 0.5@1000" \
	"set US/Actuator 68@400"
eventually has torque_enable 1 HeadYaw
follow HeadYaw goal_position 60 >/tmp/followed
ends 0 "commands for a NAO are carried out"
goes_up_to $half_rad 2 </tmp/followed
ok $? "a joint goes on a line in time [act-1] [dcm-5]"
near "$(simulated "$HeadYaw" present_position)" $half_rad 10 "and arrives"
simulates "$HeadYaw" hardness 800 "as stiff as it is to be [hard-1]"
simulates "$HeadPitch" torque_enable 0 "one that nobody has made stiff is limp"
near "$(simulated "$HeadPitch" goal_position)" \
	"$(simulated "$HeadPitch" present_position)" 16 "and its goal is where it is [act-3]"
simulates 204 left_0_red 32 "a light has the level that it is to have"
is "$(naohw get US/Actuator | awk '{ print $NF }')" 68 "the sonar its mode"
simulates "$HeadYaw" torque_enable 1 "the joint holds when the program has ended"

send "set DCM/TargetCycleTime 20@100" "wait 2000"
eventually grep -qx 20000 $dxl/dxl0/cycle/period_us
ok $? "the bus has the period that is set"
ends 0 "by a program"
holds $dxl/dxl0/cycle/period_us 10000 "and its own again when that has ended"

near=Head/Led/Front/Left/0/Actuator
send "set $near -1@100" "wait 500"
ends 0 "a light near a touch sensor can be kept dark"
is "$(naohw get $near | awk '{ print $NF }')" -1 "whoever touches"
send "set $near 0@100" "wait 500"
ends 0 "and let come on"
is "$(naohw get $near | awk '{ print $NF }')" 0 "when it is touched"

send "set Head*/Hardness/Actuator -1" "wait 500"
ends 0 "hardness below 0 is carried out"
has brake 0 HeadYaw HeadPitch
ok $? "and both motors of the board are free [hard-6]"

# --- what protects ---

send "set Head*/Hardness/Actuator 1@100" "wait 20000"
eventually has hardness 1000 HeadYaw HeadPitch
# 9 A out of a battery that can do 6
dxlctl write $battery 28 216 220 >/dev/null
sleep 2
near "$(simulated "$HeadYaw" hardness)" 700 250 "too much current lowers all hardness slowly"
simulates "$HeadYaw" hardness "$(simulated "$HeadPitch" hardness)" \
	"of all joints alike [hard-7]"
dxlctl write $battery 28 24 252 >/dev/null
eventually has hardness 1000 HeadYaw HeadPitch
ok $? "and it comes back"
dxlctl deaf "$HeadYaw" 350 >/dev/null
is "$(follow HeadYaw hardness 20 | sort -u)" 1000 "a joint that is late stays as stiff as it was"
has torque_enable 1 HeadYaw HeadPitch
ok $? "and has its torque"
kill "$send"
ends 130 "all that while it goes on, until it is told to end"

# --- when the program does not ---

send "set HeadYaw/Hardness/Actuator 0.8" "set HeadPitch/Hardness/Actuator 1" \
	"set RElbowYaw/Hardness/Actuator 0.6" "set HeadYaw 0@3000" "wait 20000"
usleep 700000
kill -9 "$send"
wait "$send" 2>/dev/null
eventually has torque_enable 0 HeadYaw HeadPitch RElbowYaw
ok $? "one that is killed has its joints let go [act-8]"
into "$(joint RElbowYaw)/out_angl0_en" 0
registers >/tmp/before
succeeds "which recover gives back" naohw recover
registers >/tmp/after
has torque_enable 1 HeadYaw HeadPitch
ok $? "to both"
simulates "$RElbowYaw" torque_enable 0 "one that was let go by hand stays free"
is "$(what hardness /tmp/after)" "$(what hardness /tmp/before)" "all are as stiff as they were before"
is "$(what goal_speed /tmp/after)" "$(what goal_speed /tmp/before)" "and as fast"
is "$(what present_position /tmp/after)" "$(what present_position /tmp/before)" "none has moved"
is "$(goals_since /tmp/before /tmp/after)" "$RElbowYaw 0, all others 2" \
	"nothing is pushed: twice the kernel says where they are"

send "set HeadYaw 0.2@3000" "wait 20000"
usleep 1500000
kill -STOP "$send"
eventually has torque_enable 0 HeadYaw HeadPitch
ok $? "one that stands still as well"
kill -CONT "$send"
ends 1 "and it ends when it can go on [hard-4]"
grep -q "naohw recover" /tmp/said
ok $? "and says what to do" || sed 's/^/# /' /tmp/said

# --- when a person lets the robot go ---

succeeds "the torque comes back" naohw recover
send "set HeadYaw 0.2@100 0.6@8000" "wait 20000"
usleep 700000
fails_with "expected --yes" "without a terminal a person has to say yes before" naohw limp
has torque_enable 1 HeadYaw HeadPitch
ok $? "and all are stiff"
succeeds "a person lets the robot go" naohw limp --yes
has torque_enable 0 HeadYaw HeadPitch
ok $? "which another program moves"
ends 1 "that ends"
grep -q "naohw limp" /tmp/said
ok $? "and says why" || sed 's/^/# /' /tmp/said
fails_with "naohw recover" "no person makes it stiff" naohw set HeadYaw/Hardness/Actuator 1
send "set HeadYaw/Hardness/Actuator 1" "wait 100"
ends 1 "nor does a program that comes"
simulates "$HeadYaw" torque_enable 0 "it is limp"
succeeds "until it recovers" naohw recover
has torque_enable 1 HeadYaw HeadPitch
ok $? "all at once"
succeeds "what nobody moves is let go too" naohw limp --yes
has torque_enable 0 HeadYaw HeadPitch
ok $? "and is limp"
succeeds "and recovers" naohw recover

# --- in time, by the servo's own speed ---

look_at HeadYaw goal_speed
before=$number
succeeds "a joint is sent to an angle in a second" naohw set --in 1s HeadYaw/Position/Actuator 0.5
near "$(simulated "$HeadYaw" present_position)" $half_rad 10 "it is there"
simulates "$HeadYaw" goal_speed "$before" "and its servo has the speed of before"
fails_with "it takes" "what takes longer is refused" naohw set --in 1ms HeadYaw/Position/Actuator -0.5
done_testing
