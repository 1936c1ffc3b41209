// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What LoLA's client says is not done where another program holds a joint alone; and what becomes of
 * its joints when it says nothing any more.
 */
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
static const struct lola_end softly = { .how = LEASE_SOFTEN, .seconds = 3 };

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

static void come(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	strcpy(address.sun_path, path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof(address)), 0);
}

static void go(void)
{
	close(fd);
	fd = -1;
}

static void serve(void)
{
	struct naohw_error err;

	assert_int_equal(leases_new(stage.robot, stage.dcm, &leases, &err), 0);
	party.leases = leases;
	assert_int_equal(lola_open(loop, stage.dcm, &settings, 1, &lola, &err), 0);
	lola_obey(lola, leases, &softly);
}

static int setup(void **state)
{
	struct naohw_error err;

	(void)state;
	strcpy(directory + strlen(directory) - 6, "XXXXXX");
	assert_non_null(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/lola", directory);
	settings = (struct listen_settings){ .path = path, .mode = 0600, .group = (gid_t)-1 };
	stage_open("", NULL);
	stage_cycles(1);
	assert_int_equal(loop_new(&loop, &err), 0);
	serve();
	come();
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
	if (fd >= 0)
		close(fd);
	return rmdir(directory);
}

static void send_both(float position, float stiffness)
{
	struct bytes bytes = { .count = 0 };

	put_map(&bytes, 2);
	put_field(&bytes, "Position", JOINTS, position);
	put_field(&bytes, "Stiffness", JOINTS, stiffness);
	assert_int_equal(send(fd, bytes.at, bytes.count, MSG_NOSIGNAL), bytes.count);
}

static void give(float position, float stiffness)
{
	send_both(position, stiffness);
	turns(20);
}

/* @yaw: of the first joint; of the others it says nothing. */
static void send_yaw(const char *field, float yaw)
{
	struct bytes bytes = { .count = 0 };

	put_map(&bytes, 1);
	put_text(&bytes, field);
	put_array(&bytes, JOINTS);
	for (unsigned int i = 0; i < JOINTS; i++)
		put_float(&bytes, i ? NAN : yaw);
	assert_int_equal(send(fd, bytes.at, bytes.count, MSG_NOSIGNAL), bytes.count);
}

static void give_yaw(const char *field, float yaw)
{
	send_yaw(field, yaw);
	turns(1);
}

static unsigned int take_so(const char *name, bool is_exclusive, enum lease_end end)
{
	const struct lease_wish wish = {
		.names = &name,
		.count = 1,
		.end = end,
		.is_exclusive = is_exclusive,
	};
	struct naohw_error err;
	unsigned int id;

	if (lease_take(&party, &wish, &id, &err) < 0)
		fail_msg("%s", err.message);
	return id;
}

static unsigned int take(const char *name, bool is_exclusive)
{
	return take_so(name, is_exclusive, LEASE_HOLD);
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
	turns(20);
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

/* ---- when another program lets go ---- */

static void stream(float position, unsigned int cycles)
{
	while (cycles--) {
		send_both(position, 1);
		turns(1);
	}
}

static void hold_yaw(enum lease_end end, double seconds)
{
	const char *const name = "HeadYaw";
	const struct lease_wish wish = {
		.names = &name,
		.count = 1,
		.end = end,
		.seconds = seconds,
		.is_exclusive = true,
	};
	struct naohw_error err;
	unsigned int id;

	assert_int_equal(lease_take(&party, &wish, &id, &err), 0);
	lease_use(leases, NULL, YAW_POSITION);
	stage_set(YAW_POSITION, 1, 0);
	stream(0, 40);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 200);
	assert_int_equal(stage_stiffness(YAW), 1000);
}

/* By 1 rad/s, which is two counts in a cycle */
static void assert_returns(float position, int goal)
{
	for (int left = 200; stage_goal(YAW) != goal; left--) {
		int before = stage_goal(YAW);

		assert_true(left > 0);
		stream(position, 1);
		assert_in_range(abs(stage_goal(YAW) - before), 0, 3);
	}
}

/* [lola-29] */
static void a_dead_holders_end_comes_first(void **state)
{
	(void)state;
	turns(1);
	stream(0, 30);
	hold_yaw(LEASE_SOFTEN, 1);
	party_leave(&party);
	stream(0, 50);
	assert_in_range(stage_stiffness(YAW), 400, 600);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 200);
	stream(0, 48);
	assert_in_range(stage_stiffness(YAW), 0, 50);
	assert_in_range(stage_goal(YAW), STAGE_ZERO + 195, STAGE_ZERO + 200);
	stream(0, 20);
	assert_int_equal(stage_stiffness(YAW), 1000);
	assert_in_range(stage_goal(YAW), STAGE_ZERO + 150, STAGE_ZERO + 199);
	assert_returns(0, STAGE_ZERO);
	/* It has met the packets, and goes as they say from then on. */
	stream(0.4f, 12);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 80);
}

