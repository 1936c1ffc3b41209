// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * LoLA's server at a DCM whose cycles the test has, with clients as what is known of NAO's programs
 * has them: what they get, what becomes of what they send, and how they come and go.
 */
#include "dcm_stage.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "../naohwd/lola/actuators.h"
#include "../naohwd/lola/lola.h"
#include "fake_iio.h"
#include "lola_bytes.h"

#define PACKET_SIZE 896
#define JOINTS	    25
/* A joint's in a client's arrays */
#define HEAD_YAW   0
#define HEAD_PITCH 1

static struct loop *loop;
static struct lola *lola;
static struct leases *leases;
static struct listen_settings settings[2];
static char directory[] = "/tmp/naohw-lola-XXXXXX";
static char path[64], second_path[64];
static uint8_t packet[PACKET_SIZE];

/* ---- the log ---- */

static char said[4096];

void __wrap_log_line(const char *format, ...);

void __wrap_log_line(const char *format, ...)
{
	size_t used = strlen(said);
	va_list args;

	va_start(args, format);
	vsnprintf(said + used, sizeof(said) - used, format, args);
	va_end(args);
}

static void assert_said(const char *what)
{
	if (!strstr(said, what))
		fail_msg("said '%s', expected '%s'", said, what);
	*said = '\0';
}

/* ---- a process that has no descriptor left for a client ---- */

static bool is_full;

int __real_accept4(int fd, struct sockaddr *address, socklen_t *size, int flags);
int __wrap_accept4(int fd, struct sockaddr *address, socklen_t *size, int flags);

int __wrap_accept4(int fd, struct sockaddr *address, socklen_t *size, int flags)
{
	if (!is_full)
		return __real_accept4(fd, address, size, flags);
	errno = EMFILE;
	return -1;
}

/* ---- packets that are taken ---- */

static unsigned int given;

int __real_lola_orders_give(struct lola_orders *orders, const struct lola_actuators *actuators,
			    struct naohw_error *err);
int __wrap_lola_orders_give(struct lola_orders *orders, const struct lola_actuators *actuators,
			    struct naohw_error *err);

int __wrap_lola_orders_give(struct lola_orders *orders, const struct lola_actuators *actuators,
			    struct naohw_error *err)
{
	given++;
	return __real_lola_orders_give(orders, actuators, err);
}

/* ---- the server ---- */

static void open_server(void)
{
	static const struct lola_end end = { .how = LEASE_HOLD };
	struct naohw_error err;

	if (loop_new(&loop, &err) < 0 ||
	    leases_new(stage.robot, stage.dcm, &leases, &err) < 0 ||
	    lola_open(loop, stage.dcm, settings, 2, &lola, &err) < 0)
		fail_msg("%s", err.message);
	lola_obey(lola, leases, &end);
}

static int setup(void **state)
{
	(void)state;
	strcpy(directory + strlen(directory) - 6, "XXXXXX");
	assert_non_null(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/lola", directory);
	snprintf(second_path, sizeof(second_path), "%s/second", directory);
	for (int i = 0; i < 2; i++)
		settings[i] = (struct listen_settings){
			.path = i ? second_path : path,
			.mode = 0600,
			.group = (gid_t)-1,
		};
	stage_open("", NULL);
	stage_cycles(1);
	open_server();
	*said = '\0';
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	lola_close(lola);
	leases_free(leases);
	loop_free(loop);
	lola = NULL;
	leases = NULL;
	loop = NULL;
	if (stage.dcm)
		stage_close();
	(void)unlink(path);
	return rmdir(directory);
}

/* The loop has nothing more to do. */
static void settle(void)
{
	while (loop_once(loop, 0))
		;
}

static void turn_after(int64_t ms)
{
	stage_cycle_after(ms);
	leases_cycle(leases);
	lola_cycle(lola);
	settle();
}

static void turns(unsigned int count)
{
	while (count--)
		turn_after(10);
}

/* What another thread does is not done at once. */
#define EVENTUALLY(condition) UNTIL(condition, turns(1))

/* ---- a client ---- */

static int connect_to(const char *where)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", where);
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0)
		return fd;
	close(fd);
	return -1;
}

/* It is let in when the next cycle has found that there is none. */
static int new_client(void)
{
	int fd = connect_to(path);

	assert_true(fd >= 0);
	turns(1);
	return fd;
}

