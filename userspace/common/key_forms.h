/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How people write a key, for command and daemon: as it is, or without what all of them begin or end with. */
#ifndef NAOHW_KEY_FORMS_H
#define NAOHW_KEY_FORMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define KEY_PREFIX    "Device/SubDeviceList/"
#define KEY_SUFFIX    "/Value"
/* The longest key, with its end */
#define KEY_FORM_SIZE 512
#define KEY_FORMS     4

/*
 * What the key may be that is written as @name: of form 0 that itself, of the others with the prefix,
 * with the suffix, with both. false: it is longer than any key.
 */
static inline bool key_form(unsigned int form, const char *name, char text[KEY_FORM_SIZE])
{
	int length = snprintf(text, KEY_FORM_SIZE, "%s%s%s", form & 1 ? KEY_PREFIX : "", name,
			      form & 2 ? KEY_SUFFIX : "");

	return length < KEY_FORM_SIZE;
}

#endif
