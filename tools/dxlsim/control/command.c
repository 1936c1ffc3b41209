// SPDX-License-Identifier: GPL-2.0-or-later
/* Parses and carries out control commands; where they come from is not known here. */
#include <ctype.h>
#include <string.h>

#include "call.h"
#include "call_battery.h"
#include "call_board.h"
#include "call_body.h"
#include "call_fault.h"
#include "call_motion.h"
#include "call_room.h"
#include "call_scenario.h"
#include "call_scene.h"
#include "command.h"
#include "report.h"

#define WORDS_MAX	(CONTROL_LINE_MAX / 2)

struct command {
	const char *name;
	const char *args;
	const char *help;
	int min_args;
	int max_args;
	bool (*run)(struct call *call);
};

static bool parse_span(struct call *call, const struct device *dev,
		       const char *addr, unsigned long long len,
		       struct span *span)
{
	unsigned long long first, size = device_size(dev);

	if (!call_number(call, addr, "address", size - 1, &first))
		return false;
	if (!len || first + len > size)
		return call_fail(call, "%llu bytes from address %llu, the table of the %s has %llu",
			    len, first, dev->model->name, size);
	*span = (struct span){ first, len };

	return true;
}

/* --- devices --- */

/* A board has not what a servo has. */
static void list_value(struct call *call, struct device *dev, const char *name)
{
	const struct item *item = model_item_named(dev->model, name);

	if (item)
		fprintf(call->out, " %d", device_value(dev, item, call->now));
	else
		fprintf(call->out, " -");
}

static const char *state(const struct device *dev)
{
	if (dev->silenced)
		return "silenced";

	return dev->starved ? "unsupplied" : "-";
}

static bool list(struct call *call)
{
	size_t i;

	for (i = 0; i < call->bus->device_count; i++) {
		struct device *dev = &call->bus->devices[i];

		fprintf(call->out, "%u %s %s", device_id(dev), dev->label,
			dev->model->name);
		list_value(call, dev, "present_position");
		list_value(call, dev, "goal_position");
		list_value(call, dev, "torque_enable");
		fprintf(call->out, " %s\n", state(dev));
	}

	return true;
}

static bool read_table(struct call *call)
{
	struct device *dev = call_device(call, call->argv[1]);
	u8 data[TABLE_MAX];
	unsigned long long len;
	struct span span;
	unsigned int i;

	if (!dev || !call_number(call, call->argv[3], "length", TABLE_MAX, &len) ||
	    !parse_span(call, dev, call->argv[2], len, &span))
		return false;

	device_read(dev, span, data, call->now);
	for (i = 0; i < span.len; i++)
		fprintf(call->out, "%s%u", i ? " " : "", data[i]);
	fputc('\n', call->out);

	return true;
}

/* Bytes from the argument @from on. */
static bool parse_bytes(struct call *call, int from, u8 *bytes)
{
	int i;

	for (i = from; i < call->argc; i++) {
		unsigned long long byte;

		if (!call_number(call, call->argv[i], "byte", 255, &byte))
			return false;
		bytes[i - from] = byte;
	}

	return true;
}

static bool write_table(struct call *call)
{
	struct device *dev = call_device(call, call->argv[1]);
	u8 data[WORDS_MAX];
	struct span span;

	if (!dev || !parse_span(call, dev, call->argv[2], call->argc - 3, &span) ||
	    !parse_bytes(call, 3, data))
		return false;

	device_poke(dev, span, data, call->now);

	return true;
}

static bool get(struct call *call)
{
	struct device *dev = call_device(call, call->argv[1]);
	const struct item *item = dev ? call_item(call, dev, call->argv[2]) :
					NULL;

	if (!item)
		return false;
	fprintf(call->out, "%d\n", device_value(dev, item, call->now));

	return true;
}

static void set_silenced(struct call *call, struct device *dev)
{
	(void)call;
	dev->silenced = true;
}

static void clear_silenced(struct call *call, struct device *dev)
{
	(void)call;
	dev->silenced = false;
}

static void switch_off_and_on(struct call *call, struct device *dev)
{
	device_power_cycle(dev, call->now);
}

static bool silence(struct call *call)
{
	return call_devices(call, call->argv[1], set_silenced);
}

static bool unsilence(struct call *call)
{
	return call_devices(call, call->argv[1], clear_silenced);
}

static bool power_cycle(struct call *call)
{
	return call_devices(call, call->argc > 1 ? call->argv[1] : "all",
			    switch_off_and_on);
}

