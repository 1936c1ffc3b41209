# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash disable=SC2154
#
# Sourced by the tests of a simulated Pepper, behind beat.sh and lola_lib.sh: it begins, and is moved.

export NAOHW_ROBOT=/share/robots/pepper.xml

# start_pepper -- and naohwd, for which its wheels turn. What takes seconds needs no more frames than these.
start_pepper() {
	local id
	load_modules 1000
	modprobe dxl_board
	# Without the line's time, of which a guest's processor has a multiple to do
	start_sim a /share/overlays/virt-pepper.dtbo
	start_attach a --overlay /share/overlays/virt-pepper.dtbo
	eventually attached a 30
	ok $? "30 devices are on the bus" || sed 's/^/# /' /tmp/attach.a
	wait_for_devices dxl0
	for id in 031 032 033; do
		into $dxl/0-$id/iio:device*/out_angl0_en 0
		into $dxl/0-$id/iio:device*/operating_mode velocity
	done
	naohw pref DCM/TargetCycleTime 60
	into $dxl/dxl0/cycle/period_us 60000
	mkdir -p /run/naohw
	serve_pepper
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