static void a_pose_of_its_end_is_reached(void **state)
{
	const char *const name = "HeadYaw";
	const double angle = 0.5;
	const struct lease_wish wish = {
		.names = &name,
		.count = 1,
		.end = LEASE_REST,
		.seconds = 1,
		.joints = &name,
		.angles = &angle,
		.joint_count = 1,
		.is_exclusive = true,
	};
	struct naohw_error err;
	unsigned int id;

	(void)state;
	turns(1);
	stream(0, 30);
	assert_int_equal(lease_take(&party, &wish, &id, &err), 0);
	stream(0, 2);
	party_leave(&party);
	stream(0, 110);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 100);
	stream(0, 310);
	assert_int_equal(stage_stiffness(YAW), 1000);
	assert_returns(0, STAGE_ZERO);
}

/* One packet is enough for that. */
static void what_is_let_go_returns_slowly(void **state)
{
	(void)state;
	turns(1);
	stream(0, 30);
	hold_yaw(LEASE_HOLD, 0);
	party_leave(&party);
	send_both(0.2f, 1);
	turns(50);
	assert_in_range(stage_goal(YAW), STAGE_ZERO + 90, STAGE_ZERO + 120);
	turns(40);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 40);
}

/* Where packets say more than it may, which is 2 rad, it meets them as far as it goes. */
static void what_is_beyond_a_limit_is_met_there(void **state)
{
	(void)state;
	turns(1);
	stream(0, 30);
	hold_yaw(LEASE_HOLD, 0);
	party_leave(&party);
	assert_returns(3, STAGE_ZERO + 400);
	stream(3, 30);
	stream(0, 20);
	assert_in_range(stage_goal(YAW), STAGE_ZERO + 200, STAGE_ZERO + 300);
}

/* One that is limp goes nowhere, either, and is not to jump when it is stiff. */
static void what_is_limp_meanwhile_returns_slowly(void **state)
{
	(void)state;
	turns(1);
	stream(0, 30);
	hold_yaw(LEASE_FREE, 0);
	party_leave(&party);
	for (int i = 0; i < 100; i++) {
		send_both(0, 0);
		turns(1);
	}
	/* But for the few steps that it is not left behind by */
	stream(0, 1);
	assert_in_range(stage_goal(YAW), STAGE_ZERO + 190, STAGE_ZERO + 200);
	assert_returns(0, STAGE_ZERO);
}

static void set_torque(const char *state)
{
	const char *word = strcmp(state, "stiff") == 0 ? "" : state;

	fake_device_set("HeadYaw", "torque_state", state);
	UNTIL(strcmp(stage_text("DCM/Guard/HeadYaw"), word) == 0, stream(0, 1));
}

