// SPDX-License-Identifier: LGPL-2.1-or-later
/* RoboPlus text motion files; Documentation/motion.rst has the grammar. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../base/base.h"
#include "motion.h"
#include "text_scan.h"

#define TEXT_PAGES	  255u
#define TRAILER_SIZE	  2u
#define BOM		  "\xef\xbb\xbf"
#define VERSION_1_0	  1000u
#define VERSION_1_01	  1010u
#define VERSION_MAX	  9999u
#define AX_MAX		  1023u
#define MX_MAX		  4095u
#define TICK_MAX	  255u
#define RATE_MIN_MILLI	  126u
#define RATE_MAX_MILLI	  32000u
#define EXPONENT_MAX	  7u

struct loader {
	struct text_scan scan;
	struct naohw_motion *motion;
	struct naohw_error *err;
	unsigned int enabled[MOTION_TEXT_IDS];
};

static int line_error(struct loader *l, const char *expected)
{
	int shown = l->scan.length > 60 ? 60 : (int)l->scan.length;
	char line[61];

	/* What a hostile file holds must not reach a terminal as it is. */
	for (int i = 0; i < shown; i++) {
		char c = l->scan.line[i];

		line[i] = c >= ' ' && c <= '~' ? c : '?';
	}
	line[shown] = '\0';
	return fail(l->err, -EINVAL, "%s:%u: found \"%s\", expected %s", l->scan.path,
		    l->scan.number, line, expected);
}

static int next_line(struct loader *l, const char *expected)
{
	if (text_next_line(&l->scan))
		return 0;
	return fail(l->err, -EINVAL, "%s:%u: the file ends here, expected %s", l->scan.path,
		    l->scan.number + 1, expected);
}

/* A line that must be exactly @text. */
static int fixed_line(struct loader *l, const char *text)
{
	int ret = next_line(l, text);

	if (ret < 0)
		return ret;
	if (!text_is(&l->scan, text) || !text_at_end(&l->scan, strlen(text)))
		return line_error(l, text);
	return 0;
}

/* "KEY=" and one number for each ID. */
static int id_line(struct loader *l, const char *key, unsigned int max, const char *expected,
		   unsigned int *values)
{
	size_t at = strlen(key);
	int ret = next_line(l, expected);

	if (ret < 0)
		return ret;
	if (!text_is(&l->scan, key))
		return line_error(l, expected);
	for (unsigned int id = 0; id < MOTION_TEXT_IDS; id++)
		if (!text_unsigned(&l->scan, &at, max, &values[id]))
			return line_error(l, expected);
	return text_at_end(&l->scan, at) ? 0 : line_error(l, expected);
}

static bool line_equals(const struct text_scan *scan, const char *text)
{
	return text_is(scan, text) && text_at_end(scan, strlen(text));
}

static int load_version(struct loader *l)
{
	const char *expected = "version=1.0 or version=1.01";
	size_t at = strlen("version=");
	unsigned int milli;
	int ret = next_line(l, expected);

	if (ret < 0)
		return ret;
	if (!text_is(&l->scan, "version=") || !text_milli(&l->scan, &at, VERSION_MAX, &milli) ||
	    !text_at_end(&l->scan, at) || (milli != VERSION_1_0 && milli != VERSION_1_01))
		return line_error(l, expected);
	l->motion->has_motor_type = milli == VERSION_1_01;
	l->motion->motor_line = l->scan.number;
	return 0;
}

static int load_motor_type(struct loader *l)
{
	int ret = id_line(l, "motor_type=", 255, "motor_type= and 26 numbers, 0 to 255",
			  l->motion->motor);

	l->motion->motor_line = l->scan.number;
	return ret;
}

static int load_head(struct loader *l)
{
	int ret = fixed_line(l, "type=motion");

	if (ret == 0)
		ret = load_version(l);
	if (ret == 0)
		ret = id_line(l, "enable=", 1, "enable= and 26 flags, 0 or 1", l->enabled);
	if (ret == 0 && l->motion->has_motor_type)
		ret = load_motor_type(l);
	return ret;
}

static int load_name(struct loader *l, struct naohw_page *page)
{
	int ret = next_line(l, "name=");

	if (ret < 0)
		return ret;
	if (!text_is(&l->scan, "name="))
		return line_error(l, "name=");
	page_set_name(page, (const unsigned char *)l->scan.line + 5, l->scan.length - 5);
	return 0;
}

