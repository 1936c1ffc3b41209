// SPDX-License-Identifier: LGPL-2.1-or-later
/* The player on a sink that only takes notes: order, times, goals, chains, stops. */
#include "player_stage.h"

#include "player/player.h"

static int play(struct stage *stage, unsigned int page)
{
	struct naohw_error err;

	return naohw_player_play(stage->player, page, &err);
}

static enum naohw_player_state state_of(const struct stage *stage)
{
	return naohw_player_get_state(stage->player);
}

static void steps_follow_in_time(void **state)
{
	static const int goals[] = { 100, 200 };
	struct stage *stage = *state;

	stage->present[0] = 300;
	stage_ready(stage);
	assert_int_equal(play(stage, 1), 0);
	stage_check_goals(stage, goals, 2);
	assert_int_equal(T(&stage->moves[0]), 0);
	assert_int_equal(T(&stage->moves[1]), 880); /* 100 ticks and 10 of pause */
	assert_int_equal(stage->time / MS, 1760);
	assert_int_equal(stage->moves[0].took / MS, 800);
	assert_int_equal(stage->moves[1].took / MS, 800);
	/* The others have no goal in it: untouched. */
	assert_int_equal(stage->moves[1].goal[1], 512);
}

static void tempo_scales_steps_and_pauses(void **state)
{
	struct stage *stage = *state;

	stage->present[0] = 300;
	stage_ready(stage);
	assert_int_equal(naohw_player_set_speed(stage->player, 2, NULL), 0);
	assert_int_equal(play(stage, 1), 0);
	assert_int_equal(T(&stage->moves[1]), 440);
	assert_int_equal(stage->moves[0].took / MS, 400);
}

static void wild_tempos_are_refused(void **state)
{
	static const double tempos[] = { -1, 0, 0.001, 1000, NAN, INFINITY };
	struct stage *stage = *state;
	struct naohw_error err;

	stage_ready(stage);
	assert_int_equal(naohw_player_set_speed(stage->player, 2, &err), 0);
	for (size_t i = 0; i < sizeof(tempos) / sizeof(tempos[0]); i++) {
		assert_int_equal(naohw_player_set_speed(stage->player, tempos[i], &err), -EINVAL);
		assert_says(&err, ", expected 0.01 to 100");
	}
	/* The one before stays. */
	assert_int_equal(play(stage, 1), 0);
	assert_int_equal(T(&stage->moves[1]), 440);
}

static void repeats(void **state)
{
	static const int goals[] = { 100, 200, 100, 200, 100, 200 };
	struct stage *stage = *state;

	stage_page(stage, 1)[15] = 3;
	stage_ready(stage);
	assert_int_equal(play(stage, 1), 0);
	stage_check_goals(stage, goals, 6);
	stage->count = 0;
	naohw_player_set_repeat(stage->player, 2);
	assert_int_equal(play(stage, 1), 0);
	stage_check_goals(stage, goals, 4);
}

static void next_pages_follow(void **state)
{
	static const int goals[] = { 100, 200, 512 };
	struct stage *stage = *state;

	stage_page(stage, 1)[25] = 4;
	stage_page(stage, 4)[15] = 2;
	stage_ready(stage);
	naohw_player_set_repeat(stage->player, 1);
	assert_int_equal(play(stage, 1), 0);
	assert_int_equal(state_of(stage), NAOHW_PLAYER_DONE);
	/* The setting is for the first page; page 4 plays as often as it says. */
	assert_int_equal(stage->count, 4);
	stage->count = 3;
	stage_check_goals(stage, goals, 3);
}

static void a_next_that_is_empty_ends_it(void **state)
{
	struct stage *stage = *state;

	stage_page(stage, 1)[25] = 6; /* erased */
	stage_ready(stage);
	assert_int_equal(play(stage, 1), 0);
	assert_int_equal(stage->count, 2);
}

