// SPDX-License-Identifier: LGPL-2.1-or-later
/* What a DCM has for who hosts it for others: texts of its own, tickets, and what names stand for. */
#include "dcm_stage.h"

#include <pthread.h>
#include <semaphore.h>

#define OWN "DCM/Own"

static struct naohw_dcm_settings *settings;

static int setup(void **state)
{
	(void)state;
	assert_int_equal(naohw_dcm_settings_new(&settings), 0);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	naohw_dcm_settings_free(settings);
	if (stage.dcm)
		stage_close();
	return 0;
}

/* ---- texts ---- */

static void a_text_is_seen_from_the_next_cycle_on(void **state)
{
	(void)state;
	assert_int_equal(naohw_dcm_settings_add_text(settings, OWN), 0);
	assert_int_equal(naohw_dcm_settings_add_text(settings, "DCM/Other"), 0);
	stage_open("", settings);
	stage_cycles(1);
	assert_string_equal(stage_text(OWN), "");
	assert_int_equal(naohw_dcm_set_text(stage.dcm, OWN, "first"), 0);
	assert_int_equal(naohw_dcm_set_text(stage.dcm, OWN, "second"), 0);
	assert_string_equal(stage_text(OWN), "");
	for (int i = 0; i < 5; i++) {
		stage_cycles(1);
		assert_string_equal(stage_text(OWN), "second");
	}
	assert_string_equal(stage_text("DCM/Other"), "");
	assert_int_equal(naohw_dcm_set_text(stage.dcm, OWN, ""), 0);
	stage_cycles(1);
	assert_string_equal(stage_text(OWN), "");
	assert_int_equal(naohw_dcm_set_text(stage.dcm, "DCM/Stream", "x"), -ENOENT);
}

