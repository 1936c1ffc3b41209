// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cm510 -- a CM-510 with its real firmware, in simavr, at the pace of the clock:
 *
 *   cm510 FIRMWARE.bin [--bus-tty PATH | --bus-pty PATH] [--host-pty PATH | --pc-pty PATH]
 *                      [--control SOCKET]
 *
 *   --bus-tty PATH     its bus is that tty: of dxlsim, whose servos are then on it
 *   --bus-pty PATH     its bus is a pty, for a master
 *   --host-pty PATH    its radio jack is a pty, for a host
 *   --pc-pty PATH      so is its PC jack, which it has at 57600 bits/s: START was held
 *   --control SOCKET   for dxlctl, which says and is told, with "ok" behind it:
 *
 *     press|release start|up|down|left|right     a button
 *     sound on|off                               at the microphone
 *     port N MILLIVOLTS                          at a port; 0 is the battery, of which
 *                                                the board has a quarter there
 *     out N MILLIVOLTS                           at a port, while its OUT is on
 *     get lights|tone|outputs|gates|overruns|late   LEDs as bits; Hz; ports whose OUT has been
 *                                                on lately, as bits; how often a gate was wrong;
 *                                                how many bytes came too soon; and by how many
 *                                                ms it is behind the clock
 *
 * Ends on SIGTERM.
 *
 * cc: -I tools/firmware/cm-510/tests tools/firmware/cm-510/tests/avr_board.c
 * cc: tools/firmware/cm-510/tests/avr_lines.c tools/firmware/cm-510/tests/avr_rom.c
 * cc: tools/firmware/cm-510/tests/avr_usart.c
 * cc: tools/dxlsim/link/pty.c tools/dxlsim/io/sockets.c
 * pkg-config: simavr
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../../dxlsim/io/sockets.h"
#include "../../dxlsim/link/pty.h"
#include "avr_board.h"

#define BAUD		1000000
#define PC_BAUD		57600
#define PC_RATE		34	/* the same, as in Host Baud Rate */
#define START_US	10000
#define STEP_NS		50000
#define NS_PER_MS	1000000LL
#define NS_PER_S	1000000000LL
/* Somebody who is so late does not catch up. */
#define GIVEN_UP	(50 * NS_PER_MS)

/* The clock of timer 1 by its last three bits */
static const unsigned int divisors[8] = { 0, 1, 8, 64, 256, 1024 };

struct machine {
	struct avr_board *board;
	int lines[LINES];	/* -1: nothing is there */
	int listener, client;
	char line[256];
	size_t len;
	long long start;	/* when it was switched on, by the clock */
	long long behind;
};

static volatile sig_atomic_t ended;

static void end(int signal)
{
	(void)signal;
	ended = 1;
}

static long long now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);

	return time.tv_sec * NS_PER_S + time.tv_nsec;
}

