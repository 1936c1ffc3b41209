/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finding what is no IIO device of ours: libudev looks through /sys, for which no udevd has to
 * run. Each call looks anew and keeps nothing, so any thread may call. It reads files of devices
 * that it has to tell apart, none of which asks a board.
 */
#ifndef NAOHW_FIND_H
#define NAOHW_FIND_H

#include <stdbool.h>
#include <stddef.h>

#include <libudev.h>

/* Of a path of /sys or /dev, with its NUL */
#define FIND_PATH_SIZE 512

struct find {
	const char *subsystem;
	const char *name; /* a pattern for the device's own name; find_quote() helps */
	const char *label; /* what its file "label" says, with a name; or NULL */
	/* Is it that one? NULL: whoever has the name is. */
	bool (*fits)(struct udev_device *device, const void *what);
	const void *what;
	const char *above; /* not it is meant, but what is above it in this subsystem; or NULL */
};

/*
 * The one device that there is: its directory, for close(), which once open is never another
 * one's; or the path of its node in /dev. -ENODEV: there is none. -ENOTUNIQ: there are several,
 * and which of them is meant cannot be told. -ENOENT: it has no node. Or why /sys cannot be read.
 */
int find_directory(const struct find *find);
int find_node(const struct find *find, char *path, size_t size);

/* Is one of these below @parent? */
bool find_below(struct udev_device *parent, const struct find *find);

/*
 * @text as a pattern that fits nothing else, behind what is in @pattern, and behind it @rest, as it is;
 * -ENAMETOOLONG.
 */
int find_quote(char *pattern, size_t size, const char *text, const char *rest);

#endif
