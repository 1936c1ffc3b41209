// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "digits.h"
#include "failures.h"
#include "follow.h"
#include "interrupt.h"
#include "keys.h"
#include "monotonic.h"
#include "origin.h"
#include "output.h"
#include "samples.h"
#include "screen.h"

#define DEGREES	    (180 / M_PI)
#define NAME_SIZE   256
#define TORQUE_SIZE 32
#define NS_PER_S    1e9
/* What changes slowly is read at the beginning, but perhaps not in time for the first frame. */
#define FIRST 2
/* In a row of what a servo was asked for, or a naohwd says, beside its load */
#define CELLS 7

struct watch {
	struct naohw_robot *robot;
	struct origin origin;
	struct samples *samples; /* of that; NULL: each servo is asked */
	struct keys keys;
	long count; /* 0: no end */
	double interval;
	struct screen screen;
	struct failures failures; /* of the present table */
};

/* A value that a servo lacks is a dash; a servo that fails is an error. */
static int read_cell(struct naohw_robot *robot, size_t joint, enum naohw_quantity quantity,
		     double *value, struct naohw_error *err)
{
	int ret = naohw_joint_read(robot, joint, quantity, value, err);

	if (ret != -ENOENT)
		return ret;
	*value = NAN;
	return 0;
}

static int read_row(struct naohw_robot *robot, size_t joint, double *values,
		    struct naohw_error *err)
{
	int ret = 0;

	for (int i = NAOHW_QUANTITY_POSITION; i <= NAOHW_QUANTITY_CURRENT && ret == 0; i++)
		ret = read_cell(robot, joint, (enum naohw_quantity)i, &values[i], err);
	return ret;
}

/* ---- a joint's row ---- */

static void number_or_dash(double value, int digits, char *text, size_t size)
{
	if (isnan(value))
		snprintf(text, size, "-");
	else
		number_write_fixed(text, size, digits, value);
}

/* A servo has a load or a current. Return: the unit. */
static const char *load_or_current(const double *v, char *text, size_t size)
{
	if (isnan(v[NAOHW_QUANTITY_LOAD]) && !isnan(v[NAOHW_QUANTITY_CURRENT])) {
		number_or_dash(v[NAOHW_QUANTITY_CURRENT] * 1000, 0, text, size);
		return "mA";
	}
	number_or_dash(v[NAOHW_QUANTITY_LOAD], 1, text, size);
	return "% ";
}

static void torque_or_dash(const struct watch *watch, size_t joint, char *text)
{
	if (naohw_joint_read_torque(watch->robot, joint, text, TORQUE_SIZE) < 0)
		strcpy(text, "-");
}

/* Where frames are read: what they do not have is left out. */
#define FRAME_NUMBERS "%-16s %7s %7s %7s %7s %s %6s %5s"
#define FRAME_ROW     FRAME_NUMBERS "  %-10s %s"

static void print_frame_row(const struct watch *watch, size_t joint, const double *v)
{
	char text[5][16], load[16], alarm[16] = "", torque[TORQUE_SIZE];
	const char *unit = load_or_current(v, load, sizeof(load));

	number_or_dash(v[NAOHW_QUANTITY_POSITION], 3, text[0], sizeof(text[0]));
	number_or_dash(v[NAOHW_QUANTITY_POSITION] * DEGREES, 1, text[1], sizeof(text[1]));
	number_or_dash(v[NAOHW_QUANTITY_SPEED], 2, text[2], sizeof(text[2]));
	number_or_dash(v[NAOHW_QUANTITY_VOLTAGE], 1, text[3], sizeof(text[3]));
	number_or_dash(v[NAOHW_QUANTITY_TEMPERATURE], 0, text[4], sizeof(text[4]));
	if (v[NAOHW_QUANTITY_ALARM] > 0)
		snprintf(alarm, sizeof(alarm), "0x%02x", (unsigned int)v[NAOHW_QUANTITY_ALARM]);
	torque_or_dash(watch, joint, torque);
	screen_line(&watch->screen, FRAME_ROW, naohw_joint_label(watch->robot, joint), text[0],
		    text[1], text[2], load, unit, text[3], text[4], torque, alarm);
}

/* Where servos are asked, or a naohwd has been told */
#define NUMBERS "%-16s %7s %7s %7s %7s %7s %7s %s %6s %5s"
#define ROW	NUMBERS "  %s"

