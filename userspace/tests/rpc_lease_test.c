// SPDX-License-Identifier: LGPL-2.1-or-later
/* Leases: who may set what, who is told, and what becomes of a robot when a program lets go. */
#include "rpc_bed.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake_iio.h"
#include "io/buzzer.h"

static int one, other;

#define STIFF "{'name':'" YAW_HARDNESS "','commands':[[1,0]]}"

static int setup(void **state)
{
	bed_setup(state);
	one = bed_client();
	other = bed_client();
	bed_result(one, "set", STIFF);
	bed_result(one, "set", "{'name':'" PITCH_HARDNESS "','commands':[[0.5,0]]}");
	bed_turns(2);
	return 0;
}

/* A joint and a wheel */
static int setup_wheel(void **state)
{
	bed_setup_wheel(state);
	one = bed_client();
	other = bed_client();
	bed_result(one, "set", "{'name':'" PITCH_HARDNESS "','commands':[[1,0]]}");
	bed_turns(2);
	return 0;
}

static int teardown(void **state)
{
	close(one);
	close(other);
	return bed_teardown(state);
}

static unsigned int take(int fd, const char *params)
{
	return (unsigned int)bed_number(bed_result(fd, "lease", params), "lease");
}

static void release(int fd, unsigned int id)
{
	char params[64];

	snprintf(params, sizeof(params), "{'lease':%u}", id);
	bed_result(fd, "release", params);
}

static void set(int fd, const char *name, double value, int ms)
{
	char params[256];

	snprintf(params, sizeof(params), "{'name':'%s','commands':[[%g,%d]]}", name, value, ms);
	bed_result(fd, "set", params);
}

/* A program dies, and what it has set stands. */
static void die(int *fd)
{
	close(*fd);
	bed_settle();
	*fd = bed_client();
}

/* ---- who may ---- */

static void who_wrote_last_is_obeyed(void **state)
{
	(void)state;
	set(one, YAW_POSITION, 0.2, 0);
	set(other, YAW_POSITION, 0.1, 0);
	bed_turns(20);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 20);
}

static void what_is_held_alone_is_not_others(void **state)
{
	char text[128];

	(void)state;
	snprintf(text, sizeof(text), YAW_POSITION ": is held by rpc_lease_test (process %d)",
		 getpid());
	take(one, "{'names':['HeadYaw']}");
	bed_assert_fails(other, "set", "{'name':'" YAW_POSITION "','commands':[[0.3,0]]}", -32000,
			 EBUSY, text);
	bed_assert_fails(other, "set", STIFF, -32000, EBUSY, YAW_HARDNESS ": is held by");
	bed_result(other, "createAlias",
		   "{'alias':'Both','names':['" PITCH_POSITION "','" YAW_POSITION "']}");
	bed_assert_fails(other, "setAlias", "{'alias':'Both','times':[0],'values':[[0.3],[0.3]]}",
			 -32000, EBUSY, text);
	bed_assert_fails(other, "set", "{'name':'Both','commands':[]}", -32000, EBUSY, text);
	bed_turns(10);
	assert_int_equal(stage_goal(YAW), STAGE_START);
	assert_int_equal(stage_goal(PITCH), STAGE_START);
	set(other, PITCH_POSITION, 0.2, 0);
	set(one, YAW_POSITION, 0.1, 0);
	bed_turns(20);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 20);
	assert_int_equal(stage_goal(PITCH), STAGE_ZERO + 40);
}

static void two_do_not_hold_one_thing_alone(void **state)
{
	unsigned int id = take(one, "{'names':['HeadYaw','" PITCH_HARDNESS "']}");

	(void)state;
	bed_assert_fails(other, "lease", "{'names':['HeadPitch']}", -32000, EBUSY, PITCH_HARDNESS);
	bed_assert_fails(other, "lease", "{'names':['HeadYaw'],'exclusive':false}", -32000, EBUSY,
			 "is held by");
	take(other, "{'names':['" PITCH_POSITION "']}");
	bed_assert_fails(one, "lease", "{'names':['HeadPitch']}", -32000, EBUSY, PITCH_POSITION);
	release(one, id);
	take(other, "{'names':['HeadYaw']}");
}

static void what_is_shared_is_still_everybodys(void **state)
{
	(void)state;
	take(one, "{'names':['HeadYaw'],'exclusive':false,'end':'hold'}");
	take(other, "{'names':['HeadYaw'],'exclusive':false,'end':'free'}");
	bed_assert_fails(other, "lease", "{'names':['HeadYaw']}", -32000, EBUSY, "is held by");
	set(other, YAW_POSITION, 0.1, 0);
	set(one, YAW_POSITION, 0.2, 0);
	bed_turns(20);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 40);
	/* The end is that of who lets go last. */
	die(&other);
	bed_turns(3);
	assert_int_equal(stage_stiffness(YAW), 1000);
	die(&one);
	bed_turns(3);
	assert_int_equal(stage_stiffness(YAW), 1000);
}

