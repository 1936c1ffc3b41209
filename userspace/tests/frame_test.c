// SPDX-License-Identifier: LGPL-2.1-or-later
/* Frames of known bytes: what is in them, what is missing, and what a reading may not do. */
#include "support.h"

#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "allocations.h"
#include "fake_iio.h"
#include "frame/frame.h"

#define MS	 ((int64_t)1000000)
#define SERVO	 10 /* bytes of a servo in a frame of all values */
#define AGE	 8  /* where it is in these */
#define ALARM	 9
#define BODY(n)	 (((n) * SERVO + 7) / 8 * 8)
#define START	 ((int64_t)5000 * MS)
#define POSITION (1u << NAOHW_QUANTITY_POSITION)

static const char *const labels[] = { "HeadYaw", "HeadPitch", "LKneePitch" };

static struct naohw_robot *robot;
static struct naohw_frame *frame;

/* ---- frames ---- */

static void put16(unsigned char *at, int value)
{
	at[0] = (unsigned char)value;
	at[1] = (unsigned char)((unsigned int)value >> 8);
}

/* Servo i: position 100 * (i + 1) + @base, speed -3, load 250, 11.1 V, 40 C, answered. */
static size_t make_frame(unsigned char *bytes, unsigned int servos, int base, int64_t time)
{
	memset(bytes, 0, BODY(servos));
	for (unsigned int i = 0; i < servos; i++) {
		put16(bytes + i * SERVO, 100 * ((int)i + 1) + base);
		put16(bytes + i * SERVO + 2, -3);
		put16(bytes + i * SERVO + 4, 250);
		bytes[i * SERVO + 6] = 111;
		bytes[i * SERVO + 7] = 40;
	}
	memcpy(bytes + BODY(servos), &time, sizeof(time));
	return BODY(servos) + sizeof(time);
}

static void add_frame(unsigned int bus, unsigned int servos, int base, int64_t time)
{
	unsigned char bytes[128];

	fake_frame(bus, bytes, make_frame(bytes, servos, base, time));
}

static int setup(void **state)
{
	(void)state;
	fake_reset();
	fake_servo("HeadYaw");
	fake_servo("HeadPitch");
	fake_state(0, labels, 2, 100);
	fake_state(1, labels + 2, 1, 100);
	assert_int_equal(naohw_robot_open(PLAIN_ROBOT, NULL, &robot, NULL), 0);
	frame = NULL;
	return 0;
}

/* One bus only, for what has nothing to do with several. */
static int setup_one(void **state)
{
	(void)state;
	fake_reset();
	fake_servo("HeadYaw");
	fake_servo("HeadPitch");
	fake_state(0, labels, 2, 100);
	assert_int_equal(naohw_robot_open(PLAIN_ROBOT, NULL, &robot, NULL), 0);
	frame = NULL;
	return 0;
}

/* What there is has changed since the robot was opened. */
static void reopen(void)
{
	naohw_robot_close(robot);
	assert_int_equal(naohw_robot_open(PLAIN_ROBOT, NULL, &robot, NULL), 0);
}

static int teardown(void **state)
{
	(void)state;
	naohw_frame_close(frame);
	naohw_robot_close(robot);
	return 0;
}

/* As settings, for initialisers; what is not above 0 is not said */
struct options {
	unsigned int quantities;
	unsigned int depth;
	unsigned int timeout_ms;
	int newest;
};

static int try_frame(const struct options *options, struct naohw_error *err)
{
	struct naohw_frame_settings *settings;
	int ret;

	if (!options)
		return naohw_frame_open(robot, NULL, &frame, err);
	assert_int_equal(naohw_frame_settings_new(&settings), 0);
	naohw_frame_settings_set_quantities(settings, options->quantities);
	if (options->depth)
		naohw_frame_settings_set_depth(settings, options->depth);
	if (options->timeout_ms)
		naohw_frame_settings_set_timeout(settings, options->timeout_ms);
	naohw_frame_settings_set_newest(settings, options->newest);
	ret = naohw_frame_open(robot, settings, &frame, err);
	naohw_frame_settings_free(settings);
	return ret;
}

static void open_frame(const struct options *options)
{
	struct naohw_error err;

	if (try_frame(options, &err) < 0)
		fail_msg("%s", err.message);
}

static void read_frame(void)
{
	struct naohw_error err;

	if (naohw_frame_read(frame, &err) < 0)
		fail_msg("%s", err.message);
}

static void check_read_fails(int code, const char *says)
{
	struct naohw_error err;

	assert_int_equal(naohw_frame_read(frame, &err), code);
	assert_says(&err, says);
}

struct joint_state {
	double position;
	double speed;
	double load;
	double current;
	double voltage;
	double temperature;
	double age;
	double alarm;
};

static double get(size_t joint, enum naohw_quantity quantity)
{
	double value;

	assert_int_equal(naohw_frame_get(frame, joint, quantity, &value), 0);
	return value;
}

