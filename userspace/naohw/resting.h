/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A robot that is at rest, or on its way there, by the keys of its host. */
#ifndef NAOHW_CLI_RESTING_H
#define NAOHW_CLI_RESTING_H

#include <stdbool.h>

#include <naohw.h>

/* "" if there is no such key. */
void read_text(const struct naohw_dcm *dcm, const char *key, struct naohw_value *value);

/* Is that what DCM/Rest says? */
bool rest_is(const struct naohw_dcm *dcm, const char *state);

/* Return: STATUS_OK after that time; STATUS_INTERRUPTED, which has been told. */
int wait_ms(int ms);

/* Wait for the end of that. Return: the status; STATUS_INTERRUPTED has been told. */
int await_rest(const struct naohw_dcm *dcm);

#endif
