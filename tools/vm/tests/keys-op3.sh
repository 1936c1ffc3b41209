#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# robot: op3-boards
# in: check-all
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
succeeds "the controller gives the servos their supply" naohw set ChestBoard/ServoPower/Actuator 1
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
serve --lola-end hold
client "a NAO's program finds 0 for what an OP3 lacks [lola-5]" connect read 20 is Position 6 0 0 \
	is Position 24 0 0 is FSR 0 0 0
client "and its acceleration with the sign turned [lola-4]" connect read 20 \
	is Accelerometer 0 "$x" 0.01 is Accelerometer 2 "$z" 0.01
slowly 0 "and moves its head [lola-13]" set Stiffness all 0.5 set Position all 0 set Position 0 0.5 \
	answer 100 is Position 0 0.5 0.05
# 0.5 of 2 pi, of 4096 a turn, from the middle
near "$(of HeadYaw goal_position)" 2374 3 "which goes there"
near "$(of HeadYaw goal_pwm)" 442 3 "half as stiff as it can be"
ends
done_testing
