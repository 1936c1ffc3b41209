#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# timeout: 300
# program: naohw
# share: build/host/share/naohw/firmware
# share: userspace/robots
# share: userspace/motions
#
# The CM-510's own firmware, in a simulator of its processor, with our driver: what is at its
# pins is in IIO and the frames, its buttons are events, and its lights and its tone are what
# Linux has set. Then as a bridge, with a cable instead of an adapter: from its radio jack to
# dxlsim's servos, through which a page plays, and from its PC jack at another rate than theirs.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/boards-lib.sh"

# board COMMAND... -- to who has the board on his desk
board() {
	DXLSIM_CONTROL=/tmp/control.board command dxlctl "$@"
}

# start_board OPTION... -- sets firmware
start_board() {
	rm -f /tmp/control.board
	cm510 /share/firmware/cm-510.bin --control /tmp/control.board "$@" 2>/tmp/board.log &
	firmware=$!
	eventually [ -e /tmp/control.board ] || sed 's/^/# /' /tmp/board.log
}

board_has() {
	board get "$1" | head -n 1
}

board_is() {
	[ "$(board_has "$1")" = "$2" ]
}

# reads CHANNEL VALUE NAME -- a while after something has changed
reads() {
	reads_now() {
		[ "$(attribute "$(joint CM-510)/in_$1_raw")" = "$2" ]
	}
	eventually reads_now "$1" "$2"
	ok $? "$3" || echo "# in_$1_raw is $(attribute "$(joint CM-510)/in_$1_raw")"
}

# measures CHANNEL MILLIVOLTS CHANNEL RAW -- what is at a pin is what is read
measures() {
	board port "$1" "$2" >/dev/null
	reads "$3" "$4" "$2 mV at input $1 are $4 in $3"
}

load_modules 2000
modprobe dxl_board
start_board --bus-pty /tmp/tty.a
start_attach a --overlay /share/test-overlays/cm510.dtbo
eventually attached a 1
ok $? "dxlattach tells of the board" || sed 's/^/# /' /tmp/attach.a
eventually servos_are 1
ok $? "it is an IIO device"
holds "$(joint CM-510)/name" cm-510 "a CM-510"
dev=$(device_of_id 200)
is "$(cat "$dev/model_number") $(cat "$dev/firmware_version")" "1296 2" "with this map's version"

# --- what it senses ---

# simavr has 1023 for 5 V, and the board a quarter of the battery.
measures 0 2775 voltage0 111
measures 0 1850 voltage0 74
measures 1 1650 accel_z 337
near "$(physical CM-510 accel_z)" -145 2 "which is as good as no acceleration"
measures 1 1980 accel_z 405
near "$(physical CM-510 accel_z)" 9722 2 "and 0.33 V more are about 1 g"
measures 2 2503 voltage2 512
measures 2 0 voltage2 0
measures 2 5000 voltage2 1023
measures 3 2224 anglvel_x 455
near "$(physical CM-510 anglvel_x)" 5236 1 "300 degrees/s"
measures 4 220 anglvel_y 45
near "$(physical CM-510 anglvel_y)" -5236 1 "and the same the other way round"
measures 5 2224 distance5 100
measures 5 1002 distance5 250
measures 5 300 distance5 0
board out 6 3002 >/dev/null
reads proximity6 614 "what the infrared sensor shows while its output is on"
board out 2 3000 >/dev/null
reads voltage2 20 "no other port's output is on"
board out 2 0 >/dev/null
is "$(board_has outputs)" 32 "as far as the pins tell, too"

for _ in 1 2 3; do
	board sound on >/dev/null
	sleep 0.05
	board sound off >/dev/null
	sleep 0.2
done
reads count2 3 "it has heard three sounds"

# --- in frames ---

eventually frames_have anglvel200_x
ok $? "frames have what it senses"
for channel in anglvel200_x distance5320; do
	into "$state/scan_elements/in_${channel}_en" 1