static void one_that_is_too_long_is_cut(void **state)
{
	char text[2 * NAOHW_TEXT_SIZE];

	(void)state;
	memset(text, 'a', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	assert_int_equal(naohw_dcm_settings_add_text(settings, OWN), 0);
	stage_open("", settings);
	assert_int_equal(naohw_dcm_set_text(stage.dcm, OWN, text), 0);
	stage_cycles(1);
	assert_int_equal(strlen(stage_text(OWN)), NAOHW_TEXT_SIZE - 1);
}

static void names_have_rules(void **state)
{
	char name[256] = "DCM/";

	(void)state;
	memset(name + 4, 'a', sizeof(name) - 5);
	assert_int_equal(naohw_dcm_settings_add_text(settings, name), -EINVAL);
	assert_int_equal(naohw_dcm_settings_add_text(settings, "DCM/"), -EINVAL);
	assert_int_equal(naohw_dcm_settings_add_text(settings, "Own"), -EINVAL);
	assert_int_equal(naohw_dcm_settings_add_text(settings, "DCM/\n"), -EINVAL);
	for (int i = 0; i < 128; i++) {
		snprintf(name, sizeof(name), "DCM/Own/%d", i);
		assert_int_equal(naohw_dcm_settings_add_text(settings, name), 0);
	}
	assert_int_equal(naohw_dcm_settings_add_text(settings, name), -EEXIST);
	assert_int_equal(naohw_dcm_settings_add_text(settings, OWN), -ENOSPC);
	stage_open("", settings);
	stage_cycles(1);
	assert_string_equal(stage_text("DCM/Own/127"), "");
}

static atomic_bool gives;

static void *give_texts(void *data)
{
	(void)data;
	for (unsigned int i = 0; atomic_load(&gives); i++) {
		char text[NAOHW_TEXT_SIZE];

		memset(text, 'a' + i % 26, sizeof(text) - 1);
		text[sizeof(text) - 1] = '\0';
		assert_int_equal(naohw_dcm_set_text(stage.dcm, OWN, text), 0);
	}
	return NULL;
}

/* Whichever of them it is. */
static void a_text_is_never_half_of_another(void **state)
{
	pthread_t thread;

	(void)state;
	assert_int_equal(naohw_dcm_settings_add_text(settings, OWN), 0);
	stage_open("", settings);
	atomic_store(&gives, true);
	assert_int_equal(pthread_create(&thread, NULL, give_texts, NULL), 0);
	for (int i = 0; i < 2000; i++) {
		const char *text;

		stage_cycles(1);
		text = stage_text(OWN);
		for (size_t j = 0; text[j]; j++)
			assert_int_equal(text[j], text[0]);
	}
	atomic_store(&gives, false);
	pthread_join(thread, NULL);
	assert_int_equal(strlen(stage_text(OWN)), NAOHW_TEXT_SIZE - 1);
}

/* ---- tickets ---- */

static void a_ticket_is_taken_by_the_cycle(void **state)
{
	struct naohw_error err;
	uint64_t ticket;

	(void)state;
	stage_open("", NULL);
	assert_int_equal(naohw_dcm_has_taken(stage.dcm, naohw_dcm_ticket(stage.dcm), &err), 0);
	stage_set(YAW_HARDNESS, 1, 0);
	ticket = naohw_dcm_ticket(stage.dcm);
	assert_int_equal(naohw_dcm_has_taken(stage.dcm, ticket, &err), -EAGAIN);
	stage_cycles(1);
	assert_int_equal(naohw_dcm_has_taken(stage.dcm, ticket, &err), 0);
}

static void what_had_no_room_is_told_once(void **state)
{
	struct naohw_command commands[NAOHW_COMMANDS_MAX] = { 0 };
	struct naohw_error err;

	(void)state;
	stage_open("", NULL);
	for (int i = 0; i < 2; i++) {
		for (size_t j = 0; j < NAOHW_COMMANDS_MAX; j++)
			commands[j].time = stage.now + 1000 + 2 * (int64_t)j + i;
		assert_int_equal(naohw_dcm_set(stage.dcm, YAW_POSITION, NAOHW_UPDATE_MERGE,
					       commands, NAOHW_COMMANDS_MAX, &err),
				 0);
	}
	stage_cycles(2);
	assert_int_equal(naohw_dcm_has_taken(stage.dcm, naohw_dcm_ticket(stage.dcm), &err),
			 -ENOSPC);
	assert_says(&err, YAW_POSITION);
	assert_int_equal(naohw_dcm_has_taken(stage.dcm, naohw_dcm_ticket(stage.dcm), &err), 0);
}

/* ---- names ---- */

static void a_name_stands_for_actuators(void **state)
{
	static const char *const both[] = { PITCH_POSITION, YAW_POSITION };
	const char *names[2] = { NULL };

	(void)state;
	stage_open("", NULL);
	assert_int_equal(naohw_dcm_get_actuators(stage.dcm,
						 "Device/SubDeviceList/" YAW_POSITION "/Value",
						 names, 2),
			 1);
	assert_string_equal(names[0], YAW_POSITION);
	assert_int_equal(naohw_dcm_create_alias(stage.dcm, "Both", both, 2, NULL, NULL), 0);
	assert_int_equal(naohw_dcm_get_actuators(stage.dcm, "Both", NULL, 0), 2);
	assert_int_equal(naohw_dcm_get_actuators(stage.dcm, "Both", names, 2), 2);
	assert_string_equal(names[0], PITCH_POSITION);
	assert_string_equal(names[1], YAW_POSITION);
	assert_int_equal(naohw_dcm_get_actuators(stage.dcm, "Neither", names, 2), -ENOENT);
	assert_int_equal(naohw_dcm_get_actuators(stage.dcm, "DCM/Time", names, 2), -ENOENT);
}

/* ---- looks at the servos' torque ---- */

/* The thread that looks has not come to it. */
static atomic_bool is_kept;
static atomic_uint posts;

int __real_sem_post(sem_t *semaphore);
int __wrap_sem_post(sem_t *semaphore);
int __real_sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until);
int __wrap_sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until);

int __wrap_sem_post(sem_t *semaphore)
{
	posts++;
	return __real_sem_post(semaphore);
}

int __wrap_sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until)
{
	for (int left = 10000; is_kept && left; left--)
		usleep(1000);
	return __real_sem_clockwait(semaphore, clock, until);
}

/* Each late cycle wants one: the thread that was slow itself owes no more than one. */
static void looks_are_not_owed(void **state)
{
	(void)state;
	stage_open("", NULL);
	is_kept = true;
	posts = 0;
	for (int i = 0; i < 100; i++)
		torque_look(stage.host->torque);
	is_kept = false;
	/* It may have been on its way. */
	assert_in_range(posts, 1, 3);
}

int main(void)
{
#define HOST_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
	const struct CMUnitTest tests[] = {
		HOST_TEST(a_text_is_seen_from_the_next_cycle_on),
		HOST_TEST(one_that_is_too_long_is_cut),
		HOST_TEST(names_have_rules),
		HOST_TEST(a_text_is_never_half_of_another),
		HOST_TEST(a_ticket_is_taken_by_the_cycle),
		HOST_TEST(what_had_no_room_is_told_once),
		HOST_TEST(a_name_stands_for_actuators),
		HOST_TEST(looks_are_not_owed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
