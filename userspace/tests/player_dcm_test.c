// SPDX-License-Identifier: LGPL-2.1-or-later
/* A player whose goals are commands for a DCM. */
#include <errno.h>

#include "dcm_stage.h"
#include "fake_iio.h"

#define GOAL  600 /* counts; the joint comes from STAGE_START */
#define TICKS 50  /* 400 ms */

static struct {
	unsigned char *pages;
	struct naohw_motion *motion;
	struct naohw_player *player;
	char note[256];
} here;

static int setup(void **state)
{
	(void)state;
	memset(&here, 0, sizeof(here));
	here.pages = pages_new(2);
	stage_open("", NULL);
	stage_cycles(2);
	return 0;
}

/* The same with other preferences */
static void setup_with(const char *preferences)
{
	stage_close();
	stage_open(preferences, NULL);
	stage_cycles(2);
}

static int teardown(void **state)
{
	(void)state;
	naohw_player_free(here.player);
	stage_close();
	naohw_motion_free(here.motion);
	free(here.pages);
	return 0;
}

static void note(void *data, const char *text)
{
	(void)data;
	snprintf(here.note, sizeof(here.note), "%s", text);
}

static void make_player_of_page(void)
{
	struct naohw_error err = { "" };

	page_seal(here.pages + PAGE_SIZE);
	here.motion = pages_load(here.pages, 2);
	if (naohw_player_new(here.motion, stage.robot, stage.dcm, &here.player, &err) < 0)
		fail_msg("%s", err.message);
	naohw_player_on_note(here.player, note, NULL);
}

static void make_page(void)
{
	unsigned char *page = here.pages + PAGE_SIZE;

	page_plain(page, "go", 1);
	page_position(page, 0, 1, GOAL);
	page_times(page, 0, 0, TICKS);
}

/* Page 1: HeadYaw to GOAL in TICKS. */
static void make_player(void)
{
	make_page();
	make_player_of_page();
}

/* The same, and HeadPitch to a goal of its own. */
static void make_player_of_both(unsigned int goal)
{
	make_page();
	page_position(here.pages + PAGE_SIZE, 0, 2, goal);
	make_player_of_page();
}

static bool is_busy(void)
{
	enum naohw_player_state state = naohw_player_get_state(here.player);

	return state == NAOHW_PLAYER_PLAYING || state == NAOHW_PLAYER_SETTLING;
}

/* One cycle a step, as a loop beside a DCM has it. */
static int step_for(int64_t ms)
{
	struct naohw_error err = { "" };
	int64_t due, end = stage.now + ms;
	int ret = 0;

	while (is_busy() && ret == 0 && stage.now < end) {
		ret = naohw_player_step(here.player, &due, &err);
		stage_cycles(1);
	}
	return ret;
}

static void make_stiff(void)
{
	stage_set(YAW_HARDNESS, 1, 0);
	stage_cycles(2);
}

static void begin(void)
{
	assert_int_equal(naohw_player_begin(here.player, 1, NULL), 0);
}

/* AX-12s have 195.6 counts to 1 rad. */
static void a_page_is_moved_by_the_offset_of_motions(void **state)
{
	(void)state;
	stage_close();
	stage_open("<Preference memoryName=\"Device/SubDeviceList/HeadYaw/Position/Actuator/MotionOffset\""
		   " type=\"float\" value=\"0.1\"/>", NULL);
	stage_cycles(2);
	make_stiff();
	make_player();
	begin();
	assert_int_equal(step_for(500), 0);
	assert_int_equal(stage_goal(YAW), GOAL + 20);
	assert_int_equal(naohw_player_get_state(here.player), NAOHW_PLAYER_DONE);
}

static void bus_needs(const char *most)
{
	char range[64];

	snprintf(range, sizeof(range), "[1 0.000001 %s]\n", most);
	fake_device_set("dxl0-cycle", "sampling_frequency_available", range);
	stage_end();
	assert_int_equal(stage_begin(NULL, NULL), 0);
	stage_cycles(2);
}

/* 14.9 ms, and room for a request */
static void its_period_is_the_shortest_that_the_bus_can_do(void **state)
{
	(void)state;
	bus_needs("67.114093");
	make_player();
	assert_near(naohw_player_get_period(here.player), 16, 0);
	begin();
	assert_string_equal(here.note, "pages have ticks of 8 ms, and the bus needs 14.9 ms for a frame "
			    "and a pose: joints get fewer goals; it needs less if the servos' return "
			    "delay is shorter");
}

static void its_period_is_no_shorter_than_a_tick(void **state)
{
	(void)state;
	bus_needs("500");
	make_player();
	assert_near(naohw_player_get_period(here.player), 8, 0);
	begin();
	assert_null(strstr(here.note, "ticks"));
}

static void its_period_is_the_one_that_is_preferred(void **state)
{
	(void)state;
	setup_with("<Preference memoryName='DCM/TargetCycleTime' type='int' value='20'/>");
	bus_needs("67.114093");
	make_player();
	assert_near(naohw_player_get_period(here.player), 0, 0);
	begin();
	assert_null(strstr(here.note, "ticks"));
}

