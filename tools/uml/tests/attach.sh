#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# timeout: 120
#
# A serial port becomes a bus with all devices of an overlay, and ends as a
# serial port: by a signal, by a hang-up, and with dxlattach killed.

. "$(dirname "$0")/lib.sh"

ldisc_of() {
	# Without a terminal, stty complains that it has no width.
	stty -F "$1" -a 2>/dev/null | sed -n 's/.*line = \([0-9]*\);.*/\1/p'
}

# --- what cannot be attached ---

fails_with "expected a serial port" "no port" dxlattach
fails_with "No such file" "a port that is not there" dxlattach /dev/ttyNONE
fails_with "is not a serial port" "a file" dxlattach /init
fails_with "is not a serial port" "another device" dxlattach /dev/null
fails_with "expected a number" "a wrong baud rate" dxlattach /dev/ttyS2 --baud 1e6
fails_with "only one of" "an overlay and a scan" dxlattach /dev/ttyS2 --scan --overlay x
fails_with "No such file" "an overlay that is not there" dxlattach /dev/ttyS2 --overlay /nowhere
fails_with "expected a device-tree blob" "a file that is no overlay" \
	dxlattach /dev/ttyS2 --overlay /bin/busybox
succeeds "--help helps" dxlattach --help
succeeds "--version tells" dxlattach --version

echo /bin/false >/proc/sys/kernel/modprobe
fails_with "modprobe dxl_ldisc" "without the module" dxlattach /dev/ttyS2 --baud 38400
echo /sbin/modprobe >/proc/sys/kernel/modprobe
load_modules 1000

# UML's serial lines have one rate.
fails_with "nearest is 38400" "a rate that a port does not have" dxlattach /dev/ttyS2

start_sim a $robot --wire-time
echo 'nobody:x:1000:1000::/:/bin/sh' >/etc/passwd
chmod 666 "$(readlink /tmp/tty.a)"
fails_with "only root" "without permission" \
	start-stop-daemon -S -c nobody -x /bin/dxlattach -- /tmp/tty.a

# --- attached ---

for time in first second; do
	start_attach a --overlay $robot
	eventually attached a 20
	ok $? "$time time: dxlattach tells of 20 devices" || sed 's/^/# /' /tmp/attach.a
	is "$(head -n 1 /tmp/attach.a)" "dxl0: on /tmp/tty.a at 1000000 baud, as the overlay says" \
		"$time time: and of the bus"
	eventually servos_are 20
	ok $? "$time time: 20 servos are there"
	holds $dxl/dxl0/baud 1000000 "$time time: the bus has its baud rate"

	dxlctl list | sed -n 's/^\([0-9][0-9]*\) \([^ ]*\) .*/\1 \2/p' >/tmp/described
	while read -r id label; do
		dir=$(joint "$label")
		is "$(cat "$dir/name") $(cat "$dir/in_angl0_raw") $(cat "$dir/in_voltage0_raw") $(cat "$dir/in_temp0_raw")" \
			"ax-12 $(simulated "$id" present_position) $(simulated "$id" present_voltage) $(simulated "$id" present_temperature)" \
			"$time time: $label is what the simulator says"
	done </tmp/described
	holds $dxl/dxl0/statistics/timeouts 0 "$time time: no time-out"

	dir=$(joint HeadYaw)
	succeeds "$time time: a goal is written" into "$dir/out_angl0_raw" 700
	simulates 19 goal_position 700 "$time time: and is the servo's"
	simulates 19 torque_enable 1 "$time time: torque is on"

	kill $attach
	end_of $attach
	is "$status" 0 "$time time: a signal ends it well"
	no_devices
	ok $? "$time time: no device is left"
	simulates 19 torque_enable 0 "$time time: torque is off"
	is "$(ldisc_of /tmp/tty.a)" 0 "$time time: the port is a terminal again"
done

# --- one owner ---

start_attach a
eventually [ -d $dxl/dxl0 ]
ok $? "a bus without devices"
is "$(ldisc_of /tmp/tty.a)" 29 "has the line discipline for development"
fails_with "in use" "a second dxlattach is refused" dxlattach /tmp/tty.a
fails_with "rror" "nobody writes to the line" sh -c "echo x >$(readlink /tmp/tty.a)"
fails_with "" "nobody changes its settings" stty -F "$(readlink /tmp/tty.a)" 9600
fails_with "busy" "an ID is taken once" sh -c "
	echo robotis,ax-12 7 one >$dxl/dxl0/new_device
	echo robotis,ax-12 7 two >$dxl/dxl0/new_device"
kill -KILL $attach
end_of $attach

# dxlsim holds the port open, so the discipline stays until somebody wants it.
start_attach a --overlay $robot
eventually servos_are 20
ok $? "after one that was killed the next attaches" || sed 's/^/# /' /tmp/attach.a

# Whoever takes the discipline away leaves a line that works, and joints that do not.
succeeds "a goal is written again" into "$(joint HeadYaw)/out_angl0_raw" 650
kill -KILL $attach
end_of $attach
simulates 19 torque_enable 1 "its joint holds while the port is open"
succeeds "another discipline is set" setdisc "$(readlink /tmp/tty.a)" 0
simulates 19 torque_enable 0 "which lets it go"
no_devices
ok $? "and ends the bus"
start_attach a --overlay $robot
eventually servos_are 20
ok $? "it can be attached again" || sed 's/^/# /' /tmp/attach.a

# A second of patience for each answer, which nobody needs who waits for one
# when the line goes. The time is that of the guest, which only waiting takes.
echo 1000000 >$dxl/dxl0/timeout_margin_us
dxlctl silence all >/dev/null
(attribute "$(joint HeadYaw)/in_angl0_raw"; now >/tmp/answered) 2>/tmp/answer &
reader=$!
usleep 200000
before=$(now)
kill $sim
end_of $attach
is "$status" 3 "a hang-up ends it with status 3" || sed 's/^/# /' /tmp/attach.a
end_of $reader
grep -q "No such device" /tmp/answer
ok $? "who waited for an answer is told that the device has gone" || sed 's/^/# /' /tmp/answer
near "$(cat /tmp/answered)" "$before" 20 "at once"
no_devices
ok $? "and no device is left"

# --- in the background ---

start_sim b $robot
succeeds "--background returns" dxlattach /tmp/tty.b --background --baud 1000000
[ -d $dxl/dxl0 ]
ok $? "with the bus there"
succeeds "which a signal ends" killall dxlattach
eventually no_devices
ok $? "as any other"
kill $sim

# --- a serial port, whose last close ends the bus ---

ln -sf /dev/ttyS2 /tmp/tty.c
start_attach c --baud 38400
eventually [ -d $dxl/dxl0 ]
ok $? "a serial port becomes a bus"
case $(readlink -f $dxl/dxl0) in
*/ttyS2/dxl0) ok 0 "below the port" ;;
*) ok 1 "below the port" ;;
esac
succeeds "with a servo that does not answer" sh -c "echo robotis,ax-12 1 >$dxl/dxl0/new_device"
kill -KILL $attach
end_of $attach
eventually no_devices
ok $? "the last close removes it"
succeeds "the module can go" rmmod dxl_ldisc
done_testing
