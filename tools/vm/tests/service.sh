#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# overlay: nao-neck
# systemd: yes
# share: tools/udev
#
# naohwd as a service of systemd's: its bus starts it, it does its work in spite of all that it is
# kept from, and it comes back when it has died, with the simulator as the judge.

. "$(dirname "$0")/lib.sh"
# shellcheck source=tools/vm/tests/lola_lib.sh
. "$(dirname "$0")/lola_lib.sh"

# Each systemctl, journalctl and naohw takes an emulated processor long, and each period of the bus.
pace=0.5
slow_us=100000
robot=nao-neck
unit=naohwd@$robot.service
lola=/run/naohw/$robot.lola

state_is() {
	[ "$(systemctl is-active $unit)" = "$1" ]
}

# value NAME -- of the unit, as systemd has it
value() {
	systemctl show --value -p "$1" $unit
}

value_is() {
	[ "$(value "$1")" = "$2" ]
}

# told PATTERN [OPTION...] -- has it said that in the journal?
told() {
	local pattern=$1
	shift
	journalctl -q --no-pager -o cat -u $unit "$@" | grep -q "$pattern"
}

# told_times NUMBER PATTERN -- and so often?
told_times() {
	[ "$(journalctl -q --no-pager -o cat -u $unit | grep -c "$2")" -eq "$1" ]
}

# will_tell PATTERN NAME [OPTION...] -- the journal has it some time after the program has said it
will_tell() {
	local pattern=$1 name=$2
	shift 2
	eventually told "$pattern" "$@"
	ok $? "$name" || journalctl -q --no-pager -u $unit | sed 's/^/# /'
}

goal_is_idle() {
	goal=$(dirname "$(grep -lx dxl0-goal $iio/iio:device*/name 2>/dev/null)") &&
		line_is "$goal/stream_state" idle
}

let_go() {
	[ "$(of HeadYaw torque_enable)$(of HeadPitch torque_enable)" = 00 ]
}

# is_there -- 0.5 of 2 pi, of 65536 a turn, and 0.8 as stiff as it can be, within a step
is_there() {
	local goal stiff
	goal=$(of HeadYaw goal_position) stiff=$(of HeadYaw hardness)
	[ "$goal" -ge 5199 ] && [ "$goal" -le 5231 ] && [ "$stiff" -ge 798 ] && [ "$stiff" -le 802 ]
}

# nothing_jumped NAME -- since the simulator was told to forget: it has seen each goal that came, and
# a rad, of 65536 a turn, is what it goes in a quarter of a second at the most
nothing_jumped() {
	local farthest
	farthest=$(dxlctl goals all | awk '!/^ok/ && $7 > farthest { farthest = $7 } END { print farthest + 0 }')
	[ "$farthest" -le 10430 ]
	ok $? "$1" || echo "# told to go $farthest at once"
}

forget() {
	dxlctl stats reset >/dev/null
}

# stands COUNTS NAME -- the joint is told to be where it is, and has torque
stands() {
	is "$(of HeadYaw torque_enable)" 1 "$2"
	near "$(of HeadYaw goal_position)" "$1" 16 "where they were"
}

# has_other LABEL FIELD NUMBER -- is it a number, and another one?
has_other() {
	[ "$(of "$1" "$2")" -ne "$3" ]
}

in_real_time() {
	local task
	for task in "/proc/$1"/task/*; do
		! chrt -p "${task##*/}" | grep -q FIFO || return 0
	done
	return 1
}

comes_back() {
	eventually state_is active
	ok $? "$1" || systemctl status --no-pager $unit | sed 's/^/# /'
}

# --- what packages bring that the guest has not ---

for applet in find chgrp chmod; do
	[ -e /bin/$applet ] || ln -s busybox /bin/$applet
done
cp /share/tests/nao-neck.xml /usr/share/naohw/robots/
cp /share/udev/naohw-permissions /usr/lib/udev/
mkdir -p /run/udev/rules.d /run/systemd/system/$unit.d
cp /share/udev/60-naohw.rules /run/udev/rules.d/
udevadm control --reload
# QEMU stands still for as long as it likes. So the kernel has 2 s, another host comes when it may
# (/run/may-come), and systemd's watchdog looks away until it is what is tested. And clients stop for
# longer than a second.
cat >/run/systemd/system/$unit.d/slow.conf <<'UNIT'
[Service]
ExecStartPre=/bin/sh -c 'until [ -e /run/may-come ]; do sleep 0.2; done'
TimeoutStartSec=infinity
Environment="NAOHWD_OPTIONS=--lola-end hold"
UNIT
touch /run/may-come

# --- its bus starts it ---

