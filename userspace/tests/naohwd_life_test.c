// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The whole of naohwd, in a process of its own, on the libiio that is none: how it begins and ends.
 * The linker gives its main() to this test, whose own is __wrap_main(). No frame comes, and so a
 * cycle has 100 ms. With ThreadSanitizer it tells whether the threads of the daemon and of the DCM
 * leave each other what they should: one that does not makes it end with another status.
 */
#include "support.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake_iio.h"
#include "lola_bytes.h"

#define PACKET_SIZE 896
#define JOINTS 25
#define TRIES 500
#define TRY_US 10000

int __real_main(int argc, char **argv);
int __wrap_main(void);

/* The libiio that is none is for one thread alone, and is not what is tried here. */
const char *__tsan_default_suppressions(void);

const char *__tsan_default_suppressions(void)
{
	return "race:fake_iio.c\n";
}

static char directory[] = "/tmp/naohwd-life-XXXXXX";
static char path[64], log_path[64];
static char said[4096];

/* With a sanitizer the memory is more than can be locked. */
int __wrap_mlockall(int flags);

int __wrap_mlockall(int flags)
{
	(void)flags;
	errno = EPERM;
	return -1;
}

static void be_naohwd(void)
{
	static const char *const label = "HeadPitch";
	char *argv[] = { (char *)"naohwd",
			 (char *)"--robot",
			 (char *)PLAIN_ROBOT,
			 (char *)"--lola",
			 path,
			 NULL };

	if (!freopen(log_path, "w", stderr))
		_exit(99);
	fake_reset();
	fake_servo(label);
	fake_goal(0, &label, 1);
	fake_state(0, &label, 1, 100);
	fake_device_set("dxl0-goal", "stream_state", "streaming");
	fake_device_set("dxl0-goal", "stiffness", "0");
	fake_local(0);
	exit(__real_main(5, argv));
}

static pid_t start(void)
{
	pid_t pid;

	fflush(NULL);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		be_naohwd();
	return pid;
}

static int setup(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/lola", directory);
	snprintf(log_path, sizeof(log_path), "%s/log", directory);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	(void)unlink(path);
	(void)unlink(log_path);
	return rmdir(directory);
}

/* Again and again, until somebody listens; waits for no packet for ever. */
static int connect_in_time(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const struct timeval longest = { .tv_sec = 10 };

	strcpy(address.sun_path, path);
	for (int i = 0; i < TRIES; i++) {
		int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

		if (connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0) {
			setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &longest, sizeof(longest));
			return fd;
		}
		close(fd);
		usleep(TRY_US);
	}
	fail_msg("nobody listens");
	return -1;
}

static void talk(int fd, unsigned int packets)
{
	struct bytes bytes = { .count = 0 };
	uint8_t packet[PACKET_SIZE];

	put_map(&bytes, 1);
	put_field(&bytes, "Stiffness", JOINTS, 0.5f);
	while (packets--) {
		assert_int_equal(recv(fd, packet, PACKET_SIZE, 0), PACKET_SIZE);
		assert_int_equal(send(fd, bytes.at, bytes.count, MSG_NOSIGNAL), bytes.count);
	}
}

static int end(pid_t pid, int signal)
{
	int status;

	assert_int_equal(kill(pid, signal), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static void assert_said(const char *what)
{
	FILE *file = fopen(log_path, "r");

	assert_non_null(file);
	said[fread(said, 1, sizeof(said) - 1, file)] = '\0';
	fclose(file);
	if (!strstr(said, what))
		fail_msg("said '%s', expected '%s'", said, what);
}

static void ends_in_order(int signal, const char *what)
{
	pid_t pid = start();
	int fd = connect_in_time(), status;

	talk(fd, 3);
	status = end(pid, signal);
	assert_said(what);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	assert_int_equal(access(path, F_OK), -1);
	close(fd);
}

static void it_ends_in_order_by_signals(void **state)
{
	(void)state;
	ends_in_order(SIGTERM, "naohwd: ends: Terminated");
	assert_said("naohwd: serves ");
	assert_said("a client has come");
	assert_said("the client is let go: naohwd ends");
	ends_in_order(SIGINT, "naohwd: ends: Interrupt");
}

/* What one has left that was killed is no hindrance. */
static void it_can_be_started_after_it_has_died(void **state)
{
	pid_t pid = start();
	int fd = connect_in_time();

	(void)state;
	talk(fd, 1);
	assert_true(WIFSIGNALED(end(pid, SIGKILL)));
	close(fd);
	assert_int_equal(access(path, F_OK), 0);
	ends_in_order(SIGTERM, "naohwd: ends");
}

int __wrap_main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_ends_in_order_by_signals),
		cmocka_unit_test(it_can_be_started_after_it_has_died),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
