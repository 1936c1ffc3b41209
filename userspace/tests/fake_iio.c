// SPDX-License-Identifier: LGPL-2.1-or-later
#include "fake_iio.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <iio.h>

#include "io/kernel_buffer.h"
#include "io/node.h"
#include "io/sysfs.h"
#include "robot/party.h"

#define DEVICES	   64
#define CHANNELS   48
#define ATTRIBUTES 16
#define PUSHES	   1024
#define FRAMES	   1024
#define TEXT	   48
#define FILES	   1024
/* What a number has beside the ID where a servo has two channels of a type */
#define TWICE	   1024
#define TIMEOUT	   1000 /* libiio's own, until it is set */

/* It is for one thread alone, and not what is tried where there are several. */
const char *__tsan_default_suppressions(void);

const char *__tsan_default_suppressions(void)
{
	return "race:fake_iio.c\n";
}

struct attribute {
	char name[TEXT];
	char value[TEXT];
	int error;
	unsigned int error_times; /* 0: for ever */
	double step;		  /* from one reading to the next */
	unsigned int reads;
	unsigned int writes;
	bool used;
};

struct iio_channel {
	struct iio_device *device;
	char id[TEXT];
	bool output;
	bool scan;
	bool enabled;
	struct iio_data_format format;
	struct attribute attribute[ATTRIBUTES];
};

struct iio_buffer {
	struct iio_device *device;
	unsigned char bytes[2 * FAKE_SAMPLE];
};

/* What one reading gives. */
struct frame {
	unsigned char bytes[2 * FAKE_SAMPLE];
	size_t size;
	int error;
};

struct iio_device {
	char id[TEXT];
	char name[TEXT];
	char label[TEXT];
	unsigned int channels;
	struct iio_channel channel[CHANNELS];
	struct iio_buffer buffer;
	size_t size; /* of a sample */
	bool open;
	bool taken; /* by another program */
	bool locked; /* by somebody else, or ... */
	int lock[2]; /* ... by us, as long as nobody has closed the second end */
	unsigned int locked_times; /* 0: for ever */
	unsigned int queued;
	bool gone; /* and another has its number */
	bool replaced; /* by another one of its name */
	unsigned int looks; /* for it by its name, until it is there */
	unsigned int denied; /* how often this program looks in vain whether it may use it */
	int push_error;
	unsigned int push_errors; /* 0: for ever */
	uint16_t pushed[PUSHES][FAKE_SAMPLE];
	unsigned int pushes;
	struct attribute attribute[ATTRIBUTES];
	struct frame frame[FRAMES];
	unsigned int frames;
	unsigned int frames_read;
	unsigned int refills;
	bool nonblocking;
	bool called_for; /* somebody has waited for it, who is called on_frame for */
	unsigned int depth;
	struct iio_device *trigger;
	const char *line;     /* that its bus is on; NULL: not told */
	unsigned int bus;
	int pipe[2];	      /* of a goal */
	int timer;	      /* of a state: it has expired when the next frame is there, ... */
	unsigned int wait_ms; /* ... which is so long after the one before was read */
};

struct iio_context {
	/* Each is large, and most tests have few. */
	struct iio_device *device[DEVICES];
	unsigned int devices;
};

static struct iio_context fake;
static char log_text[4096];
static char buffer_text[1024];
static int buffer_error;
static bool local;
static int busy;
static int lease_error;
static int bus_error;
static unsigned int bus_of_servos;
static atomic_int longest_poll;
static atomic_uint polls; /* of any thread */
static unsigned int buffers_created;
static unsigned int contexts;
static unsigned int looks;
static unsigned int looks_until_there;
static unsigned int looks_until_ours;
static unsigned int timeout_ms;
static void (*on_frame)(void);
static void (*on_waited)(int ms);
static void (*on_look)(void);
static void (*on_push)(const char *device);
static void (*on_buffer)(const char *device, int open);
static struct {
	struct iio_device *device;
	char attribute[TEXT];
	char other[TEXT];
	char value[TEXT];
} on_write;
static struct {
	const struct iio_device *device;
	char attribute[TEXT];
	atomic_bool is_held;
} held_write;

/* One that is gone only where no other is called so. */
static struct iio_device *find(const char *name)
{
	struct iio_device *found = NULL;

	for (unsigned int i = 0; i < fake.devices; i++) {
		struct iio_device *device = fake.device[i];

		if (strcmp(device->label, name) != 0 && strcmp(device->name, name) != 0)
			continue;
		if (!found || found->gone)
			found = device;
	}
	if (!found)
		abort();
	return found;
}

static struct iio_device *add_device(const char *name, const char *label)
{
	struct iio_device *device = calloc(1, sizeof(*device));

	if (!device || fake.devices == DEVICES)
		abort();
	fake.device[fake.devices] = device;
	snprintf(device->id, TEXT, "iio:device%u", fake.devices++);
	snprintf(device->name, TEXT, "%s", name);
	snprintf(device->label, TEXT, "%s", label);
	device->buffer.device = device;
	return device;
}

/* "x_raw": the channel has an axis. */
static bool begins_with_axis(const char *text)
{
	return text[0] && strchr("xyz", text[0]) && text[1] == '_';
}

/* "in_angl0_raw": the channel ends with the second underscore, "in_accel_x_raw" behind its axis. */
static struct iio_channel *channel_of(struct iio_device *device, const char *file, bool create,
				      const char **attribute)
{
	bool output = strncmp(file, "out_", 4) == 0;
	const char *begin = strchr(file, '_') + 1;
	const char *end = strchr(begin, '_');
	size_t length;

	if (begins_with_axis(end + 1))
		end += strlen("_x");
	length = (size_t)(end - begin);
	*attribute = end + 1;
	for (unsigned int i = 0; i < device->channels; i++) {
		struct iio_channel *channel = &device->channel[i];

		if (channel->output == output && strlen(channel->id) == length &&
		    strncmp(channel->id, begin, length) == 0)
			return channel;
	}
	if (!create)
		abort();
	struct iio_channel *channel = &device->channel[device->channels++];

	channel->device = device;
	channel->output = output;
	snprintf(channel->id, TEXT, "%.*s", (int)length, begin);
	return channel;
}

