// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fuzz target: the input is the text of a description's layers, with a byte each for what XML
 * takes many for. What is accepted is in order, and what is changed in its last layer changes
 * there and nothing else does.
 */
#include "fuzz.h"

#include <math.h>
#include <stdbool.h>

#include "alias.h"
#include "content.h"
#include "description.h"
#include "edit.h"
#include "load.h"
#include "parse.h"

#define TEXT_MAX	(1 << 14)

/* Of each layer its text. */
struct texts {
	char text[LAYERS][TEXT_MAX];
	struct content content[LAYERS];
};

static const char *const token[] = {
	"<?xml version='1.0'?>\n",
	"<!DOCTYPE ModulePreference [<!ENTITY e \"",
	"\">\n<!ENTITY f \"",
	"\">]>\n",
	"<ModulePreference>\n",
	"</ModulePreference>\n",
	"<Preference name='",
	"<Preference memoryName='Device/SubDeviceList/",
	"' type='array'>",
	"' type='float' value='",
	"' type='int' value='",
	"' type='string' value='",
	"' type='bool' value='",
	"'/>\n",
	"</Preference>\n",
	"&e;",
	"&f;",
	"&amp;",
	"<!-- ",
	" -->",
	"<![CDATA[",
	"]]>",
	"Offset",
	"Head/",
	"nan",
	"Alias",
	"RobotConfig/",
};

static const char *const paths[LAYERS] = { "device", "head", "body", "local" };

/* A layer ends at a zero; one without a byte is not there. */
static void read_text(struct input *in, char *text, struct content *content)
{
	size_t used = 0;
	u8 byte;

	while ((byte = input_u8(in)) != 0) {
		char one[2] = { (char)byte };
		const char *part = one;

		if (byte & 0x80)
			part = token[(byte & 0x7f) % (sizeof(token) / sizeof(token[0]))];
		if (used + strlen(part) >= TEXT_MAX)
			break;
		used += (size_t)(stpcpy(text + used, part) - (text + used));
	}
	content->data = used ? text : NULL;
	content->size = used;
}

static struct description *parse(const struct texts *texts, const struct content *local,
				 struct naohw_error *err)
{
	struct description *d = calloc(1, sizeof(*d));
	int ret = 0;

	CHECK(d);
	for (unsigned int i = 0; i < LAYERS && ret == 0; i++) {
		const struct content *content = i == LAYER_LOCAL ? local : &texts->content[i];

		d->path[i] = strdup(paths[i]);
		CHECK(d->path[i]);
		if (content->data)
			ret = layer_parse(d, d->path[i], content, err);
	}
	if (ret == 0) {
		description_sort(d);
		return d;
	}
	CHECK(strlen(err->message) > 0);
	description_free(d);
	return NULL;
}

static void check_one(const struct description *d, const struct preference *preference)
{
	bool known = false;

	for (unsigned int i = 0; i < LAYERS; i++)
		known = known || preference->path == d->path[i];
	CHECK(known);
	CHECK(preference->line > 0);
	CHECK(strncmp(preference->key, "Device/", 7) == 0 ||
	      strncmp(preference->key, ROBOT_CONFIG_PREFIX, strlen(ROBOT_CONFIG_PREFIX)) == 0);
	CHECK(strlen(preference->key) < KEY_MAX);
	if (preference->type != NAOHW_KEY_STRING)
		CHECK(isfinite(preference->number));
	if (preference->type == NAOHW_KEY_INT)
		CHECK(preference->number == floor(preference->number));
	if (preference->type == NAOHW_KEY_BOOL)
		CHECK(preference->number == 0 || preference->number == 1);
}

static void check_all(const struct description *d)
{
	CHECK(d->count <= 20000);
	for (size_t i = 0; i < d->count; i++) {
		check_one(d, &d->list[i]);
		CHECK(i == 0 || strcmp(d->list[i - 1].key, d->list[i].key) < 0);
		CHECK(description_find_key(d, d->list[i].key) == &d->list[i]);
	}
}

static void check_same(const struct description *before, const struct description *after,
		       const char *but)
{
	CHECK(before->count == after->count);
	for (size_t i = 0; i < before->count; i++) {
		const struct preference *old = &before->list[i], *new = &after->list[i];

		CHECK(strcmp(old->key, new->key) == 0);
		if (strcmp(old->key, but) == 0)
			continue;
		CHECK(old->type == new->type && strcmp(old->text, new->text) == 0);
	}
}

static void change(const struct texts *texts, const struct description *before,
		   const struct edit *edit)
{
	const struct content *old = &texts->content[LAYER_LOCAL];
	const struct preference *found;
	struct naohw_error err = { "" };
	struct description *after;
	struct content new = { 0 };

	CHECK(layer_edit(old, paths[LAYER_LOCAL], edit, 1, &new, &err) == 0);
	after = parse(texts, &new, &err);
	if (after) {
		check_all(after);
		check_same(before, after, edit->key);
		found = description_find_key(after, edit->key);
		CHECK(found->type == edit->type && strcmp(found->text, edit->value) == 0);
		CHECK(found->path == after->path[LAYER_LOCAL]);
	} else {
		/* There may have been no room for one more. */
		CHECK(strstr(err.message, "more than"));
	}
	description_free(after);
	content_free(&new);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static const char *const values[] = { "0.5", "-7", " <&>\"'\n\t]]> ", "true" };
	static struct texts texts;
	struct input in = { data, size };
	struct naohw_error err = { "" };
	struct description *d;
	u16 which = input_u16(&in);

	for (unsigned int i = 0; i < LAYERS; i++)
		read_text(&in, texts.text[i], &texts.content[i]);
	d = parse(&texts, &texts.content[LAYER_LOCAL], &err);
	if (!d)
		return 0;
	check_all(d);
	if (d->count) {
		const struct preference *one = &d->list[which % d->count];
		const struct edit edit = { one->key, one->type, values[one->type] };

		change(&texts, d, &edit);
	}
	/* Last, as what is changed would be so under its other names, too. */
	if (aliases_make(d, &err) == 0)
		check_all(d);
	else
		CHECK(strlen(err.message) > 0);
	description_free(d);

	return 0;
}
