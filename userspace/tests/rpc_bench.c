// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * rpc_bench [ROUNDS] -- what a call by JSON-RPC takes of naohwd's time at a NAO: one that sets an
 * actuator, and one that gets the angles of all joints. Beside each of them json-c's plain reading
 * of the same message, which checks and does nothing, and answers nobody.
 */
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <json-c/json.h>
#include <naohw.h>

#include "../naohwd/lease/lease.h"
#include "../naohwd/play/play.h"
#include "../naohwd/rpc/rpc.h"
#include "bench.h"
#include "bench_nao.h"
#include "dcm/host.h"
#include "nao.h"

#define CALLS 200

static struct naohw_robot *robot;
static struct dcm_host *dcm;
static struct loop *loop;
static struct leases *leases;
static struct plays *plays;
static struct rpc *rpc;
static char directory[] = "/tmp/naohw-bench-XXXXXX";
static char path[sizeof(directory) + 8];
static int client;

static void check(int ret, const struct naohw_error *err)
{
	if (ret < 0)
		die(err->message);
}

/* ---- the messages ---- */

static const char set_line[] =
	"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"set\",\"params\":"
	"{\"name\":\"HeadYaw/Position/Actuator\",\"commands\":[[0.3,1000]]}}\n";
static char get_line[4096];

static void make_get_line(void)
{
	size_t used = (size_t)sprintf(get_line, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"get\","
						"\"params\":{\"keys\":[");

	for (size_t i = 0; i < NAOHW_NAO_JOINTS; i++)
		used += (size_t)sprintf(get_line + used,
					"%s\"Device/SubDeviceList/%s/Position/Sensor/Value\"",
					i ? "," : "", naohw_nao_joint_name(i));
	strcpy(get_line + used, "]}}\n");
}

static void parse_set(void)
{
	json_object_put(json_tokener_parse(set_line));
}

static void parse_get(void)
{
	json_object_put(json_tokener_parse(get_line));
}

/* ---- the client ---- */

static void connect_client(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	strcpy(address.sun_path, path);
	client = socket(AF_UNIX, SOCK_STREAM, 0);
	if (connect(client, (struct sockaddr *)&address, sizeof(address)) < 0)
		die(path);
	loop_once(loop, 1000);
	rpc_cycle(rpc);
}

static void hear(void)
{
	static char answer[16384];
	ssize_t size = recv(client, answer, sizeof(answer) - 1, 0);

	if (size <= 0)
		die("no answer");
	answer[size] = '\0';
	if (!strstr(answer, "\"result\":"))
		die(answer);
}

/* Only as much as a cycle has room for comes in each of them, and nothing has to wait. */
static void measure_calls(const char *name, const char *line)
{
	int64_t ours = 0;

	for (unsigned int i = 0; i < CALLS; i++) {
		int64_t begin;

		if (send(client, line, strlen(line), 0) != (ssize_t)strlen(line))
			die("no call");
		begin = monotonic_ns();
		while (loop_once(loop, 0))
			;
		ours += monotonic_ns() - begin;
		hear();
		bench_next_frames();
		dcm_cycle(dcm);
		rpc_cycle(rpc);
	}
	printf("%s %.2f\n", name, (double)ours / CALLS);
}

int main(int argc, char **argv)
{
	unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : ROUNDS;
	struct rpc_settings settings = {
		.listen = { .path = path, .mode = 0600, .group = (gid_t)-1 },
	};
	struct naohw_error err = { "" };
	struct rpc_host host;

	if (!mkdtemp(directory))
		die(directory);
	snprintf(path, sizeof(path), "%s/rpc", directory);
	make_get_line();
	bench_nao();
	check(naohw_robot_open(NAO_ROBOT, NULL, &robot, &err), &err);
	check(host_new(robot, NULL, &dcm, &err), &err);
	check(loop_new(&loop, &err), &err);
	bench_next_frames();
	dcm_cycle(dcm);
	check(leases_new(robot, &dcm->base, &leases, &err), &err);
	check(plays_new(robot, &dcm->base, leases, directory, &plays, &err), &err);
	host = (struct rpc_host){ loop, robot, &dcm->base, leases, plays };
	check(rpc_open(&host, &settings, &rpc, &err), &err);
	connect_client();
	for (unsigned long round = 0; round < rounds; round++) {
		measure("json_set", CALLS, parse_set);
		measure_calls("rpc_set", set_line);
		measure("json_get", CALLS, parse_get);
		measure_calls("rpc_get", get_line);
	}
	close(client);
	rpc_close(rpc);
	plays_free(plays);
	leases_free(leases);
	loop_free(loop);
	(void)rmdir(directory);
	naohw_dcm_close(&dcm->base);
	naohw_robot_close(robot);
	return 0;
}
