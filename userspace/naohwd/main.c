// SPDX-License-Identifier: GPL-2.0-or-later
/* naohwd: hosts the cycle of a robot, and serves those who want to look at it and move it. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/base.h"
#include "hosted.h"
#include "options.h"
#include "service/service.h"

#define STATUS_FAILED 1
#define STATUS_USAGE 2

/* More than all clients, their processes and the robot's devices take */
#define DESCRIPTORS_MOST 512

/* ms that the devices of a bus that has just appeared are waited for */
#define DEVICES_MOST 15000

struct host {
	struct options options;
	struct hosted hosted;
	struct loop *loop;
	struct pulse pulse;
	struct watch signals;
	struct watch cycles;
	struct service service;
	enum naohw_stream stream;
	bool is_ready; /* and systemd knows it */
	bool is_to_reload;
};

/* ---- what happens ---- */

/* Those of another robot would leave nothing to host. */
static int check_joints(const struct naohw_robot *robot, struct naohw_error *err)
{
	size_t joints = naohw_robot_joint_count(robot);
	unsigned int bus, id;

	for (size_t i = 0; i < joints; i++)
		if (naohw_joint_get_place(robot, i, &bus, &id) == 0)
			return 0;
	return trouble(err, -ENODEV, "%s: has %zu joints, of which none is here",
		       naohw_robot_path(robot), joints);
}

static int check_description(const struct host *host, struct naohw_error *err)
{
	struct naohw_robot *robot;
	int ret = naohw_robot_describe(host->options.robot, &robot, err);

	if (ret < 0)
		return ret;
	ret = naohw_dcm_check(robot, err);
	naohw_robot_close(robot);
	return ret;
}

/* Return: 0; -ENODEV; or as naohw_robot_open() and naohw_dcm_check(). */
static int check_preferences(const struct host *host, struct naohw_error *err)
{
	struct naohw_robot *robot;
	int ret = check_description(host, err);

	/* Only then, as it takes longer than a glance at files. */
	if (ret == 0)
		ret = naohw_robot_open(host->options.robot, NULL, &robot, err);
	if (ret < 0)
		return ret;
	ret = check_joints(robot, err);
	naohw_robot_close(robot);
	return ret;
}

/*
 * With what cannot be used it goes on as it is. systemd's watchdog has to wait from the beginning, as
 * no cycle is told while the robot is opened to check its preferences.
 */
static void reload(struct host *host)
{
	struct naohw_error err;

	service_reloading(&host->service);
	if (check_preferences(host, &err) < 0) {
		log_error("keeps the preferences that it has: %s", err.message);
		/* The next cycle tells systemd. */
		host->is_ready = false;
		return;
	}
	log_line("reads its preferences anew; the joints hold meanwhile");
	host->is_to_reload = true;
	loop_end(host->loop);
}

static void on_signal(void *data)
{
	struct host *host = data;
	struct signalfd_siginfo info;

	if (read(host->signals.fd, &info, sizeof(info)) != sizeof(info))
		return;
	if (info.ssi_signo == SIGHUP) {
		reload(host);
		return;
	}
	log_line("ends: %s", strsignal((int)info.ssi_signo));
	service_stopping();
	host->is_to_reload = false;
	loop_end(host->loop);
}

static const char *status_of(const struct host *host)
{
	switch (host->stream) {
	case NAOHW_STREAM_TRIPPED:
		return "the kernel's watchdog has switched the torque off, since no pose came in time";
	case NAOHW_STREAM_RECOVERING:
		return "the joints' torque comes back";
	default:
		return "the robot's cycle runs";
	}
}

static void look_at_stream(struct host *host)
{
	enum naohw_stream before = host->stream;

	host->stream = naohw_dcm_get_stream(host->hosted.dcm);
	if (!host->is_ready)
		service_ready(&host->service, status_of(host));
	else if (host->stream != before)
		service_status(status_of(host));
	if (host->stream == NAOHW_STREAM_TRIPPED && before != NAOHW_STREAM_TRIPPED)
		log_warning("%s", status_of(host));
	host->is_ready = true;
}

static void on_cycle(void *data)
{
	struct host *host = data;

	pulse_take(&host->pulse);
	service_cycle(&host->service);
	look_at_stream(host);
	hosted_cycle(&host->hosted);
}

/* ---- the loop, and what is in it ---- */

