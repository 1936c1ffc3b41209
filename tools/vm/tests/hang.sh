#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# robot: bioloid
#
# A program of real time that hangs, and keeps its processor for itself, does not keep the
# watchdog from the joints.

. "$(dirname "$0")/lib.sh"

described >/tmp/described
goal=$(dirname "$(grep -lx dxl0-goal $iio/iio:device*/name)")
file=$motions/bioloid.mtn
# Whatever sleeps where the program hangs may not wake before that ends.
here=1 there=2
taskset -p $here $$ >/dev/null

# with_torque -- how many joints have it
with_torque() {
	local id
	for id in $(seq 20); do
		simulated "$id" torque_enable
	done | grep -c 1
}

tripped() {
	[ "$(cat "$goal/stream_state")" = tripped ]
}

all_free() {
	[ "$(with_torque)" -eq 0 ]
}

# QEMU stands still for tenths of a second.
into "$goal/watchdog_ms" 2000
into $dxl/dxl0/cycle/period_us 20000

for priority in 1 50 99; do
	taskset $there naohw play "$file" Wave >/tmp/said 2>&1 &
	play=$!
	eventually grep -q "step 3/" /tmp/said
	ok $? "a robot moves"
	is "$(with_torque)" 20 "with torque"
	kill -STOP $play
	timeout -s KILL 30 taskset $there chrt --fifo $priority sh -c 'while :; do :; done' &
	hog=$!
	eventually tripped
	ok $? "its program hangs with priority $priority: the watchdog acts"
	eventually all_free
	ok $? "the joints are free"
	kill -0 $hog
	ok $? "and it hangs all the while"
	kill -KILL $hog $play
	wait $hog $play
	into "$goal/buffer/enable" 0
	succeeds "the torque comes back" naohw recover
done
done_testing
