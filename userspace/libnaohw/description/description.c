// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads NAO's preference format; Documentation/libnaohw.rst says which part of it. */
#include "description.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xmlerror.h>

#include "../base/base.h"

/* A hostile file could nest entities until they fill memory. */
#define PREFERENCES_MAX 20000u
#define DEPTH_MAX	16u
#define KEY_MAX		256u

struct walk {
	struct description *description;
	struct naohw_error *err;
	unsigned int depth;
	long entity_line; /* where the outermost entity is used; 0 outside of any */
};

static int walk_children(struct walk *walk, xmlNode *first, const char *prefix);

static long line_of(const struct walk *walk, const xmlNode *node)
{
	return walk->entity_line ? walk->entity_line : xmlGetLineNo(node);
}

static char *attribute(xmlNode *node, const char *name)
{
	return (char *)xmlGetNoNsProp(node, (const xmlChar *)name);
}

static int grow(struct description *d)
{
	size_t capacity = d->capacity ? d->capacity * 2 : 256;
	struct preference *list = realloc(d->list, capacity * sizeof(*list));

	if (!list)
		return -ENOMEM;
	d->list = list;
	d->capacity = capacity;
	return 0;
}

static int parse_type(struct walk *walk, xmlNode *node, const char *key, const char *name,
		      enum naohw_key_type *type)
{
	if (strcmp(name, "float") == 0)
		*type = NAOHW_KEY_FLOAT;
	else if (strcmp(name, "int") == 0)
		*type = NAOHW_KEY_INT;
	else if (strcmp(name, "string") == 0)
		*type = NAOHW_KEY_STRING;
	else
		return fail(walk->err, -EINVAL,
			    "%s:%ld: %s: type \"%s\", expected float, int, string or array",
			    walk->description->path, line_of(walk, node), key, name);
	return 0;
}

static int check_value(struct walk *walk, xmlNode *node, const struct preference *preference)
{
	if (preference->type == NAOHW_KEY_STRING)
		return 0;
	if (preference->type == NAOHW_KEY_FLOAT ||
	    preference->number == floor(preference->number))
		return 0;
	return fail(walk->err, -EINVAL, "%s:%ld: %s: value \"%s\", expected a whole number",
		    walk->description->path, line_of(walk, node), preference->key,
		    preference->text);
}

/* The strings in @preference go over to the list, or are freed. */
static int append(struct walk *walk, const struct preference *preference)
{
	struct description *d = walk->description;

	if (d->count == PREFERENCES_MAX) {
		free(preference->key);
		free(preference->text);
		return fail(walk->err, -EINVAL, "%s:%ld: more than %u Preferences", d->path,
			    preference->line, PREFERENCES_MAX);
	}
	if (d->count == d->capacity && grow(d) < 0) {
		free(preference->key);
		free(preference->text);
		return fail(walk->err, -ENOMEM, "%s: out of memory", d->path);
	}
	d->list[d->count] = *preference;
	d->list[d->count].order = d->count;
	d->count++;
	return 0;
}

static int add_leaf(struct walk *walk, xmlNode *node, const char *key, const char *type)
{
	struct preference preference = { .line = line_of(walk, node) };
	char *value = attribute(node, "value");
	int ret = parse_type(walk, node, key, type, &preference.type);

	if (ret == 0 && !value)
		ret = fail(walk->err, -EINVAL, "%s:%ld: %s: no value attribute, expected one",
			   walk->description->path, line_of(walk, node), key);
	if (ret == 0 && preference.type != NAOHW_KEY_STRING &&
	    !number_parse(value, &preference.number))
		ret = fail(walk->err, -EINVAL, "%s:%ld: %s: value \"%s\", expected a number",
			   walk->description->path, line_of(walk, node), key, value);
	if (ret == 0) {
		preference.key = strdup(key);
		preference.text = strdup(value);
		if (!preference.key || !preference.text)
			ret = fail(walk->err, -ENOMEM, "%s: out of memory",
				   walk->description->path);
		else
			ret = check_value(walk, node, &preference);
		if (ret < 0) {
			free(preference.key);
			free(preference.text);
		} else {
			ret = append(walk, &preference);
		}
	}
	xmlFree(value);
	return ret;
}

