// SPDX-License-Identifier: LGPL-2.1-or-later
#include "rpc_bed.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* The longest answer, and more than comes with one recv() */
#define HEARD_SIZE  (4 * 1024 * 1024)
#define CLIENTS_MAX 1024

struct bed bed;

static char directory[] = "/tmp/naohw-rpc-XXXXXX";
/* Of each descriptor what it has heard beyond a line */
static char *heard[CLIENTS_MAX];
static size_t heard_used[CLIENTS_MAX];
static char line[HEARD_SIZE];
static struct json_object *last;

/* ---- what is said, for rpc-schema-test ---- */

/* A line of its own for each */
void bed_record(const char *method, const char *asked, const char *answer)
{
	const char *path = getenv("NAOHW_RPC_RECORD");
	FILE *file = path ? fopen(path, "a") : NULL;

	if (!file)
		return;
	fprintf(file, "%s\t%s\t%s\n", method, asked, answer);
	fclose(file);
}

/* ---- the log ---- */

void __wrap_log_line(const char *format, ...);

void __wrap_log_line(const char *format, ...)
{
	size_t used = strlen(bed.said);
	va_list args;

	va_start(args, format);
	vsnprintf(bed.said + used, sizeof(bed.said) - used, format, args);
	va_end(args);
}

void bed_assert_said(const char *what)
{
	if (!strstr(bed.said, what))
		fail_msg("said '%s', expected '%s'", bed.said, what);
	*bed.said = '\0';
}

/* ---- what is read ---- */

struct json_object *__real_json_tokener_parse_ex(struct json_tokener *tokener, const char *text,
						 int length);
struct json_object *__wrap_json_tokener_parse_ex(struct json_tokener *tokener, const char *text,
						 int length);

struct json_object *__wrap_json_tokener_parse_ex(struct json_tokener *tokener, const char *text,
						 int length)
{
	bed.parsed += (size_t)length;
	return __real_json_tokener_parse_ex(tokener, text, length);
}

/* ---- what is answered ---- */

int __real_json_object_object_add(struct json_object *object, const char *name,
				  struct json_object *value);
int __wrap_json_object_object_add(struct json_object *object, const char *name,
				  struct json_object *value);

int __wrap_json_object_object_add(struct json_object *object, const char *name,
				  struct json_object *value)
{
	bed.members++;
	return __real_json_object_object_add(object, name, value);
}

/* ---- who it is ---- */

int __real_getsockopt(int fd, int level, int option, void *value, socklen_t *size);
int __wrap_getsockopt(int fd, int level, int option, void *value, socklen_t *size);

int __wrap_getsockopt(int fd, int level, int option, void *value, socklen_t *size)
{
	int ret = __real_getsockopt(fd, level, option, value, size);
	struct ucred *peer = value;

	if (level != SOL_SOCKET)
		return ret;
	if (option == SO_PEERCRED && bed.pid)
		peer->pid = bed.pid;
	if (!bed.is_stranger)
		return ret;
	if (option == SO_PEERCRED) {
		peer->uid = 4711;
		peer->gid = bed.gid;
	}
	if (option == SO_PEERGROUPS) {
		*(gid_t *)value = bed.other_gid;
		*size = sizeof(gid_t);
		return 0;
	}
	return ret;
}

/* ---- the server ---- */

static void serve(void)
{
	const struct rpc_host host = { bed.loop, stage.robot, stage.dcm, bed.leases, bed.plays };
	struct naohw_error err;

	if (rpc_open(&host, &bed.settings, &bed.rpc, &err) < 0)
		fail_msg("%s", err.message);
	bed_turns(1);
}

static void host(void)
{
	struct naohw_error err;

	assert_int_equal(leases_new(stage.robot, stage.dcm, &bed.leases, &err), 0);
	assert_int_equal(plays_new(stage.robot, stage.dcm, bed.leases, directory, &bed.plays, &err),
			 0);
}

