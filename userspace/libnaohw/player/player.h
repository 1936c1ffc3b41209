/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The player's inside. It is a state machine: something is due at a time, and step.c does it when
 * it is. What that is, play.c and settle.c say, and hold.c in a halt; run.c has the loops that
 * wait for it.
 */
#ifndef NAOHW_PLAYER_H
#define NAOHW_PLAYER_H

#include <stdatomic.h>
#include <stdbool.h>

#include <naohw.h>

#include "../../common/guard_words.h"
#include "../motion/motion.h"

#define PLAYER_NS_PER_MS 1000000
/* A thousand hours, which is for ever */
#define PLAYER_MS_MAX	 3600000000L

/*
 * Where goals go. The tests have one of their own; sink_dcm.c and sink_dry.c are real. Only sleep
 * waits.
 */
struct player_sink {
	int64_t (*now)(void *data); /* ns */
	/* A play begins; NULL: that is nothing new. */
	void (*begin)(void *data);
	/* Sleep until @deadline or until a signal comes. */
	void (*sleep)(void *data, int64_t deadline);
	/* Go to this time, where the clock is none that goes by itself; NULL: it does. */
	void (*skip)(void *data, int64_t time);
	/* Return: 0; 1: it was there a moment ago, and has not answered since; a negative errno. */
	int (*present)(void *data, size_t axis, int *counts, struct naohw_error *err);
	/* Where it was sent by now, which is on the way to its goal. */
	int (*goal)(void *data, size_t axis);
	/* It has no torque; NULL: nothing is known of that. */
	bool (*is_limp)(void *data, size_t axis);
	/* Why it does not move; NULL: nothing is known of that, either. */
	enum guard_reason (*why)(void *data, size_t axis);
	/* The same of a joint of the robot that is no axis: where there is one there is this, too. */
	enum guard_reason (*why_still)(void *data, size_t joint);
	/*
	 * Bring it from the torque that it has to all of it, by this time. Return: 1; 0 it has some, or
	 * none can be given to it; or a negative errno. NULL, as is_limp: it has what it needs.
	 */
	int (*stiffen)(void *data, size_t axis, int64_t end, struct naohw_error *err);
	/* Leave it as stiff as it has become by now. */
	void (*stop_stiffening)(void *data, size_t axis);
	/* rad/s of the servo on the way to the axis's first goal of a play; NULL: the page's. */
	double (*approach_speed)(void *data, size_t axis);
	/* ms that the bus needs for what a period has; 0: there is no period to choose. NULL: nor here. */
	double (*needed_ms)(void *data);
	void (*set)(void *data, size_t axis, int goal);
	/* What was set, for a movement that begins and ends at these times. */
	int (*push)(void *data, int64_t begin, int64_t end, struct naohw_error *err);
	/* Would a push move anything? Return: 0 or -EPIPE. NULL: it would. */
	int (*check)(void *data, struct naohw_error *err);
	void (*free)(void *data); /* may be NULL */
};

struct player_axis {
	struct servo_axis info;
	bool is_head;	 /* of the robot's chain Head */
	bool is_reached; /* a page that this play may come to has a goal for it */
	bool rises;	 /* it gets its torque */
	bool is_limp;	 /* it was seen without torque in this play, which sends it nowhere */
	enum guard_reason why; /* then; or why it was not seen at its goal */
	bool moved;	 /* a page has given it a goal in this play */
	int goal;
	/* Of the present wait for arrival, or of a halt: */
	bool arrived; /* seen at its goal, or told to stay where it was seen */
	int distance; /* as last seen */
	int lost;     /* what the last look failed with, or 0 */
};

/* A joint of the description that no pose can move, though pages may have goals for it */
struct player_still {
	size_t joint; /* of the robot */
	const char *label;
	unsigned int id;
	bool is_head;
	bool is_reached;
	bool moved; /* these two as above */
	enum guard_reason why;
};

enum player_request {
	PLAYER_GO,
	PLAYER_STOP,
	PLAYER_HALT,
};

/* How far a play is. A step of 0: none of this pass has been sent. */
struct player_progress {
	const struct naohw_page *page;
	unsigned int pass; /* 1..passes */
	unsigned int passes;
	unsigned int step; /* 1..the page's */
	long step_ms;
	long pause_ms;
	long elapsed_ms;
};

struct player_arrival {
	int tolerance;
	long timeout_ms;
	bool looked;
	/* As last seen: */
	unsigned int joints;
	unsigned int off;
	unsigned int left; /* of those: they were sent nowhere */
	int worst;
	const char *worst_label;
	const char *lost_label;
	int lost_error;
	long ms;
};

struct player_callbacks {
	void (*step)(void *data, const struct naohw_player *player);
	void *step_data;
	void (*idle)(void *data, long free_ms);
	void *idle_data;
	void (*note)(void *data, const char *text);
	void *note_data;
};

