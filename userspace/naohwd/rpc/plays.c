// SPDX-License-Identifier: GPL-2.0-or-later
/* Motion pages. */
#include "plays.h"

#include <stdio.h>
#include <string.h>

#include "methods.h"
#include "server.h"
#include "values.h"

/* As a player's */
#define SPEED_MIN  0.01
#define SPEED_MAX  100.0
#define REPEAT_MAX 65535
#define NUMBER_MAX 255

/* What messages call a motion that has come by itself */
#define UNNAMED "text"

static const char *const states[] = {
	[PLAY_NONE] = "none",	    [PLAY_PLAYING] = "playing", [PLAY_DONE] = "done",
	[PLAY_STOPPED] = "stopped", [PLAY_HALTED] = "halted",	[PLAY_FAILED] = "failed",
};

/* ---- play ---- */

/* A number, or a name. */
static int read_page(struct call *call, char *number, size_t size, const char **page)
{
	struct json_object *json;
	int64_t whole = 0;
	int ret;

	if (!call->params || !json_object_object_get_ex(call->params, "page", &json) ||
	    json_object_is_type(json, json_type_string))
		return call_text(call, "page", true, page);
	ret = call_whole(call, "page", true, 1, NUMBER_MAX, &whole);
	snprintf(number, size, "%d", (int)whole);
	*page = number;
	return ret;
}

static int read_motion(struct call *call, struct play_wish *wish)
{
	int ret = call_long_text(call, "text", false, &wish->bytes);

	if (ret == 0)
		ret = call_text(call, "motion", !wish->bytes, &wish->motion);
	if (ret == 0 && wish->bytes && wish->motion)
		return call_wrong(call, "expected either motion or text");
	if (wish->bytes) {
		wish->motion = UNNAMED;
		wish->size = strlen(wish->bytes);
	}
	return ret;
}

static int read_wish(struct call *call, struct play_wish *wish)
{
	int64_t repeat = 0;
	int ret = read_motion(call, wish);

	if (ret == 0)
		ret = call_number(call, "speed", SPEED_MIN, SPEED_MAX, &wish->speed);
	if (ret == 0)
		ret = call_whole(call, "repeat", false, 1, REPEAT_MAX, &repeat);
	if (ret == 0)
		ret = call_flag(call, "head", &wish->head);
	if (ret == 0)
		ret = call_flag(call, "stiff", &wish->stiff);
	if (ret == 0)
		ret = call_flag(call, "stays", &wish->stays);
	wish->repeat = (unsigned int)repeat;
	return ret;
}

int method_play(struct call *call)
{
	struct play_wish wish = { .speed = 1 };
	char number[16];
	unsigned int id;
	int ret = read_page(call, number, sizeof(number), &wish.page);

	if (ret == 0)
		ret = read_wish(call, &wish);
	if (ret == 0)
		ret = play_begin(call->rpc->host.plays, &call->client->party, &wish, &id,
				 &call->err);
	if (ret < 0)
		return ret;
	call->result = json_object_new_object();
	json_object_object_add(call->result, "play", json_object_new_int64(id));
	return 0;
}

int method_stop(struct call *call)
{
	bool halt = false;
	int ret = call_flag(call, "halt", &halt);

	return ret < 0 ? ret : play_stop(call->rpc->host.plays, halt, &call->err);
}

/* ---- what is told ---- */

static struct json_object *tell_limp(const struct play_status *status)
{
	struct json_object *labels = json_object_new_array();

	for (size_t i = 0; i < status->limp_count; i++)
		json_object_array_add(labels, value_text(status->limp[i]));
	return labels;
}

struct json_object *play_tell(const struct plays *plays)
{
	const struct play_status *status = plays_status(plays);
	struct json_object *json = json_object_new_object();

	json_object_object_add(json, "id", json_object_new_int64(status->id));
	json_object_object_add(json, "state", json_object_new_string(states[status->state]));
	json_object_object_add(json, "page", json_object_new_int64(status->page));
	json_object_object_add(json, "step", json_object_new_int64(status->step));
	if (status->limp_count)
		json_object_object_add(json, "limp", tell_limp(status));
	if (status->state == PLAY_FAILED)
		json_object_object_add(json, "why", value_text(status->why.message));
	return json;
}
