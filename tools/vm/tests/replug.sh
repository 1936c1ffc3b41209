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

# who_has NUMBER -- the label of the servo that has it
who_has() {
	cat "$iio/$1/label" 2>/dev/null
}

driver=$(basename "$(readlink "$(device_of_id 5)/driver")")
described >/tmp/described
held=$(sed -n 's/^5 //p' /tmp/described)
before=$(number "$held")
others="006 007 008 009 010 011 012"

naohw watch --interval 0.2 "$held/Position/Sensor" >/tmp/watch 2>&1 &
watch=$!
eventually shown "/Sensor  *[-0-9]"
ok $? "a program holds the key of servo 5"
for id in 005 $others; do
	into "$drivers/$driver/unbind" "0-$id"
done
eventually shown "not there"
ok $? "which tells that it is gone"
# The bus's own devices are registered anew as well, and may have it for a while.
for id in $others; do
	into "$drivers/$driver/bind" "0-$id"
	eventually is_there "$(sed -n "s/^$((1$id - 1000)) //p" /tmp/described)"
done
[ -n "$(who_has "$before")" ] && [ "$(who_has "$before")" != "$held" ]
ok $? "another servo has its number now" || grep . $iio/*/label
sleep 2
shown "not there"
ok $? "the key is not that of the other one"
kill -TERM $watch
wait $watch
into "$drivers/$driver/bind" 0-005
eventually is_there "$held"
ok $? "servo 5 is back"
succeeds "and who looks anew finds it" naohw get "$held/Position/Sensor"
done_testing
