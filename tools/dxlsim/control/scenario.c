// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "scenario.h"

#define SECONDS_MAX	1000000
#define BLANKS		" \t\r\n"

struct step {
	nsec_t at;		/* from the start */
	unsigned int line;
	char *command;
};

struct scenario {
	char *file;
	struct step *steps;
	size_t count;
	size_t next;
	size_t failed;
	nsec_t start;
};

/* The file while it is read, and where. */
struct reader {
	struct scenario *scenario;
	unsigned int line;
	FILE *err;
};

static void scenario_free(struct scenario *scenario)
{
	size_t i;

	for (i = 0; i < scenario->count; i++)
		free(scenario->steps[i].command);
	free(scenario->steps);
	free(scenario->file);
	free(scenario);
}

/* --- the file --- */

/* Say where it is wrong; the reason is to follow. */
static FILE *complain(const struct reader *reader)
{
	fprintf(reader->err, "%s:%u: ", reader->scenario->file, reader->line);

	return reader->err;
}

static const struct step *last_step(const struct scenario *scenario)
{
	return scenario->count ? &scenario->steps[scenario->count - 1] : NULL;
}

static double seconds(nsec_t time)
{
	return (double)time / NSEC_PER_SEC;
}

static bool parse_seconds(const struct reader *reader, const char *text,
			  nsec_t *time)
{
	char *end;
	double value = strtod(text, &end);

	if (!*text || *end || !(value >= 0 && value <= SECONDS_MAX)) {
		fprintf(complain(reader),
			"time is \"%s\", expected seconds from 0 to %d\n", text,
			SECONDS_MAX);
		return false;
	}
	*time = llround(value * NSEC_PER_SEC);

	return true;
}

static bool parse_time(const struct reader *reader, const char *word,
		       const char *text, nsec_t *at)
{
	const struct step *last = last_step(reader->scenario);
	bool after = !strcmp(word, "after");

	if (!after && strcmp(word, "at")) {
		fprintf(complain(reader),
			"\"%s\" is unknown, expected at or after\n", word);
		return false;
	}
	if (!parse_seconds(reader, text, at))
		return false;
	if (!last)
		return true;
	if (after)
		*at += last->at;
	if (*at >= last->at)
		return true;
	fprintf(complain(reader),
		"time is \"%s\", expected %.10g or more, the time of line %u\n",
		text, seconds(last->at), last->line);

	return false;
}

/* Whether it can be a command here, as far as that shows before its time. */
static bool check_command(const struct reader *reader, const char *command)
{
	char *answer = NULL;
	size_t len;
	FILE *out = open_memstream(&answer, &len);
	bool good;

	if (!out) {
		fprintf(complain(reader), "%s\n", strerror(errno));
		return false;
	}
	good = control_check(command, out);
	fclose(out);
	if (!good)
		fputs(answer + strlen(CONTROL_ERROR), complain(reader));
	free(answer);

	return good;
}

static bool add_step(const struct reader *reader, nsec_t at, const char *command)
{
	struct scenario *scenario = reader->scenario;
	size_t size = (scenario->count + 1) * sizeof(*scenario->steps);
	struct step *steps = realloc(scenario->steps, size);
	char *copy = strdup(command);

	if (steps)
		scenario->steps = steps;
	if (!steps || !copy) {
		free(copy);
		fprintf(complain(reader), "%s\n", strerror(ENOMEM));
		return false;
	}
	steps[scenario->count++] = (struct step){ at, reader->line, copy };

	return true;
}

/* Cut off a comment, which begins a line or a word, and blanks at both ends. */
static char *trim(char *line)
{
	char *at, *end = line;

	for (at = line; *at; at++) {
		if (*at == '#' && (at == line || strchr(BLANKS, at[-1])))
			break;
		if (!strchr(BLANKS, *at))
			end = at + 1;
	}
	*end = '\0';

	return line + strspn(line, BLANKS);
}

