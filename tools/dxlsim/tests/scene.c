// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmocka_all.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/capability.h>

#include "scene.h"

/* With the robot that @tree, the source of a device tree, describes. */
struct scene *scene_new(const char *tree)
{
	struct scene *scene = calloc(1, sizeof(*scene));
	char command[256];
	FILE *dts;

	assert_non_null(scene);
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
	fputs(tree, dts);
	assert_int_equal(pclose(dts), 0);

	return scene;
}

void scene_free(struct scene *scene)
{
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
}

/* --- for tests that need no robot in particular --- */

static const char two_servos[] =
"/dts-v1/; / { bus { compatible = \"robotis,dynamixel-bus\";\n"
"  current-speed = <1000000>; #address-cells = <1>; #size-cells = <0>;\n"
"  servo@1 { compatible = \"robotis,ax-12\"; reg = <1>; label = \"HeadYaw\"; };\n"
"  servo@2 { compatible = \"robotis,mx-28\"; reg = <2>; label = \"HeadPitch\"; };\n"
"}; };\n";

int scene_set_up(void **state)
{
	*state = scene_new(two_servos);

	return 0;
}

int scene_tear_down(void **state)
{
	scene_free(*state);

	return 0;
}

/* --- the program --- */

static const char *program(void)
{
	const char *path = getenv("DXLSIM");

	return path ? path : "./dxlsim";
}

void nap_ms(long ms)
{
	const struct timespec ts = { .tv_nsec = ms * 1000000 };

	nanosleep(&ts, NULL);
}

void nap(void)
{
	nap_ms(5);
}

char *log_text(const struct scene *scene)
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
void launch_on(struct scene *scene, const char *const *args,
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

void launch(struct scene *scene, const char *const *args)
{
	int to[2];

	assert_int_equal(pipe2(to, O_CLOEXEC), 0);
	launch_on(scene, args, to);
}

/* Until it says what it simulates, or has ended. */
void await_start(struct scene *scene)
{
	int i;

	for (i = 0; i < PATIENCE_MS / 5; i++) {
		const char *line = strstr(log_text(scene), " devices (");

		if (line && strchr(line, '\n'))
			return;
		nap();
	}
	fail_msg("no start: %s", log_text(scene));
}

void start(struct scene *scene, const char *const *args)
{
	launch(scene, args);
	await_start(scene);
}

int wait_for_end(struct scene *scene)
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

int stop(struct scene *scene, int signal)
{
	kill(scene->pid, signal);

	return wait_for_end(scene);
}

/* --- its bus and its control socket --- */

int dial(const char *path)
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

void take(int fd, void *bytes, size_t len)
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

void give(int fd, const void *bytes, size_t len)
{
	assert_int_equal(write(fd, bytes, len), len);
}

void ping(int in, int out)
{
	static const u8 ask[] = { 0xff, 0xff, 0x01, 0x02, 0x01, 0xfb };
	static const u8 answer[] = { 0xff, 0xff, 0x01, 0x02, 0x00, 0xfc };
	u8 bytes[6];

	give(out, ask, 6);
	take(in, bytes, 6);
	assert_memory_equal(bytes, answer, 6);
}

/* Goal 600 for servo 1, and reading its place until it is there. */
void move(int in, int out)
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
const char *command(int fd, const char *line)
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
void settle(int control)
{
	command(control, "get 1 id\n");
	command(control, "get 1 id\n");
}

/* Until the answer to a command holds a line. */
void await_answer(int control, const char *line, const char *expected)
{
	int i;

	for (i = 0; i < PATIENCE_MS / 5; i++) {
		if (strstr(command(control, line), expected))
			return;
		nap();
	}
	fail_msg("no %s", expected);
}

void await_count(int control, const char *line)
{
	await_answer(control, "stats\n", line);
}

bool exists(const char *path)
{
	struct stat st;

	return !lstat(path, &st);
}
