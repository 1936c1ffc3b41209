// SPDX-License-Identifier: LGPL-2.1-or-later
/* Chains: which the installed robots have, and which descriptions are refused. */
#include "support.h"

#include "description/description.h"
#include "described.h"

#define JOINT(name) \
	TEXT(LIST name "/Position/Actuator/Channel", "out_angl0") \
	FLOAT(name "/Position/Actuator/Min", "-1") FLOAT(name "/Position/Actuator/Max", "1")
#define JOINTS JOINT("HeadYaw") JOINT("HeadPitch") JOINT("LElbowRoll")

/* Those of which no joint is in two, and which are the whole body together */
static const char *const parts[] = { "Head", "LArm", "RArm", "Legs" };

static unsigned int times_in(const char *name, const char *joint)
{
	size_t number = chain_of(name);
	unsigned int times = 0;

	for (size_t i = 0; i < naohw_chain_joint_count(robot, number); i++)
		times += strcmp(naohw_chain_joint(robot, number, i), joint) == 0;
	return times;
}

/* ---- those of the installed ---- */

#define LEG(side) side "HipYaw " side "HipRoll " side "HipPitch " side "KneePitch " \
	side "AnklePitch " side "AnkleRoll"
#define ARM(side) side "ShoulderPitch " side "ShoulderRoll " side "ElbowRoll"

static void humanoids_have_seven(void **state)
{
	static const char *const names[] = { "bioloid", "bioloid-premium",
					     "bioloid-premium-accel", "darwin-op", "op3" };

	(void)state;
	for (size_t i = 0; i < COUNT(names); i++) {
		describe_installed(names[i]);
		assert_int_equal(naohw_robot_chain_count(robot), 7);
		assert_chain("Head", "HeadYaw HeadPitch");
		assert_chain("LArm", ARM("L"));
		assert_chain("RArm", ARM("R"));
		assert_chain("LLeg", LEG("L"));
		assert_chain("RLeg", LEG("R"));
		assert_chain("Legs", LEG("L") " " LEG("R"));
		assert_int_equal(naohw_chain_joint_count(robot, chain_of("Body")), 20);
		naohw_robot_close(robot);
	}
	robot = NULL;
}

/* One motor turns both its hips outward, and its hands are of its arms. */
static void a_nao_has_one_joint_in_both_legs(void **state)
{
	(void)state;
	describe_installed("nao-h25-v33");
	assert_chain("LArm",
		     "LShoulderPitch LShoulderRoll LElbowYaw LElbowRoll LWristYaw LHand");
	assert_chain("LLeg",
		     "LHipYawPitch LHipRoll LHipPitch LKneePitch LAnklePitch LAnkleRoll");
	assert_chain("RLeg",
		     "LHipYawPitch RHipRoll RHipPitch RKneePitch RAnklePitch RAnkleRoll");
	assert_int_equal(naohw_chain_joint_count(robot, chain_of("Legs")), 11);
	assert_int_equal(naohw_chain_joint_count(robot, chain_of("Body")), 25);
}

static void what_a_nao_lacks_is_in_none(void **state)
{
	(void)state;
	describe_installed("nao-h21-v33");
	assert_chain("RArm", "RShoulderPitch RShoulderRoll RElbowYaw RElbowRoll");
	assert_int_equal(naohw_chain_joint_count(robot, chain_of("Body")), 21);
	naohw_robot_close(robot);
	describe_installed("nao-t14-v33");
	assert_int_equal(naohw_robot_chain_count(robot), 4);
	assert_int_equal(naohw_chain_joint_count(robot, chain_of("Body")), 14);
	naohw_robot_close(robot);
	describe_installed("nao-t2-v33");
	assert_int_equal(naohw_robot_chain_count(robot), 2);
	assert_chain("Body", "HeadYaw HeadPitch");
}

/* Is it of an actuator's position? The label of that is its first part: none of ours has another. */
static bool is_joint(const char *key, char label[64])
{
	const char *slash = strstr(key, "/Position/Actuator/Min");

	if (strncmp(key, LIST, strlen(LIST)) != 0 || !slash)
		return false;
	snprintf(label, 64, "%.*s", (int)(slash - key - (long)strlen(LIST)), key + strlen(LIST));
	/* Another name of a joint */
	return strcmp(label, "RHipYawPitch") != 0;
}

