// SPDX-License-Identifier: LGPL-2.1-or-later
/* Pages that the daemon plays: who may have them played, what they hold, and how they end. */
#include "rpc_bed.h"

#include <errno.h>
#include <unistd.h>

#include "fake_iio.h"

/* Bytes of a page */
#define NEXT 25
#define EXIT 26

#define GOAL  600 /* counts; the joint comes from STAGE_START */
#define BACK  540
#define TICKS 50 /* 400 ms, which are 40 cycles */

/* Page 1 goes to GOAL, page 2 does so for ever; both have page 3 for an exit, which goes to BACK. */
static char directory[] = "/tmp/naohw-motions-XXXXXX";
static char path[64];
static int one, other;

/* A motion as RoboPlus writes it */
#define TEXT                                                                                                                          \
	"{'page':'go','text':'"                                                                                                       \
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

static void put_page(unsigned char *pages, unsigned int number, const char *name, unsigned int goal,
		     unsigned int next)
{
	unsigned char *page = pages + number * PAGE_SIZE;

	page_plain(page, name, 1);
	page_position(page, 0, 1, goal);
	page_times(page, 0, 0, TICKS);
	page[NEXT] = (unsigned char)next;
	page[EXIT] = number == 3 ? 0 : 3;
	page_seal(page);
}

static void install(void)
{
	unsigned char *pages = pages_new(4);
	FILE *file;

	strcpy(directory + strlen(directory) - 6, "XXXXXX");
	assert_non_null(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/go.bin", directory);
	put_page(pages, 1, "go", GOAL, 0);
	put_page(pages, 2, "on", GOAL, 2);
	put_page(pages, 3, "back", BACK, 0);
	file = fopen(path, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(pages, PAGE_SIZE, 4, file), 4);
	fclose(file);
	free(pages);
}

static int begin(const char *preferences)
{
	struct naohw_error err;

	bed_setup_robot(preferences);
	install();
	plays_free(bed.plays);
	assert_int_equal(plays_new(stage.robot, stage.dcm, bed.leases, directory, &bed.plays, &err),
			 0);
	bed_serve_anew();
	one = bed_client();
	other = bed_client();
	bed_result(one, "set", "{'name':'" YAW_HARDNESS "','commands':[[1,0]]}");
	bed_turns(2);
	return 0;
}

static int setup(void **state)
{
	(void)state;
	return begin("");
}

/* Its pages' joint is one of the head. */
static int setup_head(void **state)
{
	(void)state;
	return begin("<Preference memoryName='Device/ChainList/Head' type='string' "
		     "value='HeadYaw HeadPitch'/>");
}

static int teardown(void **state)
{
	close(one);
	close(other);
	unlink(path);
	rmdir(directory);
	return bed_teardown(state);
}

static void play(int fd, const char *params)
{
	bed_number(bed_result(fd, "play", params), "play");
}

/* What somebody who has just subscribed is told of the last play. */
static struct json_object *last_play(void)
{
	struct json_object *news;
	int fd = bed_client();

	bed_result(fd, "subscribe", "{'events':['play']}");
	bed_turns(1);
	news = bed_read(fd);
	close(fd);
	return news;
}

static void assert_play(const char *state)
{
	assert_string_equal(bed_text(last_play(), "params/play/state"), state);
}

static void a_page_is_played_to_its_end(void **state)
{
	(void)state;
	assert_play("none");
	play(one, "{'motion':'go.bin','page':1}");
	bed_turns(20);
	assert_play("playing");
	assert_in_range(stage_goal(YAW), 545, 580);
	bed_turns(30);
	assert_int_equal(stage_goal(YAW), GOAL);
	assert_play("done");
	bed_assert_said("play 1: page 1 of go.bin, for rpc_play_test");
}

/*
 * The kernel has registered the goals' device anew when the DCM asked for stiffness, and does so when
 * a servo is added. Who hosts has no time for libiio's look at all devices, nor to wait for that one.
 */
static void no_device_is_looked_for(void **state)
{
	unsigned int contexts = fake_contexts(), looks = fake_looks();

	(void)state;
	fake_replug("dxl0-goal");
	play(one, "{'motion':'go.bin','page':1}");
	assert_int_equal(fake_contexts(), contexts);
	assert_int_equal(fake_looks(), looks);
	bed_turns(60);
	assert_int_equal(stage_goal(YAW), GOAL);
}

static void its_name_or_its_text_will_do(void **state)
{
	(void)state;
	play(one, "{'motion':'go.bin','page':'go','speed':2}");
	bed_turns(26);
	assert_int_equal(stage_goal(YAW), GOAL);
	assert_play("done");
	play(one, TEXT);
	bed_turns(50);
	assert_int_equal(stage_goal(YAW), BACK);
	assert_play("done");
}

static void what_it_moves_is_held_alone_meanwhile(void **state)
{
	(void)state;
	play(one, "{'motion':'go.bin','page':1}");
	bed_assert_fails(other, "set", "{'name':'" YAW_POSITION "','commands':[[0,0]]}", -32000,
			 EBUSY, "is held by rpc_play_test's play (process ");
	bed_assert_fails(one, "set", "{'name':'" YAW_POSITION "','commands':[[0,0]]}", -32000,
			 EBUSY, "is held by rpc_play_test's play (process ");
	bed_result(other, "set", "{'name':'" PITCH_POSITION "','commands':[[0.1,0]]}");
	bed_assert_fails(other, "play", "{'motion':'go.bin','page':1}", -32000, EBUSY,
			 "play 1 goes on");
	bed_turns(60);
	assert_int_equal(stage_goal(YAW), GOAL);
	bed_result(other, "set", "{'name':'" YAW_POSITION "','commands':[[0,0]]}");
}

/* Another program turns it meanwhile. */
static void the_head_is_no_pages(void **state)
{
	(void)state;
	play(one, "{'motion':'go.bin','page':1}");
	bed_assert_said("play 1: pages do not move the head unless told to, ignored: HeadYaw");
	bed_result(other, "set", "{'name':'" YAW_POSITION "','commands':[[0,0]]}");
	bed_turns(60);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO);
	assert_play("done");
}

