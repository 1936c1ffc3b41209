# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash disable=SC2034
#
# Sourced by tests that have naohw send carry out timed commands, behind beat.sh.

# send LINE... -- in the background; sets $send
send() {
	printf '%s\n' "$@" >/tmp/commands
	naohw send -q /tmp/commands >/tmp/said 2>&1 &
	send=$!
}

# ends STATUS NAME -- that of $send
ends() {
	local status=0
	wait "$send" || status=$?
	is "$status" "$1" "$2" || sed 's/^/# /' /tmp/said
}
