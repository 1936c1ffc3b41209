// SPDX-License-Identifier: LGPL-2.1-or-later
/* What speaks with a naohwd, where that is one of a test's, mad, slow or dead. */
#include "support.h"

#include <dirent.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "client/client.h"
#include "monotonic.h"

#define SOON	 200 /* ms */
#define PATIENCE 10000
#define LINE_MAX (1 << 20)

static char directory[64], description[128], path[128], device[128];
static struct daemon *naohwd;

/* ---- a server ---- */

/* Answers of which "#" is the request's id; it has one client. */
static struct server {
	int door;
	pthread_t thread;
	const char *const *answers; /* one a request; NULL: it closes the connection */
	unsigned int passed;	    /* descriptors with each */
	bool is_slow;		    /* a byte now and then */
	bool is_silent;		    /* it reads, and that is all */
	bool is_chatty;		    /* it notifies for PATIENCE before it answers */
} server;

static char described[512];

static void put_id(const char *request, const char *answer, char *text, size_t size)
{
	const char *id = strstr(request, "\"id\":"), *mark = strchr(answer, '#');
	int number = id ? atoi(id + 5) : -1;

	if (mark)
		snprintf(text, size, "%.*s%d%s", (int)(mark - answer), answer, number, mark + 1);
	else
		snprintf(text, size, "%s", answer);
}

static void send_with_fds(int fd, const char *text)
{
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(4 * sizeof(int))];
	} control = { 0 };
	struct iovec iov = { (char *)text, strlen(text) };
	struct msghdr message = { .msg_iov = &iov, .msg_iovlen = 1 };
	int fds[4] = { fd, fd, fd, fd };

	if (server.passed) {
		message.msg_control = &control;
		message.msg_controllen = CMSG_SPACE(server.passed * sizeof(int));
		control.header.cmsg_level = SOL_SOCKET;
		control.header.cmsg_type = SCM_RIGHTS;
		control.header.cmsg_len = CMSG_LEN(server.passed * sizeof(int));
		memcpy(CMSG_DATA(&control.header), fds, server.passed * sizeof(int));
	}
	(void)sendmsg(fd, &message, MSG_NOSIGNAL);
}

static void send_slowly(int fd, const char *text)
{
	for (; *text && send(fd, text, 1, MSG_NOSIGNAL) == 1; text++)
		usleep(20000);
}

#define NOTIFICATION "{\"jsonrpc\":\"2.0\",\"method\":\"changed\",\"params\":{}}\n"
#define AT_ONCE	     1000

/* Until nobody listens any more, and faster than anybody can */
static void notify(int fd)
{
	int64_t end = monotonic_ns() + (int64_t)PATIENCE * 1000000;
	static char many[AT_ONCE * sizeof(NOTIFICATION)];
	char *at = many;

	for (unsigned int i = 0; i < AT_ONCE; i++)
		at = stpcpy(at, NOTIFICATION);
	while (monotonic_ns() < end && send(fd, many, (size_t)(at - many), MSG_NOSIGNAL) > 0)
		;
}

static void answer_all(int fd)
{
	static char request[LINE_MAX], answer[2 * LINE_MAX + 64];
	FILE *in = fdopen(fd, "r");

	for (const char *const *next = server.answers; fgets(request, sizeof(request), in);) {
		const char *text = strstr(request, "\"describe\"") ? described : *next;

		if (server.is_silent)
			continue;
		if (!text)
			break;
		next += text == *next;
		if (server.is_chatty && text != described)
			notify(fd);
		put_id(request, text, answer, sizeof(answer));
		if (server.is_slow && text != described)
			send_slowly(fd, answer);
		else
			send_with_fds(fd, answer);
	}
	fclose(in);
}

static void *serve(void *data)
{
	int fd;

	(void)data;
	while ((fd = accept4(server.door, NULL, NULL, SOCK_CLOEXEC)) >= 0)
		answer_all(fd);
	return NULL;
}