static bool milliseconds(struct call *call, int arg, nsec_t otherwise,
			 nsec_t *time)
{
	unsigned long long ms;

	*time = otherwise;
	if (arg >= call->argc)
		return true;
	if (!call_number(call, call->argv[arg], "time in ms", 3600000, &ms))
		return false;
	*time = ms * NSEC_PER_MSEC;

	return true;
}

static bool deaf(struct call *call)
{
	struct device *dev = call_device(call, call->argv[1]);
	nsec_t time;

	if (!dev || !milliseconds(call, 2, 0, &time))
		return false;
	bus_deafen(call->bus, dev, call->now + time);

	return true;
}

static bool reset(struct call *call)
{
	struct device *dev = call_device(call, call->argv[1]);

	if (dev)
		bus_reset_device(call->bus, dev, call->now);

	return dev;
}

static bool twin(struct call *call)
{
	const struct device *dev = call_device(call, call->argv[1]);

	if (!dev)
		return false;
	if (!bus_add_twin(call->bus, dev, call->now))
		return call_fail(call, "no room for another device");

	return true;
}

static bool untwin(struct call *call)
{
	const struct device *dev = call_device(call, call->argv[1]);

	if (dev)
		bus_remove_twins(call->bus, device_id(dev));

	return dev;
}

/* --- the line --- */

static bool unplug(struct call *call)
{
	nsec_t time;

	if (!milliseconds(call, 1, NSEC_NEVER, &time))
		return false;
	bus_unplug(call->bus, time == NSEC_NEVER ? time : call->now + time);

	return true;
}

static bool say(struct call *call)
{
	u8 bytes[WORDS_MAX];

	if (!parse_bytes(call, 1, bytes))
		return false;
	if (!bus_say(call->bus, bytes, call->argc - 1, call->now))
		return call_fail(call, "no room on the line");

	return true;
}

static bool plug(struct call *call)
{
	bus_plug(call->bus);

	return true;
}

static bool seed(struct call *call)
{
	unsigned long long value;

	if (!call_number(call, call->argv[1], "seed", UINT64_MAX, &value))
		return false;
	bus_seed(call->bus, value);

	return true;
}

static bool baud(struct call *call)
{
	unsigned long long value;

	if (!call_number(call, call->argv[1], "baud rate", 10000000, &value))
		return false;
	if (value < 1000)
		return call_fail(call, "baud rate is %llu, expected 1000 to 10000000",
			    value);
	call->bus->baud = value;

	return true;
}

static bool stats(struct call *call)
{
	unsigned long long id;

	if (call->argc == 1) {
		report_bus(call->bus, call->out);
		return true;
	}
	if (!strcmp(call->argv[1], "reset")) {
		bus_clear_stats(call->bus);
		return true;
	}
	if (!strcmp(call->argv[1], "all")) {
		report_all(call->bus, call->out);
		return true;
	}
	if (isdigit((unsigned char)call->argv[1][0])) {
		if (!call_number(call, call->argv[1], "ID", DXL_ID_BROADCAST, &id))
			return false;
	} else {
		const struct device *dev = call_device(call, call->argv[1]);

		if (!dev)
			return false;
		id = device_id(dev);
	}
	report_id(call->bus, id, call->out);

	return true;
}

static bool set_trace(struct call *call)
{
	bool on = !strcmp(call->argv[1], "on");

	if (!on && strcmp(call->argv[1], "off"))
		return call_fail(call, "trace is \"%s\", expected on or off",
			    call->argv[1]);
	call->bus->trace = on ? stderr : NULL;

	return true;
}

static bool quit(struct call *call)
{
	call->quit = true;

	return true;
}

/* --- commands --- */

static bool help(struct call *call);

