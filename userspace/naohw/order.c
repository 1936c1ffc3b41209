// SPDX-License-Identifier: GPL-2.0-or-later
#include "order.h"

#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "numbers.h"
#include "wrong.h"

/* So much of what was found is shown. */
#define SHOWN 40
#define BLANKS " \t"
#define COMMENT "#"
#define ALIAS_NAME_MAX 63

#define ALIAS_CHARACTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./"

struct scan {
	struct order *order;
	size_t words;
	size_t at; /* the next one */
	size_t used; /* of order->commands */
	int64_t now;
	bool is_to_be_cleared; /* the line says ClearAll, and so its lists may be empty */
	struct naohw_error *err;
};

/* ---- words ---- */

/* The next word, or NULL: there is none. */
static const char *peek(const struct scan *scan)
{
	return scan->at < scan->words ? scan->order->word[scan->at] : NULL;
}

static bool is_next(const struct scan *scan, const char *word)
{
	const char *next = peek(scan);

	return next && strcmp(next, word) == 0;
}

static int unexpected(const struct scan *scan, const char *expected)
{
	const char *next = peek(scan);

	if (!next)
		return wrong(scan->err, -EINVAL, "found the end of the line, expected %s",
			     expected);
	return wrong(scan->err, -EINVAL, "found \"%.*s\", expected %s", SHOWN, next, expected);
}

static void split(struct scan *scan)
{
	char *rest = scan->order->text;
	char *word;

	rest[strcspn(rest, COMMENT)] = '\0';
	while ((word = strtok_r(rest, BLANKS, &rest)))
		scan->order->word[scan->words++] = word;
}

/* ---- a command ---- */

/* Digits alone: strtol() would take a sign and blanks, too. */
static bool parse_time(const struct scan *scan, const char *text, int64_t *time)
{
	int64_t from = *text == '+' ? scan->now : 0;
	long ms;

	text += *text == '+';
	if (!isdigit((unsigned char)*text) ||
	    !parse_long(text, 0, ORDER_TIME_MAX - (long)from, &ms))
		return false;
	*time = from + ms;
	return true;
}

static int wrong_time(const struct scan *scan, const char *found)
{
	return wrong(scan->err, -EINVAL,
		     "found \"%.*s\", expected a time in ms, 0 to %d, or +TIME from here on", SHOWN,
		     found, ORDER_TIME_MAX);
}

static int take_time(struct scan *scan, int64_t *time)
{
	if (!peek(scan))
		return unexpected(scan, "TIME, in ms");
	if (!parse_time(scan, peek(scan), time))
		return wrong_time(scan, peek(scan));
	scan->at++;
	return 0;
}

static int take_value(struct scan *scan, double *value)
{
	if (!peek(scan) || !parse_double(peek(scan), -DBL_MAX, DBL_MAX, value))
		return unexpected(scan, "a number");
	scan->at++;
	return 0;
}

/* VALUE@TIME, or VALUE: without a time. */
static int take_command(struct scan *scan, struct naohw_command *command)
{
	char *at = strchr(scan->order->word[scan->at], '@');

	command->time = NAOHW_TIME_NONE;
	if (at && !parse_time(scan, at + 1, &command->time))
		return wrong_time(scan, at + 1);
	if (at)
		*at = '\0';
	return take_value(scan, &command->value);
}

/* ---- lists of them ---- */

static int check_list(const struct scan *scan, const struct naohw_command *list, size_t count)
{
	if (!count && !scan->is_to_be_cleared)
		return unexpected(scan, "VALUE@TIME; only ClearAll may have none");
	if (count > NAOHW_COMMANDS_MAX)
		return wrong(scan->err, -EINVAL,
			     "found %zu commands for an actuator, expected %d at the most", count,
			     NAOHW_COMMANDS_MAX);
	for (size_t i = 0; i < count && count > 1; i++)
		if (list[i].time == NAOHW_TIME_NONE)
			return wrong(scan->err, -EINVAL,
				     "found %g without a time, expected it alone, or as %g@TIME",
				     list[i].value, list[i].value);
	return 0;
}

static int end_list(struct scan *scan, size_t count)
{
	struct order *order = scan->order;
	const struct naohw_command *list = order->commands + scan->used;
	int ret = check_list(scan, list, count);

	order->list[order->lists] = list;
	order->count[order->lists] = count;
	order->lists++;
	scan->used += count;
	return ret;
}

static int take_list(struct scan *scan)
{
	struct naohw_command *list = scan->order->commands + scan->used;
	size_t count = 0;
	int ret = 0;

	while (ret == 0 && peek(scan) && !is_next(scan, "/"))
		ret = take_command(scan, &list[count++]);
	return ret < 0 ? ret : end_list(scan, count);
}

/* Those for the same times as the first one's, which are there already. */
static int take_values(struct scan *scan, size_t times)
{
	struct naohw_command *list = scan->order->commands + scan->used;
	int ret = 0;

	for (size_t i = 0; i < times && ret == 0; i++) {
		list[i].time = scan->order->commands[i].time;
		ret = take_value(scan, &list[i].value);
	}
	return ret < 0 ? ret : end_list(scan, times);
}

/* After a list: is there another one? */
static bool pass_slash(struct scan *scan)
{
	bool is_there = is_next(scan, "/");

	scan->at += is_there;
	return is_there;
}

static int expect_end(const struct scan *scan, const char *otherwise)
{
	return peek(scan) ? unexpected(scan, otherwise) : 0;
}

/* ---- lines ---- */

static int take_name(struct scan *scan, const char *expected)
{
	if (!peek(scan))
		return unexpected(scan, expected);
	scan->order->name = peek(scan);
	scan->at++;
	return 0;
}

