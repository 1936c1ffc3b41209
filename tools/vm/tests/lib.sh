# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# Sourced by the tests in the guest: results as TAP, and ways to the joints.
# A test ends with `done_testing`; one that dies before has no plan and fails.

iio=/sys/bus/iio/devices
dxl=/sys/bus/dxl/devices
motions=/usr/share/naohw/motions
tried=/tmp/tried
tests=0
not_ok=0

# ok STATUS NAME -- records a result: 0 is good
ok() {
	tests=$((tests + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $tests - $2"
	else
		echo "not ok $tests - $2"
		not_ok=$((not_ok + 1))
	fi
	return "$1"
}

# is GOT EXPECTED NAME
is() {
	[ "$1" = "$2" ]
	ok $? "$3" && return
	echo "# got '$1', expected '$2'"
	return 1
}

# holds FILE LINE NAME -- is that its first one? By the shell alone, as each program that is begun,
# and each shell for one in $(), takes a guest as long as all else in a check
holds() {
	local line=
	IFS= read -r line <"$1"
	is "$line" "$2" "$3"
}

# near GOT EXPECTED TOLERANCE NAME -- whole numbers
near() {
	local off
	case $1 in
	'' | *[!0-9-]*) off=$(($3 + 1)) ;;
	*) off=$(($1 > $2 ? $1 - $2 : $2 - $1)) ;;
	esac
	[ "$off" -le "$3" ]
	ok $? "$4" || echo "# got '$1', expected $2 within $3"
}

# succeeds NAME COMMAND... and fails_with TEXT NAME COMMAND... -- which run in this shell
succeeds() {
	local name=$1 status=0
	shift
	"$@" >$tried 2>&1 || status=$?
	ok $status "$name" || echo "# $* said: $(cat $tried)"
}

fails_with() {
	local text=$1 name=$2
	shift 2
	if "$@" >$tried 2>&1; then
		ok 1 "$name"
		echo "# $* did not fail"
		return
	fi
	has_text "$text" <$tried
	ok $? "$name" || echo "# $* said '$(cat $tried)', not '$text'"
}

# has_text TEXT -- is that in a line of what comes in?
has_text() {
	local line
	[ "$1" ] || return 0
	while read -r line || [ "$line" ]; do
		case $line in
		*"$1"*) return 0 ;;
		esac
	done
	return 1
}

skip() {
	tests=$((tests + 1))
	echo "ok $tests - $1 # SKIP $2"
}

done_testing() {
	echo "1..$tests"
	[ "$not_ok" -eq 0 ]
	exit
}

# eventually COMMAND... -- tries until it succeeds, 600 times: a machine that has more to do than
# this test may be slow. Where the commands take an emulated processor long, a test has a longer
# $pace, which are seconds from one try to the next.
pace=0.1
eventually() {
	local tries=600
	until "$@" >/dev/null 2>&1; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || return 1
		sleep $pace
	done
}

# into FILE VALUE -- written at once, by the shell alone
into() {
	# shellcheck disable=SC3037 # all shells of the guests have it
	echo -n "$2" >"$1"
}

# beat_every MS -- the period of the robot's bus, also for plays, which else have the shortest
beat_every() {
	into $dxl/dxl0/cycle/period_us $(($1 * 1000))
	naohw pref DCM/TargetCycleTime "$1"
}

# The servos that the device tree describes, or the overlay that dxlattach has read,
# as lines "id label"
described() {
	local bus node
	[ ! -e /run/attached ] || sed -nE 's/^  0-0*([0-9]+): [^ ]+ /\1 /p' /run/attached
	for bus in $(grep -lr '^robotis,dynamixel-bus' /proc/device-tree/ 2>/dev/null); do
		for node in "${bus%/compatible}"/*@*; do
			[ -f "$node/reg" ] || continue
			echo "$((0x$(hexdump -v -e '4/1 "%02x"' "$node/reg")))" \
				"$(tr -d '\0' <"$node/label")"
		done
	done | sort -n
}

# How the bus is on its line: by the device tree, or by dxlattach
line_module() {
	if [ -e /run/attached ]; then
		echo dxl_ldisc
	else
		echo dxl_serdev
	fi
}

serdev_driver=/sys/bus/serial/drivers/dxl-serdev

# remember_line -- which serdev it is can be seen while it is bound only
remember_line() {
	serdev=$(basename "$(echo $serdev_driver/serial*)")
}

line_down() {
	if [ -e /run/attached ]; then
		killall dxlattach && eventually no_program dxlattach
	else
		echo "$serdev" >$serdev_driver/unbind
	fi
}

line_up() {
	if [ -e /run/attached ]; then
		attach
	else
		echo "$serdev" >$serdev_driver/bind
	fi
}

no_program() {
	! pidof "$1"
}

device_of_id() {
	printf '%s/0-%03d' "$dxl" "$1"
}

# attribute FILE -- read once: after an error cat would try again another way
attribute() {
	dd if="$1" bs=4096 count=1 status=none
}

# line_is FILE LINE -- is that its first one?
line_is() {
	local line
	read -r line 2>/dev/null <"$1" && [ "$line" = "$2" ]
}

# joint LABEL -- its IIO device
joint() {
	local file
	for file in "$iio"/iio:device*/label; do
		line_is "$file" "$1" || continue
		echo "${file%/label}"
		return
	done
	return 1
}

