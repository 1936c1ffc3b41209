#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
# program: naohw
#
# What naohw watch --changes tells of hands that are there for a moment only: those that frames
# have, and those that the kernel tells of by themselves; and what it can do where another program
# reads the frames.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/boards-lib.sh"

robot=/share/test-overlays/boards-nao.dtbo
export NAOHW_ROBOT=/tmp/robot.xml
touch=Device/SubDeviceList/Head/Touch/Front/Sensor/Value
button=Device/SubDeviceList/Chest/Button/Sensor/Value

cat >$NAOHW_ROBOT <<'END'
<ModulePreference name="test@Device">
	<Preference name="SubDeviceList" memoryName="Device/SubDeviceList" type="array">
		<Preference name="Head/Touch/Front/Sensor" type="array">
			<Preference name="Channel" type="string" value="buttons"/>
			<Preference name="Bit" type="int" value="0"/>
		</Preference>
		<Preference name="Chest/Button/Sensor" type="array">
			<Preference name="Event" type="string" value="BTN_START"/>
		</Preference>
	</Preference>
</ModulePreference>
END

# watched OPTION... -- what is told while a hand is on the head five times, and on the chest's
# button, for 150 ms each
watched() {
	naohw watch --changes "$@" '*/Sensor/Value' >/tmp/changes 2>/tmp/said &
	watch=$!
	sleep 2
	for _ in 1 2 3 4 5; do
		hand 203 front
		hand 200 chest
	done
	sleep 2
	kill $watch
	end_of $watch
}

# hand ID PLACE -- is there, and goes
hand() {
	dxlctl press "$1" "$2" >/dev/null
	sleep 0.15
	dxlctl release "$1" "$2" >/dev/null
	sleep 0.35
}

# told KEY -- its values, one after the other
told() {
	awk -v key="$1" '$(NF - 1) == key { printf "%s ", $NF }' /tmp/changes
}

start_boards 9 7
eventually frames_have count1227
ok $? "frames have what is touched"

watched
is "$status" 0 "naohw ends in order"
is "$(told $touch)" "0 1 0 1 0 1 0 1 0 1 0 " "each hand on the head is told, and that it goes"
is "$(told $button)" "0 1 0 1 0 1 0 1 0 1 0 " "and each on the button"
is "$(wc -l </tmp/changes)" 22 "and nothing else is"
is "$(cat /tmp/said)" "" "nothing is said of it"

watched --time
late=$(awk -v key=$touch '$2 == key { if (NR > 2 && $3 == 0) print 1000 * ($1 - last); last = $1 }' \
	/tmp/changes | sort -n | sed -n '1p;$p' | tr '\n' ' ')
near "${late%% *}" 150 20 "by its times a hand is there for 150 ms at least" || echo "# $late"
near "$(echo "$late" | cut -d' ' -f2 | cut -d. -f1)" 150 20 "and at most" || echo "# $late"

# --- another program reads the frames ---

naohw watch --changes $touch >/tmp/other &
other=$!
sleep 1
watched
is "$(told $button)" "0 1 0 1 0 1 0 1 0 1 0 " "without frames the button is told of all the same"
is "$(cat /tmp/said)" \
	"naohw watch: dxl0-state: another program reads the frames (naohw, process $other); keys are asked for every 0.5 s" \
	"and how it is with the others"
watched --interval 0.05
is "$(told $touch)" "0 1 0 1 0 1 0 1 0 1 0 " "which are told of if they are asked for often"
kill $other
end_of $other
is "$(wc -l </tmp/other)" 21 "the other one has missed nothing"
done_testing
