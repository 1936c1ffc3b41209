#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# in: check-all
#
# NAO's motor boards, from the outside in and back: goals alone and in poses, hardness
# and the limit of the current, what the encoders, the current and the simulated heat
# are, every code of an error, the watchdogs, and motors that go away and come back.

. "$(dirname "$0")/beat.sh"
. "$(dirname "$0")/boards-lib.sh"

robot=/share/test-overlays/boards-nao-motor.dtbo

# Registers
torque=64 watchdog=65 position=74 current=80 heat=82 error=83

# encoders LABEL -- how many it has, and where they are on the chain
encoders() {
	local motor
	motor=$(joint "$1")
	echo "$(cat "$motor/sensor_type") $(cat "$motor/position_chain_mre_joint")" \
		"$(cat "$motor/position_chain_mre_motor")"
}

# low VALUE, high VALUE -- its bytes, as two's complement
low() {
	echo $(($1 & 255))
}

high() {
	echo $(($1 >> 8 & 255))
}

# put ID ADDRESS VALUE -- past all rules, and what it measures changes by it
put() {
	dxlctl write "$1" "$2" "$(low "$3")" "$(high "$3")" >/dev/null
}

put_byte() {
	dxlctl write "$1" "$2" "$3" >/dev/null
}

# is_at LABEL POSITION
is_at() {
	local now
	now=$(cat "$(joint "$1")/in_angl0_raw")
	[ "$now" -ge $(($2 - 8)) ] && [ "$now" -le $(($2 + 8)) ]
}

# goes LABEL POSITION NAME
goes() {
	succeeds "$1: goal $2" into "$(joint "$1")/out_angl0_raw" "$2"
	eventually is_at "$1" "$2"
	ok $? "$1: $3" || cat "$(joint "$1")/in_angl0_raw"
}

# stays LABEL POSITION NAME
stays() {
	into "$(joint "$1")/out_angl0_raw" "$2"
	sleep 2
	! is_at "$1" "$2"
	ok $? "$1: $3"
}

told_error_is() {
	line_is "$(joint "$1")/hardware_error" "$2"
}

# torque_is ID 0|1, for simulator and driver
torque_is() {
	[ "$(simulated "$1" torque_enable)" = "$2" ]
}

stream_state() {
	cat "$goal/stream_state"
}

stream_is() {
	[ "$(stream_state)" = "$1" ]
}

# is_lost ID, is_back ID -- nobody else asks it for anything
is_lost() {
	attribute "$(echo "$dxl/0-00$1/"iio:device*)/in_angl0_raw" >/dev/null 2>&1
	device_is "$1" lost
}

is_back() {
	attribute "$(echo "$dxl/0-00$1/"iio:device*)/in_angl0_raw" >/dev/null
	device_is "$1" active
}

# live N -- tenths of a second
live() {
	local left=$1
	while [ "$left" -gt 0 ]; do
		into "$goal/keep_alive" 1
		usleep 100000
		left=$((left - 1))
	done
}

limp() {
	! dxlctl torque all | grep -v '^ok' | grep -q '^[0-9]* 1'
}

load_modules 1000
start_sim a $robot --wire-time
talk
start_attach a --overlay $robot
eventually attached a 4
ok $? "dxlattach tells of 4 devices" || sed 's/^/# /' /tmp/attach.a
eventually servos_are 4
ok $? "two boards are four servos"
wait_for_devices dxl0
goal=$(device_named dxl0-goal)
state=$(device_named dxl0-state)

# --- what it is, and where ---

yaw=$(joint HeadYaw)
dxlctl write 1 26 57 48 >/dev/null
dxlctl write 1 28 255 255 >/dev/null
put_byte 1 30 21
put_byte 1 31 42
is "$(cat "$yaw/name") $(cat "$yaw/operating_mode_available")" "nao-motor position" "it is a joint"
is "$(cat "$yaw/board_id") $(cat "$yaw/board_id2")" "12345 65535" "the numbers of its board"
is "$(cat "$yaw/boot_loader_version") $(cat "$yaw/prog_version") $(cat "$yaw/struct_version")" \
	"21 42 1" "and its versions"
for found in "HeadYaw 1 1" "HeadPitch 1 2" "RHipRoll 2 1" "RHipPitch 2 2"; do
	label=${found%% *}
	is "$(cat "$(joint "$label")/bid") $(cat "$(joint "$label")/motor_number")" "${found#* }" \
		"$label is motor ${found##* } of its board"
