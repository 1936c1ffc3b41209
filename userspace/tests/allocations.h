/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef NAOHW_TEST_ALLOCATIONS_H
#define NAOHW_TEST_ALLOCATIONS_H

/* How often memory was asked for until now, by whomever. */
unsigned int allocations(void);

#endif
