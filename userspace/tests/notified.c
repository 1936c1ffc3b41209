// SPDX-License-Identifier: LGPL-2.1-or-later
#include "notified.h"

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "support.h"

static struct sockaddr_un address;
static char told[1024];
static int fd;

void notified_begin(const char *path)
{
	const struct timeval longest = { .tv_sec = 10 };

	address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	assert_true(strlen(path) < sizeof(address.sun_path));
	strcpy(address.sun_path, path);
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	assert_true(fd >= 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &longest, sizeof(longest));
	setenv("NOTIFY_SOCKET", path, 1);
}

void notified_end(void)
{
	unsetenv("NOTIFY_SOCKET");
	(void)unlink(address.sun_path);
	close(fd);
}

/* With a newline at both ends, so that whole lines can be found. */
static bool next(int flags)
{
	ssize_t size = recv(fd, told + 1, sizeof(told) - 3, flags);

	if (size < 0)
		return false;
	told[0] = told[size + 1] = '\n';
	told[size + 2] = '\0';
	return true;
}

void assert_notified(const char *line)
{
	char whole[256];

	snprintf(whole, sizeof(whole), "\n%s\n", line);
	while (next(0))
		if (strstr(told, whole))
			return;
	fail_msg("not told '%s', but at last '%s'", line, told);
}

void assert_not_notified(void)
{
	if (next(MSG_DONTWAIT))
		fail_msg("told '%s'", told);
}
