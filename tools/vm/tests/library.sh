#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# robot: bioloid
#
# What the library reads is what IIO reads, and what it writes arrives.

. "$(dirname "$0")/lib.sh"

prefix=Device/SubDeviceList

# same_value KEY-VALUE RAW OFFSET SCALE [KEYS-GAIN KEYS-OFFSET] -- equal to six digits
same_value() {
	awk -v got="$1" -v raw="$2" -v offset="$3" -v scale="$4" \
		-v gain="${5:-1}" -v zero="${6:-0}" 'BEGIN {
		d = got - ((raw + offset) * scale * gain + zero)
		exit !(got != "" && d < 1e-5 && d > -1e-5)
	}'
}

# value KEY -- the number that naohw prints, which comes last
value() {
	naohw get "$1" | awk '{ print $NF }'
}

# values_of FIELD... -- of all joints, a line each, by one naohw, as each opens the robot
values_of() {
	local id label field
	while read -r id label; do
		for field; do
			echo "$prefix/$label/$field"
		done
	done </tmp/described | xargs naohw get
}

# next -- the number of the next line; sets number
next() {
	read -r number <&3
	number=${number##* }
}

described >/tmp/described
values_of Position/Sensor/Value Position/Sensor/Gain Position/Sensor/Offset \
	Temperature/Sensor/Value >/tmp/values
exec 3</tmp/values
while read -r id label; do
	dir=$(joint "$label")
	read -r raw <"$dir/in_angl0_raw"
	read -r offset <"$dir/in_angl0_offset"
	read -r scale <"$dir/in_angl0_scale"
	next
	position=$number
	next
	gain=$number
	next
	same_value "$position" "$raw" "$offset" "$scale" "$gain" "$number"
	ok $? "$label: position"
	read -r raw <"$dir/in_temp0_raw"
	next
	same_value "$number" "$raw" 0 1
	ok $? "$label: temperature"
done </tmp/described
exec 3<&-

succeeds "a goal in rad is set" naohw set "$prefix/HeadYaw/Position/Actuator/Value" 0.5
# 0.5 rad / 0.005113269 + 512
near "$(simulated 19 goal_position)" 610 1 "and is the servo's goal"
fails_with "far outside" "degrees are no goal" naohw set "$prefix/HeadYaw/Position/Actuator/Value" 30
near "$(simulated 19 goal_position)" 610 1 "and leave the one before"
succeeds "a goal a little beyond Max is set" naohw set "$prefix/HeadYaw/Position/Actuator/Value" 160deg
simulates 19 goal_position 1023 "and is the servo's highest"

succeeds "hardness is set" naohw set "$prefix/HeadYaw/Hardness/Actuator/Value" 0.25
near "$(simulated 19 torque_limit)" 256 1 "and limits torque"
simulates 19 torque_enable 1 "and switches it on"
succeeds "hardness 0 is set" naohw set "$prefix/HeadYaw/Hardness/Actuator/Value" 0
simulates 19 torque_enable 0 "and switches torque off"

# --- a program of a user's: the kernel watches over what it moves by keys ---

goal=$(dirname "$(grep -lx dxl0-goal $iio/iio:device*/name)")
shake=/usr/share/naohw/examples/shake
torque_is() {
	[ "$(simulated 19 torque_enable)" = "$1" ]
}

# Frames set its pace, and QEMU is slow: it is to be there for some seconds.
into $dxl/dxl0/cycle/period_us 40000
"$shake" >/tmp/said 2>&1 &
program=$!
eventually stream_is leased
ok $? "a program that writes keys is watched"
eventually torque_is 1
ok $? "and gives torque"
wait $program
is $? 0 "it ends well" || sed 's/^/# /' /tmp/said
is "$(simulated 19 torque_enable) $(cat "$goal/stream_state")" "0 idle" "and its joint is let go"
# By one that is there for as long as that takes
exec 4>/dev/dxl0
fails_with "another program" "a second one is refused" "$shake"
exec 4>&-

into "$goal/watchdog_ms" 1000
# It is to be there until it is stopped, on a slow machine, too.
into $dxl/dxl0/cycle/period_us 200000
"$shake" >/tmp/said 2>&1 &
program=$!
eventually torque_is 1
kill -STOP $program
eventually stream_is lapsed
ok $? "one that stops is no more waited for than a second"
eventually torque_is 0
ok $? "and its joint is let go"
kill -CONT $program
wait $program
is $? 1 "it fails when it goes on"
# It may have been stopped in the midst of a write, which is refused then.
grep -q "the kernel has let the joints go\|the joint has been let go" /tmp/said
ok $? "and says why" || sed 's/^/# /' /tmp/said
is "$(simulated 19 torque_enable) $(cat "$goal/stream_state")" "0 idle" "without torque"
into $dxl/dxl0/cycle/period_us 40000

# --- one that reads keys beside a loop, from the store ---

/usr/share/naohw/examples/monitor >/tmp/looks 2>/tmp/said
is $? 0 "a program looks at keys while another of its threads has the frames" ||
	sed 's/^/# /' /tmp/said
is "$(grep -c fresh /tmp/looks)" 100 "five times at all joints"
is "$(awk '/HeadPitch/ { print $2 }' /tmp/looks | tail -n 1)" \
	"$(printf %.3f "$(value "$prefix/HeadPitch/Position/Sensor/Value")")" \
	"and sees what the keys say"

# --- and one that comes while another moves the robot disturbs nobody ---

into "$goal/watchdog_ms" 5000
succeeds "a stream begins" open_stream
exec 3>"/dev/$(basename "$goal")"
holds "$goal/stream_state" tripped "with joints that were let go"
succeeds "they recover" into "$goal/recover" 1
eventually stream_is streaming
# On a slow machine the program takes longer to say so than the watchdog waits.
live &
alive=$!
fails_with "another program" "who writes keys then is refused" "$shake"
is "$(simulated 19 torque_enable) $(cat "$goal/stream_state")" "1 streaming" \
	"and leaves nobody without torque"
kill "$alive"
exec 3>&-
into "$goal/buffer/enable" 0

succeeds "who sets a key at the shell" naohw set HeadYaw/Hardness/Actuator 0.5
simulates 19 torque_enable 1 "has it last"

fails_with "Nose" "a key that does not exist is named" naohw get "$prefix/Nose/Position/Sensor/Value"
is "$(naohw list | grep -cE 'ax-12')" 20 "naohw list shows 20 joints"
done_testing
