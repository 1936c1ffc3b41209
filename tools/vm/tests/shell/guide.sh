#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# guide.sh -- in the test machine's shell: the commands of the guide and of the manual's EXAMPLES, as
# they stand there, but for what needs hardware or another machine. Prints TAP. The documents are
# in /share/Documentation, the manual's sources in /share/man.

# shellcheck source=tools/vm/tests/lib.sh
. /share/tests/lib.sh
cd "$(mktemp -d)" || exit
log=/tmp/said

# document NAME -- the words of one, in one line, and without the backslashes of the manual's source
document() {
	local file=/share/Documentation/$1
	[ -e "$file" ] || file=/share/man/$1
	tr -d '\\\n' <"$file"
}

# told DOCUMENT TEXT -- does it say so?
told() {
	document "$1" | grep -qF -- "$(printf %s "$2" | tr -d '\\\n')"
	ok $? "$1 has: $2"
}

# works DOCUMENT COMMAND [PREFIX...] -- the document has the command, and it does what it should
works() {
	local command=$2
	told "$1" "$2" || return
	shift 2
	"$@" bash -c "$command" >$log 2>&1 </dev/null
	ok $? "$command" || sed 's/^/# /' $log
}

# says TEXT -- did the last command?
says() {
	grep -qF -- "$1" $log
	ok $? "and says: $1" || sed 's/^/# /' $log
}

# until_stopped DOCUMENT COMMAND TEXT -- it goes on for ever; it says that, and Ctrl-C ends it
until_stopped() {
	local program
	told "$1" "$2" || return
	# A script's "&" has it ignore Ctrl-C.
	env --default-signal=INT bash -c "exec $2" >$log 2>&1 </dev/null &
	program=$!
	eventually grep -qF -- "$3" $log
	ok $? "$2" || sed 's/^/# /' $log
	kill -INT $program
	wait $program
	near $? 65 65 "and is ended"
}

# --- the manual ---

works naohw.1.scd "naohw help"
for command in $(naohw --help | sed -n 's/^  \([a-z]\+\)  .*/\1/p'); do
	man "naohw-$command" 2>&1 | grep -q "^NAME"
	ok $? "man naohw-$command"
done
man naohwd | grep -q "^NAME"
ok $? "man naohwd"
man dxlctl | grep -q "^NAME"
ok $? "man dxlctl"

# --- one robot, one program at a time ---

works install/index.rst "naohw doctor"
works install/pc.rst "naohw list"
says "20 of 20 joints answer"
works install/index.rst "dmesg | grep dxl"
works install/index.rst "find /proc/device-tree/ -name dynamixel"
says dynamixel
works naohw-get.1.scd "naohw get HeadYaw/Position/Sensor"
works naohw-get.1.scd "naohw get 'Head*/Position/*' HeadYaw/Temperature/Sensor"
works naohw-set.1.scd "naohw set HeadYaw/Position/Actuator 0.5"
works naohw-set.1.scd "naohw set HeadYaw/Hardness/Actuator 1 HeadYaw/Position/Actuator -0.5"
until_stopped naohw-watch.1.scd "naohw watch" HeadYaw
works naohw-pages.1.scd "naohw pages bioloid.mtn"
says Wave
works naohw-play.1.scd "naohw play --stiff --record wave.csv bioloid.mtn Wave"
says "Final pose reached"
works naohw-record.1.scd "naohw record --duration 10 walk.frames"
works naohw-plot.1.scd "naohw plot -o knees.png walk.frames RKneePitch LKneePitch"
[ -s knees.png ]
ok $? "which draws"
naohw set HeadPitch/Hardness/Actuator 1 # what is limp is left out
works naohw-replay.1.scd "naohw replay walk.frames"
works naohw-alias.1.scd "naohw alias Head HeadYaw HeadPitch"
works naohw-alias.1.scd "naohw alias Stiffness '*/Hardness/Actuator'"
# The file stands in the same page.
sed -n '/^# Two joints/,/^```/p' /share/man/naohw-send.1.scd | grep -v '^`' >nod.dcm
works naohw-send.1.scd "naohw send nod.dcm"
works naohw-send.1.scd "echo 'set */Hardness/Actuator 0@2000' | naohw send -"
works robots.rst "naohw set HeadYaw/Hardness/Actuator 0"
works robots.rst "sudo naohw pref HeadYaw/Position/{Sensor,Actuator}/Offset 0.020453076"
works robots.rst "naohw pref | grep HeadYaw.*Offset"
says "/etc/naohw/robots/bioloid/Device_Local.xml:"
works robots.rst "sudo naohw pref --unset HeadYaw/Position/{Sensor,Actuator}/Offset"
works naohw-pref.1.scd "naohw pref HeadYaw/Position/{Sensor,Actuator}/Offset 0.02"
works naohw-pref.1.scd "naohw pref --unset HeadYaw/Position/Sensor/Offset"
naohw pref --unset HeadYaw/Position/Actuator/Offset
told naohw-calibrate.1.scd "naohw calibrate joint HeadYaw --at 2.0857"
! naohw calibrate joint HeadYaw --at 2.0857 >$log 2>&1
ok $? "which an AX-12 refuses"
says "its servo keeps no zero"