is "$(stat -c %A:%G /run/naohw)" drwxr-xr-x:robot "there is a directory for sockets"
succeeds "a robot is enabled" systemctl enable $unit
# That makes systemd read its settings anew, and this is none of them.
succeeds "systemd's watchdog looks away" systemctl service-watchdogs no
state_is inactive
ok $? "and its bus has not appeared"
remember_line
line_down
line_up
comes_back "it appears, and starts its host"
is "$(stat -c %A:%U:%G $lola)" srw-rw----:root:robot "which has a socket, of the group's"
pid=$(value MainPID)
[ "$(stat -c %u "/proc/$pid")" -ne 0 ]
ok $? "it is not root"
in_real_time "$pid"
ok $? "it is in real time"
will_tell "serves /usr/share/naohw/robots/$robot.xml" "the journal has whom it serves" -p info
! told "not in real time"
ok $? "with its memory locked" || journalctl -q --no-pager -u $unit | sed 's/^/# /'

# --- what it is kept from is not what it works with ---

lola_client $lola connect set Stiffness all 0.8 set Position all 0 set Position 0 0.5 set Chest 2 1 \
	answer 1000000 >/tmp/client.log 2>&1 &
client=$!
eventually is_there
ok $? "a client moves a joint" || sed 's/^/# /' /tmp/client.log
eventually simulated_is 200 blue 255
ok $? "and lights a light"
kill $client
wait $client 2>/dev/null
will_tell "a client has come" "the journal has who has come"

# --- several programs at it ---

# of_robot COMMAND ARGUMENT... -- naohw's
of_robot() {
	local command=$1
	shift
	naohw "$command" --robot $robot "$@"
}

# is_at LABEL COUNTS -- is it told to be there, within a step?
is_at() {
	local goal
	goal=$(of "$1" goal_position)
	[ "$goal" -ge $(($2 - 32)) ] && [ "$goal" -le $(($2 + 32)) ]
}

[ "$(stat -c %A:%U:%G /run/naohw/$robot.sock)" = srw-rw----:root:robot ]
ok $? "JSON-RPC has a socket as well"
lola_client $lola connect set Stiffness all 0.8 set Position all 0 answer 1000000 >/tmp/client.log 2>&1 &
client=$!
eventually is_at HeadYaw 0
ok $? "a client holds the joints"
slow_down
kill -STOP $client
succeeds "naohw moves one, while that does not answer" of_robot set HeadYaw/Position/Actuator 0.3
eventually is_at HeadYaw 3129
ok $? "which goes there"
succeeds "and watches it" of_robot watch --changes --count 2 HeadYaw/Position/Sensor
# One step each. Such a file has 0 to 1023, and to a motor 4096 are a turn and 2048 is 0; the second
# page never ends.
printf 'type=motion\nversion=1.01\nenable=0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\nmotor_type=1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\npage_begin\nname=go\ncompliance=5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5\nplay_param=0 0 1 1.0 32\nstep=512 1000 512 512 512 512 512 512 512 512 512 512 512 512 512 512 512 512 512 512 512 512 512 512 512 512 0.000 1.600\npage_end\npage_begin\nname=on\ncompliance=5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5\nplay_param=2 0 1 1.0 32\nstep=512 900 512 512 512 512 512 512 512 512 512 512 512 512 512 512 512 512 512 512 512 512 512 512 512 512 0.000 1.600\npage_end\n' >/tmp/neck.mtn
succeeds "a page is played" of_robot play --head --settle 10 --tolerance 8 /tmp/neck.mtn 1
is_at HeadYaw -16768
ok $? "to its end"
# Not by way of a function, as that is another process.
naohw play --robot $robot --head /tmp/neck.mtn 2 >/tmp/play.log 2>&1 &
play=$!
eventually is_at HeadYaw -18368
ok $? "another page goes on and on" || sed 's/^/# /' /tmp/play.log
fails_with "is held by naohw" "and nobody else may move its joint" \
	of_robot set HeadYaw/Position/Actuator 0
kill -0 $play || sed 's/^/# /' /tmp/play.log
forget
kill -9 $client
kill -9 $play
wait $client $play 2>/dev/null
eventually has HeadYaw torque_enable 0
ok $? "when it is killed that softens"
is "$(of HeadPitch torque_enable)" 1 "and what it had not holds"
nothing_jumped "and at no time anything has jumped"
state_is active
ok $? "their host goes on"
client "the joint is made stiff again" connect read 2 set Stiffness all 0.8 answer 60

# --- preferences ---

