// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Buttons are what the kernel says last, also when it has dropped something. libevdev is the real
 * one; its kernel is made here, of a pipe with a name and these few ioctls.
 */
#include "support.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/input.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "feed/slow.h"
#include "io/event.h"
#include "robot/inside.h"
#include "robot_keys.h"
#include "testbed.h"

static struct {
	const char *name;
	bool down[3]; /* the keys from BTN_TRIGGER_HAPPY1 on */
	int clock;
	int grabs;
	bool gone;
	int pipe;
} kernel;

static void set_bit(unsigned char *bits, size_t size, unsigned int bit)
{
	if (bit / 8 < size)
		bits[bit / 8] |= (unsigned char)(1u << bit % 8);
}

static void set_keys(unsigned char *bits, size_t size, const bool *which)
{
	for (unsigned int i = 0; i < 3; i++)
		if (!which || which[i])
			set_bit(bits, size, BTN_TRIGGER_HAPPY1 + i);
}

/* Nothing of all that there may be but a name and three keys */
static int answer(unsigned long request, void *data)
{
	size_t size = _IOC_SIZE(request);

	if (request == EVIOCSCLOCKID) {
		kernel.clock = *(int *)data;
		return 0;
	}
	if (request == EVIOCGRAB) {
		kernel.grabs++;
		return 0;
	}
	memset(data, 0, size);
	switch (_IOC_NR(request)) {
	case _IOC_NR(EVIOCGNAME(0)):
		snprintf(data, size, "%s", kernel.name);
		return (int)strlen(kernel.name) + 1;
	case _IOC_NR(EVIOCGBIT(0, 0)):
		set_bit(data, size, EV_SYN);
		set_bit(data, size, EV_KEY);
		return (int)size;
	case _IOC_NR(EVIOCGBIT(EV_KEY, 0)):
		set_keys(data, size, NULL);
		return (int)size;
	case _IOC_NR(EVIOCGKEY(0)):
		set_keys(data, size, kernel.down);
		return (int)size;
	default:
		return 0;
	}
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list list;
	void *data;

	va_start(list, request);
	data = va_arg(list, void *);
	va_end(list);
	if (_IOC_TYPE(request) == 'E')
		return answer(request, data);
	return (int)syscall(SYS_ioctl, fd, request, data);
}

/* Found before the C library's. Only a device that is gone has no end. */
ssize_t read(int fd, void *data, size_t size)
{
	struct stat found;

	if (kernel.gone && fstat(fd, &found) == 0 && S_ISFIFO(found.st_mode)) {
		errno = ENODEV;
		return -1;
	}
	return syscall(SYS_read, fd, data, size);
}

/* What the thread for what is slow waits for beside its end, by its inode; 0: nothing */
static _Atomic ino_t waited_for;

int __real_poll(struct pollfd *fds, nfds_t count, int ms);
int __wrap_poll(struct pollfd *fds, nfds_t count, int ms);

int __wrap_poll(struct pollfd *fds, nfds_t count, int ms)
{
	struct stat found = { 0 };

	if (count == 2) {
		if (fds[1].fd >= 0)
			(void)fstat(fds[1].fd, &found);
		waited_for = found.st_ino;
	}
	return __real_poll(fds, count, ms);
}

static void add(const char *name, const char *number, const char *node)
{
	const char *const attributes[] = { "name", name, NULL };
	const char *const none[] = { NULL };
	char input[32], event[32];

	snprintf(input, sizeof(input), "input%s", number);
	snprintf(event, sizeof(event), "event%s", number);
	testbed_add("input", event, testbed_add("input", input, NULL, attributes, NULL), none, node);
}

