#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# in: check-all
#
# What the board in a NAO's chest keeps for its body, as nvmem: read and written, in the
# simulator and back, kept whatever happens to the board. Two copies of 4 KiB are not for a
# bus that streams, and a cut of the power leaves one of them whole.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/boards-lib.sh"

robot=/share/test-overlays/boards-nao-sonar.dtbo
nvmem=/sys/bus/nvmem/devices/0-200
body_a=$nvmem/cells/body-a@b0,0
body_b=$nvmem/cells/body-b@10b0,0

# keep OFFSET TEXT
keep() {
	printf '%s' "$2" | dd of=$nvmem/nvmem bs=4096 oflag=seek_bytes seek="$1" \
		conv=notrunc status=none
}

cell() {
	tr -d '\0' <"$nvmem/cells/$1"
}

# kept ADDR TEXT -- that the board has it there
kept() {
	is "$(dxlctl read 200 "$1" ${#2} | head -n 1)" \
		"$(printf '%s' "$2" | od -An -v -tu1 -w64 | xargs)" "the board has '$2' at $1"
}

# all_of_it NAME -- what was written is what is there
all_of_it() {
	is "$(cell body-id@0,0)" P0000073A07S94700012 "$1: the ID of the body"
	is "$(cell nick-name@18,0)" Nao7 "$1: its nick name"
	is "$(cell config@30,0)" "V3.3 NAO 3.3.0!" "$1: its configuration"
}

start_boards 2

# --- the small cells ---

holds $nvmem/type EEPROM "the chest keeps something"
is "$(stat -c %s $nvmem/nvmem)" 8368 "of so many bytes"
is "$(wc -c <$nvmem/nvmem)" 8368 "which can be read"
is "$(stat -c %s $nvmem/cells/body-id@0,0 $nvmem/cells/nick-name@18,0 \
	$nvmem/cells/config@30,0 $body_a $body_b | xargs)" "24 24 128 4096 4096" "in five cells"
is "$(tr -d '\0' <$nvmem/nvmem)" "" "and nothing at first"
keep 0 P0000073A07S94700012
keep 24 Nao7
keep 48 "V3.3 NAO 3.3.0"
keep 175 "!"
all_of_it "written"
kept 80 P0000073A07S94700012
kept 104 Nao7
kept 128 "V3.3 NAO 3.3.0"
kept 255 "!"
colour=$leds/Chest:rgb:indicator
into "$colour/brightness" 255
eventually simulated_is 200 red 255
dxlctl power-cycle 200 >/dev/null
simulates 200 red 0 "the board was without power"
sleep 0.5
all_of_it "without power"
succeeds "a reboot" into "$(device_of_id 200)/reboot" 1
eventually [ -e $nvmem/nvmem ]
ok $? "it is there again"
all_of_it "after a reboot"
succeeds "a factory reset" into "$(device_of_id 200)/factory_reset" keep-id-baud
eventually [ -e $nvmem/nvmem ]
all_of_it "after a factory reset"
head -c 176 /dev/zero | tr '\0' 'x' >/tmp/xs
succeeds "all of it at once" dd if=/tmp/xs of=$nvmem/nvmem bs=4096 conv=notrunc status=none
head -c 176 $nvmem/nvmem | cmp -s - /tmp/xs
ok $? "is what is there"
fails_with "too large" "no more than there is" keep 8368 x
keep 8366 yyyy 2>/dev/null
is "$(tail -c 4 $nvmem/nvmem | tr -d '\0')" yy "the end of what reaches beyond is left out"
is "$(wc -c <$nvmem/nvmem)" 8368 "and the rest is as long as before"
fails_with "" "cells are read only" into $nvmem/cells/nick-name@18,0 Bob
dxlctl silence 200 >/dev/null
fails_with "" "one that is silent keeps nothing" keep 24 Bob
fails_with "" "and tells nothing" attribute $nvmem/nvmem
dxlctl unsilence 200 >/dev/null
eventually device_is 200 active
eventually keep 24 Bob
is "$(cell nick-name@18,0 | head -c 4)" Bobx "it does again when it is back"

# --- two copies of 4 KiB ---

# copy FILE OFFSET -- writes it there, at once
copy() {
	dd if="$1" of=$nvmem/nvmem bs=4096 oflag=seek_bytes seek="$2" conv=notrunc status=none
}

# in_simulator ADDR -- the 4 KiB that the board has there
in_simulator() {
	local addr
	for addr in $(seq "$1" 1024 $(($1 + 3072))); do
		echo "read 200 $addr 1024"
	done | dxlctl - | grep -v ok | xargs -n 16
}

of_file() {
	od -An -v -tu1 -w16 "$1" | xargs -n 16
}

