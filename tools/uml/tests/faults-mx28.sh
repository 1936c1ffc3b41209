#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# in: check-all
# rounds: 2
#
# Each kind of fault alone, for ROUNDS seconds of bus time: Protocol 1.0, 20 MX-28, bulk reads.

. "$(dirname "$0")/campaign.sh"

start_campaign /share/test-overlays/twenty-mx-28.dtbo chain "$ax"
every_fault "$ROUNDS"
done_testing
