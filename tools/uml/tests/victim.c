// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * victim lola|writer|reader PATH FILE -- a client of naohwd's that wants nothing special, among
 * others that do, until FILE is there. Says "here" when it is served. Ends with 1 if its connection
 * ends, or if it gets an error or less than it is to get.
 *
 *	lola	sends goals in each cycle: HeadYaw goes to and fro, in steps of STEP rad a packet
 *	writer	leases RShoulderPitch, moves that to and fro, and has each of its calls answered
 *	reader	watches HeadYaw in each cycle, as a user who may only read
 *
 * At its end it prints what it has had, and the least, median and greatest distance, in us, of
 * packets, calls and their answers, or notifications.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

#include "client.h"

#define PATIENCE_S 60
#define PACKET_SIZE 896
/* Three of an AX-12's steps */
#define STEP 0.01534
#define STEPS 30
#define SETTLE 200
#define JOINTS 25
#define PAUSE_US 20000
#define SPANS_MAX 100000

static int fd;
static const char *until;
static uint64_t spans[SPANS_MAX];
static size_t span_count;

static uint64_t now_us(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
}

static bool is_over(void)
{
	return access(until, F_OK) == 0;
}

/* ---- what it tells ---- */

static void say_here(void)
{
	puts("here");
	fflush(stdout);
}

static void note_span(uint64_t us)
{
	if (span_count < SPANS_MAX)
		spans[span_count++] = us;
}

static int compare(const void *a, const void *b)
{
	uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;

	return (one > other) - (one < other);
}

static void tell_spans(const char *what)
{
	qsort(spans, span_count, sizeof(spans[0]), compare);
	if (!span_count)
		errx(1, "no %s", what);
	printf("%s %zu least %llu median %llu greatest %llu\n", what,
	       span_count, (unsigned long long)spans[0],
	       (unsigned long long)spans[span_count / 2],
	       (unsigned long long)spans[span_count - 1]);
}

/* STEPS to the one side, as many to the other, and so on, from 0 */
static double sway(unsigned int count)
{
	unsigned int at = count % (4 * STEPS);

	if (at < STEPS)
		return at * STEP;
	if (at < 3 * STEPS)
		return (2.0 * STEPS - at) * STEP;
	return (at - 4.0 * STEPS) * STEP;
}

static void send_all(const void *bytes, size_t size)
{
	if (send(fd, bytes, size, MSG_NOSIGNAL) != (ssize_t)size)
		err(1, "cannot send %zu bytes", size);
}

/* ---- LoLA ---- */

static void read_packet(void)
{
	uint8_t packet[PACKET_SIZE];
	ssize_t size = recv(fd, packet, sizeof(packet), MSG_WAITALL);

	if (size < 0)
		err(1, "no packet");
	if (size != PACKET_SIZE)
		errx(1, "%zd bytes, expected a packet of %d", size,
		     PACKET_SIZE);
}

static uint8_t *put_field(uint8_t *at, const char *name, double first,
			  double others)
{
	*at++ = (uint8_t)(0xa0 | strlen(name));
	at = (uint8_t *)stpcpy((char *)at, name);
	*at++ = 0xdc;
	*at++ = 0;
	*at++ = JOINTS;
	for (unsigned int i = 0; i < JOINTS; i++) {
		float number = (float)(i ? others : first);
		uint32_t bits;

		memcpy(&bits, &number, sizeof(bits));
		*at++ = 0xca;
		for (int shift = 24; shift >= 0; shift -= 8)
			*at++ = (uint8_t)(bits >> shift);
	}
	return at;
}

/* As LoLA has one that moves: HeadYaw is the first joint. */
static void send_packet(double head)
{
	uint8_t packet[PACKET_SIZE], *at = packet;

	*at++ = 0x82;
	at = put_field(at, "Position", head, 0);
	at = put_field(at, "Stiffness", 0.8, 0.8);
	send_all(packet, (size_t)(at - packet));
}

