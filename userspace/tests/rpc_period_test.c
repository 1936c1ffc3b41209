// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The period of the bus, for which LoLA's client, plays and programs ask: the shortest counts, and
 * each goes with who has asked for it.
 */
#include "rpc_bed.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "../naohwd/lola/lola.h"
#include "fake_iio.h"

#define PERIOD "DCM/TargetCycleTime"
/* ms, of the stage */
#define USUAL  10
/* ms, and what the bus may take to have another period */
#define PATIENCE 1000

/* A page of 0.4 s, and a second in which its joint gets torque */
#define PLAY                                                                                                                          \
	"{'page':'go','stiff':true,'text':'"                                                                                          \
	"type=motion\\n"                                                                                                              \
	"version=1.01\\n"                                                                                                             \
	"enable=0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\\n"                                                               \
	"motor_type=0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\\n"                                                           \
	"page_begin\\n"                                                                                                               \
	"name=go\\n"                                                                                                                  \
	"compliance=5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5\\n"                                                           \
	"play_param=0 0 1 1.0 32\\n"                                                                                                  \
	"step=512 540 512 512 512 512 512 512 512 512 512 512 512 512 512 512 512 512 512 512 512 512 512 512 512 512 0.000 0.400\\n" \
	"page_end\\n"                                                                                                                 \
	"'}"

static struct lola *lola;
static struct listen_settings lola_settings;
static char lola_path[80];
static int one, other;

/* ---- time ---- */

static void cycle_after(int64_t ms)
{
	bed_settle();
	stage_cycle_after(ms);
	leases_cycle(bed.leases);
	plays_cycle(bed.plays);
	if (lola)
		lola_cycle(lola);
	rpc_cycle(bed.rpc);
	bed_settle();
}

/* Another thread tells the bus: much less than the bus's patience has gone by then. */
#define EVENTUALLY(condition) UNTIL(condition, cycle_after(1))

static void cycles(unsigned int count)
{
	while (count--)
		cycle_after(10);
}

/* What was asked for has come, or never will. */
static void wait_out_patience(void)
{
	cycle_after(PATIENCE);
	cycle_after(1);
}

/* ms, as the bus has it, and as all can read it */
static bool is_in_force(double ms)
{
	return fabs(atof(fake_device_get("dxl0-cycle", "sampling_frequency")) - 1000 / ms) < 1e-2 &&
	       fabs(stage_value(PERIOD) - ms) < 1e-3;
}

/* That thread has done all that was left for it: this is the last. */
static void all_is_written(void)
{
	static unsigned int mode;
	char text[16];

	mode = mode % 100 + 1;
	snprintf(text, sizeof(text), "%u", mode);
	stage_set("US/Actuator", mode, 0);
	EVENTUALLY(strcmp(fake_device_get("HeadYaw", "sonar_mode"), text) == 0);
}

/* ---- who asks ---- */

static void open_lola(void)
{
	static const struct lola_end end = { .how = LEASE_HOLD };
	struct naohw_error err;

	snprintf(lola_path, sizeof(lola_path), "%s-lola", bed.path);
	lola_settings =
		(struct listen_settings){ .path = lola_path, .mode = 0600, .group = (gid_t)-1 };
	if (lola_open(bed.loop, stage.dcm, &lola_settings, 1, &lola, &err) < 0)
		fail_msg("%s", err.message);
	lola_obey(lola, bed.leases, &end);
	cycles(1);
}

static int lola_client(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	strcpy(address.sun_path, lola_path);
	assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	return fd;
}

static int setup(void **state)
{
	int ret = bed_setup(state);

	open_lola();
	one = bed_client();
	other = bed_client();
	return ret;
}

static int teardown(void **state)
{
	if (one >= 0)
		close(one);
	if (other >= 0)
		close(other);
	lola_close(lola);
	lola = NULL;
	return bed_teardown(state);
}

static void ask(int fd, double ms)
{
	char params[128];

	snprintf(params, sizeof(params), "{'name':'" PERIOD "','commands':[[%g,0]]}", ms);
	bed_result(fd, "set", params);
}

static void have(int fd, double ms)
{
	ask(fd, ms);
	EVENTUALLY(is_in_force(ms));
}

static void leave(int *fd)
{
	close(*fd);
	*fd = -1;
}

static void take_back(int fd)
{
	bed_result(fd, "set", "{'name':'" PERIOD "','commands':[]}");
}

/* ---- the shortest counts ---- */

