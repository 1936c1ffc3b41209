/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file that is there in full or not at all: what was there stays until the new one is whole. */
#ifndef NAOHW_WHOLE_FILE_H
#define NAOHW_WHOLE_FILE_H

#include <stdio.h>

struct whole_file {
	FILE *file;
	char *path;
	char *temporary; /* "PATH.new", which becomes PATH; NULL: written in place */
};

/* @avoid is a file that must not be overwritten, or NULL. -1: complained. */
int whole_file_open(struct whole_file *whole, const char *path, const char *avoid);

/* Give the file its name. -1: complained, and what was there before still is. */
int whole_file_close(struct whole_file *whole);

/* Forget what was written. */
void whole_file_discard(struct whole_file *whole);

#endif