# --- the simulator ---

works dxlsim.rst "dxlctl ball red 0.2 0.05"
works dxlsim.rst "dxlctl picture robot.svg"
works dxlsim.rst "dxlctl picture --for 5 film.svg"
grep -q "<animate" film.svg
ok $? "which is a film"
works dxlsim.rst "dxlctl cameras"
says Camera

# --- the kernel's files ---

servo=$(joint HeadYaw)
works cycle.rst "iio_readdev -b 1 dxl0-state angl1 count257 angl2 count258 timestamp" timeout --preserve-status -s INT 5
[ -s $log ]
ok $? "which reads frames"
works cycle.rst "echo 60 >out_angl0_torque_limit" env -C "$servo"
works cycle.rst "echo 1 >out_angl0_en" env -C "$servo"
works cycle.rst "echo 512 >out_angl0_raw" env -C "$servo"
goal=$(basename "$(dirname "$(grep -lx dxl0-goal $iio/iio:device*/name)")")
told cycle.rst "echo 1 >/sys/bus/iio/devices/iio:deviceX/all_goals"
into "$iio/$goal/all_goals" 1
eventually goal_has all_goals 1
ok $? "which all goals are"
told cycle.rst "echo 1 >/sys/bus/iio/devices/iio:deviceX/stiffness"
into "$goal/stiffness" 1
eventually goal_has stiffness 1
ok $? "and stiffness"
into "$goal/stiffness" 0
eventually goal_has stiffness 0
into "$goal/all_goals" 0
works bus.rst "echo 1 > events/dxl/enable" env -C /sys/kernel/tracing
timeout 5 cat /sys/kernel/tracing/trace_pipe >$log &
naohw get HeadYaw/Temperature/Sensor >/dev/null
wait $!
says dxl_submit
echo 0 >/sys/kernel/tracing/events/dxl/enable
export B=$dxl/dxl0
told maintenance.rst "echo robotis,ax-12 5 LElbowRoll > \$B/new_device"
into "$B/new_device" "robotis,ax-12 105 Another"
ok $? "a device is added"
told maintenance.rst "echo 5 > \$B/delete_device"
into "$B/delete_device" 105
ok $? "and taken away"
told maintenance.rst "echo all > \$B/scan"
into "$B/scan" 5 # all take minutes here
ok $? "a bus is searched"
works maintenance.rst "cat \$B/scan"

# --- users ---

told install/index.rst "sudo adduser NAME robot"
adduser --disabled-password --gecos '' mia >/dev/null 2>&1
bash -c "sudo adduser mia robot" >$log 2>&1
ok $? "a user comes into the group" || sed 's/^/# /' $log
for user in user mia; do
	su - $user -c "naohw set HeadPitch/Hardness/Actuator 0.5 HeadPitch/Position/Actuator 0.1" >$log 2>&1
	ok $? "$user moves a joint" || sed 's/^/# /' $log
done
! su nobody -s /bin/bash -c "naohw set HeadPitch/Position/Actuator 0" >$log 2>&1
ok $? "others do not"
su - user -c "dxlctl get HeadPitch goal && touch /host/theirs && sudo id -u" >$log 2>&1
ok $? "a user has the simulator, a place for files, and sudo" || sed 's/^/# /' $log

