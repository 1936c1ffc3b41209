# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2154
#
# Sourced by run: a PC. It has no device tree: the bus is on a port that the guest is
# told of.

# shellcheck source=tools/vm/virtio.sh
. "$here/virtio.sh"

qemu="qemu-system-x86_64"
machine_board=virt
machine_has_tree=no
machine_overlays=()
machine_args=(-M q35 -m "$memory")
processors=(-smp 2)
