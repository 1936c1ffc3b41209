#!/bin/sh
# shellcheck shell=dash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# open-guest.sh LABEL -- runs in the UML guest: a whole NAO on one bus, which programs open.
# The simulator is in the guest as well, on the same processor. Prints what `opening` does.
overlay=/share/overlays/virt-nao-h25-v33.dtbo
devices=36
# A bus with 36 devices that share a processor with them takes its time.
margin=200000
# Where the motor boards keep their return delay, as longest as they come
delay=5

. "$(dirname "$0")/guest-lib.sh"

start_simulator() {
	local id
	export DXLSIM_CONTROL=/tmp/control
	dxlsim --overlay $overlay --pty /tmp/tty --control $DXLSIM_CONTROL --wire-time --quiet &
	wait_for 10 test -S $DXLSIM_CONTROL || die "dxlsim does not start"
	for id in $(dxlctl list | sed -n 's/^\([0-9]*\) .*/\1/p'); do
		dxlctl write "$id" $delay 0 >/dev/null || die "no device $id"
	done
}

for module in dxl_ldisc dxl_servo dxl_board; do
	modprobe "$module" || die "no module $module"
done
start_simulator
dxlattach /tmp/tty --overlay $overlay --background || die "dxlattach fails"
wait_for 20 attached $devices || die "not all devices are there"
echo $margin >/sys/bus/dxl/devices/dxl0/timeout_margin_us
await_frames
set_period 20000
opening /share/nao-h25-v33.xml "$1" || die "opening fails"
echo 'guest: end'
