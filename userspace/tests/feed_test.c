// SPDX-License-Identifier: LGPL-2.1-or-later
/* A robot's keys in a store: what is in it of the description, and of which frame. */
#include "support.h"

#include <sys/resource.h>
#include <unistd.h>

#include "allocations.h"
#include "fake_iio.h"
#include "feed/feed.h"
#include "seeds.h"

#define MS    ((int64_t)1000000)
#define START ((int64_t)5000 * MS)
#define SERVO 10 /* bytes of a servo in a frame of all values */
#define ALARM 9	 /* where it is in these */
#define AGE   8
#define BODY  24 /* two servos, in whole multiples of 8 */

#define LONG_TEXT "0123456789012345678901234567890123456789012345678901234567890123"
#define SUBDEVICES "Device/SubDeviceList/"
#define HEAD	  SUBDEVICES "HeadYaw/"
#define OTHER	  SUBDEVICES "HeadPitch/"

#define SENSOR(name, channel, more)                                                        \
	"<Preference name='" name "' type='array'><Preference name='Sensor' type='array'>" \
	"<Preference name='Channel' type='string' value='" channel "'/>" more              \
	"</Preference></Preference>"
#define FORMULA(name, of)                                                                  \
	"<Preference name='" name "' type='array'><Preference name='Sensor' type='array'>" \
	"<Preference name='Formula' type='string' value='any'/>"                           \
	"<Preference name='Of' type='string' value='" of "'/>"                             \
	"</Preference></Preference>"
#define FLOAT(name, value) "<Preference name='" name "' type='float' value='" value "'/>"

static const char *const description =
	"<ModulePreference name='test@Device'>"
	"<Preference name='SubDeviceList' memoryName='Device/SubDeviceList' type='array'>"
	"<Preference name='HeadYaw' type='array'>"
	SENSOR("Position", "in_angl0", FLOAT("Gain", "-1") FLOAT("Offset", "0.02"))
	SENSOR("Turns", "in_angl1", "")
	SENSOR("Speed", "in_anglvel0", "")
	SENSOR("Temperature", "in_temp0", FLOAT("Gain", "0.001"))
	SENSOR("Battery", "in_voltage0", "")
	FORMULA("Any", "HeadYaw/Position HeadYaw/Speed")
	FORMULA("Some", "HeadYaw/Position HeadYaw/Turns")
	SENSOR("Load", "in_angl0", "<Preference name='Attribute' type='string' value='load'/>")
	"<Preference name='Hardness' type='array'><Preference name='Actuator' type='array'>"
	"<Preference name='Channel' type='string' value='out_angl0'/>"
	"<Preference name='SubDeviceNumber' type='int' value='2'/>"
	FLOAT("Min", "0") FLOAT("Max", "1")
	"</Preference></Preference>"
	"<Preference name='Short' type='string' value='a word'/>"
	"<Preference name='Long' type='string' value='" LONG_TEXT "'/>"
	"</Preference>"
	"<Preference name='HeadPitch' type='array'>" SENSOR("Position", "in_angl0", "")
	"</Preference>"
	"<Preference name='HeadRoll' type='array'>" SENSOR("Position", "in_angl0", "")
	"</Preference>"
	"</Preference></ModulePreference>";

static const char *const labels[] = { "HeadYaw", "HeadPitch" };

static struct naohw_robot *robot;
static struct naohw_frame *frame;
static struct naohw_store *store;

/* ---- frames ---- */

static unsigned char bytes[BODY + sizeof(int64_t)];

static void put16(unsigned int servo, unsigned int at, int value)
{
	bytes[servo * SERVO + at] = (unsigned char)value;
	bytes[servo * SERVO + at + 1] = (unsigned char)((unsigned int)value >> 8);
}

/* Both at @position, with a speed of -3, 11.1 V, 40 C, and an answer just now. */
static void make_frame(int position, int64_t time)
{
	memset(bytes, 0, sizeof(bytes));
	for (unsigned int i = 0; i < 2; i++) {
		put16(i, 0, position);
		put16(i, 2, -3);
		bytes[i * SERVO + 6] = 111;
		bytes[i * SERVO + 7] = 40;
	}
	memcpy(bytes + BODY, &time, sizeof(time));
}

static void give_frame(void)
{
	struct naohw_error err;

	fake_frame(0, bytes, sizeof(bytes));
	if (naohw_frame_read(frame, &err) < 0)
		fail_msg("%s", err.message);
	assert_int_equal(naohw_store_publish(store), 0);
}

