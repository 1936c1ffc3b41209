// SPDX-License-Identifier: LGPL-2.1-or-later
/* What clients are told without asking each time: values and events. */
#include "rpc_bed.h"

#include <sys/socket.h>
#include <unistd.h>

#include "../naohwd/rpc/watches.h"
#include "fake_iio.h"

#define YAW_SENSOR BED_KEY("HeadYaw/Position/Sensor")

static void watch(int client, const char *params)
{
	assert_int_equal(bed_number(bed_result(client, "watch", params), "watch"), 1);
}

static unsigned int heard(int client)
{
	unsigned int count = 0;

	while (bed_hear(client))
		count++;
	return count;
}

/* ---- values ---- */

static void a_watch_tells_each_cycle(void **state)
{
	(void)state;
	watch(bed.fd, "{'keys':['" YAW_SENSOR "','DCM/Time']}");
	for (int i = 1; i < 6; i++) {
		struct json_object *told;

		assert_null(bed_hear(bed.fd));
		bed_turns(1);
		told = bed_read(bed.fd);
		assert_string_equal(bed_text(told, "method"), "values");
		assert_false(json_object_object_get_ex(told, "id", NULL));
		assert_int_equal(bed_number(told, "params/watch"), 1);
		assert_int_equal(bed_number(told, "params/sequence"), i);
		assert_int_equal(bed_number(told, "params/missed"), 0);
		assert_string_equal(bed_text(told, "params/values/0/key"), YAW_SENSOR);
		assert_near(bed_number(told, "params/values/0/value"),
			    (STAGE_START - STAGE_ZERO) * STAGE_COUNT, 1e-9);
		assert_true(bed_number(told, "params/values/1/value") == (double)stage.now);
	}
	bed_result(bed.fd, "unwatch", "{'watch':1}");
	bed_turns(3);
	assert_null(bed_hear(bed.fd));
	bed_assert_fails(bed.fd, "unwatch", "{'watch':1}", -32000, ENOENT, "you have no such one");
}

static void a_period_is_kept(void **state)
{
	(void)state;
	watch(bed.fd, "{'keys':['DCM/Time'],'period':50}");
	bed_turns(100);
	assert_int_equal(heard(bed.fd), 20);
	/* What is missed in a pause is not made up for. */
	stage_cycle_after(1000);
	bed_turns(10);
	assert_in_range(heard(bed.fd), 2, 3);
}

static void changes_alone_are_told(void **state)
{
	struct json_object *told;

	(void)state;
	watch(bed.fd, "{'keys':['HeadYaw/Position/Sensor','DCM/Stream'],'changes':true}");
	bed_turns(1);
	assert_int_equal(json_object_array_length(bed_at(bed_read(bed.fd), "params/values")), 2);
	bed_turns(5);
	assert_null(bed_hear(bed.fd));
	stage.is_held[YAW] = true;
	stage.present[YAW]++;
	bed_turns(3);
	told = bed_read(bed.fd);
	assert_int_equal(json_object_array_length(bed_at(told, "params/values")), 1);
	assert_string_equal(bed_text(told, "params/values/0/key"), YAW_SENSOR);
	assert_null(bed_hear(bed.fd));
	stage.age[YAW] = 3;
	bed_turns(1);
	assert_string_equal(bed_text(bed_read(bed.fd), "params/values/0/state"), "stale");
}

/* As many as there are, of which none is told twice. Return: those that it has missed. */
static unsigned int missed_before(unsigned int *sequence)
{
	unsigned int missed = 0;
	const char *line;

	while ((line = bed_hear(bed.fd))) {
		struct json_object *told = json_tokener_parse(line);

		assert_int_equal(bed_number(told, "params/sequence"), ++*sequence);
		missed += (unsigned int)bed_number(told, "params/missed");
		json_object_put(told);
	}
	return missed;
}

