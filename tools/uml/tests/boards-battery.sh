#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# time-travel: yes
#
# NAO's batteries, from the outside in: what the simulated ones are set to is in the
# power supply class, in IIO and in the frames; every bit of their status; one that
# goes away and comes back.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/boards-lib.sh"

robot=/share/test-overlays/boards-battery.dtbo
supplies=/sys/class/power_supply

# supply LABEL -- what the class calls the battery with that label on the first bus
supply() {
	case $1 in
	BMZ) echo BMZ-0-206 ;;
	Sanyo) echo Sanyo-0-207 ;;
	esac
}

property() {
	cat "$supplies/$(supply "$1")/$2"
}

# What has been read is taken for fresh for half a second.
property_now() {
	sleep 0.6
	property "$@"
}

# tells ID LABEL ITEM VALUE PROPERTY EXPECTED
tells() {
	dxlctl set "$1" "$3" "$4" >/dev/null || echo "# $3 is not set"
	is "$(property_now "$2" "$5")" "$6" "$2: $5 with $3 at $4"
}

# bit ID LABEL BIT PROPERTY EXPECTED
bit() {
	dxlctl set "$1" status $((1 << $3)) >/dev/null
	is "$(property_now "$2" "$4")" "$5" "$2: $4 with bit $3"
	holds "$(joint "$2")/in_count1_raw" $((1 << $3)) "$2: and bit $3 is there"
}

property_is() {
	[ "$(property "$1" "$2" 2>/dev/null)" = "$3" ]
}

start_boards 2

for battery in "206 BMZ" "207 Sanyo"; do
	id=${battery% *} label=${battery#* }
	is "$(property $label type) $(property $label technology) $(property $label present)" \
		"Battery Li-ion 1" "$label is a battery"
	tells $id $label charge 80.4 capacity 80
	tells $id $label charge 100 capacity 100
	tells $id $label charge 0 capacity 0
	tells $id $label current -2.5 current_now -2500000
	tells $id $label current 1.2 current_now 1200000
	tells $id $label present_temperature 45.5 temp 455
	tells $id $label present_temperature -5 temp -50
	tells $id $label full_charge_capacity 2.15 charge_full 2150000
	senses $id $label cell_voltage_max 4.15 voltage1 4150000 1
	senses $id $label cell_voltage_min 3.05 voltage2 3050000 1
	senses $id $label current -14 current0 -14000000 1
	senses $id $label present_temperature 20 temp0 20000000 1
	senses $id $label charge 33.3 count2 333 1
	is "$(grep -c "^POWER_SUPPLY_" "$supplies/$(supply "$label")/uevent")" \
		"$([ $label = BMZ ] && echo 11 || echo 14)" "$label: all of it is in the uevent"
done

# [cur-5]
# --- how old it may be ---

dxlctl set 206 current 1 >/dev/null
is "$(property_now BMZ current_now)" 1000000 "BMZ: its current"
dxlctl set 206 current 2 >/dev/null
is "$(property BMZ current_now)" 1000000 "BMZ: which stands for half a second"
is "$(property_now BMZ current_now)" 2000000 "BMZ: and not longer"

# [bmz-0] [bmz-1] [bmz-5] [bmz-6] [bmz-7] [bmz-8] [bmz-9] [bmz-10] [bmz-11] [bmz-12] [bmz-13]
# [bmz-14] [sanyo-4] [sanyo-5] [sanyo-6] [sanyo-7]
# --- what each bit means ---

dxlctl set 206 present_temperature 10 >/dev/null

for b in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
	status="Not charging" level=Normal health=Good
	case $b in
	0) level=Critical ;;
	1) level=Low ;;
	5) status=Discharging ;;
	6) status=Full level=Full ;;
	7) status=Charging ;;
	8 | 14) health=Cold ;;
	9) health="Over voltage" ;;
	10) health="Unspecified failure" ;;
	11 | 12 | 13) health="Over current" ;;
	esac
	bit 206 BMZ $b status "$status"
	is "$(property BMZ capacity_level)" "$level" "BMZ: its level with bit $b"
	is "$(property BMZ health)" "$health" "BMZ: its health with bit $b"
done

tells 206 BMZ present_temperature 60 temp 600
dxlctl set 206 status $((1 << 14)) >/dev/null
is "$(property_now BMZ health)" Overheat "BMZ: too hot with bit 14"

dxlctl set 207 current 0 >/dev/null
bit 207 Sanyo 4 capacity_level Normal
bit 207 Sanyo 5 capacity_level Low
bit 207 Sanyo 6 capacity_level Critical
bit 207 Sanyo 7 capacity_level Full
is "$(property Sanyo status)" Full "Sanyo: full by its flag"
tells 207 Sanyo current -0.001 status Discharging
tells 207 Sanyo status 0 status Discharging
tells 207 Sanyo current 0.001 status Charging
tells 207 Sanyo current 0 status "Not charging"

# [id-10]
# --- what only a Sanyo has ---

tells 207 Sanyo remaining_capacity 1.5 charge_now 1500000
dxlctl set 207 cell_voltage_max 3.9 >/dev/null
tells 207 Sanyo cell_voltage_min 3.9 voltage_now 23400000
is "$(property Sanyo manufacturer)" SANYO "its maker"
is "$(property Sanyo serial_number)" ALDE000039___PD00100600 "its serial number"
senses 207 Sanyo age 97 count3 97000 1
for file in charge_now voltage_now manufacturer serial_number; do
	[ ! -e "$supplies/$(supply BMZ)/$file" ]
	ok $? "a BMZ has no $file"
done
[ ! -e "$supplies/$(supply Sanyo)/health" ]
ok $? "a Sanyo says nothing of its health"

# --- gone and back ---

dxlctl silence 206 >/dev/null
eventually property_is BMZ present 0
ok $? "one that is silent is not present any more"
fails_with "" "and has no charge" property BMZ capacity
succeeds "its uevent can be told" grep -qx POWER_SUPPLY_PRESENT=0 "$supplies/$(supply BMZ)/uevent"
is "$(property Sanyo present)" 1 "the other is"
dxlctl unsilence 206 >/dev/null
eventually property_is BMZ present 1
ok $? "it is present when it answers again"
tells 206 BMZ charge 42 capacity 42

# --- two robots of a kind, whose batteries have the same labels ---

start_sim b $robot --wire-time
start_attach b --overlay $robot
eventually attached b 2
ok $? "a second bus has two more" || sed 's/^/# /' /tmp/attach.b
eventually [ -e $supplies/BMZ-1-206 ]
eventually [ -e $supplies/Sanyo-1-207 ]
ok $? "which are power supplies, too" || ls $supplies | sed 's/^/# /'
dxlctl set 206 charge 77 >/dev/null
sleep 0.6
is "$(cat $supplies/BMZ-1-206/capacity) $(property BMZ capacity)" "77 42" "each of its own bus"
done_testing
