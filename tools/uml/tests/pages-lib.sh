# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash disable=SC2154
#
# Sourced by the tests of motion pages, behind beat.sh: pages are played one by one, with the wire as the
# judge. $period is the bus's, in ms; $servos are what timetable.awk is told of them.

# names FILE -- of its pages with steps; of a binary file, their numbers
names() {
	case $1 in
	*.bin) one_page "$1" ;;
	*) tr -d '\r' <"$1" | awk '
		/^name=/ { name = substr($0, 6) }
		/^step=/ && name != "" { print name; name = "" }' ;;
	esac
}

# one FILE NAME [STEPS] -- this page, which leads nowhere, or its first steps
one() {
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

# take_page FILE NAME -- /tmp/page, /tmp/entry for where it begins, and /tmp/page.text
take_page() {
	case $1 in
	*.bin)
		one_page "$1" "$2" 1 /tmp/entry >/dev/null
		one_page "$1" "$2" 9 /tmp/page >/tmp/page.text
		;;
	*)
		one "$1" "$2" 1 | sed 's/\(^step=.*\) [^ ]* [^ ]*$/\1 0.000 2.000/' >/tmp/entry
		one "$1" "$2" >/tmp/page
		cp /tmp/page /tmp/page.text
		;;
	esac
}

# follows HOW FILE NAME
follows() {
	local how=$1
	shift
	take_page "$1" "$2"
	naohw play -q --stiff --settle 0 /tmp/entry 1 >/tmp/entry.said 2>&1
	# Until the last of it is on the wire
	sleep 0.5
	naohw play --dry-run --speed 0.1 /tmp/page 1 >/tmp/dry 2>&1
	from=$(($(wc -c </tmp/sim.a.log) + 1))
	dxlctl trace on >/dev/null
	naohw play -q --stiff --settle 0 /tmp/page 1 >/tmp/said 2>&1
	dxlctl trace off >/dev/null
	tail -c +$from /tmp/sim.a.log >/tmp/trace
	# shellcheck disable=SC2086
	awk -v page="$2" -v period=$period $servos -f "$here/timetable.awk" /tmp/dry /tmp/page.text \
		/tmp/trace
	ok $? "$how: ${1##*/}: $2: the goals on the wire follow its timetable" ||
		sed 's/^/# /' /tmp/dry /tmp/said
}

# all_follow HOW FILE...
all_follow() {
	local how=$1 file name
	shift
	for file; do
		[ -e "$file" ] || continue
		names "$file" >/tmp/names
		while IFS= read -r name; do
			follows "$how" "$file" "$name"
		done </tmp/names
	done
}
