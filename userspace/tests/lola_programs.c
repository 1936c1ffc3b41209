// SPDX-License-Identifier: LGPL-2.1-or-later
#include "lola_programs.h"

#include <msgpack.h>

#include "support.h"

#include "lola_bytes.h"

#define SIZE 896

enum kind {
	KIND_ID,      /* a text of exactly 20 bytes */
	KIND_VERSION, /* a text whose first character is a digit; the digit */
	KIND_TEXT,
	KIND_FLOAT,   /* any number */
	KIND_INTEGER, /* a whole number */
	KIND_TOUCHED, /* a number: 0.5 and more is true */
};

static const size_t kind_size[] = {
	[KIND_ID] = PROGRAM_ID,		  [KIND_VERSION] = sizeof(uint8_t),
	[KIND_TEXT] = PROGRAM_TEXT,	  [KIND_FLOAT] = sizeof(float),
	[KIND_INTEGER] = sizeof(int32_t), [KIND_TOUCHED] = sizeof(bool),
};

/* @count values from @first on, of the @of values that the array must have */
struct part {
	const char *key;
	unsigned int of, first, count;
	enum kind kind;
	size_t at;
};

#define PART(program, key, of, first, count, kind, member)                           \
	{                                                                            \
		key, of, first, count, KIND_##kind, offsetof(struct program, member) \
	}
#define ALL(program, key, count, kind, member) PART(program, key, count, 0, count, kind, member)
#define JOINTS(program, key, kind, member)     ALL(program, key, PROGRAM_JOINTS, kind, member)

/* ---- one value ---- */

static double number_of(const msgpack_object *value, const char *key)
{
	switch (value->type) {
	case MSGPACK_OBJECT_FLOAT32:
	case MSGPACK_OBJECT_FLOAT64:
		return value->via.f64;
	case MSGPACK_OBJECT_POSITIVE_INTEGER:
		return (double)value->via.u64;
	case MSGPACK_OBJECT_NEGATIVE_INTEGER:
		return (double)value->via.i64;
	default:
		fail_msg("%s: not a number", key);
	}
	return 0;
}

static int32_t integer_of(const msgpack_object *value, const char *key)
{
	if (value->type != MSGPACK_OBJECT_POSITIVE_INTEGER)
		fail_msg("%s: not a whole number", key);
	return (int32_t)value->via.u64;
}

static void take_text(const msgpack_object *value, enum kind kind, char *to)
{
	const char *text = value->via.str.ptr;
	size_t size = value->via.str.size;

	assert_int_equal(value->type, MSGPACK_OBJECT_STR);
	if (kind == KIND_VERSION) {
		if (!size || text[0] < '0' || text[0] > '9')
			fail_msg("version '%.*s' is not a number", (int)size, text);
		*to = (char)(text[0] - '0');
		return;
	}
	if (kind == KIND_ID)
		assert_int_equal(size, PROGRAM_ID);
	else
		assert_in_range(size, 0, PROGRAM_TEXT - 1);
	memcpy(to, text, size);
}

static void take_value(const msgpack_object *value, const struct part *part, void *to)
{
	switch (part->kind) {
	case KIND_ID:
	case KIND_VERSION:
	case KIND_TEXT:
		take_text(value, part->kind, to);
		break;
	case KIND_FLOAT:
		*(float *)to = (float)number_of(value, part->key);
		break;
	case KIND_INTEGER:
		*(int32_t *)to = integer_of(value, part->key);
		break;
	case KIND_TOUCHED:
		*(bool *)to = number_of(value, part->key) >= 0.5;
		break;
	}
}

/* ---- a packet ---- */

static const msgpack_object *array_of(const msgpack_object *map, const char *key, unsigned int size)
{
	for (uint32_t i = 0; i < map->via.map.size; i++) {
		const msgpack_object_kv *pair = &map->via.map.ptr[i];

		assert_int_equal(pair->key.type, MSGPACK_OBJECT_STR);
		if (pair->key.via.str.size != strlen(key) ||
		    memcmp(pair->key.via.str.ptr, key, strlen(key)) != 0)
			continue;
		assert_int_equal(pair->val.type, MSGPACK_OBJECT_ARRAY);
		assert_int_equal(pair->val.via.array.size, size);
		return &pair->val;
	}
	fail_msg("no field %s", key);
	return NULL;
}

