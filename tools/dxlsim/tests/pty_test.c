// SPDX-License-Identifier: GPL-2.0-or-later
/* The program as a serial port: whose settings they are, and who comes and goes. */
#include "cmocka_all.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "scene.h"

static int open_pty(const char *path)
{
	return open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
}

static void on_a_pty(void **state)
{
	struct scene *scene = *state;
	struct pollfd p = { .events = POLLIN };
	int fd, control;

	start(scene, (const char *[]){ "--pty", scene->bus, "--control",
				       scene->control, NULL });
	control = dial(scene->control);
	fd = open_pty(scene->bus);
	assert_true(fd >= 0);
	assert_true(isatty(fd));
	ping(fd, fd);
	move(fd, fd);
	/* It leaves with an answer of servo 2 waiting to be read. */
	give(fd, "\xff\xff\x02\x02\x01\xfa", 6);
	p.fd = fd;
	assert_int_equal(poll(&p, 1, PATIENCE_MS), 1);
	close(fd);
	settle(control);

	fd = open_pty(scene->bus);
	ping(fd, fd);
	ping(fd, fd);
	close(fd);
	close(control);
	assert_int_equal(stop(scene, SIGTERM), 0);
	assert_false(exists(scene->bus));
}

static void set_baud(int fd, speed_t speed)
{
	struct termios tio;

	assert_int_equal(tcgetattr(fd, &tio), 0);
	cfsetspeed(&tio, speed);
	assert_int_equal(tcsetattr(fd, TCSANOW, &tio), 0);
}

/* As on a real line: devices at one rate do not hear another. */
static void the_rate_of_a_pty(void **state)
{
	struct scene *scene = *state;
	int fd, control;

	start(scene, (const char *[]){ "--pty", scene->bus, "--control",
				       scene->control, NULL });
	control = dial(scene->control);
	fd = open_pty(scene->bus);
	set_baud(fd, B57600);
	give(fd, "\xff\xff\x01\x02\x01\xfb", 6);
	await_count(control, "rx_ping 1\n");
	assert_true(strstr(command(control, "stats\n"), "\ntx_packets 0\n") != NULL);
	set_baud(fd, B1000000);
	ping(fd, fd);
	close(fd);
	close(control);
	assert_int_equal(stop(scene, SIGTERM), 0);
}

/* Also when nobody has it open: as a serial port on a board keeps them. */
static void the_settings_of_a_pty_last(void **state)
{
	struct scene *scene = *state;
	int fd, control;

	start(scene, (const char *[]){ "--pty", scene->bus, "--control",
				       scene->control, NULL });
	control = dial(scene->control);
	fd = open_pty(scene->bus);
	set_baud(fd, B57600);
	close(fd);
	settle(control);
	fd = open_pty(scene->bus);
	give(fd, "\xff\xff\x01\x02\x01\xfb", 6);
	await_count(control, "rx_ping 1\n");
	assert_true(strstr(command(control, "stats\n"), "\ntx_packets 0\n") != NULL);
	set_baud(fd, B1000000);
	ping(fd, fd);
	close(fd);
	close(control);
	assert_int_equal(stop(scene, SIGTERM), 0);
}

/*
 * As DynamixelSDK changes the rate: it closes, opens at once and sets all anew,
 * here before the program can have seen anything of it.
 */
static void a_client_that_opens_again_at_once(void **state)
{
	struct scene *scene = *state;
	struct termios tio, found;
	int fd, control;

	start(scene, (const char *[]){ "--pty", scene->bus, "--control",
				       scene->control, NULL });
	control = dial(scene->control);
	fd = open_pty(scene->bus);
	ping(fd, fd);

	kill(scene->pid, SIGSTOP);
	close(fd);
	fd = open_pty(scene->bus);
	assert_int_equal(tcgetattr(fd, &tio), 0);
	tio.c_cc[VMIN] = 0;
	tio.c_iflag = IGNPAR;
	cfsetspeed(&tio, B115200);
	assert_int_equal(tcsetattr(fd, TCSANOW, &tio), 0);
	kill(scene->pid, SIGCONT);
	settle(control);

	assert_int_equal(tcgetattr(fd, &found), 0);
	assert_int_equal(found.c_cc[VMIN], 0);
	assert_int_equal(found.c_iflag, IGNPAR);
	assert_int_equal(cfgetospeed(&found), B115200);
	set_baud(fd, B1000000);
	ping(fd, fd);
	close(fd);
	close(control);
	assert_int_equal(stop(scene, SIGTERM), 0);
}

