#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# in: check-all
# time-travel: yes
# program: naohw
# program: naohwd
# share: userspace/robots
# share: tools/vm/tests/lola_lib.sh
#
# A simulated Pepper beside naohwd to which anything happens in any order: faults, their ends, people who have it
# wake up or rest, and programs that move it. After each sequence the simulator is asked what must hold: a joint that a
# fault has limp has no torque, waking up does not succeed while a fault forbids it, no goal jumps, and what is over
# frees what it held.

. "$(dirname "$0")/beat.sh"
# shellcheck source=tools/vm/tests/lola_lib.sh
. /share/lola_lib.sh
. "$(dirname "$0")/pepper-lib.sh"

sequences=25
# Counts of 65536 a turn that a goal may go from one pose to the next: 4 rad/s in two periods
most=5200

# roll SIDES -- sets rolled, from 0 on; each run of the test has the same
roll() {
	seed=$(((seed * 1103515245 + 12345) & 0x7fffffff))
	rolled=$(((seed >> 16) % $1))
}

# begin_fault -- one of them, with others that there are; notes what it does to $some and to waking up
begin_fault() {
	local line joint=0
	roll "$faults"
	line=$(sed -n "$((rolled + 1))p" /tmp/faults)
	# shellcheck disable=SC2046 # words
	dxlctl $(column 1 "$line") >/dev/null
	column 2 "$line" >>/tmp/mends
	happened="$happened; $(column 1 "$line")"
	[ "$(column 4 "$line")" = 0 ] || forbidden=1
	for _ in $some; do
		joint=$((joint + 1))
		[ "$(column 3 "$line" | cut -c$joint)" = . ] || limp="$limp $joint"
	done
}

move() {
	[ -z "$send" ] || end_of "$send"
	roll 100
	send "set HipPitch -0.$rolled@700" "set RShoulderPitch 0.$rolled@900" "set HeadYaw 0.$rolled@500" \
		"set WheelB/Speed 1@500" "wait 1000"
	happened="$happened; move"
}

# happen -- one of these
happen() {
	roll 6
	case $rolled in
	0 | 1 | 2) begin_fault ;;
	3) move ;;
	4) naohw rest >/tmp/rested 2>&1 && happened="$happened; rest" ;;
	5) naohw wake >/tmp/woken 2>&1 && happened="$happened; wake" ;;
	esac
}

# holds -- is all as it has to be, some time after the last that has happened?
holds() {
	local joint
	torques
	for joint in $limp; do
		sed -n "${joint}p" /tmp/some | grep -q ' 0 ' || wrong="joint $joint is stiff"
	done
	if [ "$forbidden" ] && naohw wake >/tmp/woken 2>&1; then
		wrong="it wakes up, and that is forbidden"
	fi
	[ "$(dxlctl goals all | awk '!/^ok/ && $7 > far { far = $7 } END { print far + 0 }')" -le $most ] ||
		wrong="a goal jumps"
	[ -z "$wrong" ]
}

is_over() {
	[ -z "$(value_of DCM/WakeUpForbidden)" ] && naohw wake >/tmp/woken 2>&1
}

sequence() {
	: >/tmp/mends
	forbidden='' limp='' wrong='' happened=''
	roll 3
	for _ in $(seq $((rolled + 1))); do
		happen
		roll 15
		sleep $((rolled / 10)).$((rolled % 10))
	done
	# The slowest is a silent device, and the longest way to rest
	[ -z "$limp" ] || sleep 6
	holds
	ok $? "$1$happened" || echo "# $wrong; $(xargs </tmp/some)"
	[ -z "$send" ] || end_of "$send"
	send=''
	dxlctl - </tmp/mends >/dev/null
	sleep 5
	eventually is_over
	ok $? "$1: it is over, and it wakes up" || sed 's/^/# /' /tmp/woken
	dxlctl stats reset >/dev/null
}

start_pepper
echo "$pepper_faults" | grep '|' >/tmp/faults
faults=$(wc -l </tmp/faults)
seed=20261130 send=''
succeeds "it wakes up" naohw wake
dxlctl stats reset >/dev/null
for number in $(seq $sequences); do
	sequence "$number"
done
done_testing