static void stop_goes_through_the_exit(void **state)
{
	static const int goals[] = { 100, 200, 512 };
	struct stage *stage = *state;

	stage_page(stage, 1)[15] = 50;
	stage_ready(stage);
	stage->stop_at = 1; /* in the first step: this pass still ends */
	assert_int_equal(play(stage, 1), 0);
	assert_int_equal(state_of(stage), NAOHW_PLAYER_STOPPED);
	stage_check_goals(stage, goals, 3);
	/* The request is used up: the next play runs to its end. */
	stage->count = 0;
	stage->stop_at = 0;
	assert_int_equal(play(stage, 4), 0);
}

static void an_endless_chain_can_be_stopped(void **state)
{
	static const int goals[] = { 200, 300, 200, 300, 200, 512 };
	struct stage *stage = *state;

	stage_ready(stage);
	stage->stop_at = 5;
	assert_int_equal(play(stage, 2), 0);
	assert_int_equal(state_of(stage), NAOHW_PLAYER_STOPPED);
	stage_check_goals(stage, goals, 6);
}

static void max_time_stops_it(void **state)
{
	static const int goals[] = { 200, 300, 200, 512 };
	struct stage *stage = *state;

	stage_ready(stage);
	naohw_player_set_max_ms(stage->player, 2000);
	assert_int_equal(play(stage, 2), 0);
	assert_int_equal(state_of(stage), NAOHW_PLAYER_STOPPED);
	stage_check_goals(stage, goals, 4);
}

static void exits_in_a_circle_end(void **state)
{
	struct stage *stage = *state;

	stage_page(stage, 4)[26] = 4;
	stage_ready(stage);
	stage->stop_at = 1;
	assert_int_equal(play(stage, 2), 0);
	assert_int_equal(state_of(stage), NAOHW_PLAYER_STOPPED);
	assert_int_equal(stage->count, 2);
}

static void halt_holds_where_joints_are(void **state)
{
	struct stage *stage = *state;

	stage_ready(stage);
	stage->halt_at = 1;
	stage->present[0] = 444;
	stage->present[1] = 333; /* was not moved, so it is left alone */
	assert_int_equal(play(stage, 1), -ECANCELED);
	assert_int_equal(stage->count, 2);
	assert_int_equal(T(&stage->moves[1]), 0);
	assert_int_equal(stage->moves[1].took / MS, 100);
	assert_int_equal(stage->moves[1].goal[0], 444);
	assert_int_equal(stage->moves[1].goal[1], 512);
	/* It is over when they do. */
	assert_int_equal(stage->time / MS, 100);
}

/* By whoever has thought better of it while the robot was looked at. */
static void a_halt_before_the_first_step_moves_nothing(void **state)
{
	struct stage *stage = *state;

	stage_ready(stage);
	stage->present[0] = 444;
	naohw_player_halt(stage->player);
	assert_int_equal(play(stage, 1), -ECANCELED);
	for (unsigned int i = 0; i < stage->count; i++)
		assert_int_equal(stage->moves[i].goal[0], 512);
}

/* It may be anywhere, but its goal is known. */
static void a_halt_stops_a_silent_joint_where_it_was_sent(void **state)
{
	struct stage *stage = *state;

	stage_ready(stage);
	stage->halt_at = 1;
	stage->present_error[0] = -ETIMEDOUT;
	stage->on_way[0] = 480;
	assert_int_equal(play(stage, 1), -ECANCELED);
	assert_int_equal(stage->count, 2);
	assert_int_equal(stage->moves[1].goal[0], 480);
}

/* Without an idle callback too: a halt from another thread interrupts no sleep. */
static void a_halt_does_not_wait_for_the_step(void **state)
{
	struct stage *stage = *state;

	stage_ready(stage);
	stage->halt_after = 100 * MS;
	assert_int_equal(play(stage, 1), -ECANCELED);
	assert_in_range(T(&stage->moves[1]), 100, 110);
}

