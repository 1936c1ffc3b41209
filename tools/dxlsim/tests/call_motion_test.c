// SPDX-License-Identifier: GPL-2.0-or-later
/* What a test is told of the joints: when they were read, driven and let go. */
#include "cmocka_all.h"

#include <string.h>

#include "harness.h"

#define AX		1
#define X		2
#define BROADCAST	254
#define LOCKSTEP	1024	/* counts until it begins anew */
#define MSEC		1000000

static int set_up(void **state)
{
	struct desk *desk = desk_new();

	rig_add(desk->rig, &model_ax12, AX);
	rig_add(desk->rig, &model_xm430_w350, X);
	*state = desk;

	return 0;
}

static int tear_down(void **state)
{
	desk_free(*state);

	return 0;
}

static bool refused(struct desk *desk, const char *line)
{
	return !strncmp(say(desk, line), "error: ", 7);
}

/* --- lockstep --- */

static unsigned int count_at(nsec_t time, unsigned int us)
{
	return time / (us * NSEC_PER_USEC) % LOCKSTEP;
}

static void all_positions_are_the_same_count(void **state)
{
	struct desk *desk = *state;
	struct rig *rig = desk->rig;
	int i;

	assert_string_equal(say(desk, "lockstep 100"), "ok\n");
	for (i = 0; i < 3000; i++) {
		unsigned int count = count_at(rig->now, 100);

		assert_int_equal(rig_read16(rig, AX, 36), count);
		assert_int_equal(rig_value2(rig, X, 132, 4), count);
		rig->now += 71000;
	}
	assert_string_equal(say(desk, "lockstep off"), "ok\n");
	assert_int_equal(rig_read16(rig, AX, 36), 512);
	assert_int_equal(rig_value2(rig, X, 132, 4), 2048);
	assert_true(refused(desk, "lockstep"));
	assert_true(refused(desk, "lockstep x"));
	assert_true(refused(desk, "lockstep 1000001"));
}

/* The shaft itself goes where it is told to. */
static void lockstep_is_only_shown(void **state)
{
	struct desk *desk = *state;
	struct rig *rig = desk->rig;

	say(desk, "lockstep 1000");
	rig_write16(rig, AX, 30, 700);
	rig_wait(rig, 3);
	say(desk, "lockstep 0");
	assert_int_equal(rig_read16(rig, AX, 36), 700);
}

/* A read is as old as its request's end. */
static void a_read_is_of_when_it_was_heard(void **state)
{
	struct desk *desk = *state;
	struct rig *rig = desk->rig;
	struct reply reply;
	nsec_t sent;
	int i;

	say(desk, "lockstep 1");
	rig->bus.wire_time = true;
	for (i = 0; i < 100; i++) {
		sent = rig->now;
		rig_send(rig, AX, 2, (u8[]){ 36, 2 }, 2);
		rig_run(rig);
		reply = rig_reply(rig);
		assert_int_equal(reply.len, 2);
		/* Eight bytes at 1 Mbaud */
		assert_int_equal(reply.params[0] | reply.params[1] << 8,
				 count_at(sent + 80000, 1));
		rig->now += 777777;
	}
}

/* In a group, one after the other: never before the request, nor out of order. */
static void a_group_is_read_in_its_order(void **state)
{
	static const u8 params[] = { 132, 0, 4, 0, X, 3, 4, 5, 6 };
	struct desk *desk = *state;
	struct rig *rig = desk->rig;
	struct reply reply;
	nsec_t sent, last;
	int id, i;

	for (id = 3; id <= 6; id++)
		rig_add(rig, &model_xm430_w350, id);
	say(desk, "lockstep 1");
	rig->bus.wire_time = true;
	for (i = 0; i < 100; i++) {
		sent = rig->now;
		rig_send2(rig, BROADCAST, 0x82, params, sizeof(params));
		rig_run(rig);
		/* Ten bytes and the parameters */
		last = sent + 190 * NSEC_PER_USEC;
		for (id = X; id <= 6; id++) {
			reply = rig_reply(rig);
			assert_int_equal(reply.id, id);
			assert_int_equal(reply.params[0] | reply.params[1] << 8,
					 count_at(last, 1));
			/* A return delay, and fifteen bytes */
			last += 500 * NSEC_PER_USEC + 150 * NSEC_PER_USEC;
		}
		rig->now += 777777;
	}
}

/* --- torque --- */

static void assert_torque(struct desk *desk, int id, int on, nsec_t when)
{
	char line[40], expected[80];

	snprintf(line, sizeof(line), "torque %d", id);
	snprintf(expected, sizeof(expected), "%d %d %llu\nok\n", id, on,
		 (unsigned long long)when);
	assert_string_equal(say(desk, line), expected);
}

