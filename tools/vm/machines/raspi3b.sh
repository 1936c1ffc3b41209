# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2054,SC2154
#
# Sourced by run: QEMU's Raspberry Pi 3, with the device tree that Debian's kernel
# package has for it. The PL011 is the robot's, and the mini UART the console. There is no
# virtio: ports are serial adapters on USB, and shares are copies in the guest's memory.

qemu="qemu-system-aarch64"
machine_board=rpi
machine_has_tree=yes
machine_console=ttyS1,115200
# With a thread for each processor, the kernel often hangs while it boots.
machine_args=(-M raspi3b -accel "tcg,thread=single")
processors=()

# machine_tree OUT
machine_tree() {
	cp "$kernel/image/usr/lib/linux-image-$(kernel_release)/broadcom/bcm2837-rpi-3-b.dtb" "$1"
	# The console has to leave the pins that are the bus's.
	dtc -q -I dts -O dtb -o "$run/console.dtbo" "$here/machines/raspi3b-console.dtso"
	machine_overlays=("$run/console.dtbo")
}

# It does not end when it is switched off, so QEMU's monitor is told to.
machine_devices() {
	mkfifo "$run/monitor.in" "$run/monitor.out"
	qemu_args+=(-serial chardev:console -device usb-hub,port=1
		-chardev "pipe,id=monitor,path=$run/monitor" -mon chardev=monitor)
	watch_console &
	watcher_pid=$!
}

watch_console() {
	until grep -q 'reboot: \|end Kernel panic' "$run/console.log" 2>/dev/null; do
		sleep 0.2
	done
	echo quit >"$run/monitor.in"
}

usb_ports=0
machine_port() {
	usb_ports=$((usb_ports + 1))
	qemu_args+=(-device "usb-serial,chardev=$1,serial=org.naohw.$1,port=1.$usb_ports")
}

machine_shares() {
	local i
	mounts=()
	for i in "${!share_names[@]}"; do
		mkdir -p "$1/share"
		cp -rL "${share_directories[i]}" "$1/share/${share_names[i]}"
	done
}
