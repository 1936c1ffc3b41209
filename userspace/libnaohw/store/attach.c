// SPDX-License-Identifier: LGPL-2.1-or-later
/* A store that another process writes: nothing in it is believed before it was looked at. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/base.h"
#include "inside.h"

/* Who reads memory that somebody makes shorter is killed by it. */
static bool keeps_its_size(int fd)
{
	int seals = fcntl(fd, F_GET_SEALS);

	return seals >= 0 && (seals & F_SEAL_SHRINK);
}

static int take_size(struct naohw_store *store, struct naohw_error *err)
{
	struct stat stat;

	/* The seal first: before it is there, a size is not the last one. */
	if (!keeps_its_size(store->fd))
		return fail(err, -EINVAL, "the store cannot be used: it is not sealed");
	if (fstat(store->fd, &stat) < 0)
		return fail(err, -errno, "cannot look at the store: %s", error_text(-errno));
	if (stat.st_size < (off_t)sizeof(struct store_header))
		return fail(err, -EINVAL, "the store cannot be used: it is too short");
	/* All of it would be made when it is mapped. */
	if (stat.st_size > STORE_SIZE)
		return fail(err, -EINVAL, "the store cannot be used: it is too long");
	store->size = (size_t)stat.st_size;
	return 0;
}

static int build(struct naohw_store *store, int fd, struct naohw_error *err)
{
	int ret;

	store->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (store->fd < 0)
		return fail(err, -errno, "cannot keep the store: %s", error_text(-errno));
	ret = take_size(store, err);
	if (ret == 0)
		ret = store_map(store, PROT_READ, err);
	return ret < 0 ? ret : store_look(store, err);
}

int naohw_store_attach(int fd, struct naohw_store **out, struct naohw_error *err)
{
	struct naohw_store *store = calloc(1, sizeof(*store));
	int ret;

	if (!store)
		return fail(err, -ENOMEM, "out of memory");
	store->fd = -1;
	ret = build(store, fd, err);
	if (ret < 0) {
		store_free(store);
		return ret;
	}
	*out = store;
	return 0;
}
