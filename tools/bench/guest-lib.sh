# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# Sourced by the scripts that run in the guests: what they share.

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

# tell_host WORD ROUND -- says it, and waits until the host has done what is to be done
tell_host() {
	echo "host $1 $2"
	wait_for 20 test -e "/host/$1-$2" || die "the host does not answer to $1"
}

# The first bus's cycle
cycle=/sys/bus/dxl/devices/dxl0/cycle

have_devices() {
	grep -qx dxl0-state /sys/bus/iio/devices/*/name &&
		grep -qx dxl0-goal /sys/bus/iio/devices/*/name
}

# await_frames -- and have all joints driven
await_frames() {
	wait_for 10 have_devices || die "no frames"
	sleep 1
	for file in /sys/bus/dxl/devices/0-*/iio:device*/out_angl0_en; do
		echo 1 >"$file" || die "no torque"
	done
}

set_period() {
	echo "$1" >$cycle/period_us || die "no period of $1 us"
	echo 1 >$cycle/reset
}

# report_cycle PHASE
report_cycle() {
	local file
	for file in "$cycle"/jitter_* "$cycle"/exchanges "$cycle"/overruns "$cycle"/missed; do
		echo "kernel $1 ${file##*/}=$(cat "$file")"
	done
}

# beside_toil COMMAND... -- beside two that do what toil says, without an end
beside_toil() {
	local one other
	toil & one=$!
	toil & other=$!
	"$@"
	kill $one $other
}

# attached DEVICES -- are so many on the first bus?
attached() {
	[ "$(ls -d /sys/bus/dxl/devices/0-* 2>/dev/null | wc -l)" -eq "$1" ]
}

# attach_native TTY OVERLAY DEVICES BAUD MARGIN_US -- UML's serial lines are stuck at 38400 baud, as
# far as termios tells. The bus is told its real rate, by which it plans its periods, by a first
# exchange.
attach_native() {
	local first
	dxlattach "$1" --baud 38400 --overlay "$2" --background || die "dxlattach fails"
	wait_for 10 attached "$3" || die "no devices"
	echo "$5" >/sys/bus/dxl/devices/dxl0/timeout_margin_us
	first=$(ls /sys/bus/dxl/devices | sed -n '/^0-/{s/^0-0*//p;q}')
	{
		exec 3<>/sys/kernel/debug/dxl_exercise/run
		echo "bus=dxl0 ids=$first-$first op=single_read addr=0 len=2 baud=$4 count=1 ms=60000" >&3 ||
			die "no rate"
		cat <&3 >/dev/null
		exec 3<&-
	}
	await_frames
}

# attach_robot uml|stock MARGIN_US [OVERLAY DEVICES BAUD] -- the last three on UML
attach_robot() {
	local kernel=$1 margin=$2 module
	shift 2
	if [ "$kernel" = stock ]; then
		echo "$margin" >/sys/bus/dxl/devices/dxl0/timeout_margin_us
		await_frames
		return
	fi
	for module in dxl_ldisc dxl_servo dxl_board dxl_exercise; do
		modprobe "$module" || die "no module $module"
	done
	tell_host simulator 0
	attach_native /dev/ttyS3 "$1" "$2" "$3" "$margin"
}