static void an_alias_is_held_as_its_actuators(void **state)
{
	struct json_object *result;

	(void)state;
	bed_result(one, "createAlias",
		   "{'alias':'Both','names':['" YAW_POSITION "','" PITCH_POSITION "']}");
	take(one, "{'names':['Both'],'end':'free'}");
	/* Which it is then has no part in it. */
	bed_result(other, "createAlias", "{'alias':'Both','names':['" YAW_HARDNESS "']}");
	result = bed_result(other, "leases", "{}");
	assert_int_equal(json_object_array_length(bed_at(result, "leases/0/names")), 2);
	assert_string_equal(bed_text(result, "leases/0/names/0"), PITCH_POSITION);
	bed_assert_fails(other, "set", "{'name':'" PITCH_POSITION "','commands':[[0,0]]}", -32000,
			 EBUSY, "is held by");
}

static void what_is_wrong_with_a_lease_is_said(void **state)
{
	(void)state;
	bed_assert_fails(one, "lease", "{'names':['HeadYow']}", -32000, ENOENT,
			 "HeadYow: no such joint");
	bed_assert_fails(one, "lease", "{'names':['HeadYaw'],'end':'fall'}", -32602, 0, "end");
	bed_assert_fails(one, "lease", "{'names':['HeadYaw'],'seconds':-1}", -32602, 0, "seconds");
	bed_assert_fails(one, "lease", "{'names':['HeadYaw'],'end':'rest'}", -32602, 0, "pose");
	bed_assert_fails(one, "lease", "{'names':['HeadYaw'],'end':'rest','pose':null}", -32602, 0,
			 "which needs it");
	bed_assert_fails(one, "lease", "{'names':['HeadYaw'],'pose':{'HeadYaw':0}}", -32602, 0,
			 "pose");
	bed_turns(1);
	bed_assert_fails(one, "lease", "{'names':['HeadYaw'],'end':'rest','pose':{'HeadPitch':0}}",
			 -32000, EINVAL, "HeadPitch: of the pose, is not in the lease");
	bed_assert_fails(one, "lease", "{'names':['HeadYaw'],'end':'rest','pose':{'Head':0}}",
			 -32000, EINVAL, "Head: of the pose, is no joint");
	bed_assert_fails(one, "lease", "{'names':['HeadYaw'],'end':'rest','pose':{'HeadYaw':null}}",
			 -32602, 0, "HeadYaw");
	bed_assert_fails(one, "release", "{'lease':1}", -32000, ENOENT, "you have no such one");
	bed_assert_fails(one, "createAlias", "{'alias':'Lease/Hold','names':['HeadYaw']}", -32000,
			 EACCES, "naohwd's own");
	bed_assert_fails(one, "createAlias", "{'alias':'LoLA/Position','names':['a']}", -32000,
			 EACCES, "naohwd's own");
	assert_null(bed_at(bed_result(one, "leases", "{}"), "leases/0"));
}

/* The same ones over and over would keep all others waiting. */
static void names_stand_for_no_more_than_some(void **state)
{
	char params[8192] = "{'names':['Both'";
	size_t length = strlen(params);

	(void)state;
	bed_result(one, "createAlias",
		   "{'alias':'Both','names':['" YAW_POSITION "','" PITCH_POSITION "']}");
	for (int i = 1; i < 513; i++)
		length += (size_t)sprintf(params + length, ",'Both'");
	strcpy(params + length, "]}");
	bed_assert_fails(one, "lease", params, -32000, ENOSPC, "more than 1024 actuators");
}

static void what_is_refused_is_no_use(void **state)
{
	uint64_t before = leases_uses(bed.leases);

	(void)state;
	bed_result(one, "createAlias",
		   "{'alias':'Both','names':['" YAW_POSITION "','" PITCH_POSITION "']}");
	bed_assert_fails(one, "setAlias", "{'alias':'Both','times':[0],'values':[['x'],[0]]}",
			 -32602, 0, "values");
	bed_assert_fails(one, "set", "{'name':'HeadYow','commands':[[0,0]]}", -32000, ENOENT,
			 "HeadYow");
	assert_int_equal(leases_uses(bed.leases), before);
	bed_result(one, "set", "{'name':'" YAW_POSITION "','commands':[[0,0]]}");
	assert_int_equal(leases_uses(bed.leases), before + 1);
}

static void nobody_lets_go_what_another_one_holds(void **state)
{
	unsigned int id = take(one, "{'names':['HeadYaw']}");
	char params[64];

	(void)state;
	snprintf(params, sizeof(params), "{'lease':%u}", id);
	bed_assert_fails(other, "release", params, -32000, ENOENT, "you have no such one");
}

static void there_are_no_more_than_some(void **state)
{
	(void)state;
	for (int i = 0; i < 16; i++) {
		take(one, "{'names':['HeadYaw']}");
		bed_turns(1);
	}
	bed_assert_fails(one, "lease", "{'names':['HeadYaw']}", -32000, ENOSPC,
			 "you have 16 of 32");
}

/* ---- who is told ---- */

