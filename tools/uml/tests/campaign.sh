# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash disable=SC2034,SC2154
#
# Sourced by the fault campaigns: traffic to 20 devices, of which dxl_campaign
# checks every result, while the simulator makes faults. Bus time is virtual.

. "$(dirname "$0")/lib.sh"

campaign=/sys/module/dxl_campaign/parameters
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
	talk
	attach_campaign "$1"
}

# read_result -- what became of the traffic; sets result_NAME. Of devices there are lines as well.
read_result() {
	local name value
	result_wrong='' result_failed='' result_unnoticed='' result_first_wrong=''
	while IFS='=' read -r name value; do
		case $name in
		'' | *[!a-z_]*) ;;
		*) eval "result_$name=\$value" ;;
		esac
	done <$campaign/result
}

# drive NAME WORD... -- traffic; fails if a result was wrong
drive() {
	local name=$1
	shift
	succeeds "$name: every result is right" into $campaign/run "$cells $*"
	read_result
	is "$result_wrong" 0 "$name: no wrong value"
	[ -z "$result_first_wrong" ] || echo "# $result_first_wrong"
	[ "$result_unnoticed" = 0 ] ||
		echo "# $result_unnoticed damaged values had a right checksum, of $result_failed answers that failed"
}

# driver_counts -- lines of "bus" or a device's ID, the name of a count, and the count
driver_counts() {
	grep -H . $dxl/dxl0/statistics/* $dxl/0-*/statistics/* | sed '
		s|^.*/dxl0/statistics/\(.*\):|bus \1 |
		s|^.*/0-0*\([0-9]*\)/statistics/\(.*\):|\1 \2 |'
}

# simulator_counts -- the same of the simulator, whose names are other ones, into
# /tmp/simulated; by programs, as a shell takes longer to read so many lines
simulator_counts() {
	{
		command dxlctl stats | sed '/^ok/d; s/^/bus /'
		command dxlctl stats all | sed '/^ok/d'
	} >/tmp/simulated
}

# meanwhile_still COMMAND... -- runs it when nothing happens on the bus, where the
# ladder may ask for lost devices at any time; the driver's counts are then in
# /tmp/counts
meanwhile_still() {
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		driver_counts >/tmp/counts
		"$@"
		# What is between them arrives.
		sleep 0.001
		[ "$(driver_counts)" = "$(cat /tmp/counts)" ] && return
		sleep 0.02
	done
	ok 1 "the bus comes to rest"
}

# remember -- the statistics as they are
remember() {
	meanwhile_still dxlctl stats reset >/dev/null
	mv /tmp/counts /tmp/before
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

# take_counts -- both sides' statistics of what has just been driven, before anything else
# happens. Sets counted_NAME, since they were remembered, and simulated_NAME of the bus, and
# sum_NAME, of the driver's counts of all devices together.
take_counts() {
	failed=$result_failed
	unnoticed=$result_unnoticed
	meanwhile_still simulator_counts
	# shellcheck disable=SC2046 # words
	[ ! -e /tmp/variables ] || unset $(cut -d= -f1 /tmp/variables)
	awk '
		{ key = $1 " " $2 }
		NR == FNR { before[key] = $3; next }
		{ print key, $3 - before[key] }' /tmp/before /tmp/counts >/tmp/counted
	awk '
		FILENAME == "/tmp/simulated" { if ($1 == "bus") print "simulated_" $2 "=" $3; next }
		$1 == "bus" { print "counted_" $2 "=" $3; next }
		{ sum[$2] += $3 }
		END { for (name in sum) print "sum_" name "=" sum[name] }
		' /tmp/counted /tmp/simulated >/tmp/variables
	. /tmp/variables
}

# differ COUNTED SIMULATED -- by how much a count of the driver's and one of the
# simulator's are apart, of each device, added up
differ() {
	awk -v ours="$1" -v theirs="$2" '
		$1 == "bus" { next }
		FILENAME == "/tmp/counted" && $2 == ours { n[$1] += $3 }
		FILENAME == "/tmp/simulated" && $2 == theirs { n[$1] -= $3 }
		END { for (id in n) sum += n[id] < 0 ? -n[id] : n[id]; print sum + 0 }
		' /tmp/counted /tmp/simulated
}

# invented NAME -- answers of devices that the driver has counted and nobody has given;
# damage that no checksum notices makes such ones. What is added to an answer may run
# into what follows, which makes it a damaged one to the simulator; in a fast answer
# it always does.
invented() {
	local given=tx_good
	case $how-$1 in
	*-mix* | fast-*) given=tx_packets ;;
	esac
	awk -v given=$given '
		FILENAME == "/tmp/counted" && ($2 == "ack" || $2 == "device_errors") { n[$1] += $3 }
		FILENAME == "/tmp/simulated" && $2 == given { n[$1] -= $3 }
		END { for (id in n) sum += n[id] > 0 ? n[id] : 0; print sum + 0 }
		' /tmp/counted /tmp/simulated
}