static struct joint_state joint(size_t index)
{
	return (struct joint_state){
		.position = get(index, NAOHW_QUANTITY_POSITION),
		.speed = get(index, NAOHW_QUANTITY_SPEED),
		.load = get(index, NAOHW_QUANTITY_LOAD),
		.current = get(index, NAOHW_QUANTITY_CURRENT),
		.voltage = get(index, NAOHW_QUANTITY_VOLTAGE),
		.temperature = get(index, NAOHW_QUANTITY_TEMPERATURE),
		.age = get(index, NAOHW_QUANTITY_AGE),
		.alarm = get(index, NAOHW_QUANTITY_ALARM),
	};
}

static bool is_in_frames(const char *label)
{
	size_t index;

	return naohw_robot_find_joint(robot, label, &index) == 0 &&
	       naohw_frame_has(frame, index, NAOHW_QUANTITY_AGE);
}

static void check_place(size_t index, const char *label, unsigned int bus, unsigned int id)
{
	unsigned int found_bus, found_id;

	assert_string_equal(naohw_joint_label(robot, index), label);
	assert_int_equal(naohw_joint_get_place(robot, index, &found_bus, &found_id), 0);
	assert_int_equal(found_bus, bus);
	assert_int_equal(found_id, id);
}

static void known_bytes_are_known_values(void **state)
{
	double value = 7;

	(void)state;
	open_frame(NULL);
	check_place(1, "HeadPitch", 0, 2);
	for (int i = NAOHW_QUANTITY_POSITION; i <= NAOHW_QUANTITY_ALARM; i++)
		assert_int_equal(naohw_frame_has(frame, 1, (enum naohw_quantity)i),
				 i != NAOHW_QUANTITY_GOAL && i != NAOHW_QUANTITY_CURRENT);
	assert_false(naohw_frame_has(frame, 99, NAOHW_QUANTITY_AGE));
	assert_true(is_in_frames("HeadPitch"));
	assert_false(is_in_frames("LKneePitch")); /* a joint that is not there */

	add_frame(0, 2, 312, START);
	read_frame();
	assert_near(joint(0).position, (412 - 512) * 0.005, 1e-12);
	assert_near(joint(1).position, 0, 1e-12);
	assert_near(joint(1).speed, -0.03, 1e-12);
	assert_near(joint(1).load, 25, 1e-9);
	assert_true(isnan(joint(1).current));
	assert_near(joint(1).voltage, 11.1, 1e-9);
	assert_near(joint(1).temperature, 40, 1e-9);
	assert_int_equal(joint(1).age, 0);
	assert_int_equal(joint(1).alarm, 0);
	assert_int_equal(naohw_frame_time(frame), START);
	assert_int_equal(naohw_frame_period(frame), 10 * MS);
	assert_int_equal(naohw_frame_count(frame), 1);
	assert_int_equal(naohw_frame_get(frame, 99, NAOHW_QUANTITY_AGE, &value), -EINVAL);
	assert_near(value, 7, 0);
	assert_int_equal(naohw_frame_get(frame, 2, NAOHW_QUANTITY_AGE, &value), 0);
	assert_true(isnan(value));
}

static void before_the_first_nothing_is_known(void **state)
{
	(void)state;
	open_frame(NULL);
	assert_true(isnan(joint(0).position));
	assert_true(isnan(joint(0).age));
	assert_int_equal(naohw_frame_raw(frame, 0), 0);
	assert_int_equal(naohw_frame_count(frame), 0);
}

static void a_silent_servo_tells_its_age(void **state)
{
	unsigned char bytes[128];
	size_t size = make_frame(bytes, 2, 0, START);

	(void)state;
	bytes[SERVO + AGE] = 7;
	bytes[SERVO + ALARM] = 0x24;
	fake_frame(0, bytes, size);
	open_frame(NULL);
	read_frame();
	assert_int_equal(joint(0).age, 0);
	assert_int_equal(joint(1).age, 7);
	assert_int_equal(joint(1).alarm, 0x24);
	assert_near(joint(1).position, (200 - 512) * 0.005, 1e-12); /* as it was then */
}

/* Only what is asked for costs time on the wire. */
static void only_what_is_wanted_is_read(void **state)
{
	const struct options options = { .quantities = POSITION };
	const unsigned char bytes[16] = { 0x00, 0x02, 0, 0, 0x2c, 0x01, 3, 0, 1 };

	(void)state;
	open_frame(&options);
	/* angl1, age, alarm; angl2, age, alarm; the time at byte 8 */
	assert_int_equal(naohw_frame_channel_count(frame), 6);
	fake_frame(0, bytes, sizeof(bytes));
	read_frame();
	assert_near(joint(0).position, 0, 1e-12);
	assert_near(joint(1).position, (300 - 512) * 0.005, 1e-12);
	assert_int_equal(joint(1).age, 3);
	assert_true(isnan(joint(0).speed));
	assert_true(isnan(joint(0).temperature));
	assert_int_equal(naohw_frame_time(frame), 1);
	/* The context is the same, but the next one wants all. */
	naohw_frame_close(frame);
	open_frame(NULL);
	assert_int_equal(naohw_frame_channel_count(frame), 14);
}

