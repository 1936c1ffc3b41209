# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# shellcheck disable=SC2034 # for the scripts that source this
#
# Sourced: which Debian packages the guest and the cross build are made of,
# and where they are unpacked.

kernel_series=6.12

# What runs in the guest; apt adds what these need.
guest_packages=(busybox-static evtest kmod udev libc6 libiio0 libiio-utils libxml2)

# What the guest's programs are compiled against.
dev_packages=(libc6-dev libiio-dev libxml2-dev)

# shellcheck disable=SC2154 # naohw_cache is common.sh's
arm64=$naohw_cache/arm64

# The release whose modules we build, as `uname -r` says it in the guest
guest_release() {
	cat "$arm64/release"
}

guest_headers() {
	printf '%s\n' "$arm64/headers/usr/src/linux-headers-$(guest_release)"
}

# Kernel modules that the guest may load by itself; what they need is added.
guest_modules=(
	industrialio industrialio-configfs industrialio-sw-trigger
	industrialio-triggered-buffer kfifo_buf iio-trig-hrtimer iio-trig-sysfs
	configfs led-class led-class-multicolor ledtrig-pattern ledtrig-timer evdev
	9p 9pnet_virtio
)

# Programs of the guest packages; everything else of them is left out.
guest_programs=(
	busybox evtest kmod udevadm iio_attr iio_info iio_readdev iio_writedev iio_reg
)
