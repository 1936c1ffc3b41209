#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# rounds: 2
# in: check-all
#
# Each kind of fault alone, for ROUNDS seconds of bus time: Protocol 2.0, 20 MX-28 without fast reads, sync reads.

. "$(dirname "$0")/campaign.sh"

start_campaign /share/test-overlays/twenty-mx-28-2.dtbo chain "$x"
every_fault "$ROUNDS"
done_testing