/*
 * A process with threads waits when its table of descriptors grows, until every processor has seen
 * the new table. The loop would miss two of LoLA's cycles when many clients come. With one thread
 * the table grows at once.
 */
static void make_room_for_descriptors(void)
{
	int fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, DESCRIPTORS_MOST - 1);

	if (fd >= 0)
		close(fd);
}

/* All threads have them blocked, so that they come in order. */
static int block_signals(struct host *host, struct naohw_error *err)
{
	sigset_t set;

	/* Whoever reads the log may go. */
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGHUP);
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

static int serve(struct host *host, struct naohw_error *err)
{
	int ret = hosted_serve(&host->hosted, &host->options, host->loop, err);

	if (ret == 0)
		ret = watch(host, &host->signals, on_signal, err);
	if (ret == 0)
		ret = watch(host, &host->cycles, on_cycle, err);
	if (ret == 0) {
		log_line("serves %s", naohw_robot_path(host->hosted.robot));
		ret = loop_run(host->loop, err);
	}
	loop_unwatch(host->loop, &host->cycles);
	hosted_leave(&host->hosted);
	return ret;
}

/* Memory is locked when all that is needed is there. */
static int serve_cycles(struct host *host, struct naohw_error *err)
{
	struct naohw_error no_lock;
	int ret = pulse_begin(&host->pulse, host->hosted.dcm, err);

	if (ret < 0)
		return ret;
	host->cycles.fd = host->pulse.fd;
	if (naohw_realtime_lock(&no_lock) < 0)
		log_warning("not in real time: %s", no_lock.message);
	ret = serve(host, err);
	pulse_end(&host->pulse);
	return ret;
}

/* As long as its preferences stay as they are */
static int host_robot(struct host *host, struct naohw_error *err)
{
	struct naohw_error missing;
	int ret;

	if (devices_wait(host->signals.fd, DEVICES_MOST, &missing) < 0)
		log_warning("begins after %d s with what is there: %s", DEVICES_MOST / 1000,
			    missing.message);
	ret = hosted_open(&host->hosted, &host->options, err);
	if (ret == 0)
		ret = serve_cycles(host, err);
	hosted_close(&host->hosted);
	return ret;
}

static int host_again_and_again(struct host *host, struct naohw_error *err)
{
	int ret;

	do {
		host->is_to_reload = false;
		ret = host_robot(host, err);
		host->is_ready = false;
	} while (ret == 0 && host->is_to_reload);
	return ret;
}

/* Those that systemd listens at for us, beside those that the command line names */
static int find_lola(struct options *options, struct naohw_error *err)
{
	int ret = 0;

	for (size_t i = 0; ret == 0 && options->lolas < LOLA_DOORS_MAX; i++) {
		ret = service_socket("lola", i, &options->lola[options->lolas], err);
		if (ret == 0)
			options->lolas++;
	}
	return ret == -ENOENT ? 0 : ret;
}

static int find_sockets(struct options *options, struct naohw_error *err)
{
	int ret = find_lola(options, err);

	if (ret == 0 && !options->rpc.listen.path)
		ret = service_socket("rpc", 0, &options->rpc.listen, err);
	return ret == 0 || ret == -ENOENT ? service_sockets_check(err) : ret;
}

/* They outlast a reload. */
static int hold_sockets(struct options *options, struct naohw_error *err)
{
	int ret = find_sockets(options, err);

	for (size_t i = 0; i < options->lolas && ret == 0; i++)
		ret = listen_hold(&options->lola[i], err);
	if (ret == 0 && options->rpc.listen.path)
		ret = listen_hold(&options->rpc.listen, err);
	return ret;
}

static void let_sockets_go(struct options *options)
{
	for (size_t i = 0; i < options->lolas; i++)
		listen_let_go(&options->lola[i]);
	listen_let_go(&options->rpc.listen);
}

static int run(struct host *host, struct naohw_error *err)
{
	int ret = block_signals(host, err);

	make_room_for_descriptors();
	host->service = service_begin();
	if (ret == 0)
		ret = loop_new(&host->loop, err);
	if (ret == 0)
		ret = hold_sockets(&host->options, err);
	if (ret == 0)
		ret = host_again_and_again(host, err);
	let_sockets_go(&host->options);
	owed_free(host->hosted.owed);
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
	log_error("%s", err.message);
	return STATUS_FAILED;
}
