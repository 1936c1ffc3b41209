// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What the kernel says of a servo in words, as NAO's documentation calls it. There an error of a
 * motor board is a byte: a kind, and a bit for each that it concerns.
 */
#include <stdio.h>
#include <string.h>

#include "fault.h"

#define CAUSES 4
#define TEXT_SIZE 160

struct word {
	const char *word; /* the kernel's */
	const char *name; /* NAO's */
};

struct kind {
	unsigned int number;
	struct word is;
	enum fault_level level; /* ours */
	struct word cause[CAUSES];
};

#define MOTORS                                                     \
	{                                                          \
		{ "motor-1", "Motor 1" }, { "motor-2", "Motor 2" } \
	}
#define MRES                                                                                   \
	{                                                                                      \
		{ "mre-1", "MRE 1" }, { "mre-2", "MRE 2" }, { "mre-3", "MRE 3" }, { "mre-4", "MRE 4" } \
	}
#define STOPPED                                                                                \
	{                                                                                      \
		{ "motor-no-data", "MRE motor NO DATA" }, { "joint-no-data", "MRE joint NO DATA" }, \
			{ "motor-other", "MRE motor OTHER ISSUE" },                            \
			{ "joint-other", "MRE joint OTHER ISSUE" }                             \
	}

/* Of a motor that is still moved, but badly, 5; of one that is not moved any more, 6. */
static const struct kind kinds[] = {
	{ 1,
	  { "no-motor", "ERROR_CURRENT_NO_MOTOR" },
	  FAULT_BAD,
	  { { "motor-1", "Motor 1 ERROR" }, { "motor-2", "Motor 2 ERROR" } } },
	{ 2, { "temperature", "ERROR_TEMPERATURE" }, FAULT_ERROR, MOTORS },
	{ 3, { "control-error", "ERROR_ASSERV_ERROR_TOO_BIG_MOTOR" }, FAULT_ERROR, MOTORS },
	{ 4, { "mre-no-data", "ERROR_MRE_ERROR_NO_DATA" }, FAULT_BAD, MRES },
	{ 5, { "mre-cordic-overflow", "ERROR_MRE_BAD_COF" }, FAULT_BAD, MRES },
	{ 6, { "mre-linearity", "ERROR_MRE_WARNING_BAD_LIN" }, FAULT_WARNING, MRES },
	{ 7, { "mre-magnetic-field", "ERROR_MRE_WARNING_BAD_MAG" }, FAULT_WARNING, MRES },
	{ 8, { "mre-parity", "ERROR_MRE_ERROR_PARITY" }, FAULT_ERROR, MRES },
	{ 9, { "mre-offset", "ERROR_MRE_BAD_OCF" }, FAULT_ERROR, MRES },
	{ 10,
	  { "com", "ERROR COM" },
	  FAULT_LIGHT_WARNING,
	  { { "read-crc", "READ CRC ERROR" },
	    { "unfinished", "UNFINISHED" },
	    { "rcrc", "RCRC ERROR" },
	    { "read-unfinished", "READ UNFINISHED" } } },
	{ 11,
	  { "uart-spi", "ERROR_UART_SPI" },
	  FAULT_LIGHT_WARNING,
	  { { "spi-overflow", "SPI_SPIROV" },
	    { "parity", "PERR" },
	    { "framing", "FERR" },
	    { "overrun", "OERR" } } },
	{ 13, { "current-limit", "WARNING_CURRENT_LIMITATION" }, FAULT_WARNING, MOTORS },
	{ 14, { "motor-1-stopped", "ERROR_MOTOR1_NOT_ASSERV_BECAUSE_MRE" }, FAULT_FATAL, STOPPED },
	{ 15, { "motor-2-stopped", "ERROR_MOTOR2_NOT_ASSERV_BECAUSE_MRE" }, FAULT_FATAL, STOPPED },
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* Other servos have words, of which some have them switch their torque off. */
static const struct {
	const char *word;
	enum fault_level level;
} others[] = {
	{ "voltage", FAULT_BAD },	{ "angle-limit", FAULT_LIGHT_WARNING },
	{ "overheating", FAULT_FATAL }, { "overload", FAULT_FATAL },
	{ "encoder", FAULT_FATAL },	{ "electrical-shock", FAULT_FATAL },
};

#define OTHERS (sizeof(others) / sizeof(others[0]))

/* Is the first of the words, of this length, that one? */
static bool is_word(const char *words, size_t length, const char *word)
{
	return strncmp(words, word, length) == 0 && word[length] == '\0';
}

static const struct kind *kind_of(const char *words, size_t length)
{
	for (size_t i = 0; i < KINDS; i++)
		if (is_word(words, length, kinds[i].is.word))
			return &kinds[i];
	return NULL;
}

static bool has_word(const char *words, const char *word)
{
	size_t length;

	for (; *words; words += length) {
		words += strspn(words, " ");
		length = strcspn(words, " ");
		if (length && is_word(words, length, word))
			return true;
	}
	return false;
}

/* "HeadYaw: 17 ERROR_CURRENT_NO_MOTOR: Motor 1 ERROR" */
static void print_kind(char *text, size_t size, const char *label, const struct kind *kind,
		       const char *words)
{
	char causes[TEXT_SIZE] = "";
	unsigned int code = kind->number << 4;
	size_t at = 0;

	for (unsigned int i = 0; i < CAUSES; i++) {
		const struct word *cause = &kind->cause[i];

		if (!cause->word || !has_word(words, cause->word))
			continue;
		code |= 1u << i;
		at += (size_t)snprintf(causes + at, sizeof(causes) - at, "%s%s", at ? ", " : "",
				       cause->name);
	}
	snprintf(text, size, "%s: %u %s: %s", label, code, kind->is.name, causes);
}

static enum fault_level level_of(const char *word, size_t length)
{
	for (size_t i = 0; i < OTHERS; i++)
		if (is_word(word, length, others[i].word))
			return others[i].level;
	return FAULT_ERROR;
}

void faults_add_words(struct faults *faults, const struct fault_time *now, const char *label,
		      const char *words)
{
	size_t length = strcspn(words, " ");
	const struct kind *kind = kind_of(words, length);
	char text[2 * TEXT_SIZE];

	if (kind) {
		print_kind(text, sizeof(text), label, kind, words + length);
		faults_add(faults, now, kind->level, text);
		return;
	}
	for (; *words; words += length + strspn(words + length, " ")) {
		length = strcspn(words, " ");
		snprintf(text, sizeof(text), "%s: %.*s", label, (int)length, words);
		faults_add(faults, now, level_of(words, length), text);
	}
}
