# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# Sourced behind lib.sh: walks a robot's keys both ways, by a table. A row of it is one of
#
#   ROUND see KEY VALUE COMMAND...       told COMMAND, the simulator has what the key tells as
#                                        VALUE; "-": it follows from what others are told
#   ROUND tell KEY VALUE ID FIELD COUNT [BACK]
#                                        set to VALUE, the key has the simulator's FIELD become
#                                        COUNT, and tells that as BACK (VALUE unless given)
#   - none KEY                           has no value to be held against anything
#
# All rows of a round hold at once, so a key that should follow something has another value in a
# second round; and any two have other values in one of the rounds, or nobody would see them
# exchanged. Keys are without "Device/SubDeviceList/" and "/Value"; "~" in a VALUE is a blank.
# What a key says and what the table has is the same within 1e-5 of 1, or of itself where it is
# more. A COUNT is exact, so a VALUE is none that lies in the middle between two.
#
# A robot that is another one but for a few keys has a table of these, and "of TABLE": that one's
# rows, but for those of keys that begin with a word of "without WORD...", and but for what of its
# own has the same round and key.

walk_dir=${walk_dir:-$(dirname "$0")/walk}

# An echo takes its time, a battery tells anew every second, and a machine may stand still.
walk_tries="1 2 3 4"

# So many seconds go by before a battery is asked, where a program takes no time.
walk_pause=${walk_pause:-0}

# What each sensor has of its description and of its device, which have tests of their own
walk_constants="Gain|Offset|Min|Max|Type|SubDeviceNumber|Device|Ack|Nack|Error"

# Which of a round's rows do not hold, as "KEY: got ..., expected ..."
walk_compare() {
	awk -v told=/tmp/walk-told -v values=/tmp/walk-values '
	function same(a, b) {
		if (a !~ /^-?[0-9.]+(e[-+][0-9]+)?$/ || b !~ /^-?[0-9.]+(e[-+][0-9]+)?$/)
			return a == b
		limit = b < 0 ? -b : b + 0
		limit = (limit > 1 ? limit : 1) * 0.00001
		return a - b <= limit && b - a <= limit
	}
	function value_of(key) {
		if (!(key in value))
			key = "Device/SubDeviceList/" key
		if (!(key in value))
			key = key "/Value"
		return key in value ? value[key] : "nothing"
	}
	BEGIN {
		while ((getline line <values) > 0) {
			key = line
			sub(/ .*/, "", key)
			line = substr(line, length(key) + 2)
			gsub(/ /, "~", line)
			value[key] = line
		}
		while ((getline line <told) > 0) {
			if (line ~ /^ok/ || line ~ /^error/)
				told_count++
			else
				count[told_count + 0] = line
		}
	}
	{
		wanted = $4
		result = ""
		if ($2 == "tell") {
			got = count[asked + 0]
			sub(/.* /, "", got)
			asked++
			if (got != $7)
				result = "the simulator has " (got == "" ? "nothing" : got) \
					", expected " $7
			if (NF > 7)
				wanted = $8
		}
		if (result == "" && !same(value_of($3), wanted))
			result = "it is " value_of($3) ", expected " wanted
		print $3, result == "" ? "well" : result
	}' /tmp/walk-round >/tmp/walk-result
	! grep -qv ' well$' /tmp/walk-result
}

# What is told may have to be told again: a motor cools down meanwhile.
walk_once() {
	awk '$2 == "see" && $5 != "-" {
		sub(/^[^ ]+ +[^ ]+ +[^ ]+ +[^ ]+ +/, "")
		if (!told[$0]++)
			print
	}' /tmp/walk-round >/tmp/walk-commands
	[ ! -s /tmp/walk-commands ] || dxlctl - </tmp/walk-commands >/tmp/walk-answers ||
		grep '^error' /tmp/walk-answers
	sleep "$walk_pause"
	awk '$2 == "tell" { gsub(/~/, " ", $4); print $3; print $4 }' /tmp/walk-round >/tmp/walk-set
	[ ! -s /tmp/walk-set ] || tr '\n' '\0' </tmp/walk-set | xargs -0 naohw set >/tmp/walk-said 2>&1
	# A light that has or had a trigger is set a moment later.
	sleep 0.1
	awk '$2 == "tell" { print "get", $5, $6 }' /tmp/walk-round >/tmp/walk-commands
	: >/tmp/walk-told
	[ ! -s /tmp/walk-commands ] || dxlctl - </tmp/walk-commands >/tmp/walk-told
	# With one key twice there are always several, which are told with their names.
	awk 'NR == 1 { print $3 } { print $3 }' /tmp/walk-round |
		xargs naohw get >/tmp/walk-values 2>/tmp/walk-said
	walk_compare
}

