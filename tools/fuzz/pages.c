// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fuzz target: any bytes as a motion file. Binary pages are built from a script, as 512 bytes
 * take too many of the input, with right checksums or without; of text there is a byte each for
 * what a line begins with. What is accepted is told as the header promises, and played by a
 * player that moves nothing: no goal of it is outside of its servo's range.
 */
#include "fuzz.h"

#include <stdbool.h>

#include "motion/motion.h"
#include "player/player.h"

#define PAGES	     6
#define BINARY_MAX   (PAGES * MOTION_PAGE_SIZE + 256)
#define TEXT_MAX     (1 << 14)
#define STEPS_PLAYED 16
#define AXES	     3
#define CHECKSUM     31
#define FILE_NAME    "input"

/* What is read, in so many bytes as there are: one more is not anyone's to look at. */
struct file {
	u8 *data;
	size_t size;
};

static struct file file_of(const u8 *data, size_t size)
{
	struct file file = { malloc(size), size };

	CHECK(file.data || !size);
	if (size)
		memcpy(file.data, data, size);

	return file;
}

/* --- binary pages --- */

static u8 sum_of(const u8 *page)
{
	u8 sum = 0;

	for (unsigned int i = 0; i < MOTION_PAGE_SIZE; i++)
		sum += page[i];

	return sum;
}

static void seal(u8 *page)
{
	page[CHECKSUM] = 0;
	page[CHECKSUM] = 0xff - sum_of(page);
}

/* A page that can be played, and then any bytes of it otherwise */
static void make_page(struct input *in, u8 *page)
{
	u8 kind = input_u8(in), pokes = input_u8(in) % 16;

	memset(page, kind & 1 ? 0 : kind & 2 ? 0xff : kind & 4 ? 2 : 0x40, MOTION_PAGE_SIZE);
	if (kind & 8) {
		memcpy(page, "page\0\0\0\0\0\0\0\0\0\0\0\1\x0a\0\0\0\2\0\x20\0\x20\0\0", 27);
		page[20] = input_u8(in) % 9;
		page[25] = input_u8(in) % (PAGES + 1);
		page[26] = input_u8(in) % (PAGES + 1);
	}
	while (pokes--) {
		u16 at = input_u16(in);

		page[at % MOTION_PAGE_SIZE] = input_u8(in);
	}
	if (kind & 16)
		seal(page);
}

static struct file make_binary(struct input *in)
{
	static u8 bytes[BINARY_MAX];
	unsigned int pages = input_u8(in) % (PAGES + 1), more = input_u8(in);

	memset(bytes, 0, sizeof(bytes));
	for (unsigned int i = 0; i < pages; i++)
		make_page(in, bytes + i * MOTION_PAGE_SIZE);

	return file_of(bytes, pages * MOTION_PAGE_SIZE + (more & 0x80 ? more & 0x7f : 0));
}

/* --- text --- */

#define OF_ALL(number) \
	number number number number number number number number number number number number \
	number number number number number number number number number number number number \
	number number

static const char *const token[] = {
	"\xef\xbb\xbf",
	"type=motion\n",
	"version=1.0\n",
	"version=1.01\n",
	"enable=" OF_ALL(" 1") "\n",
	"enable=" OF_ALL("0 ") "\n",
	"motor_type=" OF_ALL(" 0") "\n",
	"motor_type=" OF_ALL(" 255") "\n",
	"page_begin\n",
	"name=",
	"compliance=" OF_ALL(" 5") "\n",
	"compliance=" OF_ALL(" 8") "\n",
	"play_param=",
	"play_param=1 2 1 1.0 32\n",
	"play_param=0 0 255 0.126 0\n",
	"step=" OF_ALL(" 512"),
	"step=" OF_ALL(" 1024"),
	"step=",
	" 0.1 0.2\n",
	" 2.040 0.008\n",
	" 2.041",
	"page_end\n",
	"\r\n",
	" 4096",
	" 999999999999999999999",
	".",
	"\xff\xff",
};

static size_t add_text(u8 *text, size_t used, const char *part, size_t size)
{
	if (used + size > TEXT_MAX)
		return used;
	memcpy(text + used, part, size);

	return used + size;
}

/* As RoboPlus ends a file */
static size_t add_checksum(u8 *text, size_t used)
{
	unsigned int sum = 0;

	for (size_t i = 0; i < used; i++)
		sum += text[i] == '\r' ? 0 : text[i];
	sum = ~sum & 0xffff;

	return add_text(text, used, (const char[]){ (char)(sum >> 8), (char)sum }, 2);
}