static struct attribute *find_in(const struct attribute *list, const char *name)
{
	for (unsigned int i = 0; i < ATTRIBUTES; i++)
		if (list[i].used && strcmp(list[i].name, name) == 0)
			return (struct attribute *)&list[i];
	return NULL;
}

static struct attribute *find_attribute(const struct iio_channel *channel, const char *name)
{
	return find_in(channel->attribute, name);
}

static void set_in(struct attribute *list, const char *name, const char *value)
{
	struct attribute *attribute = find_in(list, name);

	for (unsigned int i = 0; !attribute && i < ATTRIBUTES; i++)
		if (!list[i].used)
			attribute = &list[i];
	if (!attribute)
		abort();
	attribute->used = true;
	snprintf(attribute->name, TEXT, "%s", name);
	snprintf(attribute->value, TEXT, "%s", value);
}

static void set(struct iio_device *device, const char *file, const char *value)
{
	const char *name;
	struct iio_channel *channel = channel_of(device, file, true, &name);

	set_in(channel->attribute, name, value);
}

static void note(const struct iio_device *device, const char *what)
{
	size_t used = strlen(buffer_text);

	snprintf(buffer_text + used, sizeof(buffer_text) - used, "%s %s;", device->name, what);
}

/* To be called before anything else is noted: nobody tells of a file that is closed. */
static void note_unlocks(void)
{
	for (unsigned int i = 0; i < fake.devices; i++) {
		struct iio_device *device = fake.device[i];
		struct pollfd pollfd = { .fd = device->lock[0] };

		if (!pollfd.fd || poll(&pollfd, 1, 0) != 1)
			continue;
		close(device->lock[0]);
		device->lock[0] = 0;
		note(device, "unlock");
	}
}

static void close_pipe(int *ends)
{
	if (ends[1])
		close(ends[0]), close(ends[1]);
}

void fake_reset(void)
{
	for (unsigned int i = 0; i < fake.devices; i++) {
		close_pipe(fake.device[i]->pipe);
		if (fake.device[i]->timer)
			close(fake.device[i]->timer);
		if (fake.device[i]->lock[0])
			close(fake.device[i]->lock[0]);
		free(fake.device[i]);
	}
	fake.devices = 0;
	timeout_ms = 0;
	on_frame = NULL;
	on_waited = NULL;
	on_buffer = NULL;
	on_push = NULL;
	on_look = NULL;
	on_write.device = NULL;
	fake_let_writes_go();
	log_text[0] = buffer_text[0] = '\0';
	buffer_error = 0;
	local = true;
	busy = 0;
	lease_error = 0;
	bus_error = 0;
	bus_of_servos = 0;
	longest_poll = 0;
	polls = 0;
	buffers_created = 0;
	looks = looks_until_there = looks_until_ours = 0;
}

void fake_servo(const char *label)
{
	static const char *const files[][2] = {
		{ "in_angl0_raw", "512" },	  { "in_angl0_scale", "0.005113269" },
		{ "in_angl0_offset", "-512" },	  { "in_angl0_load", "-12.5" },
		{ "in_anglvel0_raw", "-10" },	  { "in_anglvel0_scale", "0.011623893" },
		{ "in_voltage0_raw", "111" },	  { "in_voltage0_scale", "100" },
		{ "in_temp0_raw", "36" },	  { "in_temp0_scale", "1000" },
		{ "out_angl0_raw", "512" },	  { "out_angl0_scale", "0.005113269" },
		{ "out_angl0_offset", "-512" },	  { "out_angl0_raw_available", "[0 1 1023]" },
		{ "out_angl0_en", "0" },	  { "out_angl0_torque_limit", "100.0" },
		{ "out_anglvel0_raw", "0" },	  { "out_anglvel0_scale", "0.011623893" },
		{ "out_anglvel0_raw_available", "[0 1 1023]" },
	};
	struct iio_device *device = add_device("ax-12", label);

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		set(device, files[i][0], files[i][1]);
}

/* The next channel of a sample, @bits long; what it is set to fits both kinds of servo. */
static void add_scan(struct iio_device *device, const char *type, unsigned int id,
		     const char *label, unsigned int bits)
{
	struct iio_channel *channel = &device->channel[device->channels];
	char file[TEXT];

	channel->device = device;
	channel->output = channel->scan = true;
	device->channels++;
	channel->format.length = channel->format.bits = bits;
	snprintf(channel->id, TEXT, "%s%u", type, id);
	snprintf(file, TEXT, "out_%s%u_label", type, id);
	set(device, file, label);
	snprintf(file, TEXT, "out_%s%u_raw", type, id);
	set(device, file, "700");
	snprintf(file, TEXT, "out_%s%u_scale", type, id);
	set(device, file, strcmp(type, "angl") ? "0.011623893" : "0.005113269");
	snprintf(file, TEXT, "out_%s%u_raw_available", type, id);
	set(device, file, "[0 1 1023]");
	if (strcmp(type, "angl") == 0) {
		snprintf(file, TEXT, "out_%s%u_offset", type, id);
		set(device, file, "-512");
	}
}

static struct iio_device *add_goal(unsigned int bus)
{
	char name[TEXT];
	struct iio_device *device;

	snprintf(name, TEXT, "dxl%u-goal", bus);
	device = add_device(name, "");
	/* Nobody can write to this end: the queue is full whenever somebody waits. */
	if (pipe2(device->pipe, O_CLOEXEC) < 0)
		abort();
	device->bus = bus;
	return device;
}

void fake_goal_of_bits(unsigned int bus, const char *const *labels, unsigned int count,
		       unsigned int bits)
{
	struct iio_device *device = add_goal(bus);

	for (unsigned int i = 0; i < count; i++) {
		add_scan(device, "angl", i + 1, labels[i], bits);
		add_scan(device, "anglvel", i + 1, labels[i], bits);
	}
}

