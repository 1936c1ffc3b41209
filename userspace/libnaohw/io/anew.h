/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Devices that stand for a bus of this machine, by their names: the kernel registers them anew now
 * and then, and with them goes whatever libiio has seen of them.
 */
#ifndef NAOHW_ANEW_H
#define NAOHW_ANEW_H

#include <stdbool.h>
#include <stddef.h>

/* How far one is. udev lets a program use it a while after it has come. */
enum anew {
	ANEW_NOT_THERE, /* or about to be registered anew */
	ANEW_THERE,
	ANEW_READY, /* and this program may write what root may */
};

/* @name: "dxl0-goal". @option is an attribute that is to have @value; NULL: whatever it has. */
enum anew anew_look(const char *name, const char *option, const char *value);

/* An attribute of the one that is there now. As sysfs_read() and sysfs_write(). */
int anew_read(const char *name, const char *attribute, char *text, size_t size);
int anew_write(const char *name, const char *attribute, const char *text);

#endif