static void be_lola(void)
{
	uint64_t before = 0, now;

	for (unsigned int count = 0; count < SETTLE || !is_over(); count++) {
		read_packet();
		now = now_us();
		send_packet(count < SETTLE ? 0 : sway(count - SETTLE));
		if (count == SETTLE)
			say_here();
		if (count > SETTLE)
			note_span(now - before);
		before = now;
	}
	tell_spans("packets");
}

/* ---- JSON-RPC ---- */

static FILE *lines;

/* Return: the next line, until the next call. */
static const char *next_line(void)
{
	static char *line;
	static size_t room;

	if (getline(&line, &room, lines) < 0)
		err(1, "the connection has ended, or nothing comes");
	if (strstr(line, "\"error\""))
		errx(1, "an error: %s", line);
	return line;
}

static void call(const char *method, const char *params)
{
	char line[512];
	int size = snprintf(
		line, sizeof(line),
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":{%s}}\n",
		method, params);

	send_all(line, (size_t)size);
	if (!strstr(next_line(), "\"result\""))
		errx(1, "%s: is not answered next", method);
}

static void set(const char *actuator, double value)
{
	char params[128];

	snprintf(params, sizeof(params),
		 "\"name\":\"%s\",\"commands\":[[%.4f,0]]", actuator, value);
	call("set", params);
}

static void be_writer(void)
{
	uint64_t begin;

	call("createAlias",
	     "\"alias\":\"VictimsArm\",\"names\":[\"RShoulderPitch/Position/Actuator\"]");
	call("lease", "\"names\":[\"RShoulderPitch\"],\"timeout\":5");
	set("RShoulderPitch/Hardness/Actuator", 0.7);
	for (unsigned int count = 0; count == 0 || !is_over(); count++) {
		begin = now_us();
		set("VictimsArm", sway(count));
		call("get", "\"keys\":[\"DCM/Lease/RShoulderPitch\"]");
		note_span(now_us() - begin);
		if (count == 0)
			say_here();
		usleep(PAUSE_US);
	}
	call("flush", "");
	tell_spans("pairs of calls");
}

static unsigned int number_behind(const char *line, const char *name)
{
	const char *at = strstr(line, name);

	if (!at)
		errx(1, "no %s: %s", name, line);
	return (unsigned int)strtoul(at + strlen(name), NULL, 10);
}

static void be_reader(void)
{
	uint64_t before = 0, now;

	call("watch",
	     "\"keys\":[\"Device/SubDeviceList/HeadYaw/Position/Sensor/Value\"]");
	for (unsigned int count = 1; count == 1 || !is_over(); count++) {
		const char *line = next_line();

		now = now_us();
		if (number_behind(line, "\"sequence\":") != count ||
		    number_behind(line, "\"missed\":"))
			errx(1, "some are missing before: %s", line);
		if (count == 1)
			say_here();
		else
			note_span(now - before);
		before = now;
	}
	tell_spans("notifications");
}

/* ---- which ---- */

static const struct {
	const char *name;
	void (*be)(void);
} victims[] = {
	{ "lola", be_lola },
	{ "writer", be_writer },
	{ "reader", be_reader },
};

int main(int argc, char **argv)
{
	const struct timeval patience = { .tv_sec = PATIENCE_S };

	if (argc != 4)
		errx(2, "usage: victim lola|writer|reader PATH FILE");
	until = argv[3];
	if (strcmp(argv[1], "reader") == 0)
		become_other_user();
	fd = connect_to(argv[2], SOCK_STREAM);
	if (fd < 0)
		err(1, "%s", argv[2]);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	lines = fdopen(fd, "r");
	for (size_t i = 0; i < sizeof(victims) / sizeof(victims[0]); i++)
		if (strcmp(argv[1], victims[i].name) == 0) {
			victims[i].be();
			return 0;
		}
	errx(2, "no victim '%s'", argv[1]);
}
