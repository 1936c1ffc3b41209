#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# robot: bioloid
#
# A motion page leaves every joint where its last step says.

. "$(dirname "$0")/lib.sh"
# Each look at all joints takes an emulated processor long, and each period of the bus.
pace=0.5

# received KIND -- packets of that kind that the simulator has seen
received() {
	dxlctl stats | sed -n "s/^rx_$1 //p"
}

# steps PAGE
steps() {
	tr -d '\r' <"$file" | awk -v page="$1" '
		/^name=/ { here = substr($0, 6) == page }
		here && /^step=/ { n++ }
		END { print n }'
}

described >/tmp/described
file=$motions/bioloid.mtn
# QEMU stands still for tenths of a second, and is slow.
goal=$(dirname "$(grep -lx dxl0-goal $iio/iio:device*/name)")
into "$goal/watchdog_ms" 10000
beat_every 100
for page in Stand Wave Bow; do
	poses=$(received sync_write)
	writes=$(received write)
	succeeds "$page plays" naohw play --head --stiff --settle 60 "$file" "$page"
	# A pose leaves in each cycle.
	[ $(($(received sync_write) - poses)) -gt "$(steps "$page")" ]
	ok $? "$page: each step left as a sync write"
	is "$(received write)" "$writes" "$page: and in no other way"
	check_pose "$file" "$page"
done
succeeds "the head turns" naohw set HeadYaw/Position/Actuator 0.5
head=$(simulated 19 goal_position)
naohw play --settle 60 "$file" Wave >/tmp/said 2>&1
ok $? "a page plays without the head" || sed 's/^/# /' /tmp/said
is "$(grep -c 'Note: pages do not move the head unless told to, ignored: HeadYaw HeadPitch' /tmp/said)" 1 \
	"which is said once"
is "$(simulated 19 goal_position)" "$head" "and leaves it where it is"
naohw play --dry-run "$file" Wave >/tmp/said 2>&1
is "$(grep -c 'Note: pages do not move the head' /tmp/said)" 1 "a dry run says so, too"
fails_with "NoSuchPage" "a page that does not exist is named" naohw play "$file" NoSuchPage
done_testing