void fake_goal(unsigned int bus, const char *const *labels, unsigned int count)
{
	fake_goal_of_bits(bus, labels, count, 16);
}

static void add_stiffness(struct iio_device *device, unsigned int id)
{
	struct iio_channel *channel = &device->channel[device->channels++];

	channel->device = device;
	channel->output = channel->scan = true;
	channel->format.length = channel->format.bits = 16;
	channel->format.is_signed = true;
	snprintf(channel->id, TEXT, "count%u", id);
	set_in(channel->attribute, "scale", "0.097751710");
}

/* The speed as a wheel of the servo whose speed this is */
static void add_velocity(struct iio_device *device, const struct iio_channel *speed)
{
	struct iio_channel *channel = &device->channel[device->channels++];
	unsigned int id = 0;

	*channel = *speed;
	channel->device = device;
	channel->enabled = false;
	channel->format.is_signed = true;
	(void)sscanf(speed->id, "anglvel%u", &id);
	snprintf(channel->id, TEXT, "anglvel%u", TWICE + id);
	set_in(channel->attribute, "label", "");
	set_in(channel->attribute, "raw_available", "[-1023 1 1023]");
}

static bool has_option(const struct iio_device *device, const char *option)
{
	const struct attribute *found = find_in((struct attribute *)device->attribute, option);

	return found && strcmp(found->value, "0") != 0;
}

static bool is_option_channel(const struct iio_channel *channel)
{
	unsigned int id;

	return sscanf(channel->id, "count%u", &id) == 1 ||
	       (sscanf(channel->id, "anglvel%u", &id) == 1 && id > TWICE);
}

/* As the kernel does when a goal output is asked for stiffness or all goals, or for none. */
static void ask_for(struct iio_device *device, const char *option, const char *wanted)
{
	struct iio_device *anew;

	if (strcmp(find_in(device->attribute, option)->value, wanted) == 0)
		return;
	anew = add_goal(device->bus);
	device->gone = device->replaced = true;
	memcpy(anew->attribute, device->attribute, sizeof(anew->attribute));
	set_in(anew->attribute, option, wanted);
	if (on_write.device == device)
		on_write.device = anew;
	for (unsigned int i = 0; i < device->channels; i++) {
		const struct iio_channel *channel = &device->channel[i];
		unsigned int id;

		if (is_option_channel(channel))
			continue;
		anew->channel[anew->channels] = *channel;
		anew->channel[anew->channels].enabled = false;
		anew->channel[anew->channels++].device = anew;
		if (sscanf(channel->id, "anglvel%u", &id) != 1)
			continue;
		if (has_option(anew, "all_goals"))
			add_velocity(anew, channel);
		if (has_option(anew, "stiffness"))
			add_stiffness(anew, id);
	}
	anew->looks = looks_until_there;
	anew->denied = looks_until_ours;
}

/* With its stream a device loses what it was asked for. */
static void ask_for_nothing(struct iio_device *device)
{
	if (has_option(device, "all_goals"))
		set_in(device->attribute, "all_goals", "0");
	if (find_in(device->attribute, "stiffness"))
		ask_for(device, "stiffness", "0");
}

void fake_register_after(unsigned int some)
{
	looks_until_there = some;
}

void fake_deny(unsigned int some)
{
	looks_until_ours = some;
}

void fake_appear_after(const char *device, unsigned int some)
{
	find(device)->looks = some;
}

unsigned int fake_looks(void)
{
	return looks;
}

unsigned int fake_contexts(void)
{
	return contexts;
}

static struct iio_channel *add_state_channel(struct iio_device *device, const char *id,
					     unsigned int bits, bool is_signed)
{
	struct iio_channel *channel = &device->channel[device->channels++];

	if (device->channels > CHANNELS)
		abort();
	channel->device = device;
	channel->scan = true;
	channel->format.length = channel->format.bits = bits;
	channel->format.is_signed = is_signed;
	snprintf(channel->id, TEXT, "%s", id);
	return channel;
}

static void add_state(struct iio_device *device, unsigned int id, const char *label)
{
	static const struct {
		const char *type;
		unsigned int number;
		unsigned int bits;
		bool is_signed;
		const char *scale;
		const char *offset;
		const char *kind; /* follows the label */
	} values[] = {
		{ "angl", 0, 16, true, "0.005", "-512", "" },
		{ "anglvel", 0, 16, true, "0.01", NULL, "" },
		{ "count", 0, 16, true, "0.1", NULL, " load" },
		{ "voltage", 0, 8, false, "100", NULL, "" },
		{ "temp", 0, 8, false, "1000", NULL, "" },
		{ "count", 256, 8, false, NULL, NULL, " age" },
		{ "count", 512, 8, false, NULL, NULL, " alarm" },
	};

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		struct iio_channel *channel;
		char name[TEXT];

		snprintf(name, TEXT, "%s%u", values[i].type, values[i].number + id);
		channel = add_state_channel(device, name, values[i].bits, values[i].is_signed);
		snprintf(name, TEXT, "%s%s\n", label, values[i].kind);
		set_in(channel->attribute, "label", name);
		set_in(channel->attribute, "raw", "0");
		if (values[i].scale)
			set_in(channel->attribute, "scale", values[i].scale);
		if (values[i].offset)
			set_in(channel->attribute, "offset", values[i].offset);
	}
}

void fake_state(unsigned int bus, const char *const *labels, unsigned int count,
		unsigned int hertz)
{
	struct iio_device *device, *trigger;
	char name[TEXT];

	snprintf(name, TEXT, "dxl%u-cycle", bus);
	trigger = add_device(name, "");
	snprintf(name, TEXT, "%u\n", hertz);
	if (hertz)
		set_in(trigger->attribute, "sampling_frequency", name);
	snprintf(name, TEXT, "dxl%u-state", bus);
	device = add_device(name, "");
	device->trigger = trigger;
	set_in(device->attribute, "current_timestamp_clock", "realtime\n");
	for (unsigned int i = 0; i < count; i++)
		add_state(device, i + 1, labels[i]);
	add_state_channel(device, "timestamp", 64, true);
	device->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	if (device->timer < 0)
		abort();
}

