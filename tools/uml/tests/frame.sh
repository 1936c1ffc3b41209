#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# rounds: 2
#
# Frames: what is in them is what the servos have, of those that answered, and
# their ages tell of the others; slow values come too; any trigger makes them; and
# they can be taken away at any moment. ROUNDS times as often as there are servos.

. "$(dirname "$0")/lib.sh"

# A sample of what choose() chooses: two angles of 2 bytes, then 8 of the time
size=24

find_state() {
	state=$(grep -lx dxl0-state $iio/iio:device*/name 2>/dev/null) || return 1
	state=${state%/name}
	node=/dev/${state##*/}
}

# state_has ID -- is it in the frames?
state_has() {
	find_state && [ -e "$state/in_angl$1_raw" ]
}

no_state() {
	! find_state
}

choose() {
	local channel
	for channel in angl1 temp1 count257 count513 angl2 count258 timestamp; do
		into "$state/scan_elements/in_${channel}_en" 1
	done
}

# frames N -- reads N frames, one a line: the values as they stand in the sample
frames() {
	into "$state/buffer/enable" 1
	dd if="$node" bs=$size count="$1" status=none | od -An -v -tu1 -w$size
	into "$state/buffer/enable" 0
}

# parse LINE -- sets angl1, temp1, age1, alarm1, angl2, age2
parse() {
	# shellcheck disable=SC2086
	set -- $1
	angl1=$(($1 + 256 * $2)) temp1=$3 age1=$4 alarm1=$5
	angl2=$(($7 + 256 * $8)) age2=$9
}

# last_of N -- parses the last of N frames
last_of() {
	parse "$(frames "$1" | tail -n 1)"
}

ages() {
	local line
	frames "$1" | while read -r line; do
		parse "$line"
		printf '%s ' "$age1"
	done
}

load_modules 1000
start_sim a $robot --wire-time
talk
start_attach a --overlay $robot
eventually servos_are 20
ok $? "20 servos are there"
eventually state_has 20
ok $? "and are in the frames"
sleep 0.5

# --- what is in them ---
into $dxl/dxl0/cycle/period_us 50000
holds "$state/trigger/current_trigger" dxl0-cycle "the trigger is the bus's own"
is "$(cat "$state/in_angl1_label"), $(cat "$state/in_count513_label")" \
	"RShoulderPitch, RShoulderPitch alarm" "the labels are those of the joints"
choose
dxlctl write 1 36 44 1 >/dev/null
dxlctl write 2 36 45 2 >/dev/null
last_of 1
is "$angl1 $age1 $angl2 $age2" "300 0 557 0" "positions and ages are right"
is "$temp1" "$(simulated 1 present_temperature)" "a slow value is in the first frame"
near "$(attribute "$state/in_angl1_raw")" 300 1 "so is what is read alone"

# --- one that does not answer ---
into "$state/buffer/length" 40
dxlctl silence 1 >/dev/null
dxlctl write 1 36 0 3 >/dev/null
is "$(ages 3)" "255 255 255 " "one that has never answered has the highest age"
dxlctl unsilence 1 >/dev/null
eventually grep -q active $dxl/0-001/state
last_of 1
is "$angl1 $age1" "768 0" "it is back"

into "$state/buffer/enable" 1
sleep 0.2
dxlctl silence 1 >/dev/null
dxlctl write 1 36 9 0 >/dev/null
sleep 1
dxlctl unsilence 1 >/dev/null
eventually grep -q active $dxl/0-001/state
sleep 0.5
dd if="$node" bs=$size count=36 status=none | od -An -v -tu1 -w$size >/tmp/lines
into "$state/buffer/enable" 0
# As a word for each frame: new, old or wrong, and the other servo's age
while read -r line; do
	parse "$line"
	case $age1,$angl1 in
	0,768 | 0,9) printf 'new%s ' "$age2" ;;
	*,768) printf 'old%s ' "$age2" ;;
	*) printf 'wrong:%s,%s ' "$age1" "$angl1" ;;
	esac
	echo "$age1" >>/tmp/ages
done </tmp/lines | tr ' ' '\n' | uniq | tr '\n' ' ' >/tmp/words
is "$(cat /tmp/words)" "new0 old0 new0 " "it keeps its values meanwhile, and the others theirs"
awk '$1 != 0 && $1 != last + 1 { bad++ } { last = $1; if ($1 > most) most = $1 }
	END { exit bad || most < 15 }' /tmp/ages
ok $? "its age grows by one in each frame" || tr '\n' ' ' </tmp/ages | sed 's/^/# /'
holds "$state/dropped" 0 "none was dropped"