static void take_part(const msgpack_object *map, const struct part *part, char *to)
{
	const msgpack_object *array = array_of(map, part->key, part->of);

	for (unsigned int i = 0; i < part->count; i++)
		take_value(&array->via.array.ptr[part->first + i], part,
			   to + part->at + i * kind_size[part->kind]);
}

static void read_parts(const uint8_t *packet, size_t size, const struct part *parts, size_t count,
		       void *to)
{
	msgpack_unpacked whole;
	size_t used = 0;

	assert_int_equal(size, SIZE);
	msgpack_unpacked_init(&whole);
	assert_int_equal(msgpack_unpack_next(&whole, (const char *)packet, size, &used),
			 MSGPACK_UNPACK_SUCCESS);
	assert_int_equal(used, size);
	assert_int_equal(whole.data.type, MSGPACK_OBJECT_MAP);
	for (size_t i = 0; i < count; i++)
		take_part(&whole.data, &parts[i], to);
	msgpack_unpacked_destroy(&whole);
}

#define READ(packet, size, parts, to)                                                    \
	do {                                                                             \
		memset(to, 0, sizeof(*(to)));                                            \
		read_parts(packet, size, parts, sizeof(parts) / sizeof((parts)[0]), to); \
	} while (0)

/* ---- the programs ---- */

void read_as_hulks(const uint8_t *packet, size_t size, struct hulks *hulks)
{
	static const struct part parts[] = {
		PART(hulks, "RobotConfig", 4, 0, 1, ID, body_id),
		PART(hulks, "RobotConfig", 4, 1, 1, VERSION, body_version),
		PART(hulks, "RobotConfig", 4, 2, 1, ID, head_id),
		PART(hulks, "RobotConfig", 4, 3, 1, VERSION, head_version),
		ALL(hulks, "Battery", 4, FLOAT, battery),
		ALL(hulks, "Accelerometer", 3, FLOAT, accelerometer),
		ALL(hulks, "Angles", 2, FLOAT, angles),
		ALL(hulks, "Gyroscope", 3, FLOAT, gyroscope),
		PART(hulks, "FSR", 8, 0, 4, FLOAT, left_foot),
		PART(hulks, "FSR", 8, 4, 4, FLOAT, right_foot),
		ALL(hulks, "Touch", 14, TOUCHED, touch),
		PART(hulks, "Sonar", 2, 0, 1, FLOAT, sonar_left),
		PART(hulks, "Sonar", 2, 1, 1, FLOAT, sonar_right),
		JOINTS(hulks, "Position", FLOAT, position),
		JOINTS(hulks, "Stiffness", FLOAT, stiffness),
		JOINTS(hulks, "Current", FLOAT, current),
		JOINTS(hulks, "Temperature", FLOAT, temperature),
		JOINTS(hulks, "Status", FLOAT, status),
	};

	READ(packet, size, parts, hulks);
}

void read_as_nao_devils(const uint8_t *packet, size_t size, struct nao_devils *devils)
{
	static const struct part parts[] = {
		PART(nao_devils, "RobotConfig", 4, 0, 1, TEXT, body_id),
		PART(nao_devils, "RobotConfig", 4, 2, 1, TEXT, head_id),
		ALL(nao_devils, "Accelerometer", 3, FLOAT, acc),
		ALL(nao_devils, "Angles", 2, FLOAT, angle),
		ALL(nao_devils, "Battery", 4, FLOAT, battery),
		JOINTS(nao_devils, "Current", FLOAT, current),
		ALL(nao_devils, "FSR", 8, FLOAT, fsr),
		ALL(nao_devils, "Gyroscope", 3, FLOAT, gyro),
		JOINTS(nao_devils, "Position", FLOAT, position),
		ALL(nao_devils, "Sonar", 2, FLOAT, sonar),
		JOINTS(nao_devils, "Status", INTEGER, status),
		JOINTS(nao_devils, "Stiffness", FLOAT, stiffness),
		JOINTS(nao_devils, "Temperature", FLOAT, temperature),
		ALL(nao_devils, "Touch", 14, FLOAT, touch),
	};

	READ(packet, size, parts, devils);
}