# last_step FILE PAGE -- the positions that a page ends with, by ID from 0; the
# page by name in a text file, by number in a binary one
last_step() {
	case $1 in
	*.mtn)
		tr -d '\r' <"$1" | awk -v page="$2" '
			/^name=/ { here = substr($0, 6) == page }
			here && /^step=/ { step = substr($0, 6) }
			END { print step }'
		;;
	*)
		local steps
		steps=$(od -An -tu1 -j $(($2 * 512 + 20)) -N 1 "$1")
		od -An -v -tu2 -w62 -j $(($2 * 512 + 64 * steps)) -N 62 "$1"
		;;
	esac
}

# input_of NAME -- its event device
input_of() {
	local input
	for input in /sys/class/input/input*; do
		! line_is "$input/name" "$1" || echo "/dev/input/$(basename "$input"/event*)"
	done
}

# simulated_is ID FIELD VALUE
simulated_is() {
	look "$1" "$2"
	[ "$number" = "$3" ]
}

# simulates ID FIELD VALUE NAME
simulates() {
	look "$1" "$2"
	is "$number" "$3" "$4"
}

# lights ID LIGHT LEVEL FIELD VALUE -- the light shows on the simulated board
lights() {
	into "/sys/class/leds/$2/brightness" "$3"
	eventually simulated_is "$1" "$4" "$5"
	ok $? "$2 at $3 is $4 $5" || echo "# $(simulated "$1" "$4")"
}

# presses ID INPUT BUTTON KEY -- a button is there, goes down and up
presses() {
	local event
	event=$(input_of "$2")
	key_is 0 "$event" "$4"
	ok $? "$2: $3 is up"
	dxlctl press "$1" "$3" >/dev/null
	eventually key_is 10 "$event" "$4"
	ok $? "$2: $3 goes down"
	dxlctl release "$1" "$3" >/dev/null
	eventually key_is 0 "$event" "$4"
	ok $? "$2: and up"
}

# key_is STATUS EVENT KEY -- as evtest tells it; while it listens the buttons are polled
key_is() {
	local status=0
	evtest --query "$2" EV_KEY "$3" || status=$?
	[ "$status" -eq "$1" ]
}

# state_of ID -- how well the device answers
state_of() {
	cat "$(device_of_id "$1")/state"
}

# device_is ID STATE
device_is() {
	line_is "$(device_of_id "$1")/state" "$2"
}

# goes_and_returns ID ASK... -- what ASK asks it for, as nobody else may
goes_and_returns() {
	local id=$1
	shift
	dxlctl silence "$id" >/dev/null
	eventually asked_is "$id" lost "$@"
	ok $? "$id is lost when it is silent"
	dxlctl unsilence "$id" >/dev/null
	eventually asked_is "$id" active "$@"
	ok $? "$id is back"
}

# asked_is ID STATE ASK...
asked_is() {
	local id=$1 state=$2
	shift 2
	"$@" >/dev/null 2>&1
	device_is "$id" "$state"
}

# check_pose FILE PAGE -- is every simulated joint, of those from 1 to 20, where the page ends?
check_pose() {
	local page=$2 id label position
	# What is heavy lags behind its goal.
	eventually all_are moving 0
	ok $? "$page: no joint moves any more"
	all_simulated present_position >/tmp/positions
	# shellcheck disable=SC2046
	set -- $(last_step "$1" "$2")
	for position; do
		id=$((${id:--1} + 1))
		label=$(sed -n "s/^$id //p" /tmp/described)
		# A position of 0x4000 and above means that the joint stays.
		[ -n "$label" ] && [ "$position" -lt 16384 ] || continue
		near "$(sed -n "${id}p" /tmp/positions)" "$position" 2 "$page: $label is where the page ends"
	done
}

# ask WORD... -- a command for the simulator; sets answer
ask() {
	answer=$(dxlctl "$@")
}

# look ID FIELD -- what the simulator has in a register; sets number
look() {
	ask get "$1" "$2"
	number=${answer%%[!0-9-]*}
}

# simulated ID FIELD -- the same, printed
simulated() {
	look "$1" "$2"
	echo "$number"
}

# all_simulated FIELD -- the same of the joints from 1 to 20, a line each, in one call
all_simulated() {
	local id
	for id in $(seq 20); do
		echo "get $id $1"
	done | dxlctl - | grep -v '^ok'
}

# all_are FIELD VALUE -- of all these
all_are() {
	[ "$(all_simulated "$1" | sort -u)" = "$2" ]
}

# --- poses by a shell, to the device in $goal ---

# goal_has OPTION VALUE -- has the pose device that? sets goal
goal_has() {
	goal=$(dirname "$(grep -lx dxl0-goal $iio/iio:device*/name)") &&
		line_is "$goal/$1" "$2"
}

# octal N -- two bytes of a sample
octal() {
	printf '\\%03o\\%03o' $(($1 & 255)) $(($1 >> 8 & 255))
}

# pose_all NUMBER... -- a sample in which all 20 servos have these, two bytes each
pose_all() {
	local number servo='' sample=''
	for number; do
		servo=$servo$(octal "$number")
	done
	for _ in $(seq 20); do
		sample=$sample$servo
	done
	# shellcheck disable=SC2059 # escapes and nothing else
	printf "$sample" >&3
}

# open_stream [WATCHDOG_MS] -- by a program that has time
open_stream() {
	local file
	for file in "$goal"/scan_elements/*_en; do
		echo 1 >"$file"
	done
	echo "${1:-5000}" >"$goal/watchdog_ms" && echo 4 >"$goal/buffer/length" &&
		echo 1 >"$goal/buffer/enable"
}

stream_is() {
	line_is "$goal/stream_state" "$1"
}

live() {
	while echo 1 >"$goal/keep_alive"; do
		sleep 0.5
	done 2>/dev/null
}
