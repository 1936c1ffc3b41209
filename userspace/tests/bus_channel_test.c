// SPDX-License-Identifier: LGPL-2.1-or-later
/* Channels of a device that stands for a bus: by their labels, whose they are. */
#include "support.h"

#include <iio.h>

#include "fake_iio.h"
#include "io/bus_channel.h"

#define STATE "dxl3-state"
#define GOAL  "dxl3-goal"

static struct bus_channel *channels;
static size_t count;

static int setup(void **state)
{
	(void)state;
	fake_reset();
	fake_state(3, NULL, 0, 100);
	fake_goal(3, NULL, 0);
	channels = NULL;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	free(channels);
	return 0;
}

static void read_channels(const char *name)
{
	struct iio_context *context = iio_create_local_context();
	struct device device = { .dir = -1 };

	for (unsigned int i = 0; i < iio_context_get_devices_count(context); i++) {
		struct iio_device *iio = iio_context_get_device(context, i);

		if (strcmp(iio_device_get_name(iio), name) == 0)
			device.iio = iio;
	}
	assert_non_null(device.iio);
	assert_int_equal(bus_channels_read(&device, 3, &channels, &count), 0);
}

static const struct bus_channel *channel(const char *id)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(iio_channel_get_id(channels[i].iio), id) == 0)
			return &channels[i];
	fail_msg("no channel %s", id);
	return NULL;
}

static void check(const char *id, const char *label, const char *part)
{
	assert_string_equal(channel(id)->label, label);
	assert_string_equal(channel(id)->part, part);
}

static void check_id(const char *text, const char *type, unsigned int number, const char *axis)
{
	struct channel_id id;

	assert_true(channel_id_parse(text, &id));
	assert_string_equal(id.type, type);
	assert_int_equal(id.number, number);
	assert_string_equal(id.axis, axis);
}

static void names_have_parts(void **state)
{
	static const char *const wrong[] = {
		"", "0", "_x", "7_x", "angl0-angl1", "angl0x", "angl0_axis_without_end",
		"sixteenletterstp0",
	};
	struct channel_id id;

	(void)state;
	check_id("angl0", "angl", 0, "");
	check_id("anglvel201_x", "anglvel", 201, "x");
	check_id("anglvel_x", "anglvel", 0, "x");
	check_id("timestamp", "timestamp", 0, "");
	check_id("count", "count", 0, "");
	check_id("intensity_light_red", "intensity", 0, "light_red");
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		if (channel_id_parse(wrong[i], &id))
			fail_msg("\"%s\" is taken for a channel", wrong[i]);
}

static void a_label_may_have_blanks(void **state)
{
	(void)state;
	fake_channel(STATE, "in_angl4", "left arm\n", 16);
	fake_channel(STATE, "in_count4", "left arm load\n", 16);
	fake_channel(STATE, "in_count260", "left arm age\n", 8);
	read_channels(STATE);
	assert_int_equal(count, 3);
	check("angl4", "left arm", "");
	check("count4", "left arm", "load");
	check("count260", "left arm", "age");
	assert_true(bus_channel_is_of_servo(channel("angl4")));
	assert_false(bus_channel_is_of_servo(channel("count4")));
}

/* Of what begins alike the longest is meant, whichever comes first. */
static void a_label_may_begin_another(void **state)
{
	(void)state;
	fake_channel(STATE, "in_count1", "left load\n", 16);
	fake_channel(STATE, "in_count2", "left arm load\n", 16);
	fake_channel(STATE, "in_count257", "left age\n", 8);
	fake_channel(STATE, "in_count258", "left arm age\n", 8);
	fake_channel(STATE, "in_angl5", "LHand\n", 16);
	fake_channel(STATE, "in_voltage6", "LHandTouch electrode0\n", 8);
	fake_channel(STATE, "in_count261", "LHand age\n", 8);
	fake_channel(STATE, "in_count262", "LHandTouch age\n", 8);
	fake_channel(STATE, "in_voltage7", "LHandle electrode0\n", 8);
	read_channels(STATE);
	check("count1", "left", "load");
	check("count2", "left arm", "load");
	check("angl5", "LHand", "");
	check("voltage6", "LHandTouch", "electrode0");
	check("count262", "LHandTouch", "age");
	/* Its kernel is an old one, and gives no age. */
	check("voltage7", "LHandle electrode0", "");
}

