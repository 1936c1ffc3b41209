#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# rounds: 4
# in: check-all
#
# All kinds of faults at once, with ROUNDS different seeds: Protocol 2.0, 20 MX-28 without fast reads, sync reads.

. "$(dirname "$0")/campaign.sh"

start_campaign /share/test-overlays/twenty-mx-28-2.dtbo chain "$x"
for seed in $(seq "$ROUNDS"); do
	mixed_faults "$seed" 6
done
done_testing
