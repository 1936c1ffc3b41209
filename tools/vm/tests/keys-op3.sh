#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# robot: op3-boards
#
# All its keys, both ways.

. "$(dirname "$0")/lib.sh"
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
done_testing
