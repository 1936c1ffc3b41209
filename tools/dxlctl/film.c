// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "between.h"
#include "film.h"

/* --- the same parts in all scenes --- */

static void add_missing(struct scene *scene, const struct scene *other)
{
	size_t i;

	for (i = 0; i < other->count; i++) {
		const struct part *part = &other->parts[i];

		if (scene->count == SCENE_PARTS ||
		    scene_find(scene, part->name, part->kind == PART_LINK) < scene->count)
			continue;
		scene->parts[scene->count] = *part;
		scene->parts[scene->count++].there = false;
	}
}

/* In the order of @model, which has all that @scene has. */
static void arrange(struct scene *scene, const struct scene *model)
{
	struct scene old = *scene;
	size_t i;

	scene->count = model->count;
	for (i = 0; i < model->count; i++) {
		const struct part *part = &model->parts[i];
		size_t at = scene_find(&old, part->name, part->kind == PART_LINK);

		scene->parts[i] = *part;
		scene->parts[i].there = false;
		if (at < old.count && old.parts[at].kind == part->kind)
			scene->parts[i] = old.parts[at];
		scene->parts[i].parent = part->parent;
	}
}

static void match(struct scene *scenes, size_t count)
{
	struct scene all = scenes[0];
	size_t i;

	for (i = 1; i < count; i++)
		add_missing(&all, &scenes[i]);
	for (i = 0; i < count; i++)
		arrange(&scenes[i], &all);
}

/* --- frames --- */

/* Whoever watched may have come late to some; between two it is as if all went evenly. */
static void draw_frames(struct film *film, const struct scene *scenes, size_t count)
{
	size_t frame, at = 0;

	for (frame = 0; frame < film->count; frame++) {
		double time = scenes[0].time + frame * film->every;
		struct scene scene = scenes[0];

		while (at + 2 < count && scenes[at + 1].time < time)
			at++;
		if (at + 1 < count)
			scene_between(
				&scene, &scenes[at], &scenes[at + 1],
				fmin(1, (time - scenes[at].time) /
						(scenes[at + 1].time - scenes[at].time)));
		figure_draw(&film->figures[frame], &scene);
	}
	figures_trim(film->figures, film->count);
}

static double difference(const struct figure *a, const struct figure *b)
{
	double sum = 0, at[2][3];
	size_t i;
	int j;

	for (i = 0; i < a->count && i < b->count; i++) {
		shape_middle(&a->shapes[i], at[0]);
		shape_middle(&b->shapes[i], at[1]);
		for (j = 0; j < 3; j++)
			sum += fabs(at[0][j] - at[1][j]);
	}

	return sum;
}

/* That which differs most from the first tells most of what happens. */
static size_t most_telling(const struct film *film)
{
	size_t i, best = 0;
	double most = 0;

	for (i = 1; i < film->count; i++) {
		double now = difference(&film->figures[0], &film->figures[i]);

		if (now > most) {
			most = now;
			best = i;
		}
	}

	return best;
}

static void find_takes(struct film *film)
{
	size_t i;

	for (i = 0; i < film->count; i++) {
		struct take *last = film->take_count ? &film->takes[film->take_count - 1] :
						       NULL;
		struct take take = { .first = i };

		if (last && order_holds(&last->order, &film->view, &film->figures[i]))
			continue;
		order_find(&take.order, &film->view, &film->figures[i]);
		if (!last || memcmp(&last->order, &take.order, sizeof(take.order)))
			film->takes[film->take_count++] = take;
	}
}

static size_t count_frames(const struct scene *scenes, size_t count, double every)
{
	double frames = round((scenes[count - 1].time - scenes[0].time) / every) + 1;

	return fmin(FRAMES_MAX, frames);
}

struct film *film_new(struct scene *scenes, size_t count, double every, double degrees)
{
	struct film *film = calloc(1, sizeof(*film));

	if (!film)
		return NULL;
	film->every = every;
	film->count = count > 1 ? count_frames(scenes, count, every) : 1;
	film->figures = calloc(film->count, sizeof(*film->figures));
	film->takes = calloc(film->count, sizeof(*film->takes));
	if (!film->figures || !film->takes) {
		film_free(film);
		return NULL;
	}
	match(scenes, count);
	draw_frames(film, scenes, count);
	view_fit(&film->view, degrees, scenes[0].up, film->figures, film->count);
	find_takes(film);
	film->still = most_telling(film);

	return film;
}

void film_free(struct film *film)
{
	free(film->figures);
	free(film->takes);
	free(film);
}

static bool is_box(const struct shape *shape)
{
	return shape->thing && shape->kind == SHAPE_BLOCK;
}

bool film_is_in_the_way(const struct film *film, size_t shape)
{
	size_t frame, i;

	for (frame = 0; frame < film->count; frame++) {
		const struct figure *figure = &film->figures[frame];

		for (i = 0; is_box(&figure->shapes[shape]) && i < figure->count; i++)
			if (!figure->shapes[i].thing &&
			    order_of(&film->view, &figure->shapes[shape],
				     &figure->shapes[i]) > 0)
				return true;
	}

	return false;
}