/* One packet, with one recv() as clients do it; else that there is none. */
static bool read_packet(int fd)
{
	ssize_t size = recv(fd, packet, PACKET_SIZE, MSG_DONTWAIT);

	if (size < 0 && errno == EAGAIN)
		return false;
	assert_int_equal(size, PACKET_SIZE);
	return true;
}

static double found(const char *name, unsigned int index)
{
	return float_of(packet, PACKET_SIZE, name, index);
}

static void give(int fd, const struct bytes *bytes)
{
	assert_int_equal(send(fd, bytes->at, bytes->count, MSG_NOSIGNAL), bytes->count);
	settle();
}

static void give_both(int fd, float position, float stiffness)
{
	struct bytes bytes = { .count = 0 };

	put_map(&bytes, 2);
	put_field(&bytes, "Position", JOINTS, position);
	put_field(&bytes, "Stiffness", JOINTS, stiffness);
	give(fd, &bytes);
}

static void give_one(int fd, const char *name, float value)
{
	struct bytes bytes = { .count = 0 };

	put_map(&bytes, 1);
	put_field(&bytes, name, JOINTS, value);
	give(fd, &bytes);
}

/* The connection has ended, whatever was sent before. */
static bool has_ended(int fd)
{
	for (;;) {
		ssize_t size = recv(fd, packet, PACKET_SIZE, MSG_DONTWAIT);

		if (size == 0 || (size < 0 && errno == ECONNRESET))
			return true;
		if (size < 0)
			return false;
	}
}

/* ---- what it gets ---- */

/* [lola-1] [lola-5] */
static void a_client_gets_a_packet_in_each_cycle(void **state)
{
	int fd = new_client();

	(void)state;
	assert_said("a client has come");
	assert_false(read_packet(fd));
	for (int i = 0; i < 5; i++) {
		assert_false(read_packet(fd));
		turns(1);
		assert_true(read_packet(fd));
	}
	assert_near(found("Position", HEAD_YAW), (STAGE_START - STAGE_ZERO) * STAGE_COUNT, 1e-6);
	assert_near(found("Position", HEAD_PITCH), (STAGE_START - STAGE_ZERO) * STAGE_COUNT, 1e-6);
	for (unsigned int i = 2; i < JOINTS; i++)
		assert_near(found("Position", i), 0, 0);
	close(fd);
}

/* [lola-6] */
static void a_battery_that_is_charged_says_so(void **state)
{
	int fd = new_client();

	(void)state;
	stage.current = 20;
	turns(1);
	assert_true(read_packet(fd));
	assert_near(found("Battery", 2), -2, 1e-5);
	assert_int_equal((int)found("Battery", 1) & 0x80, 0);
	assert_int_equal((int)found("Battery", 1) & 0x20, 0x20);
	stage.current = -10;
	turns(1);
	assert_true(read_packet(fd));
	assert_near(found("Battery", 2), 1, 1e-5);
	assert_int_equal((int)found("Battery", 1) & 0x80, 0x80);
	assert_int_equal((int)found("Battery", 1) & 0x20, 0);
	close(fd);
}

/* [lola-19] */
static void one_that_does_not_read_misses_whole_packets(void **state)
{
	int fd = new_client();
	unsigned int read = 0;

	(void)state;
	turns(1000);
	assert_said("does not read");
	while (read_packet(fd))
		read++;
	assert_in_range(read, 1, 999);
	turns(1);
	assert_true(read_packet(fd));
	assert_false(read_packet(fd));
	close(fd);
}

/* ---- what it sends ---- */

static void it_moves_joints_no_faster_than_they_may(void **state)
{
	int fd = new_client();

	(void)state;
	give_both(fd, 0.2f, 1);
	turns(1);
	assert_int_equal(stage_stiffness(YAW), 1000);
	assert_in_range(stage_goal(YAW), STAGE_START, STAGE_START + 8);
	turns(9);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 40);
	assert_int_equal(stage_goal(PITCH), STAGE_ZERO + 40);
	while (read_packet(fd))
		;
	assert_near(found("Position", HEAD_YAW), 0.2, 1e-6);
	assert_near(found("Stiffness", HEAD_YAW), 1, 1e-6);
	assert_near(found("Stiffness", 2), 0, 0);
	close(fd);
}

