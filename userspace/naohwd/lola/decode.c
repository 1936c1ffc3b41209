// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A client's packet is a map of names and arrays. The format is read by msgpack-c's own routine,
 * which is made here to call us for each thing that it finds, and so needs no memory: the objects
 * that it makes otherwise are as large as a client says that it is going to send. It goes on
 * wherever the bytes ended.
 *
 * A client's first packets may have anything where a number is not set yet. Such a number is passed
 * over, as who ends the connection for that ends it again and again. What is no packet ends it, and
 * so all of one is looked at before any of it holds.
 */
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <msgpack/unpack.h>
#include <msgpack/unpack_define.h>

#include "../base/base.h"
#include "packet.h"

/*
 * No angle, stiffness or light is near it: a higher number is garbage. So is one below the smallest
 * normal float but 0, which is what memory that was not set mostly looks like.
 */
#define HIGHEST 10
#define LOWEST	FLT_MIN

/* Of a name that is shown */
#define SHOWN 40

enum place {
	PLACE_PACKET, /* outside of the map */
	PLACE_NAME,
	PLACE_ARRAY,
	PLACE_VALUE,
};

/* How far it has come in a packet, for what the routine calls */
struct reading {
	enum place place;
	unsigned int left; /* names */
	enum lola_actuator field;
	unsigned int index;
	struct lola_actuators actuators;
	struct naohw_error err;
};

static int unexpected(struct reading *reading, const char *found)
{
	const struct lola_field *field = &lola_fields[reading->field];

	switch (reading->place) {
	case PLACE_PACKET:
		return trouble(&reading->err, -EBADMSG, "%s, expected a map", found);
	case PLACE_NAME:
		return trouble(&reading->err, -EBADMSG, "%s, expected a field's name", found);
	case PLACE_ARRAY:
		return trouble(&reading->err, -EBADMSG, "%s has %s, expected an array", field->name,
			       found);
	case PLACE_VALUE:
		return trouble(&reading->err, -EBADMSG, "%s, value %u of %u: %s, expected %s",
			       field->name, reading->index + 1, field->count, found,
			       field->is_flag ? "true or false" : "a number");
	}
	return -EBADMSG;
}

/* A name or an array has ended: the next name, or nothing more. */
static void next_name(struct reading *reading)
{
	reading->place = reading->left-- ? PLACE_NAME : PLACE_PACKET;
}

static int take_map(struct reading *reading, unsigned int count)
{
	if (reading->place != PLACE_PACKET)
		return unexpected(reading, "a map");
	if (count > LOLA_ACTUATORS)
		return trouble(&reading->err, -EBADMSG, "a map of %u fields, of which there are %d",
			       count, LOLA_ACTUATORS);
	reading->left = count;
	next_name(reading);
	return 0;
}

/* As a line may have it. */
static int unknown_name(struct reading *reading, const char *name, unsigned int length)
{
	char shown[SHOWN + 1];
	unsigned int used;

	for (used = 0; used < length && used < SHOWN; used++)
		shown[used] = name[used] > ' ' && name[used] < 0x7f ? name[used] : '?';
	shown[used] = '\0';
	return trouble(&reading->err, -EBADMSG, "\"%s\": no field is called so", shown);
}

static int take_name(struct reading *reading, const char *name, unsigned int length)
{
	if (reading->place != PLACE_NAME)
		return unexpected(reading, "a text");
	for (unsigned int i = 0; i < LOLA_ACTUATORS; i++) {
		if (strlen(lola_fields[i].name) != length ||
		    memcmp(lola_fields[i].name, name, length) != 0)
			continue;
		if (reading->actuators.is_given[i])
			return trouble(&reading->err, -EBADMSG, "%s is there twice",
				       lola_fields[i].name);
		reading->actuators.is_given[i] = true;
		reading->field = i;
		reading->place = PLACE_ARRAY;
		return 0;
	}
	return unknown_name(reading, name, length);
}

static int take_array(struct reading *reading, unsigned int count)
{
	const struct lola_field *field = &lola_fields[reading->field];

	if (reading->place != PLACE_ARRAY)
		return unexpected(reading, "an array");
	if (count != field->count)
		return trouble(&reading->err, -EBADMSG, "%s has %u values, expected %u",
			       field->name, count, field->count);
	reading->index = 0;
	reading->place = PLACE_VALUE;
	return 0;
}

static int take_value(struct reading *reading, double value)
{
	reading->actuators.value[reading->field][reading->index] = value;
	if (++reading->index == lola_fields[reading->field].count)
		next_name(reading);
	return 0;
}

static bool is_usable(double number)
{
	return number == 0 || (fabs(number) >= LOWEST && fabs(number) <= HIGHEST);
}

static int take_number(struct reading *reading, double number)
{
	const struct lola_field *field = &lola_fields[reading->field];
	struct naohw_error *unusable = &reading->actuators.unusable;

	if (reading->place != PLACE_VALUE || field->is_flag)
		return unexpected(reading, "a number");
	if (is_usable(number))
		return take_value(reading, number);
	if (!*unusable->message)
		(void)trouble(unusable, 0, "%s, value %u of %u is %g", field->name,
			      reading->index + 1, field->count, number);
	return take_value(reading, NAN);
}

