// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The naohw command beside a naohwd that has the robot, each in a process of its own. The linker
 * gives the command's main() to this test, whose own is __wrap_main().
 */
#include "naohwd_bed.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake_iio.h"

#define ARGUMENTS_MAX 8
#define SAID_MAX      16384

int __real_main(int argc, char **argv);
int __wrap_main(void);

static char said[SAID_MAX];
static char record[64]; /* a path */

static void be_naohw(int out, const char *const *arguments)
{
	char *argv[ARGUMENTS_MAX + 4] = { (char *)"naohw", (char *)"--robot",
					  (char *)naohw_robot_path(stage.robot) };
	int argc = 3, status;

	while (*arguments)
		argv[argc++] = (char *)*arguments++;
	dup2(out, STDOUT_FILENO);
	dup2(out, STDERR_FILENO);
	status = __real_main(argc, argv);
	fflush(NULL);
	/* What this process has registered for its own end is not for this one. */
	_exit(status);
}

static void read_all(int fd)
{
	size_t used = 0;
	ssize_t size;

	while ((size = read(fd, said + used, SAID_MAX - 1 - used)) > 0)
		used += (size_t)size;
	said[used] = '\0';
}

/* What it says can be read from @out. */
static pid_t begin_naohw(const char *const *arguments, int *out)
{
	int pair[2];
	pid_t pid;

	assert_int_equal(pipe(pair), 0);
	fflush(NULL);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		be_naohw(pair[1], arguments);
	close(pair[1]);
	*out = pair[0];
	return pid;
}

/* Its exit status; what it has said is in said. */
static int naohw(const char *const *arguments)
{
	int out, status;
	pid_t pid = begin_naohw(arguments, &out);

	read_all(out);
	close(out);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

#define NAOHW(...) naohw((const char *const[]){ __VA_ARGS__, NULL })

static void assert_said(const char *what)
{
	if (!strstr(said, what))
		fail_msg("said '%s', expected '%s'", said, what);
}

/* What the daemon's store has; this process is its client, too. */
static void assert_sent(const char *key, double value)
{
	struct naohw_dcm *dcm;
	struct naohw_error err;
	struct naohw_value found = { .number = NAN };
	size_t slot;

	assert_int_equal(naohw_dcm_open(stage.robot, NULL, &dcm, &err), 0);
	assert_int_equal(naohw_store_find(naohw_dcm_store(dcm), key, &slot), 0);
	for (int left = 1000; left && !(fabs(found.number - value) < 0.01); left--) {
		usleep(5000);
		(void)naohw_store_read(naohw_dcm_store(dcm), slot, &found);
	}
	naohw_dcm_close(dcm);
	assert_near(found.number, value, 0.01);
}

/* Page 1 sends HeadYaw to 0.4 rad and ends; page 2 does so again and again. */
static const char *motion(void)
{
	static char path[] = "/tmp/naohw-beside-XXXXXX";
	unsigned char *pages = pages_new(3);
	int fd;

	for (unsigned int i = 1; i <= 2; i++) {
		unsigned char *page = pages + i * PAGE_SIZE;

		page_plain(page, "go", 1);
		page_position(page, 0, 1, STAGE_ZERO + 80);
		page_times(page, 0, 0, 25);
		page[25] = i == 2 ? 2 : 0;
		page_seal(page);
	}
	strcpy(path + strlen(path) - 6, "XXXXXX");
	fd = mkstemp(path);
	assert_int_equal(write(fd, pages, 3 * PAGE_SIZE), 3 * PAGE_SIZE);
	close(fd);
	free(pages);
	return path;
}

static int setup(void **state)
{
	int ret = naohwd_bed_setup(state);

	naohwd_bed_begin(0);
	snprintf(record, sizeof(record), "/tmp/naohw-beside-%d.csv", (int)getpid());
	return ret;
}

static void set_is_told_to_it(void **state)
{
	(void)state;
	fake_set("HeadYaw", "in_angl0_raw", "520");
	assert_int_equal(NAOHW("set", YAW_HARDNESS, "1", YAW_POSITION, "0.4"), 0);
	assert_string_equal(said, "");
	assert_sent("Device/SubDeviceList/" YAW_HARDNESS "/Value", 1);
	assert_sent("Device/SubDeviceList/" YAW_POSITION "/Value", 0.4);
	assert_int_equal(NAOHW("set", YAW_POSITION, "90"), 1);
	assert_said("far outside");
	assert_sent("Device/SubDeviceList/" YAW_POSITION "/Value", 0.4);
	assert_int_equal(NAOHW("set", "HeadYaw/Position/Sensor", "1"), 1);
	/* By its cycle */
	if (NAOHW("set", "--in", "200ms", YAW_POSITION, "0.1") != 0)
		fail_msg("%s", said);
	assert_string_equal(said, "");
	assert_sent("Device/SubDeviceList/" YAW_POSITION "/Value", 0.1);
	assert_int_equal(NAOHW("set", "--in", "1ms", YAW_POSITION, "0.5"), 1);
	assert_said("0.4 rad in 0.001 s is more than the joint may go: it takes 0.1 s");
}

static void get_and_list_are_as_ever(void **state)
{
	(void)state;
	assert_int_equal(NAOHW("list", "*/Actuator/Value"), 0);
	assert_said("Device/SubDeviceList/HeadYaw/Position/Actuator/Value");
	assert_int_equal(NAOHW("get", "HeadYaw/Position/Sensor"), 0);
	assert_int_equal(NAOHW("list"), 0);
	assert_said("HeadYaw");
}

/* naohwd's keys and the description's, by name, and arguments in their order */
static void get_has_the_keys_of_both(void **state)
{
	static const char *const order[] = {
		"DCM/CycleTime ", "DCM/Guard/HeadYaw ", "DCM/Stream ", "DCM/TargetCycleTime ",
		"DCM/Time ",
	};
	const char *at = said;

	(void)state;
	assert_int_equal(NAOHW("get", "HeadYaw/Position/Sensor", "DCM/*",
			       "HeadPitch/Position/Sensor"), 0);
	assert_ptr_equal(strstr(said, "Device/SubDeviceList/HeadYaw/Position/Sensor/Value "), said);
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		at = strstr(at, order[i]);
		assert_non_null(at);
	}
	assert_non_null(strstr(at, "Device/SubDeviceList/HeadPitch/Position/Sensor/Value "));
	assert_said("\nDCM/SpeedMax 4\n");
}