# --- naohwd ---

works robocup.rst "naohw set LHipYaw/Hardness/Actuator 0.8 RHipYaw/Hardness/Actuator 0.8"
told robocup.rst "naohwd --robot bioloid --lola /tmp/robocup --group robot"
naohwd --robot bioloid --lola /tmp/robocup --group robot 2>/tmp/naohwd.log &
daemon=$!
eventually grep -q serves /tmp/naohwd.log
ok $? "naohwd serves" || sed 's/^/# /' /tmp/naohwd.log
works robocup.rst "python3 /usr/share/doc/naohw-doc/examples/robocup.py"
says "the head was at"
works robocup.rst "naohw get HeadYaw/Position/Sensor"
kill $daemon
wait $daemon
! grep watchdog /tmp/naohwd.log
ok $? "and nothing trips" || sed 's/^/# /' /tmp/naohwd.log
works naohwd.rst "systemctl enable --now naohwd@bioloid"
works naohwd.rst "journalctl -u naohwd@bioloid"
says "serves /usr/share/naohw/robots/bioloid.xml"
! grep -q watchdog $log
ok $? "and nothing of a trip" || sed 's/^/# /' $log
works naohwd.rst "systemd-analyze security naohwd@bioloid"
says "1.1"
works naohw-list.1.scd "naohw list"
works naohw-play.1.scd "naohw play --stiff --record wave.csv bioloid.mtn Wave"
says "Final pose reached"
su - user -c "naohw play --stiff bioloid.mtn Stand" >$log 2>&1
ok $? "a user plays a page beside it" || sed 's/^/# /' $log
told naohwd-rpc.rst '$ echo '"'"'{"jsonrpc":"2.0","id":1,"method":"get","params":{"keys":["DCM/TargetCycleTime"]}}'"'"' |'
told naohwd-rpc.rst "socat - UNIX-CONNECT:/run/naohw/bioloid.sock"
echo '{"jsonrpc":"2.0","id":1,"method":"get","params":{"keys":["DCM/TargetCycleTime"]}}' |
	socat - UNIX-CONNECT:/run/naohw/bioloid.sock >$log 2>&1
ok $? "socat talks to it"
says '"key":"DCM/TargetCycleTime","value":'
sed -n '/^\timport json/,/^which says/p' /share/Documentation/naohwd-rpc.rst | sed '$d; s/^\t//' >nod.py
python3 nod.py /run/naohw/bioloid.sock >$log 2>&1
ok $? "and the Python of its page" || sed 's/^/# /' $log
says "5 "
pid=$(systemctl show --value -p MainPID naohwd@bioloid)
kill -9 "$pid"
ok $? "naohwd, which is process $pid, is killed"
torque_has_gone() {
	journalctl -q -u naohwd@bioloid | grep -q "code=killed" && systemctl -q is-active naohwd@bioloid
}
eventually torque_has_gone
ok $? "and comes back" || journalctl -q -u naohwd@bioloid | sed 's/^/# /'
# The new one may have come before the kernel's watchdog, and then there is nothing to bring back.
works robocup.rst "naohw recover"
systemctl disable --now naohwd@bioloid >$log 2>&1
ok $? "it is taken away"

# --- C and Python without it ---

for example in feel monitor nod shake; do
	timeout 300 /usr/share/naohw/examples/$example >$log 2>&1
	ok $? "the example $example" || sed 's/^/# /' $log
done
python3 -c 'import iio; print([d.name for d in iio.Context("local:").devices])' >$log 2>&1
ok $? "libiio in Python" || sed 's/^/# /' $log
says dxl0-state

# --- last, as the robot falls ---

told cycle.rst "exec 3>/dev/dxl0"
exec 3>/dev/dxl0
succeeds "a lease is there" bash -c 'echo >&3'
exec 3>&-
eventually line_is "$servo/out_angl0_en" 0
ok $? "and when it has gone no joint is stiff"
naohw recover >$log 2>&1
ok $? "until naohw recover" || sed 's/^/# /' $log
done_testing
