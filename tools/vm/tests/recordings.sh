#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# robot: bioloid
# in: check-all
#
# Frames are recorded, watched and replayed by the installed program.

. "$(dirname "$0")/lib.sh"

# said PATTERN -- did the last program of ours say that?
said() {
	grep -q "$1" /tmp/said || { sed 's/^/# /' /tmp/said; return 1; }
}

# rows FILE -- of a table
rows() {
	echo $(($(wc -l <"$1") - 1))
}

described >/tmp/described
goal=$(dirname "$(grep -lx dxl0-goal $iio/iio:device*/name)")
file=$motions/bioloid.mtn

# QEMU stands still for tenths of a second, and is slow.
into "$goal/watchdog_ms" 10000
beat_every 40

succeeds "100 frames are recorded" naohw record --quiet --count 100 /tmp/rest.csv
is "$(rows /tmp/rest.csv)" 100 "there are as many in the table"
is "$(head -n 1 /tmp/rest.csv | tr , '\n' | grep -c '\.present$')" 20 "of all joints"
is "$(tail -n 1 /tmp/rest.csv | tr , '\n' | sed -n 5,6p | tr '\n' ' ')" "12 25 " \
	"voltage and temperature are there in the end"
succeeds "one joint is recorded" naohw record --quiet --count 5 /tmp/one.csv HeadYaw
is "$(head -n 1 /tmp/one.csv)" \
	"time_s,HeadYaw.present,HeadYaw.speed,HeadYaw.load,HeadYaw.voltage,HeadYaw.temperature,HeadYaw.age,HeadYaw.alarm" \
	"and no other"

succeeds "the robot stands up" naohw play --head --stiff --settle 60 "$file" Stand
succeeds "a play is recorded" naohw play --record /tmp/wave.frames "$file" Wave
naohw replay --dry-run /tmp/wave.frames >/tmp/said 2>&1
ok $? "the recording is whole"
said "20 joints"
ok $? "and has all joints"
head -c "$(($(wc -c </tmp/wave.frames) - 1))" /tmp/wave.frames >/tmp/cut.frames
fails_with "the file is not whole" "one that was cut is refused" naohw replay /tmp/cut.frames

naohw record --quiet /tmp/long.frames >/tmp/record 2>&1 &
record=$!
eventually [ -s /tmp/long.frames.new ]
ok $? "a recording begins"
naohw watch --count 1 >/tmp/said 2>&1
ok $? "joints can be watched meanwhile"
said "another program reads the frames"
ok $? "each by itself"
fails_with "another program reads the frames" "but not recorded" naohw record -n 1 /tmp/x.csv
[ ! -e /tmp/x.csv ] && [ ! -e /tmp/long.frames ]
ok $? "and no file is left, or there before its time"
kill -TERM $record
wait $record
is "$?" 0 "the recording ends well" || sed 's/^/# /' /tmp/record
succeeds "and is whole" naohw replay --dry-run /tmp/long.frames

succeeds "the play is replayed" naohw replay /tmp/wave.frames
check_pose "$file" Wave
holds "$goal/stream_state" idle "orderly"

printf 'time_s,HeadYaw.present\n0,0\n0.01,2\n' >/tmp/jump.csv
fails_with "jump.csv:3: column 2 (HeadYaw.present): found 2 rad, 0.01 s after 0 rad" \
	"a jump is refused" naohw replay /tmp/jump.csv
fails_with "jump.csv:3: " "without moving anything, too" naohw replay --dry-run /tmp/jump.csv
printf 'time_s,HeadYaw.present\n0,0\n1,9\n' >/tmp/far.csv
fails_with "found 9 rad, expected -2.618 to 2.613" "so is a place out of reach" \
	naohw replay /tmp/far.csv
holds "$goal/stream_state" idle "and nothing is to move"
printf 'time_s,HeadYaw.present\n0,0\n1,0.5\n2,0\n' >/tmp/there.csv
succeeds "a joint goes and comes back" naohw replay /tmp/there.csv
succeeds "it is let go" naohw set HeadYaw/Hardness/Actuator 0
naohw replay /tmp/there.csv >/tmp/said 2>&1
is "$?" 3 "then it does not arrive" || sed 's/^/# /' /tmp/said
said "limp joints are left out: HeadYaw"
ok $? "which is said before"
said "HeadYaw has not moved: has it torque?"
ok $? "and afterwards"
succeeds "it has its torque again" naohw set HeadYaw/Hardness/Actuator 1

naohw watch --count 1 >/tmp/said 2>&1
ok $? "frames are watched"
is "$(grep -c ' 12\.0  *25 ' /tmp/said)" 20 "with all joints" || sed 's/^/# /' /tmp/said

succeeds "there is nothing to recover" naohw recover
into "$goal/watchdog_ms" 2000
naohw play --settle 60 "$file" Wave >/tmp/said 2>&1 &
play=$!
eventually grep -q "step 2/" /tmp/said
kill -KILL $play
wait $play
tripped() { line_is "$goal/stream_state" tripped; }
eventually tripped
ok $? "when a player dies the watchdog acts"
# The one who died has left the buffer enabled.
into "$goal/buffer/enable" 0
into "$goal/watchdog_ms" 10000
fails_with "brings it back" "nobody plays after it" naohw play --settle 60 "$file" Stand
succeeds "until the torque is brought back" naohw recover
succeeds "then one does" naohw play --settle 60 "$file" Stand
check_pose "$file" Stand
done_testing
