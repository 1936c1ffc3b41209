#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# in: check-all
# time-travel: yes
# program: naohw
# program: naohwd
# share: userspace/robots
# share: tools/vm/tests/lola_lib.sh
#
# A simulated Pepper beside naohwd, which acts on what is wrong by the maker's table: each row is a fault
# of the simulator's, and the simulator's own log says which joint lost its torque when. (The table's rows
# are numbered as in the source of the rules.)

. "$(dirname "$0")/beat.sh"
# shellcheck source=tools/vm/tests/lola_lib.sh
. /share/lola_lib.sh
. "$(dirname "$0")/pepper-lib.sh"

# are PATTERN -- is each as it is to be in the end?
are() {
	torques
	awk -v pattern="$1" '{ wanted = substr(pattern, NR, 1) == "."; if ($2 != wanted) exit 1 }' /tmp/some
}

# in_order PATTERN -- those that were limp at once were so within a tenth of a second, and those that went to
# their postures half a second later, or more
in_order() {
	awk -v pattern="$1" '
	{ kind[NR] = substr(pattern, NR, 1); time[NR] = $3 / 1e9 }
	kind[NR] == "0" && (!first || time[NR] < first) { first = time[NR] }
	END {
		for (i = 1; i <= NR; i++) {
			if (kind[i] == "0" && time[i] - first > 0.15)
				bad = 1
			if (kind[i] == "p" && first && time[i] - first < 0.5)
				bad = 1
		}
		exit bad
	}' /tmp/some
}

# The posture of those of $some that have one, in thousandths of a rad
postures="HipPitch -1038
RShoulderPitch 1103
HeadYaw 0"

# at_posture PATTERN -- is each there that went there before its torque went?
at_posture() {
	local label rest at joint=1
	echo "$postures" | while read -r label rest; do
		joint=$((joint + 1))
		[ "$(echo "$1" | cut -c$joint)" = p ] || continue
		at=$(of "$label" present_position)
		at=$((at - rest * 65536 / 6283))
		[ "$at" -ge -500 ] && [ "$at" -le 500 ] || echo "$label is $at counts from its posture"
	done >/tmp/away
	[ ! -s /tmp/away ]
}

# ready -- awake, away from its posture, with a wheel that turns
ready() {
	naohw wake >/tmp/woken 2>&1 || sed 's/^/# /' /tmp/woken
	send "set HipPitch -0.2@900" "set RShoulderPitch 0.2@900" "set HeadYaw 0.9@900" \
		"set WheelB/Speed 1@500" "wait 60000"
	sleep 2
}

leave() {
	kill "$send" 2>/dev/null
	end_of "$send"
}

# row FAULT MEND PATTERN FORBIDS NAME
row() {
	ready
	are ....
	ok $? "$5: it is stiff before" || sed 's/^/# /' /tmp/some /tmp/said /tmp/woken
	dxlctl $1 >/dev/null
	sleep 2.5
	eventually are "$3"
	ok $? "$5: $3" || sed 's/^/# /' /tmp/some /tmp/said
	in_order "$3"
	ok $? "$5: in this order" || sed 's/^/# /' /tmp/some
	at_posture "$3"
	ok $? "$5: at its posture" || sed 's/^/# /' /tmp/away
	case $(value_of DCM/WakeUpForbidden) in
	'') is 0 "$4" "$5: waking up is not forbidden" ;;
	*) is 1 "$4" "$5: waking up is forbidden" ;;
	esac
	leave
	dxlctl $2 >/dev/null
	# Two seconds without a code, and then 50 good frames
	sleep 7
	is "$(value_of DCM/WakeUpForbidden)" "" "$5: it is over"
}

start_pepper

echo "$pepper_faults" | grep '|' >/tmp/rows
while IFS='|' read -r fault mend pattern forbids name <&3; do
	row "$fault" "$mend" "$pattern" "$forbids" "$name"
done 3</tmp/rows

# --- a brake ---

ready
dxlctl freeze Base brake_hip_pitch 0 >/dev/null
eventually are pppp
ok $? "11 a brake stays closed: the body rests" || sed 's/^/# /' /tmp/some
fails_with "it stays closed" "and may not wake up" naohw wake
leave
dxlctl thaw Base brake_hip_pitch >/dev/null
succeeds "until the active diagnosis has opened it" naohw diagnose --active
dxlctl freeze Base brake_hip_pitch 1 >/dev/null
sleep 2
fails_with "it stays open" "10 one that stays open forbids it, too" naohw wake
dxlctl thaw Base brake_hip_pitch >/dev/null
sleep 2

# --- the active diagnosis ---

ready
leave
into "$(joint US)/sonar_mode" 68
dxlctl noise US on >/dev/null
dxlctl obstacle front 1m >/dev/null
sleep 1
dxlctl - >/dev/null <<'END'
write HipPitch 66 0 0
write HeadYaw 66 0 0
freeze Laser
freeze US
freeze Base camera_frames
write WheelB 108 1 0 0 0
press Base front-left
silence InertialSensor
END
fails_with "HipPitch: it does not go where it is sent" "13 a joint of the leg does not move" \
	naohw diagnose --active
for what in "HeadYaw: it does not go" "Laser: its value does not change" "US: its value does not change" \
	"Camera: it does not respond" "Bumper: it stays pressed" "InertialSensor: it does not respond" \
	"as if Laser saw an obstacle" "as if US saw an obstacle"; do
	grep -q "$what" $tried
	ok $? "$what" || sed 's/^/# /' $tried
done
grep -q "WheelB: it does not go" $tried
ok $? "12 nor does a wheel, which hardly speeds up, turn" || sed 's/^/# /' $tried
fails_with "does not" "and it may not wake up" naohw wake
dxlctl - >/dev/null <<'END'
write HipPitch 66 208 7
write HeadYaw 66 208 7
thaw Laser
thaw US
thaw Base camera_frames
write WheelB 108 0 0 0 0
release Base front-left
unsilence InertialSensor
END
sleep 2
succeeds "all pass when they are well again" naohw diagnose --active
succeeds "and it wakes up" naohw wake

# --- the program that has the cycle ---

kill -9 "$daemon"
sleep 1
serve_pepper
[ "$(value_of DCM/WakeUpForbidden)" ]
ok $? "21 naohwd has died: the next one forbids waking up"
succeeds "until somebody asks, and it has run for five seconds" naohw wake
eventually are ....
ok $? "then it is stiff" || sed 's/^/# /' /tmp/some

# --- the bus, which the servos know nothing of ---

ready
leave
kill "$attach"
end_of "$attach"
eventually [ ! -d $dxl/dxl0 ]
sleep 1
[ "$(value_of DCM/WakeUpForbidden)" = "Bus: its adapter is gone" ]
ok $? "24 the bus is gone, and that forbids waking up" || echo "# $(value_of DCM/WakeUpForbidden)"
kill "$daemon"
end_of "$daemon"
attach_pepper
serve_pepper
eventually are 0000
ok $? "the next naohwd lets all joints go first" || sed 's/^/# /' /tmp/some
sleep 5
is "$(value_of DCM/WakeUpForbidden)" "" "until its frames come"
succeeds "and it wakes up" naohw wake
done_testing
