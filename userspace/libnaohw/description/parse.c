// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads NAO's preference format; Documentation/libnaohw.rst says which part of it. */
#include "parse.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xmlerror.h>

#include "../base/base.h"
#include "load.h"
#include "value.h"

/*
 * A hostile file could use entities until they fill memory, or all of a day: each use is as much
 * work as the entity has nodes. Also load.h.
 */
#define NODES_MAX	1000000u
#define DEPTH_MAX	16u
/*
 * Bytes of the different names in a file. libxml compares each attribute of a tag with all others of
 * it before anybody can count them, and no two have the same name.
 */
#define NAMES_MAX	16384u
/* Bytes of an attribute, which are copied, that are as much work as a node */
#define BYTES_A_NODE	64u

struct walk {
	struct description *description;
	const char *path;
	struct naohw_error *err;
	unsigned int depth;
	long entity_line; /* where the outermost entity is used; 0 outside of any */
};

static int walk_children(struct walk *walk, xmlNode *first, const char *prefix);

static long line_of(const struct walk *walk, const xmlNode *node)
{
	return walk->entity_line ? walk->entity_line : xmlGetLineNo(node);
}

static int no_memory(const struct walk *walk)
{
	return fail(walk->err, -ENOMEM, "%s: out of memory", walk->path);
}

/* To be freed, or NULL if there is none; -ENOMEM. */
static int attribute(xmlNode *node, const char *name, char **value)
{
	const xmlChar *wanted = (const xmlChar *)name;

	*value = (char *)xmlGetNoNsProp(node, wanted);
	return *value || !xmlHasNsProp(node, wanted, NULL) ? 0 : -ENOMEM;
}

static int parse_type(struct walk *walk, xmlNode *node, const char *key, const char *name,
		      enum naohw_key_type *type)
{
	if (type_parse(name, type))
		return 0;
	return fail(walk->err, -EINVAL,
		    "%s:%ld: %s: type \"%s\", expected float, int, string, bool or array",
		    walk->path, line_of(walk, node), key, name);
}

/* An attribute that must be there. */
static int needed(struct walk *walk, xmlNode *node, const char *key, const char *name,
		  char **value)
{
	if (attribute(node, name, value) < 0)
		return no_memory(walk);
	if (*value)
		return 0;
	return fail(walk->err, -EINVAL, "%s:%ld: %s: no %s attribute, expected one", walk->path,
		    line_of(walk, node), key, name);
}

/* The text of the value, to be freed */
static int parse_value(struct walk *walk, xmlNode *node, const char *key,
		       struct preference *preference, char **value)
{
	const char *expected;
	int ret = needed(walk, node, key, "value", value);

	if (ret < 0)
		return ret;
	expected = value_parse(preference->type, *value, &preference->number);
	if (!expected)
		return 0;
	ret = fail(walk->err, -EINVAL, "%s:%ld: %s: value \"%s\", expected %s", walk->path,
		   line_of(walk, node), key, *value, expected);
	xmlFree(*value);
	return ret;
}

/* The strings of @preference go over to the list, or are freed. */
static int append(struct walk *walk, struct preference *preference)
{
	struct description *d = walk->description;

	if (d->count == PREFERENCES_MAX) {
		preference_clear(preference);
		return fail(walk->err, -EINVAL, "%s:%ld: more than %u Preferences", walk->path,
			    preference->line, PREFERENCES_MAX);
	}
	if (description_reserve(d) < 0) {
		preference_clear(preference);
		return no_memory(walk);
	}
	d->list[d->count] = *preference;
	d->list[d->count].order = d->count;
	d->count++;
	return 0;
}

static int add_leaf(struct walk *walk, xmlNode *node, const char *key, const char *type)
{
	struct preference preference = { .path = walk->path, .line = line_of(walk, node) };
	int ret = parse_type(walk, node, key, type, &preference.type);
	char *value;

	if (ret == 0)
		ret = parse_value(walk, node, key, &preference, &value);
	if (ret < 0)
		return ret;
	ret = preference_say(&preference, key, value);
	xmlFree(value);
	return ret < 0 ? no_memory(walk) : append(walk, &preference);
}

