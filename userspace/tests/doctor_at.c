// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * doctor-at ROOT [--json]: naohw's doctor in a machine that is a directory. An attribute that is
 * "ETIMEDOUT" or "EHOSTDOWN" cannot be read, and one that is "EBUSY" cannot be written.
 * doctor-at ROOT --keep KEY VALUE: save it for the body there, on its board too.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "doctor.h"
#include "io/find.h"

static int root;

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

int __wrap_find_directory(const struct find *find);

/* The only memory that there is, whosoever it is to be. */
int __wrap_find_directory(const struct find *find)
{
	int dir = -1;

	if (strcmp(find->subsystem, "nvmem") == 0)
		dir = openat(root, "sys/bus/nvmem/devices/0-200", O_RDONLY | O_DIRECTORY);
	return dir < 0 ? -ENODEV : dir;
}

#define ATTRIBUTES "sys/bus/dxl/"

/* Each reading of an attribute of more than one line takes the first: what is read next follows. */
static void keep_lines(const char *path, const char *lines)
{
	int file = openat(root, path, O_WRONLY | O_TRUNC);

	if (file < 0 || dprintf(file, "%s\n", lines) < 0)
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
	close(file);
}

/* What the kernel says of a device that does not answer */
static long error_of(const char *text)
{
	if (strcmp(text, "ETIMEDOUT") == 0)
		return -ETIMEDOUT;
	if (strcmp(text, "EBUSY") == 0)
		return -EBUSY;
	return strcmp(text, "EHOSTDOWN") == 0 ? -EHOSTDOWN : 0;
}

long __wrap_read_below(int directory, char *text, size_t size, const char *format, ...);
long __real_read_below(int directory, char *text, size_t size, const char *format, ...);

long __wrap_read_below(int directory, char *text, size_t size, const char *format, ...)
{
	char path[BELOW_PATH], *end;
	va_list args;
	long length;

	va_start(args, format);
	vsnprintf(path, sizeof(path), format, args);
	va_end(args);
	length = __real_read_below(directory, text, size, "%s", path);
	if (length <= 0 || strncmp(path, ATTRIBUTES, strlen(ATTRIBUTES)) != 0)
		return length;
	end = strchr(text, '\n');
	if (end) {
		keep_lines(path, end + 1);
		*end = '\0';
		length = end - text;
	}
	return error_of(text) < 0 ? error_of(text) : length;
}

int __wrap_write_below(int directory, const char *path, const char *text);

/* Only a number may be scanned for: what the kernel finds stands in the machine already. */
int __wrap_write_below(int directory, const char *path, const char *text)
{
	char says[16];
	long ret = __real_read_below(directory, says, sizeof(says), "%s", path);

	if (ret >= 0)
		ret = faccessat(directory, path, W_OK, 0) != 0 ? -EACCES : error_of(says);
	if (ret == 0)
		fprintf(stderr, "%s: %s", path, text);
	return (int)ret;
}

static int keep(const char *key, const char *value)
{
	struct naohw_error err;

	if (naohw_preferences_save_each(NULL, NAOHW_LAYER_BODY, &key, &value, 1, &err) == 0)
		return 0;
	fprintf(stderr, "%s\n", err.message);
	return 1;
}

int main(int argc, char **argv)
{
	struct patient patient;
	int status;

	root = argc > 1 ? open(argv[1], O_RDONLY | O_DIRECTORY) : -1;
	if (root < 0)
		return 2;
	if (argc > 4 && strcmp(argv[2], "--keep") == 0)
		return keep(argv[3], argv[4]);
	patient_look(&patient, root, NULL);
	status = examine(&patient, argc > 2 && strcmp(argv[2], "--json") == 0);
	patient_free(&patient);
	close(root);
	return status;
}
