// SPDX-License-Identifier: LGPL-2.1-or-later
/* A DCM that a naohwd hosts, as its clients have it; and what they do without one. */
#include "naohwd_bed.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client/client.h"
#include "fake_iio.h"
#include "monotonic.h"

#define YAW_KEY	     "Device/SubDeviceList/" YAW_POSITION "/Value"
#define HARDNESS_KEY "Device/SubDeviceList/" YAW_HARDNESS "/Value"
#define PERIOD_KEY   "DCM/TargetCycleTime"
#define PATIENCE     10000 /* ms */

static struct naohw_dcm *dcm;
/* Looks at whether a daemon has gone that a signal interrupts */
static int interrupts;

/* Requests are left without an answer, and counted */
static atomic_bool is_stopped;
static atomic_uint requests;

int __real_daemon_call(struct daemon *daemon, const char *method, struct json_object *params,
		       unsigned int timeout_ms, struct json_object **result, int *fd,
		       struct naohw_error *err);
int __wrap_daemon_call(struct daemon *daemon, const char *method, struct json_object *params,
		       unsigned int timeout_ms, struct json_object **result, int *fd,
		       struct naohw_error *err);
int __real_poll(struct pollfd *fds, nfds_t count, int timeout);
int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout);

int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout)
{
	if (interrupts == 0 || count != 1 || fds->events != POLLRDHUP)
		return __real_poll(fds, count, timeout);
	interrupts--;
	errno = EINTR;
	return -1;
}

/* Somebody else goes on meanwhile. */
#define EVENTUALLY(condition)                                 \
	do {                                                  \
		for (int left = 2000; !(condition); left--) { \
			assert_true(left > 0);                \
			usleep(5000);                         \
		}                                             \
	} while (0)

static void open_dcm(const struct naohw_dcm_settings *settings)
{
	struct naohw_error err;

	if (naohw_dcm_open(stage.robot, settings, &dcm, &err) < 0)
		fail_msg("%s", err.message);
}

static int setup(void **state)
{
	int ret = naohwd_bed_setup(state);

	naohwd_bed_begin(0);
	open_dcm(NULL);
	return ret;
}

static int setup_alone(void **state)
{
	dcm = NULL;
	return naohwd_bed_setup(state);
}

static int teardown(void **state)
{
	naohw_dcm_close(dcm);
	dcm = NULL;
	return naohwd_bed_teardown(state);
}

static size_t slot_of(const char *key)
{
	size_t slot;

	assert_int_equal(naohw_store_find(naohw_dcm_store(dcm), key, &slot), 0);
	return slot;
}

static struct naohw_value read_slot(size_t slot)
{
	struct naohw_value value;

	assert_int_equal(naohw_store_read(naohw_dcm_store(dcm), slot, &value), 0);
	return value;
}

static double sent(const char *actuator)
{
	char key[128];

	snprintf(key, sizeof(key), "Device/SubDeviceList/%s/Value", actuator);
	return read_slot(slot_of(key)).number;
}

static bool is_at(const char *actuator, double value)
{
	return fabs(sent(actuator) - value) < 0.01;
}

static int set(const char *name, double value, struct naohw_error *err)
{
	const struct naohw_command command = { value, naohw_dcm_get_time(dcm, 0), 0 };

	return naohw_dcm_set(dcm, name, NAOHW_UPDATE_CLEAR_ALL, &command, 1, err);
}

/* ---- beside a daemon ---- */

static void what_is_set_moves_the_daemons_robot(void **state)
{
	const struct naohw_command none = { 0.2, NAOHW_TIME_NONE, 0 };
	struct naohw_error err;

	(void)state;
	assert_int_equal(set(YAW_HARDNESS, 1, &err), 0);
	assert_int_equal(naohw_dcm_flush(dcm, &err), 0);
	EVENTUALLY(is_at(YAW_HARDNESS, 1));
	assert_int_equal(set(YAW_POSITION, 0.5, &err), 0);
	EVENTUALLY(is_at(YAW_POSITION, 0.5));
	assert_int_equal(naohw_dcm_set(dcm, YAW_POSITION, NAOHW_UPDATE_CLEAR_ALL, &none, 1, &err),
			 0);
	EVENTUALLY(is_at(YAW_POSITION, 0.2));
	/* What is to come can be dropped. */
	assert_int_equal(naohw_dcm_set(dcm, YAW_POSITION, NAOHW_UPDATE_CLEAR_ALL, NULL, 0, &err),
			 0);
}

static void times_are_of_the_same_clock(void **state)
{
	const int64_t begin = naohw_dcm_get_time(dcm, 300);
	const struct naohw_command command = { 1, begin, 0 };
	struct naohw_error err;

	(void)state;
	assert_int_equal(naohw_dcm_set(dcm, "US/Actuator", NAOHW_UPDATE_MERGE, &command, 1, &err),
			 0);
	EVENTUALLY(is_at("US/Actuator", 1));
	assert_true(naohw_dcm_get_time(dcm, 0) >= begin);
}

