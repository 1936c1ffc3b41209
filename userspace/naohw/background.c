// SPDX-License-Identifier: GPL-2.0-or-later
#include "background.h"

#include <sched.h>
#include <signal.h>

/* All of it would be locked in memory, and there may be little that may be. */
#define STACK_SIZE (256 * 1024)

static int start(pthread_t *thread, void *(*run)(void *data), void *data)
{
	const struct sched_param none = { 0 };
	pthread_attr_t attributes;
	int ret = pthread_attr_init(&attributes);

	if (ret)
		return -ret;
	pthread_attr_setstacksize(&attributes, STACK_SIZE);
	pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attributes, SCHED_OTHER);
	pthread_attr_setschedparam(&attributes, &none);
	ret = pthread_create(thread, &attributes, run, data);
	pthread_attr_destroy(&attributes);
	return -ret;
}

int background_start(pthread_t *thread, void *(*run)(void *data), void *data)
{
	sigset_t all, before;
	int ret;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ret = start(thread, run, data);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return ret;
}
