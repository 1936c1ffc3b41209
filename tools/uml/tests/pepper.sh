#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# program: naohw
# program: naohwd
# share: userspace/robots
# share: tools/vm/tests/lola_lib.sh
#
# A simulated Pepper beside naohwd: what its boards sense is in its keys, its joints move, its
# brakes open and its wheels turn; and each fault that the simulator has for it is in the keys. What
# follows from a fault is not asked here: no rules are in force.

. "$(dirname "$0")/beat.sh"
# shellcheck source=tools/vm/tests/lola_lib.sh
. /share/lola_lib.sh
. "$(dirname "$0")/pepper-lib.sh"

# What it has when nothing is wrong and nothing moves: a key, and the least and the most that it is, in
# thousandths. By read_keys all at once, as a program that is begun costs more than what it reads.
well="
Fuse/Head/Temperature/Sensor 40000 40000
Fuse/Head/Error/Sensor 0 0
Fuse/LArm/Temperature/Sensor 40000 40000
Fuse/LArm/Error/Sensor 0 0
Fuse/RArm/Temperature/Sensor 40000 40000
Fuse/RArm/Error/Sensor 0 0
Fuse/Leg/Temperature/Sensor 40000 40000
Fuse/Leg/Error/Sensor 0 0
Brake/HipPitch/Sensor 0 0
Brake/KneePitch/Sensor 0 0
Laser/Segment/1/Sensor 2999 3001
Laser/Segment/2/Sensor 2999 3001
Laser/Segment/3/Sensor 2999 3001
Laser/Error/Sensor 0 0
Platform/FrontRight/Bumper/Sensor 0 0
Platform/FrontLeft/Bumper/Sensor 0 0
Platform/Back/Bumper/Sensor 0 0
US/Left/Sensor 0 0
Battery/Temperature/Sensor 30000 30000
Battery/Charge/Sensor 800 800
InertialSensor/AngleX/Sensor 0 0
WheelFL/Speed/Sensor 0 0
WheelFR/Speed/Sensor 0 0
WheelB/Speed/Sensor 0 0
WheelB/Temperature/Sensor 25000 26000
HipPitch/Temperature/Sensor 50000 50000"

# What the simulator is told, which key has what then, in thousandths, and how far off that may be: what is
# hot cools. A fault for each kind of row of the maker's table that is not about silence, or about what
# stays the same; all at once, as no key is in two of them.
faults="
write WheelFL 146 76|WheelFL/Temperature/Sensor|76000|6000
write HeadYaw 82 80|HeadYaw/Temperature/Sensor|80000|6000
write HipPitch 83 17|Device/DeviceList/LegBoard/ErrorCode1|17000
freeze Base brake_hip_pitch 1|Brake/HipPitch/Sensor|1000
get Base brake_knee_pitch|Brake/KneePitch/Sensor|0
set FuseLeg present_temperature 80|Fuse/Leg/Temperature/Sensor|80000
set FuseHead present_temperature 85|Fuse/Head/Temperature/Sensor|85000
set FuseLeg error 1|Fuse/Leg/Error/Sensor|1000
set FuseRArm error 3|Fuse/RArm/Error/Sensor|3000
set Battery present_temperature 56|Battery/Temperature/Sensor|56000
set Laser error 2|Laser/Error/Sensor|2000
press Base front-left|Platform/FrontLeft/Bumper/Sensor|1000
press Base back|Platform/Back/Bumper/Sensor|1000
set Laser segment_2 700|Laser/Segment/2/Sensor|700|1
obstacle left 500mm|US/Left/Sensor|500"

# And the end of each
mends="
write WheelFL 146 25|WheelFL/Temperature/Sensor|25000|2000
write HeadYaw 82 50|HeadYaw/Temperature/Sensor|50000|2000
write HipPitch 83 0|Device/DeviceList/LegBoard/ErrorCode1|0
thaw Base brake_hip_pitch|Brake/HipPitch/Sensor|0
set FuseLeg present_temperature 40|Fuse/Leg/Temperature/Sensor|40000
set FuseHead present_temperature 40|Fuse/Head/Temperature/Sensor|40000
set FuseLeg error 0|Fuse/Leg/Error/Sensor|0
set FuseRArm error 0|Fuse/RArm/Error/Sensor|0
set Battery present_temperature 30|Battery/Temperature/Sensor|30000
set Laser error 0|Laser/Error/Sensor|0
release Base front-left|Platform/FrontLeft/Bumper/Sensor|0
release Base back|Platform/Back/Bumper/Sensor|0
obstacle left none|US/Left/Sensor|2550"

