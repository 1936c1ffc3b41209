// SPDX-License-Identifier: LGPL-2.1-or-later
/* Methods of naohwd's JSON-RPC, at a robot of two joints: what they answer, and what they do. */
#include "rpc_bed.h"

#include <sys/socket.h>
#include <unistd.h>

#include "fake_iio.h"

#define YAW_SENSOR BED_KEY("HeadYaw/Position/Sensor")
#define START_RAD  ((STAGE_START - STAGE_ZERO) * STAGE_COUNT)

/* ---- what there is ---- */

static void describe_tells_what_it_is(void **state)
{
	struct json_object *result = bed_result(bed.fd, "describe", "{}");

	(void)state;
	assert_string_equal(bed_text(result, "version"), naohw_version());
	assert_string_equal(bed_text(result, "path"), naohw_robot_path(stage.robot));
	assert_int_equal(bed_number(result, "pid"), getpid());
	assert_int_equal(bed_number(result, "period"), 10);
	assert_string_equal(bed_text(result, "stream"), "running");
	assert_int_equal(json_object_array_length(bed_at(result, "joints")), 2);
	assert_string_equal(bed_text(result, "joints/0"), "HeadYaw");
	assert_true(bed_number(result, "generation") ==
		    (double)naohw_store_generation(naohw_dcm_store(stage.dcm)));
}

static void list_goes_on_after_a_key(void **state)
{
	struct naohw_store *store = naohw_dcm_store(stage.dcm);
	size_t count = naohw_store_slot_count(store);
	struct json_object *result = bed_result(bed.fd, "list", "{}");
	char params[256];

	(void)state;
	assert_int_equal(json_object_array_length(bed_at(result, "keys")), count);
	assert_false(json_object_get_boolean(bed_at(result, "more")));
	snprintf(params, sizeof(params), "{'limit':3,'after':'%s'}", naohw_store_name(store, 1));
	result = bed_result(bed.fd, "list", params);
	assert_int_equal(json_object_array_length(bed_at(result, "keys")), 3);
	assert_string_equal(bed_text(result, "keys/0/name"), naohw_store_name(store, 2));
	assert_true(json_object_get_boolean(bed_at(result, "more")));
	snprintf(params, sizeof(params), "{'after':'%s'}", naohw_store_name(store, count - 1));
	result = bed_result(bed.fd, "list", params);
	assert_int_equal(json_object_array_length(bed_at(result, "keys")), 0);
}

static void list_has_patterns(void **state)
{
	struct json_object *result =
		bed_result(bed.fd, "list", "{'pattern':'*HeadYaw/P*/?ctuator/V*e'}");

	(void)state;
	assert_int_equal(json_object_array_length(bed_at(result, "keys")), 1);
	assert_string_equal(bed_text(result, "keys/0/name"), BED_KEY("HeadYaw/Position/Actuator"));
	assert_string_equal(bed_text(result, "keys/0/type"), "float");
	assert_true(json_object_get_boolean(bed_at(result, "keys/0/writable")));
	result = bed_result(bed.fd, "list", "{'pattern':'DCM/Time'}");
	assert_string_equal(bed_text(result, "keys/0/type"), "int");
	assert_false(json_object_get_boolean(bed_at(result, "keys/0/writable")));
	result = bed_result(bed.fd, "list", "{'pattern':'*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*aq'}");
	assert_int_equal(json_object_array_length(bed_at(result, "keys")), 0);
	bed_turns(1);
	bed_assert_fails(bed.fd, "list", "{'limit':0}", -32602, 0,
			 "limit: expected a whole number");
	bed_assert_fails(bed.fd, "list", "{'limit':4097}", -32602, 0, "from 1 to 4096");
	bed_assert_fails(bed.fd, "list", "{'pattern':7}", -32602, 0, "pattern: expected a text");
}