static const struct command commands[] = {
	{ "help", "", "this list", 0, 0, help },
	{ "list", "", "id, label, model, position, goal, torque, state of each device",
	  0, 0, list },
	{ "get", "ID FIELD", "value of a control-table field", 2, 2, get },
	{ "read", "ID ADDR LEN", "bytes of the control table", 3, 3, read_table },
	{ "write", "ID ADDR BYTE...", "set bytes, past all rules; a read-only field changes what it measures",
	  3, WORDS_MAX, write_table },
	{ "senses", "ID", "what a board senses: name, value, unit", 1, 1, call_senses },
	{ "set", "ID NAME VALUE|raw N", "have a board sense it: in its unit, or as the count it shows",
	  3, 4, call_set },
	{ "obstacle", "front|left|right DISTANCE...|none", "have something there, in mm or m as in 0.3m",
	  2, 1 + OBSTACLES_MAX, call_obstacle },
	{ "press", "ID BUTTON", "hold a board's button", 2, 2, call_press },
	{ "release", "ID BUTTON", "let it go", 2, 2, call_release },
	{ "freeze", "ID [NAME [N]]", "have what a board senses, or one field, stay as it is, or at that count",
	  1, 3, call_freeze },
	{ "thaw", "ID [NAME]", "have it show again what is measured", 1, 2, call_thaw },
	{ "noise", "ID on|off", "have a board's distances be one count more or less, at random",
	  2, 2, call_noise },
	{ "pose", "", "how the robot leans: roll to the right and pitch forward, in degrees",
	  0, 0, call_pose },
	{ "lean", "ROLL PITCH [MS]", "lean so, at a steady rate in so many milliseconds",
	  2, 3, call_lean },
	{ "upright", "[MS]", "lean 0 0", 0, 1, call_upright },
	{ "fall", "face|back|left|right [MS]", "fall so, faster and faster (700)",
	  1, 2, call_fall },
	{ "lie", "face|back|left|right [MS]", "come to lie so", 1, 2, call_lie },
	{ "push", "forward|backward|left|right FORCE [for SECONDS] [at LINK]",
	  "push the robot, with so many newtons as in 5N (0.1), or a link of its body",
	  2, 6, call_push },
	{ "hold", "[HEIGHT [ROLL PITCH]]", "somebody holds the body, its feet so many metres above the floor (0), as it is or leaning so, in degrees",
	  0, 3, call_hold },
	{ "let-go", "", "and lets it go", 0, 0, call_let_go },
	{ "links", "", "the links of the body: name, its joint and where its middle and that joint are, in m",
	  0, 0, call_links },
	{ "cameras", "", "the cameras of the body: name, where it is, in m, and where it looks, its left and its up as columns of a matrix",
	  0, 0, call_cameras },
	{ "floor", "FRICTION [PITCH ROLL]", "what the body stands on: goes down ahead and to the right, in degrees (0.8 0 0)",
	  1, 3, call_floor },
	{ "box", "NAME X Y LENGTH WIDTH HEIGHT [YAW [KG]]", "put a box on the floor, in m and degrees; without a mass it does not move",
	  6, 8, call_box },
	{ "wall", "NAME X Y X Y [HEIGHT]", "and a wall from one place to the other (0.5)",
	  5, 6, call_wall },
	{ "ball", "NAME X Y [DIAMETER [KG]]", "and a ball (0.065 0.055)", 3, 5, call_ball },
	{ "take", "NAME|all", "take it away again", 1, 1, call_take },
	{ "room", "", "the floor, and what is on it: name, box or ball, sides, where its middle is, its turn as a matrix",
	  0, 0, call_room },
	{ "scene", "", "all that is to be seen, for a picture: the time, the floor's upright, and each link, camera and thing",
	  0, 0, call_scene },
	{ "battery", "[PERCENT|charge|discharge|off]", "run on a battery so full, charge it, tell of it; off: on the mains",
	  0, 1, call_battery },
	{ "silence", "ID|all", "unplug from the data line", 1, 1, silence },
	{ "unsilence", "ID|all", "plug in again", 1, 1, unsilence },
	{ "power-cycle", "[ID|all]", "switch off and on: RAM is lost, EEPROM stays",
	  0, 1, power_cycle },
	{ "power-cut", "ID PAGES", "a board loses its power in the middle of a page, after so many",
	  2, 2, call_power_cut },
	{ "deaf", "ID MS", "hears nothing for so long", 2, 2, deaf },
	{ "reset", "ID", "resets itself, in the middle of whatever it does",
	  1, 1, reset },
	{ "twin", "ID", "put a second device with this ID onto the line", 1, 1, twin },
	{ "untwin", "ID", "take it away again", 1, 1, untwin },
	{ "lockstep", "US|off", "all positions count time, one for so many microseconds",
	  1, 1, call_lockstep },
	{ "torque", "ID|all", "whether there is torque, and since when", 1, 1, call_torque },
	{ "goals", "ID|all", "writes of Goal Position: how many, and when",
	  1, 1, call_goals },
	{ "say", "BYTE...", "bytes onto the line, from nobody", 1, WORDS_MAX, say },
	{ "unplug", "[MS]", "unplug the controller's adapter, for so long or for good",
	  0, 1, unplug },
	{ "plug", "", "plug it in again", 0, 0, plug },
	{ "calm", "", "no faults from now on", 0, 0, call_calm },
	{ "seed", "N", "make the random choices of faults and noise repeatable", 1, 1, seed },
	{ "baud", "N", "rate at which the controller speaks and listens", 1, 1, baud },
	{ "stats", "[ID|all|reset]", "counts of packets, bytes, errors and faults",
	  0, 1, stats },
	{ "scenario", "[FILE|stop]", "play the commands of a file, stop, or tell how far it is",
	  0, 1, call_scenario },
	{ "trace", "on|off", "log packets to standard error", 1, 1, set_trace },
	{ "quit", "", "close this connection", 0, 0, quit },
};