static void a_writer_does_not_slow_lola_down(void **state)
{
	int fd = lola_client();

	(void)state;
	EVENTUALLY(is_in_force(12));
	ask(one, 100);
	all_is_written();
	assert_true(is_in_force(12));
	close(fd);
	EVENTUALLY(is_in_force(100));
	leave(&one);
	EVENTUALLY(is_in_force(USUAL));
}

static void the_shorter_of_two_counts(void **state)
{
	(void)state;
	have(one, 20);
	ask(other, 50);
	all_is_written();
	assert_true(is_in_force(20));
	leave(&one);
	EVENTUALLY(is_in_force(50));
	one = bed_client();
	have(one, 30);
	take_back(one);
	EVENTUALLY(is_in_force(50));
	take_back(other);
	EVENTUALLY(is_in_force(USUAL));
	/* There is nothing more to take back. */
	take_back(other);
	wait_out_patience();
	assert_true(is_in_force(USUAL));
}

static void what_one_asks_for_next_takes_its_place(void **state)
{
	(void)state;
	have(one, 20);
	have(one, 30);
	have(one, 15);
	wait_out_patience();
	assert_true(is_in_force(15));
}

static void it_goes_back_to_what_it_was_before_the_first(void **state)
{
	(void)state;
	have(one, 20);
	take_back(one);
	EVENTUALLY(is_in_force(USUAL));
	wait_out_patience();
	/* Nobody asks for anything, and so this is a new one. */
	stage_set(PERIOD, 40, 0);
	EVENTUALLY(is_in_force(40));
	have(one, 20);
	have(other, 16);
	leave(&other);
	EVENTUALLY(is_in_force(20));
	leave(&one);
	EVENTUALLY(is_in_force(40));
}

static void a_play_has_the_period_of_before(void **state)
{
	(void)state;
	have(one, 50);
	bed_result(other, "play", PLAY);
	EVENTUALLY(is_in_force(USUAL));
	cycles(160);
	assert_int_equal(stage_goal(YAW), 540);
	EVENTUALLY(is_in_force(50));
	/* It is the play's, and not that of its program. */
	bed_result(other, "play", PLAY);
	EVENTUALLY(is_in_force(USUAL));
	bed_result(other, "stop", "{'halt':true}");
	EVENTUALLY(is_in_force(50));
}

static void a_play_has_a_shorter_one_if_the_bus_can(void **state)
{
	(void)state;
	fake_device_set("dxl0-cycle", "sampling_frequency_available", "[1 0.000001 200]\n");
	EVENTUALLY(stage_value("DCM/CycleTimeNeeded") == 5);
	bed_result(other, "play", PLAY);
	EVENTUALLY(is_in_force(8));
	cycles(160);
	assert_int_equal(stage_goal(YAW), 540);
	EVENTUALLY(is_in_force(USUAL));
}

/* ---- what does not fit ---- */

static unsigned int writes(void)
{
	return fake_device_writes("dxl0-cycle", "sampling_frequency");
}

static void ask_in_vain(int fd, double ms)
{
	unsigned int before = writes();

	fake_device_fail("dxl0-cycle", "sampling_frequency", -ENOSPC);
	ask(fd, ms);
	EVENTUALLY(writes() > before);
	all_is_written();
	fake_device_fail("dxl0-cycle", "sampling_frequency", 0);
	wait_out_patience();
	bed_assert_said("which is too short for the bus");
}

static void one_that_is_refused_gives_way_to_the_next(void **state)
{
	(void)state;
	have(one, 8);
	ask_in_vain(other, 2);
	all_is_written();
	assert_true(is_in_force(8));
	/* It is not tried again, whatever the others ask for, until its program asks anew. */
	have(one, 6);
	have(other, 2);
}

static void or_to_the_one_of_before(void **state)
{
	(void)state;
	have(one, 50);
	ask_in_vain(other, 2);
	EVENTUALLY(is_in_force(USUAL));
	have(one, 8);
	take_back(one);
	EVENTUALLY(is_in_force(USUAL));
}

/* A writer slows LoLA down there no more than elsewhere: the bus has 20 ms before, and cannot have 12. */
static void lola_is_not_slowed_down_where_12_ms_do_not_fit(void **state)
{
	unsigned int before;
	int fd;

	(void)state;
	stage_set(PERIOD, 20, 0);
	EVENTUALLY(is_in_force(20));
	before = writes();
	fake_device_fail("dxl0-cycle", "sampling_frequency", -ENOSPC);
	fd = lola_client();
	EVENTUALLY(writes() > before);
	all_is_written();
	fake_device_fail("dxl0-cycle", "sampling_frequency", 0);
	wait_out_patience();
	bed_assert_said("LoLA's client (process ");
	ask(one, 100);
	all_is_written();
	assert_true(is_in_force(20));
	close(fd);
	EVENTUALLY(is_in_force(100));
}

