// SPDX-License-Identifier: GPL-2.0-or-later
/* Draws a recording with gnuplot, which is told all through a pipe and draws into our file. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "recording.h"
#include "whole_file.h"

#define PANELS_DEFAULT 6
#define PANELS_MAX     64
#define PANELS_IN_ROW  2
/* More points than that are more than a picture shows. */
#define POINTS_MAX     20000
#define DEGREES	       (180 / M_PI)
#define NS_PER_S       1e9

struct plot {
	struct recording *recording;
	const struct recording_head *head;
	enum naohw_quantity quantity;
	const char *picture;
	const char *terminal; /* gnuplot's name for it */
	char **labels;
	size_t label_count;
	size_t panel[PANELS_MAX]; /* columns */
	size_t count;
	uint64_t rows;
	int64_t length; /* ns */
	double *values;
	double *low, *high; /* of each column */
};

/* ---- what to draw ---- */

static int choose_named(struct plot *plot)
{
	if (plot->label_count > PANELS_MAX)
		return complain("%zu joints, expected %d at most", plot->label_count, PANELS_MAX);
	for (size_t i = 0; i < plot->label_count; i++) {
		int column = recording_find(plot->head, plot->labels[i], plot->quantity);

		if (column < 0)
			return complain("%s: has no %s.%s", plot->recording->path, plot->labels[i],
					recording_name(plot->quantity));
		if (plot->low[column] > plot->high[column])
			return complain("%s: no value of %s.%s is known", plot->recording->path,
					plot->labels[i], recording_name(plot->quantity));
		plot->panel[plot->count++] = (size_t)column;
	}
	return STATUS_OK;
}

static double range_of(const struct plot *plot, size_t column)
{
	return plot->high[column] - plot->low[column];
}

static bool is_chosen(const struct plot *plot, size_t column)
{
	for (size_t i = 0; i < plot->count; i++)
		if (plot->panel[i] == column)
			return true;
	return false;
}

static int most_moved(const struct plot *plot)
{
	int most = -1;

	for (size_t i = 0; i < plot->head->count; i++) {
		if (plot->head->column[i].quantity != plot->quantity || is_chosen(plot, i) ||
		    plot->low[i] > plot->high[i])
			continue;
		if (most < 0 || range_of(plot, i) > range_of(plot, (size_t)most))
			most = (int)i;
	}
	return most;
}

static int compare_columns(const void *a, const void *b)
{
	const size_t *left = a, *right = b;

	return *left < *right ? -1 : *left > *right;
}

/* Those that moved most, in the order of the file. */
static int choose_most_moved(struct plot *plot)
{
	int column;

	while (plot->count < PANELS_DEFAULT && (column = most_moved(plot)) >= 0)
		plot->panel[plot->count++] = (size_t)column;
	if (plot->count == 0)
		return complain("%s: no joint has a value \"%s\" in it", plot->recording->path,
				recording_name(plot->quantity));
	qsort(plot->panel, plot->count, sizeof(plot->panel[0]), compare_columns);
	return STATUS_OK;
}

static int survey(struct plot *plot)
{
	struct naohw_error err;
	int64_t time;
	int ret;

	for (size_t i = 0; i < plot->head->count; i++) {
		plot->low[i] = HUGE_VAL;
		plot->high[i] = -HUGE_VAL;
	}
	while ((ret = recording_next(plot->recording, &time, plot->values, &err)) > 0) {
		plot->rows++;
		plot->length = time;
		for (size_t i = 0; i < plot->head->count; i++) {
			plot->low[i] = fmin(plot->low[i], plot->values[i]);
			plot->high[i] = fmax(plot->high[i], plot->values[i]);
		}
	}
	if (ret < 0)
		return complain("%s", err.message);
	recording_rewind(plot->recording);
	return STATUS_OK;
}

/* ---- what gnuplot is told ---- */

/* In single quotes nothing has a meaning but these themselves. */
static void put_quoted(FILE *to, const char *text)
{
	fputc('\'', to);
	for (; *text; text++)
		fprintf(to, *text == '\'' ? "''" : "%c", *text);
	fputc('\'', to);
}

static bool is_angle(const struct plot *plot)
{
	return plot->quantity == NAOHW_QUANTITY_POSITION || plot->quantity == NAOHW_QUANTITY_GOAL;
}

/* The goal beside a position; -1: there is none. */
static int goal_of(const struct plot *plot, size_t column)
{
	if (plot->quantity != NAOHW_QUANTITY_POSITION)
		return -1;
	return recording_find(plot->head, plot->head->column[column].label, NAOHW_QUANTITY_GOAL);
}