static void print_row(const struct watch *watch, size_t joint, const double *v)
{
	const struct {
		double value;
		int digits;
	} cells[CELLS] = {
		{ v[NAOHW_QUANTITY_POSITION], 3 },    { v[NAOHW_QUANTITY_POSITION] * DEGREES, 1 },
		{ v[NAOHW_QUANTITY_GOAL], 3 },	      { v[NAOHW_QUANTITY_GOAL] * DEGREES, 1 },
		{ v[NAOHW_QUANTITY_SPEED], 2 },	      { v[NAOHW_QUANTITY_VOLTAGE], 1 },
		{ v[NAOHW_QUANTITY_TEMPERATURE], 0 },
	};
	char text[CELLS][16], load[16], torque[TORQUE_SIZE];
	const char *unit = load_or_current(v, load, sizeof(load));

	for (size_t i = 0; i < CELLS; i++)
		number_or_dash(cells[i].value, cells[i].digits, text[i], sizeof(text[i]));
	torque_or_dash(watch, joint, torque);
	screen_line(&watch->screen, ROW, naohw_joint_label(watch->robot, joint), text[0], text[1],
		    text[2], text[3], text[4], load, unit, text[5], text[6], torque);
}

static void print_heading(const struct watch *watch)
{
	if (watch->origin.frame) {
		screen_line(&watch->screen, FRAME_ROW, "Joint", "Angle", "", "Speed", "Load", "  ",
			    "Supply", "Temp.", "Torque", "Alarm");
		screen_line(&watch->screen, FRAME_NUMBERS, "", "rad", "deg", "rad/s", "", "  ", "V",
			    "C");
		return;
	}
	screen_line(&watch->screen, ROW, "Joint", "Angle", "", "Goal", "", "Speed", "Load", "  ",
		    "Supply", "Temp.", "Torque");
	screen_line(&watch->screen, NUMBERS, "", "rad", "deg", "rad", "deg", "rad/s", "", "  ", "V",
		    "C");
}

/* ---- what is in it ---- */

static void take_values(const struct watch *watch, size_t joint, double *v)
{
	for (int i = 0; i <= NAOHW_QUANTITY_ALARM; i++)
		v[i] = NAN;
	for (size_t i = 0; i < watch->samples->count; i++) {
		const struct sample_channel *channel = &watch->samples->channel[i];

		if (channel->joint == joint)
			v[channel->quantity] = ((double)samples_raw(watch->samples, i) +
						channel->offset) * channel->scale;
	}
}

/* Of one moment: of a frame, or of a naohwd's cycle */
static void print_sample(struct watch *watch, size_t joint)
{
	const char *label = naohw_joint_label(watch->robot, joint);
	double v[NAOHW_QUANTITY_ALARM + 1];
	char why[64];

	take_values(watch, joint, v);
	if (isnan(v[NAOHW_QUANTITY_AGE])) {
		failures_add(&watch->failures, label,
			     watch->origin.dcm ? "naohwd does not have it" : "no frame has it");
	} else if (v[NAOHW_QUANTITY_AGE] > 0) {
		snprintf(why, sizeof(why), "timed out: no answer for %s%.0f frames",
			 v[NAOHW_QUANTITY_AGE] >= 255 ? "at least " : "", v[NAOHW_QUANTITY_AGE]);
		failures_add(&watch->failures, label, why);
	} else if (watch->origin.dcm) {
		print_row(watch, joint, v);
	} else {
		print_frame_row(watch, joint, v);
	}
}

/* By asking it, after the one before */
static void print_answer(struct watch *watch, size_t joint)
{
	double v[NAOHW_QUANTITY_CURRENT + 1];
	struct naohw_error err;

	if (read_row(watch->robot, joint, v, &err) < 0)
		failures_take(&watch->failures, err.message);
	else
		print_row(watch, joint, v);
}

/* What has no value is behind the others, all that has the same reason in one line. */
static void print_failures(struct watch *watch)
{
	for (size_t i = 0; i < watch->failures.count; i++)
		screen_line(&watch->screen, "%s: %s", watch->failures.at[i].who,
			    watch->failures.at[i].why);
	failures_forget(&watch->failures);
}

static void print_joints(struct watch *watch)
{
	print_heading(watch);
	for (size_t i = 0; i < naohw_robot_joint_count(watch->robot); i++) {
		if (watch->samples)
			print_sample(watch, i);
		else
			print_answer(watch, i);
	}
}

