# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# shellcheck disable=SC2034 # for the scripts that source this
#
# Sourced: Debian's kernels, what each is and where it is unpacked.

kernels_list=$(dirname "${BASH_SOURCE[0]}")/kernels.list

# kernel_names -- all of them, the default first
kernel_names() {
	awk '!/^#/ { print $1 }' "$kernels_list"
}

# vm_kernels -- those that the VM boots, the default first
vm_kernels() {
	awk '!/^#/ && $7 == "vm" { print $1 }' "$kernels_list"
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
		kernel_has_image _ <<<"$line"
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