# has_copies A B NAME -- what is in them
has_copies() {
	cmp -s "$1" $body_a && cmp -s "$2" $body_b
	ok $? "$3"
}

# same_part head|tail BYTES FILE FILE
same_part() {
	"$1" -c "$2" "$3" >/tmp/part
	"$1" -c "$2" "$4" | cmp -s - /tmp/part
}

# same head|tail BYTES FILE FILE NAME
same() {
	same_part "$1" "$2" "$3" "$4"
	ok $? "$5"
}

cat $body_a $body_b >/dev/null
ok $? "both can be read"
seq 1000 2000 | head -c 4096 >/tmp/one
seq 3000 4000 | head -c 4096 >/tmp/two
seq 5000 6000 | head -c 4096 >/tmp/three
succeeds "one is written" copy /tmp/one 176
succeeds "and the other" copy /tmp/two 4272
has_copies /tmp/one /tmp/two "both are what was written"
[ "$(in_simulator 256)" = "$(of_file /tmp/one)" ]
ok $? "and the board has it"
[ "$(in_simulator 4352)" = "$(of_file /tmp/two)" ]
ok $? "of both"
is "$(cell nick-name@18,0 | head -c 4)" Bobx "beside what it had"
dxlctl power-cycle 200 >/dev/null
sleep 0.5
has_copies /tmp/one /tmp/two "so it is without power"
succeeds "a reboot" into "$(device_of_id 200)/reboot" 1
eventually [ -e $nvmem/nvmem ]
has_copies /tmp/one /tmp/two "after a reboot"
succeeds "a factory reset" into "$(device_of_id 200)/factory_reset" keep-id-baud
eventually [ -e $nvmem/nvmem ]
has_copies /tmp/one /tmp/two "after a factory reset"
keep 4270 across
is "$(tail -c 2 $body_a)$(head -c 4 $body_b)" across "what reaches from one into the other"
copy /tmp/one 176
copy /tmp/two 4272

# --- the power goes ---

for pages in 0 1 64 127; do
	dxlctl power-cut 200 $pages >/dev/null
	fails_with "" "the power goes in page $pages" copy /tmp/three 176
	eventually cat $body_a
	cat $body_a >/tmp/cut
	cmp -s $body_b /tmp/two
	ok $? "and the other copy is whole"
	same head $((32 * pages)) /tmp/cut /tmp/three "the pages before are new"
	same tail $((4096 - 32 * (pages + 1))) /tmp/cut /tmp/one "those behind it are old"
	! cmp -s /tmp/cut /tmp/one && ! same_part head $((32 * (pages + 1))) /tmp/cut /tmp/three
	ok $? "and it is neither"
	succeeds "it can be written again" copy /tmp/one 176
done

# --- not while the bus streams ---

eventually frames_have distance202
ok $? "there are frames"
into "$state/scan_elements/in_distance202_en" 1
into "$state/buffer/enable" 1
fails_with "busy" "no copy is written while they are read" copy /tmp/three 176
fails_with "busy" "nor a piece" keep 8360 x
fails_with "busy" "none is read" attribute $body_a
fails_with "busy" "nor the other" attribute $body_b
succeeds "the small cells can be written" keep 24 Bill
is "$(cell nick-name@18,0 | head -c 4)" Bill "and read"
into "$state/buffer/enable" 0
has_copies /tmp/one /tmp/two "both are as they were"
(
	sleep 0.5
	into "$state/buffer/enable" 1
) &
beside=$!
fails_with "busy" "it ends when a stream begins" copy /tmp/three 176
wait $beside
into "$state/buffer/enable" 0
cat $body_a >/tmp/cut
same head 32 /tmp/cut /tmp/three "when it has begun"
same tail 32 /tmp/cut /tmp/one "and before it is whole"
succeeds "and can be written again" copy /tmp/three 176
has_copies /tmp/three /tmp/two "as it is without one"

# --- the driver, and a board with old firmware ---

rmmod dxl_board
[ ! -e $nvmem ]
ok $? "it goes with the driver"
modprobe dxl_board
eventually [ -e $nvmem/nvmem ]
is "$(cell nick-name@18,0 | head -c 4)" Bill "and comes with it"
has_copies /tmp/three /tmp/two "all of it"
rmmod dxl_board
dxlctl write 200 2 1 >/dev/null
modprobe dxl_board
eventually [ -e $nvmem/nvmem ]
is "$(stat -c %s $nvmem/nvmem)" 176 "with old firmware it is as small as it was"
[ ! -e $body_a ] && [ ! -e $body_b ]
ok $? "and has no copies"
is "$(cell nick-name@18,0 | head -c 4)" Bill "but what has always been there"
done_testing