/* What the servo itself says, if it is asked, is what the frame has of it. */
static void set_servo(int position)
{
	char raw[16];

	snprintf(raw, sizeof(raw), "%d", position);
	fake_set("HeadYaw", "in_angl0_raw", raw);
	fake_set("HeadYaw", "in_angl0_scale", "0.005");
	fake_set("HeadYaw", "in_anglvel0_raw", "-3");
	fake_set("HeadYaw", "in_anglvel0_scale", "0.01");
	fake_set("HeadYaw", "in_voltage0_raw", "111");
	fake_set("HeadYaw", "in_temp0_raw", "40");
	fake_set("HeadYaw", "in_angl1_raw", "77");
}

static void open_store(void)
{
	struct naohw_error err;

	if (naohw_frame_open(robot, NULL, &frame, &err) < 0 ||
	    naohw_store_open(robot, frame, &store, &err) < 0)
		fail_msg("%s", err.message);
}

static int setup(void **state)
{
	struct naohw_error err;

	(void)state;
	fake_reset();
	fake_servo("HeadYaw");
	fake_servo("HeadPitch");
	fake_servo("HeadRoll");
	fake_state(0, labels, 2, 100);
	set_servo(0);
	frame = NULL;
	store = NULL;
	if (naohw_robot_open(temp_text(description), NULL, &robot, &err) < 0)
		fail_msg("%s", err.message);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	seeds_teardown();
	naohw_store_close(store);
	naohw_frame_close(frame);
	naohw_robot_close(robot);
	return 0;
}

static struct naohw_value value_of(const char *name)
{
	struct naohw_value value;
	size_t slot;

	assert_int_equal(naohw_store_find(store, name, &slot), 0);
	assert_int_equal(naohw_store_read(store, slot, &value), 0);
	return value;
}

static void check_state(const char *name, enum naohw_state state, int64_t time)
{
	struct naohw_value value = value_of(name);

	assert_int_equal(value.state, state);
	assert_int_equal(value.time, time);
}

/* ---- values ---- */

/* What a subdevice has of its device is there by the device's name. */
static bool is_shared(const char *name)
{
	const char *last = strrchr(name, '/');

	return strncmp(name, SUBDEVICES, strlen(SUBDEVICES)) == 0 &&
	       (strcmp(last, "/Ack") == 0 || strcmp(last, "/Nack") == 0 ||
		strcmp(last, "/Error") == 0);
}

static void keys_have_slots_in_their_order(void **state)
{
	size_t expected = 0, slot;

	(void)state;
	open_store();
	for (size_t i = 0; i < naohw_robot_key_count(robot); i++) {
		struct naohw_key *key = naohw_robot_key_at(robot, i);
		const char *name = naohw_key_name(key);

		if (is_shared(name) || naohw_key_is_wiring(key)) {
			assert_int_equal(naohw_store_find(store, name, &slot), -ENOENT);
			continue;
		}
		assert_int_equal(naohw_store_find(store, name, &slot), 0);
		assert_int_equal(slot, expected++);
		assert_int_equal(value_of(name).type, naohw_key_get_type(key));
	}
	assert_int_equal(naohw_store_slot_count(store), expected);
}

static void check_as_key(const char *name)
{
	struct naohw_value value = value_of(name);
	struct naohw_key *key;
	double asked;

	assert_int_equal(naohw_robot_find_key(robot, name, &key), 0);
	assert_int_equal(naohw_key_read(key, &asked, NULL), 0);
	assert_int_equal(value.state, NAOHW_STATE_FRESH);
	assert_memory_equal(&value.number, &asked, sizeof(asked));
}

static void values_are_those_of_the_keys(void **state)
{
	static const int positions[] = { 0, 511, 512, 700, 1023 };

	(void)state;
	open_store();
	for (size_t i = 0; i < sizeof(positions) / sizeof(positions[0]); i++) {
		set_servo(positions[i]);
		make_frame(positions[i], START);
		give_frame();
		check_as_key(HEAD "Position/Sensor/Value");
		check_as_key(HEAD "Speed/Sensor/Value");
		check_as_key(HEAD "Temperature/Sensor/Value");
		check_as_key(HEAD "Battery/Sensor/Value");
	}
	assert_near(value_of(HEAD "Position/Sensor/Value").number, -(511 * 0.005) + 0.02, 1e-9);
	assert_near(value_of(HEAD "Temperature/Sensor/Value").number, 40, 1e-9);
	assert_near(value_of(HEAD "Battery/Sensor/Value").number, 11100, 1e-9);
}

