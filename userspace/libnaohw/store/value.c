// SPDX-License-Identifier: LGPL-2.1-or-later
#include <math.h>
#include <string.h>

#include "../base/base.h"
#include "inside.h"

void value_to_words(enum naohw_key_type type, const struct naohw_value *value, uint64_t *words)
{
	words[WORD_TIME] = (uint64_t)value->time;
	words[WORD_STATE] = (uint64_t)value->state;
	switch (type) {
	case NAOHW_KEY_FLOAT:
		memcpy(&words[WORD_VALUE], &value->number, sizeof(*words));
		break;
	case NAOHW_KEY_INT:
		words[WORD_VALUE] = (uint64_t)value->integer;
		break;
	case NAOHW_KEY_BOOL:
		words[WORD_VALUE] = value->integer != 0;
		break;
	case NAOHW_KEY_STRING:
		/* No byte of what was behind the end of the text goes out. */
		memset(&words[WORD_VALUE], 0, NAOHW_TEXT_SIZE);
		memcpy(&words[WORD_VALUE], value->text,
		       strnlen(value->text, NAOHW_TEXT_SIZE - 1));
		break;
	}
}

bool state_is_worse(enum naohw_state state, enum naohw_state than)
{
	static const int order[] = {
		[NAOHW_STATE_FRESH] = 0,
		[NAOHW_STATE_FAULTY] = 1,
		[NAOHW_STATE_STALE] = 2,
		[NAOHW_STATE_ABSENT] = 3,
	};

	return order[state] > order[than];
}

/* Where doubles have no more numbers that an int64_t has not */
#define INTEGER_END 0x1p63

void store_number(struct naohw_value *value, double number)
{
	value->number = number;
	value->integer = fabs(number) < INTEGER_END ? llround(number) : 0;
}

void store_text(struct naohw_value *value, const char *text)
{
	text_cut(value->text, sizeof(value->text), text);
}

static void take_integer(uint64_t word, struct naohw_value *value)
{
	value->integer = (int64_t)word;
	value->number = (double)value->integer;
}

void value_from_words(enum naohw_key_type type, const uint64_t *words, struct naohw_value *value)
{
	value->type = type;
	value->state = words[WORD_STATE] <= NAOHW_STATE_FAULTY ? (enum naohw_state)words[WORD_STATE] :
							   NAOHW_STATE_ABSENT;
	value->time = (int64_t)words[WORD_TIME];
	value->integer = 0;
	value->number = NAN;
	value->text[0] = '\0';
	switch (type) {
	case NAOHW_KEY_FLOAT:
		memcpy(&value->number, &words[WORD_VALUE], sizeof(value->number));
		break;
	case NAOHW_KEY_INT:
		take_integer(words[WORD_VALUE], value);
		break;
	case NAOHW_KEY_BOOL:
		take_integer(words[WORD_VALUE] != 0, value);
		break;
	case NAOHW_KEY_STRING:
		memcpy(value->text, &words[WORD_VALUE], sizeof(value->text));
		value->text[sizeof(value->text) - 1] = '\0';
		break;
	}
}
