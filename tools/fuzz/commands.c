// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fuzz target: the input is the text of a command file, with a byte each for words that it may
 * have. In pieces it has the same lines as in one. What is refused has a message that a terminal
 * may show; what is accepted keeps all that is promised, is given to actuators that there are, and
 * is the same when it is written out and read again.
 */
#include "fuzz.h"

#include <math.h>
#include <stdbool.h>
#include <unistd.h>

#include "lines.h"
#include "script.h"

/* What a pipe can have without somebody who reads it */
#define TEXT_MAX (1 << 14)
/* Of a line that is written out: a number is longer than "1" */
#define LINE_MAX (ORDER_LINE_MAX * 16)

static const char *const token[] = {
	"\n",
	"\r\n",
	"set ",
	"mixed ",
	"separate ",
	"alias ",
	"wait ",
	" Merge ",
	" ClearAll ",
	" ClearAfter ",
	" ClearBefore ",
	" / ",
	" : ",
	"HeadYaw ",
	"HeadYaw/Hardness ",
	"Device/SubDeviceList/HeadPitch/Position/Actuator/Value ",
	"DCM/TargetCycleTime ",
	"Head ",
	"All ",
	"*/Actuator ",
	" 1@5",
	" 0.5@+100 -1e3@200 ",
	" 1000000000 ",
	"nan",
	"# ",
	/* 64 of them, and half of a line */
#define EIGHT " 1@1 1@2 1@3 1@4 1@5 1@6 1@7 1@8"
	EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT,
#define X128 "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" \
	     "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
	X128 X128 X128 X128 X128 X128 X128 X128 X128 X128 X128 X128 X128 X128 X128 X128,
};

static size_t read_text(struct input *in, char *text)
{
	size_t used = 0;

	while (in->len) {
		char one[2] = { (char)input_u8(in) };
		size_t length = 1;
		const char *part = one;

		if (*one & 0x80) {
			part = token[(*one & 0x7f) % (sizeof(token) / sizeof(token[0]))];
			length = strlen(part);
		}
		if (used + length > TEXT_MAX)
			break;
		memcpy(text + used, part, length);
		used += length;
	}

	return used;
}

/* ---- lines ---- */

/* So many pieces are enough: each is a system call. */
#define PIECES	 64

/* What comes through a pipe, in pieces of this size. */
struct feed {
	struct lines lines;
	int end;
	const char *text;
	size_t len;
	size_t piece;
};

static void feed_begin(struct feed *feed, const char *text, size_t len, size_t piece, bool stream)
{
	int ends[2];

	CHECK(pipe(ends) == 0);
	lines_begin(&feed->lines, ends[0], stream);
	feed->end = ends[1];
	feed->text = text;
	feed->len = len;
	feed->piece = piece;
}

static void feed_some(struct feed *feed)
{
	size_t size = feed->len < feed->piece ? feed->len : feed->piece;

	if (size) {
		CHECK(write(feed->end, feed->text, size) == (ssize_t)size);
		feed->text += size;
		feed->len -= size;
	} else if (feed->end >= 0) {
		close(feed->end);
		feed->end = -1;
	}
	CHECK(lines_fill(&feed->lines) == 0);
}

static void check_text(const char *text)
{
	for (; *text; text++)
		CHECK(((u8)*text >= ' ' && *text != 0x7f) || *text == '\t');
}

/* The next line, or what is wrong with it; 0: there is none. */
static int feed_line(struct feed *feed, char **line, struct naohw_error *err)
{
	for (;;) {
		int ret = lines_take(&feed->lines, line, err);

		if (ret < 0) {
			CHECK(*err->message);
			*line = err->message;
		}
		if (ret) {
			CHECK(strlen(*line) <= ORDER_LINE_MAX);
			check_text(*line);
			return ret;
		}
		if (lines_are_over(&feed->lines))
			return 0;
		feed_some(feed);
	}
}

static void feed_end(struct feed *feed)
{
	close(feed->lines.fd);
}

/* ---- what they say ---- */

static void check_list(const struct order *order, size_t i)
{
	CHECK(order->count[i] <= NAOHW_COMMANDS_MAX);
	CHECK(order->count[i] || order->update == NAOHW_UPDATE_CLEAR_ALL);
	for (size_t j = 0; j < order->count[i]; j++) {
		const struct naohw_command *command = &order->list[i][j];

		CHECK(isfinite(command->value));
		if (command->time == NAOHW_TIME_NONE)
			CHECK(order->count[i] == 1);
		else
			CHECK(command->time >= 0 && command->time <= ORDER_TIME_MAX);
	}
}

