/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A master on a serial port that does as the maker's SDK does: it opens the port
 * without waiting and sets all of it, closes and opens it at once to change the
 * rate, drops what has come before it sends, and reads again and again until a
 * packet is whole. What it sends follows at once unless it waits for an answer.
 */
#ifndef DXLSIM_TESTS_CLIENT_H
#define DXLSIM_TESTS_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

#include <linux/dxl/packet.h>
#include <linux/types.h>

#define CLIENT_BYTES	2048

struct client {
	const char *path;
	int protocol;
	int fd;
	u8 bytes[CLIENT_BYTES];		/* that have come and are not taken yet */
	size_t len;
};

struct status {
	u8 id;
	u8 error;
	size_t len;
	u8 params[CLIENT_BYTES];
};

void client_open(struct client *client, const char *path, int protocol,
		 speed_t rate);
void client_close(struct client *client);
void client_set_rate(struct client *client, speed_t rate);

void client_send(struct client *client, u8 id, u8 instruction,
		 const u8 *params, size_t len);
struct status client_hear(struct client *client);
struct status client_ask(struct client *client, u8 id, u8 instruction,
			 const u8 *params, size_t len);
void client_order(struct client *client, u8 id, u8 instruction,
		  const u8 *params, size_t len);

/* --- of both protocols, whose addresses are as long as they are --- */

void client_await(struct client *client, u8 id);
void client_write(struct client *client, u8 id, u16 addr, unsigned int size,
		  int value);
void client_tell(struct client *client, u8 id, u16 addr, unsigned int size,
		 int value);
int client_read(struct client *client, u8 id, u16 addr, unsigned int size);
int value_of(const u8 *bytes, unsigned int size);

/* --- with a robot of its own, at 1 Mbaud --- */

struct scene;

struct stage {
	struct scene *scene;
	struct client client;
};

int stage_set_up(void **state, const char *tree, int protocol);
int stage_tear_down(void **state);

extern bool stage_untimed, stage_timed;

/* Without wire time, and with it */
#define CLIENT_TEST(f) \
	{ #f, f, set_up, stage_tear_down, &stage_untimed }, \
	{ #f "_in_time", f, set_up, stage_tear_down, &stage_timed }

#endif
