// SPDX-License-Identifier: LGPL-2.1-or-later
/* What LoLA's client says is not done where another program holds a joint alone. */
#include "dcm_stage.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "../naohwd/lola/lola.h"
#include "fake_iio.h"
#include "lola_bytes.h"

#define JOINTS 25

static struct loop *loop;
static struct lola *lola;
static struct leases *leases;
static struct party party = { .program = "walk", .pid = 4711 };
static struct listen_settings settings;
static char directory[] = "/tmp/naohw-lola-XXXXXX";
static char path[64];
static char said[4096];
static int fd;

void __wrap_log_line(const char *format, ...);

void __wrap_log_line(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(said, sizeof(said), format, args);
	va_end(args);
}

static void turns(unsigned int count)
{
	while (loop_once(loop, 0))
		;
	while (count--) {
		stage_cycles(1);
		lola_cycle(lola);
		while (loop_once(loop, 0))
			;
	}
}

static int setup(void **state)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct naohw_error err;

	(void)state;
	strcpy(directory + strlen(directory) - 6, "XXXXXX");
	assert_non_null(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/lola", directory);
	settings = (struct listen_settings){ .path = path, .mode = 0600, .group = (gid_t)-1 };
	stage_open("", NULL);
	stage_cycles(1);
	assert_int_equal(leases_new(stage.robot, stage.dcm, &leases, &err), 0);
	party.leases = leases;
	assert_int_equal(loop_new(&loop, &err), 0);
	assert_int_equal(lola_open(loop, stage.dcm, &settings, 1, &lola, &err), 0);
	lola_obey(lola, leases);
	strcpy(address.sun_path, path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	party_leave(&party);
	lola_close(lola);
	loop_free(loop);
	leases_free(leases);
	stage_close();
	close(fd);
	return rmdir(directory);
}

static void give(float position, float stiffness)
{
	struct bytes bytes = { .count = 0 };

	put_map(&bytes, 2);
	put_field(&bytes, "Position", JOINTS, position);
	put_field(&bytes, "Stiffness", JOINTS, stiffness);
	assert_int_equal(send(fd, bytes.at, bytes.count, MSG_NOSIGNAL), bytes.count);
	turns(20);
}

static unsigned int take(const char *name, bool is_exclusive)
{
	const struct lease_wish wish = {
		.names = &name,
		.count = 1,
		.end = LEASE_HOLD,
		.is_exclusive = is_exclusive,
	};
	struct naohw_error err;
	unsigned int id;

	if (lease_take(&party, &wish, &id, &err) < 0)
		fail_msg("%s", err.message);
	return id;
}

static void others_joints_are_left_out(void **state)
{
	struct naohw_error err;
	unsigned int id;

	(void)state;
	turns(1);
	give(0.1f, 1);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 20);
	id = take("HeadYaw", true);
	give(0.2f, 0.5f);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 20);
	assert_int_equal(stage_stiffness(YAW), 1000);
	assert_int_equal(stage_goal(PITCH), STAGE_ZERO + 40);
	assert_near(stage_stiffness(PITCH), 500, 1);
	assert_int_equal(lease_release(&party, id, &err), 0);
	give(0.3f, 0.5f);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 60);
	assert_near(stage_stiffness(YAW), 500, 1);
}

static void all_of_them_may_be_others(void **state)
{
	(void)state;
	turns(1);
	take("HeadYaw", true);
	take("HeadPitch", true);
	give(0.2f, 1);
	assert_int_equal(stage_goal(YAW), STAGE_START);
	assert_int_equal(stage_stiffness(PITCH), 0);
}

/* Also where it has sent nothing since they are others'. */
static void nothing_of_others_stops_when_it_goes(void **state)
{
	(void)state;
	turns(1);
	give(0.1f, 1);
	take("HeadYaw", true);
	stage_set(YAW_POSITION, 0.2, 200);
	stage_set(PITCH_POSITION, 0.2, 200);
	turns(5);
	shutdown(fd, SHUT_RDWR);
	turns(20);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 40);
	assert_in_range(stage_goal(PITCH), STAGE_ZERO + 20, STAGE_ZERO + 35);
}

static void what_is_shared_is_its_too(void **state)
{
	(void)state;
	turns(1);
	take("HeadYaw", false);
	give(0.2f, 1);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 40);
}

static void give_sonar(void)
{
	struct bytes bytes = { .count = 0 };

	put_map(&bytes, 1);
	put_text(&bytes, "Sonar");
	put_array(&bytes, 2);
	put_flag(&bytes, true);
	put_flag(&bytes, true);
	assert_int_equal(send(fd, bytes.at, bytes.count, MSG_NOSIGNAL), bytes.count);
	turns(5);
}

static bool is_sonar_on(void)
{
	return strcmp(fake_device_get("HeadYaw", "sonar_mode"), "68") == 0;
}

/* It has switched it on, and it is another's since. */
static void others_sonar_stays_on_when_it_goes(void **state)
{
	(void)state;
	turns(1);
	give_sonar();
	UNTIL(is_sonar_on(), turns(1));
	take("US/Actuator", true);
	shutdown(fd, SHUT_RDWR);
	turns(5);
	usleep(20000);
	assert_true(is_sonar_on());
}

static void the_sonar_and_the_period_may_be_others(void **state)
{
	(void)state;
	take("US/Actuator", true);
	take("DCM/TargetCycleTime", true);
	turns(1);
	give_sonar();
	if (!strstr(said, "DCM/TargetCycleTime: is held by walk (process 4711)"))
		fail_msg("said '%s'", said);
	usleep(20000);
	assert_string_equal(fake_device_get("HeadYaw", "sonar_mode"), "0");
	assert_near(atof(fake_device_get("dxl0-cycle", "sampling_frequency")), 100, 1e-3);
	/* It goes, which would set the period back. */
	shutdown(fd, SHUT_RDWR);
	turns(2);
}

int main(void)
{
#define LEASE_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
	const struct CMUnitTest tests[] = {
		LEASE_TEST(others_joints_are_left_out),
		LEASE_TEST(all_of_them_may_be_others),
		LEASE_TEST(nothing_of_others_stops_when_it_goes),
		LEASE_TEST(what_is_shared_is_its_too),
		LEASE_TEST(others_sonar_stays_on_when_it_goes),
		LEASE_TEST(the_sonar_and_the_period_may_be_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
