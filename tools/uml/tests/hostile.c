// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hostile KIND LOLA RPC -- a client of naohwd's that does what other people's programs do, by
 * mistake or on purpose, again and again until it is killed. LOLA and RPC are paths of sockets.
 * `hostile` alone prints the kinds. After each round it sleeps, since time that travels stands
 * still while a program runs.
 */
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "client.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define ROOM (1024 * 1024)
#define LONG_LINE (600 * 1024)
#define PAUSE_US 20000
#define ANSWERS_MS 40
#define CONNECTIONS_MAX 48

#define CALL(method, params)                                 \
	"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"" method \
	"\",\"params\":{" params "}}\n"
#define LIST CALL("list", "")

/* What is to be sent */
static char text[ROOM];
static size_t length;

static void add(const void *bytes, size_t size)
{
	if (size > ROOM - length)
		errx(2, "no room");
	memcpy(text + length, bytes, size);
	length += size;
}

static void add_text(const char *more)
{
	add(more, strlen(more));
}

static void repeat(const char *more, unsigned int times)
{
	while (times--)
		add_text(more);
}

/* ---- what is more than a text ---- */

static void make_long_line(void)
{
	add_text(
		"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"get\",\"params\":{\"keys\":[\"");
	memset(text + length, 'a', LONG_LINE);
	length += LONG_LINE;
	add_text("\"]}}\n");
}

static void make_wide_line(void)
{
	add_text(
		"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"get\",\"params\":{\"keys\":[[]");
	repeat(",[]", 39000);
	repeat(",0", 100000);
	add_text("]}}\n");
}

static void make_nest(void)
{
	repeat("[", 500000);
	add_text("\n");
	repeat("{\"a\":", 20000);
	add_text("\n");
	repeat("]", 1000);
	add_text("\n");
}

static void make_garbage(void)
{
	unsigned int seed = (unsigned int)getpid();

	while (length < 4096)
		text[length++] = (char)(rand_r(&seed) >> 8);
}

static void make_gets(void)
{
	repeat(CALL("get", "\"keys\":[\"DCM/Time\"]"), 3000);
}

static void make_batch(void)
{
	add_text("[");
	repeat("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"list\"},", 63);
	add_text("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"list\"}]\n");
}

static void make_aliases(void)
{
	static const char *const names[] = {
		"VictimsArm",
		"HeadYaw",
		"LoLA/Head",
		"Lease/1",
		"Body",
		"",
		"RShoulderPitch/Position/Actuator"
	};
	char line[256];

	for (unsigned int i = 0; i < 200; i++) {
		char own[32];

		snprintf(own, sizeof(own), "Own%u", i);
		snprintf(
			line, sizeof(line),
			CALL("createAlias",
			     "\"alias\":\"%s\",\"names\":[\"HeadYaw/Position/Actuator\"]"),
			i < COUNT(names) ? names[i] : own);
		add_text(line);
	}
	add_text(CALL("removeAlias", "\"alias\":\"VictimsArm\""));
}

/* Arrays within each other, as deep as there is room */
static void make_deep_packet(void)
{
	add_text("\x81\xa8Position");
	memset(text + length, 0x91, LONG_LINE);
	length += LONG_LINE;
}

/* Lengths that promise four thousand million values */
static void make_long_packet(void)
{
	add_text("\x81\xa8Position\xdd\xff\xff\xff\xff");
	repeat("\xdb\xff\xff\xff\xff", 1000);
}

/* ---- the kinds ---- */

enum manner {
	CLOSES, /* at once */
	ENDS_ITS_SIDE, /* alone, and reads until the other side has ended, too */
	READS, /* answers for a while, and says it again */
	STAYS, /* says nothing more, and never reads */
	WAITS, /* the same for a second, and goes */
};