static int take_flag(struct reading *reading, bool flag)
{
	if (reading->place != PLACE_VALUE || !lola_fields[reading->field].is_flag)
		return unexpected(reading, flag ? "true" : "false");
	return take_value(reading, flag);
}

/* ---- the routine ---- */

/* What it calls, with its own type of a value last */
typedef char nothing;

#define ON_NUMBER(name, type)                                                            \
	static inline int on_##name(struct reading *reading, type number, nothing *made) \
	{                                                                                \
		*made = 0;                                                               \
		return take_number(reading, (double)number);                             \
	}

ON_NUMBER(uint8, uint8_t)
ON_NUMBER(uint16, uint16_t)
ON_NUMBER(uint32, uint32_t)
ON_NUMBER(uint64, uint64_t)
ON_NUMBER(int8, int8_t)
ON_NUMBER(int16, int16_t)
ON_NUMBER(int32, int32_t)
ON_NUMBER(int64, int64_t)
ON_NUMBER(float, float)
ON_NUMBER(double, double)

static inline nothing on_root(struct reading *reading)
{
	(void)reading;
	return 0;
}

static inline int on_nil(struct reading *reading, nothing *made)
{
	*made = 0;
	return unexpected(reading, "nil");
}

static inline int on_true(struct reading *reading, nothing *made)
{
	*made = 0;
	return take_flag(reading, true);
}

static inline int on_false(struct reading *reading, nothing *made)
{
	*made = 0;
	return take_flag(reading, false);
}

static inline int on_map(struct reading *reading, unsigned int count, nothing *made)
{
	*made = 0;
	return take_map(reading, count);
}

static inline int on_array(struct reading *reading, unsigned int count, nothing *made)
{
	*made = 0;
	return take_array(reading, count);
}

/* Of these it was told when they came. */
static inline int on_map_item(struct reading *reading, nothing *map, nothing name, nothing value)
{
	(void)reading;
	(void)map;
	(void)name;
	(void)value;
	return 0;
}

static inline int on_array_item(struct reading *reading, nothing *array, nothing value)
{
	(void)reading;
	(void)array;
	(void)value;
	return 0;
}

static inline int on_str(struct reading *reading, const char *bytes, const char *text,
			 unsigned int length, nothing *made)
{
	(void)bytes;
	*made = 0;
	return take_name(reading, text, length);
}

static inline int on_bin(struct reading *reading, const char *bytes, const char *content,
			 unsigned int length, nothing *made)
{
	(void)bytes;
	(void)content;
	(void)length;
	*made = 0;
	return unexpected(reading, "bytes");
}

static inline int on_ext(struct reading *reading, const char *bytes, const char *content,
			 unsigned int length, nothing *made)
{
	(void)bytes;
	(void)content;
	(void)length;
	*made = 0;
	return unexpected(reading, "an extension");
}

#define msgpack_unpack_struct(name)	struct packet##name
#define msgpack_unpack_func(type, name) static inline type packet##name
#define msgpack_unpack_callback(name)	on##name
#define msgpack_unpack_object		nothing
#define msgpack_unpack_user		struct reading

#include <msgpack/unpack_template.h>

/* ---- a decoder ---- */

struct lola_decoder {
	struct packet_context context;
};

struct lola_decoder *lola_decoder_new(void)
{
	struct lola_decoder *decoder = malloc(sizeof(*decoder));

	if (decoder)
		lola_decoder_reset(decoder);
	return decoder;
}

void lola_decoder_free(struct lola_decoder *decoder)
{
	free(decoder);
}

void lola_decoder_reset(struct lola_decoder *decoder)
{
	memset(decoder, 0, sizeof(*decoder));
	packet_init(&decoder->context);
}

/* The routine waits for a text until it is there as a whole, however long it says that it is. */
static bool is_endless(const struct packet_context *context)
{
	return context->cs >= MSGPACK_ACS_STR_VALUE && context->trail > SHOWN;
}

int lola_decode(struct lola_decoder *decoder, const uint8_t *bytes, size_t size, size_t *used,
		struct lola_actuators *actuators, struct naohw_error *err)
{
	struct packet_context *context = &decoder->context;
	struct reading *reading = &context->user;
	int ret;

	*used = 0;
	ret = packet_execute(context, (const char *)bytes, size, used);
	if (ret == 0 && is_endless(context))
		ret = trouble(&reading->err, -EBADMSG,
			      "a text of %u bytes, which no field's name has", context->trail);
	if (ret == 0)
		return 0;
	if (ret > 0)
		*actuators = reading->actuators;
	else
		(void)trouble(err, -EBADMSG, "%s",
			      *reading->err.message ? reading->err.message : "not of this format");
	lola_decoder_reset(decoder);
	return ret > 0 ? 1 : -EBADMSG;
}