# agree NAME -- what holds between the statistics of both sides, and within the
# driver's, whatever happened
agree() {
	local count sum counted heard lost spoiled
	for count in ack nack timeouts device_errors; do
		eval "sum=\$sum_$count counted=\$counted_$count"
		is "${sum:-no sum}" "$counted" "$1: $count of all devices are the bus's"
	done
	is "$counted_tx_bytes" "$simulated_rx_bytes" "$1: every byte sent is counted"
	is "$counted_rx_bytes" "$simulated_delivered_bytes" "$1: every byte received is counted"
	# A request that runs into an answer is heard by nobody, and one that is both
	# lost and spoiled is counted as both.
	heard=$simulated_rx_packets
	lost=$simulated_requests_lost
	spoiled=$simulated_requests_spoiled
	near "$counted_packets" $((heard + lost + spoiled)) \
		$((simulated_collisions + (lost < spoiled ? lost : spoiled) / 10)) \
		"$1: every packet sent is counted"
	[ "$(invented "$1")" -le "$unnoticed" ]
	ok $? "$1: no answer is counted that was not given" || echo "# $(invented "$1")"
	# A device that is lost or quiet is not asked, and the ladder asks on its own.
	[ $((counted_nack - counted_retries)) -le "$failed" ]
	ok $? "$1: every answer that is missing is asked for again, or told" ||
		echo "# $counted_nack missing, $counted_retries repeated, $failed told"
}

# check_counts NAME -- do the statistics of both sides agree?
check_counts() {
	local made most
	eval "made=\$simulated_$(count_of "$1")"
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
		chain) most=$((2 + made / 10)) ;;
		fast) most=$made ;;
		esac
		[ "$counted_nack" -le "$most" ]
		ok $? "$1: costs no more than the answer in whose place it is" ||
			echo "# $counted_nack of $made"
		;;
	stall | echo)
		is "$counted_nack" 0 "$1: costs no answer"
		is "$(differ ack tx_good)" 0 "$1: every answer is counted"
		[ "$1" = stall ] || is "$counted_echoes" "$made" "$1: each is known as one"
		;;
	drop | truncate)
		is "$(differ timeouts "$(count_of "$1")")" 0 "$1: each is a time-out of its device"
		is "$counted_nack" "$made" "$1: and costs nothing else"
		;;
	corrupt | wrongid)
		# Of two in one answer to many, the second may not be looked at: what
		# follows a damaged ID in a fast answer is asked for again. And an ID that
		# is wrong may be that of another device in the chain.
		[ "$how" = single ] && most=0 || most=$((2 + made / 10))
		[ "$(differ nack "$(count_of "$1")")" -le $most ]
		ok $? "$1: each costs the answer it hits, and no other" ||
			echo "# $(differ nack "$(count_of "$1")") of $made"
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

# mix SEED -- all kinds of faults from now on, repeatably; sets words, dxl_campaign's
# for them. But no answer is late and carries another's ID as well, or is given by two
# devices: nobody could tell it from the other's. And of two devices with one ID none is
# deaf: what the other one takes and confirms would not be in it.
mix() {
	words="seed=$1"
	dxlctl seed "$1" >/dev/null
	for kind in drop corrupt truncate duplicate garbage stray overrun stall \
		lose-request spoil-request echo; do
		dxlctl $kind 1 >/dev/null
	done
	[ $(($1 % 4)) -eq 3 ] || dxlctl deafness 0.1 >/dev/null
	case $(($1 % 4)) in
	0) dxlctl wrongid 1 >/dev/null ;;
	# A pause or a repetition may come on top of it.
	1) dxlctl late 1 us $((latest_us - 400)) >/dev/null ;;
	2)
		dxlctl self-reset 0.1 >/dev/null
		words="$words forget=1"
		;;
	3) dxlctl twin 7 >/dev/null ;;
	esac
}

# calm -- none any more
calm() {
	dxlctl calm >/dev/null
	dxlctl untwin 7 >/dev/null
}

# mixed_faults SEED SECONDS -- all of them at once
mixed_faults() {
	local words
	remember
	mix "$1"
	drive "mix $1" seconds="$2" $words
	calm
	take_counts
	service "mix $1"
	agree "mix $1"
}