static void what_is_wrong_is_said_as_by_ones_own(void **state)
{
	const struct naohw_command nan = { NAN, 0, 0 };
	struct naohw_error err;

	(void)state;
	assert_int_equal(set("HeadYaw/Position/Actuatr", 1, &err), -ENOENT);
	assert_says(&err, "the nearest is HeadYaw/Position/Actuator");
	assert_int_equal(set("HeadYaw/Position/Sensor", 1, &err), -EACCES);
	assert_int_equal(naohw_dcm_set(dcm, YAW_POSITION, NAOHW_UPDATE_MERGE, &nan, 1, &err),
			 -EINVAL);
	assert_says(&err, "expected a finite number");
	assert_int_equal(naohw_dcm_set(dcm, YAW_POSITION, NAOHW_UPDATE_MERGE, &nan, 513, &err),
			 -ENOSPC);
	assert_int_equal(naohw_dcm_set(dcm, YAW_POSITION, NAOHW_UPDATE_MERGE, NULL, 0, &err),
			 -EINVAL);
	assert_int_equal(naohw_dcm_set(dcm, YAW_POSITION, (enum naohw_update)7, NULL, 0, &err),
			 -EINVAL);
	assert_int_equal(naohw_dcm_set_text(dcm, "DCM/Lease/HeadYaw", "x"), -ENOTSUP);
}

static void aliases_are_the_daemons(void **state)
{
	static const char *const names[] = { YAW_HARDNESS, "None/Actuator", PITCH_HARDNESS };
	const int64_t now = naohw_dcm_get_time(dcm, 0);
	const double values[] = { 0.25, 0.5 };
	const struct naohw_command yaw = { 0.75, now, 0 },
				   pitch[] = { { 0, now, 0 }, { 1, now, 0 } };
	const struct naohw_command *const mixed[] = { &yaw, pitch };
	const size_t counts[] = { 1, 2 };
	const char *answer[3];
	struct naohw_error err;

	(void)state;
	assert_int_equal(naohw_dcm_create_alias(dcm, "Both", names, 3, answer, &err), 0);
	assert_ptr_equal(answer[0], names[0]);
	assert_string_equal(answer[1], "");
	assert_ptr_equal(answer[2], names[2]);
	assert_int_equal(naohw_dcm_set_separate(dcm, "Both", NAOHW_UPDATE_CLEAR_ALL, 0, &now, 1,
						values, 2, &err),
			 0);
	EVENTUALLY(is_at(YAW_HARDNESS, 0.25) && is_at(PITCH_HARDNESS, 0.5));
	assert_int_equal(naohw_dcm_set_mixed(dcm, "Both", NAOHW_UPDATE_CLEAR_ALL, mixed, counts, 2,
					     &err),
			 0);
	EVENTUALLY(is_at(YAW_HARDNESS, 0.75) && is_at(PITCH_HARDNESS, 1));
	assert_int_equal(naohw_dcm_set_separate(dcm, "Both", NAOHW_UPDATE_CLEAR_ALL, 0, NULL, 0,
						NULL, 2, &err),
			 0);
	assert_int_equal(naohw_dcm_set_mixed(dcm, "Both", NAOHW_UPDATE_CLEAR_ALL, mixed, counts, 1,
					     &err),
			 -EINVAL);
	assert_says(&err, "the alias has 2");
	assert_int_equal(naohw_dcm_create_alias(dcm, "a b", names, 1, NULL, &err), -EINVAL);
}

static void a_step_is_the_daemons(void **state)
{
	static const char *const positions[] = { YAW_POSITION };
	const struct naohw_command stiff = { .value = 1 };
	const int64_t now = naohw_dcm_get_time(dcm, 0);
	const double goal = 0.05, wrong = (double)INFINITY;
	struct naohw_error err;

	(void)state;
	assert_int_equal(naohw_dcm_set(dcm, YAW_HARDNESS, NAOHW_UPDATE_CLEAR_ALL, &stiff, 1, &err),
			 0);
	EVENTUALLY(is_at(YAW_HARDNESS, 1));
	assert_int_equal(naohw_dcm_set_step(dcm, positions, &goal, 1, now, now + 100, &err), 0);
	EVENTUALLY(is_at(YAW_POSITION, 0.05));
	assert_int_equal(naohw_dcm_set_step(dcm, positions, &wrong, 1, now, now + 100, &err),
			 -EINVAL);
	assert_says(&err, "expected a finite number");
	assert_int_equal(naohw_dcm_set_step(dcm, positions, &goal, 1, now, now, &err), -EINVAL);
}

static void cycles_are_waited_for(void **state)
{
	struct naohw_error err;
	uint64_t cycle = 0, first;

	(void)state;
	assert_int_equal(naohw_dcm_wait(dcm, &cycle, PATIENCE, &err), 0);
	first = cycle;
	for (int i = 0; i < 5; i++)
		assert_int_equal(naohw_dcm_wait(dcm, &cycle, PATIENCE, &err), 0);
	assert_true(cycle >= first + 5);
	assert_int_equal(naohw_dcm_get_stream(dcm), NAOHW_STREAM_RUNNING);
	assert_int_equal(naohw_dcm_recover(dcm, &err), 0);
	assert_int_equal(naohw_dcm_limp(dcm, &err), 0);
}