static void a_stall_shifts_the_schedule(void **state)
{
	struct stage *stage = *state;

	stage_ready(stage);
	stage->stall_at = 880 * MS;
	assert_int_equal(play(stage, 1), 0);
	assert_int_equal(T(&stage->moves[1]), 1880);
	assert_int_equal(stage->time / MS, 1880 + 880);
}

static void a_failed_push_ends_it(void **state)
{
	struct stage *stage = *state;
	struct naohw_error err;

	stage_ready(stage);
	stage->push_error_at = 2;
	assert_int_equal(naohw_player_play(stage->player, 1, &err), -EIO);
	assert_says(&err, "the bus is gone");
	assert_int_equal(stage->count, 1);
}

/* 100 counts in a tick; from where the joint is to the first step nobody knows. */
static void ways_that_no_servo_can_go_are_told_before(void **state)
{
	struct stage *stage = *state;

	page_times(stage_page(stage, 1), 0, 0, 1);
	page_times(stage_page(stage, 1), 1, 0, 1);
	page_times(stage_page(stage, 3), 0, 0, 1); /* out of reach */
	stage_ready(stage);
	naohw_player_on_note(stage->player, stage_note, stage);
	assert_int_equal(naohw_player_begin(stage->player, 1, NULL), 0);
	assert_int_equal(stage->notes, 1);
	assert_int_equal(stage->count, 0);
	assert_non_null(strstr(stage->note, "page 1 (page), step 2: One (ID 1) would have to go at "));
	assert_non_null(strstr(stage->note, " rad/s, its servo can be told "));
}

static void ids_without_servo_are_told_once(void **state)
{
	struct stage *stage = *state;

	page_position(stage_page(stage, 1), 0, 21, 0x9d00); /* as in OP3's file */
	page_position(stage_page(stage, 1), 0, 7, 600);
	page_position(stage_page(stage, 1), 1, 9, 600);
	page_position(stage_page(stage, 4), 0, 11, 600); /* the exit */
	page_position(stage_page(stage, 3), 0, 13, 600); /* out of reach */
	stage_ready(stage);
	naohw_player_on_note(stage->player, stage_note, stage);
	assert_int_equal(play(stage, 1), 0);
	assert_int_equal(stage->notes, 1);
	assert_non_null(strstr(stage->note, "from page 1 (page) on, ignored: 7 9 11 21"));
}

/* "Two" is a joint of the head; page 1 has a goal for it, and one for "One" in each step. */
static void ready_with_head(struct stage *stage, unsigned int goal)
{
	struct naohw_robot *robot;
	struct naohw_error err;

	page_position(stage_page(stage, 1), 0, 2, goal);
	stage_ready(stage);
	if (naohw_robot_describe(temp_text("<ModulePreference>"
					   "<Preference memoryName='Device/ChainList/Head' "
					   "type='string' value='Two'/>"
					   "<Preference memoryName='Device/SubDeviceList/Two/"
					   "Position/Actuator' type='array'>"
					   "<Preference name='Channel' type='string' "
					   "value='out_angl0'/>"
					   "<Preference name='Min' type='float' value='-3'/>"
					   "<Preference name='Max' type='float' value='3'/>"
					   "</Preference></ModulePreference>"),
				 &robot, &err) < 0)
		fail_msg("%s", err.message);
	player_know_head(stage->player, robot);
	naohw_robot_close(robot);
	naohw_player_on_note(stage->player, stage_note, stage);
}

static void a_page_leaves_the_head_alone(void **state)
{
	struct stage *stage = *state;
	const char *labels[2] = { "", "" };

	ready_with_head(stage, 300);
	assert_int_equal(naohw_player_moved(stage->player, 1, labels, 2), 1);
	assert_string_equal(labels[0], "One");
	assert_int_equal(naohw_player_joint_count(stage->player, 1), 1);
	assert_int_equal(play(stage, 1), 0);
	assert_int_equal(stage->goal[0], 200);
	assert_int_equal(stage->goal[1], 512);
	assert_int_equal(stage->notes, 1);
	assert_string_equal(stage->note,
			    "pages do not move the head unless told to, ignored: Two");
}

