# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash disable=SC2034
#
# Sourced by the fault campaigns: traffic to 20 devices, of which dxl_campaign
# checks every result, while the simulator makes faults. Bus time is virtual.

. "$(dirname "$0")/lib.sh"

campaign=/sys/module/dxl_campaign/parameters
statistics=$dxl/dxl0/statistics
counters="packets tx_bytes ack nack device_errors echoes"
# How late an answer may be at most, so that it is never taken for another's:
# two margins after it was due, less what the line itself takes.
latest_us=1900

# dxl_campaign's words for the registers that it uses: of AX and MX, of MX with
# Protocol 2.0 and X, and of a bus with AX and X
ax="a=32 b=48 c=30 width=2 min=33 max=1023"
x="a=112 b=108 c=116 width=4 min=33 max=4000"
both="protocol=1 $ax protocol=2 $x"

# attach_campaign OVERLAY -- the bus of a simulator that runs
attach_campaign() {
	start_attach faults --overlay "$1"
	eventually servos_are 20
	ok $? "20 servos are there" || sed 's/^/# /' /tmp/attach.faults
}

# start_campaign OVERLAY HOW CELLS -- a bus with the 20 devices of an overlay; HOW
# those of a cycle answer: single, chain, or fast, where one packet is all answers
start_campaign() {
	how=$2
	cells=$3
	load_modules 1000
	modprobe dxl_campaign
	start_sim faults "$1" --wire-time
	attach_campaign "$1"
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
	[ "$(result unnoticed)" = 0 ] ||
		echo "# $(result unnoticed) damaged values had a right checksum, of $(result failed) answers that failed"
}

# remember -- the bus's statistics as they are
remember() {
	dxlctl stats reset >/dev/null
	for counter in $counters; do
		eval "before_$counter=$(cat $statistics/$counter)"
	done
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
	take_counts
	service "$name"
	check_counts "$name"
}

# count_of NAME -- what the simulator calls the count of a fault
count_of() {
	case $1 in
	drop) echo dropped ;;
	corrupt) echo corrupted ;;
	truncate) echo truncated ;;
	late) echo delayed ;;
	duplicate) echo duplicated ;;
	stray) echo strays ;;
	wrongid) echo wrong_ids ;;
	overrun) echo overruns ;;
	stall) echo stalls ;;
	garbage) echo garbage ;;
	echo) echo echoes ;;
	lose-request) echo requests_lost ;;
	spoil-request) echo requests_spoiled ;;
	deafness) echo deafened ;;
	self-reset) echo self_resets ;;
	esac
}

# take_counts -- both sides' statistics of what has just been driven, before
# anything else happens
take_counts() {
	dxlctl stats >/tmp/simulated
	for counter in $counters; do
		eval "since_$counter=\$((\$(cat $statistics/$counter) - before_$counter))"
	done
}

simulated_count() {
	sed -n "s/^$1 //p" /tmp/simulated
}

# agree NAME -- what holds between the statistics of both sides, whatever happened
agree() {
	local heard lost spoiled
	is "$since_tx_bytes" "$(simulated_count rx_bytes)" "$1: every byte sent is counted"
	# A request that runs into an answer is heard by nobody, and one that is both
	# lost and spoiled is counted as both.
	heard=$(simulated_count rx_packets)
	lost=$(simulated_count requests_lost)
	spoiled=$(simulated_count requests_spoiled)
	near "$since_packets" $((heard + lost + spoiled)) \
		$(($(simulated_count collisions) + (lost < spoiled ? lost : spoiled) / 10)) \
		"$1: every packet sent is counted"
	[ $((since_ack + since_device_errors)) -le "$(simulated_count answers)" ]
	ok $? "$1: no answer is counted that was not given"
}

# check_counts NAME -- do the statistics of both sides agree?
check_counts() {
	local made most off
	made=$(simulated_count "$(count_of "$1")")
	[ "$made" -gt 0 ]
	ok $? "$1: was made ($made times)"
	agree "$1"

	case $1 in
	duplicate | stray)
		# In the one answer to a fast read it takes the place of the next part. In
		# a chain a stray one can have the ID of a device that has answered, 19 IDs
		# of 252, and then neither is believed.
		case $how in
		single) most=0 ;;
		chain) most=$((made / 10)) ;;
		fast) most=$made ;;
		esac
		[ "$since_nack" -le "$most" ]
		ok $? "$1: costs no more than the answer in whose place it is" ||
			echo "# $since_nack of $made"
		;;
	stall) is "$since_nack" 0 "$1: costs no answer" ;;
	echo)
		is "$since_nack" 0 "$1: costs no answer"
		is "$since_echoes" "$made" "$1: each is known as one"
		;;
	drop | corrupt | truncate)
		# Of two in one answer to many, the second may not be looked at: what
		# follows a damaged ID in a fast answer is asked for again.
		[ "$how" = fast ] && off=10 || off=50
		near "$since_nack" "$made" $((made / off)) "$1: each costs the packet it hits, and no other"
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
	twins "$1"
}

# twins SECONDS -- two devices with one ID, one of them quicker than the other
twins() {
	succeeds "twins: a second device with ID 7" dxlctl twin 7
	drive "twins" seconds="$1"
	dxlctl untwin 7 >/dev/null
	sleep 0.5
	eventually none_lost
	ok $? "twins: no device is lost for good"
	drive "twins, over: nothing fails" seconds=1 strict=1
}

# mixed_faults SEED SECONDS -- all of them at once, repeatably. But no answer is
# late and carries another's ID as well: nobody could tell it from the other's.
mixed_faults() {
	remember
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
	take_counts
	service "mix $1"
	agree "mix $1"
}
