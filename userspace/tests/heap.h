/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Bytes of the heap that are in use. Sanitizers have a heap of their own, of which mallinfo2()
 * knows nothing; without one it is all that this process has taken and not given back, whoever
 * asked for it.
 */
#ifndef NAOHW_TEST_HEAP_H
#define NAOHW_TEST_HEAP_H

#include <stddef.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
/* GCC comes without the header that has it. */
size_t __sanitizer_get_current_allocated_bytes(void);

static inline size_t heap_in_use(void)
{
	return __sanitizer_get_current_allocated_bytes();
}
#else
#include <malloc.h>

static inline size_t heap_in_use(void)
{
	struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
}
#endif

#endif