/* ---- callbacks ---- */

static atomic_uint posts;
static atomic_int wait_said, alias_said, recover_said, value_said, value_in_post;
static _Atomic double seen;
static _Atomic int64_t cycle_time;

static void after_the_frame(void *data, struct naohw_dcm *of)
{
	uint64_t cycle = 0;
	double value;

	(void)data;
	atomic_store(&wait_said, naohw_dcm_wait(of, &cycle, 0, NULL));
	atomic_store(&alias_said, naohw_dcm_create_alias(of, "A", NULL, 0, NULL, NULL) == -EBUSY ?
					  naohw_dcm_remove_alias(of, "A", NULL) :
					  0);
	atomic_store(&recover_said, naohw_dcm_recover(of, NULL));
	atomic_store(&value_in_post, naohw_dcm_get_value(of, YAW_HARDNESS, &value));
	atomic_store(&cycle_time, naohw_dcm_get_time(of, 0));
	atomic_fetch_add(&posts, 1);
}

static void before_the_pose(void *data, struct naohw_dcm *of)
{
	const struct naohw_command command = { 0.5, naohw_dcm_get_time(of, 0), 0 };
	double value = NAN;

	(void)data;
	(void)naohw_dcm_set(of, YAW_HARDNESS, NAOHW_UPDATE_CLEAR_ALL, &command, 1, NULL);
	(void)naohw_dcm_flush(of, NULL);
	atomic_store(&value_said, naohw_dcm_get_value(of, YAW_HARDNESS "/Value", &value));
	atomic_store(&seen, value);
}

static void callbacks_are_called_here(void **state)
{
	struct naohw_dcm_settings *settings;
	int64_t begin = monotonic_ns() / 1000000;

	(void)state;
	naohw_dcm_close(dcm);
	assert_int_equal(naohw_dcm_settings_new(&settings), 0);
	assert_int_equal(naohw_dcm_settings_at_post_process(settings, after_the_frame, NULL), 0);
	assert_int_equal(naohw_dcm_settings_at_pre_process(settings, before_the_pose, NULL), 0);
	open_dcm(settings);
	naohw_dcm_settings_free(settings);
	EVENTUALLY(atomic_load(&posts) >= 5);
	EVENTUALLY(is_at(YAW_HARDNESS, 0.5) && fabs(atomic_load(&seen) - 0.5) < 0.01);
	assert_int_equal(atomic_load(&value_said), 0);
	assert_int_equal(atomic_load(&value_in_post), -EBUSY);
	assert_int_equal(atomic_load(&wait_said), -EBUSY);
	assert_int_equal(atomic_load(&alias_said), -EBUSY);
	assert_int_equal(atomic_load(&recover_said), -EBUSY);
	assert_in_range(atomic_load(&cycle_time), begin - 1000, naohw_dcm_get_time(dcm, 0));
}

/* ---- closing under who waits ---- */

static void *wait_in_vain(void *data)
{
	uint64_t cycle = naohw_store_sequence(naohw_dcm_store(dcm));

	(void)data;
	return (void *)(intptr_t)naohw_dcm_wait(dcm, &cycle, PATIENCE, NULL);
}

/* Nothing else ends the wait, as no cycle follows. */
static void closing_ends_all_waits(void **state)
{
	pthread_t waiter[4];
	void *ret;

	(void)state;
	naohwd_bed_kill();
	for (unsigned int i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&waiter[i], NULL, wait_in_vain, NULL), 0);
	EVENTUALLY(atomic_load(&dcm->usage.word) == 4);
	naohw_dcm_close(dcm);
	dcm = NULL;
	for (unsigned int i = 0; i < 4; i++) {
		pthread_join(waiter[i], &ret);
		assert_int_equal((intptr_t)ret, -ESHUTDOWN);
	}
}

/* A daemon that has been stopped: its answer is waited for until the DCM is being closed. */
int __wrap_daemon_call(struct daemon *daemon, const char *method, struct json_object *params,
		       unsigned int timeout_ms, struct json_object **result, int *fd,
		       struct naohw_error *err)
{
	if (!is_stopped)
		return __real_daemon_call(daemon, method, params, timeout_ms, result, fd, err);
	json_object_put(params);
	requests++;
	for (int left = 2000; left && !usage_is_forbidden(&dcm->usage); left--)
		usleep(5000);
	return -ETIMEDOUT;
}

static void *set_in_vain(void *data)
{
	(void)data;
	return (void *)(intptr_t)set(YAW_POSITION, 0.5, NULL);
}

/* Who closes it waits for no more than one answer. */
static void closing_sends_no_more_requests(void **state)
{
	pthread_t setter[4];
	void *ret;

	(void)state;
	requests = 0;
	is_stopped = true;
	for (unsigned int i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&setter[i], NULL, set_in_vain, NULL), 0);
	EVENTUALLY(atomic_load(&dcm->usage.word) == 4 && requests > 0);
	naohw_dcm_close(dcm);
	dcm = NULL;
	is_stopped = false;
	for (unsigned int i = 0; i < 4; i++) {
		pthread_join(setter[i], &ret);
		assert_int_equal((intptr_t)ret, -ESHUTDOWN);
	}
	assert_int_equal(requests, 1);
}

