/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is on its way to a client: lines, of which the last may have a descriptor. */
#ifndef NAOHWD_RPC_OUTPUT_H
#define NAOHWD_RPC_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

struct output {
	char *at;
	size_t begin; /* of what is still to be sent */
	size_t end;
	int fd; /* goes with the next byte; below 0: none */
};

bool output_is_empty(const struct output *output);

/* Another line, whose end is put behind it. Return: 0 or -ENOMEM. */
int output_add(struct output *output, const char *line, size_t length);

/* As much as goes without waiting. Return: 0; or what the socket says. */
int output_send(struct output *output, int socket);

void output_free(struct output *output);

#endif
