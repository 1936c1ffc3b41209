// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A cycle: what comes in, what follows from it, and what goes out. It allocates nothing, takes no
 * lock, and waits for nothing but its frame.
 */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "../base/base.h"
#include "../frame/frame.h"
#include "../pose/pose.h"
#include "../store/store.h"
#include "host.h"
#include "monotonic.h"

/* The time that a cycle after a long one has for its own part: what it missed is not made up for. */
#define PERIODS_MAX 2
#define MS_PER_S    1000.0

/* ---- in ---- */

static void note_text(char text[NAOHW_TEXT_SIZE], const char *what)
{
	text_cut(text, NAOHW_TEXT_SIZE, what);
}

static void note_frame(struct dcm_host *dcm)
{
	struct live *live = &dcm->live;
	int64_t time = naohw_frame_time(dcm->frame);

	if (live->frame_time)
		live->frame_ms = (double)(time - live->frame_time) / DCM_NS_PER_MS;
	live->frame_time = time;
	live->frames++;
	note_text(live->fault, frame_absence(dcm->frame));
	if (*live->fault)
		live->missed++;
}

/* Without a bus no frame comes at once, and others still want their poses. */
static void wait_a_period(const struct dcm_host *dcm)
{
	int64_t period = naohw_frame_period(dcm->frame);
	const struct timespec pause = {
		.tv_nsec = period > 0 && period < 100 * DCM_NS_PER_MS ? period :
									10 * DCM_NS_PER_MS,
	};

	clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
}

static bool read_frame(struct dcm_host *dcm)
{
	struct naohw_error err = { "" };
	int ret = naohw_frame_read(dcm->frame, &err);

	dcm->lacks_bus = ret == -ENODEV || frame_lacks_bus(dcm->frame);
	if (ret == 0) {
		note_frame(dcm);
		return true;
	}
	if (ret == -ECANCELED)
		return false;
	dcm->live.missed++;
	note_text(dcm->live.fault, err.message);
	if (ret != -ETIMEDOUT)
		wait_a_period(dcm);
	return false;
}

/* ---- time ---- */

static int64_t longest_step(const struct dcm_host *dcm)
{
	int64_t period = naohw_frame_period(dcm->frame) / DCM_NS_PER_MS;

	return PERIODS_MAX * (period > 0 ? period : 10);
}

static void note_cycle(struct dcm_host *dcm, int64_t ns)
{
	struct live *live = &dcm->live;

	live->cycle_ms = dcm->time_ns ? (double)(ns - dcm->time_ns) / DCM_NS_PER_MS : 0;
	if (live->cycle_ms <= dcm->preferences.cycle_time_warning)
		return;
	live->errors++;
	live->error_time = ns / DCM_NS_PER_MS;
	/* The kernel may have let the joints go meanwhile. */
	torque_look(dcm->torque);
}

static void take_time(struct dcm_host *dcm)
{
	int64_t ns = monotonic_ns(), now = ns / DCM_NS_PER_MS;
	int64_t most = longest_step(dcm);

	note_cycle(dcm, ns);
	dcm->before = dcm->time_ns && now - dcm->time < most ? dcm->time : now - most;
	dcm->since_ms = fmin(dcm->live.cycle_ms, (double)most);
	dcm->time = now;
	dcm->time_ns = ns;
}

/* ---- the store ---- */

/* A tone ends by itself. */
static double value_of(const struct actuator *actuator)
{
	if (actuator->is_tone)
		return subdevice_from_device(actuator->subdevice,
					     source_tone_hz(actuator->subdevice));
	return actuator_value(actuator, actuator->sent);
}

static void tell_actuator(const struct dcm_host *dcm, size_t index)
{
	const struct actuator *actuator = &dcm->actuators.list[index];
	struct naohw_value value = { .time = dcm->sent_at, .state = NAOHW_STATE_FRESH };

	if (!actuator->is_known || actuator->kind == ACTUATOR_PERIOD)
		return;
	if (writer_error_of(dcm->writer, actuator))
		value.state = NAOHW_STATE_FAULTY;
	store_number(&value, value_of(actuator));
	store_put(dcm->base.store, dcm->slot[index], &value);
}

static void publish(struct dcm_host *dcm)
{
	for (size_t i = 0; i < dcm->actuators.count; i++)
		tell_actuator(dcm, i);
	joints_tell(&dcm->joints, dcm->base.store, dcm->time_ns);
	live_tell(dcm);
	texts_show(&dcm->texts, dcm->base.store, dcm->time_ns);
	store_publish(dcm->base.store);
}

/* ---- what is to be sent ---- */

static int64_t travel_ms(const struct dcm_host *dcm, const struct actuator *actuator,
			 double level)
{
	double way = fabs((level - actuator->sent) * actuator->scale);

	if (actuator->kind != ACTUATOR_POSITION || isnan(way))
		return 0;
	return (int64_t)ceil(way / dcm->preferences.speed_without_time * MS_PER_S);
}