static void who_does_not_read_misses_whole_notifications(void **state)
{
	unsigned int sequence = 0, missed;

	(void)state;
	watch(bed.fd, "{'keys':['" YAW_SENSOR "','DCM/Time','DCM/Stream','DCM/Realtime']}");
	bed_turns(2000);
	missed = missed_before(&sequence);
	assert_in_range(sequence, 10, 1990);
	bed_turns(1);
	missed += missed_before(&sequence);
	assert_int_equal(sequence + missed, 2001);
}

/* By this nothing has its turn. */
static unsigned int lines_there(void)
{
	char text[4096];
	ssize_t size = recv(bed.fd, text, sizeof(text), MSG_PEEK | MSG_DONTWAIT);
	unsigned int count = 0;

	for (ssize_t i = 0; i < size; i++)
		count += text[i] == '\n';
	return count;
}

/* Of several that are due each has a turn; what has had none until the next cycle is missed. */
static void watches_have_their_turns(void **state)
{
	struct json_object *told;

	(void)state;
	watch(bed.fd, "{'keys':['DCM/Time']}");
	bed_result(bed.fd, "watch", "{'keys':['DCM/Stream']}");
	bed_cycle();
	assert_int_equal(lines_there(), 0);
	assert_true(loop_once(bed.loop, 0));
	assert_int_equal(lines_there(), 1);
	assert_true(loop_once(bed.loop, 0));
	assert_int_equal(lines_there(), 2);
	assert_int_equal(heard(bed.fd), 2);
	bed_result(bed.fd, "unwatch", "{'watch':2}");
	bed_cycle();
	bed_cycle();
	bed_settle();
	told = bed_read(bed.fd);
	assert_int_equal(bed_number(told, "params/sequence"), 2);
	assert_int_equal(bed_number(told, "params/missed"), 1);
	assert_true(bed_number(told, "params/values/0/value") == (double)stage.now);
	assert_null(bed_hear(bed.fd));
}

/* As many as one watch may have, as its parameters */
static const char *most_keys(void)
{
	static char params[64 * 1024];
	size_t used = (size_t)sprintf(params, "{'keys':['DCM/Time'");

	for (int i = 1; i < 1024; i++)
		used += (size_t)sprintf(params + used, ",'DCM/Time'");
	strcpy(params + used, "]}");
	return params;
}

static void watches_have_their_bounds(void **state)
{
	const char *params = most_keys();

	(void)state;
	watch(bed.fd, params);
	bed_result(bed.fd, "watch", params);
	bed_turns(1);
	(void)heard(bed.fd);
	bed_assert_fails(bed.fd, "watch", "{'keys':['DCM/Time']}", -32000, ENOSPC, "2048 keys");
	bed_assert_fails(bed.fd, "watch", "{'keys':['none']}", -32000, ENOENT, "none: no such key");
	bed_assert_fails(bed.fd, "watch", "{'keys':['DCM/Time'],'period':-1}", -32602, 0, "period");
	bed_assert_fails(bed.fd, "watch", "{'keys':['DCM/Time'],'changes':1}", -32602, 0,
			 "changes");
	bed_result(bed.fd, "unwatch", "{'watch':1}");
	for (int i = 0; i < 15; i++) {
		bed_turns(1);
		(void)heard(bed.fd);
		bed_result(bed.fd, "watch", "{'keys':['DCM/Time'],'period':100000}");
	}
	bed_turns(1);
	(void)heard(bed.fd);
	bed_assert_fails(bed.fd, "watch", "{'keys':['DCM/Time']}", -32000, ENOSPC, "16 watches");
}

/* However much one wants to know, the others miss nothing; and it has what they leave. */
static void who_watches_much_leaves_some_for_others(void **state)
{
	const char *params = most_keys();
	unsigned int count = 0, much = 0;
	int other = bed_client(); /* whose turn comes first */

	(void)state;
	watch(other, params);
	bed_result(other, "watch", params);
	bed_turns(1);
	(void)heard(other);
	watch(bed.fd, "{'keys':['DCM/Time']}");
	for (int i = 0; i < 20; i++) {
		bed_turns(1);
		much += heard(other);
		count += heard(bed.fd);
	}
	assert_int_equal(count, 20);
	assert_in_range(much, 38, 40);
	close(other);
}

