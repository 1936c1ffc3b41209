#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# rounds: 2
#
# Overlays of a machine that runs: a robot's, whose bus comes with its UART, and one for a
# device on the bus that runs; applied, removed and applied again under traffic. The runner
# looks for nodes and memory that are left.

. "$(dirname "$0")/lib.sh"

overlays=/sys/kernel/debug/dxl_overlays
uart=/sys/bus/platform/drivers/dxl-uart
tree=/proc/device-tree/pl011@9000000

# Reads and writes whatever there is, until told to stop
traffic() {
	while [ ! -e /tmp/stop ]; do
		cat $iio/iio:device*/in_angl0_raw $iio/iio:device*/in_voltage*_raw $dxl/*/state
		echo 500 | tee $iio/iio:device*/out_angl0_raw
	done >/dev/null 2>&1
}

apply() {
	dd if="$1" of=$overlays/apply bs=65536 status=none
}

remove() {
	echo >$overlays/remove
}

start_line() {
	modprobe dxl_uart
	eventually [ -c /dev/dxl-uart ]
	dxlsim --overlay /share/overlays/virt-bioloid-premium.dtbo --stdio \
		--control /tmp/control.a --quiet <>/dev/dxl-uart >&0 2>/tmp/sim.a.log &
	sim=$!
	export DXLSIM_CONTROL=/tmp/control.a
	eventually dxlctl stats
}

bus_comes() {
	apply /share/overlays/virt-bioloid.dtbo &&
		echo dxl-uart >$uart/bind && eventually servos_are 20
}

bus_goes() {
	echo dxl-uart >$uart/unbind && no_devices && remove && [ ! -e $tree/dynamixel ]
}

board_comes() {
	apply /share/test-overlays/bus-cm-510.dtbo && [ -e $tree/dynamixel/board@c8 ] &&
		eventually servos_are 21
}

board_goes() {
	remove && [ ! -e $tree/dynamixel/board@c8 ] && [ ! -e $dxl/0-200 ] && servos_are 20
}

bad=0
round=0
# note STATUS WHAT -- thousands of good results would say nothing
note() {
	[ "$1" -eq 0 ] || { bad=$((bad + 1)); echo "# round $round: $2"; }
}

load_modules
modprobe dxl_board
modprobe dxl_serdev
start_line
ok $? "a UART has a simulator behind it" || sed 's/^/# /' /tmp/sim.a.log
for _ in 1 2; do traffic & done
while [ "$round" -lt "$ROUNDS" ]; do
	round=$((round + 1))
	bus_comes
	note $? "a robot's overlay brings no bus"
	board_comes
	note $? "a board's overlay brings no board"
	board_goes
	note $? "the board does not go with it"
	board_comes
	note $? "the board does not come again"
	board_goes
	note $? "the board does not go again"
	bus_goes
	note $? "the bus does not go"
done
is "$bad" 0 "$ROUNDS rounds"

bus_comes
ok $? "the bus comes once more"
is "$(attribute "$(joint HeadYaw)/in_temp0_raw")" "$(simulated 19 present_temperature)" "and works"
bus_goes
ok $? "and goes"
touch /tmp/stop
kill $sim
wait
for module in dxl_uart dxl_serdev dxl_board dxl_servo dxl; do
	eventually rmmod $module
	ok $? "$module is unloaded"
done
[ ! -e $tree ]
ok $? "no node is left"
done_testing
