// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rpcloop SOCKET PAUSE_US JOINT... -- so many programs at naohwd's JSON-RPC as there are joints,
 * in one process, each of which sets its own. With a pause of 0 each watches all of these joints'
 * angles in each cycle, and sets its joint when it is told; else it sets it so often, whatever the
 * cycle does. Until SIGTERM; then it prints, of all of them, and of the first one's commands:
 *
 *   clients=N
 *   told=N              notifications
 *   missed=N            that naohwd has dropped, since a client did not read
 *   taken_p50_ns=N      from a command to the word that the cycle has it; p99, max
 *
 * Where the kernel traces, these commands are in the trace, as "command", when they are sent.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define CLIENTS_MAX 32
#define LINE_SIZE   (64 * 1024)
#define TAKEN_MAX   100000
#define PATIENCE_NS (10 * NS_PER_S)
#define NS_PER_S    1000000000LL
#define MARKER	    "/sys/kernel/tracing/trace_marker"
#define MARK	    "command"
/* Seen on the wire in the first pose: two steps of an AX-12, and no way of several cycles */
#define STEP_RAD 0.01

struct client {
	const char *joint;
	int fd;
	size_t used;
	unsigned long commands;
	int64_t said_ns; /* a command whose end is still to come; 0: there is none */
	char line[LINE_SIZE];
};

static struct client clients[CLIENTS_MAX];
static unsigned long told, missed;
static int64_t taken[TAKEN_MAX];
static size_t taken_count;
static int marker = -1;
static volatile sig_atomic_t ended;

static void die(const char *what)
{
	fprintf(stderr, "rpcloop: %s: %s\n", what, strerror(errno));
	exit(EXIT_FAILURE);
}

static int64_t now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);

	return time.tv_sec * NS_PER_S + time.tv_nsec;
}

/* --- a client --- */

static void say(const struct client *client, const char *text)
{
	size_t length = strlen(text);

	if (send(client->fd, text, length, MSG_NOSIGNAL) != (ssize_t)length)
		die("send");
}

static void watch_joints(const struct client *client, char **joints, int count)
{
	static char text[LINE_SIZE];
	size_t used = 0;
	int i;

	used = sprintf(text, "{\"jsonrpc\":\"2.0\",\"id\":\"w\",\"method\":\"watch\","
			     "\"params\":{\"period\":0,\"keys\":[");
	for (i = 0; i < count; i++)
		used += snprintf(text + used, sizeof(text) - used,
				 "%s\"Device/SubDeviceList/%s/Position/Sensor/Value\"",
				 i ? "," : "", joints[i]);
	snprintf(text + used, sizeof(text) - used, "]}}\n");
	say(client, text);
}

static void begin(struct client *client, const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	strncpy(address.sun_path, path, sizeof(address.sun_path) - 1);
	client->fd = socket(AF_UNIX, SOCK_STREAM, 0);
	if (connect(client->fd, (struct sockaddr *)&address, sizeof(address)) < 0)
		die(path);
}

/* One at a time of the first client's is timed. */
static void command(struct client *client)
{
	char text[512];

	snprintf(text, sizeof(text),
		 "{\"jsonrpc\":\"2.0\",\"id\":\"s\",\"method\":\"set\",\"params\":{\"name\":"
		 "\"%s/Position/Actuator\",\"commands\":[[%g,0]]}}\n",
		 client->joint, client->commands++ % 2 ? STEP_RAD : -STEP_RAD);
	if (client == clients && !client->said_ns) {
		strcat(text, "{\"jsonrpc\":\"2.0\",\"id\":\"f\",\"method\":\"flush\"}\n");
		client->said_ns = now_ns();
		/* The kernel refuses it while it does not trace, which is no harm. */
		if (marker >= 0 && write(marker, MARK, strlen(MARK)) < 0 && errno != EBADF)
			die(MARKER);
	}
	say(client, text);
}

static void note_taken(struct client *client)
{
	if (taken_count < TAKEN_MAX)
		taken[taken_count++] = now_ns() - client->said_ns;
	client->said_ns = 0;
}

