// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "outbuf.h"

/* All of the bytes or none: false if there is no room for them. */
bool outbuf_add(struct outbuf *out, const void *data, size_t len)
{
	if (len > OUTBUF_SIZE - out->len)
		return false;
	memcpy(out->data + out->len, data, len);
	out->len += len;

	return true;
}

/* Write what the peer takes without blocking; false if it has gone. */
bool outbuf_flush(struct outbuf *out, int fd)
{
	while (out->len) {
		ssize_t n = write(fd, out->data, out->len);

		if (n < 0)
			return errno == EAGAIN || errno == EINTR;
		memmove(out->data, out->data + n, out->len - n);
		out->len -= n;
	}

	return true;
}
