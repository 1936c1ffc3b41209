#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# program: naohw
# share: userspace/robots
# share: tools/vm/tests/walk
#
# All keys of a NAO, both ways, and what counts how its devices answer.

. "$(dirname "$0")/beat.sh"
. "$(dirname "$0")/keys-lib.sh"

load_modules 1000
modprobe dxl_board
robot nao-h25-v33 36
walk nao-h25-v33
done_testing