done
dxlctl write 1 34 1 3 0 1 200 7 255 >/dev/null
dxlctl write 1 42 5 51 >/dev/null
is "$(encoders HeadYaw) $(encoders HeadPitch)" "1 1 0 2 3 4" "its encoders, and its neighbour's"
holds "$yaw/invert_control_direction" 1 "its direction"
is "$(cat "$yaw/kp") $(cat "$yaw/ki") $(cat "$yaw/kd")" "200 7 255" "its gains"
holds "$yaw/gear_ratio" 130.61 "and its gear"
dxlctl write 1 34 2 1 2 0 32 0 0 >/dev/null
dxlctl write 1 42 29 51 >/dev/null
[ ! -e "$yaw/in_voltage0_raw" ]
ok $? "a motor board does not measure its supply"

for raw in -32768 -20000 -16 0 16 20000 32752; do
	put 1 $position "$raw"
	holds "$yaw/in_angl0_raw" "$raw" "its angle at $raw"
done
put 1 $position 16384
near "$(physical HeadYaw angl0)" 1571 1 "a quarter of a turn"
put 1 $position 16
near "$(cat "$yaw/in_angl1_raw")" $(((2049 * 16 * 13085 / 100) % 65536)) 16 "its motor, before the gear"
put 1 $position 0

# [pos-3] [pos-7] [act-7] [hard-2]
# --- its zero ---

holds "$yaw/in_angl0_calibbias" 2048 "where the encoder has its zero"
succeeds "another one" into "$yaw/in_angl0_calibbias" 2148
holds "$yaw/in_angl0_raw" -1600 "moves the angle"
fails_with "range" "no encoder reads 4096" into "$yaw/in_angl0_calibbias" 4096
fails_with "range" "nor -1" into "$yaw/in_angl0_calibbias" -1
succeeds "0 is none" into "$yaw/in_angl0_calibbias" 0
fails_with "" "and without one there is no torque" into "$yaw/out_angl0_en" 1
simulates 1 torque_enable 0 "none at all"
succeeds "the right one" into "$yaw/in_angl0_calibbias" 2048
dxlctl power-cycle 1 >/dev/null
eventually attribute "$yaw/in_angl0_raw"
simulates 1 joint_zero_position 2048 "it outlives the power"

# [hard-5] [hard-6]
# --- goals, one by one ---

holds "$yaw/out_angl0_brake" 1 "without torque it brakes"
succeeds "or is free" into "$yaw/out_angl0_brake" 0
simulates 1 brake 0 "as it was told"
succeeds "torque" into "$yaw/out_angl0_en" 1
holds "$yaw/out_angl0_brake" 1 "which ends with a brake"
fails_with "" "and is no time to choose" into "$yaw/out_angl0_brake" 0
fails_with "busy" "with torque the zero stays" into "$yaw/in_angl0_calibbias" 2000
goes HeadYaw 12000 "goes to its goal"
goes HeadYaw -32768 "as far as it can"
goes HeadYaw -20003 "by less than the encoder's steps"
fails_with "range" "no angle is beyond a half turn" into "$yaw/out_angl0_raw" 32768
fails_with "range" "nor on the other side" into "$yaw/out_angl0_raw" -32769
simulates 2 present_position 0 "the board's other motor has not moved"
sleep 3
goes HeadYaw 0 "goes on after a pause: by hand nobody keeps it going"

into "$yaw/out_anglvel0_raw" 1000
into "$yaw/out_angl0_raw" 16384
usleep 500000
near "$(cat "$yaw/in_anglvel0_raw")" 1000 1 "1 rad/s"
into "$yaw/out_anglvel0_raw" 0
eventually is_at HeadYaw 16384
ok $? "as fast as it can"
fails_with "range" "no speed is negative" into "$yaw/out_anglvel0_raw" -1

# [act-9] [cur-2]
# --- hardness and current ---