static struct iio_device *state_of(unsigned int bus)
{
	char name[TEXT];

	snprintf(name, TEXT, "dxl%u-state", bus);
	return find(name);
}

void fake_board(unsigned int bus, unsigned int id, const char *label, const char *const *parts,
		unsigned int count)
{
	struct iio_device *own = add_device("board", label), *state = state_of(bus);
	static const char *const kinds[] = { "age", "alarm" };
	struct iio_channel *channel;
	char text[TEXT];

	for (unsigned int i = 1; i <= count; i++) {
		snprintf(text, TEXT, "in_count%u_raw", i);
		set(own, text, "0");
		snprintf(text, TEXT, "in_count%u_label", i);
		set(own, text, parts[i - 1]);
		snprintf(text, TEXT, "count%u", id + 1024 * i);
		channel = add_state_channel(state, text, 16, false);
		snprintf(text, TEXT, "%s %s\n", label, parts[i - 1]);
		set_in(channel->attribute, "label", text);
	}
	for (unsigned int i = 0; i < 2; i++) {
		snprintf(text, TEXT, "count%u", id + 256 * (i + 1));
		channel = add_state_channel(state, text, 8, false);
		snprintf(text, TEXT, "%s %s\n", label, kinds[i]);
		set_in(channel->attribute, "label", text);
	}
}

void fake_channel(const char *device, const char *name, const char *label, unsigned int bits)
{
	bool output = strncmp(name, "out_", 4) == 0;
	struct iio_channel *channel = add_state_channel(find(device), strchr(name, '_') + 1, bits,
							true);

	channel->output = output;
	if (label)
		set_in(channel->attribute, "label", label);
	set_in(channel->attribute, "raw", "0");
}

void fake_format(const char *device, const char *channel, unsigned int bits, int is_big)
{
	struct iio_channel *found;
	const char *attribute;
	char file[TEXT];

	snprintf(file, TEXT, "%s_raw", channel);
	found = channel_of(find(device), file, false, &attribute);
	found->format.bits = bits;
	found->format.is_be = is_big;
}

void fake_set(const char *device, const char *file, const char *value)
{
	set(find(device), file, value);
}

static struct attribute *existing(const char *device, const char *file)
{
	const char *name;
	const struct iio_channel *channel = channel_of(find(device), file, false, &name);
	struct attribute *attribute = find_attribute(channel, name);

	if (!attribute)
		abort();
	return attribute;
}

const char *fake_get(const char *device, const char *file)
{
	return existing(device, file)->value;
}

void fake_fail(const char *device, const char *file, int error)
{
	fake_fail_times(device, file, error, 0);
}

void fake_fail_times(const char *device, const char *file, int error, unsigned int times)
{
	existing(device, file)->error = error;
	existing(device, file)->error_times = times;
}

void fake_climb(const char *device, const char *file, double step)
{
	existing(device, file)->step = step;
}

unsigned int fake_reads(const char *device, const char *file)
{
	return existing(device, file)->reads;
}

void fake_remove(const char *device, const char *file)
{
	existing(device, file)->used = false;
}

const char *fake_log(void)
{
	return log_text;
}

const char *fake_buffer_log(void)
{
	note_unlocks();
	return buffer_text;
}

static struct iio_device *goal_of(unsigned int bus)
{
	char name[TEXT];

	snprintf(name, TEXT, "dxl%u-goal", bus);
	return find(name);
}

unsigned int fake_pushes(unsigned int bus)
{
	return goal_of(bus)->pushes;
}

const uint16_t *fake_pose(unsigned int bus, unsigned int push)
{
	return goal_of(bus)->pushed[push % PUSHES];
}

/* ppoll(), since poll() is ours. */
static int real_poll(struct pollfd *fds, nfds_t count, int timeout)
{
	const struct timespec time = { timeout / 1000, timeout % 1000 * 1000000 };

	return ppoll(fds, count, timeout < 0 ? NULL : &time, NULL);
}

static bool is_there(const struct iio_device *device, int timeout)
{
	struct pollfd pollfd = { .fd = device->timer, .events = POLLIN };
	int ret;

	do
		ret = real_poll(&pollfd, 1, timeout);
	while (ret < 0 && errno == EINTR);
	return ret == 1;
}

/* Before the C library's own. By another name, as that one is declared to write only. */
int fake_poll(struct pollfd *fds, nfds_t count, int timeout) __asm__("poll");

int fake_poll(struct pollfd *fds, nfds_t count, int timeout)
{
	polls++;
	if (timeout > longest_poll)
		longest_poll = timeout;
	return real_poll(fds, count, timeout);
}

/* A frame that is made in its reading comes to who waits for it. */
static int call_for_frames(struct epoll_event *events, int count)
{
	int called = 0;

	for (unsigned int i = 0; i < fake.devices && called < count; i++) {
		struct iio_device *device = fake.device[i];

		if (!device->timer || !device->open)
			continue;
		device->called_for = true;
		events[called++] = (struct epoll_event){ .events = EPOLLIN,
							 .data.fd = device->timer };
	}
	return called;
}

int fake_epoll_wait(int fd, struct epoll_event *events, int count, int timeout)
	__asm__("epoll_wait");

int fake_epoll_wait(int fd, struct epoll_event *events, int count, int timeout)
{
	polls++;
	if (timeout > longest_poll)
		longest_poll = timeout;
	if (on_frame && timeout)
		return call_for_frames(events, count);
	count = epoll_pwait(fd, events, count, on_waited ? 0 : timeout, NULL);
	if (on_waited && count == 0 && timeout > 0)
		on_waited(timeout);
	return count;
}

unsigned int fake_polls(void)
{
	return polls;
}

/* What is there at once is there when this returns, not a moment later. */
static void start_timer(struct iio_device *device)
{
	bool none = device->frames_read == device->frames;
	struct itimerspec time = { 0 };

	time.it_value.tv_sec = device->wait_ms / 1000;
	time.it_value.tv_nsec = device->wait_ms % 1000 * 1000000 + 1;
	if (none)
		time = (struct itimerspec){ 0 };
	if (timerfd_settime(device->timer, 0, &time, NULL) < 0)
		abort();
	if (!none && !device->wait_ms && !is_there(device, -1))
		abort();
}