static void check_joint(const char *joint)
{
	unsigned int times = 0;

	for (size_t i = 0; i < COUNT(parts); i++)
		if (naohw_robot_find_chain(robot, parts[i], &(size_t){ 0 }) == 0)
			times += times_in(parts[i], joint);
	if (times != 1 || times_in("Body", joint) != 1)
		fail_msg("%s is in %u of Head, LArm, RArm and Legs", joint, times);
}

static void each_joint_is_in_one_part_of_the_body(void **state)
{
	static const char *const names[] = { "bioloid-premium", "darwin-op", "op3", "nao-h25-v33",
					     "nao-h25-v32", "nao-h25-v40", "nao-h21-v33",
					     "nao-t14-v33", "nao-t2-v33" };
	char label[64];

	(void)state;
	for (size_t i = 0; i < COUNT(names); i++) {
		describe_installed(names[i]);
		for (size_t k = 0; k < naohw_robot_key_count(robot); k++)
			if (is_joint(naohw_key_name(naohw_robot_key_at(robot, k)), label))
				check_joint(label);
		naohw_robot_close(robot);
	}
	robot = NULL;
}

/* A board that is silent takes the joints of one part of the body only. */
static void no_board_has_joints_of_two_parts(void **state)
{
	(void)state;
	describe_installed("nao-h25-v33");
	for (size_t k = 0; k < naohw_robot_key_count(robot); k++) {
		struct naohw_key *key = naohw_robot_key_at(robot, k);
		const char *name = naohw_key_name(key);
		char labels[128], *second;

		if (strncmp(name, DEVICE_PREFIX, strlen(DEVICE_PREFIX)) != 0 ||
		    strcmp(strrchr(name, '/'), "/Label") != 0)
			continue;
		assert_int_equal(naohw_key_read_string(key, labels, sizeof(labels), &err), 0);
		second = strchr(labels, ' ');
		if (!second)
			continue;
		*second++ = '\0';
		for (size_t i = 0; i < COUNT(parts); i++)
			assert_int_equal(times_in(parts[i], labels), times_in(parts[i], second));
	}
}

/* ---- what is said of them ---- */

static void a_description_may_have_none(void **state)
{
	(void)state;
	describe(temp_text(FILE_OF(JOINTS)));
	assert_int_equal(naohw_robot_chain_count(robot), 0);
	assert_int_equal(naohw_robot_find_chain(robot, "Head", &(size_t){ 0 }), -ENOENT);
	assert_null(naohw_chain_name(robot, 0));
	assert_int_equal(naohw_chain_joint_count(robot, 0), 0);
	assert_null(naohw_chain_joint(robot, 0, 0));
}

static void joints_are_by_label_in_their_order(void **state)
{
	(void)state;
	describe(temp_text(FILE_OF(JOINTS TEXT(LIST "LElbowRoll/Label", "servo-6")
				   CHAIN("B", "\n HeadPitch  servo-6\t") CHAIN("A", "servo-6"))));
	assert_int_equal(naohw_robot_chain_count(robot), 2);
	assert_string_equal(naohw_chain_name(robot, 0), "A");
	assert_chain("B", "HeadPitch servo-6");
	assert_null(naohw_chain_joint(robot, chain_of("B"), 2));
	assert_null(naohw_chain_name(robot, 2));
}

/* What it leaves out of the chains of its base, it may say itself. */
static void a_layer_says_otherwise(void **state)
{
	(void)state;
	robot_file("base.xml", FILE_OF(JOINTS CHAIN("Head", "HeadYaw HeadPitch")
				       CHAIN("LArm", "LElbowRoll") CHAIN("Both", "LElbowRoll")));
	robot_file("robot.xml", FILE_OF(TEXT("Device/Base", "base")
					TEXT("Device/Without", "HeadPitch LElbowRoll")
					CHAIN("Both", "HeadYaw")));
	robot_file("robot/Device_Local.xml", FILE_OF(CHAIN("One", "HeadYaw")));
	describe(robot_path("robot.xml"));
	assert_int_equal(naohw_robot_chain_count(robot), 3);
	assert_chain("Both", "HeadYaw");
	assert_chain("Head", "HeadYaw");
	assert_chain("One", "HeadYaw");
}

