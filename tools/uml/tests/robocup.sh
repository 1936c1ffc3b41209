#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# in: check-all
# host: yes
# program: naohw
# program: naohwd
# share: userspace/robots
# share: tools/vm/tests/lola_lib.sh
# share: Documentation/robocup.rst
# share: Documentation/examples/robocup.py
#
# The page for those who have a program for a NAO and a Bioloid: each of its commands, as it is there,
# with the simulator as the judge.

. "$(dirname "$0")/beat.sh"
# shellcheck source=tools/vm/tests/lola_lib.sh
. /share/lola_lib.sh

page=/share/robocup.rst

# told COMMAND -- the page has it as one of its own
told() {
	grep -qxF "	$1" $page || grep -qxF "	\$ $1" $page
	ok $? "the page has: $1"
}

# does COMMAND -- and it can be done; sets output
does() {
	local status=0
	told "$1"
	output=$(eval "$1" 2>&1) || status=$?
	is $status 0 "and it works"
	echo "$output" | sed 's/^/# /'
}

# found_by_name -- where naohw and naohwd look for robots
found_by_name() {
	mkdir -p "$INSTALLED/share/naohw"
	ln -s /share/robots "$INSTALLED/share/naohw/robots"
}

# python FILE -- in this machine's own system, with the guest's /tmp
python() {
	mount -o remount,ro /host
	mount -o bind /tmp /host/tmp
	chroot /host /usr/bin/python3 - <"$1"
}

echo robot:x:990: >>/etc/group
found_by_name
load_modules 1000
start_robot a /share/overlays/virt-bioloid.dtbo 20 5
wait_for_devices dxl0

does "naohw doctor"
is "$(echo "$output" | tail -n 1)" "Nothing is wrong." "and nothing is"
does "naohw set LHipYaw/Hardness/Actuator 0.8 RHipYaw/Hardness/Actuator 0.8"
is "$(of LHipYaw torque_enable)$(of RHipYaw torque_enable)" 11 "the hips that LoLA does not know are stiff"
command="naohwd --robot bioloid --lola /tmp/robocup --group robot"
told "$command"
$command 2>/tmp/naohwd.log &
daemon=$!
logged serves "and it serves"
is "$(stat -c %A:%G /tmp/robocup)" "srw-rw----:robot" "whom the page names"

command="python3 /usr/share/doc/naohw-doc/examples/robocup.py"
told "$command"
python /share/robocup.py >/tmp/python.log 2>&1
is $? 0 "and it works" || sed 's/^/# /' /tmp/python.log
told "$(cat /tmp/python.log)"
is "$(of HeadYaw torque_limit)" 818 "the head is as stiff as it was to be"
does "naohw get HeadYaw/Position/Sensor"

# The rule of who comes no more: soft in 3 s, and then limp
all_limp() {
	[ "$(of HeadYaw torque_enable)$(of LKneePitch torque_enable)" = 00 ]
}
eventually all_limp
ok $? "when it has gone its joints go soft"

stands_still() {
	kill -STOP $daemon
	sleep 1
	kill -CONT $daemon
}
stands_still
logged torque "naohwd says that the torque has gone"
ends
does "naohw recover"
told "The torque is back."
done_testing
