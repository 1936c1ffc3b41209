// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lola_client PATH WORD... -- a client of LoLA, as a NAO's programs are, which does what the words
 * say, one after the other, and ends with 1 where something is not as it should be. It is written
 * from what is known of NAO's, and shares nothing with naohwd. Any number of:
 *
 *	connect			tries for half a minute, and then waits no longer than that for anything
 *	read N			so many packets, each with one recv(), of the same layout as the first
 *	pace N US PART		N packets that come every US, on average within a PART of that
 *	is FIELD INDEX VALUE TOLERANCE
 *				a value of the last packet
 *	print FIELD		all of them, in a line
 *	set FIELD INDEX VALUE	what is to be sent from now on; INDEX may be "all"
 *	forget			nothing of that any more
 *	send			it, as one packet
 *	cut BYTES		the same in pieces, with a cycle between them
 *	twice			the same two times in one piece
 *	answer N		read and send, so often
 *	bytes HEX		these bytes
 *	closed			reads until the other side has ended the connection
 *	close
 *	say TEXT		for who waits for it
 *	until FILE		reads until it is there
 *	stop, die		by SIGSTOP, by SIGKILL
 */
#include <err.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define PACKET_SIZE 896
#define VALUES_MAX 25
#define PATIENCE_S 30
#define PIECE_PAUSE_US 13000

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *path;
static int fd = -1;

static unsigned int number(const char *word)
{
	return (unsigned int)strtoul(word, NULL, 10);
}

static uint64_t now_us(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
}

/* ---- what comes ---- */

enum kind {
	FLOAT, /* 0xca and four bytes */
	BYTE, /* one of 0 to 127 */
	TEXT, /* of 20 and 5 bytes in turn */
};

/* In the order of a NAO's */
static const struct {
	const char *name;
	unsigned int count;
	enum kind kind;
} received[] = {
	{ "RobotConfig", 4, TEXT }, { "Accelerometer", 3, FLOAT }, { "Angles", 2, FLOAT },
	{ "Battery", 4, FLOAT },    { "Current", 25, FLOAT },	   { "FSR", 8, FLOAT },
	{ "Gyroscope", 3, FLOAT },  { "Position", 25, FLOAT },	   { "Sonar", 2, FLOAT },
	{ "Stiffness", 25, FLOAT }, { "Temperature", 25, FLOAT },  { "Touch", 14, FLOAT },
	{ "Status", 25, BYTE },
};

static uint8_t packet[PACKET_SIZE];
static double value[COUNT(received)][VALUES_MAX];

static const uint8_t *expect(const uint8_t *at, uint8_t byte, const char *what)
{
	if (at >= packet + PACKET_SIZE || *at != byte)
		errx(1, "byte %td, %s: 0x%02x, expected 0x%02x", at - packet, what,
		     at < packet + PACKET_SIZE ? *at : 0, byte);
	return at + 1;
}

static const uint8_t *read_array(const uint8_t *at, unsigned int count, const char *name)
{
	if (count < 16)
		return expect(at, (uint8_t)(0x90 | count), name);
	at = expect(at, 0xdc, name);
	at = expect(at, 0, name);
	return expect(at, (uint8_t)count, name);
}

static double float_at(const uint8_t *at)
{
	uint32_t bits = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 |
			at[3];
	float number;

	memcpy(&number, &bits, sizeof(number));
	return (double)number;
}

static const uint8_t *read_value(const uint8_t *at, size_t field, unsigned int index)
{
	const char *name = received[field].name;
	uint8_t length = index % 2 ? 5 : 20;

	switch (received[field].kind) {
	case TEXT:
		return expect(at, 0xa0 | length, name) + length;
	case BYTE:
		if (*at > 3)
			errx(1, "%s %u is %u", name, index, *at);
		value[field][index] = *at;
		return at + 1;
	case FLOAT:
		at = expect(at, 0xca, name);
		value[field][index] = float_at(at);
		if (!isfinite(value[field][index]))
			errx(1, "%s %u is no number", name, index);
		return at + 4;
	}
	return at;
}

/* All that is not a value is where it is in a NAO's, so that the layout is always the same. */
static void read_fields(void)
{
	const uint8_t *at = expect(packet, 0x80 | COUNT(received), "a map");

	for (size_t field = 0; field < COUNT(received); field++) {
		const char *name = received[field].name;

		at = expect(at, (uint8_t)(0xa0 | strlen(name)), name);
		for (const char *letter = name; *letter; letter++)
			at = expect(at, (uint8_t)*letter, name);
		at = read_array(at, received[field].count, name);
		for (unsigned int i = 0; i < received[field].count; i++)
			at = read_value(at, field, i);
	}
	if (at != packet + PACKET_SIZE)
		errx(1, "%td bytes, expected %d", at - packet, PACKET_SIZE);
}

