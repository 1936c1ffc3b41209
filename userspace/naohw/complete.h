/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tells a shell how a line could go on: "naohw complete WORD...". */
#ifndef NAOHW_COMPLETE_H
#define NAOHW_COMPLETE_H

/*
 * Print what the last of @count words could become, one a line, and behind a tab what that is.
 * The others are what stands before it on the line. Where nothing is printed it may be a file.
 */
void complete(int count, char **words);

#endif
