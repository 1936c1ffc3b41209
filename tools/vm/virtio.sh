# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2054,SC2154
#
# Sourced by machines: the console, the ports and what is shared, where there is virtio

machine_console=hvc0

machine_devices() {
	qemu_args+=(-device virtio-serial-pci -device virtconsole,chardev=console)
}

# machine_port NAME -- of the guest's, to QEMU's character device of that name
machine_port() {
	qemu_args+=(-device "virtserialport,chardev=$1,name=org.naohw.$1")
}

# machine_shares TREE -- adds $share_names, and what the guest writes
machine_shares() {
	local i
	add_virtfs host "$out"
	mounts=(host:/host)
	for i in "${!share_names[@]}"; do
		add_virtfs "share$i" "${share_directories[i]}" ,readonly=on
		mounts+=("share$i:/share/${share_names[i]}")
	done
}

add_virtfs() {
	qemu_args+=(-virtfs "local,path=${2//,/,,},mount_tag=$1,security_model=none,multidevs=remap${3-}")
}
