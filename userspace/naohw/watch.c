// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "follow.h"
#include "frames.h"
#include "interrupt.h"
#include "keys.h"
#include "output.h"
#include "screen.h"

#define DEGREES	  (180 / M_PI)
#define NAME_SIZE 256
#define NS_PER_S  1e9
/* What changes slowly is read at the beginning, but perhaps not in time for the first frame. */
#define FIRST 2
/* In a row of what a servo was asked for, beside its load */
#define CELLS 7

struct watch {
	struct naohw_robot *robot;
	struct naohw_frame *frame; /* NULL: each servo is asked */
	struct keys keys;
	long count; /* 0: no end */
	double interval;
	struct screen screen;
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

/* The row has the label already. */
static const char *without_label(const char *message, const char *label)
{
	size_t length = strlen(label);

	if (strncmp(message, label, length) == 0 && strncmp(message + length, ": ", 2) == 0)
		return message + length + 2;
	return message;
}

/* ---- a joint's row ---- */

static void number_or_dash(double value, int digits, char *text, size_t size)
{
	if (isnan(value))
		snprintf(text, size, "-");
	else
		snprintf(text, size, "%.*f", digits, value);
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

/* ---- from frames: all joints at one moment ---- */

static void print_row(const struct watch *watch, const char *label, const double *v)
{
	unsigned int alarm_bits = (unsigned int)v[NAOHW_QUANTITY_ALARM];
	char load[16], voltage[16], temperature[16], alarm[16] = "";
	const char *unit = load_or_current(v, load, sizeof(load));

	number_or_dash(v[NAOHW_QUANTITY_VOLTAGE], 1, voltage, sizeof(voltage));
	number_or_dash(v[NAOHW_QUANTITY_TEMPERATURE], 0, temperature, sizeof(temperature));
	if (alarm_bits)
		snprintf(alarm, sizeof(alarm), "0x%02x", alarm_bits);
	screen_line(&watch->screen, "%-16s %8.3f %8.1f %8.2f %7s %s %6s %6s  %s", label,
		    v[NAOHW_QUANTITY_POSITION], v[NAOHW_QUANTITY_POSITION] * DEGREES,
		    v[NAOHW_QUANTITY_SPEED], load, unit, voltage, temperature, alarm);
}

static void print_state(const struct watch *watch, size_t joint)
{
	const char *label = naohw_joint_label(watch->robot, joint);
	double v[NAOHW_QUANTITY_ALARM + 1];

	if (!naohw_frame_has(watch->frame, joint, NAOHW_QUANTITY_AGE)) {
		screen_line(&watch->screen, "%-16s no frame has it", label);
		return;
	}
	for (int i = NAOHW_QUANTITY_POSITION; i <= NAOHW_QUANTITY_ALARM; i++)
		naohw_frame_get(watch->frame, joint, (enum naohw_quantity)i, &v[i]);
	if (v[NAOHW_QUANTITY_AGE] > 0)
		screen_line(&watch->screen, "%-16s timed out: no answer for %s%.0f frames", label,
			    v[NAOHW_QUANTITY_AGE] >= 255 ? "at least " : "", v[NAOHW_QUANTITY_AGE]);
	else
		print_row(watch, label, v);
}

static void print_frame(const struct watch *watch)
{
	screen_line(&watch->screen, "%-16s %8s %8s %8s %7s %s %6s %6s  %s", "Joint", "Position", "",
		    "Speed", "Load", "  ", "Supply", "Temp.", "Alarm");
	screen_line(&watch->screen, "%-16s %8s %8s %8s %7s %s %6s %6s", "", "rad", "deg", "rad/s",
		    "", "  ", "V", "C");
	for (size_t i = 0; i < naohw_robot_joint_count(watch->robot); i++)
		print_state(watch, i);
}

/* ---- from each servo, one after another ---- */

static void print_values(const struct watch *watch, const char *label, const double *v)
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
	char text[CELLS][16], load[16];
	const char *unit = load_or_current(v, load, sizeof(load));

	for (size_t i = 0; i < CELLS; i++)
		number_or_dash(cells[i].value, cells[i].digits, text[i], sizeof(text[i]));
	screen_line(&watch->screen, "%-16s %8s %8s %8s %8s %8s %7s %s %6s %6s", label, text[0],
		    text[1], text[2], text[3], text[4], load, unit, text[5], text[6]);
}

static void print_joint(const struct watch *watch, size_t joint)
{
	const char *label = naohw_joint_label(watch->robot, joint);
	double v[NAOHW_QUANTITY_CURRENT + 1];
	struct naohw_error err;

	if (read_row(watch->robot, joint, v, &err) < 0) {
		screen_line(&watch->screen, "%-16s %s", label, without_label(err.message, label));
		return;
	}
	print_values(watch, label, v);
}

static void print_joints(const struct watch *watch)
{
	screen_line(&watch->screen, "%-16s %8s %8s %8s %8s %8s %7s %s %6s %6s", "Joint", "Position",
		    "", "Goal", "", "Speed", "Load", "  ", "Supply", "Temp.");
	screen_line(&watch->screen, "%-16s %8s %8s %8s %8s %8s %7s %s %6s %6s", "", "rad", "deg",
		    "rad", "deg", "rad/s", "", "  ", "V", "C");
	for (size_t i = 0; i < naohw_robot_joint_count(watch->robot); i++)
		print_joint(watch, i);
}

static void print_key(const struct watch *watch, struct naohw_key *key)
{
	struct reading reading;
	char name[NAME_SIZE];

	short_name(naohw_key_name(key), name, sizeof(name));
	reading_take(&reading, key);
	screen_line(&watch->screen, "%-40s %s", name, reading.text);
}

static void print_table(struct watch *watch)
{
	screen_begin(&watch->screen);
	if (watch->frame)
		print_frame(watch);
	else if (watch->keys.count == 0)
		print_joints(watch);
	for (size_t i = 0; i < watch->keys.count; i++)
		print_key(watch, watch->keys.at[i].key);
	screen_end(&watch->screen);
}

/* Frames are the clock; all of them are read, so that the next one is never an old one. */
static int watch_frames(struct watch *watch)
{
	struct naohw_error err;
	int64_t shown = 0;
	long tables = 0;

	while (!is_interrupted() && !ferror(stdout) && (tables < watch->count || !watch->count)) {
		if (naohw_frame_read(watch->frame, &err) < 0)
			return complain("%s", err.message);
		if (naohw_frame_count(watch->frame) < FIRST ||
		    (double)(naohw_frame_time(watch->frame) - shown) < watch->interval * NS_PER_S)
			continue;
		shown = naohw_frame_time(watch->frame);
		print_table(watch);
		tables++;
	}
	return STATUS_OK;
}

/* Who else reads the frames, as a recording does, shall not keep us from looking. */
static void try_to_have_frames(struct watch *watch)
{
	const struct frame_options options = { .newest = true };
	struct naohw_error err;

	if (try_frames(watch->robot, &options, &watch->frame, &err) == 0)
		return;
	watch->frame = NULL;
	complain("%s; each servo is asked by itself", err.message);
}

static int show_tables(struct watch *watch)
{
	if (watch->keys.count == 0)
		try_to_have_frames(watch);
	if (watch->frame)
		return watch_frames(watch);
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
	close_quietly(watch.frame);
	naohw_robot_close(watch.robot);
	return status;
}
