// SPDX-License-Identifier: GPL-2.0-or-later
/* What "scene" and "cameras" tell, against the robot's description and where things have been put. */
#include "cmocka_all.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mannequin.h"

#define ROUNDING 2e-4
#define GIVES_WAY 5e-3 /* joints under load, and what has fallen onto the floor, m */

static char *answer(struct rig *rig, const char *command)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	control_line(&rig->control, command, rig->now, out);
	fclose(out);

	return text;
}

static char *scene_of(struct rig *rig)
{
	return answer(rig, "scene");
}

struct seen {
	char parent[LINK_NAME];
	double size[3];
	double at[3];
	double turn[9];
	double joint[3];
};

/* A line "link NAME" or "thing NAME" of a scene. */
static struct seen find(struct rig *rig, const char *what, const char *name)
{
	double *numbers[] = { NULL, NULL, NULL, NULL };
	struct seen seen = { 0 };
	char begin[64], *text = scene_of(rig), *at;
	size_t i, j, counts[] = { 3, 3, 9, 3 };
	int len = 0;

	numbers[0] = seen.size;
	numbers[1] = seen.at;
	numbers[2] = seen.turn;
	numbers[3] = seen.joint;
	snprintf(begin, sizeof(begin), "\n%s %s ", what, name);
	at = strstr(text, begin);
	assert_non_null(at);
	at += strlen(begin);
	assert_int_equal(sscanf(at, "%23s%n", seen.parent, &len), 1);
	at += len;
	for (i = 0; i < (strcmp(what, "link") ? 3 : 4); i++)
		for (j = 0; j < counts[i]; j++)
			numbers[i][j] = strtod(at, &at);
	assert_int_equal(*at, '\n');
	free(text);

	return seen;
}

static const struct part *part_of(struct rig *rig, const char *name)
{
	const struct physique *physique = world_physique(mannequin_world(rig));

	return &physique->links[physique_link(physique, name)];
}

/* How high the torso's joint is if the legs are straight. */
static double height_of(struct rig *rig)
{
	const struct physique *physique = world_physique(mannequin_world(rig));
	size_t foot = physique->feet[0].link, i;
	double height = -physique->links[foot].low[2];

	for (i = foot; i != TORSO; i = physique->links[i].parent)
		height -= physique->links[i].at[2];

	return height;
}

static void assert_rotation(const double turn[9])
{
	double volume = 0;
	int i, j;

	for (i = 0; i < 3; i++) {
		for (j = 0; j < 3; j++)
			assert_float_equal(turn[i] * turn[j] + turn[3 + i] * turn[3 + j] +
						   turn[6 + i] * turn[6 + j],
					   i == j, 10 * ROUNDING);
		volume += turn[i] * (turn[3 + (i + 1) % 3] * turn[6 + (i + 2) % 3] -
				     turn[3 + (i + 2) % 3] * turn[6 + (i + 1) % 3]);
	}
	assert_float_equal(volume, 1, 10 * ROUNDING);
}

static void check_standing(const char *robot)
{
	struct rig *rig = mannequin_new(robot);
	const struct part *foot = part_of(rig, "LFoot");
	struct seen torso, head, left, right;
	int i;

	mannequin_stand(rig);
	torso = find(rig, "link", "Torso");
	head = find(rig, "link", "Head");
	left = find(rig, "link", "LFoot");
	right = find(rig, "link", "RFoot");
	assert_string_equal(torso.parent, "-");
	assert_string_equal(head.parent, "Neck");
	assert_float_equal(torso.joint[2], height_of(rig), GIVES_WAY);
	assert_true(head.at[2] > torso.at[2] + torso.size[2] / 2);
	assert_float_equal(left.at[2] - left.size[2] / 2, 0, GIVES_WAY);
	assert_float_equal(right.at[2] - right.size[2] / 2, 0, GIVES_WAY);
	assert_true(left.at[1] > 0.02 && right.at[1] < -0.02);
	for (i = 0; i < 3; i++)
		assert_float_equal(left.size[i], foot->high[i] - foot->low[i], ROUNDING);
	assert_rotation(left.turn);
	mannequin_free(rig);
}

static void a_robot_stands_on_the_floor(void **state)
{
	(void)state;
	check_standing("bioloid");
	check_standing("nao-h25-v33");
}

