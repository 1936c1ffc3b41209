#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# in: check-all
# program: naohw
# share: userspace/robots
#
# What a motor board of a NAO says is wrong, from its register to the Error of its device: each
# code has the number and the names of NAO's text there, and a level, and stays for 30 s.

. "$(dirname "$0")/lib.sh"

robot=/share/test-overlays/boards-nao-motor.dtbo
export NAOHW_ROBOT=/share/robots/nao-h25-v33.xml
board=Device/DeviceList/HeadBoard/Error

# told ID CODE -- the register that says what is wrong
told() {
	dxlctl write "$1" 83 "$2" >/dev/null
}

# now_says -- the list, without the times
now_says() {
	naohw get "${1:-$board}" | sed -E 's/(^|; )[0-9]+\.[0-9]{3} /\1/g'
}

# code NUMBER LEVEL NAME BITS
code() {
	told 1 "$1"
	is "$(now_says)" "$2 HeadYaw: $1 $3: $4" "$1 is $3: $4"
}

# codes KIND LEVEL NAME BIT... -- from bit 0 on: each alone, and all of them
codes() {
	local kind=$1 level=$2 name=$3 value=1 all='' bit
	shift 3
	for bit; do
		code $((16 * kind + value)) "$level" "$name" "$bit"
		all=$all${all:+, }$bit
		value=$((2 * value))
	done
	code $((16 * kind + value - 1)) "$level" "$name" "$all"
}

load_modules 1000
start_sim a $robot --wire-time
start_attach a --overlay $robot
eventually servos_are 4
ok $? "two boards are four servos" || sed 's/^/# /' /tmp/attach.a
is "$(naohw get $board)" "" "nothing is wrong [key-13]"

# [err-1] [err-2] [err-3] [err-4] [err-5] [err-6] [err-7] [err-8] [err-9] [err-10] [err-11] [err-13] [err-14] [err-15] [mb-8]
# [key-22]
# --- each code, by NAO's text; its levels are said to be 0 to 7, and which is whose is ours ---

codes 1 5 ERROR_CURRENT_NO_MOTOR "Motor 1 ERROR" "Motor 2 ERROR"
codes 2 4 ERROR_TEMPERATURE "Motor 1" "Motor 2"
codes 3 4 ERROR_ASSERV_ERROR_TOO_BIG_MOTOR "Motor 1" "Motor 2"
codes 4 5 ERROR_MRE_ERROR_NO_DATA "MRE 1" "MRE 2" "MRE 3" "MRE 4"
codes 5 5 ERROR_MRE_BAD_COF "MRE 1" "MRE 2" "MRE 3" "MRE 4"
codes 6 3 ERROR_MRE_WARNING_BAD_LIN "MRE 1" "MRE 2" "MRE 3" "MRE 4"
codes 7 3 ERROR_MRE_WARNING_BAD_MAG "MRE 1" "MRE 2" "MRE 3" "MRE 4"
codes 8 4 ERROR_MRE_ERROR_PARITY "MRE 1" "MRE 2" "MRE 3" "MRE 4"
codes 9 4 ERROR_MRE_BAD_OCF "MRE 1" "MRE 2" "MRE 3" "MRE 4"
codes 10 2 "ERROR COM" "READ CRC ERROR" UNFINISHED "RCRC ERROR" "READ UNFINISHED"
codes 11 2 ERROR_UART_SPI SPI_SPIROV PERR FERR OERR
codes 13 3 WARNING_CURRENT_LIMITATION "Motor 1" "Motor 2"
for motor in 1 2; do
	codes $((13 + motor)) 6 ERROR_MOTOR${motor}_NOT_ASSERV_BECAUSE_MRE "MRE motor NO DATA" \
		"MRE joint NO DATA" "MRE motor OTHER ISSUE" "MRE joint OTHER ISSUE"
done
told 1 193
is "$(now_says)" "4 HeadYaw: 0xc1" "one that the text does not have is a number"

# [key-9] [mb-10]
# --- whose it is ---

told 1 49
told 2 34
is "$(now_says)" "4 HeadPitch: 34 ERROR_TEMPERATURE: Motor 2; 4 HeadYaw: 49 ERROR_ASSERV_ERROR_TOO_BIG_MOTOR: Motor 1" \
	"a board has what its two motors say"
is "$(now_says HeadYaw/Position/Sensor/Error)" "$(now_says)" "and its sub-devices have that of it"
is "$(now_says Device/DeviceList/RightHipBoard/Error)" "" "but no other board"
told 1 0
told 2 0
is "$(now_says)" "" "who looks only now finds nothing"

# [key-11] [key-12]
# --- from when to when, by somebody who looks ten times a second ---

naohw watch --changes --time --interval 0.1 $board >/tmp/changes &
watch=$!
sleep 5
before=$(date +%s)
told 1 17
sleep 0.15
told 1 0
after=$(date +%s)
sleep 40
kill $watch
end_of $watch
is "$(cut -d' ' -f2,4- /tmp/changes | sed 's/ $//' | uniq)" "$board
$board 5 HeadYaw: 17 ERROR_CURRENT_NO_MOTOR: Motor 1 ERROR
$board" "it comes, and goes"
found=$(awk 'NF > 2 { print $1, $3 }' /tmp/changes | tail -n 1 | tr -d .)
gone=$(tail -n 1 /tmp/changes | cut -d' ' -f1 | tr -d .)
[ "${before}000" -le "${found#* }" ] && [ "${found#* }" -le "${after}999" ]
ok $? "its time is when it was, by the same clock" || echo "# ${found#* }, of $before to $after s"
near $((gone - ${found% *})) 30060 60 "after 30 s it is gone" || sed 's/^/# /' /tmp/changes
done_testing