static struct file make_text(struct input *in, bool sealed)
{
	static u8 text[TEXT_MAX];
	size_t used = 0;

	while (in->len) {
		char byte = (char)input_u8(in);
		const char *part = token[(byte & 0x7f) % (sizeof(token) / sizeof(token[0]))];

		if (byte & 0x80)
			used = add_text(text, used, part, strlen(part));
		else
			used = add_text(text, used, &byte, 1);
	}
	if (sealed)
		used = add_checksum(text, used);

	return file_of(text, used);
}

/* --- what is accepted --- */

static void check_printable(const char *text, size_t size)
{
	size_t length = strnlen(text, size);

	CHECK(length < size);
	for (size_t i = 0; i < length; i++)
		CHECK(text[i] >= ' ' && text[i] <= '~');
}

static void check_steps(const struct naohw_motion *motion, const struct naohw_page *page)
{
	unsigned int steps = naohw_page_step_count(page);

	for (unsigned int i = 0; i < steps; i++) {
		CHECK(naohw_page_step_pause(page, i) <= 255);
		CHECK(naohw_page_step_time(page, i) <= 255);
		for (unsigned int id = 0; id < NAOHW_PAGE_IDS; id++) {
			unsigned int position = naohw_page_step_position(page, i, id);

			CHECK(!naohw_motion_is_text(motion) || position <= 4095 ||
			      position == NAOHW_POSITION_INVALID);
		}
	}
	CHECK(naohw_page_step_position(page, steps, 0) == NAOHW_POSITION_INVALID);
	CHECK(naohw_page_step_position(page, 0, NAOHW_PAGE_IDS) == NAOHW_POSITION_INVALID);
}

static void check_page(const struct naohw_motion *motion, const struct file *file,
		       unsigned int number)
{
	const struct naohw_page *page = naohw_motion_page(motion, number);
	enum naohw_page_state state;
	long ms = 0;
	int ret;

	CHECK(page);
	state = naohw_page_get_state(page);
	ret = naohw_page_ms(page, &ms);
	CHECK(naohw_page_number(page) == number && naohw_page_step_count(page) <= NAOHW_PAGE_STEPS);
	check_printable(page->name, sizeof(page->name));
	check_printable(page->fault, sizeof(page->fault));
	CHECK((state == NAOHW_PAGE_DAMAGED) == (*page->fault != '\0'));
	check_steps(motion, page);
	CHECK((ret == 0 && ms > 0) == (state == NAOHW_PAGE_GOOD));
	if (state != NAOHW_PAGE_GOOD)
		return;
	CHECK(number && naohw_page_step_count(page));
	CHECK(naohw_page_repeat(page) && naohw_page_repeat(page) <= 255);
	CHECK(naohw_page_speed(page) && naohw_page_speed(page) <= 255);
	CHECK(naohw_page_next(page) <= 255 && naohw_page_exit(page) <= 255);
	if (!naohw_motion_is_text(motion))
		CHECK(sum_of(file->data + number * MOTION_PAGE_SIZE) == 0xff);
}

static void check_found(const struct naohw_motion *motion, const char *name)
{
	struct naohw_error err = { "" };
	const struct naohw_page *page;
	unsigned int found;

	if (naohw_motion_find_page(motion, name, &found, &err) < 0) {
		CHECK(*err.message);
		return;
	}
	page = naohw_motion_page(motion, found);
	CHECK(page);
	if (name[strspn(name, "0123456789")])
		CHECK(!strcmp(naohw_page_name(page), name));
}

static void check_all(const struct naohw_motion *motion, const struct file *file)
{
	unsigned int count = naohw_motion_page_count(motion);

	CHECK(count >= 1 && count <= MOTION_PAGES);
	if (!naohw_motion_is_text(motion))
		CHECK(count * MOTION_PAGE_SIZE == file->size);
	for (unsigned int i = 0; i < count; i++) {
		check_page(motion, file, i);
		check_found(motion, naohw_page_name(naohw_motion_page(motion, i)));
	}
	CHECK(!naohw_motion_page(motion, count));
}

/* --- and played --- */

struct play {
	struct naohw_player *player;
	unsigned int left; /* steps, until it is halted: pages may follow one another for ever */
};

