// SPDX-License-Identifier: LGPL-2.1-or-later
#include "robot_files.h"

#include <ftw.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"

static char directory[64];

int robot_files_setup(void **state)
{
	(void)state;
	strcpy(directory, "/tmp/naohw-robot-XXXXXX");
	return mkdtemp(directory) ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *found, int type, struct FTW *where)
{
	(void)found;
	(void)type;
	(void)where;
	return remove(path);
}

int robot_files_teardown(void **state)
{
	(void)state;
	return nftw(directory, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

const char *robot_directory(void)
{
	return directory;
}

const char *robot_path(const char *name)
{
	static char path[8][256];
	static unsigned int next;
	char *at = path[next++ % 8];

	snprintf(at, sizeof(path[0]), "%s/%s", directory, name);
	return at;
}

static void make_parents(char *path)
{
	for (char *slash = path + strlen(directory) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		if (mkdir(path, 0755) < 0)
			assert_int_equal(errno, EEXIST);
		*slash = '/';
	}
}

void robot_file(const char *name, const char *text)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s", robot_path(name));
	make_parents(path);
	file = fopen(path, "w");
	assert_non_null(file);
	assert_int_equal(fputs(text, file) >= 0, 1);
	assert_int_equal(fclose(file), 0);
}

int robot_as_nobody(int (*run)(void))
{
	pid_t child;
	int status;

	assert_int_equal(chmod(directory, 0777), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0)
		_exit(geteuid() == 0 && (setgid(65534) || setuid(65534)) ? 255 : run());
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) && WEXITSTATUS(status) != 255 ? WEXITSTATUS(status) : -1;
}

const char *robot_text(const char *name)
{
	static char text[1 << 16];
	FILE *file = fopen(robot_path(name), "r");

	if (!file)
		fail_msg("no file %s", name);
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	return text;
}