static void its_period_is_any_where_the_bus_does_not_tell(void **state)
{
	(void)state;
	make_player();
	assert_near(naohw_player_get_period(here.player), 0, 0);
}

static void a_joint_goes_to_its_goal_in_the_time_of_its_step(void **state)
{
	(void)state;
	make_stiff();
	make_player();
	begin();
	assert_int_equal(step_for(200), 0);
	/* Half of it on a straight line; speeds are whole numbers of the servo's. */
	assert_in_range(stage_goal(YAW), 550, 572);
	assert_int_equal(step_for(300), 0);
	assert_int_equal(stage_goal(YAW), GOAL);
	assert_int_equal(naohw_player_get_state(here.player), NAOHW_PLAYER_DONE);
	assert_int_equal(stage_goal(PITCH), STAGE_START);
}

static void it_settles_by_what_the_store_says(void **state)
{
	(void)state;
	make_stiff();
	make_player();
	begin();
	assert_int_equal(step_for(500), 0);
	assert_int_equal(naohw_player_begin_settle(here.player, 2, 1000, NULL), 0);
	assert_int_equal(step_for(1000), 0);
	assert_int_equal(naohw_player_get_state(here.player), NAOHW_PLAYER_DONE);
	assert_int_equal(naohw_player_arrival_joints(here.player), 1);
	assert_int_equal(naohw_player_arrival_worst(here.player), 0);
}

static void one_that_is_blocked_has_not_arrived(void **state)
{
	(void)state;
	make_stiff();
	make_player();
	stage.is_held[YAW] = true;
	begin();
	assert_int_equal(step_for(500), 0);
	assert_int_equal(naohw_player_begin_settle(here.player, 2, 300, NULL), 0);
	assert_int_equal(step_for(1000), -ETIMEDOUT);
	assert_int_equal(naohw_player_arrival_worst(here.player), GOAL - STAGE_START);
}

/* ---- torque ---- */

#define RISE_MS 1000
/* A play that gives no torque waits so long for what is said of limp joints. */
#define TOLD_MS 200

static void make_limp(const char *hardness)
{
	stage_set(hardness, 0, 0);
	stage_cycles(2);
}

static void be_stiff(void)
{
	assert_int_equal(naohw_player_set_stiff(here.player, 1, NULL), 0);
}

static void assert_limp(const char *label)
{
	const char *labels[2] = { "", "" };

	assert_int_equal(naohw_player_limp(here.player, labels, 2), *label ? 1 : 0);
	assert_string_equal(labels[0], label);
}

static int settle(long ms, struct naohw_error *err)
{
	int64_t due, end = stage.now + ms;
	int ret;

	assert_int_equal(naohw_player_begin_settle(here.player, 2, ms, err), 0);
	do {
		ret = naohw_player_step(here.player, &due, err);
		stage_cycles(1);
	} while (is_busy() && ret == 0 && stage.now <= end);
	return ret;
}

static void a_limp_joint_gets_no_torque_and_no_goal(void **state)
{
	struct naohw_error err = { "" };

	(void)state;
	make_limp(YAW_HARDNESS);
	stage_set(PITCH_HARDNESS, 1, 0);
	stage_cycles(2);
	make_player_of_both(GOAL);
	begin();
	assert_int_equal(step_for(TOLD_MS + 20), 0);
	assert_string_equal(here.note, "a play gives no torque unless told to, limp joints are left "
				       "out: HeadYaw");
	assert_limp("HeadYaw");
	assert_int_equal(step_for(500), 0);
	assert_int_equal(naohw_player_get_state(here.player), NAOHW_PLAYER_DONE);
	assert_int_equal(stage_stiffness(YAW), 0);
	assert_int_equal(stage_goal(YAW), STAGE_START);
	assert_int_equal(stage_goal(PITCH), GOAL);
	/* It is not waited for, ... */
	assert_int_equal(settle(1000, &err), -ETIMEDOUT);
	assert_string_equal(err.message,
			    "1 of 2 joints did not go to their goal: HeadYaw (no-torque)");
	assert_true(naohw_player_arrival_ms(here.player) < 100);
	/* ... and has not arrived where a hand has brought it. */
	stage.present[YAW] = GOAL;
	stage_cycles(2);
	assert_int_equal(settle(1000, &err), -ETIMEDOUT);
	assert_int_equal(naohw_player_arrival_off(here.player), 1);
}

static void who_makes_it_stiff_meanwhile_has_it_stay(void **state)
{
	(void)state;
	make_limp(YAW_HARDNESS);
	make_player();
	naohw_player_set_repeat(here.player, 3);
	begin();
	assert_int_equal(step_for(TOLD_MS + 200), 0);
	stage_set(YAW_HARDNESS, 1, 0);
	stage_cycles(2);
	stage.is_held[YAW] = true;
	while (is_busy()) {
		assert_int_equal(step_for(10), 0);
		assert_int_equal(stage_goal(YAW), STAGE_START);
	}
	assert_true(stage_stiffness(YAW) > 0);
	assert_limp("HeadYaw");
}

