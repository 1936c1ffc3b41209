#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# rounds: 8
#
# Everything at once that can be done to a tty with a bus on it, without anybody
# at the other end. The runner looks for reports in the kernel's log.

. "$(dirname "$0")/lib.sh"

load_modules 1000
modprobe dxl_ldisc
succeeds "$ROUNDS rounds" storm "$ROUNDS"
eventually no_devices
ok $? "no device is left"
for module in dxl_ldisc dxl_servo dxl; do
	eventually rmmod $module
	ok $? "$module can go"
done
done_testing