/* One that looks in, as stty does, takes nothing from who is at work. */
static void one_client_of_two_leaves(void **state)
{
	struct scene *scene = *state;
	struct pollfd p = { .events = POLLIN };
	int fd, other, control;

	start(scene, (const char *[]){ "--pty", scene->bus, "--control",
				       scene->control, NULL });
	control = dial(scene->control);
	fd = open_pty(scene->bus);
	give(fd, "\xff\xff\x01\x02\x01\xfb", 6);
	p.fd = fd;
	assert_int_equal(poll(&p, 1, PATIENCE_MS), 1);
	other = open_pty(scene->bus);
	close(other);
	settle(control);
	take(fd, (u8[6]){ 0 }, 6);
	ping(fd, fd);
	close(fd);
	close(control);
	assert_int_equal(stop(scene, SIGTERM), 0);
}

static bool is_exclusive(int fd)
{
	int exclusive;

	assert_int_equal(ioctl(fd, TIOCGEXCL, &exclusive), 0);

	return exclusive;
}

/* As terminal programs have it. It ends with the client, whose alone the port was. */
static void a_client_that_wants_the_port_alone(void **state)
{
	struct scene *scene = *state;
	int fd, other, control;

	start(scene, (const char *[]){ "--pty", scene->bus, "--control",
				       scene->control, NULL });
	control = dial(scene->control);
	fd = open_pty(scene->bus);
	/* Whoever was there before */
	other = open_pty(scene->bus);
	assert_int_equal(ioctl(fd, TIOCEXCL), 0);
	close(other);
	settle(control);
	assert_true(is_exclusive(fd));
	ping(fd, fd);
	close(fd);
	settle(control);
	fd = open_pty(scene->bus);
	assert_true(fd >= 0);
	assert_false(is_exclusive(fd));
	ping(fd, fd);
	close(fd);
	close(control);
	assert_int_equal(stop(scene, SIGTERM), 0);
}

static int times_in(const char *text, const char *word)
{
	int n = 0;

	for (; (text = strstr(text, word)); text++)
		n++;

	return n;
}

/*
 * What it has just written may be lost by that, before anybody can see it. So it is
 * counted, and the user is told once. A packet that has been answered is not harmed.
 */
static void a_client_that_flushes_its_output(void **state)
{
	struct scene *scene = *state;
	int fd, control;

	start(scene, (const char *[]){ "--pty", scene->bus, "--control",
				       scene->control, NULL });
	control = dial(scene->control);
	fd = open_pty(scene->bus);
	assert_int_equal(tcflush(fd, TCIFLUSH), 0);
	ping(fd, fd);
	assert_non_null(strstr(command(control, "stats\n"), "\noutput_flushes 0\n"));
	assert_int_equal(tcflush(fd, TCOFLUSH), 0);
	await_count(control, "\noutput_flushes 1\n");
	ping(fd, fd);
	assert_int_equal(tcflush(fd, TCOFLUSH), 0);
	await_count(control, "\noutput_flushes 2\n");
	ping(fd, fd);
	close(fd);
	close(control);
	assert_int_equal(stop(scene, SIGTERM), 0);
	assert_int_equal(times_in(log_text(scene), "TCOFLUSH"), 1);
}

