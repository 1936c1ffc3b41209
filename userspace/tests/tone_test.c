// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A tone begins and ends as its keys say. The buzzer's kernel is a pipe: what is written are its
 * events, and that the writer has closed it is the end of the tone.
 */
#include "support.h"

#include <fcntl.h>
#include <linux/input.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "robot_keys.h"
#include "testbed.h"

#define PREFIX	   "Device/SubDeviceList/ChestBoard/Buzzer/"
#define FREQUENCY  PREFIX "Frequency/Actuator/Value"
#define DURATION   PREFIX "Duration/Actuator/Value"
#define PATIENT_MS 10000

#define STRING(name, value) "<Preference name='" name "' type='string' value='" value "'/>"
#define FLOAT(name, value)  "<Preference name='" name "' type='float' value='" value "'/>"
#define ARRAY(name, body)   "<Preference name='" name "' type='array'>" body "</Preference>"
#define TONE(name, min, max) \
	ARRAY(name, FLOAT("Min", min) FLOAT("Max", max) STRING("Tone", "buzzer"))
#define ROBOT(body)                                                        \
	"<ModulePreference><Preference name='SubDeviceList' "              \
	"memoryName='Device/SubDeviceList' type='array'>"                  \
	ARRAY("ChestBoard", STRING("Label", "CM-510") body) "</Preference></ModulePreference>"

static const char *const description =
	ROBOT(TONE("Buzzer/Frequency/Actuator", "-1", "100000")
	      TONE("Buzzer/Duration/Actuator", "0", "1000000"));

static const char *board;
static int pipe_end; /* of the buzzer; -1: there is none */
static bool is_gone; /* a descriptor that is there is of a device that is not */

int ioctl(int fd, unsigned long request, ...)
{
	va_list list;
	void *data;

	va_start(list, request);
	data = va_arg(list, void *);
	va_end(list);
	if (_IOC_TYPE(request) != 'E')
		return (int)syscall(SYS_ioctl, fd, request, data);
	assert_int_equal(_IOC_NR(request), _IOC_NR(EVIOCGNAME(0)));
	return snprintf(data, _IOC_SIZE(request), "CM-510 buzzer") + 1;
}

ssize_t __real_write(int fd, const void *data, size_t size);
ssize_t __wrap_write(int fd, const void *data, size_t size);

ssize_t __wrap_write(int fd, const void *data, size_t size)
{
	if (is_gone && size == sizeof(struct input_event)) {
		is_gone = false;
		errno = ENODEV;
		return -1;
	}
	return __real_write(fd, data, size);
}

