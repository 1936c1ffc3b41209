# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash disable=SC2034,SC2154
#
# Sourced by the tests of boards, behind lib.sh: what a simulated board senses and
# shows, and what Linux has of it.

leds=/sys/class/leds

# start_boards COUNT [SENSORS] -- $robot, simulated and attached: so many devices, of which so
# many, or all, have an IIO device
start_boards() {
	local count=$1 sensors=${2:-$1}
	load_modules 1000
	modprobe dxl_board
	start_sim a "$robot" --wire-time
	talk
	start_attach a --overlay "$robot"
	eventually attached a "$count"
	ok $? "dxlattach tells of $count devices" || sed 's/^/# /' /tmp/attach.a
	eventually servos_are "$sensors"
	ok $? "$sensors of them have an IIO device"
}

# start_body -- a DARwIn-OP that obeys physics, simulated and attached
start_body() {
	load_modules 1000
	modprobe dxl_board
	start_sim a /share/overlays/virt-darwin-op-boards.dtbo --wire-time \
		--body /share/robots/darwin-op.xml
	start_attach a --overlay /share/overlays/virt-darwin-op-boards.dtbo
	eventually attached a 23
	ok $? "23 devices are on the bus" || sed 's/^/# /' /tmp/attach.a
}

# physical LABEL CHANNEL -- thousandths of its unit
physical() {
	local dir channel raw offset=0 scale=1
	dir=$(joint "$1") || return
	channel=$dir/in_$2
	[ ! -e "${channel}_offset" ] || read -r offset <"${channel}_offset"
	[ ! -e "${channel}_scale" ] || read -r scale <"${channel}_scale"
	read -r raw <"${channel}_raw"
	awk -v raw="$raw" -v offset="$offset" -v scale="$scale" \
		'BEGIN { printf "%.0f", (raw + offset) * scale * 1000 }'
}

# raw_of LABEL CHANNEL
raw_of() {
	cat "$(joint "$1")/in_$2_raw"
}

# What the feet carry, in mN
feet_carry() {
	local foot fsr sum=0
	for foot in RFoot LFoot; do
		for fsr in 1 2 3 4; do
			sum=$((sum + $(raw_of $foot count$fsr)))
		done
	done
	echo $sum
}

# senses ID LABEL ITEM VALUE CHANNEL EXPECTED TOLERANCE -- the value set on the
# simulated board, and thousandths of IIO's unit
senses() {
	succeeds "$2: $3 is set to $4" dxlctl set "$1" "$3" "$4"
	near "$(physical "$2" "$5")" "$6" "$7" "$2: $5 tells it"
}

# raw ID LABEL ITEM CHANNEL VALUE... -- what the register holds is what is read
raw() {
	local id=$1 label=$2 item=$3 channel=$4 value
	shift 4
	for value; do
		dxlctl set "$id" "$item" raw "$value" >/dev/null
		holds "$(joint "$label")/in_${channel}_raw" "$value" \
			"$label: $channel of $item at $value"
	done
}

# shows ID LABEL ITEM VALUE NAME -- a light has arrived
shows() {
	eventually simulated_is "$1" "$3" "$4"
	ok $? "$2: $5" || echo "# $3 is $(simulated "$1" "$3")"
}

# input_of NAME -- its event device
input_of() {
	local dir
	for dir in /sys/class/input/input*; do
		line_is "$dir/name" "$1" || continue
		set -- "$dir"/event*
		echo "/dev/input/${1##*/}"
	done
}

presses() {
	local id=$1 label=$2 device pid button
	shift 2
	device=$(input_of "$label buttons")
	evdev keys "$device" $(($# * 2)) >/tmp/keys &
	pid=$!
	sleep 0.2
	for button; do
		dxlctl press "$id" "$button" >/dev/null
		sleep 0.1
		dxlctl release "$id" "$button" >/dev/null
		sleep 0.1
	done
	end_of $pid
}

# keys_are LABEL CODE... -- what presses() has seen: each goes down and up
keys_are() {
	local label=$1 code
	shift
	for code; do
		printf '%d 1\n%d 0\n' "$code" "$code"
	done >/tmp/expected
	cmp -s /tmp/keys /tmp/expected
	ok $? "$label: every button goes down and up" || sed 's/^/# /' /tmp/keys
}

held_is() {
	[ "$(evdev held "$1" | tr '\n' ' ')" = "$2" ]
}

# frames_have CHANNEL -- sets state
frames_have() {
	state=$(grep -lx dxl0-state $iio/iio:device*/name 2>/dev/null) || return 1
	state=${state%/name}
	[ -e "$state/in_$1_raw" ]
}

# fifth_frame SIZE -- the bytes of one of so many, from the buffer of the frames
fifth_frame() {
	dd if="/dev/${state##*/}" bs="$1" count=5 status=none | od -An -v -tu1 -w"$1" | tail -n 1
}