struct naohw_player {
	const struct naohw_motion *motion;
	const struct player_sink *sink;
	void *data;
	size_t count;
	struct player_axis *axis;
	struct player_still *still;
	size_t still_count;
	int by_id[NAOHW_PAGE_IDS];	  /* index of the axis that pages move by this ID, -1: none */
	const struct servo_axis *nominal; /* of a servo that is only made up, or NULL */
	/* Settings */
	bool ignore_checksum; /* of the file as a whole */
	bool moves_head;
	bool gives_torque;
	double tempo;
	unsigned int repeat;
	long max_ms;
	struct player_callbacks callbacks;
	/* What is asked for; all else belongs to one thread. */
	atomic_int request;
	/* What has been begun */
	enum naohw_player_state state;
	bool holding; /* a halt, which the joints are still to come to */
	bool waits;   /* before its first step: for torque, or for what is said of it */
	int64_t began;
	int64_t due; /* when there is something to do again */
	struct player_progress progress;
	bool exited[MOTION_PAGES]; /* an exit has led there */
	struct player_arrival arrival;
};

/* Make a player on @sink; @data is the player's from here on, also on failure. */
int player_create(const struct naohw_motion *motion, const struct servo_axis *axes, size_t count,
		  const struct player_sink *sink, void *data, struct naohw_player **player,
		  struct naohw_error *err);

/*
 * Before a play: give torque to the joints that it moves, if it is to. Return: for how long the first
 * step is to wait, in ns, or a negative errno.
 */
int64_t player_give_torque(struct naohw_player *player, struct naohw_error *err);

/* A halt before the first step: joints keep the torque that they have by now. */
void player_stop_stiffening(struct naohw_player *player);

/* Look which of the joints that the play moves are limp, and note them. */
void player_note_limp(struct naohw_player *player);

/* Is it, or was it once in this play? */
bool player_is_limp(struct naohw_player *player, size_t axis);

/* Why it does not move, as far as is known. */
enum guard_reason player_why(const struct naohw_player *player, size_t axis);

/*
 * The joints that the play leaves out, of which pages have given a goal by now (@moved), or all others:
 * their labels, with a blank before each, and behind those of one reason its word, in as much room as
 * there is. @which: only those that want torque, or only those for which another reason counts.
 */
enum player_list { PLAYER_LIST_ALL, PLAYER_LIST_LIMP, PLAYER_LIST_OTHERS };
void player_list_left(const struct naohw_player *player, bool moved, enum player_list which,
		      char *labels, size_t size);

/* A joint of the description that no pose has and that pages move by this ID; NULL: there is none. */
struct player_still *player_find_still(const struct naohw_player *player, unsigned int id);

/* What of a play's beginning comes after its wait for torque: a look at where the joints are. */
void player_begin_steps(struct naohw_player *player);

/* By which IDs pages move which of its joints, as it is set. */
void player_bind_axes(struct naohw_player *player);

/*
 * The servos of a pose that are joints, as the description has a key for their goals. @axes has room
 * for all of the pose and one more. Return: how many they are.
 */
size_t player_take_axes(const struct naohw_pose *pose, struct servo_axis *axes);

/* Which of its joints are the head, the description says. */
void player_know_head(struct naohw_player *player, const struct naohw_robot *robot);

/* Which joints that the description has are none of its. Return: 0 or -ENOMEM. */
int player_know_still(struct naohw_player *player, const struct naohw_robot *robot);

/* One that moves nothing, with these servos. */
int player_create_dry(const struct naohw_motion *motion, const struct servo_axis *axes,
		      size_t count, struct naohw_player **player, struct naohw_error *err);

/* Servos that are only made up are those that a play's first page moves. */
void player_bind(struct naohw_player *player, const struct naohw_page *first);

/* As naohw_player_check(), and tell which pages can be reached: MOTION_PAGES of them. */
int player_check(struct naohw_player *player, unsigned int first, bool *reachable,
		 struct naohw_error *err);

/* Note each way between steps of these pages that is faster than its servo. */
void player_note_too_fast(const struct naohw_player *player, const bool *reachable);

/* Note how far apart goals are, if that is more than a page's tick. */
void player_note_period(const struct naohw_player *player);

enum player_request player_requested(const struct naohw_player *player);

/* Something has been begun and is not over. */
bool player_is_busy(const struct naohw_player *player);

/* Say so, -EBUSY. */
int player_busy(struct naohw_error *err);

/* What was begun is over; requests were for that. */
void player_end(struct naohw_player *player, enum naohw_player_state state);

/* The time, by the sink's clock. */
int64_t player_now(const struct naohw_player *player);

/* Is there something to do? */
bool player_is_due(struct naohw_player *player);

/* Do it, whatever was begun. A failure is its end. */
int player_advance(struct naohw_player *player, struct naohw_error *err);

/* What is due of a play: the next step, or its end. */
int player_play_on(struct naohw_player *player, struct naohw_error *err);

/* What is due while the joints settle: a look at them. */
int player_settle_on(struct naohw_player *player, struct naohw_error *err);

/*
 * A halt: every joint that is on its way stops where it is found. A moment later, player_let_go()
 * is due: -ECANCELED.
 */
void player_hold(struct naohw_player *player);
int player_let_go(const struct naohw_player *player, struct naohw_error *err);

/* A goal that the servo can have. */
int player_clamp(const struct player_axis *axis, int counts);

void player_note(const struct naohw_player *player, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
