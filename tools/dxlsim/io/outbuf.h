/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes that a peer has still to take. */
#ifndef DXLSIM_OUTBUF_H
#define DXLSIM_OUTBUF_H

#include <stdbool.h>
#include <stddef.h>

#define OUTBUF_SIZE	65536

struct outbuf {
	char data[OUTBUF_SIZE];
	size_t len;
};

bool outbuf_add(struct outbuf *out, const void *data, size_t len);
bool outbuf_flush(struct outbuf *out, int fd);

#endif
