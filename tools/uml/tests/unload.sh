#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# rounds: 4
#
# Drivers are bound and unbound, and modules loaded and unloaded, under traffic,
# again and again. The runner looks for reports in the kernel's log.

. "$(dirname "$0")/lib.sh"

overlay=/share/test-overlays/mixed.dtbo
servos=6
driver=/sys/bus/dxl/drivers/dxl-servo

# Reads and writes whatever there is, until told to stop
traffic() {
	while [ ! -e /tmp/stop ]; do
		cat $iio/iio:device*/in_angl0_raw $dxl/*/statistics/ack $dxl/*/state
		echo 500 | tee $iio/iio:device*/out_angl0_raw
	done >/dev/null 2>&1
}

# every_device COMMAND -- an end that it meets on its way is no mistake
every_device() {
	local device
	for device in "$dxl"/*-*; do
		echo "${device##*/}" >"$driver/$1" 2>/dev/null
	done
}

come() {
	start_attach a --overlay $overlay
	eventually servos_are $servos
}

load_modules
start_sim a $overlay
come
ok $? "$servos servos are there" || sed 's/^/# /' /tmp/attach.a
for _ in 1 2; do traffic & done

bad=0
round=0
# note STATUS WHAT -- thousands of good results would say nothing
note() {
	[ "$1" -eq 0 ] || { bad=$((bad + 1)); echo "# round $round: $2"; }
}

while [ "$round" -lt "$ROUNDS" ]; do
	round=$((round + 1))
	every_device unbind
	servos_are 0
	note $? "devices are not unbound"
	every_device bind
	eventually servos_are $servos
	note $? "devices are not bound again"

	# An attribute that is just being read holds a reference to its module.
	eventually rmmod dxl_servo
	note $? "the servos' driver cannot be unloaded"
	modprobe dxl_servo
	eventually servos_are $servos
	note $? "the servos' driver does not come back"

	[ $((round % 4)) -eq 0 ] || continue
	kill $attach
	end_of $attach
	note "$status" "dxlattach ends with $status"
	eventually no_devices
	note $? "devices are left"
	if [ $((round % 8)) -eq 0 ]; then
		for module in dxl_ldisc dxl_servo dxl; do
			eventually rmmod $module
			note $? "$module cannot be unloaded"
		done
		load_modules
	fi
	come
	note $? "the bus does not come back"
done
touch /tmp/stop
is "$bad" 0 "$ROUNDS rounds"
kill $attach
end_of $attach
is "$status" 0 "dxlattach ends"
kill $sim
wait
done_testing
