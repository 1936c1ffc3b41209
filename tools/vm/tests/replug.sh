#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# robot: bioloid
#
# IIO gives the number of a device that is gone to the next one that comes. A program that
# holds a joint's key meanwhile has not got another joint's.

. "$(dirname "$0")/lib.sh"

drivers=/sys/bus/dxl/drivers

# number LABEL -- of its IIO device
number() {
	basename "$(joint "$1")"
}

# shown VALUE -- what the program has shown last
shown() {
	tail -n 1 /tmp/watch | grep -q "$1"
}

is_there() {
	[ -n "$(joint "$1")" ]
}

driver=$(basename "$(readlink "$(device_of_id 5)/driver")")
described >/tmp/described
right=$(sed -n 's/^5 //p' /tmp/described)
left=$(sed -n 's/^6 //p' /tmp/described)
before=$(number "$right")
dxlctl write 5 36 44 1 >/dev/null
dxlctl write 6 36 188 2 >/dev/null

naohw watch --interval 0.2 "$right/Position/Sensor" >/tmp/watch 2>&1 &
watch=$!
eventually shown "/Sensor  *-"
ok $? "a program holds the key of servo 5"
for id in 005 006; do
	into "$drivers/$driver/unbind" "0-$id"
done
eventually shown "not there"
ok $? "which tells that it is gone"
into "$drivers/$driver/bind" 0-006
eventually is_there "$left"
ok $? "servo 6 is plugged first"
is "$(number "$left")" "$before" "and has the number that 5 had"
sleep 2
shown "not there"
ok $? "the key is not that of servo 6"
kill -INT $watch
wait $watch
into "$drivers/$driver/bind" 0-005
eventually is_there "$right"
ok $? "servo 5 is back"
succeeds "and who looks anew finds it" naohw get "$right/Position/Sensor"
done_testing
