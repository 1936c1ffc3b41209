// SPDX-License-Identifier: GPL-2.0-or-later
/* The program on a Unix socket and standard I/O, its control socket and arguments. */
#include "cmocka_all.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "scene.h"

static void on_a_unix_socket(void **state)
{
	struct scene *scene = *state;
	int fd;

	start(scene, (const char *[]){ "--unix", scene->bus, NULL });
	assert_true(strstr(log_text(scene), "dxlsim: 2 devices (1 AX-12, 1 MX-28) at 1000000 baud from ") != NULL);
	fd = dial(scene->bus);
	ping(fd, fd);
	move(fd, fd);
	/* A client that dies with half a request out and an answer due */
	give(fd, "\xff\xff\x01\x02\x01\xfb\xff\xff\x01", 9);
	close(fd);
	fd = dial(scene->bus);
	ping(fd, fd);
	ping(fd, fd);
	assert_int_equal(stop(scene, SIGTERM), 0);
	assert_false(exists(scene->bus));
	close(fd);
}

static void the_second_client_waits(void **state)
{
	struct scene *scene = *state;
	int first, second;

	start(scene, (const char *[]){ "--unix", scene->bus, NULL });
	first = dial(scene->bus);
	ping(first, first);
	second = dial(scene->bus);
	give(second, "\xff\xff\x01\x02\x01\xfb", 6);
	ping(first, first);
	close(first);
	take(second, (u8[6]){ 0 }, 6);
	ping(second, second);
	close(second);
	assert_int_equal(stop(scene, SIGINT), 0);
}

/* On a socket, too, and the next client has to wait. */
static void a_socket_that_comes_and_goes(void **state)
{
	struct scene *scene = *state;
	int fd, control;
	u8 byte;

	start(scene, (const char *[]){ "--unix", scene->bus, "--control",
				       scene->control, NULL });
	control = dial(scene->control);
	fd = dial(scene->bus);
	ping(fd, fd);
	assert_string_equal(command(control, "unplug\n"), "ok\n");
	assert_int_equal(read(fd, &byte, 1), 0);
	close(fd);
	fd = dial(scene->bus);
	give(fd, "\xff\xff\x01\x02\x01\xfb", 6);
	settle(control);
	assert_true(strstr(command(control, "stats\n"), "rx_ping 1\n") != NULL);
	assert_string_equal(command(control, "plug\n"), "ok\n");
	take(fd, (u8[6]){ 0 }, 6);
	ping(fd, fd);
	close(fd);
	close(control);
	assert_int_equal(stop(scene, SIGTERM), 0);
}

/* All in one place, and the robot among them: more than any machine reckons in time. */
static void a_world_slower_than_the_clock_is_answered_for(void **state)
{
	struct scene *scene = *state;
	char line[64];
	int control, i;

	start(scene, (const char *[]){ "--unix", scene->bus, "--control", scene->control,
				       "--body", ROBOTS "/bioloid.xml", NULL });
	control = dial(scene->control);
	assert_string_equal(command(control, "box in 0 0 .3 .3 .6\n"), "ok\n");
	for (i = 1; i < 32; i++) {
		snprintf(line, sizeof(line), "box b%d 0 0 .3 .3 .6 %d 1\n", i, i);
		assert_string_equal(command(control, line), "ok\n");
	}
	for (i = 0; i < 5; i++)
		assert_non_null(strstr(command(control, "pose\n"), "ok\n"));
	assert_int_equal(stop(scene, SIGTERM), 0);
	close(control);
}

static void on_standard_io(void **state)
{
	static const u8 ask[] = { 0xff, 0xff, 0x01, 0x02, 0x01, 0xfb };
	struct scene *scene = *state;
	u8 answer[6];

	start(scene, (const char *[]){ "--stdio", "--wire-time", NULL });
	ping(scene->out, scene->in);
	move(scene->out, scene->in);
	/* It ends with its input, once that has been answered. */
	give(scene->in, ask, sizeof(ask));
	close(scene->in);
	scene->in = open("/dev/null", O_RDONLY | O_CLOEXEC);
	take(scene->out, answer, sizeof(answer));
	assert_int_equal(wait_for_end(scene), 0);
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);

	return ts.tv_sec + ts.tv_nsec / 1e9;
}