static void each_joint_has_its_own(void **state)
{
	(void)state;
	open_store();
	make_frame(512, START);
	put16(1, 0, 612);
	give_frame();
	assert_near(value_of(HEAD "Position/Sensor/Value").number, 0.02, 1e-9);
	assert_near(value_of(OTHER "Position/Sensor/Value").number, 0.5, 1e-9);
}

/* What no frame has is asked of the servo by another thread, sooner or later. */
static void check_beside(const char *name, double number)
{
	struct naohw_value value = value_of(name);

	if (value.state != NAOHW_STATE_ABSENT)
		assert_near(value.number, number, 1e-9);
}

/* As an angle that is not the joint's */
static void check_turns(void)
{
	check_beside(HEAD "Turns/Sensor/Value", 77);
}

static void what_no_frame_has_is_absent_at_first(void **state)
{
	(void)state;
	open_store();
	make_frame(512, START);
	give_frame();
	check_turns();
	check_state(HEAD "Hardness/Actuator/Value", NAOHW_STATE_ABSENT, 0);
	check_beside("Device/SubDeviceList/HeadRoll/Position/Sensor/Value", 0);
	assert_true(isnan(value_of(HEAD "Hardness/Actuator/Value").number));
}

/* Also of what is reckoned from that alone. */
static void frames_know_what_they_have(void **state)
{
	static const struct {
		const char *name;
		int has;
	} keys[] = {
		{ HEAD "Position/Sensor/Value", 1 },
		{ HEAD "Temperature/Sensor/Value", 1 },
		{ HEAD "Any/Sensor/Value", 1 },
		{ HEAD "Turns/Sensor/Value", 0 },
		{ HEAD "Load/Sensor/Value", 0 },
		{ HEAD "Some/Sensor/Value", 0 },
		{ HEAD "Hardness/Actuator/Value", 0 },
		{ HEAD "Position/Sensor/Gain", 0 },
		{ HEAD "Position/Sensor/Ack", 0 },
		{ "Device/SubDeviceList/HeadRoll/Position/Sensor/Value", 0 },
	};
	struct naohw_key *key;

	(void)state;
	open_store();
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		assert_int_equal(naohw_robot_find_key(robot, keys[i].name, &key), 0);
		if (naohw_frame_has_key(frame, key) != keys[i].has)
			fail_msg("%s", keys[i].name);
	}
}

static void constants_are_there_at_once(void **state)
{
	struct naohw_value number;

	(void)state;
	open_store();
	check_state(HEAD "Position/Sensor/Gain", NAOHW_STATE_FRESH, 0);
	assert_near(value_of(HEAD "Position/Sensor/Gain").number, -1, 0);
	assert_near(value_of(HEAD "Position/Sensor/Offset").number, 0.02, 0);
	assert_string_equal(value_of(HEAD "Short").text, "a word");
	number = value_of(HEAD "Hardness/Actuator/SubDeviceNumber");
	assert_int_equal(number.integer, 2);
	assert_near(number.number, 2, 0);
	check_state(HEAD "Long", NAOHW_STATE_ABSENT, 0);
	assert_string_equal(value_of(HEAD "Long").text, "");
}

/* ---- what others have in it, too ---- */

#define HARDNESS HEAD "Hardness/Actuator/Value"

static const struct store_key extra[] = {
	{ "HAL/Ack", NAOHW_KEY_INT, false },
	{ "DCM/Time", NAOHW_KEY_INT, false },
	{ HEAD "Position/Sensor/Value", NAOHW_KEY_FLOAT, false },
	{ HEAD "Short", NAOHW_KEY_INT, true },
};

static void open_with_extra(void)
{
	struct naohw_error err;

	if (naohw_frame_open(robot, NULL, &frame, &err) < 0 ||
	    feed_open(robot, frame, extra, sizeof(extra) / sizeof(extra[0]), &store, &err) < 0)
		fail_msg("%s", err.message);
}

static size_t slot_of(const char *name)
{
	size_t slot;

	assert_int_equal(naohw_store_find(store, name, &slot), 0);
	return slot;
}

static void put(const char *name, double number)
{
	struct naohw_value value = { .state = NAOHW_STATE_FRESH, .time = START };

	store_number(&value, number);
	store_put(store, slot_of(name), &value);
}

