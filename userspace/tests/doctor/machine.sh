# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
# The machine of doctor-test, and what its sessions do to it. $DOCTOR and $NAOHW_ROBOT are its.

# shellcheck disable=SC2034 # sessions use it
WALKER=$NAOHW_ROBOT
dxl=sys/bus/dxl/devices
iio=sys/bus/iio/devices
modules=lib/modules/6.1.0-18-arm64
node=sys/firmware/devicetree/base/soc/serial@7e201000/dynamixel

# put TEXT FILE: into the file, whose directories are made
put()
{
	mkdir -p "${2%/*}"
	printf '%s\n' "$1" >"$2"
}

# device NAME LABEL
device()
{
	put "$2" "$dxl/$1/of_node/label"
	put active "$dxl/$1/state"
	put 1000 "$dxl/$1/statistics/ack"
	put 0 "$dxl/$1/statistics/nack"
	mkdir -p "$dxl/$1/driver"
}

# servo NAME LABEL NUMBER
servo()
{
	device "$1" "$2"
	put "$2" "$dxl/$1/iio:device$3/label"
	put ax-12 "$dxl/$1/iio:device$3/name"
	put "" "$dxl/$1/iio:device$3/hardware_error"
	put stiff "$dxl/$1/iio:device$3/torque_state"
	put 118 "$dxl/$1/iio:device$3/in_voltage0_raw"
	put 100 "$dxl/$1/iio:device$3/in_voltage0_scale"
	put 512 "$dxl/$1/iio:device$3/out_angl0_raw"
	chmod 664 "$dxl/$1/iio:device$3/out_angl0_raw"
}

# story FILE LINE...: what is read of an attribute, one time after the other; the last line stays
story()
{
	file=$1
	shift
	printf '%s\n' "$@" >"$file"
}

# lose NAME...: devices of which the kernel knows that they do not answer
lose()
{
	for device; do
		put lost "$dxl/$device/state"
		for asked in "$dxl/$device"/iio:device*/hardware_error; do
			[ ! -e "$asked" ] || put EHOSTDOWN "$asked"
		done
	done
}

# volts TENTHS NUMBER...: of servos
volts()
{
	tenths=$1
	shift
	for number; do
		put "$tenths" $dxl/0-00*/"iio:device$number/in_voltage0_raw"
	done
}

# enable: systemd is to have the robot's naohwd
enable()
{
	put "[Service]" units/naohwd@.service
	mkdir units/multi-user.target.wants
	ln -s ../naohwd@.service units/multi-user.target.wants/naohwd@walker.service
	export SYSTEMD_UNIT_PATH="$PWD/units"
}

# look_finds LINE...: what the kernel's scan of ID 2 tells, of which the driver's protocol is 1. A
# directory has no link to its bus, so what is above a device's stands for that.
look_finds()
{
	put 2 $dxl/0-002/id
	put 1 $dxl/0-002/protocol
	put 1000000 $dxl/baud
	printf '%s\n' "$@" >$dxl/scan
}

# of_bus FILE NAME NUMBER: an IIO device that stands for all of a bus
of_bus()
{
	put "$1" "$iio/iio:device$2/name"
	put "" "dev/iio:device$2"
	chmod 660 "dev/iio:device$2"
}

healthy()
{
	put 6.1.0-18-arm64 proc/sys/kernel/osrelease
	put "console=tty1 root=/dev/mmcblk0p2" proc/cmdline
	put "updates/dkms/dxl.ko.xz:" $modules/modules.dep
	echo "updates/dkms/dxl_servo.ko.xz: updates/dkms/dxl.ko.xz" >>$modules/modules.dep
	mkdir -p sys/module/dxl sys/module/dxl_servo sys/module/dxl_board
	put dtoverlay=naohw-rpi,robot=walker boot/firmware/config.txt
	put "" boot/firmware/overlays/naohw-rpi.dtbo
	mkdir -p $node
	printf 'robotis,dynamixel-bus\0' >$node/compatible
	put 1000000 $dxl/dxl0/baud
	put "" $dxl/dxl0/scan
	servo 0-001 HeadYaw 0
	servo 0-002 HeadPitch 1
	device 0-200 ChestBoard
	of_bus dxl0-state 2
	of_bus dxl0-goal 3
	put idle $iio/iio:device3/stream_state
	put "" dev/dxl0
	chmod 660 dev/dxl0
}

# without_bus: the drivers have not made it
without_bus()
{
	rm -r sys/bus/dxl sys/bus/iio/devices/iio:* dev/*
}

# pc: a machine without a device tree, and with a serial port on USB
pc()
{
	without_bus
	rm -r sys/firmware boot
	put "" dev/ttyUSB0
	put "" usr/lib/naohw/robots/walker.dtbo
}

# with_body: the chest keeps the calibration of a robot whose files are in the machine
with_body()
{
	memory=sys/bus/nvmem/devices/0-200/nvmem
	sed 's|</ModulePreference>|<Preference memoryName="Device/DeviceList/ChestBoard/BodyStore" type="string" value="body"/>&|' \
		"$WALKER" >walker.xml
	NAOHW_ROBOT=$PWD/walker.xml
	put "" ${memory%/*}/uevent
	truncate -s 8368 $memory
}

# leaf NAME TYPE VALUE
leaf()
{
	printf '<Preference memoryName="Device/SubDeviceList/%s" type="%s" value="%s"/>' "$@"
}

# with_wheel: what has the label HeadYaw is one, as the description has it
with_wheel()
{
	sed "s|</ModulePreference>|$(leaf Wheel/Label string HeadYaw; leaf Wheel/Speed/Actuator/Channel \
		string out_anglvel0; leaf Wheel/Speed/Actuator/Min float -2
		leaf Wheel/Speed/Actuator/Max float 2)&|" "$WALKER" >walker.xml
	NAOHW_ROBOT=$PWD/walker.xml
}

# keep VALUE: calibrate it
keep()
{
	"$DOCTOR" . --keep Device/SubDeviceList/HeadYaw/Position/Sensor/Offset "$1"
}

# spoil AT: the copy that begins there
spoil()
{
	printf xxxx | dd of=$memory bs=1 seek=$(($1 + 16)) conv=notrunc status=none
}

doctor()
{
	"$DOCTOR" . "$@"
}

# problems: only what is wrong
problems()
{
	"$DOCTOR" . >said
	status=$?
	grep -A 2 '^problem' said | grep -v '^--'
	return $status
}