void read_as_berlin_united(const uint8_t *packet, size_t size, struct berlin_united *united)
{
	static const struct part parts[] = {
		ALL(berlin_united, "RobotConfig", 4, TEXT, config),
		ALL(berlin_united, "Accelerometer", 3, FLOAT, accelerometer),
		ALL(berlin_united, "Battery", 4, FLOAT, battery),
		JOINTS(berlin_united, "Current", FLOAT, current),
		PART(berlin_united, "FSR", 8, 0, 4, FLOAT, left_fsr),
		PART(berlin_united, "FSR", 8, 4, 4, FLOAT, right_fsr),
		ALL(berlin_united, "Gyroscope", 3, FLOAT, gyroscope),
		JOINTS(berlin_united, "Position", FLOAT, position),
		PART(berlin_united, "Sonar", 2, 0, 1, FLOAT, sonar_left),
		PART(berlin_united, "Sonar", 2, 1, 1, FLOAT, sonar_right),
		JOINTS(berlin_united, "Stiffness", FLOAT, stiffness),
		JOINTS(berlin_united, "Temperature", FLOAT, temperature),
		ALL(berlin_united, "Touch", 14, FLOAT, touch),
		JOINTS(berlin_united, "Status", INTEGER, status),
	};

	READ(packet, size, parts, united);
}

void read_as_nidhogg(const uint8_t *packet, size_t size, struct nidhogg *nidhogg)
{
	static const struct part parts[] = {
		JOINTS(nidhogg, "Stiffness", FLOAT, stiffness),
		JOINTS(nidhogg, "Position", FLOAT, position),
		JOINTS(nidhogg, "Temperature", FLOAT, temperature),
		JOINTS(nidhogg, "Current", FLOAT, current),
		ALL(nidhogg, "Battery", 4, FLOAT, battery),
		ALL(nidhogg, "Accelerometer", 3, FLOAT, accelerometer),
		ALL(nidhogg, "Gyroscope", 3, FLOAT, gyroscope),
		ALL(nidhogg, "Angles", 2, FLOAT, angles),
		ALL(nidhogg, "Sonar", 2, FLOAT, sonar),
		ALL(nidhogg, "FSR", 8, FLOAT, fsr),
		ALL(nidhogg, "Touch", 14, FLOAT, touch),
		JOINTS(nidhogg, "Status", INTEGER, status),
		ALL(nidhogg, "RobotConfig", 4, TEXT, body_id),
	};

	READ(packet, size, parts, nidhogg);
}

void read_as_nao_lola(const uint8_t *packet, size_t size, struct nao_lola *lola)
{
	static const struct part parts[] = {
		ALL(nao_lola, "Accelerometer", 3, FLOAT, accelerometer),
		ALL(nao_lola, "Angles", 2, FLOAT, angles),
		ALL(nao_lola, "Touch", 14, FLOAT, touch),
		ALL(nao_lola, "FSR", 8, FLOAT, fsr),
		ALL(nao_lola, "Gyroscope", 3, FLOAT, gyroscope),
		JOINTS(nao_lola, "Position", FLOAT, position),
		JOINTS(nao_lola, "Stiffness", FLOAT, stiffness),
		JOINTS(nao_lola, "Temperature", FLOAT, temperature),
		JOINTS(nao_lola, "Current", FLOAT, current),
		JOINTS(nao_lola, "Status", FLOAT, status),
		ALL(nao_lola, "Sonar", 2, FLOAT, sonar),
		ALL(nao_lola, "Battery", 4, FLOAT, battery),
		ALL(nao_lola, "RobotConfig", 4, TEXT, body_id),
	};

	READ(packet, size, parts, lola);
}