/* [lola-24] However the cycle falls into its being taken. */
static void all_of_a_packet_is_of_one_cycle(void **state)
{
	int fd = new_client();

	(void)state;
	turns(1);
	give_both(fd, 0.2f, 1);
	assert_int_equal(atomic_load(&stage.host->mailbox.count), 1);
	turns(1);
	/* In others, too, where packets have other fields in turn */
	for (int i = 0; i < 4; i++) {
		give_one(fd, i % 2 ? "Position" : "Stiffness", 0.5f);
		assert_int_equal(atomic_load(&stage.host->mailbox.count), 1);
		turns(1);
	}
	turns(40);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 100);
	assert_near(stage_stiffness(YAW), 500, 1);
	close(fd);
}

/* [lola-12] [lola-13] */
static void what_it_says_nothing_of_stays(void **state)
{
	int fd = new_client();

	(void)state;
	give_both(fd, 0.2f, 1);
	turns(10);
	give_one(fd, "Stiffness", 0.5f);
	turns(2);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 40);
	assert_near(stage_stiffness(YAW), 500, 1);
	give_one(fd, "Position", 0.1f);
	turns(10);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 20);
	assert_near(stage_stiffness(YAW), 500, 1);
	give_one(fd, "Stiffness", -1);
	turns(2);
	assert_int_equal(stage_stiffness(YAW), -1000);
	close(fd);
}

static void what_is_beyond_a_limit_is_brought_to_it(void **state)
{
	int fd = new_client();

	(void)state;
	give_both(fd, 9, 9);
	turns(60);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 400);
	assert_int_equal(stage_stiffness(YAW), 1000);
	close(fd);
}

/* [lola-16] */
static void a_packet_may_come_in_pieces_of_several_cycles(void **state)
{
	struct bytes bytes = { .count = 0 };
	int fd = new_client();

	(void)state;
	give_one(fd, "Stiffness", 1);
	put_map(&bytes, 1);
	put_field(&bytes, "Position", JOINTS, 0.2f);
	for (size_t i = 0; i < bytes.count; i++) {
		assert_int_equal(send(fd, bytes.at + i, 1, 0), 1);
		settle();
		turns(i % 8 == 0);
		assert_int_equal(stage_goal(YAW), STAGE_START);
	}
	turns(10);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 40);
	close(fd);
}

static void more_packets_than_a_cycle_takes_wait_for_the_next(void **state)
{
	struct bytes bytes = { .count = 0 };
	int fd = new_client();

	(void)state;
	turns(1);
	for (int i = 0; i < 40; i++) {
		put_map(&bytes, 1);
		put_field(&bytes, "Stiffness", JOINTS, (float)(i + 1) / 40);
	}
	give(fd, &bytes);
	assert_int_equal(atomic_load(&stage.host->mailbox.count), 2);
	turns(2);
	assert_near(stage_stiffness(YAW), 400, 1);
	turns(3);
	assert_int_equal(stage_stiffness(YAW), 1000);
	close(fd);
}

static void give_sonar(int fd, bool left, bool right)
{
	struct bytes bytes = { .count = 0 };

	put_map(&bytes, 1);
	put_text(&bytes, "Sonar");
	put_array(&bytes, 2);
	put_flag(&bytes, left);
	put_flag(&bytes, right);
	give(fd, &bytes);
}

static bool is_sonar(const char *mode)
{
	return strcmp(fake_device_get("HeadYaw", "sonar_mode"), mode) == 0;
}

/* [lola-21] */
/* A letter a cycle, in the long run: what the DCM takes besides is for others. */
static void a_flood_is_a_packet_a_cycle(void **state)
{
	const uint64_t before = mailbox_left(&stage.host->mailbox);
	uint64_t letters;
	int fd = new_client();

	(void)state;
	for (int cycle = 0; cycle < 20; cycle++) {
		for (int i = 0; i < 16; i++)
			give_one(fd, i % 2 ? "Position" : "Stiffness", i % 2 ? 0.1f : 0.5f);
		turns(1);
	}
	letters = mailbox_left(&stage.host->mailbox) - before;
	/* One sets the period. */
	assert_in_range(letters, 20, 23);
	give_both(fd, 0.2f, 1);
	turns(20);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 40);
	assert_int_equal(stage_stiffness(YAW), 1000);
	close(fd);
}

