// SPDX-License-Identifier: LGPL-2.1-or-later
/* How naohwd is with systemd, and what its lines are in the journal. */
#include "support.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../naohwd/service/service.h"
#include "notified.h"

static char directory[] = "/tmp/naohwd-service-XXXXXX";
static char notify_path[64], socket_path[64], log_path[64];

static int setup(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(directory));
	snprintf(notify_path, sizeof(notify_path), "%s/notify", directory);
	snprintf(socket_path, sizeof(socket_path), "%s/bioloid.lola", directory);
	snprintf(log_path, sizeof(log_path), "%s/log", directory);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	(void)unlink(socket_path);
	(void)unlink(log_path);
	return rmdir(directory);
}

static int begin_notified(void **state)
{
	(void)state;
	notified_begin(notify_path);
	return 0;
}

static int end_notified(void **state)
{
	(void)state;
	notified_end();
	unsetenv("WATCHDOG_USEC");
	return 0;
}

/* ---- how it is ---- */

static void it_is_told_how_we_are(void **state)
{
	struct service service = service_begin();

	(void)state;
	service_ready(&service, "all is well");
	assert_notified("READY=1");
	service_status("less so");
	assert_notified("STATUS=less so");
	service_reloading(&service);
	assert_notified("RELOADING=1");
	service_stopping();
	assert_notified("STOPPING=1");
	assert_not_notified();
}

static void it_hears_of_cycles_if_it_wants_to(void **state)
{
	struct service service;

	(void)state;
	setenv("WATCHDOG_USEC", "100000", 1);
	service = service_begin();
	service_cycle(&service);
	assert_notified("WATCHDOG=1");
	service_cycle(&service);
	assert_not_notified();
	usleep(30000);
	assert_not_notified();
	service_cycle(&service);
	assert_notified("WATCHDOG=1");
}

/* No cycle comes meanwhile. */
static void its_watchdog_waits_while_we_read_preferences(void **state)
{
	struct service service;

	(void)state;
	setenv("WATCHDOG_USEC", "100000", 1);
	service = service_begin();
	service_reloading(&service);
	assert_notified("WATCHDOG_USEC=60000000");
	service_ready(&service, "all is well");
	assert_notified("WATCHDOG_USEC=100000");
	assert_notified("READY=1");
}

static void it_hears_nothing_where_it_has_no_watchdog(void **state)
{
	struct service service = service_begin();

	(void)state;
	service_cycle(&service);
	assert_not_notified();
}

static void without_systemd_nothing_is_told(void **state)
{
	struct service service;

	(void)state;
	service = service_begin();
	service_ready(&service, "all is well");
	service_cycle(&service);
	service_stopping();
}

/* ---- its sockets ---- */

static int listen_at(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	strcpy(address.sun_path, path);
	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0 || listen(fd, 1) < 0)
		_exit(90);
	return fd;
}

/* It gives them by number, from 3 on, and to the process of this number. */
static void be_given(const char *names)
{
	char pid[16];

	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	setenv("LISTEN_PID", pid, 1);
	setenv("LISTEN_FDS", "2", 1);
	setenv("LISTEN_FDNAMES", names, 1);
	dup2(open("/dev/null", O_RDONLY), 3);
	dup2(listen_at(socket_path), 4);
}

/* In a process of its own, as descriptors have to be where they are. */
static void in_a_child(int (*call)(void))
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(call());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	(void)unlink(socket_path);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

static int takes_a_socket(void)
{
	struct listen_settings settings = { 0 };
	struct naohw_error err;
	int fd, again;

	be_given("other:lola");
	if (service_socket("lola", 0, &settings, &err) < 0 || strcmp(settings.path, socket_path) != 0)
		return 1;
	if (service_socket("lola", 1, &settings, &err) != -ENOENT ||
	    service_socket("rpc", 0, &settings, &err) != -ENOENT)
		return 2;
	if (service_sockets_check(&err) != -EINVAL ||
	    !strstr(err.message, "listens at a socket (other) for us"))
		return 6;
	if (listen_open(&settings, &fd, &err) < 0 || fd != 4 || listen_accept(fd) != -EAGAIN)
		return 3;
	/* It is systemd's, and is there for the next one. */
	listen_close(&settings, fd);
	if (access(socket_path, F_OK) < 0)
		return 4;
	return listen_open(&settings, &again, &err) == 0 && listen_accept(again) == -EAGAIN ? 0 : 5;
}

