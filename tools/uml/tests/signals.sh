#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# program: naohw
# share: userspace/robots
# share: userspace/motions
#
# A program that moves the robot is ended by a signal, or nobody reads what it prints: the
# stream is closed in order, and no joint loses its torque.

. "$(dirname "$0")/beat.sh"
export NAOHW_ROBOT=/share/robots/bioloid.xml

# torques -- how many joints have torque
torques() {
	all_simulated torque_enable | grep -cx 1
}

# state -- of the stream, and how many joints have torque
state() {
	echo "$(cat "$goal/buffer/enable" "$goal/stream_state" 2>/dev/null | xargs) $(torques)"
}

is_well() {
	[ "$(state)" = "0 idle 20" ]
}

# well NAME -- the robot stands as a program leaves it that ends by itself. The device of its poses is
# registered anew a moment after the stream has ended, as the DCM gives their stiffness back.
well() {
	eventually is_well
	is "$(state)" "0 idle 20" "$1: the stream is closed, and all joints have torque"
}

# ended STATUS NAME
ended() {
	end_of "$program"
	is "$status" "$1" "$2: it ends with $1" || sed 's/^/# /' /tmp/said
	well "$2"
}

# start COMMAND...
start() {
	"$@" >/tmp/said 2>&1 &
	program=$!
}

load_modules 1000
start_robot a $robot 20 5
wait_for_devices dxl0
on a dxl0
# Each period costs the guest's processor some milliseconds.
beat_every 40
sed -nE 's/^  0-0*([0-9]+): [^ ]+ /\1 /p' /tmp/attach.a >/tmp/described
file=/share/motions/bioloid.mtn

succeeds "the robot stands up" naohw play --head --stiff --settle 60 "$file" Stand
well "before"

# stream_test, on the host, sends the other signals, and those that the program has to ignore.
start naohw play --settle 60 "$file" Wave
eventually grep -q "step 1/" /tmp/said
kill -TERM "$program"
ended 130 "SIGTERM"

start naohw play --settle 60 "$file" Wave
until line_is "$goal/buffer/enable" 1 || ! kill -0 "$program"; do
	usleep 1000
done
kill -TERM "$program"
ended 130 "as the stream opens"
grep -q "step 2/" /tmp/said
is $? 1 "and there was no motion"

(
	status=0
	naohw play --settle 60 "$file" Wave || status=$?
	echo $status >/tmp/status
) 2>/tmp/said | head -n 1 >/dev/null
is "$(cat /tmp/status)" 1 "a reader that has enough is no success"
grep -q "cannot write the output" /tmp/said
ok $? "which is told"
check_pose "$file" Wave
well "head -n 1"

# A pipe that takes no more
mkfifo /tmp/pipe
exec 5<>/tmp/pipe
timeout 2 dd if=/dev/zero bs=1024 count=1024 of=/tmp/pipe 2>/dev/null
naohw play --settle 60 "$file" Bow >/tmp/pipe 2>&1 &
program=$!
eventually stream_is streaming
ok $? "it plays, though nobody takes what it prints"
eventually stream_is idle
well "a reader that stands still"
check_pose "$file" Bow
# As it closes the stream, it takes no signal for one that ends it at once.
sleep 1
kill -TERM "$program"
end_of "$program"
is "$status" 143 "as it waits for its reader it can be ended"
exec 5>&-

# Who was killed has left the stream open, so it trips.
start naohw play --settle 60 "$file" Wave
eventually grep -q "step 1/" /tmp/said
kill -KILL "$program"
end_of "$program"
eventually stream_is tripped
ok $? "after SIGKILL the joints are let go"
start naohw recover
eventually stream_is recovering
kill -TSTP "$program"
end_of "$program"
is "$status $(cat "$goal/buffer/enable")" "130 0" "a recovery that is interrupted closes its stream"
succeeds "the next one" naohw recover
well "brings all back"
done_testing
