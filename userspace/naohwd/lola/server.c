// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "actuators.h"
#include "lola.h"
#include "packet.h"
#include "sensors.h"

/* ms; a NAO v6's, which its programs are written for */
#define PERIOD 12
/* More than a packet, and than is ever left of one */
#define INPUT_SIZE 4096
/* A client that sends more packets in a cycle is read from again in the next one. */
#define PACKETS_A_CYCLE 16
/* And more of one that goes: those of any honest client are read in one cycle. */
#define PACKETS_LEAVING 1024
/* More clients than wait at one door; so many are looked at in one go. */
#define WAITING_MAX 128

#define NOBODY (-1)
#define GONE   "it has closed the connection"

/* Where a client comes in; open while there is none */
struct door {
	struct lola *lola;
	const struct listen_settings *settings;
	struct watch watch;
	struct often full; /* that a client cannot come in */
};

struct lola {
	struct naohw_dcm *dcm;
	struct loop *loop;
	struct lola_senses *senses;
	struct lola_orders orders;
	struct lola_decoder *decoder;
	struct door door[LOLA_DOORS_MAX];
	size_t doors;
	const char *path;     /* by which the client has come */
	struct party party;   /* for which it asks for a period, if there are leases */
	struct watch client;  /* its fd is NOBODY without one */
	int64_t came;	      /* ms of the DCM's time, when the client did */
	int next;	      /* a client that waits to be let in by the next cycle, or NOBODY */
	size_t next_door;     /* by which it has come; else where to look for one first */
	bool has_spoken;      /* the client has, and is not one that only reads */
	bool is_behind;	      /* the client has missed packets, and that was told */
	bool is_unusable;     /* some of its values are, and that was told */
	const char *leaves;   /* why the client goes when the rest is read; NULL: it does not */
	struct often often;
	unsigned int packets; /* in this cycle */
	size_t input_used;
	uint8_t input[INPUT_SIZE];
};

/* ---- who waits ---- */

/* It has closed its end, and not only said that it sends nothing more. */
static bool has_hung_up(int fd)
{
	struct pollfd peer = { .fd = fd };

	return poll(&peer, 1, 0) > 0 && (peer.revents & POLLHUP);
}

/* What a client sent that hung up while it waited is of the past: nothing of it is read. */
static int accept_waiting(struct door *door)
{
	unsigned int dropped = 0;
	int fd;

	while ((fd = listen_accept(door->watch.fd)) >= 0 && has_hung_up(fd)) {
		close(fd);
		if (++dropped == WAITING_MAX)
			break;
	}
	if (dropped)
		log_often(&door->lola->often,
			  "%s: clients that hung up while they waited, and were not read: %u",
			  door->settings->path, dropped);
	return dropped < WAITING_MAX && fd >= 0 ? fd : NOBODY;
}

/* Each door has its turn. */
static bool is_waited_for(struct lola *lola)
{
	for (size_t i = 0; i < lola->doors && lola->next == NOBODY; i++) {
		lola->next_door = (lola->next_door + 1) % lola->doors;
		lola->next = accept_waiting(&lola->door[lola->next_door]);
	}
	return lola->next != NOBODY;
}

/* ---- a client goes ---- */

static void let_go(struct lola *lola)
{
	loop_unwatch(lola->loop, &lola->client);
	close(lola->client.fd);
	lola->client.fd = NOBODY;
	lola->leaves = NULL;
	lola_orders_end(&lola->orders);
	if (lola->party.leases)
		party_leave(&lola->party);
}

static void end_client(struct lola *lola, const char *why)
{
	log_often(&lola->often, "%s: the client is let go: %s", lola->path, why);
	let_go(lola);
	/* Who comes from now on does not wait for anybody. */
	(void)is_waited_for(lola);
}

/* Of a system call; who goes with packets that he has not read is told of as one who resets. */
static const char *reason(int error)
{
	return error == EPIPE || error == ECONNRESET ? GONE : strerror(error);
}

