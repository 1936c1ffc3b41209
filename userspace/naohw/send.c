// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "interrupt.h"
#include "lines.h"
#include "output.h"
#include "sender.h"

#define INPUT	   "-"
#define INPUT_NAME "stdin"

struct send {
	const struct cli *cli;
	const char *path;
	bool is_stream;
	bool quiet;
	bool has_failed;      /* in a line that somebody has typed, and it went on */
	struct actors actors;
	struct script script; /* of a file; a stream's lines are carried out as they come */
};

/* ---- reading a file ---- */

static int read_script(struct send *send)
{
	int fd = send->is_stream ? STDIN_FILENO : open(send->path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	struct naohw_error err;
	int ret;

	if (fd < 0)
		return complain("%s: %s", send->path, strerror(errno));
	ret = script_read(&send->script, fd, send->path, send->is_stream, &send->actors, &err);
	if (!send->is_stream)
		close(fd);
	return ret < 0 ? complain("%s", err.message) : STATUS_OK;
}

static void announce(const struct send *send, const char *what)
{
	if (send->quiet)
		return;
	printf("%s %s: %zu lines, %.2f s\n", what, send->path, send->script.count,
	       (double)send->script.end / 1000);
	fflush(stdout);
}

/* ---- on the robot ---- */

static int send_script(struct sender *sender, struct send *send)
{
	int status = STATUS_OK;

	for (size_t i = 0; i < send->script.count && status == STATUS_OK; i++)
		status = is_interrupted() ? STATUS_INTERRUPTED :
					    sender_take(sender, &send->script.step[i]);
	return status;
}

static int send_line(struct sender *sender, struct send *send, const char *text,
		     unsigned long line, int64_t *now)
{
	struct naohw_error err;
	struct step step;
	int status;

	if (*now < sender_now(sender))
		*now = sender_now(sender);
	if (step_read(&step, text, line, now, &send->actors, &err) < 0)
		return complain("%s:%lu: %s", send->path, line, err.message);
	status = sender_check(sender, &step);
	if (status == STATUS_OK)
		status = sender_take(sender, &step);
	step_free(&step);
	return status;
}

/* Read more when it is there. */
static int await_input(struct sender *sender, struct lines *lines)
{
	int status = sender_wait_for(sender, lines->fd);
	int ret;

	if (status != STATUS_OK)
		return status;
	ret = lines_fill(lines);
	if (ret < 0 && ret != -EINTR && ret != -EAGAIN)
		return complain("%s: %s", sender->path, strerror(-ret));
	return STATUS_OK;
}

/* Who types may mistype; a program that does so is not to be trusted any further. */
static bool may_go_on(const struct sender *sender, int status)
{
	return status == STATUS_FAILED && !sender->has_tripped && isatty(STDIN_FILENO);
}

static int send_next(struct sender *sender, struct send *send, struct lines *lines, int64_t *now)
{
	struct naohw_error err;
	char *text;
	int ret = lines_take(lines, &text, &err);

	if (ret < 0)
		return complain("%s:%lu: %s", send->path, lines->number, err.message);
	if (ret == 0)
		return await_input(sender, lines);
	return send_line(sender, send, text, lines->number, now);
}

static int send_stream(struct sender *sender, struct send *send)
{
	int status = STATUS_OK;
	struct lines lines;
	int64_t now = 0;

	lines_begin(&lines, STDIN_FILENO, true);
	while (status == STATUS_OK && !lines_are_over(&lines)) {
		status = send_next(sender, send, &lines, &now);
		if (!may_go_on(sender, status))
			continue;
		send->has_failed = true;
		status = STATUS_OK;
	}
	return status;
}

static int perform(struct sender *sender, struct send *send)
{
	int status = sender_open(sender, send->quiet);

	if (status == STATUS_OK && !send->is_stream)
		announce(send, "Sending");
	if (status == STATUS_OK)
		status = send->is_stream ? send_stream(sender, send) : send_script(sender, send);
	status = sender_close(sender, status, send->quiet);
	return status == STATUS_OK && send->has_failed ? STATUS_FAILED : status;
}

static int check_script(struct sender *sender, const struct send *send)
{
	int status = STATUS_OK;

	for (size_t i = 0; i < send->script.count && status == STATUS_OK; i++)
		status = sender_check(sender, &send->script.step[i]);
	return status;
}

static int run_on(struct naohw_robot *robot, struct send *send)
{
	struct sender sender = { .robot = robot, .path = send->path };
	int status = check_script(&sender, send);

	if (status != STATUS_OK)
		return sender_close(&sender, status, send->quiet);
	status = output_begin();
	if (status != STATUS_OK)
		return sender_close(&sender, status, send->quiet);
	catch_interrupts_of_stream();
	status = perform(&sender, send);
	release_interrupts();
	return output_end(status);
}

static int run(struct send *send)
{
	struct naohw_robot *robot;
	int status = send->is_stream ? STATUS_OK : read_script(send);

	if (status != STATUS_OK)
		return status;
	robot = open_robot(send->cli);
	if (!robot)
		return STATUS_FAILED;
	status = run_on(robot, send);
	naohw_robot_close(robot);
	return status;
}

/* ---- without one ---- */

static int run_dry(struct send *send)
{
	int status = read_script(send);

	if (status == STATUS_OK)
		announce(send, "Found in");
	return status;
}

int cmd_send(const struct cli *cli)
{
	struct send send = { .cli = cli, .quiet = cli->line.option[OPTION_QUIET] };
	struct naohw_error err;
	int status;

	if (cli->line.operand_count != 1)
		return complain_usage("expected FILE, or - for what comes in");
	send.is_stream = strcmp(cli->line.operand[0], INPUT) == 0;
	send.path = send.is_stream ? INPUT_NAME : cli->line.operand[0];
	if (actors_load(&send.actors, cli->robot, NULL, &err) < 0)
		return complain("%s", err.message);
	status = cli->line.option[OPTION_DRY_RUN] ? run_dry(&send) : run(&send);
	script_free(&send.script);
	actors_free(&send.actors);
	return status;
}
