// SPDX-License-Identifier: GPL-2.0-or-later
#include <getopt.h>
#include <stdio.h>

#include "cli.h"

#define PAGE_STATES (NAOHW_PAGE_ZERO + 1)

static const char *base_name(const struct naohw_page *page)
{
	return page->time_base ? "time" : "speed";
}

static void print_good(const struct naohw_motion *motion, const struct naohw_page *page)
{
	long ms = naohw_motion_page_ms(motion, page->number, NULL, 0);

	/* In speed base the way to the first step is not known here. */
	printf("%4u  %-15s %5u %6u %5u %5u  %-5s %6.2f  %s%.2f s\n", page->number, page->name,
	       page->steps, page->repeat, page->next, page->exit, base_name(page),
	       page->speed / 32.0, page->time_base ? "" : "> ", (double)ms / 1000);
}

static void print_row(const struct naohw_motion *motion, const struct naohw_page *page)
{
	switch (page->state) {
	case NAOHW_PAGE_GOOD:
		print_good(motion, page);
		break;
	case NAOHW_PAGE_EMPTY:
		printf("%4u  %-15s empty: %u steps, repeat %u\n", page->number, page->name,
		       page->steps, page->repeat);
		break;
	case NAOHW_PAGE_ERASED:
		printf("%4u  %-15s erased\n", page->number, "");
		break;
	case NAOHW_PAGE_DAMAGED:
		printf("%4u  %-15s DAMAGED: %s\n", page->number, page->name, page->why);
		break;
	case NAOHW_PAGE_ZERO:
		printf("%4u  %-15s never played: its number stands for no page\n", page->number,
		       page->name);
		break;
	}
}

static void print_table(const struct naohw_motion *motion, bool all)
{
	unsigned int total[PAGE_STATES] = { 0 };
	unsigned int count = naohw_motion_page_count(motion);
	struct naohw_page page;

	printf("%4s  %-15s %5s %6s %5s %5s  %-5s %6s  %s\n", "Page", "Name", "Steps", "Repeat",
	       "Next", "Exit", "Base", "Factor", "One pass");
	/* Text files count from 1; in binary ones there is a page 0. */
	for (unsigned int i = naohw_motion_is_text(motion); i < count; i++) {
		naohw_motion_get_page(motion, i, &page);
		total[page.state]++;
		if (all || page.state == NAOHW_PAGE_GOOD || page.state == NAOHW_PAGE_DAMAGED)
			print_row(motion, &page);
	}
	printf("%s (%s): %u pages to play, %u empty, %u erased, %u damaged%s\n",
	       naohw_motion_path(motion), naohw_motion_is_text(motion) ? "text" : "binary",
	       total[NAOHW_PAGE_GOOD], total[NAOHW_PAGE_EMPTY], total[NAOHW_PAGE_ERASED],
	       total[NAOHW_PAGE_DAMAGED],
	       total[NAOHW_PAGE_ZERO] ? ", and page 0, which is never played" : "");
}

static void print_header(const struct naohw_motion *motion, const struct naohw_page *page)
{
	long ms = naohw_motion_page_ms(motion, page->number, NULL, 0);

	printf("Page %u \"%s\" of %s\n", page->number, page->name, naohw_motion_path(motion));
	if (page->state == NAOHW_PAGE_DAMAGED)
		printf("DAMAGED: %s\n", page->why);
	if (page->state == NAOHW_PAGE_ERASED)
		printf("erased: all its bytes are 0xff\n");
	printf("%u steps, repeat %u, next %u, exit %u, %s base, time factor %u/32, "
	       "acceleration %u ticks",
	       page->steps, page->repeat, page->next, page->exit, base_name(page), page->speed,
	       page->accel);
	if (ms >= 0)
		printf(", one pass %.2f s", (double)ms / 1000);
	printf("\n");
}

static void print_position(uint16_t position)
{
	if (position & NAOHW_POSITION_INVALID)
		printf(" %6s", "-");
	else if (position & NAOHW_POSITION_TORQUE_OFF)
		printf(" %6s", "off");
	else
		printf(" %6u", position);
}

/* An ID that no step gives a goal is left out. */
static bool is_used(const struct naohw_step *steps, unsigned int count, unsigned int id)
{
	for (unsigned int i = 0; i < count; i++)
		if (!(steps[i].position[id] & NAOHW_POSITION_INVALID))
			return true;
	return false;
}

static void print_steps(const struct naohw_step *steps, unsigned int count, bool time_base)
{
	printf("\n%-10s", "Step");
	for (unsigned int i = 0; i < count; i++)
		printf(" %6u", i + 1);
	printf("\n%-10s", time_base ? "time, ms" : "speed");
	for (unsigned int i = 0; i < count; i++)
		printf(" %6u", time_base ? steps[i].time * NAOHW_TICK_MS : steps[i].time);
	printf("\n%-10s", "pause, ms");
	for (unsigned int i = 0; i < count; i++)
		printf(" %6u", steps[i].pause * NAOHW_TICK_MS);
	printf("\n");
	for (unsigned int id = 0; id < NAOHW_PAGE_IDS; id++) {
		if (!is_used(steps, count, id))
			continue;
		printf("ID %-7u", id);
		for (unsigned int i = 0; i < count; i++)
			print_position(steps[i].position[id]);
		printf("\n");
	}
}

static int print_page(const struct naohw_motion *motion, const char *name)
{
	struct naohw_step steps[NAOHW_PAGE_STEPS];
	struct naohw_page page;
	struct naohw_error err;
	int number = naohw_motion_find_page(motion, name, &err);

	if (number < 0)
		return complain("%s", err.message);
	naohw_motion_get_page(motion, (unsigned int)number, &page);
	for (unsigned int i = 0; i < page.steps; i++)
		naohw_motion_get_step(motion, page.number, i, &steps[i]);
	print_header(motion, &page);
	if (page.steps)
		print_steps(steps, page.steps, page.time_base);
	return STATUS_OK;
}

/* To the user, beside a table that a program may read. */
static void warn_of_checksum(const struct naohw_motion *motion)
{
	const char *fault = naohw_motion_checksum_fault(motion);

	if (fault)
		complain("warning: %s: %s; \"naohw play\" wants --ignore-checksum for it",
			 naohw_motion_path(motion), fault);
}

int cmd_pages(struct cli *cli, int argc, char **argv)
{
	static const struct option options[] = {
		{ "all", no_argument, NULL, 'a' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	struct naohw_motion *motion;
	int option, status = STATUS_OK;
	bool all = false;

	while ((option = getopt_long(argc, argv, "ah", options, NULL)) >= 0) {
		if (option != 'a')
			return common_option(cli, option);
		all = true;
	}
	if (argc - optind < 1 || argc - optind > 2)
		return complain_usage(cli, "expected FILE, and maybe PAGE");
	motion = load_motion(argv[optind]);
	if (!motion)
		return STATUS_FAILED;
	warn_of_checksum(motion);
	if (argc - optind == 2)
		status = print_page(motion, argv[optind + 1]);
	else
		print_table(motion, all);
	naohw_motion_free(motion);
	return status;
}
