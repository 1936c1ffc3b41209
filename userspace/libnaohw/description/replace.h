/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A file that changes in one step: others see the old one or the new one, whatever happens. */
#ifndef NAOHW_REPLACE_H
#define NAOHW_REPLACE_H

#include "content.h"

/* A file that nobody else replaces meanwhile. */
struct replacement {
	int directory; /* locked */
	char *name;    /* of the file in it */
};

/*
 * Make the directory if it is missing, and wait up to 5 s for others to be done with it, else
 * -EBUSY. Where the path is a link the file behind it is meant.
 */
int replacement_begin(struct replacement *replacement, const char *path);

/* Owner and permissions are kept. */
int replacement_write(const struct replacement *replacement, const struct content *content);
void replacement_end(struct replacement *replacement);

#endif
