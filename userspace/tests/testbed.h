/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Devices that are none: umockdev's /sys and /dev, in which the library looks while the test is
 * run by umockdev-wrapper. One at a time.
 */
#ifndef NAOHW_TESTBED_H
#define NAOHW_TESTBED_H

#include <stddef.h>

/* For cmocka: nothing is there; nothing is there any more. */
int testbed_begin(void **state);
int testbed_end(void **state);

/*
 * Add a device below @parent, if that is not NULL; its path in /sys, which stays. @attributes are
 * its files, NAME, TEXT, ..., NULL. @node is that in /dev, or NULL. Who listens is told.
 */
const char *testbed_add(const char *subsystem, const char *name, const char *parent,
			const char *const *attributes, const char *node);
/* With all below it; who listens is told. */
void testbed_remove(const char *path);
/* Tell that @action is what has happened to it. */
void testbed_tell(const char *path, const char *action);

/* A file of a device, which may be in a directory there; the path is good until the next call. */
void testbed_write(const char *path, const char *file, const void *data, size_t size);
void testbed_put(const char *path, const char *file, const char *text);
const char *testbed_file(const char *path, const char *file);

/* The whole of it, with a NUL; good until the next call. */
const char *testbed_get(const char *path, const char *file);

#endif
