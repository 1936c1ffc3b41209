// SPDX-License-Identifier: LGPL-2.1-or-later
/* Lights show the level nearest to what they are told, and nobody's colour is lost. */
#include "support.h"

#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "io/light.h"
#include "testbed.h"

int __real_flock(int fd, int operation);
int __wrap_flock(int fd, int operation);
ssize_t __real_write(int fd, const void *data, size_t size);
ssize_t __wrap_write(int fd, const void *data, size_t size);
int __wrap_nanosleep(const struct timespec *time, struct timespec *rest);

/* What has been written, a line each */
static char written[256];
static void (*on_write)(void);
static void (*on_sleep)(void);
static unsigned int sleeps;
static sem_t *refused;

/* As a file of sysfs, which takes all that is written for its new text */
ssize_t __wrap_write(int fd, const void *data, size_t size)
{
	void (*now)(void) = on_write;
	size_t at = strlen(written);

	on_write = NULL;
	if (now)
		now();
	snprintf(written + at, sizeof(written) - at, "%.*s\n", (int)size, (const char *)data);
	if (ftruncate(fd, 0) < 0)
		return -1;
	return __real_write(fd, data, size);
}

int __wrap_flock(int fd, int operation)
{
	int ret = __real_flock(fd, operation);

	if (ret < 0 && refused)
		sem_post(refused);
	return ret;
}

/* Nobody waits here. */
int __wrap_nanosleep(const struct timespec *time, struct timespec *rest)
{
	(void)time;
	(void)rest;
	sleeps++;
	if (on_sleep)
		on_sleep();
	return 0;
}

static int setup(void **state)
{
	written[0] = '\0';
	on_write = on_sleep = NULL;
	sleeps = 0;
	refused = NULL;
	return testbed_begin(state);
}

static const char *add(const char *name, const char *const *attributes)
{
	return testbed_add("leds", name, NULL, attributes, NULL);
}

static const char *add_plain(const char *name, const char *max)
{
	const char *const attributes[] = { "brightness", "0\n", "max_brightness", max, NULL };

	return add(name, attributes);
}

static const char *add_colored(const char *name, const char *brightness, const char *intensity)
{
	const char *const attributes[] = {
		"brightness", brightness, "max_brightness", "255\n", "multi_index",
		"red green blue\n", "multi_intensity", intensity, NULL,
	};

	return add(name, attributes);
}

static void the_nearest_level_is_written(void **state)
{
	const char *path = add_plain("Ears:blue:left-36deg", "15\n");
	struct light light;
	double part;

	(void)state;
	assert_int_equal(light_open(&light, "Ears", "left-36deg", NULL), 0);
	assert_int_equal(light_write(&light, 0.5), 0);
	assert_string_equal(testbed_get(path, "brightness"), "8");
	assert_int_equal(light_read(&light, &part), 0);
	assert_near(part, 8.0 / 15, 1e-9);
	assert_int_equal(light_write(&light, 1), 0);
	assert_string_equal(testbed_get(path, "brightness"), "15");
	assert_int_equal(light_write(&light, 0.03), 0);
	assert_string_equal(testbed_get(path, "brightness"), "0");
	light_close(&light);
}

static void what_is_no_part_is_refused(void **state)
{
	static const double parts[] = { -1.01, 1.01, NAN, INFINITY };
	struct light light;

	(void)state;
	add_plain("Ears:blue:left-36deg", "15\n");
	assert_int_equal(light_open(&light, "Ears", "left-36deg", NULL), 0);
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		assert_int_equal(light_write(&light, parts[i]), -ERANGE);
	assert_string_equal(written, "");
	light_close(&light);
}

static void a_light_is_found_by_its_whole_name(void **state)
{
	struct light light;

	(void)state;
	add_plain("Ears:blue:left-36deg", "15\n");
	add_plain("Ears:blue:left-36deg_1", "1\n");
	add_plain("LeftEars:blue:left-36deg", "2\n");
	add_plain("Ears:x:blue:left-36deg", "3\n");
	add_plain("a*:y:[z]", "4\n");
	add_plain("ab:y:z", "5\n");
	add_plain("cm-730::head", "6\n");
	assert_int_equal(light_open(&light, "Ears", "left-36deg", NULL), 0);
	assert_int_equal(light.max, 15);
	light_close(&light);
	assert_int_equal(light_open(&light, "a*", "[z]", NULL), 0);
	assert_int_equal(light.max, 4);
	light_close(&light);
	assert_int_equal(light_open(&light, "cm-730", "head", NULL), 0);
	assert_int_equal(light.max, 6);
	light_close(&light);
	assert_int_equal(light_open(&light, "Ears", "left", NULL), -ENODEV);
	assert_int_equal(light.dir, -1);
	assert_int_equal(light_open(&light, "Face", "left-36deg", NULL), -ENODEV);
	assert_int_equal(light_open(&light, "", "", NULL), -ENODEV);
}

