// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Another store in the place of one that is read, for a writer that was begun anew. Its memory
 * comes to where the old one's is, so whoever reads meanwhile, in any thread, reads the one or
 * the other; frames that are half and half have the number of neither (store_count()).
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../base/base.h"
#include "inside.h"

static bool has_same_slots(const struct naohw_store *store, const struct naohw_store *other)
{
	if (memcmp(&store->counts, &other->counts, sizeof(store->counts)) != 0)
		return false;
	for (uint32_t i = 0; i < store->counts.slots; i++)
		if (store->slot[i].type != other->slot[i].type ||
		    store->slot[i].constant != other->slot[i].constant ||
		    store->slot[i].at != other->slot[i].at ||
		    strcmp(store->names.name[i], other->names.name[i]) != 0)
			return false;
	return true;
}

/* In one step for whoever reads: the kernel has none find a place where nothing is. */
static int take_place(struct naohw_store *store, struct naohw_store *other, struct naohw_error *err)
{
	if (mremap(other->memory, other->size, other->size, MREMAP_MAYMOVE | MREMAP_FIXED,
		   store->memory) == MAP_FAILED) {
		int error = errno;

		/* What was there may have gone before that. */
		(void)mmap(store->memory, store->size, PROT_READ, MAP_SHARED | MAP_FIXED, store->fd,
			   0);
		return fail(err, -error, "cannot map the store: %s", error_text(-error));
	}
	other->memory = NULL;
	/* Its number stays, too, and there is room for it: that cannot fail. */
	(void)dup3(other->fd, store->fd, O_CLOEXEC);
	return 0;
}

int store_follow(struct naohw_store *store, int fd, struct naohw_error *err)
{
	struct naohw_store *other;
	int ret = naohw_store_attach(fd, &other, err);

	if (ret < 0)
		return ret;
	if (has_same_slots(store, other))
		ret = take_place(store, other, err);
	else
		ret = fail(err, -ESTALE, "the robot's keys are others than before");
	naohw_store_close(other);
	return ret;
}