/* It does so for a user who may not write to the kernel's files. */
static void limp_is_told_to_it_where_the_kernel_refuses(void **state)
{
	(void)state;
	fake_device_fail("dxl0-goal", "limp", -EACCES);
	if (NAOHW("limp", "--yes") != 0)
		fail_msg("%s", said);
	assert_said("All joints are let go");
	naohwd_bed_kill();
	assert_int_equal(NAOHW("limp", "--yes"), 1);
	assert_said("dxl0-goal: limp: only root and the group \"robot\" may");
}

static void recover_is_told_to_it(void **state)
{
	(void)state;
	assert_int_equal(NAOHW("recover"), 0);
	assert_said("there is nothing to bring back");
}

/* Its store tells what no other program's frames could. */
static void changes_are_seen_in_its_store(void **state)
{
	(void)state;
	fake_take("dxl0-state");
	assert_int_equal(NAOHW("watch", "--changes", "--count", "3", "--interval", "0.1",
			       "HeadYaw/Position/Sensor"),
			 0);
	assert_said("HeadYaw/Position/Sensor");
	assert_null(strstr(said, "keys are asked for"));
}

static void play_is_beside_others(void **state)
{
	const char *path = motion();

	(void)state;
	/* It has no torque. */
	assert_int_equal(NAOHW("play", path, "1"), 3);
	assert_said("limp joints are left out: HeadYaw");
	assert_said("final pose not reached: 1 of 1 joints did not go to their goal: HeadYaw (no-torque)\n"
		    "no-torque: HeadYaw: it has no torque, as its hardness is 0; ");
	assert_said("--stiff");
	if (NAOHW("play", "--stiff", path, "1") != 0)
		fail_msg("%s", said);
	assert_said("Final pose reached: 1 joints");
	assert_sent("Device/SubDeviceList/" YAW_POSITION "/Value", 0.4);
	/* It keeps what it has now. */
	usleep(200000);
	assert_sent("Device/SubDeviceList/" YAW_HARDNESS "/Value", 1);
	assert_int_equal(NAOHW("set", YAW_POSITION, "0.1"), 0);
	assert_sent("Device/SubDeviceList/" YAW_POSITION "/Value", 0.1);
	unlink(path);
}

static const char *recording(void)
{
	FILE *file = fopen(record, "w");

	assert_non_null(file);
	fprintf(file, "time_s,HeadYaw.present,HeadPitch.present\n0,0.2,0.04\n0.2,0.4,0.04\n");
	assert_int_equal(fclose(file), 0);
	return record;
}

