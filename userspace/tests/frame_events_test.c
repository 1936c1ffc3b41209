// SPDX-License-Identifier: LGPL-2.1-or-later
/* Frames in an event loop, and waits that somebody else ends. */
#include "support.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "allocations.h"
#include "fake_iio.h"

#define MS	 ((int64_t)1000000)
#define START	 ((int64_t)5000 * MS)
#define BODY	 16 /* of one servo, with what fills it up */
#define LONG	 600000
#define ATTEMPTS 100000

static const char *const labels[] = { "HeadYaw", "LKneePitch" };

static struct naohw_robot *robot;
static struct naohw_frame *frame;

static void open_robot(void)
{
	assert_int_equal(naohw_robot_open(PLAIN_ROBOT, NULL, &robot, NULL), 0);
}

static int setup(void **state)
{
	(void)state;
	fake_reset();
	fake_state(0, labels, 1, 100);
	fake_state(1, labels + 1, 1, 100);
	open_robot();
	frame = NULL;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	naohw_frame_close(frame);
	naohw_robot_close(robot);
	return 0;
}

static void open_frame(unsigned int timeout_ms, int newest)
{
	struct naohw_frame_settings *settings;
	struct naohw_error err;

	assert_int_equal(naohw_frame_settings_new(&settings), 0);
	naohw_frame_settings_set_timeout(settings, timeout_ms);
	naohw_frame_settings_set_newest(settings, newest);
	if (naohw_frame_open(robot, settings, &frame, &err) < 0)
		fail_msg("%s", err.message);
	naohw_frame_settings_free(settings);
}

/* Its only servo is at this count. */
static void add_frame(unsigned int bus, int count, int64_t time)
{
	unsigned char bytes[BODY + sizeof(time)] = { (unsigned char)count };

	memcpy(bytes + BODY, &time, sizeof(time));
	fake_frame(bus, bytes, sizeof(bytes));
}

static bool is_readable(void)
{
	struct pollfd pollfd = { .events = POLLIN };

	assert_int_equal(naohw_frame_fd(frame, &pollfd.fd), 0);
	return poll(&pollfd, 1, 0) == 1;
}

static void check_position(size_t joint, int count)
{
	double value;

	assert_int_equal(naohw_frame_get(frame, joint, NAOHW_QUANTITY_POSITION, &value), 0);
	assert_near(value, (count - 512) * 0.005, 1e-9);
}

/* ---- event loops ---- */

static void a_bus_that_has_one_wakes_once(void **state)
{
	(void)state;
	open_frame(LONG, 0);
	assert_false(is_readable());
	assert_int_equal(naohw_frame_try_read(frame, NULL), -EAGAIN);
	add_frame(1, 50, START);
	assert_true(is_readable());
	assert_true(is_readable()); /* as long as nobody has looked */
	for (int i = 0; i < 3; i++) {
		assert_int_equal(naohw_frame_try_read(frame, NULL), -EAGAIN);
		assert_false(is_readable());
	}
	assert_int_equal(naohw_frame_count(frame), 0);
	add_frame(0, 40, START);
	assert_true(is_readable());
	assert_int_equal(naohw_frame_try_read(frame, NULL), 0);
	check_position(0, 40);
	check_position(1, 50);
	assert_int_equal(naohw_frame_count(frame), 1);
	assert_false(is_readable());
	assert_int_equal(naohw_frame_try_read(frame, NULL), -EAGAIN);
	check_position(0, 40);
}

/* Each wakes anew for its next one, in whatever order they come. */
static void all_wake_again(void **state)
{
	(void)state;
	open_frame(LONG, 0);
	for (int i = 0; i < 6; i++) {
		add_frame(i % 2, 40 + i, START + 10 * i * MS);
		assert_true(is_readable());
		assert_int_equal(naohw_frame_try_read(frame, NULL), -EAGAIN);
		assert_false(is_readable());
		add_frame(!(i % 2), 60 + i, START + 10 * i * MS);
		assert_true(is_readable());
		assert_int_equal(naohw_frame_try_read(frame, NULL), 0);
	}
	assert_int_equal(naohw_frame_count(frame), 6);
}

static void a_wait_between_does_not_matter(void **state)
{
	(void)state;
	open_frame(LONG, 0);
	add_frame(0, 40, START);
	assert_int_equal(naohw_frame_try_read(frame, NULL), -EAGAIN);
	add_frame(1, 50, START);
	assert_int_equal(naohw_frame_read(frame, NULL), 0);
	assert_false(is_readable());
	add_frame(0, 41, START + 10 * MS);
	assert_true(is_readable());
}

