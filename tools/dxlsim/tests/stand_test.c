// SPDX-License-Identifier: GPL-2.0-or-later
/* A robot with a body stands, carries itself and falls, each of those that there are. */
#include "cmocka_all.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mannequin.h"

static bool is_up(struct rig *rig)
{
	struct pose pose = body_pose(&rig->bus.body, rig->now);

	return fabs(pose.roll) < 8 && fabs(pose.pitch) < 8;
}

static bool lies(struct rig *rig)
{
	double centre[3], hip[3];

	world_centre(mannequin_world(rig), centre);
	world_point(mannequin_world(rig), TORSO, (double [3]){ 0 }, hip);

	return hip[2] < 0.12 && centre[2] < 0.12;
}

/* Knees bent, or nothing but friction makes it stand. */
static void squat(struct rig *rig)
{
	static const char *const sides[] = { "L", "R" };
	char label[32];
	size_t i;

	for (i = 0; i < 2; i++) {
		snprintf(label, sizeof(label), "%sHipPitch", sides[i]);
		mannequin_turn(rig, label, -0.45);
		snprintf(label, sizeof(label), "%sKneePitch", sides[i]);
		mannequin_turn(rig, label, 0.9);
		snprintf(label, sizeof(label), "%sAnklePitch", sides[i]);
		mannequin_turn(rig, label, -0.45);
	}
	mannequin_wait(rig, 1.5);
}

static void nudge(struct rig *rig)
{
	order(rig, "push forward 2N for 0.3");
	mannequin_wait(rig, 1);
}

/* A servo without a gain has none of its torque. */
static void forget_ankles(struct rig *rig)
{
	static const char *const ankles[] = {
		"LAnklePitch", "RAnklePitch", "LAnkleRoll", "RAnkleRoll",
	};
	static const char *const gains[] = { "position_p_gain", "p_gain", "kp" };
	size_t i, j;

	for (i = 0; i < 4; i++) {
		struct device *dev = mannequin_servo(rig, ankles[i]);
		const char *item = "torque_enable";

		for (j = 0; j < 3; j++)
			if (model_item_named(dev->model, gains[j]))
				item = gains[j];
		/* A NAO's gain is set without torque. */
		mannequin_put(rig, dev, "torque_enable", 0);
		mannequin_put(rig, dev, item, 0);
		if (strcmp(item, "torque_enable"))
			mannequin_put(rig, dev, "torque_enable", 1);
	}
}

static void falls_soon(struct rig *rig, const char *robot)
{
	int i;

	for (i = 0; i < 20 && !lies(rig); i++)
		mannequin_wait(rig, 0.2);
	if (!lies(rig))
		fail_msg("%s: does not fall", robot);
}

/* What it is nudged with is nothing to it, until its ankles give way. */
static void it_stands_squats_and_falls(void **state)
{
	const char *robot = *state;
	struct rig *rig = mannequin_new(robot);

	mannequin_stand(rig);
	if (!is_up(rig))
		fail_msg("%s: does not stand", robot);
	squat(rig);
	nudge(rig);
	if (!is_up(rig))
		fail_msg("%s: does not squat, but leans %g %g", robot,
			 body_pose(&rig->bus.body, rig->now).roll,
			 body_pose(&rig->bus.body, rig->now).pitch);
	forget_ankles(rig);
	nudge(rig);
	falls_soon(rig, robot);
	mannequin_free(rig);
}

static void a_naos_brakes_resist(void **state)
{
	struct rig *rig = mannequin_new("nao-h25-v33");

	(void)state;
	mannequin_stand(rig);
	squat(rig);
	mannequin_loosen(rig);
	mannequin_wait(rig, 0.5);
	assert_false(lies(rig));
	falls_soon(rig, "nao");
	mannequin_free(rig);
}

static double angle_of(struct rig *rig, const char *link)
{
	const struct world *world = mannequin_world(rig);

	return world_turning(world, physique_link(world_physique(world), link)).angle;
}

/* The left one's, which turns both outward, whatever pulls at one of them. */
static void a_naos_hips_have_one_motor(void **state)
{
	struct rig *rig = mannequin_new("nao-h25-v33");

	(void)state;
	assert_null(mannequin_servo(rig, "RHipYawPitch"));
	order(rig, "hold 0.8 60 0");
	mannequin_stiffen(rig);
	mannequin_turn(rig, "LHipYawPitch", -0.5);
	mannequin_wait(rig, 3);
	assert_float_equal(angle_of(rig, "LPelvis"), -0.5, 0.02);
	assert_float_equal(angle_of(rig, "RPelvis"), angle_of(rig, "LPelvis"), 0.01);
	order(rig, "push backward 20N for 1 at RFoot");
	mannequin_wait(rig, 0.5);
	assert_float_equal(angle_of(rig, "RPelvis"), angle_of(rig, "LPelvis"), 0.02);
	mannequin_free(rig);
}