/* ---- a daemon that has gone ---- */

static void a_killed_daemon_is_said_in_time(void **state)
{
	uint64_t cycle = UINT64_MAX;
	struct naohw_error err;
	int64_t begin;

	(void)state;
	naohwd_bed_kill();
	begin = monotonic_ns();
	assert_int_equal(set(YAW_POSITION, 0.5, &err), -EOWNERDEAD);
	assert_says(&err, "is not there");
	assert_int_equal(naohw_dcm_flush(dcm, &err), -EOWNERDEAD);
	assert_int_equal(naohw_dcm_recover(dcm, &err), -EOWNERDEAD);
	while (naohw_dcm_wait(dcm, &cycle, PATIENCE, &err) == 0)
		;
	assert_int_equal(naohw_dcm_wait(dcm, &cycle, PATIENCE, &err), -EOWNERDEAD);
	assert_true(monotonic_ns() - begin < 5000000000);
	assert_int_equal(naohw_dcm_get_stream(dcm), NAOHW_STREAM_TRIPPED);
}

static void is_carried_on(void)
{
	const struct naohw_store *store = naohw_dcm_store(dcm);
	size_t yaw = slot_of(YAW_KEY);
	uint64_t generation = naohw_store_generation(store), cycle = 0;
	struct naohw_error err;

	naohwd_bed_begin(0);
	EVENTUALLY(set("Stiff", 1, &err) == 0);
	assert_true(naohw_store_generation(store) > generation);
	assert_ptr_equal(naohw_dcm_store(dcm), store);
	assert_int_equal(slot_of(YAW_KEY), yaw);
	EVENTUALLY(is_at(YAW_HARDNESS, 1));
	assert_int_equal(set(YAW_POSITION, 0.3, &err), 0);
	EVENTUALLY(fabs(read_slot(yaw).number - 0.3) < 0.01);
	assert_int_equal(naohw_dcm_wait(dcm, &cycle, PATIENCE, &err), 0);
	assert_int_equal(naohw_dcm_get_stream(dcm), NAOHW_STREAM_RUNNING);
}

static void make_alias(void)
{
	static const char *const names[] = { YAW_HARDNESS, PITCH_HARDNESS };
	struct naohw_error err;

	assert_int_equal(naohw_dcm_create_alias(dcm, "Stiff", names, 2, NULL, &err), 0);
}

/* Numbers of slots and aliases are what they were. */
static void a_new_daemon_is_found(void **state)
{
	(void)state;
	make_alias();
	naohwd_bed_kill();
	is_carried_on();
	naohwd_bed_end();
	is_carried_on();
}

/* It is of one that a program which has gone had made: whoever made it can do all the rest. */
static void an_alias_that_is_not_made_again_is_passed_over(void **state)
{
	static const char *const yaw[] = { YAW_HARDNESS }, *const theirs[] = { "Theirs" };
	struct naohw_dcm *other;
	struct naohw_error err;

	(void)state;
	assert_int_equal(naohw_dcm_open(stage.robot, NULL, &other, &err), 0);
	assert_int_equal(naohw_dcm_create_alias(other, "Theirs", yaw, 1, NULL, &err), 0);
	naohw_dcm_close(other);
	assert_int_equal(naohw_dcm_create_alias(dcm, "Ours", theirs, 1, NULL, &err), 0);
	make_alias();
	naohwd_bed_kill();
	is_carried_on();
	assert_int_equal(set("Ours", 1, &err), -ENOENT);
}

static void an_alias_that_was_removed_is_not_made_again(void **state)
{
	static const char *const yaw[] = { YAW_HARDNESS };
	struct naohw_error err;

	(void)state;
	make_alias();
	assert_int_equal(naohw_dcm_create_alias(dcm, "Gone", yaw, 1, NULL, &err), 0);
	assert_int_equal(naohw_dcm_remove_alias(dcm, "Gone", &err), 0);
	assert_int_equal(naohw_dcm_remove_alias(dcm, "Gone", &err), -ENOENT);
	assert_int_equal(set("Gone", 1, &err), -ENOENT);
	naohwd_bed_kill();
	is_carried_on();
	assert_int_equal(set("Gone", 1, &err), -ENOENT);
}

/* Nobody calls anything: who only reads finds it, too. */
static void a_new_daemon_is_found_by_who_only_reads(void **state)
{
	const struct naohw_store *store = naohw_dcm_store(dcm);
	uint64_t generation = naohw_store_generation(store), sequence = 0;

	(void)state;
	naohwd_bed_kill();
	naohwd_bed_begin(0);
	EVENTUALLY(naohw_store_generation(store) > generation);
	EVENTUALLY(naohw_store_check(store, 200) == 0);
	assert_int_equal(naohw_store_wait(store, &sequence, PATIENCE), 0);
}