static void on_step(void *data, const struct naohw_player *player)
{
	struct play *play = data;

	CHECK(naohw_player_progress_pass(player) >= 1);
	CHECK(naohw_player_progress_pass(player) <= naohw_player_progress_passes(player));
	CHECK(naohw_player_progress_step(player) >= 1);
	CHECK(naohw_player_progress_step(player) <=
	      naohw_page_step_count(naohw_player_progress_page(player)));
	for (size_t i = 0; i < player->count; i++) {
		const struct servo_axis *axis = &player->axis[i].info;

		CHECK(player->sink->goal(player->data, i) >= axis->min);
		CHECK(player->sink->goal(player->data, i) <= axis->max);
	}
	if (!--play->left)
		naohw_player_halt(play->player);
}

static void play(struct naohw_player *player, unsigned int page)
{
	struct play play = { player, STEPS_PLAYED };
	struct naohw_error err = { "" };
	int checked = naohw_player_check(player, page, &err);
	int ret;

	CHECK(checked == 0 || *err.message);
	naohw_player_on_step(player, on_step, &play);
	ret = naohw_player_play(player, page, &err);
	CHECK(checked == 0 || ret == checked);
	CHECK((play.left == STEPS_PLAYED) == (checked < 0));
}

/* No robot is here, and so no pose. */
size_t pose_axis_count(const struct naohw_pose *pose)
{
	CHECK(!pose);

	return 0;
}

const struct naohw_robot *pose_robot(const struct naohw_pose *pose)
{
	CHECK(!pose);

	return NULL;
}

size_t player_take_axes(const struct naohw_pose *pose, struct servo_axis *to)
{
	CHECK(!pose && !to);

	return 0;
}

void player_know_head(struct naohw_player *player, const struct naohw_robot *robot)
{
	CHECK(player && !robot);
}

/* Two servos of an AX-12's counts, of which one cannot go everywhere, and one of a MX-28's */
static const struct servo_axis axes[AXES] = {
	{ .label = "A", .id = 1, .max = 1023, .servo_scale = 0.005, .servo_offset = -512,
	  .speed_max = 1023, .speed_scale = 0.01 },
	{ .label = "B", .id = 7, .min = 100, .max = 900, .servo_scale = 0.005,
	  .servo_offset = -512, .speed_max = 1023, .speed_scale = 0.01 },
	{ .label = "C", .id = 25, .min = -2048, .max = 2047, .servo_scale = 0.0015,
	  .speed_max = 1023, .speed_scale = 0.01 },
};

static void play_all(const struct naohw_motion *motion, bool nominal, bool ignore)
{
	struct naohw_player *player;

	if (nominal)
		CHECK(naohw_player_new_dry(motion, NULL, &player, NULL) == 0);
	else
		CHECK(player_create_dry(motion, axes, AXES, &player, NULL) == 0);
	CHECK(naohw_player_set_speed(player, 100, NULL) == 0);
	if (ignore)
		naohw_player_ignore_checksum(player);
	for (unsigned int i = 0; i <= naohw_motion_page_count(motion); i++)
		play(player, i);
	naohw_player_free(player);
}

/* As naohw_motion_load() does, but for a buffer that ends where the file does */
static struct naohw_motion *load(const struct file *file)
{
	struct naohw_motion *motion = calloc(1, sizeof(*motion));
	struct naohw_error err = { "" };
	int ret;

	CHECK(motion);
	motion->path = strdup(FILE_NAME);
	CHECK(motion->path);
	if (page_text_probe(file->data, file->size))
		ret = page_text_load(motion, file->data, file->size, &err);
	else
		ret = page_binary_load(motion, file->data, file->size, &err);
	if (ret == 0)
		return motion;
	CHECK(!strncmp(err.message, FILE_NAME, strlen(FILE_NAME)));
	check_printable(err.message, sizeof(err.message));
	naohw_motion_free(motion);

	return NULL;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct input in = { data, size };
	u8 setup = input_u8(&in);
	struct naohw_motion *motion;
	struct file file;

	if ((setup & 3) == 0)
		file = file_of(in.data, in.len);
	else if (setup & 1)
		file = make_binary(&in);
	else
		file = make_text(&in, setup & 8);
	motion = load(&file);
	if (motion) {
		check_all(motion, &file);
		play_all(motion, setup & 16, setup & 4);
	}
	naohw_motion_free(motion);
	free(file.data);

	return 0;
}
