// SPDX-License-Identifier: LGPL-2.1-or-later
/* The public header, alone and first. */
#include <naohw.h>

int main(void)
{
	return naohw_version() ? 0 : 1;
}