static void listen_there(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	strcpy(address.sun_path, path);
	server.door = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(server.door, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(listen(server.door, 4), 0);
}

static void begin(const char *const *answers)
{
	server.answers = answers;
	listen_there();
	assert_int_equal(pthread_create(&server.thread, NULL, serve, NULL), 0);
}

static void end(void)
{
	if (!server.door)
		return;
	shutdown(server.door, SHUT_RDWR);
	if (server.thread)
		pthread_join(server.thread, NULL);
	close(server.door);
	(void)unlink(path);
	server = (struct server){ 0 };
}

/* ---- what all tests need ---- */

static void describe(const char *where)
{
	snprintf(described, sizeof(described),
		 "{\"jsonrpc\":\"2.0\",\"id\":#,\"result\":{\"path\":\"%s\",\"pid\":4711}}\n",
		 where);
}

static void write_file(const char *name)
{
	FILE *file = fopen(name, "w");

	assert_non_null(file);
	fprintf(file, "[Unit]\n");
	fclose(file);
}

static int setup(void **state)
{
	(void)state;
	server = (struct server){ 0 };
	strcpy(directory, "/tmp/naohw-client-XXXXXX");
	assert_non_null(mkdtemp(directory));
	snprintf(description, sizeof(description), "%s/bioloid.xml", directory);
	snprintf(path, sizeof(path), "%s/bioloid.sock", directory);
	snprintf(device, sizeof(device), "%s/Device.xml", directory);
	write_file(description);
	write_file(device);
	setenv("NAOHW_RUN", directory, 1);
	describe(description);
	assert_int_equal(daemon_new(description, &naohwd, NULL), 0);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	daemon_free(naohwd);
	end();
	unsetenv("NAOHW_RUN");
	(void)unlink(description);
	(void)unlink(device);
	(void)unlink(path);
	return rmdir(directory);
}

static void connect_to(const char *const *answers)
{
	struct naohw_error err;

	begin(answers);
	if (daemon_connect(naohwd, PATIENCE, &err) < 0)
		fail_msg("%s", err.message);
}

/* Of a server that answers so */
static int call(const char *answer, struct naohw_error *err)
{
	const char *const answers[] = { answer, NULL };

	connect_to(answers);
	return daemon_call(naohwd, "get", NULL, SOON, NULL, NULL, err);
}

/* ---- who is there ---- */

static void its_socket_is_called_as_the_robot(void **state)
{
	struct daemon *other;
	char expected[128];

	(void)state;
	assert_string_equal(daemon_path(naohwd), path);
	assert_int_equal(daemon_new(device, &other, NULL), 0);
	snprintf(expected, sizeof(expected), "%s/%s.sock", directory, strrchr(directory, '/') + 1);
	assert_string_equal(daemon_path(other), expected);
	daemon_free(other);
	unsetenv("NAOHW_RUN");
	assert_int_equal(daemon_new(description, &other, NULL), 0);
	assert_string_equal(daemon_path(other), "/run/naohw/bioloid.sock");
	daemon_free(other);
}

static void nobody_is_there(void **state)
{
	struct naohw_error err;

	(void)state;
	assert_int_equal(daemon_connect(naohwd, SOON, &err), -ENOENT);
	assert_false(daemon_is_connected(naohwd));
	listen_there();
	close(server.door);
	server.door = 0;
	assert_int_equal(daemon_connect(naohwd, SOON, &err), -ECONNREFUSED);
	assert_int_equal(daemon_call(naohwd, "get", NULL, SOON, NULL, NULL, &err), -EOWNERDEAD);
}

/* Nobody lets it in: as many as may wait are waiting. */
static void a_door_that_nobody_opens_is_left(void **state)
{
	struct daemon *other[8];
	int ret = 0;

	(void)state;
	listen_there();
	for (unsigned int i = 0; i < 8; i++) {
		assert_int_equal(daemon_new(description, &other[i], NULL), 0);
		ret = daemon_connect(other[i], 50, NULL);
	}
	assert_int_equal(ret, -ETIMEDOUT);
	for (unsigned int i = 0; i < 8; i++)
		daemon_free(other[i]);
}

static void one_of_another_robot_is_not_ours(void **state)
{
	static const char *const none[] = { NULL };
	struct naohw_error err;

	(void)state;
	describe(device);
	begin(none);
	assert_int_equal(daemon_connect(naohwd, PATIENCE, &err), -ENXIO);
	assert_says(&err, "another robot of that name");
	assert_false(daemon_is_connected(naohwd));
}

/* The file has been moved since naohwd read it: its name is all that there is to go by. */
static void a_robot_whose_file_has_gone_is_known_by_its_name(void **state)
{
	static const char *const none[] = { NULL };
	struct naohw_error err;

	(void)state;
	daemon_free(naohwd);
	naohwd = NULL;
	assert_int_equal(unlink(description), 0);
	if (daemon_new(description, &naohwd, &err) < 0)
		fail_msg("%s", err.message);
	connect_to(none);
}

/* ---- answers ---- */

static void an_answer_is_found_among_others(void **state)
{
	static const char *const answers[] = {
		"{\"jsonrpc\":\"2.0\",\"method\":\"values\",\"params\":{}}\n"
		"{\"jsonrpc\":\"2.0\",\"id\":999,\"result\":{\"a\":1}}\n"
		"{\"jsonrpc\":\"2.0\",\"id\":#,\"result\":{\"a\":2}}\n",
		"{\"jsonrpc\":\"2.0\",\"id\":#,\"result\":{\"a\":3}}\n", NULL
	};
	struct json_object *result;
	struct naohw_error err;

	(void)state;
	connect_to(answers);
	for (int i = 2; i <= 3; i++) {
		assert_int_equal(daemon_call(naohwd, "get", NULL, PATIENCE, &result, NULL, &err),
				 0);
		assert_int_equal(json_object_get_int(daemon_member(result, "a", json_type_int)), i);
		json_object_put(result);
	}
	assert_null(daemon_member(NULL, "a", json_type_int));
}

static void errors_are_told(void **state)
{
	static const struct {
		const char *error;
		int code;
		const char *says;
	} cases[] = {
		{ "{\"code\":-32000,\"message\":\"no such\",\"data\":{\"errno\":2}}", -ENOENT,
		  "no such" },
		{ "{\"code\":-32000,\"message\":\"a\\u001b[31m\",\"data\":{\"errno\":16}}", -EBUSY,
		  "a?[31m" },
		{ "{\"code\":-32601,\"message\":\"x\"}", -ENOSYS, "x" },
		{ "{\"code\":-32602}", -EINVAL, "" },
		{ "{\"code\":-32700,\"data\":{\"errno\":-2}}", -EPROTO, "" },
		{ "{\"data\":{\"errno\":99999999999}}", -EPROTO, "" },
		{ "{\"data\":7}", -EPROTO, "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct naohw_error err;
		char answer[256];

		snprintf(answer, sizeof(answer), "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":%s}\n",
			 i % 2 ? "null" : "#", cases[i].error);
		assert_int_equal(call(answer, &err), cases[i].code);
		assert_says(&err, cases[i].says);
		assert_true(daemon_is_connected(naohwd));
		daemon_disconnect(naohwd);
		end();
	}
}

static void what_makes_no_sense_ends_it(void **state)
{
	static const char *const cases[] = {
		"\n",
		"nonsense\n",
		"{\"id\":#,\"result\":{}\n",
		"[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]\n",
		"{\"id\":#,\"result\":{}} more\n",
		"{\"id\":#,\"result\":{\"a\":\"\xff\"}}\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct naohw_error err;

		if (call(cases[i], &err) != -EPROTO)
			fail_msg("%s", cases[i]);
		assert_says(&err, "makes no sense");
		assert_false(daemon_is_connected(naohwd));
		end();
	}
	assert_int_equal(call("{\"id\":#,\"result\":7}\n", NULL), -EPROTO);
}

static void a_line_without_an_end_is_left(void **state)
{
	static char line[2 * LINE_MAX];

	(void)state;
	memset(line, ' ', sizeof(line) - 1);
	assert_int_equal(call(line, NULL), -EPROTO);
}

static void a_long_line_is_read(void **state)
{
	static char line[LINE_MAX - 64];
	int used;

	(void)state;
	memset(line, ' ', sizeof(line) - 1);
	used = sprintf(line, "{\"id\":#,\"result\":{");
	line[used] = ' ';
	strcpy(line + sizeof(line) - 4, "}}\n");
	assert_int_equal(call(line, NULL), 0);
}

/* ---- time ---- */

static void who_does_not_answer_is_waited_for_no_longer(void **state)
{
	static const char *const none[] = { NULL };
	struct naohw_error err;
	int64_t begun;

	(void)state;
	connect_to(none);
	server.is_silent = true;
	begun = monotonic_ns();
	assert_int_equal(daemon_call(naohwd, "get", NULL, SOON, NULL, NULL, &err), -ETIMEDOUT);
	assert_says(&err, "does not answer");
	assert_true(monotonic_ns() - begun < (int64_t)PATIENCE * 1000000);
	/* It takes one that goes for dead, and softens its joints. */
	assert_true(daemon_is_connected(naohwd));
}

/* Of one that has its program told what changes, as often as it does */
static void notifications_are_no_answer(void **state)
{
	static const char *const answers[] = {
		"{\"jsonrpc\":\"2.0\",\"id\":#,\"result\":{}}\n", NULL
	};
	struct naohw_error err;

	(void)state;
	connect_to(answers);
	server.is_chatty = true;
	assert_int_equal(daemon_call(naohwd, "get", NULL, SOON, NULL, NULL, &err), -ETIMEDOUT);
	assert_says(&err, "does not answer");
	assert_true(daemon_is_connected(naohwd));
}

/* About a second */
#define LONG_ANSWER \
	"{\"jsonrpc\":\"2.0\",\"id\":#,\"result\":{\"text\":\"as long as that takes\"}}\n"

/* What it says later, of which a part has come, is to nobody. */
static void who_answers_too_slowly_is_asked_again(void **state)
{
	static const char *const answers[] = {
		LONG_ANSWER, "{\"jsonrpc\":\"2.0\",\"id\":#,\"result\":{\"a\":2}}\n", NULL
	};
	struct json_object *result;
	int64_t begun;

	(void)state;
	connect_to(answers);
	server.is_slow = true;
	begun = monotonic_ns();
	assert_int_equal(daemon_call(naohwd, "get", NULL, SOON, NULL, NULL, NULL), -ETIMEDOUT);
	assert_in_range(monotonic_ns() - begun, (int64_t)SOON * 1000000,
			(int64_t)PATIENCE * 1000000);
	assert_int_equal(daemon_call(naohwd, "get", NULL, PATIENCE, &result, NULL, NULL), 0);
	assert_int_equal(json_object_get_int(daemon_member(result, "a", json_type_int)), 2);
	json_object_put(result);
}

static struct json_object *new_text(size_t length)
{
	struct json_object *params = json_object_new_object();
	char *text = malloc(length + 1);

	memset(text, 'x', length);
	text[length] = '\0';
	json_object_object_add(params, "name", json_object_new_string(text));
	free(text);
	return params;
}

/* While it answers it reads nothing, and the next request would be the end of this one. */
static void a_request_that_is_cut_ends_it(void **state)
{
	static const char *const answers[] = { LONG_ANSWER, NULL };
	struct naohw_error err;

	(void)state;
	connect_to(answers);
	server.is_slow = true;
	assert_int_equal(daemon_call(naohwd, "get", NULL, SOON, NULL, NULL, NULL), -ETIMEDOUT);
	assert_int_equal(daemon_call(naohwd, "set", new_text(LINE_MAX / 2), SOON, NULL, NULL, &err),
			 -ETIMEDOUT);
	assert_says(&err, "does not answer");
	assert_false(daemon_is_connected(naohwd));
}

static void who_goes_is_said_at_once(void **state)
{
	struct naohw_error err;

	(void)state;
	assert_int_equal(call(NULL, &err), -EOWNERDEAD);
	assert_says(&err, "has gone");
	assert_int_equal(daemon_call(naohwd, "get", NULL, SOON, NULL, NULL, &err), -EOWNERDEAD);
}

static void who_has_gone_meanwhile_is_seen(void **state)
{
	static const char *const none[] = { NULL };

	(void)state;
	connect_to(none);
	assert_true(daemon_is_connected(naohwd));
	shutdown(server.door, SHUT_RDWR);
	assert_int_equal(daemon_call(naohwd, "get", NULL, PATIENCE, NULL, NULL, NULL), -EOWNERDEAD);
	assert_false(daemon_is_connected(naohwd));
}

static void what_is_too_much_is_not_sent(void **state)
{
	static const char *const answers[] = { "{\"id\":#,\"result\":{}}\n", NULL };
	struct naohw_error err;

	(void)state;
	connect_to(answers);
	assert_int_equal(daemon_call(naohwd, "set", new_text(LINE_MAX - 1), SOON, NULL, NULL, &err),
			 -EMSGSIZE);
	assert_int_equal(daemon_call(naohwd, "set", NULL, PATIENCE, NULL, NULL, &err), 0);
}

/* ---- descriptors ---- */

static unsigned int open_fds(void)
{
	DIR *fds = opendir("/proc/self/fd");
	unsigned int count = 0;

	assert_non_null(fds);
	while (readdir(fds))
		count++;
	closedir(fds);
	return count;
}

static void descriptors_come_and_none_stays(void **state)
{
	static const char good[] = "{\"id\":#,\"result\":{}}\n";
	static const char *const answers[] = { good, good, "{\"id\":#,\"error\":{}}\n", good,
					       NULL };
	unsigned int before;
	int fd = 7;

	(void)state;
	connect_to(answers);
	before = open_fds();
	assert_int_equal(daemon_call(naohwd, "store", NULL, PATIENCE, NULL, &fd, NULL), 0);
	assert_int_equal(fd, -1);
	server.passed = 1;
	assert_int_equal(daemon_call(naohwd, "store", NULL, PATIENCE, NULL, &fd, NULL), 0);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(daemon_call(naohwd, "store", NULL, PATIENCE, NULL, &fd, NULL), -EPROTO);
	server.passed = 4;
	assert_int_equal(daemon_call(naohwd, "get", NULL, PATIENCE, NULL, NULL, NULL), 0);
	assert_int_equal(open_fds(), before);
}

/* ---- who is to come ---- */

#define UNIT "naohwd@bioloid.service"

static char units[128], runtime[128], search[300], wants[160];

/* A unit of that name, or a link to @target in its place */
static void put(const char *where, const char *name, const char *target)
{
	char at[192];

	snprintf(at, sizeof(at), "%s/%s", where, name);
	if (target)
		assert_int_equal(symlink(target, at), 0);
	else
		write_file(at);
}

static void take_away(const char *where, const char *name)
{
	char at[192];

	snprintf(at, sizeof(at), "%s/%s", where, name);
	assert_int_equal(unlink(at), 0);
}

static int setup_units(void **state)
{
	int ret = setup(state);

	snprintf(units, sizeof(units), "%s/units", directory);
	snprintf(runtime, sizeof(runtime), "%s/runtime", directory);
	snprintf(search, sizeof(search), "/nowhere::%s:%s", units, runtime);
	snprintf(wants, sizeof(wants), "%s/dev-dxl0.device.wants", units);
	assert_int_equal(mkdir(units, 0700), 0);
	assert_int_equal(mkdir(runtime, 0700), 0);
	assert_int_equal(mkdir(wants, 0700), 0);
	put(units, "naohwd@.service", NULL);
	put(wants, UNIT, "../naohwd@.service");
	setenv("SYSTEMD_UNIT_PATH", search, 1);
	return ret;
}

static int teardown_units(void **state)
{
	const char *const where[] = { wants, units, runtime };
	char at[192];

	setenv("SYSTEMD_UNIT_PATH", "/nowhere", 1);
	for (unsigned int i = 0; i < 3; i++) {
		snprintf(at, sizeof(at), "%s/" UNIT, where[i]);
		(void)unlink(at);
		snprintf(at, sizeof(at), "%s/naohwd@.service", where[i]);
		(void)unlink(at);
		assert_int_equal(rmdir(where[i]), 0);
	}
	return teardown(state);
}

static bool is_waited_for(void)
{
	int ret = daemon_join(naohwd, SOON, NULL);

	assert_true(ret == -EAGAIN || ret == -ENOENT);
	return ret == -EAGAIN;
}

static void who_is_enabled_and_does_not_come_is_said(void **state)
{
	struct naohw_error err;

	(void)state;
	assert_int_equal(daemon_await(naohwd, SOON, &err), -EAGAIN);
	assert_says(&err, UNIT " is enabled");
	/* A socket that nobody listens at is nobody. */
	listen_there();
	close(server.door);
	server.door = 0;
	assert_int_equal(daemon_await(naohwd, SOON, &err), -EAGAIN);
}

static void who_hangs_is_said(void **state)
{
	static const char *const none[] = { NULL };

	(void)state;
	server.is_silent = true;
	begin(none);
	assert_int_equal(daemon_await(naohwd, SOON, NULL), -EAGAIN);
}

/* It would be one robot when that is there, and another one when not. */
static void a_name_is_one_robot(void **state)
{
	static const char *const none[] = { NULL };
	struct naohw_error err;

	(void)state;
	describe(device);
	begin(none);
	assert_int_equal(daemon_await(naohwd, PATIENCE, &err), -EBUSY);
	assert_says(&err, "another robot of that name");
}

static void who_is_not_enabled_is_not_waited_for(void **state)
{
	struct daemon *other;

	(void)state;
	assert_int_equal(daemon_new(device, &other, NULL), 0);
	assert_int_equal(daemon_await(other, PATIENCE, NULL), -ENOENT);
	daemon_free(other);
	/* Its package has been removed. */
	take_away(units, "naohwd@.service");
	assert_false(is_waited_for());
	put(runtime, "naohwd@.service", NULL);
	assert_true(is_waited_for());
	take_away(wants, UNIT);
	assert_false(is_waited_for());
}

static void who_is_masked_is_not_waited_for(void **state)
{
	(void)state;
	put(runtime, UNIT, "/dev/null");
	assert_false(is_waited_for());
	/* One that systemd finds before it is the one. */
	put(units, UNIT, "naohwd@.service");
	assert_true(is_waited_for());
	take_away(units, UNIT);
	take_away(runtime, UNIT);
	/* The units of all robots */
	take_away(units, "naohwd@.service");
	put(units, "naohwd@.service", "/dev/null");
	put(runtime, "naohwd@.service", NULL);
	assert_false(is_waited_for());
}

static void *come_late(void *data)
{
	static const char *const none[] = { NULL };

	usleep(SOON * 1000);
	begin(none);
	return data;
}

static void who_comes_late_is_found(void **state)
{
	struct naohw_error err;
	pthread_t thread;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, come_late, NULL), 0);
	if (daemon_await(naohwd, PATIENCE, &err) < 0)
		fail_msg("%s", err.message);
	pthread_join(thread, NULL);
}

