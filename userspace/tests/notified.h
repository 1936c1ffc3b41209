/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a program tells systemd, where the test is systemd. */
#ifndef NAOHW_NOTIFIED_H
#define NAOHW_NOTIFIED_H

/* Be it from now on, by a socket at that path, for this process and those that it begins. */
void notified_begin(const char *path);
void notified_end(void);

/* Wait until a message has that line; those before are passed over. */
void assert_notified(const char *line);
/* Nothing more has been told. */
void assert_not_notified(void);

#endif
