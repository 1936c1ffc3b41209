// SPDX-License-Identifier: GPL-2.0-or-later
#include <assert.h>
#include <string.h>

#include <msgpack/pack.h>

#include "packet.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define FLOATS(name, member)                                                          \
	{                                                                             \
		name, offsetof(struct lola_sensors, member),                          \
			sizeof(((struct lola_sensors *)NULL)->member) / sizeof(float) \
	}

/* In the order of a NAO's; before them is RobotConfig, behind them Status. */
static const struct {
	const char *name;
	size_t at;
	size_t count;
} fields[] = {
	FLOATS("Accelerometer", accelerometer),
	FLOATS("Angles", angles),
	FLOATS("Battery", battery),
	FLOATS("Current", current),
	FLOATS("FSR", fsr),
	FLOATS("Gyroscope", gyroscope),
	FLOATS("Position", position),
	FLOATS("Sonar", sonar),
	FLOATS("Stiffness", stiffness),
	FLOATS("Temperature", temperature),
	FLOATS("Touch", touch),
};

struct output {
	uint8_t *bytes;
	size_t used;
};

static int append(void *data, const char *bytes, size_t size)
{
	struct output *output = data;

	assert(output->used + size <= LOLA_SENSORS_SIZE);
	memcpy(output->bytes + output->used, bytes, size);
	output->used += size;
	return 0;
}

static void pack_text(msgpack_packer *packer, const char *text, size_t size)
{
	msgpack_pack_str(packer, size);
	msgpack_pack_str_body(packer, text, size);
}

static void pack_name(msgpack_packer *packer, const char *name, size_t count)
{
	pack_text(packer, name, strlen(name));
	msgpack_pack_array(packer, count);
}

void lola_encode(const struct lola_sensors *sensors, uint8_t bytes[LOLA_SENSORS_SIZE])
{
	struct output output = { .bytes = bytes };
	msgpack_packer packer;

	msgpack_packer_init(&packer, &output, append);
	msgpack_pack_map(&packer, COUNT(fields) + 2);
	pack_name(&packer, "RobotConfig", 4);
	pack_text(&packer, sensors->body_id, LOLA_ID_SIZE);
	pack_text(&packer, sensors->body_version, LOLA_VERSION_SIZE);
	pack_text(&packer, sensors->head_id, LOLA_ID_SIZE);
	pack_text(&packer, sensors->head_version, LOLA_VERSION_SIZE);
	for (size_t i = 0; i < COUNT(fields); i++) {
		const float *value = (const float *)((const char *)sensors + fields[i].at);

		pack_name(&packer, fields[i].name, fields[i].count);
		for (size_t j = 0; j < fields[i].count; j++)
			msgpack_pack_float(&packer, value[j]);
	}
	pack_name(&packer, "Status", LOLA_JOINTS);
	for (size_t i = 0; i < LOLA_JOINTS; i++)
		msgpack_pack_uint8(&packer, sensors->status[i]);
	assert(output.used == LOLA_SENSORS_SIZE);
}
