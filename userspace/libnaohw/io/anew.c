// SPDX-License-Identifier: LGPL-2.1-or-later
#include "anew.h"

#include <string.h>
#include <unistd.h>

#include "node.h"
#include "sysfs.h"

static bool is(int dir, const char *attribute, const char *value)
{
	char text[16];

	return sysfs_read(dir, attribute, text, sizeof(text)) == 0 && strcmp(text, value) == 0;
}

static bool may_be_used(int dir, const char *iio_id)
{
	return node_may_be_used(iio_id) && sysfs_may_be_written(dir, ".") &&
	       sysfs_may_be_written(dir, "buffer") && sysfs_may_be_written(dir, "scan_elements");
}

enum anew anew_look(const char *name, const char *option, const char *value)
{
	enum anew found = ANEW_NOT_THERE;
	char id[SYSFS_ID_SIZE];
	int dir = sysfs_find(name, id);

	if (dir < 0)
		return found;
	if (!is(dir, "stale", "1") && (!option || is(dir, option, value)))
		found = may_be_used(dir, id) ? ANEW_READY : ANEW_THERE;
	close(dir);
	return found;
}

int anew_read(const char *name, const char *attribute, char *text, size_t size)
{
	char id[SYSFS_ID_SIZE];
	int dir = sysfs_find(name, id);
	int ret;

	if (dir < 0)
		return dir;
	ret = sysfs_read(dir, attribute, text, size);
	close(dir);
	return ret;
}

int anew_write(const char *name, const char *attribute, const char *text)
{
	char id[SYSFS_ID_SIZE];
	int dir = sysfs_find(name, id);
	int ret;

	if (dir < 0)
		return dir;
	ret = sysfs_write(dir, attribute, text);
	close(dir);
	return ret;
}
