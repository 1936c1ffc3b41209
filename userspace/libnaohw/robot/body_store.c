// SPDX-License-Identifier: LGPL-2.1-or-later
#include "body_store.h"

#include <endian.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "../base/base.h"
#include "../io/io.h"

#define MAGIC	    0x424f414e /* "NAOB" */
#define VERSION	    1
#define FLAG_ZLIB   1
#define PAGE	    32 /* what the board writes in one, and a cut of its power may garble */
#define PACKED_SIZE (BODY_COPY - sizeof(struct header))

struct header {
	uint32_t magic;
	uint16_t version;
	uint16_t flags;
	uint32_t generation;
	uint32_t length;
	uint32_t crc; /* of what is before it, and of the data */
};

struct copy {
	struct header header; /* as the board has it */
	unsigned char data[PACKED_SIZE];
};

struct board {
	struct memory memory;
	unsigned int offset[2];
};

/* --- one copy --- */

static uint32_t crc_of(const struct copy *copy)
{
	uLong crc = crc32(0, (const Bytef *)&copy->header, offsetof(struct header, crc));

	return (uint32_t)crc32(crc, copy->data, le32toh(copy->header.length));
}

static bool is_plausible(const struct header *header)
{
	return le32toh(header->magic) == MAGIC && le16toh(header->version) == VERSION &&
	       le16toh(header->flags) == FLAG_ZLIB && le32toh(header->length) <= PACKED_SIZE;
}

static size_t size_of(const struct copy *copy)
{
	return sizeof(copy->header) + le32toh(copy->header.length);
}

static int pack(struct copy *copy, const struct content *text, uint32_t generation)
{
	uLongf length = sizeof(copy->data);

	if (text->size > BODY_TEXT)
		return -EFBIG;
	memset(copy, 0, sizeof(*copy));
	if (compress2(copy->data, &length, (const Bytef *)text->data, text->size,
		      Z_BEST_COMPRESSION) != Z_OK)
		return -EFBIG;
	copy->header.magic = htole32(MAGIC);
	copy->header.version = htole16(VERSION);
	copy->header.flags = htole16(FLAG_ZLIB);
	copy->header.generation = htole32(generation);
	copy->header.length = htole32((uint32_t)length);
	copy->header.crc = htole32(crc_of(copy));
	return 0;
}

static int unpack(const struct copy *copy, struct content *text)
{
	uLongf size = BODY_TEXT;

	text->data = malloc(size);
	if (!text->data)
		return -ENOMEM;
	if (uncompress((Bytef *)text->data, &size, copy->data, le32toh(copy->header.length)) !=
	    Z_OK) {
		content_free(text);
		return -EBADMSG;
	}
	text->size = size;
	return 0;
}

/* --- the board --- */

static int locate(struct board *board, const char *name, unsigned int which)
{
	char cell[NAME_MAX + 1];
	size_t size;
	int ret;

	if (snprintf(cell, sizeof(cell), "%s-%c", name, 'a' + (int)which) >= (int)sizeof(cell))
		return -EINVAL;
	ret = memory_locate(&board->memory, cell, &board->offset[which], &size);
	return ret == 0 && size != BODY_COPY ? -EPROTO : ret;
}

/* A board that keeps no copies is none. */
static int open_board(struct board *board, const char *label, const char *name)
{
	int ret = memory_open(&board->memory, label);

	for (unsigned int i = 0; i < 2 && ret == 0; i++)
		ret = locate(board, name, i);
	if (ret == 0)
		return 0;
	memory_close(&board->memory);
	return ret == -ENOENT ? -ENODEV : ret;
}

/* Is that copy whole? 1, 0, or a negative errno */
static int read_copy(const struct board *board, unsigned int which, struct copy *copy)
{
	int ret = memory_read_at(&board->memory,
				 board->offset[which] + (unsigned int)sizeof(copy->header),
				 copy->data, le32toh(copy->header.length));

	return ret < 0 ? ret : le32toh(copy->header.crc) == crc_of(copy);
}

/* As the board was made: nothing has been written there. */
static bool is_blank(const struct header *header)
{
	const unsigned char *bytes = (const unsigned char *)header;

	return (bytes[0] == 0 || bytes[0] == 0xff) &&
	       memcmp(bytes, bytes + 1, sizeof(*header) - 1) == 0;
}

/* Generations are counted round and round. */
static bool is_later(const struct header *one, const struct header *other)
{
	return (int32_t)(le32toh(one->generation) - le32toh(other->generation)) > 0;
}

