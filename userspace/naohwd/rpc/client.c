// SPDX-License-Identifier: GPL-2.0-or-later
#include "client.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "peer.h"
#include "server.h"

/* ---- how much is kept ---- */

static size_t kept_of(const struct client *client)
{
	return client->lines.size + client->output.end;
}

/* Who keeps the most is let go, not who needs a little more: that may be somebody else. */
static void make_room(struct rpc *rpc)
{
	struct client *most = rpc->clients;
	size_t size = 0;

	for (struct client *client = rpc->clients; client; client = client->next) {
		size += kept_of(client);
		if (kept_of(client) > kept_of(most))
			most = client;
	}
	if (size <= CLIENTS_BYTES_MAX)
		return;
	log_often(
		&rpc->often,
		"%s (process %ld) is let go: its lines and answers are the most where all are too much",
		most->party.program, (long)most->party.pid);
	most->is_gone = true;
	lines_free(&most->lines);
	output_free(&most->output);
}

/* ---- what it gets ---- */

static bool tell(struct client *client, struct json_object *json)
{
	size_t length;
	const char *line = message_text(json, &length);

	return line && output_add(&client->output, line, length) == 0 &&
	       output_send(&client->output, client->watch.fd) == 0;
}

void client_tell(struct client *client, struct json_object *json)
{
	if (!tell(client, json))
		client->is_gone = true;
	else if (!output_is_empty(&client->output))
		make_room(client->rpc);
	json_object_put(json);
}

void client_pass(struct client *client, int fd)
{
	client->output.fd = fd;
}

int client_answer_later(struct client *client, struct json_object *id, uint64_t ticket)
{
	if (client->later_count == CLIENT_LATER_MAX)
		return -EAGAIN;
	client->later[client->later_count++] = (struct later){ json_object_get(id), ticket };
	return 0;
}

/* Whether the DCM has taken what this client has set, and it alone. As naohw_dcm_has_taken(). */
static int has_taken(const struct client *client, uint64_t ticket, struct naohw_error *err)
{
	int ret;

	(void)naohw_dcm_act_for(client->number);
	ret = naohw_dcm_has_taken(client->rpc->host.dcm, ticket, err);
	(void)naohw_dcm_act_for(0);
	return ret;
}

/* They have come in order. Return: false: the first one has to wait. */
static bool answer_first(struct client *client)
{
	struct later *first = &client->later[0];
	struct naohw_error err;
	int ret = has_taken(client, first->ticket, &err);

	if (ret == -EAGAIN)
		return false;
	client_tell(client, ret < 0 ? message_error(first->id, RPC_FAILED, ret, err.message) :
				      message_result(first->id, NULL));
	json_object_put(first->id);
	memmove(first, first + 1, --client->later_count * sizeof(*first));
	return true;
}

/* ---- whether it lives ---- */

static void heard(struct client *client)
{
	client->party.heard = naohw_dcm_get_time(client->rpc->host.dcm, 0);
}

/* It has, and it is for others that it has not had its turn. */
static bool has_more_to_say(const struct client *client)
{
	int unread = 0;

	if (!output_is_empty(&client->output))
		return false;
	return client->waits || lines_are_waiting(&client->lines) ||
	       (ioctl(client->watch.fd, FIONREAD, &unread) == 0 && unread > 0);
}

static void look_at_timeouts(struct client *client)
{
	if (!client->party.count)
		return;
	if (has_more_to_say(client))
		heard(client);
	party_look_at_timeouts(&client->party);
}

/* ---- what it wants ---- */

static int wait_for(struct client *client, enum thing thing, size_t amount)
{
	client->waits = true;
	client->waits_for = thing;
	client->waits_amount = amount;
	return CALL_AGAIN;
}

/* What a line has taken is not taken again when it begins anew. */
int client_take(struct call *call, enum thing thing, size_t amount)
{
	struct client *client = call->client;
	size_t taken = call->is_in_batch ? 0 : client->taken[thing];
	size_t more = amount > taken ? amount - taken : 0;

	if (!more || budget_take(&call->rpc->budgets[thing], &client->portions[thing], more)) {
		client->taken[thing] += more;
		return 0;
	}
	if (!call->is_in_batch)
		return wait_for(client, thing, more);
	return trouble(&call->err, -EAGAIN,
		       "in this cycle there is no more for you, and a batch does not wait");
}

static bool may_read(struct client *client, const char *line, size_t length)
{
	struct call call = { .rpc = client->rpc, .client = client };

	return client->taken[THING_LINES] ||
	       client_take(&call, THING_LINES, message_work(line, length)) == 0;
}

