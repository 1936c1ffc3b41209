// SPDX-License-Identifier: LGPL-2.1-or-later
#include "naohwd_bed.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../naohwd/rpc/rpc.h"
#include "fake_iio.h"

#define PERIOD_MS 10

static char directory[64], path[108];
static pid_t daemon_pid; /* the beginner's */
static pid_t beginner_pid;
static int beginner;
static volatile sig_atomic_t is_to_end;

/* ---- the daemon ---- */

/* The stage's clock is not this one. */
static int64_t real_ms(void)
{
	struct timespec time;

	clock_gettime(CLOCK_BOOTTIME, &time);
	return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static int64_t monotonic_ms(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void end_it(int signal)
{
	(void)signal;
	is_to_end = 1;
}

static void or_die(int ret, const struct naohw_error *err)
{
	if (ret == 0)
		return;
	fprintf(stderr, "naohwd_bed: %s\n", err->message);
	_exit(1);
}

static void begin_dcm(unsigned int texts)
{
	struct naohw_dcm_settings *settings;
	struct naohw_error err = { "" };
	char name[32];

	or_die(naohw_dcm_settings_new(&settings), &err);
	or_die(leases_add_texts(stage.robot, settings), &err);
	for (unsigned int i = 0; i < texts; i++) {
		snprintf(name, sizeof(name), "DCM/More%u", i);
		or_die(naohw_dcm_settings_add_text(settings, name), &err);
	}
	or_die(stage_begin(settings, &err), &err);
	naohw_dcm_settings_free(settings);
}

/* As fast as time goes, but in steps of whole ms. */
static void serve(const struct rpc_host *host, struct rpc *rpc)
{
	int64_t ahead = monotonic_ms() - real_ms();

	stage.now = monotonic_ms();
	stage_cycle_after(PERIOD_MS);
	while (!is_to_end) {
		int64_t since = real_ms() + ahead - stage.now;

		if (since >= PERIOD_MS) {
			stage_cycle_after(since);
			leases_cycle(host->leases);
			plays_cycle(host->plays);
			rpc_cycle(rpc);
		}
		(void)loop_once(host->loop, 1);
	}
}

static void be_naohwd(unsigned int texts)
{
	const struct rpc_settings settings = { .listen = { path, 0600, (gid_t)-1 } };
	struct rpc_host host = { .robot = stage.robot };
	struct naohw_error err = { "" };
	struct rpc *rpc;

	/* A test that fails in its middle must not leave it behind. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGTERM, end_it);
	signal(SIGPIPE, SIG_IGN);
	begin_dcm(texts);
	host.dcm = stage.dcm;
	or_die(loop_new(&host.loop, &err), &err);
	or_die(leases_new(stage.robot, stage.dcm, &host.leases, &err), &err);
	or_die(plays_new(stage.robot, stage.dcm, host.leases, "/nowhere", &host.plays, &err), &err);
	or_die(rpc_open(&host, &settings, &rpc, &err), &err);
	serve(&host, rpc);
	rpc_close(rpc);
	plays_free(host.plays);
	leases_free(host.leases);
	stage_end();
	_exit(0);
}

/* ---- who begins it ---- */

/* What it is told: with so many texts, or to send it a signal. Its answer is a status. */
struct order {
	int signal; /* 0: begin */
	unsigned int texts;
};

static int begin_daemon(unsigned int texts)
{
	daemon_pid = fork();
	if (daemon_pid == 0)
		be_naohwd(texts);
	return daemon_pid < 0 ? -1 : 0;
}

static int end_daemon(int signal)
{
	int status = -1;

	if (daemon_pid > 0 && kill(daemon_pid, signal) == 0)
		(void)waitpid(daemon_pid, &status, 0);
	daemon_pid = 0;
	return status;
}

/*
 * A process without threads: what is forked by one that has some may find locks in it that nobody
 * opens any more, as those of a sanitizer. It ends with the test, however that does.
 */
static void be_beginner(int socket)
{
	struct order order;

	while (read(socket, &order, sizeof(order)) == sizeof(order)) {
		int status = order.signal ? end_daemon(order.signal) : begin_daemon(order.texts);

		if (write(socket, &status, sizeof(status)) != sizeof(status))
			break;
	}
	(void)end_daemon(SIGKILL);
	_exit(0);
}

static void fork_beginner(void)
{
	int pair[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
	fflush(NULL);
	beginner_pid = fork();
	assert_true(beginner_pid >= 0);
	if (beginner_pid == 0) {
		close(pair[0]);
		be_beginner(pair[1]);
	}
	close(pair[1]);
	beginner = pair[0];
}

static int tell(int signal, unsigned int texts)
{
	const struct order order = { signal, texts };
	int status;

	assert_int_equal(write(beginner, &order, sizeof(order)), sizeof(order));
	assert_int_equal(read(beginner, &status, sizeof(status)), sizeof(status));
	return status;
}

/* ---- for tests ---- */

static bool is_listened_at(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int ret;

	strcpy(address.sun_path, path);
	ret = connect(fd, (struct sockaddr *)&address, sizeof(address));
	close(fd);
	return ret == 0;
}

/* That its file is there is not enough. */
static void wait_for_socket(void)
{
	for (int left = 2000; !is_listened_at(); left--) {
		assert_true(left > 0);
		usleep(5000);
	}
}

void naohwd_bed_begin(unsigned int texts)
{
	(void)unlink(path);
	assert_int_equal(tell(0, texts), 0);
	wait_for_socket();
}

void naohwd_bed_end(void)
{
	int status = tell(SIGTERM, 0);

	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

void naohwd_bed_kill(void)
{
	assert_true(WIFSIGNALED(tell(SIGKILL, 0)));
}

int naohwd_bed_setup(void **state)
{
	(void)state;
	stage_open("<Preference memoryName='DCM/SpeedMax' type='float' value='4'/>", NULL);
	stage_end();
	stage.now = 0;
	/* Here time goes by itself. */
	fake_on_waited(NULL);
	strcpy(directory, "/tmp/naohw-run-XXXXXX");
	assert_non_null(mkdtemp(directory));
	setenv("NAOHW_RUN", directory, 1);
	snprintf(path, sizeof(path), "%s/%s.sock", directory,
		 strrchr(naohw_robot_path(stage.robot), '/') + 1);
	fork_beginner();
	return 0;
}

int naohwd_bed_teardown(void **state)
{
	(void)state;
	close(beginner);
	(void)waitpid(beginner_pid, NULL, 0);
	unsetenv("NAOHW_RUN");
	(void)unlink(path);
	stage_close();
	return rmdir(directory);
}
