#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# robot: nao-h25-v33
#
# naohwd's LoLA on a stock kernel, at a NAO, with the simulator as the judge: what a client gets, what
# shines and hears, and how clients come and go. How joints move, and how fast all is, uml:lola tells;
# on a stock kernel vm:dcm.

. "$(dirname "$0")/lib.sh"
# shellcheck source=tools/vm/tests/lola_lib.sh
. "$(dirname "$0")/lola_lib.sh"

all_there() {
	[ "$(ls $iio/*/label 2>/dev/null | wc -l)" -eq 34 ]
}

eventually all_there
ok $? "a NAO is there"
slow_down
mkdir -p /run/naohw
serve --lola /run/naohw/nao.lola --group robot --mode 660
is "$(stat -c %A:%G /run/naohw/nao.lola)" "srw-rw----:robot" "to its group"

# --- what it gets ---

dxlctl obstacle left 1m >/dev/null
dxlctl obstacle right 3m >/dev/null
client "one that closes at once, and comes again" connect close connect read 1 close connect read 1
client "packets have the layout of a NAO's [lola-2]" connect read 20 print Accelerometer print Position \
	is Accelerometer 2 -9.8 0.4
dxlctl set 201 acc_z raw -56 >/dev/null
client "one that lies on its head feels that [lola-4]" connect read 20 is Accelerometer 2 9.8 0.4
dxlctl set 201 acc_z raw 56 >/dev/null
dxlctl press 203 front >/dev/null
client "its head is touched [lola-9]" connect read 20 is Touch 1 1 0 is Touch 2 0 0
dxlctl release 203 front >/dev/null
lola_client $lola connect say here read 1000000 >/tmp/client.log 2>&1 &
reader=$!
eventually period_is 12000
ok $? "while one is there the bus has 12 ms [lola-3]"

# --- one at a time ---

lola_client /run/naohw/nao.lola connect say waits read 1 say reads >/tmp/second.log 2>&1 &
second=$!
eventually grep -q waits /tmp/second.log
sleep 1
! grep -q reads /tmp/second.log
ok $? "another one waits [lola-17]"
kill -9 $reader
wait $second
is $? 0 "until it has gone" || sed 's/^/# /' /tmp/second.log
eventually is_slow
ok $? "then the bus has what it had"

# --- what it sends: no motion, for which QEMU is too slow with a NAO ---

client "lights [lola-14]" connect set LEye 1 0.5 set LEye 9 1 set Skull 1 1 set Chest 2 1 answer 10
eventually simulated_is 204 left_0_red 32
ok $? "an eye shines half in red" || dxlctl get 204
eventually simulated_is 204 left_0_green 63
ok $? "and in green" || dxlctl get 204
eventually simulated_is 203 front_left_0 15
ok $? "the head" || dxlctl get 203
eventually simulated_is 200 blue 255
ok $? "and the chest" || dxlctl get 200
client "the sonar goes on, and hears on both sides [lola-10] [lola-21]" connect set Sonar 0 1 answer 10 read 100 \
	is Sonar 0 1 0.05 is Sonar 1 2.55 0.1
eventually grep -qx 4 "$(joint US)/sonar_mode"
ok $? "and is off when who wanted it has gone"

client "who sends what is no packet is let go [lola-22]" connect bytes 474554202f closed
logged "a number, expected a map" "and is told why"
client "as is one with too few values" connect bytes 81a5436865737492ca00000000ca00000000 closed
logged "Chest has 2 values, expected 3" "and why"
ends
done_testing
