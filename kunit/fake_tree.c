// SPDX-License-Identifier: GPL-2.0
/*
 * Nodes of fake_buses.dtso in the running kernel's device tree
 */
#include <linux/of.h>

#include <kunit/test.h>

#include "fake_tree.h"

struct fake_tree {
	int overlay;
	struct device_node *bus;
};

static void fake_tree_remove(void *data)
{
	struct fake_tree *tree = data;

	of_node_put(tree->bus);
	WARN_ON(of_overlay_remove(&tree->overlay));
}

/* The node of a bus, there until the end of the test. */
struct fwnode_handle *fake_tree_bus(struct kunit *test, const char *name)
{
	struct fake_tree *tree;
	int ret;

	if (!IS_ENABLED(CONFIG_OF_OVERLAY))
		kunit_skip(test, "needs CONFIG_OF_OVERLAY");

	tree = kunit_kzalloc(test, sizeof(*tree), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, tree);

	ret = of_overlay_fdt_apply(__dtbo_fake_buses_begin,
				   __dtbo_fake_buses_end -
				   __dtbo_fake_buses_begin,
				   &tree->overlay, NULL);
	KUNIT_ASSERT_EQ(test, ret, 0);
	ret = kunit_add_action_or_reset(test, fake_tree_remove, tree);
	KUNIT_ASSERT_EQ(test, ret, 0);

	tree->bus = of_find_node_by_name(NULL, name);
	KUNIT_ASSERT_NOT_NULL(test, tree->bus);

	return of_fwnode_handle(tree->bus);
}
