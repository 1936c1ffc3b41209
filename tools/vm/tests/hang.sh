#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# robot: bioloid
# parallel: yes
# in: check-all
#
# A program of real time that hangs, and keeps its processor for itself, does not keep the
# watchdog from the joints.

. "$(dirname "$0")/lib.sh"

goal=$(dirname "$(grep -lx dxl0-goal $iio/iio:device*/name)")
file=$motions/bioloid.mtn
# Whatever sleeps where the program hangs may not wake before that ends.
here=1 there=2
taskset -p $here $$ >/dev/null

# joints_with TORQUE -- how many of them have that, 1 or 0
joints_with() {
	all_simulated torque_enable | grep -c "$1"
}

tripped() {
	line_is "$goal/stream_state" tripped
}

all_free() {
	[ "$(joints_with 0)" -eq 20 ]
}

# QEMU stands still for tenths of a second, and what the processor owes to RCU meanwhile is
# no subject here.
into "$goal/watchdog_ms" 2000
beat_every 40
into /sys/module/rcupdate/parameters/rcu_cpu_stall_timeout 120

# Up to what a program may have with PREEMPT_RT
for priority in 1 49; do
	rm -f /tmp/said /tmp/hangs
	taskset $there naohw play --head --stiff --repeat 20 "$file" Wave >/tmp/said 2>&1 &
	play=$!
	eventually grep -q "step 3/" /tmp/said
	ok $? "a robot moves"
	is "$(joints_with 1)" 20 "with torque"
	kill -STOP $play
	timeout -s KILL 60 taskset $there chrt --fifo $priority \
		sh -c ': >/tmp/hangs; while :; do :; done' &
	hog=$!
	eventually [ -e /tmp/hangs ]
	ok $? "its program hangs, with priority $priority"
	eventually tripped
	ok $? "the watchdog acts"
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
