/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The passive diagnosis of one joint or device: what its answers say, or that there are none. A trouble begins
 * when it has been seen for some time, and is over when it has not been seen for some time.
 */
#ifndef NAOHW_DIAGNOSIS_PASSIVE_H
#define NAOHW_DIAGNOSIS_PASSIVE_H

#include <stdbool.h>
#include <stdint.h>

/* ms without a good answer: answers that are a second late are good. */
#define PASSIVE_SILENT_MS 2000
/* An error code is believed after so many frames with it, and so long */
#define PASSIVE_CODE_FRAMES 4
#define PASSIVE_CODE_MS	    200
/* of which none is further from the last one than this: boards send several errors in turn */
#define PASSIVE_CODE_GAP_MS 200
/* the same of noise */
#define PASSIVE_NOISE_FRAMES 20
#define PASSIVE_NOISE_MS     2000
/* of which none is further from the last one than this */
#define PASSIVE_NOISE_GAP_MS 500
/* What is believed is over when none of the last ms has had it. */
#define PASSIVE_TURN_MS 2000
/* A trouble is over after so many good frames, one after the other, and so long */
#define PASSIVE_GOOD_FRAMES 50
#define PASSIVE_GOOD_MS	    1000

enum passive_cause {
	PASSIVE_FINE,
	PASSIVE_NO_ANSWER,
	PASSIVE_NO_TORQUE, /* the servo has switched itself off */
	PASSIVE_CODE,
};

/* What a frame has of the joint */
struct passive_seen {
	bool answers;
	bool has_lost_torque; /* as the kernel says */
	int code;	      /* of its board; 0: none */
	bool has_error;	      /* whatever its code is, as by a servo's alarm */
};

/* Something that comes and goes in the frames */
struct passive_sign {
	int64_t since; /* ms, of the first of those that are not over */
	int64_t last;
	unsigned int frames; /* that had it; 0: none */
};

struct passive {
	double silent_ms; /* since its last answer, or the first look */
	unsigned int good; /* frames without any trouble, one after the other */
	int64_t good_since; /* ms */
	struct passive_sign error;
	struct passive_sign noise;
	int last_code;
	enum passive_cause cause;
	int code; /* of the cause; 0: it is a servo's alarm */
	int64_t code_at; /* ms, when it was seen last */
};

/*
 * A frame has come, or its time has passed without one. @now: ms. @since: ms since the look before, but no
 * more than a cycle takes: in a time in which nobody looked no joint was silent.
 */
void passive_look(struct passive *passive, const struct passive_seen *seen, int64_t now,
		  double since);

#endif
