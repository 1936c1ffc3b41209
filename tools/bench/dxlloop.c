// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dxlloop: what a careful user would write against a tty, to be measured beside
 * the kernel's bus: termios, poll, one thread, one or more ttys.
 */
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "loop.h"

#define MEET_SAY	4
#define MEET_HEAR	5

static const char usage[] =
"Usage: dxlloop [OPTION]... TTY=FIRST-LAST...\n"
"Reads the devices FIRST to LAST on each TTY, and writes to all of them, again\n"
"and again, as fast as it goes.\n"
"\n"
"  --protocol 1|2            protocol (2)\n"
"  --baud N                  rate of the ttys (1000000)\n"
"  --keep-rate               do not set it: it is that already\n"
"  --kind single|sync|fast   how devices are read: one by one, by SYNC_READ or\n"
"                            by FAST_SYNC_READ (sync)\n"
"  --read ADDR,LEN           what is read (126,10)\n"
"  --write ADDR,LEN          what is written; LEN 0: nothing (116,4)\n"
"  --turnaround US           how long a device may rest before it answers (0)\n"
"  --margin US               how much later an answer may come (1000)\n"
"  --count N                 number of exchanges on each tty (1000)\n"
"  --period US               one of them so often, and not as fast as it goes\n"
"  --priority N              of real time, with the memory locked (none)\n"
"  --meet                    say a line on descriptor 4 and wait for one on 5, before\n"
"                            the first exchange and behind the last\n";

enum {
	OPT_PROTOCOL = 1, OPT_BAUD, OPT_KIND, OPT_READ, OPT_WRITE,
	OPT_TURNAROUND, OPT_MARGIN, OPT_COUNT, OPT_PERIOD,
	OPT_PRIORITY, OPT_KEEP_RATE, OPT_MEET, OPT_HELP,
};

static const struct option options[] = {
	{ "protocol", required_argument, NULL, OPT_PROTOCOL },
	{ "baud", required_argument, NULL, OPT_BAUD },
	{ "kind", required_argument, NULL, OPT_KIND },
	{ "read", required_argument, NULL, OPT_READ },
	{ "write", required_argument, NULL, OPT_WRITE },
	{ "turnaround", required_argument, NULL, OPT_TURNAROUND },
	{ "margin", required_argument, NULL, OPT_MARGIN },
	{ "count", required_argument, NULL, OPT_COUNT },
	{ "period", required_argument, NULL, OPT_PERIOD },
	{ "priority", required_argument, NULL, OPT_PRIORITY },
	{ "keep-rate", no_argument, NULL, OPT_KEEP_RATE },
	{ "meet", no_argument, NULL, OPT_MEET },
	{ "help", no_argument, NULL, OPT_HELP },
	{ 0 }
};

static __attribute__((noreturn)) void die(const char *what, const char *value)
{
	fprintf(stderr, "dxlloop: %s: \"%s\"; try: dxlloop --help\n", what,
		value);
	exit(2);
}

static unsigned long number(const char *text, unsigned long max)
{
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (end == text || *end || errno || value > max)
		die("no number, or too high a number", text);

	return value;
}

static void set_range(const char *text, u16 *addr, u16 *len)
{
	char rest;

	if (sscanf(text, "%hu,%hu%c", addr, len, &rest) != 2 || *len > 128)
		die("expected ADDR,LEN", text);
}

static enum kind kind_of(const char *text)
{
	if (!strcmp(text, "single"))
		return KIND_SINGLE;
	if (!strcmp(text, "sync"))
		return KIND_SYNC;
	if (!strcmp(text, "fast"))
		return KIND_FAST;
	die("no such kind", text);
}

static void set_priority(const char *text)
{
	const struct sched_param param = { .sched_priority = number(text, 99) };

	if (!sched_setscheduler(0, SCHED_FIFO, &param) &&
	    !mlockall(MCL_CURRENT | MCL_FUTURE))
		return;
	perror("dxlloop: priority");
	exit(EXIT_FAILURE);
}

static void set_option(struct plan *plan, int option)
{
	switch (option) {
	case OPT_PROTOCOL:
		plan->protocol = number(optarg, 2);
		break;
	case OPT_BAUD:
		plan->baud = number(optarg, 10000000);
		break;
	case OPT_KIND:
		plan->kind = kind_of(optarg);
		break;
	case OPT_READ:
		set_range(optarg, &plan->read_addr, &plan->read_len);
		break;
	case OPT_WRITE:
		set_range(optarg, &plan->write_addr, &plan->write_len);
		break;
	case OPT_TURNAROUND:
		plan->turnaround_us = number(optarg, 1000000);
		break;
	case OPT_MARGIN:
		plan->margin_us = number(optarg, 1000000);
		break;
	case OPT_COUNT:
		plan->count = number(optarg, 100000000);
		break;
	case OPT_PERIOD:
		plan->period_us = number(optarg, 1000000);
		break;
	case OPT_PRIORITY:
		set_priority(optarg);
		break;
	case OPT_KEEP_RATE:
		plan->keep_rate = true;
		break;
	case OPT_MEET:
		plan->meets = true;
		break;
	case OPT_HELP:
		fputs(usage, stdout);
		exit(EXIT_SUCCESS);
	default:
		exit(2);
	}
}

