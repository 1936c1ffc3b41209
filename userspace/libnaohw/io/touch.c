// SPDX-License-Identifier: LGPL-2.1-or-later
#include "touch.h"

#include <stdio.h>
#include <string.h>

#include "attribute.h"
#include "sysfs.h"

/* All triggers of the machine, in a page */
#define LIST_SIZE 4097

/* In "none [Head-touch-front] timer", of which the one in brackets is the light's; or NULL. */
static const char *listed(const char *list, const char *trigger)
{
	size_t length = strlen(trigger);

	for (const char *at = list; (at = strstr(at, trigger)); at++)
		if ((at == list || strchr(" [", at[-1])) && strchr(" ]", at[length]))
			return at;
	return NULL;
}

/* A kernel without triggers has no such file. */
void touch_find(int dir, const char *label, const char *function,
		char trigger[TOUCH_TRIGGER_SIZE])
{
	char list[LIST_SIZE];
	int length = snprintf(trigger, TOUCH_TRIGGER_SIZE, "%s-touch-%.*s", label,
			      (int)strcspn(function, "-"), function);

	if (length >= TOUCH_TRIGGER_SIZE ||
	    attribute_read(dir, "trigger", list, sizeof(list)) < 0 || !listed(list, trigger))
		*trigger = '\0';
}

int touch_is_armed(int dir, const char *trigger)
{
	char list[LIST_SIZE];
	int ret = attribute_read(dir, "trigger", list, sizeof(list));
	const char *at = ret < 0 ? NULL : listed(list, trigger);

	if (ret < 0)
		return ret;
	return at && at > list && at[-1] == '[';
}

int touch_arm(int dir, const char *trigger)
{
	return sysfs_write(dir, "trigger", trigger);
}

int touch_disarm(int dir, const char *trigger)
{
	int ret = touch_is_armed(dir, trigger);

	return ret > 0 ? sysfs_write(dir, "trigger", "none") : ret;
}