static void unless_that_is_asked_for(void **state)
{
	(void)state;
	bed_assert_fails(one, "play", "{'motion':'go.bin','page':1,'head':1}", -32602, EINVAL,
			 "head");
	play(one, "{'motion':'go.bin','page':1,'head':true}");
	bed_assert_fails(other, "set", "{'name':'" YAW_POSITION "','commands':[[0,0]]}", -32000,
			 EBUSY, "is held by rpc_play_test's play (process ");
	bed_turns(60);
	assert_int_equal(stage_goal(YAW), GOAL);
	assert_null(strstr(bed.said, "the head"));
}

/* The last thing that is said of the play's limp joints is "" where there are none. */
static void assert_limp(const char *label)
{
	struct json_object *news = last_play();

	if (*label)
		assert_string_equal(bed_text(news, "params/play/limp/0"), label);
	else
		assert_null(bed_at(news, "params/play/limp"));
}

static void let_go(void)
{
	bed_result(one, "set", "{'name':'" YAW_HARDNESS "','commands':[[0,0]]}");
	bed_turns(2);
}

static void it_gives_no_torque(void **state)
{
	(void)state;
	let_go();
	play(one, "{'motion':'go.bin','page':1}");
	bed_turns(30);
	bed_assert_said("play 1: a play gives no torque unless told to, limp joints are left out: "
			"HeadYaw");
	assert_limp("HeadYaw");
	bed_turns(60);
	assert_play("done");
	assert_limp("HeadYaw");
	assert_int_equal(stage_stiffness(YAW), 0);
	assert_int_equal(stage_goal(YAW), STAGE_START);
}

/* A second of 100 cycles, and then the page */
static void but_if_asked(void **state)
{
	(void)state;
	let_go();
	bed_assert_fails(one, "play", "{'motion':'go.bin','page':1,'stiff':1}", -32602, EINVAL,
			 "stiff");
	play(one, "{'motion':'go.bin','page':1,'stiff':true}");
	bed_turns(50);
	assert_in_range(stage_stiffness(YAW), 400, 600);
	assert_int_equal(stage_goal(YAW), STAGE_START);
	assert_play("playing");
	bed_turns(120);
	assert_int_equal(stage_goal(YAW), GOAL);
	assert_int_equal(stage_stiffness(YAW), 1000);
	assert_play("done");
	assert_limp("");
}

static void what_was_made_stiff_just_before_is_moved(void **state)
{
	(void)state;
	let_go();
	bed_result(one, "set", "{'name':'" YAW_HARDNESS "','commands':[[1,0]]}");
	play(one, "{'motion':'go.bin','page':1}");
	bed_turns(80);
	assert_int_equal(stage_goal(YAW), GOAL);
	assert_limp("");
}

