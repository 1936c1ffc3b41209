/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a robot senses, as a packet has it. */
#ifndef NAOHWD_LOLA_SENSORS_H
#define NAOHWD_LOLA_SENSORS_H

#include <naohw.h>

#include "packet.h"

struct lola_senses;

/* Of a store, which outlives it. Return: 0 or a negative errno. */
int lola_senses_new(const struct naohw_store *store, struct lola_senses **senses,
		    struct naohw_error *err);
/* NULL is fine. */
void lola_senses_free(struct lola_senses *senses);

/*
 * All of the newest cycle. What a robot lacks, and what is not known, is 0, an ID is blanks, and a
 * version "0.0.0"; a battery's status says then that it is not charging. An old value is still
 * there. Allocates nothing. Return: 0; -EAGAIN as naohw_snapshot_take().
 */
int lola_sense(struct lola_senses *senses, struct lola_sensors *sensors);

#endif