/* The kernel's labels say what is counted; the joint has the name that is before that. */
static void a_joint_without_a_position_has_its_name(void **state)
{
	const struct options options = { .quantities = 1u << NAOHW_QUANTITY_LOAD };

	(void)state;
	open_frame(&options);
	assert_true(is_in_frames("HeadPitch"));
	assert_true(naohw_frame_has(frame, 1, NAOHW_QUANTITY_LOAD));
	assert_true(isnan(joint(1).position));
}

static void channels_are_in_order(void **state)
{
	(void)state;
	open_frame(NULL);
	add_frame(0, 2, 0, START);
	read_frame();
	assert_int_equal(naohw_frame_channel_count(frame), 14);
	assert_int_equal(naohw_frame_channel_joint(frame, 7), 1);
	assert_int_equal(naohw_frame_channel_quantity(frame, 7), NAOHW_QUANTITY_POSITION);
	assert_int_equal(naohw_frame_channel_bits(frame, 7), 16);
	assert_true(naohw_frame_channel_is_signed(frame, 7));
	assert_near(naohw_frame_channel_scale(frame, 7), 0.005, 1e-12);
	assert_near(naohw_frame_channel_offset(frame, 7), -512, 0);
	assert_int_equal(naohw_frame_raw(frame, 7), 200);
	assert_int_equal(naohw_frame_channel_quantity(frame, 8), NAOHW_QUANTITY_SPEED);
	assert_int_equal(naohw_frame_raw(frame, 8), -3);
	assert_int_equal(naohw_frame_channel_quantity(frame, 10), NAOHW_QUANTITY_VOLTAGE);
	assert_int_equal(naohw_frame_channel_bits(frame, 10), 8);
	assert_false(naohw_frame_channel_is_signed(frame, 10));
	assert_near(naohw_frame_channel_scale(frame, 10), 0.1, 1e-12);
	assert_int_equal(naohw_frame_channel_bits(frame, 14), 0);
	assert_int_equal(naohw_frame_raw(frame, 14), 0);
}

/* What a servo says of itself is not what is said of a joint that it turns backwards. */
static void a_joint_may_turn_against_its_servo(void **state)
{
	struct joint_state servo, turned;

	(void)state;
	open_frame(NULL);
	add_frame(0, 2, 0, START);
	read_frame();
	servo = joint(0);
	naohw_frame_close(frame);
	naohw_robot_close(robot);
	assert_int_equal(naohw_robot_open(turned_robot(), NULL, &robot, NULL), 0);
	open_frame(NULL);
	add_frame(0, 2, 0, START + 10 * MS);
	read_frame();
	turned = joint(0);
	assert_near(turned.position, 0.5 - servo.position, 1e-9);
	assert_true(servo.speed < 0);
	assert_near(turned.speed, -servo.speed, 1e-9);
	assert_true(servo.load > 0);
	assert_near(turned.load, -servo.load, 1e-9);
	assert_near(turned.voltage, servo.voltage, 0);
	assert_near(turned.temperature, servo.temperature, 0);
	assert_int_equal(turned.alarm, servo.alarm);
}

static void lost_frames_are_counted(void **state)
{
	/* By one or two tenths of a period early or late is still the same period. */
	static const int64_t times[] = { 0, 10, 20, 31, 39, 70, 80, 110, 105, 115, 131 };
	static const uint64_t lost[] = { 0, 0, 0, 0, 0, 2, 2, 4, 4, 4, 5 };

	(void)state;
	open_frame(NULL);
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		add_frame(0, 2, 0, START + times[i] * MS);
		read_frame();
		assert_int_equal(naohw_frame_lost(frame), lost[i]);
	}
	assert_int_equal(naohw_frame_skipped(frame), 0);
}

static void without_a_frequency_nothing_is_lost(void **state)
{
	(void)state;
	fake_reset();
	fake_state(0, labels, 2, 0);
	reopen();
	open_frame(NULL);
	assert_int_equal(naohw_frame_period(frame), 0);
	add_frame(0, 2, 0, START);
	add_frame(0, 2, 0, START + 500 * MS);
	read_frame();
	read_frame();
	assert_int_equal(naohw_frame_lost(frame), 0);
}

static void a_wait_has_an_end(void **state)
{
	const struct options options = { .timeout_ms = 30 };

	(void)state;
	open_frame(&options);
	assert_int_equal(fake_timeout(), 30);
	add_frame(0, 2, 12, START);
	read_frame();
	check_read_fails(-ETIMEDOUT, "dxl0-state: no frame within 30 ms");
	/* The one before stays, and the next one comes. */
	assert_int_equal(naohw_frame_count(frame), 1);
	assert_near(joint(0).position, (112 - 512) * 0.005, 1e-12);
	add_frame(0, 2, 13, START + 1000 * MS);
	read_frame();
	assert_near(joint(0).position, (113 - 512) * 0.005, 1e-12);
	assert_int_equal(naohw_frame_lost(frame), 99);
}