/* Its texts have to be known before, and of the robot there are only its joints' names. */
static void open_robot(const char *preferences, bool has_wheel)
{
	struct naohw_dcm_settings *settings;

	assert_int_equal(naohw_dcm_settings_new(&settings), 0);
	assert_int_equal(naohw_dcm_settings_add_text(settings, "DCM/Lease/HeadYaw"), 0);
	assert_int_equal(naohw_dcm_settings_add_text(settings, "DCM/Lease/HeadPitch"), 0);
	if (has_wheel)
		stage_open_wheel(preferences, "0", settings);
	else
		stage_open(preferences, settings);
	naohw_dcm_settings_free(settings);
}

static int set_up(const char *preferences, bool has_wheel)
{
	struct naohw_error err;

	strcpy(directory + strlen(directory) - 6, "XXXXXX");
	assert_non_null(mkdtemp(directory));
	bed = (struct bed){ .loop = NULL };
	snprintf(bed.path, sizeof(bed.path), "%s/rpc", directory);
	bed.settings.listen =
		(struct listen_settings){ .path = bed.path, .mode = 0600, .group = (gid_t)-1 };
	open_robot(preferences, has_wheel);
	stage_cycles(1);
	assert_int_equal(loop_new(&bed.loop, &err), 0);
	host();
	serve();
	return 0;
}

int bed_setup(void **state)
{
	(void)state;
	return bed_setup_robot("");
}

int bed_setup_robot(const char *preferences)
{
	return set_up(preferences, false);
}

int bed_setup_wheel(void **state)
{
	(void)state;
	return set_up("", true);
}

int bed_teardown(void **state)
{
	(void)state;
	rpc_close(bed.rpc);
	plays_free(bed.plays);
	leases_free(bed.leases);
	loop_free(bed.loop);
	stage_close();
	json_object_put(last);
	last = NULL;
	for (size_t i = 0; i < CLIENTS_MAX; i++) {
		free(heard[i]);
		heard[i] = NULL;
		heard_used[i] = 0;
	}
	return rmdir(directory);
}

int bed_setup_client(void **state)
{
	int ret = bed_setup(state);

	bed.fd = bed_client();
	return ret;
}

int bed_teardown_client(void **state)
{
	close(bed.fd);
	return bed_teardown(state);
}

void bed_serve_anew(void)
{
	rpc_close(bed.rpc);
	serve();
}

/* The DCM of the next one has none of the commands that this one has. */
static void forget_commands(void)
{
	static const char *const names[] = { YAW_POSITION, YAW_HARDNESS, PITCH_POSITION,
					     PITCH_HARDNESS };

	for (size_t i = 0; i < 4; i++)
		assert_int_equal(naohw_dcm_set(stage.dcm, names[i], NAOHW_UPDATE_CLEAR_ALL, NULL, 0,
					       NULL),
				 0);
}

void bed_begin_anew(void)
{
	struct owed *owed;

	leases_only_hold(bed.leases);
	rpc_close(bed.rpc);
	plays_free(bed.plays);
	owed = leases_owed(bed.leases);
	leases_free(bed.leases);
	forget_commands();
	host();
	leases_owe(bed.leases, owed);
	serve();
}

void bed_settle(void)
{
	while (loop_once(bed.loop, 0))
		;
}

void bed_cycle(void)
{
	stage_cycles(1);
	leases_cycle(bed.leases);
	plays_cycle(bed.plays);
	rpc_cycle(bed.rpc);
}

void bed_turns(unsigned int count)
{
	bed_settle();
	while (count--) {
		bed_cycle();
		bed_settle();
	}
}

/* ---- a client ---- */

int bed_connect(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_in_range(fd, 0, CLIENTS_MAX - 1);
	strcpy(address.sun_path, bed.path);
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0)
		fail_msg("%s: %s", bed.path, strerror(errno));
	heard_used[fd] = 0;
	return fd;
}

int bed_client(void)
{
	int fd = bed_connect();

	bed_settle();
	return fd;
}

void bed_send(int fd, const char *bytes, size_t count)
{
	for (unsigned int tries = 0; count; tries++) {
		ssize_t sent = send(fd, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL);

		assert_true(tries < 100000);
		if (sent < 0) {
			assert_int_equal(errno, EAGAIN);
			bed_turns(1);
			continue;
		}
		bytes += sent;
		count -= (size_t)sent;
	}
	bed_settle();
}

void bed_say(int fd, const char *what)
{
	bed_send(fd, what, strlen(what));
	bed_send(fd, "\n", 1);
}

