#!/bin/sh
# shellcheck shell=dash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# stock-guest.sh cost|lateness bus|tty DEVICES PERIOD_US FRAMES MARGIN_US LOOP... -- runs
# on the stock kernel: frames and poses in each period, by a program that waits for the
# frame and then sends a pose; or, where the port is a tty, the same exchange by the
# loop, whose arguments LOOP are. Either the instructions of that are counted, or it runs
# alone and beside others. Prints lines `WHO PHASE KEY=VALUE`.
here=/share/bench
what=$1
port=$2
devices=$3
period=$4
frames=$5
margin=$6
shift 6
# Words without spaces
loop_arguments=$*
# What more frames cost than these has no part in how a program starts.
few=50

. "$(dirname "$0")/guest-lib.sh"

# run WHO PHASE COMMAND... -- what it says, and what the machine has to do meanwhile
run() {
	local label="$1 $2" tally=
	shift 2
	[ "$what" != cost ] || tally=$here/tally
	$tally "$@" >/tmp/run 2>/tmp/errors || die "$(cat /tmp/errors)"
	sed "s/^/$label /" /tmp/run
}

toil() {
	while :; do :; done
}

# bus PHASE FRAMES
bus() {
	set_period "$period"
	run kernel "$1" $here/bodyloop $here/body.xml "$2"
	report_cycle "$1"
}

# tty PHASE FRAMES -- as urgent as the body's
tty() {
	# shellcheck disable=SC2086 # words
	run loop "$1" $here/dxlloop --priority 40 --keep-rate --period "$period" --count "$2" \
		$loop_arguments "/dev/ttyAMA0=1-$devices"
}

cost() {
	# Until udev and all else has come to rest
	sleep 5
	run "$port" rest sleep 5
	"$port" few $few
	"$port" many $((few + frames))
}

beside_requests() {
	$here/hammer dxl0 $((frames * period / 1000000 + 3)) 4 >/tmp/hammer &
	"$@"
	wait $!
	sed 's/^/kernel requests /' /tmp/hammer
}

lateness() {
	"$port" idle "$frames"
	beside_toil "$port" busy "$frames"
	[ "$port" = tty ] || beside_requests bus requests "$frames"
}

if [ "$port" = bus ]; then
	echo "$margin" >/sys/bus/dxl/devices/dxl0/timeout_margin_us
	await_frames
fi
"$what"
echo 'guest: end'
