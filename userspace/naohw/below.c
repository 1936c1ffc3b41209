// SPDX-License-Identifier: GPL-2.0-or-later
#include "below.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct names_below names_below(int root, const char *directory, const char *pattern)
{
	struct names_below names = { 0 };
	int kept = 0;

	names.count = scandirat(root, directory, &names.at, NULL, versionsort);
	if (names.count < 0)
		return (struct names_below){ 0 };
	for (int i = 0; i < names.count; i++) {
		if (fnmatch(pattern, names.at[i]->d_name, FNM_PERIOD) == 0)
			names.at[kept++] = names.at[i];
		else
			free(names.at[i]);
	}
	names.count = kept;
	return names;
}

void names_below_free(struct names_below *names)
{
	for (int i = 0; i < names->count; i++)
		free(names->at[i]);
	free(names->at);
	*names = (struct names_below){ 0 };
}

bool is_below(int root, const char *format, ...)
{
	char path[BELOW_PATH];
	va_list args;

	va_start(args, format);
	vsnprintf(path, sizeof(path), format, args);
	va_end(args);
	return faccessat(root, path, F_OK, 0) == 0;
}

static long read_all(int file, char *text, size_t size)
{
	size_t length = 0;
	ssize_t got;

	do {
		got = read(file, text + length, size - 1 - length);
		if (got > 0)
			length += (size_t)got;
	} while (got > 0 || (got < 0 && errno == EINTR));
	if (got < 0) {
		*text = '\0';
		return -errno;
	}
	if (length && text[length - 1] == '\n')
		length--;
	text[length] = '\0';
	return (long)length;
}

long read_below(int root, char *text, size_t size, const char *format, ...)
{
	char path[BELOW_PATH];
	va_list args;
	long length;
	int file;

	va_start(args, format);
	vsnprintf(path, sizeof(path), format, args);
	va_end(args);
	*text = '\0';
	file = openat(root, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (file < 0)
		return -errno;
	length = read_all(file, text, size);
	close(file);
	return length;
}

int write_below(int root, const char *path, const char *text)
{
	int file = openat(root, path, O_WRONLY | O_CLOEXEC);
	ssize_t written;
	int ret = 0;

	if (file < 0)
		return -errno;
	written = write(file, text, strlen(text));
	if (written < 0)
		ret = -errno;
	else if (written != (ssize_t)strlen(text))
		ret = -EIO;
	close(file);
	return ret;
}

bool line_below(int root, const char *path, const char *part)
{
	int descriptor = openat(root, path, O_RDONLY | O_CLOEXEC);
	FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "r");
	bool found = false;
	char *line = NULL;
	size_t size = 0;

	if (!file) {
		if (descriptor >= 0)
			close(descriptor);
		return false;
	}
	while (!found && getline(&line, &size, file) >= 0)
		found = strstr(line, part);
	free(line);
	fclose(file);
	return found;
}
