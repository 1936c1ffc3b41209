/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the subcommands of naohw share. */
#ifndef NAOHW_CLI_H
#define NAOHW_CLI_H

#include <stdbool.h>

#include <naohw.h>

#include "options.h"

/* Exit statuses; naohw(1) documents them. */
enum {
	STATUS_OK = 0,
	STATUS_FAILED = 1,
	STATUS_USAGE = 2,
	STATUS_NOT_REACHED = 3,
	STATUS_INTERRUPTED = 130,
};

/* ms, in which the kernel finds a lost device that is back, once a program has asked for it */
#define FOUND_MS 100

struct cli {
	const char *robot; /* NULL: the default */
	const char *uri;   /* NULL: this machine */
	struct line line;  /* without the command's name */
};

int cmd_list(const struct cli *cli);
int cmd_get(const struct cli *cli);
int cmd_set(const struct cli *cli);
int cmd_pref(const struct cli *cli);
int cmd_watch(const struct cli *cli);
int cmd_pages(const struct cli *cli);
int cmd_play(const struct cli *cli);
int cmd_record(const struct cli *cli);
int cmd_replay(const struct cli *cli);
int cmd_limp(const struct cli *cli);
int cmd_rest(const struct cli *cli);
int cmd_wake(const struct cli *cli);
int cmd_diagnose(const struct cli *cli);
int cmd_recover(const struct cli *cli);
int cmd_calibrate(const struct cli *cli);
int cmd_doctor(const struct cli *cli);
int cmd_plot(const struct cli *cli);
int cmd_send(const struct cli *cli);
int cmd_alias(const struct cli *cli);

/* Of which command complaints are from now on; NULL: of none. */
void complain_as(const char *command);

/* "naohw COMMAND: ..." on stderr; returns STATUS_FAILED. */
int complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same with a pointer to --help; returns STATUS_USAGE. */
int complain_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * The robot of the options, as naohw_robot_open(). If the calibration that its body keeps is
 * broken that is complained of, and it is opened all the same.
 */
int try_robot(const struct cli *cli, struct naohw_robot **robot, struct naohw_error *err);

/* The same, or NULL after a complaint. */
struct naohw_robot *open_robot(const struct cli *cli);

/* A motion file: by its path, or else by its name among the installed ones. */
struct naohw_motion *load_motion(const char *path);

#endif
