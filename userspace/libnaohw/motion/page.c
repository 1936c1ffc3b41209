// SPDX-License-Identifier: LGPL-2.1-or-later
#include "page.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

void page_set_name(struct naohw_page *page, const unsigned char *name, size_t size)
{
	size_t length = 0;

	while (length < size && length < sizeof(page->name) - 1 && name[length]) {
		unsigned char c = name[length];

		page->name[length++] = c >= ' ' && c <= '~' ? (char)c : '?';
	}
	page->name[length] = '\0';
	/* Names in real files end in a line feed or in blanks that nobody typed. */
	while (length && (name[length - 1] == '\n' || name[length - 1] == ' '))
		page->name[--length] = '\0';
}

void page_damaged(struct naohw_page *page, const char *format, ...)
{
	va_list args;

	if (page->state == NAOHW_PAGE_DAMAGED)
		return;
	page->state = NAOHW_PAGE_DAMAGED;
	va_start(args, format);
	vsnprintf(page->fault, sizeof(page->fault), format, args);
	va_end(args);
}

unsigned int naohw_page_number(const struct naohw_page *page)
{
	return page->number;
}

enum naohw_page_state naohw_page_get_state(const struct naohw_page *page)
{
	return page->state;
}

const char *naohw_page_fault(const struct naohw_page *page)
{
	return page->state == NAOHW_PAGE_DAMAGED ? page->fault : NULL;
}

const char *naohw_page_name(const struct naohw_page *page)
{
	return page->name;
}

unsigned int naohw_page_repeat(const struct naohw_page *page)
{
	return page->repeat;
}

unsigned int naohw_page_next(const struct naohw_page *page)
{
	return page->next;
}

unsigned int naohw_page_exit(const struct naohw_page *page)
{
	return page->exit;
}

unsigned int naohw_page_speed(const struct naohw_page *page)
{
	return page->speed;
}

unsigned int naohw_page_accel(const struct naohw_page *page)
{
	return page->accel;
}

int naohw_page_is_time_base(const struct naohw_page *page)
{
	return page->time_base;
}

unsigned int naohw_page_softness(const struct naohw_page *page, unsigned int id)
{
	return id < NAOHW_PAGE_IDS ? page->softness[id] : 0;
}

unsigned int naohw_page_step_count(const struct naohw_page *page)
{
	return page->step_count;
}

static const struct motion_step *step_of(const struct naohw_page *page, unsigned int index)
{
	return index < page->step_count ? &page->step[index] : NULL;
}

unsigned int naohw_page_step_position(const struct naohw_page *page, unsigned int step,
				      unsigned int id)
{
	const struct motion_step *found = step_of(page, step);

	return found && id < NAOHW_PAGE_IDS ? found->position[id] : NAOHW_POSITION_INVALID;
}

unsigned int naohw_page_step_pause(const struct naohw_page *page, unsigned int step)
{
	const struct motion_step *found = step_of(page, step);

	return found ? found->pause : 0;
}

unsigned int naohw_page_step_time(const struct naohw_page *page, unsigned int step)
{
	const struct motion_step *found = step_of(page, step);

	return found ? found->time : 0;
}