/* Two fall into one cycle, and none into the next. */
static void a_packet_that_comes_late_waits_for_nothing(void **state)
{
	int fd = new_client();

	(void)state;
	turns(2);
	give_one(fd, "Stiffness", 0.5f);
	give_one(fd, "Position", 0.1f);
	assert_int_equal(atomic_load(&stage.host->mailbox.count), 2);
	turns(1);
	give_one(fd, "Stiffness", 0.6f);
	assert_int_equal(atomic_load(&stage.host->mailbox.count), 1);
	close(fd);
}

/* What has not been given yet when it goes is its last will. */
static void nothing_of_a_flood_is_lost_when_it_goes(void **state)
{
	int fd = new_client();

	(void)state;
	give_both(fd, 0, 1);
	turns(60);
	for (int i = 0; i < 5; i++)
		give_one(fd, "Stiffness", 0.9f - 0.1f * (float)i);
	close(fd);
	turns(5);
	assert_near(stage_stiffness(YAW), 500, 1);
}

static void the_sonar_goes_on_until_both_are_off(void **state)
{
	unsigned int writes;
	int fd = new_client();

	(void)state;
	give_sonar(fd, false, false);
	turns(5);
	assert_true(is_sonar("0"));
	give_sonar(fd, true, false);
	EVENTUALLY(is_sonar("68"));
	writes = fake_device_writes("HeadYaw", "sonar_mode");
	give_sonar(fd, true, true);
	turns(5);
	usleep(20000);
	assert_int_equal(fake_device_writes("HeadYaw", "sonar_mode"), writes);
	give_sonar(fd, false, false);
	EVENTUALLY(is_sonar("4"));
	close(fd);
}

/* ---- how it goes ---- */

/* [lola-20] In the middle of a way */
static void joints_hold_when_it_goes(void **state)
{
	int fd = new_client(), goal;

	(void)state;
	give_both(fd, 1, 1);
	turns(4);
	close(fd);
	settle();
	turns(2);
	assert_said("closed the connection");
	goal = stage_goal(YAW);
	assert_in_range(goal, STAGE_START + 8, STAGE_ZERO + 100);
	turns(20);
	assert_int_equal(stage_goal(YAW), goal);
	assert_int_equal(stage_stiffness(YAW), 1000);
}

static void its_sonar_goes_with_it(void **state)
{
	unsigned int writes;
	int fd = new_client();

	(void)state;
	give_sonar(fd, true, true);
	EVENTUALLY(is_sonar("68"));
	close(fd);
	settle();
	EVENTUALLY(is_sonar("4"));
	/* The next one's is on when it says so, and one that never had it on does nothing to it. */
	fd = new_client();
	give_sonar(fd, true, true);
	EVENTUALLY(is_sonar("68"));
	close(fd);
	settle();
	EVENTUALLY(is_sonar("4"));
	writes = fake_device_writes("HeadYaw", "sonar_mode");
	close(new_client());
	turns(5);
	usleep(20000);
	assert_int_equal(fake_device_writes("HeadYaw", "sonar_mode"), writes);
}

/* [lola-20] */
static void all_stays_while_it_is_silent(void **state)
{
	int fd = new_client();

	(void)state;
	give_both(fd, 0.1f, 1);
	for (int i = 0; i < 200; i++) {
		turns(1);
		assert_true(read_packet(fd));
	}
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 20);
	assert_int_equal(stage_stiffness(YAW), 1000);
	close(fd);
}

static void put_both(struct bytes *bytes, float position, float stiffness)
{
	put_map(bytes, 2);
	put_field(bytes, "Position", JOINTS, position);
	put_field(bytes, "Stiffness", JOINTS, stiffness);
}

/* [lola-28] naohwd sends it a packet before it has read what it sent last, and finds that it has gone. */
static void what_it_sends_before_it_closes_holds(void **state)
{
	int fd = new_client();

	(void)state;
	give_both(fd, 0.2f, 1);
	turns(10);
	for (int packets = 1; packets <= 40; packets += 39) {
		struct bytes bytes = { .count = 0 };

		for (int i = 0; i < packets; i++) {
			float stiffness = i == packets - 1 ? 0 : 0.5f;

			bytes.count = 0;
			put_both(&bytes, 0.2f, stiffness);
			assert_int_equal(send(fd, bytes.at, bytes.count, 0), bytes.count);
		}
		close(fd);
		stage_cycles(1);
		lola_cycle(lola);
		turns(2);
		assert_said("closed the connection");
		assert_int_equal(stage_stiffness(YAW), 0);
		fd = new_client();
		give_both(fd, 0.2f, 1);
		turns(10);
		assert_int_equal(stage_stiffness(YAW), 1000);
	}
	close(fd);
}

