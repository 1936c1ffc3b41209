// SPDX-License-Identifier: LGPL-2.1-or-later
/* The period is set for all buses or for none, also while another thread reads frames. */
#include "support.h"

#include <pthread.h>

#include "fake_iio.h"
#include "frame/frame.h"

#define MS	((int64_t)1000000)
#define BODY	16 /* of one servo, with what fills it up */
#define TRIGGER "sampling_frequency"
/* Before anything that a test does, and after it */
#define PAST	MS
#define FUTURE	(INT64_MAX / 2)

static const char *const labels[] = { "HeadYaw", "LKneePitch" };

static struct naohw_robot *robot;
static struct naohw_frame *frame;

static void open_frame(void)
{
	struct naohw_error err;

	assert_int_equal(naohw_robot_open(PLAIN_ROBOT, NULL, &robot, NULL), 0);
	if (naohw_frame_open(robot, NULL, &frame, &err) < 0)
		fail_msg("%s", err.message);
}

static int setup(void **state)
{
	(void)state;
	fake_reset();
	fake_state(0, labels, 1, 100);
	fake_state(1, labels + 1, 1, 100);
	open_frame();
	return 0;
}

static void close_all(void)
{
	naohw_frame_close(frame);
	naohw_robot_close(robot);
}

static int teardown(void **state)
{
	(void)state;
	close_all();
	return 0;
}

static void set(int64_t ns)
{
	struct naohw_error err;

	if (frame_set_period(frame, ns, &err) < 0)
		fail_msg("%s", err.message);
}

static void check_refused(int64_t ns, int code, const char *says)
{
	struct naohw_error err;

	assert_int_equal(frame_set_period(frame, ns, &err), code);
	assert_says(&err, says);
	assert_int_equal(naohw_frame_period(frame), 10 * MS);
}

static void check_frequency(const char *first, const char *second)
{
	assert_string_equal(fake_device_get("dxl0-cycle", TRIGGER), first);
	assert_string_equal(fake_device_get("dxl1-cycle", TRIGGER), second);
}

static void read_at(int64_t time)
{
	unsigned char bytes[BODY + sizeof(time)] = { 0 };

	memcpy(bytes + BODY, &time, sizeof(time));
	fake_frame(0, bytes, sizeof(bytes));
	fake_frame(1, bytes, sizeof(bytes));
	assert_int_equal(naohw_frame_read(frame, NULL), 0);
}

static void all_buses_get_it(void **state)
{
	(void)state;
	set(5 * MS);
	check_frequency("200.000000", "200.000000");
	assert_int_equal(naohw_frame_period(frame), 5 * MS);
	set(1000 * MS);
	check_frequency("1.000000", "1.000000");
	assert_int_equal(naohw_frame_period(frame), 1000 * MS);
}

/* As the kernel reads it: whole microhertz, and down to whole microseconds */
static long kernel_us(const char *frequency)
{
	long hz, uhz;

	assert_int_equal(sscanf(frequency, "%ld.%6ld", &hz, &uhz), 2);
	return 1000000000000 / (hz * 1000000 + uhz);
}

static void the_kernel_finds_each_microsecond(void **state)
{
	(void)state;
	for (long us = 1001; us < 1000000; us += 997) {
		set(us * 1000 + us % 999 - 499);
		assert_int_equal(kernel_us(fake_device_get("dxl0-cycle", TRIGGER)), us);
		assert_near((double)naohw_frame_period(frame), (double)us * 1000, 1000);
	}
}

static void what_is_no_period_is_refused(void **state)
{
	(void)state;
	check_refused(MS - 1, -ERANGE, "a period of 0.999999 ms, expected 1 to 1000");
	check_refused(1000 * MS + 1, -ERANGE, "expected 1 to 1000");
	check_refused(0, -ERANGE, "a period of 0 ms");
	check_refused(-5, -ERANGE, "expected 1 to 1000");
	check_frequency("100\n", "100\n");
}

