// SPDX-License-Identifier: LGPL-2.1-or-later
#include "code.h"

#include <stddef.h>

/* The upper four bits are a kind, the others what of the board has it. */
#define KIND_BITS 4
#define KINDS	  16

/*
 * Kinds 1, 3 to 11, 13, 14 and 15 are those of NAO's documentation; of which no more than a warning
 * follows, is in part that of its diagnosis (49 to 51 and 209 to 211), in part by their names. Heat, kind
 * 2, comes from 75 degrees on, so the temperature says more. What is in no document is a warning: ours.
 */
static const enum code_kind kinds[KINDS] = {
	[1] = CODE_ERROR,   [2] = CODE_WARNING,	 [3] = CODE_WARNING,  [4] = CODE_ERROR,
	[5] = CODE_ERROR,   [6] = CODE_WARNING,	 [7] = CODE_WARNING,  [8] = CODE_ERROR,
	[9] = CODE_ERROR,   [10] = CODE_NOISE,	 [11] = CODE_NOISE,   [12] = CODE_WARNING,
	[13] = CODE_WARNING, [14] = CODE_ERROR,	 [15] = CODE_ERROR,
};

enum code_kind code_kind_of(int code)
{
	if (code <= 0)
		return CODE_NONE;
	if (code >= KINDS << KIND_BITS || kinds[code >> KIND_BITS] == CODE_NONE)
		return CODE_WARNING;
	return kinds[code >> KIND_BITS];
}
