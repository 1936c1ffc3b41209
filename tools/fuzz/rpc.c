// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fuzz target: the input is what a client of JSON-RPC sends, with a byte for each word that
 * messages have. In pieces it has the same lines as in one. What is a message is the same one when
 * it is written and read again; of a request each parameter can be asked for, and what is wrong
 * with one is a line that an answer may have.
 */
#include "fuzz.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>

#include <json-c/json.h>

#include "rpc/lines.h"
#include "rpc/message.h"

#define BYTES_MAX (1 << 14)
/* From here on a byte is a word; none of them is any of UTF-8. */
#define WORD	  0xf8

static const char *const words[] = {
	"{\"jsonrpc\":\"2.0\",", "\"id\":",	   "\"method\":\"set\",", "\"params\":{",
	"\"commands\":[[1,0]],",  "\"name\":\"a\"}}\n", "[[[[",		  "]]]]",
};

/* ---- what is sent ---- */

struct bytes {
	u8 at[BYTES_MAX];
	size_t count;
};

static void put(struct bytes *bytes, const char *at, size_t count)
{
	if (count > BYTES_MAX - bytes->count)
		count = BYTES_MAX - bytes->count;
	memcpy(bytes->at + bytes->count, at, count);
	bytes->count += count;
}

static void read_bytes(struct input *in, struct bytes *bytes)
{
	bytes->count = 0;
	while (in->len) {
		u8 byte = input_u8(in);

		if (byte >= WORD)
			put(bytes, words[byte - WORD], strlen(words[byte - WORD]));
		else
			put(bytes, (const char *)&byte, 1);
	}
}

/* ---- lines ---- */

/* What comes in pieces of this size, none of them larger than what is read at once */
struct feed {
	struct lines lines;
	const struct bytes *bytes;
	size_t piece;
	size_t used;
};

static bool feed_more(struct feed *feed)
{
	size_t count = feed->bytes->count - feed->used;
	char *room = lines_room(&feed->lines);

	CHECK(room);
	if (count > feed->piece)
		count = feed->piece;
	memcpy(room, feed->bytes->at + feed->used, count);
	lines_add(&feed->lines, count);
	feed->used += count;
	return count;
}

static bool feed_line(struct feed *feed, const char **line, size_t *length)
{
	for (;;) {
		enum lines_next next = lines_next(&feed->lines, line, length);

		CHECK(next != LINES_TOO_LONG);
		if (next == LINES_ONE)
			return true;
		if (!feed_more(feed))
			return false;
	}
}

/* ---- messages ---- */

static void check_text(const char *text)
{
	CHECK(*text);
	for (; *text; text++)
		CHECK((u8)*text >= ' ');
}

/* As methods ask for them; each has a result or a message. */
static void ask(struct call *call, const char *name)
{
	struct json_object *array;
	const char *text, *texts[4];
	double number = 0;
	int64_t whole = 0;
	size_t count = 0;
	bool flag;

	if (call_text(call, name, true, &text) < 0)
		check_text(call->err.message);
	if (call_flag(call, name, &flag) < 0)
		check_text(call->err.message);
	if (call_number(call, name, -1, 1, &number) < 0)
		check_text(call->err.message);
	CHECK(fabs(number) <= 1);
	if (call_whole(call, name, false, -5, 5, &whole) < 0)
		check_text(call->err.message);
	CHECK(whole >= -5 && whole <= 5);
	if (call_array(call, name, true, 1, 4, &array) == 0)
		CHECK(json_object_array_length(array) >= 1 && json_object_array_length(array) <= 4);
	if (call_texts(call, name, 4, texts, &count) == 0)
		CHECK(count >= 1 && count <= 4 && texts[count - 1]);
}

static void check_request(struct json_object *json)
{
	struct request request;
	struct call call = { 0 };

	if (!message_request(json, &request, &call.err)) {
		check_text(call.err.message);
		return;
	}
	CHECK(request.method && (request.has_id || !request.id));
	call.params = request.params;
	ask(&call, "name");
	ask(&call, "commands");
	json_object_put(message_error(request.id, RPC_FAILED, -EBUSY, "busy"));
	json_object_put(message_result(request.id, NULL));
}

/* Piece by piece, as the daemon does. */
static bool parse(const char *line, size_t length, struct json_object **json)
{
	struct reading reading = { 0 };
	struct naohw_error err = { "" };
	int ret;

	do
		ret = message_read(&reading, line, length, json, &err);
	while (ret == -EAGAIN);
	message_stop(&reading);
	CHECK(ret == 0 || ret == -EBADMSG);
	if (ret < 0)
		check_text(err.message);
	return ret == 0;
}

static void check_again(struct json_object *json)
{
	struct json_object *again;
	size_t length;
	const char *text = message_text(json, &length);

	CHECK(text && !memchr(text, '\n', length));
	CHECK(parse(text, length, &again));
	CHECK(json_object_equal(json, again));
	json_object_put(again);
}

static void check_line(const char *line, size_t length)
{
	struct json_object *json;

	CHECK(!line[length] && !memchr(line, '\n', length));
	if (!parse(line, length, &json))
		return;
	check_again(json);
	check_request(json);
	if (json_object_is_type(json, json_type_array))
		for (size_t i = 0; i < json_object_array_length(json); i++)
			check_request(json_object_array_get_idx(json, i));
	while (json)
		message_free_some(&json);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static struct bytes bytes;
	struct input in = { data, size };
	struct feed whole = { .bytes = &bytes, .piece = LINES_CHUNK };
	struct feed pieces = { .bytes = &bytes };
	const char *line, *other;
	size_t length, other_length;

	pieces.piece = 1 + input_u8(&in);
	read_bytes(&in, &bytes);
	while (feed_line(&whole, &line, &length)) {
		CHECK(feed_line(&pieces, &other, &other_length));
		CHECK(length == other_length && memcmp(line, other, length) == 0);
		check_line(line, length);
	}
	CHECK(!feed_line(&pieces, &other, &other_length));
	lines_free(&whole.lines);
	lines_free(&pieces.lines);

	return 0;
}