static void a_limp_joint_leaves_the_others_their_time(void **state)
{
	(void)state;
	make_limp(PITCH_HARDNESS);
	make_stiff();
	/* By SpeedMax 392 counts take 490 ms. */
	make_player_of_both(STAGE_ZERO + 400);
	begin();
	assert_int_equal(step_for(TOLD_MS + 420), 0);
	assert_int_equal(stage_goal(YAW), GOAL);
}

/* Nor does what was said just before, and has not been done yet. */
static void torque_that_is_on_its_way_counts(void **state)
{
	(void)state;
	make_limp(YAW_HARDNESS);
	make_player();
	stage_set(YAW_HARDNESS, 1, 0);
	begin();
	assert_int_equal(step_for(TOLD_MS + 500), 0);
	assert_limp("");
	assert_string_equal(here.note, "");
	assert_int_equal(stage_goal(YAW), GOAL);
}

/* A thousandth is 1.023 steps. */
static void if_asked_it_gets_torque_gradually_before_the_first_step(void **state)
{
	int64_t due;

	(void)state;
	make_limp(YAW_HARDNESS);
	make_player();
	be_stiff();
	begin();
	assert_int_equal(naohw_player_step(here.player, &due, NULL), 0);
	assert_int_equal(due, (stage.now + RISE_MS) * 1000000);
	for (int ms = 10; ms <= RISE_MS; ms += 10) {
		assert_int_equal(step_for(10), 0);
		assert_in_range(stage_stiffness(YAW), ms > 30 ? ms - 30 : 0, ms + 30);
		assert_int_equal(stage_goal(YAW), STAGE_START);
	}
	assert_string_equal(here.note, "");
	assert_limp("");
	assert_int_equal(step_for(200), 0);
	assert_in_range(stage_goal(YAW), 550, 572);
	assert_int_equal(naohw_player_progress_elapsed_ms(here.player), 0);
	assert_int_equal(step_for(300), 0);
	assert_int_equal(stage_goal(YAW), GOAL);
	assert_int_equal(stage_stiffness(YAW), 1000);
	/* The page does not move it. */
	assert_int_equal(stage_stiffness(PITCH), 0);
}

/* Nor does it jump when the torque comes, wherever a hand has brought it by then. */
static void it_stays_where_it_is_meanwhile(void **state)
{
	int at = STAGE_START - 100;

	(void)state;
	make_limp(YAW_HARDNESS);
	make_player();
	be_stiff();
	stage.is_held[YAW] = true;
	stage.present[YAW] = at;
	stage_cycles(2);
	begin();
	for (int ms = 0; ms < RISE_MS; ms += 10) {
		if (stage_stiffness(YAW) == 0)
			stage.present[YAW] = ++at;
		assert_int_equal(step_for(10), 0);
		assert_in_range(stage_goal(YAW), at - 1, at);
	}
	stage.is_held[YAW] = false;
	/* And its first step begins where it is by then: 180 counts are 225 ms by SpeedMax. */
	assert_int_equal(step_for(20), 0);
	assert_in_range(stage_goal(YAW), at, at + 16);
	assert_int_equal(step_for(500), 0);
	assert_int_equal(stage_goal(YAW), GOAL);
}

/* It is heard when the others are stiff already: all of it at once would throw it about. */
static void one_that_has_never_answered_gets_none_later(void **state)
{
	(void)state;
	stage_end();
	fake_fail("HeadYaw", "out_angl0_en", -ETIMEDOUT);
	stage.age[YAW] = 255;
	assert_int_equal(stage_begin(NULL, NULL), 0);
	stage_cycles(2);
	make_limp(PITCH_HARDNESS);
	make_player_of_both(GOAL);
	be_stiff();
	begin();
	assert_int_equal(step_for(RISE_MS + 50), 0);
	assert_int_equal(stage_stiffness(PITCH), 1000);
	fake_set("HeadYaw", "out_angl0_en", "0");
	fake_fail("HeadYaw", "out_angl0_en", 0);
	stage.age[YAW] = 0;
	for (int i = 0; i < 60; i++) {
		assert_int_equal(step_for(10), 0);
		assert_true(stage_stiffness(YAW) <= 0);
	}
	assert_int_equal(stage_goal(PITCH), GOAL);
}

static void one_that_has_torque_is_not_waited_for(void **state)
{
	(void)state;
	stage_set(YAW_HARDNESS, 0.4, 0);
	stage_cycles(2);
	make_player();
	be_stiff();
	begin();
	assert_int_equal(step_for(420), 0);
	assert_int_equal(stage_goal(YAW), GOAL);
	assert_in_range(stage_stiffness(YAW), 399, 401);
}

static void a_halt_meanwhile_leaves_it_as_stiff_as_it_is(void **state)
{
	int stiffness;

	(void)state;
	make_limp(YAW_HARDNESS);
	make_player();
	be_stiff();
	begin();
	assert_int_equal(step_for(RISE_MS / 2), 0);
	naohw_player_halt(here.player);
	assert_int_equal(step_for(10), 0);
	stiffness = stage_stiffness(YAW);
	assert_in_range(stiffness, 450, 550);
	assert_int_equal(step_for(200), -ECANCELED);
	stage_cycles(100);
	assert_int_equal(stage_stiffness(YAW), stiffness);
	assert_int_equal(stage_goal(YAW), STAGE_START);
}