static const struct kind {
	const char *name;
	enum manner manner;
	const char *says; /* else: */
	void (*make)(void);
	unsigned int connections; /* at a time; 0 is 1 */
	bool is_lola;
	bool only_reads; /* as another user */
} kinds[] = {
	{ "hangs-up", CLOSES, .says = "" },
	{ "says-and-hangs-up", CLOSES, .says = LIST LIST LIST },
	{ "mute", STAYS, .says = "", .connections = 4 },
	{ "deaf", STAYS,
	  .says = CALL("watch", "\"keys\":[\"DCM/Time\"]")
		  LIST LIST LIST LIST LIST LIST LIST LIST },
	{ "half-a-line", STAYS,
	  .says = "{\"jsonrpc\":\"2.0\",\"id\":7,\"meth" },
	{ "long-line", READS, .make = make_long_line },
	{ "long-and-deaf", STAYS, .make = make_long_line, .connections = 4 },
	{ "wide-line", READS, .make = make_wide_line },
	{ "nest", READS, .make = make_nest },
	{ "garbage", READS, .make = make_garbage },
	{ "garbage-and-hangs-up", CLOSES, .make = make_garbage },
	{ "half-closed", ENDS_ITS_SIDE,
	  .says = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"flush\"}" },
	{ "no-json-half-closed", ENDS_ITS_SIDE, .says = "flush" },
	{ "periods", READS,
	  .says = CALL("set", "\"name\":\"DCM/TargetCycleTime\",\"commands\":[[0,0]]") CALL(
		  "set",
		  "\"name\":\"DCM/TargetCycleTime\",\"commands\":[[-5,0]]")
		  CALL("set",
		       "\"name\":\"DCM/TargetCycleTime\",\"commands\":[[-1e300,0]]")
			  CALL("set",
			       "\"name\":\"DCM/TargetCycleTime\",\"commands\":[[13.7,0]]")
				  CALL("set",
				       "\"name\":\"DCM/TargetCycleTime\",\"commands\":[[1e300,0]]") },
	{ "aliases", READS, .make = make_aliases },
	{ "takes", READS,
	  .says = CALL("lease", "\"names\":[\"RShoulderPitch\"]") CALL(
		  "set",
		  "\"name\":\"RShoulderPitch/Hardness/Actuator\",\"commands\":[[0,0]]")
		  CALL("set", "\"name\":\"VictimsArm\",\"commands\":[[2,0]]")
			  CALL("release", "\"lease\":1") CALL("leases", "") },
	{ "holds", STAYS,
	  .says = CALL("lease", "\"names\":[\"RHipYaw\"],\"end\":\"free\"") CALL(
		  "set",
		  "\"name\":\"RHipYaw/Hardness/Actuator\",\"commands\":[[1,0]]") },
	{ "holds-and-hangs-up", CLOSES,
	  .says = CALL("lease", "\"names\":[\"HipsOfNobody\"]") CALL(
		  "lease",
		  "\"names\":[\"LHipYaw/Position/Actuator\"],\"exclusive\":false") },
	{ "holds-for-a-while", WAITS,
	  .says = CALL("lease",
		       "\"names\":[\"LHipYaw\"],\"timeout\":0.1,\"seconds\":0.2")
		  CALL("set",
		       "\"name\":\"LHipYaw/Hardness/Actuator\",\"commands\":[[1,0]]") },
	{ "shares", WAITS,
	  .says = CALL("lease",
		       "\"names\":[\"RHipYaw\",\"LHipYaw\"],\"exclusive\":false")
		  CALL("subscribe",
		       "\"events\":[\"leases\",\"stream\",\"play\"]") },
	{ "sets", READS,
	  .says = CALL(
		  "set",
		  "\"name\":\"Nobody/Position/Actuator\",\"commands\":[[1,0]]")
		  CALL("set",
		       "\"name\":\"LHipYaw/Position/Actuator\",\"commands\":[[1e308,0]]")
			  CALL("set",
			       "\"name\":\"LHipYaw/Position/Actuator\",\"commands\":[[1,1e300]]")
				  CALL("set", "\"commands\":7") CALL(
					  "recover", "") CALL("flush", "") },
	{ "plays", READS,
	  .says = CALL("play", "\"motion\":\"none\"")
		  CALL("play", "\"text\":\"type: motion\"")
			  CALL("stop", "\"halt\":true") },
	{ "gets", READS, .make = make_gets },
	{ "gets-and-is-deaf", STAYS, .make = make_gets },
	{ "batches", READS, .make = make_batch },
	{ "stores", STAYS,
	  .says = CALL("store", "") CALL("store", "") CALL("store", "") },
	{ "stores-and-hangs-up", CLOSES,
	  .says = CALL("store", "") CALL("store", "") },
	{ "reader-writes", READS, .only_reads = true,
	  .says = CALL(
		  "set",
		  "\"name\":\"HeadYaw/Hardness/Actuator\",\"commands\":[[0,0]]")
		  CALL("lease", "\"names\":[\"HeadYaw\"]") CALL("revoke",
								"\"lease\":1")
			  CALL("createAlias",
			       "\"alias\":\"Mine\",\"names\":[\"HeadYaw\"]")
				  CALL("stop", "\"halt\":true")
					  CALL("recover", "") },
	{ "reader-gets", READS, .make = make_gets, .only_reads = true },
	{ "reader-lists", READS, .says = LIST LIST LIST LIST,
	  .only_reads = true },
	{ "reader-long-line", READS, .make = make_long_line,
	  .only_reads = true },
	{ "reader-crowd", WAITS, .connections = CONNECTIONS_MAX,
	  .only_reads = true,
	  .says = CALL("watch", "\"keys\":[\"DCM/Time\"],\"period\":0") },
	{ "lola-hangs-up", CLOSES, .says = "", .is_lola = true },
	{ "lola-mute", STAYS, .says = "", .is_lola = true },
	{ "lola-moves-and-hangs-up", CLOSES, .is_lola = true,
	  .says = "\x81\xa5"
		  "Chest\x93\xca\x3f\x80\x00\x01\x01\x01" },
	{ "lola-garbage", WAITS, .make = make_garbage, .is_lola = true },
	{ "lola-deep", WAITS, .make = make_deep_packet, .is_lola = true },
	{ "lola-long", WAITS, .make = make_long_packet, .is_lola = true },
};

