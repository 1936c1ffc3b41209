#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# robot: bioloid-premium
# share: tools/udev
#
# With the rules of udev that the packages bring, the group "robot" can use all of a
# robot, and nobody else can move it.

. "$(dirname "$0")/lib.sh"

# as USER COMMAND
as() {
	su "$1" -c "PATH=$PATH; $2"
}

add_user() {
	echo "$1:x:$2:$3:$1:/:/bin/sh" >>/etc/passwd
}

chmod 777 /tmp
add_user member 1000 "$(sed -n 's/^robot:x:\([0-9]*\):.*/\1/p' /etc/group)"
add_user other 1001 1001

# Without the rules all of it is root's.
fails_with denied "a member of the group cannot move a joint yet" \
	as member "echo 500 >$(joint HeadYaw)/out_angl0_raw"

# What a script of udev's finds in a Debian
for applet in find chgrp chmod; do
	ln -s busybox /usr/bin/$applet
done
cp /share/udev/naohw-permissions /usr/lib/udev/
mkdir -p /run/udev/rules.d
cp /share/udev/60-naohw.rules /run/udev/rules.d/
udevadm control --reload
# Of what the rules name: each of the 240 other devices takes an emulated processor long.
# shellcheck disable=SC2046 # options
udevadm trigger --action=add $(printf -- '--subsystem-match=%s ' dxl dxl_lease iio input leds power_supply)
udevadm settle

frames=/dev/$(basename "$(dirname "$(grep -lx dxl0-state $iio/*/name)")")
buttons=/dev/input/$(basename "$(dirname "$(dirname "$(grep -lx "CM-510 buttons" /sys/class/input/event*/device/name)")")")
light=/sys/class/leds/CM-510::play/brightness
key=HeadYaw/Position/Actuator

succeeds "a member moves a joint" as member "naohw set $key 0.1"
succeeds "opens the frames" as member "exec 3<$frames"
succeeds "writes to an attribute of the bus" as member "echo 25000 >$dxl/dxl0/cycle/period_us"
succeeds "lights a light" as member "echo 1 >$light"
succeeds "listens to buttons" as member "exec 3<$buttons"

fails_with denied "others do not move a joint" as other "echo 500 >$(joint HeadYaw)/out_angl0_raw"
fails_with denied "nor switch its torque off" as other "echo 0 >$(joint HeadYaw)/out_angl0_en"
fails_with "" "nor by a program" as other "naohw set $key 0.2"
fails_with denied "nor read frames" as other "exec 3<$frames"
fails_with denied "nor listen to buttons" as other "exec 3<$buttons"
fails_with denied "nor light a light" as other "echo 1 >$light"
succeeds "but they may see where a joint is" as other "cat $(joint HeadYaw)/in_angl0_raw"

for file in $dxl/*/uevent $dxl/*/driver_override $dxl/*/power/control; do
	[ -e "$file" ] && [ -n "$(find "$file" -group robot)" ] && echo "$file"
done >/tmp/too_much
is "$(cat /tmp/too_much)" "" "drivers and power are root's"
done_testing
