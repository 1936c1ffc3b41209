/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Properties: what holds for anything that chance may give, with the same numbers each time. A
 * test of one ends with seeds_teardown(), which says with which seed it has failed; with
 * NAOHW_SEED=N in the environment that one is tried alone.
 */
#ifndef NAOHW_TEST_SEEDS_H
#define NAOHW_TEST_SEEDS_H

/* @property with each of the seeds from 1 to @count. */
void each_seed(unsigned int count, void (*property)(void));

/* The next number, from 0 to @below - 1. */
unsigned int chance(unsigned int below);

/* Tell of a seed that has not come to its end. */
void seeds_teardown(void);

#endif