static void one_of_other_keys_is_not_taken(void **state)
{
	struct naohw_error err;
	int ret;

	(void)state;
	naohwd_bed_kill();
	naohwd_bed_begin(1);
	EVENTUALLY((ret = set(YAW_POSITION, 0, &err)) != -EOWNERDEAD);
	assert_int_equal(ret, -ESTALE);
	assert_says(&err, "others than before");
	/* The program opens it anew. */
	naohw_dcm_close(dcm);
	open_dcm(NULL);
	assert_int_equal(set(YAW_POSITION, 0, &err), 0);
}

/* ---- leases ---- */

static bool has_lease(const char *key)
{
	struct naohw_value value = read_slot(slot_of(key));

	return *value.text != '\0';
}

static bool is_held(void)
{
	return has_lease("DCM/Lease/HeadYaw");
}

static void what_is_held_is_ours_alone(void **state)
{
	static const char *const yaw[] = { "HeadYaw" }, *const none[] = { "Elbow" };
	struct naohw_dcm *other;
	struct naohw_error err;
	unsigned int lease, more;

	(void)state;
	assert_int_equal(naohw_dcm_open(stage.robot, NULL, &other, &err), 0);
	assert_int_equal(naohw_dcm_lease(dcm, none, 1, NAOHW_LEASE_HOLD, 0, &lease, &err), -ENOENT);
	assert_int_equal(naohw_dcm_lease(dcm, yaw, 1, NAOHW_LEASE_FREE, 0, &lease, &err), 0);
	EVENTUALLY(is_held());
	assert_int_equal(set(YAW_HARDNESS, 1, &err), 0);
	EVENTUALLY(is_at(YAW_HARDNESS, 1));
	assert_int_equal(naohw_dcm_lease(other, yaw, 1, NAOHW_LEASE_HOLD, 0, &more, &err), -EBUSY);
	assert_int_equal(naohw_dcm_set(other, YAW_HARDNESS, NAOHW_UPDATE_CLEAR_ALL, NULL, 0, &err),
			 -EBUSY);
	assert_int_equal(naohw_dcm_release(dcm, lease + 1, &err), -ENOENT);
	assert_int_equal(naohw_dcm_release(dcm, lease, &err), 0);
	assert_int_equal(naohw_dcm_release(dcm, lease, &err), -ENOENT);
	EVENTUALLY(is_at(YAW_HARDNESS, 0) && !is_held());
	assert_int_equal(naohw_dcm_lease(other, yaw, 1, NAOHW_LEASE_HOLD, 0, &more, &err), 0);
	/* Whoever goes has let go. */
	naohw_dcm_close(other);
	EVENTUALLY(!is_held());
}

/* For the daemon a connection that is left is a program that has died. */
static void a_signal_lets_nothing_go(void **state)
{
	static const char *const yaw[] = { "HeadYaw" };
	struct naohw_error err;
	unsigned int lease;

	(void)state;
	assert_int_equal(naohw_dcm_lease(dcm, yaw, 1, NAOHW_LEASE_FREE, 0, &lease, &err), 0);
	assert_int_equal(set(YAW_HARDNESS, 1, &err), 0);
	EVENTUALLY(is_at(YAW_HARDNESS, 1));
	interrupts = 1;
	assert_int_equal(set(PITCH_HARDNESS, 0.5, &err), 0);
	assert_int_equal(interrupts, 0);
	EVENTUALLY(is_at(PITCH_HARDNESS, 0.5));
	assert_true(is_at(YAW_HARDNESS, 1));
}

static void what_is_held_comes_to_rest(void **state)
{
	static const char *const yaw[] = { "HeadYaw" }, *const pitch[] = { "HeadPitch" };
	static const double angle = 0.2, none = NAN;
	struct naohw_error err;
	unsigned int lease;

	(void)state;
	assert_int_equal(naohw_dcm_lease_rest(dcm, yaw, 1, pitch, &angle, 1, 0, &lease, &err),
			 -EINVAL);
	assert_int_equal(naohw_dcm_lease_rest(dcm, yaw, 1, yaw, &none, 1, 0, &lease, &err),
			 -EINVAL);
	assert_int_equal(naohw_dcm_lease_rest(dcm, yaw, 1, yaw, NULL, 0, 0, &lease, &err), -EINVAL);
	assert_int_equal(naohw_dcm_lease_rest(dcm, yaw, 1, yaw, &angle, 1, 0, &lease, &err), 0);
	assert_int_equal(set(YAW_HARDNESS, 1, &err), 0);
	EVENTUALLY(is_at(YAW_HARDNESS, 1));
	assert_int_equal(naohw_dcm_release(dcm, lease, &err), 0);
	EVENTUALLY(is_at(YAW_POSITION, 0.2));
	EVENTUALLY(is_at(YAW_HARDNESS, 0));
}

