// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * lola_bench [ROUNDS] -- what LoLA takes of naohwd's time at a NAO, to whose client all that it senses
 * goes, and which is told all that it can do, in each cycle: both packets alone, all of naohwd's
 * part, and from a packet to its answer in the DCM's cycle, with that cycle and the client's two
 * system calls. Beside it msgpack-c's own reading of the same packet.
 */
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <msgpack.h>
#include <naohw.h>

#include "../naohwd/lola/lola.h"
#include "../naohwd/lola/packet.h"
#include "bench.h"
#include "bench_nao.h"
#include "dcm/host.h"
#include "nao.h"

#define CYCLES 500
#define VALUE 0.25f

static struct naohw_robot *robot;
static struct dcm_host *dcm;
static struct loop *loop;
static struct lola *lola;
static struct lola_decoder *decoder;
static msgpack_sbuffer packet;
static char directory[] = "/tmp/naohw-bench-XXXXXX";
static char path[sizeof(directory) + 8];
static int client;

static void check(int ret, const struct naohw_error *err)
{
	if (ret < 0)
		die(err->message);
}

/* ---- the client ---- */

static void make_packet(void)
{
	msgpack_packer packer;

	msgpack_sbuffer_init(&packet);
	msgpack_packer_init(&packer, &packet, msgpack_sbuffer_write);
	msgpack_pack_map(&packer, LOLA_ACTUATORS);
	for (size_t i = 0; i < LOLA_ACTUATORS; i++) {
		const struct lola_field *field = &lola_fields[i];

		msgpack_pack_str(&packer, strlen(field->name));
		msgpack_pack_str_body(&packer, field->name, strlen(field->name));
		msgpack_pack_array(&packer, field->count);
		for (unsigned int j = 0; j < field->count; j++)
			field->is_flag ? msgpack_pack_false(&packer) :
					 msgpack_pack_float(&packer, VALUE);
	}
}

static void answer(void)
{
	char sensors[LOLA_SENSORS_SIZE];

	if (recv(client, sensors, sizeof(sensors), 0) != sizeof(sensors) ||
	    send(client, packet.data, packet.size, 0) != (ssize_t)packet.size)
		die("no packet");
}

static void be_let_in(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	strcpy(address.sun_path, path);
	client = socket(AF_UNIX, SOCK_STREAM, 0);
	if (connect(client, (struct sockaddr *)&address, sizeof(address)) < 0)
		die(path);
	lola_cycle(lola);
	if (!loop_once(loop, 1000))
		die("nobody is let in");
}

/* ---- what is measured ---- */

static void decode(void)
{
	static struct lola_actuators actuators;
	struct naohw_error err;
	size_t used;

	if (lola_decode(decoder, (const uint8_t *)packet.data, packet.size, &used, &actuators,
			&err) != 1)
		die(err.message);
}

static void unpack(void)
{
	msgpack_unpacked unpacked;

	msgpack_unpacked_init(&unpacked);
	if (msgpack_unpack_next(&unpacked, packet.data, packet.size, NULL) !=
	    MSGPACK_UNPACK_SUCCESS)
		die("msgpack-c reads it not");
	msgpack_unpacked_destroy(&unpacked);
}

static void encode(void)
{
	static struct lola_sensors sensors;
	uint8_t bytes[LOLA_SENSORS_SIZE];

	lola_encode(&sensors, bytes);
}

static void measure_cycles(void)
{
	int64_t ours = 0, all = 0;

	for (unsigned int i = 0; i < CYCLES; i++) {
		int64_t begin, sent, answered, taken;

		bench_next_frames();
		begin = monotonic_ns();
		lola_cycle(lola);
		sent = monotonic_ns();
		answer();
		answered = monotonic_ns();
		loop_once(loop, 1000);
		taken = monotonic_ns();
		dcm_cycle(dcm);
		all += monotonic_ns() - begin;
		ours += sent - begin + taken - answered;
	}
	printf("lola_daemon %.2f\nlola_round %.2f\n", (double)ours / CYCLES, (double)all / CYCLES);
}

int main(int argc, char **argv)
{
	unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : ROUNDS;
	struct listen_settings settings = { .path = path, .mode = 0600, .group = (gid_t)-1 };
	struct naohw_error err = { "" };

	if (!mkdtemp(directory) || !(decoder = lola_decoder_new()))
		die(directory);
	snprintf(path, sizeof(path), "%s/lola", directory);
	make_packet();
	bench_nao();
	check(naohw_robot_open(NAO_ROBOT, NULL, &robot, &err), &err);
	check(host_new(robot, NULL, &dcm, &err), &err);
	check(loop_new(&loop, &err), &err);
	bench_next_frames();
	dcm_cycle(dcm);
	check(lola_open(loop, &dcm->base, &settings, 1, &lola, &err), &err);
	be_let_in();
	for (unsigned long round = 0; round < rounds; round++) {
		measure("lola_decode", CYCLES, decode);
		measure("lola_unpack", CYCLES, unpack);
		measure("lola_encode", CYCLES, encode);
		measure_cycles();
	}
	close(client);
	lola_close(lola);
	loop_free(loop);
	(void)rmdir(directory);
	naohw_dcm_close(&dcm->base);
	naohw_robot_close(robot);
	lola_decoder_free(decoder);
	msgpack_sbuffer_destroy(&packet);
	return 0;
}
