/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef NAOHW_TEST_ALLOCATIONS_H
#define NAOHW_TEST_ALLOCATIONS_H

/* How often this thread has asked for memory until now. */
unsigned int allocations(void);

#endif
