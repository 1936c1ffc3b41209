#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# timeout: 120
#
# Of the machine itself: a process finds its vector registers as it has left them, though a patch of
# ours does not always set them.

. "$(dirname "$0")/lib.sh"

name="registers are kept over calls, faults, signals and other threads"
status=0
registers 1000 >/tmp/said 2>&1 || status=$?
if [ $status -eq 77 ]; then
	skip "$name" "$(cat /tmp/said)"
else
	is $status 0 "$name" || sed 's/^/# /' /tmp/said
fi
done_testing