static void read_packet(void)
{
	ssize_t size = recv(fd, packet, PACKET_SIZE, 0);

	if (size < 0)
		err(1, "recv");
	if (size != PACKET_SIZE)
		errx(1, "%zd bytes at once, expected %d", size, PACKET_SIZE);
	read_fields();
}

static void read_packets(unsigned int count)
{
	while (count--)
		read_packet();
}

static void do_read(char **word)
{
	read_packets(number(word[0]));
}

static void do_pace(char **word)
{
	unsigned int count = number(word[0]);
	double us = atof(word[1]), took;
	uint64_t begin;

	read_packet();
	begin = now_us();
	read_packets(count);
	took = (double)(now_us() - begin) / count;
	printf("a packet every %.0f us\n", took);
	if (fabs(took - us) > us * atof(word[2]))
		errx(1, "a packet every %.0f us, expected %.0f", took, us);
}

static size_t find_received(const char *name)
{
	for (size_t i = 0; i < COUNT(received); i++)
		if (strcmp(received[i].name, name) == 0)
			return i;
	errx(2, "no field %s", name);
}

static void do_is(char **word)
{
	double found = value[find_received(word[0])][number(word[1])];

	if (fabs(found - atof(word[2])) > atof(word[3]))
		errx(1, "%s %s is %g, expected %s", word[0], word[1], found, word[2]);
}

static void do_print(char **word)
{
	size_t field = find_received(word[0]);

	for (unsigned int i = 0; i < received[field].count; i++)
		printf("%s%g", i ? " " : "", value[field][i]);
	putchar('\n');
}

/* ---- what goes ---- */

static struct {
	const char *name;
	unsigned int count;
	bool is_there;
	double value[VALUES_MAX];
} sent[] = {
	{ .name = "Position", .count = 25 },  { .name = "Stiffness", .count = 25 },
	{ .name = "REar", .count = 10 },      { .name = "LEar", .count = 10 },
	{ .name = "Chest", .count = 3 },      { .name = "LEye", .count = 24 },
	{ .name = "REye", .count = 24 },      { .name = "LFoot", .count = 3 },
	{ .name = "RFoot", .count = 3 },      { .name = "Skull", .count = 12 },
	{ .name = "Sonar", .count = 2 },
};

#define SONAR (COUNT(sent) - 1)

static size_t find_sent(const char *name)
{
	for (size_t i = 0; i < COUNT(sent); i++)
		if (strcmp(sent[i].name, name) == 0)
			return i;
	errx(2, "no field %s", name);
}

static void do_set(char **word)
{
	size_t field = find_sent(word[0]);
	bool is_all = strcmp(word[1], "all") == 0;

	sent[field].is_there = true;
	for (unsigned int i = 0; i < sent[field].count; i++)
		if (is_all || i == number(word[1]))
			sent[field].value[i] = atof(word[2]);
}

static void do_forget(char **word)
{
	(void)word;
	for (size_t i = 0; i < COUNT(sent); i++)
		sent[i].is_there = false;
}

static uint8_t *put_number(uint8_t *at, size_t field, double number)
{
	float small = (float)number;
	uint32_t bits;

	if (field == SONAR) {
		*at++ = number != 0 ? 0xc3 : 0xc2;
		return at;
	}
	memcpy(&bits, &small, sizeof(bits));
	*at++ = 0xca;
	for (int shift = 24; shift >= 0; shift -= 8)
		*at++ = (uint8_t)(bits >> shift);
	return at;
}

static uint8_t *put_field(uint8_t *at, size_t field)
{
	size_t length = strlen(sent[field].name);

	*at++ = (uint8_t)(0xa0 | length);
	memcpy(at, sent[field].name, length);
	at += length;
	if (sent[field].count < 16) {
		*at++ = (uint8_t)(0x90 | sent[field].count);
	} else {
		*at++ = 0xdc;
		*at++ = 0;
		*at++ = (uint8_t)sent[field].count;
	}
	for (unsigned int i = 0; i < sent[field].count; i++)
		at = put_number(at, field, sent[field].value[i]);
	return at;
}

