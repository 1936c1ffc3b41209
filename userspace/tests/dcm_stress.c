// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * dcm_stress [CALLS] -- threads that command a DCM, make and remove aliases, wait and look, while
 * its cycle runs as fast as it can; so many calls of each. Prints TAP. With ThreadSanitizer it tells whether
 * what one leaves is there for the other; without it, whether all arrives, once and in order.
 */
#include "dcm_stage.h"

#include <pthread.h>
#include <sched.h>

#define THREADS 4
/* What a thread gives in one call for both joints: which both have to get in the same cycle. */
#define STEPS 64
#define TEXT  "DCM/Who"

struct user {
	pthread_t thread;
	unsigned int number;
	unsigned long calls;
	unsigned long refused; /* as the cycle has not taken what was there */
	bool failed;
};

static atomic_uint running;
static unsigned long torn, backwards, mixed;

static const char *const both[] = { YAW_POSITION, PITCH_POSITION };

static bool give(struct user *user, double value)
{
	const struct naohw_command command = { .value = value };
	struct naohw_error err = { "" };
	char alias[16];
	int ret;

	snprintf(alias, sizeof(alias), "Both%u", user->number);
	ret = naohw_dcm_set(stage.dcm, alias, NAOHW_UPDATE_CLEAR_ALL, &command, 1, &err);
	if (ret == -EAGAIN) {
		user->refused++;
		sched_yield();
	} else if (ret < 0) {
		fprintf(stderr, "set: %s\n", err.message);
		user->failed = true;
	}
	return ret == 0;
}

static void look(struct user *user)
{
	struct naohw_value value;
	size_t slot;

	if (naohw_store_find(naohw_dcm_store(stage.dcm),
			     "Device/SubDeviceList/HeadYaw/Position/Actuator/Value", &slot) < 0 ||
	    naohw_store_read(naohw_dcm_store(stage.dcm), slot, &value) == -EINVAL)
		user->failed = true;
}

/* All letters of a text are one thread's. */
static void tell(struct user *user)
{
	char text[NAOHW_TEXT_SIZE];

	memset(text, (int)('a' + user->number), sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	if (naohw_dcm_set_text(stage.dcm, TEXT, text) < 0)
		user->failed = true;
}

static void *use(void *data)
{
	struct user *user = data;
	uint64_t cycle = 0;
	char alias[16];

	snprintf(alias, sizeof(alias), "Both%u", user->number);
	for (unsigned long i = 0; i < user->calls && !user->failed; i++) {
		if (i % 64 == 0 &&
		    naohw_dcm_create_alias(stage.dcm, alias, both, 2, NULL, NULL) < 0)
			user->failed = true;
		if (i % 128 == 64 &&
		    (naohw_dcm_remove_alias(stage.dcm, alias, NULL) < 0 ||
		     naohw_dcm_create_alias(stage.dcm, alias, both, 2, NULL, NULL) < 0))
			user->failed = true;
		while (!give(user, (double)(i % STEPS) * STAGE_COUNT) && !user->failed)
			;
		look(user);
		tell(user);
		if (i % 256 == 0 && naohw_dcm_flush(stage.dcm, NULL) < 0)
			user->failed = true;
		if (i % 512 == 0 && naohw_dcm_wait(stage.dcm, &cycle, 10000, NULL) < 0)
			user->failed = true;
	}
	atomic_fetch_sub(&running, 1);
	return NULL;
}

/* Of one call both have the same goal, whoever has given it. */
static void look_at_pose(void)
{
	static uint64_t last;
	uint64_t now = beat_count(&stage.host->beat);

	torn += stage.host->joints.list[YAW].position->queue.from.level !=
		stage.host->joints.list[PITCH].position->queue.from.level;
	backwards += now < last;
	last = now;
}

static void look_at_text(void)
{
	const char *text = stage_text(TEXT);

	for (size_t i = 0; text[i]; i++)
		mixed += text[i] != text[0];
}

static int report(int number, bool good, const char *what)
{
	printf("%sok %d - %s\n", good ? "" : "not ", number, what);
	return !good;
}

int main(int argc, char **argv)
{
	struct user user[THREADS];
	unsigned long calls = argc > 1 ? strtoul(argv[1], NULL, 10) : 20000;
	struct naohw_dcm_settings *settings;
	bool failed = false;
	int bad = 0;

	if (naohw_dcm_settings_new(&settings) < 0 ||
	    naohw_dcm_settings_add_text(settings, TEXT) < 0)
		return 1;
	stage_open("", settings);
	naohw_dcm_settings_free(settings);
	atomic_store(&running, THREADS);
	for (unsigned int i = 0; i < THREADS; i++) {
		user[i] = (struct user){ .number = i, .calls = calls };
		if (pthread_create(&user[i].thread, NULL, use, &user[i]))
			return 1;
	}
	while (atomic_load(&running)) {
		stage_cycles(1);
		look_at_pose();
		look_at_text();
	}
	for (unsigned int i = 0; i < THREADS; i++) {
		pthread_join(user[i].thread, NULL);
		failed |= user[i].failed;
	}
	stage_cycles(2);
	bad += report(1, !failed, "each call is taken, and each wait ends");
	bad += report(2, torn == 0, "all of a call is of one cycle");
	bad += report(3,
		      backwards == 0 && atomic_load(&stage.host->mailbox.count) == 0 &&
			      !atomic_load(&stage.host->mailbox.left),
		      "nothing is left behind");
	bad += report(4, mixed == 0 && *stage_text(TEXT), "a text is one that was given");
	printf("1..4\n");
	stage_close();
	return bad > 0;
}
