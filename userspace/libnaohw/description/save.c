// SPDX-License-Identifier: LGPL-2.1-or-later
/* Changes to a layer of a description. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <libxml/xmlstring.h>

#include "../base/base.h"
#include "body.h"
#include "content.h"
#include "description.h"
#include "edit.h"
#include "known.h"
#include "layers.h"
#include "load.h"
#include "replace.h"
#include "value.h"

/*
 * @below: what is below the layer; @before and @after: with it as it is and as it shall be. Of the
 * layers over it, which may say otherwise, nothing is in these.
 */
struct save {
	const char *name;
	const struct places *places;
	const struct change *change;
	description_check *check;
	struct naohw_error *err;
	const char *path;
	struct replacement *replacement; /* of the layer; NULL: it is not locked */
	struct edit *edits;
	struct content old, new;
	struct description *below, *before, *after;
};

/* Control characters cannot be told in XML 1.0, not even as references. */
static bool is_text(const char *value)
{
	for (const char *at = value; *at; at++)
		if ((unsigned char)*at < ' ' && !strchr("\t\n\r", *at))
			return false;
	return xmlCheckUTF8((const xmlChar *)value);
}

static int check_value(const struct save *save, const struct edit *edit)
{
	const char *expected = "text in UTF-8 without control characters";
	double number;

	if (is_text(edit->value))
		expected = value_parse(edit->type, edit->value, &number);
	if (!expected)
		return 0;
	return fail(save->err, -EINVAL, "%s: value \"%s\", expected %s", edit->key, edit->value,
		    expected);
}

/* What is overwritten says of which type it is; else it is what has been added here before. */
static int plan_set(const struct save *save, struct edit *edit)
{
	const struct fixed *fixed = fixed_find(edit->key);

	if (fixed && !fixed->but_in_layers)
		return fail(save->err, -EACCES, "%s: is %s", edit->key, fixed->reason);
	if (!known_type(save->below, edit->key, &edit->type) &&
	    !known_type(save->before, edit->key, &edit->type))
		return unknown_key(save->before, edit->key, save->err);
	return check_value(save, edit);
}

static bool is_in_layer(const struct save *save, const struct description *d, const char *key)
{
	const struct preference *found = description_find_key(d, key);

	return found && found->path == d->path[save->change->layer];
}

static int plan_unset(const struct save *save, const struct edit *edit)
{
	if (is_in_layer(save, save->before, edit->key))
		return 0;
	if (!description_find_key(save->before, edit->key))
		return unknown_key(save->before, edit->key, save->err);
	return fail(save->err, -ENOENT, "%s: has no %s", save->path, edit->key);
}

static int plan(struct save *save)
{
	const struct change *change = save->change;
	int ret = 0;

	for (size_t i = 0; i < change->count && ret == 0; i++) {
		struct edit *edit = &save->edits[i];

		edit->key = change->keys[i];
		edit->value = change->values ? change->values[i] : change->value;
		ret = edit->value ? plan_set(save, edit) : plan_unset(save, edit);
	}
	return ret;
}

/* What will be read is what was meant. */
static int check_edits(const struct save *save)
{
	for (size_t i = 0; i < save->change->count; i++) {
		const struct edit *edit = &save->edits[i];
		const struct preference *found = description_find_key(save->after, edit->key);

		if (!edit->value && is_in_layer(save, save->after, edit->key))
			return fail(save->err, -EINVAL,
				    "%s:%ld: %s: comes out of an entity, expected a Preference "
				    "that can be taken out",
				    save->path, found->line, edit->key);
		if (edit->value && (!found || strcmp(found->text, edit->value) != 0))
			return fail(save->err, -EINVAL,
				    "%s: value \"%s\", expected one that XML can tell", edit->key,
				    edit->value);
	}
	return 0;
}

/* With this for the layer, and all that is over it, can there be a robot? */
static int check_with(const struct save *save, const struct content *content,
		      struct naohw_error *err)
{
	const struct stand_in stand_in = { .layer = save->change->layer, .content = content };
	struct description *whole;
	int ret = description_load_with(save->name, save->places, &stand_in, &whole, err);

	if (ret < 0)
		return ret;
	ret = save->check(whole, err);
	description_free(whole);
	return ret;
}

/* What is wrong already may be mended in several steps. */
static int check_robot(const struct save *save)
{
	if (check_with(save, &save->old, NULL) < 0)
		return 0;
	return check_with(save, &save->new, save->err);
}

static int changed(const struct save *save)
{
	return fail(save->err, -EAGAIN, "%s: another file is there now", save->path);
}

