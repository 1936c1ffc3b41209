/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a robot is called by the path of its description, for who serves it and who looks for
 * that: "bioloid", of .../bioloid.xml or of .../bioloid/Device.xml.
 */
#ifndef NAOHW_ROBOT_NAME_H
#define NAOHW_ROBOT_NAME_H

#include "ends.h"

/* Return: where it is in @path; @length receives how long. */
static inline const char *robot_name(const char *path, int *length)
{
	static const char description[] = "/Device.xml", suffix[] = ".xml";
	size_t end = strlen(path);
	const char *slash, *name;

	if (text_ends_with(path, description))
		end -= strlen(description);
	else if (text_ends_with(path, suffix))
		end -= strlen(suffix);
	slash = memrchr(path, '/', end);
	name = slash ? slash + 1 : path;
	*length = (int)(end - (size_t)(name - path));
	return name;
}

#endif
