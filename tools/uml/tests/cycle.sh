#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# rounds: 3
#
# The cycle: what does not fit is refused, what requests there are get what it
# leaves, a device that is missing is told of, and four buses go at once. ROUNDS
# seconds each.

. "$(dirname "$0")/beat.sh"

# fit -- is everything enabled that a frame can have?
fit() {
	local dir file
	dir=$(device_named dxl0-state)
	for file in "$dir"/buffer0/*_en; do
		into "$file" 1
	done
	into "$dir/buffer0/enable" 1
}

load_modules 1000
start_robot a $robot 20 5
is "$(cycle_of dxl0 period_us)" 20000 "the period is that of the robot's description"
wait_for_devices dxl0

# --- what does not fit ---
into $dxl/dxl0/cycle/period_us 3000
fails_with "No space" "20 AX-12 do not fit into 3 ms" fit
dmesg | tail -n 20 | grep 'dxl0.*us.*3000 us\|dxl0.*3000 us.*us' >/tmp/said
ok $? "and that is said, with both times" || dmesg | tail -n 5 | sed 's/^/# /'
sed 's/^/# /' /tmp/said
fails_with "" "a period below 1 ms is none" into $dxl/dxl0/cycle/period_us 999
into $dxl/dxl0/cycle/period_us 10000
succeeds "they fit into 10 ms" fit
wire=$(cycle_of dxl0 wire_us)
is "$((wire + $(cycle_of dxl0 slack_us)))" 10000 "wire time and slack are the period"
# Each is asked for 8 bytes: 8 to it, 14 from it.
is "$wire" 4400 "the wire time is that of 20 reads"
fails_with "No space" "nor can the period be made too short now" into $dxl/dxl0/cycle/period_us 3000
beat=$(device_named dxl0-cycle)
most=$(sed 's/.* \(.*\)]/\1/' "$beat/sampling_frequency_available")
is "$most" 227.272727 "the trigger tells the frequency of the shortest period that fits"
fails_with "No space" "which is refused if it is higher" into "$beat/sampling_frequency" 227.3
succeeds "and not as it is" into "$beat/sampling_frequency" "$most"
into $dxl/dxl0/cycle/period_us 10000
into "$(device_named dxl0-state)/buffer0/enable" 0

# --- requests, as many as there can be, where a period has little room for them ---
into $dxl/dxl0/cycle/period_us 7000
hammer dxl0 "$((ROUNDS + 2))" 8 >/tmp/hammer 2>&1 &
hammer=$!
read_frames "hammered" dxl0 "$ROUNDS" 71
wait $hammer
ok $? "the registers have been read meanwhile" || sed 's/^/# /' /tmp/hammer
is "$(found errors /tmp/hammer)" 0 "without an error"
[ "$(found reads /tmp/hammer)" -gt $((20 * ROUNDS)) ]
ok $? "and often"
echo "# $(tr '\n' ' ' </tmp/hammer)"
into $dxl/dxl0/cycle/period_us 10000

# --- one that is missing ---
dxlctl silence 7 >/dev/null
into $dxl/dxl0/cycle/reset 1
frames dxl0 "$ROUNDS" --lockstep 103 >/tmp/frames 2>&1
ok $? "frames go on without a servo" || sed 's/^/# /' /tmp/frames
near "$(found absent /tmp/frames)" "$(found frames /tmp/frames)" 0 \
	"whose age tells so in every frame"
is "$(found skipped /tmp/frames) $(found unordered /tmp/frames)" "0 0" \
	"they are in time"
is "$(cycle_of dxl0 overruns)" 0 "no overrun"
dxlctl unsilence 7 >/dev/null
is_back() { line_is $dxl/0-007/state active; }
eventually is_back
ok $? "it is back"

# --- an alarm is reported within a frame ---
dxlctl write 3 43 90 >/dev/null
frames dxl0 1 >/tmp/frames 2>&1
near "$(found alarms /tmp/frames)" "$(found frames /tmp/frames)" 0 "a hot servo shows in every frame"
dxlctl write 3 43 30 >/dev/null
# It has shut itself down, and would get no poses.
into $dxl/0-003/iio:device*/out_angl0_torque_limit 100
into $dxl/0-003/iio:device*/out_angl0_en 1

# --- four at once ---
for name in b c d; do
	start_robot $name $robot 20 5
done
wait_for_devices dxl1 dxl2 dxl3
four=
bus=0
for name in a b c d; do
	(
		talks_with=
		use $name
		collect dxl$bus "$ROUNDS" 103
	) &
	four="$four$! "
	bus=$((bus + 1))
done
bus=0
for name in a b c d; do
	wait "${four%% *}"
	ok $? "dxl$bus of four: frames are read, and poses sent" ||
		sed 's/^/# /' /tmp/frames.dxl$bus /tmp/poses.dxl$bus
	four=${four#* }
	good_frames "dxl$bus of four" /tmp/frames.dxl$bus dxl$bus
	use $name
	good_poses "dxl$bus of four" dxl$bus "$ROUNDS"
	bus=$((bus + 1))
done
done_testing
