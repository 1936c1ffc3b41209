// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <zlib.h>

#include "image.h"

/* What an image of ours has in it, with the board's name and ';' behind it. */
#define MARK		"naohw-image:"

/* CRC-32 and length of what is before, as `build` has put them there: the end of a gzip file */
#define TRAILER		8

/* From there on the CM-510 keeps its owner's motions. */
#define IMAGE_MAX	0x1e000

static int say(const char *path, const char *what)
{
	fprintf(stderr, "dxlflash: %s: %s\n", path, what);

	return -1;
}

static int read_all(struct image *image, const char *path)
{
	FILE *file = fopen(path, "rbe");
	bool failed;

	if (!file)
		return say(path, strerror(errno));
	image->len = fread(image->bytes, 1, IMAGE_MAX + 1, file);
	failed = ferror(file);
	fclose(file);
	if (failed)
		return say(path, "cannot be read");
	if (!image->len)
		return say(path, "is empty");
	if (image->len > IMAGE_MAX) {
		fprintf(stderr,
			"dxlflash: %s: has more than the %d bytes that are in front of the board's motions\n",
			path, IMAGE_MAX);
		return -1;
	}

	return 0;
}

/* What those have who took another file of the same name; one of ours has the mark, too. */
static int check_kind(const struct image *image, const char *path)
{
	if (image->len > 4 && !memcmp(image->bytes, "\x7f" "ELF", 4))
		return say(path, "is an ELF file, expected the image that was made of it: cm-510.bin");
	if (image->bytes[0] == ':')
		return say(path, "is a hex file, expected bytes as they are: cm-510.bin");

	return 0;
}

static uint32_t number_at(const uint8_t *bytes)
{
	return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static int check_whole(const struct image *image, const char *path)
{
	size_t len = image->len - TRAILER;

	if (image->len > TRAILER && number_at(image->bytes + len + 4) == len &&
	    number_at(image->bytes + len) == crc32(0, image->bytes, len))
		return 0;
	fprintf(stderr, "dxlflash: %s: is cut off or damaged: its %zu bytes do not end in their sum\n",
		path, image->len);

	return -1;
}

static int find_board(struct image *image, const char *path)
{
	const uint8_t *mark = memmem(image->bytes, image->len, MARK, strlen(MARK));
	const uint8_t *name, *end;

	if (!mark)
		return say(path, "is no firmware of naohw's for a board, expected cm-510.bin");
	name = mark + strlen(MARK);
	end = memchr(name, ';', image->bytes + image->len - name);
	if (!end || end == name || end - name >= BOARD_MAX)
		return say(path, "does not say for which board it is");
	memcpy(image->board, name, end - name);
	image->board[end - name] = '\0';

	return 0;
}

int image_read(struct image *image, const char *path)
{
	memset(image, 0, sizeof(*image));
	image->bytes = malloc(IMAGE_MAX + 1);
	if (!image->bytes)
		return say(path, strerror(ENOMEM));
	if (read_all(image, path) || check_kind(image, path) || find_board(image, path) ||
	    check_whole(image, path)) {
		image_free(image);
		return -1;
	}

	return 0;
}

void image_free(struct image *image)
{
	free(image->bytes);
	image->bytes = NULL;
}

/* The next letter or digit, in lower case */
static int next(const char **text)
{
	while (**text && !isalnum((unsigned char)**text))
		(*text)++;

	return **text ? tolower((unsigned char)*(*text)++) : '\0';
}

/* "CM-510", "CM510" and "cm 510" are one. */
int image_fits(const struct image *image, const char *board)
{
	const char *ours = image->board;
	int letter;

	do {
		letter = next(&ours);
		if (letter != next(&board))
			return 0;
	} while (letter);

	return 1;
}