/* Somebody has let it go by hand, or its servo for its heat: no command gives it torque. */
static void what_cannot_get_torque_is_named(void **state)
{
	struct naohw_error err = { "" };

	(void)state;
	make_stiff();
	make_limp(PITCH_HARDNESS);
	make_player_of_both(GOAL);
	be_stiff();
	fake_device_set("HeadYaw", "torque_state", "free");
	UNTIL(strcmp(stage_text("DCM/Guard/HeadYaw"), "free") == 0, stage_cycles(1));
	begin();
	assert_int_equal(step_for(RISE_MS + 20), 0);
	assert_string_equal(here.note,
			    "these joints do not move and are left out: HeadYaw (free)");
	assert_int_equal(step_for(500), 0);
	assert_int_equal(stage_goal(PITCH), GOAL);
	assert_int_equal(settle(1000, &err), -ETIMEDOUT);
	assert_string_equal(err.message,
			    "1 of 2 joints did not go to their goal: HeadYaw (free)");
}

static void assert_behind(size_t index, const char *label, const char *word)
{
	const char *found = "";
	const struct naohw_reason *reason = naohw_player_behind(here.player, index, &found);

	assert_non_null(reason);
	assert_string_equal(found, label);
	assert_string_equal(reason->word, word);
}

/* It is a wheel now, and no pose has a goal for it; but it is a joint of the robot. */
static void a_joint_that_no_pose_has_stays_behind(void **state)
{
	struct naohw_error err = { "" };
	const char *label;

	(void)state;
	stage_end();
	fake_set("HeadPitch", "out_angl0_raw_available", "[0 0 0]");
	fake_set("dxl0-goal", "out_angl2_raw_available", "[0 0 0]");
	assert_int_equal(stage_begin(NULL, NULL), 0);
	UNTIL(strcmp(stage_text("DCM/Guard/HeadPitch"), "mode") == 0, stage_cycles(1));
	make_stiff();
	make_player_of_both(GOAL);
	begin();
	assert_string_equal(here.note, "these joints do not move and are left out: HeadPitch (mode)");
	assert_int_equal(step_for(500), 0);
	assert_int_equal(stage_goal(YAW), GOAL);
	assert_int_equal(settle(1000, &err), -ETIMEDOUT);
	assert_string_equal(err.message, "1 of 2 joints did not go to their goal: HeadPitch (mode)");
	assert_behind(0, "HeadPitch", "mode");
	assert_null(naohw_player_behind(here.player, 1, &label));
}

/* The other one is late for a reason of its own. */
static void a_joint_that_is_late_is_told_beside_them(void **state)
{
	struct naohw_error err = { "" };

	(void)state;
	make_stiff();
	make_limp(PITCH_HARDNESS);
	make_player_of_both(GOAL);
	stage.is_held[YAW] = true;
	begin();
	assert_int_equal(step_for(TOLD_MS + 500), 0);
	assert_int_equal(settle(300, &err), -ETIMEDOUT);
	assert_string_equal(err.message, "2 of 2 joints did not arrive within 300 ms; HeadYaw is 80 "
					 "counts off its goal, and 2 are tolerated; left out: "
					 "HeadPitch (no-torque)");
	assert_behind(0, "HeadYaw", "stuck");
	assert_behind(1, "HeadPitch", "no-torque");
}

static void after_a_trip_none_is_given(void **state)
{
	struct naohw_error err = { "" };

	(void)state;
	make_stiff();
	make_limp(PITCH_HARDNESS);
	make_player_of_both(GOAL);
	be_stiff();
	fake_device_set("dxl0-goal", "stream_state", "tripped");
	UNTIL(naohw_dcm_get_stream(stage.dcm) == NAOHW_STREAM_TRIPPED, stage_cycles(1));
	assert_int_equal(naohw_player_begin(here.player, 1, &err), -EPIPE);
	assert_int_equal(naohw_player_get_state(here.player), NAOHW_PLAYER_IDLE);
	fake_device_set("dxl0-goal", "stream_state", "streaming");
	UNTIL(naohw_dcm_get_stream(stage.dcm) != NAOHW_STREAM_TRIPPED, stage_cycles(1));
	stage_cycles(200);
	assert_int_equal(stage_stiffness(PITCH), 0);
}

static void nobody_changes_that_in_a_play(void **state)
{
	struct naohw_error err = { "" };

	(void)state;
	make_stiff();
	make_player();
	begin();
	assert_int_equal(naohw_player_set_stiff(here.player, 1, &err), -EBUSY);
}

static void who_lets_a_joint_go_meanwhile_is_not_overruled(void **state)
{
	(void)state;
	make_stiff();
	make_player();
	naohw_player_set_repeat(here.player, 3);
	begin();
	assert_int_equal(step_for(200), 0);
	stage_set(YAW_HARDNESS, 0, 0);
	assert_int_equal(step_for(2000), 0);
	assert_int_equal(naohw_player_get_state(here.player), NAOHW_PLAYER_DONE);
	assert_int_equal(stage_stiffness(YAW), 0);
}

