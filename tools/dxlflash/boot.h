/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The dialogue with the board's boot loader, each part 0 or -1 after saying what is wrong. */
#ifndef DXLFLASH_BOOT_H
#define DXLFLASH_BOOT_H

#include "image.h"
#include "port.h"

struct boot {
	struct port *port;
	char text[512];		/* what has been said last */
	size_t len;
	char board[BOARD_MAX];
	char version[BOARD_MAX];
};

/* Nobody else may be talking there: a bus would hear all that follows. */
int boot_listen(struct boot *boot);

/* Until the boot loader has told its name, or so many seconds */
int boot_call(struct boot *boot, int seconds);

/* It waits for commands, and nothing has been written yet. */
int boot_ready(struct boot *boot);

/* It waits for an image, for which it may have erased what it had. */
int boot_prepare(struct boot *boot);

/* What it has got so far is told to @progress, in bytes. */
int boot_load(struct boot *boot, const struct image *image, void (*progress)(size_t bytes));

int boot_go(struct boot *boot);

#endif
