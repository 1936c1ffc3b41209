// SPDX-License-Identifier: GPL-2.0-or-later
/* Recordings: what is written is read again, and what is damaged is told where. */
#include "support.h"

#include <unistd.h>

#include "../naohw/recording.h"

#define MS	((int64_t)1000000)
#define COLUMNS 7
#define ROWS	5
#define HEAD	(BINARY_HEAD_SIZE + COLUMNS * BINARY_COLUMN_SIZE + BINARY_CRC_SIZE)
#define ROW	(BINARY_TIME_SIZE + 4 + 2 + 2 + 1 + 1 + 2 + 4 + BINARY_CRC_SIZE)
#define SIZE	(HEAD + ROWS * ROW + BINARY_END_SIZE)

static struct recording_column columns[COLUMNS] = {
	{ "One", NAOHW_QUANTITY_GOAL, 0, 1, 32, true, 0.005, -512 },
	{ "One", NAOHW_QUANTITY_POSITION, 0, 1, 16, true, 0.005, -512 },
	{ "One", NAOHW_QUANTITY_SPEED, 0, 1, 16, true, 0.01, 0 },
	{ "One", NAOHW_QUANTITY_TEMPERATURE, 0, 1, 8, false, 1, 0 },
	{ "One", NAOHW_QUANTITY_AGE, 0, 1, 8, false, 1, 0 },
	{ "Two.b", NAOHW_QUANTITY_POSITION, 1, 253, 16, false, 0.001, 0 },
	{ "Two.b", NAOHW_QUANTITY_CURRENT, 1, 253, 32, true, 0.00269, 0 },
};

static const struct recording_head head = {
	.start = 1234567890123456789,
	.period = 10 * MS,
	.count = COLUMNS,
	.column = columns,
};

static const int64_t rows[ROWS][COLUMNS] = {
	{ 512, 500, -3, 40, 0, 0, 0 },
	{ 513, 510, 0, 255, 0, 65535, -2147483648 },
	{ 514, -32768, 32767, 0, 1, 1, 2147483647 },
	{ 515, 500, 1, 1, 255, 2, 100 },
	{ -515, 505, 1, 1, 254, 3, 100 },
};

static const int64_t times[ROWS] = { 0, 10 * MS, 20 * MS + 1000, 40 * MS, 86400000 * MS };

static char *bytes; /* of the file that was written last */
static size_t size;

static FILE *begin(void)
{
	FILE *file;

	free(bytes);
	file = open_memstream(&bytes, &size);
	assert_non_null(file);
	return file;
}

static void make_binary(void)
{
	FILE *file = begin();

	recording_write_binary_head(file, &head);
	for (size_t i = 0; i < ROWS; i++)
		recording_write_binary_row(file, &head, times[i], rows[i]);
	recording_write_binary_end(file, ROWS, 3);
	assert_int_equal(fclose(file), 0);
}

static void make_csv(void)
{
	double values[COLUMNS];
	FILE *file = begin();

	recording_write_csv_head(file, &head);
	for (size_t i = 0; i < ROWS; i++) {
		recording_values(&head, rows[i], values);
		recording_write_csv_row(file, &head, times[i], values);
	}
	assert_int_equal(fclose(file), 0);
}

static int teardown(void **state)
{
	(void)state;
	free(bytes);
	bytes = NULL;
	return 0;
}

static struct recording *open_bytes(void)
{
	struct recording *recording;
	struct naohw_error err;

	if (recording_open(temp_file(bytes, size), &recording, &err) < 0)
		fail_msg("%s", err.message);
	return recording;
}

static void check_values(const double *values, size_t row, double precision)
{
	double expected[COLUMNS];

	recording_values(&head, rows[row], expected);
	for (size_t i = 0; i < COLUMNS; i++) {
		if (isnan(expected[i]))
			assert_true(isnan(values[i]));
		else
			assert_near(values[i], expected[i], fabs(expected[i]) * precision);
	}
}

static void check_rows(struct recording *recording, double precision)
{
	double values[COLUMNS];
	struct naohw_error err;
	int64_t time;

	for (size_t i = 0; i < ROWS; i++) {
		if (recording_next(recording, &time, values, &err) != 1)
			fail_msg("%s", err.message);
		assert_int_equal(time, times[i]);
		check_values(values, i, precision);
	}
	assert_int_equal(recording_next(recording, &time, values, &err), 0);
}

static void check_round_trip(double precision)
{
	struct recording *recording = open_bytes();
	const struct recording_head *found = recording_head(recording);

	assert_int_equal(found->count, COLUMNS);
	for (size_t i = 0; i < COLUMNS; i++) {
		assert_string_equal(found->column[i].label, columns[i].label);
		assert_int_equal(found->column[i].quantity, columns[i].quantity);
	}
	check_rows(recording, precision);
	recording_rewind(recording);
	check_rows(recording, precision);
	recording_close(recording);
}