/* All that a socket holds, of maps that say nothing: no cycle is kept by them. */
static void what_it_sends_before_it_closes_is_read_in_parts(void **state)
{
	struct bytes last = { .count = 0 };
	uint8_t empty[20000];
	int fd = new_client();

	(void)state;
	give_both(fd, 0.2f, 1);
	turns(10);
	memset(empty, 0x80, sizeof(empty));
	put_both(&last, 0.2f, 0);
	assert_int_equal(send(fd, empty, sizeof(empty), MSG_NOSIGNAL), sizeof(empty));
	assert_int_equal(send(fd, last.at, last.count, MSG_NOSIGNAL), last.count);
	close(fd);
	for (int left = 50; !strstr(said, "closed the connection"); left--) {
		assert_true(left > 0);
		given = 0;
		turns(1);
		assert_in_range(given, 0, 2000);
	}
	turns(2);
	assert_int_equal(stage_stiffness(YAW), 0);
}

/* It connects, sends, and has gone before naohwd looks. */
static void send_and_go(float position, float stiffness)
{
	struct bytes bytes = { .count = 0 };
	int fd = connect_to(path);

	put_both(&bytes, position, stiffness);
	assert_true(fd >= 0);
	assert_int_equal(send(fd, bytes.at, bytes.count, MSG_NOSIGNAL), bytes.count);
	close(fd);
}

/* [lola-28] */
static void one_that_only_sends_is_obeyed(void **state)
{
	int fd;

	(void)state;
	turns(1);
	send_and_go(0.2f, 1);
	turns(5);
	assert_int_equal(stage_stiffness(YAW), 1000);
	/* Also one that comes when another one has just gone */
	fd = new_client();
	close(fd);
	settle();
	send_and_go(0.2f, 0);
	turns(5);
	assert_int_equal(stage_stiffness(YAW), 0);
}

/* [lola-17] */
static void one_that_hangs_up_while_it_waits_is_not_read(void **state)
{
	int first = new_client(), live;

	(void)state;
	for (int i = 0; i < 30; i++)
		send_and_go(0.2f, 1);
	live = connect_to(path);
	assert_true(live >= 0);
	turns(5);
	assert_false(has_ended(first));
	*said = '\0';
	close(first);
	settle();
	assert_said("clients that hung up while they waited, and were not read: 30");
	/* Nor is the one behind them kept by them. */
	turns(2);
	assert_true(read_packet(live));
	assert_int_equal(stage_stiffness(YAW), 0);
	assert_int_equal(stage_goal(YAW), STAGE_START);
	/* Nor does it have to go for such clients when it is silent. */
	give_both(live, 0.2f, 1);
	turns(120);
	send_and_go(0.1f, 1);
	turns(10);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 40);
	assert_false(has_ended(live));
	close(live);
}

/* [lola-17] As nc -U does behind a pager, or as long as it is stopped */
static void one_that_neither_reads_nor_sends_makes_way(void **state)
{
	int stuck = new_client(), second = -1;

	(void)state;
	second = connect_to(path);
	assert_true(second >= 0);
	turns(50);
	assert_false(read_packet(second));
	UNTIL(read_packet(second), turns(50));
	assert_said("it neither reads nor sends, and another one waits");
	assert_true(has_ended(stuck));
	close(stuck);
	close(second);
}

/* [lola-17] */
static void one_that_only_reads_does_not(void **state)
{
	int reader = new_client(), second = connect_to(path);

	(void)state;
	for (int i = 0; i < 1000; i++) {
		turns(1);
		assert_true(read_packet(reader));
	}
	assert_false(read_packet(second));
	close(reader);
	close(second);
}

static unsigned int times_said(const char *what)
{
	unsigned int times = 0;

	for (const char *at = said; (at = strstr(at, what)); at++)
		times++;
	return times;
}

/* naohwd tries again in each cycle. */
static void that_none_can_come_in_is_said_once_a_minute(void **state)
{
	static const char why[] = "/lola: a client cannot come in: Too many open files";
	int fd = connect_to(path);

	(void)state;
	assert_true(fd >= 0);
	is_full = true;
	turns(20);
	assert_int_equal(times_said(why), 1);
	*said = '\0';
	stage_cycle_after(60000);
	turns(1);
	is_full = false;
	assert_said("Too many open files, refused since this was said last 19");
	turns(1);
	assert_said("a client has come");
	close(fd);
}

