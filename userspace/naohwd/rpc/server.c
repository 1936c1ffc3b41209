// SPDX-License-Identifier: GPL-2.0-or-later
#include "server.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"
#include "peer.h"
#include "values.h"

/* A place is a client's, or keeps what one has left unread. */
#define CLIENTS_MAX UNREAD_MAX
/* As many as there are when no more come who may only read: they are to keep nobody out. */
#define CLIENTS_READING_MAX 96
/* And of one program */
#define CLIENTS_PROGRAM_MAX 112

/* ---- who comes ---- */

static void log_no_place(struct rpc *rpc)
{
	char unread[48] = "";

	if (rpc->unread.count)
		snprintf(unread, sizeof(unread), ", stores left unread %zu", rpc->unread.count);
	log_seldom(&rpc->full, naohw_dcm_get_time(rpc->host.dcm, 0),
		   "%s: no more can come in: clients %zu%s", rpc->settings->listen.path,
		   rpc->client_count, unread);
}

/* It has room for one line, as it has just been made. */
static void refuse(struct rpc *rpc, int fd)
{
	static const char line[] =
		"{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32000,"
		"\"message\":\"there are too many clients, and you cannot come in\","
		"\"data\":{\"errno\":23,\"name\":\"ENFILE\"}}}\n";

	(void)send(fd, line, sizeof(line) - 1, MSG_NOSIGNAL | MSG_DONTWAIT);
	close(fd);
	log_no_place(rpc);
}

static bool may_write(const struct rpc *rpc, int fd)
{
	return !rpc->settings->others_only_read || peer_is_trusted(fd, rpc->group);
}

static size_t clients_of(const struct rpc *rpc, pid_t pid)
{
	size_t count = 0;

	for (const struct client *client = rpc->clients; client; client = client->next)
		count += client->party.pid == pid;
	return count;
}

static void let_in(struct rpc *rpc, int fd)
{
	bool is_trusted = may_write(rpc, fd);
	pid_t pid = peer_pid(fd);

	unread_look(&rpc->unread);
	if (rpc->client_count + rpc->unread.count >=
		    (is_trusted ? CLIENTS_MAX : CLIENTS_READING_MAX) ||
	    clients_of(rpc, pid) + unread_of(&rpc->unread, pid) >= CLIENTS_PROGRAM_MAX) {
		refuse(rpc, fd);
		return;
	}
	(void)client_new(rpc, fd, is_trusted);
}

static void on_door(void *data)
{
	struct rpc *rpc = data;
	int fd = listen_accept(rpc->door.fd);

	if (fd == -EAGAIN || fd == -ECONNABORTED)
		return;
	if (fd < 0) {
		/* The next cycle tries again. */
		log_seldom(&rpc->full, naohw_dcm_get_time(rpc->host.dcm, 0),
			   "%s: a client cannot come in: %s", rpc->settings->listen.path,
			   strerror(-fd));
		loop_unwatch(rpc->host.loop, &rpc->door);
		return;
	}
	let_in(rpc, fd);
}

/* ---- cycles ---- */

static bool is_of_same(const struct client *a, const struct client *b)
{
	return a->party.pid == b->party.pid && a->may_write == b->may_write;
}

/* Those that may write, or only read, by the first client of each. */
static size_t count_programs(const struct rpc *rpc, bool may_write)
{
	size_t count = 0;

	for (const struct client *client = rpc->clients; client; client = client->next) {
		const struct client *first = rpc->clients;

		while (!is_of_same(first, client))
			first = first->next;
		count += first == client && client->may_write == may_write;
	}
	return count;
}

/* The first one becomes the last, so that no one is always the one for whom nothing is left. */
static void rotate(struct rpc *rpc)
{
	struct client **end = &rpc->clients, *first = rpc->clients;

	if (!first)
		return;
	while (*end)
		end = &(*end)->next;
	*end = first;
	rpc->clients = first->next;
	first->next = NULL;
}

/* Who wants the least comes first, as he has waited for that the shortest time. NULL: nobody. */
static struct client *next_to_resume(const struct rpc *rpc)
{
	struct client *next = NULL;