/* Whenever they come, none finds the port gone or deaf. */
static void clients_that_follow_at_once(void **state)
{
	struct scene *scene = *state;
	struct termios tio;
	int fd, i;

	start(scene, (const char *[]){ "--pty", scene->bus, NULL });
	for (i = 0; i < 500; i++) {
		fd = open_pty(scene->bus);
		assert_true(fd >= 0);
		assert_int_equal(tcgetattr(fd, &tio), 0);
		tio.c_cc[VTIME] = i % 2;
		assert_int_equal(tcsetattr(fd, TCSANOW, &tio), 0);
		ping(fd, fd);
		assert_int_equal(tcgetattr(fd, &tio), 0);
		assert_int_equal(tio.c_cc[VTIME], i % 2);
		close(fd);
	}
	assert_int_equal(stop(scene, SIGTERM), 0);
}

/* A pull of the plug is a hang-up; afterwards there is a new port. */
static void an_adapter_that_comes_and_goes(void **state)
{
	struct scene *scene = *state;
	struct pollfd p = { .events = POLLIN };
	int fd, control, i;

	start(scene, (const char *[]){ "--pty", scene->bus, "--control",
				       scene->control, NULL });
	control = dial(scene->control);
	fd = open_pty(scene->bus);
	ping(fd, fd);
	assert_string_equal(command(control, "unplug\n"), "ok\n");
	settle(control);
	p.fd = fd;
	assert_int_equal(poll(&p, 1, PATIENCE_MS), 1);
	assert_true(p.revents & POLLHUP);
	assert_false(exists(scene->bus));
	close(fd);
	assert_string_equal(command(control, "plug\n"), "ok\n");
	settle(control);
	fd = open_pty(scene->bus);
	ping(fd, fd);

	/* By itself this time, in the middle of an exchange. */
	assert_string_equal(command(control, "disconnect next 1 ms 20\n"), "ok\n");
	give(fd, "\xff\xff\x01\x02\x01\xfb", 6);
	p.fd = fd;
	assert_int_equal(poll(&p, 1, PATIENCE_MS), 1);
	assert_true(p.revents & POLLHUP);
	close(fd);
	for (i = 0; i < PATIENCE_MS / 5 && !exists(scene->bus); i++)
		nap();
	fd = open_pty(scene->bus);
	ping(fd, fd);
	close(fd);
	close(control);
	assert_int_equal(stop(scene, SIGTERM), 0);
	assert_false(exists(scene->bus));
}

/* What runs into its own answer is counted; the next exchange is as ever. */
static void with_wire_time(void **state)
{
	static const u8 two[] = { 0xff, 0xff, 1, 4, 2, 0, 50, 0xc6,
				  0xff, 0xff, 2, 4, 2, 0, 50, 0xc5 };
	struct scene *scene = *state;
	int fd, control;

	start(scene, (const char *[]){ "--pty", scene->bus, "--control",
				       scene->control, "--wire-time",
				       "--turnaround", "100", NULL });
	control = dial(scene->control);
	command(control, "write 1 5 0\n");
	command(control, "write 2 5 0\n");
	fd = open_pty(scene->bus);
	ping(fd, fd);
	give(fd, two, sizeof(two));
	await_count(control, "\ncollisions 2\n");
	/* They are counted when they begin, and who talks does not hear. */
	nap();
	tcflush(fd, TCIFLUSH);
	close(fd);
	settle(control);
	fd = open_pty(scene->bus);
	ping(fd, fd);
	close(fd);
	close(control);
	assert_int_equal(stop(scene, SIGTERM), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCENE_TEST(on_a_pty),
		SCENE_TEST(the_rate_of_a_pty),
		SCENE_TEST(the_settings_of_a_pty_last),
		SCENE_TEST(a_client_that_opens_again_at_once),
		SCENE_TEST(one_client_of_two_leaves),
		SCENE_TEST(a_client_that_wants_the_port_alone),
		SCENE_TEST(a_client_that_flushes_its_output),
		SCENE_TEST(clients_that_follow_at_once),
		SCENE_TEST(an_adapter_that_comes_and_goes),
		SCENE_TEST(with_wire_time),
	};

	signal(SIGPIPE, SIG_IGN);

	return cmocka_run_group_tests(tests, NULL, NULL);
}