static void a_link_turns_with_its_joint(void **state)
{
	struct rig *rig = mannequin_new("darwin-op");
	struct seen head;

	(void)state;
	mannequin_stand(rig);
	mannequin_turn(rig, "HeadYaw", 0.5);
	mannequin_wait(rig, 2);
	head = find(rig, "link", "Head");
	assert_rotation(head.turn);
	/* To the left, its x axis is in the first column. */
	assert_float_equal(atan2(head.turn[3], head.turn[0]), 0.5, 0.1);
	mannequin_free(rig);
}

/* --- cameras --- */

struct view {
	double at[3];
	double turn[9];
};

/* Of a camera: what "cameras" tells of it, which is what "scene" does. */
static struct view view_of(struct rig *rig, const char *name)
{
	char begin[64], *text = answer(rig, "cameras"), *scene = scene_of(rig), *at, *end;
	struct view view;
	int i;

	snprintf(begin, sizeof(begin), "%s ", name);
	at = strstr(text, begin);
	assert_non_null(at);
	end = strchr(at, '\n');
	*end = '\0';
	snprintf(begin, sizeof(begin), "\ncamera %s ", name);
	assert_non_null(strstr(scene, begin));
	assert_int_equal(strncmp(strstr(scene, begin) + strlen("\ncamera "), at, end - at), 0);
	at += strlen(name);
	for (i = 0; i < 3; i++)
		view.at[i] = strtod(at, &at);
	for (i = 0; i < 9; i++)
		view.turn[i] = strtod(at, &at);
	assert_ptr_equal(at, end);
	free(text);
	free(scene);

	return view;
}

static void multiply(const double a[9], const double b[9], double c[9])
{
	int i, j, k;

	for (i = 0; i < 3; i++)
		for (j = 0; j < 3; j++)
			for (c[3 * i + j] = k = 0; k < 3; k++)
				c[3 * i + j] += a[3 * i + k] * b[3 * k + j];
}

static double angle_of(struct rig *rig, const char *link)
{
	const struct world *world = mannequin_world(rig);

	return world_turning(world, physique_link(world_physique(world), link)).angle;
}

/*
 * From where the torso is, by the description's lengths: up the neck, turned to the left by
 * HeadYaw and down by HeadPitch, and then to the camera, which looks down by its own angle.
 */
static void check_view(struct rig *rig, const char *name, double x, double z, double pitch)
{
	double yaw = angle_of(rig, "Neck"), head = angle_of(rig, "Head"), down = head + pitch;
	const double turned[9] = {
		cos(yaw) * cos(down), -sin(yaw), cos(yaw) * sin(down),
		sin(yaw) * cos(down), cos(yaw),  sin(yaw) * sin(down),
		-sin(down),	      0,	 cos(down),
	};
	const double ahead = x * cos(head) + z * sin(head);
	const double off[3] = {
		ahead * cos(yaw), ahead * sin(yaw),
		part_of(rig, "Neck")->at[2] - x * sin(head) + z * cos(head),
	};
	struct seen torso = find(rig, "link", "Torso");
	struct view view = view_of(rig, name);
	double turn[9];
	int i;

	multiply(torso.turn, turned, turn);
	for (i = 0; i < 3; i++)
		assert_float_equal(view.at[i],
				   torso.joint[i] + torso.turn[3 * i] * off[0] +
					   torso.turn[3 * i + 1] * off[1] +
					   torso.turn[3 * i + 2] * off[2],
				   2 * ROUNDING);
	for (i = 0; i < 9; i++)
		assert_float_equal(view.turn[i], turn[i], 2 * ROUNDING);
}

static void a_camera_goes_with_the_head(void **state)
{
	struct rig *rig = mannequin_new("darwin-op");
	struct view view;

	(void)state;
	mannequin_stand(rig);
	check_view(rig, "Camera", 0.0332, 0.045, 0);
	view = view_of(rig, "Camera");
	assert_float_equal(view.turn[0], 1, 0.01);
	assert_float_equal(view.at[2], height_of(rig) + 0.0765 + 0.045, 2 * GIVES_WAY);

	mannequin_turn(rig, "HeadYaw", 0.8);
	mannequin_turn(rig, "HeadPitch", 0.5);
	mannequin_wait(rig, 2);
	check_view(rig, "Camera", 0.0332, 0.045, 0);
	view = view_of(rig, "Camera");
	assert_float_equal(atan2(view.turn[3], view.turn[0]), 0.8, 0.05);
	assert_float_equal(-asin(view.turn[6]), 0.5, 0.05);

	order(rig, "push forward 60N for 0.3");
	mannequin_wait(rig, 3);
	check_view(rig, "Camera", 0.0332, 0.045, 0);
	view = view_of(rig, "Camera");
	assert_true(view.at[0] > 0.2 && view.at[2] < 0.15);
	/* Whose up points ahead has fallen on its face. */
	assert_true(view.turn[2] > 0.5);
	mannequin_free(rig);
}