put 1 $current 1000
holds "$yaw/in_current0_raw" 1000 "it holds against a load"
near "$(physical HeadYaw current0)" 1000000 1 "with 1000 mA"
into "$yaw/out_angl0_torque_limit" 40.0
simulates 1 hardness 400 "a hardness of 40 %"
holds "$yaw/in_current0_raw" 800 "is as much of the current"
stays HeadYaw 0 "does not lift so much"
holds "$yaw/hardware_error" "current-limit motor-1" "and says so"
into "$yaw/out_angl0_torque_limit" 100
eventually is_at HeadYaw 0
ok $? "with all of it, it does"
fails_with "range" "more than all is nothing" into "$yaw/out_angl0_torque_limit" 100.1
fails_with "range" "nor is less than nothing" into "$yaw/out_angl0_torque_limit" -1
holds "$yaw/out_current0_raw_available" "[0 1 2000]" "what the current may be"
into "$yaw/out_current0_raw" 500
stays HeadYaw 8000 "does not lift it with less current"
fails_with "range" "the limit is not to be raised" into "$yaw/out_current0_raw" 2001
fails_with "range" "nor negative" into "$yaw/out_current0_raw" -1
into "$yaw/out_current0_raw" 2000
eventually is_at HeadYaw 8000
ok $? "and does with what it had"
put 1 $current 0

# [temp-2] [temp-3]
# --- heat ---

pitch=$(joint HeadPitch)
into "$pitch/out_angl0_en" 1
near "$(physical HeadPitch temp0)" 50000000 2000000 "it starts at 50 degrees"
put 2 $current 2000
sleep 30
[ "$(cat "$pitch/in_temp0_raw")" -gt 52 ]
ok $? "and current heats it"
put_byte 2 $heat 74
is "$(cat "$pitch/in_current0_raw") $(cat "$pitch/hardware_error")" "2000 " "at 74 nothing is wrong"
put_byte 2 $heat 80
near "$(cat "$pitch/in_current0_raw")" 1000 20 "at 80 half of the current is left"
eventually told_error_is HeadPitch "temperature motor-2"
ok $? "and it says why"
holds "$(joint HeadYaw)/hardware_error" "" "the other one is well"
put_byte 2 $heat 85
near "$(cat "$pitch/in_current0_raw")" 0 20 "at 85 nothing is left"
sleep 3600
[ "$(cat "$pitch/in_temp0_raw")" -lt 85 ]
ok $? "and so it stays below"
put 2 $current 0
put_byte 2 $heat 50
holds "$pitch/hardware_error" "" "it has cooled"

# [err-1] [err-2] [err-3] [err-4] [err-5] [err-6] [err-7] [err-8] [err-9] [err-10] [err-11] [err-13] [err-14] [err-15] [mb-9] [pos-2]
# --- every code, in a frame and in words ---

for channel in angl1 angl1025 count1025 count513; do
	into "$state/scan_elements/in_${channel}_en" 1
done
is "$(cat "$state/in_count1025_label"), $(cat "$state/in_angl1025_label")" \
	"HeadYaw error, HeadYaw motor" "frames have the code and the motor's encoder"
goes HeadYaw 4096 "goes where a frame can tell"
into "$state/buffer/enable" 1

# code NUMBER ALARM WORDS
code() {
	put_byte 1 $error "$1"
	# shellcheck disable=SC2046
	set -- "$1" "$2" "$3" $(fifth_frame 6)
	is "$8 $9 $(cat "$yaw/hardware_error")" "$1 $2 $3" "code $1 is $3"
}

motors="motor-1 motor-2"
mres="mre-1 mre-2 mre-3 mre-4"
code 0 0 ""
# shellcheck disable=SC2046
set -- $(fifth_frame 6)
is "$1 $2" "0 16" "where it is, too"
is "$(($3 + 256 * $4))" "$(cat "$yaw/in_angl1_raw")" "and where its motor is"
code 17 128 "no-motor motor-1"
code 18 128 "no-motor motor-2"
code 19 128 "no-motor $motors"
code 33 128 "temperature motor-1"
code 34 128 "temperature motor-2"
code 35 128 "temperature $motors"
code 49 0 "control-error motor-1"
code 50 0 "control-error motor-2"
code 51 0 "control-error $motors"
code 209 0 "current-limit motor-1"
code 210 0 "current-limit motor-2"
code 211 0 "current-limit $motors"
for kind in "4 128 no-data" "5 128 cordic-overflow" "6 0 linearity" "7 0 magnetic-field" \
	"8 128 parity" "9 128 offset"; do
	# shellcheck disable=SC2086
	set -- $kind
	for mre in 1 2 3 4; do
		code $(($1 * 16 + (1 << (mre - 1)))) "$2" "mre-$3 mre-$mre"
	done
	code $(($1 * 16 + 15)) "$2" "mre-$3 $mres"
