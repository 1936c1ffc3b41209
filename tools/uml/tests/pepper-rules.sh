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

# One of each chain that a row tells apart: a wheel, a joint of the leg, of an arm and of the head. Each row
# says what these do: 0, it is limp at once; p, it goes to its posture first, or stops if it is a wheel; and
# a dot, it stays stiff. Then whether waking up is forbidden, and the rows' numbers.
some="WheelB HipPitch RShoulderPitch HeadYaw"
rows="
write WheelFL 146 76|write WheelFL 146 25|pppp|1|1 a wheel has status 2
write HipPitch 82 80|write HipPitch 82 50|pppp|1|3 a leg has status 2
write HipPitch 82 90|write HipPitch 82 50|00pp|1|4 a leg has status 3
write HeadPitch 82 80|write HeadPitch 82 50|...p|0|5 the head has status 2
write HeadPitch 82 90|write HeadPitch 82 50|...0|0|6 the head has status 3
silence WheelFL|unsilence WheelFL|0ppp|1|7 a wheel is silent
silence KneePitch|unsilence KneePitch|00pp|1|8 a joint of the leg is silent
silence HeadPitch|unsilence HeadPitch|...0|0|9 a joint of the head is silent
set FuseLeg present_temperature 80|set FuseLeg present_temperature 40|pppp|1|15 the leg's fuse has status 2
set FuseLeg present_temperature 90|set FuseLeg present_temperature 40|00pp|1|16 it has status 3
set FuseHead present_temperature 80|set FuseHead present_temperature 40|...p|0|17 the head's fuse has status 2
set FuseHead present_temperature 90|set FuseHead present_temperature 40|...0|0|18 it has status 3
set Battery present_temperature 56|set Battery present_temperature 30|pppp|1|19 the battery has status 2
set Battery present_temperature 62|set Battery present_temperature 30|0000|1|20 it has status 3
silence FuseLeg|unsilence FuseLeg|pppp|1|22 the leg's fuse is silent
set FuseHead error 1|set FuseHead error 0|...p|0|23 the head's fuse has an error
silence Laser|unsilence Laser|....|0|25 the laser is silent
silence US|unsilence US|....|0|26 the sonar is silent
silence Battery|unsilence Battery|pppp|1|27 the battery is silent"

value_of() {
	naohw get "$1" 2>/dev/null
}

# torques -- lines "LABEL STATE TIME", the latter in ns: since when it has been so
torques() {
	local label
	dxlctl torque all >/tmp/torques
	for label in $some; do
		awk -v id="$(id_of "$label")" -v label="$label" '$1 == id { print label, $2, $3 }' /tmp/torques
	done >/tmp/some
}

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

# at_posture LABEL REST -- in thousandths of a rad
at_posture() {
	near "$(of "$1" present_position)" $(($2 * 65536 / 6283)) 500 "$1 is at its posture"
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

echo "$rows" | grep '|' >/tmp/rows
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
fails_with "does not" "and it may not wake up" naohw wake
dxlctl - >/dev/null <<'END'
write HipPitch 66 208 7
write HeadYaw 66 208 7
thaw Laser
thaw US
thaw Base camera_frames
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
done_testing