static int load_compliance(struct loader *l, struct naohw_page *page)
{
	unsigned int exponents[MOTION_TEXT_IDS];
	int ret = id_line(l, "compliance=", EXPONENT_MAX, "compliance= and 26 numbers, 0 to 7",
			  exponents);

	if (ret < 0)
		return ret;
	memset(page->softness, 0x55, sizeof(page->softness));
	for (unsigned int id = 0; id < MOTION_TEXT_IDS; id++)
		page->softness[id] = (unsigned char)(exponents[id] << 4 | exponents[id]);
	return 0;
}

static int load_play_param(struct loader *l, struct naohw_page *page)
{
	const char *expected =
		"play_param= next exit repeat (each 0 to 255) rate (0.126 to 32) inertia (0 to 255)";
	size_t at = strlen("play_param=");
	unsigned int rate;
	int ret = next_line(l, expected);

	if (ret < 0)
		return ret;
	if (!text_is(&l->scan, "play_param=") || !text_unsigned(&l->scan, &at, 255, &page->next) ||
	    !text_unsigned(&l->scan, &at, 255, &page->exit) ||
	    !text_unsigned(&l->scan, &at, 255, &page->repeat) ||
	    !text_milli(&l->scan, &at, RATE_MAX_MILLI, &rate) || rate < RATE_MIN_MILLI ||
	    !text_unsigned(&l->scan, &at, 255, &page->accel) || !text_at_end(&l->scan, at))
		return line_error(l, expected);
	/* What RoboPlus puts into the controller's page: the time as a multiple of 1/32. */
	page->speed = MOTION_SPEED_UNIT * 1000 / rate;
	page->time_base = 1;
	return 0;
}

static int load_positions(struct loader *l, struct motion_step *step, size_t *at)
{
	for (unsigned int id = 0; id < MOTION_TEXT_IDS; id++) {
		unsigned int value, max = l->motion->motor[id] ? MX_MAX : AX_MAX;

		if (!text_unsigned(&l->scan, at, max, &value))
			return line_error(l, max == MX_MAX ? "26 positions, 0 to 4095"
							   : "26 positions, 0 to 1023");
		step->position[id] = (uint16_t)(l->enabled[id] ? value : NAOHW_POSITION_INVALID);
	}
	for (unsigned int id = MOTION_TEXT_IDS; id < NAOHW_PAGE_IDS; id++)
		step->position[id] = NAOHW_POSITION_INVALID;
	return 0;
}

static unsigned int ticks(unsigned int milliseconds)
{
	return (milliseconds + NAOHW_TICK_MS / 2) / NAOHW_TICK_MS;
}

static int load_step(struct loader *l, struct naohw_page *page)
{
	const unsigned int max = TICK_MAX * NAOHW_TICK_MS;
	struct motion_step *step;
	unsigned int pause, time;
	size_t at = strlen("step=");
	int ret;

	if (page->step_count == NAOHW_PAGE_STEPS)
		return line_error(l, "page_end: a page has no more than 7 steps");
	step = &page->step[page->step_count];
	ret = load_positions(l, step, &at);
	if (ret < 0)
		return ret;
	if (!text_milli(&l->scan, &at, max, &pause) || !text_milli(&l->scan, &at, max, &time) ||
	    !text_at_end(&l->scan, at))
		return line_error(l, "pause and time after 26 positions, in s, 0 to 2.040");
	step->pause = ticks(pause);
	step->time = ticks(time);
	page->step_count++;
	return 0;
}

static int load_steps(struct loader *l, struct naohw_page *page)
{
	const char *expected = "step= or page_end";

	for (;;) {
		int ret = next_line(l, expected);

		if (ret < 0)
			return ret;
		if (line_equals(&l->scan, "page_end"))
			return 0;
		if (!text_is(&l->scan, "step="))
			return line_error(l, expected);
		ret = load_step(l, page);
		if (ret < 0)
			return ret;
	}
}

/* The page after its page_begin line. */
static int load_page(struct loader *l)
{
	struct naohw_page *page = &l->motion->page[l->motion->count];
	int ret;

	if (l->motion->count > TEXT_PAGES)
		return line_error(l, "the end of the file: it has no more than 255 pages");
	page->number = l->motion->count;
	ret = load_name(l, page);
	if (ret == 0)
		ret = load_compliance(l, page);
	if (ret == 0)
		ret = load_play_param(l, page);
	if (ret == 0)
		ret = load_steps(l, page);
	if (ret < 0)
		return ret;
	if (page->step_count == 0 || page->repeat == 0)
		page->state = NAOHW_PAGE_EMPTY;
	l->motion->count++;
	return 0;
}

