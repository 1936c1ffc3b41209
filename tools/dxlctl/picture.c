// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "film.h"
#include "picture.h"
#include "record.h"
#include "svg.h"
#include "talk.h"

#define FROM 30 /* degrees */
#define EVERY 0.1 /* s */
#define EVERY_LEAST 0.01
#define TURN 360
#define HOUR 3600

const char picture_usage[] =
	"       DXLSIM_CONTROL=PATH dxlctl picture [--from DEGREES]\n"
	"              [--for SECONDS [--every SECONDS] [--trim]] FILE.svg\n"
	"Draws the robot of a simulator with a body, and its room.\n"
	"\n"
	"  --from DEGREES   seen from so far to the left of where it looked at first (30)\n"
	"  --for SECONDS    a film: record for so long, or until SIGINT or SIGTERM\n"
	"  --every SECONDS  between two of its frames (0.1)\n"
	"  --trim           without what is before anything moves and after it has moved\n";

/* --- the command line --- */

static const struct option long_options[] = {
	{ "from", required_argument, NULL, 'f' },
	{ "for", required_argument, NULL, 'l' },
	{ "every", required_argument, NULL, 'e' },
	{ "trim", no_argument, NULL, 't' },
	{ 0 },
};

static int number(const char *option, double least, double most, double *value)
{
	char *end;

	*value = strtod(optarg, &end);
	if (end != optarg && !*end && *value >= least && *value <= most)
		return 0;
	fprintf(stderr, "dxlctl: %s is \"%s\", expected a number from %g to %g\n", option,
		optarg, least, most);

	return -1;
}

static int set_option(struct picture_options *options, int option)
{
	switch (option) {
	case 'f':
		return number("--from", -TURN, TURN, &options->degrees);
	case 'l':
		return number("--for", EVERY_LEAST, HOUR, &options->length);
	case 'e':
		return number("--every", EVERY_LEAST, HOUR, &options->every);
	case 't':
		options->trim = true;
		return 0;
	}

	return -1;
}

int picture_parse(struct picture_options *options, int argc, char **argv)
{
	int option;

	*options = (struct picture_options){ .degrees = FROM, .every = EVERY };
	while ((option = getopt_long(argc, argv, "", long_options, NULL)) != -1)
		if (set_option(options, option))
			return -1;
	if (optind + 1 != argc) {
		fprintf(stderr,
			"dxlctl: picture: expected the name of one file to write\n");
		return -1;
	}
	options->file = argv[optind];
	if (options->length / options->every < FRAMES_MAX)
		return 0;
	fprintf(stderr,
		"dxlctl: %g s and a frame every %g s, expected less than %d frames\n",
		options->length, options->every, FRAMES_MAX);

	return -1;
}

/* --- the file --- */

static bool write_film(int fd, const struct film *film, const char *title)
{
	mode_t mask = umask(0);
	FILE *out = fdopen(fd, "w");
	bool good;

	umask(mask);
	if (!out) {
		close(fd);
		return false;
	}
	svg_write(out, film, title);
	good = !ferror(out) && !fflush(out) && !fchmod(fd, 0666 & ~mask) && !fsync(fd);

	return !fclose(out) && good;
}

/* Whole, or as it was before. */
static int save(const struct film *film, const char *file, const char *title)
{
	char path[4096];
	int fd;

	if (snprintf(path, sizeof(path), "%s.XXXXXX", file) >= (int)sizeof(path)) {
		errno = ENAMETOOLONG;
		complain("picture");
		return EXIT_NO_ANSWER;
	}
	fd = mkstemp(path);
	if (fd < 0) {
		complain(file);
		return EXIT_NO_ANSWER;
	}
	if (write_film(fd, film, title) && !rename(path, file))
		return EXIT_SUCCESS;
	complain(file);
	unlink(path);

	return EXIT_NO_ANSWER;
}

static int draw(const struct recording *recording, const struct picture_options *options)
{
	const struct scene *first = &recording->scenes[0];
	const struct scene *last = &recording->scenes[recording->count - 1];
	char title[128];
	struct film *film;
	int ret;

	if (recording->count > 1)
		snprintf(title, sizeof(title), "The robot moves for %.1f s",
			 last->time - first->time);
	else
		snprintf(title, sizeof(title), "The robot");
	film = film_new(recording->scenes, recording->count, options->every,
			options->degrees);
	if (!film)
		abort();
	ret = save(film, options->file, title);
	film_free(film);

	return ret;
}

int picture(int fd, const struct picture_options *options)
{
	struct recording recording;
	int ret = record(fd, options->length, options->every, &recording), saved;

	/* What there is of a film is not lost with its end. */
	if (recording.count && options->trim)
		record_trim(&recording);
	if (recording.count) {
		saved = draw(&recording, options);
		ret = ret == EXIT_SUCCESS ? saved : ret;
	}
	free(recording.scenes);

	return ret;
}
