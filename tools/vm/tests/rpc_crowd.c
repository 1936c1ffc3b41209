// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rpc_crowd PATH KEY CLIENTS FILE -- so many clients of naohwd's JSON-RPC, until FILE is there. One
 * never reads what it has asked for, more than its socket holds. One sends lines that are no JSON,
 * as fast as they are taken. The others ask for KEY once a second each, and watch it. Says "here"
 * when all are connected. Ends with 1 if one of these others has not been served: it has had no
 * answer to its last call, or has been told nothing.
 */
#include <err.h>
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define CLIENTS_MAX 128
#define LINE_MAX_BYTES 4096
#define PAUSE_MS 1000
#define LISTS 16
#define PATIENCE_MS 180000

enum { DEAF, NOISY, FIRST_OTHER };

struct client {
	unsigned int calls, answers, told;
	int64_t last_ms; /* when it called last */
	size_t filled;
	char line[LINE_MAX_BYTES];
};

static struct client clients[CLIENTS_MAX];
static struct pollfd polled[CLIENTS_MAX];
static unsigned int count;
static const char *key;

static int64_t now_ms(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static int connected(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		err(1, "socket");
	if (strlen(path) >= sizeof(address.sun_path))
		errx(1, "%s: too long", path);
	strcpy(address.sun_path, path);
	if (connect(fd, (const struct sockaddr *)&address, sizeof(address)))
		err(1, "%s", path);
	return fd;
}

/* ---- what goes ---- */

static void say(unsigned int i, const char *line)
{
	size_t length = strlen(line);

	if (send(polled[i].fd, line, length, MSG_NOSIGNAL) != (ssize_t)length)
		err(1, "client %u cannot say anything", i);
}

static void call(unsigned int i, const char *method, const char *more)
{
	static const char form[] =
		"{\"jsonrpc\":\"2.0\",\"id\":%u,\"method\":\"%s\","
		"\"params\":{\"keys\":[\"%s\"]%s}}\n";
	char line[512];

	snprintf(line, sizeof(line), form, ++clients[i].calls, method, key,
		 more);
	say(i, line);
	clients[i].last_ms = now_ms();
}

static void make_noise(void)
{
	static const char noise[] =
		"\x01\xff{{{[[[\"\n\n}]\\u0000,nonsense:1e999\n{\"jsonrpc\":\n";

	if (send(polled[NOISY].fd, noise, sizeof(noise),
		 MSG_NOSIGNAL | MSG_DONTWAIT) < 0 &&
	    errno != EAGAIN)
		polled[NOISY].fd = -1;
}

/* ---- what comes ---- */

static void take_line(struct client *client)
{
	if (strstr(client->line, "\"error\""))
		errx(1, "%s", client->line);
	if (strstr(client->line, "\"method\""))
		client->told++;
	else
		client->answers++;
}

static void take(unsigned int i, const char *bytes, size_t length)
{
	struct client *client = &clients[i];

	for (size_t at = 0; at < length; at++) {
		if (client->filled == sizeof(client->line) - 1)
			errx(1, "client %u: a line of more than %zu bytes", i,
			     client->filled);
		client->line[client->filled++] = bytes[at];
		if (bytes[at] != '\n')
			continue;
		client->line[client->filled] = '\0';
		take_line(client);
		client->filled = 0;
	}
}

static void hear(unsigned int i)
{
	char bytes[4096];
	ssize_t length = recv(polled[i].fd, bytes, sizeof(bytes), MSG_DONTWAIT);

	if (length < 0 && errno == EAGAIN)
		return;
	if (length > 0 && i >= FIRST_OTHER)
		take(i, bytes, (size_t)length);
	if (length > 0)
		return;
	if (i >= FIRST_OTHER)
		errx(1, "client %u has been let go", i);
	polled[i].fd = -1;
}

/* ---- all of them ---- */

static bool is_served(const struct client *client)
{
	return client->answers == client->calls && client->told;
}

static unsigned int unserved(void)
{
	unsigned int waiting = 0;

	for (unsigned int i = FIRST_OTHER; i < count; i++)
		waiting += !is_served(&clients[i]);
	return waiting;
}

static void begin(const char *path)
{
	for (unsigned int i = 0; i < count; i++)
		polled[i] = (struct pollfd){ .fd = connected(path),
					     .events = POLLIN };
	polled[DEAF].events = 0;
	polled[NOISY].events = POLLIN | POLLOUT;
	call(DEAF, "watch", ",\"period\":0");
	for (unsigned int i = 0; i < LISTS; i++)
		say(DEAF,
		    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"list\",\"params\":{}}\n");
	for (unsigned int i = FIRST_OTHER; i < count; i++)
		call(i, "watch", ",\"period\":1000");
	puts("here");
	fflush(stdout);
}

/* A call that has no answer is followed by none. */
static void call_again(void)
{
	int64_t now = now_ms();

	for (unsigned int i = FIRST_OTHER; i < count; i++)
		if (clients[i].answers == clients[i].calls &&
		    now - clients[i].last_ms >= PAUSE_MS)
			call(i, "get", "");
}

static void hear_all(void)
{
	if (poll(polled, count, 100) < 0 && errno != EINTR)
		err(1, "poll");
	for (unsigned int i = 0; i < count; i++) {
		if (polled[i].revents & (POLLIN | POLLHUP | POLLERR))
			hear(i);
		else if (polled[i].revents & POLLOUT)
			make_noise();
	}
}

static void await(const char *file)
{
	int64_t end = now_ms() + PATIENCE_MS;

	while (access(file, F_OK) && now_ms() < end) {
		call_again();
		hear_all();
	}
	while (unserved() && now_ms() < end)
		hear_all();
}

int main(int argc, char **argv)
{
	unsigned long answers = 0;

	count = argc == 5 ? (unsigned int)strtoul(argv[3], NULL, 10) : 0;
	if (count <= FIRST_OTHER || count > CLIENTS_MAX)
		errx(2,
		     "usage: rpc_crowd PATH KEY CLIENTS FILE (3 to %d clients)",
		     CLIENTS_MAX);
	key = argv[2];
	begin(argv[1]);
	await(argv[4]);
	if (unserved())
		errx(1, "%u of %u have not been served", unserved(),
		     count - FIRST_OTHER);
	for (unsigned int i = FIRST_OTHER; i < count; i++)
		answers += clients[i].answers;
	printf("%lu answers\n", answers);
	return 0;
}