done
code 161 128 "com read-crc"
code 162 128 "com unfinished"
code 164 128 "com rcrc"
code 168 128 "com read-unfinished"
code 175 128 "com read-crc unfinished rcrc read-unfinished"
code 177 128 "uart-spi spi-overflow"
code 178 128 "uart-spi parity"
code 180 128 "uart-spi framing"
code 184 128 "uart-spi overrun"
code 191 128 "uart-spi spi-overflow parity framing overrun"
for motor in 1 2; do
	base=$((208 + 16 * motor))
	code $((base + 1)) 128 "motor-$motor-stopped motor-no-data"
	code $((base + 2)) 128 "motor-$motor-stopped joint-no-data"
	code $((base + 4)) 128 "motor-$motor-stopped motor-other"
	code $((base + 8)) 128 "motor-$motor-stopped joint-other"
	code $((base + 15)) 128 \
		"motor-$motor-stopped motor-no-data joint-no-data motor-other joint-other"
done
code 193 128 "0xc1"
code 0 0 ""

# One after the other: heat, and no data from the joint's encoder, which ends control
put_byte 1 $error 65
put_byte 1 $heat 78
sleep 1
for word in "mre-no-data mre-1" "temperature motor-1" "motor-1-stopped joint-no-data"; do
	eventually told_error_is HeadYaw "$word"
	ok $? "of several at once it tells $word"
done
stays HeadYaw 0 "does not move without its encoder"
put_byte 1 $error 0
put_byte 1 $heat 50
eventually is_at HeadYaw 0
ok $? "HeadYaw: and moves again with it"
into "$state/buffer/enable" 0

# [act-8]
# --- poses, and who stops them ---

torque_on dxl0
simulates 1 bus_watchdog 0 "given torque by hand, nothing watches"
stream dxl0 --for 1000000 --end close >/tmp/stream 2>&1 &
stream=$!
usleep 500000
simulates 4 bus_watchdog 50 "in a stream it watches the bus, for a second"
wait $stream
ok $? "a stream of poses" || sed 's/^/# /' /tmp/stream
dxlctl goals all >/tmp/goals
awk '/^ok/ { next } $2 < 50 { bad = 1 } END { exit bad }' /tmp/goals
ok $? "every motor has got them" || sed 's/^/# /' /tmp/goals
simulates 4 bus_watchdog 0 "and it does not any more"
! limp
ok $? "they hold the last one"

stream dxl0 --for 700000 >/tmp/stream 2>&1
usleep 540000
limp
ok $? "the sender dies, and all torque is gone after 500 ms" || dxlctl torque all
stream_is tripped
ok $? "the stream has tripped"
into "$yaw/out_angl0_torque_limit" 80
succeeds "it recovers" into "$goal/recover" 1
usleep 100000
before=$(simulated 1 hardness)
[ "$before" -lt 100 ]
ok $? "with a hardness of nothing at first" || echo "# $before"
live 9
near "$(simulated 1 hardness)" 400 60 "half of it after a second"
live 13
is "$(simulated 1 hardness) $(simulated 2 hardness) $(simulated 1 torque_enable)" "800 1000 1" \
	"and all of it, each what it had, after two"
into "$goal/buffer0/enable" 0
into "$yaw/out_angl0_torque_limit" 100

torque_on dxl0
stream dxl0 --for 3000000 --end kill >/tmp/stream 2>&1 &
stream=$!
usleep 500000
dxlctl lose-request 100 >/dev/null
usleep 1100000
for id in 1 2 3 4; do
	is "$(simulated $id bus_watchdog) $(simulated $id torque_enable)" "255 0" \
		"$id stops by itself when it hears nothing"
done
wait $stream
put 1 $position 8000
put 1 $current 1000
dxlctl calm >/dev/null
into "$goal/buffer0/enable" 0
for id in 1 2 3 4; do
	eventually is_back $id
	ok $? "$id is back"
done
sleep 1
is "$(simulated 1 bus_watchdog) $(cat "$yaw/in_angl0_raw")" "0 8000" \
	"and stays where somebody has moved it meanwhile"
is "$(simulated 1 present_current) $(cat "$yaw/out_angl0_en")" "0 0" \
	"the end of a stream gives it no torque"
put 1 $current 0
torque_on dxl0
goes HeadYaw 3000 "goes on with torque"

