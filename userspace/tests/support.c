// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support.h"

#include <unistd.h>

static char temp_path[64];

static void remove_temp(void)
{
	if (*temp_path)
		unlink(temp_path);
}

const char *temp_file(const void *data, size_t size)
{
	FILE *file;

	if (!*temp_path) {
		snprintf(temp_path, sizeof(temp_path), "/tmp/naohw-test-%d", (int)getpid());
		atexit(remove_temp);
	}
	file = fopen(temp_path, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(data, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
	return temp_path;
}

const char *temp_text(const char *text)
{
	return temp_file(text, strlen(text));
}

#define POSITION(name, channel, gain, offset)                                                    \
	"<Preference name=\"" name "\" type=\"array\">"                                          \
	"<Preference name=\"Channel\" type=\"string\" value=\"" channel "\"/>"                   \
	"<Preference name=\"Gain\" type=\"float\" value=\"" gain "\"/>"                          \
	"<Preference name=\"Offset\" type=\"float\" value=\"" offset "\"/>"                      \
	"<Preference name=\"Min\" type=\"float\" value=\"-1\"/>"                                 \
	"<Preference name=\"Max\" type=\"float\" value=\"2\"/></Preference>"
#define JOINT(name, gain, offset)                                                                \
	"<Preference name=\"x\" memoryName=\"Device/SubDeviceList/" name "/Position\" "           \
	"type=\"array\">" POSITION("Sensor", "in_angl0", gain, offset)                             \
	POSITION("Actuator", "out_angl0", gain, offset) "</Preference>\n"

const char *turned_robot(void)
{
	return temp_text("<ModulePreference name=\"x\">\n" JOINT("HeadYaw", "-1", "0.5")
			 JOINT("HeadPitch", "1", "0") "</ModulePreference>\n");
}

static void print_side(FILE *file, const char *side, const char *channel, const char *gain,
		       const char *offset)
{
	const char *const values[][2] = { { "Gain", gain }, { "Offset", offset }, { "Min", "-3" },
					  { "Max", "3" } };

	fprintf(file, "<Preference name=\"%s\" type=\"array\"><Preference name=\"Channel\" "
		"type=\"string\" value=\"%s\"/>", side, channel);
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		fprintf(file, "<Preference name=\"%s\" type=\"float\" value=\"%s\"/>",
			values[i][0], values[i][1]);
	fprintf(file, "</Preference>\n");
}

const char *joint_robot(const char *label, const char *sensor_offset, const char *gain,
			const char *offset)
{
	char *text;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	assert_non_null(file);
	fprintf(file, "<ModulePreference name=\"x\"><Preference name=\"x\" type=\"array\" "
		"memoryName=\"Device/SubDeviceList/%s/Position\">\n", label);
	if (sensor_offset)
		print_side(file, "Sensor", "in_angl0", gain, sensor_offset);
	print_side(file, "Actuator", "out_angl0", gain, offset);
	fprintf(file, "</Preference></ModulePreference>\n");
	assert_int_equal(fclose(file), 0);
	temp_text(text);
	free(text);
	return temp_path;
}

void assert_says(const struct naohw_error *err, const char *part)
{
	if (!strstr(err->message, part))
		fail_msg("the message \"%s\" does not say \"%s\"", err->message, part);
}

void assert_near(double found, double expected, double tolerance)
{
	if (!(fabs(found - expected) <= tolerance))
		fail_msg("%.9g, expected %.9g", found, expected);
}

void page_plain(unsigned char *page, const char *name, unsigned int steps)
{
	memset(page, 0, PAGE_SIZE);
	memcpy(page, name, strlen(name));
	page[15] = 1;
	page[16] = 0x0a;
	page[20] = (unsigned char)steps;
	page[22] = 32;
	page[24] = 32;
	memset(page + 32, 0x55, 31);
	for (unsigned int step = 0; step < 7; step++) {
		for (unsigned int id = 0; id < 31; id++)
			page_position(page, step, id, NAOHW_POSITION_INVALID);
		page_times(page, step, 0, 125);
	}
}

void page_position(unsigned char *page, unsigned int step, unsigned int id, unsigned int value)
{
	unsigned char *at = page + 64 * (step + 1) + 2 * id;

	at[0] = value & 0xff;
	at[1] = (value >> 8) & 0xff;
}

void page_times(unsigned char *page, unsigned int step, unsigned int pause, unsigned int time)
{
	page[64 * (step + 1) + 62] = (unsigned char)pause;
	page[64 * (step + 1) + 63] = (unsigned char)time;
}

void page_seal(unsigned char *page)
{
	unsigned int sum = 0;

	page[31] = 0;
	for (unsigned int i = 0; i < PAGE_SIZE; i++)
		sum += page[i];
	page[31] = (unsigned char)(0xff - (sum & 0xff));
}

unsigned char *pages_new(size_t count)
{
	unsigned char *pages = malloc(count * PAGE_SIZE);

	assert_non_null(pages);
	memset(pages, 0xff, count * PAGE_SIZE);
	return pages;
}

struct naohw_motion *pages_load(const unsigned char *pages, size_t count)
{
	struct naohw_motion *motion;
	struct naohw_error err;

	if (naohw_motion_load(temp_file(pages, count * PAGE_SIZE), &motion, &err) < 0)
		fail_msg("%s", err.message);
	return motion;
}

static const char *shared(const char *directory, const char *name)
{
	static char path[512];
	const char *root = getenv("NAOHW_SHARED");

	snprintf(path, sizeof(path), "%s/%s/%s", root ? root : SHARED_DEFAULT, directory, name);
	return access(path, R_OK) == 0 ? path : NULL;
}

const char *shared_file(const char *name)
{
	return shared("data/motion", name);
}

const char *shared_reference(const char *name)
{
	return shared("reference", name);
}

struct servo_axis ax12(unsigned int id, const char *label)
{
	const struct servo_axis axis = {
		.label = label,
		.id = id,
		.max = 1023,
		.servo_scale = 300.0 / 1024 * M_PI / 180,
		.servo_offset = -512,
		.speed_max = 1023,
		.speed_scale = 0.111 * 2 * M_PI / 60,
		.sag = 11,
	};

	return axis;
}