static void who_holds_what_can_be_read(void **state)
{
	struct json_object *result;
	unsigned int id = take(one, "{'names':['HeadYaw'],'end':'hold'}");
	char text[128];

	(void)state;
	result = bed_result(other, "leases", "{}");
	assert_int_equal(bed_number(result, "leases/0/lease"), id);
	assert_string_equal(bed_text(result, "leases/0/name"), "rpc_lease_test");
	assert_int_equal(bed_number(result, "leases/0/pid"), getpid());
	assert_int_equal(bed_number(result, "leases/0/uid"), getuid());
	assert_string_equal(bed_text(result, "leases/0/end"), "hold");
	assert_true(json_object_get_boolean(bed_at(result, "leases/0/exclusive")));
	bed_turns(2);
	snprintf(text, sizeof(text), "rpc_lease_test (%d)", getpid());
	assert_string_equal(stage_text("DCM/Lease/HeadYaw"), text);
	assert_string_equal(stage_text("DCM/Lease/HeadPitch"), "");
	release(one, id);
	bed_turns(2);
	assert_string_equal(stage_text("DCM/Lease/HeadYaw"), "");
}

/* ---- the end ---- */

/* On a way of a second, both joints */
static void be_on_the_way(const char *lease)
{
	take(one, lease);
	set(one, YAW_POSITION, 1, 1000);
	set(one, PITCH_POSITION, 1, 1000);
	bed_turns(10);
}

static void soften_lets_hardness_go_slowly(void **state)
{
	int goal;

	(void)state;
	be_on_the_way("{'names':['HeadYaw','HeadPitch']}");
	die(&one);
	bed_assert_said("lets go of what it holds");
	bed_turns(2);
	goal = stage_goal(YAW);
	for (int left = 2900; left > 100; left -= 100) {
		assert_near(stage_stiffness(YAW), left / 3.0 + 30, 40);
		assert_near(stage_stiffness(PITCH), left / 6.0 + 15, 25);
		assert_int_equal(stage_goal(YAW), goal);
		bed_turns(10);
	}
	bed_turns(20);
	assert_int_equal(stage_stiffness(YAW), 0);
	assert_int_equal(stage_stiffness(PITCH), 0);
}

static void it_takes_as_long_as_was_said(void **state)
{
	(void)state;
	be_on_the_way("{'names':['HeadYaw'],'end':'soften','seconds':0.5}");
	die(&one);
	bed_turns(25);
	assert_near(stage_stiffness(YAW), 500, 40);
	bed_turns(27);
	assert_int_equal(stage_stiffness(YAW), 0);
	/* The other joint is nobody's, and goes on. */
	assert_int_equal(stage_stiffness(PITCH), 500);
	bed_turns(60);
	assert_int_equal(stage_goal(PITCH), STAGE_ZERO + 200);
}

/* No end moves a joint that a person has let go, now or when it has its torque back. */
static void a_robot_that_was_let_go_comes_to_no_end(void **state)
{
	(void)state;
	be_on_the_way("{'names':['HeadYaw','HeadPitch'],'end':'soften','seconds':1}");
	fake_device_set("dxl0-goal", "limp", "1");
	fake_device_set("dxl0-goal", "stream_state", "tripped");
	UNTIL(strcmp(stage_text("DCM/Stream"), "limp") == 0, bed_turns(1));
	bed_assert_fails(one, "set", "{'name':'" PITCH_HARDNESS "','commands':[[1,0]]}", -32000, EPERM,
			 PITCH_HARDNESS ": \"naohw limp\" has let the robot go");
	die(&one);
	bed_turns(5);
	fake_device_set("dxl0-goal", "limp", "0");
	fake_device_set("dxl0-goal", "stream_state", "streaming");
	UNTIL(strcmp(stage_text("DCM/Stream"), "running") == 0, bed_turns(1));
	/* Softly, as the kernel has it */
	bed_turns(250);
	assert_int_equal(stage_stiffness(YAW), 1000);
	assert_int_equal(stage_stiffness(PITCH), 500);
}

static void hold_stays(void **state)
{
	int goal;

	(void)state;
	be_on_the_way("{'names':['HeadYaw','HeadPitch'],'end':'hold'}");
	die(&one);
	bed_turns(2);
	goal = stage_goal(YAW);
	assert_in_range(goal, STAGE_START + 5, STAGE_ZERO + 60);
	bed_turns(100);
	assert_int_equal(stage_goal(YAW), goal);
	assert_int_equal(stage_stiffness(YAW), 1000);
	assert_int_equal(stage_stiffness(PITCH), 500);
}

static void free_lets_go_at_once(void **state)
{
	(void)state;
	be_on_the_way("{'names':['HeadYaw','HeadPitch'],'end':'free'}");
	die(&one);
	bed_turns(1);
	assert_int_equal(stage_stiffness(YAW), 0);
	assert_int_equal(stage_stiffness(PITCH), 0);
}