int preference_key(xmlNode *node, const char *prefix, char *key)
{
	char *memory_name, *name = NULL;
	int length = -ENOENT;
	int ret = attribute(node, "memoryName", &memory_name);

	if (ret == 0)
		ret = attribute(node, "name", &name);
	*key = '\0';
	if (ret < 0)
		length = ret;
	else if (memory_name)
		length = snprintf(key, KEY_MAX, "%s", memory_name);
	else if (name && *name && *prefix)
		length = snprintf(key, KEY_MAX, "%s/%s", prefix, name);
	xmlFree(memory_name);
	xmlFree(name);
	return length;
}

static bool is_known(const char *key)
{
	return text_begins_with(key, "Device/") || text_begins_with(key, ROBOT_CONFIG_PREFIX) ||
	       text_begins_with(key, DCM_PREFIX);
}

static int make_key(struct walk *walk, xmlNode *node, const char *prefix, char *key)
{
	int length = preference_key(node, prefix, key);

	if (length == -ENOMEM)
		return no_memory(walk);
	if (length < 0)
		return fail(walk->err, -EINVAL,
			    "%s:%ld: a Preference without a key, expected a memoryName, or a name "
			    "inside of an array",
			    walk->path, line_of(walk, node));
	if (length >= (int)KEY_MAX)
		return fail(walk->err, -EINVAL, "%s:%ld: key of %d characters, expected less than %u",
			    walk->path, line_of(walk, node), length, KEY_MAX);
	if (is_known(key))
		return 0;
	return fail(walk->err, -EINVAL,
		    "%s:%ld: key \"%s\", expected \"Device/...\", \"" ROBOT_CONFIG_PREFIX
		    "...\" or \"" DCM_PREFIX "...\"",
		    walk->path, line_of(walk, node), key);
}

/* Of all layers, and of what @node is in. */
static int count_nodes(const struct walk *walk, const xmlNode *node, size_t count)
{
	struct description *d = walk->description;

	d->nodes += count;
	if (d->nodes <= NODES_MAX)
		return 0;
	return fail(walk->err, -EINVAL,
		    "%s:%ld: more than %u nodes, those of an entity counted at each use",
		    walk->path, line_of(walk, node), NODES_MAX);
}

/* libxml writes them out for who asks for the attribute, and knows none of our limits. */
static int check_part(const struct walk *walk, const xmlNode *node, const xmlAttr *attribute,
		      const xmlNode *part)
{
	if (part->type == XML_ENTITY_REF_NODE)
		return fail(walk->err, -EINVAL,
			    "%s:%ld: entity \"%s\" in the attribute %s, expected its text",
			    walk->path, line_of(walk, node), part->name, attribute->name);
	if (!part->content)
		return 0;
	return count_nodes(walk, node, strlen((const char *)part->content) / BYTES_A_NODE);
}

static int check_attributes(const struct walk *walk, const xmlNode *node)
{
	int ret = 0;

	for (const xmlAttr *a = node->properties; a && ret == 0; a = a->next) {
		ret = count_nodes(walk, node, 1);
		for (const xmlNode *part = a->children; part && ret == 0; part = part->next)
			ret = check_part(walk, node, a, part);
	}
	return ret;
}

static int walk_preference(struct walk *walk, xmlNode *node, const char *prefix)
{
	char key[KEY_MAX];
	char *type;
	int ret = check_attributes(walk, node);

	if (ret == 0)
		ret = make_key(walk, node, prefix, key);
	if (ret == 0)
		ret = needed(walk, node, key, "type", &type);
	if (ret < 0)
		return ret;
	if (strcmp(type, "array") == 0)
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
			    walk->path, line_of(walk, node), node->name);
	if (!outer)
		walk->entity_line = xmlGetLineNo(node);
	ret = walk_children(walk, entity->children, prefix);
	walk->entity_line = outer;
	return ret;
}

