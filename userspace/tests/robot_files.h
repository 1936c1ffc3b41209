/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A directory for the files of a test's robots, and what is put there. */
#ifndef NAOHW_TEST_ROBOT_FILES_H
#define NAOHW_TEST_ROBOT_FILES_H

#define OPEN  "<ModulePreference name=\"x\">\n"
#define CLOSE "</ModulePreference>\n"
#define LIST  "Device/SubDeviceList/"
#define FLOAT(name, value) \
	"<Preference memoryName=\"" LIST name "\" type=\"float\" value=\"" value "\"/>\n"
#define FILE_OF(body) OPEN body CLOSE

/* For cmocka: an empty directory for each test, gone after it. */
int robot_files_setup(void **state);
int robot_files_teardown(void **state);

/* Its path, and that of something in it; good until eight more have been asked for. */
const char *robot_directory(void);
const char *robot_path(const char *name);

/* Write a file there, with the directories that it needs. */
void robot_file(const char *name, const char *text);

/* Call it as a user who may do nothing; what it returns, or -1 if it failed. */
int robot_as_nobody(int (*run)(void));

/* What is in a file there, until the next call. */
const char *robot_text(const char *name);

#endif
