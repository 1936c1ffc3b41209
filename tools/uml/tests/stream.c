// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stream BUS OPTION... -- sends poses to all joints of a bus, a slow wave around
 * the middle of what each can reach, from a process of its own: that may die.
 *
 *   --for US         goes on for so long, and then
 *   --end kill       is killed (the default),
 *   --end stop       is stopped, and killed after a second,
 *   --end leave      goes without a word, or
 *   --end close      disables the buffer, as it should
 *   --length N       depth of the queue (4)
 *   --at-once N      poses in a write (1)
 *   --pause US       longest time between two poses, at random, beyond what the
 *                    queue makes it wait (0)
 *   --alive US       only says every so often that it is alive, without poses
 *   --by-frames      sends a pose after each frame, and else whenever there is room
 *   --frame PREFIX   frames with the channels that begin so, and not with all;
 *                    may be repeated
 *   --stiffness N:M  poses also say how stiff each joint is, in percent, which
 *                    goes from N to M and back with the wave
 *   --all-goals      poses have the goals of all modes: wheels turn forth and back
 *   --seed N         for what is at random
 *
 * Prints when the end was (ns of the monotonic clock), when the last pose or sign
 * of life was given, and how many:
 *
 *   end=NS
 *   last=NS
 *   poses=N
 */
#include <getopt.h>
#include <math.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "iio.h"

#define FRAME_MAX	16
#define AT_ONCE_MAX	256
#define POSE_NS		NSEC_PER_MSEC

enum end { END_KILL, END_STOP, END_LEAVE, END_CLOSE };

/* What survives the process. */
struct trace {
	uint64_t last;
	uint64_t poses;
};

struct stream {
	const char *bus;
	struct buffer goal;
	struct buffer state;
	int64_t middle[CHANNELS_MAX];
	int64_t width[CHANNELS_MAX];
	struct trace *trace;
	uint64_t time_us;
	enum end end;
	unsigned int length;
	unsigned int at_once;
	unsigned int pause_us;
	unsigned int alive_us;
	unsigned int seed;
	bool by_frames;
	bool all_goals;
	bool stiff;
	int stiffest;
	int softest;
	const char *frame[FRAME_MAX + 1];
};

static void sleep_us(uint64_t us)
{
	struct timespec time = { us / 1000000, us % 1000000 * 1000 };

	while (nanosleep(&time, &time) && errno == EINTR)
		;
}

/* --- set up --- */

static void find_stiffness(struct stream *stream, unsigned int i)
{
	char name[80], text[80];
	double scale;

	snprintf(name, sizeof(name), "%s_scale", stream->goal.channels[i].name);
	if (read_text(stream->goal.dir, name, text, sizeof(text)) < 0)
		die("%s of %s", name, stream->goal.dir);
	scale = strtod(text, NULL);
	stream->middle[i] = lround((stream->stiffest + stream->softest) / 2.0 / scale);
	stream->width[i] = lround((stream->stiffest - stream->softest) / 2.0 / scale);
}

/* What is there twice for a servo has a number that tells. */
static bool is(const struct channel *channel, const char *type, bool second)
{
	size_t length = strlen(type);

	return !strncmp(channel->name, type, length) &&
	       (atoi(channel->name + length) >= 1024) == second;
}

/* Speeds stay 0, which is as fast as it goes. */
static void find_range(struct stream *stream, unsigned int i)
{
	const struct channel *channel = &stream->goal.channels[i];
	char name[80], text[80];
	long long min, step, max;

	if (is(channel, "out_anglvel", false))
		return;
	if (is(channel, "out_count", false)) {
		find_stiffness(stream, i);
		return;
	}
	snprintf(name, sizeof(name), "%s_raw_available", channel->name);
	if (read_text(stream->goal.dir, name, text, sizeof(text)) < 0 ||
	    sscanf(text, "[%lld %lld %lld]", &min, &step, &max) != 3)
		die("%s of %s", name, stream->goal.dir);
	stream->middle[i] = (min + max) / 2;
	stream->width[i] = (max - min) / 8;
}

/* The device that has its channels is another one. */
static void ask_for(struct stream *stream, const char *option)
{
	char text[8];
	int tries;

	set(stream->goal.dir, option, "1");
	for (tries = 0; tries < 100; tries++) {
		sleep_us(10000);
		if (has_device(&stream->goal, stream->bus, "goal") &&
		    read_text(stream->goal.dir, option, text, sizeof(text)) > 0 &&
		    !strcmp(text, "1"))
			return;
	}
	errno = ETIMEDOUT;
	die("%s of %s", option, stream->bus);
}

static void prepare(struct stream *stream)
{
	unsigned int i;

	find_device(&stream->goal, stream->bus, "goal");
	if (stream->stiff)
		ask_for(stream, "stiffness");
	if (stream->all_goals)
		ask_for(stream, "all_goals");
	choose_channels(&stream->goal, NULL);
	for (i = 0; i < stream->goal.count; i++)
		find_range(stream, i);
	set_number(stream->goal.dir, "buffer0/length", stream->length);
	if (!stream->by_frames)
		return;
	find_device(&stream->state, stream->bus, "state");
	choose_channels(&stream->state,
			stream->frame[0] ? stream->frame : NULL);
	set_number(stream->state.dir, "buffer0/length", 4);
}

/* --- the process that streams --- */

static void fill(const struct stream *stream, uint8_t *sample, uint64_t ns)
{
	double wave = sin(ns % (2 * NSEC_PER_SEC) * M_PI / NSEC_PER_SEC);
	unsigned int i;

	for (i = 0; i < stream->goal.count; i++)
		put_value(&stream->goal.channels[i], sample,
			  stream->middle[i] + lround(wave * stream->width[i]));
}

