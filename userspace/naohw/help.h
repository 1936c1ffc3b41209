/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What naohw prints as help, which is made of the manual's pages. */
#ifndef NAOHW_HELP_H
#define NAOHW_HELP_H

struct help_page {
	const char *command; /* "": naohw itself */
	const char *summary;
	const char *text;
};

/* That of naohw itself, those of its commands, and one whose command is NULL. */
extern const struct help_page help_pages[];

#endif
