/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A line of a command file, taken apart. naohw-send(1) tells what one may be. */
#ifndef NAOHW_ORDER_H
#define NAOHW_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include <naohw.h>

/* Bytes, without its end; and ms: 11 days and a half. */
#define ORDER_LINE_MAX 4096
#define ORDER_TIME_MAX 1000000000

enum order_kind {
	ORDER_NONE, /* a blank line, or a comment */
	ORDER_SET, /* one list of commands, for all */
	ORDER_EACH, /* a list for each: "mixed", and "separate", too */
	ORDER_ALIAS,
	ORDER_WAIT,
};

/* All that it points to is its own. Times of commands are in ms since the beginning. */
struct order {
	enum order_kind kind;
	const char *name; /* what it gives commands, or the alias that it makes */
	enum naohw_update update;
	size_t lists;
	const struct naohw_command **list;
	size_t *count;
	const char **members; /* of an alias */
	size_t member_count;
	int64_t time; /* when a wait is over, in ms since the beginning */
	char *text;
	char **word;
	struct naohw_command *commands;
};

/*
 * Take a line apart; @now, in ms since the beginning, is what "+TIME" is counted from. Free it
 * with order_free(), but not after a failure. Return: 0; -EINVAL, and the message says what was
 * found and what was expected; -ENOMEM.
 */
int order_parse(struct order *order, const char *line, int64_t now,
		struct naohw_error *err);

void order_free(struct order *order);

/* May an alias have this name? */
int order_check_alias(const char *name, struct naohw_error *err);

#endif
