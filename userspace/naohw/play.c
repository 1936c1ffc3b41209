// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "behind.h"
#include "cli.h"
#include "interrupt.h"
#include "monotonic.h"
#include "output.h"
#include "progress.h"
#include "stage.h"
#include "tape.h"

#define PAGES_MAX    256
/* A plot shows better that joints are at rest when they are so for a while. */
#define REST_NS	     300000000
/* Of a bus that is silent no sample is newer. */
#define REST_MOST_NS 1000000000
#define SETTLE_S     3
/* Of a motion without end, a dry run shows this much. */
#define DRY_MS	     30000

struct play {
	struct naohw_motion *motion;
	unsigned int page;
	double speed;
	unsigned int repeat;
	const char *record_path;
	double max_time;
	double settle;
	long tolerance;
	bool dry;
	bool quiet;
	bool ignore_checksum;
	bool head;
	bool stiff;
	struct stage stage;
	struct progress progress;
	struct tape *tape;
	void *room; /* for what the tape takes when the stream is open */
	bool is_settling;
	bool is_stop_told;
};

/* Of the whole chain; 0 when it comes back to a page and so has no end. */
static long total_ms(const struct play *play)
{
	bool seen[PAGES_MAX] = { false };
	unsigned int passes = play->repeat;
	unsigned int number = play->page;
	const struct naohw_page *page;
	double total = 0;
	long ms;

	while ((page = naohw_motion_page(play->motion, number)) && naohw_page_ms(page, &ms) == 0) {
		if (seen[number] || !naohw_page_is_time_base(page))
			return 0;
		seen[number] = true;
		total += (double)ms * (passes ? passes : naohw_page_repeat(page));
		passes = 0;
		number = naohw_page_next(page);
	}
	return (long)(total / play->speed);
}

static void on_step(void *data, const struct naohw_player *player)
{
	struct play *play = data;

	interrupt_player(play->stage.player, true);
	progress_step(&play->progress, player);
}

/* The first signal stops nothing that a user would see at once. */
static void tell_of_stop(struct play *play)
{
	if (play->is_stop_told || play->quiet || !play->progress.player || !is_interrupted())
		return;
	play->is_stop_told = true;
	progress_clear(&play->progress);
	complain("%s; a second Ctrl-C stops at once",
		 play->is_settling ? "waits until the joints have arrived" :
				     "ends this pass of the page, and its exit page follows");
}

static void on_idle(void *data, long free_ms)
{
	struct play *play = data;

	(void)free_ms;
	tell_of_stop(play);
	progress_idle(&play->progress);
	if (play->tape)
		tape_add(play->tape);
}

static void on_note(void *data, const char *text)
{
	struct play *play = data;

	if (play->quiet)
		return;
	progress_clear(&play->progress);
	printf("Note: %s.\n", text);
}

static void announce(const struct play *play)
{
	if (!play->quiet)
		printf("%s page %u \"%s\" of %s\n", play->dry ? "Timetable of" : "Playing",
		       play->page, naohw_page_name(naohw_motion_page(play->motion, play->page)),
		       naohw_motion_path(play->motion));
	fflush(stdout);
}

static int status_of(int ret, const struct naohw_error *err)
{
	if (ret == -ECANCELED) {
		complain("%s", err->message);
		return STATUS_INTERRUPTED;
	}
	return complain("%s", err->message);
}

static void print_arrival(const struct play *play)
{
	const struct naohw_player *player = play->stage.player;
	unsigned int joints = naohw_player_arrival_joints(player);
	int worst = naohw_player_arrival_worst(player);

	if (play->quiet)
		return;
	if (joints == 0) {
		printf("No joint of this robot had a goal in it.\n");
		return;
	}
	printf("Final pose reached: %u joints within ", joints);
	if (play->tolerance < 0)
		printf("what their servos may sag");
	else
		printf("%ld counts of their goal", play->tolerance);
	printf(" (largest deviation: %d", worst);
	if (worst)
		printf(", %s", naohw_player_arrival_worst_label(player));
	printf("), %.2f s after the last step.\n",
	       (double)naohw_player_arrival_ms(player) / 1000);
}

