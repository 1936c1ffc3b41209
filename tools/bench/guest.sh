#!/bin/sh
# shellcheck shell=dash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# guest.sh -- runs in the UML guest: every line of /share/bench/scenarios, first
# with the kernel's bus, then with the loop over the same tty. Prints what they
# report as `NAME kernel KEY=VALUE` and `NAME loop KEY=VALUE`.
here=/share/bench
run=/sys/kernel/debug/dxl_exercise/run

die() {
	echo "guest: $*"
	exit 1
}

# wait_for SECONDS COMMAND... -- until it succeeds
wait_for() {
	local tries=$(($1 * 20))
	shift
	until "$@"; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || return 1
		sleep 0.05
	done
}

control() {
	local bus=$1
	shift
	DXLSIM_CONTROL=/tmp/control$bus dxlctl "$@" >/dev/null || die "dxlctl $*"
}

# Devices come with the longest return delay there is; the turnaround alone is
# what a scenario is about.
start_simulator() {
	local bus=$1 id=1 address=9
	[ "$protocol" = 2 ] || address=5
	dxlsim --overlay "$here/$overlay" --pty "/tmp/tty$bus" --control "/tmp/control$bus" \
		--wire-time --turnaround "$turnaround" --quiet &
	simulators="$simulators $!"
	wait_for 10 test -S "/tmp/control$bus" || die "dxlsim does not start"
	while [ "$id" -le "$devices" ]; do
		control "$bus" write "$id" "$address" 0
		id=$((id + 1))
	done
}

each_bus() {
	local bus=0
	while [ "$bus" -lt "$buses" ]; do
		"$@" "$bus"
		bus=$((bus + 1))
	done
}

attach() {
	dxlattach "/tmp/tty$1" --overlay "$here/$overlay" --background ||
		die "dxlattach fails"
	wait_for 10 test -e "/sys/bus/dxl/devices/$1-$(printf %03u "$devices")" ||
		die "no devices"
}

set_return_delays() {
	local device
	for device in /sys/bus/dxl/devices/*-*/return_delay_us; do
		[ -e "$device" ] || continue
		echo "$turnaround" >"$device" || true
	done
}

silence() {
	control "$1" silence "$missing"
}

# detach -- and wait until the ttys are free
detach() {
	# shellcheck disable=SC2046 # one process for each bus
	kill $(pidof dxlattach)
	wait_for 10 test ! -e /sys/bus/dxl/devices/dxl0 || die "dxl0 stays"
	wait_for 10 is_gone dxlattach || die "dxlattach stays"
}

is_gone() {
	! pidof "$1" >/dev/null
}

labelled() {
	sed "s/^/$name $1 /"
}

cpu() {
	cputime dxlsim sh sed cputime
}

exercise_bus() {
	{
		exec 3<>"$run"
		echo "bus=dxl$1 ids=1-$devices op=group_write_read addr=$read_addr len=$read_len" \
			"waddr=$write_addr wlen=$write_len count=$count ms=60000" >&3 &&
			cat <&3 | labelled kernel
	} &
	runs="$runs $!"
}

measure_kernel() {
	local begin
	each_bus attach
	[ "$missing" = 0 ] || each_bus silence
	begin=$(cpu)
	runs=
	each_bus exercise_bus
	# shellcheck disable=SC2086 # a list of processes
	wait $runs
	echo "cpu_ns=$(($(cpu) - begin))" | labelled kernel
	detach
}

measure_loop() {
	local begin ttys='' bus=0
	while [ "$bus" -lt "$buses" ]; do
		ttys="$ttys /tmp/tty$bus=1-$devices"
		bus=$((bus + 1))
	done
	begin=$(cpu)
	# One that has ended is not in the list of processes: it tells itself.
	# shellcheck disable=SC2086 # a list of ttys
	busybox timeout 100 dxlloop --protocol "$protocol" --baud "$baud" --kind "$kind" \
		--read "$read_addr,$read_len" --write "$write_addr,$write_len" \
		--turnaround "$turnaround" --count "$count" $ttys | labelled loop
	echo "cpu_ns=$(($(cpu) - begin))" | labelled loop
}

measure() {
	simulators=
	each_bus start_simulator
	measure_kernel
	measure_loop
	# shellcheck disable=SC2086 # a list of processes
	kill $simulators
	# shellcheck disable=SC2086
	wait $simulators 2>/dev/null
}

for module in dxl_ldisc dxl_servo dxl_exercise; do
	modprobe "$module" || die "no module $module"
done
while read -r name overlay kind protocol baud turnaround devices buses missing \
	read_addr read_len write_addr write_len count; do
	measure </dev/null
done <$here/scenarios
echo 'guest: end'
