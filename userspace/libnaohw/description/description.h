/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A Device.xml as a sorted list of keys with their constant values. */
#ifndef NAOHW_DESCRIPTION_H
#define NAOHW_DESCRIPTION_H

#include <stdbool.h>
#include <stddef.h>

#include <naohw.h>

#define SUBDEVICE_PREFIX "Device/SubDeviceList/"

/* One leaf Preference: "Device/SubDeviceList/HeadYaw/Position/Sensor/Gain". */
struct preference {
	char *key;
	enum naohw_key_type type;
	char *text;    /* the value as written */
	double number; /* and as a number, unless it is a string */
	long line;
	size_t order;  /* a later one of the same key wins */
};

struct description {
	char *path;
	struct preference *list; /* sorted by key, each key once */
	size_t count;
	size_t capacity;
};

int description_load(const char *path, struct naohw_error *err, struct description **description);
void description_free(struct description *description);

/* The Preference "@prefix/@name", or NULL. */
const struct preference *description_find(const struct description *description,
					  const char *prefix, const char *name);

/* The same, but also looked for at each level above @prefix. */
const struct preference *description_inherit(const struct description *description,
					     const char *prefix, const char *name);

#endif
