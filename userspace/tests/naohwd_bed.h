/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The daemon's own code in a process of its own, at a DCM on the libiio that is none, with a cycle
 * each 10 ms. This process has the same robot, stage.robot, as its client.
 */
#ifndef NAOHW_TEST_NAOHWD_BED_H
#define NAOHW_TEST_NAOHWD_BED_H

#include "dcm_stage.h"

/* As cmocka has them: a robot without a daemon. */
int naohwd_bed_setup(void **state);
int naohwd_bed_teardown(void **state);

/* Begin one, which listens when that is done; its store has @texts keys more than usual. */
void naohwd_bed_begin(unsigned int texts);
/* It ends in order, or is killed. */
void naohwd_bed_end(void);
void naohwd_bed_kill(void);

#endif