static void more_keys_are_among_the_others(void **state)
{
	size_t count;

	(void)state;
	open_store();
	count = naohw_store_slot_count(store);
	naohw_store_close(store);
	naohw_frame_close(frame);
	open_with_extra();
	assert_int_equal(naohw_store_slot_count(store), count + 2);
	for (size_t i = 1; i < count + 2; i++)
		assert_true(strcmp(naohw_store_name(store, i - 1),
				   naohw_store_name(store, i)) < 0);
	assert_int_equal(value_of(HEAD "Short").type, NAOHW_KEY_INT);
	assert_int_equal(value_of("DCM/Time").state, NAOHW_STATE_ABSENT);
}

static void what_is_put_stays(void **state)
{
	(void)state;
	open_with_extra();
	put(HEAD "Short", 5);
	for (unsigned int i = 0; i < 3; i++) {
		put("DCM/Time", i);
		put(HEAD "Position/Sensor/Value", 7 + i);
		put(HARDNESS, i / 4.0);
		make_frame(512 + (int)i, START + i * 10 * MS);
		give_frame();
		assert_int_equal(value_of("DCM/Time").integer, i);
		assert_near(value_of(HEAD "Position/Sensor/Value").number, 7 + i, 0);
		assert_near(value_of(HARDNESS).number, i / 4.0, 0);
		assert_int_equal(value_of(HARDNESS).state, NAOHW_STATE_FRESH);
		check_state(OTHER "Position/Sensor/Value", NAOHW_STATE_FRESH, START + i * 10 * MS);
	}
	assert_int_equal(value_of(HEAD "Short").integer, 5);
	assert_int_equal(value_of("HAL/Ack").state, NAOHW_STATE_ABSENT);
	/* And without a frame */
	assert_int_equal(naohw_store_publish(store), 0);
	check_state(HARDNESS, NAOHW_STATE_FRESH, START);
}

/* ---- states ---- */

#define POSITION HEAD "Position/Sensor/Value"

static void who_is_silent_is_stale(void **state)
{
	(void)state;
	open_store();
	check_state(POSITION, NAOHW_STATE_ABSENT, 0);
	make_frame(512, START);
	give_frame();
	check_state(POSITION, NAOHW_STATE_FRESH, START);
	for (unsigned int i = 1; i < 4; i++) {
		make_frame(512, START + (int)i * 10 * MS);
		bytes[AGE] = (unsigned char)i;
		give_frame();
		check_state(POSITION, NAOHW_STATE_STALE, START);
		check_state(OTHER "Position/Sensor/Value", NAOHW_STATE_FRESH, START + (int)i * 10 * MS);
	}
	make_frame(512, START + 40 * MS);
	give_frame();
	check_state(POSITION, NAOHW_STATE_FRESH, START + 40 * MS);
}

/* His age counts frames, of which the kernel may have missed some. */
/* [key-2] */
static void an_answer_is_no_later_than_it_was(void **state)
{
	(void)state;
	open_store();
	make_frame(512, START);
	give_frame();
	make_frame(512, START + 50 * MS);
	bytes[AGE] = 1;
	give_frame();
	check_state(POSITION, NAOHW_STATE_STALE, START);
}

static void who_was_silent_before_is_as_old_as_he_says(void **state)
{
	(void)state;
	open_store();
	make_frame(512, START);
	bytes[AGE] = 3;
	give_frame();
	check_state(POSITION, NAOHW_STATE_STALE, START - 30 * MS);
	assert_near(value_of(POSITION).number, 0.02, 1e-9);
}

static void who_never_answers_is_absent(void **state)
{
	(void)state;
	open_store();
	make_frame(512, START);
	bytes[AGE] = 255;
	give_frame();
	check_state(POSITION, NAOHW_STATE_ABSENT, 0);
	assert_true(isnan(value_of(POSITION).number));
	make_frame(512, START + 10 * MS);
	give_frame();
	make_frame(600, START + 20 * MS);
	bytes[AGE] = 255;
	give_frame();
	check_state(POSITION, NAOHW_STATE_ABSENT, START + 10 * MS);
	assert_near(value_of(POSITION).number, 0.02, 1e-9);
}

static void a_fault_is_told_while_it_is_new(void **state)
{
	(void)state;
	open_store();
	make_frame(512, START);
	bytes[ALARM] = 0x24;
	give_frame();
	check_state(POSITION, NAOHW_STATE_FAULTY, START);
	assert_near(value_of(POSITION).number, 0.02, 1e-9);
	check_state(OTHER "Position/Sensor/Value", NAOHW_STATE_FRESH, START);
	make_frame(512, START + 10 * MS);
	bytes[ALARM] = 0x24;
	bytes[AGE] = 1;
	give_frame();
	check_state(POSITION, NAOHW_STATE_STALE, START);
}