static void print_key(struct watch *watch, struct naohw_key *key)
{
	struct reading reading;
	char name[NAME_SIZE];

	short_name(naohw_key_name(key), name, sizeof(name));
	reading_take(&reading, key);
	if (reading.error)
		failures_take(&watch->failures, reading.text);
	else
		screen_line(&watch->screen, "%-40s %s", name, reading.text);
}

static void print_table(struct watch *watch)
{
	screen_begin(&watch->screen);
	if (watch->keys.count == 0)
		print_joints(watch);
	for (size_t i = 0; i < watch->keys.count; i++)
		print_key(watch, watch->keys.at[i].key);
	print_failures(watch);
	screen_end(&watch->screen);
}

/* Frames are the clock. Cycles of a naohwd go on where no joint answers and so no time is told. */
static int64_t time_of(const struct watch *watch)
{
	return watch->origin.dcm ? monotonic_ns() : samples_time(watch->samples);
}

/* All samples are read, so that the next one is never an old one. */
static int watch_samples(struct watch *watch)
{
	struct naohw_error err;
	uint64_t number = 0;
	int64_t shown = 0;
	long tables = 0;

	while (!is_interrupted() && !ferror(stdout) && (tables < watch->count || !watch->count)) {
		if (samples_wait(watch->samples, &err) < 0)
			return complain("%s", err.message);
		if (samples_number(watch->samples) < FIRST ||
		    samples_number(watch->samples) == number ||
		    (double)(time_of(watch) - shown) < watch->interval * NS_PER_S)
			continue;
		number = samples_number(watch->samples);
		shown = time_of(watch);
		print_table(watch);
		tables++;
	}
	return STATUS_OK;
}

static int open_samples(struct watch *watch, struct naohw_error *err)
{
	const struct frame_options options = { .newest = true };
	int ret = origin_open(&watch->origin, watch->robot, &options, err);

	if (ret < 0)
		return ret;
	return watch->origin.dcm ?
		       samples_of_dcm(watch->robot, watch->origin.dcm, &watch->samples, err) :
		       samples_of_frame(watch->robot, watch->origin.frame, &watch->samples, err);
}

/* Who else reads the frames, as a recording does, shall not keep us from looking. */
static void try_to_have_samples(struct watch *watch)
{
	struct naohw_error err;

	if (open_samples(watch, &err) < 0)
		complain("%s; each servo is asked by itself", err.message);
}

static int show_tables(struct watch *watch)
{
	if (watch->keys.count == 0)
		try_to_have_samples(watch);
	if (watch->samples)
		return watch_samples(watch);
	for (long i = 1; !is_interrupted() && !ferror(stdout); i++) {
		print_table(watch);
		if (i == watch->count || !output_wait(watch->interval))
			break;
	}
	return STATUS_OK;
}

static int show_lines(const struct watch *watch, const struct line *line)
{
	const struct follow lines = {
		.robot = watch->robot,
		.keys = &watch->keys,
		.format = reading_format(line, true),
		.changes = line->option[OPTION_CHANGES],
		.count = watch->count,
		.interval = watch->interval,
	};

	return follow(&lines);
}

/* Tables without keys are of the joints; lines are of all values then. */
static int run(struct watch *watch, const struct line *line, bool lines)
{
	static char *const all[] = { (char *)"*/Value" };
	const struct match match = { .all = line->option[OPTION_ALL], .uncounted = true };
	bool of_all = lines && line->operand_count == 0;
	int status;

	if (!keys_add_all(&watch->keys, watch->robot, of_all ? all : line->operand,
			  of_all ? 1 : line->operand_count, &match))
		return STATUS_FAILED;
	catch_interrupts();
	status = lines ? show_lines(watch, line) : show_tables(watch);
	output_let_go();
	return status;
}

int cmd_watch(const struct cli *cli)
{
	const struct line *line = &cli->line;
	bool lines = line->option[OPTION_CHANGES] || line->option[OPTION_JSON];
	struct watch watch = {
		.count = line_whole(line, OPTION_COUNT, 0),
		.interval = line_number(line, OPTION_INTERVAL, 0.5),
	};
	int status;

	if (line->option[OPTION_TIME] && !lines)
		return complain_usage("--time is for --changes and --json");
	watch.robot = open_robot(cli);
	if (!watch.robot)
		return STATUS_FAILED;
	status = run(&watch, line, lines);
	keys_free(&watch.keys);
	samples_free(watch.samples);
	origin_close(&watch.origin);
	naohw_robot_close(watch.robot);
	return status;
}
