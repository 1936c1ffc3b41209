// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * rpc_bench [ROUNDS] -- what a call by JSON-RPC takes of naohwd's time at a NAO: one that sets an
 * actuator, and one that gets the angles of all joints. Beside each of them json-c's plain reading
 * of the same message, which checks and does nothing, and answers nobody.
 */
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <json-c/json.h>
#include <naohw.h>

#include "../naohwd/lease/lease.h"
#include "../naohwd/play/play.h"
#include "../naohwd/rpc/rpc.h"
#include "bench.h"
#include "bench_daemon.h"
#include "bench_nao.h"

#define CALLS 200

static struct bench_daemon nao;
static struct leases *leases;
static struct plays *plays;
static struct rpc *rpc;
static int client;

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
	client = bench_daemon_connect(&nao);
	loop_once(nao.loop, 1000);
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
		while (loop_once(nao.loop, 0))
			;
		ours += monotonic_ns() - begin;
		hear();
		bench_next_frames();
		dcm_cycle(nao.dcm);
		rpc_cycle(rpc);
	}
	printf("%s %.2f\n", name, (double)ours / CALLS);
}

int main(int argc, char **argv)
{
	unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : ROUNDS;
	struct rpc_settings settings = {
		.listen = { .path = nao.path, .mode = 0600, .group = (gid_t)-1 },
	};
	struct naohw_error err = { "" };
	struct rpc_host host;

	make_get_line();
	bench_daemon_open(&nao);
	bench_check(leases_new(nao.robot, &nao.dcm->base, &leases, &err), &err);
	bench_check(plays_new(nao.robot, &nao.dcm->base, leases, nao.directory, &plays, &err),
		    &err);
	host = (struct rpc_host){ nao.loop, nao.robot, &nao.dcm->base, leases, plays };
	bench_check(rpc_open(&host, &settings, &rpc, &err), &err);
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
	bench_daemon_close(&nao);
	return 0;
}
