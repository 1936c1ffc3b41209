#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
#
# What libnaohw reads and writes beside IIO, on a NAO: its lights, buttons, battery and
# memory as the kernel really has them; each gone and back.

. "$(dirname "$0")/lib.sh"

robot=/share/overlays/virt-nao-h25-v33.dtbo
leds=/sys/class/leds

# shows ID ITEM VALUE NAME
shows() {
	eventually simulated_is "$1" "$2" "$3"
	ok $? "$4" || echo "# $2 is $(simulated "$1" "$2")"
}

# told FILE LINE -- has a program in the background written that?
told() {
	grep -qx "$2" "$1"
}

load_modules 1000
modprobe dxl_board
start_sim a $robot --wire-time
talk
start_attach a --overlay $robot
eventually attached a 36
ok $? "36 devices are on the bus" || sed 's/^/# /' /tmp/attach.a

# --- lights ---

is "$(devices light ChestBoard indicator red)" 0.000 "a light is off at first"
succeeds "one colour of it" devices light ChestBoard indicator green 0.5
shows 200 green 128 "is half of 255, to the nearest"
is "$(simulated 200 red) $(simulated 200 blue)" "0 0" "and the others stay off"
succeeds "another colour" devices light ChestBoard indicator red 1
shows 200 red 255 "is all"
simulates 200 green 128 "and the first one stays"
into $leds/ChestBoard:rgb:indicator/brightness 51
is "$(devices light ChestBoard indicator red)" 0.200 "somebody dims it"
succeeds "the third colour" devices light ChestBoard indicator blue 0.1
shows 200 blue 26 "is a tenth"
is "$(simulated 200 red) $(simulated 200 green)" "51 26" "and the others stay dim"
succeeds "a light of one colour" devices light Ears left-36deg - 0.5
shows 205 left_36 8 "is at 8 of 15"
is "$(devices light Ears left-36deg -)" 0.533 "as it says"
is "$(devices light Ears left-37deg -)" ENODEV "there is no other"
is "$(devices light Ears left-36deg blue)" ENOENT "its colour is no part of it"
is "$(devices light ChestBoard indicator white)" ENOENT "and there is no white"

# --- a light near a touch sensor, told by another program each time [tou-2] ---

near() {
	devices light Head front-left-0 - "$@"
}

# is_touched LEVEL NAME -- what it shows once somebody has read that it is
is_touched() {
	dxlctl press 203 front >/dev/null
	devices button Head BTN_TRIGGER_HAPPY1 0 >/dev/null
	shows 203 front_left_0 "$1" "$2"
	dxlctl release 203 front >/dev/null
	devices button Head BTN_TRIGGER_HAPPY1 0 >/dev/null
}

is "$(near)" 0.000 "a light near a sensor is dark"
is_touched 15 "and comes on when that is touched"
shows 203 front_left_0 0 "and goes off"
succeeds "it is told to shine" near 0.4
shows 203 front_left_0 6 "and does"
is_touched 6 "and is not touched by that"
shows 203 front_left_0 6 "nor by what follows"
succeeds "told to be dark" near 0
is_touched 15 "it comes on again"
succeeds "told to be dark whatever happens" near -1
is "$(near)" -1.000 "it says so"
is_touched 0 "and is"
succeeds "told to be dark" near 0
is "$(near)" 0.000 "it says that"
is_touched 15 "and comes on again"

# Each of three programs has a colour of its own.
for color in red green blue; do
	for _ in 1 2 3 4 5 6 7 8 9; do
		devices light Face left-0deg $color 0.2
	done && devices light Face left-0deg $color 1 &
	eval "writer_$color=$!"
done
# shellcheck disable=SC2154
for pid in $writer_red $writer_green $writer_blue; do
	end_of "$pid"
	is "$status" 0 "a colour was written ten times"
done
holds $leds/Face:rgb:left-0deg/multi_intensity "63 63 63" "and none is lost"

# --- buttons ---

devices button Head BTN_TRIGGER_HAPPY2 2 >/tmp/button &
pid=$!
eventually told /tmp/button 0
ok $? "a button is up"
dxlctl press 203 middle >/dev/null
eventually told /tmp/button "1 later"
ok $? "it goes down, at a time of the clock"
is "$(devices button Head BTN_TRIGGER_HAPPY2 0)" 1 "others see it, too"
is "$(devices button Head BTN_TRIGGER_HAPPY1 0)" 0 "and that it is alone"
dxlctl release 203 middle >/dev/null
end_of $pid
is "$(tail -n 1 /tmp/button)" "0 later" "and goes up"
is "$(devices button Head BTN_START 0)" ENOENT "the head has no other"
is "$(devices button Heads BTN_START 0)" ENODEV "there is no other head"

# --- the battery and the memory ---

dxlctl set 206 charge 42 >/dev/null
charge_is() {
	[ "$(devices supply Battery capacity)" = "$1" ]
}
eventually charge_is 42
ok $? "the battery has its charge"
is "$(devices supply Battery technology)" Li-ion "and says what it is"
is "$(devices supply Battery charge_now)" ENOENT "but not what it cannot"
is "$(devices supply Batt capacity)" ENODEV "there is no other"
succeeds "the chest keeps a name" devices memory ChestBoard nick-name Nao7
is "$(devices memory ChestBoard nick-name)" Nao7 "which it tells"
is "$(tr -d '\0' <"/sys/bus/nvmem/devices/0-200/nvmem")" Nao7 "and nothing else"
is "$(devices memory ChestBoard nick-name 1234567890123456789012345)" EMSGSIZE "25 letters are too many"
is "$(devices memory Head nick-name)" ENODEV "the head keeps nothing"

# --- gone and back ---

# What says that it is open waits for a line.
mkfifo /tmp/line
devices held Ears left-36deg </tmp/line >/tmp/held &
holder=$!
exec 4>/tmp/line
eventually told /tmp/held open
devices button Head BTN_TRIGGER_HAPPY2 1 >/tmp/button &
listener=$!
eventually told /tmp/button 0
devices changes 1000 >/tmp/changes &
watcher=$!
eventually told /tmp/changes listening
rmmod dxl_board
for gone in "leds Ears:blue:left-36deg" "power_supply Battery-0-206" "nvmem 0-200" \
	"input event[0-9]*" "iio iio:device[0-9]*"; do
	eventually told /tmp/changes "removed $gone"
	ok $? "$gone goes, which is told" || sed 's/^/# /' /tmp/changes
done
end_of $listener
is "$(tail -n 1 /tmp/button)" ENODEV "whoever listens to a button learns it"
is "$(devices light Ears left-36deg -)" ENODEV "the light cannot be found"
is "$(devices supply Battery capacity)" ENODEV "nor the battery"
is "$(devices memory ChestBoard nick-name)" ENODEV "nor the memory"
modprobe dxl_board
eventually told /tmp/changes "added nvmem 0-200"
ok $? "what comes is told, too"
eventually [ -e $leds/Ears:blue:left-36deg ]
echo >&4
exec 4>&-
end_of $holder
is "$(tail -n 1 /tmp/held)" ENODEV "a light that was held is not the one that comes"
is "$(devices light Ears left-36deg -)" 0.000 "which is left as it was"
is "$(devices memory ChestBoard nick-name)" Nao7 "the chest has kept the name"
kill $watcher
done_testing
