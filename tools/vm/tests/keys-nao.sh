#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# robot: nao-h25-v33
# in: check-all
#
# All keys of a NAO, both ways, and what counts how its devices answer; as uml:keys-nao, on a stock
# kernel.

. "$(dirname "$0")/lib.sh"
# shellcheck source=tools/vm/tests/walk/walk.sh
. "$(dirname "$0")/walk/walk.sh"

described >/tmp/described
all_there() {
	[ "$(ls "$iio"/*/label 2>/dev/null | wc -l)" -eq 34 ]
}
eventually all_there
ok $? "25 motors and the 9 boards that sense something are IIO devices"

walk nao-h25-v33
done_testing
