/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A robot that is at rest, or on its way there, by the keys of its host. */
#ifndef NAOHW_CLI_RESTING_H
#define NAOHW_CLI_RESTING_H

#include <stdbool.h>

#include <naohw.h>

/* A key of the DCM; 0 and "" if there is no such one. */
void read_key(const struct naohw_dcm *dcm, const char *key, struct naohw_value *value);

/* Is that what DCM/Rest says? */
bool rest_is(const struct naohw_dcm *dcm, const char *state);

/*
 * Let its host go on for that time, or until the robot is not on its way to rest any more. Return: STATUS_OK, or what
 * has been told: STATUS_INTERRUPTED, and STATUS_FAILED when no cycle has come.
 */
int wait_ms(struct naohw_dcm *dcm, int ms);
int await_rest(struct naohw_dcm *dcm);

#endif
