/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The firmware that is to be loaded, and for which board it is. */
#ifndef DXLFLASH_IMAGE_H
#define DXLFLASH_IMAGE_H

#include <stddef.h>
#include <stdint.h>

#define BOARD_MAX	16

struct image {
	uint8_t *bytes;
	size_t len;
	char board[BOARD_MAX];	/* as "cm-510" */
};

/* 0, or -1 after saying what is wrong. */
int image_read(struct image *image, const char *path);
void image_free(struct image *image);

/* Is that what a boot loader calls the board? */
int image_fits(const struct image *image, const char *board);

#endif
