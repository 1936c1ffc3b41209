// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base.h"

/* ms; a cycle comes without a frame, too, and so the end is seen before. */
#define LONGEST_CYCLE 1000
#define STACK_SIZE (256 * 1024)

static void *run(void *data)
{
	struct pulse *pulse = data;
	uint64_t cycle = 0;

	while (!atomic_load(&pulse->is_to_end)) {
		int ret = naohw_dcm_wait(pulse->dcm, &cycle, LONGEST_CYCLE, NULL);

		if (ret == -ESHUTDOWN)
			break;
		if (ret == 0)
			(void)eventfd_write(pulse->fd, 1);
	}
	return NULL;
}

/* Memory is locked, so that a stack of the usual size would be in it as a whole. */
static int begin_thread(struct pulse *pulse)
{
	pthread_attr_t attr;
	int error = pthread_attr_init(&attr);

	if (error)
		return error;
	error = pthread_attr_setstacksize(&attr, STACK_SIZE);
	if (!error)
		error = pthread_create(&pulse->thread, &attr, run, pulse);
	pthread_attr_destroy(&attr);
	return error;
}

int pulse_begin(struct pulse *pulse, struct naohw_dcm *dcm, struct naohw_error *err)
{
	int error;

	pulse->dcm = dcm;
	atomic_init(&pulse->is_to_end, false);
	pulse->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (pulse->fd < 0)
		return trouble(err, -errno, "eventfd: %s", strerror(errno));
	error = begin_thread(pulse);
	if (!error)
		return 0;
	close(pulse->fd);
	return trouble(err, -error, "a thread: %s", strerror(error));
}

void pulse_end(struct pulse *pulse)
{
	atomic_store(&pulse->is_to_end, true);
	pthread_join(pulse->thread, NULL);
	close(pulse->fd);
}

void pulse_take(struct pulse *pulse)
{
	eventfd_t cycles;

	(void)eventfd_read(pulse->fd, &cycles);
}