static int64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000 * MS + time.tv_nsec;
}

/* Each of them needs more than its part of the time, and both together less than all. */
static void the_time_is_not_divided(void **state)
{
	const struct options options = { .timeout_ms = 15 };

	(void)state;
	open_frame(&options);
	add_frame(0, 2, 0, START);
	add_frame(1, 1, 0, START);
	fake_frames_wait(0, 10);
	fake_frames_wait(1, 14);
	read_frame();
}

static void open_ten(const struct options *options)
{
	static const char *const each[] = { "HeadYaw", "HeadPitch", "RShoulderPitch",
					    "LShoulderPitch", "RHipYaw", "LHipYaw", "RHipRoll",
					    "LHipRoll", "RKneePitch", "LKneePitch" };

	fake_reset();
	for (unsigned int i = 0; i < 10; i++) {
		fake_state(i, &each[i], 1, 100);
		add_frame(i, 1, 0, START);
	}
	reopen();
	open_frame(options);
}

static void one_silent_bus_is_given_all_the_time(void **state)
{
	const struct options options = { .timeout_ms = 100 };
	int64_t begun;

	(void)state;
	open_ten(&options);
	fake_frames_wait(9, 60000);
	begun = now();
	check_read_fails(-ETIMEDOUT, "dxl9-state: no frame within 100 ms");
	assert_true(now() - begun >= 100 * MS);
}

/* What the others have waits for it, so that a time-out does not put them out of step. */
static void a_silent_bus_leaves_the_frame_before(void **state)
{
	const struct options options = { .timeout_ms = 20 };

	(void)state;
	open_frame(&options);
	add_frame(0, 2, 0, START);
	add_frame(1, 1, 0, START);
	read_frame();
	add_frame(0, 2, 1, START + 10 * MS);
	check_read_fails(-ETIMEDOUT, "dxl1-state: no frame within 20 ms");
	assert_near(joint(0).position, (100 - 512) * 0.005, 1e-12);
	add_frame(1, 1, 1, START + 10 * MS);
	read_frame();
	assert_near(joint(0).position, (101 - 512) * 0.005, 1e-12);
	assert_near(joint(2).position, (101 - 512) * 0.005, 1e-12);
}

/* A loop that moves the robot is to look after its watchdog in time, however many buses. */
static void many_late_buses_are_given_no_more(void **state)
{
	const struct options options = { .timeout_ms = 200 };

	(void)state;
	open_ten(&options);
	for (unsigned int i = 0; i < 10; i++)
		fake_frames_wait(i, 150 * (i + 1));
	check_read_fails(-ETIMEDOUT, "no frame within 200 ms");
}

static void coming_into_step_is_given_no_more(void **state)
{
	const struct options options = { .timeout_ms = 200 };

	(void)state;
	open_frame(&options);
	for (int i = 0; i < 20; i++)
		add_frame(0, 2, i, START + i * 10 * MS);
	add_frame(1, 1, 0, START * 1000);
	fake_frames_wait(0, 80);
	check_read_fails(-ETIMEDOUT, "dxl0-state: no frame within 200 ms");
}

static volatile sig_atomic_t signals;

/* Once patience is at its end, the wait is let end too. */
static void count_signal(int number)
{
	const struct itimerval none = { 0 };

	(void)number;
	if (++signals == 1000)
		setitimer(ITIMER_REAL, &none, NULL);
}

static void signals_change_nothing(void **state)
{
	const struct itimerval often = { { 0, 10000 }, { 0, 10000 } }, none = { 0 };
	const struct options options = { .timeout_ms = 100 };
	const struct sigaction count = { .sa_handler = count_signal };
	int64_t begun = now();
	int ret;

	(void)state;
	open_frame(&options);
	signals = 0;
	assert_int_equal(sigaction(SIGALRM, &count, NULL), 0);
	assert_int_equal(setitimer(ITIMER_REAL, &often, NULL), 0);
	ret = naohw_frame_read(frame, NULL);
	assert_int_equal(setitimer(ITIMER_REAL, &none, NULL), 0);
	assert_int_equal(ret, -ETIMEDOUT);
	assert_true(now() - begun >= 100 * MS);
	assert_in_range(signals, 1, 999);
}

static void come_late(int number)
{
	(void)number;
	usleep(60000);
	add_frame(0, 2, 7, START);
}

