// SPDX-License-Identifier: GPL-2.0-or-later
#include "clock.h"
#include "line.h"

uint16_t line_silence(const struct line *line)
{
	uint16_t silence;

	ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
		silence = TCNT3 - line->heard;

	return silence;
}

bool line_mend(struct line *line)
{
	if (!line->broken)
		return false;
	ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
		line->in.tail = line->in.head;
		line->broken = 0;
	}

	return true;
}