static void binary_comes_back(void **state)
{
	struct recording *recording;

	(void)state;
	make_binary();
	assert_int_equal(size, SIZE);
	check_round_trip(0);
	recording = open_bytes();
	assert_int_equal(recording_head(recording)->start, head.start);
	assert_int_equal(recording_head(recording)->period, head.period);
	assert_int_equal(recording_head(recording)->column[6].bus, 1);
	assert_int_equal(recording_head(recording)->column[6].id, 253);
	recording_close(recording);
}

static void csv_comes_back(void **state)
{
	(void)state;
	make_csv();
	check_round_trip(1e-6);
}

/* What others read and write: these bytes are the format. */
static void csv_is_as_documented(void **state)
{
	static const char text[] =
		"time_s,One.goal,One.present,One.speed,One.temperature,One.age,Two.b.present,"
		"Two.b.current\n"
		"0.000000,0,-0.06,-0.03,40,0,0,0\n";

	(void)state;
	make_csv();
	assert_memory_equal(bytes, text, strlen(text));
	/* A joint that never answered has a goal and an age, and nothing else. */
	assert_non_null(strstr(bytes, "\n0.040000,0.015,,,,255,0.002,0.269\n"));
	assert_non_null(strstr(bytes, "\n86400.000000,-5.135,-0.035,0.01,1,254,0.003,0.269\n"));
}

static void binary_is_as_documented(void **state)
{
	static const unsigned char start[] = { 'N', 'A', 'O', 'H', 'W', 'R', 'E', 'C', 2, 0, 7,
					       0,   0x1c, 2,   0,   0,	 0x15, 0x81, 0xe9, 0x7d,
					       0xf4, 0x10, 0x22, 0x11, 0x80, 0x96, 0x98, 0, 0, 0,
					       0,   0,	 'O', 'n', 'e', 0 };
	/* The second row: 10 ms, and its values. */
	static const unsigned char row[] = { 0x80, 0x96, 0x98, 0,    0,	   0,	 0,    0,
					     1,	   2,	 0,    0,    0xfe, 1,	 0,    0,
					     255,  0,	 0xff, 0xff, 0,	   0,	 0,    0x80 };

	(void)state;
	make_binary();
	assert_memory_equal(bytes, start, sizeof(start));
	assert_string_equal(bytes + BINARY_HEAD_SIZE + RECORDING_LABEL_SIZE, "rad");
	assert_memory_equal(bytes + HEAD + ROW, row, sizeof(row));
	assert_memory_equal(bytes + SIZE - BINARY_END_SIZE, "NAOHWEND\5\0\0\0\0\0\0\0\3", 17);
	/* The checksum that all the world calls CRC-32 */
	assert_int_equal(recording_crc(0, (const unsigned char *)"123456789", 9), 0xcbf43926);
}

static bool reads_well(struct naohw_error *err)
{
	double values[RECORDING_COLUMNS_MAX];
	struct recording *recording;
	int64_t time;
	int ret;

	err->message[0] = '\0';
	if (recording_open(temp_file(bytes, size), &recording, err) < 0)
		return false;
	while ((ret = recording_next(recording, &time, values, err)) > 0)
		continue;
	recording_close(recording);
	return ret == 0;
}

static void every_damaged_byte_is_found(void **state)
{
	struct naohw_error err;

	(void)state;
	make_binary();
	for (size_t i = 0; i < SIZE; i++) {
		bytes[i] ^= 0x10;
		if (reads_well(&err))
			fail_msg("byte %zu may be anything", i);
		assert_true(*err.message);
		bytes[i] ^= 0x10;
	}
	assert_true(reads_well(&err));
}

static void every_missing_end_is_found(void **state)
{
	struct naohw_error err;

	(void)state;
	make_binary();
	for (size = 0; size < SIZE; size++)
		assert_false(reads_well(&err));
	assert_true(reads_well(&err));
	/* A row too few, with an end that is whole */
	memmove(bytes + HEAD, bytes + HEAD + ROW, SIZE - HEAD - ROW);
	size = SIZE - ROW;
	assert_false(reads_well(&err));
	assert_says(&err, "5 frames, but the file has 4");
	/* Something that is no row, and all else in order */
	make_binary();
	bytes = realloc(bytes, SIZE + 3);
	assert_non_null(bytes);
	memmove(bytes + SIZE - BINARY_END_SIZE + 3, bytes + SIZE - BINARY_END_SIZE,
		BINARY_END_SIZE);
	size = SIZE + 3;
	assert_false(reads_well(&err));
	assert_says(&err, "171 bytes after the head, expected a multiple of 28 and 28");
}

