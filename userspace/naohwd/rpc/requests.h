/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a line wants: a request, or a batch of them, of which each is a method's call. */
#ifndef NAOHWD_RPC_REQUESTS_H
#define NAOHWD_RPC_REQUESTS_H

#include <stddef.h>

struct client;

/*
 * Do it, as far as the client does not have to wait for it, and answer it. @line as message_parse()
 * has it.
 */
void requests_do(struct client *client, const char *line, size_t length);

#endif
