#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# rounds: 20
# share: userspace/robots
#
# Timed commands for the 20 AX-12 of a Bioloid in cycles of 10 ms, for ROUNDS seconds of bus time,
# by a DCM that is now and then closed and opened anew, with servos in the kernel: `make check-all`
# has an hour of them, `make soak` a day.

. "$(dirname "$0")/day.sh"

robot=/share/robots/bioloid.xml
openings=$((ROUNDS / 600 + 6))

# labels -- of the joints, in the order of the servos' IDs
labels() {
	sed -n 's/^\t\t<Preference name="\([A-Za-z]*\)" type="array">&joint;.*/\1/p' $robot
}

add_joints() {
	local label id=0
	for label in $(labels); do
		id=$((id + 1))
		echo "robotis,ax-12 $id $label" >$dxl/dxl0/new_device || return
	done
	[ $id -eq 20 ]
}

# fewest_goals -- of all servos
fewest_goals() {
	goals | awk 'NR == 1 || $2 < fewest { fewest = $2 } END { print fewest }'
}

# grew KEY MOST -- has that grown by no more?
grew() {
	[ "$(found "$1" /tmp/timed)" -le "$2" ]
}

# The kernel's first timers are late, by a tick.
sleep 1
load_modules 1000
modprobe dxl_fake_bus protocol=1 baud=1000000
succeeds "20 servos are on the bus" add_joints
wait_for_devices dxl0
forget_goals
# malloc() counts what it keeps for a thread as in use, and that differs from opening to opening.
GLIBC_TUNABLES=glibc.malloc.arena_max=1:glibc.malloc.tcache_count=0 \
	timed $robot "$ROUNDS" $openings >/tmp/timed 2>/tmp/said
ok $? "commands are given for $ROUNDS s" || sed 's/^/# /' /tmp/said
sed 's/^/# /' /tmp/timed
for key in missing gaps nack late refused errors; do
	is "$(found $key /tmp/timed)" 0 "cycles: $key"
done
is "$(found lost /tmp/timed)" 0 "each command is carried out in time"
is "$(found astray /tmp/timed)" 0 "and is the servo's goal"
# Of poses that are on their way when a stream ends none comes.
[ "$(fewest_goals)" -ge $(($(found cycles /tmp/timed) - 3 * openings)) ]
ok $? "each cycle sends each servo a goal" || goals | sed 's/^/# /'
is "$(found heap_open /tmp/timed)" 0 "the heap does not grow while a DCM is open"
for what in heap mapped_kib fds; do
	grew $what 0
	ok $? "no opening leaves anything behind: $what"
done
# Where in the heap things are differs a little, and it grows by 132 KiB at a time.
grew arena_kib 264
ok $? "nor needs a larger heap"
done_testing
