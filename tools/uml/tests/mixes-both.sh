#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# rounds: 4
# in: check-all
#
# All kinds of faults at once, with ROUNDS different seeds: both protocols on one bus, 10 AX-12 and 10 XM430.

. "$(dirname "$0")/campaign.sh"

start_campaign /share/test-overlays/ten-ax-12-ten-xm430.dtbo fast "$both"
for seed in $(seq "$ROUNDS"); do
	mixed_faults "$seed" 6
done
done_testing
