#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
#
# What changes the servos themselves: ID, baud rate, reboot, factory settings,
# turns and backup; and their registers in debugfs.

. "$(dirname "$0")/lib.sh"

bus=$dxl/dxl0
regmaps=/sys/kernel/debug/regmap

there() {
	[ -d "$(device_of_id "$1")" ]
}

# register ID ADDRESS -- both hexadecimal in debugfs
register() {
	sed -n "s/^0*$2: //p" "$regmaps/$(basename "$(device_of_id "$1")")/registers"
}

# answers ID -- does its driver reach it?
answers() {
	attribute "$(echo "$(device_of_id "$1")"/iio:device*)/in_temp0_raw" >/dev/null
}

load_modules 1000
start_sim a /share/test-overlays/mixed.dtbo --wire-time
talk
start_attach a
eventually [ -d $bus ]
ok $? "a bus without devices" || sed 's/^/# /' /tmp/attach.a

# --- by hand ---
succeeds "a servo is added by hand" into $bus/new_device "robotis,xm430-w350 101 Elbow"
elbow=$(joint Elbow)
[ -n "$elbow" ]
ok $? "and has its label"
succeeds "and answers" answers 101
fails_with busy "its ID is taken" into $bus/new_device "robotis,ax-12 101"
fails_with Invalid "what is no compatible is refused" into $bus/new_device "ax-12 3"
is "$(register 101 07)" 65 "debugfs shows its registers"

# --- ID ---
succeeds "torque on" into "$elbow/out_angl0_en" 1
fails_with busy "no new ID with the torque on" into "$(device_of_id 101)/id" 200
succeeds "torque off" into "$elbow/out_angl0_en" 0
fails_with busy "nor one that a servo has that nobody knows" \
	into "$(device_of_id 101)/id" 102
fails_with range "nor one that the protocol does not have" \
	into "$(device_of_id 101)/id" 253
succeeds "a new ID" into "$(device_of_id 101)/id" 200
! there 101 && there 200
ok $? "makes a new device"
is "$(dxlctl get 200 id | head -n 1)" 200 "the servo has it"
[ -n "$(joint Elbow)" ]
ok $? "the label stays"
succeeds "it answers" answers 200

# --- reboot, and back to the factory settings ---
dxlctl write 200 9 50 >/dev/null
succeeds "a reboot" into "$(device_of_id 200)/reboot" 1
succeeds "the servo answers" answers 200
is "$(register 200 09)" 32 "it has kept its EEPROM"
succeeds "a factory reset but for ID and baud rate" \
	into "$(device_of_id 200)/factory_reset" keep-id-baud
succeeds "the servo answers" answers 200
is "$(register 200 09)" fa "its EEPROM is as delivered"
fails_with busy "no factory reset to an ID that is taken" \
	into "$(device_of_id 200)/factory_reset" all

# --- turns ---
elbow=$(joint Elbow)
position() {
	dxlctl get 200 position | head -n 1
}
dxlctl write 200 11 4 >/dev/null
dxlctl write 200 132 0 80 0 0 >/dev/null
is "$(position)" 20480 "the shaft has turned five times"
succeeds "torque on" into "$elbow/out_angl0_en" 1
succeeds "the turns are forgotten" into "$(device_of_id 200)/clear" turns
is "$(position)" 0 "the position is within one"
dxlctl write 200 116 0 80 0 0 >/dev/null
fails_with Remote "not while it moves" into "$(device_of_id 200)/clear" turns
fails_with Invalid "nothing else can be cleared" into "$(device_of_id 200)/clear" errors

# --- the backup ---
for what in store restore; do
	fails_with busy "no $what with the torque on" into "$(device_of_id 200)/backup" $what
done
succeeds "torque off" into "$elbow/out_angl0_en" 0
fails_with Remote "nothing to go back to" into "$(device_of_id 200)/backup" restore
dxlctl write 200 9 60 >/dev/null
succeeds "a backup" into "$(device_of_id 200)/backup" store
dxlctl write 200 9 70 >/dev/null
succeeds "and back to it" into "$(device_of_id 200)/backup" restore
succeeds "the servo answers" answers 200
is "$(register 200 09)" 3c "its EEPROM is as it was"

# --- the other protocol ---
succeeds "all are searched for" into $bus/scan all
is "$(wc -l <$bus/scan)" 6 "and found"
fails_with supported "Protocol 1.0 has no reboot" into "$(device_of_id 3)/reboot" 1
fails_with supported "and no partial reset" into "$(device_of_id 3)/factory_reset" keep-id
fails_with supported "it counts no turns" into "$(device_of_id 3)/clear" turns
fails_with supported "and keeps no backup" into "$(device_of_id 3)/backup" store
succeeds "a servo of it takes another ID" into "$(device_of_id 3)/id" 33
succeeds "and answers" answers 33

# --- baud rate ---
succeeds "all go to another rate" into $bus/baud 57600
holds $bus/baud 57600 "the bus has it"
for id in 1 2 33 102 200 252; do
	succeeds "ID $id is there" answers $id
done
succeeds "the line goes without them" into $bus/baud "line 1000000"
! answers 1 2>/dev/null
ok $? "they are not heard any more"
succeeds "the line comes back" into $bus/baud "line 57600"
succeeds "and they are" eventually answers 1
succeeds "all go back" into $bus/baud 1000000
succeeds "ID 252 is there" answers 252
fails_with range "a rate that not all have changes nothing" into $bus/baud 4500000
holds $bus/baud 1000000 "the bus has its rate"

# --- the end of it ---
succeeds "a servo is taken away" into $bus/delete_device 200
! there 200 && [ ! -d "$regmaps/0-200" ]
ok $? "with its registers"
fails_with "No such" "once" into $bus/delete_device 200

# While they are changed, the line goes
while into "$(device_of_id 33)/id" 34 && into "$(device_of_id 34)/id" 33; do :; done 2>/dev/null &
changer=$!
while into $bus/baud 57600 && into $bus/baud 1000000; do :; done 2>/dev/null &
shifter=$!
sleep 1
kill $sim
end_of $attach
is "$status" 3 "the line goes while servos are changed"
end_of $changer
[ "$status" != none ]
ok $? "who changes IDs comes back"
end_of $shifter
[ "$status" != none ]
ok $? "and who changes the rate"
eventually no_devices
ok $? "no device is left"
done_testing
