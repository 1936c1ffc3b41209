#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# timeout: 600
# rounds: 2
#
# Each kind of fault alone, for ROUNDS seconds of bus time: Protocol 1.0, 20 MX-28, bulk reads.

. "$(dirname "$0")/campaign.sh"

start_campaign /share/test-overlays/twenty-mx-28.dtbo 0 "a=32 b=48 c=30 width=2 min=33 max=1023"
every_fault "$ROUNDS"
done_testing