# One that goes away in a stream, stops, and comes back when that is over
stream dxl0 --for 2000000 --end close >/tmp/stream 2>&1 &
stream=$!
usleep 300000
dxlctl silence 1 >/dev/null
wait $stream
is "$(simulated 1 bus_watchdog) $(simulated 1 torque_enable)" "255 0" "1 alone stops"
put 1 $current 1000
dxlctl unsilence 1 >/dev/null
eventually is_back 1
sleep 1
simulates 1 present_current 0 "and has no torque when it is back"
put 1 $current 0

# Those that hold the robot while another one recovers: nobody sends poses or asks
torque_on dxl0
stream dxl0 --for 300000 >/tmp/stream 2>&1 &
stream=$!
usleep 100000
dxlctl power-cycle 2 >/dev/null
dxlctl silence 2 >/dev/null
usleep 100000
for _ in 1 2 3 4 5 6; do
	attribute "$(joint HeadPitch)/in_angl0_raw" >/dev/null
done
dxlctl unsilence 2 >/dev/null
into "$goal/keep_alive" 1
wait $stream
eventually is_back 2
live 3
simulates 2 torque_enable 0 "2 was without power"
succeeds "2 recovers" into "$goal/recover" 1
live 25
simulates 2 torque_enable 1 "and has its torque again"
for id in 1 3 4; do
	is "$(simulated $id torque_enable) $(simulated $id bus_watchdog)" "1 50" \
		"$id held on meanwhile"
done
into "$goal/buffer0/enable" 0

# Stopped before anybody here knew of it, as when the computer has crashed
put_byte 1 $watchdog 25
usleep 700000
simulates 1 torque_enable 0 "1 has stopped"
put 1 $position 8000
put 1 $current 1000
stream dxl0 --for 100000 --end close >/tmp/stream 2>&1
is "$(simulated 1 present_current) $(simulated 1 torque_enable)" "0 0" \
	"the next stream gives it no torque"
put 1 $current 0

# That of a board nobody has said anything about it: 500 ms
dxlctl power-cycle 3 >/dev/null
sleep 1
simulates 3 bus_watchdog 25 "a board that starts watches for 500 ms"
hip=$(joint RHipRoll)
holds "$hip/out_angl0_en" 0 "and has no torque"
put_byte 3 $torque 1
usleep 300000
simulates 3 bus_watchdog 25 "that has not passed"
usleep 300000
simulates 3 bus_watchdog 255 "and now it has, and the motor stands still"
fails_with "" "it takes no goal" into "$hip/out_angl0_raw" 100
succeeds "until it is given torque" into "$hip/out_angl0_en" 1
goes RHipRoll 100 "and moves"
put_byte 3 $watchdog 1
usleep 100000
simulates 3 bus_watchdog 255 "as short as 20 ms"
into "$hip/out_angl0_en" 1

# --- gone and back ---

torque_on dxl0
dxlctl silence 2 >/dev/null
fails_with "" "one that is silent tells nothing" attribute "$pitch/in_angl0_raw"
eventually is_lost 2
ok $? "and is lost"
goes HeadYaw -3000 "moves, the other motor of its board"
dxlctl unsilence 2 >/dev/null
eventually is_back 2
ok $? "it is back"
goes HeadPitch 2000 "moves as before"

into "$pitch/out_angl0_torque_limit" 40
stream dxl0 --for 4000000 --end close --by-frames >/tmp/stream 2>&1 &
stream=$!
usleep 300000
dxlctl power-cycle 2 >/dev/null
sleep 2
is "$(stream_state)" streaming "one that loses its power does not end a stream"
torque_is 2 0
ok $? "it has no torque"
torque_is 1 1
ok $? "the others have"
succeeds "it recovers in it" into "$goal/recover" 1
wait $stream
into "$goal/buffer0/enable" 0
sleep 1
simulates 2 hardness 400 "with the hardness that it was given, and no more"
into "$pitch/out_angl0_torque_limit" 100
torque_on dxl0
goes HeadPitch -2000 "moves after all of it"

# --- found by a scan ---

for id in 1 2; do
	into $dxl/dxl0/delete_device $id
done
succeeds "a scan" into $dxl/dxl0/scan 1,2
for id in 1 2; do
	is "$(cat "$(device_of_id $id)/modalias") $(cat "$(device_of_id $id)"/iio:device*/name)" \
		"dxl:p2m4E10 nao-motor" "$id is found as what it is"
done
done_testing
