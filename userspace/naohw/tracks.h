/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a recording tells of joints: where each of them was, at any time. Between two rows it is
 * on the line between them; where a row does not tell, it stays where it was.
 */
#ifndef NAOHW_TRACKS_H
#define NAOHW_TRACKS_H

#include "recording.h"

/* What the joint of a track can do. */
struct track_limits {
	double low; /* rad */
	double high;
	double speed; /* rad/s */
};

struct track {
	size_t joint; /* whose it is, as it was added */
	double first; /* where the file has it first, rad; NAN: nowhere, or not known yet */
	double place; /* where its joint is to be at the present time, rad */
	/* what follows is for the tracks themselves */
	size_t column;
	int age; /* its column, or negative */
	struct track_limits limits;
	double fastest; /* its speed in the file, rad/s */
	double known;	/* what the file said of it last ... */
	int64_t known_at; /* ... at this time */
	double before;	/* in the last row at or before the present time */
	double after;	/* in the one after it */
};

struct tracks {
	struct recording *recording;
	double tempo;
	struct track *track;
	size_t count;
	uint64_t rows;	/* of the file */
	int64_t length; /* of the file, ns */
	int64_t time;	/* the present one, ns since the first row */
	/* what follows is for the tracks themselves */
	const struct recording_head *head;
	double *values; /* of a row */
	int64_t start;	/* time of the first row; all others count from it */
	int64_t before; /* times of the rows around it */
	int64_t after;
	bool at_end;
};

/* @tempo: how much faster than recorded they will be played. Return: as recording_open(). */
int tracks_open(struct tracks *tracks, const char *path, double tempo, struct naohw_error *err);
void tracks_close(struct tracks *tracks);

/* Follow the joint of this label. false: the file has nothing of it that could be followed. */
bool tracks_add(struct tracks *tracks, const char *label, size_t joint,
		const struct track_limits *limits);

/* Follow all joints, by what no servo can do. */
void tracks_add_all(struct tracks *tracks);

/*
 * The next joint of the file, from @column on, that no track follows; @column becomes what to go
 * on with. NULL: there is none.
 */
const char *tracks_passed_over(const struct tracks *tracks, size_t *column);

/*
 * Read the whole file, and be at its beginning. Nothing of it may be beyond what the joints can
 * do. Tracks of which no row tells anything are dropped. Return: as recording_open().
 */
int tracks_check(struct tracks *tracks, struct naohw_error *err);

/*
 * Go on to @time, in ns since the first row. No place goes faster than the file ever does, so
 * where that tells nothing for a while it may be late. Return: as recording_open().
 */
int tracks_go_to(struct tracks *tracks, int64_t time, struct naohw_error *err);

/*
 * The same by @least ns or, if a row comes soon after that, up to this row: by @most ns. Between
 * two such times the places are on straight lines.
 */
int tracks_go_on(struct tracks *tracks, int64_t least, int64_t most, struct naohw_error *err);

/* Is every place where the file ends? */
bool tracks_have_ended(const struct tracks *tracks);

#endif
