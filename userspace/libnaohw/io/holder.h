/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Who has a device, for messages: this library's users lock what they take, and the kernel tells
 * everybody who has locked it.
 */
#ifndef NAOHW_IO_HOLDER_H
#define NAOHW_IO_HOLDER_H

#include <stdbool.h>

#include <naohw.h>

/*
 * Of the buffer of the IIO device with that directory, or of a bus's lease: add the program to the
 * message, " (naohwd, process 4711)". Return: is it known?
 */
bool holder_tell_buffer(int dir, struct naohw_error *err);
bool holder_tell_lease(unsigned int bus, struct naohw_error *err);

#endif
