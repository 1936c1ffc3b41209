// SPDX-License-Identifier: LGPL-2.1-or-later
#include "naohwd_bed.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../naohwd/rpc/rpc.h"

#define PERIOD_MS 10

static char directory[64], path[128];
static pid_t daemon_pid;
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
		/* Whoever waits here takes no time, see fake_on_waited(). */
		while (loop_once(host->loop, 0))
			;
		usleep(1000);
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

/* ---- for tests ---- */

static void wait_for_socket(void)
{
	for (int left = 1000; access(path, F_OK) < 0; left--) {
		assert_true(left > 0);
		usleep(5000);
	}
}

void naohwd_bed_begin(unsigned int texts)
{
	(void)unlink(path);
	fflush(NULL);
	daemon_pid = fork();
	assert_true(daemon_pid >= 0);
	if (daemon_pid == 0)
		be_naohwd(texts);
	wait_for_socket();
}

static int end_with(int signal)
{
	int status;

	assert_true(daemon_pid > 0);
	assert_int_equal(kill(daemon_pid, signal), 0);
	assert_int_equal(waitpid(daemon_pid, &status, 0), daemon_pid);
	daemon_pid = 0;
	return status;
}

void naohwd_bed_end(void)
{
	int status = end_with(SIGTERM);

	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

void naohwd_bed_kill(void)
{
	assert_true(WIFSIGNALED(end_with(SIGKILL)));
}

int naohwd_bed_pid(void)
{
	return daemon_pid;
}

const char *naohwd_bed_path(void)
{
	return path;
}

int naohwd_bed_setup(void **state)
{
	(void)state;
	stage_open("", NULL);
	stage_end();
	stage.now = 0;
	strcpy(directory, "/tmp/naohw-run-XXXXXX");
	assert_non_null(mkdtemp(directory));
	setenv("NAOHW_RUN", directory, 1);
	snprintf(path, sizeof(path), "%s/%s.sock", directory,
		 strrchr(naohw_robot_path(stage.robot), '/') + 1);
	return 0;
}

int naohwd_bed_teardown(void **state)
{
	(void)state;
	if (daemon_pid)
		naohwd_bed_kill();
	unsetenv("NAOHW_RUN");
	(void)unlink(path);
	stage_close();
	return rmdir(directory);
}
