// SPDX-License-Identifier: GPL-2.0-or-later
#include "spool.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "background.h"

struct spool {
	struct spool_options options;
	unsigned char *ring;
	size_t rows;	      /* that it has room for */
	atomic_size_t put;    /* rows since the beginning */
	atomic_size_t written;
	sem_t news;	      /* one for each row that was put, and one for the end */
	pthread_t thread;
};

static unsigned char *row_at(const struct spool *spool, size_t number)
{
	return spool->ring + number % spool->rows * spool->options.row_size;
}

/* News without a new row is the end. */
static void *write_rows(void *data)
{
	struct spool *spool = data;

	for (size_t number = 0;; number++) {
		while (sem_wait(&spool->news) < 0)
			continue;
		if (number == atomic_load(&spool->put))
			return NULL;
		spool->options.write(spool->options.data, row_at(spool, number));
		atomic_store(&spool->written, number + 1);
	}
}

static void spool_free(struct spool *spool)
{
	sem_destroy(&spool->news);
	free(spool->ring);
	free(spool);
}

int spool_open(const struct spool_options *options, struct spool **out)
{
	struct spool *spool = calloc(1, sizeof(*spool));
	int ret;

	if (!spool)
		return -ENOMEM;
	spool->options = *options;
	spool->rows = options->room > options->row_size ? options->room / options->row_size : 1;
	sem_init(&spool->news, 0, 0);
	spool->ring = malloc(spool->rows * options->row_size);
	if (!spool->ring) {
		spool_free(spool);
		return -ENOMEM;
	}
	/* So that it is really there, and not only when a row is put into it. */
	explicit_bzero(spool->ring, spool->rows * options->row_size);
	ret = background_start(&spool->thread, write_rows, spool);
	if (ret < 0) {
		spool_free(spool);
		return ret;
	}
	*out = spool;
	return 0;
}

void *spool_next(struct spool *spool)
{
	size_t put = atomic_load(&spool->put);

	return put - atomic_load(&spool->written) < spool->rows ? row_at(spool, put) : NULL;
}

void spool_put(struct spool *spool)
{
	atomic_fetch_add(&spool->put, 1);
	sem_post(&spool->news);
}

void spool_close(struct spool *spool)
{
	if (!spool)
		return;
	sem_post(&spool->news);
	pthread_join(spool->thread, NULL);
	spool_free(spool);
}