static void it_is_held_until_its_legs_carry_it(void **state)
{
	struct rig *rig = mannequin_new("bioloid");

	(void)state;
	mannequin_wait(rig, 5);
	assert_true(world_held(mannequin_world(rig)));
	mannequin_stiffen(rig);
	mannequin_put(rig, mannequin_servo(rig, "LKneePitch"), "torque_enable", 0);
	mannequin_wait(rig, 2);
	assert_true(world_held(mannequin_world(rig)));
	mannequin_stiffen(rig);
	mannequin_wait(rig, 2);
	assert_false(world_held(mannequin_world(rig)));
	mannequin_free(rig);
}

/* How high its middle comes at most meanwhile, m. */
static double flight(struct rig *rig, double seconds)
{
	nsec_t end = rig->now + seconds * NSEC_PER_SEC;
	double centre[3], most = 0;

	while (rig->now < end) {
		mannequin_wait(rig, 0.01);
		world_centre(mannequin_world(rig), centre);
		most = fmax(most, centre[2]);
	}

	return most;
}

static void it_is_held_above_the_floor_however_it_leans(void **state)
{
	static const char *const leans[] = { "hold 0 180 0", "hold 0 90 0", "hold 0 0 90" };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(leans) / sizeof(leans[0]); i++) {
		struct rig *rig = mannequin_new("bioloid");
		double most;

		mannequin_stiffen(rig);
		order(rig, leans[i]);
		mannequin_wait(rig, 0.5);
		order(rig, "let-go");
		most = flight(rig, 2);
		if (most > 0.4)
			fail_msg("%s: thrown %g m high", leans[i], most);
		mannequin_free(rig);
	}
}

/* --- again --- */

#define LOOKS		24
#define BETWEEN		0.05	/* s */

struct log {
	char *text;
	size_t len;
	FILE *out;
};

static void log_answer(struct log *log, struct rig *rig, const char *line)
{
	fputs(line, log->out);
	control_line(&rig->control, line, rig->now, log->out);
}

/* What comes over the bus of a Bioloid, with what goes wrong there, and when. */
static void log_bytes(struct log *log, struct rig *rig)
{
	static const u8 position[] = { 36, 2 };
	u8 id;
	size_t i;

	for (id = 1; id <= 18; id++) {
		rig_send(rig, id, DXL_READ, position, sizeof(position));
		rig_run(rig);
		fprintf(log->out, "%lld:", (long long)rig->heard);
		for (i = 0; i < rig->len; i++)
			fprintf(log->out, " %02x", rig->bytes[i]);
		fputc('\n', log->out);
		rig_forget(rig);
	}
}

/* It is pushed twice, and a ball rolls meanwhile. @pause: how often one waits for a look. */
static struct log record(const char *robot, const char *seed, double pause)
{
	bool is_bioloid = !strcmp(robot, "bioloid");
	struct rig *rig = mannequin_new(robot);
	struct log log = { 0 };
	int look;

	log.out = open_memstream(&log.text, &log.len);
	order(rig, seed);
	order(rig, "corrupt 20");
	order(rig, "ball orange 0.2 0.03");
	mannequin_stand(rig);
	for (look = 0; look < LOOKS; look++) {
		nsec_t due = rig->now + BETWEEN * NSEC_PER_SEC;

		if (look == 0)
			order(rig, is_bioloid ? "push forward 12N for 0.2" :
						"push forward 50N for 0.3");
		if (look == 8)
			order(rig, "push left 6N for 0.2 at Head");
		log_answer(&log, rig, "links");
		log_answer(&log, rig, "room");
		if (is_bioloid)
			log_bytes(&log, rig);
		while (due - rig->now > pause * NSEC_PER_SEC)
			mannequin_wait(rig, pause);
		mannequin_wait(rig, (double)(due - rig->now) / NSEC_PER_SEC);
	}
	log_answer(&log, rig, "stats all");
	fclose(log.out);
	mannequin_free(rig);

	return log;
}

