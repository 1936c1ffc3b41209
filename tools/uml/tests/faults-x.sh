#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# in: check-all
# rounds: 2
#
# Each kind of fault alone, for ROUNDS seconds of bus time: Protocol 2.0, 20 XM430, group reads.

. "$(dirname "$0")/campaign.sh"

start_campaign /share/overlays/virt-op3.dtbo fast "$x"
every_fault "$ROUNDS"
done_testing
