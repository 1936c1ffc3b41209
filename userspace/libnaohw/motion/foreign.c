// SPDX-License-Identifier: LGPL-2.1-or-later
/* Files that are called motion files elsewhere, and are in neither of the two forms that are read. */
#include <errno.h>
#include <string.h>

#include "../base/base.h"
#include "motion.h"

#define UTF_16 "text in UTF-16, expected UTF-8: convert it with iconv -t UTF-8 -f UTF-16"
#define XML    "XML, as .mtnx files have it, expected the text form of .mtn: save it as .mtn"

struct kind {
	const char *begin;
	size_t length;
	const char *is;
};

#define KIND(begin, is) { begin, sizeof(begin) - 1, is }

static const struct kind kinds[] = {
	KIND("\xff\xfe", UTF_16),
	KIND("\xfe\xff", UTF_16),
	/* Without a mark */
	KIND("t\0y\0p\0e\0=\0", UTF_16 "LE"),
	KIND("\0t\0y\0p\0e\0=", UTF_16 "BE"),
	KIND("<?xml", XML),
	KIND("\xef\xbb\xbf<", XML),
};

int motion_check_kind(const char *path, const unsigned char *data, size_t size,
		      struct naohw_error *err)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const struct kind *kind = &kinds[i];

		if (size >= kind->length && memcmp(data, kind->begin, kind->length) == 0)
			return fail(err, -EINVAL, "%s: %s", path, kind->is);
	}
	return 0;
}
