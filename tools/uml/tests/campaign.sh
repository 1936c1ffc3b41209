# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# Sourced by the fault campaigns: traffic to 20 devices, of which dxl_campaign
# checks every result, while the simulator makes faults. Bus time is virtual.

. "$(dirname "$0")/lib.sh"

campaign=/sys/module/dxl_campaign/parameters
statistics=$dxl/dxl0/statistics
# How late an answer may be at most, so that it is never taken for another's:
# two margins after it was due, less what the line itself takes.
latest_us=1900

# start_campaign OVERLAY FAST CELLS -- a bus with the 20 devices of an overlay;
# FAST is 1 if they understand fast group reads, else 0; CELLS are dxl_campaign's
# words for the registers that it uses
start_campaign() {
	fast=$2
	cells=$3
	load_modules 1000
	modprobe dxl_campaign
	start_sim faults "$1" --wire-time
	start_attach faults --overlay "$1"
	eventually servos_are 20
	ok $? "20 servos are there" || sed 's/^/# /' /tmp/attach.faults
}

result() {
	sed -n "s/^$1=//p" $campaign/result
}

# drive NAME WORD... -- traffic; fails if a result was wrong
drive() {
	local name=$1
	shift
	succeeds "$name: every result is right" into $campaign/run "$cells $*"
	is "$(result wrong)" 0 "$name: no wrong value"
	result first_wrong | sed 's/^/# /'
}

simulated_count() {
	dxlctl stats | sed -n "s/^$1 //p"
}

# remember -- the bus's statistics as they are
remember() {
	dxlctl stats reset >/dev/null
	for counter in packets tx_bytes rx_bytes ack nack timeouts device_errors echoes; do
		eval "before_$counter=$(cat $statistics/$counter)"
	done
}

# since COUNTER -- by how much it has risen
since() {
	eval "echo \$(($(cat "$statistics/$1") - before_$1))"
}

none_lost() {
	! grep -qx lost $dxl/0-*/state
}

# service NAME -- is it normal again, from the very next exchange on? A device
# that is still deaf has to come back, and one that was lost has to be found.
service() {
	case $1 in
	deafness | self-reset | mix*)
		sleep 0.5
		eventually none_lost
		ok $? "$1: no device is lost for good"
		;;
	esac
	drive "$1, over: nothing fails" seconds=1 strict=1
}

# fault NAME SECONDS SETTING... -- one kind of fault, as the simulator calls it
fault() {
	local name=$1 seconds=$2 words=
	shift 2
	[ "$name" != self-reset ] || words=forget=1
	remember
	succeeds "$name: is set" dxlctl "$name" "$@"
	drive "$name" seconds="$seconds" $words
	dxlctl calm >/dev/null
	count_faults "$name"
	service "$name"
}

# count_faults NAME -- do the statistics of both sides agree?
count_faults() {
	local made
	sleep 0.2
	case $1 in
	drop) made=dropped ;;
	corrupt) made=corrupted ;;
	truncate) made=truncated ;;
	late) made=delayed ;;
	duplicate) made=duplicated ;;
	stray) made=strays ;;
	wrongid) made=wrong_ids ;;
	overrun) made=overruns ;;
	stall) made=stalls ;;
	garbage) made=garbage ;;
	echo) made=echoes ;;
	lose-request) made=requests_lost ;;
	spoil-request) made=requests_spoiled ;;
	deafness) made=deafened ;;
	self-reset) made=self_resets ;;
	esac
	made=$(simulated_count "$made")
	[ "$made" -gt 0 ]
	ok $? "$1: was made ($made times)"
	is "$(since tx_bytes)" "$(simulated_count rx_bytes)" "$1: every byte sent is counted"

	case $1 in
	duplicate | stray)
		# In the one answer to a fast read it takes the place of the next part.
		[ "$(since nack)" -le $((fast * made)) ]
		ok $? "$1: costs no more than the answer in whose place it is" ||
			echo "# $(since nack) of $made"
		;;
	stall) is "$(since nack)" 0 "$1: costs no answer" ;;
	echo)
		is "$(since nack)" 0 "$1: costs no answer"
		is "$(since echoes)" "$made" "$1: each is known as one"
		;;
	drop | corrupt | truncate)
		# Of two in one answer to many, the second may not be looked at.
		near "$(since nack)" "$made" $((made / 50)) "$1: each costs the packet it hits, and no other"
		;;
	esac
}

# every_fault SECONDS -- one after the other
every_fault() {
	drive "no fault" seconds=1 strict=1
	for kind in drop corrupt truncate duplicate garbage wrongid stray overrun \
		stall lose-request spoil-request echo deafness self-reset; do
		fault $kind "$1" 2
	done
	fault late "$1" 2 us $latest_us
}

# mixed_faults SEED SECONDS -- all of them at once, repeatably. But no answer is
# late and carries another's ID as well: nobody could tell it from the other's.
mixed_faults() {
	dxlctl seed "$1" >/dev/null
	for kind in drop corrupt truncate duplicate garbage stray overrun stall \
		lose-request spoil-request echo; do
		dxlctl $kind 1 >/dev/null
	done
	if [ $(($1 % 2)) -eq 0 ]; then
		dxlctl wrongid 1 >/dev/null
	else
		# A pause or a repetition may come on top of it.
		dxlctl late 1 us $((latest_us - 400)) >/dev/null
	fi
	drive "mix $1" seconds="$2" seed="$1"
	dxlctl calm >/dev/null
	service "mix $1"
}