static void one_can_be_saved_that_has_its_joints(void **state)
{
	static const char *const keys[] = { "Device/ChainList/Arm" };

	(void)state;
	robot_file("robot.xml", FILE_OF(JOINTS));
	assert_int_equal(naohw_preferences_save(robot_path("robot.xml"), keys, 1, "LElbow", &err),
			 -EINVAL);
	assert_says(&err, "Device_Local.xml:");
	assert_says(&err, "no joint \"LElbow\"");
	assert_int_equal(naohw_preferences_save(robot_path("robot.xml"), keys, 1, "LElbowRoll",
						&err),
			 0);
	describe(robot_path("robot.xml"));
	assert_chain("Arm", "LElbowRoll");
}

/* ---- what is refused ---- */

static void assert_refused(const char *text, const char *why)
{
	const char *path = temp_text(text);
	char expected[512];

	assert_int_equal(naohw_robot_describe(path, &robot, &err), -EINVAL);
	snprintf(expected, sizeof(expected), "%s:%s", path, why);
	assert_string_equal(err.message, expected);
}

#define REFUSED(chains, why) assert_refused(OPEN chains JOINTS CLOSE, why)

static void a_joint_that_is_not_there_is_told(void **state)
{
	(void)state;
	REFUSED("\n" CHAIN("Head", "HeadYaw HeadPich"),
		"3: Device/ChainList/Head: no joint \"HeadPich\", the nearest is HeadPitch");
	REFUSED(CHAIN("Head", "Frob"), "2: Device/ChainList/Head: no joint \"Frob\"");
	REFUSED(CHAIN("A", "HeadYaw") CHAIN("B", "A"), "3: Device/ChainList/B: no joint \"A\"");
}

static void a_joint_twice_is_told(void **state)
{
	(void)state;
	REFUSED(CHAIN("Head", "HeadYaw HeadPitch HeadYaw"),
		"2: Device/ChainList/Head: HeadYaw is in it twice");
}

static void a_chain_twice_is_told(void **state)
{
	(void)state;
	REFUSED(CHAIN("Head", "HeadYaw") CHAIN("A", "HeadYaw") CHAIN("Head", "HeadPitch"),
		"4: Device/ChainList/Head: is in line 2 already, expected each chain once");
}

static void a_name_that_cannot_be_is_told(void **state)
{
	(void)state;
	REFUSED(CHAIN("HeadYaw", "HeadPitch"),
		"2: Device/ChainList/HeadYaw: a joint has this name, expected one that none has");
	REFUSED(CHAIN("L/Arm", "HeadPitch"),
		"2: Device/ChainList/L/Arm: the name \"L/Arm\", expected one without \"/\"");
}

static void what_is_no_list_is_told(void **state)
{
	(void)state;
	REFUSED(CHAIN("Head", " "),
		"2: Device/ChainList/Head: value \" \", expected joints with blanks between them");
	REFUSED("<Preference memoryName='Device/ChainList/Head' type='float' value='1'/>\n",
		"2: Device/ChainList/Head: value \"1\", expected a string with joints");
}


int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(humanoids_have_seven),
		TEST(a_nao_has_one_joint_in_both_legs),
		TEST(what_a_nao_lacks_is_in_none),
		TEST(each_joint_is_in_one_part_of_the_body),
		TEST(no_board_has_joints_of_two_parts),
		TEST(a_description_may_have_none),
		TEST(joints_are_by_label_in_their_order),
		TEST(a_layer_says_otherwise),
		TEST(one_can_be_saved_that_has_its_joints),
		TEST(a_joint_that_is_not_there_is_told),
		TEST(a_joint_twice_is_told),
		TEST(a_chain_twice_is_told),
		TEST(a_name_that_cannot_be_is_told),
		TEST(what_is_no_list_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