/* Change bytes of the head and make its checksum right again. */
static void check_head(size_t at, const void *data, size_t length, const char *says)
{
	struct naohw_error err;
	uint32_t crc;

	make_binary();
	memcpy(bytes + at, data, length);
	crc = htole32(recording_crc(0, (unsigned char *)bytes, HEAD - BINARY_CRC_SIZE));
	memcpy(bytes + HEAD - BINARY_CRC_SIZE, &crc, sizeof(crc));
	assert_false(reads_well(&err));
	assert_says(&err, says);
}

static void a_head_that_lies_is_refused(void **state)
{
	const double nan = NAN;
	const double huge[] = { 1e308, 1e308 };
	const size_t second = BINARY_HEAD_SIZE + BINARY_COLUMN_SIZE;

	(void)state;
	check_head(8, "\1", 1, "byte 8: version 1, expected 2: it has the angles of servos, and not "
				"of joints");
	check_head(8, "\3", 1, "byte 8: version 3, expected 2");
	check_head(10, "\0", 2, "byte 10: 0 columns, expected 1 to 4096");
	check_head(10, "\xff\xff", 2, "byte 10: 65535 columns");
	check_head(10, "\x08", 1, "byte 12: a head of 540 bytes, expected 612 for 8 columns");
	check_head(second, "\0", 1, "column 2, byte 104: no label");
	check_head(second, "a,b", 3, "column 2, byte 104: no label");
	check_head(second + 40, "V\0\0", 3, "column 2, byte 104: not in the unit");
	check_head(second + 48, &nan, 8, "column 2, byte 104: scale or offset");
	check_head(second + 56, &nan, 8, "column 2, byte 104: scale or offset");
	check_head(second + 48, huge, 16, "column 2, byte 104: scale 1e+308 and offset 1e+308");
	check_head(second + 64, "\x09", 1, "column 2, byte 104: a kind of value");
	check_head(second + 64, "\x01", 1, "column 2, byte 104: One.goal a second time");
	check_head(second + 65, "\x0c", 1, "column 2, byte 104: not of 8, 16 or 32 bits");
}

static void check_times(int64_t first, int64_t second, const char *says)
{
	struct naohw_error err;
	FILE *file = begin();

	recording_write_binary_head(file, &head);
	recording_write_binary_row(file, &head, first, rows[0]);
	recording_write_binary_row(file, &head, second, rows[1]);
	recording_write_binary_end(file, 2, 0);
	assert_int_equal(fclose(file), 0);
	assert_false(reads_well(&err));
	assert_says(&err, says);
}

static void time_goes_on(void **state)
{
	(void)state;
	check_times(10, 10, ": byte 568: frame 2: its time is 10 ns, expected more than 10");
	check_times(0, INT64_MIN, ": byte 568: frame 2: its time is -9223372036854775808 ns, ");
	check_times(-1, 5, ": byte 540: frame 1: its time is -1 ns, expected 0 to 4000000000 s");
	check_times(0, INT64_MAX, ": byte 568: frame 2: its time is 9223372036854775807 ns, ");
}

static void check_text(const char *text, const char *says)
{
	struct naohw_error err;
	char place[128];

	free(bytes);
	bytes = strdup(text);
	size = strlen(text);
	assert_false(reads_well(&err));
	assert_says(&err, says);
	/* "FILE:LINE: " */
	snprintf(place, sizeof(place), "%s:", temp_file(bytes, size));
	assert_says(&err, place);
}

