#!/bin/sh
# shellcheck shell=dash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# cycle-guest.sh OVERLAY DEVICES BAUD PERIOD_US SHORTEST_US SECONDS MARGIN_US LOOP...
# -- runs in the UML guest: frames and poses in each period, by a program that waits
# for the frame and then sends a pose, alone and beside others; then poses alone as
# often as they go; then the same exchange by the loop over the tty, whose arguments
# LOOP are. Prints lines `WHO PHASE KEY=VALUE`.
here=/share/bench
tty=/dev/ttyS3
overlay=$1
devices=$2
baud=$3
period=$4
shortest=$5
seconds=$6
margin=$7
shift 7
cycle=/sys/bus/dxl/devices/dxl0/cycle

die() {
	echo "guest: $*"
	dmesg | tail -n 5
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

# tell_host WORD -- says it, and waits until the host has done what is to be done
tell_host() {
	echo "host $1 0"
	wait_for 20 test -e "/host/$1-0" || die "the host does not answer to $1"
}

have_devices() {
	grep -qx dxl0-state /sys/bus/iio/devices/*/name &&
		grep -qx dxl0-goal /sys/bus/iio/devices/*/name
}

# UML's serial lines are stuck at 38400 baud, as far as termios tells. The bus is
# told its real rate, by which it plans its periods, by a first exchange.
attach() {
	dxlattach $tty --baud 38400 --overlay "$here/$overlay" --background || die "dxlattach fails"
	wait_for 10 test -e "/sys/bus/dxl/devices/0-$(printf %03u "$devices")" || die "no devices"
	echo "$margin" >/sys/bus/dxl/devices/dxl0/timeout_margin_us
	{
		exec 3<>/sys/kernel/debug/dxl_exercise/run
		echo "bus=dxl0 ids=1-$devices op=single_read addr=0 len=2 baud=$baud count=1 ms=60000" >&3 || die "no rate"
		cat <&3 >/dev/null
		exec 3<&-
	}
	wait_for 10 have_devices || die "no frames"
	sleep 1
	for file in /sys/bus/dxl/devices/0-*/iio:device*/out_angl0_en; do
		echo 1 >"$file" || die "no torque"
	done
}

# run PHASE PERIOD STREAM... -- its figures
run() {
	local phase=$1 period_us=$2 name
	shift 2
	echo "$period_us" >$cycle/period_us || die "no period of $period_us us"
	echo 1 >$cycle/reset
	tell_host "$phase-begins"
	stream dxl0 --for $((seconds * 1000000)) --end close "$@" >/tmp/stream || die "stream fails"
	tell_host "$phase-ends"
	for name in "$cycle"/jitter_* "$cycle"/exchanges "$cycle"/overruns "$cycle"/missed; do
		echo "kernel $phase ${name##*/}=$(cat "$name")"
	done
	echo "kernel $phase poses=$(sed -n 's/^poses=//p' /tmp/stream)"
}

# UML takes a processor from a program only when that enters the kernel, or at the
# tick, which comes every 10 ms: so they have to.
toil() {
	exec dd if=/dev/zero of=/dev/null bs=4k 2>/dev/null
}

both() {
	run "$1" "$period" --by-frames --length 2 --frame in_angl --frame in_current \
		--frame in_count --frame in_timestamp
}

for module in dxl_ldisc dxl_servo dxl_exercise; do
	modprobe "$module" || die "no module $module"
done
attach
both idle
toil & one=$!
toil & other=$!
both busy
kill $one $other
hammer dxl0 $((seconds + 2)) 4 >/tmp/hammer &
both requests
wait $!
sed 's/^/kernel requests /' /tmp/hammer
run poses "$shortest" --length 16
# shellcheck disable=SC2046
kill $(pidof dxlattach)
wait_for 10 test ! -e /sys/bus/dxl/devices/dxl0 || die "dxl0 stays"

tell_host loop-begins
dxlloop --keep-rate --baud "$baud" --period "$period" --count $((seconds * 1000000 / period)) \
	"$@" "$tty=1-$devices" | sed 's/^/loop idle /'
tell_host loop-ends
toil & one=$!
toil & other=$!
dxlloop --keep-rate --baud "$baud" --period "$period" --count $((seconds * 1000000 / period)) \
	"$@" "$tty=1-$devices" | sed 's/^/loop busy /'
kill $one $other
echo 'guest: end'