static void take_update(struct scan *scan)
{
	static const char *const names[] = {
		[NAOHW_UPDATE_MERGE] = "Merge",
		[NAOHW_UPDATE_CLEAR_ALL] = "ClearAll",
		[NAOHW_UPDATE_CLEAR_AFTER] = "ClearAfter",
		[NAOHW_UPDATE_CLEAR_BEFORE] = "ClearBefore",
	};

	scan->order->update = NAOHW_UPDATE_CLEAR_ALL;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!is_next(scan, names[i]))
			continue;
		scan->order->update = (enum naohw_update)i;
		scan->is_to_be_cleared = i == NAOHW_UPDATE_CLEAR_ALL;
		scan->at++;
		return;
	}
}

/* What follows may be misspelt. */
static int check_word(const struct scan *scan)
{
	const char *next = peek(scan);

	if (!next || !isalpha((unsigned char)*next))
		return 0;
	return unexpected(scan, "VALUE@TIME, Merge, ClearAll, ClearAfter or ClearBefore");
}

static int take_whom(struct scan *scan)
{
	int ret = take_name(scan, "the name of an actuator or an alias");

	if (ret < 0)
		return ret;
	take_update(scan);
	return check_word(scan);
}

static int take_set(struct scan *scan)
{
	int ret = take_whom(scan);

	scan->order->kind = ORDER_SET;
	if (ret == 0)
		ret = take_list(scan);
	return ret < 0 ? ret : expect_end(scan, "VALUE@TIME; \"/\" is for mixed and separate");
}

static int take_mixed(struct scan *scan)
{
	int ret = take_whom(scan);

	scan->order->kind = ORDER_EACH;
	if (ret < 0)
		return ret;
	do
		ret = take_list(scan);
	while (ret == 0 && pass_slash(scan));
	return ret;
}

static int take_times(struct scan *scan, size_t *count)
{
	int ret;

	*count = 0;
	do
		ret = take_time(scan, &scan->order->commands[(*count)++].time);
	while (ret == 0 && peek(scan) && !is_next(scan, ":"));
	if (ret == 0 && !peek(scan))
		ret = unexpected(scan, "\":\" and values for these times");
	scan->at++;
	return ret;
}

static int take_separate(struct scan *scan)
{
	size_t times = 0;
	int ret = take_whom(scan);

	scan->order->kind = ORDER_EACH;
	if (ret == 0)
		ret = take_times(scan, &times);
	if (ret < 0)
		return ret;
	do
		ret = take_values(scan, times);
	while (ret == 0 && pass_slash(scan));
	return ret < 0 ? ret : expect_end(scan, "\"/\" or the end: there is a value for each time");
}

int order_check_alias(const char *name, struct naohw_error *err)
{
	size_t length = strspn(name, ALIAS_CHARACTERS);

	if (length && length <= ALIAS_NAME_MAX && !name[length])
		return 0;
	return wrong(err, -EINVAL,
		     "found \"%.*s\", expected the name of an alias, 1 to %d letters, digits, '_', "
		     "'-', '.' and '/'",
		     ALIAS_NAME_MAX + 1, name, ALIAS_NAME_MAX);
}

static int take_alias(struct scan *scan)
{
	int ret = take_name(scan, "the name of an alias");

	scan->order->kind = ORDER_ALIAS;
	if (ret == 0)
		ret = order_check_alias(scan->order->name, scan->err);
	if (ret < 0)
		return ret;
	if (!peek(scan))
		return unexpected(scan, "the names of its actuators");
	scan->order->members = (const char **)scan->order->word + scan->at;
	scan->order->member_count = scan->words - scan->at;
	return 0;
}

static int take_wait(struct scan *scan)
{
	scan->order->kind = ORDER_WAIT;
	if (take_time(scan, &scan->order->time) < 0)
		return -EINVAL;
	return expect_end(scan, "nothing more");
}

static int take_line(struct scan *scan)
{
	static const struct {
		const char *name;
		int (*take)(struct scan *scan);
	} kinds[] = {
		{ "set", take_set },	 { "mixed", take_mixed }, { "separate", take_separate },
		{ "alias", take_alias }, { "wait", take_wait },
	};

	if (!peek(scan))
		return 0;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!is_next(scan, kinds[i].name))
			continue;
		scan->at++;
		return kinds[i].take(scan);
	}
	return unexpected(scan, "set, mixed, separate, alias or wait");
}

/* ---- room ---- */

static size_t count_words(const char *line)
{
	size_t count = 0;

	for (; *(line += strspn(line, BLANKS)); line += strcspn(line, BLANKS))
		count++;
	return count;
}

/* For all that a line of so many words could have. */
static bool make_room(struct order *order, const char *line)
{
	size_t words = count_words(line) + 1;

	order->text = strdup(line);
	order->word = calloc(words, sizeof(*order->word));
	order->commands = calloc(words, sizeof(*order->commands));
	order->list = calloc(words, sizeof(*order->list));
	order->count = calloc(words, sizeof(*order->count));
	return order->text && order->word && order->commands && order->list && order->count;
}

void order_free(struct order *order)
{
	free(order->text);
	free(order->word);
	free(order->commands);
	free(order->list);
	free(order->count);
}

int order_parse(struct order *order, const char *line, int64_t now, struct naohw_error *err)
{
	struct scan scan = { .order = order, .now = now, .err = err };
	int ret;

	*order = (struct order){ .kind = ORDER_NONE };
	if (!make_room(order, line)) {
		order_free(order);
		return wrong(err, -ENOMEM, "out of memory");
	}
	split(&scan);
	ret = take_line(&scan);
	if (ret < 0)
		order_free(order);
	return ret;
}