/* One joint has torque, which it was not given by the replay; the other one has none, and gets none. */
static void replay_is_beside_others(void **state)
{
	(void)state;
	assert_int_equal(NAOHW("set", YAW_HARDNESS, "1"), 0);
	assert_sent("Device/SubDeviceList/" YAW_HARDNESS "/Value", 1);
	/* As naohw-replay(1) has it */
	if (NAOHW("replay", recording()) != 3)
		fail_msg("%s", said);
	assert_said("HeadPitch was limp");
	assert_said("Note: a replay gives no torque, limp joints are left out: HeadPitch.\n");
	assert_sent("Device/SubDeviceList/" YAW_POSITION "/Value", 0.4);
	assert_sent("Device/SubDeviceList/" PITCH_HARDNESS "/Value", 0);
	/* It is nobody's afterwards, and as stiff as it was. */
	usleep(200000);
	assert_sent("Device/SubDeviceList/" YAW_HARDNESS "/Value", 1);
	assert_int_equal(NAOHW("set", YAW_POSITION, "0.1"), 0);
	assert_sent("Device/SubDeviceList/" YAW_POSITION "/Value", 0.1);
	unlink(record);
}

/* The columns that it has named @name, in the first line of what is recorded, and in the last one. */
static double last_recorded(const char *path, const char *name, size_t *rows)
{
	char line[1024], last[1024] = "", *cell, *rest = line;
	FILE *file = fopen(path, "r");
	size_t column = 0;

	assert_non_null(file);
	assert_non_null(fgets(line, sizeof(line), file));
	while ((cell = strsep(&rest, ",\n")) && strcmp(cell, name) != 0)
		column++;
	if (!cell)
		fail_msg("no column %s", name);
	for (*rows = 0; fgets(last, sizeof(last), file); ++*rows)
		;
	fclose(file);
	rest = last;
	do
		cell = strsep(&rest, ",\n");
	while (column--);
	return strtod(cell, NULL);
}

/* The naohwd has the frames, and so its store is what is recorded. */
static void record_is_of_its_store(void **state)
{
	size_t rows;

	(void)state;
	fake_take("dxl0-state");
	assert_int_equal(NAOHW("set", YAW_HARDNESS, "1", YAW_POSITION, "0.4"), 0);
	assert_sent("Device/SubDeviceList/" YAW_POSITION "/Value", 0.4);
	if (NAOHW("record", "--count", "5", record, "HeadYaw") != 0)
		fail_msg("%s", said);
	assert_said("5 frames in ");
	assert_near(last_recorded(record, "HeadYaw.goal", &rows), 0.4, 0.01);
	assert_int_equal(rows, 5);
	assert_near(last_recorded(record, "HeadYaw.age", &rows), 0, 0);
	unlink(record);
	assert_int_equal(NAOHW("record", record, "Tail"), 1);
	assert_said("no such joint");
}

static void a_play_is_recorded(void **state)
{
	const char *path = motion();
	size_t rows;

	(void)state;
	fake_take("dxl0-state");
	if (NAOHW("play", "--stiff", "--record", record, path, "1") != 0)
		fail_msg("%s", said);
	assert_near(last_recorded(record, "HeadYaw.goal", &rows), 0.4, 0.01);
	/* And what there was in the 0.3 s behind it */
	assert_true(rows > 30);
	unlink(record);
	unlink(path);
}

static void what_a_dead_play_has_held_softens(void **state)
{
	const char *path = motion();
	const char *const arguments[] = { "play", "--stiff", path, "2", NULL };
	int out;
	pid_t pid = begin_naohw(arguments, &out);

	(void)state;
	assert_sent("Device/SubDeviceList/" YAW_POSITION "/Value", 0.4);
	assert_int_equal(NAOHW("set", YAW_POSITION, "0.1"), 1);
	assert_said("is held by ");
	unlink(path);
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	close(out);
	assert_sent("Device/SubDeviceList/" YAW_HARDNESS "/Value", 0);
	assert_sent("Device/SubDeviceList/" YAW_POSITION "/Value", 0.4);
}

#define BESIDE_TEST(name) cmocka_unit_test_setup_teardown(name, setup, naohwd_bed_teardown)

int __wrap_main(void)
{
	const struct CMUnitTest tests[] = {
		BESIDE_TEST(set_is_told_to_it),
		BESIDE_TEST(get_and_list_are_as_ever),
		BESIDE_TEST(get_has_the_keys_of_both),
		BESIDE_TEST(limp_is_told_to_it_where_the_kernel_refuses),
		BESIDE_TEST(recover_is_told_to_it),
		BESIDE_TEST(changes_are_seen_in_its_store),
		BESIDE_TEST(play_is_beside_others),
		BESIDE_TEST(replay_is_beside_others),
		BESIDE_TEST(record_is_of_its_store),
		BESIDE_TEST(a_play_is_recorded),
		BESIDE_TEST(what_a_dead_play_has_held_softens),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