#define CLIENT_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
#define UNIT_TEST(name)	  cmocka_unit_test_setup_teardown(name, setup_units, teardown_units)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CLIENT_TEST(its_socket_is_called_as_the_robot),
		CLIENT_TEST(nobody_is_there),
		CLIENT_TEST(a_door_that_nobody_opens_is_left),
		CLIENT_TEST(one_of_another_robot_is_not_ours),
		CLIENT_TEST(a_robot_whose_file_has_gone_is_known_by_its_name),
		CLIENT_TEST(an_answer_is_found_among_others),
		CLIENT_TEST(errors_are_told),
		CLIENT_TEST(what_makes_no_sense_ends_it),
		CLIENT_TEST(a_line_without_an_end_is_left),
		CLIENT_TEST(a_long_line_is_read),
		CLIENT_TEST(who_does_not_answer_is_waited_for_no_longer),
		CLIENT_TEST(notifications_are_no_answer),
		CLIENT_TEST(who_answers_too_slowly_is_asked_again),
		CLIENT_TEST(a_request_that_is_cut_ends_it),
		CLIENT_TEST(who_goes_is_said_at_once),
		CLIENT_TEST(who_has_gone_meanwhile_is_seen),
		CLIENT_TEST(what_is_too_much_is_not_sent),
		CLIENT_TEST(descriptors_come_and_none_stays),
		UNIT_TEST(who_is_enabled_and_does_not_come_is_said),
		UNIT_TEST(who_hangs_is_said),
		UNIT_TEST(a_name_is_one_robot),
		UNIT_TEST(who_is_not_enabled_is_not_waited_for),
		UNIT_TEST(who_is_masked_is_not_waited_for),
		UNIT_TEST(who_comes_late_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