static void add_buzzer(void)
{
	const char *const name[] = { "name", "CM-510 buzzer\n", NULL };
	const char *const label[] = { "label", "CM-510\n", NULL };
	const char *const none[] = { NULL };
	const char *node;

	testbed_add("iio", "iio:device7", NULL, label, NULL);
	board = testbed_add("input", "input3", NULL, name, NULL);
	testbed_add("input", "event3", board, none, "/dev/input/event3");
	testbed_put("/dev", "input/event3", "");
	node = testbed_file("/dev/input", "event3");
	assert_int_equal(unlink(node), 0);
	assert_int_equal(mkfifo(node, 0600), 0);
	pipe_end = open(node, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	assert_true(pipe_end >= 0);
}

static int open_described(const char *text, struct naohw_error *err)
{
	return naohw_robot_open(temp_text(text), "local:", &robot, err);
}

static int setup(void **state)
{
	struct naohw_error err;

	if (testbed_begin(state) < 0)
		return -1;
	is_gone = false;
	add_buzzer();
	if (open_described(description, &err) < 0)
		fail_msg("%s", err.message);
	return 0;
}

static int teardown(void **state)
{
	naohw_robot_close(robot);
	robot = NULL;
	close(pipe_end);
	return testbed_end(state);
}

static void set(const char *name, double value)
{
	struct naohw_error err;

	if (naohw_key_write(key(name), value, &err) < 0)
		fail_msg("%s", err.message);
}

static void assert_refused(const char *name, double value, const char *why)
{
	struct naohw_error err;

	assert_int_equal(naohw_key_write(key(name), value, &err), -EINVAL);
	assert_says(&err, why);
}

static short wait_for(short what)
{
	struct pollfd ready = { .fd = pipe_end, .events = what };

	assert_int_equal(poll(&ready, 1, PATIENT_MS), 1);
	return ready.revents;
}

static void assert_begins(int hz)
{
	struct input_event event;

	assert_true(wait_for(POLLIN) & POLLIN);
	assert_int_equal(read(pipe_end, &event, sizeof(event)), sizeof(event));
	assert_int_equal(event.type, EV_SND);
	assert_int_equal(event.code, SND_TONE);
	assert_int_equal(event.value, hz);
}

/* And nothing has begun before. */
static void assert_ends(void)
{
	assert_int_equal(wait_for(POLLIN) & (POLLIN | POLLHUP), POLLHUP);
}

static void assert_goes_on(void)
{
	struct pollfd ready = { .fd = pipe_end, .events = POLLIN };

	assert_int_equal(poll(&ready, 1, 0), 0);
}

static void it_ends_when_its_time_is_over(void **state)
{
	(void)state;
	assert_near(value_of(FREQUENCY), 0, 0);
	assert_near(value_of(DURATION), 0.5, 0);
	set(DURATION, 0.25);
	set(FREQUENCY, 440.4);
	assert_begins(440);
	assert_near(value_of(DURATION), 0.25, 0);
	assert_ends();
	assert_near(value_of(FREQUENCY), 0, 0);
	set(FREQUENCY, 880);
	assert_begins(880);
	assert_ends();
}

/* Both are set in whatever order. */
static void it_may_be_made_shorter_while_it_lasts(void **state)
{
	(void)state;
	set(DURATION, 60);
	set(FREQUENCY, 440);
	assert_begins(440);
	assert_near(value_of(FREQUENCY), 440, 0);
	set(DURATION, 0.01);
	assert_ends();
}

static void the_next_one_takes_its_place(void **state)
{
	(void)state;
	set(DURATION, 60);
	set(FREQUENCY, 440);
	assert_begins(440);
	set(FREQUENCY, 21);
	assert_begins(21);
	assert_goes_on();
	assert_near(value_of(FREQUENCY), 21, 0);
	set(FREQUENCY, 0);
	assert_ends();
	assert_near(value_of(FREQUENCY), 0, 0);
	set(FREQUENCY, 0);
}

static void it_ends_with_the_robot(void **state)
{
	(void)state;
	set(DURATION, 60);
	set(FREQUENCY, 65535);
	assert_begins(65535);
	naohw_robot_close(robot);
	robot = NULL;
	assert_ends();
}

static void what_is_no_tone_is_refused(void **state)
{
	(void)state;
	set(DURATION, 60);
	set(FREQUENCY, 440);
	assert_begins(440);
	assert_refused(FREQUENCY, 20, "Buzzer/Frequency/Actuator: 20 Hz, expected 21 to 65535, or 0");
	assert_refused(FREQUENCY, -1, "-1 Hz, expected");
	assert_refused(FREQUENCY, 65536, "65536 Hz, expected");
	assert_refused(FREQUENCY, NAN, "not a finite number");
	assert_refused(DURATION, 0, "Buzzer/Duration/Actuator: 0 s, expected 0.01 to 60");
	assert_refused(DURATION, 60.1, "60.1 s, expected");
	assert_goes_on();
	assert_near(value_of(FREQUENCY), 440, 0);
	assert_near(value_of(DURATION), 60, 0);
}

static void a_board_that_comes_back_makes_tones_again(void **state)
{
	(void)state;
	set(DURATION, 60);
	set(FREQUENCY, 440);
	assert_begins(440);
	is_gone = true;
	set(FREQUENCY, 880);
	assert_begins(880);
	assert_goes_on();
}

static void without_a_buzzer_there_is_none(void **state)
{
	struct naohw_error err;

	(void)state;
	testbed_remove(board);
	assert_int_equal(naohw_key_write(key(FREQUENCY), 440, &err), -ENODEV);
	assert_says(&err, "Buzzer/Frequency/Actuator: Tone \"buzzer\" of \"CM-510\": ");
	assert_near(value_of(FREQUENCY), 0, 0);
	set(FREQUENCY, 0);
}

static void assert_faulty(const char *text, const char *why)
{
	struct naohw_error err;

	naohw_robot_close(robot);
	robot = NULL;
	assert_int_equal(open_described(text, &err), -EINVAL);
	assert_says(&err, why);
}

static void its_keys_have_their_names(void **state)
{
	(void)state;
	assert_faulty(ROBOT(TONE("Horn/Frequency/Actuator", "0", "1000")),
		      "Tone: value \"buzzer\", expected none but in .../Buzzer/Frequency/Actuator");
	assert_faulty(ROBOT(TONE("Buzzer/Frequency/Sensor", "0", "1000")), "expected none but in");
	assert_faulty(ROBOT(ARRAY("Buzzer/Duration/Actuator", FLOAT("Min", "0") FLOAT("Max", "1")
				  STRING("Tone", "bell"))),
		      "Tone: value \"bell\", expected \"buzzer\"");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(it_ends_when_its_time_is_over),
		TEST(it_may_be_made_shorter_while_it_lasts),
		TEST(the_next_one_takes_its_place),
		TEST(it_ends_with_the_robot),
		TEST(what_is_no_tone_is_refused),
		TEST(a_board_that_comes_back_makes_tones_again),
		TEST(without_a_buzzer_there_is_none),
		TEST(its_keys_have_their_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