/* Its servo has let go by itself, for an overload: it stands still, however stiff it is to be. */
static void what_has_no_torque_meanwhile_returns_slowly(void **state)
{
	(void)state;
	turns(1);
	stream(0, 30);
	hold_yaw(LEASE_HOLD, 0);
	party_leave(&party);
	set_torque("shut-down");
	stage.is_held[YAW] = true;
	stage.present[YAW] = STAGE_ZERO + 300;
	stream(0, 100);
	stage.is_held[YAW] = false;
	set_torque("stiff");
	assert_true(stage_goal(YAW) > STAGE_ZERO + 100);
	assert_returns(0, STAGE_ZERO);
}

/* It is another's again before it has met the packets. */
static void it_may_be_held_again_on_its_way(void **state)
{
	int goal;

	(void)state;
	turns(1);
	stream(0, 30);
	hold_yaw(LEASE_HOLD, 0);
	party_leave(&party);
	stream(0, 50);
	take("HeadYaw", true);
	stream(0, 1);
	goal = stage_goal(YAW);
	assert_in_range(goal, STAGE_ZERO + 80, STAGE_ZERO + 120);
	stream(0, 50);
	assert_in_range(stage_goal(YAW), goal - 5, goal);
}

static void it_stops_on_its_way_when_the_client_goes(void **state)
{
	int goal;

	(void)state;
	turns(1);
	stream(0, 30);
	hold_yaw(LEASE_HOLD, 0);
	party_leave(&party);
	stream(0, 50);
	go();
	turns(2);
	goal = stage_goal(YAW);
	assert_in_range(goal, STAGE_ZERO + 80, STAGE_ZERO + 120);
	turns(50);
	assert_int_equal(stage_goal(YAW), goal);
}

/* A program that shares joints with LoLA has not kept them from it, and takes none with it. */
static void what_was_shared_stays_its(void **state)
{
	(void)state;
	turns(1);
	stream(0, 30);
	take_so("HeadYaw", false, LEASE_FREE);
	party_leave(&party);
	stream(0.4f, 20);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 80);
	assert_int_equal(stage_stiffness(YAW), 1000);
}

/* ---- when it says nothing any more ---- */

/* From 1 to 0 within 3 s, a second after the last packet, which was 200 ms ago */
static void assert_softens(unsigned int joint)
{
	turns(70);
	assert_int_equal(stage_stiffness(joint), 1000);
	turns(180);
	assert_in_range(stage_stiffness(joint), 400, 470);
	turns(160);
	assert_int_equal(stage_stiffness(joint), 0);
}

/* [lola-25] */
static void joints_soften_when_it_is_silent(void **state)
{
	(void)state;
	turns(1);
	give(0.2f, 1);
	*said = '\0';
	assert_softens(YAW);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 40);
	assert_non_null(strstr(said, "no packet has come for 1 s: the joints go soft in 3 s"));
}

/* [lola-17] Until then who comes has to wait. */
static void one_that_is_silent_makes_way(void **state)
{
	int silent = fd, second;
	char byte;

	(void)state;
	turns(1);
	give(0.2f, 1);
	come();
	turns(70);
	assert_int_equal(recv(fd, &byte, 1, MSG_DONTWAIT), -1);
	turns(30);
	assert_int_equal(recv(fd, &byte, 1, MSG_DONTWAIT), 1);
	/* The second one only reads, and is not one that has gone silent. */
	second = fd;
	come();
	turns(30);
	assert_int_equal(recv(fd, &byte, 1, MSG_DONTWAIT), -1);
	close(silent);
	close(second);
}

/* [lola-25] Where it was on its way it holds meanwhile. */
static void joints_soften_when_it_has_gone(void **state)
{
	int goal;

	(void)state;
	turns(1);
	give(0, 1);
	send_both(1, 1);
	turns(5);
	go();
	turns(20);
	goal = stage_goal(YAW);
	assert_in_range(goal, STAGE_ZERO + 1, STAGE_ZERO + 150);
	assert_softens(YAW);
	assert_int_equal(stage_goal(YAW), goal);
}