before=$(of HeadYaw goal_position)
succeeds "a preference is set" naohw --robot $robot pref DCM/TargetCycleTime 96
succeeds "and read by a reload" systemctl reload $unit
will_tell "reads its preferences anew" "as the journal has it"
comes_back "it is active again"
period_is 96000
ok $? "and has the new one"
is "$(value MainPID) $(value NRestarts)" "$pid 0" "in the same process"
stands "$before" "and the joints have held"

# --- it stops and starts ---

succeeds "it is stopped" systemctl stop $unit
will_tell "ends: Terminated" "in order"
[ ! -e $lola ]
ok $? "with its socket"
stands "$before" "and the joints hold"
fails_with "$unit is enabled" "nobody else hosts what a unit is to" of_robot send -q /dev/null
fails_with "$unit is enabled" "nor moves a joint" of_robot set HeadPitch/Position/Actuator 0
succeeds "but anybody lets one go" of_robot set HeadPitch/Hardness/Actuator 0
is "$(of HeadPitch torque_enable)" 0 "which is limp"
eventually goal_is_idle
into "$goal/watchdog_ms" 2000
mkdir -p /run/systemd/system/naohwd-lola@$robot.socket.d
printf '[Socket]\nListenStream=/tmp/robocup\n' >/run/systemd/system/naohwd-lola@$robot.socket.d/robocup.conf
systemctl daemon-reload
systemctl service-watchdogs no
# There before the host, and for as long as that takes to begin
stay() {
	local tries=20
	until sleep 6 | naohw send --robot $robot -q -; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || return 1
	done
}
stay >/tmp/stay.log 2>&1 &
program=$!
eventually pidof naohw
ok $? "a program waits for it"
succeeds "it is started" systemctl start $unit
wait $program
ok $? "and lets in a program that has waited for it" || sed 's/^/# /' /tmp/stay.log
succeeds "and has NAO's own socket, as its unit was told to" lola_client /tmp/robocup connect read 2
is "$(cat "/proc/$(value MainPID)/net/tcp" "/proc/$(value MainPID)/net/tcp6" "/proc/$(value MainPID)/net/udp" \
	"/proc/$(value MainPID)/net/udp6" | grep -vc local_address)" 0 "no port is open"
near "$(of HeadYaw goal_position)" "$before" 16 "and the joints are where they were"

# --- it dies, and a player with it ---

lola_client $lola connect set Stiffness all 0.8 set Position all 0 set Position 1 -0.4 answer 10 say moves \
	answer 100000 >/tmp/client.log 2>&1 &
client=$!
eventually grep -q moves /tmp/client.log
ok $? "a client moves a joint" || sed 's/^/# /' /tmp/client.log
slow_down
before=$(of HeadYaw goal_position)
forget
naohw play --robot $robot --head /tmp/neck.mtn 2 >/tmp/play.log 2>&1 &
play=$!
eventually has_other HeadYaw goal_position "$before"
ok $? "and a player another one" || sed 's/^/# /' /tmp/play.log
rm /run/may-come
kill -9 $play "$(value MainPID)"
eventually let_go
ok $? "when the player and their host are killed the kernel lets the joints go"
is "$(value MainPID)" 0 "before anybody comes"
touch /run/may-come
wait $play 2>/dev/null
wait $client 2>/dev/null
before=$(of HeadYaw present_position)
eventually value_is NRestarts 1
comes_back "systemd starts another one"
client "which a client may read" connect read 5 is Stiffness 0 0 1
near "$(of HeadYaw present_position)" "$before" 16 "nothing has moved"
succeeds "somebody asks for the torque" of_robot recover
client "a client has a joint be stiff" connect read 2 set Stiffness all 0.5 answer 40
eventually has HeadYaw torque_enable 1
ok $? "and it is"
near "$(of HeadYaw goal_position)" "$(of HeadYaw present_position)" 32 "which is so where it is"
near "$(of HeadYaw present_position)" "$before" 64 "and was"
nothing_jumped "and at no time anything has jumped"

# --- it hangs ---

succeeds "systemd's watchdog looks" systemctl service-watchdogs yes
kill -STOP "$(value MainPID)"
eventually let_go
ok $? "when it hangs the kernel lets the joints go"
eventually value_is NRestarts 2
comes_back "and systemd ends it, and starts another one"
systemctl service-watchdogs no
systemd_told() {
	journalctl -q --no-pager -u $unit | grep -q "Watchdog timeout"
}
eventually systemd_told
ok $? "for its watchdog's sake"

# --- its bus goes ---

line_down
eventually state_is inactive
ok $? "without its bus there is no host"
eventually told_times 2 "ends: Terminated"
ok $? "which has ended in order"
line_up
comes_back "and with it there is one again"
journalctl -q --no-pager -o short-monotonic >/host/journal
done_testing
