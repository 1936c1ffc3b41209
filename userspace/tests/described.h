/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A robot that is only described, by an installed file or one of the test's own. */
#ifndef NAOHW_TEST_DESCRIBED_H
#define NAOHW_TEST_DESCRIBED_H

#include <stddef.h>

#include <naohw.h>

#include "robot_files.h"

#define COUNT(of) (sizeof(of) / sizeof((of)[0]))
#define TEXT(name, value) \
	"<Preference memoryName='" name "' type='string' value='" value "'/>\n"
#define CHAIN(name, joints) TEXT("Device/ChainList/" name, joints)

/* The robot, and why it could not be described */
extern struct naohw_robot *robot;
extern struct naohw_error err;

void describe(const char *path);
/* "bioloid" */
void describe_installed(const char *name);

/* A test with an empty directory, as robot_files.h has it, after which the robot is closed, too */
#define TEST(function) \
	cmocka_unit_test_setup_teardown(function, robot_files_setup, described_teardown)
int described_teardown(void **state);

/* The number of a chain that it has */
size_t chain_of(const char *name);
/* Are these its joints, with blanks between? */
void assert_chain(const char *name, const char *joints);

#endif
