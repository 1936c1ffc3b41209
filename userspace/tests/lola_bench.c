// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * lola_bench [ROUNDS] -- what LoLA takes of naohwd's time at a NAO, to whose client all that it senses
 * goes, and which is told all that it can do, in each cycle: both packets alone, all of naohwd's
 * part, and from a packet to its answer in the DCM's cycle, with that cycle and the client's two
 * system calls. Beside it msgpack-c's own reading of the same packet.
 */
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <msgpack.h>
#include <naohw.h>

#include "../naohwd/lola/lola.h"
#include "../naohwd/lola/packet.h"
#include "bench.h"
#include "bench_daemon.h"
#include "bench_nao.h"

#define CYCLES 500
#define VALUE 0.25f

static struct bench_daemon nao;
static struct lola *lola;
static struct lola_decoder *decoder;
static msgpack_sbuffer packet;
static int client;

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
	client = bench_daemon_connect(&nao);
	lola_cycle(lola);
	if (!loop_once(nao.loop, 1000))
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
		loop_once(nao.loop, 1000);
		taken = monotonic_ns();
		dcm_cycle(nao.dcm);
		all += monotonic_ns() - begin;
		ours += sent - begin + taken - answered;
	}
	printf("lola_daemon %.2f\nlola_round %.2f\n", (double)ours / CYCLES, (double)all / CYCLES);
}

int main(int argc, char **argv)
{
	unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : ROUNDS;
	struct listen_settings settings = { .path = nao.path, .mode = 0600, .group = (gid_t)-1 };
	struct naohw_error err = { "" };

	decoder = lola_decoder_new();
	if (!decoder)
		die("out of memory");
	make_packet();
	bench_daemon_open(&nao);
	bench_check(lola_open(nao.loop, &nao.dcm->base, &settings, 1, &lola, &err), &err);
	be_let_in();
	for (unsigned long round = 0; round < rounds; round++) {
		measure("lola_decode", CYCLES, decode);
		measure("lola_unpack", CYCLES, unpack);
		measure("lola_encode", CYCLES, encode);
		measure_cycles();
	}
	close(client);
	lola_close(lola);
	bench_daemon_close(&nao);
	lola_decoder_free(decoder);
	msgpack_sbuffer_destroy(&packet);
	return 0;
}