static struct frame *new_frame(unsigned int bus)
{
	struct iio_device *device = state_of(bus);

	struct frame *frame = &device->frame[device->frames % FRAMES];

	if (device->frames - device->frames_read == FRAMES)
		abort();
	*frame = (struct frame){ 0 };
	if (device->frames++ == device->frames_read)
		start_timer(device);
	return frame;
}

void fake_frame(unsigned int bus, const void *bytes, size_t size)
{
	struct frame *frame = new_frame(bus);

	if (size > sizeof(frame->bytes))
		abort();
	memcpy(frame->bytes, bytes, size);
	frame->size = size;
}

void fake_frame_error(unsigned int bus, int error)
{
	new_frame(bus)->error = error;
}

void fake_frames_wait(unsigned int bus, unsigned int ms)
{
	state_of(bus)->wait_ms = ms;
	start_timer(state_of(bus));
}

void fake_remote(void)
{
	local = false;
}

unsigned int fake_refills(unsigned int bus)
{
	return state_of(bus)->refills;
}

unsigned int fake_frames_read(unsigned int bus)
{
	return state_of(bus)->frames_read;
}

size_t fake_sample_size(const char *device)
{
	return find(device)->size;
}

unsigned int fake_timeout(void)
{
	return timeout_ms;
}

unsigned int fake_depth(const char *device)
{
	return find(device)->depth;
}

void fake_device_set(const char *device, const char *attribute, const char *value)
{
	set_in(find(device)->attribute, attribute, value);
}

void fake_device_remove(const char *device, const char *attribute)
{
	find_in(find(device)->attribute, attribute)->used = false;
}

const char *fake_device_get(const char *device, const char *attribute)
{
	return find_in(find(device)->attribute, attribute)->value;
}

void fake_hold_write(const char *device, const char *attribute)
{
	held_write.device = find(device);
	snprintf(held_write.attribute, TEXT, "%s", attribute);
	atomic_store(&held_write.is_held, true);
}

void fake_let_writes_go(void)
{
	atomic_store(&held_write.is_held, false);
}

void fake_on_write(const char *device, const char *attribute, const char *other, const char *value)
{
	on_write.device = find(device);
	snprintf(on_write.attribute, TEXT, "%s", attribute);
	snprintf(on_write.other, TEXT, "%s", other);
	snprintf(on_write.value, TEXT, "%s", value);
}

void fake_on_frame(void (*call)(void))
{
	on_frame = call;
}

void fake_on_waited(void (*call)(int ms))
{
	on_waited = call;
}

void fake_on_buffer(void (*call)(const char *device, int open))
{
	on_buffer = call;
}

int fake_buffer_is_open(unsigned int bus)
{
	return goal_of(bus)->open;
}

void fake_fail_push_times(unsigned int bus, int error, unsigned int times)
{
	char name[TEXT];

	snprintf(name, TEXT, "dxl%u-goal", bus);
	find(name)->push_error = error;
	find(name)->push_errors = times;
}

void fake_fail_push(unsigned int bus, int error)
{
	fake_fail_push_times(bus, error, 0);
}

void fake_device_fail(const char *device, const char *attribute, int error)
{
	find_in(find(device)->attribute, attribute)->error = error;
}

void fake_fail_buffer(int error)
{
	buffer_error = error;
}

void fake_probe(int error)
{
	busy = error;
}

unsigned int fake_buffers_created(void)
{
	return buffers_created;
}

/* ---- the library's node.c, which looks into /dev ---- */

int node_probe(const char *iio_id)
{
	if (strncmp(iio_id, "iio:device", strlen("iio:device")) != 0)
		abort();
	for (unsigned int i = 0; i < fake.devices; i++)
		if (fake.device[i]->taken && strcmp(fake.device[i]->id, iio_id) == 0)
			return -EBUSY;
	return busy;
}

bool node_may_be_used(const char *iio_id)
{
	(void)iio_id;
	return true;
}

