#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# robot: op3-boards
#
# All its keys, both ways; and what a program for a NAO has of it.

. "$(dirname "$0")/lib.sh"
# shellcheck source=tools/vm/tests/lola_lib.sh
. "$(dirname "$0")/lola_lib.sh"
# shellcheck source=tools/vm/tests/walk/walk.sh
. "$(dirname "$0")/walk/walk.sh"

all_answer() {
	naohw get '*/Position/Sensor/Value'
}
eventually joint OpenCR
succeeds "the controller gives the servos their supply" into "$(joint OpenCR)/servo_power" 1
eventually all_answer
ok $? "and all answer"

walk op3

# value KEY [SIGN] -- of a sensor
value() {
	naohw get "$1" | awk -v sign="${2:-1}" '{ print sign * $NF }'
}

x=$(value InertialSensor/AccelerometerX/Sensor -1)
z=$(value InertialSensor/AccelerometerZ/Sensor -1)
slow_down
serve
client "a NAO's program finds 0 for what an OP3 lacks [lola-5]" connect read 20 is Position 6 0 0 \
	is Position 24 0 0 is FSR 0 0 0
client "and its acceleration with the sign turned [lola-4]" connect read 20 \
	is Accelerometer 0 "$x" 0.01 is Accelerometer 2 "$z" 0.01
slowly 0 "it moves joints" set Stiffness all 1 set Position all 0 set Position 0 0.5 answer 100 \
	is Position 0 0.5 0.02 is Stiffness 0 1 0
# 0.5 of 2 pi, of 4096 a turn
near "$(of HeadYaw goal_position)" 2374 2 "to where they are to be"
slowly 137 "and dies while one is on its way [lola-20]" set Position 0 -1.2 answer 4 die
logged "closed the connection" "naohwd sees that"
sleep 1
held=$(of HeadYaw goal_position)
near "$held" 1820 500 "it holds in the middle of it"
sleep 1
is "$(of HeadYaw goal_position) $(of HeadYaw torque_enable)" "$held 1" "and goes on holding"
ends
done_testing