/* ---- events ---- */

static void the_stream_is_told_when_it_changes(void **state)
{
	struct json_object *told;

	(void)state;
	bed_result(bed.fd, "subscribe", "{'events':['stream']}");
	bed_turns(1);
	told = bed_read(bed.fd);
	assert_string_equal(bed_text(told, "method"), "event");
	assert_string_equal(bed_text(told, "params/event"), "stream");
	assert_string_equal(bed_text(told, "params/stream"), "running");
	bed_turns(5);
	assert_null(bed_hear(bed.fd));
	fake_device_set("dxl0-goal", "stream_state", "tripped");
	for (int left = 400; naohw_dcm_get_stream(stage.dcm) != NAOHW_STREAM_TRIPPED; left--) {
		assert_true(left > 0);
		usleep(5000);
		stage_cycle_after(600);
	}
	bed_turns(1);
	assert_string_equal(bed_text(bed_read(bed.fd), "params/stream"), "tripped");
}

static void changes_of_leases_are_told(void **state)
{
	int other = bed_client();

	(void)state;
	bed_result(bed.fd, "subscribe", "{'events':['leases']}");
	bed_turns(1);
	assert_string_equal(bed_text(bed_read(bed.fd), "params/event"), "leases");
	bed_turns(1);
	assert_null(bed_hear(bed.fd));
	bed_result(other, "lease", "{'names':['HeadYaw']}");
	bed_result(other, "lease", "{'names':['HeadPitch']}");
	bed_turns(1);
	assert_int_equal(heard(bed.fd), 1);
	close(other);
	bed_turns(1);
	assert_int_equal(heard(bed.fd), 1);
}

static void rest_is_told(void **state)
{
	(void)state;
	bed_result(bed.fd, "subscribe", "{'events':['diagnosis']}");
	bed_turns(1);
	assert_string_equal(bed_text(bed_read(bed.fd), "params/diagnosis/rest"), "awake");
	bed_turns(2);
	assert_null(bed_hear(bed.fd));
	assert_int_equal(naohw_dcm_rest(stage.dcm, NULL), 0);
	bed_turns(4);
	assert_int_equal(heard(bed.fd), 1);
}

static void subscriptions_take_each_others_place(void **state)
{
	(void)state;
	bed_result(bed.fd, "subscribe", "{'events':['stream']}");
	bed_result(bed.fd, "subscribe", "{'events':['play']}");
	bed_turns(3);
	assert_string_equal(bed_text(bed_read(bed.fd), "params/play/state"), "none");
	assert_null(bed_hear(bed.fd));
	bed_assert_fails(bed.fd, "subscribe", "{'events':['rain']}", -32602, 0,
			 "rain: no such one");
	bed_assert_fails(bed.fd, "subscribe", "{'events':[]}", -32602, 0, "1 to 4");
}

int main(void)
{
#define WATCH_TEST(test) \
	cmocka_unit_test_setup_teardown(test, bed_setup_client, bed_teardown_client)
	const struct CMUnitTest tests[] = {
		WATCH_TEST(a_watch_tells_each_cycle),
		WATCH_TEST(a_period_is_kept),
		WATCH_TEST(changes_alone_are_told),
		WATCH_TEST(who_does_not_read_misses_whole_notifications),
		WATCH_TEST(watches_have_their_turns),
		WATCH_TEST(watches_have_their_bounds),
		WATCH_TEST(who_watches_much_leaves_some_for_others),
		WATCH_TEST(the_stream_is_told_when_it_changes),
		WATCH_TEST(changes_of_leases_are_told),
		WATCH_TEST(rest_is_told),
		WATCH_TEST(subscriptions_take_each_others_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
