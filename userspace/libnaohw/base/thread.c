// SPDX-License-Identifier: LGPL-2.1-or-later
#include "base.h"

#include <signal.h>

#define STACK_SIZE (256 * 1024)

int thread_begin(pthread_t *thread, void *(*run)(void *data), void *data)
{
	pthread_attr_t attributes;
	sigset_t all, before;
	int ret;

	ret = pthread_attr_init(&attributes);
	if (ret)
		return -ret;
	(void)pthread_attr_setstacksize(&attributes, STACK_SIZE);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ret = pthread_create(thread, &attributes, run, data);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	return -ret;
}