static void a_nao_has_two_cameras(void **state)
{
	struct rig *rig = mannequin_new("nao-h25-v33");

	(void)state;
	mannequin_stand(rig);
	mannequin_turn(rig, "HeadYaw", -0.6);
	mannequin_wait(rig, 2);
	check_view(rig, "CameraTop", 0.0539, 0.0679, 0);
	check_view(rig, "CameraBottom", 0.0488, 0.02381, 0.6981);
	mannequin_free(rig);
}

static void a_bioloid_and_an_op3_have_one(void **state)
{
	struct rig *bioloid = mannequin_new("bioloid"), *op3 = mannequin_new("op3");

	(void)state;
	check_view(bioloid, "Camera", 0.035, 0.03, 0);
	check_view(op3, "Camera", 0.02425, 0.07825, 0);
	mannequin_free(bioloid);
	mannequin_free(op3);
}

static void a_robot_may_be_without_one(void **state)
{
	struct rig *rig = mannequin_new("bioloid");
	struct physique *physique = (struct physique *)world_physique(mannequin_world(rig));

	(void)state;
	physique->camera_count = 0;
	told(rig, "cameras",
	     "error: the description of the robot has no camera, as in Device/Body/Head/Camera/X\n");
	mannequin_free(rig);
}

static void things_are_where_they_were_put(void **state)
{
	struct rig *rig = mannequin_new("bioloid");
	struct seen box, ball;
	char *text;

	(void)state;
	order(rig, "box step 1 0.5 0.2 0.1 0.04 90");
	order(rig, "ball red 2 -0.5 0.1");
	box = find(rig, "thing", "step");
	assert_string_equal(box.parent, "box");
	assert_float_equal(box.size[0], 0.2, ROUNDING);
	assert_float_equal(box.at[0], 1, ROUNDING);
	assert_float_equal(box.at[1], 0.5, ROUNDING);
	assert_float_equal(box.at[2], 0.02, ROUNDING);
	assert_float_equal(box.turn[3], 1, ROUNDING);
	ball = find(rig, "thing", "red");
	assert_string_equal(ball.parent, "ball");
	assert_float_equal(ball.at[2], 0.05, ROUNDING);

	order(rig, "take all");
	text = scene_of(rig);
	assert_null(strstr(text, "thing"));
	free(text);
	mannequin_free(rig);
}

static void the_floor_leans(void **state)
{
	struct rig *rig = mannequin_new("bioloid");
	double up[3], angle = 10 * M_PI / 180;
	char *text;

	(void)state;
	order(rig, "floor 0.8 10");
	text = scene_of(rig);
	assert_int_equal(sscanf(strstr(text, "\nfloor"), " floor %lf %lf %lf", &up[0],
				&up[1], &up[2]),
			 3);
	assert_float_equal(up[0], sin(angle), ROUNDING);
	assert_float_equal(up[1], 0, ROUNDING);
	assert_float_equal(up[2], cos(angle), ROUNDING);
	free(text);
	mannequin_free(rig);
}

static void its_time_is_that_of_the_bus(void **state)
{
	struct rig *rig = mannequin_new("bioloid");
	double before, after;
	char *text = scene_of(rig);

	(void)state;
	before = atof(text + strlen("time"));
	free(text);
	mannequin_wait(rig, 1.5);
	text = scene_of(rig);
	after = atof(text + strlen("time"));
	free(text);
	assert_float_equal(after - before, 1.5, 0.0021);
	mannequin_free(rig);
}

static void without_a_body_there_is_none(void **state)
{
	struct rig *rig = rig_new();

	(void)state;
	told(rig, "scene", "error: the robot has no body, it was started without --body\n");
	told(rig, "cameras", "error: the robot has no body, it was started without --body\n");
	rig_free(rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_robot_stands_on_the_floor),
		cmocka_unit_test(a_link_turns_with_its_joint),
		cmocka_unit_test(a_camera_goes_with_the_head),
		cmocka_unit_test(a_nao_has_two_cameras),
		cmocka_unit_test(a_bioloid_and_an_op3_have_one),
		cmocka_unit_test(a_robot_may_be_without_one),
		cmocka_unit_test(things_are_where_they_were_put),
		cmocka_unit_test(the_floor_leans),
		cmocka_unit_test(its_time_is_that_of_the_bus),
		cmocka_unit_test(without_a_body_there_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
