// SPDX-License-Identifier: LGPL-2.1-or-later
/* LoLA's packets: the bytes of each field, whatever comes in instead, and wherever it is cut. */
#include "support.h"

#include "../naohwd/lola/packet.h"
#include "lola_bytes.h"

/* As NAO's own and its programs have them */
#define SENSORS_SIZE 896
#define ACTUATORS_SIZE 786

static const struct {
	const char *name;
	unsigned int count;
} sent[] = {
	{ "Position", 25 }, { "Stiffness", 25 }, { "REar", 10 }, { "LEar", 10 },
	{ "Chest", 3 },	    { "LEye", 24 },	 { "REye", 24 }, { "LFoot", 3 },
	{ "RFoot", 3 },	    { "Skull", 12 },	 { "Sonar", 2 },
};

#define SENT (sizeof(sent) / sizeof(sent[0]))
#define SONAR (SENT - 1)

/* ---- to a client ---- */

static void put_floats(struct bytes *bytes, const char *name, const float *number,
		       unsigned int count)
{
	put_text(bytes, name);
	put_array(bytes, count);
	for (unsigned int i = 0; i < count; i++)
		put_float(bytes, number[i]);
}

#define PUT(bytes, name, array) put_floats(bytes, name, array, sizeof(array) / sizeof((array)[0]))

/* Each float is another one. */
static struct lola_sensors sensors_of_all_kinds(void)
{
	struct lola_sensors sensors = { 0 };
	char *at = (char *)&sensors + offsetof(struct lola_sensors, accelerometer);
	size_t count = (offsetof(struct lola_sensors, status) -
			offsetof(struct lola_sensors, accelerometer)) /
		       sizeof(float);

	memcpy(sensors.body_id, "P0000073A07S94700012", 20);
	memcpy(sensors.body_version, "6.0.0", 5);
	memcpy(sensors.head_id, "P0000074A05S93M00061", 20);
	memcpy(sensors.head_version, "6.0.1", 5);
	for (size_t i = 0; i < count; i++) {
		float next = (float)i - 20.5f;

		memcpy(at + i * sizeof(next), &next, sizeof(next));
	}
	for (unsigned int i = 0; i < LOLA_JOINTS; i++)
		sensors.status[i] = (uint8_t)(i % 4);
	return sensors;
}

/* [lola-2] [lola-6] */
static void a_packet_has_each_field_in_its_place(void **state)
{
	struct lola_sensors sensors = sensors_of_all_kinds();
	uint8_t found[LOLA_SENSORS_SIZE];
	struct bytes expected = { .count = 0 };

	(void)state;
	put_map(&expected, 13);
	put_text(&expected, "RobotConfig");
	put_array(&expected, 4);
	put_text(&expected, "P0000073A07S94700012");
	put_text(&expected, "6.0.0");
	put_text(&expected, "P0000074A05S93M00061");
	put_text(&expected, "6.0.1");
	PUT(&expected, "Accelerometer", sensors.accelerometer);
	PUT(&expected, "Angles", sensors.angles);
	PUT(&expected, "Battery", sensors.battery);
	PUT(&expected, "Current", sensors.current);
	PUT(&expected, "FSR", sensors.fsr);
	PUT(&expected, "Gyroscope", sensors.gyroscope);
	PUT(&expected, "Position", sensors.position);
	PUT(&expected, "Sonar", sensors.sonar);
	PUT(&expected, "Stiffness", sensors.stiffness);
	PUT(&expected, "Temperature", sensors.temperature);
	PUT(&expected, "Touch", sensors.touch);
	put_text(&expected, "Status");
	put_array(&expected, 25);
	put_bytes(&expected, sensors.status, 25);
	lola_encode(&sensors, found);
	assert_int_equal(expected.count, SENSORS_SIZE);
	assert_int_equal(sizeof(found), SENSORS_SIZE);
	assert_memory_equal(found, expected.at, SENSORS_SIZE);
}

