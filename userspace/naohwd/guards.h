/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What protects the robot, told in the log: each joint that does less than it is told, and why. */
#ifndef NAOHWD_GUARDS_H
#define NAOHWD_GUARDS_H

#include <naohw.h>

struct guards;

/* Return: 0 or -ENOMEM. */
int guards_new(const struct naohw_dcm *dcm, struct guards **guards, struct naohw_error *err);
void guards_free(struct guards *guards);

/* A cycle has ended. */
void guards_cycle(struct guards *guards);

#endif