static void a_halt_holds_it_where_it_is(void **state)
{
	int at;

	(void)state;
	make_stiff();
	make_player();
	begin();
	assert_int_equal(step_for(200), 0);
	naohw_player_halt(here.player);
	at = stage_goal(YAW);
	assert_int_equal(step_for(500), -ECANCELED);
	assert_in_range(stage_goal(YAW), at - 8, at + 8);
}

/* What it was sent in the cycle before is all that is known. */
static void a_halt_holds_a_silent_joint_where_it_was_sent(void **state)
{
	int at;

	(void)state;
	make_stiff();
	make_player();
	begin();
	assert_int_equal(step_for(200), 0);
	stage.age[YAW] = 1;
	assert_int_equal(step_for(20), 0);
	naohw_player_halt(here.player);
	at = stage_goal(YAW);
	assert_int_equal(step_for(500), -ECANCELED);
	assert_in_range(stage_goal(YAW), at - 8, at + 8);
}

#define OF_YAW(side, name, value)                                                                  \
	"<Preference memoryName='Device/SubDeviceList/HeadYaw/Position/" side "/" name             \
	"' type='float' value='" value "'/>"

/* Pages mean counts; the store shows where these are in the joint's angle. */
static void pages_move_a_turned_joint_alike(void **state)
{
	(void)state;
	setup_with(OF_YAW("Sensor", "Gain", "-1") OF_YAW("Actuator", "Gain", "-1"));
	make_stiff();
	make_player();
	begin();
	assert_int_equal(step_for(500), 0);
	assert_int_equal(stage_goal(YAW), GOAL);
	assert_int_equal(naohw_player_begin_settle(here.player, 2, 300, NULL), 0);
	assert_int_equal(step_for(1000), 0);
	assert_int_equal(naohw_player_arrival_off(here.player), 0);
}

static void a_halt_moves_nothing_by_what_is_said_of_a_sensor(void **state)
{
	int at;

	(void)state;
	setup_with(OF_YAW("Sensor", "Offset", "0.3"));
	make_stiff();
	make_player();
	begin();
	assert_int_equal(step_for(200), 0);
	naohw_player_halt(here.player);
	at = stage_goal(YAW);
	assert_int_equal(step_for(500), -ECANCELED);
	assert_in_range(stage_goal(YAW), at - 8, at + 8);
}

/* In a break between two steps nothing is sent, and so the last step's end has to tell. */
static void a_trip_is_told_where_joints_are_awaited(void **state)
{
	struct naohw_error err = { "" };

	(void)state;
	make_stiff();
	make_player();
	begin();
	assert_int_equal(step_for(500), 0);
	fake_device_set("dxl0-goal", "stream_state", "tripped");
	stage.is_held[YAW] = true;
	stage.present[YAW] = STAGE_START;
	UNTIL(naohw_dcm_get_stream(stage.dcm) == NAOHW_STREAM_TRIPPED, stage_cycles(1));
	assert_int_equal(naohw_player_settle(here.player, 2, 0, &err), -EPIPE);
	assert_says(&err, "\"naohw recover\" brings it back");
	/* It is so until somebody has brought the torque back. */
	assert_int_equal(naohw_player_play(here.player, 1, &err), -EPIPE);
	fake_device_set("dxl0-goal", "stream_state", "streaming");
	UNTIL(naohw_dcm_get_stream(stage.dcm) == NAOHW_STREAM_RUNNING, stage_cycles(1));
	begin();
	assert_int_equal(step_for(500), 0);
}

/* As while another bus is waited for */
static void a_lost_packet_is_no_lost_joint(void **state)
{
	(void)state;
	make_stiff();
	make_player();
	stage.age[YAW] = 1;
	stage_cycles(1);
	begin();
	assert_string_equal(here.note, "");
	assert_int_equal(step_for(500), 0);
	assert_int_equal(stage_goal(YAW), GOAL);
}

static void one_that_stays_silent_is_told(void **state)
{
	(void)state;
	make_stiff();
	make_player();
	stage.age[YAW] = 1;
	stage_cycles(60);
	begin();
	assert_string_equal(here.note, "HeadYaw: timed out, no answer; the play goes on without its "
				       "position");
}

static void a_silent_joint_keeps_no_other_one(void **state)
{
	unsigned char *page = here.pages + PAGE_SIZE;

	(void)state;
	make_stiff();
	stage_set(PITCH_HARDNESS, 1, 0);
	stage_cycles(2);
	stage.age[PITCH] = 255;
	stage_cycles(2);
	page_plain(page, "go", 1);
	page_position(page, 0, 1, GOAL);
	page_position(page, 0, 2, GOAL);
	page_times(page, 0, 0, TICKS);
	make_player_of_page();
	begin();
	assert_non_null(strstr(here.note, "HeadPitch: "));
	assert_non_null(strstr(here.note, "; the play goes on without its position"));
	assert_int_equal(step_for(500), 0);
	assert_int_equal(stage_goal(YAW), GOAL);
}

