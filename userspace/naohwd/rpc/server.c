// SPDX-License-Identifier: GPL-2.0-or-later
#include "server.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "message.h"

#define CLIENTS_MAX 128

/* ---- who comes ---- */

/* It has room for one line, as it has just been made. */
static void refuse(struct rpc *rpc, int fd)
{
	static const char line[] = "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32000,"
				   "\"message\":\"there are 128 clients, and no more can come\","
				   "\"data\":{\"errno\":23,\"name\":\"ENFILE\"}}}\n";

	(void)send(fd, line, sizeof(line) - 1, MSG_NOSIGNAL | MSG_DONTWAIT);
	close(fd);
	if (!rpc->is_full)
		log_line("%s: there are %d clients, and no more can come",
			 rpc->settings->listen.path, CLIENTS_MAX);
	rpc->is_full = true;
}

static void on_door(void *data)
{
	struct rpc *rpc = data;
	int fd = listen_accept(rpc->door.fd);

	if (fd == -EAGAIN || fd == -ECONNABORTED)
		return;
	if (fd < 0) {
		/* The next cycle tries again. */
		log_line("%s: a client cannot come in: %s", rpc->settings->listen.path,
			 strerror(-fd));
		loop_unwatch(rpc->host.loop, &rpc->door);
		return;
	}
	if (rpc->client_count == CLIENTS_MAX) {
		refuse(rpc, fd);
		return;
	}
	rpc->is_full = false;
	(void)client_new(rpc, fd);
}

/* ---- cycles ---- */

/* Before there has been one nobody comes in, as the store has nothing to tell yet. */
void rpc_cycle(struct rpc *rpc)
{
	struct client *next;

	(void)loop_watch(rpc->host.loop, &rpc->door);
	for (struct client *client = rpc->clients; client; client = next) {
		next = client->next;
		client_cycle(client);
	}
}

/* ---- all of it ---- */

int rpc_open(const struct rpc_host *host, const struct rpc_settings *settings, struct rpc **out,
	     struct naohw_error *err)
{
	struct rpc *rpc = calloc(1, sizeof(*rpc));
	int ret;

	if (!rpc)
		return trouble(err, -ENOMEM, "out of memory");
	rpc->host = *host;
	rpc->settings = settings;
	rpc->door = (struct watch){ .fd = -1, .call = on_door, .data = rpc };
	ret = listen_open(&settings->listen, &rpc->door.fd, err);
	if (ret < 0) {
		free(rpc);
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
	loop_unwatch(rpc->host.loop, &rpc->door);
	listen_close(&rpc->settings->listen, rpc->door.fd);
	free(rpc);
}
