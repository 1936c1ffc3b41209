/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Body's layer where a board of the body keeps it: with that it goes from head to head. */
#ifndef NAOHW_BODY_H
#define NAOHW_BODY_H

#include "content.h"
#include "description.h"

/*
 * What the board that the layers read so far name keeps; its name comes to be @d->board.
 * -ENODEV: they name none, or there is no such board here. -ENODATA: it keeps nothing yet.
 * -EUCLEAN: it keeps nothing that is whole. What else the kernel says: -EBUSY while its bus
 * streams.
 */
int body_read(struct description *d, const struct places *places, struct content *content);

/* Have it keep @content from now on; as body_read(), and @err says what is wrong. */
int body_write(const struct description *d, const struct places *places,
	       const struct content *content, struct naohw_error *err);

#endif
