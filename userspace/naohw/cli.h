/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the subcommands of naohw share. */
#ifndef NAOHW_CLI_H
#define NAOHW_CLI_H

#include <stdbool.h>

#include <naohw.h>

/* Exit statuses; naohw(1) documents them. */
enum {
	STATUS_OK = 0,
	STATUS_FAILED = 1,
	STATUS_USAGE = 2,
	STATUS_NOT_REACHED = 3,
	STATUS_INTERRUPTED = 130,
};

struct cli {
	const char *robot; /* NULL: the default */
	const char *uri;   /* NULL: this machine */
	const char *command;
	const char *usage; /* of the command, for --help */
};

int cmd_list(struct cli *cli, int argc, char **argv);
int cmd_get(struct cli *cli, int argc, char **argv);
int cmd_set(struct cli *cli, int argc, char **argv);
int cmd_pref(struct cli *cli, int argc, char **argv);
int cmd_watch(struct cli *cli, int argc, char **argv);
int cmd_pages(struct cli *cli, int argc, char **argv);
int cmd_play(struct cli *cli, int argc, char **argv);
int cmd_record(struct cli *cli, int argc, char **argv);
int cmd_replay(struct cli *cli, int argc, char **argv);
int cmd_recover(struct cli *cli, int argc, char **argv);
int cmd_plot(struct cli *cli, int argc, char **argv);

/* "naohw: ..." on stderr; returns STATUS_FAILED. */
int complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same with a pointer to --help; returns STATUS_USAGE. */
int complain_usage(const struct cli *cli, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* What getopt_long() gave for an option that is not the command's own. */
int common_option(const struct cli *cli, int option);

/* The robot of the options, or NULL after a complaint. */
struct naohw_robot *open_robot(const struct cli *cli);

/* A motion file: by its path, or else by its name among the installed ones. */
struct naohw_motion *load_motion(const char *path);

/* A key by its full name, or without "Device/SubDeviceList/" or "/Value"; NULL: complained. */
struct naohw_key *find_key(const struct naohw_robot *robot, const char *name);

/* A key's name as people write it: without prefix and "/Value". */
void short_name(const struct naohw_key *key, char *text, size_t size);

/* The whole of @text as a number in @min..@max. */
bool parse_double(const char *text, double min, double max, double *value);
bool parse_long(const char *text, long min, long max, long *value);

#endif
