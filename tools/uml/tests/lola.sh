#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# program: naohw
# program: naohwd
# share: userspace/robots
# share: tools/vm/tests/lola_lib.sh
#
# naohwd's LoLA in time, at a NAO: one packet in each cycle of 12 ms, what becomes of positions and
# stiffnesses however they come, and joints that are on their way when clients and the daemon stop
# and die. Sensors and lights are vm:lola's.

. "$(dirname "$0")/beat.sh"
# shellcheck source=tools/vm/tests/lola_lib.sh
. /share/lola_lib.sh

overlay=/share/overlays/virt-nao-h25-v33.dtbo
export NAOHW_ROBOT=/share/robots/nao-h25-v33.xml

load_modules 1000
modprobe dxl_board
start_sim a $overlay --wire-time
start_attach a --overlay $overlay
eventually attached a 36
ok $? "36 devices are on the bus" || sed 's/^/# /' /tmp/attach.a
wait_for_devices dxl0
mkdir -p /run/naohw
serve --socket /run/naohw/nao-h25-v33.sock

# --- in time ---

client "a packet comes in each cycle of 12 ms [lola-1] [lola-3]" connect read 20 pace 500 12000 0.002
client "also to one that answers with all that there is" connect read 20 \
	set Position all 0 set Stiffness all 0.8 set LEye all 0.5 set Skull all 0 set Sonar 0 0 \
	answer 100 pace 500 12000 0.002
is "$(cycle_of dxl0 overruns) $(cycle_of dxl0 missed)" "0 0" "the bus misses none"

# --- what it sends ---

client "one says where all joints are to be [lola-13]" connect set Stiffness all 0.8 set Position all 0 \
	set Position 0 0.5 answer 60 is Stiffness 0 0.8 0.01 is Position 0 0.5 0.01
# Of 65536 a turn
near "$(of HeadYaw goal_position)" 5215 16 "a joint goes there"
is "$(of HeadYaw hardness) $(of RKneePitch hardness)" "800 800" "as stiff as that, as all others"
client "what is not said again stays [lola-12]" connect set Stiffness all 0.4 answer 20
near "$(of HeadYaw goal_position)" 5215 16 "it is where it was"
is "$(of HeadYaw hardness)" 400 "and less stiff"
client "in pieces [lola-16]" connect set Position all 0 set Position 0 -0.25 cut 7 read 40
near "$(of HeadYaw goal_position)" -2608 16 "it goes there, too"
client "two at once" connect set Position all 0 set Position 0 0.25 twice read 40
near "$(of HeadYaw goal_position)" 2608 16 "and by two at once"
client "one whose numbers are not set yet [lola-23]" connect set Position all nan set Stiffness all inf \
	answer 20
near "$(of HeadYaw goal_position)" 2608 16 "moves nothing"
is "$(of HeadYaw hardness) $(of RKneePitch hardness)" "400 400" "and has nothing let go"
logged "passed over: Position, value 1 of 25 is nan" "and is told"
client "until one of them is" connect set Position all nan set Position 0 0.5 answer 60
near "$(of HeadYaw goal_position)" 5215 16 "which moves that"

# --- a servo without its supply ---

lola_client $lola connect set Stiffness all 1 set Position all 0 answer 2000 >/tmp/client.log 2>&1 &
client=$!
eventually has RKneePitch torque_enable 1
dxlctl power-cycle "$(id_of RKneePitch)" >/dev/null
eventually grep -qx tripped "$(joint RKneePitch)/torque_state"
ok $? "a servo loses its torque with its supply"
logged "RKneePitch: the torque is gone" "naohwd tells the reason"
is "$(of HeadYaw hardness) $(of RKneePitch torque_enable)" "1000 0" "no other joint is let go"
succeeds "naohw recover finds the servo" naohw recover
is "$(of RKneePitch torque_enable)" 1 "and gives its torque back"
kill -9 $client
wait $client 2>/dev/null
sleep 5

# --- a person lets the robot go ---

