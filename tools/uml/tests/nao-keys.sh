#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# in: check-all
# share: build/tables/nao-keys.csv
#
# All of a NAO on one bus: what carries the value of each key, by the robot's description, is
# there, and nothing else is; and all of it fits into a period of 10 ms.

. "$(dirname "$0")/beat.sh"

robot=/share/overlays/virt-nao-h25-v33.dtbo
leds=/sys/class/leds
table=/tmp/nao-keys.csv

# Only the Sanyo battery has these.
grep -v ',age,\|,charge_now,\|,manufacturer,\|,serial_number,' /share/nao-keys.csv >$table

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

# What is there, a line each: the device, the file, a part of it or else its label, and what kind of
# device that is. Of attributes it is those that are listed of any device

there_in_iio() {
	local dir file attributes
	attributes=$(awk -F, '$2 == "iio" && $4 !~ /_raw$/ { print $4 }' $table | sort -u)
	for dir in $iio/iio:device*; do
		[ -e "$dir/label" ] || continue
		(
			cd "$dir" || exit
			for file in *_raw $attributes; do
				[ ! -e "$file" ] ||
					echo "$(cat label),$file,$(cat "${file%_raw}_label" 2>/dev/null),$(cat name)"
			done
		)
	done
}

there_in_leds() {
	local dir color
	for dir in $leds/*; do
		[ -e "$dir/multi_index" ] || echo "${dir##*/},brightness,,"
		for color in $(cat "$dir/multi_index" 2>/dev/null); do
			echo "${dir##*/},multi_intensity,$color,"
		done
	done
}

there_in_input() {
	local dir bit
	for dir in /sys/class/input/input*; do
		for bit in $(key_bits "$dir/capabilities/key"); do
			echo "$(cat "$dir/name"),$(key_name "$bit"),,$(cat "$dir"/device/iio:device*/name)"
		done
	done
}

# Of a power supply and a memory there is more than keys ask for: what they ask for must be there.
there_in_power_supply() {
	local dir
	for dir in /sys/class/power_supply/*; do
		[ -r "$dir/$1" ] && echo "${dir##*/},$1,,"
	done
}

there_in_nvmem() {
	local cell board
	for cell in /sys/bus/nvmem/devices/*/cells/"$1"@*; do
		[ -e "$cell" ] || continue
		board=${cell%/cells/*}
		echo "$(cat $dxl/"${board##*/}"/iio:device*/label),$1,,"
	done
}

# What only shows is called by its lights.
label_of() {
	if ! cat "$1"/iio:device*/label 2>/dev/null; then
		set -- "$1"/leds/*
		set -- "${1##*/}"
		echo "${1%%:*}"
	fi
}

there_in_dxl() {
	local dir
	for dir in $dxl/*-*; do
		[ -r "$dir/$1" ] && echo "$(label_of "$dir"),$1,,$(cat "$dir"/iio:device*/name 2>/dev/null)"
	done
}

# No key asks for these, of each device of that kind. What buttons are pressed is in IIO only because
# frames have it; touch and bumpers are read there.
# What is a motor board's is read from its first motor.
extra_iio='
nao-motor,in_anglvel0_raw
nao-motor,out_anglvel0_raw
nao-motor,in_angl1_raw
nao-motor,struct_version
nao-motor,board_id
nao-motor,board_id2
nao-motor,boot_loader_version
nao-motor,prog_version
nao-motor,bid
nao-chest-board,in_count1_raw
'
extra_leds=
extra_input='
nao-foot-board,BTN_TRIGGER_HAPPY1
nao-foot-board,BTN_TRIGGER_HAPPY2
nao-touch-board,BTN_TRIGGER_HAPPY1
nao-touch-board,BTN_TRIGGER_HAPPY2
nao-touch-board,BTN_TRIGGER_HAPPY3
nao-hand-touch,BTN_TRIGGER_HAPPY1
nao-hand-touch,BTN_TRIGGER_HAPPY2
nao-hand-touch,BTN_TRIGGER_HAPPY3
'

# differences CLASS EXTRA -- between the table and what is there, on standard input
differences() {
	awk -F, -v class="$1" -v extra="$2" '
	# The table has dots for what its description does not say of a name.
	function pattern(name) {
		gsub(/\.\.\./, ".*", name)
		return "^" name "$"
	}
	BEGIN { split(extra, lines, "\n"); for (i in lines) extras[lines[i]] = lines[i] != "" }
	FNR == NR {
		if ($2 == class)
			listed[$3 "," $4 (class == "leds" ? "," $5 : "")]
		next
	}
	{
		known = 0
		for (line in listed) {
			split(line, want, ",")
			if ($1 !~ pattern(want[1]) || ($2 != want[2] && $3 != want[2]) ||
			    (class == "leds" && $3 != want[3]))
				continue
			known = found[line] = 1
		}
		if (extras[$4 "," $2])
			known = found[$4 "," $2] = 1
		if (!known)
			print "not listed: " $0
	}
	END {
		for (line in listed)
			if (!(line in found))
				print "not there: " line
		for (line in extras)
			if (extras[line] && !(line in found))
				print "not there: " line
	}' $table -
}

# compare CLASS EXTRA -- the table and what no key asks for with what is there
compare() {
	"there_in_$1" >/tmp/there
	grep -q "^[^,]*,$1," $table
	ok $? "$1: something is listed"
	differences "$1" "$2" </tmp/there >/tmp/differences
	is "$(cat /tmp/differences)" "" "$1: what is listed is there, and no more ($(wc -l </tmp/there))"
}

# compare_asked CLASS [EXTRA] -- the table, and what no key asks for, with what is there of files
# that are in the table
compare_asked() {
	for file in $(awk -F, -v class="$1" '$2 == class { print $4 }' $table | sort -u); do
		"there_in_$1" "$file"
	done >/tmp/there
	differences "$1" "${2-}" </tmp/there >/tmp/differences
	is "$(cat /tmp/differences)" "" "$1: what is listed is there ($(wc -l </tmp/there))"
}

load_modules 1000
modprobe dxl_board
start_robot a $robot 36 5
wait_for_devices dxl0

is "$(grep -c '^[^,]*/Value[0-9]*,' $table)" 286 "the table has NAO's values, and eight of ours"
is "$(cut -d, -f1 $table | sort | uniq -d)" "" "each of them once"
compare iio "$extra_iio"
compare leds "$extra_leds"
compare input "$extra_input"
compare_asked power_supply
compare_asked nvmem
compare_asked dxl nao-motor,firmware_version

# [cur-4] [pos-2]: a motor is read in one piece, with where it is
# --- a beat of it all ---

succeeds "a period of 10 ms" into $dxl/dxl0/cycle/period_us 10000
torque_on dxl0
read_frames "NAO" dxl0 2 200
done_testing