/* As when a program was stopped for longer than it wanted to wait */
static void what_came_meanwhile_is_taken(void **state)
{
	const struct itimerval soon = { .it_value = { 0, 10000 } };
	const struct sigaction late = { .sa_handler = come_late };
	const struct options options = { .timeout_ms = 30 };

	(void)state;
	open_frame(&options);
	assert_int_equal(sigaction(SIGALRM, &late, NULL), 0);
	assert_int_equal(setitimer(ITIMER_REAL, &soon, NULL), 0);
	read_frame();
	assert_near(joint(0).position, (107 - 512) * 0.005, 1e-12);
}

static void take_a_while(void)
{
	usleep(60000);
}

/* Of what cannot be polled for the next is not begun. */
static void without_poll_no_wait_begins_late(void **state)
{
	const struct options options = { .timeout_ms = 50 };

	(void)state;
	fake_remote();
	reopen();
	fake_on_frame(take_a_while);
	open_frame(&options);
	assert_int_equal(fake_timeout(), 50);
	add_frame(0, 2, 0, START);
	add_frame(1, 1, 0, START);
	check_read_fails(-ETIMEDOUT, "dxl1-state: no frame within 50 ms");
	assert_int_equal(fake_frames_read(1), 0);
}

static void a_slow_bus_is_waited_for(void **state)
{
	(void)state;
	fake_device_set("dxl0-cycle", "sampling_frequency", "1\n");
	open_frame(NULL);
	assert_int_equal(fake_timeout(), 4000);
	naohw_frame_close(frame);
	fake_device_set("dxl0-cycle", "sampling_frequency", "100\n");
	open_frame(NULL);
	assert_int_equal(fake_timeout(), 1000);
}

static unsigned int timeout_at_opening;

static void look_at_timeout(const char *device, int open)
{
	(void)device;
	if (open)
		timeout_at_opening = fake_timeout();
}

/* Over the network, libiio gives a buffer the one that the context has at that time. */
static void the_time_is_set_before_a_buffer_is_opened(void **state)
{
	const struct options options = { .timeout_ms = 250 };

	(void)state;
	fake_on_buffer(look_at_timeout);
	open_frame(&options);
	assert_int_equal(timeout_at_opening, 250);
}

static void a_bus_that_is_gone_is_told(void **state)
{
	const struct options options = { .timeout_ms = 10 };

	(void)state;
	open_frame(&options);
	fake_device_remove("dxl0-state", "current_timestamp_clock");
	check_read_fails(-ENODEV, "dxl0-state: the bus is gone");
}

/* ---- without one of the buses ---- */

static void open_partial(void)
{
	const struct options options = { .newest = 1 };

	open_frame(&options);
	frame_allow_partial(frame, 30);
	add_frame(0, 2, 0, START);
	add_frame(1, 1, 0, START);
	read_frame();
	assert_string_equal(frame_absence(frame), "");
}

static void a_missing_bus_is_waited_for_once(void **state)
{
	int64_t begun;

	(void)state;
	open_partial();
	for (int i = 1; i < 4; i++) {
		add_frame(0, 2, i, START + i * 10 * MS);
		begun = now();
		read_frame();
		if (i == 1)
			assert_true(now() - begun >= 30 * MS);
		assert_near(joint(0).position, (100 + i - 512) * 0.005, 1e-12);
		assert_near(joint(0).age, 0, 0);
		/* What was known of the other one stays, and has its age. */
		assert_near(joint(2).position, (100 - 512) * 0.005, 1e-12);
		assert_near(joint(2).age, i, 0);
		assert_int_equal(naohw_frame_time(frame), START + i * 10 * MS);
	}
	assert_string_equal(frame_absence(frame), "dxl1-state: no frame within 30 ms");
	assert_int_equal(naohw_frame_count(frame), 4);
}

static void the_age_of_a_missing_bus_has_an_end(void **state)
{
	(void)state;
	open_partial();
	add_frame(0, 2, 1, START + 3600 * 1000 * MS);
	read_frame();
	assert_near(joint(2).age, FRAME_AGE_UNKNOWN, 0);
}

static void a_missing_bus_comes_back(void **state)
{
	(void)state;
	open_partial();
	add_frame(0, 2, 1, START + 10 * MS);
	read_frame();
	assert_near(joint(2).age, 1, 0);
	add_frame(0, 2, 5, START + 50 * MS);
	add_frame(1, 1, 5, START + 50 * MS);
	read_frame();
	assert_near(joint(2).position, (105 - 512) * 0.005, 1e-12);
	assert_near(joint(2).age, 0, 0);
	assert_string_equal(frame_absence(frame), "");
	/* From now on it is waited for again. */
	add_frame(0, 2, 6, START + 60 * MS);
	add_frame(1, 1, 6, START + 60 * MS);
	fake_frames_wait(1, 10);
	read_frame();
	assert_near(joint(2).age, 0, 0);
}

