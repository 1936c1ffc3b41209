/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a board keeps without power, of the kernel's nvmem: its cells, by name. Where each is, and
 * how long, the kernel says; for one before 6.8, which does not, they are those of NAO's chest.
 *
 * Reading asks the board. Writing keeps the caller waiting for as long as the board writes, which
 * on a NAO's chest is 9 ms a byte; so that is for a thread that may. Any may, at any time.
 */
#ifndef NAOHW_MEMORY_H
#define NAOHW_MEMORY_H

#include <stddef.h>

struct memory {
	int dir; /* its directory; -1: closed */
};

/*
 * The memory of the board with that label, or of the board that is called @label ("0-200") as it
 * has none. -ENODEV: there is none. -ENOTUNIQ: there are several.
 */
int memory_open(struct memory *memory, const char *label);
void memory_close(struct memory *memory);

/*
 * The text in the cell @cell, "body-id", up to its NUL if it has one. -ENODEV: the board is gone.
 * -ENOENT: there is no such cell. -EMSGSIZE: @text is too small for it. -EOPNOTSUPP: the cell is no
 * whole bytes. -EINVAL: @cell is no name of one. What else the kernel says.
 */
int memory_read(const struct memory *memory, const char *cell, char *text, size_t size);

/*
 * The same written, and a NUL behind it if there is room. -EMSGSIZE: it is longer than the cell,
 * of which nothing is written then. -EIO: the board has not taken all of it. -EACCES: only root may,
 * if nobody has changed that.
 */
int memory_write(const struct memory *memory, const char *cell, const char *text);

/*
 * Where that cell is in the whole, and its size: as memory_read(). What is there is read and written
 * by the next two, all of it or -EIO.
 */
int memory_locate(const struct memory *memory, const char *cell, unsigned int *offset,
		  size_t *size);
int memory_read_at(const struct memory *memory, unsigned int offset, void *data, size_t size);
int memory_write_at(const struct memory *memory, unsigned int offset, const void *data,
		    size_t size);

#endif
