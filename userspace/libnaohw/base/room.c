// SPDX-License-Identifier: LGPL-2.1-or-later
#include <stdlib.h>

#include "base.h"

void *give_back(void *room, size_t size)
{
	void *smaller = realloc(room, size);

	return smaller ? smaller : room;
}
