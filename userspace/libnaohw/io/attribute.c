// SPDX-License-Identifier: LGPL-2.1-or-later
#include "attribute.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/base.h"
#include "sysfs.h"

#define NUMBER_SIZE 64

/* No way out of the directory; "statistics/ack" is in it. */
static bool is_name(const char *file)
{
	const char *slash;

	while ((slash = strchr(file, '/'))) {
		if (*file == '.' || slash == file)
			return false;
		file = slash + 1;
	}
	return *file && *file != '.';
}

/* Every device of /sys has this file; only one that is gone has none. */
int attribute_missing(int dir)
{
	return faccessat(dir, "uevent", F_OK, 0) == 0 ? -ENOENT : -ENODEV;
}

int attribute_read(int dir, const char *file, char *text, size_t size)
{
	int ret;

	if (!is_name(file))
		return -EINVAL;
	ret = sysfs_read(dir, file, text, size);
	if (ret == -ENODEV)
		return attribute_missing(dir);
	if (ret < 0)
		return ret;
	/* It may end here by chance, but nobody can tell. */
	return strlen(text) == size - 1 ? -EMSGSIZE : 0;
}

int attribute_read_number(int dir, const char *file, double *value)
{
	char text[NUMBER_SIZE];
	int ret = attribute_read(dir, file, text, sizeof(text));

	if (ret < 0)
		return ret == -EMSGSIZE ? -EPROTO : ret;
	return number_parse(text, value) ? 0 : -EPROTO;
}

int attribute_read_count(int dir, const char *file, unsigned int *value)
{
	double number;
	int ret = attribute_read_number(dir, file, &number);

	if (ret < 0)
		return ret;
	if (!(number >= 0 && number <= UINT_MAX))
		return -EPROTO;
	*value = (unsigned int)number;
	return 0;
}

int attribute_write_count(int dir, const char *file, unsigned int value)
{
	char text[NUMBER_SIZE];
	int ret;

	snprintf(text, sizeof(text), "%u", value);
	ret = sysfs_write(dir, file, text);
	return ret == -ENODEV ? attribute_missing(dir) : ret;
}
