#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# rounds: 2
#
# A program of real time that hangs and has the only processor for itself does not keep
# the watchdog from the joints, whatever task it has interrupted, ROUNDS times: that may
# be one that reads attributes, as anybody may.

. "$(dirname "$0")/beat.sh"

# A stream behind one that has tripped gives torque when it is told to.
streams() {
	local state
	read -r state <"$goal/stream_state"
	[ "$state" != tripped ] || echo 1 >"$goal/recover"
	[ "$state" = streaming ] || [ "$state" = recovering ]
} 2>/dev/null

# Who is asked often enough is known to be.
lost() {
	read -r _ <"$(echo $dxl/0-020/iio:device*/in_angl0_raw)"
	line_is $dxl/0-020/state lost
} 2>/dev/null

# Each time it fails at once, and is tried again at once.
read_for_ever() {
	local file
	file=$(echo $dxl/0-020/iio:device*/in_angl0_raw)
	while :; do
		read -r _ <"$file"
	done 2>/dev/null
}

load_modules 20000
start_robot a $robot 20 5
wait_for_devices dxl0
use a
goal=$(device_named dxl0-goal)
# Linux gives others a twentieth of each second; in the first 0.95 nobody gets any.
hang_s=0.9
into "$goal/watchdog_ms" 300

dxlctl silence 20 >/dev/null
eventually lost
ok $? "a servo is lost"
readers=
for _ in 1 2 3 4; do
	read_for_ever &
	readers="$readers $!"
done

torque_on dxl0 >/dev/null 2>&1
round=0
while [ "$round" -lt "$ROUNDS" ]; do
	round=$((round + 1))
	stream dxl0 --for 60000000 >/tmp/stream 2>&1 &
	stream=$!
	eventually streams || ok 1 "nothing streams"
	usleep $((round * 7919))
	kill -STOP $stream
	hang $hang_s "$goal/stream_state" $dxl/dxl0/statistics/packets >/tmp/hung
	read -r was before is after </tmp/hung
	# Each period says it again, but for what the machine owes.
	[ "$is" = tripped ] && [ $((after - before)) -gt 30 ]
	ok $? "the joints are let go, and told so" || echo "# $was $before $is $after"
	kill -KILL $stream
	wait $stream
	into "$goal/buffer0/enable" 0
done
# shellcheck disable=SC2086 # a list
kill $readers
done_testing