/* As when the client that asked for the play has died meanwhile */
static void a_stop_before_the_first_step_moves_nothing(void **state)
{
	(void)state;
	make_player();
	assert_int_equal(naohw_player_set_stiff(here.player, 1, NULL), 0);
	begin();
	assert_int_equal(step_for(200), 0);
	naohw_player_stop(here.player);
	assert_int_equal(step_for(3000), 0);
	assert_int_equal(naohw_player_get_state(here.player), NAOHW_PLAYER_STOPPED);
	assert_int_equal(stage_goal(YAW), STAGE_START);
}

static void a_trip_ends_it(void **state)
{
	(void)state;
	make_stiff();
	make_player();
	begin();
	fake_device_set("dxl0-goal", "stream_state", "tripped");
	UNTIL(naohw_dcm_get_stream(stage.dcm) == NAOHW_STREAM_TRIPPED, stage_cycles(1));
	assert_int_equal(step_for(500), -EPIPE);
	assert_int_equal(stage_goal(YAW), STAGE_START);
}

static void where_it_starts_is_where_the_dcm_has_it(void **state)
{
	(void)state;
	make_stiff();
	stage_set(YAW_POSITION, (560 - STAGE_ZERO) * STAGE_COUNT, 0);
	stage_cycles(30);
	make_player();
	begin();
	assert_int_equal(step_for(10), 0);
	assert_in_range(stage_goal(YAW), 555, 565);
	assert_int_equal(step_for(500), 0);
	assert_int_equal(stage_goal(YAW), GOAL);
}

/* From 520 to 560 and 500, then to 760 and 490: each time in 160 ms, and the second time so fast
 * that SpeedMax would not let it.
 */
static void all_joints_of_a_step_go_together(void **state)
{
	unsigned char *page = here.pages + PAGE_SIZE;
	int yaw, pitch;

	(void)state;
	make_stiff();
	stage_set(PITCH_HARDNESS, 1, 0);
	stage_cycles(2);
	page_plain(page, "go", 2);
	page_position(page, 0, 1, 560);
	page_position(page, 0, 2, 500);
	page_times(page, 0, 0, 20);
	page_position(page, 1, 1, 760);
	page_position(page, 1, 2, 490);
	page_times(page, 1, 0, 20);
	make_player_of_page();
	begin();
	for (int i = 0; i < 60 && stage_goal(YAW) == STAGE_START; i++)
		assert_int_equal(step_for(10), 0);
	assert_int_not_equal(stage_goal(PITCH), STAGE_START);
	for (int i = 0; i < 60 && stage_goal(YAW) < 560; i++) {
		yaw = stage_goal(YAW) - STAGE_START;
		pitch = STAGE_START - stage_goal(PITCH);
		assert_in_range(yaw - 2 * pitch + 2, 0, 4);
		assert_int_equal(step_for(10), 0);
	}
	assert_in_range(stage_goal(PITCH), 499, 501);
	assert_int_equal(step_for(170), 0);
	assert_int_equal(stage_goal(YAW), 760);
	assert_int_equal(stage_goal(PITCH), 490);
	assert_string_equal(here.note, "");
}

/* 480 counts are 2.4 rad: 600 ms at 4 rad/s, of which the page wants 80. */
static void the_way_to_the_first_step_keeps_the_robots_limit(void **state)
{
	unsigned char *page = here.pages + PAGE_SIZE;

	(void)state;
	make_stiff();
	page_plain(page, "go", 2);
	page_position(page, 0, 1, 900);
	page_times(page, 0, 0, 10);
	page_position(page, 1, 1, 800);
	page_times(page, 1, 0, 20);
	make_player_of_page();
	begin();
	assert_int_equal(step_for(490), 0);
	assert_string_equal(here.note,
			    "the way to step 1 takes 475 ms instead of 80: until a play has brought "
			    "a joint to its first goal, SpeedMax is its limit");
	assert_in_range(stage_goal(YAW), 890, 900);
	/* The next step is as the page has it. */
	assert_int_equal(step_for(170), 0);
	assert_in_range(stage_goal(YAW), 800, 805);
	assert_int_equal(naohw_player_get_state(here.player), NAOHW_PLAYER_DONE);
}

/* Somebody else has moved the joint, and let it go, since the first time. */
static void a_second_play_begins_where_the_joint_is(void **state)
{
	(void)state;
	make_stiff();
	make_player();
	begin();
	assert_int_equal(step_for(500), 0);
	assert_int_equal(stage_goal(YAW), GOAL);
	stage_set(YAW_POSITION, (STAGE_START - STAGE_ZERO) * STAGE_COUNT, 100);
	stage_cycles(20);
	stage_set(YAW_HARDNESS, 0, 0);
	stage_cycles(2);
	be_stiff();
	begin();
	assert_int_equal(step_for(RISE_MS + 200), 0);
	assert_in_range(stage_goal(YAW), 550, 572);
	assert_true(stage_stiffness(YAW) > 0);
	assert_int_equal(step_for(300), 0);
	assert_int_equal(stage_goal(YAW), GOAL);
}