static void damaged_text_is_told(void **state)
{
	(void)state;
	check_text("", ":1: the file is empty, expected a recording");
	check_text("hello\n", ":1: not a recording: found \"hello\", expected time_s");
	check_text("type=motion\nversion=1.01\n", ":1: not a recording");
	check_text("time_s\n", ":1: 1 columns, expected 2 to 4097");
	check_text("time_s,One.present", ":1: the line has no end");
	check_text("time_s,One\n", ":1: column 2: found \"One\", expected JOINT.present");
	check_text("time_s,.goal\n", ":1: column 2: found \".goal\"");
	check_text("time_s,A\x1b[2J.goal\n", ":1: column 2: found \"A?[2J.goal\", expected");
	check_text("time_s,One.voltages\n", ":1: column 2: found \"One.voltages\"");
	check_text("time_s,A.goal,A.goal\n", ":1: column 3: found A.goal a second time");
	check_text("time_s,A.goal\n0,1,2\n", ":2: found 3 cells, expected 2 as in line 1");
	check_text("time_s,A.goal\n0,1\n\n", ":3: found 1 cells, expected 2 as in line 1");
	check_text("time_s,A.goal\n0,x\n", ":2: column 2 (A.goal): found \"x\", expected a number");
	check_text("time_s,A.goal\n0,nan\n", ":2: column 2 (A.goal): found \"nan\"");
	check_text("time_s,A.goal\n0,1e999\n", ":2: column 2 (A.goal): found \"1e999\"");
	check_text("time_s,A.goal\n0, 1\n", ":2: column 2 (A.goal): found \" 1\"");
	check_text("time_s,A.goal\n0,1-2\n", ":2: column 2 (A.goal): found \"1-2\"");
	check_text("time_s,A.goal\n,1\n", ":2: column 1 (time_s): found \"\", expected seconds");
	check_text("time_s,A.goal\n-1,1\n", ":2: column 1 (time_s): found \"-1\"");
	check_text("time_s,A.goal\n5e9,1\n", ":2: column 1 (time_s): found \"5e9\"");
	check_text("time_s,A.goal\n1e300,1\n", ":2: column 1 (time_s): found \"1e300\", "
					       "expected seconds, 0 to 4000000000");
	check_text("time_s,A.goal\ninf,1\n", ":2: column 1 (time_s): found \"inf\"");
	check_text("time_s,A.goal\nnan,1\n", ":2: column 1 (time_s): found \"nan\"");
	check_text("time_s,A.goal\n0,\x1b[2J\n", ":2: column 2 (A.goal): found \"?[2J\"");
	check_text("time_s,A.goal\n1,1\n0.5,1\n", ":3: frame 2: its time is 500000000 ns");
	check_text("time_s,A.goal\n0,1\n0,1\n", ":3: frame 2: its time is 0 ns, expected more");
	check_text("time_s,A.goal\n0,1\n1,2", ":3: the line has no end: the file is not whole");
}

static void a_byte_of_zero_is_no_text(void **state)
{
	static const char text[] = "time_s,A.goal\n0,\0001\n";
	struct naohw_error err;

	(void)state;
	free(bytes);
	size = sizeof(text) - 1;
	bytes = malloc(size);
	assert_non_null(bytes);
	memcpy(bytes, text, size);
	assert_false(reads_well(&err));
	assert_says(&err, ":2: found a byte 0");
}

/* No more than that is kept of it, however long it is. */
static void a_line_without_end_is_refused(void **state)
{
	static const char title[] = "time_s,A.goal\n";
	struct naohw_error err;

	(void)state;
	free(bytes);
	size = 8 << 20;
	bytes = malloc(size);
	assert_non_null(bytes);
	memset(bytes, '1', size);
	assert_false(reads_well(&err));
	assert_says(&err, ":1: the line has more than 262144 bytes");
	memset(bytes, ',', size);
	assert_false(reads_well(&err));
	assert_says(&err, ":1: the line has more than 262144 bytes");
	memcpy(bytes, title, strlen(title));
	assert_false(reads_well(&err));
	assert_says(&err, ":2: the line has more than 262144 bytes");
}

/* As other programs write them. */
static void other_text_is_read(void **state)
{
	static const char *const texts[] = {
		"time_s,A.goal\r\n0,\r\n1,-1.5e-3\r\n",
		"\xef\xbb\xbftime_s,A.goal\n0,1\n",
	};
	struct naohw_error err;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		free(bytes);
		bytes = strdup(texts[i]);
		size = strlen(bytes);
		if (!reads_well(&err))
			fail_msg("%s", err.message);
	}
}

static void what_cannot_be_read_is_told(void **state)
{
	struct recording *recording;
	struct naohw_error err;

	(void)state;
	assert_int_equal(recording_open("/tmp/no/such", &recording, &err), -ENOENT);
	assert_says(&err, "/tmp/no/such: No such file");
	assert_int_equal(recording_open("/tmp", &recording, &err), -EISDIR);
	assert_int_equal(recording_open("/dev/null", &recording, &err), -ESPIPE);
}

int main(void)
{
#define RECORDING_TEST(test) cmocka_unit_test_setup_teardown(test, NULL, teardown)
	const struct CMUnitTest tests[] = {
		RECORDING_TEST(binary_comes_back),
		RECORDING_TEST(csv_comes_back),
		RECORDING_TEST(csv_is_as_documented),
		RECORDING_TEST(binary_is_as_documented),
		RECORDING_TEST(every_damaged_byte_is_found),
		RECORDING_TEST(every_missing_end_is_found),
		RECORDING_TEST(a_head_that_lies_is_refused),
		RECORDING_TEST(time_goes_on),
		RECORDING_TEST(damaged_text_is_told),
		RECORDING_TEST(a_byte_of_zero_is_no_text),
		RECORDING_TEST(a_line_without_end_is_refused),
		RECORDING_TEST(other_text_is_read),
		RECORDING_TEST(what_cannot_be_read_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
