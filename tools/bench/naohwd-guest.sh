#!/bin/sh
# shellcheck shell=dash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# naohwd-guest.sh uml|stock DESCRIPTION PERIOD_US CYCLES MARGIN_US [OVERLAY DEVICES BAUD] -- runs in
# a guest: naohwd, and on the stock kernel the time from a command by JSON-RPC to the bytes that it
# changes, of which the trace goes to /host; then a client that moves all joints and sees each
# cycle, alone and beside others by JSON-RPC. Prints lines `naohwd PHASE KEY=VALUE`.
here=/share/bench
kernel=$1
description=$2
period=$3
cycles=$4
margin=$5
shift 5
# UML has them in /bin, and there they may be the other's.
[ "$kernel" = uml ] || PATH=$here:$PATH
# Of either robot: one for each of the others
joints="HeadYaw HeadPitch LShoulderPitch LShoulderRoll RShoulderPitch RShoulderRoll LHipRoll
	RHipRoll LKneePitch RKneePitch"

. "$(dirname "$0")/guest-lib.sh"

trace=/sys/kernel/tracing
export NAOHW_RUN=/tmp
socket=$NAOHW_RUN/$(basename "$description" .xml).sock

# beside_others PAUSE_US JOINTS COMMAND...
beside_others() {
	local pid pause=$1 names=$2
	shift 2
	# shellcheck disable=SC2086 # a list
	rpcloop "$socket" "$pause" $names >/tmp/others 2>/tmp/errors & pid=$!
	"$@"
	kill $pid
	wait $pid || die "$(cat /tmp/errors)"
}

# cycles_of PHASE
cycles_of() {
	dcmloop "$description" "$period" "$cycles" $daemon >/tmp/run 2>/tmp/errors.dcm ||
		die "$(cat /tmp/errors.dcm)"
	sed "s/^/naohwd $1 /" /tmp/run
}

# Past the first command, which may be a long way
traced_for() {
	sleep 2
	echo 1 >$trace/tracing_on
	sleep "$1"
	echo 0 >$trace/tracing_on
}

# wire -- while nothing else moves, 7.37 periods apart, which is at all times of a period. By
# one clock; what is asked of servos is left out.
wire() {
	[ -d $trace/events ] || mount -t tracefs tracefs $trace || die "no trace"
	echo 0 >$trace/tracing_on
	echo mono >$trace/trace_clock
	echo 8192 >$trace/buffer_size_kb
	echo 1 >$trace/events/dxl/dxl_tx/enable
	beside_others $((period * 737 / 100)) HeadYaw traced_for $((cycles * period / 1000000 + 5))
	echo 0 >$trace/events/dxl/dxl_tx/enable
	grep -E 'len=[0-9]+ .{8}83|tracing_mark_write:' $trace/trace >/host/trace
}

attach_robot "$kernel" "$margin" "$@"
set_period "$period"
naohwd --robot "$description" --socket "$socket" 2>/tmp/naohwd &
daemon=$!
wait_for 20 grep -q serves /tmp/naohwd || die "$(cat /tmp/naohwd)"
[ "$kernel" = uml ] || wire
cycles_of alone
beside_others 0 "$joints" cycles_of clients
sed 's/^/naohwd clients /' /tmp/others
kill $daemon
wait $daemon
echo 'guest: end'
