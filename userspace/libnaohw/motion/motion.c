// SPDX-License-Identifier: LGPL-2.1-or-later
#include "motion.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"

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
	int ret = motion_check_kind(motion->path, data, size, err);

	if (ret < 0)
		return ret;
	if (page_text_probe(data, size))
		return page_text_load(motion, data, size, err);
	return page_binary_load(motion, data, size, err);
}

static struct naohw_motion *new_motion(const char *path)
{
	struct naohw_motion *motion = calloc(1, sizeof(*motion));

	if (!motion)
		return NULL;
	motion->path = strdup(path);
	if (motion->path)
		return motion;
	free(motion);
	return NULL;
}

static int too_large(const char *path, struct naohw_error *err)
{
	return fail(err, -EFBIG, "%s: more than %u bytes, too large for a motion file", path,
		    MOTION_TEXT_LIMIT);
}

int naohw_motion_read(const char *name, const void *bytes, size_t size, struct naohw_motion **out,
		      struct naohw_error *err)
{
	struct naohw_motion *motion;
	int ret;

	if (size > MOTION_TEXT_LIMIT)
		return too_large(name, err);
	motion = new_motion(name);
	if (!motion)
		return fail(err, -ENOMEM, "%s: out of memory", name);
	ret = parse(motion, bytes, size, err);
	if (ret < 0) {
		naohw_motion_free(motion);
		return ret;
	}
	*out = motion;
	return 0;
}

int naohw_motion_load(const char *path, struct naohw_motion **motion, struct naohw_error *err)
{
	unsigned char *data = NULL;
	size_t size = 0;
	int ret = read_file(path, &data, &size);

	if (ret == -EFBIG)
		return too_large(path, err);
	if (ret < 0)
		return fail(err, ret, "%s: %s", path, file_error_text(ret));
	ret = naohw_motion_read(path, data, size, motion, err);
	free(data);
	return ret;
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

const struct naohw_page *naohw_motion_page(const struct naohw_motion *motion, unsigned int number)
{
	return number < motion->count ? &motion->page[number] : NULL;
}

const struct naohw_page *motion_playable(const struct naohw_motion *motion, unsigned int number)
{
	if (number == 0 || number >= motion->count)
		return NULL;
	return motion->page[number].state == NAOHW_PAGE_GOOD ? &motion->page[number] : NULL;
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
			  unsigned int *number, struct naohw_error *err)
{
	unsigned long found = strtoul(text, NULL, 10);

	if (found == 0 || found >= motion->count)
		return motion_no_page(motion, text, err);
	*number = (unsigned int)found;
	return 0;
}

static int no_such_name(const struct naohw_motion *motion, const char *name,
			struct naohw_error *err)
{
	struct nearest nearest = nearest_to(name);

	for (unsigned int i = 1; i < motion->count; i++)
		if (motion->page[i].state == NAOHW_PAGE_GOOD)
			(void)nearest_try(&nearest, motion->page[i].name);
	return fail(err, -ENOENT,
		    "%s: no page is named \"%s\"%s%s; \"naohw pages FILE\" shows all",
		    motion->path, name, nearest_words(&nearest), nearest_name(&nearest));
}

static int find_by_name(const struct naohw_motion *motion, const char *name, unsigned int *number,
			struct naohw_error *err)
{
	unsigned int found = 0;

	for (unsigned int i = 1; i < motion->count; i++) {
		if (strcmp(motion->page[i].name, name) != 0)
			continue;
		if (found)
			return fail(err, -EINVAL,
				    "%s: pages %u and %u are both named \"%s\"; give the number",
				    motion->path, found, i, name);
		found = i;
	}
	if (!found)
		return no_such_name(motion, name, err);
	*number = found;
	return 0;
}

int naohw_motion_find_page(const struct naohw_motion *motion, const char *text,
			   unsigned int *number, struct naohw_error *err)
{
	size_t digits = strspn(text, "0123456789");

	if (*text == '\0')
		return fail(err, -ENOENT, "%s: the page's name is empty", motion->path);
	if (text[digits] == '\0')
		return find_by_number(motion, text, number, err);
	return find_by_name(motion, text, number, err);
}
