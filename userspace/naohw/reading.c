// SPDX-License-Identifier: GPL-2.0-or-later
#include "reading.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "digits.h"
#include "json.h"

#define TIME_SIZE 32
#define NS_PER_MS 1000000
#define NS_PER_S  1000000000

struct reading_format reading_format(const struct line *line, bool name)
{
	return (struct reading_format){
		.json = line->option[OPTION_JSON],
		.time = line->option[OPTION_TIME],
		.name = name,
	};
}

static void begin(struct reading *reading, const struct naohw_key *key)
{
	reading->key = naohw_key_name(key);
	reading->type = naohw_key_get_type(key);
}

void reading_take(struct reading *reading, struct naohw_key *key)
{
	struct naohw_error err;

	begin(reading, key);
	clock_gettime(CLOCK_REALTIME, &reading->time);
	reading->error = naohw_key_read_string(key, reading->text, sizeof(reading->text), &err);
	if (reading->error)
		snprintf(reading->text, sizeof(reading->text), "%s", err.message);
}

static void write_value(const struct naohw_value *value, char *text, size_t size)
{
	switch (value->type) {
	case NAOHW_KEY_STRING:
		snprintf(text, size, "%s", value->text);
		break;
	case NAOHW_KEY_BOOL:
		snprintf(text, size, "%s", value->integer ? "true" : "false");
		break;
	case NAOHW_KEY_INT:
		snprintf(text, size, "%" PRId64, value->integer);
		break;
	case NAOHW_KEY_FLOAT:
		number_write(text, size, value->number);
		break;
	}
}

void reading_take_value(struct reading *reading, const char *key, const struct naohw_value *value)
{
	reading->key = key;
	reading->type = value->type;
	reading->error = value->state == NAOHW_STATE_ABSENT ? -ENODATA : 0;
	clock_gettime(CLOCK_REALTIME, &reading->time);
	if (reading->error)
		snprintf(reading->text, sizeof(reading->text), "%s: naohwd does not know it", key);
	else
		write_value(value, reading->text, sizeof(reading->text));
}

/* In as many digits as naohw_key_read_string() has. */
void reading_put(struct reading *reading, const struct naohw_key *key, double number, int64_t ns)
{
	begin(reading, key);
	reading->error = 0;
	reading->time.tv_sec = ns / NS_PER_S;
	reading->time.tv_nsec = ns % NS_PER_S;
	number_write(reading->text, sizeof(reading->text), number);
}

void reading_fail(struct reading *reading, const struct naohw_key *key, int error, const char *why)
{
	begin(reading, key);
	reading->error = error;
	clock_gettime(CLOCK_REALTIME, &reading->time);
	snprintf(reading->text, sizeof(reading->text), "%s: %s", reading->key, why);
}

bool reading_is_same(const struct reading *one, const struct reading *other)
{
	return !one->error == !other->error && strcmp(one->text, other->text) == 0;
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

	json_add_text(object, "key", reading->key);
	if (reading->error)
		json_add_text(object, "error", reading->text);
	else
		json_add_value(object, "value", reading->type, reading->text);
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
		printf("%s ", reading->key);
	printf("%s\n", reading->text);
}

bool reading_print(const struct reading *reading, const struct reading_format *format,
		   struct failures *failures)
{
	if (format->json)
		print_json(reading, format->time);
	else if (!reading->error)
		print_text(reading, format);
	if (reading->error)
		failures_take(failures, reading->text);
	return !reading->error;
}
