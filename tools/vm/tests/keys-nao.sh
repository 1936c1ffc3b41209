#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# robot: nao-h25-v33
#
# All keys of a NAO, both ways, and what counts how its devices answer.

. "$(dirname "$0")/lib.sh"
# shellcheck source=tools/vm/tests/walk/walk.sh
. "$(dirname "$0")/walk/walk.sh"

described >/tmp/described
all_there() {
	[ "$(ls "$iio"/*/label 2>/dev/null | wc -l)" -eq 34 ]
}
eventually all_there
ok $? "25 motors and the 9 boards that sense something are IIO devices"

walk nao-h25-v33

# A BMZ, which this robot has, tells neither who made it nor how old it is.
naohw get '*Battery/*' >/tmp/said 2>&1
ok $? "what a battery has not is left out of what it has" || sed 's/^/# /' /tmp/said
! grep -q '^[^ ]*/\(Manufacturer\|SerialNumber\|RemainingCapacity\|Age\) ' /tmp/said
ok $? "and only that" || sed 's/^/# /' /tmp/said
grep -q '^Device/DeviceList/Battery/ProgVersion 1$' /tmp/said
ok $? "the rest is told"

# 300 mA, at which the board limits the current of its motor
dxlctl write 1 66 44 1 >/dev/null
is "$(naohw get HeadYaw/ElectricCurrent/Sensor/Max)" 0.3 "a current's Max is the board's limit [cur-2]"

# --- how devices answer ---

# count_of KEY
count_of() {
	naohw get "$1" 2>/dev/null
}

# grows KEY BEFORE
grows() {
	[ "$(count_of "$1")" -gt "$2" ]
}

us=Device/DeviceList/USBoard
asked=$(count_of $us/Ack)
naohw get US/Left/Sensor >/dev/null
eventually grows $us/Ack "$asked"
ok $? "an answer of the sonar counts [key-6]"
eventually grows US/Left/Sensor/Ack "$asked"
ok $? "and is its sensors' count, too [key-9] [dev-2]"
missed=$(count_of $us/Nack)
dxlctl silence 202 >/dev/null
! naohw get US/Left/Sensor >/dev/null 2>&1
ok $? "a sonar that is silent tells nothing [us-12]"
grows $us/Nack "$missed"
ok $? "and that counts as well [key-7] [key-21]"
naohw get $us/Error >/tmp/said 2>&1
grep -q ' [27] US: ' /tmp/said
ok $? "its list of errors has it [key-11] [key-14]" || sed 's/^/# /' /tmp/said
eventually asked_is 202 lost naohw get US/Left/Sensor
ok $? "it is lost in the end"
naohw get $us/Error >/tmp/said 2>&1
grep -q ' 7 US: lost$' /tmp/said
ok $? "and its error has the level of what cannot be used [key-13]" || sed 's/^/# /' /tmp/said
naohw get US/Left/Sensor/Error >/tmp/said 2>&1
grep -q ' 7 US: lost$' /tmp/said
ok $? "as has that of its sensors" || sed 's/^/# /' /tmp/said
dxlctl unsilence 202 >/dev/null
eventually naohw get US/Left/Sensor
ok $? "it tells again"
before=$(count_of $us/Ack)/$(count_of $us/Nack)
sleep 2
is "$(count_of $us/Ack)/$(count_of $us/Nack)" "$before" "nothing counts what is not asked [key-8]"
missed=$(count_of Device/DeviceList/ChestBoard/Nack)
dxlctl silence 200 >/dev/null
! attribute /sys/bus/nvmem/devices/0-200/nvmem >/dev/null 2>&1
ok $? "a chest that is silent tells nothing"
grows Device/DeviceList/ChestBoard/Nack "$missed"
ok $? "and counts that [id-9]"
dxlctl unsilence 200 >/dev/null

# --- no echo ---

# echo_is METRES
echo_is() {
	[ "$(naohw get US/Sensor)" = "$1" ]
}

for expected in "none 2.55" "100mm 0" "1m 1" "3m 2.55"; do
	dxlctl obstacle left "${expected% *}" >/dev/null
	naohw set US/Actuator 0
	eventually echo_is "${expected#* }"
	ok $? "at ${expected% *} the sonar tells ${expected#* } [us-3]" || echo "# $(naohw get US/Sensor)"
done
done_testing