static void torque_tells_when_it_changed(void **state)
{
	struct desk *desk = *state;
	struct rig *rig = desk->rig;
	nsec_t on, off;

	assert_string_equal(say(desk, "torque all"), "1 0 0\n2 0 0\nok\n");
	rig->now += 7;
	on = rig->now;
	rig_write8(rig, AX, 24, 1);
	rig_set2(rig, X, 64, 1, 1);
	rig_wait(rig, 1);
	/* The same again is no change. */
	rig_write8(rig, AX, 24, 1);
	rig_write16(rig, AX, 30, 600);
	assert_torque(desk, AX, 1, on);
	assert_torque(desk, X, 1, on);

	off = rig->now;
	rig_write8(rig, AX, 24, 0);
	rig_set2(rig, X, 64, 1, 0);
	rig_wait(rig, 1);
	assert_torque(desk, AX, 0, off);
	assert_torque(desk, X, 0, off);
	/* A goal turns the AX-12's on. */
	on = rig->now;
	rig_write16(rig, AX, 30, 500);
	assert_torque(desk, AX, 1, on);
	assert_true(refused(desk, "torque"));
	assert_true(refused(desk, "torque 9"));
}

static void losing_power_is_losing_torque(void **state)
{
	struct desk *desk = *state;
	struct rig *rig = desk->rig;

	rig_write8(rig, AX, 24, 1);
	rig_set2(rig, X, 64, 1, 1);
	rig_wait(rig, 1);
	say(desk, "power-cycle all");
	rig_wait(rig, 0.1);
	assert_torque(desk, AX, 0, rig->now - 100 * MSEC);
	assert_torque(desk, X, 0, rig->now - 100 * MSEC);
}

/* Too much load for half a second, though nobody looks. */
static void an_alarm_cuts_it_in_time(void **state)
{
	struct desk *desk = *state;
	struct rig *rig = desk->rig;
	nsec_t begin;

	rig_write8(rig, AX, 24, 1);
	rig_write16(rig, AX, 34, 100);
	rig_write8(rig, AX, 18, 0x20);
	begin = rig->now;
	say(desk, "write 1 40 200 0");
	rig_wait(rig, 1);
	assert_torque(desk, AX, 0, begin + 500 * MSEC);

	rig_set2(rig, X, 64, 1, 1);
	begin = rig->now;
	/* Hardware Error Status, as the motor encoder's error has it */
	say(desk, "write 2 70 0x20");
	rig_wait(rig, 0.25);
	assert_torque(desk, X, 0, begin);
}

/* --- goals --- */

static void goals_are_counted(void **state)
{
	struct desk *desk = *state;
	struct rig *rig = desk->rig;
	nsec_t begin = rig->now;
	char expected[200];

	assert_string_equal(say(desk, "goals 1"), "1 0 0 0 0 0 0\nok\n");
	/* From the middle, and it turns the torque on */
	rig_write16(rig, AX, 30, 600);
	snprintf(expected, sizeof(expected), "1 1 %llu %llu 0 0 88\nok\n",
		 (unsigned long long)begin, (unsigned long long)begin);
	assert_string_equal(say(desk, "goals 1"), expected);
	rig->now += 10 * MSEC;
	rig_write16(rig, AX, 30, 610);
	rig->now += 8 * MSEC;
	rig_write16(rig, AX, 30, 610);
	rig->now += 13 * MSEC;
	/* Another item; a refused one; then both items at once. */
	rig_write16(rig, AX, 32, 100);
	rig_write16(rig, AX, 30, 1024);
	rig_write(rig, AX, 30, (u8[]){ 88, 2, 0, 0 }, 4);
	rig_set2(rig, X, 116, 4, 3000);
	snprintf(expected, sizeof(expected),
		 "1 4 %llu %llu %d %d 88\n2 1 %llu %llu 0 0 0\nok\n",
		 (unsigned long long)begin,
		 (unsigned long long)begin + 31 * MSEC, 8 * MSEC, 13 * MSEC,
		 (unsigned long long)begin + 31 * MSEC,
		 (unsigned long long)begin + 31 * MSEC);
	assert_string_equal(say(desk, "goals all"), expected);
	say(desk, "stats reset");
	assert_string_equal(say(desk, "goals 1"), "1 0 0 0 0 0 0\nok\n");
	assert_true(refused(desk, "goals"));
	assert_true(refused(desk, "goals none"));
}

#define MOTION_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		MOTION_TEST(all_positions_are_the_same_count),
		MOTION_TEST(lockstep_is_only_shown),
		MOTION_TEST(a_read_is_of_when_it_was_heard),
		MOTION_TEST(a_group_is_read_in_its_order),
		MOTION_TEST(torque_tells_when_it_changed),
		MOTION_TEST(losing_power_is_losing_torque),
		MOTION_TEST(an_alarm_cuts_it_in_time),
		MOTION_TEST(goals_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