# --- slow values, and its own alarm ---
into "$state/buffer/enable" 1
dd if="$node" bs=$size count=1 status=none >/tmp/first
dxlctl write 1 43 90 >/dev/null
dd if="$node" bs=$size count=12 status=none | od -An -v -tu1 -w$size >/tmp/lines
into "$state/buffer/enable" 0
parse "$(tail -n 1 /tmp/lines)"
[ "$temp1" -ge 85 ]
ok $? "a slow value changes within slow_divider frames" || echo "# $temp1"
parse "$(sed -n 2p /tmp/lines)"
is "$((alarm1 & 4))" 4 "its alarm is in the next frame" || sed 's/^/# /' /tmp/lines
dxlctl write 1 43 30 >/dev/null

# --- other triggers ---
into $iio/iio_sysfs_trigger/add_trigger 5
into "$state/trigger/current_trigger" sysfstrig5
pull=$(dirname "$(grep -lx sysfstrig5 $iio/trigger*/name)")/trigger_now
into "$state/buffer/enable" 1
for _ in 1 2 3; do
	into "$pull" 1
	sleep 0.1
done
holds "$state/frames" 3 "a sysfs trigger makes a frame each time"
into "$state/buffer/enable" 0
into $iio/iio_sysfs_trigger/remove_trigger 5

mkdir /sys/kernel/config/iio/triggers/hrtimer/thirty
for name in $iio/trigger*/name; do
	[ "$(cat "$name")" = thirty ] && into "${name%/name}/sampling_frequency" 30
done
into "$state/trigger/current_trigger" thirty
into "$state/buffer/length" 100
into "$state/buffer/enable" 1
sleep 1
near "$(cat "$state/frames")" 30 1 "an hrtimer trigger makes them at its rate"
into "$state/buffer/enable" 0
into "$state/trigger/current_trigger" dxl0-cycle

# --- a servo's own device ---
own=$(joint RShoulderPitch)
dxlctl write 1 36 10 1 >/dev/null
for channel in angl0 temp0 timestamp; do
	into "$own/scan_elements/in_${channel}_en" 1
done
for trigger in thirty dxl0-cycle; do
	into "$own/trigger/current_trigger" $trigger
	into "$own/buffer/enable" 1
	dd if="/dev/${own##*/}" bs=16 count=3 status=none
	into "$own/buffer/enable" 0
done | od -An -v -tu2 -w16 >/tmp/lines
is "$(awk '$1 == 266 && $2 == '"$(simulated 1 temperature)"' { n++ } END { print n }' /tmp/lines)" \
	6 "a servo's own device has samples too, by any trigger" || sed 's/^/# /' /tmp/lines
# It stays: the kernel's rmdir for it writes to memory that it has freed.

# --- what does not fit ---
into $dxl/dxl0/cycle/period_us 1000
fails_with "No space" "frames too long for the period are refused" into "$state/buffer/enable" 1
into $dxl/dxl0/cycle/period_us 50000
into "$state/buffer/enable" 1
fails_with "busy" "the divider stays while there are frames" into $dxl/dxl0/cycle/slow_divider 3
into "$state/buffer/enable" 0
succeeds "and can be set otherwise" into $dxl/dxl0/cycle/slow_divider 10

# --- servos that go while they are read ---
read_all() {
	local file
	while [ ! -e /tmp/stop ]; do
		for file in $iio/iio:device*/in_angl1_raw $iio/iio:device*/in_count1_raw; do
			read -r _ <"$file"
		done
		sleep 0.02
	done 2>/dev/null
}

read_all &
reader=$!
round=0
while [ $round -lt "${ROUNDS:-2}" ]; do
	round=$((round + 1))
	for id in 1 7 20; do
		eventually state_has $id || ok 1 "servo $id is back in the frames"
		sleep 0.3
		find_state
		choose
		into "$state/buffer/enable" 1 || ok 1 "the frames begin"
		dd if="$node" bs=$size count=2 status=none >/dev/null
		into /sys/bus/dxl/drivers/dxl-servo/unbind "$(basename "$(device_of_id $id)")"
		dd if="$node" bs=$size count=4 status=none >/dev/null &&
			state_has $id || ok 1 "the frames go on without servo $id"
		into /sys/bus/dxl/drivers/dxl-servo/bind "$(basename "$(device_of_id $id)")"
		dd if="$node" bs=$size count=4 status=none >/dev/null || ok 1 "and with it"
		into "$state/buffer/enable" 0
	done
done
eventually state_has 20
ok $? "servos come and go while there are frames"
touch /tmp/stop
wait $reader

sleep 0.5
find_state
choose
into "$state/buffer/enable" 1
succeeds "the driver can be unloaded while there are frames" rmmod dxl_servo
no_state
ok $? "which takes them away"
modprobe dxl_servo
eventually state_has 20
ok $? "and they come back with it"

sleep 0.5
find_state
choose
into "$state/buffer/enable" 1
kill $attach
end_of $attach
no_state
ok $? "they go with the bus"
done_testing