/* A Preference's key: its memoryName, or its name below the array that holds it. */
static int make_key(struct walk *walk, xmlNode *node, const char *prefix, char *key)
{
	char *memory_name = attribute(node, "memoryName");
	char *name = attribute(node, "name");
	int length = -1;

	if (memory_name)
		length = snprintf(key, KEY_MAX, "%s", memory_name);
	else if (name && *name && *prefix)
		length = snprintf(key, KEY_MAX, "%s/%s", prefix, name);
	xmlFree(memory_name);
	xmlFree(name);
	if (length < 0)
		return fail(walk->err, -EINVAL,
			    "%s:%ld: a Preference without a key, expected a memoryName, or a name "
			    "inside of an array",
			    walk->description->path, line_of(walk, node));
	if (length >= (int)KEY_MAX)
		return fail(walk->err, -EINVAL, "%s:%ld: key of %d characters, expected less than %u",
			    walk->description->path, line_of(walk, node), length, KEY_MAX);
	if (strncmp(key, "Device/", 7) != 0)
		return fail(walk->err, -EINVAL, "%s:%ld: key \"%s\", expected \"Device/...\"",
			    walk->description->path, line_of(walk, node), key);
	return 0;
}

static int walk_preference(struct walk *walk, xmlNode *node, const char *prefix)
{
	char key[KEY_MAX];
	char *type;
	int ret = make_key(walk, node, prefix, key);

	if (ret < 0)
		return ret;
	type = attribute(node, "type");
	if (!type)
		ret = fail(walk->err, -EINVAL, "%s:%ld: %s: no type attribute, expected one",
			   walk->description->path, line_of(walk, node), key);
	else if (strcmp(type, "array") == 0)
		ret = walk_children(walk, node->children, key);
	else
		ret = add_leaf(walk, node, key, type);
	xmlFree(type);
	return ret;
}

/* An entity holds what several joints have in common; its lines mean nothing to a reader. */
static int walk_entity(struct walk *walk, xmlNode *node, const char *prefix)
{
	const xmlEntity *entity = (const xmlEntity *)node->children;
	long outer = walk->entity_line;
	int ret;

	if (!entity || entity->etype != XML_INTERNAL_GENERAL_ENTITY)
		return fail(walk->err, -EINVAL,
			    "%s:%ld: entity \"%s\" is not defined inside of this file",
			    walk->description->path, line_of(walk, node), node->name);
	if (!outer)
		walk->entity_line = xmlGetLineNo(node);
	ret = walk_children(walk, entity->children, prefix);
	walk->entity_line = outer;
	return ret;
}

static int walk_node(struct walk *walk, xmlNode *node, const char *prefix)
{
	if (node->type == XML_ENTITY_REF_NODE)
		return walk_entity(walk, node, prefix);
	if (node->type != XML_ELEMENT_NODE)
		return 0;
	if (strcmp((const char *)node->name, "Preference") != 0)
		return fail(walk->err, -EINVAL, "%s:%ld: element <%s>, expected <Preference>",
			    walk->description->path, line_of(walk, node), node->name);
	return walk_preference(walk, node, prefix);
}

static int walk_children(struct walk *walk, xmlNode *first, const char *prefix)
{
	int ret = 0;

	if (walk->depth == DEPTH_MAX)
		return fail(walk->err, -EINVAL, "%s:%ld: arrays nested deeper than %u",
			    walk->description->path, first ? line_of(walk, first) : 0, DEPTH_MAX);
	walk->depth++;
	for (xmlNode *node = first; node && ret == 0; node = node->next)
		ret = walk_node(walk, node, prefix);
	walk->depth--;
	return ret;
}

static int compare(const void *a, const void *b)
{
	const struct preference *left = a, *right = b;
	int order = strcmp(left->key, right->key);

	if (order)
		return order;
	return left->order < right->order ? -1 : 1;
}

static void preference_clear(struct preference *preference)
{
	free(preference->key);
	free(preference->text);
}

/* Sort, and of several with one key keep the last: later entries overwrite. */
static void sort(struct description *d)
{
	size_t kept = 0;

	if (d->count == 0)
		return;
	qsort(d->list, d->count, sizeof(*d->list), compare);
	for (size_t i = 0; i < d->count; i++) {
		if (i + 1 < d->count && strcmp(d->list[i].key, d->list[i + 1].key) == 0)
			preference_clear(&d->list[i]);
		else
			d->list[kept++] = d->list[i];
	}
	d->count = kept;
}