static void make_node(void)
{
	const char *node = testbed_file("/dev/input", "event3");

	assert_int_equal(mkfifo(node, 0600), 0);
	kernel.pipe = open(node, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	assert_true(kernel.pipe >= 0);
}

static ino_t node(void)
{
	struct stat found;

	assert_int_equal(fstat(kernel.pipe, &found), 0);
	return found.st_ino;
}

static int setup(void **state)
{
	if (testbed_begin(state) < 0)
		return -1;
	memset(&kernel, 0, sizeof(kernel));
	kernel.name = "Head buttons";
	add("Head buttons\n", "3", "/dev/input/event3");
	add("Headset buttons\n", "2", "/dev/input/event2");
	add("LFoot buttons\n", "4", "/dev/input/event4");
	testbed_put("/dev", "input/event3", "");
	assert_int_equal(unlink(testbed_file("/dev/input", "event3")), 0);
	make_node();
	return 0;
}

static int teardown(void **state)
{
	close(kernel.pipe);
	return testbed_end(state);
}

static void tell(unsigned int type, unsigned int code, int value, int ms)
{
	struct input_event event = {
		.input_event_sec = ms / 1000,
		.input_event_usec = ms % 1000 * 1000,
		.type = (unsigned short)type,
		.code = (unsigned short)code,
		.value = value,
	};

	assert_int_equal(write(kernel.pipe, &event, sizeof(event)), sizeof(event));
}

static void press(unsigned int number, int value, int ms)
{
	kernel.down[number - 1] = value;
	tell(EV_KEY, BTN_TRIGGER_HAPPY + number - 1, value, ms);
	tell(EV_SYN, SYN_REPORT, 0, ms);
}

static bool is_readable(const struct event_source *source)
{
	struct pollfd ready = { .fd = event_descriptor(source), .events = POLLIN };

	return poll(&ready, 1, 0) == 1;
}

static void codes_have_names(void **state)
{
	(void)state;
	assert_int_equal(event_code("BTN_START"), BTN_START);
	assert_int_equal(event_code("BTN_TRIGGER_HAPPY3"), BTN_TRIGGER_HAPPY3);
	assert_int_equal(event_code("BTN_NONE"), -ENOENT);
	assert_int_equal(event_code("REL_X"), -ENOENT);
	assert_int_equal(event_code(""), -ENOENT);
}

static void buttons_are_what_they_were_last(void **state)
{
	struct event_source source;

	(void)state;
	kernel.down[2] = true;
	assert_int_equal(event_open(&source, "Head"), 0);
	assert_int_equal(kernel.clock, CLOCK_MONOTONIC);
	assert_int_equal(event_value(&source, BTN_TRIGGER_HAPPY1), 0);
	assert_int_equal(event_value(&source, BTN_TRIGGER_HAPPY3), 1);
	assert_int_equal(event_time(&source, BTN_TRIGGER_HAPPY3), 0);
	assert_int_equal(event_update(&source), 0);
	assert_false(is_readable(&source));
	press(1, 1, 5001);
	press(3, 0, 5002);
	press(2, 1, 5003);
	press(2, 0, 5004);
	assert_true(is_readable(&source));
	assert_int_equal(event_value(&source, BTN_TRIGGER_HAPPY1), 0);
	assert_int_equal(event_update(&source), 0);
	assert_false(is_readable(&source));
	assert_int_equal(event_value(&source, BTN_TRIGGER_HAPPY1), 1);
	assert_int_equal(event_value(&source, BTN_TRIGGER_HAPPY2), 0);
	assert_int_equal(event_value(&source, BTN_TRIGGER_HAPPY3), 0);
	assert_true(event_time(&source, BTN_TRIGGER_HAPPY1) == INT64_C(5001000000));
	assert_true(event_time(&source, BTN_TRIGGER_HAPPY2) == INT64_C(5004000000));
	assert_true(event_time(&source, BTN_TRIGGER_HAPPY3) == INT64_C(5002000000));
	assert_int_equal(kernel.grabs, 0);
	event_close(&source);
	event_close(&source);
}

static void what_it_has_not_is_told(void **state)
{
	struct event_source source;

	(void)state;
	assert_int_equal(event_open(&source, "Head"), 0);
	assert_int_equal(event_value(&source, BTN_START), -ENOENT);
	assert_int_equal(event_value(&source, -1), -ENOENT);
	assert_int_equal(event_value(&source, KEY_CNT), -ENOENT);
	assert_int_equal(event_time(&source, INT_MAX), -ENOENT);
	event_close(&source);
}

/* One of the keys is released, and another pressed, while nobody listens. */
static void what_was_dropped_is_made_good(void **state)
{
	struct event_source source;

	(void)state;
	assert_int_equal(event_open(&source, "Head"), 0);
	press(1, 1, 1000);
	assert_int_equal(event_update(&source), 0);
	tell(EV_SYN, SYN_DROPPED, 0, 2000);
	kernel.down[0] = false;
	kernel.down[1] = true;
	tell(EV_KEY, BTN_TRIGGER_HAPPY3, 1, 2000);
	tell(EV_SYN, SYN_REPORT, 0, 2000);
	assert_int_equal(event_update(&source), 0);
	assert_int_equal(event_value(&source, BTN_TRIGGER_HAPPY1), 0);
	assert_int_equal(event_value(&source, BTN_TRIGGER_HAPPY2), 1);
	assert_int_equal(event_value(&source, BTN_TRIGGER_HAPPY3), 0);
	assert_true(event_time(&source, BTN_TRIGGER_HAPPY1) == INT64_C(2000000000));
	press(3, 1, 3000);
	assert_int_equal(event_update(&source), 0);
	assert_int_equal(event_value(&source, BTN_TRIGGER_HAPPY3), 1);
	event_close(&source);
}

static void a_button_that_is_held_has_not_changed(void **state)
{
	struct event_source source;

	(void)state;
	assert_int_equal(event_open(&source, "Head"), 0);
	press(1, 1, 1000);
	press(1, 2, 1500);
	assert_int_equal(event_update(&source), 0);
	assert_int_equal(event_value(&source, BTN_TRIGGER_HAPPY1), 1);
	assert_true(event_time(&source, BTN_TRIGGER_HAPPY1) == INT64_C(1000000000));
	event_close(&source);
}

static void an_update_has_an_end(void **state)
{
	struct event_source source;
	unsigned int updates = 1;

	(void)state;
	assert_int_equal(event_open(&source, "Head"), 0);
	for (int i = 0; i < 1001; i++)
		press(1, i % 2 == 0, i);
	while (event_update(&source) == 1)
		updates++;
	assert_int_equal(updates, 2);
	assert_int_equal(event_value(&source, BTN_TRIGGER_HAPPY1), 1);
	assert_true(event_time(&source, BTN_TRIGGER_HAPPY1) == INT64_C(1000000000));
	event_close(&source);
}

static void what_is_not_there_is_told(void **state)
{
	struct event_source source;
	char label[300];

	(void)state;
	assert_int_equal(event_open(&source, "Hea"), -ENODEV);
	assert_int_equal(event_open(&source, ""), -ENODEV);
	assert_int_equal(event_open(&source, "LFoot"), -ENODEV);
	memset(label, 'a', sizeof(label));
	label[sizeof(label) - 1] = '\0';
	assert_int_equal(event_open(&source, label), -ENODEV);
	event_close(&source);
	add("Head buttons\n", "5", "/dev/input/event5");
	assert_int_equal(event_open(&source, "Head"), -ENOTUNIQ);
}

/* Its number was given to another one just now. */
static void another_ones_node_is_left(void **state)
{
	struct event_source source;

	(void)state;
	kernel.name = "LFoot buttons";
	assert_int_equal(event_open(&source, "Head"), -ENODEV);
	assert_null(source.device);
}

static void what_is_gone_stays_gone(void **state)
{
	struct event_source source;

	(void)state;
	assert_int_equal(event_open(&source, "Head"), 0);
	press(1, 1, 1000);
	assert_int_equal(event_update(&source), 0);
	kernel.gone = true;
	assert_int_equal(event_update(&source), -ENODEV);
	kernel.gone = false;
	assert_int_equal(event_update(&source), -ENODEV);
	assert_int_equal(event_value(&source, BTN_TRIGGER_HAPPY1), -ENODEV);
	assert_int_equal(event_time(&source, BTN_TRIGGER_HAPPY1), -ENODEV);
	event_close(&source);
}

/* ---- as a key ---- */

#define BUTTON "Device/SubDeviceList/Head/Touch/Sensor/Value"
#define UNTIL(condition)                                     \
	do {                                                 \
		for (int left = 1000; !(condition); left--) { \
			assert_true(left > 0);               \
			usleep(10000);                       \
		}                                            \
	} while (0)

static const char *const description =
	"<ModulePreference name='test@Device'>"
	"<Preference memoryName='Device/SubDeviceList/Head/Touch/Sensor' type='array'>"
	"<Preference name='Event' type='string' value='BTN_TRIGGER_HAPPY1'/>"
	"</Preference></ModulePreference>";

/* The node is made later than the board's other devices. */
static int setup_late(void **state)
{
	const char *const label[] = { "label", "Head\n", NULL };
	struct naohw_error err;

	if (setup(state) < 0)
		return -1;
	close(kernel.pipe);
	kernel.pipe = -1;
	assert_int_equal(unlink(testbed_file("/dev/input", "event3")), 0);
	testbed_add("iio", "iio:device7", NULL, label, NULL);
	if (naohw_robot_open(temp_text(description), "local:", &robot, &err) < 0)
		fail_msg("%s", err.message);
	return 0;
}

static int teardown_late(void **state)
{
	naohw_robot_close(robot);
	robot = NULL;
	return teardown(state);
}

static void come(void)
{
	kernel.down[0] = true;
	make_node();
}

static bool is_read(void)
{
	double value;

	return naohw_key_read(key(BUTTON), &value, NULL) == 0 && value == 1;
}

static void one_that_comes_late_is_read(void **state)
{
	double value;

	(void)state;
	assert_int_equal(naohw_key_read(key(BUTTON), &value, NULL), -ENODEV);
	come();
	UNTIL(is_read());
}

static struct naohw_value shown(const struct slow *slow)
{
	struct naohw_value value;

	slow_get(slow, 0, &value);
	return value;
}

/* What happens to it then wakes who waits for all of them. */
static void one_that_comes_late_is_waited_for(void **state)
{
	const struct subdevice *subdevice = key(BUTTON)->value_of;
	struct slow *slow;

	(void)state;
	assert_int_equal(slow_begin(&subdevice, 1, &slow, NULL), 0);
	UNTIL(slow_has_news(slow));
	assert_int_equal(shown(slow).state, NAOHW_STATE_ABSENT);
	come();
	UNTIL(shown(slow).state == NAOHW_STATE_FRESH);
	assert_int_equal(shown(slow).number, 1);
	press(1, 0, 5000);
	UNTIL(shown(slow).number == 0);
	slow_end(slow);
}

/* The board is plugged in again: what its old descriptor tells nobody hears any more. */
static void one_that_comes_back_is_waited_for(void **state)
{
	const struct subdevice *subdevice = key(BUTTON)->value_of;
	struct slow *slow;
	int old, other;

	(void)state;
	come();
	assert_int_equal(slow_begin(&subdevice, 1, &slow, NULL), 0);
	UNTIL(shown(slow).state == NAOHW_STATE_FRESH && waited_for == node());
	kernel.gone = true;
	press(1, 0, 5000);
	UNTIL(shown(slow).state == NAOHW_STATE_STALE && !waited_for);
	assert_int_equal(unlink(testbed_file("/dev/input", "event3")), 0);
	kernel.gone = false;
	/* Its number is another file's by then. */
	other = dup(kernel.pipe);
	old = kernel.pipe;
	come();
	UNTIL(shown(slow).state == NAOHW_STATE_FRESH && waited_for == node());
	close(old);
	close(other);
	assert_int_equal(shown(slow).number, 1);
	press(1, 0, 6000);
	UNTIL(shown(slow).number == 0);
	slow_end(slow);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
#define LATE(name) cmocka_unit_test_setup_teardown(name, setup_late, teardown_late)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(codes_have_names),
		TEST(buttons_are_what_they_were_last),
		TEST(what_it_has_not_is_told),
		TEST(what_was_dropped_is_made_good),
		TEST(a_button_that_is_held_has_not_changed),
		TEST(an_update_has_an_end),
		TEST(what_is_not_there_is_told),
		TEST(another_ones_node_is_left),
		TEST(what_is_gone_stays_gone),
		LATE(one_that_comes_late_is_read),
		LATE(one_that_comes_late_is_waited_for),
		LATE(one_that_comes_back_is_waited_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
