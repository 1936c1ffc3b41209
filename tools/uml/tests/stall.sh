#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# in: check-all
# time-travel: yes
# program: naohw
# program: naohwd
# share: userspace/robots
# share: userspace/motions
# share: tools/vm/tests/lola_lib.sh
#
# A Bioloid that obeys physics stands and bows, and nothing stalls. It raises an arm against a wall: its AX-12 would
# switch itself off after 500 ms of that; naohwd eases the joint before.

. "$(dirname "$0")/beat.sh"
# shellcheck source=tools/vm/tests/lola_lib.sh
. /share/lola_lib.sh

export NAOHW_ROBOT=/share/robots/bioloid.xml
arm=LShoulderPitch

word() {
	naohw get "DCM/Guard/$1" 2>/dev/null
}

stalls() {
	[ "$(word $arm)" = stalled ]
}

# apart A B N -- by more than N counts?
apart() {
	[ $(($1 > $2 ? $1 - $2 : $2 - $1)) -gt "$3" ]
}

# raise -- straight ahead; the wall is in the way
raise() {
	naohw set $arm/Position/Actuator 0 >/tmp/raised 2>&1
}

load_modules 1000
start_sim a /share/overlays/virt-bioloid.dtbo --body /share/robots/bioloid.xml
start_attach a --overlay /share/overlays/virt-bioloid.dtbo
eventually attached a 20
ok $? "20 servos are on the bus" || sed 's/^/# /' /tmp/attach.a
wait_for_devices dxl0
naohw pref DCM/TargetCycleTime 20
into $dxl/dxl0/cycle/period_us 20000
mkdir -p /run/naohw
serve --socket /run/naohw/bioloid.sock

# --- what is no stall ---

for page in Stand Bow; do
	succeeds "it plays $page" naohw play --head --stiff --settle 10 --tolerance 60 /share/motions/bioloid.mtn $page
done
sleep 2
grep -q serves /tmp/naohwd.log && ! grep "something blocks it" /tmp/naohwd.log
ok $? "and no joint stalls"

# --- a wall ---

succeeds "it is awake, and all its joints are stiff" naohw wake
dxlctl hold >/dev/null
succeeds "an arm is straight" naohw set LShoulderRoll/Position/Actuator 0 LElbowRoll/Position/Actuator 0
succeeds "and hangs down" naohw set $arm/Position/Actuator 1.5
sleep 3
dxlctl wall ahead 0.1 -0.5 0.1 0.5 >/dev/null
below=$(of $arm present_position)
raise
eventually stalls
ok $? "the wall stalls it" || sed 's/^/# /' /tmp/raised
sleep 2
is "$(of $arm torque_enable)" 1 "its servo has not switched itself off"
load=$(cat "$(joint $arm)/in_angl0_load")
[ "${load#-}" != "$load" ] && load=${load#-}
[ "${load%.*}" -lt 60 ]
ok $? "and pushes no more with all that it has" || echo "# $load"
blocked=$(of $arm present_position)
apart "$blocked" "$below" 20
ok $? "it has come to the wall" || echo "# from $below to $blocked"

dxlctl take ahead >/dev/null
raise
is "$(word $arm)" stalled "nothing frees it by itself"
grep -q "something blocks it" /tmp/raised
ok $? "as naohw set says" || sed 's/^/# /' /tmp/raised
succeeds "a person does" naohw recover
sleep 2
is "$(word $arm)" "" "then it goes on"
free=$(of $arm present_position)
apart "$free" "$blocked" 30
ok $? "to its goal" || echo "# from $blocked to $free"
done_testing