static void put_value(FILE *to, double value, double factor)
{
	if (isnan(value))
		fputs(" NaN", to);
	else
		fprintf(to, " %.7g", value * factor);
}

/* Two columns for each panel: the value, and the goal beside it. */
static int put_data(struct plot *plot, FILE *to)
{
	uint64_t stride = plot->rows / POINTS_MAX + 1;
	double factor = is_angle(plot) ? DEGREES : 1;
	struct naohw_error err;
	int64_t time;
	int ret;

	fprintf(to, "$data << EOD\n");
	for (uint64_t row = 0;
	     (ret = recording_next(plot->recording, &time, plot->values, &err)) > 0; row++) {
		if (row % stride)
			continue;
		fprintf(to, "%.6f", (double)time / NS_PER_S);
		for (size_t i = 0; i < plot->count; i++) {
			int goal = goal_of(plot, plot->panel[i]);

			put_value(to, plot->values[plot->panel[i]], factor);
			put_value(to, goal < 0 ? NAN : plot->values[goal], factor);
		}
		fputc('\n', to);
	}
	fprintf(to, "EOD\n");
	return ret < 0 ? complain("%s", err.message) : STATUS_OK;
}

/* What does not move at all has no range of its own, of which gnuplot would warn. */
static void put_range(const struct plot *plot, FILE *to, size_t column)
{
	double factor = is_angle(plot) ? DEGREES : 1;
	double low = plot->low[column], high = plot->high[column];
	int goal = goal_of(plot, column);

	if (goal >= 0) {
		low = fmin(low, plot->low[goal]);
		high = fmax(high, plot->high[goal]);
	}
	if (high > low)
		fprintf(to, "\nset yrange [*:*]");
	else
		fprintf(to, "\nset yrange [%.7g:%.7g]", low * factor - 1, low * factor + 1);
}

static void put_panel(const struct plot *plot, FILE *to, size_t index)
{
	size_t column = plot->panel[index], data = 2 + 2 * index;

	fprintf(to, "set title ");
	put_quoted(to, plot->head->column[column].label);
	put_range(plot, to, column);
	fprintf(to, "\nplot ");
	if (goal_of(plot, column) >= 0)
		fprintf(to,
			"$data using 1:%zu with steps lc rgb '#d95f02' lw 2 title 'goal', ",
			data + 1);
	fprintf(to, "$data using 1:%zu with lines lc rgb '#1b6ca8' lw 2 title '%s'\n", data,
		recording_name(plot->quantity));
}

static int put_commands(struct plot *plot, FILE *to)
{
	size_t columns = plot->count < PANELS_IN_ROW ? plot->count : PANELS_IN_ROW;
	size_t rows = (plot->count + columns - 1) / columns;
	bool points = strcmp(plot->terminal, "pdfcairo") != 0;
	int status = put_data(plot, to);

	if (status != STATUS_OK)
		return status;
	if (points)
		fprintf(to, "set terminal %s size 1000,%zu", plot->terminal, rows * 230 + 60);
	else
		fprintf(to, "set terminal %s size 10,%.2f", plot->terminal,
			(double)rows * 2.3 + 0.6);
	fprintf(to, " noenhanced font 'sans-serif,12' background 'white'\n"
		    "set grid lc rgb '#dddddd'\n"
		    "set xtics nomirror\n"
		    "set ytics nomirror\n"
		    "set border 3\n"
		    "set offsets graph 0, 0, 0.05, 0.05\n"
		    "set key outside center top horizontal\n"
		    "set xlabel 'seconds'\n"
		    "set xrange [0:%.6f]\n"
		    "set ylabel '%s'\n"
		    "set multiplot layout %zu,%zu title ",
		fmax((double)plot->length / NS_PER_S, 0.001),
		is_angle(plot) ? "degrees" : recording_unit(plot->quantity), rows, columns);
	put_quoted(to, plot->recording->path);
	fputc('\n', to);
	for (size_t i = 0; i < plot->count; i++)
		put_panel(plot, to, i);
	fprintf(to, "unset multiplot\n");
	return STATUS_OK;
}

/* ---- gnuplot itself ---- */

