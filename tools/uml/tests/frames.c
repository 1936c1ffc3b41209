// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * frames BUS SECONDS [OPTION]... -- reads the frames of a bus for so long, with
 * all channels, looks at every value of each, and prints what it has found:
 *
 *   frames=     how many have come
 *   skipped=    ticks without one, by the timestamps
 *   unordered=  timestamps that are not later than the one before
 *   off_ns=     most that a timestamp is off the period's raster
 *   absent=     devices that had not answered in their frame
 *   alarms=     error bytes that were not 0
 *   incoherent= frames with a position that was not read in their own exchange,
 *               as dxlsim's lockstep tells
 *   disordered= frames in which a device was read before one of a lower ID
 *   span_us=    longest time between the first and the last position of a frame
 *   cpu_us=     CPU time of this program in the loop
 *
 *   --lockstep US    positions count time, one for so many microseconds
 *   --watermark N    frames to be read at once (1)
 *   --frame PREFIX   only the channels that begin so, and the timestamp; may be
 *                    repeated
 */
#include <getopt.h>
#include <poll.h>
#include <sys/resource.h>

#include "iio.h"

#define LOCKSTEP_COUNTS	1024
#define PREFIXES_MAX	16
#define AT_ONCE_MAX	256
#define PATIENCE_MS	5000

/*
 * Channel numbers: the device's ID, of counts and one of these; what only one model has
 * is behind them.
 */
#define IDS		256
#define AGES		256
#define ALARMS		512
#define OTHERS		768

enum kind { OTHER, POSITION, AGE, ALARM, TIMESTAMP };

struct watch {
	struct buffer buffer;
	enum kind kind[CHANNELS_MAX];
	uint64_t period_ns;
	uint64_t lockstep_ns;
	unsigned int watermark;

	uint64_t first;		/* timestamp of the first frame */
	uint64_t last;
	uint64_t frames, skipped, unordered, off_ns, absent, alarms;
	uint64_t incoherent, disordered, span;
};

static enum kind kind_of(const char *name)
{
	unsigned int number;

	if (!strcmp(name, "in_timestamp"))
		return TIMESTAMP;
	if (sscanf(name, "in_angl%u", &number) == 1)
		return number < IDS ? POSITION : OTHER;
	if (sscanf(name, "in_count%u", &number) != 1 || number < AGES ||
	    number >= OTHERS)
		return OTHER;

	return number < ALARMS ? AGE : ALARM;
}

/* The clock of the timestamps is to be the simulator's. */
static void prepare(struct watch *watch, const char *bus,
		    const char *const *prefixes)
{
	struct buffer *buffer = &watch->buffer;
	char dir[64];
	unsigned int i;

	snprintf(dir, sizeof(dir), "/sys/bus/dxl/devices/%s/cycle", bus);
	watch->period_ns = read_number(dir, "period_us") * NSEC_PER_USEC;
	find_device(buffer, bus, "state");
	set(buffer->dir, "current_timestamp_clock", "monotonic");
	choose_channels(buffer, prefixes);
	for (i = 0; i < buffer->count; i++)
		watch->kind[i] = kind_of(buffer->channels[i].name);
	set_number(buffer->dir, "buffer0/length", 4 * watch->watermark + 4);
	set_number(buffer->dir, "buffer0/watermark", watch->watermark);
}

/* --- one frame --- */

static void check_time(struct watch *watch, uint64_t time)
{
	uint64_t ticks, off;

	if (!watch->frames) {
		watch->first = time;
	} else if (time <= watch->last) {
		watch->unordered++;
	} else {
		ticks = (time - watch->last + watch->period_ns / 2) /
			watch->period_ns;
		watch->skipped += ticks ? ticks - 1 : 0;
		off = (time - watch->first) % watch->period_ns;
		if (off > watch->period_ns / 2)
			off = watch->period_ns - off;
		if (off > watch->off_ns)
			watch->off_ns = off;
	}
	watch->last = time;
}

/*
 * All positions have to be of the time between the frame's timestamp and the next
 * tick, and in the order of the devices.
 */
