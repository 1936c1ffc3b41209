// SPDX-License-Identifier: LGPL-2.1-or-later
/* What naohwd says in its log of joints that do less than they are told. */
#include "dcm_stage.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fake_iio.h"

#include "../naohwd/guards.h"

static struct guards *guards;
static int before = -1; /* stderr, before it was the log */
static FILE *lines;
static char said[4096];

static int setup(void **state)
{
	(void)state;
	stage_open("", NULL);
	stage_set(YAW_HARDNESS, 1, 0);
	stage_set(PITCH_HARDNESS, 1, 0);
	stage_cycles(2);
	assert_int_equal(guards_new(stage.dcm, &guards, NULL), 0);
	lines = tmpfile();
	assert_non_null(lines);
	before = dup(STDERR_FILENO);
	assert_true(dup2(fileno(lines), STDERR_FILENO) >= 0);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	(void)dup2(before, STDERR_FILENO);
	close(before);
	fclose(lines);
	guards_free(guards);
	stage_close();
	return 0;
}

static void cycles(unsigned int count)
{
	while (count--) {
		stage_cycles(1);
		guards_cycle(guards);
	}
}

/* Since the last time */
static const char *log_since(void)
{
	ssize_t length;

	fflush(stderr);
	length = pread(fileno(lines), said, sizeof(said) - 1, 0);
	assert_true(length >= 0);
	said[length] = '\0';
	assert_int_equal(ftruncate(fileno(lines), 0), 0);
	(void)lseek(STDERR_FILENO, 0, SEEK_SET);
	return said;
}

static void silence_and_move(void)
{
	stage.is_held[YAW] = true;
	stage.age[YAW] = 255;
	cycles(25);
	stage.present[YAW] = STAGE_START + 60;
	stage.age[YAW] = 0;
	cycles(3);
	stage.is_held[YAW] = false;
	cycles(40);
}

static void what_is_well_is_not_told(void **state)
{
	(void)state;
	cycles(10);
	assert_string_equal(log_since(), "");
}

static void a_joint_and_its_reason_are_told_once(void **state)
{
	(void)state;
	fake_device_set("HeadYaw", "torque_state", "shut-down");
	UNTIL(strcmp(stage_text("DCM/Guard/HeadYaw"), "shut-down") == 0, cycles(1));
	cycles(100);
	assert_string_equal(log_since(), "naohwd: HeadYaw: the servo has switched itself off, for an "
					 "overload or for its heat\n");
}

static void of_one_reason_all_are_in_a_line(void **state)
{
	(void)state;
	stage.current = 100;
	cycles(20);
	assert_non_null(strstr(log_since(), "naohwd: HeadPitch, HeadYaw: the battery "));
	assert_null(strchr(strchr(said, '\n') + 1, '\n'));
}

static void a_loose_contact_is_told_once_a_minute(void **state)
{
	(void)state;
	silence_and_move();
	assert_non_null(strstr(log_since(), "naohwd: HeadYaw: it was moved while it did not answer"));
	silence_and_move();
	assert_string_equal(log_since(), "");
	stage.now += 60000;
	cycles(2);
	silence_and_move();
	assert_non_null(strstr(log_since(), "naohwd: HeadYaw: it was moved"));
}

static void what_lasts_is_told_though_it_was_told_a_moment_ago(void **state)
{
	(void)state;
	fake_device_set("HeadYaw", "torque_state", "tripped");
	UNTIL(strcmp(stage_text("DCM/Guard/HeadYaw"), "tripped") == 0, cycles(1));
	fake_device_set("HeadYaw", "torque_state", "stiff");
	UNTIL(strcmp(stage_text("DCM/Guard/HeadYaw"), "") == 0, cycles(1));
	assert_non_null(strstr(log_since(), "HeadYaw: the torque is gone"));
	fake_device_set("HeadYaw", "torque_state", "tripped");
	UNTIL(strcmp(stage_text("DCM/Guard/HeadYaw"), "tripped") == 0, cycles(1));
	assert_string_equal(log_since(), "");
	stage.now += 60000;
	cycles(2);
	assert_non_null(strstr(log_since(), "HeadYaw: the torque is gone"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(what_is_well_is_not_told),
		TEST(a_joint_and_its_reason_are_told_once),
		TEST(of_one_reason_all_are_in_a_line),
		TEST(a_loose_contact_is_told_once_a_minute),
		TEST(what_lasts_is_told_though_it_was_told_a_moment_ago),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
