#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# in: check-all
# rounds: 2
#
# All kinds of faults at once, with ROUNDS different seeds: Protocol 1.0, 20 AX-12, single reads.

. "$(dirname "$0")/campaign.sh"

start_campaign /share/overlays/virt-bioloid.dtbo single "$ax"
for seed in $(seq "$ROUNDS"); do
	mixed_faults "$seed" 6
done
done_testing