static void what_is_read_seldom_is_absent_before(void **state)
{
	(void)state;
	open_store();
	make_frame(0, START);
	bytes[6] = bytes[7] = 0;
	give_frame();
	check_state(HEAD "Temperature/Sensor/Value", NAOHW_STATE_ABSENT, 0);
	check_state(HEAD "Battery/Sensor/Value", NAOHW_STATE_ABSENT, 0);
	/* A position of 0 is one. */
	check_state(POSITION, NAOHW_STATE_FRESH, START);
	make_frame(0, START + 10 * MS);
	give_frame();
	check_state(HEAD "Temperature/Sensor/Value", NAOHW_STATE_FRESH, START + 10 * MS);
	make_frame(0, START + 20 * MS);
	bytes[7] = 0;
	give_frame();
	check_state(HEAD "Temperature/Sensor/Value", NAOHW_STATE_FRESH, START + 20 * MS);
}

static void without_a_frame_all_is_stale(void **state)
{
	(void)state;
	open_store();
	make_frame(512, START);
	bytes[SERVO + AGE] = 255;
	give_frame();
	assert_int_equal(naohw_frame_read(frame, NULL), -ETIMEDOUT);
	assert_int_equal(naohw_store_publish(store), 0);
	check_state(POSITION, NAOHW_STATE_STALE, START);
	check_state(OTHER "Position/Sensor/Value", NAOHW_STATE_ABSENT, 0);
	check_state(HEAD "Hardness/Actuator/Value", NAOHW_STATE_ABSENT, 0);
	check_state(HEAD "Short", NAOHW_STATE_FRESH, 0);
	assert_int_equal(naohw_store_check(store, 10000), 0);
	make_frame(512, START + 50 * MS);
	give_frame();
	check_state(POSITION, NAOHW_STATE_FRESH, START + 50 * MS);
}

static void a_frame_from_before_is_taken(void **state)
{
	struct naohw_error err;

	(void)state;
	if (naohw_frame_open(robot, NULL, &frame, &err) < 0)
		fail_msg("%s", err.message);
	make_frame(512, START);
	fake_frame(0, bytes, sizeof(bytes));
	assert_int_equal(naohw_frame_read(frame, NULL), 0);
	assert_int_equal(naohw_store_open(robot, frame, &store, &err), 0);
	assert_int_equal(naohw_store_publish(store), 0);
	check_state(POSITION, NAOHW_STATE_FRESH, START);
}

static void the_loop_allocates_nothing(void **state)
{
	unsigned int before, during;

	(void)state;
	open_store();
	make_frame(512, START);
	for (unsigned int i = 0; i < 20; i++)
		fake_frame(0, bytes, sizeof(bytes));
	before = allocations();
	assert_true(before > 0);
	for (unsigned int i = 0; i < 20; i++) {
		assert_int_equal(naohw_frame_read(frame, NULL), 0);
		assert_int_equal(naohw_store_publish(store), 0);
	}
	during = allocations() - before;
	assert_int_equal(during, 0);
}

/* ---- any frames, against a plain model ---- */

#define SEEDS  100
#define FRAMES 30

struct model {
	const char *name;
	unsigned int servo;
	unsigned int at; /* in its part of a frame */
	unsigned int size;
	bool slow;
	double scale, offset; /* of what the key says for a raw number */
	struct naohw_value value;
};

static const struct model models[] = {
	{ HEAD "Position/Sensor/Value", 0, 0, 2, false, -0.005, 512 * 0.005 + 0.02, { 0 } },
	{ HEAD "Speed/Sensor/Value", 0, 2, 2, false, 0.01, 0, { 0 } },
	{ HEAD "Battery/Sensor/Value", 0, 6, 1, true, 100, 0, { 0 } },
	{ HEAD "Temperature/Sensor/Value", 0, 7, 1, true, 1, 0, { 0 } },
	{ OTHER "Position/Sensor/Value", 1, 0, 2, false, 0.005, -512 * 0.005, { 0 } },
};

#define MODELS (sizeof(models) / sizeof(models[0]))

static int raw_of(const struct model *model)
{
	const unsigned char *at = bytes + model->servo * SERVO + model->at;

	return model->size == 1 ? at[0] : (int16_t)(at[0] | at[1] << 8);
}