static void of_two_none_is_taken(void **state)
{
	struct light light;

	(void)state;
	add_plain("Head:red:front", "15\n");
	add_plain("Head:blue:front", "15\n");
	assert_int_equal(light_open(&light, "Head", "front", NULL), -ENOTUNIQ);
	assert_int_equal(light.dir, -1);
}

static void names_may_be_long(void **state)
{
	char name[1000];
	struct light light;

	(void)state;
	add_plain("Head:red:front", "15\n");
	memset(name, '*', sizeof(name));
	for (size_t length = 240; length < sizeof(name); length++) {
		name[length] = '\0';
		assert_int_equal(light_open(&light, name, "front", NULL), -ENODEV);
		assert_int_equal(light_open(&light, "Head", name, NULL), -ENODEV);
		name[length] = '*';
	}
}

static void the_colour_must_be_there(void **state)
{
	struct light light;

	(void)state;
	add_colored("Chest:rgb:indicator", "0\n", "255 255 255\n");
	add_plain("Ears:blue:left-36deg", "15\n");
	assert_int_equal(light_open(&light, "Chest", "indicator", "white"), -ENOENT);
	assert_int_equal(light_open(&light, "Chest", "indicator", "re"), -ENOENT);
	assert_int_equal(light_open(&light, "Chest", "indicator", ""), -ENOENT);
	assert_int_equal(light_open(&light, "Chest", "indicator", NULL), -ENOENT);
	assert_int_equal(light_open(&light, "Ears", "left-36deg", "blue"), -ENOENT);
	assert_int_equal(light.dir, -1);
}

static void files_may_say_anything(void **state)
{
	static const char *const maxima[] = { "0\n", "-1\n", "x\n", "", "1e300\n", "4294967297\n" };
	const char *path = add_plain("Chest:rgb:indicator", "255\n");
	struct light light;

	(void)state;
	for (size_t i = 0; i < sizeof(maxima) / sizeof(*maxima); i++) {
		testbed_put(path, "max_brightness", maxima[i]);
		assert_int_equal(light_open(&light, "Chest", "indicator", NULL), -EPROTO);
	}
	testbed_put(path, "max_brightness", "255\n");
	testbed_put(path, "multi_index", "a b c d e f g h i j k l m n o p q\n");
	assert_int_equal(light_open(&light, "Chest", "indicator", "a"), -EPROTO);
}

static void colours_may_say_anything(void **state)
{
	static const char *const texts[] = {
		"1 2\n", "1 2 3 4\n", "1 2 x\n", "", "1 2 99999999999999999999\n", "1 2 4294967296\n",
	};
	const char *path = add_colored("Chest:rgb:indicator", "0\n", "255 255 255\n");
	struct light light;
	double part;

	(void)state;
	assert_int_equal(light_open(&light, "Chest", "indicator", "green"), 0);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		testbed_put(path, "multi_intensity", texts[i]);
		assert_int_equal(light_write(&light, 1), -EPROTO);
		assert_int_equal(light_read(&light, &part), -EPROTO);
	}
	testbed_put(path, "multi_intensity", "0 70000 0\n");
	testbed_put(path, "brightness", "4294967295\n");
	assert_int_equal(light_read(&light, &part), 0);
	assert_near(part, 1, 0);
	light_close(&light);
}

static void a_colour_is_a_part_of_its_light(void **state)
{
	const char *path = add_colored("Chest:rgb:indicator", "255\n", "1 2 3\n");
	struct light light;
	double part;

	(void)state;
	assert_int_equal(light_open(&light, "Chest", "indicator", "green"), 0);
	assert_int_equal(light_write(&light, 0.2), 0);
	assert_string_equal(testbed_get(path, "multi_intensity"), "1 51 3 ");
	assert_string_equal(testbed_get(path, "brightness"), "255\n");
	assert_int_equal(light_read(&light, &part), 0);
	assert_near(part, 0.2, 1e-9);
	light_close(&light);
}

/* As the driver begins: all colours are whole, and brightness is 0. */
static void one_colour_does_not_switch_others_on(void **state)
{
	const char *path = add_colored("Chest:rgb:indicator", "0\n", "255 255 255\n");
	struct light light;
	double part;

	(void)state;
	assert_int_equal(light_open(&light, "Chest", "indicator", "red"), 0);
	assert_int_equal(light_read(&light, &part), 0);
	assert_near(part, 0, 0);
	assert_int_equal(light_write(&light, 1), 0);
	assert_string_equal(written, "255 0 0 \n255\n");
	assert_string_equal(testbed_get(path, "brightness"), "255");
	light_close(&light);
}