static int refuses_another_kind(void)
{
	struct listen_settings settings = { 0 };
	struct naohw_error err;

	be_given("lola:lola");
	if (service_socket("lola", 0, &settings, &err) != -EINVAL || settings.is_inherited)
		return 1;
	if (service_socket("lola", 1, &settings, &err) < 0 || settings.fd != 4)
		return 2;
	return service_socket("lola", 2, &settings, &err) == -ENOENT ? 0 : 3;
}

static void a_socket_is_found_by_its_name(void **state)
{
	(void)state;
	in_a_child(takes_a_socket);
}

static void what_is_no_socket_is_refused(void **state)
{
	(void)state;
	in_a_child(refuses_another_kind);
}

static void without_systemd_there_is_none(void **state)
{
	struct listen_settings settings = { 0 };
	struct naohw_error err;

	(void)state;
	assert_int_equal(service_socket("lola", 0, &settings, &err), -ENOENT);
	assert_int_equal(service_sockets_check(&err), 0);
}

/* ---- the journal ---- */

static int says(const char *stream)
{
	char own[64];
	struct stat info;

	if (!freopen(log_path, "w", stderr) || fstat(STDERR_FILENO, &info) < 0)
		return 1;
	snprintf(own, sizeof(own), "%llu:%llu", (unsigned long long)info.st_dev,
		 (unsigned long long)info.st_ino);
	setenv("JOURNAL_STREAM", stream ? stream : own, 1);
	log_line("has %d legs", 2);
	log_warning("has %d leg", 1);
	log_error("has none");
	fflush(stderr);
	return 0;
}

static int says_to_the_journal(void)
{
	return says(NULL);
}

static int says_to_another_file(void)
{
	return says("1:1");
}

static void assert_log(const char *expected)
{
	char text[256];
	FILE *file = fopen(log_path, "r");

	assert_non_null(file);
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	assert_string_equal(text, expected);
}

static void the_journal_is_told_priorities(void **state)
{
	(void)state;
	in_a_child(says_to_the_journal);
	assert_log("<6>has 2 legs\n<4>has 1 leg\n<3>has none\n");
}

static void others_are_told_who_says_it(void **state)
{
	(void)state;
	in_a_child(says_to_another_file);
	assert_log("naohwd: has 2 legs\nnaohwd: has 1 leg\nnaohwd: has none\n");
}

/* ---- its log ---- */

static void fill(int fd)
{
	static const char some[512];

	assert_true(fcntl(fd, F_SETPIPE_SZ, 4096) >= 0);
	assert_int_equal(fcntl(fd, F_SETFL, O_NONBLOCK), 0);
	while (write(fd, some, sizeof(some)) > 0)
		;
	/* Whoever logs waits as ever. */
	assert_int_equal(fcntl(fd, F_SETFL, 0), 0);
}

static void who_reads_no_log_stops_nothing(void **state)
{
	int ends[2], own = dup(STDERR_FILENO);
	char said[8192];
	ssize_t size;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	dup2(ends[1], STDERR_FILENO);
	fill(ends[1]);
	log_line("first");
	log_line("second");
	assert_int_equal(read(ends[0], said, sizeof(said)), 4096);
	log_line("third");
	dup2(own, STDERR_FILENO);
	close(own);
	close(ends[1]);
	size = read(ends[0], said, sizeof(said) - 1);
	close(ends[0]);
	assert_true(size > 0);
	said[size] = '\0';
	assert_string_equal(said, "naohwd: 2 lines are missing here, as nobody read them\n"
				  "naohwd: third\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(it_is_told_how_we_are, begin_notified, end_notified),
		cmocka_unit_test_setup_teardown(it_hears_of_cycles_if_it_wants_to, begin_notified,
						end_notified),
		cmocka_unit_test_setup_teardown(its_watchdog_waits_while_we_read_preferences,
						begin_notified, end_notified),
		cmocka_unit_test_setup_teardown(it_hears_nothing_where_it_has_no_watchdog,
						begin_notified, end_notified),
		cmocka_unit_test(without_systemd_nothing_is_told),
		cmocka_unit_test(a_socket_is_found_by_its_name),
		cmocka_unit_test(what_is_no_socket_is_refused),
		cmocka_unit_test(without_systemd_there_is_none),
		cmocka_unit_test(the_journal_is_told_priorities),
		cmocka_unit_test(others_are_told_who_says_it),
		cmocka_unit_test(who_reads_no_log_stops_nothing),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
