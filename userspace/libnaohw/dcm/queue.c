// SPDX-License-Identifier: LGPL-2.1-or-later
#include "queue.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static const struct point *head_of(const struct queue *queue)
{
	return queue->count ? &queue->point[queue->first] : NULL;
}

/* How many of the ordered points are before @time; or at it, too. */
static size_t before(const struct point *points, size_t count, int64_t time, bool or_at)
{
	size_t i = 0;

	while (i < count && (points[i].time < time || (or_at && points[i].time == time)))
		i++;
	return i;
}

/* Of those that are there, the first to stay and how many do. */
static void choose(const struct queue *queue, enum naohw_update update, const struct point *points,
		   size_t count, size_t *first, size_t *kept)
{
	const struct point *old = &queue->point[queue->first];

	*first = queue->first;
	*kept = queue->count;
	switch (update) {
	case NAOHW_UPDATE_MERGE:
		break;
	case NAOHW_UPDATE_CLEAR_ALL:
		*kept = 0;
		break;
	case NAOHW_UPDATE_CLEAR_AFTER:
		*kept = before(old, queue->count, points[0].time, true);
		break;
	case NAOHW_UPDATE_CLEAR_BEFORE: {
		size_t gone = before(old, queue->count, points[count - 1].time, false);

		*first += gone;
		*kept -= gone;
		break;
	}
	}
}

/* How many times are in both. */
static size_t common(const struct point *a, size_t a_count, const struct point *b, size_t b_count)
{
	size_t found = 0, i = 0, j = 0;

	while (i < a_count && j < b_count) {
		if (a[i].time == b[j].time)
			found++;
		if (a[i].time <= b[j].time)
			i++;
		else
			j++;
	}
	return found;
}

/* From the end on, so that none is written over before it has been moved. */
static void merge(struct point *into, size_t kept, const struct point *points, size_t count,
		  size_t total)
{
	while (count) {
		if (kept && into[kept - 1].time > points[count - 1].time) {
			into[--total] = into[--kept];
			continue;
		}
		/* Of a time that is in both the new one counts. */
		if (kept && into[kept - 1].time == points[count - 1].time)
			kept--;
		into[--total] = points[--count];
	}
}

static bool is_same(const struct point *a, const struct point *b)
{
	return a->time == b->time && a->level == b->level;
}

/* How many there will be, of which so many are @kept from @first on. */
static size_t total_with(const struct queue *queue, enum naohw_update update,
			 const struct point *points, size_t count, size_t *first, size_t *kept)
{
	choose(queue, update, points, count, first, kept);
	return *kept + count - common(&queue->point[*first], *kept, points, count);
}

bool queue_has_room(const struct queue *queue, enum naohw_update update, const struct point *points,
		    size_t count)
{
	size_t first, kept;

	return total_with(queue, update, points, count, &first, &kept) <= NAOHW_COMMANDS_MAX;
}

int queue_update(struct queue *queue, enum naohw_update update, const struct point *points,
		 size_t count, const struct point *from)
{
	struct point next = { 0 };
	bool had_next = queue->count;
	size_t first, kept, total;

	total = total_with(queue, update, points, count, &first, &kept);
	if (total > NAOHW_COMMANDS_MAX)
		return -ENOSPC;
	if (had_next)
		next = *head_of(queue);
	memmove(queue->point, &queue->point[first], kept * sizeof(*points));
	merge(queue->point, kept, points, count, total);
	queue->first = 0;
	queue->count = total;
	if (!had_next || !total || !is_same(&next, head_of(queue)))
		queue->from = *from;
	return 0;
}

/* As floats: the difference of two times may be more than an int64_t holds. */
static double slope(const struct point *from, const struct point *to)
{
	return (to->level - from->level) / ((double)to->time - (double)from->time);
}

static bool is_wait(const struct point *point)
{
	return isnan(point->level);
}

/* Drops what is reached; the last of it is where the line begins. */
static bool reach(struct queue *queue, int64_t now)
{
	bool any = false;

	while (queue->count && head_of(queue)->time <= now) {
		if (is_wait(head_of(queue)))
			queue->from.time = head_of(queue)->time;
		else
			queue->from = *head_of(queue);
		queue->first++;
		queue->count--;
		any = true;
	}
	return any;
}

double queue_follow(struct queue *queue, int64_t now, double beyond)
{
	const struct point *from = &queue->from, *to;

	(void)reach(queue, now);
	to = head_of(queue);
	if (!to || is_wait(to) || now < from->time)
		return from->level;
	return from->level + (to->level - from->level) *
				     ((double)now - (double)from->time + beyond) /
				     ((double)to->time - (double)from->time);
}

/* On the way from one to the other, as fast as that may be */
static struct point between(const struct point *from, const struct point *to, int64_t time)
{
	return (struct point){
		.time = time,
		.level = to->level + slope(from, to) * ((double)time - (double)to->time),
		.is_step = to->is_step,
	};
}

struct point queue_at(const struct queue *queue, int64_t time)
{
	const struct point *to = head_of(queue), *end = to ? to + queue->count : NULL;
	struct point from = queue->from;

	for (; to && to != end && to->time <= time; to++) {
		from.time = to->time;
		if (!is_wait(to))
			from = *to;
	}
	/* What none of the commands says is found out when the time has come. */
	if (!to || (to == head_of(queue) && is_wait(to)))
		return (struct point){ .time = time, .level = (double)NAN };
	if (to != end && !is_wait(to))
		return between(&from, to, time);
	from.time = time;
	return from;
}

struct queue_line queue_line(const struct queue *queue)
{
	const struct point *from = &queue->from, *to = head_of(queue);

	if (!to || is_wait(to) || to->time <= from->time)
		return (struct queue_line){ 0 };
	return (struct queue_line){
		.slope = fabs(slope(from, to)),
		.way = fabs(to->level - from->level),
	};
}

bool queue_is_in_step(const struct queue *queue)
{
	const struct point *to = head_of(queue);

	return to && !is_wait(to) ? to->is_step : queue->from.is_step;
}

bool queue_fire(struct queue *queue, int64_t now, double *level)
{
	if (!reach(queue, now))
		return false;
	*level = queue->from.level;
	return true;
}

void queue_restart(struct queue *queue, const struct point *from)
{
	queue->from = *from;
}
