#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# timeout: 200
#
# One servo of every model, of both protocols on one bus, with the simulator's
# own tables behind it: each binds, tells its state, takes every operating mode
# and goes where it is told to, alone and by a pose.

. "$(dirname "$0")/lib.sh"

robot=/share/test-overlays/models.dtbo
count=29

# name_of DIR -- the model, if the device is a servo
name_of() {
	[ -e "$1/out_angl0_en" ] && cat "$1/name"
}

# takes_modes DIR -- every operating mode can be set, and is read back
takes_modes() {
	local mode
	for mode in $(cat "$1/operating_mode_available") position; do
		into "$1/operating_mode" "$mode" || return
		line_is "$1/operating_mode" "$mode" || return
	done
}

is_at() {
	line_is "$1/in_angl0_raw" "$2"
}

# all_at POSITION -- of every servo
all_at() {
	local dir
	for dir in $iio/iio:device*; do
		[ ! -e "$dir/out_angl0_en" ] || is_at "$dir" "$1" || return
	done
}

# put_goal BYTES POSITION -- a number of so many bytes, little endian, and a
# speed of 0, as long
put_goal() {
	printf "\\$(printf %o $(($2 % 256)))\\$(printf %o $(($2 / 256)))\\0\\0"
	[ "$1" -eq 2 ] || printf '\0\0\0\0'
}

# A sample has the servos by their ID; 14 is the XL-320.
sample() {
	local id=1
	while [ $id -le $count ]; do
		if [ $id -le 10 ] || [ $id -eq 14 ]; then
			put_goal 2 "$1"
		else
			put_goal 4 "$1"
		fi
		id=$((id + 1))
	done
}

load_modules 1000
start_sim a $robot --wire-time
start_attach a --overlay $robot
eventually attached a $count
ok $? "dxlattach tells of $count devices" || sed 's/^/# /' /tmp/attach.a
eventually servos_are $count
ok $? "$count servos are there"

for dir in $iio/iio:device*; do
	name=$(name_of "$dir") || continue
	is "$name" "$(cat "$dir/label")" "$name is what the overlay says"
	is "$(cat "$dir/operating_mode") $(cat "$dir/hardware_error")" "position " \
		"$name is a joint, and well"
	near "$(cat "$dir/in_temp0_raw")" 25 10 "$name is cool"
	takes_modes "$dir"
	ok $? "$name takes every operating mode"
	succeeds "$name has torque" into "$dir/out_angl0_en" 1
	other=$(sed 's/.* //' "$dir/operating_mode_available")
	fails_with "busy" "$name keeps its mode then" into "$dir/operating_mode" "$other"
	succeeds "$name gets a goal" into "$dir/out_angl0_raw" 700
	eventually is_at "$dir" 700
	ok $? "$name goes there"
done

pose=$(dirname "$(grep -lx 'dxl0-goal' $iio/iio:device*/name)")
for file in "$pose"/buffer0/*_en; do
	into "$file" 1
done
into "$pose/buffer0/length" 4
succeeds "the pose's buffer is enabled" into "$pose/buffer0/enable" 1
sample 600 >/tmp/sample
succeeds "a pose is queued" \
	dd if=/tmp/sample of="/dev/${pose##*/}" bs=4096 count=1
eventually all_at 600
ok $? "all servos go where it says"
into "$pose/buffer0/enable" 0
is "$(cat $dxl/dxl0/statistics/timeouts) $(cat $dxl/dxl0/statistics/checksum_errors)" "0 0" \
	"nothing was lost"
done_testing