/* A connection that was made by a process which does nothing, until it is killed */
static int client_of(pid_t *pid)
{
	int fd;

	*pid = fork();
	assert_true(*pid >= 0);
	if (*pid == 0) {
		pause();
		_exit(0);
	}
	bed.pid = *pid;
	fd = bed_client();
	bed.pid = 0;
	return fd;
}

/* As a child of its, which goes on */
static void who_dies_holds_nothing_whoever_has_the_connection(void **state)
{
	pid_t pid;
	int fd = client_of(&pid);

	(void)state;
	bed_turns(1);
	take(fd, "{'names':['HeadYaw'],'end':'free'}");
	bed_turns(5);
	assert_int_equal(stage_stiffness(YAW), 1000);
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	bed_turns(2);
	assert_int_equal(stage_stiffness(YAW), 0);
	assert_true(bed_has_ended(fd));
	close(fd);
}

/* What it has said before it is let in is done, as if it had died behind that. */
static void who_has_died_before_it_comes_in_holds_nothing(void **state)
{
	static const char line[] = "{\"jsonrpc\":\"2.0\",\"method\":\"lease\",\"params\":"
				   "{\"names\":[\"HeadYaw\"],\"end\":\"free\"}}\n";
	int fd;

	(void)state;
	bed.pid = fork();
	assert_true(bed.pid >= 0);
	if (bed.pid == 0)
		_exit(0);
	assert_int_equal(waitpid(bed.pid, NULL, 0), bed.pid);
	fd = bed_connect();
	bed_send(fd, line, sizeof(line) - 1);
	bed_settle();
	bed.pid = 0;
	bed_turns(2);
	assert_int_equal(stage_stiffness(YAW), 0);
	assert_true(bed_has_ended(fd));
	close(fd);
}

static void rest_goes_to_its_pose_and_softens_there(void **state)
{
	int pitch;

	(void)state;
	be_on_the_way("{'names':['HeadYaw','HeadPitch'],'end':'rest','seconds':1,"
		      "'pose':{'HeadYaw':-0.1}}");
	die(&one);
	bed_turns(2);
	pitch = stage_goal(PITCH);
	bed_turns(48);
	assert_in_range(stage_goal(YAW), STAGE_ZERO - 10, STAGE_ZERO + 20);
	assert_int_equal(stage_stiffness(YAW), 1000);
	bed_turns(51);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO - 20);
	assert_int_equal(stage_goal(PITCH), pitch);
	assert_near(stage_stiffness(YAW), 1000, 10);
	assert_near(stage_stiffness(PITCH), 500, 10);
	bed_turns(150);
	assert_near(stage_stiffness(YAW), 500, 20);
	bed_turns(155);
	assert_int_equal(stage_stiffness(YAW), 0);
	assert_int_equal(stage_stiffness(PITCH), 0);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO - 20);
}

static void a_release_is_an_end_too(void **state)
{
	unsigned int id = take(one, "{'names':['HeadYaw'],'end':'free'}");

	(void)state;
	release(one, id);
	bed_turns(1);
	assert_int_equal(stage_stiffness(YAW), 0);
}

static void what_is_in_another_lease_does_not_end(void **state)
{
	unsigned int id = take(one, "{'names':['HeadYaw','HeadPitch'],'end':'free'}");

	(void)state;
	take(one, "{'names':['HeadYaw'],'end':'hold'}");
	release(one, id);
	bed_turns(2);
	assert_int_equal(stage_stiffness(YAW), 1000);
	assert_int_equal(stage_stiffness(PITCH), 0);
	bed_assert_fails(other, "set", STIFF, -32000, EBUSY, "is held by");
}

/* Its own end has to wait for that. */
static void who_floods_the_cycle_is_softened_all_the_same(void **state)
{
	struct naohw_command command = { .value = 1 };

	(void)state;
	take(one, "{'names':['HeadYaw'],'end':'free'}");
	while (naohw_dcm_set(stage.dcm, YAW_HARDNESS, NAOHW_UPDATE_MERGE, &command, 1, NULL) == 0)
		;
	die(&one);
	bed_turns(30);
	assert_int_equal(stage_stiffness(YAW), 0);
}

/* However many aliases others make. */
static void no_alias_is_in_its_way(void **state)
{
	static const char *const name = YAW_POSITION;
	char alias[32];

	(void)state;
	for (int i = 0; i < 300; i++) {
		snprintf(alias, sizeof(alias), "alias%d", i);
		(void)naohw_dcm_create_alias(stage.dcm, alias, &name, 1, NULL, NULL);
	}
	take(one, "{'names':['HeadYaw'],'end':'free'}");
	die(&one);
	bed_turns(1);
	assert_int_equal(stage_stiffness(YAW), 0);
}

static void all_hold_where_the_host_ends(void **state)
{
	(void)state;
	take(one, "{'names':['HeadYaw'],'end':'free'}");
	leases_only_hold(bed.leases);
	take(one, "{'names':['HeadPitch'],'end':'free'}");
	bed_serve_anew();
	bed_turns(2);
	assert_int_equal(stage_stiffness(YAW), 1000);
	assert_int_equal(stage_stiffness(PITCH), 500);
}