static void a_bus_that_cannot_be_read_wakes_nobody(void **state)
{
	unsigned int polls;

	(void)state;
	open_partial();
	fake_frame_error(1, -ENODEV);
	add_frame(0, 2, 1, START + 10 * MS);
	read_frame();
	assert_string_equal(frame_absence(frame), "dxl1-state: cannot read a frame: not there");
	fake_frame_error(1, -ENODEV);
	fake_frames_wait(0, 10);
	add_frame(0, 2, 2, START + 20 * MS);
	polls = fake_polls();
	read_frame();
	assert_int_equal(fake_polls(), polls + 1);
	assert_near(joint(2).age, 2, 0);
}

/* Its frames do not come, and so its device is looked for. */
static void a_bus_without_a_device_is_lacking(void **state)
{
	(void)state;
	open_partial();
	fake_device_remove("dxl1-state", "current_timestamp_clock");
	assert_false(frame_lacks_bus(frame));
	add_frame(0, 2, 1, START + 10 * MS);
	read_frame();
	assert_string_equal(frame_absence(frame), "dxl1-state: the bus is gone, or its servos are others");
	assert_true(frame_lacks_bus(frame));
}

/* As of a kernel that has lost a device between its being ready and its being read. */
static void when_no_bus_can_be_read_it_is_said(void **state)
{
	(void)state;
	open_partial();
	fake_frame_error(0, -ENODEV);
	fake_frame_error(1, -ENODEV);
	check_read_fails(-ENODEV, "cannot read a frame: not there");
	check_read_fails(-ENODEV, "cannot read a frame: not there");
	assert_int_equal(naohw_frame_count(frame), 1);
}

static void a_fault_of_a_moment_is_no_loss(void **state)
{
	(void)state;
	open_partial();
	fake_frame_error(1, -EIO);
	add_frame(0, 2, 1, START + 10 * MS);
	read_frame();
	assert_near(joint(2).age, 1, 0);
	assert_non_null(strstr(frame_absence(frame), "dxl1-state"));
	add_frame(0, 2, 2, START + 20 * MS);
	add_frame(1, 1, 2, START + 20 * MS);
	read_frame();
	assert_near(joint(2).age, 0, 0);
	assert_string_equal(frame_absence(frame), "");
}

static void without_any_bus_there_is_no_frame(void **state)
{
	(void)state;
	open_partial();
	add_frame(0, 2, 1, START + 10 * MS);
	read_frame();
	check_read_fails(-ETIMEDOUT, "dxl0-state: no frame within 30 ms");
	check_read_fails(-ETIMEDOUT, "dxl0-state: no frame within 30 ms");
	/* Whichever comes first is enough. */
	add_frame(1, 1, 2, START + 20 * MS);
	read_frame();
	assert_near(joint(2).position, (102 - 512) * 0.005, 1e-12);
	assert_near(joint(0).age, 1, 0);
}

static void what_libiio_says_is_told(void **state)
{
	unsigned char bytes[128] = { 0 };

	(void)state;
	open_frame(NULL);
	fake_frame_error(0, -ENODEV);
	check_read_fails(-ENODEV, "dxl0-state: cannot read a frame: not there");
	fake_frame(0, bytes, 12);
	check_read_fails(-EIO, "dxl0-state: a frame of 12 bytes, expected 32");
	assert_int_equal(naohw_frame_count(frame), 0);
}

static void the_newest_is_taken(void **state)
{
	const struct options options = { .newest = 1 };

	(void)state;
	open_frame(&options);
	for (int i = 0; i < 4; i++)
		add_frame(0, 2, i, START + i * 10 * MS);
	read_frame();
	assert_near(joint(0).position, (103 - 512) * 0.005, 1e-12);
	assert_int_equal(naohw_frame_skipped(frame), 3);
	assert_int_equal(naohw_frame_lost(frame), 0);
	assert_int_equal(naohw_frame_count(frame), 1);
	add_frame(0, 2, 4, START + 40 * MS);
	read_frame();
	assert_near(joint(0).position, (104 - 512) * 0.005, 1e-12);
}

static void all_are_taken_otherwise(void **state)
{
	(void)state;
	open_frame(NULL);
	for (int i = 0; i < 3; i++)
		add_frame(0, 2, i, START + i * 10 * MS);
	read_frame();
	assert_near(joint(0).position, (100 - 512) * 0.005, 1e-12);
	assert_int_equal(fake_frames_read(0), 1);
}

static void all_buses_are_one_body(void **state)
{
	(void)state;
	open_frame(NULL);
	check_place(2, "LKneePitch", 1, 1);
	add_frame(0, 2, 0, START + 3 * MS);
	add_frame(1, 1, 50, START);
	read_frame();
	assert_near(joint(2).position, (150 - 512) * 0.005, 1e-12);
	assert_int_equal(naohw_frame_time(frame), START);
	assert_int_equal(naohw_frame_count(frame), 1);
}

