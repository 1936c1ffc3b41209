#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# rounds: 2
# in: check-all
#
# Each kind of fault alone, for ROUNDS seconds of bus time: both protocols on one bus, 10 AX-12 and 10 XM430.

. "$(dirname "$0")/campaign.sh"

start_campaign /share/test-overlays/ten-ax-12-ten-xm430.dtbo fast "$both"
every_fault "$ROUNDS"
done_testing