/* Whatever it is called */
static void an_alias_makes_no_key_writable(void **state)
{
	struct json_object *result;

	(void)state;
	bed_result(bed.fd, "createAlias",
		   "{'alias':'DCM/Time','names':['" YAW_POSITION "']}");
	result = bed_result(bed.fd, "list", "{'pattern':'DCM/T*'}");
	assert_string_equal(bed_text(result, "keys/0/name"), "DCM/TargetCycleTime");
	assert_true(json_object_get_boolean(bed_at(result, "keys/0/writable")));
	assert_string_equal(bed_text(result, "keys/1/name"), "DCM/Time");
	assert_false(json_object_get_boolean(bed_at(result, "keys/1/writable")));
}

static void get_tells_values_in_order(void **state)
{
	struct json_object *result =
		bed_result(bed.fd, "get",
			   "{'keys':['" YAW_SENSOR
			   "','DCM/Stream','DCM/CommandsRefused','" BED_KEY("US/Actuator") "']}");

	(void)state;
	assert_string_equal(bed_text(result, "values/0/key"), YAW_SENSOR);
	assert_near(bed_number(result, "values/0/value"), START_RAD, 1e-9);
	assert_string_equal(bed_text(result, "values/0/state"), "fresh");
	assert_true(bed_number(result, "values/0/time") > 1e6);
	assert_string_equal(bed_text(result, "values/1/value"), "running");
	assert_int_equal(bed_number(result, "values/2/value"), 0);
	assert_true(json_object_is_type(bed_at(result, "values/2/value"), json_type_int));
	bed_assert_fails(bed.fd, "get", "{'keys':['" YAW_SENSOR "','nothing']}", -32000, ENOENT,
			 "nothing: no such key");
	bed_assert_fails(bed.fd, "get", "{'keys':[]}", -32602, 0, "keys: expected an array of 1");
	bed_assert_fails(bed.fd, "get", "{'keys':[1]}", -32602, 0, "keys: expected texts");
	bed_assert_fails(bed.fd, "get", "{}", -32602, 0, "keys: is missing");
}

/* As it is for set, and for naohw get */
static void get_takes_short_names(void **state)
{
	struct json_object *result;

	(void)state;
	result = bed_result(bed.fd, "get",
			    "{'keys':['HeadYaw/Position/Sensor','HeadYaw/Position/Sensor/Value',"
			    "'Device/SubDeviceList/HeadYaw/Position/Sensor','DCM/Time']}");
	assert_string_equal(bed_text(result, "values/0/key"), YAW_SENSOR);
	assert_string_equal(bed_text(result, "values/1/key"), YAW_SENSOR);
	assert_string_equal(bed_text(result, "values/2/key"), YAW_SENSOR);
	bed_assert_fails(bed.fd, "get", "{'keys':['Position/Sensor']}", -32000, ENOENT,
			 "Position/Sensor: no such key; \"list\" tells all");
}

static void what_nobody_knows_is_null(void **state)
{
	struct json_object *result;

	(void)state;
	stage.age[YAW] = 255;
	bed_turns(300);
	result = bed_result(bed.fd, "get", "{'keys':['" YAW_SENSOR "']}");
	assert_null(bed_at(result, "values/0/value"));
	assert_string_equal(bed_text(result, "values/0/state"), "absent");
}

/* ---- the store ---- */

static int read_with_fd(struct json_object **answer)
{
	char bytes[1024], control[CMSG_SPACE(sizeof(int))];
	struct iovec io = { bytes, sizeof(bytes) - 1 };
	struct msghdr message = {
		.msg_iov = &io,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control),
	};
	ssize_t size = recvmsg(bed.fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	int passed;

	assert_true(size > 0);
	bytes[size] = '\0';
	*answer = json_tokener_parse(bytes);
	assert_non_null(CMSG_FIRSTHDR(&message));
	memcpy(&passed, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(passed));
	return passed;
}