static void check_step(const struct step *step, const struct actors *actors)
{
	const struct order *order = &step->order;
	bool gives = order->kind == ORDER_SET || order->kind == ORDER_EACH;

	CHECK(gives == (order->lists > 0) && gives == (step->cast.count > 0));
	CHECK(order->kind == ORDER_EACH ? order->lists == step->cast.count : order->lists <= 1);
	CHECK(order->kind != ORDER_WAIT || (order->time >= 0 && order->time <= ORDER_TIME_MAX));
	for (size_t i = 0; i < order->lists; i++)
		check_list(order, i);
	for (size_t i = 0; i < step->cast.count; i++) {
		CHECK(actors_actuator(actors, step->cast.actuator[i]) == step->cast.actuator[i]);
		for (size_t j = 0; j < i; j++)
			CHECK(step->cast.actuator[i] != step->cast.actuator[j]);
	}
	if (order->kind == ORDER_ALIAS)
		CHECK(actors_has_alias(actors, order->name));
}

static void write_order(const struct order *order, FILE *file)
{
	static const char *const updates[] = { "Merge", "ClearAll", "ClearAfter", "ClearBefore" };

	fprintf(file, "%s %s %s", order->kind == ORDER_SET ? "set" : "mixed", order->name,
		updates[order->update]);
	for (size_t i = 0; i < order->lists; i++) {
		fprintf(file, i ? " /" : "");
		for (size_t j = 0; j < order->count[i]; j++) {
			fprintf(file, " %.17g", order->list[i][j].value);
			if (order->list[i][j].time != NAOHW_TIME_NONE)
				fprintf(file, "@%lld", (long long)order->list[i][j].time);
		}
	}
}

static void check_same(const struct order *a, const struct order *b)
{
	CHECK(a->kind == b->kind && a->update == b->update && a->lists == b->lists);
	CHECK(strcmp(a->name, b->name) == 0);
	for (size_t i = 0; i < a->lists; i++) {
		CHECK(a->count[i] == b->count[i]);
		for (size_t j = 0; j < a->count[i]; j++) {
			CHECK(a->list[i][j].value == b->list[i][j].value);
			CHECK(a->list[i][j].time == b->list[i][j].time);
		}
	}
}

static void check_written(const struct order *order)
{
	static char text[LINE_MAX];
	struct naohw_error err = { "" };
	struct order again;
	FILE *file;

	if (!order->lists)
		return;
	file = fmemopen(text, sizeof(text), "w");
	CHECK(file);
	write_order(order, file);
	CHECK(fclose(file) == 0);
	CHECK(order_parse(&again, text, 0, &err) == 0);
	check_same(order, &again);
	order_free(&again);
}

static void check_line(const char *line, unsigned long number, int64_t *now, struct actors *actors)
{
	struct naohw_error err = { "" };
	int64_t before = *now;
	struct step step;

	if (step_read(&step, line, number, now, actors, &err) < 0) {
		CHECK(*err.message);
		check_text(err.message);
		CHECK(*now == before);
		return;
	}
	CHECK(*now >= before);
	check_step(&step, actors);
	check_written(&step.order);
	step_free(&step);
}

static void make_actors(struct actors *actors)
{
	static const char *const names[] = {
		"DCM/TargetCycleTime",
		"HeadPitch/Position/Actuator",
		"HeadYaw/Hardness/Actuator",
		"HeadYaw/Position/Actuator",
	};

	*actors = (struct actors){ .actuator = calloc(4, sizeof(*actors->actuator)) };
	CHECK(actors->actuator);
	while (actors->actuators < 4) {
		actors->actuator[actors->actuators] = strdup(names[actors->actuators]);
		CHECK(actors->actuator[actors->actuators]);
		actors->actuators++;
	}
	actors_sort(actors);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static char text[TEXT_MAX];
	struct input in = { data, size };
	u8 setup = input_u8(&in);
	size_t len = read_text(&in, text);
	struct naohw_error err, other_err;
	struct feed whole, pieces;
	char *line, *other;
	struct actors actors;
	int64_t now = 0;
	int ret;

	make_actors(&actors);
	feed_begin(&whole, text, len, TEXT_MAX, setup & 1);
	feed_begin(&pieces, text, len, 1 + (setup >> 1) + len / PIECES, setup & 1);
	do {
		ret = feed_line(&whole, &line, &err);
		CHECK(feed_line(&pieces, &other, &other_err) == ret);
		CHECK(whole.lines.number == pieces.lines.number);
		CHECK(!ret || strcmp(line, other) == 0);
		if (ret > 0)
			check_line(line, whole.lines.number, &now, &actors);
	} while (ret);
	feed_end(&whole);
	feed_end(&pieces);
	actors_free(&actors);

	return 0;
}
