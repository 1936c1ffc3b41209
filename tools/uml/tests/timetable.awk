# SPDX-License-Identifier: GPL-2.0-or-later
#
# awk -v page=NAME -v period=MS -v servo=ax-12|xm430 -f timetable.awk DRY-RUN TEXT TRACE
#
# Do the goals on the wire follow the timetable of a page, within one period and one count? DRY-RUN is
# what `naohw play --dry-run --speed 0.1` says, so that hundredths of a second are ms; TEXT is the
# motion as text; TRACE has dxlsim's lines, with the sync writes of goals among them. When the play
# began is not known: it is looked for. What no such servo can do is not asked of it, but that it
# arrives in the end. Says how many poses there were, and where they are off.

function hex(digits) {
	return 16 * index("123456789ABCDEF", substr(digits, 1, 1)) +
		index("123456789ABCDEF", substr(digits, 2, 1))
}

# The first step by which a joint moves; the head, which pages do not move, may have its own before.
function first_way(   step, id) {
	for (step = 2; step <= steps; step++)
		for (id = 1; id <= 18; id++)
			if (goal[step, id] != goal[1, id])
				return step
	return 1
}

# Where the timetable has a joint, in ms from the begin
function at(id, ms,   step) {
	for (step = steps; step > 1 && ms < begin[step]; step--)
		;
	if (ms >= begin[step] + move[step])
		return goal[step, id]
	if (ms <= begin[step] || step == 1)
		return goal[step > 1 ? step - 1 : 1, id]
	return goal[step - 1, id] +
		(goal[step, id] - goal[step - 1, id]) * (ms - begin[step]) / move[step]
}

# How far a goal is from all that the timetable has within a period before @ms
function off(id, is, ms,   low, high, now, back) {
	low = high = at(id, ms)
	for (back = 4; back <= period; back += 4) {
		now = at(id, ms - back)
		if (now < low)
			low = now
		if (now > high)
			high = now
	}
	return is < low ? low - is : is > high ? is - high : 0
}

# What is too fast for a servo makes it late, and what follows begins where it is then.
function find_late(id,   step, place, way) {
	place = goal[1, id]
	for (step = 2; step <= steps; step++) {
		late[step, id] = place != goal[step - 1, id]
		way = goal[step, id] - place
		if (way < 0)
			way = -way
		if (way > FASTEST * move[step])
			late[step, id] = 1
		if (way > FASTEST * (move[step] + period))
			place += (goal[step, id] > place ? 1 : -1) * FASTEST * move[step]
		else
			place = goal[step, id]
	}
}

# The step of that time; it is not over before the next one has been sent.
function step_at(ms,   step) {
	for (step = steps; step > 1 && ms < begin[step]; step--)
		;
	return step
}

function is_late(id, ms) {
	return late[step_at(ms), id] || late[step_at(ms - 2 * period), id]
}

function worst(zero,   pose, id, most, here) {
	most = 0
	for (pose = 1; pose <= poses; pose++)
		for (id = 1; id <= 18; id++) {
			if (pose < poses && is_late(id, time[pose] - zero))
				continue
			here = off(id, sent[pose, id], time[pose] - zero)
			if (here > most) {
				most = here
				if (most > least)
					return most
				where = sprintf("ID %d at %d ms is sent to %d, the timetable has %.1f", id,
						time[pose] - zero, sent[pose, id], at(id, time[pose] - zero))
			}
		}
	return most
}

# A packet whose items begin in this field, and are so many bytes behind the ID
function take(field, size, before) {
	poses++
	time[poses] = $1 * 1000
	for (; field + size < NF; field += size + 1)
		sent[poses, hex($field)] = hex($(field + before + 1)) + 256 * hex($(field + before + 2))
}

FILENAME != file { file = FILENAME; part++ }
part == 1 && / step / {
	steps++
	line = $0
	sub(/.* step [0-9]+\/[0-9]+ +(\[[^]]*\])? */, "", line)
	begin[steps] = line * 100
	sub(/^[^,]*, /, "", line)
	move[steps] = line * 100
}
part == 2 { sub(/\r$/, "") }
part == 2 && /^name=/ { here = substr($0, 6) == page; row = 0 }
part == 2 && here && /^step=/ {
	sub(/^step=/, "")
	row++
	for (id = 1; id <= 18; id++)
		goal[row, id] = $(id + 1)
}
# TIME > FF FF FE LENGTH 83 1E SIZE, and for each: ID, goal, and what else there is
part == 3 && servo == "ax-12" && / > FF FF FE .. 83 1E / {
	take(10, hex($9), 0)
}
# TIME > FF FF FD 00 FE LENGTH (2) 83 70 00 SIZE (2), and for each: ID, speed (4), goal; 74 is the
# address of the goal alone.
part == 3 && servo == "xm430" && / > FF FF FD 00 FE .. .. 83 7[04] 00 / {
	take(15, hex($13), hex("74") - hex($11))
}
BEGIN {
	# Counts a ms: 1023 times 0.111 a minute, of 300/1023 degrees; or times 0.229, of 360/4096
	FASTEST = servo == "ax-12" ? 1023 * 0.111 * 360 / 60 * 1023 / 300 / 1000 : \
				     1023 * 0.229 / 60 * 4096 / 1000
}
END {
	for (id = 1; id <= 18; id++)
		find_late(id)
	for (pose = 2; pose <= poses && !moved; pose++)
		for (id = 1; id <= 18; id++)
			if (sent[pose, id] - sent[1, id] > 1 || sent[pose, id] - sent[1, id] < -1)
				moved = pose
	least = 1e9
	way = first_way()
	first = time[moved] - begin[way]
	for (zero = first + 10; zero >= first - 2 * period - 10 - move[way] && least > 1; zero -= 2) {
		most = worst(zero)
		if (most < least) {
			least = most
			said = where
		}
	}
	printf("# %s: %d poses, %d steps, %.1f counts off at the most%s\n", page, poses, steps, least,
		(least > 1 ? ": " said : ""))
	exit !(poses > 1 && steps && (least <= 1 || steps == 1 && !moved))
}