/* One that has more than one is not waited for either. */
static void what_is_left_wakes(void **state)
{
	(void)state;
	open_frame(LONG, 0);
	for (int i = 0; i < 2; i++) {
		add_frame(0, 40 + i, START + 10 * i * MS);
		add_frame(1, 50 + i, START + 10 * i * MS);
	}
	assert_int_equal(naohw_frame_try_read(frame, NULL), 0);
	assert_true(is_readable());
	assert_int_equal(naohw_frame_try_read(frame, NULL), 0);
	check_position(0, 41);
	assert_false(is_readable());
}

static void the_newest_is_taken(void **state)
{
	(void)state;
	open_frame(LONG, 1);
	for (int i = 0; i < 4; i++) {
		add_frame(0, 40 + i, START + 10 * i * MS);
		add_frame(1, 50 + i, START + 10 * i * MS);
	}
	assert_int_equal(naohw_frame_try_read(frame, NULL), 0);
	check_position(0, 43);
	check_position(1, 53);
	assert_int_equal(naohw_frame_skipped(frame), 6);
	assert_false(is_readable());
	assert_int_equal(naohw_frame_try_read(frame, NULL), -EAGAIN);
}

static void buses_come_into_step(void **state)
{
	(void)state;
	open_frame(LONG, 0);
	add_frame(0, 40, START);
	add_frame(0, 41, START + 10 * MS);
	add_frame(1, 51, START + 14 * MS);
	assert_int_equal(naohw_frame_try_read(frame, NULL), 0);
	check_position(0, 41);
	check_position(1, 51);
}

/* What is to come is not waited for, and what has come waits for it. */
static void the_one_behind_comes_later(void **state)
{
	(void)state;
	open_frame(LONG, 0);
	add_frame(0, 40, START);
	add_frame(1, 51, START + 14 * MS);
	assert_int_equal(naohw_frame_try_read(frame, NULL), -EAGAIN);
	assert_int_equal(naohw_frame_count(frame), 0);
	assert_int_equal(fake_longest_poll(), 0);
	assert_int_equal(naohw_frame_skipped(frame), 1);
	add_frame(0, 42, START + 20 * MS);
	add_frame(1, 52, START + 24 * MS);
	assert_int_equal(naohw_frame_try_read(frame, NULL), 0);
	check_position(0, 42);
	check_position(1, 51);
	assert_int_equal(naohw_frame_skipped(frame), 1);
}

/* Who wants all frames loses none of a bus that is ahead, and is not woken by it for ever. */
static void the_one_ahead_is_let_be(void **state)
{
	(void)state;
	open_frame(20, 0);
	for (int i = 0; i < 3; i++)
		add_frame(0, 40 + i, START + 10 * i * MS);
	assert_int_equal(naohw_frame_read(frame, NULL), -ETIMEDOUT);
	assert_true(fake_polls() < 20);
	assert_false(is_readable());
	for (int i = 0; i < 3; i++) {
		add_frame(1, 50 + i, START + 10 * i * MS);
		assert_int_equal(naohw_frame_read(frame, NULL), 0);
		check_position(0, 40 + i);
		check_position(1, 50 + i);
	}
	assert_int_equal(naohw_frame_lost(frame) + naohw_frame_skipped(frame), 0);
}

static void what_was_let_be_is_taken_when_it_is_wanted(void **state)
{
	(void)state;
	open_frame(LONG, 0);
	add_frame(0, 40, START);
	add_frame(0, 41, START + 10 * MS);
	assert_int_equal(naohw_frame_try_read(frame, NULL), -EAGAIN);
	assert_false(is_readable());
	add_frame(1, 51, START + 14 * MS);
	assert_int_equal(naohw_frame_try_read(frame, NULL), 0);
	check_position(0, 41);
	check_position(1, 51);
}

/* And who wants the newest has that. */
static void the_newest_of_the_one_ahead_is_taken(void **state)
{
	(void)state;
	open_frame(20, 1);
	add_frame(0, 40, START);
	assert_int_equal(naohw_frame_try_read(frame, NULL), -EAGAIN);
	add_frame(0, 41, START + 10 * MS);
	assert_int_equal(naohw_frame_read(frame, NULL), -ETIMEDOUT);
	add_frame(1, 51, START + 10 * MS);
	assert_int_equal(naohw_frame_read(frame, NULL), 0);
	check_position(0, 41);
	check_position(1, 51);
	assert_int_equal(naohw_frame_skipped(frame), 1);
}