static void a_page_moves_the_head_when_told_to(void **state)
{
	struct stage *stage = *state;
	struct naohw_error err;

	ready_with_head(stage, 300);
	assert_int_equal(naohw_player_set_head(stage->player, 1, &err), 0);
	assert_int_equal(naohw_player_moved(stage->player, 1, NULL, 0), 2);
	assert_int_equal(play(stage, 1), 0);
	assert_int_equal(stage->goal[1], 300);
	assert_int_equal(stage->notes, 0);
	assert_int_equal(naohw_player_set_head(stage->player, 0, &err), 0);
	assert_int_equal(naohw_player_moved(stage->player, 1, NULL, 0), 1);
}

/* What the head cannot do is no reason against a page that does not move it. */
static void a_goal_that_is_left_out_may_be_out_of_range(void **state)
{
	struct stage *stage = *state;
	struct naohw_error err;

	ready_with_head(stage, 1500);
	assert_int_equal(naohw_player_check(stage->player, 1, &err), 0);
	assert_int_equal(naohw_player_set_head(stage->player, 1, &err), 0);
	assert_int_equal(naohw_player_check(stage->player, 1, &err), -ERANGE);
	assert_says(&err, "Two (ID 2) would go to 1500");
}

static void while_a_play_goes_on_the_head_stays_as_it_was(void **state)
{
	struct stage *stage = *state;
	struct naohw_error err;

	ready_with_head(stage, 300);
	assert_int_equal(naohw_player_begin(stage->player, 1, &err), 0);
	assert_int_equal(naohw_player_set_head(stage->player, 1, &err), -EBUSY);
}

static void a_silent_joint_does_not_keep_the_others(void **state)
{
	struct stage *stage = *state;

	stage_ready(stage);
	naohw_player_on_note(stage->player, stage_note, stage);
	stage->present_error[1] = -ETIMEDOUT;
	assert_int_equal(play(stage, 1), 0);
	assert_int_equal(stage->notes, 1);
	assert_non_null(strstr(stage->note, "axis 1 is silent"));
	assert_int_equal(stage->count, 2);
}

static void flagged_positions_hold(void **state)
{
	struct stage *stage = *state;

	page_position(stage_page(stage, 1), 1, 1, NAOHW_POSITION_INVALID | 900);
	page_position(stage_page(stage, 1), 0, 2, NAOHW_POSITION_TORQUE_OFF | 900);
	stage_ready(stage);
	assert_int_equal(play(stage, 1), 0);
	assert_int_equal(stage->moves[1].goal[0], 100);
	assert_int_equal(stage->moves[1].goal[1], 512);
}

static void speed_base_takes_the_longest_way(void **state)
{
	struct stage *stage = *state;

	stage_page(stage, 1)[16] = 0;
	stage_page(stage, 1)[20] = 1;
	page_times(stage_page(stage, 1), 0, 0, 128);
	page_position(stage_page(stage, 1), 0, 1, 512 - 384); /* 384 * 40 / (128 * 3) = 40 ticks */
	page_position(stage_page(stage, 1), 0, 2, 512 + 96);
	stage_ready(stage);
	assert_int_equal(play(stage, 1), 0);
	assert_int_equal(stage->time / MS, 320);
	/* Both arrive together. */
	assert_int_equal(stage->count, 1);
	assert_int_equal(stage->moves[0].took / MS, 320);
	assert_int_equal(stage->moves[0].goal[0], 128);
	assert_int_equal(stage->moves[0].goal[1], 608);
}

static void check_refused(struct stage *stage, unsigned int page, int code, const char *says)
{
	struct naohw_error err;

	stage_ready(stage);
	assert_int_equal(naohw_player_play(stage->player, page, &err), code);
	assert_says(&err, says);
	assert_int_equal(stage->count, 0); /* before anything moves */
}

