/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A file that changes in one step: others see the old one or the new one, whatever happens. */
#ifndef NAOHW_REPLACE_H
#define NAOHW_REPLACE_H

#include <stdbool.h>
#include <sys/stat.h>

#include "content.h"

/* A file that nobody else replaces meanwhile. */
struct replacement {
	int directory; /* locked */
	char *name;    /* of the file in it */
	bool there;    /* as it was read: whether, and what it was */
	struct stat old;
};

/*
 * Make the directory if it is missing, and wait up to 5 s for others to be done with it, else
 * -EBUSY. Where the path is a link the file behind it is meant; -EAGAIN: it is another one now.
 */
int replacement_begin(struct replacement *replacement, const char *path);

/* As content_read(), of what will be replaced; -EAGAIN: it has become a link. */
int replacement_read(struct replacement *replacement, struct content *content);

/* Owner and permissions of what was read are kept. */
int replacement_write(const struct replacement *replacement, const struct content *content);
void replacement_end(struct replacement *replacement);

#endif
