/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A whole NAO for programs that measure what is above it, on the libiio of memory. */
#ifndef NAOHW_BENCH_NAO_H
#define NAOHW_BENCH_NAO_H

/* To be opened as NAO_ROBOT. */
void bench_nao(void);

/* All move, and all answer. */
void bench_next_frames(void);

#endif
