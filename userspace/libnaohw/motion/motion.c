// SPDX-License-Identifier: LGPL-2.1-or-later
#include "motion.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"

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
	vsnprintf(page->why, sizeof(page->why), format, args);
	va_end(args);
}

/* One byte past the limit tells "too large" from "just fits". */
static int read_all(FILE *file, unsigned char **data, size_t *size)
{
	size_t limit = MOTION_TEXT_LIMIT + 1;
	unsigned char *bytes = malloc(limit);

	if (!bytes)
		return -ENOMEM;
	errno = 0;
	*size = fread(bytes, 1, limit, file);
	if (ferror(file)) {
		free(bytes);
		return errno ? -errno : -EIO;
	}
	if (*size == limit) {
		free(bytes);
		return -EFBIG;
	}
	*data = bytes;
	return 0;
}

static int read_file(const char *path, unsigned char **data, size_t *size)
{
	FILE *file = fopen(path, "rbe");
	int ret;

	if (!file)
		return -errno;
	ret = read_all(file, data, size);
	fclose(file);
	return ret;
}

static int parse(struct naohw_motion *motion, const unsigned char *data, size_t size,
		 struct naohw_error *err)
{
	if (page_text_probe(data, size))
		return page_text_load(motion, data, size, err);
	return page_binary_load(motion, data, size, err);
}

int naohw_motion_load(const char *path, struct naohw_motion **out, struct naohw_error *err)
{
	struct naohw_motion *motion;
	unsigned char *data = NULL;
	size_t size = 0;
	int ret;

	ret = read_file(path, &data, &size);
	if (ret == -EFBIG)
		return fail(err, ret, "%s: more than %u bytes, too large for a motion file", path,
			    MOTION_TEXT_LIMIT);
	if (ret < 0)
		return fail(err, ret, "%s: %s", path, error_text(ret));

	motion = calloc(1, sizeof(*motion));
	if (motion)
		motion->path = strdup(path);
	if (!motion || !motion->path)
		ret = fail(err, -ENOMEM, "%s: out of memory", path);
	else
		ret = parse(motion, data, size, err);
	free(data);
	if (ret < 0) {
		naohw_motion_free(motion);
		return ret;
	}
	*out = motion;
	return 0;
}

void naohw_motion_free(struct naohw_motion *motion)
{
	if (!motion)
		return;
	free(motion->path);
	free(motion);
}

const char *naohw_motion_path(const struct naohw_motion *motion)
{
	return motion->path;
}

int naohw_motion_is_text(const struct naohw_motion *motion)
{
	return motion->text;
}

const char *naohw_motion_checksum_fault(const struct naohw_motion *motion)
{
	return *motion->checksum_fault ? motion->checksum_fault : NULL;
}

unsigned int naohw_motion_page_count(const struct naohw_motion *motion)
{
	return motion->count;
}

int naohw_motion_get_page(const struct naohw_motion *motion, unsigned int number,
			  struct naohw_page *page)
{
	if (number >= motion->count)
		return -EINVAL;
	*page = motion->page[number].head;
	return 0;
}

int naohw_motion_get_step(const struct naohw_motion *motion, unsigned int number,
			  unsigned int index, struct naohw_step *step)
{
	if (number >= motion->count || index >= motion->page[number].head.steps)
		return -EINVAL;
	*step = motion->page[number].step[index];
	return 0;
}

const struct motion_page *motion_playable(const struct naohw_motion *motion, unsigned int number)
{
	if (number == 0 || number >= motion->count)
		return NULL;
	if (motion->page[number].head.state != NAOHW_PAGE_GOOD)
		return NULL;
	return &motion->page[number];
}

int motion_no_page(const struct naohw_motion *motion, const char *number, struct naohw_error *err)
{
	if (motion->count == 1)
		return fail(err, -ENOENT, "%s: page %s: this file has page 0 only, which never plays",
			    motion->path, number);
	return fail(err, -ENOENT, "%s: page %s: this file has pages 1 to %u", motion->path, number,
		    motion->count - 1);
}

static int find_by_number(const struct naohw_motion *motion, const char *text,
			  struct naohw_error *err)
{
	unsigned long number = strtoul(text, NULL, 10);

	if (number == 0 || number >= motion->count)
		return motion_no_page(motion, text, err);
	return (int)number;
}

static int find_by_name(const struct naohw_motion *motion, const char *name,
			struct naohw_error *err)
{
	int found = 0;

	for (unsigned int i = 1; i < motion->count; i++) {
		if (strcmp(motion->page[i].head.name, name) != 0)
			continue;
		if (found)
			return fail(err, -EINVAL,
				    "%s: pages %d and %u are both named \"%s\"; give the number",
				    motion->path, found, i, name);
		found = (int)i;
	}
	if (!found)
		return fail(err, -ENOENT, "%s: no page is named \"%s\"", motion->path, name);
	return found;
}

int naohw_motion_find_page(const struct naohw_motion *motion, const char *page,
			   struct naohw_error *err)
{
	size_t digits = strspn(page, "0123456789");

	if (*page == '\0')
		return fail(err, -ENOENT, "%s: the page's name is empty", motion->path);
	if (page[digits] == '\0')
		return find_by_number(motion, page, err);
	return find_by_name(motion, page, err);
}
