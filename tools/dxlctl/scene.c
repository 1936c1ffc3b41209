// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene.h"

/* What is farther is not drawn, m. */
#define FAR 1e4

#define WORDS_MAX 24

struct words {
	char *word[WORDS_MAX];
	size_t count;
};

static void split(char *line, struct words *words)
{
	char *save, *word;

	words->count = 0;
	for (word = strtok_r(line, " ", &save); word && words->count < WORDS_MAX;
	     word = strtok_r(NULL, " ", &save))
		words->word[words->count++] = word;
}

/* @count numbers from the word @first on. */
static bool numbers(const struct words *words, size_t first, size_t count, double *values)
{
	size_t i;

	if (first + count > words->count)
		return false;
	for (i = 0; i < count; i++) {
		const char *text = words->word[first + i];
		char *end;

		values[i] = strtod(text, &end);
		if (end == text || *end || !isfinite(values[i]))
			return false;
	}

	return true;
}

static bool name(struct part *part, const char *text)
{
	if (strlen(text) >= SCENE_NAME)
		return false;
	strcpy(part->name, text);

	return true;
}

/* Sides, middle and turn. */
static bool box(const struct words *words, struct part *part)
{
	return numbers(words, 3, 3, part->size) && numbers(words, 6, 3, part->at) &&
	       numbers(words, 9, 9, part->turn);
}

static double distance(const struct part *part)
{
	return hypot(hypot(part->at[0], part->at[1]), part->at[2]);
}

static bool parse_link(struct scene *scene, const struct words *words, struct part *part)
{
	const char *parent = words->count > 2 ? words->word[2] : "";

	part->kind = PART_LINK;
	part->parent = NO_PARENT;
	if (strcmp(parent, "-"))
		part->parent = scene_find(scene, parent, true);

	return (part->parent == NO_PARENT || part->parent < scene->count) &&
	       name(part, words->word[1]) && box(words, part) &&
	       numbers(words, 18, 3, part->joint);
}

static bool parse_thing(const struct words *words, struct part *part)
{
	if (words->count < 3)
		return false;
	part->kind = strcmp(words->word[2], "ball") ? PART_BOX : PART_BALL;
	part->parent = NO_PARENT;

	return name(part, words->word[1]) && box(words, part);
}

static bool parse_line(struct scene *scene, const struct words *words)
{
	struct part *part = &scene->parts[scene->count];
	bool good;

	if (!strcmp(words->word[0], "time"))
		return words->count == 2 && (scene->time = atof(words->word[1])) >= 0;
	if (!strcmp(words->word[0], "floor"))
		return numbers(words, 1, 3, scene->up) && scene->up[2] > 0.1;
	/* A camera is too small to be seen. */
	if (!strcmp(words->word[0], "camera"))
		return numbers(words, 2, 12, (double[12]){ 0 });
	if (scene->count == SCENE_PARTS)
		return false;
	*part = (struct part){ .there = true };
	if (!strcmp(words->word[0], "link"))
		good = parse_link(scene, words, part);
	else
		good = !strcmp(words->word[0], "thing") && parse_thing(words, part);
	scene->count += good && (part->kind == PART_LINK || distance(part) < FAR);

	return good;
}

static bool is_near(const struct scene *scene)
{
	const struct part *part = scene->parts;

	for (; part < scene->parts + scene->count; part++)
		if (distance(part) >= FAR) {
			fprintf(stderr,
				"dxlctl: the robot's %s is %.0f km away, expected less than %.0f\n",
				part->name, distance(part) / 1e3, FAR / 1e3);
			return false;
		}

	return true;
}

bool scene_parse(struct scene *scene, const char *text)
{
	char *copy = strdup(text), *save, *line;
	bool good = copy;

	*scene = (struct scene){ .up = { 0, 0, 1 } };
	for (line = copy ? strtok_r(copy, "\n", &save) : NULL; good && line;
	     line = strtok_r(NULL, "\n", &save)) {
		struct words words;

		split(line, &words);
		if (!words.count || !strcmp(words.word[0], "ok"))
			continue;
		good = parse_line(scene, &words);
		if (!good)
			fprintf(stderr,
				"dxlctl: the simulator tells of a \"%s\" that is none; it is not of the same version\n",
				words.word[0]);
	}
	free(copy);

	return good && is_near(scene);
}

size_t scene_find(const struct scene *scene, const char *wanted, bool link)
{
	size_t i;

	for (i = 0; i < scene->count; i++)
		if (!strcmp(scene->parts[i].name, wanted) &&
		    (scene->parts[i].kind == PART_LINK) == link)
			break;

	return i;
}
