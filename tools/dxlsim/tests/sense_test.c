// SPDX-License-Identifier: GPL-2.0-or-later
/* What the boards of a robot with a body show of it, and of its room. */
#include "cmocka_all.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../physique_load.h"
#include "mannequin.h"

#define DEGREE		(M_PI / 180)

static void assert_about(double value, double expected, double off)
{
	if (!(fabs(value - expected) <= off))
		fail_msg("%g, expected %g +- %g", value, expected, off);
}

static double weight(struct rig *rig)
{
	return physique_mass(world_physique(mannequin_world(rig))) * WORLD_GRAVITY;
}

/* What a foot's board shows of a force sensor, N. */
static double shown_force(struct rig *rig, u8 id, size_t sensor)
{
	struct device *dev = mannequin_servo(rig, id == 111 ? "RFoot" : "LFoot");
	const struct sense *sense = &dev->model->board->senses[sensor];
	char item[8];

	snprintf(item, sizeof(item), "fsr_%zu", sensor + 1);

	return mannequin_item(rig, dev, item) / sense->per_unit;
}

/* Where the foot carries what its board shows, in the room; and how much that is. */
static double shown_centre(struct rig *rig, size_t foot, double on[3])
{
	const struct world *world = mannequin_world(rig);
	const struct sole_plan *plan = &world_physique(world)->feet[foot];
	double sum = 0, at[3] = { 0 };
	size_t i;

	for (i = 0; i < FORCE_SENSORS; i++) {
		double force = shown_force(rig, foot ? 111 : 112, i);

		sum += force;
		at[0] += force * plan->sensor[i][0];
		at[1] += force * plan->sensor[i][1];
	}
	assert_true(sum > 0);
	at[0] /= sum;
	at[1] /= sum;
	world_point(world, plan->link, at, on);

	return sum;
}

static void check_feet(const char *robot)
{
	struct rig *rig = mannequin_new(robot);
	struct world *world = mannequin_world(rig);
	double sum = 0, part, on[3], x = 0, y = 0, centre[3];
	size_t foot;

	mannequin_stand(rig);
	for (foot = 0; foot < 2; foot++) {
		part = shown_centre(rig, foot, on);
		sum += part;
		x += part * on[0];
		y += part * on[1];
	}
	assert_about(sum, weight(rig), 0.01 * weight(rig));
	world_centre(world, centre);
	assert_about(x / sum, centre[0], 0.002);
	assert_about(y / sum, centre[1], 0.002);
	mannequin_free(rig);
}

static void its_feet_carry_its_weight_below_its_centre(void **state)
{
	(void)state;
	check_feet("darwin-op");
	check_feet("nao-h25-v33");
}

static void feet_in_the_air_carry_nothing(void **state)
{
	struct rig *rig = mannequin_new("nao-h25-v33");

	(void)state;
	mannequin_stand(rig);
	order(rig, "hold 0.2");
	mannequin_wait(rig, 1);
	assert_true(shown_force(rig, 111, 0) == 0 && shown_force(rig, 112, 2) == 0);
	order(rig, "let-go");
	mannequin_wait(rig, 0.1);
	/* In free fall it weighs nothing. */
	assert_about(mannequin_item(rig, mannequin_servo(rig, "Board"), "acc_z"), 0, 6);
	mannequin_free(rig);
}

/* By what is in the body's world, shown by a CM-730 as that has it mounted. */
static void accelerometers_show_how_it_lies(void **state)
{
	struct rig *rig = mannequin_new("darwin-op");
	struct device *board = mannequin_servo(rig, "Board");
	struct feeling feeling;

	(void)state;
	mannequin_stand(rig);
	assert_about(mannequin_item(rig, board, "acc_z"), 640, 4);
	order(rig, "push forward 40N for 0.3");
	mannequin_wait(rig, 0.2);
	/* Forward is about y, faster and faster. */
	body_feel(&rig->bus.body, rig->now, &feeling);
	assert_true(feeling.rate[AXIS_Y] > 30);
	assert_true(mannequin_item(rig, board, "gyro_y") > 512 + 8);
	mannequin_wait(rig, 3);
	assert_about(mannequin_item(rig, board, "acc_z"), 512, 60);
	body_feel(&rig->bus.body, rig->now, &feeling);
	assert_true(feeling.acceleration[AXIS_X] < -0.8);
	mannequin_free(rig);
}

/* --- the room --- */

/* Where a Bioloid's distance sensors sit, ahead of the middle of its torso, m */
#define EYES_AHEAD	0.045