/* [lola-18] */
static void it_may_come_again_and_again(void **state)
{
	(void)state;
	for (int i = 0; i < 10; i++) {
		int fd = new_client();

		turns(1);
		assert_true(read_packet(fd));
		close(fd);
		settle();
	}
}

/* What it has not sent as a whole is not continued by the next one. */
static void nothing_is_left_of_one_for_the_next(void **state)
{
	struct bytes bytes = { .count = 0 };
	int fd = new_client();

	(void)state;
	put_map(&bytes, 1);
	put_field(&bytes, "Position", JOINTS, 1);
	bytes.count -= 7;
	give(fd, &bytes);
	close(fd);
	settle();
	fd = new_client();
	give_both(fd, 0.1f, 1);
	turns(10);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 20);
	close(fd);
}

/* [lola-17] */
static void another_one_waits_until_it_has_gone(void **state)
{
	int first = new_client(), second = new_client();

	(void)state;
	turns(3);
	assert_true(read_packet(first));
	assert_false(read_packet(second));
	close(first);
	settle();
	turns(1);
	assert_false(read_packet(second));
	turns(1);
	assert_true(read_packet(second));
	assert_false(read_packet(second));
	close(second);
}

/* [lola-17] Whichever path it has come by */
static void so_does_one_at_another_path(void **state)
{
	int first = new_client(), second = connect_to(second_path);

	(void)state;
	assert_true(second >= 0);
	turns(3);
	assert_true(read_packet(first));
	assert_false(read_packet(second));
	close(first);
	settle();
	*said = '\0';
	turns(2);
	assert_said("/second: a client has come");
	assert_true(read_packet(second));
	close(second);
	settle();
	assert_said("/second: the client is let go");
	lola_close(lola);
	lola = NULL;
	assert_int_equal(access(path, F_OK), -1);
	assert_int_equal(access(second_path, F_OK), -1);
}

static double beat(void)
{
	return atof(fake_device_get("dxl0-cycle", "sampling_frequency"));
}

/* [lola-3] */
static void the_period_is_12_ms_while_it_is_there(void **state)
{
	int fd;

	(void)state;
	assert_near(beat(), 100, 1e-3);
	fd = new_client();
	/* In much less time than is the bus's for that */
	UNTIL(fabs(beat() - 1000.0 / 12) < 1e-2, turn_after(1));
	close(fd);
	settle();
	/* The next one comes before it is what it was, and goes. */
	close(new_client());
	settle();
	/* All that was said in between is over. */
	turns(3);
	usleep(20000);
	UNTIL(fabs(beat() - 100) < 1e-3, turn_after(1));
}

/* [lola-22] */
static void garbage_ends_it_and_moves_nothing(void **state)
{
	static const struct {
		const char *bytes;
		size_t size;
		const char *message;
	} bad[] = {
		{ "GET / HTTP/1.1\r\n\r\n", 18, "a number, expected a map" },
		{ "\x81\xa8Velocity", 10, "\"Velocity\": no field is called so" },
		{ "\x81\xa8Position\xdc\x00\x18", 13, "Position has 24 values, expected 25" },
		{ "\xdf\xff\xff\xff\xff", 5, "a map of 4294967295 fields" },
		{ "\xc1", 1, "not of this format" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const struct bytes none = { .count = 0 };
		int fd = new_client();

		turns(1);
		*said = '\0';
		assert_int_equal(send(fd, bad[i].bytes, bad[i].size, 0), bad[i].size);
		give(fd, &none);
		assert_true(has_ended(fd));
		assert_said(bad[i].message);
		close(fd);
		turns(2);
		assert_int_equal(stage_goal(YAW), STAGE_START);
		assert_int_equal(stage_stiffness(YAW), 0);
	}
}

static void put_garbage(struct bytes *bytes, const char *name)
{
	static const float numbers[] = { NAN, -NAN, INFINITY, -INFINITY, 1e30f, -11, 1e-41f };

	put_text(bytes, name);
	put_array(bytes, JOINTS);
	for (unsigned int i = 0; i < JOINTS; i++)
		put_float(bytes, numbers[i % 7]);
}

/* [lola-23] As a program's first packets may be, whose numbers are not set yet */
static void a_number_that_is_none_moves_nothing_and_ends_nothing(void **state)
{
	int fd = new_client();

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct bytes bytes = { .count = 0 };

		put_map(&bytes, 2);
		put_garbage(&bytes, "Stiffness");
		put_garbage(&bytes, "Position");
		give(fd, &bytes);
		turns(1);
		assert_true(read_packet(fd));
	}
	assert_said("such values of the client's are passed over: Stiffness, value 1 of 25 is nan");
	assert_int_equal(*said, 0);
	assert_int_equal(stage_stiffness(YAW), 0);
	assert_int_equal(stage_goal(YAW), STAGE_START);
	give_both(fd, 0.2f, 1);
	turns(10);
	assert_int_equal(stage_stiffness(YAW), 1000);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 40);
	close(fd);
}

