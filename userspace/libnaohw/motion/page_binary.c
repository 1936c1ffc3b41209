// SPDX-License-Identifier: LGPL-2.1-or-later
/* Binary motion files: 512-byte pages as the controllers keep them in flash. */
#include <errno.h>
#include <string.h>

#include "../base/base.h"
#include "motion.h"

#define NAME_SIZE    14u
#define REPEAT	     15u
#define SCHEDULE     16u
#define STEPS	     20u
#define SPEED	     22u
#define ACCEL	     24u
#define NEXT	     25u
#define EXIT	     26u
#define CHECKSUM     31u
#define SOFTNESS     32u
#define STEP_SIZE    64u
#define STEP_PAUSE   62u
#define STEP_TIME    63u
#define CHECKSUM_SUM 0xffu
#define TIME_BASE    0x0au
#define SPEED_BASE   0x00u

static unsigned int sum_of(const unsigned char *bytes)
{
	unsigned int sum = 0;

	for (unsigned int i = 0; i < MOTION_PAGE_SIZE; i++)
		sum += bytes[i];
	return sum & 0xff;
}

static bool all_are(const unsigned char *bytes, unsigned char value)
{
	for (unsigned int i = 0; i < MOTION_PAGE_SIZE; i++)
		if (bytes[i] != value)
			return false;
	return true;
}

static void load_step(struct motion_step *step, const unsigned char *bytes)
{
	for (unsigned int id = 0; id < NAOHW_PAGE_IDS; id++)
		step->position[id] = (uint16_t)(bytes[2 * id] | bytes[2 * id + 1] << 8);
	step->pause = bytes[STEP_PAUSE];
	step->time = bytes[STEP_TIME];
}

static void load_header(struct naohw_page *page, const unsigned char *bytes)
{
	page_set_name(page, bytes, NAME_SIZE);
	page->repeat = bytes[REPEAT];
	page->time_base = bytes[SCHEDULE] != SPEED_BASE;
	page->step_count = bytes[STEPS];
	page->speed = bytes[SPEED];
	page->accel = bytes[ACCEL];
	page->next = bytes[NEXT];
	page->exit = bytes[EXIT];
	memcpy(page->softness, bytes + SOFTNESS, sizeof(page->softness));
}

/* What a playable page must fulfil; offsets are of the file, as a hex editor shows. */
static void check_header(struct naohw_page *page, const unsigned char *bytes, size_t at)
{
	unsigned int sum = sum_of(bytes);

	if (sum != CHECKSUM_SUM)
		page_damaged(page, "byte %zu: checksum is 0x%02x, expected 0x%02x", at + CHECKSUM,
			     bytes[CHECKSUM], (bytes[CHECKSUM] + CHECKSUM_SUM - sum) & 0xff);
	if (page->step_count > NAOHW_PAGE_STEPS) {
		page_damaged(page, "byte %zu: %u steps, expected 0 to %u", at + STEPS, page->step_count,
			     NAOHW_PAGE_STEPS);
		page->step_count = NAOHW_PAGE_STEPS;
	}
	if (bytes[SCHEDULE] != TIME_BASE && bytes[SCHEDULE] != SPEED_BASE)
		page_damaged(page, "byte %zu: schedule 0x%02x, expected 0x00 (speed) or 0x0a (time)",
			     at + SCHEDULE, bytes[SCHEDULE]);
	if (page->speed == 0 && page->step_count && page->repeat)
		page_damaged(page, "byte %zu: speed 0, expected 1 to 255", at + SPEED);
}

static void load_page(struct naohw_page *page, const unsigned char *bytes, size_t at)
{
	if (all_are(bytes, 0xff)) {
		page->state = NAOHW_PAGE_ERASED;
		return;
	}
	/* Page 0 of DARwIn's files is all zero, checksum and all: nothing in it to damage. */
	if (all_are(bytes, 0)) {
		page->state = NAOHW_PAGE_EMPTY;
		return;
	}
	load_header(page, bytes);
	check_header(page, bytes, at);
	for (unsigned int i = 0; i < page->step_count; i++)
		load_step(&page->step[i], bytes + STEP_SIZE * (i + 1));
	if (page->state != NAOHW_PAGE_GOOD)
		return;
	if (page->step_count == 0 || page->repeat == 0)
		page->state = NAOHW_PAGE_EMPTY;
	else if (page->number == 0)
		page->state = NAOHW_PAGE_ZERO;
}

int page_binary_load(struct naohw_motion *motion, const unsigned char *data, size_t size,
		     struct naohw_error *err)
{
	if (size == 0)
		return fail(err, -EINVAL, "%s: the file is empty", motion->path);
	if (size % MOTION_PAGE_SIZE)
		return fail(err, -EINVAL,
			    "%s: not a motion file: no \"type=motion\" in line 1, and byte %zu ends "
			    "it inside a page of %u bytes",
			    motion->path, size, MOTION_PAGE_SIZE);
	if (size / MOTION_PAGE_SIZE > MOTION_PAGES)
		return fail(err, -EINVAL, "%s: %zu pages of %u bytes, expected 1 to %u",
			    motion->path, size / MOTION_PAGE_SIZE, MOTION_PAGE_SIZE, MOTION_PAGES);

	motion->count = (unsigned int)(size / MOTION_PAGE_SIZE);
	for (unsigned int i = 0; i < motion->count; i++) {
		size_t at = (size_t)i * MOTION_PAGE_SIZE;

		motion->page[i].number = i;
		load_page(&motion->page[i], data + at, at);
	}
	return 0;
}