# read_keys KEY... -- into /tmp/keys as lines "KEY VALUE", with the number in thousandths
read_keys() {
	naohw get "$@" 2>/tmp/missing |
		awk '{ sub("^Device/SubDeviceList/", ""); sub("/Value$", "", $1); printf "%s %.0f\n", $1, 1000 * $2 }' \
			>/tmp/keys
}

# key KEY -- what read_keys has found; sets value
key() {
	local name number
	value=
	while read -r name number; do
		[ "$name" != "$1" ] || value=$number
	done </tmp/keys
}

# shown TABLE -- do the keys have what it says?
shown() {
	# shellcheck disable=SC2046 # words
	read_keys $(column 2 "$1")
	echo "$1" | grep '|' >/tmp/rows
	while IFS='|' read -r what name expected off; do
		key "$name"
		[ "$value" ] && [ $((value - expected)) -le "${off:-0}" ] &&
			[ $((expected - value)) -le "${off:-0}" ] || return 1
	done </tmp/rows
}

# befalls TABLE NAME -- has the simulator do all that
befalls() {
	column 1 "$1" | dxlctl - >/tmp/told
	grep error: /tmp/told
	# What is slow is read once a second.
	sleep 1.5
	eventually shown "$1"
	while IFS='|' read -r what name expected off; do
		key "$name"
		near "$value" "$expected" "${off:-0}" "$2: $what"
	done </tmp/rows
}

# What is never the same for long while it works; two sensors of a kind are one line
living="
Laser/Segment/1/Sensor Laser/Segment/2/Sensor Laser/Segment/3/Sensor
US/Left/Sensor US/Right/Sensor
Camera/Frames/Sensor"

# read_living -- into /tmp/now, a line for each of these
read_living() {
	local line name
	# shellcheck disable=SC2086 # words
	read_keys $living
	echo "$living" | grep / | while read -r line; do
		for name in $line; do
			key "$name"
			echo "$value"
		done | xargs
	done >/tmp/now
}

# changed -- which of the lines differ from those of /tmp/before
changed() {
	awk 'NR == FNR { before[FNR] = $0; next } $0 != before[FNR] { printf "%s ", FNR }' /tmp/before /tmp/now
}

# changes -- has each changed since? What is noisy may be twice the same.
changes() {
	read_living
	all="$all$(changed)"
	[ "$(echo "$all" | tr ' ' '\n' | grep . | sort -u | xargs)" = "1 2 3" ]
}

lives() {
	all=
	read_living
	mv /tmp/now /tmp/before
	sleep 0.5
	eventually changes
}

# stop -- what `send` has begun ends by itself
stop() {
	kill "$send"
	end_of "$send"
	is "$status" 130 "naohw send ends when it is told to" || sed 's/^/# /' /tmp/said
}

are_gone() {
	! naohw get "$@" >/tmp/keys 2>&1 && ! grep -q '^Device/' /tmp/keys
}

are_back() {
	naohw get "$@" >/tmp/keys 2>&1
}

# The rules would have it rest for the first of the faults.
naohw pref DCM/DiagnosisRules ""
start_pepper

# --- what it senses ---

# shellcheck disable=SC2046 # words
read_keys $(echo "$well" | cut -s -d' ' -f1)
echo "$well" | grep / >/tmp/rows
while read -r name low high; do
	key "$name"
	[ "$value" ] && [ "$value" -ge "$low" ] && [ "$value" -le "$high" ]
	ok $? "$name is $low" || echo "# got '$value', expected $low to $high"
done </tmp/rows

# --- what it does ---