static void what_dimmed_a_light_goes_into_its_colours(void **state)
{
	const char *path = add_colored("Chest:rgb:indicator", "51\n", "255 128 70000\n");
	struct light light;
	double part;

	(void)state;
	assert_int_equal(light_open(&light, "Chest", "indicator", "green"), 0);
	assert_int_equal(light_read(&light, &part), 0);
	assert_near(part, 26.0 / 255, 1e-9);
	assert_int_equal(light_write(&light, 0), 0);
	assert_string_equal(testbed_get(path, "multi_intensity"), "51 0 255 ");
	assert_string_equal(testbed_get(path, "brightness"), "255");
	light_close(&light);
}

/* --- two at once --- */

static pthread_t other;
static struct light green;
static sem_t turn;

static void *write_green(void *unused)
{
	int ret;

	(void)unused;
	ret = light_write(&green, 0.2);
	sem_post(&turn);
	return (void *)(intptr_t)ret;
}

/* Until the other one is done, or knows that he has to wait */
static void let_other_write(void)
{
	assert_int_equal(pthread_create(&other, NULL, write_green, NULL), 0);
	while (sem_wait(&turn) < 0)
		;
}

static void neither_colour_is_lost(void **state)
{
	const char *path = add_colored("Chest:rgb:indicator", "255\n", "1 2 3\n");
	struct light red;
	void *ret;

	(void)state;
	assert_int_equal(sem_init(&turn, 0, 0), 0);
	assert_int_equal(light_open(&red, "Chest", "indicator", "red"), 0);
	assert_int_equal(light_open(&green, "Chest", "indicator", "green"), 0);
	refused = &turn;
	on_write = let_other_write;
	on_sleep = NULL;
	assert_int_equal(light_write(&red, 1), 0);
	assert_int_equal(pthread_join(other, &ret), 0);
	/* It may have tried in vain all the while, as nobody sleeps here. */
	if ((intptr_t)ret == -EBUSY)
		assert_int_equal(light_write(&green, 0.2), 0);
	assert_string_equal(testbed_get(path, "multi_intensity"), "255 51 3 ");
	light_close(&red);
	light_close(&green);
	sem_destroy(&turn);
}

static int held = -1;

static void let_go(void)
{
	if (sleeps == 3)
		assert_int_equal(__real_flock(held, LOCK_UN), 0);
}

static void nobody_waits_for_ever(void **state)
{
	const char *path = add_colored("Chest:rgb:indicator", "255\n", "1 2 3\n");
	struct light light;

	(void)state;
	assert_int_equal(light_open(&light, "Chest", "indicator", "red"), 0);
	held = open(testbed_file(path, "multi_intensity"), O_RDONLY | O_CLOEXEC);
	assert_true(held >= 0);
	assert_int_equal(__real_flock(held, LOCK_EX), 0);
	assert_int_equal(light_write(&light, 0), -EBUSY);
	assert_int_equal(sleeps, 100);
	assert_string_equal(written, "");
	sleeps = 0;
	on_sleep = let_go;
	assert_int_equal(light_write(&light, 0), 0);
	assert_int_equal(sleeps, 3);
	assert_string_equal(testbed_get(path, "multi_intensity"), "0 2 3 ");
	close(held);
	light_close(&light);
}

/* --- near a sensor --- */

/* Triggers of the machine are around the sensors'. */
#define ARMED	 "none timer [Head-touch-front] Head-touch-rear\n"
#define DISARMED "[none] timer Head-touch-front Head-touch-rear\n"
#define BLINKING "none [timer] Head-touch-front Head-touch-rear\n"

static const char *add_near(const char *name, const char *triggers)
{
	const char *const attributes[] = { "brightness", "0\n", "max_brightness", "15\n",
					   "trigger", triggers, NULL };

	return add(name, attributes);
}

/* What becomes of the light's files that is told @part by who has not known it before */
static void check_told(const char *path, const char *triggers, double part, const char *expected)
{
	struct light light;

	testbed_put(path, "trigger", triggers);
	written[0] = '\0';
	assert_int_equal(light_open(&light, "Head", "front-left-0", NULL), 0);
	assert_int_equal(light_write(&light, part), 0);
	assert_string_equal(written, expected);
	light_close(&light);
}

/* [tou-2] */
static void zero_and_nothing_else_has_it_come_on_by_touch(void **state)
{
	const char *path = add_near("Head:blue:front-left-0", ARMED);

	(void)state;
	check_told(path, ARMED, 0.4, "none\n6\n");
	check_told(path, DISARMED, 0.4, "6\n");
	check_told(path, ARMED, 0.01, "none\n0\n");
	check_told(path, ARMED, 0, "0\nHead-touch-front\n");
	check_told(path, DISARMED, 0, "0\nHead-touch-front\n");
	/* By 0 the kernel ends any trigger. */
	check_told(path, ARMED, -1, "0\n");
	check_told(path, DISARMED, -1, "0\n");
	check_told(path, DISARMED, -0.5, "0\n");
}