/* ---- what it costs ---- */

/* Younger than a period, and older, however long a test takes */
#define YOUNG (INT64_MAX / 2)
#define OLD   MS

static unsigned int polls, refills;

static void begin_counting(void)
{
	polls = fake_polls();
	refills = fake_refills(0) + fake_refills(1);
}

static void check_cost(unsigned int polled, unsigned int refilled)
{
	assert_int_equal(fake_polls() - polls, polled);
	assert_int_equal(fake_refills(0) + fake_refills(1) - refills, refilled);
}

static void a_frame_costs_one_wait_and_one_reading_a_bus(void **state)
{
	(void)state;
	for (int newest = 0; newest < 2; newest++) {
		open_frame(LONG, newest);
		for (int i = 0; i < 4; i++) {
			add_frame(0, 40 + i, YOUNG);
			add_frame(1, 50 + i, YOUNG);
			begin_counting();
			if (i % 2)
				assert_int_equal(naohw_frame_read(frame, NULL), 0);
			else
				assert_int_equal(naohw_frame_try_read(frame, NULL), 0);
			check_cost(1, 2);
			check_position(0, 40 + i);
			check_position(1, 50 + i);
		}
		naohw_frame_close(frame);
		frame = NULL;
	}
}

/* As many waits as there are times at which they come, and no more readings. */
static void buses_out_of_step_cost_a_wait_each(void **state)
{
	(void)state;
	open_frame(LONG, 1);
	add_frame(0, 40, YOUNG);
	add_frame(1, 50, YOUNG);
	fake_frames_wait(1, 50);
	begin_counting();
	assert_int_equal(naohw_frame_read(frame, NULL), 0);
	/* Where this was slow they come at one time. */
	assert_in_range(fake_polls() - polls, 1, 2);
	assert_int_equal(fake_refills(0) + fake_refills(1) - refills, 2);
}

/* Only one who is late asks whether there is more. */
static void who_is_late_looks_for_more(void **state)
{
	(void)state;
	open_frame(LONG, 1);
	for (int i = 0; i < 3; i++) {
		add_frame(0, 40 + i, OLD + 10 * i * MS);
		add_frame(1, 50 + i, OLD + 10 * i * MS);
	}
	begin_counting();
	assert_int_equal(naohw_frame_read(frame, NULL), 0);
	check_cost(1, 8);
	check_position(0, 42);
	check_position(1, 52);
	/* By a clock that is not ours nobody tells how old it is. */
	naohw_frame_close(frame);
	fake_device_fail("dxl0-state", "current_timestamp_clock", -EBUSY);
	fake_device_fail("dxl1-state", "current_timestamp_clock", -EBUSY);
	open_frame(LONG, 1);
	add_frame(0, 43, YOUNG);
	add_frame(1, 53, YOUNG);
	begin_counting();
	assert_int_equal(naohw_frame_read(frame, NULL), 0);
	check_cost(1, 4);
}

static void a_frame_that_fails_is_told(void **state)
{
	struct naohw_error err;

	(void)state;
	open_frame(LONG, 0);
	fake_frame_error(0, -EIO);
	add_frame(1, 50, START);
	assert_true(is_readable());
	assert_int_equal(naohw_frame_try_read(frame, &err), -EIO);
	assert_says(&err, "dxl0-state: cannot read a frame");
}

/* The kernel does not always wake who waits for it; but who asks is told, in the end. */
static void a_bus_that_is_gone_is_told(void **state)
{
	struct naohw_error err;
	int ret = -EAGAIN;

	(void)state;
	open_frame(1, 0);
	add_frame(0, 40, START);
	fake_device_remove("dxl1-state", "current_timestamp_clock");
	for (int i = 0; i < ATTEMPTS && ret == -EAGAIN; i++)
		ret = naohw_frame_try_read(frame, &err);
	assert_int_equal(ret, -ENODEV);
	assert_says(&err, "dxl1-state: the bus is gone");
}