/* [lola-23] nao_lola's may be so for as long as a user has not said where each joint is to be. */
static void those_beside_it_hold(void **state)
{
	struct bytes bytes = { .count = 0 };
	int fd = new_client();

	(void)state;
	give_both(fd, 0.2f, 1);
	turns(2);
	put_map(&bytes, 1);
	put_text(&bytes, "Position");
	put_array(&bytes, JOINTS);
	for (unsigned int i = 0; i < JOINTS; i++)
		put_float(&bytes, i == HEAD_PITCH ? 0.1f : NAN);
	give(fd, &bytes);
	turns(10);
	/* That one is still on its way to where it was sent before. */
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 40);
	assert_int_equal(stage_goal(PITCH), STAGE_ZERO + 20);
	/* Not to 0 either, by what is less than the smallest number: others have joint 0 and 1. */
	give_one(fd, "Position", 1e-41f);
	turns(10);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 40);
	close(fd);
}

static void it_is_let_go_at_the_end(void **state)
{
	int fd = new_client();

	(void)state;
	give_both(fd, 0.1f, 1);
	turns(10);
	lola_close(lola);
	lola = NULL;
	assert_true(has_ended(fd));
	assert_int_equal(access(path, F_OK), -1);
	stage_cycles(5);
	assert_int_equal(stage_stiffness(YAW), 1000);
	close(fd);
}

/* ---- the socket ---- */

static void its_socket_has_its_mode(void **state)
{
	struct stat info;

	(void)state;
	assert_int_equal(stat(path, &info), 0);
	assert_int_equal(info.st_mode & 0777, 0600);
}

static void two_do_not_listen_at_one_path(void **state)
{
	struct naohw_error err;
	int fd;

	(void)state;
	assert_int_equal(listen_open(&settings[0], &fd, &err), -EADDRINUSE);
	assert_says(&err, "another program listens there");
	/* Who has asked has gone again, and the first one listens on. */
	settle();
	turns(2);
	fd = new_client();
	turns(1);
	assert_true(read_packet(fd));
	close(fd);
}

/* As a program leaves it that died */
static void a_socket_without_a_listener_is_replaced(void **state)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int dead = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), fd;
	struct naohw_error err;

	(void)state;
	lola_close(lola);
	lola = NULL;
	strcpy(address.sun_path, path);
	assert_int_equal(bind(dead, (struct sockaddr *)&address, sizeof(address)), 0);
	close(dead);
	assert_int_equal(access(path, F_OK), 0);
	assert_int_equal(listen_open(&settings[0], &fd, &err), 0);
	dead = connect_to(path);
	assert_true(dead >= 0);
	close(dead);
	listen_close(&settings[0], fd);
	assert_int_equal(access(path, F_OK), -1);
}

static void what_is_no_socket_is_left_alone(void **state)
{
	struct listen_settings other = settings[0];
	char long_path[200], file[80];
	struct naohw_error err;
	int fd;

	(void)state;
	snprintf(file, sizeof(file), "%s/file", directory);
	fd = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	close(fd);
	other.path = file;
	assert_int_equal(listen_open(&other, &fd, &err), -EEXIST);
	assert_says(&err, "is there and no socket");
	assert_int_equal(unlink(file), 0);
	memset(long_path, 'x', sizeof(long_path) - 1);
	long_path[sizeof(long_path) - 1] = '\0';
	other.path = long_path;
	assert_int_equal(listen_open(&other, &fd, &err), -ENAMETOOLONG);
	other.path = "/nowhere/lola";
	assert_int_equal(listen_open(&other, &fd, &err), -ENOENT);
	assert_says(&err, "/nowhere/lola: No such file");
}

