// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmocka_all.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client.h"
#include "frame.h"
#include "scene.h"

/* Between two looks at whether something has come */
#define LOOK_MS		1
/* After so long without an answer a device is asked again. */
#define TRY_MS		200

/* --- the port --- */

static void set_port(const struct client *client, speed_t rate)
{
	struct termios tio = {
		.c_iflag = IGNPAR,
		.c_cflag = rate | CS8 | CLOCAL | CREAD,
	};

	tcflush(client->fd, TCIFLUSH);
	assert_int_equal(tcsetattr(client->fd, TCSANOW, &tio), 0);
}

void client_open(struct client *client, const char *path, int protocol,
		 speed_t rate)
{
	client->path = path;
	client->protocol = protocol;
	client->len = 0;
	client->fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	assert_true(client->fd >= 0);
	set_port(client, rate);
}

void client_close(struct client *client)
{
	close(client->fd);
}

void client_set_rate(struct client *client, speed_t rate)
{
	client_close(client);
	client_open(client, client->path, client->protocol, rate);
}

/* With VMIN 0 there is no error in there being nothing. */
static void look(struct client *client)
{
	ssize_t n = read(client->fd, client->bytes + client->len,
			 CLIENT_BYTES - client->len);

	assert_true(n >= 0);
	client->len += n;
}

/* Until so many bytes have come; false if that takes too long. */
static bool gather(struct client *client, size_t len, unsigned int patience_ms)
{
	unsigned int i;

	assert_in_range(len, 0, CLIENT_BYTES);
	for (i = 0; client->len < len && i < patience_ms / LOOK_MS; i++) {
		look(client);
		if (client->len < len)
			nap_ms(LOOK_MS);
	}

	return client->len >= len;
}

static void drop(struct client *client, size_t len)
{
	client->len -= len;
	memmove(client->bytes, client->bytes + len, client->len);
}

/* --- packets --- */

void client_send(struct client *client, u8 id, u8 instruction,
		 const u8 *params, size_t len)
{
	u8 bytes[CLIENT_BYTES];
	size_t size = client->protocol == 1 ?
		      frame(bytes, id, instruction, params, len) :
		      frame2(bytes, id, instruction, params, len);

	tcflush(client->fd, TCIFLUSH);
	client->len = 0;
	give(client->fd, bytes, size);
}

static bool hear1(struct client *client, struct status *status,
		  unsigned int patience_ms)
{
	const u8 *bytes = client->bytes;
	size_t len;

	if (!gather(client, 6, patience_ms))
		return false;
	assert_memory_equal(bytes, "\xff\xff", 2);
	len = bytes[3] + 4;
	assert_in_range(len, 6, 259);
	assert_true(gather(client, len, PATIENCE_MS));
	assert_int_equal(bytes[len - 1], sum_of(bytes + 2, len - 3));

	status->id = bytes[2];
	status->error = bytes[4];
	status->len = len - 6;
	memcpy(status->params, bytes + 5, status->len);
	drop(client, len);

	return true;
}

/* In the answer to a fast group read nothing is stuffed. */
static bool hear2(struct client *client, struct status *status,
		  unsigned int patience_ms)
{
	u8 *bytes = client->bytes;
	size_t len, body;

	if (!gather(client, 11, patience_ms))
		return false;
	assert_memory_equal(bytes, "\xff\xff\xfd", 4);
	len = value_of(bytes + 5, 2) + 7;
	assert_in_range(len, 11, CLIENT_BYTES);
	assert_true(gather(client, len, PATIENCE_MS));
	assert_int_equal(value_of(bytes + len - 2, 2), crc_of(bytes, len - 2));
	assert_int_equal(bytes[7], DXL_STATUS_RETURN);

	body = bytes[4] == DXL_ID_BROADCAST ? len - 9 : unstuff(bytes + 7, len - 9);
	status->id = bytes[4];
	status->error = bytes[8];
	status->len = body - 2;
	memcpy(status->params, bytes + 9, status->len);
	drop(client, len);

	return true;
}

