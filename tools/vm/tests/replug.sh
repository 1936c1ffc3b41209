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

# by_number -- the IDs in the order of their devices' numbers
by_number() {
	local id
	for id in $servos; do
		echo "$(number "$(label "$id")" | tr -dc 0-9) $id"
	done | sort -n | sed 's/.* //'
}

# label ID
label() {
	sed -n "s/^$((1$1 - 1000)) //p" /tmp/described
}

servos="005 006 007 008 009 010 011 012"
driver=$(basename "$(readlink "$(device_of_id 5)/driver")")
described >/tmp/described
# Who comes gets the lowest number that is free, and they were not registered by ID: one in
# the middle is had again, by another servo or by one of the bus's own devices, which are
# registered anew, too.
chosen=$(by_number | sed -n 4p)
held=$(label "$chosen")
before=$(number "$held")
others=$(echo "$servos" | sed "s/$chosen//")

naohw watch --interval 0.2 "$held/Position/Sensor" >/tmp/watch 2>&1 &
watch=$!
eventually shown "/Sensor  *[-0-9]"
ok $? "a program holds the key of servo $chosen"
for id in $servos; do
	into "$drivers/$driver/unbind" "0-$id"
done
eventually shown "not there"
ok $? "which tells that it is gone"
for id in $others; do
	into "$drivers/$driver/bind" "0-$id"
	eventually is_there "$(label "$id")"
done
[ -e "$iio/$before" ] && [ "$(who_has "$before")" != "$held" ]
ok $? "another device has its number now" || grep . $iio/*/name
sleep 2
shown "not there"
ok $? "the key is not that of the other one"
kill -TERM $watch
wait $watch
into "$drivers/$driver/bind" "0-$chosen"
eventually is_there "$held"
ok $? "the servo is back"
succeeds "and who looks anew finds it" naohw get "$held/Position/Sensor"
done_testing