/* ---- a program that hangs ---- */

#define TIMED "{'names':['HeadYaw'],'end':'free','timeout':0.5}"

static void who_says_nothing_in_its_time_holds_nothing(void **state)
{
	(void)state;
	take(one, TIMED);
	take(other, "{'names':['HeadPitch'],'end':'free'}");
	bed_turns(45);
	assert_int_equal(stage_stiffness(YAW), 1000);
	bed_turns(10);
	bed_assert_said("has said nothing for 0.5 s");
	assert_int_equal(stage_stiffness(YAW), 0);
	assert_int_equal(bed_number(bed_result(other, "leases", "{}"), "leases/0/lease"), 2);
	assert_false(bed_has_ended(one));
	/* One without a time is held for ever. */
	bed_turns(500);
	assert_int_equal(stage_stiffness(PITCH), 500);
}

/* Whatever it is, and whatever becomes of it */
static void any_line_renews_it(void **state)
{
	(void)state;
	take(one, TIMED);
	for (int i = 0; i < 5; i++) {
		bed_turns(40);
		bed_say(one, i % 2 ? "" : "{\"jsonrpc\":\"2.0\",\"method\":\"describe\"}");
	}
	assert_int_equal(stage_stiffness(YAW), 1000);
	/* Of another one it is no sign of this one's life. */
	for (int i = 0; i < 6; i++) {
		bed_turns(10);
		bed_say(other, "");
	}
	assert_int_equal(stage_stiffness(YAW), 0);
}

/* The program lives, and it is the daemon that has not read its line. */
static void a_line_that_waits_is_one(void **state)
{
	(void)state;
	take(one, TIMED);
	bed_turns(45);
	assert_int_equal(send(one, "\n", 1, 0), 1);
	stage_cycles(10);
	leases_cycle(bed.leases);
	rpc_cycle(bed.rpc);
	bed_settle();
	bed_turns(5);
	assert_int_equal(stage_stiffness(YAW), 1000);
	bed_turns(50);
	assert_int_equal(stage_stiffness(YAW), 0);
}

/* It sends, as if by a thread that knows of nothing, and reads nothing. */
static void lines_of_one_that_does_not_read_are_none(void **state)
{
	static const char line[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"list\"}\n";

	(void)state;
	take(one, TIMED);
	for (int i = 0; i < 500; i++) {
		(void)send(one, line, sizeof(line) - 1, MSG_DONTWAIT | MSG_NOSIGNAL);
		bed_turns(1);
	}
	assert_int_equal(stage_stiffness(YAW), 0);
}

static void its_time_is_told_and_has_bounds(void **state)
{
	struct json_object *result;

	(void)state;
	take(one, TIMED);
	take(other, "{'names':['HeadPitch']}");
	result = bed_result(other, "leases", "{}");
	assert_near(bed_number(result, "leases/0/timeout"), 0.5, 1e-9);
	assert_null(bed_at(result, "leases/1/timeout"));
	bed_assert_fails(one, "lease", "{'names':['HeadYaw'],'timeout':0}", -32602, 0,
			 "timeout: expected a number from 0.1 to 3600");
	bed_assert_fails(one, "lease", "{'names':['HeadYaw'],'timeout':3601}", -32602, 0, "timeout");
}

/* ---- revoked ---- */

static void who_may_write_may_revoke(void **state)
{
	unsigned int id = take(one, "{'names':['HeadYaw'],'end':'free'}");
	char params[64];

	(void)state;
	snprintf(params, sizeof(params), "{'lease':%u}", id);
	bed_result(other, "revoke", params);
	bed_assert_said("revokes lease 1 of rpc_lease_test");
	bed_turns(1);
	assert_int_equal(stage_stiffness(YAW), 0);
	assert_null(bed_at(bed_result(other, "leases", "{}"), "leases/0"));
	bed_assert_fails(one, "release", params, -32000, ENOENT, "you have no such one");
	bed_assert_fails(other, "revoke", params, -32000, ENOENT, "there is no such one");
	take(other, "{'names':['HeadYaw']}");
}

/* ---- a host that begins anew ---- */

#define OWED_TURNS (LEASE_OWED_TIME / 10)

/* Until then it may come back. */
static void who_does_not_come_back_leaves_nothing_stiff(void **state)
{
	(void)state;
	take(one, "{'names':['HeadYaw'],'end':'free'}");
	take(other, "{'names':['HeadPitch'],'end':'hold'}");
	bed_begin_anew();
	bed_turns(OWED_TURNS - 10);
	assert_int_equal(stage_stiffness(YAW), 1000);
	bed_turns(20);
	assert_int_equal(stage_stiffness(YAW), 0);
	assert_int_equal(stage_stiffness(PITCH), 500);
}

static void and_goes_to_its_pose(void **state)
{
	(void)state;
	take(one, "{'names':['HeadYaw'],'end':'rest','seconds':0.1,'pose':{'HeadYaw':0.3}}");
	bed_begin_anew();
	bed_turns(OWED_TURNS + 60);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 60);
	bed_turns(300);
	assert_int_equal(stage_stiffness(YAW), 0);
}

