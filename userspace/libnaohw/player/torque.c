// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Which joints of a play have torque, and how they get it: only if that is asked for, all in the same
 * time, and before the first step. The others get no goal, so that whoever makes them stiff in the
 * middle of the play has them stay where they are.
 */
#include <stdio.h>
#include <string.h>

#include "player.h"

/* As slowly as a hand that holds a limb can follow, and no slower than a user waits */
#define RISE_NS	 ((int64_t)1000 * PLAYER_NS_PER_MS)
/* By then a cycle has sent a stiffness that was set before the play, and another one has said so. */
#define TOLD_NS	 ((int64_t)200 * PLAYER_NS_PER_MS)
/* For " and 4294967295 more" */
#define MORE_SIZE 21

static bool any_is_limp(const struct naohw_player *player)
{
	for (size_t i = 0; i < player->count && player->sink->is_limp; i++)
		if (player->axis[i].is_reached && player->sink->is_limp(player->data, i))
			return true;
	return false;
}

static int stiffen_all(struct naohw_player *player, struct naohw_error *err)
{
	int64_t end = player_now(player) + RISE_NS;
	int any = 0;

	for (size_t i = 0; i < player->count; i++) {
		struct player_axis *axis = &player->axis[i];
		int ret;

		if (!axis->is_reached)
			continue;
		ret = player->sink->stiffen(player->data, i, end, err);
		if (ret < 0)
			return ret;
		axis->rises = ret;
		any |= ret;
	}
	return any;
}

int64_t player_give_torque(struct naohw_player *player, struct naohw_error *err)
{
	int ret;

	for (size_t i = 0; i < player->count; i++)
		player->axis[i].rises = player->axis[i].is_limp = false;
	if (!player->gives_torque || !player->sink->stiffen)
		return any_is_limp(player) ? TOLD_NS : 0;
	ret = stiffen_all(player, err);
	if (ret < 0)
		player_stop_stiffening(player);
	if (ret <= 0)
		return ret;
	return RISE_NS;
}

void player_stop_stiffening(struct naohw_player *player)
{
	for (size_t i = 0; i < player->count; i++)
		if (player->axis[i].rises)
			player->sink->stop_stiffening(player->data, i);
}

bool player_is_limp(struct naohw_player *player, size_t index)
{
	struct player_axis *axis = &player->axis[index];

	if (axis->is_limp || !player->sink->is_limp)
		return axis->is_limp;
	axis->is_limp = player->sink->is_limp(player->data, index);
	if (axis->is_limp)
		axis->why = player_why(player, index);
	return axis->is_limp;
}

enum guard_reason player_why(const struct naohw_player *player, size_t index)
{
	return player->sink->why ? player->sink->why(player->data, index) : GUARD_NONE;
}

/* ---- who is left out ---- */

/* One that the play has sent nowhere */
struct left {
	const char *label;
	enum guard_reason why;
};

/* First those that have a servo which poses can move, then the others */
static bool is_left(const struct naohw_player *player, size_t index, bool moved, struct left *left)
{
	if (index < player->count) {
		const struct player_axis *axis = &player->axis[index];

		*left = (struct left){ axis->info.label, axis->why };
		return axis->is_limp && axis->moved == moved;
	}
	*left = (struct left){ player->still[index - player->count].label,
			       player->still[index - player->count].why };
	return player->still[index - player->count].is_reached &&
	       player->still[index - player->count].moved == moved;
}

static bool is_listed(enum guard_reason why, enum player_list which)
{
	return which == PLAYER_LIST_ALL || (why == GUARD_NO_TORQUE) == (which == PLAYER_LIST_LIMP);
}

/* Text with an end */
struct list {
	char *text;
	size_t size;
	size_t used;
	unsigned int more;
};

/* Behind what is cut nothing follows. */
static bool append(struct list *list, const char *before, const char *text, const char *behind)
{
	size_t length = strlen(before) + strlen(text) + strlen(behind);

	if (list->more || list->used + length + MORE_SIZE > list->size)
		return false;
	list->used += (size_t)snprintf(list->text + list->used, list->size - list->used, "%s%s%s",
				       before, text, behind);
	return true;
}

static void list_reason(const struct naohw_player *player, bool moved, enum guard_reason why,
			bool with_word, struct list *list)
{
	bool any = false;

	for (size_t i = 0; i < player->count + player->still_count; i++) {
		struct left left;

		if (!is_left(player, i, moved, &left) || left.why != why)
			continue;
		if (!append(list, " ", left.label, ""))
			list->more++;
		any = true;
	}
	if (any && with_word && why)
		(void)append(list, " (", guard_words[why].word, ")");
}

void player_list_left(const struct naohw_player *player, bool moved, enum player_list which,
		      char *labels, size_t size)
{
	struct list list = { .text = labels, .size = size };

	labels[0] = '\0';
	for (int why = GUARD_NONE; why < GUARD_REASONS; why++)
		if (is_listed((enum guard_reason)why, which))
			list_reason(player, moved, (enum guard_reason)why,
				    which != PLAYER_LIST_LIMP, &list);
	if (list.more)
		snprintf(labels + list.used, size - list.used, " and %u more", list.more);
}

void player_note_limp(struct naohw_player *player)
{
	char labels[160];

	for (size_t i = 0; i < player->count; i++)
		if (player->axis[i].is_reached)
			(void)player_is_limp(player, i);
	player_list_left(player, false, PLAYER_LIST_LIMP, labels, sizeof(labels));
	if (*labels && !player->gives_torque)
		player_note(player, "a play gives no torque unless told to, limp joints are left "
			    "out:%s", labels);
	if (!player->gives_torque)
		player_list_left(player, false, PLAYER_LIST_OTHERS, labels, sizeof(labels));
	else
		player_list_left(player, false, PLAYER_LIST_ALL, labels, sizeof(labels));
	if (*labels)
		player_note(player, "these joints do not move and are left out:%s", labels);
}

size_t naohw_player_limp(const struct naohw_player *player, const char **labels, size_t room)
{
	size_t count = 0;

	for (size_t i = 0; i < player->count; i++) {
		if (!player->axis[i].is_limp)
			continue;
		if (count < room)
			labels[count] = player->axis[i].info.label;
		count++;
	}
	return count;
}