static void assert_same(const struct log *one, const struct log *other)
{
	assert_int_equal(one->len, other->len);
	assert_memory_equal(one->text, other->text, one->len);
}

static void it_falls_in_the_same_way_every_time(void **state)
{
	struct log first = record("bioloid", "seed 7", 1), second = record("bioloid", "seed 7", 0.003);
	struct log other = record("bioloid", "seed 8", 1);

	(void)state;
	assert_same(&first, &second);
	assert_true(strcmp(first.text, other.text) != 0);
	free(first.text);
	free(second.text);
	free(other.text);
}

/* This program, which records a NAO's fall where it is told to; see main(). */
#define RECORDS		"record"

static const char *program;

/* Another process has its memory elsewhere. */
static struct log record_elsewhere(void)
{
	struct log log = { 0 };
	char command[512], piece[4096];
	size_t size;
	FILE *in;

	log.out = open_memstream(&log.text, &log.len);
	snprintf(command, sizeof(command), "'%s' " RECORDS, program);
	in = popen(command, "r");
	assert_non_null(in);
	while ((size = fread(piece, 1, sizeof(piece), in)))
		assert_int_equal(fwrite(piece, 1, size, log.out), size);
	assert_int_equal(pclose(in), 0);
	fclose(log.out);

	return log;
}

static void it_falls_in_the_same_way_in_every_process(void **state)
{
	struct log first = record("nao-h25-v33", "seed 7", 1), second = record_elsewhere();

	(void)state;
	assert_same(&first, &second);
	free(first.text);
	free(second.text);
}

static int print_record(void)
{
	struct log log = record("nao-h25-v33", "seed 7", 1);
	bool is_whole = fwrite(log.text, 1, log.len, stdout) == log.len;

	free(log.text);

	return is_whole ? 0 : 1;
}

static void nobody_tells_it_how_to_lean(void **state)
{
	struct rig *rig = mannequin_new("bioloid");
	static const char refusal[] =
		"error: the robot has a body and obeys physics; push it, or start without --body\n";

	(void)state;
	told(rig, "lean 10 0", refusal);
	told(rig, "upright", refusal);
	told(rig, "fall face", refusal);
	told(rig, "lie back", refusal);
	mannequin_free(rig);
}

static void play_until(struct rig *rig, nsec_t end)
{
	nsec_t due;

	while ((due = scenario_due(&rig->control)) <= end) {
		mannequin_wait_until(rig, due);
		scenario_play(&rig->control, due);
	}
	mannequin_wait_until(rig, end);
}

static void the_example_furnishes_its_room_and_pushes_it_over(void **state)
{
	struct rig *rig = mannequin_new("bioloid");
	nsec_t start = rig->now;
	struct thing thing;

	(void)state;
	order(rig, "scenario " SCENARIOS "/room.scenario");
	play_until(rig, start);
	mannequin_stand(rig);
	play_until(rig, start + 9 * NSEC_PER_SEC - WORLD_STEP);
	assert_true(room_thing(mannequin_world(rig), 2, &thing));
	assert_true(is_up(rig));
	play_until(rig, start + 12 * NSEC_PER_SEC);
	assert_true(lies(rig));
	told(rig, "scenario", "steps 6\ndone 6\nfailed 0\nok\n");
	scenario_stop(&rig->control);
	mannequin_free(rig);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		ROBOT_TEST(it_stands_squats_and_falls, "bioloid"),
		ROBOT_TEST(it_stands_squats_and_falls, "darwin-op"),
		ROBOT_TEST(it_stands_squats_and_falls, "op3"),
		ROBOT_TEST(it_stands_squats_and_falls, "nao-h25-v33"),
		cmocka_unit_test(a_naos_brakes_resist),
		cmocka_unit_test(a_naos_hips_have_one_motor),
		cmocka_unit_test(it_is_held_until_its_legs_carry_it),
		cmocka_unit_test(it_is_held_above_the_floor_however_it_leans),
		cmocka_unit_test(it_falls_in_the_same_way_every_time),
		cmocka_unit_test(it_falls_in_the_same_way_in_every_process),
		cmocka_unit_test(nobody_tells_it_how_to_lean),
		cmocka_unit_test(the_example_furnishes_its_room_and_pushes_it_over),
	};

	program = argv[0];
	if (argc == 2 && !strcmp(argv[1], RECORDS))
		return print_record();

	return cmocka_run_group_tests(tests, NULL, NULL);
}
