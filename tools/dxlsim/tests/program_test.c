// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The program itself, end to end: on a Unix socket, a pty and standard I/O.
 * Waits are for things to happen and always end; how long they take is not
 * part of any test.
 */
#include "cmocka_all.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <linux/capability.h>
#include <linux/types.h>

#define PATIENCE_MS	20000

struct scene {
	char dir[32];
	char overlay[64];
	char bus[64];
	char control[64];
	char log[64];
	char scenario[64];
	pid_t pid;
	int in;			/* the program's standard input and output */
	int out;
};

static const char source[] =
"/dts-v1/; / { bus { compatible = \"robotis,dynamixel-bus\";\n"
"  current-speed = <1000000>; #address-cells = <1>; #size-cells = <0>;\n"
"  servo@1 { compatible = \"robotis,ax-12\"; reg = <1>; label = \"HeadYaw\"; };\n"
"  servo@2 { compatible = \"robotis,mx-28\"; reg = <2>; label = \"HeadPitch\"; };\n"
"}; };\n";

static const char *program(void)
{
	const char *path = getenv("DXLSIM");

	return path ? path : "./dxlsim";
}

static int set_up(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));
	char command[256];
	FILE *dts;

	strcpy(scene->dir, "/tmp/dxlsim-test-XXXXXX");
	assert_non_null(mkdtemp(scene->dir));
	snprintf(scene->overlay, sizeof(scene->overlay), "%s/a.dtbo", scene->dir);
	snprintf(scene->bus, sizeof(scene->bus), "%s/bus", scene->dir);
	snprintf(scene->control, sizeof(scene->control), "%s/control", scene->dir);
	snprintf(scene->log, sizeof(scene->log), "%s/log", scene->dir);
	snprintf(scene->scenario, sizeof(scene->scenario), "%s/scenario", scene->dir);

	snprintf(command, sizeof(command), "dtc -q -I dts -O dtb -o %s -",
		 scene->overlay);
	dts = popen(command, "w");
	assert_non_null(dts);
	fputs(source, dts);
	assert_int_equal(pclose(dts), 0);
	*state = scene;

	return 0;
}

static int tear_down(void **state)
{
	struct scene *scene = *state;

	if (scene->pid > 0) {
		kill(scene->pid, SIGKILL);
		waitpid(scene->pid, NULL, 0);
	}
	unlink(scene->overlay);
	unlink(scene->bus);
	unlink(scene->control);
	unlink(scene->log);
	unlink(scene->scenario);
	rmdir(scene->dir);
	free(scene);

	return 0;
}

static void nap_ms(long ms)
{
	const struct timespec ts = { .tv_nsec = ms * 1000000 };

	nanosleep(&ts, NULL);
}

static void nap(void)
{
	nap_ms(5);
}

static char *log_text(const struct scene *scene)
{
	static char text[8192];
	FILE *log = fopen(scene->log, "r");
	size_t len = log ? fread(text, 1, sizeof(text) - 1, log) : 0;

	if (log)
		fclose(log);
	text[len] = '\0';

	return text;
}

/* With @to for its standard input. */
static void launch_on(struct scene *scene, const char *const *args,
		      const int to[2])
{
	const char *argv[16] = { program(), "--overlay", scene->overlay };
	int from[2], n = 3;

	while (*args)
		argv[n++] = *args++;
	assert_int_equal(pipe2(from, O_CLOEXEC), 0);

	scene->pid = fork();
	assert_true(scene->pid >= 0);
	if (!scene->pid) {
		int log = open(scene->log, O_CREAT | O_TRUNC | O_WRONLY, 0600);

		dup2(to[0], 0);
		dup2(from[1], 1);
		dup2(log, 2);
		/* As an ordinary user's: root may open what is another's alone. */
		prctl(PR_CAPBSET_DROP, CAP_SYS_ADMIN);
		execv(argv[0], (char *const *)argv);
		_exit(127);
	}
	close(to[0]);
	close(from[1]);
	scene->in = to[1];
	scene->out = from[0];
}

static void launch(struct scene *scene, const char *const *args)
{
	int to[2];

	assert_int_equal(pipe2(to, O_CLOEXEC), 0);
	launch_on(scene, args, to);
}

/* Until it says what it simulates, or has ended. */
static void await_start(struct scene *scene)
{
	int i;

	for (i = 0; i < PATIENCE_MS / 5; i++) {
		const char *line = strstr(log_text(scene), "dxlsim: 2 devices (");

		if (line && strchr(line, '\n'))
			return;
		nap();
	}
	fail_msg("no start: %s", log_text(scene));
}

static void start(struct scene *scene, const char *const *args)
{
	launch(scene, args);
	await_start(scene);
}

static int wait_for_end(struct scene *scene)
{
	int status, i;

	for (i = 0; i < PATIENCE_MS / 5; i++) {
		if (waitpid(scene->pid, &status, WNOHANG) == scene->pid) {
			scene->pid = 0;
			close(scene->in);
			close(scene->out);
			return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
		}
		nap();
	}
	fail_msg("it does not end");

	return -1;
}

