// SPDX-License-Identifier: GPL-2.0-or-later
#include "remote.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SCHEME "ssh://"

bool is_remote(const char *uri)
{
	return uri && strncmp(uri, SCHEME, strlen(SCHEME)) == 0;
}

/* A word as the shell there is to have it: within quotes only a quote is special. */
static void put_word(FILE *line, const char *word)
{
	fputs(" '", line);
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\''", line);
		else
			fputc(*word, line);
	}
	fputc('\'', line);
}

static void put_option(FILE *line, const struct option_info *info, const char *value)
{
	fprintf(line, " --%s", info->name);
	if (info->kind != OPTION_FLAG)
		put_word(line, value);
}

/* What is behind "--" is no option, whatever it begins with. */
static void put_line(FILE *line, const struct cli *cli, const char *name)
{
	fputs("naohw", line);
	for (size_t i = 0; i < OPTIONS; i++)
		if (cli->line.option[i] && i != OPTION_URI)
			put_option(line, &option_table[i], cli->line.option[i]);
	fprintf(line, " -- %s", name);
	for (size_t i = 0; i < cli->line.operand_count; i++)
		put_word(line, cli->line.operand[i]);
}

/* NULL: no memory */
static char *make_line(const struct cli *cli, const char *name)
{
	char *text = NULL;
	size_t size;
	FILE *line = open_memstream(&text, &size);

	if (!line)
		return NULL;
	put_line(line, cli, name);
	if (fclose(line) == 0)
		return text;
	free(text);
	return NULL;
}

/* A terminal there: always, where we have one, or not. */
static const char *terminal(bool moves)
{
	if (moves)
		return "-tt";
	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) ? "-t" : "-T";
}

int run_remotely(const struct cli *cli, const char *name, bool moves)
{
	char *line = make_line(cli, name);

	if (!line)
		return complain("out of memory");
	fflush(stdout);
	execlp("ssh", "ssh", terminal(moves), cli->uri, line, (char *)NULL);
	free(line);
	return complain("ssh: %s", strerror(errno));
}