/* Return: false: there is more of it to be done. */
static bool do_line(struct client *client, const char *line, size_t length)
{
	bool is_done = true;

	(void)naohw_dcm_act_for(client->number);
	if (may_read(client, line, length))
		is_done = requests_do(client, line, length);
	(void)naohw_dcm_act_for(0);
	/* It waits as a text, which is a small part of what its objects are. */
	if (client->waits || !is_done)
		lines_again(&client->lines, line);
	else
		memset(client->taken, 0, sizeof(client->taken));
	return is_done;
}

static bool may_go_on(const struct client *client)
{
	return !client->is_gone && !client->waits && !client->spent &&
	       output_is_empty(&client->output) && client->cost < CLIENT_COST_CYCLE;
}

static void do_lines(struct client *client)
{
	unsigned int begin = client->cost;
	const char *line;
	size_t length;

	while (may_go_on(client) && client->cost - begin < CLIENT_COST_TURN) {
		switch (lines_next(&client->lines, &line, &length)) {
		case LINES_NONE:
			return;
		case LINES_ONE:
			heard(client);
			if (!do_line(client, line, length))
				return;
			break;
		case LINES_TOO_LONG:
			client_tell(client, message_error(NULL, RPC_PARSE_ERROR, -EMSGSIZE,
							  "a line has 1 MiB at the most"));
			client->is_gone = true;
		}
	}
}

bool client_may_resume(const struct client *client)
{
	return client->waits &&
	       budget_has(&client->rpc->budgets[client->waits_for],
			  &client->portions[client->waits_for], client->waits_amount);
}

/* It has it before others, whose turns may come before its own. */
void client_resume(struct client *client)
{
	enum thing thing = client->waits_for;

	client->waits = false;
	if (budget_take(&client->rpc->budgets[thing], &client->portions[thing],
			client->waits_amount))
		client->taken[thing] += client->waits_amount;
}

/* ---- its turns ---- */

/* Who has gone holds nothing that he may want when he comes again at once. */
static int wait_for_cycle(struct client *client)
{
	struct loop *loop = client->loop;

	if (!lines_are_waiting(&client->lines))
		return loop_watch_end(loop, &client->watch);
	loop_unwatch(loop, &client->watch);
	return 0;
}

/* Whatever it says or reads */
static bool has_work_left(const struct client *client)
{
	return client->spent || watches_are_due(client);
}

/*
 * What it is waited for next; or nothing, until the next cycle. A line that it has sent already
 * waits for its next turn, which comes as there is room to write.
 */
static void wait_on(struct client *client)
{
	struct loop *loop = client->loop;
	int ret = 0;

	if (has_work_left(client) || !output_is_empty(&client->output))
		ret = loop_watch_room(loop, &client->watch);
	else if (client->waits)
		ret = loop_watch_end(loop, &client->watch);
	else if (client->cost >= CLIENT_COST_CYCLE)
		ret = wait_for_cycle(client);
	else if (lines_are_waiting(&client->lines))
		ret = loop_watch_room(loop, &client->watch);
	else if (client->says_no_more)
		ret = loop_watch_end(loop, &client->watch);
	else if (client->bytes < CLIENT_BYTES_CYCLE)
		ret = loop_watch(loop, &client->watch);
	else
		loop_unwatch(loop, &client->watch);
	client->is_gone |= ret < 0;
}

/* Nobody is at the other end, neither to read nor to write. */
static bool has_closed(const struct client *client)
{
	struct pollfd end = { .fd = client->watch.fd };

	return poll(&end, 1, 0) > 0 && end.revents & POLLHUP;
}

/* Who says no more waits for its answers, as long as it may read them. */
static bool is_done(const struct client *client)
{
	if (!client->says_no_more || client->spent || lines_are_waiting(&client->lines))
		return false;
	return has_closed(client) ||
	       (!client->waits && !client->later_count && output_is_empty(&client->output));
}

static void end_turn(struct client *client)
{
	lines_shrink(&client->lines);
	client->is_gone |= is_done(client);
	if (!client->is_gone)
		wait_on(client);
	if (client->is_gone)
		client_free(client);
}

