/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Files of a device by its directory, which is held open. Besides what sysfs.h says: which file
 * it is comes from a description, so there may be none of that name, and what is longer than
 * there is room for is refused instead of being cut.
 */
#ifndef NAOHW_ATTRIBUTE_H
#define NAOHW_ATTRIBUTE_H

#include <stddef.h>

/*
 * 0, or: -ENODEV, the device is gone. -ENOENT: it has no such file. -EINVAL: @file is no name
 * of a file in there. -EMSGSIZE: @text is too small. What the kernel says otherwise, which of a
 * value that it does not know is -ENODATA. The text has no line end.
 */
int attribute_read(int dir, const char *file, char *text, size_t size);

/* The same as a number; -EPROTO: it is none. */
int attribute_read_number(int dir, const char *file, double *value);
int attribute_read_count(int dir, const char *file, unsigned int *value);

int attribute_write_count(int dir, const char *file, unsigned int value);

/* What is said where a file of the directory was missing: -ENODEV or -ENOENT. */
int attribute_missing(int dir);

#endif
