#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
#
# A scan finds the servos of both protocols, and they become devices.

. "$(dirname "$0")/lib.sh"

found() {
	cat $dxl/dxl0/scan
}

modalias() {
	cat "$(device_of_id "$1")/modalias"
}

is_bound() {
	[ -e "$(device_of_id "$1")/driver" ]
}

load_modules 1000
start_sim a /share/test-overlays/mixed.dtbo --wire-time
start_attach a --scan
eventually attached a 6
ok $? "six servos are found" || sed 's/^/# /' /tmp/attach.a

for case in '1 12 dxl:p1m000C' '2 29 dxl:p1m001D' '3 12 dxl:p1m000C' \
	'101 1020 dxl:p2m03FC' '102 311 dxl:p2m0137' '252 1060 dxl:p2m0424'; do
	# shellcheck disable=SC2086
	set -- $case
	holds "$(device_of_id "$1")/model_number" "$2" "ID $1 has model number $2"
	is "$(modalias "$1")" "$3" "ID $1 has the modalias $3"
	eventually is_bound "$1"
	ok $? "ID $1 has a driver"
done
is "$(ls $dxl | wc -l)" 7 "there is nothing else on the bus"
is "$(found | wc -l)" 6 "the attribute lists them, too"

# What is there stays as it is.
succeeds "a second scan" into $dxl/dxl0/scan all
is "$(ls $dxl | wc -l)" 7 "finds nothing new"
succeeds "a servo is taken away" into $dxl/dxl0/delete_device 3
dxlctl silence 2 >/dev/null
succeeds "a scan of some IDs" into $dxl/dxl0/scan 2-4,101
is "$(ls $dxl | wc -l)" 7 "finds it again"
dxlctl unsilence 2 >/dev/null

# One that has been set to another rate is told of, but cannot be used.
succeeds "a servo goes" into $dxl/dxl0/delete_device 3
dxlctl write 3 4 34 >/dev/null
succeeds "a scan at several rates" into $dxl/dxl0/scan "1-3 baud=57142,1000000"
found | grep -q '^.*3.*57142'
ok $? "finds the one at 57142 baud" || found | sed 's/^/# /'
[ ! -e "$(device_of_id 3)" ]
ok $? "which is no device"
holds $dxl/dxl0/baud 1000000 "the bus has its own rate again"
succeeds "and works" attribute "$(joint iio 2>/dev/null || echo $iio/iio:device0)/in_temp0_raw"

for wrong in 300 5-3 x 'protocol=3 all' 'baud=0 all' '1,,2'; do
	fails_with "" "a scan of '$wrong' is refused" into $dxl/dxl0/scan "$wrong"
done

# Unplugged in the middle of it
(into $dxl/dxl0/scan "all baud=9600,57142,1000000"; echo $? >/tmp/scan.status) 2>/dev/null &
scan=$!
usleep 300000
kill $sim
end_of $attach
is "$status" 3 "a hang-up in the middle of a scan ends dxlattach"
end_of $scan
[ "$(cat /tmp/scan.status)" != 0 ]
ok $? "and the scan"
eventually no_devices
ok $? "no device is left"
done_testing