	for (struct client *client = rpc->clients; client; client = client->next)
		if (client_may_resume(client) &&
		    (!next || client->waits_amount < next->waits_amount))
			next = client;
	return next;
}

/* Before there has been one nobody comes in, as the store has nothing to tell yet. */
void rpc_cycle(struct rpc *rpc)
{
	size_t readers = count_programs(rpc, false);
	size_t programs = count_programs(rpc, true) + !!readers;
	struct client *next;

	(void)loop_watch(rpc->host.loop, &rpc->door);
	rpc->is_taken = false;
	for (size_t i = 0; i < THINGS; i++)
		budget_cycle(&rpc->budgets[i], programs);
	rotate(rpc);
	for (struct client *client = rpc->clients; client; client = client->next)
		client_begin(client, clients_of(rpc, client->party.pid) *
					     (client->may_write ? 1 : readers));
	while ((next = next_to_resume(rpc)))
		client_resume(next);
	for (struct client *client = rpc->clients; client; client = next) {
		next = client->next;
		client_cycle(client);
	}
}

/* ---- all of it ---- */

/* As the file has it, whoever has made that. */
static int find_group(struct rpc *rpc, struct naohw_error *err)
{
	const char *path = rpc->settings->listen.path;
	struct stat info;

	if (stat(path, &info) < 0)
		return trouble(err, -errno, "%s: %s", path, strerror(errno));
	rpc->group = info.st_gid;
	return 0;
}

static void on_readers_turn(void *data)
{
	struct rpc *rpc = data;

	(void)loop_once(rpc->readers, 0);
}

static int begin_readers(struct rpc *rpc, struct naohw_error *err)
{
	int ret = loop_new(&rpc->readers, err);

	if (ret < 0)
		return ret;
	rpc->readers_turn = (struct watch){
		.fd = loop_descriptor(rpc->readers), .call = on_readers_turn, .data = rpc };
	ret = loop_watch(rpc->host.loop, &rpc->readers_turn);
	return ret < 0 ? trouble(err, ret, "epoll: %s", strerror(-ret)) : 0;
}

static int begin(struct rpc *rpc, struct naohw_error *err)
{
	int ret = naohw_snapshot_new(naohw_dcm_store(rpc->host.dcm), &rpc->snapshot, err);

	if (ret == 0)
		ret = begin_readers(rpc, err);
	if (ret == 0)
		ret = listen_open(&rpc->settings->listen, &rpc->door.fd, err);
	return ret < 0 ? ret : find_group(rpc, err);
}

int rpc_open(const struct rpc_host *host, const struct rpc_settings *settings, struct rpc **out,
	     struct naohw_error *err)
{
	static const size_t cycles[THINGS] = {
		[THING_LINES] = RPC_LINES_CYCLE,   [THING_CALLS] = RPC_CALLS_CYCLE,
		[THING_TOLD] = WATCHES_KEYS_CYCLE, [THING_KEYS] = VALUES_KEYS_CYCLE,
		[THING_WORK] = RPC_WORK_CYCLE,
	};
	struct rpc *rpc = calloc(1, sizeof(*rpc));
	int ret;

	if (!rpc)
		return trouble(err, -ENOMEM, "out of memory");
	rpc->host = *host;
	rpc->settings = settings;
	for (size_t i = 0; i < THINGS; i++)
		budget_open(&rpc->budgets[i], cycles[i]);
	rpc->door = (struct watch){ .fd = -1, .call = on_door, .data = rpc };
	ret = begin(rpc, err);
	if (ret < 0) {
		rpc_close(rpc);
		return ret;
	}
	*out = rpc;
	return 0;
}

void rpc_close(struct rpc *rpc)
{
	if (!rpc)
		return;
	while (rpc->clients)
		client_free(rpc->clients);
	loop_unwatch(rpc->host.loop, &rpc->readers_turn);
	loop_free(rpc->readers);
	unread_close(&rpc->unread);
	if (rpc->door.fd >= 0) {
		loop_unwatch(rpc->host.loop, &rpc->door);
		listen_close(&rpc->settings->listen, rpc->door.fd);
	}
	naohw_snapshot_free(rpc->snapshot);
	free(rpc);
}