/* That its frame was seen once does not keep it there. */
static void a_bus_that_goes_when_it_was_seen_is_told(void **state)
{
	struct naohw_error err;
	int ret = -EAGAIN;

	(void)state;
	open_frame(1, 0);
	add_frame(0, 40, START);
	assert_int_equal(naohw_frame_try_read(frame, NULL), -EAGAIN);
	fake_device_remove("dxl0-state", "current_timestamp_clock");
	for (int i = 0; i < ATTEMPTS && ret == -EAGAIN; i++)
		ret = naohw_frame_try_read(frame, &err);
	assert_int_equal(ret, -ENODEV);
	assert_says(&err, "dxl0-state: the bus is gone");
}

/* After the time-out it is looked whether it is gone, which it is not. */
static void a_late_bus_is_no_error(void **state)
{
	(void)state;
	open_frame(1, 0);
	add_frame(0, 40, START);
	for (int i = 0; i < 3; i++) {
		usleep(1500);
		assert_int_equal(naohw_frame_try_read(frame, NULL), -EAGAIN);
	}
	add_frame(1, 50, START);
	assert_int_equal(naohw_frame_try_read(frame, NULL), 0);
}

static void the_descriptor_is_the_frames(void **state)
{
	int fd, again;

	(void)state;
	open_frame(LONG, 0);
	assert_int_equal(naohw_frame_fd(frame, &fd), 0);
	assert_int_equal(naohw_frame_fd(frame, &again), 0);
	assert_int_equal(fd, again);
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	naohw_frame_close(frame);
	frame = NULL;
	assert_int_equal(fcntl(fd, F_GETFD), -1);
}

/* ---- cancelling ---- */

static void check_cancelled(int ret, const struct naohw_error *err)
{
	assert_int_equal(ret, -ECANCELED);
	assert_says(err, "cancelled");
}

static void check_reading_goes_on(void)
{
	add_frame(0, 40, START);
	add_frame(1, 50, START);
	assert_int_equal(naohw_frame_read(frame, NULL), 0);
	check_position(0, 40);
}

static void who_cancels_first_ends_the_next_wait(void **state)
{
	struct naohw_error err;

	(void)state;
	open_frame(LONG, 0);
	naohw_frame_cancel(frame);
	check_cancelled(naohw_frame_read(frame, &err), &err);
	check_reading_goes_on();
}

static void twice_is_once(void **state)
{
	struct naohw_error err;

	(void)state;
	open_frame(LONG, 0);
	naohw_frame_cancel(frame);
	naohw_frame_cancel(frame);
	check_cancelled(naohw_frame_read(frame, &err), &err);
	check_reading_goes_on();
}

/* Nothing is taken, so nothing is lost. */
static void frames_stay_where_they_are(void **state)
{
	struct naohw_error err;

	(void)state;
	open_frame(LONG, 0);
	add_frame(0, 40, START);
	add_frame(1, 50, START);
	naohw_frame_cancel(frame);
	check_cancelled(naohw_frame_read(frame, &err), &err);
	assert_int_equal(fake_frames_read(0) + fake_frames_read(1), 0);
	assert_int_equal(naohw_frame_read(frame, NULL), 0);
	assert_int_equal(naohw_frame_lost(frame), 0);
}

static void an_event_loop_is_woken(void **state)
{
	struct naohw_error err;

	(void)state;
	open_frame(LONG, 0);
	naohw_frame_cancel(frame);
	assert_true(is_readable());
	check_cancelled(naohw_frame_try_read(frame, &err), &err);
	assert_false(is_readable());
	assert_int_equal(naohw_frame_try_read(frame, NULL), -EAGAIN);
}

static void *cancel(void *arg)
{
	usleep(20000);
	naohw_frame_cancel(arg);
	return NULL;
}

/* A bus that has its frame must not keep the other's wait from ending. */
static void another_thread_ends_a_wait(void **state)
{
	struct naohw_error err;
	pthread_t thread;

	(void)state;
	open_frame(LONG, 0);
	add_frame(0, 40, START);
	assert_int_equal(pthread_create(&thread, NULL, cancel, frame), 0);
	check_cancelled(naohw_frame_read(frame, &err), &err);
	assert_int_equal(pthread_join(thread, NULL), 0);
	/* It has still that one. */
	add_frame(1, 50, START);
	assert_int_equal(naohw_frame_read(frame, NULL), 0);
	check_position(0, 40);
}

static void cancel_in_handler(int number)
{
	(void)number;
	naohw_frame_cancel(frame);
}