static int spawn(FILE *picture, pid_t *pid, FILE **to)
{
	char *const argv[] = { (char[]){ "gnuplot" }, NULL };
	posix_spawn_file_actions_t actions;
	int ends[2], ret;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return complain("gnuplot: %s", strerror(errno));
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, fileno(picture), STDOUT_FILENO);
	ret = posix_spawnp(pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[0]);
	*to = ret == 0 ? fdopen(ends[1], "w") : NULL;
	if (*to)
		return STATUS_OK;
	close(ends[1]);
	if (ret == ENOENT)
		return complain("gnuplot draws the pictures, and is not installed (in Debian: "
				"gnuplot-nox)");
	return complain("gnuplot: %s", strerror(ret ? ret : errno));
}

static int wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return complain("gnuplot: %s", strerror(errno));
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return STATUS_OK;
	return complain("gnuplot failed; what it said is above");
}

static int draw_into(struct plot *plot, FILE *picture)
{
	int status, ended;
	pid_t pid;
	FILE *to;

	status = spawn(picture, &pid, &to);
	if (status != STATUS_OK)
		return status;
	status = put_commands(plot, to);
	fclose(to);
	ended = wait_for(pid);
	return status == STATUS_OK ? ended : status;
}

static int draw(struct plot *plot)
{
	struct whole_file whole;
	int status;

	if (whole_file_open(&whole, plot->picture, plot->recording->path) < 0)
		return STATUS_FAILED;
	status = draw_into(plot, whole.file);
	if (status != STATUS_OK) {
		whole_file_discard(&whole);
		return status;
	}
	return whole_file_close(&whole) < 0 ? STATUS_FAILED : STATUS_OK;
}

static int survey_and_draw(struct plot *plot)
{
	size_t count = plot->head->count;
	int status;

	plot->values = calloc(3 * count, sizeof(*plot->values));
	if (!plot->values)
		return complain("out of memory");
	plot->low = plot->values + count;
	plot->high = plot->low + count;
	status = survey(plot);
	if (status == STATUS_OK)
		status = plot->label_count ? choose_named(plot) : choose_most_moved(plot);
	if (status == STATUS_OK)
		status = draw(plot);
	free(plot->values);
	return status;
}

static int run(struct plot *plot, const char *path)
{
	struct naohw_error err;
	int status;

	if (recording_open(path, &plot->recording, &err) < 0)
		return complain("%s", err.message);
	plot->head = recording_head(plot->recording);
	status = survey_and_draw(plot);
	recording_close(plot->recording);
	if (status == STATUS_OK)
		printf("%s\n", plot->picture);
	return status;
}

/* By what the picture's name ends in. */
static bool take_terminal(struct plot *plot)
{
	static const char *const terminals[][2] = {
		{ ".svg", "svg" },
		{ ".png", "pngcairo" },
		{ ".pdf", "pdfcairo" },
	};
	const char *end = strrchr(plot->picture, '.');

	for (size_t i = 0; end && i < sizeof(terminals) / sizeof(terminals[0]); i++)
		if (strcmp(end, terminals[i][0]) == 0)
			plot->terminal = terminals[i][1];
	return plot->terminal;
}

/* "walk.csv" becomes "walk.svg". */
static char *picture_name(const char *path)
{
	const char *name = strrchr(path, '/');
	const char *dot = strrchr(name ? name : path, '.');
	char *picture;

	if (asprintf(&picture, "%.*s.svg", (int)(dot ? (size_t)(dot - path) : strlen(path)),
		     path) < 0)
		return NULL;
	return picture;
}

static int name_and_run(struct plot *plot, const char *path)
{
	char *own = picture_name(path);
	int status;

	if (!own)
		return complain("out of memory");
	if (!plot->picture)
		plot->picture = own;
	if (take_terminal(plot))
		status = run(plot, path);
	else
		status = complain_usage("--output %s: expected .svg, .png or .pdf at its end",
					plot->picture);
	free(own);
	return status;
}

/* What to draw; -1: complained. */
static int value_of(const char *name)
{
	int quantity = name ? recording_quantity(name) : NAOHW_QUANTITY_POSITION;

	if (quantity < 0)
		complain_usage("--value %s: expected present, goal, speed, load, current, "
			       "voltage, temperature, age or alarm",
			       name);
	return quantity;
}

int cmd_plot(const struct cli *cli)
{
	const struct line *line = &cli->line;
	struct plot plot = { .picture = line->option[OPTION_OUTPUT] };
	int quantity = value_of(line->option[OPTION_VALUE]);

	if (quantity < 0)
		return STATUS_USAGE;
	if (line->operand_count == 0)
		return complain_usage("expected FILE, and maybe JOINT...");
	plot.quantity = (enum naohw_quantity)quantity;
	plot.labels = line->operand + 1;
	plot.label_count = line->operand_count - 1;
	return name_and_run(&plot, line->operand[0]);
}