void read_as_runswift(const uint8_t *packet, size_t size, struct runswift *runswift)
{
	static const struct part parts[] = {
		JOINTS(runswift, "Position", FLOAT, angles),
		JOINTS(runswift, "Stiffness", FLOAT, stiffnesses),
		JOINTS(runswift, "Temperature", FLOAT, temperatures),
		JOINTS(runswift, "Current", FLOAT, currents),
		ALL(runswift, "Battery", 4, FLOAT, battery),
		ALL(runswift, "Accelerometer", 3, FLOAT, accelerometer),
		ALL(runswift, "Gyroscope", 3, FLOAT, gyroscope),
		ALL(runswift, "Angles", 2, FLOAT, angle),
		ALL(runswift, "Sonar", 2, FLOAT, sonar),
		ALL(runswift, "FSR", 8, FLOAT, fsr),
		ALL(runswift, "Touch", 14, FLOAT, touch),
	};

	READ(packet, size, parts, runswift);
}

void read_as_bembelbots(const uint8_t *packet, size_t size, struct bembelbots *bots)
{
	static const struct part parts[] = {
		ALL(bembelbots, "Accelerometer", 3, FLOAT, acc),
		ALL(bembelbots, "Angles", 2, FLOAT, angle),
		PART(bembelbots, "Battery", 4, 0, 1, FLOAT, battery_charge),
		PART(bembelbots, "Battery", 4, 2, 1, FLOAT, battery_current),
		PART(bembelbots, "Battery", 4, 3, 1, FLOAT, battery_temperature),
		JOINTS(bembelbots, "Current", FLOAT, current),
		ALL(bembelbots, "FSR", 8, FLOAT, fsr),
		ALL(bembelbots, "Gyroscope", 3, FLOAT, gyro),
		JOINTS(bembelbots, "Position", FLOAT, position),
		ALL(bembelbots, "Sonar", 2, FLOAT, us),
		JOINTS(bembelbots, "Status", FLOAT, status),
		/* The sizes of these alone */
		PART(bembelbots, "Stiffness", PROGRAM_JOINTS, 0, 0, FLOAT, acc),
		PART(bembelbots, "RobotConfig", 4, 0, 0, TEXT, acc),
		JOINTS(bembelbots, "Temperature", FLOAT, temperature),
		ALL(bembelbots, "Touch", 14, FLOAT, touch),
	};

	READ(packet, size, parts, bots);
}

/* ---- B-Human ---- */

static size_t place_of(const uint8_t *packet, size_t size, const char *name, unsigned int count,
		       uint8_t kind)
{
	unsigned int found;
	const uint8_t *at = field_of(packet, size, name, &found);

	assert_int_equal(found, count);
	for (unsigned int i = 0; i < count; i++)
		if (kind)
			assert_int_equal(at[5 * i], kind);
		else
			assert_in_range(at[i], 0, 0x7f);
	return (size_t)(at - packet);
}

void read_as_bhuman(const uint8_t *packet, size_t size, struct bhuman *bhuman)
{
	const uint8_t is_float = 0xca, is_byte = 0;
	size_t battery = place_of(packet, size, "Battery", 4, is_float);

	*bhuman = (struct bhuman){
		.battery_level = battery,
		.battery_charging = battery + 5,
		.battery_current = battery + 10,
		.battery_temperature = battery + 15,
		.joint_currents = place_of(packet, size, "Current", PROGRAM_JOINTS, is_float),
		.joint_angles = place_of(packet, size, "Position", PROGRAM_JOINTS, is_float),
		.joint_temperatures =
			place_of(packet, size, "Temperature", PROGRAM_JOINTS, is_float),
		.joint_statuses = place_of(packet, size, "Status", PROGRAM_JOINTS, is_byte),
		.fsrs = place_of(packet, size, "FSR", 8, is_float),
		.accs = place_of(packet, size, "Accelerometer", 3, is_float),
		.gyros = place_of(packet, size, "Gyroscope", 3, is_float),
		.torso_angles = place_of(packet, size, "Angles", 2, is_float),
		.keys = place_of(packet, size, "Touch", 14, is_float),
	};
}

float bhuman_float(const uint8_t *packet, size_t at, unsigned int index)
{
	const uint8_t *byte = packet + at + 5 * index + 1;
	uint32_t bits = (uint32_t)byte[0] << 24 | (uint32_t)byte[1] << 16 | (uint32_t)byte[2] << 8 |
			byte[3];
	float number;

	memcpy(&number, &bits, sizeof(number));
	return number;
}
