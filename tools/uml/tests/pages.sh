#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# in: pages
# program: naohw
# program: naohwd
# share: userspace/robots
# share: userspace/motions
# share: tools/vm/tests/lola_lib.sh
# shared-data: motion
#
# A Bioloid's motion pages, alone and beside naohwd, with the wire as the judge: the goals that the servos
# get are those of the page's timetable, from its first step's posture on.

. "$(dirname "$0")/beat.sh"
. "$(dirname "$0")/boards-lib.sh"
# shellcheck source=tools/vm/tests/lola_lib.sh
. /share/lola_lib.sh
. "$(dirname "$0")/pages-lib.sh"
here=$(dirname "$0")
servos="-v servo=ax-12"
export NAOHW_ROBOT=/share/robots/bioloid.xml

load_modules 1000
modprobe dxl_board
start_sim a /share/overlays/virt-bioloid.dtbo --wire-time
start_attach a --overlay /share/overlays/virt-bioloid.dtbo
eventually attached a 20
ok $? "20 devices are on the bus" || sed 's/^/# /' /tmp/attach.a
wait_for_devices dxl0
# As the overlay has it: 20 AX-12 as delivered do not fit into less.
into $dxl/dxl0/cycle/period_us 20000
period=$(($(cycle_of dxl0 period_us) / 1000))
mkdir -p /run/naohw
of_files="/share/motions/bioloid.mtn /share/motion/bioloid-soccer.mtn /share/motion/hros1-motion.bin"
# shellcheck disable=SC2086
all_follow "alone" $of_files
is "$(cycle_of dxl0 period_us)" 20000 "the bus has the period of before again"
serve --socket /run/naohw/bioloid.sock
# shellcheck disable=SC2086
all_follow "beside naohwd" $of_files
# HeadYaw is ID 19; a count is 0.00511 rad.
# Beside naohwd no play has given the head its torque.
naohw set HeadYaw/Hardness/Actuator 1 >/dev/null
printf 'time_s,HeadYaw.present\n0,0.3\n0.5,0.6\n1,0.3\n' >/tmp/there.csv
succeeds "a recording is replayed beside it" naohw replay /tmp/there.csv
near "$(simulated 19 present_position)" 571 3 "and ends where that does"
ends
done_testing