static void store_comes_with_its_descriptor(void **state)
{
	struct naohw_store *store;
	struct naohw_value value;
	struct naohw_error err;
	struct json_object *answer;
	size_t slot;
	int passed;

	(void)state;
	bed_say(bed.fd, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"store\"}");
	passed = read_with_fd(&answer);
	assert_true(bed_number(answer, "result/size") > 4096);
	assert_true(bed_number(answer, "result/generation") > 0);
	assert_int_equal(bed_number(answer, "id"), 7);
	json_object_put(answer);
	assert_int_equal(naohw_store_attach(passed, &store, &err), 0);
	close(passed);
	assert_int_equal(naohw_store_find(store, YAW_SENSOR, &slot), 0);
	assert_int_equal(naohw_store_read(store, slot, &value), 0);
	assert_near(value.number, START_RAD, 1e-9);
	naohw_store_close(store);
	/* The next answer has none. */
	assert_string_equal(bed_text(bed_result(bed.fd, "describe", "{}"), "stream"), "running");
}

/* In flight they are of all clients' files together. */
static void store_comes_twice_and_no_more(void **state)
{
	struct json_object *answer;

	(void)state;
	for (int i = 0; i < 2; i++) {
		bed_say(bed.fd, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"store\"}");
		close(read_with_fd(&answer));
		json_object_put(answer);
	}
	bed_assert_fails(bed.fd, "store", "{}", -32000, EMFILE, "you have had it 2 times");
}

static void store_is_in_no_batch(void **state)
{
	struct json_object *answer =
		bed_ask(bed.fd, "[{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"store\"}]");

	(void)state;
	assert_int_equal(bed_number(answer, "0/error/code"), -32602);
}

/* ---- commands ---- */

static void set_moves_a_joint(void **state)
{
	(void)state;
	bed_result(bed.fd, "set", "{'name':'" YAW_HARDNESS "','commands':[[1,0]]}");
	bed_turns(1);
	assert_int_equal(stage_stiffness(YAW), 1000);
	bed_result(bed.fd, "set", "{'name':'" YAW_POSITION "','commands':[[0.24,100],[0.04,200]]}");
	bed_turns(11);
	assert_in_range(stage_goal(YAW), STAGE_ZERO + 44, STAGE_ZERO + 48);
	bed_turns(11);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 8);
	assert_int_equal(stage_goal(PITCH), STAGE_START);
}

static void its_times_may_be_the_clocks(void **state)
{
	char params[256];

	(void)state;
	bed_result(bed.fd, "set", "{'name':'" YAW_HARDNESS "','commands':[[1,null]]}");
	snprintf(params, sizeof(params),
		 "{'name':'" YAW_POSITION "','base':'clock','update':'merge',"
		 "'commands':[[0.24,%lld]]}",
		 (long long)stage.now + 100);
	bed_result(bed.fd, "set", params);
	bed_turns(5);
	assert_in_range(stage_goal(YAW), STAGE_START + 5, STAGE_ZERO + 40);
	bed_turns(6);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 48);
}

static void an_empty_list_drops_what_is_to_come(void **state)
{
	int goal;

	(void)state;
	bed_result(bed.fd, "set", "{'name':'" YAW_HARDNESS "','commands':[[1,0]]}");
	bed_result(bed.fd, "set", "{'name':'" YAW_POSITION "','commands':[[1,1000]]}");
	bed_turns(10);
	bed_result(bed.fd, "set", "{'name':'" YAW_POSITION "','commands':[]}");
	bed_turns(1);
	goal = stage_goal(YAW);
	bed_turns(20);
	assert_int_equal(stage_goal(YAW), goal);
}

