# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# Sourced by the tests of naohwd's LoLA, behind lib.sh: the daemon, and clients. What a client does
# is said by lola_client's words.

lola=/tmp/robocup

id_of() {
	basename "$(dirname "$(realpath "$(joint "$1")")")" | sed 's/.*-0*//'
}

# of LABEL FIELD -- the simulator's
of() {
	simulated "$(id_of "$1")" "$2"
}

# has LABEL FIELD VALUE
has() {
	[ "$(of "$1" "$2")" = "$3" ]
}

# serve [OPTION...] -- sets daemon
serve() {
	naohwd --lola $lola "$@" 2>/tmp/naohwd.log &
	daemon=$!
	eventually grep -q serves /tmp/naohwd.log
	ok $? "naohwd serves" || sed 's/^/# /' /tmp/naohwd.log
}

# logged PATTERN NAME -- did the daemon say that?
logged() {
	eventually grep -q "$1" /tmp/naohwd.log
	ok $? "$2" || sed 's/^/# /' /tmp/naohwd.log
}

# client NAME WORD...
client() {
	local name=$1
	shift
	succeeds "$name" lola_client $lola "$@"
}

# dies NAME WORD... -- a client that has itself killed in the end
dies() {
	local name=$1 status=0
	shift
	lola_client $lola "$@" >/tmp/client.log 2>&1 || status=$?
	is $status 137 "$name" || sed 's/^/# /' /tmp/client.log
}

# ends -- the daemon, in order
ends() {
	local status=0
	kill "$daemon"
	wait "$daemon" || status=$?
	is $status 0 "naohwd ends in order" || sed 's/^/# /' /tmp/naohwd.log
	[ ! -e $lola ]
	ok $? "and its socket has gone"
	is "$(grep '^[A-Z]*: ' /tmp/naohwd.log)" "" "and libiio has printed nothing"
}

# --- on a machine that is slow, as QEMU's: 12 ms are too short for it to move all joints ---

slow_us=40000

period_is() {
	line_is $dxl/dxl0/cycle/period_us "$1"
}

is_slow() {
	period_is $slow_us
}

slow_down() {
	into $dxl/dxl0/cycle/period_us $slow_us
}

# slow_client WORD... -- one that is connected when the bus is slowed down; sets client
slow_client() {
	rm -f /tmp/go
	lola_client $lola connect say here until /tmp/go "$@" >/tmp/client.log 2>&1 &
	client=$!
	eventually grep -q here /tmp/client.log
	eventually period_is 12000
	slow_down
	touch /tmp/go
}

# slowly STATUS NAME WORD... -- such a one, and how it ends
slowly() {
	local status=0 expected=$1 name=$2
	shift 2
	slow_client "$@"
	wait $client || status=$?
	is $status "$expected" "$name" || sed 's/^/# /' /tmp/client.log
}
