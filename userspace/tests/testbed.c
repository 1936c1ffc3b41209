// SPDX-License-Identifier: LGPL-2.1-or-later
#include "testbed.h"

#include <libgen.h>
#include <limits.h>

#include <umockdev.h>

#include "support.h"

static UMockdevTestbed *bed;
static char *paths[64];
static size_t path_count;

int testbed_begin(void **state)
{
	(void)state;
	bed = umockdev_testbed_new();
	return bed ? 0 : -1;
}

int testbed_end(void **state)
{
	(void)state;
	while (path_count)
		g_free(paths[--path_count]);
	g_clear_object(&bed);
	return 0;
}

const char *testbed_add(const char *subsystem, const char *name, const char *parent,
			const char *const *attributes, const char *node)
{
	char *none[] = { NULL };
	char *named[] = { (char *)"DEVNAME", (char *)node, NULL };
	char *path;

	path = umockdev_testbed_add_devicev(bed, subsystem, name, parent, (char **)attributes,
					    node ? named : none);
	assert_non_null(path);
	assert_true(path_count < sizeof(paths) / sizeof(*paths));
	paths[path_count++] = path;
	return path;
}

void testbed_remove(const char *path)
{
	umockdev_testbed_uevent(bed, path, "remove");
	umockdev_testbed_remove_device(bed, path);
}

void testbed_tell(const char *path, const char *action)
{
	umockdev_testbed_uevent(bed, path, action);
}

const char *testbed_file(const char *path, const char *file)
{
	static char full[PATH_MAX];
	char *root = umockdev_testbed_get_root_dir(bed);

	assert_true(snprintf(full, sizeof(full), "%s%s/%s", root, path, file) <
		    (int)sizeof(full));
	g_free(root);
	return full;
}

void testbed_write(const char *path, const char *file, const void *data, size_t size)
{
	char *full = strdup(testbed_file(path, file));
	char *above = strdup(full);
	FILE *out;

	(void)g_mkdir_with_parents(dirname(above), 0700);
	out = fopen(full, "w");
	assert_non_null(out);
	assert_int_equal(fwrite(data, 1, size, out), size);
	assert_int_equal(fclose(out), 0);
	free(above);
	free(full);
}

void testbed_put(const char *path, const char *file, const char *text)
{
	testbed_write(path, file, text, strlen(text));
}

const char *testbed_get(const char *path, const char *file)
{
	static char text[4096];
	FILE *in = fopen(testbed_file(path, file), "r");

	assert_non_null(in);
	text[fread(text, 1, sizeof(text) - 1, in)] = '\0';
	fclose(in);
	return text;
}