# One joint and one wheel move. Another joint has no current, another wheel hardly speeds up, and a brake
# sticks.
succeeds "it wakes up" naohw wake
dxlctl write HeadYaw 66 0 0 >/dev/null
dxlctl write WheelB 108 1 0 0 0 >/dev/null
dxlctl freeze Base brake_knee_pitch 0 >/dev/null
send "set WheelFL/Speed 2@500" "set HipPitch -0.5@1500" "set HeadYaw 0.3@500" "set WheelB/Speed 4@500" \
	"wait 60000"
sleep 3
read_keys WheelFL/Speed/Sensor WheelFR/Speed/Sensor WheelB/Speed/Sensor WheelB/Speed/Actuator \
	HipPitch/Position/Sensor HeadYaw/Position/Sensor HeadYaw/Position/Actuator Brake/HipPitch/Sensor \
	Brake/KneePitch/Sensor
# has_now KEY VALUE OFF NAME
has_now() {
	key "$1"
	near "$value" "$2" "$3" "$4"
}
has_now WheelFL/Speed/Sensor 2000 30 "a wheel turns"
has_now WheelFR/Speed/Sensor 0 0 "and another one does not"
has_now WheelB/Speed/Actuator 4000 30 "a third one is to turn"
has_now WheelB/Speed/Sensor 600 600 "and does not as fast"
has_now HipPitch/Position/Sensor -500 2 "a joint of the leg moves"
near "$(of HipPitch present_position)" $((-500 * 65536 / 6283)) 20 "in the simulator, too"
has_now HeadYaw/Position/Actuator 300 2 "a joint is to go somewhere"
has_now HeadYaw/Position/Sensor 0 2 "and does not"
has_now Brake/HipPitch/Sensor 1000 0 "with the torque of its joint a brake is open"
has_now Brake/KneePitch/Sensor 0 0 "and one that sticks is closed"
stop
dxlctl write HeadYaw 66 208 7 >/dev/null
dxlctl write WheelB 108 0 0 0 0 >/dev/null
dxlctl thaw Base brake_knee_pitch >/dev/null
succeeds "it goes to rest" naohw rest
into "$(joint HipPitch)/out_angl0_en" 1
sleep 0.3
is "$(of HipPitch torque_enable)" 0 "nor does a program that writes to the kernel's files keep a joint stiff"

# --- what is wrong with it ---

into "$(joint US)/sonar_mode" 68
befalls "$faults" "fault"
befalls "$mends" "mended"

dxlctl noise US on >/dev/null
dxlctl obstacle front 1m >/dev/null
lives
ok $? "laser, sonar and camera are never the same for long"
for what in Laser US "Base camera_frames"; do
	echo "freeze $what"
done | dxlctl - >/dev/null
# Frames are read meanwhile, and naohwd's store is one of them.
sleep 0.5
read_living
mv /tmp/now /tmp/before
sleep 0.5
read_living
is "$(changed)" "" "they freeze"
for what in Laser US Base; do
	echo "thaw $what"
done | dxlctl - >/dev/null
lives
ok $? "and thaw"

silent="FuseHead FuseLArm FuseRArm FuseLeg Laser US Battery InertialSensor"
of_silent="Fuse/Head/Error/Sensor Fuse/LArm/Error/Sensor Fuse/RArm/Error/Sensor Fuse/Leg/Error/Sensor
	Laser/Segment/1/Sensor US/Left/Sensor Battery/Temperature/Sensor InertialSensor/AngleX/Sensor"
for what in $silent; do
	echo "silence $what"
done | dxlctl - >/dev/null
# shellcheck disable=SC2086 # words
eventually are_gone $of_silent
ok $? "what is silent has no values" || sed 's/^/# /' /tmp/keys
nacks=
for what in $silent; do
	nacks="$nacks Device/DeviceList/$(echo "$what" | sed 's/^US$/USBoard/')/Nack"
done
# shellcheck disable=SC2086 # words
read_keys $nacks
for what in $nacks; do
	key "$what"
	[ "${value:-0}" -gt 0 ]
	ok $? "$what counts that" || echo "# got '$value'"
done
for what in $silent; do
	echo "unsilence $what"
done | dxlctl - >/dev/null
# shellcheck disable=SC2086 # words
eventually are_back $of_silent
ok $? "and has them again" || sed 's/^/# /' /tmp/keys
ends
done_testing
