# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# shellcheck disable=SC2034 # for the scripts that source this
#
# Sourced: the kernel that the guest runs, and which Debian packages the guest
# and the cross build of its programs are made of.

# shellcheck source=tools/kbuild/kernels.sh
. "$(dirname "${BASH_SOURCE[0]}")/../kbuild/kernels.sh"

# What runs in the guest; apt adds what these need.
guest_packages=(
	busybox-static evtest iiod kmod udev setserial libc6 libevdev2 libfdt1 libiio0 libiio-utils
	libjson-c5 libmsgpackc2 libsystemd0 libudev1 libxml2 systemd util-linux zlib1g
)

# What the guest's programs are compiled against.
dev_packages=(
	libc6-dev libevdev-dev libfdt-dev libiio-dev libjson-c-dev libsystemd-dev libudev-dev
	libxml2-dev zlib1g-dev
)

# The same without what it asks for, which is all of Boost, for C++.
dev_packages_alone=(libmsgpack-dev)

# Kernel modules that the guest may load by itself; what they need is added.
guest_modules=(
	industrialio industrialio-triggered-buffer kfifo_buf
	configfs led-class led-class-multicolor ledtrig-pattern ledtrig-timer evdev
	9p 9pnet_virtio virtio_console virtio_pci
)

# Triggers of IIO's own and USB of a Raspberry Pi, which not every kernel has
guest_modules_if_any=(
	industrialio-configfs industrialio-sw-trigger iio-trig-hrtimer iio-trig-sysfs
	dwc2 phy-generic ftdi_sio
)

# Programs of the guest packages; everything else of them is left out.
guest_programs=(
	busybox chrt evtest flock iiod kmod udevadm setserial
	iio_attr iio_info iio_readdev iio_writedev iio_reg
)

# Where systemd is the first process, the least of it that starts services
systemd_programs=(journalctl systemctl systemd-tmpfiles)
systemd_helpers=(systemd systemd-journald systemd-shutdown)
systemd_units=(
	{basic,final,local-fs,local-fs-pre,paths,poweroff,shutdown,slices,sockets,sysinit,timers,umount}.target
	systemd-journald.{service,socket} systemd-journald-dev-log.socket
	systemd-tmpfiles-setup.service systemd-tmpfiles-setup-dev.service
	systemd-udevd.service systemd-udevd-{control,kernel}.socket
	{sockets,sysinit}.target.wants
)

# What a person's shell has besides, and no test: see rootfs-shell. All of a package is there, so
# none of these may need systemd's.
shell_packages=(
	adduser bash bash-completion coreutils findutils gnuplot-nox grep gzip less libc-bin libpam-modules
	libpam-runtime login man-db mawk nano ncurses-base ncurses-bin passwd procps python3
	python3-libiio python3-msgpack sed socat sudo util-linux
)

# What of systemd's a shell has besides
shell_systemd_programs=(usr/bin/systemd-analyze bin/systemd-tty-ask-password-agent)
shell_systemd_units=(reboot.target systemd-poweroff.service systemd-reboot.service)

# write_accounts DIRECTORY -- passwd and group: root, the groups that udev's rules name, and ours
write_accounts() {
	local group gid=100
	printf 'root:x:0:0:root:/root:/bin/sh\n' >"$1/passwd"
	printf 'root:x:0:\n' >"$1/group"
	for group in audio cdrom dialout disk input kmem kvm lp render robot sgx tape tty video; do
		printf '%s:x:%d:\n' "$group" $((gid++)) >>"$1/group"
	done
}

# use_guest KERNEL -- the guest that runs that kernel: its packages are in
# $guest/root, the same with the development files in $guest/sysroot, and what we
# have built for it in $guest_build/root
use_guest() {
	use_kernel "$1"
	guest_cpu=${kernel_compiler%%-*} guest_triplet=${kernel_compiler%-}
	# shellcheck disable=SC2154 # naohw_cache and naohw_root are common.sh's
	guest=$naohw_cache/guest/$kernel_debian_arch guest_build=$naohw_root/build/$kernel_debian_arch
}

# Whoever starts these scripts has it from the environment.
use_guest "${NAOHW_KERNEL:-$(default_kernel)}"