/* A message is on the line from when it was sent, however late it is seen. */
static void on_messages(void **state)
{
	struct scene *scene = *state;
	double before, after, heard;
	const char *line;
	u8 answer[6];
	int to[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0,
				    to), 0);
	launch_on(scene, (const char *[]){ "--stdio", "--wire-time", "--spin",
					   "--trace", NULL }, to);
	await_start(scene);
	kill(scene->pid, SIGSTOP);
	before = now();
	give(scene->in, "\xff\xff\x01\x02\x01\xfb", 6);
	after = now();
	nap_ms(100);
	kill(scene->pid, SIGCONT);
	take(scene->out, answer, sizeof(answer));

	line = strchr(log_text(scene), '\n');
	assert_non_null(line);
	assert_int_equal(sscanf(line, "%lf >", &heard), 1);
	assert_true(heard > before - 0.01 && heard < after + 0.05);
	assert_int_equal(stop(scene, SIGTERM), 0);
}

static void controlled(void **state)
{
	struct scene *scene = *state;
	int bus, one, two;

	start(scene, (const char *[]){ "--unix", scene->bus, "--control",
				       scene->control, NULL });
	bus = dial(scene->bus);
	one = dial(scene->control);
	two = dial(scene->control);
	ping(bus, bus);
	assert_true(strstr(command(one, "stats\n"), "rx_ping 1\n") != NULL);
	assert_string_equal(command(two, "get HeadYaw position\n"), "512\nok\n");
	assert_string_equal(command(one, "junk\r\n"),
			    "error: \"junk\" is no command, try help\n");
	/* Silence is seen by the count and not by waiting. */
	assert_string_equal(command(two, "silence 1\n"), "ok\n");
	give(bus, "\xff\xff\x01\x02\x01\xfb", 6);
	await_count(one, "\nsilenced 1\n");
	assert_string_equal(command(two, "unsilence 1\n"), "ok\n");
	ping(bus, bus);
	move(bus, bus);
	assert_string_equal(command(one, "get 1 position\n"), "600\nok\n");
	/* Two lines at once, half a line, and a good-bye */
	assert_string_equal(command(one, "get 1 id\nget 2 id\n"), "1\nok\n");
	assert_string_equal(command(one, ""), "2\nok\n");
	give(one, "get 1 go", 8);
	assert_string_equal(command(one, "al\n"), "600\nok\n");
	assert_string_equal(command(one, "quit\n"), "ok\n");
	close(one);
	assert_string_equal(command(two, "get 1 id\n"), "1\nok\n");
	assert_int_equal(stop(scene, SIGTERM), 0);
	assert_false(exists(scene->control));
	close(two);
	close(bus);
}

