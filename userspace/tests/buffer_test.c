// SPDX-License-Identifier: LGPL-2.1-or-later
/* The buffer of a device of this machine, whose files are made up. */
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/bus_device.h"
#include "io/node.h"

/* libiio wants one that fits. */
#define DTD                                                                                        \
	"<!ELEMENT context (device)><!ELEMENT device (channel)*><!ELEMENT channel (scan-element?)>" \
	"<!ELEMENT scan-element EMPTY><!ATTLIST context name CDATA #REQUIRED>"                     \
	"<!ATTLIST device id CDATA #REQUIRED name CDATA #REQUIRED>"                                \
	"<!ATTLIST channel id CDATA #REQUIRED type CDATA #REQUIRED>"                               \
	"<!ATTLIST scan-element index CDATA #REQUIRED format CDATA #REQUIRED>"

#define CHANNEL(id, type, index, format)                                                           \
	"<channel id=\"" id "\" type=\"" type "\">"                                                \
	"<scan-element index=\"" index "\" format=\"" format "\"/></channel>"

static const char context_xml[] =
	"<?xml version=\"1.0\"?><!DOCTYPE context [" DTD "]><context name=\"xml\">"
	"<device id=\"iio:device3\" name=\"dxl0-state\">"
	CHANNEL("angl1", "input", "0", "le:s16/16&gt;&gt;0")
	CHANNEL("anglvel1", "input", "1", "le:s16/16&gt;&gt;0")
	CHANNEL("voltage1", "input", "2", "le:u8/8&gt;&gt;0")
	CHANNEL("timestamp", "input", "3", "le:s64/64&gt;&gt;0")
	"<channel id=\"angl2\" type=\"output\"/>"
	"</device></context>";

static const char *const directories[] = { "buffer", "scan_elements" };
/* All say what cannot be written. */
static const char *const files[] = {
	"buffer/length",
	"buffer/watermark",
	"scan_elements/in_angl1_en",
	"scan_elements/in_anglvel1_en",
	"scan_elements/in_voltage1_en",
	"scan_elements/in_timestamp_en",
};

static char path[] = "/tmp/naohw-buffer-XXXXXX";
static struct iio_context *context;
static struct bus_device bus;
static int enable = -1; /* all that is written to buffer/enable */
static int node[2];	/* its character device, and the kernel's end of that */
static int node_error;

int __wrap_node_open(const char *iio_id);

int __wrap_node_open(const char *iio_id)
{
	assert_string_equal(iio_id, "iio:device3");
	if (node_error)
		return node_error;
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, node),
			 0);
	return node[0];
}

static const char *in_path(const char *file)
{
	static char full[96];

	snprintf(full, sizeof(full), "%s/%s", path, file);
	return full;
}

static void make_files(void)
{
	for (size_t i = 0; i < sizeof(directories) / sizeof(directories[0]); i++)
		assert_int_equal(mkdir(in_path(directories[i]), 0700), 0);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		int fd = open(in_path(files[i]), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

		assert_int_equal(write(fd, "?", 1), 1);
		close(fd);
	}
	assert_int_equal(mkfifo(in_path("buffer/enable"), 0600), 0);
	enable = open(in_path("buffer/enable"), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	assert_true(enable >= 0);
}

/* As a device does that is gone: its directory stays open. */
static void remove_files(void)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		(void)unlink(in_path(files[i]));
	(void)unlink(in_path("buffer/enable"));
	for (size_t i = 0; i < sizeof(directories) / sizeof(directories[0]); i++)
		(void)rmdir(in_path(directories[i]));
	(void)rmdir(path);
}

static struct iio_channel *channel(const char *id)
{
	return iio_device_find_channel(bus.held.iio, id, false);
}

static int setup(void **state)
{
	(void)state;
	strcpy(path + sizeof(path) - 7, "XXXXXX");
	assert_non_null(mkdtemp(path));
	make_files();
	context = iio_create_xml_context_mem(context_xml, sizeof(context_xml) - 1);
	assert_non_null(context);
	memset(&bus, 0, sizeof(bus));
	bus.held.iio = iio_context_find_device(context, "dxl0-state");
	bus.held.dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_non_null(bus.held.iio);
	assert_true(bus.held.dir >= 0);
	iio_channel_enable(channel("angl1"));
	iio_channel_enable(channel("voltage1"));
	iio_channel_enable(channel("timestamp"));
	node[0] = node[1] = -1;
	node_error = 0;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	bus_device_end(&bus);
	if (node[1] >= 0)
		close(node[1]);
	close(bus.held.dir);
	close(enable);
	iio_context_destroy(context);
	remove_files();
	return 0;
}

static int open_buffer(void)
{
	return buffer_open(&bus.held, 8, &bus.buffer);
}

/* What has been written to buffer/enable since this was asked last */
static const char *runs(void)
{
	static char text[16];
	ssize_t size = read(enable, text, sizeof(text) - 1);

	text[size > 0 ? size : 0] = '\0';
	return text;
}