/* Cut off the first word; what is behind it. */
static char *behind_word(char *text)
{
	char *end = text + strcspn(text, BLANKS);

	if (*end)
		*end++ = '\0';

	return end + strspn(end, BLANKS);
}

static bool take_line(const struct reader *reader, char *line)
{
	char *word = trim(line), *time, *command;
	nsec_t at;

	if (!*word)
		return true;
	time = behind_word(word);
	command = behind_word(time);

	return parse_time(reader, word, time, &at) &&
	       check_command(reader, command) &&
	       add_step(reader, at, command);
}

static bool take_lines(struct reader *reader, FILE *in)
{
	char *line = NULL;
	size_t size = 0;
	bool good = true;
	ssize_t len;

	while (good && (len = getline(&line, &size, in)) >= 0) {
		reader->line++;
		good = strlen(line) == (size_t)len && control_is_text(line);
		if (good)
			good = take_line(reader, line);
		else
			fprintf(complain(reader), "line is not text\n");
	}
	free(line);

	return good;
}

static bool read_file(struct scenario *scenario, FILE *err)
{
	struct reader reader = { .scenario = scenario, .err = err };
	FILE *in = fopen(scenario->file, "re");
	bool good = in && take_lines(&reader, in);

	if (!in || (good && !feof(in))) {
		fprintf(err, "%s: %s\n", scenario->file, strerror(errno));
		good = false;
	}
	if (in)
		fclose(in);

	return good;
}

/* The whole file, or NULL after giving the first reason against it in a line. */
struct scenario *scenario_load(const char *file, FILE *err)
{
	struct scenario *scenario = calloc(1, sizeof(*scenario));

	if (!scenario || !(scenario->file = strdup(file))) {
		fprintf(err, "%s: %s\n", file, strerror(ENOMEM));
		free(scenario);
		return NULL;
	}
	if (!read_file(scenario, err)) {
		scenario_free(scenario);
		return NULL;
	}

	return scenario;
}

/* --- as time goes by --- */

/* From now on, in place of one that may be under way. */
void scenario_start(struct control *control, struct scenario *scenario,
		    nsec_t now)
{
	scenario_stop(control);
	scenario->start = now;
	control->scenario = scenario;
}

void scenario_stop(struct control *control)
{
	if (control->scenario)
		scenario_free(control->scenario);
	control->scenario = NULL;
}

/* When the next command is to be carried out, or NSEC_NEVER. */
nsec_t scenario_due(const struct control *control)
{
	const struct scenario *scenario = control->scenario;

	if (!scenario || scenario->next == scenario->count)
		return NSEC_NEVER;

	return scenario->start + scenario->steps[scenario->next].at;
}

/* One that fails is told of and counted, and the rest goes on. */
static void carry_out(struct control *control, const struct step *step,
		      nsec_t now)
{
	const size_t mark = strlen(CONTROL_ERROR);
	char *answer = NULL;
	size_t len;
	FILE *out = open_memstream(&answer, &len);

	if (!out) {
		control->scenario->failed++;
		return;
	}
	control_line(control, step->command, now, out);
	fclose(out);
	if (!strncmp(answer, CONTROL_ERROR, mark)) {
		control->scenario->failed++;
		fprintf(stderr, "%s:%u: %s", control->scenario->file,
			step->line, answer + mark);
	}
	free(answer);
}

/* Carry out what is due by @now, each command at its own time. */
void scenario_play(struct control *control, nsec_t now)
{
	nsec_t due;

	while ((due = scenario_due(control)) <= now)
		carry_out(control,
			  &control->scenario->steps[control->scenario->next++],
			  due);
}

void scenario_report(const struct control *control, FILE *out)
{
	static const struct scenario none;
	const struct scenario *scenario = control->scenario ?
					  control->scenario : &none;

	fprintf(out, "steps %zu\ndone %zu\nfailed %zu\n", scenario->count,
		scenario->next, scenario->failed);
}
