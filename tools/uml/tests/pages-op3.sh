#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# in: pages
# program: naohw
# program: naohwd
# share: userspace/robots
# share: tools/vm/tests/lola_lib.sh
# shared-data: motion
#
# As pages.sh, of an OP3 without a board: its maker's pages, and servos of Protocol 2.0.

. "$(dirname "$0")/beat.sh"
. "$(dirname "$0")/boards-lib.sh"
# shellcheck source=tools/vm/tests/lola_lib.sh
. /share/lola_lib.sh
. "$(dirname "$0")/pages-lib.sh"
here=$(dirname "$0")
servos="-v servo=xm430"
export NAOHW_ROBOT=/share/robots/op3.xml

load_modules 1000
start_sim a /share/overlays/virt-op3.dtbo --wire-time
start_attach a --overlay /share/overlays/virt-op3.dtbo
eventually attached a 20
ok $? "20 devices are on the bus" || sed 's/^/# /' /tmp/attach.a
wait_for_devices dxl0
naohw doctor >/tmp/doctor 2>&1
ok $? "the doctor misses no board" || sed 's/^/# /' /tmp/doctor
period=$(($(cycle_of dxl0 period_us) / 1000))
all_follow "alone" /share/motion/op3-motion.bin
is "$(cycle_of dxl0 period_us)" $((period * 1000)) "the bus has the period of before again"
mkdir -p /run/naohw
serve --socket /run/naohw/op3.sock
all_follow "beside naohwd" /share/motion/op3-motion.bin
ends
done_testing
