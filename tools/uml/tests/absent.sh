#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# in: check-all
#
# A robot of which a fifth is missing runs as fast as one that has been described without:
# its frames, its poses, and what else is asked meanwhile.

. "$(dirname "$0")/beat.sh"

SECONDS_EACH=5

# lost N -- are so many devices of the first bus?
lost() {
	[ "$(cat $dxl/0-*/state | grep -c lost)" -eq "$1" ]
}

# runs BUS -- frames and a pose for each, and requests as many as there is time for
runs() {
	local bus=$1
	echo 1 >"$dxl/$bus/cycle/reset"
	hammer "$bus" $SECONDS_EACH 2 >"/tmp/hammer.$bus" 2>&1 &
	stream "$bus" --by-frames --for $((SECONDS_EACH * 1000000)) --end close \
		>"/tmp/stream.$bus" 2>&1
	wait $!
	echo "# $bus: $(found poses "/tmp/stream.$bus") poses, $(found reads "/tmp/hammer.$bus")" \
		"requests, overruns $(cycle_of "$bus" overruns)"
}

load_modules 1000
start_robot a /share/test-overlays/twenty-five-ax-12.dtbo 25 5
start_robot b $robot 20 5
wait_for_devices dxl0 dxl1
torque_on dxl0
torque_on dxl1

use a
for id in 21 22 23 24 25; do
	dxlctl silence $id >/dev/null
done
# Frames find it out.
stream dxl0 --by-frames --for 2000000 --end close >/tmp/stream 2>&1
lost 5
ok $? "five of 25 servos are lost"
runs dxl0
runs dxl1
near "$(found poses /tmp/stream.dxl0)" "$(found poses /tmp/stream.dxl1)" 2 \
	"there are as many poses, and frames, as of 20 servos"
is "$(cycle_of dxl0 overruns)" "$(cycle_of dxl1 overruns)" "and no more overruns"
near "$(found reads /tmp/hammer.dxl0)" "$(found reads /tmp/hammer.dxl1)" \
	$(($(found reads /tmp/hammer.dxl1) / 5)) "and not many fewer requests beside them"
done_testing