static int walk_node(struct walk *walk, xmlNode *node, const char *prefix)
{
	int ret = count_nodes(walk, node, 1);

	if (ret < 0)
		return ret;
	if (node->type == XML_ENTITY_REF_NODE)
		return walk_entity(walk, node, prefix);
	if (node->type != XML_ELEMENT_NODE)
		return 0;
	if (strcmp((const char *)node->name, "Preference") != 0)
		return fail(walk->err, -EINVAL, "%s:%ld: element <%s>, expected <Preference>",
			    walk->path, line_of(walk, node), node->name);
	return walk_preference(walk, node, prefix);
}

static int walk_children(struct walk *walk, xmlNode *first, const char *prefix)
{
	int ret = 0;

	if (walk->depth == DEPTH_MAX)
		return fail(walk->err, -EINVAL, "%s:%ld: arrays nested deeper than %u",
			    walk->path, first ? line_of(walk, first) : 0, DEPTH_MAX);
	walk->depth++;
	for (xmlNode *node = first; node && ret == 0; node = node->next)
		ret = walk_node(walk, node, prefix);
	walk->depth--;
	return ret;
}

static int parse_tree(struct description *d, const char *path, xmlDoc *doc,
		      struct naohw_error *err)
{
	struct walk walk = { .description = d, .path = path, .err = err };
	xmlNode *root = xmlDocGetRootElement(doc);

	if (!root || strcmp((const char *)root->name, "ModulePreference") != 0)
		return fail(err, -EINVAL, "%s:%ld: element <%s>, expected <ModulePreference>",
			    path, root ? xmlGetLineNo(root) : 1,
			    root ? (const char *)root->name : "");
	return walk_children(&walk, root->children, "");
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

/*
 * Each tag would have the defaults of all attributes that are declared, as many as there may be
 * names, and libxml compares them as it compares those of a tag.
 */
static void refuse_attribute(void *data, const xmlChar *element, const xmlChar *name, int type,
			     int kind, const xmlChar *value, xmlEnumeration *choice)
{
	xmlParserCtxt *parser = data;
	struct first_fault *first = parser->_private;

	(void)name;
	(void)type;
	(void)kind;
	(void)value;
	xmlFreeEnumeration(choice);
	if (!*first->message) {
		first->line = xmlSAX2GetLineNumber(parser);
		snprintf(first->message, sizeof(first->message),
			 "<!ATTLIST %.80s ...>, expected no declarations of attributes",
			 (const char *)element);
	}
	/* Else what has been read by then would be a document. */
	parser->wellFormed = 0;
	xmlStopParser(parser);
}

static int parse_failure(const struct first_fault *first, const char *path,
			 struct naohw_error *err)
{
	if (!*first->message)
		return fail(err, -EINVAL, "%s: not readable as XML", path);
	return fail(err, -EINVAL, "%s:%d: %s", path, first->line, first->message);
}

int content_parse(const struct content *content, const char *path, struct _xmlDoc **doc,
		  struct naohw_error *err)
{
	xmlParserCtxt *parser = xmlNewParserCtxt();
	struct first_fault first = { 0 };
	int ret = 0;

	if (!parser)
		return fail(err, -ENOMEM, "%s: out of memory", path);
	parser->_private = &first;
	parser->sax->serror = take_fault;
	parser->sax->attributeDecl = refuse_attribute;
	(void)xmlDictSetLimit(parser->dict, NAMES_MAX);
	/* No XML_PARSE_NOENT: entities stay nodes, and nothing outside of the file is read. */
	*doc = xmlCtxtReadMemory(parser, content->data, (int)content->size, path, NULL,
				 XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
	if (!*doc && xmlDictGetUsage(parser->dict) > NAMES_MAX)
		ret = fail(err, -EINVAL, "%s:%d: more than %u bytes of different names", path,
			   first.line, NAMES_MAX);
	else if (!*doc)
		ret = parse_failure(&first, path, err);
	xmlFreeParserCtxt(parser);
	return ret;
}

int layer_parse(struct description *d, const char *path, const struct content *content,
		struct naohw_error *err)
{
	xmlDoc *doc;
	int ret = content_parse(content, path, &doc, err);

	if (ret < 0)
		return ret;
	ret = parse_tree(d, path, doc, err);
	xmlFreeDoc(doc);
	return ret;
}