static void die(const char *what)
{
	fprintf(stderr, "cm510: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* --- what it is connected with --- */

static int new_pty(const char *path, int baud)
{
	char name[64];
	int slave, master = pty_open(&slave, name, sizeof(name));

	if (master < 0 || pty_set_raw(slave, baud) || symlink(name, path))
		die(path);

	return master;
}

static int open_tty(const char *path)
{
	int fd = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0 || pty_set_raw(fd, BAUD))
		die(path);

	return fd;
}

static int new_pc_jack(struct avr_board *board, const char *path)
{
	avr_board_restart(board);
	avr_board_pull_low(board, 'D', 0, true);
	avr_board_run(board, START_US);
	avr_board_pull_low(board, 'D', 0, false);
	board->sides[LINE_HOST].rate = PC_RATE;

	return new_pty(path, PC_BAUD);
}

static void connect_to(struct machine *machine, const char *option, const char *path)
{
	if (!strcmp(option, "--bus-tty"))
		machine->lines[LINE_BUS] = open_tty(path);
	else if (!strcmp(option, "--bus-pty"))
		machine->lines[LINE_BUS] = new_pty(path, BAUD);
	else if (!strcmp(option, "--host-pty"))
		machine->lines[LINE_HOST] = new_pty(path, BAUD);
	else if (!strcmp(option, "--pc-pty"))
		machine->lines[LINE_HOST] = new_pc_jack(machine->board, path);
	else if (!strcmp(option, "--control"))
		machine->listener = socket_listen(path);
	else
		option = NULL;
	if (!option || (!strcmp(option, "--control") && machine->listener < 0))
		exit(2);
}

/* --- orders --- */

static bool pull(struct machine *machine, const char *name, bool low)
{
	static const struct {
		const char *name;
		char port;
		unsigned int pin;
	} rows[] = {
		{ "start", 'D', 0 }, { "sound", 'D', 1 }, { "up", 'E', 4 },
		{ "down", 'E', 5 },  { "left", 'E', 6 },  { "right", 'E', 7 },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (strcmp(rows[i].name, name))
			continue;
		avr_board_pull_low(machine->board, rows[i].port, rows[i].pin, low);
		return true;
	}

	return false;
}

/* By the registers of timer 1, of which the pin is the unit test's matter */
static unsigned int tone(const struct machine *machine)
{
	const uint8_t *data = machine->board->avr->data;
	unsigned int divisor = divisors[data[0x81] & 7];
	unsigned int count = (data[0x88] | data[0x89] << 8) + 1;

	if (!divisor)
		return 0;

	return (8000000 / divisor + count / 2) / count;
}

static int value_of(struct machine *machine, const char *name)
{
	struct avr_board *board = machine->board;
	int outputs;

	if (!strcmp(name, "lights"))
		return ~board->ports['C' - 'A'] & 0x7f;
	if (!strcmp(name, "tone"))
		return tone(machine);
	if (!strcmp(name, "gates"))
		return board->wrong_gates;
	if (!strcmp(name, "overruns"))
		return board->sides[LINE_BUS].usart.overruns +
		       board->sides[LINE_HOST].usart.overruns;
	if (!strcmp(name, "late"))
		return machine->behind / NS_PER_MS;
	if (strcmp(name, "outputs"))
		return -1;
	outputs = board->outs_seen;
	board->outs_seen = 0;

	return outputs;
}

static bool obey(struct machine *machine, const char *line)
{
	unsigned int number, millivolts;
	char name[16], how[4];
	int value;

	if (sscanf(line, "press %15s", name) == 1)
		return pull(machine, name, true);
	if (sscanf(line, "release %15s", name) == 1)
		return pull(machine, name, false);
	if (sscanf(line, "sound %3s", how) == 1)
		return pull(machine, "sound", !strcmp(how, "on"));
	if (sscanf(line, "port %u %u", &number, &millivolts) == 2 && number < 7) {
		avr_board_voltage(machine->board, number, millivolts);
		return true;
	}
	if (sscanf(line, "out %u %u", &number, &millivolts) == 2 && number - 1 < 6) {
		machine->board->outs[number] = millivolts;
		return true;
	}
	if (sscanf(line, "get %15s", name) != 1)
		return false;
	value = value_of(machine, name);
	if (value >= 0)
		dprintf(machine->client, "%d\n", value);

	return value >= 0;
}

static void drop_client(struct machine *machine)
{
	close(machine->client);
	machine->client = -1;
}

static void serve_client(struct machine *machine)
{
	ssize_t len = read(machine->client, machine->line + machine->len,
			   sizeof(machine->line) - 1 - machine->len);
	char *newline;

	if (len <= 0) {
		drop_client(machine);
		return;
	}
	machine->len += len;
	machine->line[machine->len] = '\0';
	while ((newline = strchr(machine->line, '\n'))) {
		*newline = '\0';
		dprintf(machine->client, "%s",
			obey(machine, machine->line) ? "ok\n" : "error: unknown\n");
		machine->len -= newline + 1 - machine->line;
		memmove(machine->line, newline + 1, machine->len + 1);
	}
	if (machine->len == sizeof(machine->line) - 1)
		drop_client(machine);
}

/* --- time and bytes --- */

static void listen_to(struct machine *machine, enum avr_line line)
{
	uint8_t bytes[512];
	ssize_t len = read(machine->lines[line], bytes, sizeof(bytes));

	if (len > 0)
		avr_board_send(machine->board, line, bytes, len);
}

/* What has gone over the line whole; what nobody takes is lost, as on a line. */
static void speak(struct machine *machine, enum avr_line line)
{
	struct avr_side *side = &machine->board->sides[line];
	uint8_t bytes[LINE_BYTES];
	size_t len = 0;

	while (side->said_from < side->said_to) {
		const struct avr_said *said = &side->said[side->said_from % LINE_BYTES];

		if (said->start + avr_byte_cycles(side) > machine->board->avr->cycle)
			break;
		bytes[len++] = said->byte;
		side->said_from++;
	}
	if (len && machine->lines[line] >= 0 && write(machine->lines[line], bytes, len) < 0 &&
	    errno != EAGAIN)
		die("line");
}

static void run_up_to_now(struct machine *machine)
{
	long long at = machine->start + (long long)machine->board->avr->cycle * 1000 /
						CYCLES_PER_US;
	long long due = now() - at;

	machine->behind = due > machine->behind ? due : machine->behind;
	if (due > GIVEN_UP) {
		machine->start += due;
		return;
	}
	if (due >= 1000)
		avr_board_run(machine->board, due / 1000);
}

static void wait_for(struct machine *machine)
{
	const struct timespec step = { .tv_nsec = STEP_NS };
	struct pollfd polls[] = {
		{ .fd = machine->lines[LINE_BUS], .events = POLLIN },
		{ .fd = machine->lines[LINE_HOST], .events = POLLIN },
		{ .fd = machine->client < 0 ? machine->listener : -1, .events = POLLIN },
		{ .fd = machine->client, .events = POLLIN },
	};

	if (ppoll(polls, 4, &step, NULL) <= 0)
		return;
	/* It is now that it comes. */
	run_up_to_now(machine);
	if (polls[0].revents & POLLIN)
		listen_to(machine, LINE_BUS);
	if (polls[1].revents & POLLIN)
		listen_to(machine, LINE_HOST);
	if (polls[3].revents)
		serve_client(machine);
	if (polls[2].revents & POLLIN)
		machine->client = socket_accept(machine->listener);
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = end };
	struct machine machine = { .lines = { -1, -1 }, .listener = -1, .client = -1 };
	int i;

	if (argc < 2 || argc % 2) {
		fprintf(stderr, "cm510: FIRMWARE.bin and options with their values\n");
		return 2;
	}
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
	machine.board = avr_board_new(argv[1]);
	if (!machine.board)
		die(argv[1]);
	avr_board_renew(machine.board);
	for (i = 2; i < argc; i += 2)
		connect_to(&machine, argv[i], argv[i + 1]);
	machine.start = now() - (long long)machine.board->avr->cycle * 1000 / CYCLES_PER_US;
	while (!ended) {
		run_up_to_now(&machine);
		speak(&machine, LINE_BUS);
		speak(&machine, LINE_HOST);
		wait_for(&machine);
	}
	avr_board_free(machine.board);

	return 0;
}