/* [lola-2] Clients take it from the first one. */
static void and_its_layout_never_changes(void **state)
{
	static const char *const floats[] = {
		"Accelerometer", "Angles", "Battery",	"Current",     "FSR",	"Gyroscope",
		"Position",	 "Sonar",  "Stiffness", "Temperature", "Touch",
	};
	struct lola_sensors sensors = { 0 }, full = sensors_of_all_kinds();
	uint8_t empty[LOLA_SENSORS_SIZE], other[LOLA_SENSORS_SIZE];
	unsigned int count, other_count;

	(void)state;
	lola_encode(&sensors, empty);
	lola_encode(&full, other);
	for (size_t i = 0; i < sizeof(floats) / sizeof(floats[0]); i++) {
		const uint8_t *one = field_of(empty, SENSORS_SIZE, floats[i], &count);

		assert_int_equal(one - empty,
				 field_of(other, SENSORS_SIZE, floats[i], &other_count) - other);
		assert_int_equal(count, other_count);
		assert_near(float_of(empty, SENSORS_SIZE, floats[i], count - 1), 0, 0);
	}
}

/* ---- from a client ---- */

static struct lola_decoder *decoder;
static struct lola_actuators actuators;
static struct naohw_error err;

static int setup(void **state)
{
	(void)state;
	decoder = lola_decoder_new();
	return !decoder;
}

static int teardown(void **state)
{
	(void)state;
	lola_decoder_free(decoder);
	return 0;
}

/* All of it is one packet. */
static void decode(const struct bytes *bytes)
{
	size_t used;

	if (lola_decode(decoder, bytes->at, bytes->count, &used, &actuators, &err) != 1)
		fail_msg("%s", err.message);
	assert_int_equal(used, bytes->count);
}

static void assert_only(size_t field)
{
	for (size_t i = 0; i < SENT; i++)
		assert_int_equal(actuators.is_given[i], i == field);
}

static float value_of(size_t field, unsigned int index)
{
	return (float)field / 16 - (float)index / 64;
}

static void put_one(struct bytes *bytes, size_t field)
{
	put_text(bytes, sent[field].name);
	put_array(bytes, sent[field].count);
	for (unsigned int i = 0; i < sent[field].count; i++)
		if (field == SONAR)
			put_flag(bytes, i == 1);
		else
			put_float(bytes, value_of(field, i));
}

static void assert_one(size_t field)
{
	assert_true(actuators.is_given[field]);
	for (unsigned int i = 0; i < sent[field].count; i++)
		assert_near(actuators.value[field][i], field == SONAR ? i == 1 : value_of(field, i),
			    0);
}

static void each_field_may_come_alone(void **state)
{
	(void)state;
	for (size_t i = 0; i < SENT; i++) {
		struct bytes bytes = { .count = 0 };

		put_map(&bytes, 1);
		put_one(&bytes, i);
		decode(&bytes);
		assert_only(i);
		assert_one(i);
	}
}

static void put_all(struct bytes *bytes)
{
	put_map(bytes, SENT);
	for (size_t i = 0; i < SENT; i++)
		put_one(bytes, SENT - 1 - i);
}

static void assert_all(void)
{
	for (size_t i = 0; i < SENT; i++)
		assert_one(i);
}

/* [lola-12] */
static void or_all_of_them_in_any_order(void **state)
{
	struct bytes bytes = { .count = 0 };

	(void)state;
	put_all(&bytes);
	assert_int_equal(bytes.count, ACTUATORS_SIZE);
	decode(&bytes);
	assert_all();
}

static void nothing_is_a_packet_too(void **state)
{
	struct bytes bytes = { .count = 0 };

	(void)state;
	put_map(&bytes, 0);
	decode(&bytes);
	assert_only(SENT);
}