/* Its commands do nothing to a robot at rest, and so has its end when it wakes up at once. */
static void who_speaks_at_rest_softens_nothing_afterwards(void **state)
{
	(void)state;
	give(0.1f, 1);
	assert_int_equal(naohw_dcm_rest(stage.dcm, NULL), 0);
	turns(400);
	give(0.2f, 1);
	go();
	assert_int_equal(naohw_dcm_wake_up(stage.dcm, NULL), 0);
	turns(600);
	assert_int_equal(stage_stiffness(YAW), 1000);
}

static void who_only_reads_has_none_to_soften(void **state)
{
	(void)state;
	stage_set(YAW_HARDNESS, 1, 0);
	turns(600);
	go();
	turns(600);
	assert_int_equal(stage_stiffness(YAW), 1000);
}

/* As a program does that looks who the robot is, or is started again and again. */
static void who_only_reads_keeps_no_others_stiff(void **state)
{
	(void)state;
	turns(1);
	give(0, 1);
	go();
	for (int i = 0; i < 10; i++) {
		come();
		turns(50);
		go();
	}
	assert_int_equal(stage_stiffness(YAW), 0);
}

static void assert_yaw_goes_on_when_it_goes(void)
{
	int goal;

	turns(10);
	go();
	turns(5);
	goal = stage_goal(YAW);
	turns(50);
	assert_true(stage_goal(YAW) > goal + 10);
}

static void nor_stops_what_another_program_moves(void **state)
{
	(void)state;
	turns(1);
	stage_set(YAW_HARDNESS, 1, 0);
	stage_set(YAW_POSITION, 1, 1000);
	assert_yaw_goes_on_when_it_goes();
}

/* Nor does one that has moved others. */
static void what_another_program_moves_goes_on_when_it_goes(void **state)
{
	(void)state;
	turns(1);
	give(0, 1);
	stage_set(YAW_POSITION, 1, 1000);
	lease_use(leases, NULL, YAW_POSITION);
	assert_yaw_goes_on_when_it_goes();
}

/* Either of its two actuators is enough for a joint; one that it has said nothing of is not its. */
static void only_its_own_joints_soften(void **state)
{
	(void)state;
	stage_set(YAW_HARDNESS, 1, 0);
	stage_set(PITCH_HARDNESS, 1, 0);
	turns(1);
	give_yaw("Position", 0.1f);
	turns(500);
	assert_int_equal(stage_stiffness(YAW), 0);
	assert_int_equal(stage_stiffness(PITCH), 1000);
}

static void an_empty_packet_is_one(void **state)
{
	const uint8_t empty_map = 0x80;

	(void)state;
	turns(1);
	give(0.2f, 1);
	for (int i = 0; i < 8; i++) {
		turns(60);
		assert_int_equal(send(fd, &empty_map, 1, MSG_NOSIGNAL), 1);
	}
	assert_int_equal(stage_stiffness(YAW), 1000);
}

/* As one does that was started anew */
static void who_comes_back_soon_has_them_stiff(void **state)
{
	(void)state;
	turns(1);
	give(0.2f, 1);
	go();
	turns(80);
	come();
	turns(2);
	give_yaw("Position", 0.1f);
	turns(80);
	give_yaw("Position", 0.1f);
	turns(80);
	assert_int_equal(stage_stiffness(YAW), 1000);
	assert_int_equal(stage_stiffness(PITCH), 1000);
}

