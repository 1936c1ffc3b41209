// SPDX-License-Identifier: GPL-2.0-or-later
/* doctor-at ROOT [--json]: naohw's doctor in a machine that is a directory. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "doctor.h"

int __wrap_faccessat(int directory, const char *path, int mode, int flags);
int __real_faccessat(int directory, const char *path, int mode, int flags);

/* As for a file's owner who is not root, whoever runs the test. */
int __wrap_faccessat(int directory, const char *path, int mode, int flags)
{
	struct stat is;

	if (mode == F_OK)
		return __real_faccessat(directory, path, mode, flags);
	if (fstatat(directory, path, &is, 0) != 0)
		return -1;
	return (int)(is.st_mode >> 6 & (mode_t)mode) == mode ? 0 : -1;
}

int main(int argc, char **argv)
{
	int root = argc > 1 ? open(argv[1], O_RDONLY | O_DIRECTORY) : -1;
	struct patient patient;
	int status;

	if (root < 0)
		return 2;
	patient_look(&patient, root, NULL);
	status = examine(&patient, argc > 2 && strcmp(argv[2], "--json") == 0);
	patient_free(&patient);
	close(root);
	return status;
}