static void leases_are_taken_again(void **state)
{
	static const char *const yaw[] = { "HeadYaw" };
	struct naohw_error err;
	unsigned int lease;

	(void)state;
	assert_int_equal(naohw_dcm_lease(dcm, yaw, 1, NAOHW_LEASE_SOFTEN, 0.5, &lease, &err), 0);
	naohwd_bed_kill();
	naohwd_bed_begin(0);
	EVENTUALLY(set(YAW_HARDNESS, 1, &err) == 0);
	EVENTUALLY(is_held());
	assert_int_equal(naohw_dcm_release(dcm, lease, &err), 0);
	EVENTUALLY(!is_held());
	assert_int_equal(naohw_dcm_lease(dcm, yaw, 1, (enum naohw_lease_end)9, 0, &lease, &err),
			 -EINVAL);
}

static bool is_period(double ms)
{
	return fabs(read_slot(slot_of(PERIOD_KEY)).number - ms) < 0.001;
}

/* A bus has 10 ms where nobody asks for another period. */
static void its_period_is_asked_for_again(void **state)
{
	struct naohw_error err;

	(void)state;
	assert_int_equal(set(PERIOD_KEY, 20, &err), 0);
	EVENTUALLY(is_period(20));
	assert_int_equal(set(PERIOD_KEY, 1000, &err), -ERANGE);
	assert_says(&err, "expected 1 to 100 ms");
	naohwd_bed_kill();
	naohwd_bed_begin(0);
	EVENTUALLY(set(YAW_HARDNESS, 1, &err) == 0);
	EVENTUALLY(is_period(20));
	/* It is not where it has been taken back. */
	assert_int_equal(naohw_dcm_set(dcm, PERIOD_KEY, NAOHW_UPDATE_CLEAR_ALL, NULL, 0, &err), 0);
	EVENTUALLY(is_period(10));
	naohwd_bed_end();
	naohwd_bed_begin(0);
	EVENTUALLY(set(YAW_HARDNESS, 1, &err) == 0);
	EVENTUALLY(is_at(YAW_HARDNESS, 1));
	assert_true(is_period(10));
}

/* The new daemon's numbers are others: its first is what the second one was. */
static void what_is_released_is_that_of_the_new_daemon(void **state)
{
	static const char *const yaw[] = { "HeadYaw" }, *const pitch[] = { "HeadPitch" };
	struct naohw_error err;
	unsigned int first, second;

	(void)state;
	assert_int_equal(naohw_dcm_lease(dcm, yaw, 1, NAOHW_LEASE_HOLD, 0, &first, &err), 0);
	assert_int_equal(naohw_dcm_lease(dcm, pitch, 1, NAOHW_LEASE_HOLD, 0, &second, &err), 0);
	naohwd_bed_kill();
	naohwd_bed_begin(0);
	assert_int_equal(naohw_dcm_release(dcm, first, &err), 0);
	EVENTUALLY(has_lease("DCM/Lease/HeadPitch") && !is_held());
	assert_int_equal(naohw_dcm_release(dcm, second, &err), 0);
	EVENTUALLY(!has_lease("DCM/Lease/HeadPitch"));
}

/* ---- threads ---- */

static atomic_bool is_over;
static atomic_uint set_ever, read_ever, waited_ever;

static bool goes_on(int ret)
{
	return ret == 0 || ret == -EOWNERDEAD || ret == -ETIMEDOUT;
}

static void *set_again(void *data)
{
	int ret = 0;

	for (double i = 0; !atomic_load(&is_over) && goes_on(ret); i++) {
		ret = set(data, fmod(i, 2) / 2, NULL);
		if (ret == 0)
			ret = naohw_dcm_flush(dcm, NULL);
		atomic_fetch_add(&set_ever, ret == 0);
	}
	return goes_on(ret) ? NULL : data;
}

/* Whatever is read is of one store or of the other. */
static void *read_again(void *data)
{
	const struct naohw_store *store = naohw_dcm_store(dcm);
	struct naohw_snapshot *snapshot;
	size_t yaw = slot_of(YAW_KEY);
	struct naohw_value value;
	int ret = naohw_snapshot_new(store, &snapshot, NULL);

	while (!atomic_load(&is_over) && ret == 0) {
		ret = naohw_snapshot_take(snapshot);
		if (ret == 0)
			ret = naohw_snapshot_get(snapshot, yaw, &value);
		if (ret == 0 && !(fabs(value.number) <= 2))
			ret = -ERANGE;
		(void)naohw_dcm_get_stream(dcm);
		atomic_fetch_add(&read_ever, 1);
	}
	naohw_snapshot_free(snapshot);
	return ret == 0 ? NULL : data;
}

static void *wait_again(void *data)
{
	uint64_t cycle = 0;
	int ret = 0;

	while (!atomic_load(&is_over) && goes_on(ret)) {
		ret = naohw_dcm_wait(dcm, &cycle, 50, NULL);
		atomic_fetch_add(&waited_ever, ret == 0);
		if (ret == -EOWNERDEAD)
			usleep(10000);
	}
	return goes_on(ret) ? NULL : data;
}

static void some_time_passes(void)
{
	unsigned int sets = atomic_load(&set_ever), waits = atomic_load(&waited_ever);

	EVENTUALLY(atomic_load(&set_ever) > sets + 10 && atomic_load(&waited_ever) > waits + 10);
}