static void one_process_does_what_another_has_undone(void **state)
{
	const char *path = add_near("Head:blue:front-left-0", DISARMED);
	struct light light;

	(void)state;
	assert_int_equal(light_open(&light, "Head", "front-left-0", NULL), 0);
	testbed_put(path, "trigger", ARMED);
	assert_int_equal(light_write(&light, 1), 0);
	assert_string_equal(written, "none\n15\n");
	light_close(&light);
}

static void check_read(const char *path, const char *triggers, const char *level, double expected)
{
	struct light light;
	double part;

	testbed_put(path, "trigger", triggers);
	testbed_put(path, "brightness", level);
	assert_int_equal(light_open(&light, "Head", "front-left-0", NULL), 0);
	assert_int_equal(light_read(&light, &part), 0);
	assert_near(part, expected, 1e-9);
	light_close(&light);
}

static void whether_it_comes_on_can_be_read(void **state)
{
	const char *path = add_near("Head:blue:front-left-0", ARMED);

	(void)state;
	check_read(path, ARMED, "0\n", 0);
	check_read(path, DISARMED, "0\n", -1);
	check_read(path, BLINKING, "0\n", -1);
	check_read(path, DISARMED, "6\n", 0.4);
	check_read(path, ARMED, "15\n", 1);
}

static void another_trigger_is_somebodys_own(void **state)
{
	const char *path = add_near("Head:blue:front-left-0", BLINKING);

	(void)state;
	check_told(path, BLINKING, 0.4, "6\n");
}

/* By its name it is near none, or near one that this machine has not. */
static void a_light_elsewhere_is_near_none(void **state)
{
	static const char *const names[] = { "middle-left-0", "fron-left-0", "indicator", "" };
	struct light light;
	char name[64];
	double part;

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(name, sizeof(name), "Head:blue:%s", names[i]);
		add_near(name, "none Head-touch-front [0-Head-touch-middle] Head-touch-middle-2\n");
		assert_int_equal(light_open(&light, "Head", names[i], NULL), 0);
		written[0] = '\0';
		assert_int_equal(light_write(&light, 0), 0);
		assert_int_equal(light_write(&light, -1), 0);
		assert_string_equal(written, "0\n0\n");
		assert_int_equal(light_read(&light, &part), 0);
		assert_near(part, 0, 0);
		light_close(&light);
	}
}

/* --- gone --- */

static void what_takes_its_place_is_another(void **state)
{
	const char *path = add_plain("Ears:blue:left-36deg", "15\n");
	struct light light;
	double part;

	(void)state;
	assert_int_equal(light_open(&light, "Ears", "left-36deg", NULL), 0);
	testbed_remove(path);
	path = add_plain("Ears:blue:left-36deg", "15\n");
	assert_int_equal(light_write(&light, 1), -ENODEV);
	assert_int_equal(light_read(&light, &part), -ENODEV);
	assert_string_equal(testbed_get(path, "brightness"), "0\n");
	light_close(&light);
	light_close(&light);
}

static void its_colours_are_gone_with_it(void **state)
{
	const char *path = add_colored("Chest:rgb:indicator", "255\n", "1 2 3\n");
	struct light light;
	double part;

	(void)state;
	assert_int_equal(light_open(&light, "Chest", "indicator", "red"), 0);
	testbed_remove(path);
	assert_int_equal(light_write(&light, 1), -ENODEV);
	assert_int_equal(light_read(&light, &part), -ENODEV);
	light_close(&light);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, testbed_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_nearest_level_is_written),
		TEST(what_is_no_part_is_refused),
		TEST(a_light_is_found_by_its_whole_name),
		TEST(of_two_none_is_taken),
		TEST(names_may_be_long),
		TEST(the_colour_must_be_there),
		TEST(files_may_say_anything),
		TEST(colours_may_say_anything),
		TEST(a_colour_is_a_part_of_its_light),
		TEST(one_colour_does_not_switch_others_on),
		TEST(what_dimmed_a_light_goes_into_its_colours),
		TEST(neither_colour_is_lost),
		TEST(nobody_waits_for_ever),
		TEST(zero_and_nothing_else_has_it_come_on_by_touch),
		TEST(one_process_does_what_another_has_undone),
		TEST(whether_it_comes_on_can_be_read),
		TEST(another_trigger_is_somebodys_own),
		TEST(a_light_elsewhere_is_near_none),
		TEST(what_takes_its_place_is_another),
		TEST(its_colours_are_gone_with_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