static size_t make_packet(uint8_t *to)
{
	uint8_t *at = to + 1;

	*to = 0x80;
	for (size_t i = 0; i < COUNT(sent); i++) {
		if (!sent[i].is_there)
			continue;
		(*to)++;
		at = put_field(at, i);
	}
	return (size_t)(at - to);
}

static void send_bytes(const uint8_t *bytes, size_t size)
{
	while (size) {
		ssize_t done = send(fd, bytes, size, MSG_NOSIGNAL);

		if (done < 0)
			err(1, "send");
		bytes += done;
		size -= (size_t)done;
	}
}

static void send_packets(unsigned int times)
{
	static uint8_t bytes[2 * PACKET_SIZE];
	size_t size = 0;

	while (times--)
		size += make_packet(bytes + size);
	send_bytes(bytes, size);
}

static void do_send(char **word)
{
	(void)word;
	send_packets(1);
}

static void do_twice(char **word)
{
	(void)word;
	send_packets(2);
}

static void do_cut(char **word)
{
	static uint8_t bytes[PACKET_SIZE];
	size_t piece = number(word[0]), size = make_packet(bytes);

	for (size_t at = 0; at < size; at += piece) {
		send_bytes(bytes + at, size - at < piece ? size - at : piece);
		usleep(PIECE_PAUSE_US);
	}
}

static void do_bytes(char **word)
{
	uint8_t bytes[PACKET_SIZE];
	size_t size = 0;

	for (const char *hex = word[0]; *hex; hex += 2)
		if (size == sizeof(bytes) || sscanf(hex, "%2hhx", &bytes[size++]) != 1)
			errx(2, "'%s' are no bytes", word[0]);
	send_bytes(bytes, size);
}

static void do_answer(char **word)
{
	for (unsigned int left = number(word[0]); left; left--) {
		read_packet();
		send_packets(1);
	}
}

/* ---- coming and going ---- */

static void do_connect(char **word)
{
	const struct timeval patience = { .tv_sec = PATIENCE_S };
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	uint64_t end = now_us() + PATIENCE_S * 1000000;

	(void)word;
	strncpy(address.sun_path, path, sizeof(address.sun_path) - 1);
	for (;;) {
		fd = socket(AF_UNIX, SOCK_STREAM, 0);
		if (connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0)
			break;
		if (now_us() > end)
			err(1, "%s", path);
		close(fd);
		usleep(100000);
	}
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
}

static void do_close(char **word)
{
	(void)word;
	close(fd);
}

static void do_closed(char **word)
{
	ssize_t size;

	(void)word;
	do
		size = recv(fd, packet, PACKET_SIZE, 0);
	while (size > 0);
	if (size < 0 && errno != ECONNRESET)
		err(1, "the connection has not ended");
}

static void do_say(char **word)
{
	puts(word[0]);
}

static void do_until(char **word)
{
	while (access(word[0], F_OK) < 0)
		read_packet();
}

static void do_stop(char **word)
{
	(void)word;
	raise(SIGSTOP);
}

static void do_die(char **word)
{
	(void)word;
	raise(SIGKILL);
}

/* ---- the words ---- */

static const struct verb {
	const char *name;
	int words; /* that follow it */
	void (*obey)(char **word);
} verbs[] = {
	{ "connect", 0, do_connect }, { "read", 1, do_read },	  { "pace", 3, do_pace },
	{ "is", 4, do_is },	      { "print", 1, do_print },	  { "set", 3, do_set },
	{ "forget", 0, do_forget },   { "send", 0, do_send },	  { "twice", 0, do_twice },
	{ "cut", 1, do_cut },	      { "answer", 1, do_answer }, { "bytes", 1, do_bytes },
	{ "closed", 0, do_closed },   { "close", 0, do_close },	  { "say", 1, do_say },
	{ "until", 1, do_until },     { "stop", 0, do_stop },	  { "die", 0, do_die },
};

static const struct verb *find_verb(const char *name)
{
	for (size_t i = 0; i < COUNT(verbs); i++)
		if (strcmp(verbs[i].name, name) == 0)
			return &verbs[i];
	errx(2, "'%s' is no word of a client", name);
}

int main(int argc, char **argv)
{
	if (argc < 3)
		errx(2, "usage: lola_client PATH WORD...");
	path = argv[1];
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (int i = 2; i < argc;) {
		const struct verb *verb = find_verb(argv[i++]);

		if (argc - i < verb->words)
			errx(2, "%s needs %d words", verb->name, verb->words);
		verb->obey(argv + i);
		i += verb->words;
	}
	return 0;
}
