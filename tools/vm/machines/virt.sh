# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2154
#
# Sourced by run: QEMU's machine "virt", whose one UART is the robot's

# shellcheck source=tools/vm/virtio.sh
. "$here/virtio.sh"

qemu="qemu-system-aarch64"
machine_board=virt
machine_has_tree=yes
machine_overlays=()
machine_args=(-M virt -cpu cortex-a53 -m "$memory")
# With a thread for each processor, the same takes half as long again.
accelerator=(-accel "tcg,thread=single")
processors=(-smp 2)

# machine_tree OUT
machine_tree() {
	"$qemu" -M "virt,dumpdtb=$1" "${machine_args[@]:2}" "${processors[@]}" \
		-nodefaults -display none 2>"$run/qemu.log" || {
		cat "$run/qemu.log" >&2
		die "QEMU did not tell its machine's device tree"
	}
}
