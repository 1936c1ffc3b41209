// SPDX-License-Identifier: LGPL-2.1-or-later
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base.h"

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