static void check_plan(const struct plan *plan)
{
	if (plan->kind != KIND_SINGLE && plan->protocol != DXL_PROTOCOL_2)
		die("Protocol 1.0 has no such read, only", "single");
	if (!plan->protocol || !plan->baud || !plan->read_len || !plan->count)
		die("must not be 0", "--protocol, --baud, LEN of --read, --count");
}

static void set_line(struct line *line, const struct plan *plan, char *text)
{
	char *ids = strchr(text, '=');
	unsigned int first, last, id;
	char rest;

	if (!ids || sscanf(ids + 1, "%u-%u%c", &first, &last, &rest) != 2 ||
	    first > last || last > 252 || last - first >= DEVICES_MAX)
		die("expected TTY=FIRST-LAST", text);
	*ids = 0;
	line->path = text;
	line->plan = plan;
	for (id = first; id <= last; id++)
		line->ids[line->num_ids++] = id;
}

static __attribute__((noreturn)) void broken(const struct line *line)
{
	fprintf(stderr, "dxlloop: %s: %s\n", line->path, strerror(errno));
	exit(EXIT_FAILURE);
}

/* Wait until one of the lines has bytes or is out of time. */
static void wait_for(const struct line *lines, struct pollfd *polls, int count)
{
	u64 now = now_ns(), first = now + 1000000000ULL;
	struct timespec timeout;
	int i;

	for (i = 0; i < count; i++) {
		if (!line_finished(&lines[i]) && lines[i].deadline < first)
			first = lines[i].deadline;
	}
	first = first > now ? first - now : 0;
	timeout.tv_sec = first / 1000000000ULL;
	timeout.tv_nsec = first % 1000000000ULL;
	if (ppoll(polls, count, &timeout, NULL) < 0 && errno != EINTR) {
		perror("dxlloop: poll");
		exit(EXIT_FAILURE);
	}
}

static void serve(struct line *line, struct pollfd *poll)
{
	int ret = 0;

	if (line_finished(line))
		return;
	if (poll->revents)
		ret = line_readable(line);
	else if (now_ns() >= line->deadline)
		ret = line_expired(line);
	if (ret)
		broken(line);
	if (line_finished(line))
		poll->fd = -1;
}

static bool all_finished(const struct line *lines, int count)
{
	while (count--) {
		if (!line_finished(&lines[count]))
			return false;
	}

	return true;
}

static void run(struct line *lines, int count)
{
	struct pollfd polls[LINES_MAX];
	int i;

	for (i = 0; i < count; i++) {
		polls[i] = (struct pollfd){ lines[i].fd, POLLIN, 0 };
		if (line_start(&lines[i]))
			broken(&lines[i]);
	}
	while (!all_finished(lines, count)) {
		wait_for(lines, polls, count);
		for (i = 0; i < count; i++)
			serve(&lines[i], &polls[i]);
	}
}

/* Whoever measures is to see the exchanges alone, not how a program starts or ends. */
static void meet(const struct plan *plan)
{
	char released;

	if (!plan->meets)
		return;
	if (write(MEET_SAY, "\n", 1) == 1 && read(MEET_HEAR, &released, 1) == 1)
		return;
	perror("dxlloop: --meet");
	exit(EXIT_FAILURE);
}

static void report(struct line *lines, int count, u64 ns)
{
	unsigned long answers = 0, missing = 0;
	int i;

	for (i = 0; i < count; i++) {
		answers += lines[i].answers;
		missing += lines[i].missing;
	}
	printf("exchanges=%lu\nns=%llu\nanswers=%lu\nmissing=%lu\n",
	       lines[0].done, ns, answers, missing);
	if (lines[0].plan->period_us)
		pace_report(&lines[0].pace);
}

int main(int argc, char **argv)
{
	static struct line lines[LINES_MAX];
	struct plan plan = {
		.kind = KIND_SYNC,
		.protocol = DXL_PROTOCOL_2,
		.baud = 1000000,
		.margin_us = 1000,
		.read_addr = 126,
		.read_len = 10,
		.write_addr = 116,
		.write_len = 4,
		.count = 1000,
	};
	int option, count = 0;
	u64 begin, ns;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		set_option(&plan, option);
	check_plan(&plan);
	if (optind == argc || argc - optind > LINES_MAX)
		die("expected 1 to 8 of them", "TTY=FIRST-LAST");
	for (; optind < argc; optind++)
		set_line(&lines[count++], &plan, argv[optind]);
	for (option = 0; option < count; option++) {
		if (line_open(&lines[option]))
			broken(&lines[option]);
	}

	/* The kernel's usual slack of 50 us is long on a line at 1 Mbaud. */
	prctl(PR_SET_TIMERSLACK, 1);
	meet(&plan);
	begin = now_ns();
	run(lines, count);
	ns = now_ns() - begin;
	meet(&plan);
	report(lines, count, ns);

	return EXIT_SUCCESS;
}