/* Which of the two holds; else as read() of a body_store. Of the other only the header is read. */
static int read_newest(const struct board *board, struct copy *copy)
{
	struct header header[2];
	unsigned int first;

	for (unsigned int i = 0; i < 2; i++) {
		int ret = memory_read_at(&board->memory, board->offset[i], &header[i],
					 sizeof(header[i]));

		if (ret < 0)
			return ret;
	}
	first = !is_plausible(&header[0]) || is_later(&header[1], &header[0]);
	for (unsigned int i = 0; i < 2; i++) {
		unsigned int which = first ^ i;
		int ret;

		copy->header = header[which];
		ret = is_plausible(&copy->header) ? read_copy(board, which, copy) : 0;
		if (ret)
			return ret < 0 ? ret : (int)which;
	}
	return is_blank(&header[0]) && is_blank(&header[1]) ? -ENODATA : -EUCLEAN;
}

/* The copy that does not hold: 0: it is whole, or blank; 1: it is broken. */
static int check_other(const struct board *board, unsigned int which)
{
	struct copy copy;
	int ret = memory_read_at(&board->memory, board->offset[which], &copy.header,
				 sizeof(copy.header));

	if (ret < 0)
		return ret;
	if (!is_plausible(&copy.header))
		return !is_blank(&copy.header);
	ret = read_copy(board, which, &copy);
	return ret < 0 ? ret : !ret;
}

/* The header's page comes last: a copy that was cut is none. */
static int write_copy(const struct board *board, unsigned int which, const struct copy *copy)
{
	const char *bytes = (const char *)copy;
	unsigned int at = board->offset[which];
	size_t size = size_of(copy);
	int ret = 0;

	if (size > PAGE)
		ret = memory_write_at(&board->memory, at + PAGE, bytes + PAGE, size - PAGE);
	return ret < 0 ? ret : memory_write_at(&board->memory, at, bytes, PAGE);
}

static int check_copy(const struct board *board, unsigned int which, const struct copy *copy)
{
	struct copy written;
	int ret = memory_read_at(&board->memory, board->offset[which], &written, size_of(copy));

	if (ret < 0)
		return ret;
	return memcmp(&written, copy, size_of(copy)) == 0 ? 0 : -EIO;
}

static int write_next(const struct board *board, const struct content *text)
{
	struct copy copy;
	int newest = read_newest(board, &copy);
	uint32_t generation = newest < 0 ? 0 : le32toh(copy.header.generation) + 1;
	unsigned int which = newest == 0;
	int ret;

	if (newest < 0 && newest != -ENODATA && newest != -EUCLEAN)
		return newest;
	ret = pack(&copy, text, generation);
	if (ret == 0)
		ret = write_copy(board, which, &copy);
	if (ret == 0)
		ret = check_copy(board, which, &copy);
	/* Now the other one is broken still. */
	return ret == 0 && newest == -EUCLEAN ? write_next(board, text) : ret;
}

/* --- for descriptions --- */

static int read_body(const char *label, const char *name, struct content *content)
{
	struct board board;
	struct copy copy;
	int which, ret = open_board(&board, label, name);

	if (ret < 0)
		return ret;
	which = read_newest(&board, &copy);
	memory_close(&board.memory);
	if (which < 0)
		return which;
	ret = unpack(&copy, content);
	return ret < 0 ? ret : which;
}

static int check_body(const char *label, const char *name, uint32_t *generation)
{
	struct board board;
	struct copy copy;
	int ret = open_board(&board, label, name);

	if (ret < 0)
		return ret;
	ret = read_newest(&board, &copy);
	if (ret >= 0) {
		*generation = le32toh(copy.header.generation);
		ret = check_other(&board, ret == 0);
	}
	memory_close(&board.memory);
	return ret;
}

static int write_body(const char *label, const char *name, const struct content *content,
		      struct naohw_error *err)
{
	struct board board;
	int ret = open_board(&board, label, name);

	if (ret < 0)
		return fail(err, ret, "%s:%s: %s", label, name,
			    ret == -ENODEV ? "no such board here" : error_text(ret));
	ret = write_next(&board, content);
	memory_close(&board.memory);
	if (ret == -EFBIG)
		return fail(err, ret,
			    "%s:%s: %zu bytes of text, expected no more than packed are %zu",
			    label, name, content->size, PACKED_SIZE);
	if (ret == -EBUSY)
		return fail(err, ret, "%s:%s: another program reads frames of its bus", label,
			    name);
	if (ret == -EACCES)
		return fail(err, ret, "%s:%s: only root may write it", label, name);
	return ret < 0 ? fail(err, ret, "%s:%s: %s", label, name, error_text(ret)) : 0;
}

const struct body_store body_store = {
	.read = read_body,
	.check = check_body,
	.write = write_body,
};

struct places body_places(const char *uri)
{
	struct places places = installed_places;

	if (!uri || text_begins_with(uri, "local:"))
		places.body = &body_store;
	return places;
}