/* As it has taken it again, or has set it, or another one has. */
static void what_is_used_again_stays(void **state)
{
	(void)state;
	take(one, "{'names':['HeadYaw'],'end':'free'}");
	take(other, "{'names':['HeadPitch'],'end':'free'}");
	bed_begin_anew();
	one = bed_client();
	take(one, "{'names':['HeadYaw'],'end':'free'}");
	set(one, PITCH_POSITION, 0.1, 0);
	bed_turns(OWED_TURNS + 20);
	assert_int_equal(stage_stiffness(YAW), 1000);
	assert_int_equal(stage_stiffness(PITCH), 500);
	die(&one);
	bed_turns(2);
	assert_int_equal(stage_stiffness(YAW), 0);
}

static void it_may_begin_anew_twice(void **state)
{
	(void)state;
	take(one, "{'names':['HeadYaw'],'end':'free'}");
	bed_begin_anew();
	bed_turns(OWED_TURNS - 10);
	bed_begin_anew();
	bed_turns(OWED_TURNS + 20);
	assert_int_equal(stage_stiffness(YAW), 0);
}

/* As it has said when it took it last. */
static void what_is_taken_again_is_owed_as_it_was_taken(void **state)
{
	(void)state;
	take(one, "{'names':['HeadYaw'],'end':'free'}");
	bed_begin_anew();
	one = bed_client();
	take(one, "{'names':['HeadYaw'],'end':'hold'}");
	bed_turns(10);
	bed_begin_anew();
	bed_turns(OWED_TURNS + 20);
	assert_int_equal(stage_stiffness(YAW), 1000);
}

/* Its program has gone before, and does not come back. */
static void an_end_under_way_is_owed(void **state)
{
	(void)state;
	take(one, "{'names':['HeadYaw','HeadPitch'],'end':'soften','seconds':3}");
	close(one);
	bed_turns(150);
	bed_begin_anew();
	one = bed_client();
	bed_turns(10);
	assert_in_range(stage_stiffness(YAW), 400, 600);
	bed_turns(OWED_TURNS + 310);
	assert_int_equal(stage_stiffness(YAW), 0);
	assert_int_equal(stage_stiffness(PITCH), 0);
}

static void one_that_is_owed_is_owed_again(void **state)
{
	(void)state;
	take(one, "{'names':['HeadYaw'],'end':'rest','seconds':1,'pose':{'HeadYaw':0.3}}");
	bed_begin_anew();
	one = bed_client();
	bed_turns(OWED_TURNS + 50);
	assert_in_range(stage_goal(YAW), STAGE_START + 1, STAGE_ZERO + 59);
	bed_begin_anew();
	bed_turns(OWED_TURNS + 110);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 60);
	bed_turns(310);
	assert_int_equal(stage_stiffness(YAW), 0);
}

static void what_was_used_or_over_by_then_is_not(void **state)
{
	(void)state;
	take(one, "{'names':['HeadYaw','HeadPitch'],'end':'soften','seconds':1}");
	close(one);
	bed_turns(50);
	set(other, YAW_HARDNESS, 1, 0);
	bed_turns(100);
	/* Nobody that is a client */
	stage_set(PITCH_HARDNESS, 1, 0);
	bed_turns(2);
	bed_begin_anew();
	one = bed_client();
	bed_turns(OWED_TURNS + 200);
	assert_int_equal(stage_stiffness(YAW), 1000);
	assert_int_equal(stage_stiffness(PITCH), 1000);
}

/* ---- who goes and comes ---- */

/* What he held is not held against himself, however much he has had done in this cycle. */
static void who_goes_and_comes_at_once_finds_nothing_of_his_held(void **state)
{
	(void)state;
	take(one, "{'names':['HeadYaw']}");
	for (int i = 0; i < 4; i++)
		bed_result(one, "list", "{}");
	close(one);
	one = bed_client();
	take(one, "{'names':['HeadYaw']}");
}

/* ---- tones, of a buzzer that is a pipe, of which the library has one end ---- */

#define HZ    "ChestBoard/Buzzer/Frequency/Actuator"
#define SOUND "<Preference memoryName='Device/SubDeviceList/" HZ "' type='array'>"         \
	      "<Preference name='Min' type='float' value='0'/>"                            \
	      "<Preference name='Max' type='float' value='65535'/>"                        \
	      "<Preference name='Tone' type='string' value='buzzer'/></Preference>"
#define LAST  "ChestBoard/Buzzer/Duration/Actuator"
#define TIME  "<Preference memoryName='Device/SubDeviceList/" LAST "' type='array'>"       \
	      "<Preference name='Min' type='float' value='0.01'/>"                         \
	      "<Preference name='Max' type='float' value='60'/>"                           \
	      "<Preference name='Tone' type='string' value='buzzer'/></Preference>"

static atomic_int tries;   /* to open it */
static atomic_int sounded; /* Hz of the last tone */
static atomic_bool is_absent;
static atomic_int buzzer;  /* our end of the last one that was opened; 0: none was */