/* With its near face so far from the sensors that look ahead, m */
static void put_ahead(struct rig *rig, const char *name, double distance, double y,
		      double width)
{
	char line[80];

	snprintf(line, sizeof(line), "box %s %f %f 0.1 %f 0.5", name,
		 EYES_AHEAD + distance + 0.05, y, width);
	order(rig, line);
}

/* The points of the measured curve, between which it is a line. */
static void a_dms_counts_how_far_a_wall_is(void **state)
{
	static const struct {
		double distance;
		int count;
	} cases[] = {
		{ 0.799, 70 }, { 0.6, 95 }, { 0.35, 163 }, { 0.2, 245 }, { 0.1, 455 },
		{ 0.075, 540 }, { 0.05, 625 }, { 0.02, 625 }, { 0.81, 0 },
	};
	struct rig *rig = mannequin_new("bioloid");
	struct device *board = mannequin_servo(rig, "Board");
	size_t i;

	(void)state;
	assert_int_equal(mannequin_item(rig, board, "port_5"), 0);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		put_ahead(rig, "wall", cases[i].distance, 0, 1);
		mannequin_wait(rig, 0.01);
		assert_about(mannequin_item(rig, board, "port_5"), cases[i].count, 1);
	}
	order(rig, "take wall");
	mannequin_wait(rig, 0.01);
	assert_int_equal(mannequin_item(rig, board, "port_5"), 0);
	mannequin_free(rig);
}

/* 180000 by the square of the distance in mm, up to 150. */
static void an_infrared_sensor_counts_what_comes_back(void **state)
{
	static const double distances[] = { 0.149, 0.12, 0.1, 0.06, 0.04, 0.03, 0.02, 0.015 };
	struct rig *rig = mannequin_new("bioloid");
	struct device *board = mannequin_servo(rig, "Board");
	size_t i;

	(void)state;
	plug(board, "ir,ir,gyro-x,gyro-y,dms,none");
	mannequin_put(rig, board, "port_output", 3);
	assert_int_equal(mannequin_item(rig, board, "port_1"), 0);
	for (i = 0; i < sizeof(distances) / sizeof(distances[0]); i++) {
		double mm = distances[i] * 1000;

		put_ahead(rig, "wall", distances[i], 0, 1);
		mannequin_wait(rig, 0.01);
		assert_about(mannequin_item(rig, board, "port_1"), 180000 / (mm * mm), 1);
		assert_about(mannequin_item(rig, board, "port_2"), 180000 / (mm * mm), 1);
	}
	put_ahead(rig, "wall", 0.152, 0, 1);
	mannequin_wait(rig, 0.01);
	assert_int_equal(mannequin_item(rig, board, "port_1"), 0);
	/* That of port 1 sits on the left, and the DMS between them. */
	put_ahead(rig, "wall", 0.05, 0.04, 0.05);
	mannequin_wait(rig, 0.01);
	assert_int_equal(mannequin_item(rig, board, "port_1"), 72);
	assert_int_equal(mannequin_item(rig, board, "port_2"), 0);
	assert_int_equal(mannequin_item(rig, board, "port_5"), 0);
	mannequin_free(rig);
}

static void a_sonar_hears_a_wall_with_both_and_a_post_with_one(void **state)
{
	struct rig *rig = mannequin_new("nao-h25-v33");
	struct device *sonar = mannequin_servo(rig, "US");

	(void)state;
	order(rig, "wall ahead 0.616 -1 0.616 1 1");
	order(rig, "box post 0.37 0.32 0.05 0.05 1");
	mannequin_put(rig, sonar, "mode", 12);
	mannequin_wait(rig, 0.2);
	assert_about(mannequin_item(rig, sonar, "right_value"), 60, 1);
	assert_about(mannequin_item(rig, sonar, "left_value"), 45, 3);
	mannequin_free(rig);
}