/* ---- what it sends ---- */

/* Of a program whose numbers are not set yet, which may be so in each packet */
static void tell_unusable(struct lola *lola, const struct lola_actuators *actuators)
{
	if (lola->is_unusable || !*actuators->unusable.message)
		return;
	log_often(&lola->often, "%s: such values of the client's are passed over: %s", lola->path,
		  actuators->unusable.message);
	lola->is_unusable = true;
}

/* Return: true: there may be another packet. */
static bool take_packet(struct lola *lola, size_t *used)
{
	struct lola_actuators actuators;
	struct naohw_error err;
	size_t more;
	int ret = lola_decode(lola->decoder, lola->input + *used, lola->input_used - *used, &more,
			      &actuators, &err);

	*used += more;
	if (ret > 0) {
		lola->packets++;
		lola->has_spoken = true;
		tell_unusable(lola, &actuators);
		ret = lola_orders_give(&lola->orders, &actuators, &err);
		if (ret == 0)
			return true;
	}
	if (ret < 0)
		end_client(lola, err.message);
	return false;
}

/* What is not used stays, for more that comes behind it. */
static void take_packets(struct lola *lola, unsigned int most)
{
	size_t used = 0;

	while (lola->packets < most && take_packet(lola, &used))
		;
	if (lola->client.fd == NOBODY)
		return;
	lola->input_used -= used;
	memmove(lola->input, lola->input + used, lola->input_used);
}

static void take_input(struct lola *lola)
{
	take_packets(lola, PACKETS_A_CYCLE);
	if (lola->packets >= PACKETS_A_CYCLE)
		loop_unwatch(lola->loop, &lola->client);
}

/* Return: as recv(). */
static ssize_t receive(struct lola *lola)
{
	ssize_t size = recv(lola->client.fd, lola->input + lola->input_used,
			    INPUT_SIZE - lola->input_used, 0);

	if (size > 0)
		lola->input_used += (size_t)size;
	return size;
}