/* [lola-15] Newer packers send whole numbers so, and scripts all of them. */
static void a_number_has_many_forms(void **state)
{
	static const uint8_t whole[][9] = {
		{ 0x01 }, /* 7 bits */
		{ 0xff }, /* -1, 5 bits */
		{ 0xcc, 2 }, /* 8 bits */
		{ 0xcd, 0, 3 }, /* 16 */
		{ 0xce, 0, 0, 0, 4 }, /* 32 */
		{ 0xcf, 0, 0, 0, 0, 0, 0, 0, 5 }, /* 64 */
		{ 0xd0, 0xfe }, /* and with a sign */
		{ 0xd1, 0xff, 0xfd },
		{ 0xd2, 0xff, 0xff, 0xff, 0xfc },
		{ 0xd3, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfb },
	};
	static const size_t size[] = { 1, 1, 2, 3, 5, 9, 2, 3, 5, 9 };
	static const double expected[] = { 1, -1, 2, 3, 4, 5, -2, -3, -4, -5, 0.3, -0.25 };
	struct bytes bytes = { .count = 0 };

	(void)state;
	put_map(&bytes, 1);
	put_text(&bytes, "Skull");
	put_array(&bytes, 12);
	for (size_t i = 0; i < 10; i++)
		put_bytes(&bytes, whole[i], size[i]);
	put_double(&bytes, 0.3);
	put_float(&bytes, -0.25f);
	decode(&bytes);
	for (size_t i = 0; i < 12; i++)
		assert_near(actuators.value[LOLA_SKULL][i], expected[i], 0);
}

/* ---- pieces ---- */

/* As a socket gives it: what has not been used stands before what comes. Returns packets. */
static unsigned int feed(const struct bytes *bytes, size_t from, size_t to, struct bytes *left)
{
	unsigned int packets = 0;
	size_t used;
	int ret;

	put_bytes(left, bytes->at + from, to - from);
	do {
		ret = lola_decode(decoder, left->at, left->count, &used, &actuators, &err);
		if (ret < 0)
			fail_msg("%zu to %zu: %s", from, to, err.message);
		left->count -= used;
		memmove(left->at, left->at + used, left->count);
		packets += ret == 1;
	} while (ret == 1);
	return packets;
}

/* [lola-16] */
static void a_packet_may_be_cut_anywhere(void **state)
{
	struct bytes bytes = { .count = 0 };

	(void)state;
	put_all(&bytes);
	for (size_t cut = 1; cut < bytes.count; cut++) {
		struct bytes left = { .count = 0 };

		memset(&actuators, 0, sizeof(actuators));
		assert_int_equal(feed(&bytes, 0, cut, &left), 0);
		/* The name that is being read, and no more, is waited for. */
		assert_in_range(left.count, 0, 8);
		assert_false(actuators.is_given[0]);
		assert_int_equal(feed(&bytes, cut, bytes.count, &left), 1);
		assert_int_equal(left.count, 0);
		assert_all();
	}
}

static void and_come_byte_by_byte(void **state)
{
	struct bytes bytes = { .count = 0 }, left = { .count = 0 };
	unsigned int packets = 0;

	(void)state;
	put_all(&bytes);
	put_all(&bytes);
	for (size_t i = 0; i < bytes.count; i++)
		packets += feed(&bytes, i, i + 1, &left);
	assert_int_equal(packets, 2);
	assert_all();
}

/* [lola-16] */
static void several_may_come_at_once(void **state)
{
	struct bytes bytes = { .count = 0 }, left = { .count = 0 };

	(void)state;
	for (size_t i = 0; i < SENT; i++) {
		put_map(&bytes, 1);
		put_one(&bytes, i);
	}
	assert_int_equal(feed(&bytes, 0, bytes.count, &left), SENT);
	assert_only(SONAR);
}

/* ---- garbage ---- */

#define BYTES(...) (const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ })
#define CHEST 0xa5, 'C', 'h', 'e', 's', 't'
#define SONAR_NAME 0xa5, 'S', 'o', 'n', 'a', 'r'

