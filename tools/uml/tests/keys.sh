#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# program: naohw
# share: userspace/robots
# share: tools/vm/tests/walk
#
# Keys of a Bioloid without a controller, both ways; what is whole is walked in a virtual machine
# (vm:keys-*), and what lacks parts of a NAO by uml:keys-variants. And of a NAO's keys what no table
# can say: what they tell of how devices answer, of what is not there, and of lights that come on by
# touch.

. "$(dirname "$0")/beat.sh"
. "$(dirname "$0")/keys-lib.sh"

# --- a Bioloid ---

load_modules 1000
modprobe dxl_board
robot bioloid 20
walk bioloid
kill $attach
end_of $attach
kill $sim
end_of $sim
eventually no_devices
ok $? "it is gone"

# --- a NAO's keys, but for values ---

robot nao-h25-v33 36

# A BMZ, which this robot has, tells neither who made it nor how old it is.
naohw get '*Battery/*' >/tmp/said 2>&1
ok $? "what a battery has not is left out of what it has" || sed 's/^/# /' /tmp/said
! grep -q '^[^ ]*/\(Manufacturer\|SerialNumber\|RemainingCapacity\|Age\) ' /tmp/said
ok $? "and only that" || sed 's/^/# /' /tmp/said
grep -q '^Device/DeviceList/Battery/ProgVersion 1$' /tmp/said
ok $? "the rest is told"

# 300 mA, at which the board limits the current of its motor
dxlctl write 1 66 44 1 >/dev/null
is "$(naohw get HeadYaw/ElectricCurrent/Sensor/Max)" 0.3 \
	"a current's Max is the board's limit [cur-2]"

# --- how its devices answer ---

us=Device/DeviceList/USBoard
chest=Device/DeviceList/ChestBoard
echo_file=$(joint US)/in_distance1_raw

# counts -- of the sonar's answers and those that are missing, of these of its sensors, and of
# the chest's that are missing; each naohw takes its time
counts() {
	naohw get $us/Ack $us/Nack US/Left/Sensor/Ack US/Left/Sensor/Nack $chest/Nack |
		cut -d' ' -f2 >/tmp/counts
}

# count N -- of those
count() {
	sed -n "$1p" /tmp/counts
}

# counts_more N NAME -- does it, and no more than it did?
counts_more() {
	local before
	before=$(count "$1")
	counts
	[ "$(count "$1")" -gt "$before" ]
	ok $? "$2" || echo "# $(count "$1"), and $before before"
}

# errors PATTERN NAME -- the sonar's list has one like that, and so has its sensors'
errors() {
	naohw get $us/Error US/Left/Sensor/Error >/tmp/said 2>&1
	is "$(grep -c "$1" /tmp/said)" 2 "$2" || sed 's/^/# /' /tmp/said
}

counts
attribute "$echo_file" >/dev/null
counts_more 1 "an answer of the sonar counts [key-6]"
is "$(count 3) $(count 4)" "$(count 1) $(count 2)" \
	"which are its sensors' counts, too [key-9] [dev-2]"
dxlctl silence 202 >/dev/null
fails_with "" "a sonar that is silent tells nothing [us-12]" naohw get US/Left/Sensor
counts_more 2 "and that counts as well [key-7] [key-21]"
errors ' [27] US: ' "its list of errors has it [key-11] [key-14]"
eventually asked_is 202 lost attribute "$echo_file"
ok $? "it is lost in the end"
errors ' 7 US: lost$' "and its error has the level of what cannot be used [key-13]"
dxlctl unsilence 202 >/dev/null
eventually asked_is 202 active attribute "$echo_file"
ok $? "it tells again"
counts
before=$(cat /tmp/counts)
sleep 2
counts
is "$(cat /tmp/counts)" "$before" "nothing counts what is not asked [key-8]"
dxlctl silence 200 >/dev/null
fails_with "" "a chest that is silent tells nothing" naohw get $chest/BodyId
counts_more 5 "and counts that [id-9]"
dxlctl unsilence 200 >/dev/null
eventually asked_is 200 active attribute /sys/bus/nvmem/devices/0-200/nvmem
ok $? "it tells again"

for expected in "none 2.55" "100mm 0" "1m 1" "3m 2.55"; do
	dxlctl obstacle left "${expected% *}" >/dev/null
	into "$(joint US)/sonar_mode" 0
	sleep 0.02
	is "$(naohw get US/Sensor)" "${expected#* }" "what the sonar tells at ${expected% *} [us-3]"
done

# --- a light near a touch sensor [tou-2] ---

# feels press|release -- which is read, and what that does is done
feels() {
	dxlctl "$1" 203 front >/dev/null
	attribute "$(joint Head)/in_count1_raw" >/dev/null
	sleep 0.1
}

# touched SET LEVEL NAME -- what a light that is set to SET shows while the sensor is touched
touched() {
	naohw set Head/Led/Front/Left/0/Actuator "$1"
	feels press
	simulates 203 front_left_0 "$2" "$3"
	feels release
}

touched 0 15 "a light that is dark comes on by touch"
simulates 203 front_left_0 0 "and goes off"
touched 0.4 6 "one that shines does not"
touched -1 0 "nor one that is to be dark whatever happens"
touched 0 15 "and after a 0 it does again"
done_testing
