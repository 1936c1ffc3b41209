// SPDX-License-Identifier: GPL-2.0-or-later
#include "progress.h"

#include <stdio.h>
#include <string.h>

#include "monotonic.h"
#include "output.h"

#define BAR_WIDTH 24
#define NS_PER_MS 1000000
#define DRAW_NS	  ((int64_t)100 * NS_PER_MS)
#define CLEAR_EOL "\033[K"

static void fill_bar(char *bar, long part, long whole)
{
	long full = whole > 0 ? part * BAR_WIDTH / whole : 0;

	if (full > BAR_WIDTH)
		full = BAR_WIDTH;
	memset(bar, '.', BAR_WIDTH);
	memset(bar, '#', (size_t)full);
	bar[BAR_WIDTH] = '\0';
}

static void print_state(const struct progress *progress, long elapsed_ms)
{
	const struct naohw_player *player = progress->player;
	const struct naohw_page *page = naohw_player_progress_page(player);
	unsigned int passes = naohw_player_progress_passes(player);
	char bar[BAR_WIDTH + 1];

	printf("page %u %-13s", naohw_page_number(page), naohw_page_name(page));
	if (passes > 1)
		printf(" pass %u/%u", naohw_player_progress_pass(player), passes);
	printf(" step %u/%u", naohw_player_progress_step(player), naohw_page_step_count(page));
	if (progress->total_ms == 0) {
		printf("  %6.2f s", (double)elapsed_ms / 1000);
		return;
	}
	fill_bar(bar, elapsed_ms, progress->total_ms);
	printf("  [%s] %5.2f of %.2f s", bar, (double)elapsed_ms / 1000,
	       (double)progress->total_ms / 1000);
}

static void draw(struct progress *progress, int64_t time)
{
	long elapsed = naohw_player_progress_elapsed_ms(progress->player);

	elapsed += (long)((time - progress->step_began) / NS_PER_MS);
	/* Joints may still be settling, and a stop may have added an exit page. */
	if (progress->total_ms && elapsed > progress->total_ms)
		elapsed = progress->total_ms;
	printf("\r");
	print_state(progress, elapsed);
	printf(CLEAR_EOL);
	fflush(stdout);
	progress->drawn = time;
}

void progress_begin(struct progress *progress, bool quiet, bool lines, long total_ms)
{
	memset(progress, 0, sizeof(*progress));
	progress->quiet = quiet;
	progress->is_bar = !lines && output_is_terminal();
	progress->total_ms = total_ms;
}

void progress_step(struct progress *progress, const struct naohw_player *player)
{
	long pause_ms = naohw_player_progress_pause_ms(player);

	progress->player = player;
	progress->step_began = monotonic_ns();
	if (progress->quiet)
		return;
	if (progress->is_bar) {
		if (!output_is_behind())
			draw(progress, progress->step_began);
		return;
	}
	print_state(progress, naohw_player_progress_elapsed_ms(player));
	printf(", %.2f s", (double)naohw_player_progress_step_ms(player) / 1000);
	if (pause_ms)
		printf(" and %.2f s pause", (double)pause_ms / 1000);
	printf("\n");
	fflush(stdout);
}

static bool has_bar(const struct progress *progress)
{
	return !progress->quiet && progress->is_bar && progress->player;
}

void progress_idle(struct progress *progress)
{
	int64_t time = monotonic_ns();

	if (has_bar(progress) && !output_is_behind() && time - progress->drawn >= DRAW_NS)
		draw(progress, time);
}

void progress_clear(const struct progress *progress)
{
	if (has_bar(progress))
		printf("\r" CLEAR_EOL);
}

void progress_end(struct progress *progress)
{
	if (has_bar(progress)) {
		draw(progress, monotonic_ns());
		printf("\n");
	}
	fflush(stdout);
	progress->quiet = true;
}
