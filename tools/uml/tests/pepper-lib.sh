# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash disable=SC2154
#
# Sourced by the tests of a simulated Pepper, behind beat.sh and lola_lib.sh: it begins, and is moved.

export NAOHW_ROBOT=/share/robots/pepper.xml

# start_pepper -- and naohwd, for which its wheels turn. What takes seconds needs no more frames than these.
start_pepper() {
	load_modules 1000
	modprobe dxl_board
	# Without the line's time, of which a guest's processor has a multiple to do
	start_sim a /share/overlays/virt-pepper.dtbo
	attach_pepper
	naohw pref DCM/TargetCycleTime 60
	mkdir -p /run/naohw
	serve_pepper
}

# attach_pepper -- its bus, with wheels that turn
attach_pepper() {
	local id
	start_attach a --overlay /share/overlays/virt-pepper.dtbo
	eventually attached a 30
	ok $? "30 devices are on the bus" || sed 's/^/# /' /tmp/attach.a
	wait_for_devices dxl0
	for id in 031 032 033; do
		into $dxl/0-$id/iio:device*/out_angl0_en 0
		into $dxl/0-$id/iio:device*/operating_mode velocity
	done
	into $dxl/dxl0/cycle/period_us 60000
}

serve_pepper() {
	serve --socket /run/naohw/pepper.sock
}

# send LINE... -- in the background; sets $send
send() {
	printf '%s\n' "$@" >/tmp/commands
	naohw send -q /tmp/commands >/tmp/said 2>&1 &
	send=$!
}

# One of each chain that a row tells apart: a wheel, a joint of the leg, of an arm and of the head. Each row
# says what these do: 0, it is limp at once; p, it goes to its posture first, or stops if it is a wheel; and
# a dot, it stays stiff. Then whether waking up is forbidden, and the rows' numbers.
some="WheelB HipPitch RShoulderPitch HeadYaw"
pepper_faults="
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

# column N TABLE -- of a table, or a line, like $pepper_faults
column() {
	echo "$2" | cut -s -d'|' -f"$1"
}

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
