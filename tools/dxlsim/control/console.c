// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../io/io.h"
#include "console.h"

/* 0, or -1 after saying what is wrong. Without a path there is no console. */
int console_open(struct console *console, const char *path)
{
	int i;

	memset(console, 0, sizeof(*console));
	console->path = path;
	console->listener = -1;
	for (i = 0; i < CONSOLE_CLIENTS; i++)
		console->clients[i].fd = -1;
	if (!path)
		return 0;

	console->listener = socket_listen(path);

	return console->listener < 0 ? -1 : 0;
}

static void drop_client(struct console_client *client)
{
	if (client->fd >= 0)
		close(client->fd);
	client->fd = -1;
}

void console_close(struct console *console)
{
	int i;

	if (console->listener < 0)
		return;
	for (i = 0; i < CONSOLE_CLIENTS; i++)
		drop_client(&console->clients[i]);
	close(console->listener);
	unlink(console->path);
}

static struct console_client *free_client(struct console *console)
{
	int i;

	for (i = 0; i < CONSOLE_CLIENTS; i++)
		if (console->clients[i].fd < 0)
			return &console->clients[i];

	return NULL;
}

static void accept_client(struct console *console)
{
	struct console_client *client = free_client(console);
	int fd;

	if (!client)
		return;
	fd = socket_accept(console->listener);
	if (fd < 0)
		return;

	client->fd = fd;
	client->len = 0;
	client->too_long = false;
	client->pending.len = 0;
}

/* Run a line and queue its answer; false if the client is to go. */
static bool answer_line(struct console_client *client,
			struct control *control, const char *line, nsec_t now)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	bool stay, fits;

	if (!out)
		return false;

	stay = control_line(control, line, now, out);
	fclose(out);
	fits = outbuf_add(&client->pending, text, len);
	free(text);

	return stay && fits;
}

static bool end_line(struct console_client *client, struct control *control,
		     nsec_t now)
{
	static const char too_long[] = CONTROL_ERROR "line is too long\n";
	bool was_too_long = client->too_long;

	client->line[client->len] = '\0';
	client->len = 0;
	client->too_long = false;
	if (was_too_long)
		return outbuf_add(&client->pending, too_long,
				  sizeof(too_long) - 1);

	return answer_line(client, control, client->line, now);
}

static bool take_byte(struct console_client *client, struct control *control,
		      char byte, nsec_t now)
{
	if (byte == '\n')
		return end_line(client, control, now);

	/* Zero would end the line early; let the parser see that it is junk. */
	if (!byte)
		byte = '\1';
	if (client->len < CONTROL_LINE_MAX - 1)
		client->line[client->len++] = byte;
	else
		client->too_long = true;

	return true;
}

static void serve_client(struct console_client *client,
			 struct control *control, short events, nsec_t now)
{
	char bytes[1024];
	ssize_t n = 0, i;
	bool stay = true;

	if (events & (POLLIN | POLLHUP | POLLERR)) {
		n = read(client->fd, bytes, sizeof(bytes));
		if (!n || (n < 0 && errno != EAGAIN && errno != EINTR))
			stay = false;
	}
	for (i = 0; stay && i < n; i++)
		stay = take_byte(client, control, bytes[i], now);

	if (!outbuf_flush(&client->pending, client->fd) || !stay)
		drop_client(client);
}

/* Fill in what to wait for, at most CONSOLE_POLLS entries; their number. */
int console_prepare(struct console *console, struct pollfd *polls)
{
	int i, n = 0;

	if (console->listener >= 0 && free_client(console))
		polls[n++] = (struct pollfd){ .fd = console->listener,
					      .events = POLLIN };

	for (i = 0; i < CONSOLE_CLIENTS; i++) {
		const struct console_client *client = &console->clients[i];

		if (client->fd >= 0)
			polls[n++] = (struct pollfd){
				.fd = client->fd,
				.events = client->pending.len ? POLLOUT : POLLIN,
			};
	}

	return n;
}

void console_serve(struct console *console, struct control *control,
		   const struct pollfd *polls, int count, nsec_t now)
{
	int i, j;

	for (i = 0; i < count; i++) {
		if (!polls[i].revents)
			continue;
		if (polls[i].fd == console->listener) {
			accept_client(console);
			continue;
		}
		for (j = 0; j < CONSOLE_CLIENTS; j++)
			if (console->clients[j].fd == polls[i].fd) {
				serve_client(&console->clients[j], control,
					     polls[i].revents, now);
				break;
			}
	}
}