static const char *path;

static bool is_ready(int fd, short events, int ms)
{
	struct pollfd end = { .fd = fd, .events = events };

	return poll(&end, 1, ms) > 0;
}

/* As much as is taken within a while */
static void say(int fd)
{
	for (size_t at = 0; at < length;) {
		ssize_t size = send(fd, text + at, length - at, MSG_NOSIGNAL);

		if (size > 0)
			at += (size_t)size;
		else if (errno != EAGAIN || !is_ready(fd, POLLOUT, 1000))
			return;
	}
}

/* Return: false: the connection has ended. */
static bool read_answers(int fd, int ms)
{
	static char answers[64 * 1024];

	while (is_ready(fd, POLLIN, ms)) {
		ssize_t size = recv(fd, answers, sizeof(answers), 0);

		if (size == 0 || (size < 0 && errno != EAGAIN))
			return false;
	}
	return true;
}

static void behave(const struct kind *kind, int fd)
{
	say(fd);
	switch (kind->manner) {
	case CLOSES:
		break;
	case ENDS_ITS_SIDE:
		shutdown(fd, SHUT_WR);
		(void)read_answers(fd, -1);
		break;
	case READS:
		while (read_answers(fd, ANSWERS_MS))
			say(fd);
		break;
	case STAYS:
		for (;;)
			pause();
	case WAITS:
		sleep(1);
	}
}

/* Others stay open beside the one that behaves; who cannot come in tries again later. */
static void do_round(const struct kind *kind)
{
	unsigned int want = kind->connections ? kind->connections : 1,
		     count = 0;
	int fds[CONNECTIONS_MAX];

	while (count < want) {
		int fd = connect_to(path, SOCK_STREAM | SOCK_NONBLOCK);

		if (fd < 0)
			break;
		fds[count++] = fd;
		if (count < want)
			say(fd);
	}
	if (count)
		behave(kind, fds[count - 1]);
	while (count)
		close(fds[--count]);
}

static void print_kinds(void)
{
	for (size_t i = 0; i < COUNT(kinds); i++)
		puts(kinds[i].name);
}

static const struct kind *find_kind(const char *name)
{
	for (size_t i = 0; i < COUNT(kinds); i++)
		if (strcmp(kinds[i].name, name) == 0)
			return &kinds[i];
	errx(2, "no kind '%s'", name);
}

int main(int argc, char **argv)
{
	const struct kind *kind;

	if (argc == 1) {
		print_kinds();
		return 0;
	}
	if (argc != 4)
		errx(2, "usage: hostile [KIND LOLA RPC]");
	kind = find_kind(argv[1]);
	path = argv[kind->is_lola ? 2 : 3];
	if (kind->only_reads)
		become_other_user();
	if (kind->says)
		add_text(kind->says);
	else
		kind->make();
	for (;;) {
		do_round(kind);
		usleep(PAUSE_US);
	}
}
