#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# in: check-all
#
# Two buses at once: the same IDs on both, full traffic on both, and one that
# goes and comes back without the other noticing.

. "$(dirname "$0")/lib.sh"

# readings BUS N -- reads a register of each of a bus's devices, N times over. It
# ends with the first that fails: what fails takes no time, and as long as time
# stands still nobody else has a turn.
readings() {
	local i=0 device
	while [ "$i" -lt "$2" ]; do
		i=$((i + 1))
		for device in "$dxl/$1"-*/iio:device*; do
			attribute "$device/in_angl0_raw" || { echo failed; return; }
		done
	done
}

stat_of() {
	cat "$dxl/dxl$1/statistics/$2"
}

load_modules 1000
start_sim a $robot --wire-time
start_attach a --overlay $robot
eventually attached a 20
ok $? "the first bus has its devices" || sed 's/^/# /' /tmp/attach.a
start_sim b /share/test-overlays/mixed.dtbo --wire-time
sim_b=$sim
start_attach b --overlay /share/test-overlays/mixed.dtbo
attach_b=$attach
eventually attached b 6
ok $? "and so has the second" || sed 's/^/# /' /tmp/attach.b
eventually servos_are 26
ok $? "26 servos are there"

readings 0 10 >/tmp/read.a &
first=$!
readings 1 30 >/tmp/read.b &
second=$!
end_of $first
end_of $second
is "$(grep -c '^-*[0-9]' /tmp/read.a) $(grep -c failed /tmp/read.a)" "200 0" "all readings of the first bus are good"
is "$(grep -c '^-*[0-9]' /tmp/read.b) $(grep -c failed /tmp/read.b)" "180 0" "all readings of the second, too"
is "$(stat_of 0 nack) $(stat_of 1 nack)" "0 0" "not one answer was missing"

for round in 1 2 3; do
	readings 0 10 >/tmp/read.a &
	first=$!
	readings 1 1000 >/dev/null 2>&1 &
	second=$!
	usleep 100000
	kill $sim_b
	end_of $attach_b
	is "$status" 3 "round $round: the second bus goes"
	end_of $second
	end_of $first
	is "$(grep -c '^-*[0-9]' /tmp/read.a) $(grep -c failed /tmp/read.a)" "200 0" "round $round: the first does not notice"
	is "$(stat_of 0 nack)" 0 "round $round: none of its answers is missing"
	is "$(ls -d $dxl/dxl* | wc -l)" 1 "round $round: it is the only one"

	start_sim b /share/test-overlays/mixed.dtbo --wire-time
	sim_b=$sim
	start_attach b --overlay /share/test-overlays/mixed.dtbo
	attach_b=$attach
	eventually attached b 6
	ok $? "round $round: the second comes back"
	eventually servos_are 26
	ok $? "round $round: with its servos"
done
done_testing