#define COMMAND_COUNT (sizeof(commands) / sizeof(commands[0]))

static bool help(struct call *call)
{
	unsigned int i;

	for (i = 0; i < COMMAND_COUNT; i++)
		fprintf(call->out, "%s%s%s: %s\n", commands[i].name,
			commands[i].args[0] ? " " : "", commands[i].args,
			commands[i].help);
	call_fault_help(call->out);
	fprintf(call->out, "ID may be a label instead.\n");

	return true;
}

static const struct command *find_command(const char *name)
{
	static const struct command fault = {
		.name = "fault",
		.args = "PERCENT|on|off|next N [VALUE] [id ID]",
		.min_args = 1, .max_args = 6, .run = call_fault,
	};
	size_t i;

	for (i = 0; i < COMMAND_COUNT; i++)
		if (!strcmp(commands[i].name, name))
			return &commands[i];

	return fault_find(name) < 0 ? NULL : &fault;
}

/* The command with as many arguments as it takes, or NULL after giving the reason. */
static const struct command *parse_command(struct call *call)
{
	const struct command *command = find_command(call->argv[0]);
	int args = call->argc - 1;

	if (!command) {
		call_fail(call, "\"%s\" is no command, try help", call->argv[0]);
		return NULL;
	}
	if (args < command->min_args || args > command->max_args) {
		call_fail(call, "%d argument%s, expected: %s %s", args, args == 1 ? "" : "s",
			  call->argv[0], command->args);
		return NULL;
	}

	return command;
}

static bool run(struct call *call)
{
	const struct command *command = parse_command(call);

	return command && command->run(call);
}

static int split(char *text, char **words)
{
	char *save, *word;
	int n = 0;

	for (word = strtok_r(text, " \t\r", &save); word && n < WORDS_MAX;
	     word = strtok_r(NULL, " \t\r", &save))
		words[n++] = word;

	return n;
}

/* What is not printing would only spoil an error message. */
bool control_is_text(const char *line)
{
	for (; *line; line++)
		if (!isprint((unsigned char)*line) &&
		    !isspace((unsigned char)*line))
			return false;

	return true;
}

/* Split a line, of which @text (CONTROL_LINE_MAX) keeps the words. */
static bool take_line(struct call *call, const char *line, char *text)
{
	size_t len = strlen(line);

	if (len >= CONTROL_LINE_MAX)
		return call_fail(call, "line of %zu characters, at most %d are possible",
				 len, CONTROL_LINE_MAX - 1);
	if (!control_is_text(line))
		return call_fail(call, "line is not text");
	memcpy(text, line, len + 1);
	call->argc = split(text, call->argv);

	return true;
}

/* Carry out one line, without its newline. False if it asked to hang up. */
bool control_line(struct control *control, const char *line, nsec_t now,
		  FILE *out)
{
	char text[CONTROL_LINE_MAX];
	char *words[WORDS_MAX];
	struct call call = {
		.control = control, .bus = control->bus, .now = now, .out = out,
		.argv = words,
	};

	if (!take_line(&call, line, text))
		return true;
	if (!call.argc || run(&call))
		fprintf(out, "ok\n");
	bus_feed(control->bus, now);

	return !call.quit;
}

/* What only tells something has nobody to tell it to. */
static bool changes_things(const struct command *command)
{
	static const char *const others[] = {
		"help", "list", "get", "read", "senses", "pose", "torque",
		"goals", "links", "cameras", "room", "scene", "scenario", "quit",
	};
	size_t i;

	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (!strcmp(command->name, others[i]))
			return false;

	return true;
}

/*
 * Whether a scenario may have the line: a command that changes things, with as many
 * arguments as it takes. False after giving the reason.
 */
bool control_check(const char *line, FILE *out)
{
	char text[CONTROL_LINE_MAX];
	char *words[WORDS_MAX];
	struct call call = { .out = out, .argv = words };
	const struct command *command;

	if (!take_line(&call, line, text))
		return false;
	if (!call.argc)
		return call_fail(&call, "a command is missing behind the time");
	command = parse_command(&call);
	if (!command)
		return false;
	if (!changes_things(command))
		return call_fail(&call, "\"%s\" changes nothing, expected a command that does",
				 words[0]);

	return true;
}