static void set_says_what_is_wrong(void **state)
{
	(void)state;
	bed_assert_fails(bed.fd, "set", "{'name':'HeadYow/Position/Actuator','commands':[[1,0]]}",
			 -32000, ENOENT, "the nearest is HeadYaw/Position/Actuator");
	bed_assert_fails(bed.fd, "set", "{'name':'" YAW_SENSOR "','commands':[[1,0]]}", -32000,
			 EACCES, "");
	bed_assert_fails(bed.fd, "set", "{'name':'a','commands':[[1,0,0]]}", -32602, 0,
			 "number 1 is no [value, time]");
	bed_assert_fails(bed.fd, "set", "{'name':'a','commands':[[1,0],[null,0]]}", -32602, 0,
			 "number 2");
	bed_assert_fails(bed.fd, "set", "{'name':'a','commands':[[1,1e300]]}", -32602, 0,
			 "number 1");
	bed_assert_fails(bed.fd, "set", "{'name':'a','commands':[1]}", -32602, 0, "number 1");
	bed_assert_fails(bed.fd, "set", "{'name':'a','commands':[[1,0]],'update':'all'}", -32602, 0,
			 "update: no such one");
	bed_assert_fails(bed.fd, "set", "{'name':'a','command':[[1,0]]}", -32602, 0,
			 "command: set has no such parameter");
	bed_turns(2);
	assert_int_equal(stage_goal(YAW), STAGE_START);
}

static void an_alias_is_made_and_set(void **state)
{
	struct json_object *result = bed_result(bed.fd, "createAlias",
						"{'alias':'Both','names':['" YAW_POSITION
						"','none','" PITCH_POSITION "']}");

	(void)state;
	assert_string_equal(bed_text(result, "names/0"), YAW_POSITION);
	assert_string_equal(bed_text(result, "names/1"), "");
	bed_result(bed.fd, "createAlias",
		   "{'alias':'Stiff','names':['" YAW_HARDNESS "','" PITCH_HARDNESS "']}");
	bed_result(bed.fd, "set", "{'name':'Stiff','commands':[[1,0]]}");
	bed_result(bed.fd, "setAlias",
		   "{'alias':'Both','times':[50,100],'values':[[0.1,0.2],[0.1,0.05]]}");
	bed_turns(12);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 40);
	assert_int_equal(stage_goal(PITCH), STAGE_ZERO + 10);
	bed_result(bed.fd, "setAlias",
		   "{'alias':'Both','commands':[[[0.1,100]],[[0.1,50],[0.2,100]]]}");
	bed_turns(12);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 20);
	assert_int_equal(stage_goal(PITCH), STAGE_ZERO + 40);
	assert_int_equal(stage_stiffness(PITCH), 1000);
}

/* 0.84 rad are 168 counts, and 100 ms for 128 of them more than SpeedMax. */
static void a_step_moves_joints_together(void **state)
{
	(void)state;
	bed_result(bed.fd, "createAlias",
		   "{'alias':'Stiff','names':['" YAW_HARDNESS "','" PITCH_HARDNESS "']}");
	bed_result(bed.fd, "set", "{'name':'Stiff','commands':[[1,0]]}");
	bed_turns(2);
	bed_result(bed.fd, "setStep", "{'names':['" YAW_POSITION "','" PITCH_POSITION
		   "'],'begin':0,'end':100,'goals':[0.84,0.1]}");
	bed_turns(12);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 168);
	assert_int_equal(stage_goal(PITCH), STAGE_ZERO + 20);
}

static void a_step_has_to_be_one(void **state)
{
	(void)state;
	bed_assert_fails(bed.fd, "setStep",
			 "{'names':['" YAW_POSITION "'],'begin':0,'end':0,'goals':[0]}", -32000,
			 EINVAL, "expected a time behind its begin");
	bed_assert_fails(bed.fd, "setStep",
			 "{'names':['" YAW_POSITION "'],'begin':0,'end':9,'goals':[0,0]}", -32602,
			 0, "goals: found 2, expected one for each of 1 names");
	bed_assert_fails(bed.fd, "setStep",
			 "{'names':['" YAW_POSITION "'],'begin':0,'end':9,'goals':['a']}", -32602,
			 0, "goals: number 1 is no number");
	bed_assert_fails(bed.fd, "setStep",
			 "{'names':['" YAW_POSITION "'],'begin':0.5,'end':9,'goals':[0]}", -32602,
			 0, "begin");
	bed_assert_fails(bed.fd, "setStep",
			 "{'names':['" YAW_HARDNESS "'],'begin':0,'end':9,'goals':[0]}", -32000,
			 EINVAL, "expected the position of a joint");
	bed_assert_fails(bed.fd, "setStep",
			 "{'names':['Nobody'],'begin':0,'end':9,'goals':[0]}", -32000, ENOENT,
			 "Nobody");
}

