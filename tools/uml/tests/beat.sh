# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# Sourced by the tests of the cycle: buses whose devices answer at once, frames
# that are read and looked at, and poses.

. "$(dirname "$0")/lib.sh"

# device_named NAME -- the directory of an IIO device, or fails
device_named() {
	local name
	name=$(grep -lx "$1" $iio/*/name 2>/dev/null) && dirname "$name"
}

cycle_of() {
	cat "$dxl/$1/cycle/$2"
}

# start_robot NAME OVERLAY DEVICES ADDRESS -- a bus, with the devices' return delay,
# which is at ADDRESS, at its shortest; sets sim, attach
start_robot() {
	start_sim "$1" "$2" --wire-time
	dxlctl list | sed -n "s/^\([0-9]*\) .*/write \1 $4 0/p" | dxlctl - >/dev/null
	start_attach "$1" --overlay "$2"
	eventually attached "$1" "$3"
	ok $? "$3 devices are on the bus" || sed 's/^/# /' "/tmp/attach.$1"
}

# wait_for_devices BUS... -- until their frames and poses are there, with all joints;
# of devices that answer at once 10 ms are enough for all
wait_for_devices() {
	local bus
	for bus; do
		eventually device_named "$bus-state"
		eventually device_named "$bus-goal"
	done
	# They are registered anew until nothing has come for a while.
	sleep 1
	for bus; do
		device_named "$bus-state" >/dev/null && device_named "$bus-goal" >/dev/null
		ok $? "$bus has its frames and its poses"
		into "$dxl/$bus/cycle/period_us" 10000
	done
}

# torque_on BUS -- of every joint
torque_on() {
	local file
	for file in "$dxl/${1#dxl}"-*/iio:device*/out_angl0_en; do
		into "$file" 1 || echo "# $file"
	done
}

# found KEY FILE -- a value of those that frames, stream and hammer print
found() {
	sed -n "s/^$1=//p" "$2"
}

# good_frames NAME FILE BUS -- what `frames` has found in FILE is as it should be,
# and nothing is missing that BUS has not counted
good_frames() {
	local name=$1 file=$2 bus=$3 key values=
	for key in skipped unordered absent alarms incoherent disordered; do
		values="$values$(found $key "$file") "
	done
	is "$values" "0 0 0 0 0 0 " "$name: every frame is whole, coherent and in its time" ||
		sed 's/^/# /' "$file"
	is "$(cycle_of "$bus" overruns) $(cycle_of "$bus" missed)" "0 0" "$name: no overrun"
	# One may be under way when the buffer is disabled.
	near "$(found frames "$file")" "$(cycle_of "$bus" exchanges)" 1 \
		"$name: there is a frame of every exchange"
	echo "# $(tr '\n' ' ' <"$file")jitter_max_ns=$(cycle_of "$bus" jitter_max_ns)"
}

# random N LOW HIGH -- the Nth number, always the same
random() {
	awk -v n="$1" -v low="$2" -v high="$3" \
		'BEGIN { srand(n); rand(); print int(low + (high - low) * rand()) }'
}

# judge WATCHDOG_MS, with $grace_us -- what dxlsim tells, of the end in /tmp/stream: all torque was
# cut in time, not too early (but for what reading a clock takes), and no goal came
# after it
judge() {
	{
		cat /tmp/stream
		dxlctl torque all | sed '/^ok/d; s/^/torque /'
		dxlctl goals all | sed '/^ok/d; s/^/goals /'
	} | awk -v watchdog="$1" -v grace="$grace_us" '
	function wrong(what) { print "# joint " $2 ": " what; bad = 1 }
	/^end=/ { end = substr($1, 5) }
	/^last=/ { last = substr($1, 6) }
	$1 == "torque" {
		joints++
		cut[$2] = $4
		late = $4 - end
		early = last + watchdog * 1e6 - $4
		most = late > most ? late : most
		if ($3 != 0) wrong("has torque")
		else if (early > 1e5) wrong("cut too early, by " early " ns")
		else if (late > watchdog * 1e6 + grace * 1e3) wrong("cut " late " ns after the end")
	}
	$1 == "goals" && $5 > cut[$2] { wrong("got a goal after it was cut") }
	$1 == "goals" { goals += $3 }
	END {
		if (joints != 20) { print "# " joints " joints"; bad = 1 }
		printf "# cut %.3f ms after the end and %.3f ms after the last sign of life,", \
			most / 1e6, (most + end - last) / 1e6
		printf " watchdog %d ms, %d goals before\n", watchdog, goals
		exit bad
	}'
}

# has_goal -- is there the pose device of $bus, which is registered anew with some streams?
has_goal() {
	goal=$(device_named "$bus-goal") && [ -e "$goal/stream_state" ]
}

find_goal() {
	eventually has_goal || ok 1 "$bus has its poses"
}

# is_plain -- has no stream asked for more in its poses?
is_plain() {
	find_goal
	[ "$(cat "$goal/stiffness") $(cat "$goal/all_goals")" = "0 0" ]
}

# on NAME BUS -- the robot that is meant from now on, and its poses
on() {
	use "$1"
	talk
	bus=$2
	find_goal
}

# end_stream -- of a program that cannot do it any more
end_stream() {
	into "$goal/buffer0/enable" 0
	eventually is_plain
}

# cut_off NAME WATCHDOG_MS COMMAND... -- what moves joints and says so as `stream` does, with
# $grace_us; the judge says whether that has been cut off in time
cut_off() {
	local name=$1 watchdog=$2
	shift 2
	dxlctl stats reset >/dev/null
	"$@" >/tmp/stream 2>&1 || sed 's/^/# /' /tmp/stream
	usleep $((watchdog * 1000 + grace_us + 10000))
	judge "$watchdog" >/tmp/judged
	ok $? "$name"
	cat /tmp/judged
}

# stream_state -- of the poses in $goal
stream_state() {
	cat "$goal/stream_state"
}

# last_goal ID -- when it got that
last_goal() {
	dxlctl goals "$1" | awk '!/^ok/ { print $4 }'
}

# die_often -- a test's own `die NAME WATCHDOG_MS ARGUMENT...` at ROUNDS random moments, on
# one bus and, at every fourth, the other
die_often() {
	local round=0 watchdog by
	while [ "$round" -lt "$ROUNDS" ]; do
		round=$((round + 1))
		on a dxl0
		[ $((round % 4)) -ne 0 ] || on b dxl1
		watchdog=500
		[ $((round % 2)) -eq 0 ] || watchdog=$(random $((round + 1000)) 50 500)
		by=
		[ $((round % 3)) -ne 0 ] || by=--by-frames
		# shellcheck disable=SC2086 # a word or none
		die "$bus: killed, the ${round}th" "$watchdog" \
			--for "$(random $round 100000 1500000)" \
			--length "$(random $((round + 2000)) 2 12)" $by
	done
}

# What a simulator is asked for; day.sh has a bus that is none.

# lockstep US -- positions count time, one for so many microseconds
lockstep() {
	dxlctl lockstep "$1" >/dev/null
}

# goals -- a line for each joint: ID, how many goals it has been given, and the
# shortest and the longest time between two, in ns
goals() {
	dxlctl goals all | sed '/^ok/d' | cut -d' ' -f1,2,5,6
}

forget_goals() {
	dxlctl stats reset >/dev/null
}

# good_poses NAME BUS SECONDS -- one has left in each period of these, to the tenth of a
# millisecond; the first and the last second may be cut short
good_poses() {
	goals | awk -v period="$(cycle_of "$2" period_us)" -v seconds="$3" '
	$2 < (seconds - 1) * 1000000 / period || $3 < (period - 100) * 1000 || $4 > (period + 100) * 1000 { print "# " $0; bad = 1 }
	END { exit bad }'
	ok $? "$1: a pose leaves in each period"
}

# use NAME -- the simulator that dxlctl speaks with
use() {
	export DXLSIM_CONTROL="/tmp/control.$1"
}

# collect BUS SECONDS LOCKSTEP [ARGUMENT...] -- frames for so long into
# /tmp/frames.BUS, with all positions counting time by LOCKSTEP us, and poses in
# every period meanwhile, by $poses if that has options of `stream`
collect() {
	local bus=$1 seconds=$2 lockstep=$3 stream status
	shift 3
	lockstep "$lockstep"
	forget_goals
	into "$dxl/$bus/cycle/reset" 1
	# shellcheck disable=SC2086 # options
	stream "$bus" --for "$((seconds * 1000000))" --end close ${poses-} >"/tmp/poses.$bus" 2>&1 &
	stream=$!
	# The frames end last, so that there is one of each exchange.
	frames "$bus" "$((seconds + 1))" --lockstep "$lockstep" "$@" >"/tmp/frames.$bus" 2>&1
	status=$?
	wait $stream && return $status
}

# read_frames NAME BUS SECONDS LOCKSTEP [ARGUMENT...] -- and they are good
read_frames() {
	local name=$1 bus=$2
	shift
	collect "$@"
	ok $? "$name: frames are read, and poses sent" ||
		sed 's/^/# /' "/tmp/frames.$bus" "/tmp/poses.$bus"
	good_frames "$name" "/tmp/frames.$bus" "$bus"
	good_poses "$name" "$bus" "$2"
}
