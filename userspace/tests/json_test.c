// SPDX-License-Identifier: LGPL-2.1-or-later
/* Texts of boards, which may be any bytes, are JSON all the same. */
#include "support.h"

#include <json.h>

#include "../naohw/json.h"

static void check(const char *text, const char *expected)
{
	struct json_object *object = json_object_new_object();
	struct json_object *value;

	json_add_text(object, "text", text);
	assert_true(json_object_object_get_ex(object, "text", &value));
	assert_string_equal(json_object_get_string(value), expected);
	json_object_put(object);
}

#define BAD "\xef\xbf\xbd"

static void what_is_utf_8_stays(void **state)
{
	(void)state;
	check("", "");
	check("Nao", "Nao");
	check("N\xc3\xa4o \xe5\x90\x8d \xf0\x9f\xa4\x96", "N\xc3\xa4o \xe5\x90\x8d \xf0\x9f\xa4\x96");
}

static void each_byte_that_is_not_is_replaced(void **state)
{
	(void)state;
	check("a\xff" "b", "a" BAD "b");
	check("\x80", BAD);
	check("\xc3", BAD);
	check("\xc3\xc3\xa4", BAD "\xc3\xa4");
	check("\xe5\x90", BAD BAD);
	/* Not the shortest, a half of a pair, beyond the last one */
	check("\xc0\xaf", BAD BAD);
	check("\xe0\x80\xaf", BAD BAD BAD);
	check("\xed\xa0\x80", BAD BAD BAD);
	check("\xf4\x90\x80\x80", BAD BAD BAD BAD);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_utf_8_stays),
		cmocka_unit_test(each_byte_that_is_not_is_replaced),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
