# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Sourced by the two runners (QEMU and UML): what a run of a guest needs.

# new_run_directory PARENT NAME -- makes PARENT/<n>-NAME and prints it; the
# number is one more than the highest there is.
new_run_directory() {
	local n name
	name=$(basename -- "$2" | tr -c 'A-Za-z0-9._\n-' _)
	mkdir -p "$1"
	n=$(find "$1" -maxdepth 1 -type d -name '[0-9]*-*' -printf '%f\n' |
		cut -d- -f1 | sort -n | tail -n 1)
	n=$((${n:-0} + 1))
	# Two runs may start at once.
	until mkdir "$1/$n-$name" 2>/dev/null; do
		n=$((n + 1))
	done
	printf '%s\n' "$1/$n-$name"
}

# robot_body ROBOT -- its description, for dxlsim's --body, if it has a body
robot_body() {
	# shellcheck disable=SC2154 # naohw_root is common.sh's
	local file=$naohw_root/userspace/robots/$1.xml
	! grep -qs 'memoryName="Device/Body"' "$file" || printf '%s\n' "$file"
}

# slot_cpu N -- number of the Nth processor of those that we may use, over and over
slot_cpu() {
	local cpus range cpu all=()
	cpus=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status)
	for range in ${cpus//,/ }; do
		for ((cpu = ${range%-*}; cpu <= ${range#*-}; cpu++)); do
			all+=("$cpu")
		done
	done
	printf '%d\n' "${all[$1 % ${#all[@]}]}"
}

# quote_command ARGUMENT... -- as a line of shell, every argument as it is
quote_command() {
	local argument quote=\'
	for argument in "$@"; do
		printf "'%s' " "${argument//$quote/$quote\\$quote$quote}"
	done
	printf '\n'
}

# reported_status FILE -- the exit status that the guest wrote there last, or
# nothing; the file starts as "failed".
reported_status() {
	tr -d '\r' <"$1" | sed -n '$s/^exit \([0-9]\{1,3\}\)$/\1/p'
}