static void what_does_not_fit_on_one_is_for_none(void **state)
{
	(void)state;
	fake_device_set("dxl0-cycle", TRIGGER, "99.987654\n");
	fake_device_fail("dxl1-cycle", TRIGGER, -ENOSPC);
	check_refused(5 * MS, -ENOSPC, "dxl1: what is read and sent in a period does not fit into "
				       "5 ms");
	check_frequency("99.987654", "100\n");
}

static void without_a_frequency_there_is_none_to_set(void **state)
{
	(void)state;
	fake_device_remove("dxl1-cycle", TRIGGER);
	check_refused(5 * MS, -EOPNOTSUPP, "dxl1-state: its trigger has no frequency");
	assert_string_equal(fake_device_get("dxl0-cycle", TRIGGER), "100");
}

/* Whatever it was asked for meanwhile */
static void buses_have_the_first_again_at_the_end(void **state)
{
	(void)state;
	set(5 * MS);
	set(20 * MS);
	naohw_frame_close(frame);
	frame = NULL;
	check_frequency("100", "100");
}

static void what_somebody_else_has_set_since_stays(void **state)
{
	(void)state;
	set(5 * MS);
	fake_device_set("dxl1-cycle", TRIGGER, "25\n");
	naohw_frame_close(frame);
	frame = NULL;
	check_frequency("100", "25\n");
}

/* In Hz, the one that needs the most is the one with the lowest. */
static void what_the_slowest_bus_needs_is_told(void **state)
{
	(void)state;
	assert_int_equal(frame_needed(frame), 0);
	fake_device_set("dxl0-cycle", TRIGGER "_available", "[1 0.000001 200]\n");
	assert_int_equal(frame_needed(frame), 0);
	fake_device_set("dxl1-cycle", TRIGGER "_available", "[1 0.000001 66.666666]\n");
	assert_near((double)frame_needed(frame), 15 * MS, 1000);
	fake_device_set("dxl1-cycle", TRIGGER "_available", "10 20 50\n");
	assert_int_equal(frame_needed(frame), 0);
	fake_device_set("dxl1-cycle", TRIGGER "_available", "[1 0.000001 0]\n");
	assert_int_equal(frame_needed(frame), 0);
}

/* Another one's trigger may have its number. */
static void a_bus_that_is_gone_is_told(void **state)
{
	(void)state;
	close_all();
	open_frame();
	fake_replug("dxl1-state");
	check_refused(5 * MS, -ENODEV, "dxl1-state: a period of 5 ms: not there");
	check_frequency("100", "100\n");
}

/* The beat that is on its way is the last of those before. */
static void nothing_is_lost_by_it(void **state)
{
	static const int64_t periods[] = { 5, 50, 10, 20, 3 };
	int64_t time = PAST, before = 10;

	(void)state;
	read_at(time);
	for (size_t i = 0; i < sizeof(periods) / sizeof(periods[0]); i++) {
		set(periods[i] * MS);
		time += before * MS;
		before = periods[i];
		read_at(time);
	}
	assert_int_equal(naohw_frame_lost(frame), 0);
}

static void what_is_lost_is_counted_by_it(void **state)
{
	(void)state;
	set(50 * MS);
	read_at(FUTURE);
	read_at(FUTURE + 50 * MS);
	assert_int_equal(naohw_frame_lost(frame), 0);
	read_at(FUTURE + 150 * MS);
	assert_int_equal(naohw_frame_lost(frame), 2);
	set(10 * MS);
	read_at(FUTURE + 200 * MS);
	assert_int_equal(naohw_frame_lost(frame), 2 + 8);
}

static void a_wait_is_as_long_as_it_needs(void **state)
{
	(void)state;
	assert_int_equal(frame_timeout_ms(frame), 1000);
	set(1000 * MS);
	assert_int_equal(frame_timeout_ms(frame), 4000);
}

