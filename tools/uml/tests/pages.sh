#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# in: check-all
# timeout: 900
# program: naohw
# program: naohwd
# share: userspace/robots
# share: userspace/motions
# share: tools/vm/tests/lola_lib.sh
# shared-data: motion
#
# Motion pages beside naohwd, with the wire as the judge: the goals that the servos get are those of
# the page's timetable, from its first step's posture on.

. "$(dirname "$0")/beat.sh"
. "$(dirname "$0")/boards-lib.sh"
# shellcheck source=tools/vm/tests/lola_lib.sh
. /share/lola_lib.sh
here=$(dirname "$0")
export NAOHW_ROBOT=/share/robots/bioloid.xml

# names FILE -- of its pages with steps
names() {
	tr -d '\r' <"$1" | awk '
		/^name=/ { name = substr($0, 6) }
		/^step=/ && name != "" { print name; name = "" }'
}

# alone FILE NAME [STEPS] -- this page, which leads nowhere, or its first steps
alone() {
	tr -d '\r' <"$1" | awk -v name="$2" -v steps="${3:-9}" '
		/^page_begin/ { held = $0; next }
		/^name=/ { page = substr($0, 6) == name; if (page) print held }
		held == "" || page {
			if (/^play_param=/)
				sub(/=[0-9]+ [0-9]+ [0-9]+/, "=0 0 1")
			if (!/^step=/ || row++ < steps)
				print
		}'
}

# follows FILE NAME
follows() {
	alone "$1" "$2" 1 | sed 's/\(^step=.*\) [^ ]* [^ ]*$/\1 0.000 2.000/' >/tmp/entry.mtn
	alone "$1" "$2" >/tmp/page.mtn
	naohw play -q --settle 0 /tmp/entry.mtn 1 >/tmp/entry.said 2>&1
	# Until the last of it is on the wire
	sleep 0.5
	naohw play --dry-run --speed 0.1 /tmp/page.mtn 1 >/tmp/dry 2>&1
	from=$(($(wc -c </tmp/sim.a.log) + 1))
	dxlctl trace on >/dev/null
	naohw play -q --settle 0 /tmp/page.mtn 1 >/tmp/said 2>&1
	dxlctl trace off >/dev/null
	tail -c +$from /tmp/sim.a.log | grep ' FF FF FE .. 83 1E ' >/tmp/trace
	awk -v page="$2" -v period=$period -f "$here/timetable.awk" /tmp/dry /tmp/page.mtn /tmp/trace
	ok $? "$2: the goals on the wire follow its timetable" || sed 's/^/# /' /tmp/dry /tmp/said
}

load_modules 1000
modprobe dxl_board
start_sim a /share/overlays/virt-bioloid.dtbo --wire-time
start_attach a --overlay /share/overlays/virt-bioloid.dtbo
eventually attached a 20
ok $? "20 devices are on the bus" || sed 's/^/# /' /tmp/attach.a
wait_for_devices dxl0
# As the overlay has it: 20 AX-12 as delivered do not fit into less.
into $dxl/dxl0/cycle/period_us 20000
mkdir -p /run/naohw
serve --socket /run/naohw/bioloid.sock
period=$(($(cycle_of dxl0 period_us) / 1000))
for file in /share/motions/bioloid.mtn /share/motion/bioloid-soccer.mtn; do
	[ -e "$file" ] || continue
	names "$file" >/tmp/names
	while IFS= read -r name; do
		follows "$file" "$name"
	done </tmp/names
done
ends
done_testing
