# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash disable=SC2034
#
# Sourced by the tests in the UML guest, which may have several buses: how to
# start them, and what is on them. Results and ways to the joints are those of
# the VM's tests.

# shellcheck source=tools/vm/tests/lib.sh
. /share/lib.sh

robot=/share/overlays/virt-bioloid.dtbo
newline='
'

# The kernel under test is slow in real time: its time-outs are not what is
# tested unless time stands still meanwhile.
load_modules() {
	modprobe dxl timeout_margin_us="${1:-500000}"
	modprobe dxl_servo
}

# start_sim NAME OVERLAY [ARGUMENT...] -- a simulator on /tmp/tty.NAME; sets sim
start_sim() {
	local name=$1 overlay=$2
	shift 2
	rm -f "/tmp/tty.$name" "/tmp/control.$name"
	dxlsim --overlay "$overlay" --pty "/tmp/tty.$name" \
		--control "/tmp/control.$name" --quiet "$@" 2>"/tmp/sim.$name.log" &
	sim=$!
	export DXLSIM_CONTROL="/tmp/control.$name"
	talks_with=
	eventually [ -e "/tmp/tty.$name" ] && eventually command dxlctl stats && return
	echo "# dxlsim does not start"
	sed 's/^/# /' "/tmp/sim.$name.log"
}

# talk -- what is asked of this simulator from now on is asked by one dxlctl, and not one for each.
# By one shell at a time, and without a bare `wait` behind it, as that dxlctl stays.
talk() {
	[ "${talks_with-}" != "$DXLSIM_CONTROL" ] || return 0
	rm -f /tmp/talk.in /tmp/talk.out
	mkfifo /tmp/talk.in /tmp/talk.out
	# Open at both ends, as what opens one alone waits for the other.
	exec 7<>/tmp/talk.in
	command dxlctl - </tmp/talk.in >/tmp/talk.out 2>/dev/null 7>&- &
	exec 8</tmp/talk.out
	talks_with=$DXLSIM_CONTROL
}

# ask WORD... -- as in the VM's tests, and by that dxlctl where there is one
ask() {
	local line
	answer=
	if [ "${talks_with-}" ] && [ "$talks_with" = "$DXLSIM_CONTROL" ] && [ "$1" != - ]; then
		echo "$*" >&7
		while IFS= read -r line <&8; do
			answer=$answer${answer:+$newline}$line
			case $line in
			ok) return 0 ;;
			error:*) return 1 ;;
			esac
		done
		# It has gone, and so the simulator had.
		talks_with=
	fi
	answer=$(command dxlctl "$@")
}

dxlctl() {
	local status=0
	ask "$@" || status=$?
	[ -z "$answer" ] || printf '%s\n' "$answer"
	return $status
}

# start_attach NAME [ARGUMENT...] -- dxlattach on /tmp/tty.NAME, which says in
# /tmp/attach.NAME what it does; sets attach
start_attach() {
	local name=$1
	shift
	dxlattach "/tmp/tty.$name" "$@" >"/tmp/attach.$name" 2>&1 &
	attach=$!
}

# attached NAME N -- has dxlattach said that it has N devices?
attached() {
	[ "$(grep -c '^  ' "/tmp/attach.$1")" -eq "$2" ]
}

# iio_count NAME -- number of IIO devices of that name
iio_count() {
	grep -lx "$1" $iio/iio:device*/name 2>/dev/null | wc -l
}

# servos_are N -- have so many servos been probed?
servos_are() {
	[ "$(ls $iio/*/label 2>/dev/null | wc -l)" -eq "$1" ]
}

no_devices() {
	[ -z "$(ls $dxl)" ]
}

# Seconds since the boot, to a hundredth of one, as a number of hundredths
now() {
	tr -d . </proc/uptime | cut -d' ' -f1
}

# end_of PID -- waits for a process of ours to end by itself; sets status to its
# exit status, or to "none" if it does not end
end_of() {
	if eventually gone "$1"; then
		wait "$1"
		status=$?
	else
		status=none
		kill -KILL "$1"
	fi
}

gone() {
	! kill -0 "$1" || grep -q '^State:.Z' "/proc/$1/status"
}
