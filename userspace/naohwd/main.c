// SPDX-License-Identifier: GPL-2.0-or-later
/* naohwd: hosts the cycle of a robot, and serves those who want to look at it and move it. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/base.h"
#include "lease/lease.h"
#include "lola/lola.h"
#include "options.h"
#include "rpc/rpc.h"

#define STATUS_FAILED 1
#define STATUS_USAGE 2

struct host {
	struct options options;
	struct naohw_robot *robot;
	struct naohw_dcm *dcm;
	struct loop *loop;
	struct pulse pulse;
	struct leases *leases;
	struct lola *lola;
	struct rpc *rpc;
	struct watch signals;
	struct watch cycles;
	enum naohw_stream stream;
};

/* ---- what happens ---- */

static void on_signal(void *data)
{
	struct host *host = data;
	struct signalfd_siginfo info;

	if (read(host->signals.fd, &info, sizeof(info)) != sizeof(info))
		return;
	log_line("ends: %s", strsignal((int)info.ssi_signo));
	loop_end(host->loop);
}

static void look_at_stream(struct host *host)
{
	enum naohw_stream stream = naohw_dcm_get_stream(host->dcm);

	if (stream == NAOHW_STREAM_TRIPPED && host->stream != NAOHW_STREAM_TRIPPED)
		log_line("the kernel's watchdog has switched the torque off, since no pose came in "
			 "time");
	host->stream = stream;
}

static void on_cycle(void *data)
{
	struct host *host = data;

	pulse_take(&host->pulse);
	look_at_stream(host);
	leases_cycle(host->leases);
	if (host->lola)
		lola_cycle(host->lola);
	if (host->rpc)
		rpc_cycle(host->rpc);
}

/* ---- the robot ---- */

/* Never a client: neither of another naohwd nor of itself. */
static int open_dcm(struct host *host, struct naohw_error *err)
{
	struct naohw_dcm_settings *settings;
	int ret = naohw_dcm_settings_new(&settings);

	if (ret == 0)
		ret = leases_add_texts(host->robot, settings);
	if (ret < 0)
		return trouble(err, ret, "out of memory");
	naohw_dcm_settings_set_host(settings, 1);
	ret = naohw_dcm_open(host->robot, settings, &host->dcm, err);
	naohw_dcm_settings_free(settings);
	return ret < 0 ? ret : leases_new(host->robot, host->dcm, &host->leases, err);
}

static int open_robot(struct host *host, struct naohw_error *err)
{
	struct naohw_error body;
	int ret = naohw_robot_open(host->options.robot, NULL, &host->robot, err);

	if (ret < 0)
		return ret;
	if (naohw_robot_body(host->robot, &body) == -EUCLEAN)
		log_line("%s", body.message);
	return open_dcm(host, err);
}

/* ---- the loop, and what is in it ---- */

/* All threads have them blocked, so that they come in order. */
static int block_signals(struct host *host, struct naohw_error *err)
{
	sigset_t set;

	/* Whoever reads the log may go. */
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	host->signals.fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return host->signals.fd < 0 ? trouble(err, -errno, "signalfd: %s", strerror(errno)) : 0;
}

static int watch(struct host *host, struct watch *watch, void (*call)(void *data),
		 struct naohw_error *err)
{
	int ret;

	watch->call = call;
	watch->data = host;
	ret = loop_watch(host->loop, watch);
	return ret < 0 ? trouble(err, ret, "epoll: %s", strerror(-ret)) : 0;
}

static int open_sockets(struct host *host, struct naohw_error *err)
{
	const struct options *options = &host->options;
	const struct rpc_host rpc_host = { host->loop, host->robot, host->dcm,
					   host->leases };
	int ret = 0;

	if (options->lola.path)
		ret = lola_open(host->loop, host->dcm, &options->lola, &host->lola, err);
	if (host->lola)
		lola_obey(host->lola, host->leases);
	if (ret == 0 && options->rpc.listen.path)
		ret = rpc_open(&rpc_host, &options->rpc, &host->rpc, err);
	return ret;
}

static void close_sockets(struct host *host)
{
	leases_only_hold(host->leases);
	rpc_close(host->rpc);
	lola_close(host->lola);
}

static int serve(struct host *host, struct naohw_error *err)
{
	int ret = open_sockets(host, err);

	if (ret == 0)
		ret = watch(host, &host->signals, on_signal, err);
	if (ret == 0)
		ret = watch(host, &host->cycles, on_cycle, err);
	if (ret == 0) {
		log_line("serves %s", naohw_robot_path(host->robot));
		ret = loop_run(host->loop, err);
	}
	close_sockets(host);
	/* What it has left for the cycle is done before that ends. */
	(void)naohw_dcm_flush(host->dcm, NULL);
	return ret;
}

/* Memory is locked when all that is needed is there. */
static int serve_cycles(struct host *host, struct naohw_error *err)
{
	struct naohw_error no_lock;
	int ret = pulse_begin(&host->pulse, host->dcm, err);

	if (ret < 0)
		return ret;
	host->cycles.fd = host->pulse.fd;
	if (naohw_realtime_lock(&no_lock) < 0)
		log_line("not in real time: %s", no_lock.message);
	ret = serve(host, err);
	pulse_end(&host->pulse);
	return ret;
}

static int run(struct host *host, struct naohw_error *err)
{
	int ret = block_signals(host, err);

	if (ret == 0)
		ret = loop_new(&host->loop, err);
	if (ret == 0)
		ret = open_robot(host, err);
	if (ret == 0)
		ret = serve_cycles(host, err);
	leases_free(host->leases);
	naohw_dcm_close(host->dcm);
	naohw_robot_close(host->robot);
	loop_free(host->loop);
	return ret;
}

int main(int argc, char **argv)
{
	struct host host = { 0 };
	struct naohw_error err;

	switch (options_read(&host.options, argc, argv)) {
	case OPTIONS_DONE:
		return EXIT_SUCCESS;
	case OPTIONS_WRONG:
		return STATUS_USAGE;
	case OPTIONS_RUN:
		break;
	}
	if (run(&host, &err) == 0)
		return EXIT_SUCCESS;
	log_line("%s", err.message);
	return STATUS_FAILED;
}