/* Bus 1 lost two frames; what bus 0 has of that time is passed over. */
static void buses_come_into_step_again(void **state)
{
	(void)state;
	open_frame(NULL);
	for (int i = 0; i < 5; i++)
		add_frame(0, 2, i, START + i * 10 * MS);
	add_frame(1, 1, 0, START + 4 * MS);
	add_frame(1, 1, 3, START + 34 * MS);
	add_frame(1, 1, 4, START + 44 * MS);
	read_frame();
	read_frame();
	assert_near(joint(0).position, (103 - 512) * 0.005, 1e-12);
	assert_near(joint(2).position, (103 - 512) * 0.005, 1e-12);
	assert_int_equal(naohw_frame_lost(frame), 2);
	assert_int_equal(naohw_frame_skipped(frame), 2);
	read_frame();
	assert_near(joint(0).position, (104 - 512) * 0.005, 1e-12);
	assert_near(joint(2).position, (104 - 512) * 0.005, 1e-12);
}

/* Clocks that have nothing in common must not make a reading go on for ever. */
static void buses_that_never_meet_do_not_hang(void **state)
{
	(void)state;
	open_frame(NULL);
	for (int i = 0; i < 20; i++)
		add_frame(0, 2, i, START + i * 10 * MS);
	add_frame(1, 1, 0, START * 1000);
	read_frame();
	assert_int_equal(fake_frames_read(0), 9);
}

static void check_open_fails(const struct options *options, int code, const char *says)
{
	struct naohw_error err;

	assert_int_equal(try_frame(options, &err), code);
	assert_null(frame);
	assert_says(&err, says);
}

static void opening_says_what_is_wrong(void **state)
{
	const struct options shallow = { .depth = 1 }, long_wait = { .timeout_ms = -1u };

	(void)state;
	check_open_fails(&shallow, -EINVAL, "depth 1, expected 2 to 1024 frames");
	check_open_fails(&long_wait, -EINVAL, "expected 1 to 3600000 ms");
	fake_fail_buffer(-ENOSPC);
	check_open_fails(NULL, -ENOSPC, "dxl0-state: what is to be read does not fit into the "
					"bus's period");
	fake_fail_buffer(-EACCES);
	check_open_fails(NULL, -EACCES, "dxl0-state: cannot open the buffer: only root and "
					"the group \"robot\" may; \"naohw doctor\" tells more");
	fake_fail_buffer(0);
	fake_reset();
	reopen();
	check_open_fails(NULL, -ENODEV, "no IIO device is named dxlN-state");
	assert_int_equal(fake_buffers_created(), 0);
}

/* Nobody who says 0 means 8 frames, or a second. */
static void nothing_is_no_setting(void **state)
{
	struct naohw_frame_settings *settings;
	struct naohw_error err;

	(void)state;
	assert_int_equal(naohw_frame_settings_new(&settings), 0);
	naohw_frame_settings_set_depth(settings, 0);
	assert_int_equal(naohw_frame_open(robot, settings, &frame, &err), -EINVAL);
	assert_says(&err, "depth 0, expected 2 to 1024 frames");
	naohw_frame_settings_set_depth(settings, 2);
	naohw_frame_settings_set_timeout(settings, 0);
	assert_int_equal(naohw_frame_open(robot, settings, &frame, &err), -EINVAL);
	assert_says(&err, "time-out 0, expected 1 to 3600000 ms");
	assert_null(frame);
	naohw_frame_settings_free(settings);
}

static void another_reader_is_not_disturbed(void **state)
{
	(void)state;
	fake_probe(-EBUSY);
	check_open_fails(NULL, -EBUSY, "dxl0-state: another program reads the frames");
	assert_int_equal(fake_buffers_created(), 0);
}

static void the_clock_is_put_back(void **state)
{
	const struct options options = { .depth = 64 };

	(void)state;
	open_frame(&options);
	assert_int_equal(fake_depth("dxl0-state"), 64);
	assert_string_equal(fake_device_get("dxl0-state", "current_timestamp_clock"), "monotonic");
	naohw_frame_close(frame);
	assert_string_equal(fake_device_get("dxl0-state", "current_timestamp_clock"), "realtime");
	fake_device_set("dxl0-state", "current_timestamp_clock", "monotonic\n");
	open_frame(NULL);
	naohw_frame_close(frame);
	frame = NULL;
	assert_string_equal(fake_device_get("dxl0-state", "current_timestamp_clock"),
			    "monotonic\n");
}

/* Otherwise the next reader might find ours, and have it changed while he reads. */
static void the_clock_is_the_lock_holders(void **state)
{
	(void)state;
	open_frame(NULL);
	naohw_frame_close(frame);
	frame = NULL;
	assert_string_equal(fake_buffer_log(),
			    "dxl0-state lock;dxl0-state monotonic;dxl0-state open;"
			    "dxl0-state close;dxl0-state realtime;dxl0-state unlock;");
}

static void a_refused_buffer_leaves_the_clock(void **state)
{
	(void)state;
	fake_fail_buffer(-ENOSPC);
	check_open_fails(NULL, -ENOSPC, "does not fit into the bus's period");
	assert_string_equal(fake_buffer_log(), "dxl0-state lock;dxl0-state monotonic;"
					       "dxl0-state realtime;dxl0-state unlock;");
}