static const char *take_line(int fd)
{
	char *at = heard[fd], *end = memchr(at, '\n', heard_used[fd]);
	size_t length;

	if (!end)
		return NULL;
	length = (size_t)(end - at);
	memcpy(line, at, length);
	line[length] = '\0';
	heard_used[fd] -= length + 1;
	memmove(at, end + 1, heard_used[fd]);
	return line;
}

const char *bed_hear(int fd)
{
	ssize_t size;

	if (!heard[fd])
		heard[fd] = malloc(HEARD_SIZE);
	assert_non_null(heard[fd]);
	for (;;) {
		const char *next = take_line(fd);

		if (next) {
			bed_record("", "", next);
			return next;
		}
		size = recv(fd, heard[fd] + heard_used[fd], HEARD_SIZE - heard_used[fd],
			    MSG_DONTWAIT);
		if (size <= 0)
			return NULL;
		heard_used[fd] += (size_t)size;
		bed_settle();
	}
}

bool bed_has_ended(int fd)
{
	char byte;
	ssize_t size;

	while (bed_hear(fd))
		;
	size = recv(fd, &byte, 1, MSG_DONTWAIT | MSG_PEEK);
	return size == 0 || (size < 0 && errno == ECONNRESET);
}

struct json_object *bed_read(int fd)
{
	const char *text = bed_hear(fd);

	assert_non_null(text);
	json_object_put(last);
	last = json_tokener_parse(text);
	if (!last)
		fail_msg("no JSON: '%.200s'", text);
	return last;
}

struct json_object *bed_ask(int fd, const char *what)
{
	bed_say(fd, what);
	return bed_read(fd);
}

struct json_object *bed_call(int fd, const char *method, const char *params)
{
	static char text[64 * 1024];
	struct json_object *answer;
	int length = snprintf(text, sizeof(text),
			      "{'jsonrpc':'2.0','id':1,'method':'%s','params':%s}", method, params);

	assert_in_range(length, 1, sizeof(text) - 1);
	for (char *at = text; *at; at++)
		if (*at == '\'')
			*at = '"';
	answer = bed_ask(fd, text);
	bed_record(method, text, json_object_to_json_string(answer));
	return answer;
}

struct json_object *bed_result(int fd, const char *method, const char *params)
{
	struct json_object *answer = bed_call(fd, method, params), *result;

	if (!json_object_object_get_ex(answer, "result", &result))
		fail_msg("%s %s: %s", method, params, json_object_to_json_string(answer));
	return result;
}

void bed_assert_fails(int fd, const char *method, const char *params, int code, int error,
		      const char *message)
{
	struct json_object *answer = bed_call(fd, method, params);

	if (!bed_at(answer, "error") || bed_number(answer, "error/code") != code ||
	    !strstr(bed_text(answer, "error/message"), message))
		fail_msg("%s %s: %s, expected %d, %s", method, params,
			 json_object_to_json_string(answer), code, message);
	if (code == -32000)
		assert_int_equal(bed_number(answer, "error/data/errno"), error);
}

/* ---- what is in it ---- */

struct json_object *bed_at(struct json_object *json, const char *path)
{
	char part[64];

	while (json && *path) {
		size_t length = strcspn(path, "/");

		snprintf(part, sizeof(part), "%.*s", (int)length, path);
		if (json_object_is_type(json, json_type_array))
			json = json_object_array_get_idx(json, strtoul(part, NULL, 10));
		else if (!json_object_object_get_ex(json, part, &json))
			return NULL;
		path += length + (path[length] == '/');
	}
	return json;
}

const char *bed_text(struct json_object *json, const char *path)
{
	struct json_object *text = bed_at(json, path);

	if (!json_object_is_type(text, json_type_string))
		fail_msg("%s: no text in %s", path, json_object_to_json_string(json));
	return json_object_get_string(text);
}

double bed_number(struct json_object *json, const char *path)
{
	struct json_object *number = bed_at(json, path);

	if (!json_object_is_type(number, json_type_int) &&
	    !json_object_is_type(number, json_type_double))
		fail_msg("%s: no number in %s", path, json_object_to_json_string(json));
	return json_object_get_double(number);
}