int node_lease(unsigned int bus)
{
	size_t used = strlen(log_text);
	int fd;

	if (lease_error)
		return lease_error;
	snprintf(log_text + used, sizeof(log_text) - used, "lease %u;", bus);
	fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int node_sign(int lease)
{
	size_t used = strlen(log_text);

	(void)lease;
	snprintf(log_text + used, sizeof(log_text) - used, "alive;");
	return lease_error;
}

void fake_fail_lease(int error)
{
	lease_error = error;
}

/* ---- libiio's functions ---- */

struct iio_context *iio_create_local_context(void)
{
	contexts++;
	return &fake;
}

struct iio_context *iio_create_context_from_uri(const char *uri)
{
	errno = strchr(uri, ':') ? EHOSTUNREACH : ENOSYS;
	return NULL;
}

void iio_context_destroy(struct iio_context *context)
{
	(void)context;
	contexts--;
}

const char *iio_context_get_name(const struct iio_context *context)
{
	if (!context)
		abort();
	return local ? "local" : "fake";
}

static bool is_listed(const struct iio_device *device)
{
	return !device->replaced && !device->looks;
}

unsigned int iio_context_get_devices_count(const struct iio_context *context)
{
	unsigned int count = 0;

	for (unsigned int i = 0; i < context->devices; i++)
		count += is_listed(context->device[i]);
	return count;
}

struct iio_device *iio_context_get_device(const struct iio_context *context, unsigned int index)
{
	for (unsigned int i = 0; i < context->devices; i++)
		if (is_listed(context->device[i]) && index-- == 0)
			return context->device[i];
	return NULL;
}

const char *iio_device_get_id(const struct iio_device *device)
{
	return device->id;
}

const char *iio_device_get_name(const struct iio_device *device)
{
	return device->name;
}

const char *iio_device_get_label(const struct iio_device *device)
{
	return *device->label ? device->label : NULL;
}

unsigned int iio_device_get_channels_count(const struct iio_device *device)
{
	return device->channels;
}

struct iio_channel *iio_device_get_channel(const struct iio_device *device, unsigned int index)
{
	return (struct iio_channel *)&device->channel[index];
}

struct iio_channel *iio_device_find_channel(const struct iio_device *device, const char *name,
					    bool output)
{
	for (unsigned int i = 0; i < device->channels; i++)
		if (device->channel[i].output == output &&
		    strcmp(device->channel[i].id, name) == 0)
			return (struct iio_channel *)&device->channel[i];
	return NULL;
}

const char *iio_channel_get_id(const struct iio_channel *channel)
{
	return channel->id;
}

bool iio_channel_is_output(const struct iio_channel *channel)
{
	return channel->output;
}

bool iio_channel_is_scan_element(const struct iio_channel *channel)
{
	return channel->scan;
}

const struct iio_data_format *iio_channel_get_data_format(const struct iio_channel *channel)
{
	return &channel->format;
}

void iio_channel_enable(struct iio_channel *channel)
{
	channel->enabled = true;
}

bool iio_channel_is_enabled(const struct iio_channel *channel)
{
	return channel->enabled;
}

const char *iio_channel_find_attr(const struct iio_channel *channel, const char *name)
{
	const struct attribute *attribute = find_attribute(channel, name);

	return attribute ? attribute->name : NULL;
}

ssize_t iio_channel_attr_read(const struct iio_channel *channel, const char *name, char *text,
			      size_t size)
{
	struct attribute *attribute = find_attribute(channel, name);
	int error;

	if (!attribute)
		return -ENOENT;
	attribute->reads++;
	error = attribute->error;
	if (attribute->error_times && --attribute->error_times == 0)
		attribute->error = 0;
	if (error)
		return error;
	if (attribute->step != 0)
		snprintf(attribute->value, TEXT, "%g",
			 strtod(attribute->value, NULL) + attribute->step);
	return snprintf(text, size, "%s", attribute->value) + 1;
}

int iio_channel_attr_read_double(const struct iio_channel *channel, const char *name,
				 double *value)
{
	char text[TEXT];
	ssize_t ret = iio_channel_attr_read(channel, name, text, sizeof(text));

	if (ret < 0)
		return (int)ret;
	*value = strtod(text, NULL);
	return 0;
}

int iio_channel_attr_read_longlong(const struct iio_channel *channel, const char *name,
				   long long *value)
{
	char text[TEXT];
	ssize_t ret = iio_channel_attr_read(channel, name, text, sizeof(text));

	if (ret < 0)
		return (int)ret;
	*value = strtoll(text, NULL, 10);
	return 0;
}

/* The kernel refuses what is out of the range that it shows. */
static bool is_refused(const struct iio_channel *channel, const char *name, const char *text)
{
	const struct attribute *range = find_attribute(channel, "raw_available");
	int min, max;

	return strcmp(name, "raw") == 0 && range &&
	       sscanf(range->value, "[%d %*d %d]", &min, &max) == 2 &&
	       (strtod(text, NULL) < min || strtod(text, NULL) > max);
}

static int write_text(const struct iio_channel *channel, const char *name, const char *text)
{
	struct attribute *attribute = find_attribute(channel, name);
	size_t used = strlen(log_text);

	if (!attribute)
		return -ENOENT;
	if (attribute->error)
		return attribute->error;
	if (is_refused(channel, name, text))
		return -ERANGE;
	snprintf(attribute->value, TEXT, "%s", text);
	snprintf(log_text + used, sizeof(log_text) - used, "%s %s_%s_%s=%s;",
		 channel->device->label, channel->output ? "out" : "in", channel->id, name, text);
	return 0;
}

ssize_t iio_channel_attr_write(const struct iio_channel *channel, const char *name,
			       const char *text)
{
	char number[TEXT];
	int ret;

	/* Without zeros behind the point, as people read it */
	snprintf(number, sizeof(number), "%g", strtod(text, NULL));
	ret = write_text(channel, name, number);
	return ret < 0 ? ret : (ssize_t)strlen(text);
}

/* ---- the library's sysfs.c: directories are those of the devices ---- */

static struct iio_device *dir_of[FILES];

static int open_as(struct iio_device *device)
{
	int fd = open("/dev/null", O_RDWR | O_CLOEXEC);

	/* A test may have left the process no descriptor. */
	if (fd < 0)
		return -errno;
	if (fd >= FILES)
		abort();
	dir_of[fd] = device;
	return fd;
}

int sysfs_open(const char *iio_id)
{
	for (unsigned int i = 0; i < fake.devices; i++)
		if (strcmp(fake.device[i]->id, iio_id) == 0)
			return open_as(fake.device[i]);
	return -ENOENT;
}

int sysfs_find(const char *name, char *id)
{
	looks++;
	for (unsigned int i = 0; i < fake.devices; i++) {
		struct iio_device *device = fake.device[i];

		if (device->gone || strcmp(device->name, name) != 0)
			continue;
		if (device->looks) {
			device->looks--;
			return -ENODEV;
		}
		strcpy(id, device->id);
		return open_as(device);
	}
	return -ENODEV;
}

bool sysfs_may_be_written(int dir, const char *below)
{
	struct iio_device *device = dir_of[dir];

	(void)below;
	if (!device->denied)
		return true;
	device->denied--;
	return false;
}

/* What is on the bus has the files of what is of IIO: "statistics/ack". */
int party_open(const struct naohw_robot *robot, const struct unit *unit, const char *label)
{
	(void)robot;
	(void)unit;
	for (unsigned int i = 0; i < fake.devices; i++)
		if (strcmp(fake.device[i]->label, label) == 0)
			return open_as(fake.device[i]);
	return -ENODEV;
}

int sysfs_bus(int dir, unsigned int *number)
{
	const struct iio_device *device = dir_of[dir];

	*number = device->line ? device->bus : bus_of_servos;
	return bus_error;
}

bool sysfs_is_below(int dir, const char *name)
{
	const struct iio_device *device = dir_of[dir];

	return device->line && strcmp(device->line, name) == 0;
}

static bool is_channels(const char *file)
{
	return strncmp(file, "in_", 3) == 0 || strncmp(file, "out_", 4) == 0;
}

int sysfs_read(int dir, const char *file, char *text, size_t size)
{
	struct iio_device *device = dir_of[dir];
	const struct iio_channel *channel;
	const char *name;
	ssize_t ret;

	if (device->gone)
		return -ENODEV;
	channel = is_channels(file) ? channel_of(device, file, false, &name) : NULL;
	if (strcmp(file, "name") == 0 || strcmp(file, "label") == 0)
		ret = snprintf(text, size, "%s", *file == 'n' ? device->name : device->label);
	else if (channel)
		ret = iio_channel_attr_read(channel, name, text, size);
	else
		ret = iio_device_attr_read(device, file, text, size);
	if (ret < 0)
		return (int)ret;
	text[strcspn(text, "\n")] = '\0';
	return 0;
}

/* None of what is here has more than one. */
int sysfs_read_lines(int dir, const char *file, char *text, size_t size)
{
	return sysfs_read(dir, file, text, size);
}

int sysfs_write(int dir, const char *file, const char *text)
{
	struct iio_device *device = dir_of[dir];
	const struct iio_channel *channel;
	const char *name;
	ssize_t ret;

	if (device->gone)
		return -ENODEV;
	channel = is_channels(file) ? channel_of(device, file, false, &name) : NULL;
	if (channel)
		ret = iio_channel_attr_write(channel, name, text);
	else
		ret = iio_device_attr_write(device, file, text);
	return ret < 0 ? (int)ret : 0;
}

int sysfs_lock_buffer(int dir)
{
	struct iio_device *device = dir_of[dir];
	bool locked = device->locked;

	if (on_look)
		on_look();
	if (device->locked_times && --device->locked_times == 0)
		device->locked = false;
	note_unlocks();
	if (locked || device->lock[0])
		return -EBUSY;
	if (pipe2(device->lock, O_CLOEXEC) < 0)
		abort();
	note(device, "lock");
	return device->lock[1];
}

void fake_replug(const char *device)
{
	find(device)->gone = true;
}

void fake_rename(const char *device, const char *name)
{
	snprintf(find(device)->name, TEXT, "%s", name);
}

void fake_take(const char *device)
{
	find(device)->taken = true;
}

void fake_lock(const char *device, unsigned int times)
{
	find(device)->locked = true;
	find(device)->locked_times = times;
}

void fake_set_bus(unsigned int bus)
{
	bus_of_servos = bus;
}

void fake_on_line(const char *line, unsigned int bus)
{
	struct iio_device *device = fake.device[fake.devices - 1];

	device->line = line;
	device->bus = bus;
}

int fake_longest_poll(void)
{
	return longest_poll;
}

void fake_on_look(void (*call)(void))
{
	on_look = call;
}

void fake_fail_bus(int error)
{
	bus_error = error;
}

void fake_queue(unsigned int bus, unsigned int poses)
{
	goal_of(bus)->queued = poses;
}

void fake_on_push(void (*call)(const char *device))
{
	on_push = call;
}

unsigned int fake_device_writes(const char *device, const char *attribute)
{
	return find_in(find(device)->attribute, attribute)->writes;
}

/* The file of an attribute is that of "in_angl0_raw". */
const char *iio_channel_attr_get_filename(const struct iio_channel *channel, const char *name)
{
	static char file[3 * TEXT];

	snprintf(file, sizeof(file), "%s_%s_%s", channel->output ? "out" : "in", channel->id, name);
	return file;
}

/* Where IIO puts the enabled channels: in order, each at a multiple of its length. */
ssize_t iio_device_get_sample_size(const struct iio_device *device)
{
	size_t at = 0, longest = 1;

	for (unsigned int i = 0; i < device->channels; i++) {
		const struct iio_channel *channel = &device->channel[i];
		size_t length = channel->format.length / 8;

		/* A pose has all channels. */
		if (channel->output && !channel->enabled)
			abort();
		if (!channel->enabled)
			continue;
		at = (at + length - 1) / length * length + length;
		longest = length > longest ? length : longest;
	}
	return (ssize_t)((at + longest - 1) / longest * longest);
}

/* ---- buffers, whoever opens them ---- */

static int open_buffer(struct iio_device *device, bool nonblocking)
{
	buffers_created++;
	if (device->denied)
		return -EACCES;
	if (buffer_error)
		return buffer_error;
	device->size = (size_t)iio_device_get_sample_size(device);
	if (device->size > sizeof(device->buffer.bytes))
		abort();
	device->nonblocking = nonblocking;
	device->open = true;
	note_unlocks();
	note(device, "open");
	if (on_buffer)
		on_buffer(device->name, 1);
	return 0;
}

static void close_buffer(struct iio_device *device)
{
	if (on_buffer)
		on_buffer(device->name, 0);
	device->open = false;
	note_unlocks();
	note(device, "close");
	/* Who comes next has to ask for it. */
	ask_for_nothing(device);
}

static ssize_t push(struct iio_device *device, const void *sample)
{
	int error = device->push_error;

	if (on_push)
		on_push(device->name);
	if (device->push_errors && --device->push_errors == 0)
		device->push_error = 0;
	if (error || buffer_error)
		return error ? error : buffer_error;
	memcpy(device->pushed[device->pushes++ % PUSHES], sample, device->size);
	return (ssize_t)device->size;
}

/* Makes a frame for who has waited for it, or waits for it. */
static int get_frame(struct iio_device *device)
{
	bool called = on_frame && (device->called_for || !device->nonblocking);
	int wait = device->nonblocking ? 0 : timeout_ms ? (int)timeout_ms : TIMEOUT;

	device->called_for = false;
	if (!called && !is_there(device, wait))
		return device->nonblocking ? -EAGAIN : -ETIMEDOUT;
	if (on_frame)
		on_frame();
	return device->frames_read == device->frames ? -ETIMEDOUT : 0;
}

static ssize_t refill(struct iio_device *device, void *sample)
{
	const struct frame *frame = &device->frame[device->frames_read % FRAMES];
	size_t size;
	int ret;

	device->refills++;
	ret = get_frame(device);
	if (ret < 0)
		return ret;
	device->frames_read++;
	start_timer(device);
	if (frame->error)
		return frame->error;
	size = frame->size < device->size ? frame->size : device->size;
	memcpy(sample, frame->bytes, size);
	return (ssize_t)size;
}

/* ---- the library's kernel_buffer.c, which is for this machine ---- */

static int descriptor_of(const struct iio_device *device)
{
	return device->timer ? device->timer : device->pipe[0];
}

static struct iio_device *device_of(int fd)
{
	for (unsigned int i = 0; i < fake.devices; i++)
		if (fake.device[i]->open && descriptor_of(fake.device[i]) == fd)
			return fake.device[i];
	abort();
}

int kernel_buffer_open(const struct device *device, unsigned int depth)
{
	struct iio_device *mine = (struct iio_device *)device->iio;
	int ret = mine->gone ? -ENODEV : open_buffer(mine, true);

	mine->depth = depth;
	return ret < 0 ? ret : descriptor_of(mine);
}

void kernel_buffer_close(const struct device *device, int fd)
{
	if (descriptor_of(device->iio) != fd)
		abort();
	close_buffer((struct iio_device *)device->iio);
}

ssize_t kernel_buffer_read(int fd, void *sample, size_t size)
{
	struct iio_device *device = device_of(fd);

	if (size != device->size)
		abort();
	return refill(device, sample);
}

ssize_t kernel_buffer_write(int fd, const void *sample, size_t size)
{
	struct iio_device *device = device_of(fd);

	if (size != device->size)
		abort();
	return push(device, sample);
}

/* ---- libiio's, for other machines ---- */

struct iio_buffer *iio_device_create_buffer(const struct iio_device *device, size_t samples,
					    bool cyclic)
{
	struct iio_device *mine = (struct iio_device *)device;
	int ret = samples != 1 || cyclic ? -EINVAL : open_buffer(mine, false);

	errno = -ret;
	return ret < 0 ? NULL : &mine->buffer;
}

void iio_buffer_destroy(struct iio_buffer *buffer)
{
	close_buffer(buffer->device);
}

void *iio_buffer_start(const struct iio_buffer *buffer)
{
	return (void *)buffer->bytes;
}

ssize_t iio_buffer_push(struct iio_buffer *buffer)
{
	return push(buffer->device, buffer->bytes);
}

ssize_t iio_buffer_refill(struct iio_buffer *buffer)
{
	return refill(buffer->device, buffer->bytes);
}

int iio_device_buffer_attr_read_longlong(const struct iio_device *device, const char *name,
					 long long *value)
{
	if (strcmp(name, "data_available") != 0)
		return -ENOENT;
	*value = device->queued;
	return 0;
}

void iio_channel_disable(struct iio_channel *channel)
{
	channel->enabled = false;
}

int iio_context_set_timeout(struct iio_context *context, unsigned int ms)
{
	(void)context;
	timeout_ms = ms;
	return 0;
}

int iio_device_set_kernel_buffers_count(const struct iio_device *device, unsigned int count)
{
	((struct iio_device *)device)->depth = count;
	return 0;
}

int iio_device_get_trigger(const struct iio_device *device, const struct iio_device **trigger)
{
	*trigger = device->trigger;
	return 0;
}

const char *iio_device_find_attr(const struct iio_device *device, const char *name)
{
	const struct attribute *attribute = find_in(device->attribute, name);

	return attribute ? attribute->name : NULL;
}

ssize_t iio_device_attr_read(const struct iio_device *device, const char *name, char *text,
			     size_t size)
{
	const struct attribute *attribute = find_in(device->attribute, name);

	if (!attribute)
		return -ENOENT;
	return snprintf(text, size, "%s", attribute->value) + 1;
}

int iio_device_attr_read_double(const struct iio_device *device, const char *name, double *value)
{
	char text[TEXT];
	ssize_t ret = iio_device_attr_read(device, name, text, sizeof(text));

	if (ret < 0)
		return (int)ret;
	*value = strtod(text, NULL);
	return 0;
}

static void wait_while_held(const struct iio_device *device, const char *name)
{
	if (device != held_write.device || strcmp(name, held_write.attribute) != 0)
		return;
	for (int left = 2000; left && atomic_load(&held_write.is_held); left--)
		usleep(5000);
}

/* A program that has died has left its stream, during which the kernel registers nothing anew. */
static bool is_left_running(const struct iio_device *device)
{
	const struct attribute *enable = find_in(device->attribute, "buffer/enable");

	return enable && strcmp(enable->value, "1") == 0;
}

ssize_t iio_device_attr_write(const struct iio_device *device, const char *name, const char *text)
{
	struct attribute *attribute = find_in(device->attribute, name);
	size_t used = strlen(log_text);
	bool is_option;

	if (!attribute)
		return -ENOENT;
	attribute->writes++;
	wait_while_held(device, name);
	if (attribute->error)
		return attribute->error;
	/* As the kernel does while somebody reads by this clock. */
	if (device->open && strcmp(name, "current_timestamp_clock") == 0)
		return -EBUSY;
	is_option = strcmp(name, "stiffness") == 0 || strcmp(name, "all_goals") == 0;
	if (is_option && is_left_running(device))
		return -EBUSY;
	if (is_option)
		ask_for((struct iio_device *)device, name, text);
	snprintf(attribute->value, TEXT, "%s", text);
	snprintf(log_text + used, sizeof(log_text) - used, "%s %s=%s;", device->name, name,
		 attribute->value);
	if (strcmp(name, "current_timestamp_clock") == 0) {
		note_unlocks();
		note(device, attribute->value);
	}
	if (on_write.device == device && strcmp(name, on_write.attribute) == 0)
		set_in(on_write.device->attribute, on_write.other, on_write.value);
	return (ssize_t)strlen(text);
}
