/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A thread for what may take its time, beside one that may not. */
#ifndef NAOHW_BACKGROUND_H
#define NAOHW_BACKGROUND_H

#include <pthread.h>

/*
 * It has no priority, whatever its maker has, and gets no signals: they are for him who sleeps
 * until the next pose is due. Returns -errno.
 */
int background_start(pthread_t *thread, void *(*run)(void *data), void *data);

#endif
