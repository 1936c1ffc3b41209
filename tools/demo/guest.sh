#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The demo as it runs in the guest, with nothing but installed programs:
# guest.sh FILE PAGE [FIRST-PAGE]. FIRST-PAGE is played before the recording
# begins. What was recorded goes to /host/motion.csv. TOLERANCE is how many counts a
# joint may be off in the end.

title() {
	printf '\n== %s\n\n' "$*"
}

# Some pages follow each other without end, as steps of a walk do.
play() {
	naohw play --head --stiff --max-time 60 --tolerance "$TOLERANCE" "$@"
}

file=$1
page=$2
first=${3-}

title "A simulated robot on the serial port of Debian's own kernel $(uname -r)"
echo "Modules, loaded by what the device tree says:"
grep '^dxl' /proc/modules | cut -d' ' -f1 | sort

title "The joints found on the bus"
naohw list || exit

title "What each joint says of itself, read through IIO"
naohw watch --count 1 || exit

title "The motion file $(basename "$file")"
naohw pages "$file" || exit

if [ -n "$first" ]; then
	title "First to page $first"
	play "$file" "$first" || exit
fi

title "Playing page $page"
# Whoever films it on the host does so for as long as this is there.
echo "$page" >/host/playing
status=0
play "$file" "$page" --record /host/motion.csv || status=$?
rm /host/playing
[ "$status" -eq 0 ] || exit "$status"

title "The joints afterwards, and what the bus counted"
naohw watch --count 1 || exit
cd /sys/bus/dxl/devices/dxl0/statistics || exit
packets=$(cat packets) ack=$(cat ack) nack=$(cat nack)
echo
echo "$packets packets were sent: $ack answers came, and $nack did not. One packet may ask many" \
	"joints; a pose for all of them nobody answers."