static void an_alias_has_to_fit(void **state)
{
	(void)state;
	bed_result(bed.fd, "createAlias",
		   "{'alias':'Both','names':['" YAW_POSITION "','" PITCH_POSITION "']}");
	bed_assert_fails(bed.fd, "setAlias", "{'alias':'Both','times':[1],'values':[[1]]}", -32000,
			 EINVAL, "for 1 actuators, but the alias has 2");
	bed_assert_fails(bed.fd, "setAlias", "{'alias':'Both','times':[1],'values':[[1],[1,2]]}",
			 -32602, 0, "values: number 2");
	bed_assert_fails(bed.fd, "setAlias", "{'alias':'Both','times':[1]}", -32602, 0,
			 "values: is missing");
	bed_assert_fails(bed.fd, "setAlias",
			 "{'alias':'Both','times':[1],'commands':[[[1,2]],[[1,2]]]}", -32602, 0,
			 "either");
	bed_assert_fails(bed.fd, "setAlias", "{'alias':'Both','commands':[[[1,2]],[1]]}", -32602, 0,
			 "commands: number 1");
	bed_assert_fails(bed.fd, "createAlias", "{'alias':'a','names':['none']}", -32000, ENOENT,
			 "none of its 1 actuators is there");
}

/* ---- aliases, which all programs have together ---- */

/* Of a process that there is for good. */
static int client_of_another(void)
{
	int fd;

	bed.pid = 1;
	fd = bed_client();
	bed.pid = 0;
	bed_turns(1);
	return fd;
}

static const char make_alias[] = "{'alias':'Both','names':['" YAW_POSITION "']}";

static void an_alias_may_be_removed(void **state)
{
	(void)state;
	bed_assert_fails(bed.fd, "removeAlias", "{'alias':'Both'}", -32000, ENOENT,
			 "Both: no such alias");
	bed_assert_fails(bed.fd, "removeAlias", "{'alias':'LoLA/packet'}", -32000, EACCES,
			 "naohwd's own");
	bed_assert_fails(bed.fd, "removeAlias", "{'alias':'" YAW_POSITION "'}", -32000, EACCES,
			 "is the robot's own");
	bed_result(bed.fd, "createAlias", make_alias);
	bed_result(bed.fd, "removeAlias", "{'alias':'Both'}");
	bed_assert_fails(bed.fd, "set", "{'name':'Both','commands':[[0,1]]}", -32000, ENOENT,
			 "no such actuator or alias");
}

/* But for those of its own program, and of those that have gone. */
static void nobody_changes_what_another_one_has_made(void **state)
{
	int other;

	(void)state;
	other = client_of_another();
	bed_result(other, "createAlias", make_alias);
	bed_assert_fails(bed.fd, "removeAlias", "{'alias':'Both'}", -32000, EBUSY,
			 "Both: was made by ");
	bed_assert_fails(bed.fd, "createAlias",
			 "{'alias':'Both','names':['" PITCH_POSITION "']}", -32000, EBUSY,
			 "Both: was made by ");
	/* It is what its maker has made it. */
	bed_result(other, "set", "{'name':'" YAW_HARDNESS "','commands':[[1,0]]}");
	bed_result(other, "set", "{'name':'Both','commands':[[0.3,0]]}");
	bed_turns(100);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 60);
	assert_int_equal(stage_goal(PITCH), STAGE_START);
	bed_result(other, "createAlias", make_alias);
	close(other);
	bed_settle();
	bed_result(bed.fd, "createAlias", make_alias);
	bed_result(bed.fd, "removeAlias", "{'alias':'Both'}");
}