static void read_some(struct client *client)
{
	char *room = lines_room(&client->lines);
	ssize_t size;

	if (room && client->lines.size > LINES_ROOM)
		make_room(client->rpc);
	if (!room || client->is_gone) {
		client->is_gone = true;
		return;
	}
	size = recv(client->watch.fd, room, LINES_CHUNK, MSG_DONTWAIT);
	if (size < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (size < 0) {
		client->is_gone = true;
		return;
	}
	if (size == 0) {
		client->says_no_more = true;
		lines_end(&client->lines);
	}
	client->bytes += (size_t)size;
	lines_add(&client->lines, (size_t)size);
}

/* One thing at a time, so that others do not wait for all of them. */
static void take_turn(struct client *client)
{
	if (client->spent) {
		message_free_some(&client->spent);
	} else if (!output_is_empty(&client->output)) {
		client->is_gone |= output_send(&client->output, client->watch.fd) < 0;
	} else if (watches_are_due(client)) {
		watches_tell_one(client);
	} else {
		if (!client->says_no_more && !lines_are_waiting(&client->lines))
			read_some(client);
		do_lines(client);
	}
}

static void on_turn(void *data)
{
	struct client *client = data;

	/* What nobody waits for any more is not done; others want the place. */
	client->is_gone |= client->waits && !has_work_left(client) &&
			   output_is_empty(&client->output);
	if (!client->is_gone)
		take_turn(client);
	end_turn(client);
}

void client_begin(struct client *client, size_t siblings)
{
	client->cost -= client->cost < CLIENT_COST_CYCLE ? client->cost : CLIENT_COST_CYCLE;
	client->bytes = 0;
	for (size_t i = 0; i < THINGS; i++)
		portion_cycle(&client->rpc->budgets[i], &client->portions[i], siblings);
}

void client_cycle(struct client *client)
{
	look_at_timeouts(client);
	while (client->later_count && !client->is_gone && output_is_empty(&client->output) &&
	       answer_first(client))
		;
	watches_cycle(client);
	events_cycle(client);
	end_turn(client);
}

/* ---- it comes and goes ---- */

/* Its children may have the connection, too. What it has said before is still read. */
static void end_of_life(struct client *client)
{
	(void)shutdown(client->watch.fd, SHUT_RDWR);
}

static void on_death(void *data)
{
	struct client *client = data;

	loop_unwatch(client->loop, &client->life);
	end_of_life(client);
}

static void watch_life(struct client *client)
{
	int fd = peer_life(client->party.pid);

	client->life = (struct watch){ .fd = fd, .call = on_death, .data = client };
	/* It may have died before it was let in. */
	if (fd == -ESRCH)
		end_of_life(client);
	else if (fd >= 0)
		(void)loop_watch(client->loop, &client->life);
}

static bool is_taken(const struct rpc *rpc, unsigned int number)
{
	for (const struct client *client = rpc->clients; client; client = client->next)
		if (client->number == number)
			return true;
	return false;
}

/* The lowest that nobody has. What its last one was not told is nobody's. */
static void take_number(struct client *client)
{
	client->number = 1;
	while (is_taken(client->rpc, client->number))
		client->number++;
	(void)has_taken(client, 0, NULL);
}

struct client *client_new(struct rpc *rpc, int fd, bool may_write)
{
	struct client *client = calloc(1, sizeof(*client));

	if (!client) {
		close(fd);
		return NULL;
	}
	client->rpc = rpc;
	client->watch = (struct watch){ .fd = fd, .call = on_turn, .data = client };
	client->output.fd = -1;
	client->may_write = may_write;
	client->loop = may_write ? rpc->host.loop : rpc->readers;
	client->party.leases = rpc->host.leases;
	peer_find(fd, &client->party);
	take_number(client);
	watch_life(client);
	client->next = rpc->clients;
	rpc->clients = client;
	rpc->client_count++;
	wait_on(client);
	return client;
}

static void leave_list(struct client *client)
{
	struct client **place = &client->rpc->clients;

	while (*place != client)
		place = &(*place)->next;
	*place = client->next;
	client->rpc->client_count--;
}

void client_free(struct client *client)
{
	leave_list(client);
	play_leave(client->rpc->host.plays, &client->party);
	party_leave(&client->party);
	aliases_leave(client->rpc, client);
	loop_unwatch(client->loop, &client->watch);
	loop_unwatch(client->loop, &client->life);
	if (client->stores)
		unread_take(&client->rpc->unread, client->watch.fd, client->party.pid);
	else
		close(client->watch.fd);
	if (client->life.fd >= 0)
		close(client->life.fd);
	for (size_t i = 0; i < client->later_count; i++)
		json_object_put(client->later[i].id);
	requests_stop(client);
	watches_free(client);
	lines_free(&client->lines);
	output_free(&client->output);
	free(client);
}
