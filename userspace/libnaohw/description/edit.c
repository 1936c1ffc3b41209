// SPDX-License-Identifier: LGPL-2.1-or-later
#include "edit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <libxml/tree.h>
#include <libxml/xmlsave.h>

#include "../base/base.h"
#include "parse.h"
#include "value.h"

static const char empty[] =
	"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	"<!-- What is this robot's own, laid over its Device.xml. \"naohw pref\" writes here. -->\n"
	"<ModulePreference name=\"naohw@Device\""
	" xmlns=\"http://www.aldebaran-robotics.com/ns/ALPreference\">\n"
	"</ModulePreference>\n";

static const xmlChar *x(const char *text)
{
	return (const xmlChar *)text;
}

static bool is_array(xmlNode *node)
{
	xmlChar *type = xmlGetNoNsProp(node, x("type"));
	bool array = type && strcmp((const char *)type, "array") == 0;

	xmlFree(type);
	return array;
}

/*
 * The last of this key, or NULL. An entity behind it may have the key too: then it is not the
 * one that holds, and a new one is to come after both.
 */
static void find_last(xmlNode *first, const char *prefix, const char *wanted, xmlNode **found)
{
	char key[KEY_MAX];

	for (xmlNode *node = first; node; node = node->next) {
		if (node->type == XML_ENTITY_REF_NODE)
			*found = NULL;
		if (node->type != XML_ELEMENT_NODE)
			continue;
		preference_key(node, prefix, key);
		if (is_array(node))
			find_last(node->children, key, wanted, found);
		else if (strcmp(key, wanted) == 0)
			*found = node;
	}
}

/* With the line that it stood in, as far as nothing else does. */
static void take_out(xmlNode *node)
{
	xmlNode *blank = node->prev;

	if (blank && blank->type == XML_TEXT_NODE && xmlIsBlankNode(blank)) {
		xmlUnlinkNode(blank);
		xmlFreeNode(blank);
	}
	xmlUnlinkNode(node);
	xmlFreeNode(node);
}

static void take_out_all(xmlNode *first, const char *prefix, const char *wanted)
{
	char key[KEY_MAX];
	xmlNode *next;

	for (xmlNode *node = first; node; node = next) {
		next = node->next;
		if (node->type != XML_ELEMENT_NODE)
			continue;
		preference_key(node, prefix, key);
		if (is_array(node))
			take_out_all(node->children, key, wanted);
		else if (strcmp(key, wanted) == 0)
			take_out(node);
	}
}

static bool ends_line(const xmlNode *node)
{
	size_t length;

	if (!node || node->type != XML_TEXT_NODE || !node->content)
		return false;
	length = strlen((const char *)node->content);
	return length && node->content[length - 1] == '\n';
}

static bool add_text(xmlNode *parent, const char *text)
{
	xmlNode *node = xmlNewDocText(parent->doc, x(text));

	return node && xmlAddChild(parent, node);
}

/* At the end, in a line of its own, under its full name. */
static xmlNode *add(xmlNode *root, const char *key)
{
	xmlNode *node;

	if (!add_text(root, ends_line(root->last) ? "\t" : "\n\t"))
		return NULL;
	node = xmlNewChild(root, root->ns, x("Preference"), NULL);
	if (!node || !xmlNewProp(node, x("name"), x(strrchr(key, '/') + 1)) ||
	    !xmlNewProp(node, x("memoryName"), x(key)) || !add_text(root, "\n"))
		return NULL;
	return node;
}

static int apply(xmlNode *root, const struct edit *edit)
{
	xmlNode *node = NULL;

	if (!edit->value) {
		take_out_all(root->children, "", edit->key);
		return 0;
	}
	find_last(root->children, "", edit->key, &node);
	if (!node)
		node = add(root, edit->key);
	if (!node || !xmlSetProp(node, x("type"), x(type_name(edit->type))) ||
	    !xmlSetProp(node, x("value"), x(edit->value)))
		return -ENOMEM;
	return 0;
}

/* A file without a declaration gets none, and is UTF-8 then. */
static bool print(xmlDoc *doc, xmlBuffer *text)
{
	bool declared = doc->standalone != -1;
	xmlSaveCtxt *printer = xmlSaveToBuffer(
		text, declared ? (const char *)doc->encoding : "UTF-8",
		declared ? 0 : XML_SAVE_NO_DECL);

	if (!printer)
		return false;
	xmlSaveDoc(printer, doc);
	return xmlSaveClose(printer) >= 0;
}

static int write_out(xmlDoc *doc, struct content *new)
{
	xmlBuffer *text = xmlBufferCreate();

	if (text && print(doc, text)) {
		new->size = (size_t)xmlBufferLength(text);
		new->data = malloc(new->size + 1);
	}
	if (new->data)
		memcpy(new->data, xmlBufferContent(text), new->size);
	xmlBufferFree(text);
	return new->data ? 0 : -ENOMEM;
}

int layer_edit(const struct content *old, const char *path, const struct edit *edits, size_t count,
	       struct content *new, struct naohw_error *err)
{
	struct content none = { .data = (char *)empty, .size = sizeof(empty) - 1 };
	xmlDoc *doc;
	int ret = content_parse(old->data ? old : &none, path, &doc, err);

	if (ret < 0)
		return ret;
	for (size_t i = 0; i < count && ret == 0; i++)
		ret = apply(xmlDocGetRootElement(doc), &edits[i]);
	if (ret == 0)
		ret = write_out(doc, new);
	xmlFreeDoc(doc);
	return ret < 0 ? fail(err, ret, "%s: out of memory", path) : 0;
}