walk_round() {
	local key result
	grep "^$1 " /tmp/walk-table >/tmp/walk-round
	for _ in $walk_tries; do
		! walk_once || break
	done
	while read -r key result; do
		[ "$result" = well ]
		ok $? "$robot, round $1: $key" || echo "# $result"
	done </tmp/walk-result
}

# Keys that live and are in no row, or that are in one and do not live
walk_missing() {
	grep -vE "^Device/.*/($walk_constants)\$|^Device/Body/" /tmp/walk-listed |
		sort -u >/tmp/walk-keys
	awk '{ print $3 }' /tmp/walk-table | sort -u | awk -v keys=/tmp/walk-keys '
	BEGIN { while ((getline key <keys) > 0) there[key] = 1 }
	function full(key) {
		if (key in there)
			return key
		if ("Device/SubDeviceList/" key in there)
			return "Device/SubDeviceList/" key
		return "Device/SubDeviceList/" key "/Value"
	}
	{ if (full($0) in there) seen[full($0)] = 1; else print $0, "is no key" }
	END { for (key in there) if (!(key in seen)) print key, "is in no row" }' | sort
}

# Sensors and actuators that could be exchanged, and all rows of both would hold. What is told the
# same thing is one, with two names.
walk_twins() {
	awk '
	$3 !~ /\/(Sensor|Actuator)(\/Value[0-9])?$/ || $5 == "-" || $2 == "none" { next }
	{
		values[$3] = values[$3] " " $1 $2 $4
		told[$3] = told[$3] " " ($2 == "tell" ? $3 : $5 " " $6 " " $7 " " $8 " " $9)
	}
	END {
		for (key in values) {
			other = first[values[key]]
			if (other == "")
				first[values[key]] = key
			else if (told[other] != told[key])
				print other, "and", key
		}
	}' /tmp/walk-table | sort
}

# walk_rows TABLE -- all that it has, in /tmp/walk-table
walk_rows() {
	local base
	base=$(sed -n 's/^of //p' "$walk_dir/$1")
	awk '
	/^#/ || NF == 0 || $1 == "of" { next }
	$1 == "without" {
		for (word = 2; word <= NF; word++)
			without[$word] = 1
		next
	}
	FILENAME == ARGV[1] {
		own[$1, $3] = 1
		print
		next
	}
	{
		for (word in without)
			if (index($3, word) == 1)
				next
		if (!(($1, $3) in own))
			print
	}' "$walk_dir/$1" ${base:+"$walk_dir/$base"} >/tmp/walk-table
}

# walk_names -- those of its keys; fails without any
walk_names() {
	naohw list -k >/tmp/walk-listed 2>/tmp/walk-said
	ok $? "$robot: its keys are listed" || { sed 's/^/# /' /tmp/walk-said; return 1; }
	walk_missing >/tmp/walk-missing
	[ ! -s /tmp/walk-missing ]
	ok $? "$robot: each key is in the table, and no other" || sed 's/^/# /' /tmp/walk-missing
	walk_twins >/tmp/walk-twins
	[ ! -s /tmp/walk-twins ]
	ok $? "$robot: no two of them could be exchanged" || sed 's/^/# /' /tmp/walk-twins
	return 0
}

walk_rounds() {
	local round
	for round in $(awk '/^[0-9]/ { print $1 }' /tmp/walk-table | sort -nu); do
		walk_round "$round"
	done
}

# walk TABLE
walk() {
	local robot=$1
	walk_rows "$robot"
	walk_names && walk_rounds
}

# walk_own TABLE -- all names, and of what is "of" another robot only the rows of its own
walk_own() {
	local robot=$1
	walk_rows "$robot"
	walk_names || return
	grep '^[0-9]' "$walk_dir/$robot" >/tmp/walk-table
	walk_rounds
}