static void hear_line(struct client *client, const char *line)
{
	const char *number = strstr(line, "\"missed\":");

	if (strstr(line, "\"error\"")) {
		fprintf(stderr, "rpcloop: %s\n", line);
		exit(EXIT_FAILURE);
	}
	if (strstr(line, "\"id\":\"f\"")) {
		note_taken(client);
		return;
	}
	if (!number)
		return;
	missed += strtoul(number + strlen("\"missed\":"), NULL, 10);
	told++;
	command(client);
}

static void hear(struct client *client)
{
	ssize_t size =
		recv(client->fd, client->line + client->used, LINE_SIZE - 1 - client->used, 0);
	char *line = client->line, *end;

	if (size <= 0)
		die("recv");
	client->used += size;
	client->line[client->used] = '\0';
	while ((end = strchr(line, '\n'))) {
		*end = '\0';
		hear_line(client, line);
		line = end + 1;
	}
	client->used -= line - client->line;
	memmove(client->line, line, client->used);
}

/* --- all --- */

static void end(int number)
{
	(void)number;
	ended = 1;
}

/* SIGTERM comes while it waits, and at no other time. */
static void hear_any(struct pollfd *fds, unsigned int count, const sigset_t *mask, int64_t until)
{
	int64_t left = until - now_ns();
	struct timespec time = { left > 0 ? left / NS_PER_S : 0, left > 0 ? left % NS_PER_S : 0 };
	unsigned int i;

	if (ppoll(fds, count, &time, mask) < 0) {
		if (errno != EINTR)
			die("ppoll");
		return;
	}
	for (i = 0; i < count; i++)
		if (fds[i].revents)
			hear(&clients[i]);
}

static void run(unsigned int count, int64_t pause_ns, const sigset_t *mask)
{
	struct pollfd fds[CLIENTS_MAX];
	int64_t next = now_ns();
	unsigned int i;

	for (i = 0; i < count; i++)
		fds[i] = (struct pollfd){ .fd = clients[i].fd, .events = POLLIN };
	while (!ended) {
		if (!pause_ns)
			next = now_ns() + PATIENCE_NS;
		hear_any(fds, count, mask, next);
		if (now_ns() < next)
			continue;
		errno = ETIMEDOUT;
		if (!pause_ns)
			die("no notification");
		next += pause_ns;
		for (i = 0; i < count; i++)
			command(&clients[i]);
	}
}

static int by_size(const void *a, const void *b)
{
	int64_t one = *(const int64_t *)a, other = *(const int64_t *)b;

	return (one > other) - (one < other);
}

static void report_taken(void)
{
	size_t n = taken_count;

	if (!n)
		return;
	qsort(taken, n, sizeof(*taken), by_size);
	printf("taken_p50_ns=%lld\ntaken_p99_ns=%lld\ntaken_max_ns=%lld\n", (long long)taken[n / 2],
	       (long long)taken[n * 99 / 100], (long long)taken[n - 1]);
}

/* It is held but for a wait, whose mask this is. */
static void await_term(sigset_t *mask)
{
	struct sigaction action = { .sa_handler = end };
	sigset_t term;

	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	if (sigprocmask(SIG_BLOCK, &term, mask) < 0 || sigaction(SIGTERM, &action, NULL) < 0)
		die("SIGTERM");
}

int main(int argc, char **argv)
{
	unsigned int count = argc > 3 ? argc - 3 : 0, i;
	sigset_t mask;
	int64_t pause_ns;

	if (!count || count > CLIENTS_MAX) {
		fputs("usage: rpcloop SOCKET PAUSE_US JOINT...\n", stderr);
		return 2;
	}
	await_term(&mask);
	pause_ns = strtoll(argv[2], NULL, 10) * 1000;
	for (i = 0; i < count; i++) {
		clients[i].joint = argv[3 + i];
		begin(&clients[i], argv[1]);
		if (!pause_ns)
			watch_joints(&clients[i], argv + 3, count);
	}
	marker = open(MARKER, O_WRONLY | O_CLOEXEC);
	run(count, pause_ns, &mask);
	printf("clients=%u\ntold=%lu\nmissed=%lu\n", count, told, missed);
	report_taken();

	return EXIT_SUCCESS;
}