/* A lease of that name would be of the joint, and what is set of the alias's actuators. */
static void no_alias_is_called_as_a_joint(void **state)
{
	(void)state;
	bed_assert_fails(bed.fd, "createAlias",
			 "{'alias':'HeadYaw','names':['" PITCH_POSITION "']}", -32000, EINVAL,
			 "HeadYaw: cannot be an alias, a joint is called so");
	bed_result(bed.fd, "createAlias",
		   "{'alias':'HeadYaws','names':['" PITCH_POSITION "']}");
}

/* A program has them as long as it has any connection. */
static void a_program_has_its_aliases_whichever_connection_goes(void **state)
{
	int first, second;

	(void)state;
	first = client_of_another();
	second = client_of_another();
	bed_result(first, "createAlias", make_alias);
	close(first);
	bed_settle();
	bed_assert_fails(bed.fd, "removeAlias", "{'alias':'Both'}", -32000, EBUSY,
			 "Both: was made by ");
	close(second);
	bed_settle();
	bed_result(bed.fd, "removeAlias", "{'alias':'Both'}");
}

/* Return: how many there was room for. */
static unsigned int make_aliases(int fd, const char *of, unsigned int count)
{
	char params[128];

	for (unsigned int i = 0; i < count; i++) {
		/* More than some are no client's in a cycle. */
		if (i % 8 == 0)
			bed_turns(1);
		snprintf(params, sizeof(params), "{'alias':'%s%u','names':['" YAW_POSITION "']}", of,
			 i);
		if (bed_at(bed_call(fd, "createAlias", params), "error"))
			return i;
	}
	return count;
}

static void one_program_has_not_all_of_them(void **state)
{
	int other;

	(void)state;
	assert_int_equal(make_aliases(bed.fd, "a", 256), 128);
	bed_assert_fails(bed.fd, "createAlias", make_alias, -32000, ENOSPC,
			 "you have made 128 aliases");
	/* One that is there it may change. */
	assert_int_equal(make_aliases(bed.fd, "a", 1), 1);
	other = client_of_another();
	assert_int_equal(make_aliases(other, "b", 100), 100);
	bed_result(bed.fd, "removeAlias", "{'alias':'a7'}");
	bed_result(bed.fd, "createAlias", make_alias);
	close(other);
}

/* The oldest ones first, and none of those who are there */
static void those_of_the_dead_give_way(void **state)
{
	int other;

	(void)state;
	for (int i = 0; i < 4; i++) {
		static const char *const of[] = { "a", "b", "c", "d" };

		other = client_of_another();
		assert_int_equal(make_aliases(other, of[i], 100), 100);
		close(other);
		bed_settle();
	}
	bed_result(bed.fd, "createAlias", make_alias);
	assert_int_equal(naohw_dcm_get_actuators(stage.dcm, "a99", NULL, 0), -ENOENT);
	assert_int_equal(naohw_dcm_get_actuators(stage.dcm, "d0", NULL, 0), 1);
	assert_int_equal(naohw_dcm_get_actuators(stage.dcm, "d99", NULL, 0), 1);
	assert_int_equal(make_aliases(bed.fd, "e", 127), 127);
	other = bed_client();
	assert_int_equal(naohw_dcm_get_actuators(stage.dcm, "Both", NULL, 0), 1);
	assert_int_equal(naohw_dcm_get_actuators(stage.dcm, "e0", NULL, 0), 1);
	close(other);
}

/* What a new one is made of has to be there. */
static void none_gives_way_to_what_is_made_of_it(void **state)
{
	int other;

	(void)state;
	for (int i = 0; i < 3; i++) {
		static const char *const of[] = { "a", "b", "c" };

		other = client_of_another();
		assert_int_equal(make_aliases(other, of[i], 100), 100);
		close(other);
		bed_settle();
	}
	bed_turns(1);
	for (size_t i = 0; i < 100; i++) {
		char name[16], params[64];

		snprintf(name, sizeof(name), "a%zu", i);
		if (naohw_dcm_get_actuators(stage.dcm, name, NULL, 0) < 0)
			continue;
		snprintf(params, sizeof(params), "{'alias':'Both','names':['%s']}", name);
		bed_result(bed.fd, "createAlias", params);
		assert_int_equal(naohw_dcm_get_actuators(stage.dcm, name, NULL, 0), 1);
		return;
	}
	fail_msg("none of the oldest is there");
}

