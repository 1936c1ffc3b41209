// SPDX-License-Identifier: GPL-2.0-or-later
#include "complete.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "actors.h"
#include "commands.h"
#include "help.h"
#include "keys.h"

#define NAME_SIZE 512
#define SUFFIX	  ".xml"

/* What the words before the last one say of it. */
struct place {
	const char *robot;
	const char *command; /* NULL: it is still to come */
	const char *operand; /* the first one */
	size_t operands;
	int option;   /* whose value comes next; OPTIONS: none */
	bool is_text; /* behind "--" nothing is an option */
};

/* ---- what stands before ---- */

static int option_named(const char *name, size_t length)
{
	int i = 0;

	while (i < OPTIONS &&
	       (strncmp(option_table[i].name, name, length) != 0 || option_table[i].name[length]))
		i++;
	return i;
}

static int option_lettered(char letter)
{
	int i = 0;

	while (i < OPTIONS && option_table[i].letter != letter)
		i++;
	return i;
}

static bool takes_value(int option)
{
	return option < OPTIONS && option_table[option].kind != OPTION_FLAG;
}

static void take_value(struct place *place, int option, const char *value)
{
	if (option == OPTION_ROBOT)
		place->robot = value;
}

static void pass_long(struct place *place, const char *name)
{
	size_t length = strcspn(name, "=");
	int option = option_named(name, length);

	if (name[length])
		take_value(place, option, name + length + 1);
	else if (takes_value(option))
		place->option = option;
}

/* The last one may have its value behind it. */
static void pass_letters(struct place *place, const char *letters)
{
	int option = OPTIONS;

	while (*letters && !takes_value(option))
		option = option_lettered(*letters++);
	if (!takes_value(option))
		return;
	if (*letters)
		take_value(place, option, letters);
	else
		place->option = option;
}

static void pass_operand(struct place *place, const char *word)
{
	if (!place->command)
		place->command = word;
	else if (place->operands++ == 0)
		place->operand = word;
}

static void pass(struct place *place, const char *word)
{
	if (place->option != OPTIONS) {
		take_value(place, place->option, word);
		place->option = OPTIONS;
	} else if (place->is_text || !is_option(word)) {
		pass_operand(place, word);
	} else if (strcmp(word, "--") == 0) {
		place->is_text = true;
	} else if (word[1] == '-') {
		pass_long(place, word + 2);
	} else {
		pass_letters(place, word + 1);
	}
}

/* ---- what it could become ---- */

/* Of candidates that begin as it does; @lead is what stands in it before them. */
struct word {
	const char *text;
	const char *lead;
};

static bool offer(const struct word *word, const char *candidate, const char *what)
{
	if (strncmp(candidate, word->text, strlen(word->text)) != 0)
		return false;
	printf("%s%s", word->lead, candidate);
	if (what)
		printf("\t%s", what);
	printf("\n");
	return true;
}

static void offer_commands(const struct word *word)
{
	for (const struct help_page *page = help_pages; page->command; page++)
		if (*page->command)
			offer(word, page->command, page->summary);
}

static void offer_first(const struct word *word)
{
	offer_commands(word);
	offer(word, "help", "show help, of a command if there is one");
}

static void offer_options(const struct word *word, const char *name)
{
	option_set options = COMMON_OPTIONS;
	char text[NAME_SIZE];

	for (const struct command *command = commands; name && command->name; command++)
		if (strcmp(command->name, name) == 0)
			options = command->options;
	for (size_t i = 0; i < OPTIONS; i++) {
		if (!(options & TAKES(i)))
			continue;
		snprintf(text, sizeof(text), "--%s", option_table[i].name);
		offer(word, text, NULL);
	}
}

/* Those that are installed: by its path, any is a file. */
static void offer_robots(const struct word *word)
{
	DIR *directory = opendir(NAOHW_ROBOTS);
	const struct dirent *entry;

	while (directory && (entry = readdir(directory))) {
		const char *end = strstr(entry->d_name, SUFFIX);
		char name[NAME_SIZE];

		if (!end || end[strlen(SUFFIX)])
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)(end - entry->d_name), entry->d_name);
		offer(word, name, NULL);
	}
	if (directory)
		closedir(directory);
}

static void offer_names(const struct word *word, const char *const *names)
{
	for (; *names; names++)
		offer(word, *names, NULL);
}

static void offer_values(const struct word *word, int option)
{
	static const char *const layers[] = { "head", "body", "local", NULL };
	static const char *const quantities[] = {
		"present", "goal", "speed", "load", "current", "voltage", "temperature", "age",
		"alarm", NULL,
	};

	if (option == OPTION_ROBOT)
		offer_robots(word);
	else if (option == OPTION_LAYER)
		offer_names(word, layers);
	else if (option == OPTION_VALUE)
		offer_names(word, quantities);
}

/* By its full name where that is what somebody has begun to write. */
static bool offer_key(const struct word *word, const char *name)
{
	char text[NAME_SIZE];
	bool fits;

	short_name(name, text, sizeof(text));
	fits = offer(word, text, NULL);
	if (strcmp(name, text) != 0 && *word->text)
		fits |= offer(word, name, NULL);
	return fits;
}