/* What holds ends with the play. */
static void a_halt_before_the_first_step_ends_the_rise(void **state)
{
	int stiffness;

	(void)state;
	let_go();
	play(one, "{'motion':'go.bin','page':1,'stiff':true}");
	bed_turns(50);
	bed_result(other, "stop", "{'halt':true}");
	bed_turns(30);
	assert_play("halted");
	stiffness = stage_stiffness(YAW);
	assert_in_range(stiffness, 400, 600);
	bed_turns(100);
	assert_int_equal(stage_stiffness(YAW), stiffness);
}

static void what_another_one_holds_is_not_played_on(void **state)
{
	(void)state;
	bed_result(other, "lease", "{'names':['HeadYaw']}");
	bed_assert_fails(one, "play", "{'motion':'go.bin','page':1}", -32000, EBUSY,
			 "is held by rpc_play_test (process ");
	assert_play("none");
	/* But the holder may. */
	play(other, "{'motion':'go.bin','page':1}");
	bed_turns(60);
	assert_int_equal(stage_goal(YAW), GOAL);
}

static void a_stop_goes_through_the_exit(void **state)
{
	(void)state;
	play(one, "{'motion':'go.bin','page':2}");
	bed_turns(100);
	bed_result(other, "stop", "{}");
	bed_turns(100);
	assert_int_equal(stage_goal(YAW), BACK);
	assert_play("stopped");
	bed_assert_fails(one, "stop", "{}", -32000, ENOENT, "nothing plays");
}

static void a_halt_holds_where_it_is(void **state)
{
	(void)state;
	play(one, "{'motion':'go.bin','page':1}");
	bed_turns(15);
	bed_result(other, "stop", "{'halt':true}");
	bed_turns(30);
	assert_in_range(stage_goal(YAW), STAGE_START + 10, GOAL - 20);
	assert_play("halted");
}

static void who_goes_has_it_stopped(void **state)
{
	(void)state;
	play(one, "{'motion':'go.bin','page':2}");
	bed_turns(20);
	close(one);
	bed_turns(100);
	one = bed_client();
	assert_int_equal(stage_goal(YAW), BACK);
	assert_play("stopped");
	bed_assert_said("has gone");
}

/* Half a robot would be limp else, while the other half goes on. */
static void what_it_held_ends_after_the_exit(void **state)
{
	(void)state;
	bed_result(one, "lease", "{'names':['HeadYaw'],'end':'free'}");
	play(one, "{'motion':'go.bin','page':2}");
	bed_turns(20);
	close(one);
	bed_turns(20);
	assert_int_equal(stage_stiffness(YAW), 1000);
	bed_turns(100);
	one = bed_client();
	assert_play("stopped");
	assert_int_equal(stage_stiffness(YAW), 0);
}

static void what_is_released_meanwhile_is_still_the_plays(void **state)
{
	unsigned int id;
	char params[32];

	(void)state;
	id = (unsigned int)bed_number(bed_result(one, "lease", "{'names':['HeadYaw']}"), "lease");
	play(one, "{'motion':'go.bin','page':2}");
	bed_turns(20);
	snprintf(params, sizeof(params), "{'lease':%u}", id);
	bed_result(one, "release", params);
	bed_assert_fails(other, "lease", "{'names':['HeadYaw']}", -32000, EBUSY,
			 "is held by rpc_play_test's play");
	bed_turns(20);
	assert_int_equal(stage_stiffness(YAW), 1000);
}

static void what_it_holds_is_revoked_by_halting_it(void **state)
{
	int goal;

	(void)state;
	play(one, "{'motion':'go.bin','page':2}");
	bed_turns(20);
	bed_result(other, "revoke", "{'lease':1}");
	bed_turns(30);
	assert_play("halted");
	assert_null(bed_at(bed_result(other, "leases", "{}"), "leases/0"));
	goal = stage_goal(YAW);
	bed_turns(100);
	assert_int_equal(stage_goal(YAW), goal);
}

static void who_holds_a_part_of_a_joint_may_play_on_it(void **state)
{
	(void)state;
	bed_result(one, "lease", "{'names':['" YAW_POSITION "'],'exclusive':false}");
	play(one, "{'motion':'go.bin','page':1}");
	bed_turns(60);
	assert_int_equal(stage_goal(YAW), GOAL);
}

static void unless_it_is_to_stay(void **state)
{
	(void)state;
	play(one, "{'motion':'go.bin','page':2,'stays':true}");
	bed_turns(20);
	close(one);
	bed_turns(200);
	one = bed_client();
	assert_play("playing");
}