static void goals_out_of_range_are_refused(void **state)
{
	page_position(stage_page(*state, 1), 1, 3, 1024);
	check_refused(*state, 1, -ERANGE,
		      "page 1 (page), step 2: Three (ID 3) would go to 1024, but it can go from 0 "
		      "to 1023 only");
}

static void garbage_on_a_servo_is_refused(void **state)
{
	page_position(stage_page(*state, 1), 0, 2, 0x9d00);
	check_refused(*state, 1, -ERANGE, "step 1: Two (ID 2) would go to 40192");
}

static void reachable_pages_are_checked(void **state)
{
	/* Page 2 leads to 3, whose exit leads to 4, which has the fault. */
	page_position(stage_page(*state, 4), 0, 1, 2000);
	check_refused(*state, 2, -ERANGE, "page 4 (page), step 1: One (ID 1) would go to 2000");
}

static void links_out_of_the_file_are_refused(void **state)
{
	stage_page(*state, 1)[25] = 8;
	check_refused(*state, 1, -ERANGE,
		      "page 1 (page): next is page 8, but the file ends with page 7");
}

static void exits_out_of_the_file_are_refused(void **state)
{
	stage_page(*state, 3)[26] = 255;
	check_refused(*state, 2, -ERANGE, "page 3 (page): exit is page 255");
}

static void links_to_damage_are_refused(void **state)
{
	stage_page(*state, 3)[22] = 0;
	check_refused(*state, 2, -EBADMSG,
		      "page 2 (page): next is page 3, which is damaged: byte 1558: speed 0");
}

static void damaged_pages_are_refused(void **state)
{
	stage_page(*state, 1)[20] = 200;
	check_refused(*state, 1, -EBADMSG, "page 1 (page) is damaged: byte 532: 200 steps");
}

/* That a checksum may be ignored is meant for one of the whole file, not for a page's own. */
static void a_wrong_checksum_of_a_page_is_refused_always(void **state)
{
	struct stage *stage = *state;
	struct naohw_error err;

	stage_ready(stage);
	naohw_player_free(stage->player);
	naohw_motion_free(stage->motion);
	stage_page(stage, 1)[64]++;
	stage->motion = pages_load(stage->pages, 8);
	assert_null(naohw_motion_checksum_fault(stage->motion));
	assert_int_equal(player_create_dry(stage->motion, NULL, 0, &stage->player, &err), 0);
	naohw_player_ignore_checksum(stage->player);
	assert_int_equal(naohw_player_play(stage->player, 1, &err), -EBADMSG);
	assert_says(&err, "page 1 (page) is damaged: byte 543: checksum is 0x");
}

static void empty_pages_are_refused(void **state)
{
	stage_page(*state, 1)[15] = 0;
	check_refused(*state, 1, -ENODATA, "page 1 (page) is empty: 2 steps, repeat 0");
}

static void erased_pages_are_refused(void **state)
{
	check_refused(*state, 6, -ENODATA, "page 6 is erased");
}

static void page_0_never_plays(void **state)
{
	page_plain(stage_page(*state, 0), "zero", 1);
	check_refused(*state, 0, -ENOENT, "page 0: this file has pages 1 to 7");
}

/* A next or exit of 0 is no link, so nothing leads there. */
static void damage_in_page_0_hinders_nothing(void **state)
{
	struct stage *stage = *state;

	page_plain(stage_page(stage, 0), "zero", 8);
	stage_ready(stage);
	assert_int_equal(play(stage, 1), 0);
	assert_int_equal(stage->count, 2);
}

static void pages_past_the_end_are_refused(void **state)
{
	check_refused(*state, 8, -ENOENT, "page 8: this file has pages 1 to 7");
}

static int settle(struct stage *stage, struct naohw_error *err)
{
	return naohw_player_settle(stage->player, 2, 1000, err);
}

