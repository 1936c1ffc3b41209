// SPDX-License-Identifier: GPL-2.0-or-later
/* dxlsim: Dynamixel servos and boards on a serial bus, simulated. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "../common/ending.h"
#include "control/control.h"
#include "io/io.h"
#include "link/link.h"
#include "models/models.h"
#include "options.h"
#include "overlay.h"
#include "physique_load.h"

static void add_device(struct bus *bus, const struct overlay_device *found)
{
	struct device *dev = bus_add(bus, found->model, found->id, found->label,
				     alarm_now());

	if (dev && found->plugged)
		ports_plug(dev, &found->ports);
}

static struct bus *make_bus(const struct options *options)
{
	static struct overlay overlay;
	struct bus *bus;
	size_t i;

	if (overlay_load(&overlay, options->overlay, stderr))
		return NULL;
	bus = malloc(sizeof(*bus));
	if (!bus)
		return NULL;

	bus_init(bus, overlay.baud);
	bus->wire_time = options->wire_time;
	bus->turnaround = options->turnaround * NSEC_PER_USEC;
	bus_seed(bus, options->seed);
	bus->trace = options->trace ? stderr : NULL;
	for (i = 0; i < overlay.count; i++)
		add_device(bus, &overlay.devices[i]);

	return bus;
}

/* False after giving the reason. */
static bool give_body(struct bus *bus, const struct options *options)
{
	struct physique *physique;

	if (!options->body)
		return true;
	physique = physique_load(options->body, stderr);
	if (!physique)
		return false;
	if (!bus_embody(bus, world_new(physique, alarm_now())))
		fprintf(stderr, "dxlsim: no servo in %s is called as one of %s is\n",
			options->overlay, options->body);
	free(physique);

	return true;
}

static void count_models(const struct bus *bus, FILE *out)
{
	const struct model *model;
	const char *comma = "";
	size_t i, j;

	for (i = 0; (model = model_by_index(i)); i++) {
		size_t n = 0;

		for (j = 0; j < bus->device_count; j++)
			n += bus->devices[j].model == model;
		if (!n)
			continue;
		fprintf(out, "%s%zu %s", comma, n, model->name);
		comma = ", ";
	}
}

/* False after giving the reason. */
static bool start_scenario(struct control *control, const char *file)
{
	struct scenario *scenario;

	if (!file)
		return true;
	scenario = scenario_load(file, stderr);
	if (scenario)
		scenario_start(control, scenario, alarm_now());

	return scenario;
}

/* In one piece: whoever started us may wait for this line. */
static void announce(const struct options *options, const struct bus *bus)
{
	char *models = NULL;
	size_t len;
	FILE *out;

	if (options->quiet)
		return;
	out = open_memstream(&models, &len);
	if (!out)
		return;
	count_models(bus, out);
	fclose(out);

	fprintf(stderr, "dxlsim: %zu devices (%s) at %u baud from %s, on %s%s\n",
		bus->device_count, models, bus->baud, options->overlay,
		options->path ? options->path : "stdio",
		bus->wire_time ? ", with wire time" : "");
	free(models);
}

/* So long a round may reckon the world; what is behind then never happens. */
#define WORLD_ROUND	(250 * NSEC_PER_MSEC)

static nsec_t earlier(nsec_t a, nsec_t b)
{
	return a < b ? a : b;
}

/* When something befalls the robot that nobody on the line has begun. */
static nsec_t world_due(const struct control *control)
{
	nsec_t told = earlier(scenario_due(control), battery_due(control->bus));

	return earlier(told, body_due(&control->bus->body));
}

static nsec_t next_event(const struct link *link, const struct control *control)
{
	const struct bus *bus = control->bus;
	nsec_t line = earlier(link_due(link, bus), bus_due(bus));

	return earlier(line, world_due(control));
}

static bool complain(const char *what)
{
	fprintf(stderr, "dxlsim: %s: %s\n", what, strerror(errno));

	return false;
}