/* [lola-22] */
static void what_is_no_packet_is_told(void **state)
{
	const struct {
		const uint8_t *bytes;
		size_t size;
		const char *message;
	} bad[] = {
		{ BYTES(0xc1), "not of this format" },
		{ BYTES(0x00), "a number, expected a map" },
		{ BYTES('G'), "a number, expected a map" },
		{ BYTES(0xc0), "nil, expected a map" },
		{ BYTES(0xa1, 'x'), "a text, expected a map" },
		{ BYTES(0x90), "an array, expected a map" },
		{ BYTES(0xc3), "true, expected a map" },
		{ BYTES(0xc4, 0), "bytes, expected a map" },
		{ BYTES(0xd4, 1, 2), "an extension, expected a map" },
		{ BYTES(0x8c), "a map of 12 fields, of which there are 11" },
		{ BYTES(0xde, 0xff, 0xff), "a map of 65535 fields" },
		{ BYTES(0xdf, 0xff, 0xff, 0xff, 0xff), "a map of 4294967295 fields" },
		{ BYTES(0x81, 0x01), "a number, expected a field's name" },
		{ BYTES(0x81, 0x80), "a map, expected a field's name" },
		{ BYTES(0x81, 0xa0), "\"\": no field is called so" },
		{ BYTES(0x81, 0xa5, 'c', 'h', 'e', 's', 't'), "\"chest\": no field is called so" },
		{ BYTES(0x81, 0xa4, 'C', 'h', 'e', 's'), "\"Ches\": no field is called so" },
		{ BYTES(0x81, 0xa3, 0x1b, '\n', 0xff), "\"???\": no field is called so" },
		{ BYTES(0x81, 0xdb, 0xff, 0xff, 0xff, 0xff), "a text of 4294967295 bytes" },
		{ BYTES(0x81, 0xd9, 100), "a text of 100 bytes" },
		{ BYTES(0x81, CHEST, 0x01), "Chest has a number, expected an array" },
		{ BYTES(0x81, CHEST, 0x81), "Chest has a map, expected an array" },
		{ BYTES(0x81, CHEST, 0x90), "Chest has 0 values, expected 3" },
		{ BYTES(0x81, CHEST, 0x92), "Chest has 2 values, expected 3" },
		{ BYTES(0x81, CHEST, 0xdd, 0xff, 0xff, 0xff, 0xff),
		  "Chest has 4294967295 values, expected 3" },
		{ BYTES(0x81, CHEST, 0x93, 0, 0xc3),
		  "Chest, value 2 of 3: true, expected a number" },
		{ BYTES(0x81, CHEST, 0x93, 0xa1, 'x'),
		  "Chest, value 1 of 3: a text, expected a number" },
		{ BYTES(0x81, CHEST, 0x93, 0x93),
		  "Chest, value 1 of 3: an array, expected a number" },
		{ BYTES(0x81, CHEST, 0x93, 0xc0), "Chest, value 1 of 3: nil, expected a number" },
		{ BYTES(0x81, SONAR_NAME, 0x92, 1),
		  "Sonar, value 1 of 2: a number, expected true or false" },
		{ BYTES(0x82, SONAR_NAME, 0x92, 0xc2, 0xc3, SONAR_NAME), "Sonar is there twice" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct bytes good = { .count = 0 };
		size_t used;

		memset(&actuators, 0, sizeof(actuators));
		if (lola_decode(decoder, bad[i].bytes, bad[i].size, &used, &actuators, &err) !=
		    -EBADMSG)
			fail_msg("%s: was taken", bad[i].message);
		assert_says(&err, bad[i].message);
		assert_only(SENT);
		/* Nothing of it is left for the next client. */
		put_all(&good);
		decode(&good);
		assert_all();
	}
}

/* [lola-23] */
static void a_number_that_is_none_is_left_out(void **state)
{
	const struct {
		const uint8_t *bytes;
		size_t size;
		const char *message;
	} unusable[] = {
		{ BYTES(0xca, 0x7f, 0xc0, 0, 0), "Chest, value 2 of 3 is nan" },
		{ BYTES(0xca, 0xff, 0xc0, 0, 0), "Chest, value 2 of 3 is -nan" },
		{ BYTES(0xca, 0x7f, 0xa0, 0, 0), "Chest, value 2 of 3 is nan" },
		{ BYTES(0xca, 0x7f, 0x80, 0, 0), "Chest, value 2 of 3 is inf" },
		{ BYTES(0xcb, 0x7f, 0xf8, 0, 0, 0, 0, 0, 0), "Chest, value 2 of 3 is nan" },
		{ BYTES(11), "Chest, value 2 of 3 is 11" },
		{ BYTES(0xd0, 0xf5), "Chest, value 2 of 3 is -11" },
		{ BYTES(0xcf, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff),
		  "Chest, value 2 of 3 is 1.84467e+19" },
		/* 1e-41, and the largest float that is not normal below 0; a double of the same */
		{ BYTES(0xca, 0x00, 0x00, 0x1b, 0xe0), "Chest, value 2 of 3 is 9.99967e-42" },
		{ BYTES(0xca, 0x80, 0x7f, 0xff, 0xff), "Chest, value 2 of 3 is -1.17549e-38" },
		{ BYTES(0xcb, 0x37, 0x6b, 0xe0, 0, 0, 0, 0, 0),
		  "Chest, value 2 of 3 is 9.99967e-42" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(unusable) / sizeof(unusable[0]); i++) {
		struct bytes bytes = { .count = 0 };

		put_map(&bytes, 1);
		put_text(&bytes, "Chest");
		put_array(&bytes, 3);
		put_float(&bytes, 0.25f);
		put_bytes(&bytes, unusable[i].bytes, unusable[i].size);
		put_float(&bytes, 10);
		decode(&bytes);
		assert_only(LOLA_CHEST);
		assert_near(actuators.value[LOLA_CHEST][0], 0.25, 0);
		assert_true(isnan(actuators.value[LOLA_CHEST][1]));
		assert_near(actuators.value[LOLA_CHEST][2], 10, 0);
		assert_string_equal(actuators.unusable.message, unusable[i].message);
		/* It is told of the packet that has it. */
		bytes.count = 0;
		put_all(&bytes);
		decode(&bytes);
		assert_string_equal(actuators.unusable.message, "");
	}
}

/* What was good in it does not hold either. */
static void nothing_holds_of_a_packet_with_one_mistake(void **state)
{
	struct bytes bytes = { .count = 0 };
	size_t used;

	(void)state;
	put_map(&bytes, 2);
	put_field(&bytes, "Position", 25, 0.1f);
	put_field(&bytes, "Stiffness", 24, 1);
	memset(&actuators, 0, sizeof(actuators));
	assert_int_equal(lola_decode(decoder, bytes.at, bytes.count, &used, &actuators, &err),
			 -EBADMSG);
	assert_says(&err, "Stiffness has 24 values, expected 25");
	assert_only(SENT);
}

int main(void)
{
#define DECODER_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_packet_has_each_field_in_its_place),
		cmocka_unit_test(and_its_layout_never_changes),
		DECODER_TEST(each_field_may_come_alone),
		DECODER_TEST(or_all_of_them_in_any_order),
		DECODER_TEST(nothing_is_a_packet_too),
		DECODER_TEST(a_number_has_many_forms),
		DECODER_TEST(a_packet_may_be_cut_anywhere),
		DECODER_TEST(and_come_byte_by_byte),
		DECODER_TEST(several_may_come_at_once),
		DECODER_TEST(what_is_no_packet_is_told),
		DECODER_TEST(a_number_that_is_none_is_left_out),
		DECODER_TEST(nothing_holds_of_a_packet_with_one_mistake),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
