#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
#
# A servo that shuts itself down, for an overload or for its heat, while it is moved, is
# left alone, whether anybody reads frames or not: nobody gives it stiffness or a goal
# before recover, and that gives it back what it had.

. "$(dirname "$0")/beat.sh"

# dir ID -- of its IIO device
dir() {
	echo $dxl/0-00"$1"/iio:device*
}

# torque ID -- its torque and its torque limit, as it has them
torque() {
	echo "$(simulated "$1" torque_enable) $(simulated "$1" torque_limit)"
}

# left_alone ID -- is it, by those who move it and by those who try by hand?
left_alone() {
	local goal_before
	goal_before=$(last_goal "$1")
	fails_with busy "nor is it given a torque limit by hand" \
		into "$(dir "$1")/out_angl0_torque_limit" 100
	fails_with busy "nor torque" into "$(dir "$1")/out_angl0_en" 1
	usleep 500000
	is "$(last_goal "$1")" "$goal_before" "nor a goal"
	is "$(torque "$1")" "0 0" "so it stays free"
}

# begin READS... -- a stream, and what it reads
begin() {
	goal=$(device_named dxl0-goal)
	into "$goal/watchdog_ms" 500
	torque_on dxl0
	stream dxl0 "$@" --for 12000000 --end close >/tmp/stream 2>&1 &
	stream=$!
	usleep 500000
}

ended() {
	wait $stream
	ok $? "the stream ends in its time" || sed 's/^/# /' /tmp/stream
}

# restart ID -- what shuts down until then is as it was
restart() {
	into "$dxl/0-00$1/reboot" 1
	sleep 1
	is "$(torque "$1")" "0 1023" "a reboot helps"
}

# Load and temperature, in the control table
place() {
	case $1,$2 in
	XL-320,load) echo 41 ;;
	XL-320,heat) echo 46 ;;
	*,load) echo 40 ;;
	*,heat) echo 43 ;;
	esac
}

# feels NAME ID load|heat N -- a simulated servo does, N of its load's or 90 degrees and
# 30
feels() {
	if [ "$3" = load ]; then
		dxlctl write "$2" "$(place "$1" load)" $(($4 % 256)) $(($4 / 256)) >/dev/null
	else
		dxlctl write "$2" "$(place "$1" heat)" $(($4 ? 90 : 30)) >/dev/null
	fi
}

# shuts_down NAME ID load|heat -- it has half of its torque before
shuts_down() {
	into "$(dir "$2")/out_angl0_torque_limit" 50
	feels "$1" "$2" "$3" 900
	usleep 1500000
	is "$(torque "$2") $(stream_state)" "0 0 streaming" "$how is read, $3: $1 shuts itself down"
	left_alone "$2"
	feels "$1" "$2" "$3" 0
	usleep 100000
}

recovers() {
	succeeds "it recovers" into "$goal/recover" 1
	usleep 2500000
	is "$(torque "$1") $(stream_state)" "1 512 streaming" "with all that it had"
	near "$(last_goal "$1")" "$(last_goal "$2")" 20000000 "and moves with the others"
}

stays_down() {
	fails_with error "recover does not help it" into "$goal/recover" 1
	is "$(torque "$1") $(stream_state)" "0 0 streaming" "it stays as it is"
}

load_modules 1000
start_robot a /share/test-overlays/shutdown.dtbo 6 5
wait_for_devices dxl0

for how in "a frame" nothing; do
	reads=
	[ "$how" = nothing ] || reads="--by-frames --frame in_angl"
	for cause in load heat; do
		# shellcheck disable=SC2086 # words
		begin $reads
		shuts_down AX-12 1 $cause
		recovers 1 2
		shuts_down MX-28 3 $cause
		recovers 3 4
		ended
		# shellcheck disable=SC2086 # words
		begin $reads
		shuts_down XL-320 5 $cause
		stays_down 5
		ended
		restart 5
	done
done
done_testing