static void settles_when_all_are_near(void **state)
{
	struct stage *stage = *state;
	struct naohw_error err;

	stage_ready(stage);
	assert_int_equal(play(stage, 1), 0);
	stage->present[0] = 202;
	stage->present[1] = 0; /* was not moved */
	assert_int_equal(settle(stage, &err), 0);
	assert_int_equal(naohw_player_arrival_joints(stage->player), 1);
	assert_int_equal(naohw_player_arrival_worst(stage->player), 2);
	assert_string_equal(naohw_player_arrival_worst_label(stage->player), "One");
	/* Nothing more is sent. */
	assert_int_equal(stage->count, 2);
}

static void settling_has_an_end(void **state)
{
	struct stage *stage = *state;
	struct naohw_error err;
	int64_t began;

	stage_ready(stage);
	assert_int_equal(play(stage, 1), 0);
	began = stage->time;
	stage->present[0] = 203;
	assert_int_equal(settle(stage, &err), -ETIMEDOUT);
	assert_says(&err, "1 of 1 joints did not arrive within 1000 ms; One is 3 counts off");
	assert_int_equal((stage->time - began) / MS, 1000);
	assert_int_equal(stage->count, 2);
}

/* Unless told otherwise; a joint that is blocked pulls with more than the robot's weight needs. */
static void settles_where_its_servo_may_sag(void **state)
{
	struct stage *stage = *state;
	struct naohw_error err;

	stage_ready(stage);
	assert_int_equal(play(stage, 1), 0);
	stage->present[0] = 200 - 11;
	assert_int_equal(naohw_player_settle(stage->player, NAOHW_TOLERANCE_SAG, 1000, &err), 0);
	assert_int_equal(naohw_player_arrival_worst(stage->player), 11);
	stage->present[0] = 200 + 12;
	assert_int_equal(naohw_player_settle(stage->player, NAOHW_TOLERANCE_SAG, 1000, &err),
			 -ETIMEDOUT);
	assert_says(&err, "One is 12 counts off its goal, and 11 are tolerated");
}

static void a_halt_while_settling_holds(void **state)
{
	struct stage *stage = *state;
	struct naohw_error err;

	page_position(stage_page(stage, 1), 1, 2, 400);
	stage_ready(stage);
	assert_int_equal(play(stage, 1), 0);
	stage->present[0] = 150;
	stage->present[1] = 399; /* has arrived, so keeps its goal */
	stage->halt_after = stage->time + 100 * MS;
	assert_int_equal(settle(stage, &err), -ECANCELED);
	assert_int_equal(stage->count, 3);
	assert_int_equal(stage->moves[2].goal[0], 150);
	assert_int_equal(stage->moves[2].goal[1], 400);
}

static void a_stop_while_settling_is_not_for_the_next_play(void **state)
{
	struct stage *stage = *state;
	struct naohw_error err;

	stage_page(stage, 1)[15] = 3;
	stage_ready(stage);
	assert_int_equal(play(stage, 1), 0);
	stage->present[0] = 150;
	stage->stop_after = stage->time + 100 * MS;
	assert_int_equal(settle(stage, &err), -ETIMEDOUT);
	stage->stop_after = 0;
	stage->count = 0;
	assert_int_equal(play(stage, 1), 0);
	assert_int_equal(stage->count, 6);
}

/* Joint 1 answers when joint 2 does not, and the other way round: both have arrived. */
static void joints_arrive_one_by_one(void **state)
{
	struct stage *stage = *state;
	struct naohw_error err;

	page_position(stage_page(stage, 1), 1, 2, 512);
	stage_ready(stage);
	assert_int_equal(play(stage, 1), 0);
	stage->present[0] = 200;
	stage->fail_reads = 1;
	assert_int_equal(settle(stage, &err), 0);
	assert_int_equal(naohw_player_arrival_joints(stage->player), 2);
	assert_int_equal(naohw_player_arrival_ms(stage->player), 40);
	assert_null(naohw_player_arrival_lost_label(stage->player));
}