/* Those that are @wiring, or all others. */
static bool offer_some_keys(const struct word *word, const struct naohw_robot *robot,
			    bool to_be_set, bool wiring)
{
	struct naohw_key *key;
	bool any = false;

	for (size_t i = 0; (key = naohw_robot_key_at(robot, i)); i++)
		if ((!to_be_set || naohw_key_is_writable(key)) &&
		    naohw_key_is_wiring(key) == wiring)
			any |= offer_key(word, naohw_key_name(key));
	return any;
}

/* Who wants wiring has begun to write its name. */
static void offer_keys(const struct word *word, const struct place *place, bool to_be_set)
{
	struct naohw_robot *robot;
	struct naohw_error err;

	if (naohw_robot_describe(place->robot, &robot, &err) < 0)
		return;
	if (!offer_some_keys(word, robot, to_be_set, false))
		(void)offer_some_keys(word, robot, to_be_set, true);
	naohw_robot_close(robot);
}

static bool offer_some_preferences(const struct word *word,
				   const struct naohw_preferences *preferences, bool wiring)
{
	bool any = false;

	for (size_t i = 0; i < naohw_preferences_count(preferences); i++)
		if (naohw_preferences_is_wiring(preferences, i) == wiring)
			any |= offer_key(word, naohw_preferences_key(preferences, i));
	return any;
}

static void offer_preferences(const struct word *word, const struct place *place)
{
	struct naohw_preferences *preferences;
	struct naohw_error err;

	if (naohw_preferences_load(place->robot, &preferences, &err) < 0)
		return;
	if (!offer_some_preferences(word, preferences, false))
		(void)offer_some_preferences(word, preferences, true);
	naohw_preferences_free(preferences);
}

/* Aliases, which may be made anew, too; and what they may be of. */
static void offer_actors(const struct word *word, const struct place *place)
{
	struct naohw_error err;
	struct actors actors;

	if (actors_load(&actors, place->robot, NULL, &err) < 0)
		return;
	for (size_t i = 0; i < actors.aliases; i++)
		offer(word, actors.alias[i].name, NULL);
	for (size_t i = 0; i < actors.actuators && place->operands; i++)
		offer(word, actors.actuator[i], NULL);
	actors_free(&actors);
}

/* What stands before @rest in the name of a key, as a joint's name does. */
static void offer_parts(const struct word *word, const struct place *place, const char *rest)
{
	struct naohw_robot *robot;
	struct naohw_key *key;
	char text[NAME_SIZE];

	if (naohw_robot_describe(place->robot, &robot, NULL) < 0)
		return;
	for (size_t i = 0; (key = naohw_robot_key_at(robot, i)); i++) {
		char *found;

		short_name(naohw_key_name(key), text, sizeof(text));
		found = strstr(text, rest);
		if (!found || found[strlen(rest)])
			continue;
		*found = '\0';
		offer(word, text, NULL);
	}
	naohw_robot_close(robot);
}

static void offer_calibrated(const struct word *word, const struct place *place)
{
	static const char *const kinds[] = { "joint", "fsr", "gyro", NULL };

	if (place->operands == 0)
		offer_names(word, kinds);
	else if (place->operands == 1 && strcmp(place->operand, "joint") == 0)
		offer_parts(word, place, "/Position/Sensor");
	else if (place->operands == 1 && strcmp(place->operand, "fsr") == 0)
		offer_parts(word, place, "/FSR/FrontLeft/Sensor");
}

static bool is_one_of(const char *name, const char *const *names)
{
	while (*names && strcmp(*names, name) != 0)
		names++;
	return *names;
}

static void offer_operands(const struct word *word, const struct place *place)
{
	static const char *const readers[] = { "get", "list", "watch", NULL };

	if (is_one_of(place->command, readers))
		offer_keys(word, place, false);
	else if (strcmp(place->command, "set") == 0 && place->operands % 2 == 0)
		offer_keys(word, place, true);
	else if (strcmp(place->command, "pref") == 0)
		offer_preferences(word, place);
	else if (strcmp(place->command, "alias") == 0)
		offer_actors(word, place);
	else if (strcmp(place->command, "help") == 0)
		offer_commands(word);
	else if (strcmp(place->command, "calibrate") == 0)
		offer_calibrated(word, place);
}

/* "--robot=dar" is a word, of which only what is behind "=" could be more. */
static void offer_assigned(const struct word *word, const char *value)
{
	const char *name = word->text + strlen("--");
	char lead[NAME_SIZE];

	snprintf(lead, sizeof(lead), "%.*s", (int)(value - word->text), word->text);
	offer_values(&(struct word){ .text = value, .lead = lead },
		     option_named(name, (size_t)(value - 1 - name)));
}

void complete(int count, char **words)
{
	struct place place = { .option = OPTIONS };
	struct word word = { .text = count ? words[count - 1] : "", .lead = "" };
	const char *equals = strchr(word.text, '=');

	for (int i = 0; i < count - 1; i++)
		pass(&place, words[i]);
	if (place.option != OPTIONS)
		offer_values(&word, place.option);
	else if (!place.is_text && strncmp(word.text, "--", 2) == 0 && equals)
		offer_assigned(&word, equals + 1);
	else if (!place.is_text && word.text[0] == '-')
		offer_options(&word, place.command);
	else if (place.command)
		offer_operands(&word, &place);
	else
		offer_first(&word);
}
