// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The whole of naohwd, in a process of its own, on the libiio that is none: how it begins and ends.
 * The linker gives its main() to this test, whose own is __wrap_main(). No frame comes, and so a
 * cycle has 100 ms. With ThreadSanitizer it tells whether the threads of the daemon and of the DCM
 * leave each other what they should: one that does not makes it end with another status.
 */
#include "support.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake_iio.h"
#include "lola_bytes.h"
#include "notified.h"

#define PACKET_SIZE 896
#define JOINTS	    25
#define TRIES	    500
#define TRY_US	    10000
/* Fewer than may wait at a socket */
#define VISITS	    50
/* s: of one whose test has failed */
#define LIFETIME    20

int __real_main(int argc, char **argv);
int __wrap_main(void);

static char directory[] = "/tmp/naohwd-life-XXXXXX";
static char path[64], rpc_path[64], log_path[64], notify_path[64], robot_path[64];
static const char *robot = PLAIN_ROBOT;
static bool is_inherited;
static const char *inherited = "lola";
static char said[4096];

/* With a sanitizer the memory is more than can be locked. */
int __wrap_mlockall(int flags);

int __wrap_mlockall(int flags)
{
	(void)flags;
	errno = EPERM;
	return -1;
}

/* As systemd does it: by number, from 3 on, and to the process of this number. */
static void be_given_the_socket(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	char pid[16];

	strcpy(address.sun_path, path);
	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0 || listen(fd, 4) < 0)
		_exit(98);
	dup2(fd, 3);
	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	setenv("LISTEN_PID", pid, 1);
	setenv("LISTEN_FDS", "1", 1);
	setenv("LISTEN_FDNAMES", inherited, 1);
}

static void be_naohwd(void)
{
	static const char *const label = "HeadPitch";
	char *argv[] = { (char *)"naohwd",
			 (char *)"--robot",
			 (char *)robot,
			 (char *)"--lola",
			 path,
			 (char *)"--socket",
			 rpc_path,
			 NULL };
	int argc = 7;

	if (!freopen(log_path, "w", stderr))
		_exit(99);
	setvbuf(stderr, NULL, _IONBF, 0);
	alarm(LIFETIME);
	fake_reset();
	fake_servo(label);
	fake_goal(0, &label, 1);
	fake_state(0, &label, 1, 100);
	fake_device_set("dxl0-goal", "stream_state", "streaming");
	fake_device_set("dxl0-goal", "stiffness", "0");
	if (is_inherited) {
		be_given_the_socket();
		argc = 3;
		argv[argc] = NULL;
	}
	exit(__real_main(argc, argv));
}

static pid_t start(void)
{
	pid_t pid;

	fflush(NULL);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		be_naohwd();
	return pid;
}

static int setup(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/lola", directory);
	snprintf(rpc_path, sizeof(rpc_path), "%s/rpc", directory);
	snprintf(log_path, sizeof(log_path), "%s/log", directory);
	snprintf(notify_path, sizeof(notify_path), "%s/notify", directory);
	snprintf(robot_path, sizeof(robot_path), "%s/robot.xml", directory);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	(void)unlink(path);
	(void)unlink(rpc_path);
	(void)unlink(log_path);
	(void)unlink(robot_path);
	return rmdir(directory);
}

/* Come and go: somebody listens, though he may not be there yet. */
static void visit(const char *where)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	strcpy(address.sun_path, where);
	assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	close(fd);
}

/* Again and again, until somebody listens; waits for no packet for ever. */
static int connect_in_time(const char *where)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const struct timeval longest = { .tv_sec = 10 };

	strcpy(address.sun_path, where);
	for (int i = 0; i < TRIES; i++) {
		int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

		if (connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0) {
			setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &longest, sizeof(longest));
			return fd;
		}
		close(fd);
		usleep(TRY_US);
	}
	fail_msg("nobody listens");
	return -1;
}