/* Are joints off that nothing keeps from moving? */
static bool any_is_stuck(const struct play *play)
{
	const struct naohw_reason *reason;
	const char *label;

	for (size_t i = 0; (reason = naohw_player_behind(play->stage.player, i, &label)); i++)
		if (strcmp(reason->word, "stuck") == 0)
			return true;
	return false;
}

/* The key says of a silent joint no more than that. */
static const struct naohw_reason *ask_more(const struct play *play, const char *label,
					   const struct naohw_reason *reason)
{
	size_t joint;

	if (strcmp(reason->word, "no-answer") != 0 ||
	    naohw_robot_find_joint(play->stage.robot, label, &joint) < 0)
		return reason;
	return naohw_joint_reason(play->stage.robot, play->stage.dcm, joint);
}

static void complain_behind(const struct play *play)
{
	const struct naohw_reason *reason;
	struct behind behind = { 0 };
	const char *label;

	for (size_t i = 0; (reason = naohw_player_behind(play->stage.player, i, &label)); i++)
		behind_add(&behind, label, ask_more(play, label, reason));
	behind_tell(&behind, stderr);
}

static int settle(struct play *play)
{
	struct naohw_error err;
	int ret;

	play->is_settling = true;
	ret = naohw_player_settle(play->stage.player, (int)play->tolerance,
				  (long)(play->settle * 1000), &err);
	progress_end(&play->progress);
	if (ret == -ECANCELED)
		return status_of(ret, &err);
	if (ret < 0) {
		complain("final pose not reached: %s%s", err.message,
			 any_is_stuck(play) ? "; --tolerance N tolerates N" : "");
		complain_behind(play);
		return STATUS_NOT_REACHED;
	}
	print_arrival(play);
	return STATUS_OK;
}

static void set_up(struct play *play)
{
	struct naohw_player *player = play->stage.player;

	/* In its range, or it would have been refused as an option. */
	(void)naohw_player_set_speed(player, play->speed, NULL);
	naohw_player_set_repeat(player, play->repeat);
	/* Nothing has been begun. */
	(void)naohw_player_set_head(player, play->head, NULL);
	(void)naohw_player_set_stiff(player, play->stiff, NULL);
	naohw_player_set_max_ms(player, (long)(play->max_time * 1000));
	naohw_player_on_step(player, on_step, play);
	naohw_player_on_note(player, on_note, play);
	/* Without a wait there is no idle time either. */
	naohw_player_on_idle(player, play->dry ? NULL : on_idle, play);
	if (play->ignore_checksum)
		naohw_player_ignore_checksum(player);
}

static void begin(struct play *play)
{
	long total = total_ms(play);

	/* A timetable is lines, wherever it goes. */
	progress_begin(&play->progress, play->quiet, play->dry, total);
	if (total || play->max_time > 0)
		return;
	if (play->dry)
		naohw_player_set_max_ms(play->stage.player, DRY_MS);
	if (!play->quiet)
		printf("Its end is not known before; %s.\n",
		       play->dry ? "shown for 30 s at most" : "Ctrl-C or --max-time stops it");
}

static int record_rest(struct play *play)
{
	struct samples *samples = play->stage.samples;
	int64_t until = samples_time(samples) + REST_NS, end = monotonic_ns() + REST_MOST_NS;
	struct naohw_error err;

	while (samples_time(samples) < until && monotonic_ns() < end) {
		if (samples_wait(samples, &err) < 0)
			return complain("the recording ends before the play: %s", err.message);
		tape_add(play->tape);
	}
	return STATUS_OK;
}

static int perform(struct play *play)
{
	struct naohw_error err;
	int ret, status;

	begin(play);
	if (play->stage.dcm && stage_hold(&play->stage, play->page, &err) < 0)
		return complain("%s", err.message);
	ret = naohw_player_play(play->stage.player, play->page, &err);
	if (ret < 0) {
		progress_end(&play->progress);
		return status_of(ret, &err);
	}
	if (play->dry) {
		progress_end(&play->progress);
		return STATUS_OK;
	}
	status = settle(play);
	if (play->tape && record_rest(play) != STATUS_OK && status == STATUS_OK)
		status = STATUS_FAILED;
	return is_interrupted() && status == STATUS_OK ? STATUS_INTERRUPTED : status;
}

static void give_room(struct play *play)
{
	free(play->room);
	play->room = NULL;
}