static const char *content(const char *file)
{
	static char text[16];
	int fd = open(in_path(file), O_RDONLY | O_CLOEXEC);
	ssize_t size = read(fd, text, sizeof(text) - 1);

	close(fd);
	assert_true(size >= 0);
	text[size] = '\0';
	return text;
}

static bool is_closed(int fd)
{
	return fcntl(fd, F_GETFD) < 0 && errno == EBADF;
}

static void what_is_enabled_is_what_samples_have(void **state)
{
	(void)state;
	assert_int_equal(open_buffer(), 0);
	assert_string_equal(runs(), "01");
	assert_string_equal(content("buffer/length"), "8");
	assert_string_equal(content("buffer/watermark"), "1");
	assert_string_equal(content("scan_elements/in_angl1_en"), "1");
	assert_string_equal(content("scan_elements/in_anglvel1_en"), "0");
	assert_string_equal(content("scan_elements/in_voltage1_en"), "1");
	assert_string_equal(content("scan_elements/in_timestamp_en"), "1");
	assert_int_equal(buffer_size(bus.buffer), 16);
	assert_int_equal(bus_device_place(&bus, channel("angl1")), 0);
	assert_int_equal(bus_device_place(&bus, channel("voltage1")), 2);
	assert_int_equal(bus_device_place(&bus, channel("timestamp")), 8);
}

static void the_end_leaves_nothing_enabled(void **state)
{
	int fd;

	(void)state;
	assert_int_equal(open_buffer(), 0);
	fd = buffer_poll_fd(bus.buffer);
	(void)runs();
	bus_device_end(&bus);
	assert_string_equal(runs(), "0");
	for (size_t i = 2; i < sizeof(files) / sizeof(files[0]); i++)
		assert_string_equal(content(files[i]), "0");
	assert_true(is_closed(fd));
}

static void samples_come_one_by_one(void **state)
{
	char sample[16] = "";

	(void)state;
	assert_int_equal(open_buffer(), 0);
	assert_int_equal(buffer_read(bus.buffer, sample), -EAGAIN);
	assert_int_equal(send(node[1], "the first sample", 16, 0), 16);
	assert_int_equal(send(node[1], "the other sample", 16, 0), 16);
	assert_int_equal(buffer_read(bus.buffer, sample), 16);
	assert_memory_equal(sample, "the first sample", 16);
	assert_int_equal(buffer_read(bus.buffer, sample), 16);
	assert_memory_equal(sample, "the other sample", 16);
	assert_int_equal(buffer_read(bus.buffer, sample), -EAGAIN);
}

static void samples_go_as_long_as_there_is_room(void **state)
{
	char sample[16];
	ssize_t ret;

	(void)state;
	assert_int_equal(open_buffer(), 0);
	do
		ret = buffer_write(bus.buffer, "sixteen bytes   ");
	while (ret == 16);
	assert_int_equal(ret, -EAGAIN);
	assert_int_equal(recv(node[1], sample, sizeof(sample), 0), 16);
	assert_memory_equal(sample, "sixteen bytes   ", 16);
}

static void who_has_it_is_not_disturbed(void **state)
{
	(void)state;
	node_error = -EBUSY;
	assert_int_equal(open_buffer(), -EBUSY);
	assert_null(bus.buffer);
	assert_string_equal(runs(), "");
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		assert_string_equal(content(files[i]), "?");
}

static void what_cannot_start_is_let_go(void **state)
{
	(void)state;
	assert_int_equal(unlink(in_path("buffer/length")), 0);
	assert_int_equal(mkdir(in_path("buffer/length"), 0700), 0);
	assert_int_equal(open_buffer(), -EISDIR);
	assert_null(bus.buffer);
	assert_string_equal(runs(), "00");
	assert_string_equal(content("scan_elements/in_angl1_en"), "0");
	assert_true(is_closed(node[0]));
	assert_int_equal(rmdir(in_path("buffer/length")), 0);
}

static void a_device_that_is_gone_cannot_be_opened(void **state)
{
	(void)state;
	remove_files();
	assert_int_equal(open_buffer(), -ENODEV);
	assert_true(is_closed(node[0]));
}

static void a_device_that_has_gone_is_closed_without_a_word(void **state)
{
	int said = memfd_create("said", MFD_CLOEXEC), saved = dup(STDERR_FILENO);
	int fd;

	(void)state;
	assert_int_equal(open_buffer(), 0);
	fd = buffer_poll_fd(bus.buffer);
	remove_files();
	dup2(said, STDERR_FILENO);
	bus_device_end(&bus);
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	assert_int_equal(lseek(said, 0, SEEK_END), 0);
	close(said);
	assert_true(is_closed(fd));
}

#define BUFFER_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		BUFFER_TEST(what_is_enabled_is_what_samples_have),
		BUFFER_TEST(the_end_leaves_nothing_enabled),
		BUFFER_TEST(samples_come_one_by_one),
		BUFFER_TEST(samples_go_as_long_as_there_is_room),
		BUFFER_TEST(who_has_it_is_not_disturbed),
		BUFFER_TEST(what_cannot_start_is_let_go),
		BUFFER_TEST(a_device_that_is_gone_cannot_be_opened),
		BUFFER_TEST(a_device_that_has_gone_is_closed_without_a_word),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