static void flush_is_answered_by_the_cycle(void **state)
{
	struct json_object *answer;

	(void)state;
	bed_say(bed.fd,
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"set\",\"params\":{\"name\":\"" YAW_HARDNESS
		"\",\"commands\":[[1,0]]}}");
	bed_say(bed.fd, "{\"jsonrpc\":\"2.0\",\"id\":\"f\",\"method\":\"flush\"}");
	assert_int_equal(bed_number(bed_read(bed.fd), "id"), 1);
	assert_null(bed_hear(bed.fd));
	bed_turns(1);
	answer = bed_read(bed.fd);
	assert_string_equal(bed_text(answer, "id"), "f");
	assert_non_null(bed_at(answer, "result"));
	assert_int_equal(stage_stiffness(YAW), 1000);
}

/* As many as an actuator keeps, most of them at times of this client's own */
static void fill(int client)
{
	static char params[16 * 1024];
	char *end = params + sprintf(params,
				     "{'name':'" YAW_POSITION "','update':'merge','base':'clock',"
				     "'commands':[[0,%lld]",
				     (long long)stage.now + 100000);

	for (int i = 1; i < NAOHW_COMMANDS_MAX; i++)
		end += sprintf(end, ",[0,%lld]", (long long)stage.now + 100000 + i + 1000 * client);
	strcpy(end, "]}");
	bed_result(client, "set", params);
}

static void assert_flush(int client, const char *what)
{
	bed_say(client, "{\"jsonrpc\":\"2.0\",\"id\":\"f\",\"method\":\"flush\"}");
	bed_turns(1);
	if (!strstr(bed_hear(client), what))
		fail_msg("no %s", what);
}

static void who_had_no_room_is_told_and_nobody_else(void **state)
{
	int other = bed_client();

	(void)state;
	bed_turns(1);
	fill(bed.fd);
	assert_flush(bed.fd, "\"result\":{}");
	fill(other);
	bed_turns(1);
	assert_flush(bed.fd, "\"result\":{}");
	assert_flush(other, "ENOSPC");
	assert_flush(other, "\"result\":{}");
	/* Whoever has its place then is not told, either. */
	fill(other);
	bed_turns(1);
	close(other);
	bed_turns(1);
	other = bed_client();
	assert_flush(other, "\"result\":{}");
	close(other);
}

static void no_more_than_some_flushes_wait(void **state)
{
	(void)state;
	bed_result(bed.fd, "set", "{'name':'" YAW_HARDNESS "','commands':[[1,0]]}");
	for (int i = 0; i < 16; i++)
		bed_say(bed.fd, "{\"jsonrpc\":\"2.0\",\"id\":\"f\",\"method\":\"flush\"}");
	bed_assert_fails(bed.fd, "flush", "{}", -32000, EAGAIN, "16 wait for the cycle");
	bed_turns(1);
	for (int i = 0; i < 16; i++)
		assert_string_equal(bed_text(bed_read(bed.fd), "id"), "f");
	assert_null(bed_hear(bed.fd));
}

static void recover_has_the_torque_back(void **state)
{
	(void)state;
	bed_result(bed.fd, "recover", "{}");
}

static void it_rests_and_wakes_up(void **state)
{
	(void)state;
	bed_result(bed.fd, "rest", "{}");
	bed_turns(3);
	assert_true(naohw_dcm_is_resting(stage.dcm));
	bed_result(bed.fd, "wakeUp", "{}");
	bed_turns(3);
	assert_false(naohw_dcm_is_resting(stage.dcm));
}

static void only_a_robot_with_rules_is_tested(void **state)
{
	(void)state;
	bed_assert_fails(bed.fd, "diagnose", "{}", -32000, EOPNOTSUPP, "no table of rules");
}