/* What it keeps is newer than the file, or another body's. */
static int read_board(struct save *save)
{
	struct content board;
	int ret = body_read(save->below, save->places, &board);

	if (ret == -ENODEV || ret == -ENODATA || ret == -EUCLEAN)
		return 0;
	if (ret == -EBUSY)
		return fail(save->err, ret,
			    "the body's board cannot be asked while another program streams");
	if (ret < 0)
		return fail(save->err, ret, "the body's board does not tell what it keeps: %s",
			    file_error_text(ret));
	content_free(&save->old);
	save->old = board;
	return 0;
}

/* Where there is a board, that first: from then on it holds. */
static int write_board(const struct save *save)
{
	int ret;

	if (save->change->layer != LAYER_BODY)
		return 0;
	ret = body_write(save->below, save->places, &save->new, save->err);
	return ret == -ENODEV && !save->change->restore ? 0 : ret;
}

/* Under the lock that which is replaced, and not what its path leads to by then. */
static int read_old(struct save *save)
{
	int ret = save->replacement ? replacement_read(save->replacement, &save->old)
				    : content_read(save->path, &save->old);

	if (ret == -EAGAIN)
		return changed(save);
	if (ret < 0)
		return content_fail(ret, save->path, save->err);
	if (save->change->restore)
		return save->old.data ? 0 : content_fail(-ENOENT, save->path, save->err);
	return save->change->layer == LAYER_BODY ? read_board(save) : 0;
}

static int load_with(const struct save *save, const struct content *content,
		     struct description **out)
{
	const struct stand_in stand_in = {
		.layer = save->change->layer,
		.content = content,
		.is_last = true,
	};

	return description_load_with(save->name, save->places, &stand_in, out, save->err);
}

static int load_old(struct save *save)
{
	const struct content none = { 0 };
	int ret = load_with(save, &none, &save->below);

	if (ret < 0)
		return ret;
	save->path = save->below->path[save->change->layer];
	if (!save->path)
		return fail(save->err, -EINVAL,
			    "%s: has no layers, expected a name that ends in .xml",
			    save->below->path[LAYER_DEVICE]);
	ret = read_old(save);
	if (ret < 0)
		return ret;
	return load_with(save, &save->old, &save->before);
}

/* All but writing it. */
static int prepare(struct save *save)
{
	int ret = load_old(save);

	if (ret < 0)
		return ret;
	save->edits = calloc(save->change->count + 1, sizeof(*save->edits));
	if (!save->edits)
		return fail(save->err, -ENOMEM, "out of memory");
	ret = plan(save);
	if (ret == 0)
		ret = layer_edit(&save->old, save->path, save->edits, save->change->count,
				 &save->new, save->err);
	if (ret == 0)
		ret = load_with(save, &save->new, &save->after);
	if (ret == 0)
		ret = check_edits(save);
	return ret == 0 ? check_robot(save) : ret;
}

static void forget(struct save *save)
{
	description_free(save->below);
	description_free(save->before);
	description_free(save->after);
	content_free(&save->old);
	content_free(&save->new);
	free(save->edits);
	save->below = save->before = save->after = NULL;
	save->edits = NULL;
}

static int write_locked(struct save *save, struct replacement *replacement)
{
	int ret;

	forget(save);
	save->replacement = replacement;
	ret = prepare(save);
	if (ret < 0)
		return ret;
	ret = write_board(save);
	if (ret < 0)
		return ret;
	ret = replacement_write(replacement, &save->new);
	return ret < 0 ? fail(save->err, ret, "%s: %s", save->path, file_error_text(ret)) : 0;
}

/* Once to see whether it can be done, and then with what is there while nobody else writes. */
static int save_it(struct save *save)
{
	struct replacement replacement;
	int ret = prepare(save);

	if (ret < 0)
		return ret;
	ret = replacement_begin(&replacement, save->path);
	if (ret == -EBUSY)
		return fail(save->err, ret, "%s: another program is writing it", save->path);
	if (ret == -EAGAIN)
		return changed(save);
	if (ret < 0)
		return fail(save->err, ret, "%s: %s", save->path, file_error_text(ret));
	ret = write_locked(save, &replacement);
	replacement_end(&replacement);
	return ret;
}

int description_save(const char *name, const struct places *places, const struct change *change,
		     description_check *check, struct naohw_error *err)
{
	struct save save = {
		.name = name,
		.places = places,
		.change = change,
		.check = check,
		.err = err,
	};
	int ret = save_it(&save);

	forget(&save);
	return ret;
}
