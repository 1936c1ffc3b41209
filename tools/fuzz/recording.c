// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fuzz target: any file into the readers of recordings, and what is accepted into a replay's
 * places of joints. Bytes as they are, or a binary recording whose checksums and lengths are
 * right around any columns and rows.
 */
#include "fuzz.h"

#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tracks.h"

#define COLUMNS 6
#define ROWS	64
#define STEPS	64
#define LOW	-1.5
#define HIGH	1.25
#define SPEED	8.0
/* Of sums of doubles. */
#define NEARLY	1e-6

static int input_file = -1;
static char path[64];

static double input_double(struct input *in)
{
	/* Those that people write, and any that there is. */
	static const double usual[] = { 0, 1, 0.005, -0.005, -512, 1e308, 1e-308, 1e10 };
	u8 kind = input_u8(in);
	double value;
	u64 bits = 0;

	if (kind < 0xf0)
		return usual[kind % 8];
	for (int i = 0; i < 8; i++)
		bits = bits << 8 | input_u8(in);
	memcpy(&value, &bits, sizeof(value));

	return value;
}

static int64_t input_time(struct input *in, int64_t before)
{
	u8 kind = input_u8(in);
	u64 bits = 0;

	if (kind < 0xf0)
		return (int64_t)((u64)before + kind * 1000000ull);
	for (int i = 0; i < 8; i++)
		bits = bits << 8 | input_u8(in);

	return (int64_t)bits;
}

static void make_head(struct input *in, struct recording_head *head)
{
	static const unsigned int bits[] = { 8, 16, 32, 16 };

	head->count = 1 + input_u8(in) % COLUMNS;
	for (size_t i = 0; i < head->count; i++) {
		struct recording_column *column = &head->column[i];
		u8 kind = input_u8(in);

		snprintf(column->label, sizeof(column->label), "%c", 'A' + kind % 3);
		column->quantity = (enum naohw_quantity)(input_u8(in) % (NAOHW_QUANTITY_ALARM + 1));
		column->bits = bits[kind >> 2 & 3];
		column->is_signed = kind >> 4 & 1;
		column->scale = input_double(in);
		column->offset = input_double(in);
	}
}

static void make_binary(struct input *in, FILE *file)
{
	struct recording_column columns[COLUMNS] = { 0 };
	struct recording_head head = { .column = columns };
	int64_t time = 0, raw[COLUMNS];
	unsigned int rows;

	make_head(in, &head);
	recording_write_binary_head(file, &head);
	for (rows = 0; in->len && rows < ROWS; rows++) {
		time = input_time(in, time);
		for (size_t i = 0; i < head.count; i++)
			raw[i] = (int16_t)input_u16(in) * (columns[i].bits == 32 ? 65536 : 1);
		recording_write_binary_row(file, &head, time, raw);
	}
	recording_write_binary_end(file, rows, 0);
}

static void make_file(struct input *in, bool binary)
{
	FILE *file;

	if (input_file < 0) {
		input_file = memfd_create("recording", MFD_CLOEXEC);
		CHECK(input_file >= 0);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", input_file);
	}
	CHECK(ftruncate(input_file, 0) == 0);
	file = fopen(path, "w");
	CHECK(file);
	if (binary)
		make_binary(in, file);
	else
		CHECK(fwrite(in->data, 1, in->len, file) == in->len);
	CHECK(fclose(file) == 0);
}

/* Of each joint: it is within its limits, and goes no faster than it can. */
static void check_places(const struct tracks *tracks, const double *before, double seconds)
{
	for (size_t i = 0; i < tracks->count; i++) {
		double place = tracks->track[i].place;

		CHECK(place >= LOW && place <= HIGH);
		CHECK(fabs(place - before[i]) <= SPEED / tracks->tempo * seconds + NEARLY);
	}
}

static void go_through(struct tracks *tracks, u8 period)
{
	double before[STEPS];
	struct naohw_error err;
	int64_t step = (period + 1) * 1000000ll;

	CHECK(tracks->count <= STEPS);
	for (int64_t time = step; time <= STEPS * step && !tracks_have_ended(tracks);
	     time += step) {
		for (size_t i = 0; i < tracks->count; i++)
			before[i] = tracks->track[i].place;
		CHECK(tracks_go_to(tracks, time, &err) == 0);
		check_places(tracks, before, (double)step / 1e9);
	}
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	const struct track_limits limits = { LOW, HIGH, SPEED };
	struct input in = { data, size };
	u8 setup = input_u8(&in), period = input_u8(&in);
	struct naohw_error err = { "" };
	struct tracks tracks;

	make_file(&in, setup & 1);
	if (tracks_open(&tracks, path, setup & 2 ? 1 : 4, &err) < 0) {
		CHECK(*err.message);
		return 0;
	}
	for (char label[] = "A"; *label < 'D'; (*label)++)
		tracks_add(&tracks, label, 0, &limits);
	if (tracks_check(&tracks, &err) == 0)
		go_through(&tracks, period);
	else
		CHECK(*err.message);
	tracks_close(&tracks);

	return 0;
}