lola_client $lola connect set Stiffness all 1 set Position all 0 answer 1000 >/tmp/client.log 2>&1 &
client=$!
eventually has RKneePitch torque_enable 1
succeeds "a person lets the robot go" naohw limp --yes
is "$(of HeadYaw torque_enable) $(of RKneePitch torque_enable)" "0 0" "whatever the client says"
logged "a person has let the robot go" "naohwd tells the reason"
fails_with "naohw recover" "nobody makes it stiff" naohw set HeadYaw/Hardness/Actuator 1
succeeds "until it recovers" naohw recover
is "$(of HeadYaw torque_enable) $(of RKneePitch torque_enable)" "1 1" "and the client is still there"
kill -9 $client
wait $client 2>/dev/null
sleep 5

# --- under way ---

client "a joint is at one end" connect set Stiffness all 1 set Position all 0 set Position 0 1.8 answer 100 \
	is Position 0 1.8 0.01 is Stiffness 0 1 0
# 1.8 of 2 pi, of 65536 a turn
near "$(of HeadYaw goal_position)" 18775 16 "it is there"
dies "a client dies while it goes to the other [lola-20]" connect set Position 0 -1.8 answer 30 die
logged "closed the connection" "naohwd sees that"
sleep 0.1
held=$(of HeadYaw goal_position)
near "$held" 0 18000 "the joint is in the middle of its way"
sleep 0.6
is "$(of HeadYaw goal_position) $(of HeadYaw hardness) $(of HeadYaw torque_enable)" "$held 1000 1" \
	"and holds there, as stiff as it was"
near "$(of HeadYaw present_position)" "$held" 16 "and is there"
# 1.5 s of 3 behind the first second
sleep 1.8
near "$(of HeadYaw hardness)" 500 60 "a second later it begins to soften [lola-25]"
is "$(of HeadYaw goal_position)" "$held" "where it is"
sleep 2
is "$(of HeadYaw torque_enable) $(of RKneePitch torque_enable)" "0 0" "until it is limp, as all others are"

lola_client $lola connect set Stiffness all 1 set Position all 0 set Position 0 -1 answer 3 stop \
	>/tmp/client.log 2>&1 &
stopped=$!
sleep 0.8
near "$(of HeadYaw goal_position)" -10430 16 "where one stops, what it has said is done"
is "$(of HeadYaw hardness) $(of HeadYaw torque_enable)" "1000 1" "and all hold"
sleep 4
is "$(of HeadYaw torque_enable) $(of RKneePitch torque_enable)" "0 0" "and soften, though it is still there"
logged "does not read, and misses packets" "that it does not read is told"
kill -9 $stopped
client "who comes back has to say how stiff they are to be" connect set Position 0 -1 answer 20 is Stiffness 0 0 0
dies "another one is sent on its way" connect set Stiffness all 1 set Position all 0 set Position 0 1.8 \
	answer 30 die
lola_client $lola connect set Position 0 -1.8 answer 30 say under-way read 1000000 >/tmp/client.log 2>&1 &
eventually grep -q under-way /tmp/client.log
kill -9 "$daemon"
wait "$daemon" 2>/dev/null
eventually has HeadYaw torque_enable 0
ok $? "when naohwd dies the kernel lets the joints go"
end_of $!
is "$status" 1 "and its client ends"
present=$(of HeadYaw present_position)
serve
client "it is started again, and served" connect read 50 set Stiffness all 1 answer 100
near "$(of HeadYaw present_position)" "$present" 300 "and nothing jumps"
is "$(of HeadYaw torque_enable)" 0 "nor is anything stiff, whatever the client says"
ends
succeeds "until somebody has the joints back" naohw recover
is "$(of HeadYaw torque_enable)" 1 "as it is stiff then"

# --- what another program has left ---

bus=dxl0
find_goal
stream dxl0 --for 300000 >/tmp/stream 2>&1 || sed 's/^/# /' /tmp/stream
holds "$goal/buffer/enable" 1 "a program of poses that is killed leaves its stream"
serve
ends

# --- the bus goes ---

serve
kill $attach
end_of $attach
eventually no_devices
ok $? "the bus is taken away while naohwd hosts it"
ends
done_testing
