#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# robot: bioloid
# parallel: yes
#
# libiio and its programs read the frames of a bus as they are: channels by their
# names, labels, and samples with what the servos have.

. "$(dirname "$0")/lib.sh"

has_state() {
	iio_attr -c dxl0-state angl20 label
}

# word N LINE -- a 16-bit value of a sample that od has printed as bytes
word() {
	local at=$1
	shift 1
	shift "$at"
	echo $(($1 + 256 * $2))
}

eventually has_state
ok $? "libiio finds the frames"
into $dxl/dxl0/cycle/period_us 200000
iio_info | sed -n '/dxl0-state/,/iio:device[0-9]*:/p' >/tmp/info
is "$(sed -n '/count513:/,/label/s/.*label value: //p' /tmp/info)" "RShoulderPitch alarm" \
	"and their labels"
is "$(grep -c '(input, index' /tmp/info)" 141 \
	"141 channels: 20 servos, and the time"

dxlctl write 1 36 44 1 >/dev/null
dxlctl write 2 36 45 2 >/dev/null
# angl1 at 0, its age at 2, angl2 at 4, its age at 6, the time at 8
iio_readdev -s 3 -b 3 -T 20000 dxl0-state angl1 count257 angl2 count258 timestamp 2>/tmp/err |
	od -An -v -tu1 -w16 >/tmp/lines
is "$(wc -l </tmp/lines)" 3 "iio_readdev reads three frames" || sed 's/^/# /' /tmp/err
line=$(tail -n 1 /tmp/lines)
# shellcheck disable=SC2086
near "$(word 0 $line)" 300 2 "the first servo is where it has been put"
# shellcheck disable=SC2086
near "$(word 4 $line)" 557 2 "so is the second"
is "$(echo "$line" | awk '{ print $3, $7 }')" "0 0" "both have answered in that frame"
is "$(iio_readdev -s 2 -b 2 -T 20000 dxl0-state 2>/tmp/err | wc -c)" 416 "whole frames are read too" ||
	sed 's/^/# /' /tmp/err

# The same over a network, by libiio's own server

# patiently COMMAND... -- again, if libiio's 5 s for an answer over a network were not enough: a busy
# machine's QEMU stands still for longer. Its output is in /tmp/out.
patiently() {
	local tries=20
	until "$@" >/tmp/out 2>/tmp/err && ! timed_out; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] && timed_out || return
	done
}

timed_out() {
	grep -q -e "timed out" -e "(-*110)" -e "no frame within" /tmp/err
}

serves() {
	iio_attr -u ip:127.0.0.1 -c dxl0-state angl20 label
}

ip link set lo up
iiod >/tmp/iiod 2>&1 &
server=$!
eventually serves
ok $? "iiod serves them" || sed 's/^/# /' /tmp/iiod
patiently iio_readdev -u ip:127.0.0.1 -s 2 -b 2 -T 20000 dxl0-state
is "$(wc -c </tmp/out)" 416 "frames are read over the network" || sed 's/^/# /' /tmp/err
patiently naohw --uri ip:127.0.0.1 watch --count 2
ok $? "and so they are by naohw" || sed 's/^/# /' /tmp/err
kill $server
done_testing