static void threads_go_on_with_another_daemon(void **state)
{
	pthread_t thread[4];
	void *failed;

	(void)state;
	pthread_create(&thread[0], NULL, set_again, (void *)YAW_POSITION);
	pthread_create(&thread[1], NULL, set_again, (void *)PITCH_HARDNESS);
	pthread_create(&thread[2], NULL, read_again, (void *)"read");
	pthread_create(&thread[3], NULL, wait_again, (void *)"wait");
	some_time_passes();
	naohwd_bed_kill();
	naohwd_bed_begin(0);
	some_time_passes();
	naohwd_bed_end();
	naohwd_bed_begin(0);
	some_time_passes();
	atomic_store(&is_over, true);
	for (unsigned int i = 0; i < 4; i++) {
		pthread_join(thread[i], &failed);
		if (failed)
			fail_msg("%s", (const char *)failed);
	}
	assert_true(atomic_load(&read_ever) > 100);
}

/* ---- who hosts ---- */

static void without_a_daemon_the_library_hosts(void **state)
{
	struct naohw_error err;

	(void)state;
	open_dcm(NULL);
	assert_true(is_hosted(dcm));
	assert_int_equal(set(YAW_HARDNESS, 1, &err), 0);
	assert_int_equal(naohw_dcm_lease(dcm, NULL, 0, NAOHW_LEASE_HOLD, 0, NULL, &err), -ENOTSUP);
	naohw_dcm_close(dcm);
	/* A socket that a dead one has left is nobody. */
	naohwd_bed_begin(0);
	naohwd_bed_kill();
	open_dcm(NULL);
	assert_true(is_hosted(dcm));
}

static void open_hosted(void)
{
	struct naohw_dcm_settings *settings;

	assert_int_equal(naohw_dcm_settings_new(&settings), 0);
	naohw_dcm_settings_set_host(settings, 1);
	open_dcm(settings);
	naohw_dcm_settings_free(settings);
	assert_true(is_hosted(dcm));
}

static void a_host_is_nobodys_client(void **state)
{
	(void)state;
	assert_false(is_hosted(dcm));
	naohw_dcm_close(dcm);
	open_hosted();
}

static void a_client_need_not_host(void **state)
{
	struct naohw_dcm_settings *settings;
	struct naohw_error err;

	(void)state;
	assert_int_equal(naohw_dcm_settings_new(&settings), 0);
	naohw_dcm_settings_set_host(settings, -1);
	assert_int_equal(naohw_dcm_open(stage.robot, settings, &dcm, &err), -ENOENT);
	naohwd_bed_begin(0);
	naohwd_bed_kill();
	assert_int_equal(naohw_dcm_open(stage.robot, settings, &dcm, &err), -ENOENT);
	naohwd_bed_begin(0);
	open_dcm(settings);
	assert_false(is_hosted(dcm));
	naohw_dcm_settings_free(settings);
}

/* Its program may be elsewhere by the time that it asks for the daemon. */
static void a_robot_is_the_daemons_from_wherever_it_is_seen(void **state)
{
	char here[PATH_MAX], directory[PATH_MAX], name[NAME_MAX + 3];
	struct naohw_dcm_settings *settings;
	struct naohw_robot *robot;
	struct naohw_error err;
	char *slash;

	(void)state;
	naohw_dcm_close(dcm);
	dcm = NULL;
	assert_non_null(getcwd(here, sizeof(here)));
	snprintf(directory, sizeof(directory), "%s", naohw_robot_path(stage.robot));
	slash = strrchr(directory, '/');
	snprintf(name, sizeof(name), "./%.*s", NAME_MAX, slash + 1);
	*slash = '\0';
	assert_int_equal(chdir(directory), 0);
	assert_int_equal(naohw_robot_open(name, NULL, &robot, NULL), 0);
	assert_int_equal(chdir("/"), 0);
	assert_int_equal(naohw_dcm_settings_new(&settings), 0);
	naohw_dcm_settings_set_host(settings, -1);
	if (naohw_dcm_open(robot, settings, &dcm, &err) < 0)
		fail_msg("%s", err.message);
	naohw_dcm_settings_free(settings);
	naohw_dcm_close(dcm);
	dcm = NULL;
	naohw_robot_close(robot);
	assert_int_equal(chdir(here), 0);
}

static char units[64], wants[96], unit[192], template[96];

static int setup_of_unit(void **state)
{
	int ret = setup_alone(state);
	FILE *file;

	strcpy(units, "/tmp/naohw-units-XXXXXX");
	assert_non_null(mkdtemp(units));
	snprintf(wants, sizeof(wants), "%s/dev-dxl0.device.wants", units);
	assert_int_equal(mkdir(wants, 0700), 0);
	snprintf(unit, sizeof(unit), "%s/naohwd@%s.service", wants,
		 strrchr(naohw_robot_path(stage.robot), '/') + 1);
	snprintf(template, sizeof(template), "%s/naohwd@.service", units);
	file = fopen(template, "w");
	assert_non_null(file);
	fprintf(file, "[Unit]\n");
	fclose(file);
	assert_int_equal(symlink(template, unit), 0);
	setenv("SYSTEMD_UNIT_PATH", units, 1);
	return ret;
}

