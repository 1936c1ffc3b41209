#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# rounds: 60
# program: naohw
# share: userspace/robots
# share: userspace/motions
#
# A DARwIn-OP that obeys physics stands, held by libnaohw's DCM, for ROUNDS seconds. One of its
# joints after the other answers nothing for 100 to 1,000 ms, or answers so late.

. "$(dirname "$0")/beat.sh"
. "$(dirname "$0")/boards-lib.sh"
export NAOHW_ROBOT=/share/robots/darwin-op.xml

# faults SECONDS -- a scenario of them
faults() {
	awk -v seconds="$1" 'BEGIN {
		srand(1)
		while (time < seconds) {
			pause = 0.2 + rand()
			id = 1 + int(20 * rand())
			late = 0.1 + 0.9 * rand()
			time += pause + late
			if (rand() < 0.5) {
				printf "after %.3f silence %d\n", pause, id
				printf "after %.3f unsilence %d\n", late, id
			} else {
				printf "after %.3f late next 3 us %d id %d\n", pause, late * 1e6, id
				printf "after %.3f calm\n", late
			}
		}
	}'
}

# missed -- answers, of all devices
missed() {
	cat $dxl/0-*/statistics/nack | awk '{ sum += $1 } END { print sum }'
}

is_upright() {
	near "$(physical CM-730 accel_z)" 9807 500 "$1: it is upright"
	near "$(feet_carry)" 28440 3000 "$1: its feet carry it"
}

start_body
succeeds "its servos have their supply" into "$(joint CM-730)/servo_power" 1
wait_for_devices dxl0
# 20 MX-28, one by one, do not fit into less.
into $dxl/dxl0/cycle/period_us 20000
succeeds "it is to stand" naohw play --head --stiff --settle 5 --tolerance 60 \
	/share/motions/darwin-op.mtn Stand
sleep 3
is_upright "by a page"

echo "wait $((ROUNDS * 1000 + 60000))" >/tmp/commands
naohw send -q /tmp/commands >/tmp/said 2>&1 &
send=$!
sleep 2
is_upright "by the DCM"
before=$(missed)
faults "$ROUNDS" >/tmp/faults
succeeds "one joint after the other is late" dxlctl scenario /tmp/faults
sleep "$((ROUNDS + 5))"
is "$(dxlctl scenario | sed -n 's/^done //p')" "$(wc -l </tmp/faults)" "all of that has been"
[ "$(($(missed) - before))" -ge "$ROUNDS" ]
ok $? "answers were missed" || echo "# $(missed), $before before"
is_upright "after that"
kill "$send"
ok $? "all that while it was the DCM that held it" || sed 's/^/# /' /tmp/said
wait "$send"
done_testing
