#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# rounds: 1
#
# Each kind of fault alone, for ROUNDS seconds of bus time: Protocol 1.0, 20 AX-12, single reads.

. "$(dirname "$0")/campaign.sh"

start_campaign /share/overlays/virt-bioloid.dtbo single "$ax"
every_fault "$ROUNDS"
done_testing