static void a_board_has_axes(void **state)
{
	(void)state;
	fake_channel(STATE, "in_anglvel201_x", "InertialSensor\n", 16);
	fake_channel(STATE, "in_accel201_z", "InertialSensor accelerometer z\n", 16);
	fake_channel(STATE, "in_count457", "InertialSensor age\n", 8);
	read_channels(STATE);
	check("anglvel201_x", "InertialSensor", "");
	check("accel201_z", "InertialSensor", "accelerometer z");
	assert_string_equal(channel("anglvel201_x")->id.axis, "x");
	/* A speed alone would be a servo's. */
	assert_false(bus_channel_is_of_servo(channel("anglvel201_x")));
}

/* The kernel's own name for the servo stands in. */
static void without_a_label_the_number_is_one(void **state)
{
	(void)state;
	fake_channel(STATE, "in_angl5", NULL, 16);
	fake_channel(STATE, "in_anglvel5", NULL, 16);
	fake_channel(STATE, "in_count5", NULL, 16);
	read_channels(STATE);
	check("angl5", "3-005", "");
	check("anglvel5", "3-005", "");
	assert_true(bus_channel_is_of_servo(channel("angl5")));
	assert_false(bus_channel_is_of_servo(channel("count5")));
}

/* That a unit has no age leaves its labels whole; they are not those of another one. */
static void without_an_age_nothing_is_cut(void **state)
{
	(void)state;
	fake_channel(STATE, "in_angl5", "left arm\n", 16);
	fake_channel(STATE, "in_count5", "left arm load\n", 16);
	fake_channel(STATE, "in_angl6", "left age\n", 16);
	read_channels(STATE);
	check("angl5", "left arm", "");
	check("count5", "left arm load", "");
	check("angl6", "left age", "");
}

static void goals_have_more_than_angles(void **state)
{
	(void)state;
	fake_channel(GOAL, "out_angl1", "LHand\n", 16);
	fake_channel(GOAL, "out_anglvel1", "LHand velocity\n", 16);
	fake_channel(GOAL, "out_count1", "LHand pwm\n", 16);
	fake_channel(GOAL, "out_angl2", "LHand left\n", 16);
	fake_channel(GOAL, "out_anglvel2", "LHand left velocity\n", 16);
	read_channels(GOAL);
	check("angl1", "LHand", "");
	check("anglvel1", "LHand", "velocity");
	check("count1", "LHand", "pwm");
	check("angl2", "LHand left", "");
	check("anglvel2", "LHand left", "velocity");
	assert_true(bus_channel_is_of_servo(channel("angl1")));
	assert_false(bus_channel_is_of_servo(channel("anglvel1")));
}

static void odd_labels_do_no_harm(void **state)
{
	static const char *const odd[] = {
		"\n", " \n", "age\n", " age\n", "  age\n", "a age age\n", "left \n", " left\n", "a\n",
		"a \n", "a  load\n", "0\n", "\t age\n",
	};
	char name[32];

	(void)state;
	for (unsigned int i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		snprintf(name, sizeof(name), i & 1 ? "in_angl%u" : "in_count%u", i);
		fake_channel(STATE, name, odd[i], 8);
		snprintf(name, sizeof(name), "in_count%u", 100 + i);
		fake_channel(STATE, name, odd[i], 8);
	}
	read_channels(STATE);
	assert_int_equal(count, 2 * sizeof(odd) / sizeof(odd[0]));
	for (size_t i = 0; i < count; i++) {
		size_t label = strlen(channels[i].label), part = strlen(channels[i].part);

		assert_true(label + part < LABEL_SIZE);
		if (part)
			assert_ptr_equal(channels[i].part, channels[i].label + label + 1);
	}
}

static void odd_names_are_left_out(void **state)
{
	(void)state;
	fake_channel(STATE, "in_7", "seven\n", 8);
	fake_channel(STATE, "in_voltage0-voltage1", "between\n", 8);
	fake_channel(STATE, "in_angl99999999999999999999", "far\n", 8);
	read_channels(STATE);
	assert_int_equal(count, 1);
	check("angl99999999999999999999", "far", "");
}

int main(void)
{
#define CHANNEL_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
	const struct CMUnitTest tests[] = {
		CHANNEL_TEST(names_have_parts),
		CHANNEL_TEST(a_label_may_have_blanks),
		CHANNEL_TEST(a_label_may_begin_another),
		CHANNEL_TEST(a_board_has_axes),
		CHANNEL_TEST(without_a_label_the_number_is_one),
		CHANNEL_TEST(without_an_age_nothing_is_cut),
		CHANNEL_TEST(goals_have_more_than_angles),
		CHANNEL_TEST(odd_labels_do_no_harm),
		CHANNEL_TEST(odd_names_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
