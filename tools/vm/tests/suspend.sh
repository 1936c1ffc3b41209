#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# robot: bioloid
# needs: suspend
#
# A machine that is suspended lets its joints go, whether poses are streamed or not,
# and they stay free until somebody asks for torque.

# Linux's 9p has no word for a machine that is suspended: there are no shares after
# that, and who has a file there open never ends.
case $0 in
/share/*)
	cp "$0" "$(dirname "$0")/lib.sh" /tmp
	exec sh "/tmp/${0##*/}"
	;;
esac

. "$(dirname "$0")/lib.sh"

goal=$(dirname "$(grep -lx dxl0-goal $iio/iio:device*/name)")

# torque_is 0|1 -- of all joints
torque_is() {
	[ "$(dxlctl list | awk '{ print $6 }' | grep -cx "$1")" -eq 20 ]
}

# Suspends all devices and resumes them; the processor stays awake, for a second.
nap() {
	echo 1 >/sys/module/suspend/parameters/pm_test_delay &&
		echo devices >/sys/power/pm_test &&
		echo freeze >/sys/power/state
}

for file in $dxl/0-*/iio:device*/out_angl0_en; do
	echo 1 >"$file"
done
torque_is 1
ok $? "all joints have torque"
succeeds "the machine is suspended" nap
torque_is 0
ok $? "no joint has torque"

succeeds "a stream is opened" open_stream 10000
live &
holds "$goal/stream_state" tripped "it does not give torque"
succeeds "that is asked for" sh -c "echo 1 >$goal/recover"
eventually stream_is streaming
ok $? "and comes back"
torque_is 1
ok $? "to all joints"
succeeds "the machine is suspended again" nap
holds "$goal/stream_state" tripped "the stream has tripped"
dmesg | grep -q "dxl0: no more poses"
ok $? "as the kernel's log says"
torque_is 0
ok $? "no joint has torque"

# It says so in each period, but not while the line sleeps.
succeeds "the machine is suspended with that" nap
holds "$goal/stream_state" tripped "the stream is as it was"
torque_is 0
ok $? "and so are the joints"
succeeds "the torque is asked for" sh -c "echo 1 >$goal/recover"
eventually stream_is streaming
ok $? "and comes back"
torque_is 1
ok $? "to all joints again"
kill $!
echo 0 >"$goal/buffer/enable"
done_testing
