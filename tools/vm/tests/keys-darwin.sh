#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# robot: darwin-op-boards
# in: check-all
#
# All its keys, both ways.

. "$(dirname "$0")/lib.sh"
# shellcheck source=tools/vm/tests/walk/walk.sh
. "$(dirname "$0")/walk/walk.sh"

all_answer() {
	naohw get '*/Position/Sensor/Value' '?Foot/Voltage/Sensor/Value'
}
eventually joint CM-730
succeeds "the controller gives the servos their supply" naohw set ChestBoard/ServoPower/Actuator 1
eventually all_answer
ok $? "and all answer"

walk darwin-op
done_testing