void dcm_place(const struct dcm_host *dcm, const struct actuator *actuator, struct point *points,
	       size_t count)
{
	if (count == 1 && points[0].time == NAOHW_TIME_NONE)
		points[0].time = dcm->before + travel_ms(dcm, actuator, points[0].level);
	if (count && isnan(points[0].level))
		points[0] = queue_at(&actuator->queue, points[0].time);
}

void dcm_update(struct dcm_host *dcm, struct actuator *actuator, enum naohw_update update,
		const struct point *points, size_t count)
{
	const struct point from = { .time = dcm->before, .level = actuator->line };

	if (actuator->kind == ACTUATOR_ABSENT || atomic_load(&actuator->is_taken))
		return;
	if (queue_update(&actuator->queue, update, points, count, &from) == 0 && count)
		actuator->is_driven = true;
}

/*
 * While a person has let the robot go, drop all commands for joints. A program that lets a joint go is not
 * affected: it does so at once.
 */
static void drop_commands(struct dcm_host *dcm)
{
	if (!torque_is_limp(dcm->torque))
		return;
	for (size_t i = 0; i < dcm->actuators.count; i++)
		if (actuator_is_of_pose(&dcm->actuators.list[i]))
			dcm_update(dcm, &dcm->actuators.list[i], NAOHW_UPDATE_CLEAR_ALL, NULL, 0);
}

/* Of a line that ends in this cycle the queue says nothing afterwards. */
static void note_line(struct actuator *actuator)
{
	struct queue_line on = queue_line(&actuator->queue);

	if (on.slope > 0)
		actuator->on = on;
}

/*
 * What is commanded was brought within its range when it was given. A period may be shorter than the
 * ms in which commands have their times.
 */
static void plan_one(struct actuator *actuator, int64_t now, double beyond)
{
	if (actuator->is_straight) {
		note_line(actuator);
		actuator->next = actuator_whole(actuator,
						queue_follow(&actuator->queue, now, beyond));
		note_line(actuator);
		actuator->is_in_step = queue_is_in_step(&actuator->queue);
	} else if (queue_fire(&actuator->queue, now, &actuator->next)) {
		actuator->is_due = true;
	}
	actuator->planned = actuator->next;
}

static void plan(struct dcm_host *dcm)
{
	double beyond = (double)(dcm->time_ns % DCM_NS_PER_MS) / DCM_NS_PER_MS;

	dcm->was_set = false;
	for (size_t i = 0; i < dcm->actuators.count; i++)
		plan_one(&dcm->actuators.list[i], dcm->time, beyond);
	joints_guard(&dcm->joints, dcm->base.store, dcm->time, dcm->since_ms, dcm->battery.part);
	actuators_follow(&dcm->actuators);
}

/* ---- out ---- */

static void send_one(struct dcm_host *dcm, struct actuator *actuator)
{
	bool is_slow = actuator->kind == ACTUATOR_SLOW || actuator->kind == ACTUATOR_PERIOD;
	bool is_new = actuator->next != actuator->sent || !actuator->is_known;

	actuator->on = (struct queue_line){ 0 };
	if ((!actuator->is_driven && is_slow) || isnan(actuator->next))
		return;
	if (is_slow && (actuator->is_straight ? is_new : actuator->is_due))
		writer_leave(dcm->writer, actuator, actuator->next);
	if (actuator->is_straight || actuator->is_due)
		actuator->is_known = true;
	actuator->is_due = false;
	actuator->sent = actuator->next;
	/* A hardness goes on where it was to be, a position where it is. */
	actuator->line = actuator->kind == ACTUATOR_HARDNESS ? actuator->planned : actuator->sent;
}

static void send(struct dcm_host *dcm)
{
	struct naohw_error err = { "" };

	for (size_t i = 0; i < dcm->actuators.count; i++)
		send_one(dcm, &dcm->actuators.list[i]);
	joints_put(&dcm->joints, dcm->pose, dcm->since_ms);
	dcm->sent_at = monotonic_ns();
	/* One of a bus that is behind is followed by a newer one; others do not wait for it. */
	(void)pose_push_now(dcm->pose, &err);
	note_text(dcm->live.trouble, err.message);
}

void dcm_end_cycles(struct dcm_host *dcm)
{
	if (!rest_stop(dcm))
		return;
	plan(dcm);
	send(dcm);
}

/* ---- all ---- */

void dcm_cycle(struct dcm_host *dcm)
{
	bool has_frame = read_frame(dcm);

	take_time(dcm);
	if (has_frame)
		joints_look(&dcm->joints, dcm->pose, dcm->frame, dcm->time);
	joints_take_news(&dcm->joints, dcm->torque, dcm->time);
	publish(dcm);
	battery_look(&dcm->battery, dcm->base.store, dcm->since_ms);
	rest_look(dcm, has_frame);
	dcm_call_all(&dcm->base, DCM_CALLBACK_POST);
	drop_commands(dcm);
	dcm_read_letters(dcm);
	plan(dcm);
	dcm_call_all(&dcm->base, DCM_CALLBACK_PRE);
	if (dcm->was_set)
		plan(dcm);
	send(dcm);
	beat_strike(&dcm->beat, writer_has_work(dcm->writer));
}