static void talk(int fd, unsigned int packets)
{
	struct bytes bytes = { .count = 0 };
	uint8_t packet[PACKET_SIZE];

	put_map(&bytes, 1);
	put_field(&bytes, "Stiffness", JOINTS, 0.5f);
	while (packets--) {
		assert_int_equal(recv(fd, packet, PACKET_SIZE, 0), PACKET_SIZE);
		assert_int_equal(send(fd, bytes.at, bytes.count, MSG_NOSIGNAL), bytes.count);
	}
}

static int end(pid_t pid, int signal)
{
	int status;

	assert_int_equal(kill(pid, signal), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static void read_said(void)
{
	FILE *file = fopen(log_path, "r");

	assert_non_null(file);
	said[fread(said, 1, sizeof(said) - 1, file)] = '\0';
	fclose(file);
}

static void assert_said(const char *what)
{
	read_said();
	if (!strstr(said, what))
		fail_msg("said '%s', expected '%s'", said, what);
}

static void ends_in_order(int signal, const char *what)
{
	pid_t pid = start();
	int fd = connect_in_time(path), status;

	talk(fd, 3);
	status = end(pid, signal);
	assert_said(what);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	assert_int_equal(access(path, F_OK), -1);
	close(fd);
}

static void it_ends_in_order_by_signals(void **state)
{
	(void)state;
	ends_in_order(SIGTERM, "naohwd: ends: Terminated");
	assert_said("naohwd: serves ");
	assert_said("a client has come");
	assert_said("the client is let go: naohwd ends");
	ends_in_order(SIGINT, "naohwd: ends: Interrupt");
}

/* What one has left that was killed is no hindrance. */
static void it_can_be_started_after_it_has_died(void **state)
{
	pid_t pid = start();
	int fd = connect_in_time(path);

	(void)state;
	talk(fd, 1);
	assert_true(WIFSIGNALED(end(pid, SIGKILL)));
	close(fd);
	assert_int_equal(access(path, F_OK), 0);
	ends_in_order(SIGTERM, "naohwd: ends");
}

/* A line, and what comes back for it. */
static const char *ask(int fd, const char *line)
{
	static char answer[4096];
	ssize_t size;

	assert_int_equal(send(fd, line, strlen(line), MSG_NOSIGNAL), strlen(line));
	size = recv(fd, answer, sizeof(answer) - 1, 0);
	assert_true(size > 0);
	answer[size] = '\0';
	return answer;
}

static void assert_answer(int fd, const char *line, const char *what)
{
	const char *answer = ask(fd, line);

	if (!strstr(answer, what))
		fail_msg("%s: %s", line, answer);
}

#define REQUEST(method, params) \
	"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" method "\",\"params\":{" params "}}\n"

static void it_serves_json_rpc_and_tells_who_holds_what(void **state)
{
	pid_t pid = start();
	int fd = connect_in_time(rpc_path);

	(void)state;
	assert_answer(fd, REQUEST("describe", ""), "\"robot\":\"plain\"");
	assert_answer(fd, REQUEST("lease", "\"names\":[\"HeadPitch\"]"), "\"lease\":1");
	assert_answer(fd, REQUEST("flush", ""), "\"result\":{}");
	/* What is shown is what the cycle before has published. */
	assert_answer(fd, REQUEST("flush", ""), "\"result\":{}");
	assert_answer(fd, REQUEST("get", "\"keys\":[\"DCM/Lease/HeadPitch\"]"),
		      "\"value\":\"naohwd_life_tes (");
	assert_true(WIFEXITED(end(pid, SIGTERM)));
	assert_int_equal(access(rpc_path, F_OK), -1);
	close(fd);
}

/* All that leaves something for the DCM's thread, or looks at what that has */
static const char *const said_by_all[] = {
	REQUEST("subscribe", "\"events\":[\"stream\",\"leases\",\"play\"]"),
	REQUEST("watch", "\"keys\":[\"DCM/Time\",\"DCM/Lease/HeadPitch\"]"),
	REQUEST("lease", "\"names\":[\"HeadPitch\"],\"exclusive\":false,\"end\":\"free\""),
	REQUEST("createAlias", "\"alias\":\"head\",\"names\":[\"HeadPitch/Position/Actuator\"]"),
	REQUEST("setAlias", "\"alias\":\"head\",\"times\":[50,900],\"values\":[[0.1,0]]"),
	REQUEST("set", "\"name\":\"HeadPitch/Hardness/Actuator\",\"commands\":[[1,0]]"),
	REQUEST("flush", ""),
	REQUEST("get", "\"keys\":[\"DCM/Time\",\"DCM/Lease/HeadPitch\"]"),
	REQUEST("list", "\"limit\":100"),
	REQUEST("leases", ""),
	REQUEST("recover", ""),
	REQUEST("removeAlias", "\"alias\":\"head\""),
	REQUEST("stop", "\"halt\":true"),
};

#define PROGRAMS 8
#define SAYINGS	 (sizeof(said_by_all) / sizeof(said_by_all[0]))

static void say_all(int fd)
{
	for (size_t i = 0; i < SAYINGS; i++)
		assert_int_equal(send(fd, said_by_all[i], strlen(said_by_all[i]), MSG_NOSIGNAL),
				 strlen(said_by_all[i]));
}

/* Every one of them, between what else is told. */
static void hear_all(FILE *stream)
{
	static char line[65536];

	for (size_t left = SAYINGS; left;) {
		if (!fgets(line, sizeof(line), stream))
			fail_msg("%zu answers are missing", left);
		left -= strstr(line, "\"id\":1") != NULL;
	}
}

/* Beside LoLA; some go while the others go on. */
static void it_serves_several_programs_at_once(void **state)
{
	pid_t pid = start();
	FILE *programs[PROGRAMS];
	int lola = connect_in_time(path);

	(void)state;
	for (int i = 0; i < PROGRAMS; i++)
		programs[i] = fdopen(connect_in_time(rpc_path), "r");
	for (int round = 0; round < 3; round++) {
		for (int i = round; i < PROGRAMS; i++)
			say_all(fileno(programs[i]));
		talk(lola, 2);
		for (int i = round; i < PROGRAMS; i++)
			hear_all(programs[i]);
		fclose(programs[round]);
	}
	assert_true(WIFEXITED(end(pid, SIGTERM)));
	for (int i = 3; i < PROGRAMS; i++)
		fclose(programs[i]);
	close(lola);
}

/* ---- with systemd ---- */

static int begin_service(void **state)
{
	(void)state;
	notified_begin(notify_path);
	setenv("WATCHDOG_USEC", "800000", 1);
	is_inherited = true;
	return 0;
}

static int end_service(void **state)
{
	(void)state;
	is_inherited = false;
	inherited = "lola";
	robot = PLAIN_ROBOT;
	unsetenv("WATCHDOG_USEC");
	notified_end();
	return 0;
}

static void systemd_is_told_how_it_is(void **state)
{
	pid_t pid = start();
	int fd;

	(void)state;
	assert_notified("READY=1");
	for (int i = 0; i < 3; i++)
		assert_notified("WATCHDOG=1");
	fd = connect_in_time(path);
	talk(fd, 3);
	assert_true(WIFEXITED(end(pid, SIGTERM)));
	assert_notified("STOPPING=1");
	assert_not_notified();
	close(fd);
	/* It is systemd's. */
	assert_int_equal(unlink(path), 0);
}

static void write_robot(const char *from)
{
	FILE *in = fopen(from, "r"), *out = fopen(robot_path, "w");
	char text[16384];
	size_t size;

	assert_non_null(in);
	assert_non_null(out);
	size = fread(text, 1, sizeof(text), in);
	assert_true(size < sizeof(text));
	assert_int_equal(fwrite(text, 1, size, out), size);
	fclose(in);
	assert_int_equal(fclose(out), 0);
}

/* With a description that the test may change, and a client. */
static pid_t start_own(int *fd)
{
	pid_t pid;

	robot = robot_path;
	write_robot(PLAIN_ROBOT);
	pid = start();
	assert_notified("READY=1");
	*fd = connect_in_time(path);
	talk(*fd, 3);
	return pid;
}

static void preferences_are_read_anew(void **state)
{
	pid_t pid;
	int fd;

	(void)state;
	pid = start_own(&fd);
	assert_int_equal(kill(pid, SIGHUP), 0);
	assert_notified("RELOADING=1");
	assert_notified("READY=1");
	assert_notified("WATCHDOG=1");
	assert_said("reads its preferences anew");
	close(fd);
	fd = connect_in_time(path);
	talk(fd, 3);
	assert_true(WIFEXITED(end(pid, SIGTERM)));
	assert_int_equal(unlink(path), 0);
	close(fd);
}

/* Whoever comes during one waits. */
static void sockets_of_its_own_outlast_a_reload(void **state)
{
	pid_t pid;
	int fd;

	(void)state;
	is_inherited = false;
	pid = start_own(&fd);
	assert_int_equal(kill(pid, SIGHUP), 0);
	assert_notified("RELOADING=1");
	for (int i = 0; i < VISITS; i++) {
		visit(path);
		visit(rpc_path);
		usleep(TRY_US);
	}
	assert_notified("READY=1");
	assert_true(WIFEXITED(end(pid, SIGTERM)));
	assert_int_equal(access(path, F_OK), -1);
	assert_int_equal(access(rpc_path, F_OK), -1);
	close(fd);
}

static void faulty_preferences_are_not_taken(void **state)
{
	pid_t pid;
	int fd;

	(void)state;
	pid = start_own(&fd);
	write_robot("/dev/null");
	assert_int_equal(kill(pid, SIGHUP), 0);
	/* To look at them takes its time, too. */
	assert_notified("RELOADING=1");
	assert_notified("READY=1");
	talk(fd, 3);
	assert_said("keeps the preferences that it has: ");
	assert_true(WIFEXITED(end(pid, SIGTERM)));
	assert_int_equal(unlink(path), 0);
	close(fd);
}

/* It is read without a fault, but no DCM could have it. */
static void write_robot_with(const char *name, const char *type, const char *value)
{
	FILE *in = fopen(PLAIN_ROBOT, "r"), *out = fopen(robot_path, "w");
	char line[512];

	assert_non_null(in);
	assert_non_null(out);
	while (fgets(line, sizeof(line), in)) {
		if (strstr(line, "</ModulePreference>"))
			fprintf(out,
				"<Preference memoryName=\"%s\" type=\"%s\" value=\"%s\"/>\n",
				name, type, value);
		fputs(line, out);
	}
	fclose(in);
	assert_int_equal(fclose(out), 0);
}

static void preferences_that_no_cycle_can_have_are_not_taken(void **state)
{
	pid_t pid;
	int fd;

	(void)state;
	pid = start_own(&fd);
	write_robot_with("DCM/SpeedMax", "float", "9999");
	assert_int_equal(kill(pid, SIGHUP), 0);
	assert_notified("READY=1");
	talk(fd, 3);
	assert_said("keeps the preferences that it has: ");
	assert_said("expected a number from 0.01 to 100");
	write_robot_with("DCM/Alias/Head", "string", "HeadNose/Position/Actuator");
	assert_int_equal(kill(pid, SIGHUP), 0);
	assert_notified("READY=1");
	talk(fd, 3);
	assert_said("no actuator or alias \"HeadNose/Position/Actuator\"");
	write_robot_with("Device/Buses", "string", "dxl99");
	assert_int_equal(kill(pid, SIGHUP), 0);
	assert_notified("READY=1");
	talk(fd, 3);
	assert_said("of which none is here");
	assert_true(WIFEXITED(end(pid, SIGTERM)));
	assert_int_equal(unlink(path), 0);
	close(fd);
}

static void wait_until_said(const char *what)
{
	for (int i = 0; i < 2 * TRIES; i++) {
		read_said();
		if (strstr(said, what))
			return;
		usleep(TRY_US);
	}
	fail_msg("said '%s', expected '%s'", said, what);
}

/* By programs that do not come back */
static void what_was_held_is_let_go_behind_a_reload(void **state)
{
	int lola, rpc;
	pid_t pid;

	(void)state;
	/* Nobody would read so many. */
	unsetenv("WATCHDOG_USEC");
	is_inherited = false;
	pid = start_own(&lola);
	rpc = connect_in_time(rpc_path);
	assert_answer(rpc,
		      REQUEST("lease",
			      "\"names\":[\"HeadPitch\"],\"end\":\"free\",\"exclusive\":false"),
		      "\"lease\":1");
	talk(lola, 3);
	assert_int_equal(kill(pid, SIGHUP), 0);
	assert_notified("RELOADING=1");
	assert_notified("READY=1");
	close(lola);
	close(rpc);
	wait_until_said("LoLA: no packet has come for 1 s: the joints go soft");
	wait_until_said("what programs held and have not taken again is brought to its end");
	assert_true(WIFEXITED(end(pid, SIGTERM)));
}

#define FIVE(value) value " " value " " value " " value " " value
#define EACH(value)                                                                                \
	FIVE(value) " " FIVE(value) " " FIVE(value) " " FIVE(value) " " FIVE(value) " " value
#define LINE "\\n"
#define MOTION                                                                                     \
	"type=motion" LINE "version=1.01" LINE "enable=" EACH("1") LINE "motor_type=" EACH("0") \
	LINE "page_begin" LINE "name=go" LINE "compliance=" EACH("5") LINE \
	"play_param=0 0 1 1.0 32" LINE "step=" EACH("512") " 0.000 0.400" LINE "page_end" LINE

/* A play has what its program held, and ends by the reload. */
static void and_so_is_what_a_play_has_of_it(void **state)
{
	pid_t pid;
	int rpc;

	(void)state;
	unsetenv("WATCHDOG_USEC");
	is_inherited = false;
	pid = start();
	rpc = connect_in_time(rpc_path);
	assert_answer(rpc, REQUEST("lease", "\"names\":[\"HeadPitch\"],\"end\":\"free\""),
		      "\"lease\":1");
	assert_answer(rpc,
		      REQUEST("play",
			      "\"page\":\"go\",\"repeat\":999,\"text\":\"" MOTION "\""),
		      "\"play\":1");
	assert_int_equal(kill(pid, SIGHUP), 0);
	wait_until_said("what programs held and have not taken again is brought to its end");
	close(rpc);
	assert_true(WIFEXITED(end(pid, SIGTERM)));
}

static void nobody_is_to_wait_where_nobody_serves(void **state)
{
	int status;
	pid_t pid;

	(void)state;
	inherited = "control";
	pid = start();
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 1);
	assert_said("/lola (control) for us, and nobody would serve it");
	assert_int_equal(unlink(path), 0);
}

#define SERVICE_TEST(name) cmocka_unit_test_setup_teardown(name, begin_service, end_service)

int __wrap_main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_ends_in_order_by_signals),
		cmocka_unit_test(it_serves_json_rpc_and_tells_who_holds_what),
		cmocka_unit_test(it_serves_several_programs_at_once),
		cmocka_unit_test(it_can_be_started_after_it_has_died),
		SERVICE_TEST(systemd_is_told_how_it_is),
		SERVICE_TEST(preferences_are_read_anew),
		SERVICE_TEST(sockets_of_its_own_outlast_a_reload),
		SERVICE_TEST(what_was_held_is_let_go_behind_a_reload),
		SERVICE_TEST(and_so_is_what_a_play_has_of_it),
		SERVICE_TEST(nobody_is_to_wait_where_nobody_serves),
		SERVICE_TEST(faulty_preferences_are_not_taken),
		SERVICE_TEST(preferences_that_no_cycle_can_have_are_not_taken),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
