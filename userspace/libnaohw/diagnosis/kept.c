// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kept.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../common/robot_name.h"

char *kept_path(const char *robot)
{
	const char *directory = secure_getenv("STATE_DIRECTORY");
	int length;
	const char *name = robot_name(robot, &length);
	char *path;

	if (asprintf(&path, "%s/%.*s.faults", directory ? directory : NAOHW_STATE, length, name) < 0)
		return NULL;
	return path;
}

void kept_read(const char *path, struct content *content)
{
	*content = (struct content){ 0 };
	if (content_read(path, content) < 0)
		*content = (struct content){ 0 };
}

bool kept_has(const struct content *content, const char *label)
{
	size_t length = strlen(label);

	for (size_t at = 0; at < content->size;) {
		const char *line = content->data + at;
		const char *end = memchr(line, '\n', content->size - at);
		size_t size = end ? (size_t)(end - line) : content->size - at;

		if (size == length && memcmp(line, label, length) == 0)
			return true;
		at += size + 1;
	}
	return false;
}

int kept_write(const char *path, const struct content *content)
{
	struct replacement replacement;
	int ret = replacement_begin(&replacement, path);

	if (ret < 0)
		return ret;
	/* It is not read before: whoever has the directory replaces the file, also one that root has left there. */
	ret = replacement_write(&replacement, content);
	replacement_end(&replacement);
	return ret;
}