static void check_positions(struct watch *watch, const uint8_t *sample,
			    uint64_t time)
{
	uint64_t most = watch->period_ns / watch->lockstep_ns + 1;
	uint64_t first = time / watch->lockstep_ns, last = 0, lowest = 0;
	bool coherent = true, ordered = true, any = false;
	unsigned int i;

	for (i = 0; i < watch->buffer.count; i++) {
		uint64_t count;

		if (watch->kind[i] != POSITION)
			continue;
		count = get_value(&watch->buffer.channels[i], sample);
		count = (count - first) % LOCKSTEP_COUNTS;
		coherent &= count <= most;
		ordered &= !any || count >= last;
		if (!any)
			lowest = count;
		any = true;
		last = count;
	}
	watch->incoherent += !coherent;
	watch->disordered += !ordered;
	if (coherent && ordered && last - lowest > watch->span)
		watch->span = last - lowest;
}

static void check_frame(struct watch *watch, const uint8_t *sample)
{
	uint64_t time = 0;
	unsigned int i;

	for (i = 0; i < watch->buffer.count; i++) {
		int64_t value;

		if (watch->kind[i] <= POSITION)
			continue;
		value = get_value(&watch->buffer.channels[i], sample);
		if (watch->kind[i] == TIMESTAMP)
			time = value;
		else if (watch->kind[i] == AGE)
			watch->absent += value != 0;
		else
			watch->alarms += value != 0;
	}
	check_time(watch, time);
	if (watch->lockstep_ns)
		check_positions(watch, sample, time);
	watch->frames++;
}

/* --- all of them --- */

/* Patience has an end, or a bus that stands would be one that passes. */
static void await(int fd)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };

	if (poll(&poll_fd, 1, PATIENCE_MS) > 0)
		return;
	errno = ETIMEDOUT;
	die("no frame");
}

static void run(struct watch *watch, uint64_t seconds)
{
	static uint8_t samples[1 << 20];
	size_t size = watch->buffer.size;
	uint64_t end = now_ns() + seconds * NSEC_PER_SEC;
	int fd = open_device(&watch->buffer, O_RDONLY);
	ssize_t n, i;

	if (size * watch->watermark > sizeof(samples)) {
		errno = EMSGSIZE;
		die("frames of %zu bytes", size);
	}
	set(watch->buffer.dir, "buffer0/enable", "1");
	while (now_ns() < end) {
		await(fd);
		n = read(fd, samples, size * watch->watermark);
		if (n < 0)
			die("read");
		for (i = 0; i + (ssize_t)size <= n; i += size)
			check_frame(watch, samples + i);
	}
	set(watch->buffer.dir, "buffer0/enable", "0");
	/* What has come meanwhile can still be read. */
	fcntl(fd, F_SETFL, O_NONBLOCK);
	while ((n = read(fd, samples, size)) == (ssize_t)size)
		check_frame(watch, samples);
	close(fd);
}

static void report(const struct watch *watch)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	printf("frames=%lu\nskipped=%lu\nunordered=%lu\noff_ns=%lu\n",
	       watch->frames, watch->skipped, watch->unordered, watch->off_ns);
	printf("absent=%lu\nalarms=%lu\nincoherent=%lu\ndisordered=%lu\n",
	       watch->absent, watch->alarms, watch->incoherent,
	       watch->disordered);
	printf("span_us=%llu\n", watch->span * watch->lockstep_ns /
				 NSEC_PER_USEC);
	printf("cpu_us=%llu\n",
	       (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000ULL +
	       usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "lockstep", required_argument, NULL, 'l' },
		{ "watermark", required_argument, NULL, 'w' },
		{ "frame", required_argument, NULL, 'f' },
		{ 0 }
	};
	const char *prefixes[PREFIXES_MAX + 2] = { "in_timestamp" };
	static struct watch watch = { .watermark = 1 };
	unsigned int count = 1;
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'l')
			watch.lockstep_ns = atoi(optarg) * NSEC_PER_USEC;
		else if (option == 'w')
			watch.watermark = atoi(optarg);
		else if (option == 'f' && count <= PREFIXES_MAX)
			prefixes[count++] = optarg;
		else
			return 2;
	}
	if (argc - optind != 2 || !watch.watermark ||
	    watch.watermark > AT_ONCE_MAX)
		return 2;
	prepare(&watch, argv[optind], count > 1 ? prefixes : NULL);
	run(&watch, atoll(argv[optind + 1]));
	report(&watch);

	return EXIT_SUCCESS;
}
