#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# in: check-all
# rounds: 4
# program: naohw
# program: naohwd
# share: userspace/robots
# share: tools/vm/tests/lola_lib.sh
#
# naohwd among 44 hostile processes (hostile.c), for ROUNDS seconds in which some of them are killed
# again and again: three clients that want nothing special (victim.c) have all that they had alone.

. "$(dirname "$0")/beat.sh"
# shellcheck source=tools/vm/tests/lola_lib.sh
. /share/lola_lib.sh

export NAOHW_ROBOT=/share/robots/bioloid.xml
rpc=/tmp/rpc
lines_max=250
rss_more_kib=8192
# Beside one of each kind; those that hold are the ones that are killed
twice="hangs-up long-line half-closed gets reader-gets lola-hangs-up"
holders="holds holds-for-a-while holds-and-hangs-up shares takes"

# victim_of KIND PATH FILE -- sets pid_KIND
victim_of() {
	rm -f "$3"
	victim "$1" "$2" "$3" >"/tmp/victim.$1" 2>&1 &
	eval "pid_$1=$!"
	eventually grep -q here "/tmp/victim.$1"
	ok $? "$1 is served" || sed 's/^/# /' "/tmp/victim.$1"
}

# ends_well KIND -- nothing was kept from it
ends_well() {
	local pid
	eval "pid=\$pid_$1"
	end_of "$pid"
	is "$status" 0 "$1 was served all the time"
	sed "s/^/# $1: /" "/tmp/victim.$1"
}

# begin KIND... -- hostile processes, a line "PID KIND" each in /tmp/hostile
begin() {
	local kind
	for kind; do
		hostile "$kind" $lola $rpc 2>>/tmp/hostile.err &
		echo "$! $kind" >>/tmp/hostile
	done
}

# kill_all KIND... -- all of these, and takes them out of the list
kill_all() {
	local kind pid name
	for kind; do
		while read -r pid name; do
			[ "$name" != "$kind" ] || kill -9 "$pid"
		done </tmp/hostile
		sed -i "/ $kind\$/d" /tmp/hostile
	done
}

open_files() {
	find "/proc/$daemon/fd" -type l | wc -l
}

rss_kib() {
	sed -n 's/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$daemon/status"
}

has_no_more_files_than() {
	[ "$(open_files)" -le "$1" ]
}

torques() {
	dxlctl torque HeadYaw
	dxlctl torque RShoulderPitch
}

# goals_of LABEL -- how many goals it got, their distances, and how far they took it at once
goals_of() {
	dxlctl goals "$1" | awk -v label="$1" '!/^ok/ {
		printf "# %s: %d goals, distances least %.2f mean %.2f greatest %.2f ms, at most %d steps\n",
			label, $2, $5 / 1e6, ($4 - $3) / ($2 - 1) / 1e6, $6 / 1e6, $7
	}'
}

# In time that travels no program is late
travels() {
	grep -q time-travel /proc/cmdline
}

load_modules 1000
start_robot a /share/overlays/virt-bioloid.dtbo 20 5
wait_for_devices dxl0
serve --socket $rpc --read-only-others
victim_of lola $lola /tmp/over.lola
victim_of writer $rpc /tmp/over
victim_of reader $rpc /tmp/over
is "$(cycle_of dxl0 period_us)" 12000 "LoLA has its 12 ms"
files=$(open_files) rss=$(rss_kib) lines=$(wc -l </tmp/naohwd.log)
torque=$(torques)

# --- among them ---

into $dxl/dxl0/cycle/reset 1
dxlctl stats reset >/dev/null
# shellcheck disable=SC2046,SC2086 # words
begin $(hostile) $twice
is "$(wc -l </tmp/hostile)" 44 "44 hostile processes"
round=0
while [ $round -lt "$ROUNDS" ]; do
	round=$((round + 1))
	sleep 1
	# shellcheck disable=SC2086
	kill_all $holders
	# shellcheck disable=SC2086
	begin $holders
done
goals_of HeadYaw
goals_of RShoulderPitch
goals=$(dxlctl goals HeadYaw | sed '/^ok/d')
echo "# $(open_files) open files of naohwd, $(rss_kib) KiB of memory"
is "$(cycle_of dxl0 period_us)" 12000 "LoLA still has its 12 ms"
if travels; then
	is "$(cycle_of dxl0 overruns) $(cycle_of dxl0 missed)" "0 0" "the bus misses no cycle"
	# Torque of joints that are let go and held again goes over the same line.
	near "$(echo "$goals" | cut -d' ' -f5)" 12000000 1000000 "no goal is early"
	near "$(echo "$goals" | cut -d' ' -f6)" 12000000 1000000 "no goal is late"
	near "$(echo "$goals" | cut -d' ' -f7)" 3 1 "none of LoLA's is lost"
fi
is "$(torques)" "$torque" "the victims' joints have had torque all the time"
is "$(of HeadYaw torque_limit) $(of RShoulderPitch torque_limit)" "818 716" "and are as stiff as they were"

# --- LoLA's client goes, and comes again ---

for kind in $(hostile); do
	case $kind in
	lola-*) ;;
	*) kill_all "$kind" ;;
	esac
done
touch /tmp/over.lola
ends_well lola
if travels; then
	near "$(sed -n 's/^packets.* greatest //p' /tmp/victim.lola)" 12000 8000 "no packet was kept from it"
fi
victim_of lola $lola /tmp/over.lola
touch /tmp/over.lola
ends_well lola
# Those that hang up are let in now, one in each cycle.
sleep 2

# --- when all have gone ---

# shellcheck disable=SC2046
kill_all $(hostile)
eventually has_no_more_files_than "$files"
ok $? "naohwd has no more files open than before" || ls -l "/proc/$daemon/fd" | sed 's/^/# /'
grown=$(($(rss_kib) - rss))
[ $grown -le $rss_more_kib ]
ok $? "and not much more memory"
echo "# $grown KiB more than $rss before"
lines=$(($(wc -l </tmp/naohwd.log) - lines))
[ $lines -le $lines_max ]
ok $? "its log is short"
echo "# $lines lines"
sed 's/[0-9][0-9]*/N/g' /tmp/naohwd.log | sort | uniq -c | sort -rn | head -n 20 | sed 's/^/# /'
touch /tmp/over
ends_well writer
ends_well reader
ends
done_testing
