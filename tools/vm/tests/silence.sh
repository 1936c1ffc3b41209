#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# robot: bioloid
# in: check-all
#
# One servo that falls silent, and a line that damages packets, cost what they
# hit and nothing else, and are counted.

. "$(dirname "$0")/lib.sh"

stat_of() {
	cat "$dxl/$1/statistics/$2"
}

dir=$(joint RElbowRoll)
others() {
	local label
	described | while read -r _ label; do
		[ "$label" = RElbowRoll ] || attribute "$(joint "$label")/in_angl0_raw" || echo broken
	done
}

before=$(stat_of 0-005 timeouts)
elsewhere=$(($(stat_of dxl0 timeouts) - before))
succeeds "servo 5 falls silent" dxlctl silence 5
fails_with "timed out" "reading it times out" attribute "$dir/in_angl0_raw"
fails_with "timed out" "writing it times out" into "$dir/out_angl0_raw" 512
is "$(others | grep -c '^[0-9]')" 19 "the 19 others answer"
is "$(stat_of 0-005 timeouts)" $((before + 4)) "two time-outs and their repetitions are counted for it"
is "$(stat_of 0-005 retries)" 2 "as such"
is "$(state_of 5)" passive "it is no device to be repeated for"
is "$(($(stat_of dxl0 timeouts) - $(stat_of 0-005 timeouts)))" "$elsewhere" "and for no other"
naohw watch --count 1 >/tmp/watch 2>&1
is "$(grep -ci 'timed out' /tmp/watch)" 1 "naohw watch shows one joint in error"
grep -q 'LElbowRoll.*[0-9]\.[0-9]' /tmp/watch
ok $? "and the values of the others"
succeeds "servo 5 speaks again" dxlctl unsilence 5
succeeds "and is back at once" attribute "$dir/in_angl0_raw"

# Each answer damaged, then each lost: told apart, and counted on both sides.
errors=$(stat_of 0-005 checksum_errors)
dxlctl corrupt 100 >/dev/null
# A damaged header is no packet at all, so which error it is depends on the bit.
for _ in 1 2 3 4 5 6 7 8; do
	! attribute "$dir/in_temp0_raw" 2>/dev/null
	ok $? "a damaged answer is no answer"
done
dxlctl corrupt 0 >/dev/null
[ "$(stat_of 0-005 checksum_errors)" -gt "$errors" ]
ok $? "checksum errors are counted"
is "$(state_of 5)" lost "eight faults in a row, and it is lost"
fails_with "Host is down" "it is not even asked" attribute "$dir/in_temp0_raw"
eventually device_is 5 active
ok $? "it is found again without being asked for"
lost=$(stat_of 0-005 timeouts)
dxlctl drop 100 >/dev/null
fails_with "timed out" "a dropped answer times out" attribute "$dir/in_temp0_raw"
dxlctl drop 0 >/dev/null
is "$(stat_of 0-005 timeouts)" $((lost + 2)) "and is counted, with its repetition"
succeeds "the next one works" attribute "$dir/in_temp0_raw"

# Some answers lost here and there do no lasting harm.
dxlctl drop 10 >/dev/null
others >/dev/null 2>&1
dxlctl drop 0 >/dev/null
is "$(others | grep -c '^[0-9]')" 19 "everybody answers after a bad time"
# A machine that stalls takes an answer for late, and gives up the request that is under
# way when it comes: that is nobody's fault, and counted as neither.
given_up=$(($(stat_of dxl0 packets) - $(stat_of dxl0 ack) - $(stat_of dxl0 nack)))
[ "$given_up" -ge 0 ] && [ "$given_up" -le "$(stat_of dxl0 stray_packets)" ]
ok $? "every request was answered or counted as not" || echo "# $given_up were not"
done_testing