static void a_trip_is_a_failure_that_says_why(void **state)
{
	struct json_object *news;

	(void)state;
	play(one, "{'motion':'go.bin','page':2}");
	bed_turns(20);
	fake_device_set("dxl0-goal", "stream_state", "tripped");
	UNTIL(naohw_dcm_get_stream(stage.dcm) == NAOHW_STREAM_TRIPPED, bed_turns(1));
	bed_turns(50);
	news = last_play();
	assert_string_equal(bed_text(news, "params/play/state"), "failed");
	assert_non_null(strstr(bed_text(news, "params/play/why"), "naohw recover"));
	/* And the joint is nobody's. */
	bed_result(other, "set", "{'name':'" YAW_POSITION "','commands':[[0,0]]}");
}

/* A cycle's cost is a few of them. */
static void refused(const char *params, int code, int error, const char *message)
{
	bed_assert_fails(one, "play", params, code, error, message);
	bed_turns(1);
}

static void what_cannot_be_played_is_refused(void **state)
{
	(void)state;
	refused("{'motion':'../go.bin','page':1}", -32000, ENOENT,
		"../go.bin: no such motion is installed");
	refused("{'motion':'go.bin','page':9}", -32000, ENOENT,
		"page 9: this file has pages 1 to 3");
	refused("{'motion':'go.bin','page':0}", -32602, EINVAL, "page");
	refused("{'motion':'go.bin'}", -32602, EINVAL, "page");
	refused("{'page':1}", -32602, EINVAL, "motion");
	refused("{'motion':'go.bin','page':1,'speed':0}", -32602, EINVAL, "speed");
	refused("{'motion':'go.bin','text':'x','page':1}", -32602, EINVAL, "either motion or text");
	refused("{'text':'garbage','page':1}", -32000, EINVAL, "text: ");
	play(one, "{'motion':'go.bin','page':1}");
}

static void what_is_no_motion_is_left_out(void **state)
{
	struct plays *plays;
	struct naohw_error err;
	char bad[80];
	FILE *file;

	(void)state;
	snprintf(bad, sizeof(bad), "%s/bad.mtn", directory);
	file = fopen(bad, "w");
	assert_non_null(file);
	fputs("bad", file);
	fclose(file);
	assert_int_equal(plays_new(stage.robot, stage.dcm, bed.leases, directory, &plays, &err), 0);
	plays_free(plays);
	unlink(bad);
	bed_assert_said("bad.mtn");
	assert_int_equal(plays_new(stage.robot, stage.dcm, bed.leases, "/nowhere", &plays, &err),
			 0);
	plays_free(plays);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_page_is_played_to_its_end, setup, teardown),
		cmocka_unit_test_setup_teardown(no_device_is_looked_for, setup, teardown),
		cmocka_unit_test_setup_teardown(its_name_or_its_text_will_do, setup, teardown),
		cmocka_unit_test_setup_teardown(what_it_moves_is_held_alone_meanwhile, setup,
						teardown),
		cmocka_unit_test_setup_teardown(the_head_is_no_pages, setup_head, teardown),
		cmocka_unit_test_setup_teardown(unless_that_is_asked_for, setup_head, teardown),
		cmocka_unit_test_setup_teardown(it_gives_no_torque, setup, teardown),
		cmocka_unit_test_setup_teardown(but_if_asked, setup, teardown),
		cmocka_unit_test_setup_teardown(what_was_made_stiff_just_before_is_moved, setup,
						teardown),
		cmocka_unit_test_setup_teardown(a_halt_before_the_first_step_ends_the_rise, setup,
						teardown),
		cmocka_unit_test_setup_teardown(what_another_one_holds_is_not_played_on, setup,
						teardown),
		cmocka_unit_test_setup_teardown(a_stop_goes_through_the_exit, setup, teardown),
		cmocka_unit_test_setup_teardown(a_halt_holds_where_it_is, setup, teardown),
		cmocka_unit_test_setup_teardown(who_goes_has_it_stopped, setup, teardown),
		cmocka_unit_test_setup_teardown(what_it_held_ends_after_the_exit, setup, teardown),
		cmocka_unit_test_setup_teardown(what_it_holds_is_revoked_by_halting_it, setup,
						teardown),
		cmocka_unit_test_setup_teardown(what_is_released_meanwhile_is_still_the_plays,
						setup, teardown),
		cmocka_unit_test_setup_teardown(who_holds_a_part_of_a_joint_may_play_on_it, setup,
						teardown),
		cmocka_unit_test_setup_teardown(unless_it_is_to_stay, setup, teardown),
		cmocka_unit_test_setup_teardown(a_trip_is_a_failure_that_says_why, setup, teardown),
		cmocka_unit_test_setup_teardown(what_cannot_be_played_is_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(what_is_no_motion_is_left_out, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