/* In place of the library's own, as there is no input device. */
int buzzer_open(const char *label)
{
	int pair[2];

	tries++;
	if (is_absent || strcmp(label, "ChestBoard") != 0 || pipe2(pair, O_CLOEXEC) < 0)
		return -ENODEV;
	if (buzzer)
		close(buzzer);
	buzzer = pair[0];
	return pair[1];
}

int buzzer_sound(int fd, int hz)
{
	(void)fd;
	sounded = hz;
	return 0;
}

static bool is_silent(void)
{
	struct pollfd end = { .fd = buzzer };

	return !buzzer || (poll(&end, 1, 0) == 1 && end.revents == POLLHUP);
}

static int setup_buzzer(void **state)
{
	(void)state;
	sounded = buzzer = tries = 0;
	is_absent = false;
	bed_setup_robot(SOUND TIME);
	one = bed_client();
	other = bed_client();
	set(one, LAST, 60, 0);
	return 0;
}

static int teardown_buzzer(void **state)
{
	int ret = teardown(state);

	assert_true(is_silent());
	if (buzzer)
		close(buzzer);
	return ret;
}

static bool is_faulty(const char *name)
{
	const struct naohw_store *store = naohw_dcm_store(stage.dcm);
	struct naohw_value value = { .state = NAOHW_STATE_ABSENT };
	size_t slot;

	assert_int_equal(naohw_store_find(store, name, &slot), 0);
	return naohw_store_read(store, slot, &value) == 0 && value.state == NAOHW_STATE_FAULTY;
}

static void begin_tone(int fd, int hz)
{
	set(fd, HZ, hz, 0);
	UNTIL(sounded == hz && stage_value(BED_KEY(HZ)) == hz, bed_turns(1));
	assert_false(is_silent());
}

static void a_tone_ends_with_its_program(void **state)
{
	(void)state;
	begin_tone(one, 440);
	die(&other);
	bed_turns(10);
	assert_false(is_silent());
	die(&one);
	UNTIL(is_silent() && stage_value(BED_KEY(HZ)) == 0, bed_turns(1));
}

/* What it has held, it has held; that is no reason to be heard. */
static void so_does_one_of_which_it_has_a_lease(void **state)
{
	(void)state;
	bed_result(one, "createAlias", "{'alias':'Tone','names':['" HZ "']}");
	take(one, "{'names':['Tone'],'end':'hold'}");
	set(one, "Tone", 440, 0);
	UNTIL(sounded == 440, bed_turns(1));
	die(&one);
	UNTIL(is_silent(), bed_turns(1));
}

static void one_that_another_has_begun_since_does_not(void **state)
{
	(void)state;
	begin_tone(one, 440);
	begin_tone(other, 880);
	die(&one);
	bed_turns(10);
	assert_false(is_silent());
	die(&other);
	UNTIL(is_silent(), bed_turns(1));
}

static void one_that_is_to_come_does_not(void **state)
{
	(void)state;
	set(one, HZ, 440, 100);
	die(&one);
	bed_turns(20);
	set(other, HZ, 880, 0);
	UNTIL(sounded, bed_turns(1));
	assert_int_equal(sounded, 880);
}

static void a_tone_is_over_by_itself(void **state)
{
	(void)state;
	begin_tone(one, 440);
	set(one, LAST, 0.01, 0);
	UNTIL(is_silent() && stage_value(BED_KEY(HZ)) == 0, bed_turns(1));
	assert_near(stage_value(BED_KEY(LAST)), 0.01, 0);
}

/* Something else that could not be written is, later on; a tone would be none that was asked for. */
static void one_that_could_not_be_is_not_made_later(void **state)
{
	(void)state;
	is_absent = true;
	fake_device_remove("HeadYaw", "sonar_mode");
	set(one, HZ, 440, 0);
	set(one, "US/Actuator", 68, 0);
	UNTIL(is_faulty(BED_KEY(HZ)) && is_faulty(BED_KEY("US/Actuator")), bed_turns(1));
	fake_device_set("HeadYaw", "sonar_mode", "0");
	UNTIL(strcmp(fake_device_get("HeadYaw", "sonar_mode"), "68") == 0, bed_turns(1));
	assert_int_equal(tries, 1);
}

/* ---- wheels ---- */

static void check_speed(double rad_s)
{
	bed_turns(20);
	assert_int_equal(stage_wheel(), (int)lround(-100 * rad_s));
}

/* What it has set of joints stands. */
static void a_wheel_stops_when_its_program_dies(void **state)
{
	(void)state;
	set(one, WHEEL_SPEED, 0.5, 0);
	check_speed(0.5);
	die(&other);
	check_speed(0.5);
	die(&one);
	check_speed(0);
	assert_int_equal(stage_stiffness(PITCH), 1000);
	/* Of an alias, too, and whatever is still to come */
	bed_result(one, "createAlias",
		   "{'alias':'Both','names':['" YAW_POSITION "','" WHEEL_SPEED "']}");
	bed_result(one, "setAlias", "{'alias':'Both','times':[0,600],'values':[[0,0],[0.2,0.7]]}");
	check_speed(0.2 + 0.5 / 3);
	die(&one);
	check_speed(0);
	check_speed(0);
}

