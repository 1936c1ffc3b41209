// SPDX-License-Identifier: LGPL-2.1-or-later
#include "bench_daemon.h"

#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "../naohwd/base/base.h"
#include "bench.h"
#include "bench_nao.h"
#include "nao.h"

void bench_check(int ret, const struct naohw_error *err)
{
	if (ret < 0)
		die(err->message);
}

void bench_daemon_open(struct bench_daemon *daemon)
{
	struct naohw_error err = { "" };

	strcpy(daemon->directory, "/tmp/naohw-bench-XXXXXX");
	if (!mkdtemp(daemon->directory))
		die(daemon->directory);
	snprintf(daemon->path, sizeof(daemon->path), "%s/socket", daemon->directory);
	bench_nao();
	bench_check(naohw_robot_open(NAO_ROBOT, NULL, &daemon->robot, &err), &err);
	bench_check(host_new(daemon->robot, NULL, &daemon->dcm, &err), &err);
	bench_check(loop_new(&daemon->loop, &err), &err);
	bench_next_frames();
	dcm_cycle(daemon->dcm);
}

void bench_daemon_close(struct bench_daemon *daemon)
{
	loop_free(daemon->loop);
	(void)rmdir(daemon->directory);
	naohw_dcm_close(&daemon->dcm->base);
	naohw_robot_close(daemon->robot);
}

int bench_daemon_connect(const struct bench_daemon *daemon)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int client = socket(AF_UNIX, SOCK_STREAM, 0);

	strcpy(address.sun_path, daemon->path);
	if (connect(client, (struct sockaddr *)&address, sizeof(address)) < 0)
		die(daemon->path);
	return client;
}
