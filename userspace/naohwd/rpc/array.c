// SPDX-License-Identifier: GPL-2.0-or-later
#include "array.h"

#include <string.h>

#include <plain.h>

#include "message.h"
#include "values.h"

void array_append(struct printbuf *to, const char *text)
{
	printbuf_memappend(to, text, (int)strlen(text));
}

static int print(struct json_object *array, struct printbuf *to, int level, int flags)
{
	const struct printbuf *text = json_object_get_userdata(array);

	(void)level;
	(void)flags;
	array_append(to, "[");
	printbuf_memappend(to, text->buf, printbuf_length(text));
	array_append(to, "]");
	return 0;
}

static void forget(struct json_object *array, void *text)
{
	(void)array;
	printbuf_free(text);
}

struct json_object *array_new(void)
{
	struct json_object *array = json_object_new_array();
	struct printbuf *text = printbuf_new();

	if (array && text) {
		json_object_set_serializer(array, print, text, forget);
		return array;
	}
	json_object_put(array);
	printbuf_free(text);
	return NULL;
}

bool array_is_empty(struct json_object *array)
{
	return printbuf_length((struct printbuf *)json_object_get_userdata(array)) == 0;
}

struct printbuf *array_next(struct json_object *array)
{
	struct printbuf *text = json_object_get_userdata(array);

	if (printbuf_length(text))
		array_append(text, ",");
	return text;
}

/* As json-c writes it, whose way of doing so is needed for what is to be escaped alone. */
void array_quote(struct printbuf *to, const char *text)
{
	struct json_object *json;

	if (text_is_plain(text) && !strpbrk(text, "\"\\")) {
		array_append(to, "\"");
		array_append(to, text);
		array_append(to, "\"");
		return;
	}
	json = value_text(text);
	array_append(to, message_text(json, &(size_t){ 0 }));
	json_object_put(json);
}
