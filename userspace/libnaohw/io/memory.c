// SPDX-License-Identifier: LGPL-2.1-or-later
#include "memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attribute.h"
#include "find.h"

/* No cell is longer. */
#define CELL_MAX 4096

/* As the directory "cells" has it: "nick-name@18,0" */
struct cell {
	char file[NAME_MAX + 1];
	unsigned int offset; /* in the whole */
	unsigned int bit;    /* it begins with, of that byte */
	size_t size;
};

/* By a kernel before 6.8, which shows no cells: NAO's chest has a memory, and no other board. */
static const struct {
	const char *name;
	unsigned int offset;
	size_t size;
} untold[] = {
	{ "body-id", 0, 24 },
	{ "nick-name", 24, 24 },
	{ "body-a", 176, 4096 },
	{ "body-b", 4272, 4096 },
};

/* --- which board's --- */

static bool has_label(struct udev_device *iio, const void *what)
{
	const char *label = udev_device_get_sysattr_value(iio, "label");

	return label && strcmp(label, what) == 0;
}

/* It has no label itself, but what the same board measures has. */
static bool is_labelled(struct udev_device *device, const void *what)
{
	const struct find iio = { .subsystem = "iio", .fits = has_label, .what = what };
	struct udev_device *board = udev_device_get_parent(device);

	if (strcmp(udev_device_get_sysname(device), what) == 0)
		return true;
	return board && find_below(board, &iio);
}

int memory_open(struct memory *memory, const char *label)
{
	const struct find find = { .subsystem = "nvmem", .fits = is_labelled, .what = label };
	int dir = find_directory(&find);

	memory->dir = dir < 0 ? -1 : dir;
	return dir < 0 ? dir : 0;
}

void memory_close(struct memory *memory)
{
	if (memory->dir >= 0)
		close(memory->dir);
	memory->dir = -1;
}

/* --- its cells --- */

/* Is that file the one of the cell? "NAME@OFFSET,BIT", both hexadecimal */
static bool is_cell(const char *file, const char *name, struct cell *cell)
{
	size_t length = strlen(name);
	int end = 0;

	if (strncmp(file, name, length) != 0)
		return false;
	return sscanf(file + length, "@%8x,%2x%n", &cell->offset, &cell->bit, &end) == 2 &&
	       file[length + end] == '\0' && end > 0;
}

static int look_for(DIR *cells, const char *name, struct cell *cell)
{
	struct dirent *entry;

	while ((entry = readdir(cells))) {
		if (!is_cell(entry->d_name, name, cell))
			continue;
		strcpy(cell->file, entry->d_name);
		return 0;
	}
	return -ENOENT;
}

static int open_cells(const struct memory *memory)
{
	int dir = openat(memory->dir, "cells", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (dir >= 0)
		return dir;
	if (errno != ENOENT)
		return -errno;
	return attribute_missing(memory->dir) == -ENODEV ? -ENODEV : -ENODATA;
}

/* The file of a cell, for close(); where that is in the whole is in @cell. */
static int open_cell_in(DIR *cells, const char *name, struct cell *cell)
{
	struct stat found;
	int ret = look_for(cells, name, cell);
	int fd;

	if (ret < 0)
		return ret;
	fd = openat(dirfd(cells), cell->file, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT ? -ENODEV : -errno;
	if (fstat(fd, &found) < 0 || found.st_size <= 0 || found.st_size > CELL_MAX) {
		close(fd);
		return -EPROTO;
	}
	cell->size = (size_t)found.st_size;
	return fd;
}

static int open_cell(const struct memory *memory, const char *name, struct cell *cell)
{
	DIR *cells;
	int dir, ret;

	if (!*name || strpbrk(name, "/@"))
		return -EINVAL;
	dir = open_cells(memory);
	if (dir < 0)
		return dir;
	cells = fdopendir(dir);
	if (!cells) {
		ret = -errno;
		close(dir);
		return ret;
	}
	ret = open_cell_in(cells, name, cell);
	closedir(cells);
	return ret;
}

/* --- the whole --- */

/* All that is asked for, however many pieces it comes in */
static int read_whole(int fd, char *data, size_t size, unsigned int offset)
{
	size_t at = 0;

	while (at < size) {
		ssize_t length = pread(fd, data + at, size - at, (off_t)(offset + at));

		if (length < 0)
			return -errno;
		if (length == 0)
			return -EIO;
		at += (size_t)length;
	}
	return 0;
}

static int open_whole(const struct memory *memory, int flags)
{
	int fd = openat(memory->dir, "nvmem", flags | O_CLOEXEC);

	if (fd >= 0)
		return fd;
	return errno == ENOENT ? attribute_missing(memory->dir) : -errno;
}

int memory_read_at(const struct memory *memory, unsigned int offset, void *data, size_t size)
{
	int fd = open_whole(memory, O_RDONLY);
	int ret;

	if (fd < 0)
		return fd;
	ret = read_whole(fd, data, size, offset);
	close(fd);
	return ret;
}

/* Cells can only be read, but the whole can be written. */
int memory_write_at(const struct memory *memory, unsigned int offset, const void *data,
		    size_t size)
{
	int fd = open_whole(memory, O_WRONLY);
	ssize_t written;
	int ret = 0;

	if (fd < 0)
		return fd;
	written = pwrite(fd, data, size, (off_t)offset);
	if (written < 0)
		ret = -errno;
	else if ((size_t)written < size)
		ret = -EIO;
	close(fd);
	return ret;
}

/* --- where a cell is --- */

/* 0: there is none any more. */
static size_t size_of(const struct memory *memory)
{
	struct stat found;

	return fstatat(memory->dir, "nvmem", &found, 0) == 0 ? (size_t)found.st_size : 0;
}

/* Old firmware has a shorter memory, without what is behind its end. */
static int locate_untold(const struct memory *memory, const char *name, unsigned int *offset,
			 size_t *size)
{
	for (size_t i = 0; i < sizeof(untold) / sizeof(untold[0]); i++) {
		if (strcmp(untold[i].name, name) != 0 ||
		    untold[i].offset + untold[i].size > size_of(memory))
			continue;
		*offset = untold[i].offset;
		*size = untold[i].size;
		return 0;
	}
	return attribute_missing(memory->dir);
}

int memory_locate(const struct memory *memory, const char *cell, unsigned int *offset,
		  size_t *size)
{
	struct cell found;
	int fd = open_cell(memory, cell, &found);

	if (fd == -ENODATA)
		return locate_untold(memory, cell, offset, size);
	if (fd < 0)
		return fd;
	close(fd);
	*offset = found.offset;
	*size = found.size;
	return found.bit ? -EOPNOTSUPP : 0;
}

/* --- text --- */

int memory_read(const struct memory *memory, const char *cell, char *text, size_t size)
{
	char data[CELL_MAX];
	unsigned int offset;
	size_t room, length;
	int ret = memory_locate(memory, cell, &offset, &room);

	if (ret == 0)
		ret = memory_read_at(memory, offset, data, room);
	if (ret < 0)
		return ret;
	length = strnlen(data, room);
	if (length >= size)
		return -EMSGSIZE;
	memcpy(text, data, length);
	text[length] = '\0';
	return 0;
}

int memory_write(const struct memory *memory, const char *cell, const char *text)
{
	size_t length = strlen(text);
	unsigned int offset;
	size_t room;
	int ret = memory_locate(memory, cell, &offset, &room);

	if (ret < 0)
		return ret;
	if (length > room)
		return -EMSGSIZE;
	return memory_write_at(memory, offset, text, length < room ? length + 1 : length);
}