static void one_that_is_lengthened_gives_way_too(void **state)
{
	(void)state;
	have(other, 8);
	fake_on_write("dxl0-cycle", "sampling_frequency", "sampling_frequency", "50");
	ask(one, 2);
	EVENTUALLY(is_in_force(20));
	fake_on_write("dxl0-cycle", "sampling_frequency", "sampling_frequency", "125");
	wait_out_patience();
	EVENTUALLY(is_in_force(8));
}

/* The DCM's own bound, as of a short watchdog, makes it shorter than was asked for. */
static void one_that_is_shortened_is_well(void **state)
{
	(void)state;
	fake_on_write("dxl0-cycle", "sampling_frequency", "sampling_frequency", "50");
	ask(one, 40);
	EVENTUALLY(is_in_force(20));
	wait_out_patience();
	all_is_written();
	assert_true(is_in_force(20));
	assert_null(strstr(bed.said, "too short"));
}

/* ---- what is refused ---- */

static void it_has_a_range(void **state)
{
	static const char *const bad[] = { "0", "-5", "0.99", "100.5", "1e9" };

	(void)state;
	have(one, 20);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char params[128];

		snprintf(params, sizeof(params), "{'name':'" PERIOD "','commands':[[%s,0]]}",
			 bad[i]);
		bed_assert_fails(one, "set", params, -32000, ERANGE, "expected 1 to 100 ms");
	}
	all_is_written();
	assert_true(is_in_force(20));
	have(one, 1);
	have(one, 100);
}

static void it_is_one_command(void **state)
{
	(void)state;
	bed_assert_fails(one, "set", "{'name':'" PERIOD "','commands':[[20,0],[30,10]]}", -32000,
			 EINVAL, "2 commands, expected one at the most");
	all_is_written();
	assert_true(is_in_force(USUAL));
	bed_result(one, "set", "{'name':'" PERIOD "','update':'merge','commands':[[20,null]]}");
	EVENTUALLY(is_in_force(20));
}

/* Until then the one before counts. */
static void it_may_have_a_time(void **state)
{
	char params[128];

	(void)state;
	have(one, 20);
	bed_result(one, "set", "{'name':'" PERIOD "','commands':[[5,5000]]}");
	wait_out_patience();
	all_is_written();
	assert_true(is_in_force(20));
	cycle_after(5000);
	EVENTUALLY(is_in_force(5));
	snprintf(params, sizeof(params),
		 "{'name':'" PERIOD "','base':'clock','commands':[[30,%lld]]}",
		 (long long)stage.now + 5000);
	bed_result(one, "set", params);
	bed_result(other, "set", "{'name':'" PERIOD "','commands':[[1,5000]]}");
	take_back(other);
	cycle_after(5000);
	EVENTUALLY(is_in_force(30));
	/* Who asks for one to come asks for none yet. */
	bed_result(other, "set", "{'name':'" PERIOD "','commands':[[1,5000]]}");
	take_back(one);
	EVENTUALLY(is_in_force(USUAL));
	cycle_after(5000);
	EVENTUALLY(is_in_force(1));
}

static void an_alias_with_it_is_not_set(void **state)
{
	(void)state;
	bed_result(one, "createAlias", "{'alias':'All','names':['" YAW_POSITION "','" PERIOD "']}");
	bed_assert_fails(one, "set", "{'name':'All','commands':[[50,0]]}", -32000, EINVAL,
			 "All: has " PERIOD " in it");
	bed_assert_fails(one, "setAlias", "{'alias':'All','times':[0],'values':[[0],[50]]}", -32000,
			 EINVAL, "All: has " PERIOD " in it");
	bed_assert_fails(one, "setAlias", "{'alias':'All','commands':[[[0,0]],[[50,0]]]}", -32000,
			 EINVAL, "All: has " PERIOD " in it");
	bed_result(one, "createAlias", "{'alias':'Beat','names':['" PERIOD "']}");
	bed_assert_fails(one, "setAlias", "{'alias':'Beat','times':[0],'values':[[50]]}", -32000,
			 EINVAL, "Beat: has " PERIOD " in it");
	all_is_written();
	assert_true(is_in_force(USUAL));
	/* What stands for it alone is it. */
	have(other, 20);
	bed_result(one, "set", "{'name':'Beat','commands':[[30,0]]}");
	all_is_written();
	assert_true(is_in_force(20));
	leave(&other);
	EVENTUALLY(is_in_force(30));
}