static int start_recording(struct play *play)
{
	const struct tape_options options = { .samples = play->stage.samples };
	struct naohw_error err;
	int ret;

	if (!play->tape)
		return STATUS_OK;
	/* No motion, no empty recording. */
	if (naohw_player_check(play->stage.player, play->page, &err) < 0)
		return complain("%s", err.message);
	give_room(play);
	ret = tape_begin(play->tape, &options);
	return ret < 0 ? STATUS_FAILED : STATUS_OK;
}

static int run_on_stage(struct play *play)
{
	int status;

	set_up(play);
	announce(play);
	status = start_recording(play);
	interrupt_player(play->stage.player, false);
	/* From here on the player is told; what came before means that nothing is to move. */
	if (status == STATUS_OK)
		status = is_interrupted() ? STATUS_INTERRUPTED : perform(play);
	interrupt_player(NULL, false);
	return status;
}

static int run_dry(struct play *play, const struct cli *cli)
{
	int status = stage_take_dry(&play->stage, cli, play->motion, play->page, play->quiet);

	if (status != STATUS_OK)
		return status;
	status = run_on_stage(play);
	stage_leave(&play->stage);
	return status;
}

static int run_on_robot(struct play *play, const struct cli *cli)
{
	int status;

	/* So that memory is locked only where as much as that may be too. */
	if (play->tape)
		play->room = malloc(TAPE_ROOM);
	catch_interrupts_of_stream();
	status = stage_take(&play->stage, cli, play->motion, play->record_path);
	if (status == STATUS_OK)
		status = run_on_stage(play);
	stage_leave(&play->stage);
	release_interrupts();
	give_room(play);
	return status;
}

/* What may take its time is done before the stream is open, and when it has been closed. */
static int run(struct play *play, const struct cli *cli)
{
	int status;

	if (play->record_path) {
		play->tape = tape_open(play->record_path, naohw_motion_path(play->motion));
		if (!play->tape)
			return STATUS_FAILED;
	}
	status = output_begin();
	if (status == STATUS_OK)
		status = run_on_robot(play, cli);
	if (tape_close(play->tape) < 0 && status == STATUS_OK)
		status = STATUS_FAILED;
	return output_end(status);
}

static int check_checksum(const struct play *play)
{
	const char *fault = naohw_motion_checksum_fault(play->motion);

	if (fault && !play->ignore_checksum)
		return complain("%s: %s; --ignore-checksum plays it nevertheless",
				naohw_motion_path(play->motion), fault);
	if (fault && !play->quiet)
		printf("Note: %s: %s.\n", naohw_motion_path(play->motion), fault);
	return STATUS_OK;
}

static int load_and_run(struct play *play, const struct cli *cli, char **argv)
{
	struct naohw_error err;
	int status;

	play->motion = load_motion(argv[0]);
	if (!play->motion)
		return STATUS_FAILED;
	if (naohw_motion_find_page(play->motion, argv[1], &play->page, &err) < 0)
		status = complain("%s", err.message);
	else
		status = check_checksum(play);
	if (status == STATUS_OK)
		status = play->dry ? run_dry(play, cli) : run(play, cli);
	naohw_motion_free(play->motion);
	return status;
}

int cmd_play(const struct cli *cli)
{
	const struct line *line = &cli->line;
	struct play play = {
		.record_path = line->option[OPTION_RECORD],
		.dry = line->option[OPTION_DRY_RUN],
		.quiet = line->option[OPTION_QUIET],
		.ignore_checksum = line->option[OPTION_IGNORE_CHECKSUM],
		.head = line->option[OPTION_HEAD],
		.stiff = line->option[OPTION_STIFF],
		.speed = line_number(line, OPTION_SPEED, 1),
		.repeat = (unsigned int)line_whole(line, OPTION_REPEAT, 0),
		.max_time = line_number(line, OPTION_MAX_TIME, 0),
		.tolerance = line_whole(line, OPTION_TOLERANCE, NAOHW_TOLERANCE_SAG),
		.settle = line_number(line, OPTION_SETTLE, SETTLE_S),
	};

	if (line->operand_count != 2)
		return complain_usage("expected FILE and PAGE");
	return load_and_run(&play, cli, line->operand);
}