/* ---- the cycle beside the loop ---- */

static void a_pulse_is_one_of_each_cycle(void **state)
{
	struct pollfd input = { .events = POLLIN };
	struct naohw_error err;
	struct pulse pulse;

	(void)state;
	assert_int_equal(pulse_begin(&pulse, stage.dcm, &err), 0);
	input.fd = pulse.fd;
	for (int i = 0; i < 3; i++) {
		for (int left = 400; poll(&input, 1, 5) == 0; left--) {
			assert_true(left > 0);
			stage_cycles(1);
		}
		pulse_take(&pulse);
	}
	pulse_end(&pulse);
}

/* ---- the log of all that ---- */

static unsigned int count_said(const char *what)
{
	unsigned int count = 0;

	for (const char *at = said; (at = strstr(at, what)); at++)
		count++;
	*said = '\0';
	return count;
}

static unsigned int come_and_go(unsigned int clients)
{
	unsigned int told = 0;

	while (clients--) {
		close(new_client());
		turns(1);
		told += count_said("a client has come");
	}
	return told;
}

/* Of which each has two lines */
static void clients_that_come_again_and_again_do_not_fill_the_log(void **state)
{
	(void)state;
	assert_in_range(come_and_go(500), 50, 100);
	/* A minute */
	turns(60 * 100);
	close(new_client());
	turns(1);
	assert_said(", lines left out before ");
	assert_in_range(come_and_go(1), 1, 1);
}

int main(void)
{
#define SERVER_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
	const struct CMUnitTest tests[] = {
		SERVER_TEST(a_client_gets_a_packet_in_each_cycle),
		SERVER_TEST(a_battery_that_is_charged_says_so),
		SERVER_TEST(one_that_does_not_read_misses_whole_packets),
		SERVER_TEST(it_moves_joints_no_faster_than_they_may),
		SERVER_TEST(all_of_a_packet_is_of_one_cycle),
		SERVER_TEST(what_it_says_nothing_of_stays),
		SERVER_TEST(what_is_beyond_a_limit_is_brought_to_it),
		SERVER_TEST(a_packet_may_come_in_pieces_of_several_cycles),
		SERVER_TEST(more_packets_than_a_cycle_takes_wait_for_the_next),
		SERVER_TEST(a_flood_is_a_packet_a_cycle),
		SERVER_TEST(a_packet_that_comes_late_waits_for_nothing),
		SERVER_TEST(nothing_of_a_flood_is_lost_when_it_goes),
		SERVER_TEST(the_sonar_goes_on_until_both_are_off),
		SERVER_TEST(joints_hold_when_it_goes),
		SERVER_TEST(its_sonar_goes_with_it),
		SERVER_TEST(all_stays_while_it_is_silent),
		SERVER_TEST(what_it_sends_before_it_closes_holds),
		SERVER_TEST(what_it_sends_before_it_closes_is_read_in_parts),
		SERVER_TEST(one_that_only_sends_is_obeyed),
		SERVER_TEST(one_that_hangs_up_while_it_waits_is_not_read),
		SERVER_TEST(one_that_neither_reads_nor_sends_makes_way),
		SERVER_TEST(one_that_only_reads_does_not),
		SERVER_TEST(that_none_can_come_in_is_said_once_a_minute),
		SERVER_TEST(it_may_come_again_and_again),
		SERVER_TEST(nothing_is_left_of_one_for_the_next),
		SERVER_TEST(another_one_waits_until_it_has_gone),
		SERVER_TEST(so_does_one_at_another_path),
		SERVER_TEST(the_period_is_12_ms_while_it_is_there),
		SERVER_TEST(garbage_ends_it_and_moves_nothing),
		SERVER_TEST(a_number_that_is_none_moves_nothing_and_ends_nothing),
		SERVER_TEST(those_beside_it_hold),
		SERVER_TEST(it_is_let_go_at_the_end),
		SERVER_TEST(its_socket_has_its_mode),
		SERVER_TEST(two_do_not_listen_at_one_path),
		SERVER_TEST(a_socket_without_a_listener_is_replaced),
		SERVER_TEST(what_is_no_socket_is_left_alone),
		SERVER_TEST(a_pulse_is_one_of_each_cycle),
		SERVER_TEST(clients_that_come_again_and_again_do_not_fill_the_log),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
