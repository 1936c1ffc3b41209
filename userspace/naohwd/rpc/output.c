// SPDX-License-Identifier: GPL-2.0-or-later
#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

bool output_is_empty(const struct output *output)
{
	return output->begin == output->end;
}

int output_add(struct output *output, const char *line, size_t length)
{
	size_t left = output->end - output->begin;
	char *at = malloc(left + length + 1);

	if (!at)
		return -ENOMEM;
	if (left)
		memcpy(at, output->at + output->begin, left);
	memcpy(at + left, line, length);
	at[left + length] = '\n';
	free(output->at);
	output->at = at;
	output->begin = 0;
	output->end = left + length + 1;
	return 0;
}

static ssize_t send_some(const struct output *output, int socket)
{
	struct iovec bytes = {
		.iov_base = output->at + output->begin,
		.iov_len = output->end - output->begin,
	};
	union {
		struct cmsghdr header;
		char room[CMSG_SPACE(sizeof(int))];
	} control = { .room = { 0 } };
	struct msghdr message = { .msg_iov = &bytes, .msg_iovlen = 1 };

	if (output->fd >= 0) {
		message.msg_control = &control;
		message.msg_controllen = sizeof(control);
		control.header.cmsg_level = SOL_SOCKET;
		control.header.cmsg_type = SCM_RIGHTS;
		control.header.cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(&control.header), &output->fd, sizeof(int));
	}
	return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

int output_send(struct output *output, int socket)
{
	while (!output_is_empty(output)) {
		ssize_t size = send_some(output, socket);

		if (size < 0 && errno == EINTR)
			continue;
		if (size < 0)
			return errno == EAGAIN ? 0 : -errno;
		output->begin += (size_t)size;
		output->fd = -1;
	}
	output_free(output);
	return 0;
}

void output_free(struct output *output)
{
	free(output->at);
	*output = (struct output){ .fd = -1 };
}