static void *set_often(void *stop)
{
	int64_t ns = 0;

	while (!atomic_load((_Atomic bool *)stop)) {
		ns = (ns + 7 * MS) % (900 * MS);
		set(10 * MS + ns);
	}
	return NULL;
}

/* To be seen by ThreadSanitizer */
static void another_thread_may_set_it(void **state)
{
	_Atomic bool stop = false;
	pthread_t thread;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, set_often, &stop), 0);
	for (int i = 0; i < 1000; i++) {
		int64_t period;

		read_at(PAST + i * MS);
		period = naohw_frame_period(frame);
		assert_in_range(period, 10 * MS, 910 * MS);
	}
	atomic_store(&stop, true);
	assert_int_equal(pthread_join(thread, NULL), 0);
}

/* ---- as frames are opened ---- */

static char begun[2][32];

static void note_frequency(const char *device, int open)
{
	if (open)
		snprintf(begun[device[3] - '0'], sizeof(begun[0]), "%s",
			 fake_device_get(device[3] == '0' ? "dxl0-cycle" : "dxl1-cycle", TRIGGER));
}

static int open_with(int64_t period)
{
	struct naohw_frame_settings *settings;
	int ret;

	naohw_frame_close(frame);
	frame = NULL;
	assert_int_equal(naohw_frame_settings_new(&settings), 0);
	settings->period = period;
	ret = frame_open(robot, settings, &frame, NULL);
	naohw_frame_settings_free(settings);
	return ret;
}

/* What there is to read may not have fitted into the one before. */
static void buses_have_it_before_they_begin(void **state)
{
	(void)state;
	fake_on_buffer(note_frequency);
	assert_int_equal(open_with(20 * MS), 0);
	assert_string_equal(begun[0], "50.000000");
	assert_string_equal(begun[1], "50.000000");
	assert_int_equal(naohw_frame_period(frame), 20 * MS);
}

static void who_cannot_have_frames_leaves_it(void **state)
{
	(void)state;
	fake_device_fail("dxl1-cycle", TRIGGER, -ENOSPC);
	assert_int_equal(open_with(5 * MS), -ENOSPC);
	check_frequency("100", "100\n");
	fake_device_fail("dxl1-cycle", TRIGGER, 0);
	fake_fail_buffer(-ENOSPC);
	assert_int_equal(open_with(5 * MS), -ENOSPC);
	check_frequency("100", "100\n");
	fake_fail_buffer(0);
	naohw_robot_close(robot);
	assert_int_equal(naohw_robot_open(PLAIN_ROBOT, NULL, &robot, NULL), 0);
	fake_take("dxl0-state");
	assert_int_equal(open_with(5 * MS), -EBUSY);
	check_frequency("100", "100\n");
}

int main(void)
{
#define PERIOD_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
	const struct CMUnitTest tests[] = {
		PERIOD_TEST(all_buses_get_it),
		PERIOD_TEST(the_kernel_finds_each_microsecond),
		PERIOD_TEST(what_is_no_period_is_refused),
		PERIOD_TEST(what_does_not_fit_on_one_is_for_none),
		PERIOD_TEST(without_a_frequency_there_is_none_to_set),
		PERIOD_TEST(buses_have_the_first_again_at_the_end),
		PERIOD_TEST(what_somebody_else_has_set_since_stays),
		PERIOD_TEST(what_the_slowest_bus_needs_is_told),
		PERIOD_TEST(a_bus_that_is_gone_is_told),
		PERIOD_TEST(nothing_is_lost_by_it),
		PERIOD_TEST(what_is_lost_is_counted_by_it),
		PERIOD_TEST(a_wait_is_as_long_as_it_needs),
		PERIOD_TEST(another_thread_may_set_it),
		PERIOD_TEST(buses_have_it_before_they_begin),
		PERIOD_TEST(who_cannot_have_frames_leaves_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