static void bumpers_and_hands_feel_what_touches_them(void **state)
{
	struct rig *rig = mannequin_new("nao-h25-v33");
	struct device *foot = mannequin_servo(rig, "LFoot"), *other = mannequin_servo(rig, "RFoot");
	struct device *head = mannequin_servo(rig, "Head"), *hand = mannequin_servo(rig, "LHandTouch");
	double at[3];
	char line[80];

	(void)state;
	mannequin_stand(rig);
	assert_int_equal(mannequin_item(rig, foot, "button"), 0);
	world_point(mannequin_world(rig), world_physique(mannequin_world(rig))->feet[0].link,
		    (double [3]){ 0.1, 0.03, 0 }, at);
	snprintf(line, sizeof(line), "box kerb %f %f 0.1 0.02 0.05", at[0] + 0.049, at[1]);
	order(rig, line);
	mannequin_wait(rig, 0.01);
	assert_int_equal(mannequin_item(rig, foot, "button"), 1);
	assert_int_equal(mannequin_item(rig, other, "button"), 0);
	assert_int_equal(mannequin_item(rig, head, "button"), 0);
	assert_int_equal(mannequin_item(rig, hand, "button"), 0);
	mannequin_free(rig);
}

static int pressed(const struct device *dev, const char *button)
{
	const struct board_spec *spec = dev->model->board;
	size_t i = 0;

	while (strcmp(spec->buttons[i].name, button))
		i++;

	return 1 << spec->buttons[i].bit;
}

/* A post that reaches 3 mm above a point of a link. */
static void put_post(struct rig *rig, const char *link, const double from[3])
{
	struct world *world = mannequin_world(rig);
	double at[3];
	char line[80];

	world_point(world, physique_link(world_physique(world), link), from, at);
	snprintf(line, sizeof(line), "box post %f %f 0.02 0.02 %f", at[0], at[1],
		 at[2] + 0.003);
	order(rig, line);
	mannequin_wait(rig, 0.02);
}

/* On its head, as somebody holds it over a post. */
static void a_head_feels_what_is_on_it(void **state)
{
	static const struct {
		double x;
		const char *button;
	} cases[] = { { 0, "middle" }, { 0.04, "front" }, { -0.04, "rear" } };
	struct rig *rig = mannequin_new("nao-h25-v33");
	struct device *head = mannequin_servo(rig, "Head"), *hand = mannequin_servo(rig, "LHandTouch");
	const struct physique *physique = world_physique(mannequin_world(rig));
	double top = physique->links[physique_link(physique, "Head")].high[2];
	size_t i;

	(void)state;
	mannequin_stiffen(rig);
	order(rig, "hold 1 180 0");
	mannequin_wait(rig, 3);
	assert_int_equal(mannequin_item(rig, head, "button"), 0);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		put_post(rig, "Head", (double [3]){ cases[i].x, 0, top });
		assert_int_equal(mannequin_item(rig, head, "button"),
				 pressed(head, cases[i].button));
		assert_int_equal(mannequin_item(rig, hand, "button"), 0);
	}
	mannequin_free(rig);
}

/* An arm stretched out ahead, whose hand is turned so; a post beside it reaches 3 mm into it. */
static int hand_beside_post(struct rig *rig, double turn, double side)
{
	struct world *world = mannequin_world(rig);
	double at[3];
	char line[80];
	int pressed;

	mannequin_turn(rig, "LWristYaw", turn);
	mannequin_wait(rig, 2);
	assert_int_equal(mannequin_item(rig, mannequin_servo(rig, "LHandTouch"), "button"), 0);
	world_point(world, physique_link(world_physique(world), "LHand"),
		    (double [3]){ 0.05, 0, 0 }, at);
	snprintf(line, sizeof(line), "box post %f %f 0.02 0.02 %f", at[0], at[1] + side * 0.027,
		 at[2] + 0.1);
	order(rig, line);
	mannequin_wait(rig, 0.002);
	pressed = mannequin_item(rig, mannequin_servo(rig, "LHandTouch"), "button");
	order(rig, "take post");

	return pressed;
}

static void a_hand_feels_what_touches_it(void **state)
{
	struct rig *rig = mannequin_new("nao-h25-v33");
	struct device *hand = mannequin_servo(rig, "LHandTouch");

	(void)state;
	mannequin_stiffen(rig);
	order(rig, "hold 1");
	mannequin_turn(rig, "LShoulderPitch", 0);
	mannequin_turn(rig, "LShoulderRoll", 0);
	mannequin_turn(rig, "LElbowYaw", 0);
	mannequin_turn(rig, "LElbowRoll", 0);
	assert_int_equal(hand_beside_post(rig, 0, 1), pressed(hand, "left"));
	assert_int_equal(hand_beside_post(rig, 0, -1), pressed(hand, "right"));
	/* Its back looks to the right then. */
	assert_int_equal(hand_beside_post(rig, M_PI / 2, -1), pressed(hand, "back"));
	assert_int_equal(hand_beside_post(rig, M_PI / 2, 1), 0);
	mannequin_free(rig);
}