static void on_input(void *data)
{
	struct lola *lola = data;
	ssize_t size = receive(lola);

	if (size < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (size <= 0)
		end_client(lola, size ? reason(errno) : GONE);
	else
		take_input(lola);
}

/* What it has sent still holds, but no cycle is to be late by it. Return: true: that was all. */
static bool read_rest(struct lola *lola)
{
	lola->packets = 0;
	do
		take_packets(lola, PACKETS_LEAVING);
	while (lola->client.fd != NOBODY && lola->packets < PACKETS_LEAVING && receive(lola) > 0);
	return lola->client.fd == NOBODY || lola->packets < PACKETS_LEAVING;
}

static void go_on_leaving(struct lola *lola)
{
	if (read_rest(lola) && lola->client.fd != NOBODY)
		end_client(lola, lola->leaves);
}

/* shutdown() sees to it that no more comes. */
static void read_and_end_client(struct lola *lola, const char *why)
{
	(void)shutdown(lola->client.fd, SHUT_RDWR);
	loop_unwatch(lola->loop, &lola->client);
	lola->leaves = why;
	go_on_leaving(lola);
}

/* ---- what it gets ---- */

/* One that does not read misses packets, each as a whole. */
static void send_packet(struct lola *lola)
{
	uint8_t bytes[LOLA_SENSORS_SIZE];
	struct lola_sensors sensors;
	ssize_t size;

	if (lola_sense(lola->senses, &sensors) < 0)
		return;
	lola_encode(&sensors, bytes);
	size = send(lola->client.fd, bytes, sizeof(bytes), MSG_NOSIGNAL);
	if (size == (ssize_t)sizeof(bytes)) {
		lola->is_behind = false;
	} else if (size >= 0) {
		read_and_end_client(lola, "it reads so slowly that a packet was cut");
	} else if (errno != EAGAIN) {
		read_and_end_client(lola, reason(errno));
	} else if (!lola->is_behind) {
		log_often(&lola->often, "%s: the client does not read, and misses packets",
			  lola->path);
		lola->is_behind = true;
	}
}

static void give_more(struct lola *lola)
{
	struct naohw_error err;

	if (lola->client.fd != NOBODY && lola_orders_cycle(&lola->orders, &err) < 0)
		end_client(lola, err.message);
}

static void read_again(struct lola *lola)
{
	lola->packets = 0;
	if (lola->client.is_on)
		return;
	(void)loop_watch(lola->loop, &lola->client);
	take_input(lola);
}

static void open_doors(struct lola *lola)
{
	for (size_t i = 0; i < lola->doors; i++)
		(void)loop_watch(lola->loop, &lola->door[i].watch);
}

static void shut_doors(struct lola *lola)
{
	for (size_t i = 0; i < lola->doors; i++)
		loop_unwatch(lola->loop, &lola->door[i].watch);
}

/* Where the loop has been kept from its work a packet may be there that it has not seen. */
static void look_for_end(struct lola *lola)
{
	if (!lola_orders_are_silent(&lola->orders))
		return;
	if (lola->client.is_on)
		on_input(lola);
	if (lola_orders_are_over(&lola->orders))
		lola_orders_finish(&lola->orders);
}

/*
 * It hangs, or has been stopped. A client that has never sent anything may be one that only reads;
 * if it reads, it stays.
 */
static bool is_stuck(const struct lola *lola)
{
	if (lola->client.fd == NOBODY || !lola_orders_are_silent(&lola->orders))
		return false;
	return lola->has_spoken ||
	       (lola->is_behind && naohw_dcm_get_time(lola->dcm, -LOLA_GRACE) >= lola->came);
}

/* Another client may be what is to help. */
static void make_way(struct lola *lola)
{
	if (is_stuck(lola) && is_waited_for(lola))
		read_and_end_client(lola, lola->has_spoken ?
						  "it says nothing, and another one waits" :
						  "it neither reads nor sends, and another one "
						  "waits");
}

/* ---- a client comes ---- */

static void know_client(struct lola *lola)
{
	struct ucred peer = { 0 };
	socklen_t size = sizeof(peer);

	(void)getsockopt(lola->client.fd, SOL_SOCKET, SO_PEERCRED, &peer, &size);
	lola->party.pid = peer.pid;
	lola->party.uid = peer.uid;
	log_often(&lola->often, "%s: a client has come, process %ld of user %ld", lola->path,
		  (long)peer.pid, (long)peer.uid);
}

static void ask_period(struct lola *lola)
{
	struct naohw_error err;

	if (lola->party.leases && party_ask_period(&lola->party, PERIOD, NAOHW_TIME_NONE, &err) < 0)
		log_often(&lola->often, "%s: a period of %d ms: %s", lola->path, PERIOD,
			  err.message);
}

static void let_in(struct lola *lola, const char *path, int fd)
{
	lola->path = path;
	lola->client.fd = fd;
	lola->came = naohw_dcm_get_time(lola->dcm, 0);
	lola->has_spoken = false;
	lola->is_behind = false;
	lola->is_unusable = false;
	lola->packets = 0;
	lola->input_used = 0;
	lola_decoder_reset(lola->decoder);
	know_client(lola);
	if (loop_watch(lola->loop, &lola->client) < 0) {
		end_client(lola, "it cannot be waited for");
		return;
	}
	ask_period(lola);
}

/* The one that has waited longest, or whoever comes. */
static void admit(struct lola *lola)
{
	int fd = lola->next;

	lola->next = NOBODY;
	if (fd == NOBODY)
		open_doors(lola);
	else
		let_in(lola, lola->door[lola->next_door].settings->path, fd);
}

/* Others wait until this one has gone, as two that say where a joint is to be would shake it. */
static void on_door(void *data)
{
	struct door *door = data;
	int fd = listen_accept(door->watch.fd);

	if (fd == -EAGAIN || fd == -ECONNABORTED)
		return;
	shut_doors(door->lola);
	if (fd >= 0)
		let_in(door->lola, door->settings->path, fd);
	else
		/* The next cycle tries again. */
		log_seldom(&door->full, naohw_dcm_get_time(door->lola->dcm, 0),
			   "%s: a client cannot come in: %s", door->settings->path, strerror(-fd));
}

/* ---- a cycle ---- */

/* Before there has been a cycle nobody comes in, as the store has nothing to tell yet. */
void lola_cycle(struct lola *lola)
{
	lola_orders_look(&lola->orders);
	look_for_end(lola);
	make_way(lola);
	give_more(lola);
	if (lola->client.fd == NOBODY) {
		admit(lola);
		return;
	}
	if (lola->leaves) {
		go_on_leaving(lola);
		return;
	}
	send_packet(lola);
	if (lola->client.fd != NOBODY && !lola->leaves)
		read_again(lola);
}

/* ---- all of it ---- */

static int add_door(struct lola *lola, const struct listen_settings *settings,
		    struct naohw_error *err)
{
	struct door *door = &lola->door[lola->doors];
	int ret;

	door->lola = lola;
	door->settings = settings;
	door->watch = (struct watch){ .call = on_door, .data = door };
	ret = listen_open(settings, &door->watch.fd, err);
	if (ret == 0)
		lola->doors++;
	return ret;
}

static int begin(struct lola *lola, const struct listen_settings *settings, size_t doors,
		 struct naohw_error *err)
{
	int ret;

	lola->decoder = lola_decoder_new();
	if (!lola->decoder)
		return trouble(err, -ENOMEM, "out of memory");
	ret = lola_senses_new(naohw_dcm_store(lola->dcm), &lola->senses, err);
	if (ret == 0)
		ret = lola_orders_begin(&lola->orders, lola->dcm, err);
	for (size_t i = 0; i < doors && ret == 0; i++)
		ret = add_door(lola, &settings[i], err);
	return ret;
}

int lola_open(struct loop *loop, struct naohw_dcm *dcm, const struct listen_settings *settings,
	      size_t doors, struct lola **out, struct naohw_error *err)
{
	struct lola *lola = calloc(1, sizeof(*lola));
	int ret;

	if (!lola)
		return trouble(err, -ENOMEM, "out of memory");
	lola->loop = loop;
	lola->dcm = dcm;
	lola->client = (struct watch){ .fd = NOBODY, .call = on_input, .data = lola };
	lola->next = NOBODY;
	strcpy(lola->party.program, "LoLA's client");
	ret = begin(lola, settings, doors, err);
	if (ret < 0) {
		lola_close(lola);
		return ret;
	}
	(void)is_waited_for(lola);
	*out = lola;
	return 0;
}

void lola_obey(struct lola *lola, struct leases *leases, const struct lola_end *end)
{
	lola->party.leases = leases;
	lola_orders_obey(&lola->orders, leases, end);
}

uint32_t lola_moved(const struct lola *lola)
{
	return lola_orders_moved(&lola->orders);
}

void lola_have_moved(struct lola *lola, uint32_t joints)
{
	lola_orders_have_moved(&lola->orders, joints);
}

void lola_part(struct lola *lola)
{
	if (lola->client.fd == NOBODY)
		return;
	(void)shutdown(lola->client.fd, SHUT_RDWR);
	while (!read_rest(lola))
		;
	if (lola->client.fd == NOBODY)
		return;
	log_line("%s: the client is let go: naohwd ends", lola->path);
	let_go(lola);
}

void lola_close(struct lola *lola)
{
	if (!lola)
		return;
	lola_part(lola);
	if (lola->next != NOBODY)
		close(lola->next);
	shut_doors(lola);
	for (size_t i = 0; i < lola->doors; i++)
		listen_close(lola->door[i].settings, lola->door[i].watch.fd);
	lola_senses_free(lola->senses);
	lola_decoder_free(lola->decoder);
	free(lola);
}