/* Sleep until there is something; or ask until there is, which is more exact. */
static int wait_for(struct pollfd *polls, int count, const struct alarm *alarm,
		    const sigset_t *while_waiting)
{
	static const struct timespec at_once;
	int ready;

	do {
		ready = ppoll(polls, count, alarm->spin ? &at_once : NULL,
			      while_waiting);
	} while (!ready && !alarm_passed(alarm));

	return ready;
}

/* Said once: it is the same for as long as it lasts. */
static void lose_time(struct world *world, nsec_t now)
{
	static bool said;

	world_skip(world, now);
	if (!said)
		fprintf(stderr, "dxlsim: the body and its room are reckoned slower than the clock, what is not in time is left out\n");
	said = true;
}

/* A poll that finds something at once lets none in, as from then on each does. */
static void let_signals_in(const sigset_t *while_waiting)
{
	static const struct timespec at_once;

	ppoll(NULL, 0, &at_once, while_waiting);
}

/* That up to @now; what has left before is not changed by it. */
static void play_world(struct control *control, struct link *link, nsec_t now,
		       const sigset_t *while_waiting)
{
	struct world *world = control->bus->body.world;
	nsec_t due;

	while (!ending && (due = world_due(control)) <= now) {
		if (world && alarm_now() > now + WORLD_ROUND) {
			lose_time(world, now);
			let_signals_in(while_waiting);
		}
		link_send(link, control->bus, due);
		body_advance(&control->bus->body, due);
		battery_play(control->bus, due);
		scenario_play(control, due);
	}
}

/* One round: wait, take what has come, give what is due. False on failure. */
static bool serve(struct control *control, struct link *link,
		  struct console *console, struct alarm *alarm,
		  const sigset_t *while_waiting)
{
	struct bus *bus = control->bus;
	struct pollfd polls[1 + LINK_POLLS + CONSOLE_POLLS];
	int n = link_prepare(link, polls + 1);
	int m = console_prepare(console, polls + 1 + n);
	nsec_t now;

	polls[0] = (struct pollfd){ .fd = alarm->fd, .events = POLLIN };
	if (alarm_set(alarm, next_event(link, control)))
		return complain("timer");
	if (wait_for(polls, 1 + n + m, alarm, while_waiting) < 0)
		return errno == EINTR || complain("poll");

	/* What is due leaves before anything else costs time. */
	if (alarm_passed(alarm))
		link_send(link, bus, alarm->due);
	now = alarm_now();
	play_world(control, link, now, while_waiting);
	link_serve(link, bus, polls + 1, n, now);
	console_serve(console, control, polls + 1 + n, m, now);
	link_send(link, bus, now);

	return !link_plug(link, bus, now);
}

static int run(struct control *control, struct link *link,
	       struct console *console, bool spin, const sigset_t *while_waiting)
{
	struct alarm alarm;
	bool good = true;

	if (alarm_open(&alarm, spin)) {
		complain("timer");
		return EXIT_FAILURE;
	}
	while (good && !ending && !link_ended(link, control->bus))
		good = serve(control, link, console, &alarm, while_waiting);
	alarm_close(&alarm);

	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
	static struct console console;
	static struct link link;
	struct control control = { 0 };
	struct options options;
	sigset_t while_waiting;
	struct bus *bus;
	int ret = options_parse(&options, argc, argv);

	if (ret <= 0)
		return ret ? 2 : EXIT_SUCCESS;

	bus = make_bus(&options);
	if (!bus)
		return EXIT_FAILURE;

	control.bus = bus;
	ending_catch();
	ending_wait_only(&while_waiting);
	signal(SIGPIPE, SIG_IGN);
	ret = EXIT_FAILURE;
	if (!give_body(bus, &options) || !start_scenario(&control, options.scenario) ||
	    console_open(&console, options.control))
		goto out_bus;
	if (!link_open(&link, options.link, options.path, bus->baud)) {
		announce(&options, bus);
		ret = run(&control, &link, &console, options.spin, &while_waiting);
	}
	link_close(&link);
	console_close(&console);
out_bus:
	scenario_stop(&control);
	world_free(bus->body.world);
	free(bus);

	return ret;
}