static void answered(struct model *model, int64_t time)
{
	const unsigned char *servo = bytes + model->servo * SERVO;
	struct naohw_value *value = &model->value;

	value->state = NAOHW_STATE_ABSENT;
	if (servo[AGE] == 255 || (model->slow && !value->time && !raw_of(model)))
		return;
	value->number = raw_of(model) * model->scale + model->offset;
	value->state = servo[ALARM] ? NAOHW_STATE_FAULTY : NAOHW_STATE_FRESH;
	if (!servo[AGE]) {
		value->time = time;
		return;
	}
	value->state = NAOHW_STATE_STALE;
	if (!value->time)
		value->time = time - servo[AGE] * 10 * MS;
}

static void check_model(const struct model *model)
{
	struct naohw_value found = value_of(model->name);

	assert_int_equal(found.state, model->value.state);
	assert_int_equal(found.time, model->value.time);
	if (model->value.time)
		assert_near(found.number, model->value.number, 1e-6);
	else
		assert_true(isnan(found.number));
}

/* Mostly good ones, with values that nobody has read yet, silence, and faults. */
static void make_any_frame(int64_t time)
{
	make_frame(0, time);
	for (unsigned int servo = 0; servo < 2; servo++) {
		unsigned char *at = bytes + servo * SERVO;

		for (unsigned int i = 0; i < AGE; i++)
			at[i] = (unsigned char)chance(256);
		at[6] = chance(3) ? at[6] : 0;
		at[7] = chance(3) ? at[7] : 0;
		at[AGE] = (unsigned char)(chance(2) ? 0 : chance(4) ? chance(20) : 255);
		at[ALARM] = (unsigned char)(chance(4) ? 0 : chance(256));
	}
}

static void grown_old(struct model *model)
{
	if (model->value.state != NAOHW_STATE_ABSENT)
		model->value.state = NAOHW_STATE_STALE;
}

static void any_frames(void)
{
	struct model model[MODELS];

	memcpy(model, models, sizeof(models));
	open_store();
	for (int i = 0; i < FRAMES; i++) {
		int64_t time = START + i * 10 * MS;
		bool comes = chance(6);

		make_any_frame(time);
		if (comes)
			fake_frame(0, bytes, sizeof(bytes));
		else
			fake_frame_error(0, -ETIMEDOUT);
		assert_int_equal(naohw_frame_read(frame, NULL), comes ? 0 : -ETIMEDOUT);
		assert_int_equal(naohw_store_publish(store), 0);
		for (size_t m = 0; m < MODELS; m++) {
			if (comes)
				answered(&model[m], time);
			else
				grown_old(&model[m]);
			check_model(&model[m]);
		}
	}
	naohw_store_close(store);
	naohw_frame_close(frame);
	naohw_robot_close(robot);
	assert_int_equal(setup(NULL), 0);
}

/* As under `ulimit -n`: the kernel refuses a poll() of more descriptors than a process may have. */
static void what_cannot_be_waited_for_ends_all_the_same(void **state)
{
	struct rlimit before, few;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	open_store();
	few = before;
	few.rlim_cur = 0;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	/* A thread that does not see its end would be waited for without one. */
	alarm(60);
	naohw_store_close(store);
	alarm(0);
	store = NULL;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
}

static void any_frames_are_as_their_model(void **state)
{
	(void)state;
	each_seed(SEEDS, any_frames);
}

int main(void)
{
#define FEED_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
	const struct CMUnitTest tests[] = {
		FEED_TEST(keys_have_slots_in_their_order),
		FEED_TEST(values_are_those_of_the_keys),
		FEED_TEST(each_joint_has_its_own),
		FEED_TEST(what_no_frame_has_is_absent_at_first),
		FEED_TEST(frames_know_what_they_have),
		FEED_TEST(constants_are_there_at_once),
		FEED_TEST(more_keys_are_among_the_others),
		FEED_TEST(what_is_put_stays),
		FEED_TEST(who_is_silent_is_stale),
		FEED_TEST(an_answer_is_no_later_than_it_was),
		FEED_TEST(who_was_silent_before_is_as_old_as_he_says),
		FEED_TEST(who_never_answers_is_absent),
		FEED_TEST(a_fault_is_told_while_it_is_new),
		FEED_TEST(what_is_read_seldom_is_absent_before),
		FEED_TEST(without_a_frame_all_is_stale),
		FEED_TEST(a_frame_from_before_is_taken),
		FEED_TEST(the_loop_allocates_nothing),
		FEED_TEST(what_cannot_be_waited_for_ends_all_the_same),
		FEED_TEST(any_frames_are_as_their_model),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
