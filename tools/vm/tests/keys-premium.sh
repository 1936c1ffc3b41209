#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# robot: bioloid-premium
# in: check-all
#
# All its keys, both ways.

. "$(dirname "$0")/lib.sh"
# shellcheck source=tools/vm/tests/walk/walk.sh
. "$(dirname "$0")/walk/walk.sh"

eventually joint CM-510
ok $? "its controller is there"

walk bioloid-premium
done_testing
