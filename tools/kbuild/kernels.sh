# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# shellcheck disable=SC2034 # for the scripts that source this
#
# Sourced: Debian's kernels, what each is and where it is unpacked.

kernels_list=$(dirname "${BASH_SOURCE[0]}")/kernels.list

# listed_kernels check|all -- the lines of those of `make check`, or of all of them
listed_kernels() {
	[[ $1 == check || $1 == all ]] || die "no list of kernels '$1' (there are check and all)"
	awk -v which="$1" '!/^#/ && (which == "all" || $8 == which)' "$kernels_list"
}

# kernel_names [check|all] -- of all, or of those of `make check`, the default first
kernel_names() {
	listed_kernels "${1-all}" | awk '{ print $1 }'
}

# moving_kernels -- those that change at any time
moving_kernels() {
	awk '!/^#/ && $8 == "moving" { print $1 }' "$kernels_list"
}

# vm_kernels check|all -- those of them that the VM boots
vm_kernels() {
	listed_kernels "$1" | awk '$7 == "vm" { print $1 }'
}

default_kernel() {
	kernel_names | head -n 1
}

# use_kernel NAME -- sets kernel_* to what the list says of it
use_kernel() {
	local line
	line=$(awk -v name="$1" '$1 == name' "$kernels_list")
	[[ -n $line ]] || die "no kernel '$1' (there are $(kernel_names | xargs))"
	read -r kernel_name kernel_package kernel_debian_arch kernel_arch kernel_compiler \
		kernel_has_image _ _ kernel_purpose <<<"$line"
	kernel_suite=${kernel_package#*/} kernel_package=${kernel_package%/*}
	[[ $kernel_suite != "$kernel_package" ]] || kernel_suite=
	# shellcheck disable=SC2154 # naohw_cache is common.sh's
	kernel=$naohw_cache/kernels/$kernel_name
}

# The kernel's release, as `uname -r` says it
kernel_release() {
	cat "$kernel/release"
}

kernel_headers() {
	printf '%s\n' "$kernel/headers/usr/src/linux-headers-$(kernel_release)"
}