static void a_scenario_furnishes_the_room(void **state)
{
	struct rig *rig = mannequin_new("bioloid");
	char path[] = "/tmp/dxlsim-room-XXXXXX";
	FILE *file = fdopen(mkstemp(path), "w");
	struct scenario *scenario;

	(void)state;
	assert_non_null(file);
	fputs("at 0 floor 0.5\nat 0 box step 1 0 0.2 0.2 0.04\nat 1 take step\n"
	      "at 1 box light 1 0 0.1 0.1 0.1 0 1e-9\n", file);
	assert_int_equal(fclose(file), 0);
	scenario = scenario_load(path, stderr);
	unlink(path);
	assert_non_null(scenario);
	scenario_start(&rig->control, scenario, rig->now);
	scenario_play(&rig->control, rig->now);
	told(rig, "room", "floor 0.5 0 0\nstep box 0.2000 0.2000 0.0400 1.0000 0.0000 0.0200"
			  " 1.0000 0.0000 0.0000 0.0000 1.0000 0.0000 0.0000 0.0000 1.0000\nok\n");
	mannequin_wait(rig, 1);
	scenario_play(&rig->control, rig->now);
	told(rig, "room", "floor 0.5 0 0\nok\n");
	told(rig, "scenario", "steps 4\ndone 4\nfailed 1\nok\n");
	scenario_stop(&rig->control);
	mannequin_free(rig);
}

static void a_pushed_robot_kicks_no_ball_but_its_foot_does(void **state)
{
	struct rig *rig = mannequin_new("nao-h25-v33");
	struct thing ball;

	(void)state;
	order(rig, "ball orange 0.16 0.05");
	mannequin_stand(rig);
	assert_true(room_thing(mannequin_world(rig), 0, &ball));
	assert_about(ball.at[0], 0.16, 0.01);
	order(rig, "hold 0.01");
	mannequin_wait(rig, 0.5);
	mannequin_turn(rig, "LHipPitch", -0.8);
	mannequin_wait(rig, 1);
	assert_true(room_thing(mannequin_world(rig), 0, &ball));
	assert_true(ball.at[0] > 0.2);
	mannequin_free(rig);
}

static void where_first(struct rig *rig, double at[3])
{
	struct thing thing;
	int i;

	assert_true(room_thing(mannequin_world(rig), 0, &thing));
	for (i = 0; i < 3; i++)
		at[i] = thing.at[i];
}

/* The first thing stays where it is, with its middle so far from the floor, m. */
static void assert_rests(struct rig *rig, double middle)
{
	const struct ground *ground = room_ground(mannequin_world(rig));
	double from[3], to[3], high;
	int i;

	where_first(rig, from);
	high = from[2] - room_height(mannequin_world(rig), from[0], from[1]);
	assert_about(high * cos(ground->pitch) * cos(ground->roll), middle, 0.001);
	mannequin_wait(rig, 1);
	where_first(rig, to);
	for (i = 0; i < 3; i++)
		assert_about(to[i], from[i], 0.001);
}

static void what_is_put_on_a_slope_stays_there(void **state)
{
	struct rig *rig = mannequin_new("bioloid");

	(void)state;
	order(rig, "floor 0.8 10");
	order(rig, "box a 2 0 0.1 0.1 0.1 30 0.5");
	assert_rests(rig, 0.05);
	order(rig, "floor 0.8 0 -10");
	order(rig, "box a 2 1 0.3 0.1 0.05 0 0.5");
	assert_rests(rig, 0.025);
	mannequin_free(rig);
}

static void a_floor_takes_along_what_stands_on_it(void **state)
{
	struct rig *rig = mannequin_new("bioloid");
	double before[3], after[3];

	(void)state;
	mannequin_stand(rig);
	order(rig, "box a 5 0 0.1 0.1 0.1 0 0.5");
	mannequin_wait(rig, 0.1);
	world_centre(mannequin_world(rig), before);
	order(rig, "floor 0.8 -10 5");
	mannequin_wait(rig, 0.1);
	world_centre(mannequin_world(rig), after);
	assert_about(after[2], before[2], 0.02);
	assert_rests(rig, 0.05);
	mannequin_free(rig);
}

