#!/bin/sh
# shellcheck shell=dash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# cycle-guest.sh OVERLAY DEVICES BAUD PERIOD_US SHORTEST_US SECONDS MARGIN_US LOOP...
# -- runs in the UML guest: frames and poses in each period, by a program that waits
# for the frame and then sends a pose, alone and beside others; then poses alone as
# often as they go, and such with stiffness; then the same exchange by the loop over the tty, whose arguments
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

. "$(dirname "$0")/guest-lib.sh"

# Bytes of a READ of either protocol, by the register that is asked for
question=8
case $overlay in
*xm430*) question=14 ;;
esac

# run PHASE PERIOD COMMAND... -- its figures, and those of the cycle
run() {
	local phase=$1
	set_period "$2"
	shift 2
	tell_host "$phase-begins" 0
	"$@" >/tmp/run || die "$1 fails"
	tell_host "$phase-ends" 0
	sed "s/^/kernel $phase /" /tmp/run
	report_cycle "$phase"
}

# UML takes a processor from a program only when that enters the kernel, or at the
# tick, which comes every 10 ms: so they have to.
toil() {
	exec dd if=/dev/zero of=/dev/null bs=4k 2>/dev/null
}

# sent_bytes -- on the bus, but for questions to servos that nobody hears of otherwise
sent_bytes() {
	local statistics=/sys/bus/dxl/devices/dxl0/statistics
	echo $(($(cat $statistics/tx_bytes) - question * $(cat $statistics/ack)))
}

body() {
	run "$1" "$period" bodyloop "$here/body.xml" $((seconds * 1000000 / period))
}

# loop PHASE ARGUMENT... -- as urgent as the body's
loop() {
	local phase=$1
	shift
	dxlloop --priority 40 --keep-rate --baud "$baud" --period "$period" \
		--count $((seconds * 1000000 / period)) "$@" "$tty=1-$devices" >/tmp/run ||
		die "dxlloop fails"
	sed "s/^/loop $phase /" /tmp/run
}

for module in dxl_ldisc dxl_servo dxl_exercise; do
	modprobe "$module" || die "no module $module"
done
attach_native $tty "$here/$overlay" "$devices" "$baud" "$margin"
body idle
beside_toil body busy
hammer dxl0 $((seconds + 2)) 4 >/tmp/hammer &
body requests
wait $!
sed 's/^/kernel requests /' /tmp/hammer
run poses "$shortest" stream dxl0 --for $((seconds * 1000000)) --end close --length 16
sent=$(sent_bytes)
run stiff "$shortest" stream dxl0 --for $((seconds * 1000000)) --end close --length 16 \
	--stiffness 20:80
echo "kernel stiff sent=$(($(sent_bytes) - sent))"
# shellcheck disable=SC2046
kill $(pidof dxlattach)
wait_for 10 test ! -e /sys/bus/dxl/devices/dxl0 || die "dxl0 stays"

tell_host loop-begins 0
loop idle "$@"
tell_host loop-ends 0
beside_toil loop busy "$@"
echo 'guest: end'
