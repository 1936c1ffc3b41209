// SPDX-License-Identifier: GPL-2.0-or-later
#include "reading.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "json.h"

#define TIME_SIZE 32
#define NS_PER_MS 1000000

struct reading_format reading_format(const struct line *line, bool name)
{
	return (struct reading_format){
		.json = line->option[OPTION_JSON],
		.time = line->option[OPTION_TIME],
		.name = name,
	};
}

void reading_take(struct reading *reading, struct naohw_key *key)
{
	struct naohw_error err;
	int ret;

	reading->key = key;
	clock_gettime(CLOCK_REALTIME, &reading->time);
	ret = naohw_key_read_string(key, reading->text, sizeof(reading->text), &err);
	reading->failed = ret < 0;
	reading->absent = ret == -ENOENT;
	if (reading->failed)
		snprintf(reading->text, sizeof(reading->text), "%s", err.message);
}

bool reading_is_same(const struct reading *one, const struct reading *other)
{
	return one->failed == other->failed && strcmp(one->text, other->text) == 0;
}

/* Seconds since 1970. */
static const char *write_time(const struct reading *reading, char *text)
{
	snprintf(text, TIME_SIZE, "%lld.%03ld", (long long)reading->time.tv_sec,
		 reading->time.tv_nsec / NS_PER_MS);
	return text;
}

static void print_json(const struct reading *reading, bool with_time)
{
	struct json_object *object = json_object_new_object();
	char time[TIME_SIZE];

	json_add_text(object, "key", naohw_key_name(reading->key));
	if (reading->failed)
		json_add_text(object, "error", reading->text);
	else
		json_add_value(object, "value", naohw_key_get_type(reading->key), reading->text);
	if (with_time)
		json_add_number(object, "time", write_time(reading, time));
	json_print(object);
}

static void print_text(const struct reading *reading, const struct reading_format *format)
{
	char time[TIME_SIZE];

	if (format->time)
		printf("%s ", write_time(reading, time));
	if (format->name)
		printf("%s ", naohw_key_name(reading->key));
	printf("%s\n", reading->text);
}

bool reading_print(const struct reading *reading, const struct reading_format *format)
{
	if (format->json)
		print_json(reading, format->time);
	else if (!reading->failed)
		print_text(reading, format);
	if (reading->failed)
		complain("%s", reading->text);
	return !reading->failed;
}