static int load_tree(struct description *d, xmlDoc *doc, struct naohw_error *err)
{
	struct walk walk = { .description = d, .err = err };
	xmlNode *root = xmlDocGetRootElement(doc);
	int ret;

	if (!root || strcmp((const char *)root->name, "ModulePreference") != 0)
		return fail(err, -EINVAL, "%s:%ld: element <%s>, expected <ModulePreference>",
			    d->path, root ? xmlGetLineNo(root) : 1,
			    root ? (const char *)root->name : "");
	ret = walk_children(&walk, root->children, "");
	if (ret == 0)
		sort(d);
	return ret;
}

#if LIBXML_VERSION < 21200
typedef xmlError reported_error;
#else
typedef const xmlError reported_error;
#endif

/* The first fault is the one to mend; libxml itself remembers the last. */
struct first_fault {
	int line;
	char message[256];
};

static void take_fault(void *data, reported_error *error)
{
	const xmlParserCtxt *parser = data;
	struct first_fault *first = parser->_private;

	if (*first->message || !error->message)
		return;
	first->line = error->line;
	snprintf(first->message, sizeof(first->message), "%.*s",
		 (int)strcspn(error->message, "\n"), error->message);
}

static int parse_failure(const struct first_fault *first, const char *path,
			 struct naohw_error *err)
{
	if (!*first->message)
		return fail(err, -EINVAL, "%s: not readable as XML", path);
	return fail(err, -EINVAL, "%s:%d: %s", path, first->line, first->message);
}

static int load_file(struct description *d, FILE *file, struct naohw_error *err)
{
	xmlParserCtxt *parser = xmlNewParserCtxt();
	struct first_fault first = { 0 };
	xmlDoc *doc;
	int ret;

	if (!parser)
		return fail(err, -ENOMEM, "%s: out of memory", d->path);
	parser->_private = &first;
	parser->sax->serror = take_fault;
	/* No XML_PARSE_NOENT: entities stay nodes, and nothing outside of the file is read. */
	doc = xmlCtxtReadFd(parser, fileno(file), d->path, NULL,
			    XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
	if (!doc)
		ret = parse_failure(&first, d->path, err);
	else
		ret = load_tree(d, doc, err);
	xmlFreeDoc(doc);
	xmlFreeParserCtxt(parser);
	return ret;
}

int description_load(const char *path, struct naohw_error *err, struct description **out)
{
	struct description *d;
	FILE *file;
	int ret;

	/* libxml's own words for a file that is not there are of little help. */
	file = fopen(path, "rbe");
	if (!file) {
		ret = -errno;
		return fail(err, ret, "%s: %s", path, error_text(ret));
	}
	d = calloc(1, sizeof(*d));
	if (d)
		d->path = strdup(path);
	if (!d || !d->path)
		ret = fail(err, -ENOMEM, "%s: out of memory", path);
	else
		ret = load_file(d, file, err);
	fclose(file);
	if (ret < 0) {
		description_free(d);
		return ret;
	}
	*out = d;
	return 0;
}

void description_free(struct description *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < d->count; i++)
		preference_clear(&d->list[i]);
	free(d->list);
	free(d->path);
	free(d);
}

static int compare_key(const void *key, const void *preference)
{
	return strcmp(key, ((const struct preference *)preference)->key);
}

const struct preference *description_find(const struct description *d, const char *prefix,
					  const char *name)
{
	char key[KEY_MAX * 2];

	if (d->count == 0)
		return NULL;
	snprintf(key, sizeof(key), "%s/%s", prefix, name);
	return bsearch(key, d->list, d->count, sizeof(*d->list), compare_key);
}

const struct preference *description_inherit(const struct description *d, const char *prefix,
					     const char *name)
{
	char level[KEY_MAX];
	char *slash;

	snprintf(level, sizeof(level), "%s", prefix);
	do {
		const struct preference *found = description_find(d, level, name);

		if (found)
			return found;
		slash = strrchr(level, '/');
		if (slash)
			*slash = '\0';
	} while (slash);
	return NULL;
}