static int teardown_of_unit(void **state)
{
	setenv("SYSTEMD_UNIT_PATH", "/nowhere", 1);
	(void)unlink(unit);
	(void)unlink(template);
	(void)rmdir(wants);
	(void)rmdir(units);
	return teardown(state);
}

static void *begin_late(void *data)
{
	usleep(300000);
	naohwd_bed_begin(0);
	return data;
}

static void a_robot_of_a_unit_is_the_daemons(void **state)
{
	struct naohw_error err;
	pthread_t thread;
	int ret;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, begin_late, NULL), 0);
	ret = naohw_dcm_open(stage.robot, NULL, &dcm, &err);
	pthread_join(thread, NULL);
	assert_int_equal(ret, 0);
	assert_false(is_hosted(dcm));
}

static void nobody_else_takes_a_robot_of_a_unit(void **state)
{
	struct naohw_frame *frame;
	struct naohw_pose *pose;
	struct naohw_error err;
	struct naohw_key *key;

	(void)state;
	assert_int_equal(naohw_frame_open(stage.robot, NULL, &frame, &err), -EBUSY);
	assert_says(&err, ".service is enabled");
	assert_int_equal(naohw_pose_open(stage.robot, NULL, &pose, &err), -EBUSY);
	assert_says(&err, ".service is enabled");
	assert_int_equal(naohw_robot_find_key(stage.robot, HARDNESS_KEY, &key), 0);
	assert_int_equal(naohw_key_write(key, 1, &err), -EBUSY);
	assert_says(&err, ".service is enabled");
	naohw_robot_set_unwatched(stage.robot);
	assert_int_equal(naohw_key_write(key, 1, &err), -EBUSY);
	/* But anybody may let go. */
	assert_int_equal(naohw_key_write(key, 0, &err), 0);
	/* Who wants it in any case has it, as the unit's own program does. */
	open_hosted();
}

/* Where only the description is on this machine, its naohwd has another robot. */
static void a_robot_elsewhere_is_not_the_daemons(void **state)
{
	struct naohw_dcm_settings *settings;
	struct naohw_error err;

	(void)state;
	naohw_dcm_close(dcm);
	dcm = NULL;
	fake_remote();
	assert_int_equal(naohw_dcm_settings_new(&settings), 0);
	naohw_dcm_settings_set_host(settings, -1);
	assert_int_equal(naohw_dcm_open(stage.robot, settings, &dcm, &err), -ENOENT);
	assert_says(&err, "of another machine's");
	naohw_dcm_settings_free(settings);
}

#define REMOTE_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
#define ALONE_TEST(name)  cmocka_unit_test_setup_teardown(name, setup_alone, teardown)
#define UNIT_TEST(name)	  cmocka_unit_test_setup_teardown(name, setup_of_unit, teardown_of_unit)

int main(void)
{
	const struct CMUnitTest tests[] = {
		REMOTE_TEST(what_is_set_moves_the_daemons_robot),
		REMOTE_TEST(times_are_of_the_same_clock),
		REMOTE_TEST(what_is_wrong_is_said_as_by_ones_own),
		REMOTE_TEST(aliases_are_the_daemons),
		REMOTE_TEST(a_step_is_the_daemons),
		REMOTE_TEST(cycles_are_waited_for),
		REMOTE_TEST(callbacks_are_called_here),
		REMOTE_TEST(closing_ends_all_waits),
		REMOTE_TEST(closing_sends_no_more_requests),
		REMOTE_TEST(a_killed_daemon_is_said_in_time),
		REMOTE_TEST(a_new_daemon_is_found),
		REMOTE_TEST(an_alias_that_is_not_made_again_is_passed_over),
		REMOTE_TEST(an_alias_that_was_removed_is_not_made_again),
		REMOTE_TEST(a_new_daemon_is_found_by_who_only_reads),
		REMOTE_TEST(one_of_other_keys_is_not_taken),
		REMOTE_TEST(what_is_held_is_ours_alone),
		REMOTE_TEST(a_signal_lets_nothing_go),
		REMOTE_TEST(what_is_held_comes_to_rest),
		REMOTE_TEST(leases_are_taken_again),
		REMOTE_TEST(its_period_is_asked_for_again),
		REMOTE_TEST(what_is_released_is_that_of_the_new_daemon),
		REMOTE_TEST(threads_go_on_with_another_daemon),
		ALONE_TEST(without_a_daemon_the_library_hosts),
		REMOTE_TEST(a_host_is_nobodys_client),
		ALONE_TEST(a_client_need_not_host),
		REMOTE_TEST(a_robot_is_the_daemons_from_wherever_it_is_seen),
		REMOTE_TEST(a_robot_elsewhere_is_not_the_daemons),
		UNIT_TEST(a_robot_of_a_unit_is_the_daemons),
		UNIT_TEST(nobody_else_takes_a_robot_of_a_unit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
