#!/bin/sh
# shellcheck shell=dash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# dcm-guest.sh uml|stock DESCRIPTION PERIOD_US CYCLES MARGIN_US [OVERLAY DEVICES BAUD] -- runs in a
# guest: the DCM's cycle alone, beside others that never sleep, and beside others that read all
# there is to read of the devices. Prints lines `dcm PHASE KEY=VALUE`.
here=/share/bench
kernel=$1
description=$2
period=$3
cycles=$4
margin=$5
shift 5
# UML has them in /bin, and there they may be the other's.
[ "$kernel" = uml ] || PATH=$here:$PATH

. "$(dirname "$0")/guest-lib.sh"

# UML takes a processor from a program only when that enters the kernel, or at the
# tick, which comes every 10 ms: so they have to.
toil() {
	[ "$kernel" = stock ] || exec dd if=/dev/zero of=/dev/null bs=4k 2>/dev/null
	while :; do :; done
}

# dcm PHASE
dcm() {
	set_period "$period"
	dcmloop "$description" "$period" "$cycles" >/tmp/run 2>/tmp/errors || die "$(cat /tmp/errors)"
	sed "s/^/dcm $1 /" /tmp/run
}

beside_requests() {
	# Until the last of them has begun
	hammer dxl0 $((cycles * period / 1000000 + 5)) 4 >/tmp/hammer &
	"$@"
	wait $!
	sed 's/^/dcm requests /' /tmp/hammer
}

attach_robot "$kernel" "$margin" "$@"
dcm idle
beside_toil dcm busy
beside_requests dcm requests
echo 'guest: end'