static void sent(struct stream *stream, unsigned int poses)
{
	stream->trace->last = now_ns();
	stream->trace->poses += poses;
}

static void send_poses(struct stream *stream, int fd)
{
	static uint8_t samples[AT_ONCE_MAX * CHANNELS_MAX * 8];
	size_t size = stream->goal.size;
	ssize_t len = size * stream->at_once;
	uint64_t now = now_ns();
	unsigned int i;

	for (i = 0; i < stream->at_once; i++)
		fill(stream, samples + i * size, now + i * POSE_NS);
	if (write(fd, samples, len) != len)
		die("write of poses");
	sent(stream, stream->at_once);
}

static void wait_for_frame(struct stream *stream, int fd)
{
	uint8_t sample[CHANNELS_MAX * 8];

	if (read(fd, sample, stream->state.size) < 0)
		die("read of a frame");
}

static void run(struct stream *stream)
{
	int fd = open_device(&stream->goal, O_WRONLY);
	int frames = stream->by_frames ? open_device(&stream->state, O_RDONLY) : -1;
	uint64_t begin = now_ns();

	if (frames >= 0)
		set(stream->state.dir, "buffer0/enable", "1");
	while (stream->end <= END_STOP ||
	       now_ns() < begin + stream->time_us * NSEC_PER_USEC) {
		if (stream->alive_us) {
			sleep_us(stream->alive_us);
			set(stream->goal.dir, "keep_alive", "1");
			sent(stream, 1);
			continue;
		}
		if (frames >= 0)
			wait_for_frame(stream, frames);
		send_poses(stream, fd);
		if (stream->pause_us)
			sleep_us(rand_r(&stream->seed) % stream->pause_us);
	}
	if (stream->end == END_CLOSE)
		set(stream->goal.dir, "buffer0/enable", "0");
	exit(EXIT_SUCCESS);
}

/* --- its end --- */

static void end(const struct stream *stream, pid_t child)
{
	uint64_t when = now_ns();
	int status;

	if (stream->end == END_STOP)
		kill(child, SIGSTOP);
	else if (stream->end == END_KILL)
		kill(child, SIGKILL);
	if (stream->end == END_STOP) {
		sleep_us(1000000);
		kill(child, SIGKILL);
	}
	if (waitpid(child, &status, 0) < 0)
		die("wait");
	if (stream->end > END_STOP) {
		when = now_ns();
		if (status)
			exit(EXIT_FAILURE);
	} else if (WIFEXITED(status)) {
		fprintf(stderr, "stream: ended by itself\n");
		exit(EXIT_FAILURE);
	}
	if (stream->by_frames)
		set(stream->state.dir, "buffer0/enable", "0");
	printf("end=%lu\nlast=%lu\nposes=%lu\n", when, stream->trace->last,
	       stream->trace->poses);
}

static enum end end_of(const char *text)
{
	static const char *const names[] = { "kill", "stop", "leave", "close" };
	unsigned int i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(text, names[i]))
			return i;
	errno = EINVAL;
	die("--end %s", text);
}

static void parse(struct stream *stream, int argc, char **argv)
{
	static const struct option options[] = {
		{ "for", required_argument, NULL, 'f' },
		{ "end", required_argument, NULL, 'e' },
		{ "length", required_argument, NULL, 'l' },
		{ "at-once", required_argument, NULL, 'o' },
		{ "pause", required_argument, NULL, 'p' },
		{ "alive", required_argument, NULL, 'a' },
		{ "seed", required_argument, NULL, 's' },
		{ "stiffness", required_argument, NULL, 't' },
		{ "all-goals", no_argument, NULL, 'g' },
		{ "by-frames", no_argument, NULL, 'b' },
		{ "frame", required_argument, NULL, 'c' },
		{ 0 }
	};
	unsigned int count = 0;
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (option) {
		case 'f':
			stream->time_us = atoll(optarg);
			break;
		case 'e':
			stream->end = end_of(optarg);
			break;
		case 'l':
			stream->length = atoi(optarg);
			break;
		case 'o':
			stream->at_once = atoi(optarg);
			break;
		case 'p':
			stream->pause_us = atoi(optarg);
			break;
		case 'a':
			stream->alive_us = atoi(optarg);
			break;
		case 's':
			stream->seed = atoi(optarg);
			break;
		case 't':
			if (sscanf(optarg, "%d:%d", &stream->softest,
				   &stream->stiffest) != 2)
				exit(2);
			stream->stiff = true;
			break;
		case 'g':
			stream->all_goals = true;
			break;
		case 'b':
			stream->by_frames = true;
			break;
		case 'c':
			if (count == FRAME_MAX)
				exit(2);
			stream->frame[count++] = optarg;
			break;
		default:
			exit(2);
		}
	}
	if (argc - optind != 1 || !stream->at_once ||
	    stream->at_once > AT_ONCE_MAX)
		exit(2);
	stream->bus = argv[optind];
}

int main(int argc, char **argv)
{
	static struct stream stream = { .length = 4, .at_once = 1 };
	pid_t child;

	parse(&stream, argc, argv);
	prepare(&stream);
	stream.trace = mmap(NULL, sizeof(*stream.trace), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (stream.trace == MAP_FAILED)
		die("mmap");
	set(stream.goal.dir, "buffer0/enable", "1");
	child = fork();
	if (child < 0)
		die("fork");
	if (!child)
		run(&stream);
	if (stream.end <= END_STOP)
		sleep_us(stream.time_us);
	end(&stream, child);

	return EXIT_SUCCESS;
}
