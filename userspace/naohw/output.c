// SPDX-License-Identifier: GPL-2.0-or-later
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "background.h"
#include "cli.h"
#include "interrupt.h"

/* A stream with a pipe in between. */
struct way {
	int fd;	      /* what everybody writes to: the pipe's one end */
	int from;     /* its other one */
	int to;	      /* what @fd was before */
	bool failed;  /* what was written there did not arrive */
};

static struct way out = { .fd = STDOUT_FILENO };
static struct way err = { .fd = STDERR_FILENO };
static bool begun;
static pthread_t thread;
/* So that none has to be allocated by who prints first. */
static char buffer[BUFSIZ];

static bool write_all(int fd, const char *text, size_t size)
{
	while (size) {
		ssize_t ret = write(fd, text, size);

		if (ret < 0)
			return false;
		text += ret;
		size -= (size_t)ret;
	}
	return true;
}

/* false: nobody writes there any more. Where nobody reads, it goes nowhere. */
static bool copy(struct way *way)
{
	char text[4096];
	ssize_t size = read(way->from, text, sizeof(text));

	if (size <= 0)
		return false;
	if (!way->failed)
		way->failed = !write_all(way->to, text, (size_t)size);
	return true;
}

/* stdout first, as complain() has it: both may go to one place. */
static void *copy_both(void *data)
{
	struct pollfd ends[] = {
		{ .fd = out.from, .events = POLLIN },
		{ .fd = err.from, .events = POLLIN },
	};

	(void)data;
	while (ends[0].fd >= 0 || ends[1].fd >= 0) {
		if (poll(ends, 2, -1) < 0)
			break;
		if (ends[0].revents && !copy(&out))
			ends[0].fd = -1;
		else if (!ends[0].revents && ends[1].revents && !copy(&err))
			ends[1].fd = -1;
	}
	return NULL;
}

/* Only our end does not wait: who empties the pipe does. */
static int lay(struct way *way)
{
	int ends[2];

	way->failed = false;
	way->to = fcntl(way->fd, F_DUPFD_CLOEXEC, 3);
	if (way->to < 0)
		return -errno;
	if (pipe2(ends, O_CLOEXEC) < 0) {
		close(way->to);
		return -errno;
	}
	way->from = ends[0];
	fcntl(ends[1], F_SETFL, O_NONBLOCK);
	dup2(ends[1], way->fd);
	close(ends[1]);
	return 0;
}

/* With this the pipe has an end, and the thread too when it comes to that. */
static void put_back(const struct way *way)
{
	dup2(way->to, way->fd);
}

static void clear(const struct way *way)
{
	close(way->from);
	close(way->to);
}

static int begin(void)
{
	int ret = lay(&out);

	if (ret < 0)
		return ret;
	ret = lay(&err);
	if (ret == 0) {
		ret = background_start(&thread, copy_both, NULL);
		if (ret == 0)
			return 0;
		put_back(&err);
		clear(&err);
	}
	put_back(&out);
	clear(&out);
	return ret;
}

int output_begin(void)
{
	int ret;

	fflush(stdout);
	setvbuf(stdout, buffer, _IOLBF, sizeof(buffer));
	ret = begin();
	if (ret < 0)
		return complain("cannot print in the background: %s", strerror(-ret));
	begun = true;
	return STATUS_OK;
}

int output_end(int status)
{
	if (begun) {
		fflush(stdout);
		put_back(&out);
		put_back(&err);
		pthread_join(thread, NULL);
		clear(&out);
		clear(&err);
		begun = false;
	}
	return output_finish(status);
}

int output_finish(int status)
{
	bool failed = fflush(stdout) || ferror(stdout) || out.failed;

	return failed && status == STATUS_OK ? complain("cannot write the output") : status;
}

/* The end of a pipe knows, without a write, that the other one has been closed. */
static bool has_reader(const struct timespec *time, const sigset_t *mask)
{
	struct pollfd reader = { .fd = STDOUT_FILENO };

	return ppoll(&reader, 1, time, mask) == 0;
}

/* A signal comes either before it is looked for one, or during the sleep. */
bool output_wait(double seconds)
{
	double whole = floor(seconds);
	const struct timespec time = {
		.tv_sec = (time_t)whole,
		.tv_nsec = (long)((seconds - whole) * 1e9),
	};
	sigset_t all, before;
	bool ret;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ret = !is_interrupted() && has_reader(&time, &before);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return ret;
}

bool output_has_reader(void)
{
	const struct timespec now = { 0 };

	return has_reader(&now, NULL);
}

void output_let_go(void)
{
	int null;

	if (output_has_reader())
		return;
	null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (null < 0)
		return;
	dup2(null, STDOUT_FILENO);
	close(null);
	fflush(stdout);
	clearerr(stdout);
}

bool output_is_terminal(void)
{
	return isatty(begun ? out.to : STDOUT_FILENO);
}

bool output_is_behind(void)
{
	int waiting;

	return begun && ioctl(out.from, FIONREAD, &waiting) == 0 && waiting;
}
