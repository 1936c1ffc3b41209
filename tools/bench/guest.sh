#!/bin/sh
# shellcheck shell=dash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# guest.sh virtual|native -- runs in the UML guest: every line of
# /share/bench/scenarios, first with the kernel's bus, then with the loop over the
# same tty, each in several rounds. In virtual time the simulator runs in the guest;
# else beside it, at the other end of its serial lines. Prints what the two report,
# as `NAME kernel ROUND KEY=VALUE` and `NAME loop ROUND KEY=VALUE`.
here=/share/bench
run=/sys/kernel/debug/dxl_exercise/run
mode=$1
# The guest's first serial lines are the runner's.
first_line=3
keep_rate=
[ "$mode" = virtual ] || keep_rate=--keep-rate

. "$(dirname "$0")/guest-lib.sh"

control() {
	local bus=$1
	shift
	DXLSIM_CONTROL=/tmp/control$bus dxlctl "$@" >/dev/null || die "dxlctl $*"
}

tty_of() {
	case $mode in
	virtual) echo "/tmp/tty$1" ;;
	native) echo "/dev/ttyS$((first_line + $1))" ;;
	esac
}

# tell WORD -- to the host, whose simulators are those of native time
tell() {
	[ "$mode" = virtual ] || tell_host "$1" "$round"
}

# Devices come with the longest return delay there is; the turnaround alone is
# what a scenario is about.
start_simulator() {
	local bus=$1 id=1 address=9
	[ "$protocol" = 2 ] || address=5
	dxlsim --overlay "$here/$overlay" --pty "/tmp/tty$bus" --control "/tmp/control$bus" \
		--wire-time --turnaround "$turnaround" --quiet &
	simulators="$simulators $!"
	wait_for 10 test -S "/tmp/control$bus" || die "dxlsim does not start"
	while [ "$id" -le "$devices" ]; do
		control "$bus" write "$id" "$address" 0
		id=$((id + 1))
	done
}

each_bus() {
	local bus=0
	while [ "$bus" -lt "$buses" ]; do
		"$@" "$bus"
		bus=$((bus + 1))
	done
}

# UML's serial lines are stuck at 38400 baud, as far as termios tells; what is at
# the other end has another rate.
attach() {
	local rate=$baud
	[ "$mode" = virtual ] || rate=38400
	dxlattach "$(tty_of "$1")" --baud "$rate" --overlay "$here/$overlay" --background ||
		die "dxlattach fails"
	wait_for 10 test -e "/sys/bus/dxl/devices/$1-$(printf %03u "$devices")" ||
		die "no devices"
	echo "$margin" >"/sys/bus/dxl/devices/dxl$1/timeout_margin_us"
}

# in_simulators COMMAND -- for the missing servo, on all buses
in_simulators() {
	local bus=0
	if [ "$mode" = native ]; then
		tell "$1"
		return
	fi
	while [ "$bus" -lt "$buses" ]; do
		control "$bus" "$1" "$missing"
		bus=$((bus + 1))
	done
}

is_back() {
	[ "$(cat "/sys/bus/dxl/devices/$1-$(printf %03u "$missing")/state")" != lost ]
}

await_return() {
	wait_for 10 is_back "$1" || die "the missing servo does not come back on bus $1"
}

# lose -- the servo that is to be missing has answered, and does so no more
lose() {
	[ "$missing" != 0 ] || return 0
	in_simulators unsilence
	each_bus await_return
	# Its driver has to do with it then.
	sleep 0.2
	in_simulators silence
}

# detach -- and wait until the ttys are free
detach() {
	# shellcheck disable=SC2046 # one process for each bus
	kill $(pidof dxlattach)
	wait_for $((10 + devices / 10)) test ! -e /sys/bus/dxl/devices/dxl0 || die "dxl0 stays"
	wait_for 10 is_gone dxlattach || die "dxlattach stays"
}

is_gone() {
	! pidof "$1" >/dev/null
}

labelled() {
	sed "s/^/$name $1 $round /"
}

each_round() {
	round=0
	while [ "$round" -lt "$rounds" ]; do
		"$@"
		round=$((round + 1))
	done
}

# A process that starts or ends takes more time than an exchange. So none does while
# another bus is still at it: all wait for each other, before and after.
announce() {
	echo >&4
	read -r _ <&5
}

await() {
	read -r _ <&4
}

release() {
	echo >&5
}

once() {
	"$@"
}

# measured WHO EACH -- lets those that have been started go on together, EACH of them,
# and waits for them; the host sees what is between the words that it is told
measured() {
	local who=$1
	shift
	"$@" await
	tell "$who-begins"
	"$@" release
	"$@" await
	tell "$who-ends"
	"$@" release
	# shellcheck disable=SC2086 # a list of processes
	wait $runs
}

exercise_bus() {
	{
		exec 3<>"$run"
		announce
		echo "bus=dxl$1 ids=1-$devices op=group_write_read addr=$read_addr len=$read_len" \
			"waddr=$write_addr wlen=$write_len baud=$baud count=$count ms=60000" >&3 ||
			die "no exercise of dxl$1"
		announce
		cat <&3 | labelled kernel
	} &
	runs="$runs $!"
}

kernel_round() {
	lose
	runs=
	each_bus exercise_bus
	measured kernel each_bus
}

measure_kernel() {
	each_bus attach
	each_round kernel_round
	detach
}

loop() {
	# shellcheck disable=SC2086 # a list of ttys
	busybox timeout 100 dxlloop --meet $keep_rate --protocol "$protocol" --baud "$baud" \
		--kind "$kind" --read "$read_addr,$read_len" --write "$write_addr,$write_len" \
		--turnaround "$turnaround" --margin "$margin" --count "$count" $ttys | labelled loop
}

# All ttys are one process's.
loop_round() {
	loop &
	runs=$!
	measured loop once
}

measure_loop() {
	local bus=0
	ttys=
	while [ "$bus" -lt "$buses" ]; do
		ttys="$ttys $(tty_of $bus)=1-$devices"
		bus=$((bus + 1))
	done
	each_round loop_round
}

measure() {
	simulators=
	[ "$mode" = native ] || each_bus start_simulator
	measure_kernel
	measure_loop
	[ -n "$simulators" ] || return 0
	# shellcheck disable=SC2086 # a list of processes
	kill $simulators
	# shellcheck disable=SC2086
	wait $simulators 2>/dev/null
}

mkfifo /tmp/announced /tmp/released
exec 4<>/tmp/announced 5<>/tmp/released
for module in dxl_ldisc dxl_servo dxl_exercise; do
	modprobe "$module" || die "no module $module"
done
while read -r name overlay kind protocol baud turnaround margin devices buses missing \
	read_addr read_len write_addr write_len count rounds; do
	measure </dev/null
done <$here/scenarios
echo 'guest: end'
