// SPDX-License-Identifier: LGPL-2.1-or-later
#include "rule.h"

#include <errno.h>

#include "../base/base.h"

static const char *reason_of(const struct naohw_key *key)
{
	const struct fixed *fixed = fixed_find(naohw_key_name(key));

	if (fixed && fixed->but_in_layers && key->value_of)
		return "its device's limit, and not to be changed";
	if (fixed)
		return fixed->reason;
	if (!key->value_of)
		return "the description's: \"naohw pref\" changes it";
	return "what is measured; only the Value of an actuator can be set, or a board's memory";
}

int rule_check(const struct naohw_key *key, struct naohw_error *err)
{
	if (naohw_key_is_writable(key))
		return 0;
	return fail(err, -EACCES, "%s: is %s", naohw_key_name(key), reason_of(key));
}