static void who_comes_back_late_finds_them_as_they_are(void **state)
{
	int stiffness;

	(void)state;
	turns(1);
	give(0.2f, 1);
	go();
	turns(250);
	come();
	turns(2);
	give_yaw("Position", 0.1f);
	turns(1);
	stiffness = stage_stiffness(YAW);
	assert_in_range(stiffness, 400, 600);
	for (int i = 0; i < 20; i++) {
		turns(20);
		give_yaw("Position", 0.1f);
	}
	assert_int_equal(stage_stiffness(YAW), stiffness);
	/* Nor does what it has not taken up go on. */
	assert_int_equal(stage_stiffness(PITCH), stiffness);
	/* And it is watched over as before. */
	turns(500);
	assert_int_equal(stage_stiffness(YAW), 0);
	assert_int_equal(stage_stiffness(PITCH), 0);
}

/* naohwd was kept from its work, and its client was not. */
static void a_packet_that_waits_has_come(void **state)
{
	(void)state;
	turns(1);
	give(0.2f, 1);
	turns(70);
	stage_cycle_after(200);
	send_both(0.2f, 1);
	lola_cycle(lola);
	stage_cycles(1);
	assert_int_equal(stage_stiffness(YAW), 1000);
}

static void give_chest(void)
{
	struct bytes bytes = { .count = 0 };

	put_map(&bytes, 1);
	put_field(&bytes, "Chest", 3, 1);
	assert_int_equal(send(fd, bytes.at, bytes.count, MSG_NOSIGNAL), bytes.count);
	turns(2);
}

static void use(const char *name)
{
	lease_use(leases, NULL, name);
	stage_set(name, 0.5, 0);
	turns(1);
}

static void what_another_program_has_set_since_is_left_to_it(void **state)
{
	(void)state;
	turns(1);
	use(PITCH_POSITION);
	give(0.2f, 1);
	use(YAW_POSITION);
	turns(600);
	assert_int_equal(stage_stiffness(YAW), 1000);
	assert_int_equal(stage_stiffness(PITCH), 0);
}

static void give_nothing(void)
{
	const uint8_t empty_map = 0x80;

	assert_int_equal(send(fd, &empty_map, 1, MSG_NOSIGNAL), 1);
	turns(20);
}

/* It is there, as at a breakpoint, and says nothing of joints: what others set is theirs. */
static void what_is_set_while_it_says_nothing_is_left_to_others(void **state)
{
	(void)state;
	turns(1);
	give(0.2f, 1);
	give_nothing();
	use(YAW_POSITION);
	give_nothing();
	go();
	turns(600);
	assert_int_equal(stage_stiffness(YAW), 1000);
	assert_int_equal(stage_stiffness(PITCH), 0);
}

static void who_comes_back_and_says_nothing_leaves_none_stiff(void **state)
{
	(void)state;
	turns(1);
	give(0.2f, 1);
	turns(250);
	assert_in_range(stage_stiffness(YAW), 400, 600);
	give_nothing();
	go();
	turns(600);
	assert_int_equal(stage_stiffness(YAW), 0);
	assert_int_equal(stage_stiffness(PITCH), 0);
}

static void what_another_program_holds_is_left_to_it(void **state)
{
	(void)state;
	turns(1);
	give(0.2f, 1);
	take("HeadYaw", false);
	turns(600);
	assert_int_equal(stage_stiffness(YAW), 1000);
	assert_int_equal(stage_stiffness(PITCH), 0);
}

/* As a page that is played */
static void what_another_program_has_held_since_is_left_to_it(void **state)
{
	struct naohw_error err;
	unsigned int id;

	(void)state;
	turns(1);
	give(0.2f, 1);
	go();
	id = take("HeadYaw", true);
	turns(30);
	assert_int_equal(lease_release(&party, id, &err), 0);
	turns(600);
	assert_int_equal(stage_stiffness(YAW), 1000);
	assert_int_equal(stage_stiffness(PITCH), 0);
}

/* ---- a host that begins anew ---- */

static void begin_anew(void)
{
	uint32_t moved;

	lola_part(lola);
	moved = lola_moved(lola);
	lola_close(lola);
	leases_free(leases);
	close(fd);
	fd = -1;
	serve();
	lola_have_moved(lola, moved);
}

