#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# in: check-all
# share: userspace/robots
#
# Poses of libnaohw that say how stiff each joint is, on a Bioloid and on a NAO: what is told of a
# joint is what its servo gets, and the kernel's devices for that come and go.

. "$(dirname "$0")/beat.sh"

# id_of LABEL
id_of() {
	basename "$(dirname "$(realpath "$(joint "$1")")")" | sed 's/.*-0*//'
}

# torque LABEL, limit LABEL -- of the servo behind it, whose simulator calls that $limit
torque() {
	simulated "$(id_of "$1")" torque_enable
}

limit() {
	simulated "$(id_of "$1")" $limit
}

# by_hand LABEL PERCENT
by_hand() {
	into "$(joint "$1")/out_angl0_torque_limit" "$2"
	into "$(joint "$1")/out_angl0_en" 1
}

# says NAME EXPECTED WORD... -- what the program prints, in a line
says() {
	local name=$1 expected=$2
	shift 2
	is "$(poses "$description" "$@" 2>/tmp/complaints | xargs)" "$expected" "$name"
	! grep -v "High-speed mode" /tmp/complaints
	ok $? "and libiio has nothing to complain about"
}

# same_for_all FULL -- of the torque limit
same_for_all() {
	local full=$1

	by_hand HeadYaw 30
	says "joints begin as stiff as they are" "300 0" \
		stiff HeadYaw HeadPitch push=20
	near "$(limit HeadYaw)" $((full * 30 / 100)) 1 "which changes no limit"
	is "$(torque HeadYaw) $(torque HeadPitch)" "1 0" "and no torque"

	says "a pose says how stiff they are" '' \
		stiff HeadYaw=500 HeadPitch=800 push=20
	near "$(limit HeadYaw)" $((full / 2)) 1 "half of it is half of it"
	near "$(limit HeadPitch)" $((full * 8 / 10)) 1 "and another one has more"
	is "$(torque HeadYaw) $(torque HeadPitch) $(torque LKneePitch)" "1 1 0" \
		"with torque, and a third one has none"
	eventually is_plain
	ok $? "the devices for that are gone with the stream"

	says "it can set free" '' stiff HeadYaw=0 push=20
	is "$(torque HeadYaw) $(torque HeadPitch)" "0 1" "one of them, and the other holds"

	says "one after the other, by the same robot" "0 800 1000" \
		stiff HeadYaw push=5 close plain push=5 close \
		stiff HeadPitch HeadPitch=1000 HeadPitch push=20 close plain push=5
	is "$(limit HeadPitch)" "$full" "it is as told last"

	says "who does not live is let go" '' stiff push=5 wait=1500 recover push=150
	is "$(torque HeadPitch) $(limit HeadPitch)" "1 $full" "and as stiff as before when he recovers"

	poses "$description" stiff push=5 wait=20000 >/tmp/first 2>&1 &
	first=$!
	find_goal
	eventually grep -q 1 "$goal/stiffness"
	sleep 1
	poses "$description" stiff >/tmp/second 2>&1
	grep -q "^stiff: EBUSY: .*another program is moving the robot (poses, process $first)" /tmp/second
	ok $? "a second one is refused" || sed 's/^/# /' /tmp/second
	poses "$description" plain >/tmp/second 2>&1
	grep -q "^plain: EBUSY: .*another program is moving the robot (poses, process $first)" /tmp/second
	ok $? "with stiffness or without" || sed 's/^/# /' /tmp/second
	kill -0 $first
	ok $? "and disturbs nobody"
	kill $first
	wait $first
	end_stream

	into "$goal/stiffness" 1
	eventually stiff_is_there
	says "what a dead program has asked for is taken back" '' plain push=5
	eventually is_plain
	ok $? "by one that does not know it"
	by_hand HeadYaw 50
	near "$(limit HeadYaw)" $((full / 2)) 1 "and all goes on"
}

stiff_is_there() {
	find_goal
	[ -e "$(echo "$goal"/scan_elements/out_count*_en | cut -d' ' -f1)" ]
}

expected=
load_modules 1000
modprobe dxl_board

description=/share/robots/bioloid.xml limit=torque_limit
start_robot a $robot 20 5
wait_for_devices dxl0
on a dxl0
same_for_all 1023
kill "$attach"
end_of "$attach"
eventually no_devices
ok $? "the first one is gone"

description=/share/robots/nao-h25-v33.xml limit=hardness
start_sim b /share/overlays/virt-nao-h25-v33.dtbo --wire-time
start_attach b --overlay /share/overlays/virt-nao-h25-v33.dtbo
eventually attached b 36
ok $? "36 devices are on the bus" || sed 's/^/# /' /tmp/attach.b
wait_for_devices dxl0
on b dxl0
same_for_all 1000

# --- what a NAO's motors can ---

# Nobody has recovered since the last one died.
torque_on dxl0
into "$(joint HeadYaw)/out_angl0_en" 0
into "$(joint HeadYaw)/out_angl0_brake" 0
into "$(joint HeadPitch)/out_angl0_en" 0
says "a motor without its brake is free" "-1000 0" \
	stiff HeadYaw HeadPitch HeadYaw=0 HeadPitch=-1 push=20
is "$(simulated "$(id_of HeadYaw)" brake) $(simulated "$(id_of HeadPitch)" brake)" "1 0" \
	"which is below 0, and braked is 0"
done_testing