/* A step of one tick at a hundredfold tempo is shorter than a millisecond. */
static void a_fast_tempo_plays_to_the_end(void **state)
{
	unsigned char *page = here.pages + PAGE_SIZE;

	(void)state;
	make_stiff();
	page_plain(page, "go", 3);
	for (unsigned int step = 0; step < 3; step++) {
		page_position(page, step, 1, 525);
		page_times(page, step, 0, 1);
	}
	make_player_of_page();
	assert_int_equal(naohw_player_set_speed(here.player, 100, NULL), 0);
	begin();
	assert_int_equal(step_for(500), 0);
	assert_int_equal(naohw_player_get_state(here.player), NAOHW_PLAYER_DONE);
	assert_int_equal(stage_goal(YAW), 525);
}

static void what_it_moves_is_known_before(void **state)
{
	const char *labels[2] = { "", "" };

	(void)state;
	make_player();
	assert_int_equal(naohw_player_moved(here.player, 1, labels, 2), 1);
	assert_string_equal(labels[0], "HeadYaw");
	assert_string_equal(labels[1], "");
	/* There is one, for which there is no room. */
	labels[0] = "";
	assert_int_equal(naohw_player_moved(here.player, 1, labels, 0), 1);
	assert_string_equal(labels[0], "");
	assert_int_equal(naohw_player_moved(here.player, 0, labels, 2), 0);
}

/* ---- has it arrived? ---- */

#define HIGHEST 912 /* counts: 2 rad, the Max of its Position/Actuator */

/* As one that hangs or is pushed; its goal is its limit. */
static void a_joint_that_hangs_beyond_its_limit_has_arrived(void **state)
{
	unsigned char *page = here.pages + PAGE_SIZE;

	(void)state;
	make_stiff();
	page_plain(page, "go", 1);
	page_position(page, 0, 1, HIGHEST);
	page_times(page, 0, 0, TICKS);
	make_player_of_page();
	begin();
	assert_int_equal(step_for(2000), 0);
	stage.is_held[YAW] = true;
	stage.present[YAW] = HIGHEST + 10;
	stage_cycles(1);
	assert_int_equal(naohw_player_begin_settle(here.player, 2, 100, NULL), 0);
	assert_int_equal(step_for(200), 0);
	assert_int_equal(naohw_player_arrival_worst(here.player), 0);
	/* 0.15 rad are too far. */
	stage.present[YAW] = HIGHEST + 30;
	stage_cycles(1);
	assert_int_equal(naohw_player_begin_settle(here.player, 2, 100, NULL), 0);
	assert_int_equal(step_for(200), -ETIMEDOUT);
	assert_int_equal(naohw_player_arrival_worst(here.player), 30);
}

static struct naohw_dcm_joint *joint_of(const char *label)
{
	struct naohw_error err = { "" };
	struct naohw_dcm_joint *joint;
	struct naohw_pose *pose;
	size_t index;

	assert_int_equal(naohw_robot_find_joint(stage.robot, label, &index), 0);
	assert_int_equal(naohw_pose_describe(stage.robot, &pose, &err), 0);
	if (naohw_dcm_joint_new(stage.dcm, pose, index, &joint, &err) < 0)
		fail_msg("%s", err.message);
	assert_int_equal(naohw_dcm_joint_new(stage.dcm, pose, 2, &joint, &err), -EINVAL);
	naohw_pose_close(pose);
	return joint;
}

/* So any program may ask what a player does. */
static void a_program_may_ask_whether_a_joint_has_arrived(void **state)
{
	struct naohw_dcm_joint *joint = joint_of("HeadYaw");
	struct naohw_dcm_look look;

	(void)state;
	assert_string_equal(naohw_dcm_joint_position(joint), "Device/SubDeviceList/" YAW_POSITION);
	assert_near(naohw_dcm_joint_speed_max(joint), 4, 1e-9);
	assert_int_equal(naohw_dcm_joint_look(joint, 0.5, &look), 0);
	assert_true(look.is_limp);
	make_stiff();
	stage_set(YAW_POSITION, 0.5, 100);
	stage_cycles(5);
	assert_int_equal(naohw_dcm_joint_look(joint, 0.5, &look), 0);
	assert_false(look.is_limp);
	assert_in_range(lround(look.off * 1000), 100, 400);
	stage_cycles(20);
	assert_int_equal(naohw_dcm_joint_look(joint, 0.5, &look), 0);
	assert_near(look.present, 0.5, 1e-9);
	assert_near(look.sent, 0.5, 1e-9);
	assert_near(look.off, 0, 1e-9);
	/* Whoever does not answer has not, wherever it was. */
	stage.age[YAW] = 3;
	stage_cycles(2);
	assert_int_equal(naohw_dcm_joint_look(joint, 0.5, &look), -ETIMEDOUT);
	assert_near(look.present, 0.5, 1e-9);
	assert_true(isinf(look.off));
	naohw_dcm_joint_free(joint);
}