static void who_does_not_come_back_leaves_none_stiff(void **state)
{
	(void)state;
	turns(1);
	give(0.2f, 1);
	begin_anew();
	turns(20);
	assert_softens(YAW);
}

/* The third of a cycle's packets waits for the next one. */
static void what_waits_leaves_none_stiff_either(void **state)
{
	(void)state;
	turns(1);
	send_yaw("Stiffness", 1);
	send_yaw("Stiffness", 1);
	send_both(0.2f, 1);
	turns(0);
	begin_anew();
	turns(20);
	assert_softens(PITCH);
}

/* Also those that are not in its packet. */
static void who_comes_back_has_them_as_before(void **state)
{
	(void)state;
	turns(1);
	give(0.2f, 1);
	begin_anew();
	come();
	turns(50);
	for (int i = 0; i < 10; i++) {
		give_yaw("Position", 0.1f);
		turns(50);
	}
	assert_int_equal(stage_stiffness(YAW), 1000);
	assert_int_equal(stage_stiffness(PITCH), 1000);
	go();
	turns(500);
	assert_int_equal(stage_stiffness(PITCH), 0);
}

static void what_was_going_soft_goes_on(void **state)
{
	(void)state;
	turns(1);
	give(0.2f, 1);
	go();
	turns(250);
	begin_anew();
	assert_in_range(stage_stiffness(YAW), 1, 999);
	turns(500);
	assert_int_equal(stage_stiffness(YAW), 0);
}

static void what_was_soft_or_anothers_is_left_to_others(void **state)
{
	(void)state;
	turns(1);
	give(0.2f, 1);
	use(YAW_HARDNESS);
	assert_int_equal(lola_moved(lola) & 1, 0);
	assert_int_not_equal(lola_moved(lola), 0);
	go();
	turns(500);
	assert_int_equal(lola_moved(lola), 0);
}

/* What a program held, which does not come back. */
static void what_its_client_uses_is_not_brought_to_an_end(void **state)
{
	struct owed *owed;

	(void)state;
	turns(1);
	give(0.2f, 1);
	take_so("HeadYaw", true, LEASE_FREE);
	take_so("HeadPitch", true, LEASE_FREE);
	leases_only_hold(leases);
	party_leave(&party);
	owed = leases_owed(leases);
	begin_anew();
	leases_owe(leases, owed);
	come();
	turns(1);
	for (int i = 0; i < 10; i++) {
		give_yaw("Position", 0.1f);
		for (int j = 0; j < 50; j++) {
			turns(1);
			leases_cycle(leases);
		}
	}
	assert_int_equal(stage_stiffness(YAW), 1000);
	assert_int_equal(stage_stiffness(PITCH), 0);
}

/* What was set later holds, though it softens. */
static void what_is_set_behind_its_end_holds(void **state)
{
	(void)state;
	turns(1);
	give(0.2f, 1);
	turns(300);
	use(YAW_HARDNESS);
	turns(300);
	assert_near(stage_stiffness(YAW), 500, 1);
	/* It comes back, and has said nothing of it yet. */
	give_chest();
	assert_near(stage_stiffness(YAW), 500, 1);
}

static void end_is(enum lease_end how, double seconds)
{
	const struct lola_end end = { .how = how, .seconds = seconds };

	lola_obey(lola, leases, &end);
}

static void they_may_hold(void **state)
{
	(void)state;
	end_is(LEASE_HOLD, 0);
	turns(1);
	give(0.2f, 1);
	turns(600);
	go();
	turns(600);
	assert_int_equal(stage_stiffness(YAW), 1000);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 40);
}

