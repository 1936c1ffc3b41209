/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Simulated time is always passed in and never asked for, so that tests run
 * in a time of their own; only the main loop knows a real clock.
 */
#ifndef DXLSIM_SIMTIME_H
#define DXLSIM_SIMTIME_H

#include <stdint.h>

typedef uint64_t nsec_t;

#define NSEC_PER_USEC	1000ULL
#define NSEC_PER_MSEC	1000000ULL
#define NSEC_PER_SEC	1000000000ULL
#define NSEC_NEVER	UINT64_MAX

#endif