/* That joints have not arrived is no wonder then. */
static void torque_that_is_gone_is_told_at_the_end(void **state)
{
	struct stage *stage = *state;
	struct naohw_error err;

	stage_ready(stage);
	assert_int_equal(play(stage, 1), 0);
	stage->present[0] = 150;
	stage->check_error = -EPIPE;
	assert_int_equal(settle(stage, &err), -EPIPE);
	assert_says(&err, "the torque is gone");
}

static void a_lost_joint_has_not_arrived(void **state)
{
	struct stage *stage = *state;
	struct naohw_error err;

	stage_ready(stage);
	assert_int_equal(play(stage, 1), 0);
	stage->present_error[0] = -ETIMEDOUT;
	assert_int_equal(settle(stage, &err), -ETIMEDOUT);
	assert_says(&err, "One: timed out, no answer");
	assert_int_equal(naohw_player_arrival_lost_error(stage->player), -ETIMEDOUT);
}

int main(void)
{
#define STAGE_TEST(test) cmocka_unit_test_setup_teardown(test, stage_setup, stage_teardown)
	const struct CMUnitTest tests[] = {
		STAGE_TEST(steps_follow_in_time),
		STAGE_TEST(tempo_scales_steps_and_pauses),
		STAGE_TEST(wild_tempos_are_refused),
		STAGE_TEST(repeats),
		STAGE_TEST(next_pages_follow),
		STAGE_TEST(a_next_that_is_empty_ends_it),
		STAGE_TEST(stop_goes_through_the_exit),
		STAGE_TEST(an_endless_chain_can_be_stopped),
		STAGE_TEST(max_time_stops_it),
		STAGE_TEST(exits_in_a_circle_end),
		STAGE_TEST(halt_holds_where_joints_are),
		STAGE_TEST(a_halt_before_the_first_step_moves_nothing),
		STAGE_TEST(a_halt_stops_a_silent_joint_where_it_was_sent),
		STAGE_TEST(a_halt_does_not_wait_for_the_step),
		STAGE_TEST(a_stall_shifts_the_schedule),
		STAGE_TEST(a_failed_push_ends_it),
		STAGE_TEST(ways_that_no_servo_can_go_are_told_before),
		STAGE_TEST(ids_without_servo_are_told_once),
		STAGE_TEST(a_page_leaves_the_head_alone),
		STAGE_TEST(a_page_moves_the_head_when_told_to),
		STAGE_TEST(a_goal_that_is_left_out_may_be_out_of_range),
		STAGE_TEST(while_a_play_goes_on_the_head_stays_as_it_was),
		STAGE_TEST(a_silent_joint_does_not_keep_the_others),
		STAGE_TEST(flagged_positions_hold),
		STAGE_TEST(speed_base_takes_the_longest_way),
		STAGE_TEST(goals_out_of_range_are_refused),
		STAGE_TEST(garbage_on_a_servo_is_refused),
		STAGE_TEST(reachable_pages_are_checked),
		STAGE_TEST(links_out_of_the_file_are_refused),
		STAGE_TEST(exits_out_of_the_file_are_refused),
		STAGE_TEST(links_to_damage_are_refused),
		STAGE_TEST(damaged_pages_are_refused),
		STAGE_TEST(a_wrong_checksum_of_a_page_is_refused_always),
		STAGE_TEST(empty_pages_are_refused),
		STAGE_TEST(erased_pages_are_refused),
		STAGE_TEST(page_0_never_plays),
		STAGE_TEST(damage_in_page_0_hinders_nothing),
		STAGE_TEST(pages_past_the_end_are_refused),
		STAGE_TEST(settles_when_all_are_near),
		STAGE_TEST(settling_has_an_end),
		STAGE_TEST(settles_where_its_servo_may_sag),
		STAGE_TEST(a_halt_while_settling_holds),
		STAGE_TEST(a_stop_while_settling_is_not_for_the_next_play),
		STAGE_TEST(joints_arrive_one_by_one),
		STAGE_TEST(torque_that_is_gone_is_told_at_the_end),
		STAGE_TEST(a_lost_joint_has_not_arrived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