static bool hear(struct client *client, struct status *status,
		 unsigned int patience_ms)
{
	if (client->protocol == 1)
		return hear1(client, status, patience_ms);

	return hear2(client, status, patience_ms);
}

/* The next answer, which has to come. */
struct status client_hear(struct client *client)
{
	struct status status;

	if (!hear(client, &status, PATIENCE_MS))
		fail_msg("no answer");

	return status;
}

/* One answer and no more, as far as that has come. */
struct status client_ask(struct client *client, u8 id, u8 instruction,
			 const u8 *params, size_t len)
{
	struct status status;

	client_send(client, id, instruction, params, len);
	status = client_hear(client);
	assert_int_equal(client->len, 0);
	assert_int_equal(status.id, id);

	return status;
}

/* Something that is answered without anything more to say. */
void client_order(struct client *client, u8 id, u8 instruction,
		  const u8 *params, size_t len)
{
	struct status status = client_ask(client, id, instruction, params, len);

	assert_int_equal(status.error, 0);
	assert_int_equal(status.len, 0);
}

static bool try_ping(struct client *client, u8 id)
{
	struct status status;

	client_send(client, id, DXL_PING, NULL, 0);
	if (!hear(client, &status, TRY_MS))
		return false;
	assert_int_equal(status.id, id);
	assert_int_equal(status.error, 0);

	return true;
}

/* Until the device hears again: it starts, or keeps what it was told. */
void client_await(struct client *client, u8 id)
{
	int i;

	for (i = 0; i < PATIENCE_MS / TRY_MS; i++)
		if (try_ping(client, id))
			return;
	fail_msg("device %u does not come back", id);
}

/* --- registers --- */

int value_of(const u8 *bytes, unsigned int size)
{
	unsigned int value = 0, i;

	for (i = 0; i < size; i++)
		value |= (unsigned int)bytes[i] << 8 * i;

	return value;
}

static size_t put_value(u8 *bytes, unsigned int size, int value)
{
	unsigned int i;

	for (i = 0; i < size; i++)
		bytes[i] = (unsigned int)value >> 8 * i;

	return size;
}

static size_t put_addr(const struct client *client, u8 *bytes, u16 addr)
{
	return put_value(bytes, client->protocol, addr);
}

static size_t put_write(const struct client *client, u8 *params, u16 addr,
			unsigned int size, int value)
{
	size_t len = put_addr(client, params, addr);

	return len + put_value(params + len, size, value);
}

void client_write(struct client *client, u8 id, u16 addr, unsigned int size,
		  int value)
{
	u8 params[6];

	client_order(client, id, DXL_WRITE, params,
		     put_write(client, params, addr, size, value));
}

/* A write that is not answered: to all, or to a device that does not */
void client_tell(struct client *client, u8 id, u16 addr, unsigned int size,
		 int value)
{
	u8 params[6];

	client_send(client, id, DXL_WRITE, params,
		    put_write(client, params, addr, size, value));
}

int client_read(struct client *client, u8 id, u16 addr, unsigned int size)
{
	struct status status;
	u8 params[4];
	size_t len = put_addr(client, params, addr);

	len += put_addr(client, params + len, size);
	status = client_ask(client, id, DXL_READ, params, len);
	assert_int_equal(status.error, 0);
	assert_int_equal(status.len, size);

	return value_of(status.params, size);
}

/* --- a robot --- */

bool stage_untimed = false, stage_timed = true;

/* The state given says whether what is said takes time. */
int stage_set_up(void **state, const char *tree, int protocol)
{
	const bool *wire_time = *state;
	struct stage *stage = calloc(1, sizeof(*stage));

	assert_non_null(stage);
	stage->scene = scene_new(tree);
	start(stage->scene, (const char *[]){ "--pty", stage->scene->bus,
					      *wire_time ? "--wire-time" : NULL,
					      NULL });
	client_open(&stage->client, stage->scene->bus, protocol, B1000000);
	*state = stage;

	return 0;
}

int stage_tear_down(void **state)
{
	struct stage *stage = *state;

	client_close(&stage->client);
	scene_free(stage->scene);
	free(stage);

	return 0;
}
