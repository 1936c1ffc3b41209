// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support.h"

#include "example.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake_iio.h"

#define SAMPLE 24 /* 10 bytes of the servo, and the time at 16 */
#define MIDDLE 512
#define MS     ((int64_t)1000000)

int __real_main(void);

/* Of the process that the example runs in. */
static struct outcome *shared;

static void keep_log(void)
{
	strcpy(shared->log, fake_log());
}

static void become_example(void (*prepare)(void), int output)
{
	dup2(output, STDOUT_FILENO);
	dup2(output, STDERR_FILENO);
	atexit(keep_log);
	prepare();
	exit(__real_main());
}

void run_example(void (*prepare)(void), struct outcome *outcome)
{
	FILE *output = tmpfile();
	pid_t child;
	int status;

	assert_non_null(output);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	assert_ptr_not_equal(shared, MAP_FAILED);
	fflush(stdout);
	child = fork();
	assert_int_not_equal(child, -1);
	if (child == 0)
		become_example(prepare, fileno(output));
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	*outcome = *shared;
	outcome->status = WEXITSTATUS(status);
	rewind(output);
	outcome->said[fread(outcome->said, 1, sizeof(outcome->said) - 1, output)] = '\0';
	fclose(output);
	munmap(shared, sizeof(*shared));
}

unsigned int times_said(const struct outcome *outcome, const char *text)
{
	unsigned int count = 0;

	for (const char *at = outcome->said; (at = strstr(at, text)); at += strlen(text))
		count++;
	return count;
}

void prepare_head(const char *robot)
{
	static const char *const labels[] = { "HeadYaw" };

	setenv("NAOHW_ROBOT", robot, 1);
	fake_reset();
	fake_servo("HeadYaw");
	fake_state(0, labels, 1, 100);
	fake_on_frame(next_frame);
}

void next_frame(void)
{
	static int64_t now;
	unsigned char bytes[SAMPLE] = { MIDDLE & 0xff, MIDDLE >> 8 };

	now += 10 * MS;
	memcpy(bytes + 16, &now, sizeof(now));
	fake_frame(0, bytes, sizeof(bytes));
}
