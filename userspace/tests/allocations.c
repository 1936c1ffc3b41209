// SPDX-License-Identifier: LGPL-2.1-or-later
/* The linker sends all requests for memory here. */
#include "allocations.h"

#include <stddef.h>

static _Thread_local unsigned int requests;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

unsigned int allocations(void)
{
	return requests;
}

void *__wrap_malloc(size_t size)
{
	requests++;
	return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	requests++;
	return __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
	requests++;
	return __real_realloc(memory, size);
}