static void a_signal_handler_ends_a_wait(void **state)
{
	const struct itimerval soon = { .it_value = { 0, 20000 } };
	const struct sigaction action = { .sa_handler = cancel_in_handler };
	struct naohw_error err;

	(void)state;
	open_frame(LONG, 0);
	assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
	assert_int_equal(setitimer(ITIMER_REAL, &soon, NULL), 0);
	check_cancelled(naohw_frame_read(frame, &err), &err);
}

/* ---- over the network ---- */

static void over_the_network_there_is_no_descriptor(void **state)
{
	int fd = 77;

	(void)state;
	fake_remote();
	naohw_robot_close(robot);
	open_robot();
	open_frame(LONG, 0);
	assert_int_equal(naohw_frame_fd(frame, &fd), -EOPNOTSUPP);
	assert_int_equal(fd, 77);
	add_frame(0, 40, START);
	add_frame(1, 50, START);
	assert_int_equal(naohw_frame_try_read(frame, NULL), 0);
	check_position(1, 50);
}

static void cancel_meanwhile(void)
{
	naohw_frame_cancel(frame);
}

/* libiio waits where nobody can wake it. */
static void over_the_network_a_wait_ends_with_its_time(void **state)
{
	struct naohw_error err;

	(void)state;
	fake_remote();
	naohw_robot_close(robot);
	open_robot();
	open_frame(5, 0);
	fake_on_frame(cancel_meanwhile);
	check_cancelled(naohw_frame_read(frame, &err), &err);
	fake_on_frame(NULL);
	assert_int_equal(naohw_frame_read(frame, NULL), -ETIMEDOUT);
	/* One that has not begun does not begin. */
	add_frame(0, 40, START);
	add_frame(1, 50, START);
	naohw_frame_cancel(frame);
	check_cancelled(naohw_frame_read(frame, &err), &err);
	assert_int_equal(fake_frames_read(0), 0);
	assert_int_equal(naohw_frame_read(frame, NULL), 0);
}

static void the_loop_allocates_nothing(void **state)
{
	unsigned int before, read = 0;

	(void)state;
	open_frame(LONG, 0);
	before = allocations();
	assert_true(before > 0); /* or nothing is counted at all */
	for (int i = 0; i < 60; i++) {
		add_frame(i % 3 == 0, i, START + i / 2 * 10 * MS);
		add_frame(i % 3 != 0, i, START + i / 2 * 10 * MS);
		while (is_readable())
			read += naohw_frame_try_read(frame, NULL) == 0;
		naohw_frame_cancel(frame);
		assert_int_equal(naohw_frame_try_read(frame, NULL), -ECANCELED);
	}
	assert_int_equal(read, 60);
	assert_int_equal(allocations(), before);
}

int main(void)
{
#define EVENTS_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
	const struct CMUnitTest tests[] = {
		EVENTS_TEST(a_bus_that_has_one_wakes_once),
		EVENTS_TEST(all_wake_again),
		EVENTS_TEST(a_wait_between_does_not_matter),
		EVENTS_TEST(what_is_left_wakes),
		EVENTS_TEST(the_newest_is_taken),
		EVENTS_TEST(buses_come_into_step),
		EVENTS_TEST(the_one_behind_comes_later),
		EVENTS_TEST(the_one_ahead_is_let_be),
		EVENTS_TEST(what_was_let_be_is_taken_when_it_is_wanted),
		EVENTS_TEST(the_newest_of_the_one_ahead_is_taken),
		EVENTS_TEST(a_frame_costs_one_wait_and_one_reading_a_bus),
		EVENTS_TEST(buses_out_of_step_cost_a_wait_each),
		EVENTS_TEST(who_is_late_looks_for_more),
		EVENTS_TEST(a_frame_that_fails_is_told),
		EVENTS_TEST(a_bus_that_is_gone_is_told),
		EVENTS_TEST(a_bus_that_goes_when_it_was_seen_is_told),
		EVENTS_TEST(a_late_bus_is_no_error),
		EVENTS_TEST(the_descriptor_is_the_frames),
		EVENTS_TEST(who_cancels_first_ends_the_next_wait),
		EVENTS_TEST(twice_is_once),
		EVENTS_TEST(frames_stay_where_they_are),
		EVENTS_TEST(an_event_loop_is_woken),
		EVENTS_TEST(another_thread_ends_a_wait),
		EVENTS_TEST(a_signal_handler_ends_a_wait),
		EVENTS_TEST(over_the_network_there_is_no_descriptor),
		EVENTS_TEST(over_the_network_a_wait_ends_with_its_time),
		EVENTS_TEST(the_loop_allocates_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