/* The kernel says so, and its hardness is what it is told to be. */
static void a_joint_that_has_let_go_is_limp(void **state)
{
	struct naohw_dcm_joint *joint = joint_of("HeadYaw");
	struct naohw_dcm_look look;

	(void)state;
	make_stiff();
	fake_device_set("HeadYaw", "torque_state", "shut-down");
	UNTIL(naohw_dcm_joint_look(joint, NAN, &look) == 0 && look.is_limp, stage_cycles(1));
	assert_near(stage_value(YAW_HARDNESS), 1, 1e-6);
	naohw_dcm_joint_free(joint);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(its_period_is_the_shortest_that_the_bus_can_do, setup,
						teardown),
		cmocka_unit_test_setup_teardown(its_period_is_no_shorter_than_a_tick, setup,
						teardown),
		cmocka_unit_test_setup_teardown(its_period_is_the_one_that_is_preferred, setup,
						teardown),
		cmocka_unit_test_setup_teardown(its_period_is_any_where_the_bus_does_not_tell, setup,
						teardown),
		cmocka_unit_test_setup_teardown(a_joint_goes_to_its_goal_in_the_time_of_its_step,
						setup, teardown),
		cmocka_unit_test_setup_teardown(a_page_is_moved_by_the_offset_of_motions, setup,
						teardown),
		cmocka_unit_test_setup_teardown(it_settles_by_what_the_store_says, setup, teardown),
		cmocka_unit_test_setup_teardown(one_that_is_blocked_has_not_arrived, setup,
						teardown),
		cmocka_unit_test_setup_teardown(a_limp_joint_gets_no_torque_and_no_goal,
						setup, teardown),
		cmocka_unit_test_setup_teardown(who_makes_it_stiff_meanwhile_has_it_stay,
						setup, teardown),
		cmocka_unit_test_setup_teardown(a_limp_joint_leaves_the_others_their_time,
						setup, teardown),
		cmocka_unit_test_setup_teardown(torque_that_is_on_its_way_counts, setup, teardown),
		cmocka_unit_test_setup_teardown(if_asked_it_gets_torque_gradually_before_the_first_step,
						setup, teardown),
		cmocka_unit_test_setup_teardown(it_stays_where_it_is_meanwhile, setup, teardown),
		cmocka_unit_test_setup_teardown(one_that_has_never_answered_gets_none_later, setup,
						teardown),
		cmocka_unit_test_setup_teardown(one_that_has_torque_is_not_waited_for,
						setup, teardown),
		cmocka_unit_test_setup_teardown(a_halt_meanwhile_leaves_it_as_stiff_as_it_is,
						setup, teardown),
		cmocka_unit_test_setup_teardown(what_cannot_get_torque_is_named, setup, teardown),
		cmocka_unit_test_setup_teardown(a_joint_that_no_pose_has_stays_behind, setup, teardown),
		cmocka_unit_test_setup_teardown(a_joint_that_is_late_is_told_beside_them,
						setup, teardown),
		cmocka_unit_test_setup_teardown(after_a_trip_none_is_given, setup, teardown),
		cmocka_unit_test_setup_teardown(nobody_changes_that_in_a_play, setup, teardown),
		cmocka_unit_test_setup_teardown(who_lets_a_joint_go_meanwhile_is_not_overruled,
						setup, teardown),
		cmocka_unit_test_setup_teardown(a_halt_holds_it_where_it_is, setup, teardown),
		cmocka_unit_test_setup_teardown(a_halt_holds_a_silent_joint_where_it_was_sent,
						setup, teardown),
		cmocka_unit_test_setup_teardown(pages_move_a_turned_joint_alike, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_halt_moves_nothing_by_what_is_said_of_a_sensor, setup, teardown),
		cmocka_unit_test_setup_teardown(a_trip_ends_it, setup, teardown),
		cmocka_unit_test_setup_teardown(a_trip_is_told_where_joints_are_awaited, setup,
						teardown),
		cmocka_unit_test_setup_teardown(a_lost_packet_is_no_lost_joint, setup, teardown),
		cmocka_unit_test_setup_teardown(one_that_stays_silent_is_told, setup, teardown),
		cmocka_unit_test_setup_teardown(a_silent_joint_keeps_no_other_one, setup, teardown),
		cmocka_unit_test_setup_teardown(a_stop_before_the_first_step_moves_nothing, setup,
						teardown),
		cmocka_unit_test_setup_teardown(where_it_starts_is_where_the_dcm_has_it, setup,
						teardown),
		cmocka_unit_test_setup_teardown(all_joints_of_a_step_go_together, setup, teardown),
		cmocka_unit_test_setup_teardown(the_way_to_the_first_step_keeps_the_robots_limit,
						setup, teardown),
		cmocka_unit_test_setup_teardown(a_second_play_begins_where_the_joint_is, setup,
						teardown),
		cmocka_unit_test_setup_teardown(a_fast_tempo_plays_to_the_end, setup, teardown),
		cmocka_unit_test_setup_teardown(what_it_moves_is_known_before, setup, teardown),
		cmocka_unit_test_setup_teardown(a_joint_that_hangs_beyond_its_limit_has_arrived,
						setup, teardown),
		cmocka_unit_test_setup_teardown(a_program_may_ask_whether_a_joint_has_arrived,
						setup, teardown),
		cmocka_unit_test_setup_teardown(a_joint_that_has_let_go_is_limp, setup,
						teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