static int setup_with_rules(void **state)
{
	(void)state;
	bed_setup_robot("<Preference memoryName='DCM/DiagnosisRules' type='string' value='NAO'/>");
	bed.fd = bed_client();
	return 0;
}

static void it_is_tested_at_rest(void **state)
{
	(void)state;
	bed_assert_fails(bed.fd, "diagnose", "{}", -32000, EPERM, "at rest");
	bed_result(bed.fd, "rest", "{}");
	UNTIL(strcmp(stage_text("DCM/Rest"), "at rest") == 0, bed_turns(1));
	bed_result(bed.fd, "diagnose", "{}");
	UNTIL(strcmp(stage_text("DCM/Rest"), "testing") == 0, bed_turns(1));
}

static void limp_lets_all_joints_go(void **state)
{
	(void)state;
	bed_result(bed.fd, "limp", "{}");
	assert_string_equal(fake_device_get("dxl0-goal", "limp"), "1");
	/* As the kernel does it */
	fake_device_set("dxl0-goal", "stream_state", "tripped");
	UNTIL(strcmp(stage_text("DCM/Stream"), "limp") == 0, bed_turns(1));
	assert_string_equal(bed_text(bed_result(bed.fd, "describe", "{}"), "stream"), "tripped");
	bed_assert_fails(bed.fd, "limp", "{'robot':1}", -32602, 0, "limp has no such parameter");
	fake_device_fail("dxl0-goal", "limp", -EACCES);
	bed_assert_fails(bed.fd, "limp", "{}", -32000, EACCES, "dxl0-goal: limp: ");
}

int main(void)
{
#define METHOD_TEST(test) \
	cmocka_unit_test_setup_teardown(test, bed_setup_client, bed_teardown_client)
	const struct CMUnitTest tests[] = {
		METHOD_TEST(describe_tells_what_it_is),
		METHOD_TEST(list_goes_on_after_a_key),
		METHOD_TEST(list_has_patterns),
		METHOD_TEST(an_alias_makes_no_key_writable),
		METHOD_TEST(get_tells_values_in_order),
		METHOD_TEST(get_takes_short_names),
		METHOD_TEST(what_nobody_knows_is_null),
		METHOD_TEST(store_comes_with_its_descriptor),
		METHOD_TEST(store_comes_twice_and_no_more),
		METHOD_TEST(store_is_in_no_batch),
		METHOD_TEST(set_moves_a_joint),
		METHOD_TEST(its_times_may_be_the_clocks),
		METHOD_TEST(an_empty_list_drops_what_is_to_come),
		METHOD_TEST(set_says_what_is_wrong),
		METHOD_TEST(an_alias_is_made_and_set),
		METHOD_TEST(a_step_moves_joints_together),
		METHOD_TEST(a_step_has_to_be_one),
		METHOD_TEST(an_alias_has_to_fit),
		METHOD_TEST(an_alias_may_be_removed),
		METHOD_TEST(nobody_changes_what_another_one_has_made),
		METHOD_TEST(no_alias_is_called_as_a_joint),
		METHOD_TEST(a_program_has_its_aliases_whichever_connection_goes),
		METHOD_TEST(one_program_has_not_all_of_them),
		METHOD_TEST(those_of_the_dead_give_way),
		METHOD_TEST(none_gives_way_to_what_is_made_of_it),
		METHOD_TEST(flush_is_answered_by_the_cycle),
		METHOD_TEST(who_had_no_room_is_told_and_nobody_else),
		METHOD_TEST(no_more_than_some_flushes_wait),
		METHOD_TEST(recover_has_the_torque_back),
		METHOD_TEST(it_rests_and_wakes_up),
		METHOD_TEST(only_a_robot_with_rules_is_tested),
		cmocka_unit_test_setup_teardown(it_is_tested_at_rest, setup_with_rules,
						bed_teardown_client),
		METHOD_TEST(limp_lets_all_joints_go),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
