#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# in: check-all
#
# NAO's sonar, from the outside in: obstacles around the simulated robot are distances
# in IIO and in the frames, in every mode. It goes away and comes back.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/boards-lib.sh"

robot=/share/test-overlays/boards-nao-sonar.dtbo

# obstacles FRONT LEFT RIGHT -- each a list of distances, or none
obstacles() {
	# shellcheck disable=SC2086
	{
		dxlctl obstacle front $1 && dxlctl obstacle left $2 && dxlctl obstacle right $3
	} >/dev/null || echo "# no obstacles at $*"
}

mode() {
	into "$sonar/sonar_mode" "$1" || return
	sleep 0.05
}

# echoes FIRST COUNT -- what so many channels from one on hold, in cm
echoes() {
	local channel
	for channel in $(seq "$1" $(($1 + $2 - 1))); do
		cat "$sonar/in_distance${channel}_raw"
	done | xargs
}

value() {
	echoes 0 1
}

left() {
	echoes 1 10
}

right() {
	echoes 11 10
}

# of ECHO... -- those, and none behind them
of() {
	while [ $# -lt 10 ]; do
		set -- "$@" 255
	done
	echo "$*"
}

start_boards 2
sonar=$(joint Sonar)
holds "$sonar/name" nao-us "the sonar is one"

# is_lost -- asked until it is
is_lost() {
	attribute "$sonar/in_distance1_raw" >/dev/null 2>&1
	device_is 202 lost
}

# --- what there is ---

holds "$(device_of_id 202)/model_number" 19976 "its model number"
holds "$(device_of_id 202)/firmware_version" 1 "its firmware version"
holds "$(device_of_id 202)/statistics/error_bits" 0x00 "and it has had no error"
holds "$sonar/in_distance0_label" value "the one echo of one receiver"
for n in 0 1 2 3 4 5 6 7 8 9; do
	key=$([ $n = 0 ] || echo $n)
	is "$(cat "$sonar/in_distance$((n + 1))_label")" "left-value$key" "left echo $n"
	is "$(cat "$sonar/in_distance$((n + 11))_label")" "right-value$key" "right echo $n"
done
[ ! -e "$sonar/in_distance21_raw" ]
ok $? "there are no others"
holds "$sonar/in_distance7_scale" 0.010000000 "they are in cm"
holds "$sonar/sonar_mode_available" "0 1 2 3 4 8 12 64 65 66 67 68 72 76" "its modes"
holds "$sonar/sonar_mode" 0 "the one it starts with"
is "$(value) $(left) $(right)" "$(of 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0)" \
	"and has sent no wave"

# [us-1]
# --- one receiver ---

obstacles 1m 0.6m 0.7m
for expected in "0 60" "1 100" "2 100" "3 70" "8 60"; do
	m=${expected% *}
	mode "$m"
	holds "$sonar/sonar_mode" "$m" "mode $m is taken"
	is "$(value)" "${expected#* }" "its echo"
	is "$(left | xargs -n 1 | sort -u)" 0 "and none for both receivers"
done
is "$(physical Sonar distance0)" 600 "in metres"

# [us-4] [us-5] [us-13]
# --- both, and none but when asked ---

obstacles "2m 1m" 1.5m 0.3m
for m in 4 12; do
	mode $m
	is "$(left)" "$(of 100 150 200)" "mode $m: what the left one hears"
	is "$(right)" "$(of 30 100 200)" "mode $m: and the right one"
	is "$(value)" 60 "mode $m: the single one is of before"
	obstacles none none none
	sleep 1
	is "$(left)" "$(of 100 150 200)" "mode $m: no wave but the one"
	mode $m
	is "$(left)" "$(of)" "mode $m: another"
	is "$(right)" "$(of)" "mode $m: and nothing is there any more"
	obstacles "2m 1m" 1.5m 0.3m
done
obstacles none "1.1m 1m 0.9m 0.8m 0.7m 0.6m 0.5m 0.4m 0.3m 0.26m" "2m 2.1m 1.9m"
mode 4
is "$(left)" "26 30 40 50 60 70 80 90 100 110" "ten echoes"
is "$(right)" "$(of 190 200 210)" "the nearest first"

# [us-3] [us-8]
# --- near and far ---

for expected in "0.24m 0" "0.25m 25" "2.54m 254" "2.55m 255" "5m 255" "none 255"; do
	obstacles "${expected% *}" none none
	mode 3
	is "$(value)" "${expected#* }" "at ${expected% *}"
done

# [us-6]
# --- by itself ---

for expected in "64 0" "65 0" "66 0" "67 0" "72 0" "68 1" "76 1"; do
	m=${expected% *} channel=${expected#* }
	obstacles 1m none none
	mode "$m"
	is "$(echoes "$channel" 1)" 100 "mode $m: an echo"
	obstacles 1.8m none none
	sleep 0.11
	is "$(echoes "$channel" 1)" 180 "mode $m: and the next"
	obstacles 0.5m none none
	sleep 0.11
	is "$(echoes "$channel" 1)" 50 "mode $m: and so on"
	mode $((m - 64))
	obstacles 1m none none
	sleep 0.5
	is "$(echoes "$channel" 1)" 50 "mode $((m - 64)) ends it"
done

# --- nonsense ---

for m in 5 6 7 9 10 11 13 16 32 63 69 77 80 128 132 255 x -1 4.0 0x4 "4 8"; do
	fails_with "nvalid argument" "no mode: '$m'" into "$sonar/sonar_mode" "$m"
done
fails_with "out of range" "no mode: 256" into "$sonar/sonar_mode" 256
holds "$sonar/sonar_mode" 12 "it has the mode that it had"
simulates 202 mode 12 "and the board, too"

# --- frames ---

eventually frames_have distance20682
ok $? "the frames have the echoes"
holds "$state/in_distance202_label" Sonar "the single one by its board's name"
holds "$state/in_distance1226_label" "Sonar left-value" "those of the left by theirs"
holds "$state/in_distance20682_label" "Sonar right-value9" "up to the last of the right"
obstacles 0.9m 0.8m 0.7m
mode 3
mode 68
for n in 0 1 2 11 12 20; do
	into "$state/scan_elements/in_distance$((202 + 1024 * n))_en" 1
done
into "$state/buffer/enable" 1
is "$(fifth_frame 6 | xargs)" "70 80 90 70 90 255" "a frame has them all"
obstacles 0.9m 0.8m 0.6m
sleep 0.2
is "$(dd if="/dev/${state##*/}" bs=6 count=300 status=none | od -An -v -tu1 -w6 | tail -n 1 | xargs)" \
	"70 80 90 60 90 255" "and later ones what has changed"

# --- gone and back ---

dxlctl silence 202 >/dev/null
eventually device_is 202 lost
ok $? "it is lost"
into "$state/buffer/enable" 0
fails_with "" "its echoes cannot be read" attribute "$sonar/in_distance1_raw"
fails_with "" "and it takes no mode" into "$sonar/sonar_mode" 68
dxlctl power-cycle 202 >/dev/null
simulates 202 mode 0 "it has forgotten its mode"
dxlctl unsilence 202 >/dev/null
eventually device_is 202 active
ok $? "it is back"
eventually simulated_is 202 mode 68
ok $? "and goes on by itself"
sleep 0.2
is "$(right)" "$(of 60 90)" "with what is there"
mode 4
dxlctl silence 202 >/dev/null
eventually is_lost
ok $? "it is lost again"
dxlctl power-cycle 202 >/dev/null
dxlctl unsilence 202 >/dev/null
eventually device_is 202 active
sleep 0.5
is "$(simulated 202 mode) $(right | xargs -n 1 | sort -u)" "0 0" "one wave is not sent anew"
mode 4
is "$(right)" "$(of 60 90)" "but when somebody asks"

rmmod dxl_board
modprobe dxl_board
eventually servos_are 2
holds "$(joint Sonar)/sonar_mode" 4 "a driver that comes anew leaves the mode alone"
done_testing
