// SPDX-License-Identifier: LGPL-2.1-or-later
/* Messages of a store: keys are looked up once, and then all values taken from one snapshot. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "../store/store.h"
#include "message.h"

/* A field whose key the robot has; all others stay as they are in the beginning. */
struct source {
	const struct message_field *field;
	size_t slot;
	float limit; /* NAN: none, or it is not known */
};

struct naohw_messages {
	const struct naohw_store *store;
	uint64_t sequence;
	struct message_set set;
	size_t count;
	struct source source[]; /* there is room for all fields */
};

/* ---- a field ---- */

static struct naohw_message_state *state_of(struct naohw_messages *messages,
					    const struct message_field *field)
{
	return (struct naohw_message_state *)((char *)&messages->set + field->message);
}

/* Of a number that is NAN it makes what naohw.h says of what nobody knows. */
static void put(struct naohw_messages *messages, const struct message_field *field,
		const struct naohw_value *value, float limit)
{
	void *to = (char *)&messages->set + field->at;
	float number = (float)value->number;

	switch (field->form) {
	case FORM_NUMBER:
		*(float *)to = number;
		break;
	case FORM_PERCENT:
		*(float *)to = number * 100;
		break;
	case FORM_STIFFNESS:
		*(float *)to = number < 0 ? 0 : number;
		break;
	case FORM_FLAG:
		*(bool *)to = !isnan(number) && number != 0;
		break;
	case FORM_POSITIVE:
		*(bool *)to = number > 0;
		break;
	case FORM_STATUS:
		*(int32_t *)to = status_of(number, limit);
		break;
	case FORM_TEXT:
		memcpy(to, value->text, NAOHW_TEXT_SIZE);
		break;
	}
}

static void put_nothing(struct naohw_messages *messages, const struct message_field *field)
{
	static const struct naohw_value nothing = { .number = NAN };

	put(messages, field, &nothing, NAN);
}

static void note(struct naohw_message_state *state, unsigned int number,
		 const struct naohw_value *value)
{
	state->each[number] = value->state;
	if (state_is_worse(value->state, state->all))
		state->all = value->state;
	if (value->state != NAOHW_STATE_ABSENT && value->time > state->time)
		state->time = value->time;
}

/* The store still has the last value of what is absent: nobody shall take that for one of now. */
static void fill(struct naohw_messages *messages, const struct source *source,
		 const struct naohw_snapshot *snapshot)
{
	struct naohw_value value;

	/* Its slot is one of the snapshot's. */
	(void)naohw_snapshot_get(snapshot, source->slot, &value);
	note(state_of(messages, source->field), source->field->number, &value);
	if (value.state == NAOHW_STATE_ABSENT)
		put_nothing(messages, source->field);
	else
		put(messages, source->field, &value, source->limit);
}

/* ---- all of them ---- */

static float limit_of(const struct naohw_store *store, const struct message_field *field)
{
	struct naohw_value value;
	size_t slot;

	if (!field->limit || naohw_store_find(store, field->limit, &slot) < 0 ||
	    naohw_store_read(store, slot, &value) < 0 || value.state == NAOHW_STATE_ABSENT)
		return NAN;
	return (float)value.number;
}

static void find(struct naohw_messages *messages, const struct message_field *field)
{
	struct source *source = &messages->source[messages->count];

	put_nothing(messages, field);
	if (naohw_store_find(messages->store, field->key, &source->slot) < 0)
		return;
	source->field = field;
	source->limit = limit_of(messages->store, field);
	messages->count++;
}

int naohw_messages_new(const struct naohw_store *store, struct naohw_messages **out,
		       struct naohw_error *err)
{
	struct naohw_messages *messages =
		calloc(1, sizeof(*messages) + message_field_count * sizeof(messages->source[0]));

	if (!messages)
		return fail(err, -ENOMEM, "out of memory");
	messages->store = store;
	for (size_t i = 0; i < message_field_count; i++)
		find(messages, &message_fields[i]);
	*out = messages;
	return 0;
}

void naohw_messages_free(struct naohw_messages *messages)
{
	free(messages);
}

/* As if all were well, which the fields then worsen. */
static void begin(struct naohw_messages *messages)
{
	for (size_t i = 0; i < messages->count; i++) {
		struct naohw_message_state *state = state_of(messages, messages->source[i].field);

		state->all = NAOHW_STATE_FRESH;
		state->time = 0;
	}
}

int naohw_messages_fill(struct naohw_messages *messages, const struct naohw_snapshot *snapshot)
{
	if (!snapshot_is_of(snapshot, messages->store))
		return -EINVAL;
	begin(messages);
	for (size_t i = 0; i < messages->count; i++)
		fill(messages, &messages->source[i], snapshot);
	messages->sequence = naohw_snapshot_sequence(snapshot);
	return 0;
}

/* ---- what they say ---- */

uint64_t naohw_messages_sequence(const struct naohw_messages *messages)
{
	return messages->sequence;
}

int64_t naohw_messages_time(const struct naohw_messages *messages)
{
	return messages->set.joint_positions.state.time;
}

#define GETTER(message)                                                                       \
	const struct naohw_##message *naohw_messages_##message(                               \
		const struct naohw_messages *messages)                                        \
	{                                                                                     \
		return &messages->set.message;                                                \
	}

GETTER(accelerometer)
GETTER(angle)
GETTER(battery)
GETTER(buttons)
GETTER(fsr)
GETTER(gyroscope)
GETTER(joint_positions)
GETTER(joint_stiffnesses)
GETTER(joint_temperatures)
GETTER(joint_currents)
GETTER(joint_statuses)
GETTER(sonar)
GETTER(touch)
GETTER(robot_config)