/*
 * RoboPlus ends a file with two bytes, high one first, that bring the 16-bit sum of all bytes
 * to 0xffff. It counts line feeds only: carriage returns came into files later, on their way.
 */
static unsigned int checksum(const unsigned char *data, size_t size)
{
	unsigned int sum = 0;

	for (size_t i = 0; i < size; i++)
		if (data[i] != '\r')
			sum += data[i];
	return ~sum & 0xffff;
}

/* Whose bytes were changed, nobody can tell: it is a fault of the file and of no page. */
static void check_trailer(struct loader *l, const unsigned char *data)
{
	size_t at = (size_t)(l->scan.cursor - (const char *)data);
	unsigned int found = (unsigned int)data[at] << 8 | data[at + 1];
	unsigned int expected = checksum(data, at);

	if (found != expected)
		snprintf(l->motion->checksum_fault, sizeof(l->motion->checksum_fault),
			 "byte %zu: the file's checksum is 0x%04x, expected 0x%04x", at, found,
			 expected);
}

static bool is_line_end(const char *text, size_t size)
{
	return (size == 1 && memcmp(text, "\n", 1) == 0) ||
	       (size == 2 && memcmp(text, "\r\n", 2) == 0);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/*
 * The last two bytes of the file, and the line end that an editor may have put behind them.
 * Blanks at the end of a file are rather its writer's than a checksum.
 */
static bool at_trailer(const struct text_scan *scan)
{
	const char *text = scan->cursor;
	size_t left = (size_t)(scan->end - text);

	if (left < TRAILER_SIZE || (is_blank(text[0]) && is_blank(text[1])))
		return false;
	if (left == TRAILER_SIZE)
		return true;
	/* A blank line comes before the trailer. */
	if (text[0] == '\n' || text[0] == '\r')
		return false;
	return is_line_end(text + TRAILER_SIZE, left - TRAILER_SIZE);
}

/* The last line, and a number */
static bool is_checksum_as_text(const struct text_scan *scan)
{
	size_t at = text_is(scan, "0x") ? 2 : 0, digits = at;

	while (digits < scan->length && isxdigit((unsigned char)scan->line[digits]))
		digits++;
	return digits > at && text_at_end(scan, digits) && scan->cursor == scan->end;
}

static int load_pages(struct loader *l, const unsigned char *data)
{
	while (!at_trailer(&l->scan)) {
		int ret;

		if (!text_next_line(&l->scan))
			return 0;
		if (text_at_end(&l->scan, 0))
			continue;
		if (!line_equals(&l->scan, "page_begin"))
			return line_error(l, is_checksum_as_text(&l->scan) ?
						     "page_begin or two bytes of checksum, and not a "
						     "checksum as text: take out this line" :
						     "page_begin");
		ret = load_page(l);
		if (ret < 0)
			return ret;
	}
	check_trailer(l, data);
	return 0;
}

bool page_text_probe(const unsigned char *data, size_t size)
{
	if (size >= 3 && memcmp(data, BOM, 3) == 0)
		return true;
	return size >= 5 && memcmp(data, "type=", 5) == 0;
}

int page_text_load(struct naohw_motion *motion, const unsigned char *data, size_t size,
		   struct naohw_error *err)
{
	size_t start = memcmp(data, BOM, 3) == 0 ? 3 : 0;
	struct loader l = {
		.scan = {
			.path = motion->path,
			.cursor = (const char *)data + start,
			.end = (const char *)data + size,
		},
		.motion = motion,
		.err = err,
	};
	int ret;

	motion->text = true;
	motion->count = 1; /* the number 0 stands for "none" and has no page */
	motion->page[0].state = NAOHW_PAGE_EMPTY;
	ret = load_head(&l);
	if (ret == 0)
		ret = load_pages(&l, data);
	if (ret == 0 && motion->count == 1)
		ret = fail(err, -EINVAL, "%s:%u: the file ends here, expected page_begin",
			   motion->path, l.scan.number + 1);
	return ret;
}
