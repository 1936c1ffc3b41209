#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# rounds: 1
#
# All kinds of faults at once, with ROUNDS different seeds: Protocol 2.0, 20 XM430, group reads.

. "$(dirname "$0")/campaign.sh"

start_campaign /share/overlays/virt-op3.dtbo fast "$x"
for seed in $(seq "$ROUNDS"); do
	mixed_faults "$seed" 6
done
done_testing