static void write_scenario(const struct scene *scene, const char *text)
{
	FILE *file = fopen(scene->scenario, "w");

	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

/* Its times are exact, whenever the program comes to see to them. */
static void a_scenario(void **state)
{
	static const u8 word[] = { 0xff, 0xff, 9, 2, 0, 0xf4 };
	unsigned long long first, second;
	struct scene *scene = *state;
	char error[128];
	u8 bytes[6];
	int control;

	write_scenario(scene, "at 0.1 write 1 24 1\n"
			      "at 0.2 press 9 start\n"
			      "after 0.25 write 2 24 1\n"
			      "at 0.5 say 255 255 9 2 0 0xf4\n");
	start(scene, (const char *[]){ "--stdio", "--control", scene->control,
				       "--scenario", scene->scenario, NULL });
	/* Nobody says anything until it does so by itself. */
	take(scene->out, bytes, sizeof(bytes));
	assert_memory_equal(bytes, word, sizeof(bytes));
	control = dial(scene->control);
	assert_string_equal(command(control, "scenario\n"),
			    "steps 4\ndone 4\nfailed 1\nok\n");
	assert_int_equal(sscanf(command(control, "torque all\n"),
				"1 1 %llu 2 1 %llu", &first, &second), 2);
	assert_true(second - first == 350000000);
	snprintf(error, sizeof(error),
		 "\n%s:2: no device has the ID or label \"9\"\n", scene->scenario);
	assert_true(strstr(log_text(scene), error) != NULL);
	close(control);
	assert_int_equal(stop(scene, SIGTERM), 0);
}

/* Two servos begin to draw what they take as they stand by. */
static void a_battery(void **state)
{
	struct scene *scene = *state;
	int control;

	start(scene, (const char *[]){ "--unix", scene->bus, "--control",
				       scene->control, NULL });
	control = dial(scene->control);
	assert_string_equal(command(control, "battery 50\n"), "ok\n");
	await_answer(control, "battery\n", "amperes 0.10\n");
	close(control);
	assert_int_equal(stop(scene, SIGTERM), 0);
}

/* Both are seen at once, and a client still gets what had left before. */
static void a_scenario_that_unplugs(void **state)
{
	struct scene *scene = *state;
	u8 bytes[80];

	write_scenario(scene, "at 0.3 say"
		" 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9"
		" 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9"
		" 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9\n"
		"after 0.001 unplug\n");
	start(scene, (const char *[]){ "--stdio", "--wire-time", "--scenario",
				       scene->scenario, NULL });
	kill(scene->pid, SIGSTOP);
	nap_ms(400);
	kill(scene->pid, SIGCONT);
	take(scene->out, bytes, sizeof(bytes));
	assert_int_equal(bytes[79], 9);
	assert_int_equal(stop(scene, SIGTERM), 0);
}

static void control_survives_abuse(void **state)
{
	struct scene *scene = *state;
	char junk[4096];
	int fd, other, i;

	start(scene, (const char *[]){ "--unix", scene->bus, "--control",
				       scene->control, NULL });
	fd = dial(scene->control);
	memset(junk, 'x', sizeof(junk));
	give(fd, junk, sizeof(junk));
	assert_string_equal(command(fd, "\n"), "error: line is too long\n");
	assert_string_equal(command(fd, "get 1 id\n"), "1\nok\n");
	give(fd, "get 1\0 id", 9);
	assert_string_equal(command(fd, "\n"), "error: line is not text\n");
	/* One that asks and asks and never reads loses its connection. */
	other = dial(scene->control);
	assert_int_equal(fcntl(other, F_SETFL, O_NONBLOCK), 0);
	for (i = 0; i < 200000; i++)
		if (send(other, "help\n", 5, MSG_NOSIGNAL) < 0 && errno != EAGAIN)
			break;
	close(other);
	assert_string_equal(command(fd, "get 1 id\n"), "1\nok\n");
	/* More than can be served at a time; the rest waits. */
	for (i = 0; i < 30; i++)
		close(dial(scene->control));
	assert_string_equal(command(fd, "get 1 id\n"), "1\nok\n");
	close(fd);
	fd = dial(scene->control);
	assert_string_equal(command(fd, "get 2 id\n"), "2\nok\n");
	close(fd);
	assert_int_equal(stop(scene, SIGTERM), 0);
}

/* A bus client that sends and never reads */
static void a_client_that_does_not_read(void **state)
{
	static const u8 ask[] = { 0xff, 0xff, 0x01, 0x04, 0x02, 0x00, 0x32, 0xc6 };
	struct scene *scene = *state;
	int bus, control, i;

	start(scene, (const char *[]){ "--unix", scene->bus, "--control",
				       scene->control, NULL });
	bus = dial(scene->bus);
	control = dial(scene->control);
	for (i = 0; i < 20000; i++)
		give(bus, ask, sizeof(ask));
	await_count(control, "rx_packets 20000\n");
	assert_true(strstr(command(control, "stats\n"), "\noverflows 0\n") == NULL);
	close(bus);
	bus = dial(scene->bus);
	ping(bus, bus);
	close(bus);
	close(control);
	assert_int_equal(stop(scene, SIGTERM), 0);
}

static void sockets_in_the_way(void **state)
{
	struct scene *scene = *state;
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	const char *args[] = { "--unix", scene->bus, NULL };

	strcpy(addr.sun_path, scene->bus);
	assert_int_equal(bind(fd, (struct sockaddr *)&addr, sizeof(addr)), 0);
	assert_int_equal(listen(fd, 1), 0);
	launch(scene, args);
	assert_int_equal(wait_for_end(scene), 1);
	assert_true(strstr(log_text(scene), "another program listens there") != NULL);
	assert_true(exists(scene->bus));

	/* Left behind: nobody listens any more. */
	close(fd);
	start(scene, args);
	fd = dial(scene->bus);
	ping(fd, fd);
	close(fd);
	assert_int_equal(stop(scene, SIGTERM), 0);

	close(open(scene->bus, O_CREAT | O_WRONLY, 0600));
	launch(scene, args);
	assert_int_equal(wait_for_end(scene), 1);
	assert_true(strstr(log_text(scene), "exists and is no socket") != NULL);
	assert_true(exists(scene->bus));
	launch(scene, (const char *[]){ "--pty", scene->bus, NULL });
	assert_int_equal(wait_for_end(scene), 1);
	assert_true(strstr(log_text(scene), "exists and is no symbolic link") != NULL);
	assert_true(exists(scene->bus));
}

static int status_of(struct scene *scene, const char *const *args)
{
	launch(scene, args);

	return wait_for_end(scene);
}

static void command_line(void **state)
{
	struct scene *scene = *state;
	char text[16];

	assert_int_equal(status_of(scene, (const char *[]){ "--help", NULL }), 0);
	assert_int_equal(status_of(scene, (const char *[]){ "--version", NULL }), 0);
	assert_int_equal(status_of(scene, (const char *[]){ NULL }), 2);
	assert_int_equal(status_of(scene, (const char *[]){ "--bogus", NULL }), 2);
	assert_int_equal(status_of(scene, (const char *[]){ "--stdio", "x", NULL }), 2);
	assert_int_equal(status_of(scene, (const char *[]){
		"--stdio", "--unix", scene->bus, NULL }), 2);
	assert_int_equal(status_of(scene, (const char *[]){
		"--stdio", "--seed", "x", NULL }), 2);
	assert_int_equal(status_of(scene, (const char *[]){
		"--stdio", "--overlay", "/nowhere", NULL }), 1);
	assert_string_equal(log_text(scene), "/nowhere: No such file or directory\n");
	assert_int_equal(status_of(scene, (const char *[]){
		"--stdio", "--scenario", "/nowhere", NULL }), 1);
	assert_string_equal(log_text(scene), "/nowhere: No such file or directory\n");
	write_scenario(scene, "at 1 lean\n");
	assert_int_equal(status_of(scene, (const char *[]){
		"--stdio", "--scenario", scene->scenario, NULL }), 1);
	assert_true(strstr(log_text(scene), "/scenario:1: 0 arguments, expected: lean ") !=
		    NULL);

	launch(scene, (const char *[]){ "--version", NULL });
	take(scene->out, text, 7);
	assert_memory_equal(text, "dxlsim ", 7);
	assert_int_equal(wait_for_end(scene), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCENE_TEST(on_a_unix_socket),
		SCENE_TEST(the_second_client_waits),
		SCENE_TEST(a_socket_that_comes_and_goes),
		SCENE_TEST(a_world_slower_than_the_clock_is_answered_for),
		SCENE_TEST(on_standard_io),
		SCENE_TEST(on_messages),
		SCENE_TEST(controlled),
		SCENE_TEST(a_scenario),
		SCENE_TEST(a_scenario_that_unplugs),
		SCENE_TEST(a_battery),
		SCENE_TEST(control_survives_abuse),
		SCENE_TEST(a_client_that_does_not_read),
		SCENE_TEST(sockets_in_the_way),
		SCENE_TEST(command_line),
	};

	signal(SIGPIPE, SIG_IGN);

	return cmocka_run_group_tests(tests, NULL, NULL);
}