/* ---- leases ---- */

static unsigned int take(int fd, const char *params)
{
	return (unsigned int)bed_number(bed_result(fd, "lease", params), "lease");
}

static void revoke_it(unsigned int lease)
{
	char params[32];

	snprintf(params, sizeof(params), "{'lease':%u}", lease);
	bed_result(other, "revoke", params);
}

static void who_holds_it_asks_alone(void **state)
{
	unsigned int lease;
	char params[32];

	(void)state;
	have(other, 20);
	lease = take(one, "{'names':['" PERIOD "']}");
	bed_assert_fails(other, "set", "{'name':'" PERIOD "','commands':[[15,0]]}", -32000, EBUSY,
			 PERIOD ": is held by");
	/* What was asked for before goes on. */
	ask(one, 50);
	all_is_written();
	assert_true(is_in_force(20));
	snprintf(params, sizeof(params), "{'lease':%u}", lease);
	bed_result(one, "release", params);
	take_back(other);
	EVENTUALLY(is_in_force(50));
}

/* Who lets go, or holds something else, lives. */
static void who_loses_its_last_lease_asks_for_nothing(void **state)
{
	unsigned int yaw = take(one, "{'names':['HeadYaw']}");
	unsigned int pitch = take(one, "{'names':['HeadPitch']}");

	(void)state;
	have(one, 20);
	revoke_it(pitch);
	all_is_written();
	assert_true(is_in_force(20));
	revoke_it(yaw);
	EVENTUALLY(is_in_force(USUAL));
	have(one, 20);
	take(one, "{'names':['HeadYaw'],'timeout':1}");
	wait_out_patience();
	bed_assert_said("has said nothing for 1 s");
	EVENTUALLY(is_in_force(USUAL));
}

static void who_releases_goes_on_asking(void **state)
{
	char params[32];

	(void)state;
	snprintf(params, sizeof(params), "{'lease':%u}",
		 take(one, "{'names':['HeadYaw','" PERIOD "']}"));
	/* Its end is told in the same cycle, and takes nothing of it away. */
	ask(one, 20);
	bed_result(one, "release", params);
	EVENTUALLY(is_in_force(20));
	wait_out_patience();
	assert_true(is_in_force(20));
}

/* ---- the daemon ends ---- */

static void it_goes_back_when_the_daemon_lets_all_go(void **state)
{
	(void)state;
	have(one, 5);
	bed_result(other, "play", PLAY);
	/* As hosted_leave() does it */
	leases_only_hold(bed.leases);
	rpc_close(bed.rpc);
	plays_free(bed.plays);
	lola_close(lola);
	bed.rpc = NULL;
	bed.plays = NULL;
	lola = NULL;
	UNTIL(is_in_force(USUAL), stage_cycle_after(1));
}

int main(void)
{
#define PERIOD_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
	const struct CMUnitTest tests[] = {
		PERIOD_TEST(a_writer_does_not_slow_lola_down),
		PERIOD_TEST(the_shorter_of_two_counts),
		PERIOD_TEST(what_one_asks_for_next_takes_its_place),
		PERIOD_TEST(it_goes_back_to_what_it_was_before_the_first),
		PERIOD_TEST(a_play_has_the_period_of_before),
		PERIOD_TEST(a_play_has_a_shorter_one_if_the_bus_can),
		PERIOD_TEST(one_that_is_refused_gives_way_to_the_next),
		PERIOD_TEST(or_to_the_one_of_before),
		PERIOD_TEST(lola_is_not_slowed_down_where_12_ms_do_not_fit),
		PERIOD_TEST(one_that_is_lengthened_gives_way_too),
		PERIOD_TEST(one_that_is_shortened_is_well),
		PERIOD_TEST(it_has_a_range),
		PERIOD_TEST(it_is_one_command),
		PERIOD_TEST(it_may_have_a_time),
		PERIOD_TEST(an_alias_with_it_is_not_set),
		PERIOD_TEST(who_holds_it_asks_alone),
		PERIOD_TEST(who_loses_its_last_lease_asks_for_nothing),
		PERIOD_TEST(who_releases_goes_on_asking),
		PERIOD_TEST(it_goes_back_when_the_daemon_lets_all_go),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