/* [lola-17] Whatever becomes of joints, and also if it has moved none */
static void who_is_silent_makes_way_there_too(void **state)
{
	int silent = fd;
	char byte;

	(void)state;
	end_is(LEASE_HOLD, 0);
	turns(1);
	give(0.2f, 1);
	come();
	turns(70);
	assert_int_equal(recv(fd, &byte, 1, MSG_DONTWAIT), -1);
	turns(30);
	assert_int_equal(recv(fd, &byte, 1, MSG_DONTWAIT), 1);
	assert_int_equal(stage_stiffness(YAW), 1000);
	close(silent);
	silent = fd;
	give_nothing();
	come();
	turns(130);
	assert_int_equal(recv(fd, &byte, 1, MSG_DONTWAIT), 1);
	close(silent);
}

static void they_may_be_free(void **state)
{
	(void)state;
	end_is(LEASE_FREE, 0);
	turns(1);
	give(0.2f, 1);
	turns(78);
	assert_int_equal(stage_stiffness(YAW), 1000);
	turns(4);
	assert_int_equal(stage_stiffness(YAW), 0);
}

static void they_may_take_another_time(void **state)
{
	(void)state;
	end_is(LEASE_SOFTEN, 0.5);
	turns(1);
	give(0.2f, 1);
	turns(105);
	assert_in_range(stage_stiffness(YAW), 400, 600);
	turns(30);
	assert_int_equal(stage_stiffness(YAW), 0);
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
		LEASE_TEST(a_dead_holders_end_comes_first),
		LEASE_TEST(a_pose_of_its_end_is_reached),
		LEASE_TEST(what_is_let_go_returns_slowly),
		LEASE_TEST(what_is_beyond_a_limit_is_met_there),
		LEASE_TEST(what_is_limp_meanwhile_returns_slowly),
		LEASE_TEST(what_has_no_torque_meanwhile_returns_slowly),
		LEASE_TEST(it_may_be_held_again_on_its_way),
		LEASE_TEST(it_stops_on_its_way_when_the_client_goes),
		LEASE_TEST(what_was_shared_stays_its),
		LEASE_TEST(joints_soften_when_it_is_silent),
		LEASE_TEST(one_that_is_silent_makes_way),
		LEASE_TEST(joints_soften_when_it_has_gone),
		LEASE_TEST(who_speaks_at_rest_softens_nothing_afterwards),
		LEASE_TEST(who_only_reads_has_none_to_soften),
		LEASE_TEST(who_only_reads_keeps_no_others_stiff),
		LEASE_TEST(nor_stops_what_another_program_moves),
		LEASE_TEST(what_another_program_moves_goes_on_when_it_goes),
		LEASE_TEST(only_its_own_joints_soften),
		LEASE_TEST(an_empty_packet_is_one),
		LEASE_TEST(who_comes_back_soon_has_them_stiff),
		LEASE_TEST(who_comes_back_late_finds_them_as_they_are),
		LEASE_TEST(a_packet_that_waits_has_come),
		LEASE_TEST(what_another_program_has_set_since_is_left_to_it),
		LEASE_TEST(what_is_set_while_it_says_nothing_is_left_to_others),
		LEASE_TEST(who_comes_back_and_says_nothing_leaves_none_stiff),
		LEASE_TEST(what_another_program_holds_is_left_to_it),
		LEASE_TEST(what_another_program_has_held_since_is_left_to_it),
		LEASE_TEST(what_is_set_behind_its_end_holds),
		LEASE_TEST(who_does_not_come_back_leaves_none_stiff),
		LEASE_TEST(what_waits_leaves_none_stiff_either),
		LEASE_TEST(who_comes_back_has_them_as_before),
		LEASE_TEST(what_was_going_soft_goes_on),
		LEASE_TEST(what_was_soft_or_anothers_is_left_to_others),
		LEASE_TEST(what_its_client_uses_is_not_brought_to_an_end),
		LEASE_TEST(they_may_hold),
		LEASE_TEST(who_is_silent_makes_way_there_too),
		LEASE_TEST(they_may_be_free),
		LEASE_TEST(they_may_take_another_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