done
board port 5 1516 >/dev/null
sleep 0.1
into "$state/buffer/enable" 1
# shellcheck disable=SC2046
set -- $(fifth_frame 4)
is "$(($1 + 256 * $2)) $(($3 + 256 * $4))" "455 150" "a rate and a distance"

# --- what Linux has set ---

value=0 bit=1
for light in power tx rx aux manage programming play; do
	into "$leds/CM-510::$light/brightness" 1
	value=$((value + bit))
	bit=$((2 * bit))
	eventually board_is lights $value
	ok $? "$light shines, in an exchange" || echo "# $(board_has lights)"
done
into "$state/buffer/enable" 0
into "$leds/CM-510::aux/brightness" 0
eventually board_is lights 119
ok $? "and one does not any more" || echo "# $(board_has lights)"

evdev tone "$(input_of "CM-510 buzzer")" 440 &
pid=$!
sleep 1
near "$(board_has tone)" 440 3 "its buzzer makes a tone"
kill $pid
eventually board_is tone 0
ok $? "which ends with who has made it"

# --- buttons ---

evdev keys "$(input_of "CM-510 buttons")" 10 >/tmp/keys &
pid=$!
sleep 0.2
for button in start up down left right; do
	board press $button >/dev/null
	sleep 0.1
	board release $button >/dev/null
	sleep 0.1
done
end_of $pid
keys_are CM-510 315 544 545 546 547

# --- a bridge ---

is "$(board_has gates)" 0 "it has never talked while others might"
is "$(board_has overruns)" 0 "and has lost no byte"
kill $attach
end_of $attach
kill $firmware
end_of $firmware
eventually no_devices
ok $? "nothing is left of it"

start_sim a /share/overlays/virt-bioloid.dtbo --wire-time
start_board --bus-tty /tmp/tty.a --host-pty /tmp/tty.jack
start_attach jack --overlay /share/overlays/virt-bioloid-premium.dtbo
eventually attached jack 21
ok $? "over its jack there are 20 servos and itself" || sed 's/^/# /' /tmp/attach.jack
eventually servos_are 21
ok $? "all answer"
holds "$(device_of_id 200)/firmware_version" 2 "the board by itself"
measures 2 2503 voltage2 512

export NAOHW_ROBOT=/share/robots/bioloid-premium.xml
dxlctl list | sed -n 's/^\([0-9][0-9]*\) \([^ ]*\) .*/\1 \2/p' >/tmp/described
file=/share/motions/bioloid.mtn
for page in Stand Wave; do
	succeeds "$page plays" naohw play --head --stiff "$file" "$page"
	check_pose "$file" "$page"
done
into "$leds/CM-510::play/brightness" 1
eventually board_is lights 64
ok $? "and its lights are where they were"
is "$(board_has gates)" 0 "it has never talked while others might"
is "$(board_has overruns)" 0 "and has lost no byte"

# --- at its PC jack, whose rate is not the bus' ---

kill $attach
end_of $attach
kill $firmware
end_of $firmware
start_board --bus-tty /tmp/tty.a --pc-pty /tmp/tty.pc
start_attach pc --baud 57600 --overlay /share/overlays/virt-bioloid-premium.dtbo
eventually attached pc 21
ok $? "over its PC jack there are as many" || sed 's/^/# /' /tmp/attach.pc
eventually servos_are 21
ok $? "all answer"
board port 1 1000 >/dev/null
reads voltage1 204 "and so does the board"
naohw list >/tmp/list
is "$(tail -n 1 /tmp/list | cut -d ' ' -f 1-3)" "20 of 20" "its joints answer"
is "$(cat /sys/bus/dxl/devices/dxl*/statistics/timeouts)" 0 "nobody was too late"
is "$(board_has gates)" 0 "it has never talked while others might"
is "$(board_has overruns)" 0 "and has lost no byte"
done_testing