static void who_is_refused_changes_nothing(void **state)
{
	(void)state;
	fake_probe(-EBUSY);
	check_open_fails(NULL, -EBUSY, "dxl0-state: another program reads the frames");
	assert_string_equal(fake_buffer_log(), "");
}

static void be_busy(void)
{
	fake_probe(-EBUSY);
}

static void who_is_refused_late_changes_nothing(void **state)
{
	(void)state;
	fake_on_look(be_busy);
	check_open_fails(NULL, -EBUSY, "dxl0-state: another program reads the frames");
	assert_string_equal(fake_buffer_log(), "dxl0-state lock;dxl0-state unlock;");
}

static void the_loop_allocates_nothing(void **state)
{
	const struct options options = { .newest = 1 };
	double value;
	struct naohw_pose *pose;
	unsigned int before;

	(void)state;
	fake_goal(0, labels, 2);
	reopen();
	assert_int_equal(naohw_pose_open(robot, NULL, &pose, NULL), 0);
	open_frame(&options);
	for (int i = 0; i < 4; i++)
		add_frame(0, 2, i, START + i * 10 * MS);
	before = allocations();
	assert_true(before > 0); /* or nothing is counted at all */
	for (int i = 0; i < 20; i++) {
		read_frame();
		for (size_t k = 0; k < 2; k++) {
			assert_int_equal(naohw_frame_get(frame, k, NAOHW_QUANTITY_POSITION, &value), 0);
			assert_int_equal(pose_set_counts(pose, k, 300 + i, 5), 0);
		}
		assert_int_equal(naohw_pose_push(pose, NULL), 0);
		add_frame(0, 2, i, START + (i + 4) * 10 * MS);
	}
	assert_int_equal(naohw_frame_read(frame, NULL), 0);
	assert_int_equal(allocations(), before);
	naohw_pose_close(pose);
}

int main(void)
{
#define FRAME_TEST(test) cmocka_unit_test_setup_teardown(test, setup_one, teardown)
#define BUSES_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
	const struct CMUnitTest tests[] = {
		FRAME_TEST(known_bytes_are_known_values),
		FRAME_TEST(before_the_first_nothing_is_known),
		FRAME_TEST(a_silent_servo_tells_its_age),
		FRAME_TEST(only_what_is_wanted_is_read),
		FRAME_TEST(a_joint_without_a_position_has_its_name),
		FRAME_TEST(channels_are_in_order),
		FRAME_TEST(a_joint_may_turn_against_its_servo),
		FRAME_TEST(lost_frames_are_counted),
		FRAME_TEST(without_a_frequency_nothing_is_lost),
		FRAME_TEST(a_wait_has_an_end),
		FRAME_TEST(a_slow_bus_is_waited_for),
		FRAME_TEST(the_time_is_set_before_a_buffer_is_opened),
		FRAME_TEST(a_bus_that_is_gone_is_told),
		FRAME_TEST(what_libiio_says_is_told),
		BUSES_TEST(a_missing_bus_is_waited_for_once),
		BUSES_TEST(the_age_of_a_missing_bus_has_an_end),
		BUSES_TEST(a_missing_bus_comes_back),
		BUSES_TEST(a_bus_that_cannot_be_read_wakes_nobody),
		BUSES_TEST(a_bus_without_a_device_is_lacking),
		BUSES_TEST(when_no_bus_can_be_read_it_is_said),
		BUSES_TEST(a_fault_of_a_moment_is_no_loss),
		BUSES_TEST(without_any_bus_there_is_no_frame),
		FRAME_TEST(the_newest_is_taken),
		FRAME_TEST(all_are_taken_otherwise),
		BUSES_TEST(the_time_is_not_divided),
		BUSES_TEST(one_silent_bus_is_given_all_the_time),
		BUSES_TEST(a_silent_bus_leaves_the_frame_before),
		BUSES_TEST(many_late_buses_are_given_no_more),
		BUSES_TEST(coming_into_step_is_given_no_more),
		BUSES_TEST(signals_change_nothing),
		FRAME_TEST(what_came_meanwhile_is_taken),
		BUSES_TEST(without_poll_no_wait_begins_late),
		BUSES_TEST(all_buses_are_one_body),
		BUSES_TEST(buses_come_into_step_again),
		BUSES_TEST(buses_that_never_meet_do_not_hang),
		FRAME_TEST(opening_says_what_is_wrong),
		FRAME_TEST(nothing_is_no_setting),
		FRAME_TEST(another_reader_is_not_disturbed),
		FRAME_TEST(the_clock_is_put_back),
		FRAME_TEST(the_clock_is_the_lock_holders),
		FRAME_TEST(a_refused_buffer_leaves_the_clock),
		FRAME_TEST(who_is_refused_changes_nothing),
		FRAME_TEST(who_is_refused_late_changes_nothing),
		FRAME_TEST(the_loop_allocates_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
