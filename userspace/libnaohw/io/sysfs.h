/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * IIO devices of this machine by their directories. The number of one that has been taken
 * away is given to the next that comes; its directory, once open, is never another one's.
 */
#ifndef NAOHW_SYSFS_H
#define NAOHW_SYSFS_H

#include <stdbool.h>
#include <stddef.h>

/* A directory for close(), or a negative errno. @iio_id is "iio:device3". */
int sysfs_open(const char *iio_id);

/* The same of the one called @name, and its ID, for which @id has this size. -ENODEV: none is. */
#define SYSFS_ID_SIZE 32
int sysfs_find(const char *name, char *id);

/*
 * May this program write all files that root may, in a directory of it (".": itself)? But for
 * what the kernel has there of all devices.
 */
bool sysfs_may_be_written(int dir, const char *below);

/* The number of the bus that it is on; -ENXIO: it is on none of ours. */
int sysfs_bus(int dir, unsigned int *number);

/* Is one of the directories that it is in called so? */
bool sysfs_is_below(int dir, const char *name);

/* A file of that, with its NUL and no line end; -ENODEV: the device is gone. */
int sysfs_read(int dir, const char *file, char *text, size_t size);
/* The same with all of its lines and their ends. */
int sysfs_read_lines(int dir, const char *file, char *text, size_t size);
int sysfs_write(int dir, const char *file, const char *text);

/*
 * Keep this library's other users from the device's buffer: a file for close(), which ends
 * that, as the program's end does. -EBUSY: somebody has locked it, who need not be one.
 */
int sysfs_lock_buffer(int dir);

#endif
