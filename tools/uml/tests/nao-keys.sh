#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# share: Documentation/boards/nao-keys.csv
#
# All of a NAO on one bus: every key's object of Documentation/boards/nao-keys.csv is
# there, and nothing else is; and all of it fits into a period of 10 ms.

. "$(dirname "$0")/beat.sh"

robot=/share/overlays/virt-nao-h25-v33.dtbo
leds=/sys/class/leds
table=/share/nao-keys.csv

# key_bits FILE -- the numbers of the keys that an input device has
key_bits() {
	awk '
	function digit(c) { return index("0123456789abcdef", c) - 1 }
	{
		for (word = 1; word <= NF; word++)
			for (at = length($word); at > 0; at--) {
				bit = (NF - word) * 64 + (length($word) - at) * 4
				for (n = digit(substr($word, at, 1)); n; n = int(n / 2)) {
					if (n % 2)
						print bit
					bit++
				}
			}
	}' "$1"
}

# key_name NUMBER -- as linux/input-event-codes.h has it
key_name() {
	case $1 in
	315) echo BTN_START ;;
	70[4-9]) echo "BTN_TRIGGER_HAPPY$(($1 - 703))" ;;
	*) echo "$1" ;;
	esac
}

there_in_iio() {
	local dir file
	for dir in $iio/iio:device*; do
		[ -e "$dir/label" ] || continue
		for file in "$dir"/*_raw "$dir"/out_angl0_torque_limit "$dir"/sonar_mode; do
			[ ! -e "$file" ] ||
				echo "iio,$(cat "$dir/label"),${file##*/},$(cat "$dir/name")"
		done
	done
}

there_in_leds() {
	local dir color
	for dir in $leds/*; do
		[ -e "$dir/multi_index" ] || echo "leds,${dir##*/},brightness,"
		for color in $(cat "$dir/multi_index" 2>/dev/null); do
			echo "leds,${dir##*/},multi_intensity,$color"
		done
	done
}

there_in_input() {
	local dir bit
	for dir in /sys/class/input/input*; do
		for bit in $(key_bits "$dir/capabilities/key"); do
			echo "input,$(cat "$dir/name"),$(key_name "$bit"),"
		done
	done
}

# listed CLASS -- what the table has of it, as there_in_* tell it: of IIO each of the
# attributes that a key is computed from, and those without a key by their model
listed() {
	awk -F, -v class="$1" '
	$2 != class { next }
	class != "iio" { print $2 "," $3 "," $4 "," $5; next }
	{
		count = split($4, files, " ")
		for (i = 1; i <= count; i++)
			print $2 "," ($1 == "" ? "" : $3) "," files[i] "," ($1 == "" ? $3 : "")
	}' $table
}

# compare CLASS -- the table with what is there
compare() {
	listed "$1" >/tmp/listed
	"there_in_$1" >/tmp/there
	[ -s /tmp/listed ]
	ok $? "$1: something is listed"
	awk -F, '
	NR == FNR { listed[$0] = 1; next }
	$1 == "iio" {
		own = $1 "," $2 "," $3 ","; model = $1 ",," $3 "," $4
		if (!(own in listed) && !(model in listed))
			print "not listed: " $0
		found[own] = found[model] = 1
		next
	}
	!($0 in listed) { print "not listed: " $0 }
	{ found[$0] = 1 }
	END {
		for (line in listed)
			if (!(line in found))
				print "not there: " line
	}' /tmp/listed /tmp/there >/tmp/differences
	is "$(cat /tmp/differences)" "" "$1: what is listed is there, and no more ($(wc -l </tmp/there))"
}

load_modules 1000
modprobe dxl_board
start_robot a $robot 36 5
wait_for_devices dxl0

is "$(grep -c '^[A-Z]' $table)" 278 "the table has as many keys as a NAO"
is "$(sed -n 's/^\([A-Z][^,]*\),.*/\1/p' $table | sort | uniq -d)" "" "each of them once"
compare iio
compare leds
compare input
awk -F, '$2 == "power_supply" { print $3 "/" $4 }' $table | while read -r file; do
	[ -r "/sys/class/power_supply/$file" ] || echo "$file"
done >/tmp/differences
is "$(cat /tmp/differences)" "" "power_supply: what is listed is there"

# --- a beat of it all ---

succeeds "a period of 10 ms" into $dxl/dxl0/cycle/period_us 10000
torque_on dxl0
read_frames "NAO" dxl0 2 200
done_testing
