#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# rounds: 3
#
# Joints do not run away: a program that moves them dies in the middle, at ROUNDS
# random moments, and the simulator tells when torque was cut.

. "$(dirname "$0")/beat.sh"

period_us=10000
# How long after the watchdog's time torque may be cut
grace_us=$((2 * period_us))
# A fault of dxlsim's while streams end
fault=

# die NAME WATCHDOG_MS ARGUMENT... -- a stream that ends so is a stream that is cut
die() {
	local name=$1 watchdog=$2
	shift 2
	into "$goal/watchdog_ms" "$watchdog"
	torque_on "$bus"
	dxlctl stats reset >/dev/null
	# shellcheck disable=SC2086 # a command or none
	[ -z "$fault" ] || dxlctl $fault >/dev/null
	if ! stream "$bus" "$@" >/tmp/stream 2>&1; then
		ok 1 "$name: the stream fails"
		sed 's/^/# /' /tmp/stream
		return
	fi
	usleep $((watchdog * 1000 + grace_us + period_us))
	dxlctl calm >/dev/null
	judge "$watchdog" >/tmp/judged
	ok $? "$name"
	cat /tmp/judged
	[ "$(stream_state)" = tripped ] || ok 1 "$name: it is $(stream_state)"
	end_stream
}

# limp -- has no joint any torque?
limp() {
	dxlctl torque all | awk '/^ok/ { next } $2 { print "# joint " $1 " has"; bad = 1 } END { exit bad }'
}

# lives NAME ARGUMENT... -- and this one is not, neither while it lasts nor later
lives() {
	local name=$1
	shift
	into "$goal/watchdog_ms" 500
	torque_on "$bus"
	dxlctl torque all >/tmp/before
	stream "$bus" "$@" >/tmp/stream 2>&1
	ok $? "$name" || sed 's/^/# /' /tmp/stream
	sleep 1
	dxlctl torque all | cmp -s - /tmp/before
	ok $? "$name: torque stays"
	echo "# $(found poses /tmp/stream) signs of life"
}

# --- recovery ---

stiffness() {
	simulated "$1" "$stiffness"
}

# watch_recovery -- lines: time in ms, state, stiffness of two, torque; often in the
# beginning, where it must not be given before the stiffness is gone
watch_recovery() {
	local ms=0 step=2
	while [ $ms -le 2300 ]; do
		[ $ms -lt 60 ] || step=100
		echo "$ms $(stream_state) $(stiffness 1) $(stiffness 20) $(simulated 1 torque_enable)"
		into "$goal/keep_alive" 1
		usleep $((step * 1000))
		ms=$((ms + step))
	done
}

# ramps FULL -- does what watch_recovery has seen rise evenly, from nothing to all? It begins with
# the torque, which comes some periods after it was asked for.
ramps() {
	awk -v full="$1" '
	function wrong(what) { print "# " what ": " $0; bad = 1 }
	function off(value) { return value < ($1 - from - 60) / 2000 * full || value > ($1 - from + 60) / 2000 * full }
	$5 && from == "" { from = $1 }
	$5 && off($3) && $1 < 2000 { wrong("off the ramp") }
	$5 && $3 < before { wrong("less than before") }
	$1 > 60 && !$5 { wrong("no torque") }
	$1 < 1950 && $2 != "recovering" { wrong("not recovering") }
	$1 > 2100 && ($3 != full || $4 != full || $2 != "streaming") { wrong("not as before") }
	$5 { before = $3 }
	END { exit bad }' /tmp/recovery
}

# recover STIFFNESS FULL -- a register, and what it holds
recover() {
	stiffness=$1
	torque_on "$bus"
	into "$goal/watchdog_ms" 500
	stream "$bus" --for 700000 >/tmp/stream 2>&1
	sleep 1
	is "$(stream_state)" tripped "a stream is cut off"
	dxlctl list | awk '{ print $1, $4 }' >/tmp/places
	fails_with busy "torque does not come back by itself" \
		into "$(echo "$dxl/${bus#dxl}"-005/iio:device*)/out_angl0_en" 1
	succeeds "it comes back when told to" into "$goal/recover" 1
	watch_recovery >/tmp/recovery
	ramps "$2"
	ok $? "stiffness comes back over two seconds" || sed 's/^/# /' /tmp/recovery
	dxlctl list | awk '{ print $1, $4 }' | cmp -s - /tmp/places
	ok $? "no joint has moved by it"
	fails_with Invalid "there is nothing to recover from now" into "$goal/recover" 1
	end_stream
	is "$(stream_state)" idle "and it ends"
}

# --- all of it ---

load_modules 1000
start_robot a $robot 20 5
start_robot b /share/test-overlays/twenty-xm430-4m.dtbo 20 9
wait_for_devices dxl0 dxl1
on a dxl0
holds "$goal/watchdog_ms" 500 "the watchdog waits for 500 ms"

die_often

on a dxl0
stream dxl0 --for 300000 --end close >/tmp/stream 2>&1
limp
ok $? "joints that were let go do not get torque by the next stream"
end_stream
for file in $dxl/0-*/iio:device*/out_angl0_raw; do
	into "$file" 500 2>/dev/null
done
limp
ok $? "nor by single goals"
die "stopped" 500 --for 500000 --end stop
die "gone without a word" 500 --for 500000 --end leave
die "killed, having only said that it is alive" 500 --for 700000 --alive 90000
hammer dxl0 4 4 >/tmp/hammer &
hammer=$!
die "killed beside requests" 500 --for 800000 --by-frames
wait $hammer
# Nobody acknowledges what takes the torque, so it is repeated.
grace_us=$((20 * period_us))
for fault in "lose-request 30" "spoil-request 30"; do
	for seed in 1 2 3; do
		dxlctl seed $((seed * 7919)) >/dev/null
		die "killed with $fault" 500 --for $((300000 + 70000 * seed))
	done
done
grace_us=$((2 * period_us))
fault=
lives "a stream at the bus's pace" --for 5000000 --end close
lives "a stream paced by frames" --for 5000000 --end close --by-frames
lives "a stream with pauses, all below the watchdog" --for 20000000 --end close --pause 480000
lives "one that says that it is alive" --for 5000000 --end close --alive 400000
recover torque_limit 1023
on b dxl1
recover goal_pwm 885

# --- a watchdog in the servos ---
torque_on dxl1
stream dxl1 --for 1000000 --end close >/tmp/stream 2>&1 &
stream=$!
usleep 500000
is "$(stream_state)" streaming "poses are sent"
fails_with busy "and single goals are not" into "$(echo "$dxl"/1-005/iio:device*)/out_angl0_raw" 100
simulates 7 bus_watchdog 50 "the servos watch the bus, for a second"
wait $stream
simulates 7 bus_watchdog 0 "until the stream ends"
torque_on dxl1
stream dxl1 --for 3000000 --end kill >/tmp/stream 2>&1 &
stream=$!
usleep 500000
dxlctl unplug >/dev/null
usleep 1100000
is "$(simulated 7 bus_watchdog | tr -d -)" 255 "they stop by themselves when the bus is gone"
wait $stream
done_testing