static void nonsense_is_refused(void **state)
{
	struct rig *rig = mannequin_new("bioloid"), *bodiless = rig_new();

	(void)state;
	told(rig, "floor rough", "error: friction is \"rough\", expected a number from 0 to 10\n");
	told(rig, "box a nan 0 1 1 1", "error: x is \"nan\", expected a number from -100 to 100\n");
	told(rig, "box a 0 0 0 1 1", "error: length is \"0\", expected a number from 0.001 to 100\n");
	told(rig, "ball all 0 0", "error: name is \"all\", expected less than 24 characters, no colon, and not all\n");
	told(rig, "box error: 0 0 1 1 1", "error: name is \"error:\", expected less than 24 characters, no colon, and not all\n");
	told(rig, "box a 1 0 .1 .1 .1 0 1e-9", "error: mass is \"1e-9\", expected 0 or a number from 0.0001 to 100\n");
	told(rig, "ball a 1 0 .1 1e-320", "error: mass is \"1e-320\", expected 0 or a number from 0.0001 to 100\n");
	told(rig, "box a 1 0 100 .001 .001 0 1", "error: of what moves the longest side is at most 1000 times the shortest\n");
	told(rig, "push forward 1N for 0", "error: time is \"0\", expected seconds from 0.002 to 60\n");
	told(rig, "push forward 1N for .001", "error: time is \".001\", expected seconds from 0.002 to 60\n");
	told(rig, "take a", "error: nothing in the room is called \"a\"\n");
	told(rig, "wall a 1 1 1 1", "error: a wall from a place to the same, expected another\n");
	told(rig, "push forward 1N at Tail", "error: the robot has no link \"Tail\", as Torso or LFoot\n");
	told(rig, "hold 0.5 0 91", "error: pitch is \"91\", expected a number from -90 to 90\n");
	told(rig, "hold 1e10", "error: height is \"1e10\", expected a number from 0 to 2\n");
	told(rig, "obstacle front 300",
	     "error: the robot has a body and sees what is in its room; put a box there\n");
	told(bodiless, "room", "error: the robot has no body, it was started without --body\n");
	told(bodiless, "push forward 1N at Torso",
	     "error: the robot has no links, it was started without --body\n");
	mannequin_free(rig);
	rig_free(bodiless);
}

/* The lightest of what may be made, long and thin or small. */
static void what_is_light_falls_and_rolls_too(void **state)
{
	struct rig *rig = mannequin_new("bioloid");

	(void)state;
	order(rig, "box a 1 0 1 .001 .001 0 1e-4");
	order(rig, "box b 2 0 .001 .001 .001 0 1e-4");
	order(rig, "ball c 2 1 .001 1e-4");
	order(rig, "ball d 2 5 1 0");
	mannequin_wait(rig, 0.5);
	mannequin_free(rig);
}

static void a_room_has_room_for_so_much(void **state)
{
	struct rig *rig = mannequin_new("bioloid");
	char line[64];
	int i;

	(void)state;
	for (i = 0; i < THINGS_MAX; i++) {
		snprintf(line, sizeof(line), "box b%d %d 5 0.1 0.1 0.1 0 1", i, i);
		order(rig, line);
	}
	told(rig, "ball one 2 2", "error: no room for more than 32 things\n");
	order(rig, "box b3 3 5 0.1 0.1 0.1");
	mannequin_wait(rig, 0.1);
	order(rig, "take all");
	told(rig, "room", "floor 0.8 0 0\nok\n");
	mannequin_free(rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(its_feet_carry_its_weight_below_its_centre),
		cmocka_unit_test(feet_in_the_air_carry_nothing),
		cmocka_unit_test(accelerometers_show_how_it_lies),
		cmocka_unit_test(a_dms_counts_how_far_a_wall_is),
		cmocka_unit_test(an_infrared_sensor_counts_what_comes_back),
		cmocka_unit_test(a_sonar_hears_a_wall_with_both_and_a_post_with_one),
		cmocka_unit_test(bumpers_and_hands_feel_what_touches_them),
		cmocka_unit_test(a_hand_feels_what_touches_it),
		cmocka_unit_test(a_head_feels_what_is_on_it),
		cmocka_unit_test(a_scenario_furnishes_the_room),
		cmocka_unit_test(a_pushed_robot_kicks_no_ball_but_its_foot_does),
		cmocka_unit_test(what_is_put_on_a_slope_stays_there),
		cmocka_unit_test(a_floor_takes_along_what_stands_on_it),
		cmocka_unit_test(nonsense_is_refused),
		cmocka_unit_test(what_is_light_falls_and_rolls_too),
		cmocka_unit_test(a_room_has_room_for_so_much),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
