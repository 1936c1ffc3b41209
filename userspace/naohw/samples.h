/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a recording has of the joints, moment by moment: of frames; or, where a DCM has the robot and
 * so its frames, of that one's store.
 */
#ifndef NAOHW_SAMPLES_H
#define NAOHW_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <naohw.h>

/* A value of a joint, which is (raw + offset) * scale. Those of a joint are beside each other. */
struct sample_channel {
	size_t joint;
	enum naohw_quantity quantity;
	unsigned int bits; /* 8, 16 or 32 */
	bool is_signed;
	double scale;
	double offset;
};

struct samples {
	const struct samples_kind *kind;
	const struct naohw_robot *robot;
	int64_t period; /* ns */
	size_t count;
	struct sample_channel *channel;
};

struct samples_kind {
	int (*wait)(struct samples *samples, struct naohw_error *err);
	void (*look)(struct samples *samples);
	uint64_t (*number)(const struct samples *samples);
	uint64_t (*lost)(const struct samples *samples);
	int64_t (*time)(const struct samples *samples);
	int64_t (*raw)(const struct samples *samples, size_t channel);
	void (*free)(struct samples *samples);
};

/* @frame stays whoever's it is. Return: 0 or -ENOMEM. */
int samples_of_frame(const struct naohw_robot *robot, struct naohw_frame *frame,
		     struct samples **samples, struct naohw_error *err);
/*
 * The same of @dcm. What its store says is the joints' positions, goals, currents and temperatures.
 * Return: 0 or -ENOMEM.
 */
int samples_of_dcm(const struct naohw_robot *robot, struct naohw_dcm *dcm, struct samples **samples,
		   struct naohw_error *err);
/* NULL is fine. */
void samples_free(struct samples *samples);

/*
 * Wait for the next one, though it may be the same still after a second. A naohwd that is begun anew
 * is waited for. Return: 0, or a negative errno: none comes any more.
 */
int samples_wait(struct samples *samples, struct naohw_error *err);
/* The newest one that is there without waiting; frames are read by whoever has them. */
void samples_look(struct samples *samples);

/* Of the one that is there: how many there have been, 0 for none; how many of them nobody has had; ... */
uint64_t samples_number(const struct samples *samples);
uint64_t samples_lost(const struct samples *samples);
/* ... when it was, in ns of a clock that is always the same one; and what it says. */
int64_t samples_time(const struct samples *samples);
int64_t samples_raw(const struct samples *samples, size_t channel);

/* ---- for those who make them ---- */

/* A goal is kept in these, which is finer than any servo goes. */
#define SAMPLE_RAD  1e-6
#define SAMPLE_BITS 32

/* One more channel, of which there is room for @samples->count. */
struct sample_channel *samples_add(struct samples *samples, size_t joint,
				   enum naohw_quantity quantity, double scale);

#endif
