#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# robot: bioloid
# in: check-all
#
# Nobody moves joints unwatched: a lease by a shell, a wheel in a stream of poses, and a
# servo whose driver comes and goes meanwhile.

. "$(dirname "$0")/lib.sh"

# device ID -- its directory in IIO
device() {
	printf '%s\n' "$dxl/0-$(printf %03d "$1")"/iio:device*
}

# register ID NAME VALUE -- has the simulated servo that?
register() {
	[ "$(simulated "$1" "$2")" = "$3" ]
}

# pose GOAL VELOCITY -- of all 20 servos
pose() {
	pose_all "$1" 50 "$2"
}

sign_of_life() {
	echo >&4
}

# --- joints by hand ---

eventually goal_has all_goals 0
into "$goal/watchdog_ms" 5000
knee=$(device 3)
exec 4>/dev/dxl0
ok $? "a lease is taken"
holds "$goal/stream_state" leased "somebody watches"
fails_with busy "nobody else" sh -c 'exec 5>/dev/dxl0'
succeeds "a joint gets torque" into "$knee/out_angl0_en" 1
eventually register 3 torque_enable 1
ok $? "and has it"
eventually stream_is lapsed
ok $? "there is no sign of life"
eventually register 3 torque_enable 0
ok $? "so it is let go"
fails_with busy "and nobody can give it torque" into "$knee/out_angl0_en" 1
fails_with "timed out" "a sign of life comes too late" sign_of_life
succeeds "the next one does not" sign_of_life
succeeds "it gets torque again" into "$knee/out_angl0_en" 1
eventually register 3 torque_enable 1
exec 4>&-
register 3 torque_enable 0
ok $? "when the lease is over it is let go at once"
holds "$goal/stream_state" idle "nobody watches any more"

# --- wheels by poses ---

succeeds "a joint becomes a wheel" into "$knee/operating_mode" pwm
succeeds "poses are to have all goals" into "$goal/all_goals" 1
eventually goal_has all_goals 1
succeeds "a stream begins" open_stream
live &
exec 3>"/dev/$(basename "$goal")"
holds "$goal/stream_state" tripped "with joints that have been let go"
succeeds "they recover" into "$goal/recover" 1
eventually stream_is streaming
register 3 torque_enable 1
ok $? "and so does the wheel"
register 3 moving_speed 0
ok $? "which stands still"
pose 512 300
eventually register 3 moving_speed 300
ok $? "and turns by a pose"
eventually register 4 goal_position 512
ok $? "beside joints"
holds "$goal/ignored" 21 "of which none turns: what is not of a mode is counted"

echo 0-005 >/sys/bus/dxl/drivers/dxl-servo/unbind
register 5 torque_enable 0
ok $? "one whose driver is unbound is let go"
echo 0-005 >/sys/bus/dxl/drivers/dxl-servo/bind
pose 520 200
eventually register 3 moving_speed 200
ok $? "the others go on"
is "$(cat "$goal/stream_state") $(simulated 5 torque_enable)" "streaming 0" \
	"and it does not go on by itself"
succeeds "it recovers" into "$goal/recover" 1
eventually register 5 torque_enable 1
ok $? "and has torque"
eventually stream_is streaming
pose 530 200
eventually register 5 goal_position 530
ok $? "and gets poses"

kill $!
eventually stream_is tripped
ok $? "nobody is there any more"
eventually register 3 torque_enable 0
ok $? "and the wheel is let go"
eventually register 3 present_speed 0
ok $? "and stops"
exec 3>&-
into "$goal/buffer/enable" 0
eventually goal_has all_goals 0
ok $? "the next poses have what they have always had"
succeeds "the wheel gets torque by hand" into "$knee/out_angl0_en" 1
is "$(simulated 3 torque_enable) $(simulated 3 moving_speed)" "1 0" \
	"and does not turn as it did before"
into "$knee/out_angl0_en" 0
succeeds "and is a joint again" into "$knee/operating_mode" position
done_testing