static int stop(struct scene *scene, int signal)
{
	kill(scene->pid, signal);

	return wait_for_end(scene);
}

static int dial(const char *path)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	strcpy(addr.sun_path, path);
	if (connect(fd, (struct sockaddr *)&addr, sizeof(addr))) {
		close(fd);
		return -1;
	}

	return fd;
}

static void take(int fd, void *bytes, size_t len)
{
	u8 *at = bytes;

	while (len) {
		struct pollfd p = { .fd = fd, .events = POLLIN };
		ssize_t n;

		assert_int_equal(poll(&p, 1, PATIENCE_MS), 1);
		n = read(fd, at, len);
		assert_true(n > 0);
		at += n;
		len -= n;
	}
}

static void give(int fd, const void *bytes, size_t len)
{
	assert_int_equal(write(fd, bytes, len), len);
}

static void ping(int in, int out)
{
	static const u8 ask[] = { 0xff, 0xff, 0x01, 0x02, 0x01, 0xfb };
	static const u8 answer[] = { 0xff, 0xff, 0x01, 0x02, 0x00, 0xfc };
	u8 bytes[6];

	give(out, ask, 6);
	take(in, bytes, 6);
	assert_memory_equal(bytes, answer, 6);
}

/* Goal 600 for servo 1, and reading its place until it is there. */
static void move(int in, int out)
{
	static const u8 goal[] = { 0xff, 0xff, 1, 5, 3, 30, 0x58, 2, 0x7e };
	static const u8 read[] = { 0xff, 0xff, 1, 4, 2, 36, 2, 0xd2 };
	u8 bytes[8];
	int i, place = 0;

	give(out, goal, sizeof(goal));
	take(in, bytes, 6);
	assert_int_equal(bytes[4], 0);
	for (i = 0; i < PATIENCE_MS / 5 && place != 600; i++) {
		give(out, read, sizeof(read));
		take(in, bytes, 8);
		place = bytes[5] | bytes[6] << 8;
		assert_in_range(place, 512, 600);
		nap();
	}
	assert_int_equal(place, 600);
}

/* Talk to the control socket; the answer is good until the next call. */
static const char *command(int fd, const char *line)
{
	static char answer[8192];
	size_t len = 0;

	give(fd, line, strlen(line));
	do {
		take(fd, answer + len++, 1);
		answer[len] = '\0';
		assert_true(len < sizeof(answer) - 1);
	} while (!strstr(answer, "ok\n") &&
		 !(strstr(answer, "error: ") && answer[len - 1] == '\n'));

	return answer;
}

/*
 * Whatever happened before this call, the program has seen it afterwards: the
 * first answer may still be from a round of its loop that began earlier.
 */
static void settle(int control)
{
	command(control, "get 1 id\n");
	command(control, "get 1 id\n");
}

/* Until the answer to a command holds a line. */
static void await_answer(int control, const char *line, const char *expected)
{
	int i;

	for (i = 0; i < PATIENCE_MS / 5; i++) {
		if (strstr(command(control, line), expected))
			return;
		nap();
	}
	fail_msg("no %s", expected);
}

static void await_count(int control, const char *line)
{
	await_answer(control, "stats\n", line);
}

static bool exists(const char *path)
{
	struct stat st;

	return !lstat(path, &st);
}

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
	give(fd, "\xff\xff\x01\x02\x01\xfb\xff\xff\x01\x02", 10);
	p.fd = fd;
	assert_int_equal(poll(&p, 1, PATIENCE_MS), 1);
	other = open_pty(scene->bus);
	close(other);
	settle(control);
	take(fd, (u8[6]){ 0 }, 6);
	give(fd, "\x01\xfb", 2);
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

#define PROGRAM_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		PROGRAM_TEST(on_a_unix_socket),
		PROGRAM_TEST(the_second_client_waits),
		PROGRAM_TEST(on_a_pty),
		PROGRAM_TEST(the_rate_of_a_pty),
		PROGRAM_TEST(the_settings_of_a_pty_last),
		PROGRAM_TEST(a_client_that_opens_again_at_once),
		PROGRAM_TEST(one_client_of_two_leaves),
		PROGRAM_TEST(a_client_that_wants_the_port_alone),
		PROGRAM_TEST(clients_that_follow_at_once),
		PROGRAM_TEST(an_adapter_that_comes_and_goes),
		PROGRAM_TEST(a_socket_that_comes_and_goes),
		PROGRAM_TEST(with_wire_time),
		PROGRAM_TEST(on_standard_io),
		PROGRAM_TEST(on_messages),
		PROGRAM_TEST(controlled),
		PROGRAM_TEST(a_scenario),
		PROGRAM_TEST(a_scenario_that_unplugs),
		PROGRAM_TEST(a_battery),
		PROGRAM_TEST(control_survives_abuse),
		PROGRAM_TEST(a_client_that_does_not_read),
		PROGRAM_TEST(sockets_in_the_way),
		PROGRAM_TEST(command_line),
	};

	signal(SIGPIPE, SIG_IGN);

	return cmocka_run_group_tests(tests, NULL, NULL);
}
