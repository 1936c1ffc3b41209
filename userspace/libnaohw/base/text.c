// SPDX-License-Identifier: LGPL-2.1-or-later
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base.h"

void text_cut(char *to, size_t size, const char *text)
{
	size_t length = strnlen(text, size - 1);

	memcpy(to, text, length);
	to[length] = '\0';
}

char *path_absolute(const char *path)
{
	char *here, *absolute;

	if (*path == '/')
		return strdup(path);
	here = getcwd(NULL, 0);
	if (here && asprintf(&absolute, "%s/%s", here, path) < 0)
		absolute = NULL;
	free(here);
	return here ? absolute : NULL;
}
