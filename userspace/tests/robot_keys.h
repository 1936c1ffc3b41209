/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The robot that a test has open, and what its keys say; without the key the test fails. */
#ifndef NAOHW_TEST_ROBOT_KEYS_H
#define NAOHW_TEST_ROBOT_KEYS_H

#include <naohw.h>

extern struct naohw_robot *robot;

struct naohw_key *key(const char *name);
double value_of(const char *name);

/* Good until the next call. */
const char *text_of(const char *name);

void check_text(const char *name, const char *expected);

#endif
