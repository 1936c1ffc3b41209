/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Where a subdevice's value is from, and goes to: a table of kinds. The name of a kind is that of
 * the Preference which makes an array a subdevice of it.
 */
#ifndef NAOHW_SOURCE_H
#define NAOHW_SOURCE_H

#include "inside.h"

struct source_kind {
	const char *name;
	size_t own_size; /* of what each subdevice has of its own, made of zeros; 0: nothing */
	/* Is what the description says right? Asks no device. NULL: always */
	int (*check)(struct subdevice *subdevice, const struct preference *preference,
		     struct naohw_error *err);
	/*
	 * Find what there is, when it is needed first; what it has of its own then begins with a
	 * struct late. Return: 0, or what is wrong, which each reading and writing then tells.
	 * NULL: nothing to find
	 */
	int (*find)(const struct subdevice *subdevice);
	void (*let_go)(struct subdevice *subdevice); /* of what was found; NULL: nothing to do */
	/* The value as the device has it, before Gain and Offset; NULL: it is never a number */
	int (*read)(const struct subdevice *subdevice, double *device, struct naohw_error *err);
	/* The same as a text; NULL: it is never one */
	int (*read_text)(const struct subdevice *subdevice, char *text, size_t size,
			 struct naohw_error *err);
	/* NULL: it is no text that can be written */
	int (*write_text)(const struct subdevice *subdevice, const char *text,
			  struct naohw_error *err);
	/* A value of the key within Min and Max; NULL: nothing can be written to it */
	int (*write)(const struct subdevice *subdevice, double value, struct naohw_error *err);
};

extern const struct source_kind source_ack;
extern const struct source_kind source_address;
extern const struct source_kind source_attribute;
extern const struct source_kind source_bus;
extern const struct source_kind source_channel;
extern const struct source_kind source_error;
extern const struct source_kind source_event;
extern const struct source_kind source_file;
extern const struct source_kind source_formula;
extern const struct source_kind source_light;
extern const struct source_kind source_memory;
extern const struct source_kind source_nack;
extern const struct source_kind source_supply;
extern const struct source_kind source_tone;

/* Begins what is a subdevice's own, where that is found late. */
struct late {
	bool looked;
	int error;
};

/* Find it, unless that has been done or there is nothing to find. Any thread. */
int source_need(const struct subdevice *subdevice, struct naohw_error *err);

/* Of what find() or party_open() returns: it may be otherwise the next time. */
bool source_is_passing(int error);

/* Let go of what was found. */
void source_let_go(struct subdevice *subdevice);

/* The kind that a Preference of this name makes, or NULL. */
const struct source_kind *source_find(const char *name);

/* Says in which file and line the Preference is, what it has and what was expected; -EINVAL. */
int source_wrong(const struct preference *preference, const char *expected,
		 struct naohw_error *err);

/* Says what went wrong with a source that is no channel; returns @code. */
int source_failed(const struct subdevice *subdevice, int code, struct naohw_error *err);

/*
 * A button, by a reader's own list of devices, which grows as he asks: whether it is pressed, and
 * when that changed last, in ns (0: not since the device is in the list). One thread at a time.
 */
int source_event_look(struct buttons **list, const struct subdevice *subdevice, double *device,
		      int64_t *time);

/* For poll(): the descriptor of the button's device, or a negative errno. */
int source_event_descriptor(struct buttons **list, const struct subdevice *subdevice);

/* End all that are in a list. */
void source_events_end(struct buttons **list);

/*
 * The highest level of a light, or of one of its colours; 0: it is none, or is not there. It is
 * looked for then, which takes its time. Any thread.
 */
unsigned int source_light_levels(const struct subdevice *subdevice);

/* Is it a tone's frequency? Then, without a wait: that of the tone that there is now, in Hz, or 0. */
bool source_is_tone(const struct subdevice *subdevice);
double source_tone_hz(const struct subdevice *subdevice);

/* End all that are in a list, and it. */
void source_tones_end(struct tone **list);

/* What a formula is of. */
size_t source_formula_inputs(const struct subdevice *subdevice,
			     const struct subdevice *const **inputs);

/* Its value, before Gain and Offset, of these of its inputs. */
double source_formula_value(const struct subdevice *subdevice, const double *values);

#endif
