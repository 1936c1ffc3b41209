#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# robot: bioloid
#
# A motion page leaves every joint where its last step says.

. "$(dirname "$0")/lib.sh"

described >/tmp/described
file=$motions/bioloid.mtn
for page in Stand Wave Bow; do
	before=$(cat $dxl/dxl0/statistics/packets)
	succeeds "$page plays" naohw play "$file" "$page"
	[ "$(cat $dxl/dxl0/statistics/packets)" -gt "$before" ]
	ok $? "$page: packets went out"
	check_pose "$file" "$page"
done
is "$(dxlctl stats | grep -ci 'sync_write.*[1-9]')" 1 "poses left as sync writes"
fails_with "NoSuchPage" "a page that does not exist is named" naohw play "$file" NoSuchPage
done_testing
