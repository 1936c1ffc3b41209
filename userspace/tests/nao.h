/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A NAO on the libiio that is none: 25 servos on five buses, and the shipped description. */
#ifndef NAOHW_TEST_NAO_H
#define NAOHW_TEST_NAO_H

#include <naohw.h>

#define NAO_BUSES  5
#define NAO_JOINTS 5 /* on each */
#define NAO_ROBOT  ROBOTS_DIR "/nao-h25-v33.xml"

/* Make the devices, of what was there before nothing stays. Return: 0, or what failed. */
int nao_make(struct naohw_error *err);

/* The same of another robot, with NAO_JOINTS on each of @buses, no more than NAO_BUSES. */
int nao_make_other(const char *path, unsigned int buses, struct naohw_error *err);

#endif
