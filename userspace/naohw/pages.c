// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>

#include "cli.h"

#define PAGE_STATES (NAOHW_PAGE_ZERO + 1)
/* Of a binary file */
#define PAGE_SIZE   512

static const char *base_name(const struct naohw_page *page)
{
	return naohw_page_is_time_base(page) ? "time" : "speed";
}

static void print_good(const struct naohw_page *page)
{
	long ms = 0;

	naohw_page_ms(page, &ms);
	/* In speed base the way to the first step is not known here. */
	printf("%4u  %-15s %5u %6u %5u %5u  %-5s %6.2f  %s%.2f s\n", naohw_page_number(page),
	       naohw_page_name(page), naohw_page_step_count(page), naohw_page_repeat(page),
	       naohw_page_next(page), naohw_page_exit(page), base_name(page),
	       naohw_page_speed(page) / 32.0, naohw_page_is_time_base(page) ? "" : "> ",
	       (double)ms / 1000);
}

static void print_row(const struct naohw_page *page)
{
	unsigned int number = naohw_page_number(page);
	const char *name = naohw_page_name(page);

	switch (naohw_page_get_state(page)) {
	case NAOHW_PAGE_GOOD:
		print_good(page);
		break;
	case NAOHW_PAGE_EMPTY:
		printf("%4u  %-15s empty: %u steps, repeat %u\n", number, name,
		       naohw_page_step_count(page), naohw_page_repeat(page));
		break;
	case NAOHW_PAGE_ERASED:
		printf("%4u  %-15s erased\n", number, "");
		break;
	case NAOHW_PAGE_DAMAGED:
		printf("%4u  %-15s DAMAGED: %s\n", number, name, naohw_page_fault(page));
		break;
	case NAOHW_PAGE_ZERO:
		printf("%4u  %-15s never played: its number stands for no page\n", number, name);
		break;
	}
}

static void print_table(const struct naohw_motion *motion, bool all)
{
	unsigned int total[PAGE_STATES] = { 0 };
	const struct naohw_page *page;

	printf("%4s  %-15s %5s %6s %5s %5s  %-5s %6s  %s\n", "Page", "Name", "Steps", "Repeat",
	       "Next", "Exit", "Base", "Factor", "One pass");
	/* Text files count from 1; in binary ones there is a page 0. */
	for (unsigned int i = naohw_motion_is_text(motion); (page = naohw_motion_page(motion, i));
	     i++) {
		enum naohw_page_state state = naohw_page_get_state(page);

		total[state]++;
		if (all || state == NAOHW_PAGE_GOOD || state == NAOHW_PAGE_DAMAGED)
			print_row(page);
	}
	printf("%s (%s): %u pages to play, %u empty, %u erased, %u damaged%s\n",
	       naohw_motion_path(motion), naohw_motion_is_text(motion) ? "text" : "binary",
	       total[NAOHW_PAGE_GOOD], total[NAOHW_PAGE_EMPTY], total[NAOHW_PAGE_ERASED],
	       total[NAOHW_PAGE_DAMAGED],
	       total[NAOHW_PAGE_ZERO] ? ", and page 0, which is never played" : "");
	if (total[NAOHW_PAGE_ZERO])
		printf("Note: page 0 has steps. A dump may begin with page 1: then each page has a number "
		       "too low by 1, and next and exit lead to wrong pages. %u bytes of 0 before the file "
		       "mend that.\n", PAGE_SIZE);
}

static void print_header(const struct naohw_motion *motion, const struct naohw_page *page)
{
	const char *fault = naohw_page_fault(page);
	long ms;

	printf("Page %u \"%s\" of %s\n", naohw_page_number(page), naohw_page_name(page),
	       naohw_motion_path(motion));
	if (fault)
		printf("DAMAGED: %s\n", fault);
	if (naohw_page_get_state(page) == NAOHW_PAGE_ERASED)
		printf("erased: all its bytes are 0xff\n");
	printf("%u steps, repeat %u, next %u, exit %u, %s base, time factor %u/32, "
	       "acceleration %u ticks",
	       naohw_page_step_count(page), naohw_page_repeat(page), naohw_page_next(page),
	       naohw_page_exit(page), base_name(page), naohw_page_speed(page),
	       naohw_page_accel(page));
	if (naohw_page_ms(page, &ms) == 0)
		printf(", one pass %.2f s", (double)ms / 1000);
	printf("\n");
}

static void print_position(unsigned int position)
{
	if (position & NAOHW_POSITION_INVALID)
		printf(" %6s", "-");
	else if (position & NAOHW_POSITION_TORQUE_OFF)
		printf(" %6s", "off");
	else
		printf(" %6u", position);
}

/* An ID that no step gives a goal is left out. */
static bool is_used(const struct naohw_page *page, unsigned int id)
{
	for (unsigned int i = 0; i < naohw_page_step_count(page); i++)
		if (!(naohw_page_step_position(page, i, id) & NAOHW_POSITION_INVALID))
			return true;
	return false;
}

static void print_times(const struct naohw_page *page)
{
	bool time_base = naohw_page_is_time_base(page);
	unsigned int tick = time_base ? NAOHW_TICK_MS : 1;

	printf("\n%-10s", time_base ? "time, ms" : "speed");
	for (unsigned int i = 0; i < naohw_page_step_count(page); i++)
		printf(" %6u", naohw_page_step_time(page, i) * tick);
	printf("\n%-10s", "pause, ms");
	for (unsigned int i = 0; i < naohw_page_step_count(page); i++)
		printf(" %6u", naohw_page_step_pause(page, i) * NAOHW_TICK_MS);
	printf("\n");
}

static void print_steps(const struct naohw_page *page)
{
	unsigned int count = naohw_page_step_count(page);

	printf("\n%-10s", "Step");
	for (unsigned int i = 0; i < count; i++)
		printf(" %6u", i + 1);
	print_times(page);
	for (unsigned int id = 0; id < NAOHW_PAGE_IDS; id++) {
		if (!is_used(page, id))
			continue;
		printf("ID %-7u", id);
		for (unsigned int i = 0; i < count; i++)
			print_position(naohw_page_step_position(page, i, id));
		printf("\n");
	}
}

static int print_page(const struct naohw_motion *motion, const char *name)
{
	const struct naohw_page *page;
	struct naohw_error err;
	unsigned int number;

	if (naohw_motion_find_page(motion, name, &number, &err) < 0)
		return complain("%s", err.message);
	page = naohw_motion_page(motion, number);
	print_header(motion, page);
	if (naohw_page_step_count(page))
		print_steps(page);
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

int cmd_pages(const struct cli *cli)
{
	const struct line *line = &cli->line;
	struct naohw_motion *motion;
	int status = STATUS_OK;

	if (line->operand_count < 1 || line->operand_count > 2)
		return complain_usage("expected FILE, and maybe PAGE");
	motion = load_motion(line->operand[0]);
	if (!motion)
		return STATUS_FAILED;
	warn_of_checksum(motion);
	if (line->operand_count == 2)
		status = print_page(motion, line->operand[1]);
	else
		print_table(motion, line->option[OPTION_ALL]);
	naohw_motion_free(motion);
	return status;
}