static void it_is_that_of_who_set_it_last(void **state)
{
	(void)state;
	set(one, WHEEL_SPEED, 0.5, 0);
	set(other, WHEEL_SPEED, 0.3, 0);
	die(&one);
	check_speed(0.3);
	set(one, WHEEL_SPEED, -0.2, 0);
	die(&other);
	check_speed(-0.2);
	die(&one);
	check_speed(0);
}

static void whatever_the_end_of_a_lease_a_wheel_stops(void **state)
{
	static const char *const ends[] = { "hold", "soften", "rest", "free" };
	char params[128];

	(void)state;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		unsigned int id;

		snprintf(params, sizeof(params), "{'names':['HeadYaw','Wheel'],'end':'%s'%s}",
			 ends[i], i == 2 ? ",'pose':{'HeadYaw':0}" : "");
		id = take(one, params);
		bed_assert_fails(other, "set", "{'name':'" WHEEL_SPEED "','commands':[[0.3,0]]}",
				 -32000, EBUSY, WHEEL_SPEED ": is held by");
		set(one, WHEEL_SPEED, 0.4, 0);
		check_speed(0.4);
		release(one, id);
		check_speed(0);
	}
}

int main(void)
{
#define WHEEL_TEST(test) cmocka_unit_test_setup_teardown(test, setup_wheel, teardown)
#define LEASE_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
#define TONE_TEST(test)	 cmocka_unit_test_setup_teardown(test, setup_buzzer, teardown_buzzer)
	const struct CMUnitTest tests[] = {
		LEASE_TEST(who_wrote_last_is_obeyed),
		LEASE_TEST(what_is_held_alone_is_not_others),
		LEASE_TEST(two_do_not_hold_one_thing_alone),
		LEASE_TEST(what_is_shared_is_still_everybodys),
		LEASE_TEST(an_alias_is_held_as_its_actuators),
		LEASE_TEST(what_is_wrong_with_a_lease_is_said),
		LEASE_TEST(names_stand_for_no_more_than_some),
		LEASE_TEST(what_is_refused_is_no_use),
		LEASE_TEST(nobody_lets_go_what_another_one_holds),
		LEASE_TEST(there_are_no_more_than_some),
		LEASE_TEST(who_holds_what_can_be_read),
		LEASE_TEST(soften_lets_hardness_go_slowly),
		LEASE_TEST(it_takes_as_long_as_was_said),
		LEASE_TEST(a_robot_that_was_let_go_comes_to_no_end),
		LEASE_TEST(hold_stays),
		LEASE_TEST(free_lets_go_at_once),
		LEASE_TEST(who_dies_holds_nothing_whoever_has_the_connection),
		LEASE_TEST(who_has_died_before_it_comes_in_holds_nothing),
		LEASE_TEST(rest_goes_to_its_pose_and_softens_there),
		LEASE_TEST(a_release_is_an_end_too),
		LEASE_TEST(what_is_in_another_lease_does_not_end),
		LEASE_TEST(who_floods_the_cycle_is_softened_all_the_same),
		LEASE_TEST(no_alias_is_in_its_way),
		LEASE_TEST(all_hold_where_the_host_ends),
		LEASE_TEST(who_says_nothing_in_its_time_holds_nothing),
		LEASE_TEST(any_line_renews_it),
		LEASE_TEST(a_line_that_waits_is_one),
		LEASE_TEST(lines_of_one_that_does_not_read_are_none),
		LEASE_TEST(its_time_is_told_and_has_bounds),
		LEASE_TEST(who_may_write_may_revoke),
		LEASE_TEST(who_does_not_come_back_leaves_nothing_stiff),
		LEASE_TEST(and_goes_to_its_pose),
		LEASE_TEST(what_is_used_again_stays),
		LEASE_TEST(it_may_begin_anew_twice),
		LEASE_TEST(what_is_taken_again_is_owed_as_it_was_taken),
		LEASE_TEST(an_end_under_way_is_owed),
		LEASE_TEST(one_that_is_owed_is_owed_again),
		LEASE_TEST(what_was_used_or_over_by_then_is_not),
		LEASE_TEST(who_goes_and_comes_at_once_finds_nothing_of_his_held),
		TONE_TEST(a_tone_ends_with_its_program),
		TONE_TEST(so_does_one_of_which_it_has_a_lease),
		TONE_TEST(one_that_another_has_begun_since_does_not),
		TONE_TEST(one_that_is_to_come_does_not),
		TONE_TEST(a_tone_is_over_by_itself),
		TONE_TEST(one_that_could_not_be_is_not_made_later),
		WHEEL_TEST(a_wheel_stops_when_its_program_dies),
		WHEEL_TEST(it_is_that_of_who_set_it_last),
		WHEEL_TEST(whatever_the_end_of_a_lease_a_wheel_stops),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
