// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A packet is one call of the DCM's, so that all of it begins in the same cycle: there is an alias
 * of what a packet has values for, which changes when a packet has others than the one before.
 */
#include "actuators.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define NAME_SIZE 64
/* Packets that are given at once: one that comes late falls into the cycle of the next. */
#define GIVE_MAX 2

#define PACKET "LoLA/packet"
#define JOINTS "LoLA/joints"
#define BACK   "LoLA/back"

#define SONAR "US/Actuator"

/*
 * Both sides as transmitters and receivers, again and again; and once more, which ends that. One
 * side alone would give its distance under another name than clients look at.
 */
#define SONAR_ON  68
#define SONAR_OFF 4

/* ---- what there is ---- */

static void write_name(size_t choice, char name[NAME_SIZE])
{
	const struct lola_field *field = &lola_fields[choice / LOLA_VALUES];
	size_t index = choice % LOLA_VALUES;

	if (field->of_joint)
		snprintf(name, NAME_SIZE, "%s%s", naohw_nao_joint_name(index), field->of_joint);
	else
		snprintf(name, NAME_SIZE, "%s", field->actuator[index]);
}

/* @there: receives which of them the robot has; NULL: nobody wants to know. */
static int make_alias(struct naohw_dcm *dcm, const char *alias, const struct lola_choice *choice,
		      struct lola_choice *there, struct naohw_error *err)
{
	const char *name[LOLA_CHOICES], *answer[LOLA_CHOICES];
	char room[LOLA_CHOICES][NAME_SIZE];
	size_t count = 0;
	int ret;

	for (size_t i = 0; i < LOLA_CHOICES; i++) {
		if (!choice->is_in[i])
			continue;
		write_name(i, room[count]);
		name[count] = room[count];
		count++;
	}
	ret = naohw_dcm_create_alias(dcm, alias, name, count, answer, err);
	if (ret < 0 || !there)
		return ret;
	count = 0;
	for (size_t i = 0; i < LOLA_CHOICES; i++)
		there->is_in[i] = choice->is_in[i] && *answer[count++];
	return 0;
}

static void choose_field(struct lola_choice *choice, size_t field)
{
	for (size_t i = 0; i < lola_fields[field].count; i++)
		choice->is_in[field * LOLA_VALUES + i] = true;
}

static bool is_others(const struct lola_orders *orders, const char *name)
{
	struct naohw_error err;

	return orders->leases && lease_check(orders->leases, NULL, name, &err) < 0;
}

/* Has a program let go of it that held it alone, and is it on its way to that one's end? */
static bool is_ending(const struct lola_orders *orders, size_t choice, int64_t *end)
{
	*end = 0;
	if (orders->leases && lola_fields[choice / LOLA_VALUES].of_joint)
		*end = leases_joint_end(orders->leases, naohw_nao_joint_name(choice % LOLA_VALUES));
	return *end > 0;
}

/* What another program holds alone is as if it were not there, and its end is as if it held on. */
static void leave_out_others(struct lola_orders *orders, struct lola_choice *choice)
{
	char name[NAME_SIZE];
	int64_t end;

	for (size_t i = 0; i < LOLA_CHOICES; i++) {
		if (!choice->is_in[i])
			continue;
		write_name(i, name);
		choice->is_in[i] = !is_others(orders, name) && !is_ending(orders, i, &end);
	}
}

/* When the first of those is over; 0: there are none. */
static int64_t next_end(const struct lola_orders *orders)
{
	int64_t next = 0, end;

	for (size_t i = 0; i < LOLA_JOINTS; i++)
		if (is_ending(orders, LOLA_POSITION * LOLA_VALUES + i, &end) &&
		    (!next || end < next))
			next = end;
	return next;
}

static void note_back(struct lola_orders *orders, const struct lola_choice *before)
{
	for (size_t i = 0; i < LOLA_JOINTS; i++) {
		size_t choice = LOLA_POSITION * LOLA_VALUES + i;

		if (!before->is_in[choice] && orders->there.is_in[choice])
			orders->returning.is_back[i] = true;
	}
}

static int look(struct lola_orders *orders, struct naohw_error *err)
{
	struct lola_choice all = { 0 };
	int ret;

	orders->freed_at = next_end(orders);

	orders->there = orders->chosen = (struct lola_choice){ 0 };
	for (size_t i = 0; i < LOLA_ACTUATORS; i++)
		if (lola_fields[i].of_joint || lola_fields[i].actuator)
			choose_field(&all, i);
	leave_out_others(orders, &all);
	ret = make_alias(orders->dcm, PACKET, &all, &orders->there, err);
	if (ret < 0)
		return ret == -ENOENT ? 0 : ret;
	orders->chosen = orders->there;
	return 0;
}

/* Those that were another program's, or on their way to its end, come back. */
static int look_again(struct lola_orders *orders, struct naohw_error *err)
{
	const struct lola_choice before = orders->there;
	int ret = look(orders, err);

	note_back(orders, &before);
	return ret;
}

int lola_orders_begin(struct lola_orders *orders, struct naohw_dcm *dcm, struct naohw_error *err)
{
	struct lola_choice joints = { 0 };
	int ret;

	*orders = (struct lola_orders){ .dcm = dcm, .may_give = GIVE_MAX, .sonar = -1 };
	lola_returning_begin(&orders->returning, dcm);
	/* Their places, which others may fill up. */
	choose_field(&joints, LOLA_POSITION);
	ret = make_alias(dcm, JOINTS, &joints, NULL, err);
	if (ret == 0)
		ret = make_alias(dcm, BACK, &joints, NULL, err);
	return ret < 0 && ret != -ENOENT ? ret : look(orders, err);
}

void lola_orders_obey(struct lola_orders *orders, struct leases *leases, const struct lola_end *end)
{
	orders->leases = leases;
	orders->ending.leases = leases;
	orders->ending.end = *end;
	orders->changes = leases_changes(leases);
}

static int look_at_leases(struct lola_orders *orders, struct naohw_error *err)
{
	bool is_freed = orders->freed_at && naohw_dcm_get_time(orders->dcm, 0) >= orders->freed_at;

	if (!orders->leases || (orders->changes == leases_changes(orders->leases) && !is_freed))
		return 0;
	orders->changes = leases_changes(orders->leases);
	return look_again(orders, err);
}

/* ---- commands ---- */

/* While a person has the robot limp the DCM refuses it, and a packet would be refused as a whole. */
static bool is_refused(bool is_limp, size_t field, double value)
{
	return is_limp && field == LOLA_STIFFNESS && value > 0;
}

/* What of a packet there are actuators for. */
static void choose(const struct lola_orders *orders, const struct lola_actuators *actuators,
		   struct lola_choice *choice)
{
	bool is_limp = naohw_dcm_is_limp(orders->dcm);

	for (size_t i = 0; i < LOLA_CHOICES; i++) {
		size_t field = i / LOLA_VALUES;
		double value = actuators->value[field][i % LOLA_VALUES];

		choice->is_in[i] = orders->there.is_in[i] && actuators->is_given[field] &&
				   !isnan(value) && !is_refused(is_limp, field, value);
	}
}

/* Joints that are back are not given as they are: they go there in steps. */
static void take_out_back(struct lola_orders *orders, const struct lola_actuators *actuators,
			  struct lola_choice *choice)
{
	struct lola_returning *returning = &orders->returning;

	for (unsigned int i = 0; i < LOLA_JOINTS; i++) {
		bool *is_in = &choice->is_in[LOLA_POSITION * LOLA_VALUES + i];

		if (!*is_in || !returning->is_back[i])
			continue;
		lola_returning_ask(returning, i, actuators->value[LOLA_POSITION][i]);
		*is_in = false;
	}
}

/* In order. Return: how many. */
static size_t put_values(const struct lola_actuators *actuators, const struct lola_choice *choice,
			 double value[LOLA_CHOICES])
{
	size_t count = 0;

	for (size_t i = 0; i < LOLA_CHOICES; i++)
		if (choice->is_in[i])
			value[count++] = actuators->value[i / LOLA_VALUES][i % LOLA_VALUES];
	return count;
}

static int have_chosen(struct lola_orders *orders, const struct lola_choice *choice,
		       struct naohw_error *err)
{
	int ret;

	if (memcmp(&orders->chosen, choice, sizeof(*choice)) == 0)
		return 0;
	ret = make_alias(orders->dcm, PACKET, choice, NULL, err);
	if (ret == 0)
		orders->chosen = *choice;
	return ret;
}

static void note_moved(struct lola_orders *orders, const struct lola_choice *choice)
{
	bool is_moved[LOLA_JOINTS];

	for (size_t i = 0; i < LOLA_JOINTS; i++)
		is_moved[i] = choice->is_in[LOLA_POSITION * LOLA_VALUES + i] ||
			      choice->is_in[LOLA_STIFFNESS * LOLA_VALUES + i];
	lola_ending_moved(&orders->ending, is_moved);
}

static int give_alias(struct lola_orders *orders, const char *alias, int64_t time,
		      const double *value, size_t count, struct naohw_error *err)
{
	if (orders->leases)
		lease_use_while_ending(orders->leases, alias);
	return naohw_dcm_set_separate(orders->dcm, alias, NAOHW_UPDATE_CLEAR_ALL, 0, &time, 1,
				      value, count, err);
}

static int give_values(struct lola_orders *orders, const struct lola_actuators *actuators,
		       struct naohw_error *err)
{
	const int64_t now = naohw_dcm_get_time(orders->dcm, 0);
	struct lola_choice all, choice;
	double value[LOLA_CHOICES];
	size_t count;
	int ret = 0;

	choose(orders, actuators, &all);
	choice = all;
	take_out_back(orders, actuators, &choice);
	count = put_values(actuators, &choice, value);
	if (count)
		ret = have_chosen(orders, &choice, err);
	if (count && ret == 0)
		ret = give_alias(orders, PACKET, now, value, count, err);
	/* A person has let the robot go since: the next packet goes without what is refused. */
	if (ret == -EPERM)
		ret = 0;
	/* Behind it, as that is a use of them, too. */
	note_moved(orders, &all);
	return ret;
}

/* Of joints that no other program has moved since */
static void leave_out_moved(struct lola_orders *orders)
{
	char name[NAME_SIZE];

	for (unsigned int i = 0; i < LOLA_JOINTS; i++) {
		if (!orders->returning.is_asked[i])
			continue;
		write_name(LOLA_POSITION * LOLA_VALUES + i, name);
		orders->returning.is_asked[i] = lola_ending_has(&orders->ending, i, name);
	}
}

static int give_steps(struct lola_orders *orders, struct naohw_error *err)
{
	struct lola_choice joints = { 0 };
	double value[LOLA_JOINTS];
	struct lola_steps steps;
	size_t count = 0;
	int ret;

	leave_out_moved(orders);
	if (!lola_returning_steps(&orders->returning, &steps))
		return 0;
	for (size_t i = 0; i < LOLA_JOINTS; i++) {
		if (!steps.is_in[i])
			continue;
		joints.is_in[LOLA_POSITION * LOLA_VALUES + i] = true;
		value[count++] = steps.to[i];
	}
	ret = make_alias(orders->dcm, BACK, &joints, NULL, err);
	if (ret == 0)
		ret = give_alias(orders, BACK, steps.time, value, count, err);
	note_moved(orders, &joints);
	return ret;
}

static int give_one(struct naohw_dcm *dcm, const char *name, double value, struct naohw_error *err)
{
	const struct naohw_command command = {
		.value = value,
		.time = naohw_dcm_get_time(dcm, 0),
	};

	return naohw_dcm_set(dcm, name, NAOHW_UPDATE_CLEAR_ALL, &command, 1, err);
}

/* Each setting sends a wave, so that only changes are set. */
static int give_sonar(struct lola_orders *orders, const double *value, struct naohw_error *err)
{
	double mode = value[0] != 0 || value[1] != 0 ? SONAR_ON : SONAR_OFF;
	int ret;

	if (is_others(orders, SONAR) || mode == orders->sonar ||
	    (mode == SONAR_OFF && orders->sonar < 0))
		return 0;
	ret = give_one(orders->dcm, SONAR, mode, err);
	if (ret == 0)
		orders->sonar = mode;
	return ret == -ENOENT ? 0 : ret;
}

static int give_waiting(struct lola_orders *orders, struct naohw_error *err)
{
	const struct lola_actuators *actuators = &orders->waiting;
	int ret;

	if (!orders->is_waiting)
		return 0;
	orders->is_waiting = false;
	ret = look_at_leases(orders, err);
	if (ret == 0)
		ret = give_values(orders, actuators, err);
	if (ret == 0 && actuators->is_given[LOLA_SONAR])
		ret = give_sonar(orders, actuators->value[LOLA_SONAR], err);
	return ret;
}

/* Of what two packets say the later one counts, where it can be used. */
static void add_field(struct lola_actuators *to, const struct lola_actuators *from, size_t field)
{
	for (size_t i = 0; i < LOLA_VALUES; i++)
		if (!to->is_given[field] || !isnan(from->value[field][i]))
			to->value[field][i] = from->value[field][i];
	to->is_given[field] = true;
}

static void let_wait(struct lola_orders *orders, const struct lola_actuators *actuators)
{
	if (!orders->is_waiting)
		orders->waiting = (struct lola_actuators){ 0 };
	orders->is_waiting = true;
	for (size_t i = 0; i < LOLA_ACTUATORS; i++)
		if (actuators->is_given[i])
			add_field(&orders->waiting, actuators, i);
}

static int give_if_allowed(struct lola_orders *orders, struct naohw_error *err)
{
	if (!orders->is_waiting || !orders->may_give)
		return 0;
	orders->may_give--;
	return give_waiting(orders, err);
}

int lola_orders_give(struct lola_orders *orders, const struct lola_actuators *actuators,
		     struct naohw_error *err)
{
	lola_ending_heard(&orders->ending, naohw_dcm_get_time(orders->dcm, 0));
	let_wait(orders, actuators);
	return give_if_allowed(orders, err);
}

void lola_orders_look(struct lola_orders *orders)
{
	if (naohw_dcm_is_resting(orders->dcm))
		lola_ending_forget(&orders->ending);
}

int lola_orders_cycle(struct lola_orders *orders, struct naohw_error *err)
{
	int ret;

	if (orders->may_give < GIVE_MAX)
		orders->may_give++;
	ret = give_if_allowed(orders, err);
	return ret < 0 ? ret : give_steps(orders, err);
}

/* Nobody wants it any more; what others hold is theirs. */
static void end_sonar(struct lola_orders *orders)
{
	static const double off[2];

	(void)give_sonar(orders, off, NULL);
	orders->sonar = -1;
}

/* Those that it has moved, and what others move goes on. */
static void stop_joints(struct lola_orders *orders)
{
	struct lola_choice joints = { 0 };
	char name[NAME_SIZE];

	for (unsigned int i = 0; i < LOLA_JOINTS; i++) {
		size_t choice = LOLA_POSITION * LOLA_VALUES + i;

		write_name(choice, name);
		joints.is_in[choice] = lola_ending_has(&orders->ending, i, name);
	}
	leave_out_others(orders, &joints);
	if (make_alias(orders->dcm, JOINTS, &joints, NULL, NULL) == 0)
		(void)naohw_dcm_set(orders->dcm, JOINTS, NAOHW_UPDATE_CLEAR_ALL, NULL, 0, NULL);
}

void lola_orders_end(struct lola_orders *orders)
{
	(void)give_waiting(orders, NULL);
	lola_returning_stop(&orders->returning);
	end_sonar(orders);
	if (orders->ending.is_heard)
		stop_joints(orders);
	lola_ending_gone(&orders->ending, naohw_dcm_get_time(orders->dcm, 0));
}

bool lola_orders_are_over(const struct lola_orders *orders)
{
	return lola_ending_is_due(&orders->ending, naohw_dcm_get_time(orders->dcm, 0));
}

void lola_orders_finish(struct lola_orders *orders)
{
	lola_returning_stop(&orders->returning);
	lola_ending_come(&orders->ending, naohw_dcm_get_time(orders->dcm, 0));
}

uint32_t lola_orders_moved(const struct lola_orders *orders)
{
	return lola_ending_owed(&orders->ending, naohw_dcm_get_time(orders->dcm, 0));
}

void lola_orders_have_moved(struct lola_orders *orders, uint32_t joints)
{
	lola_ending_owe(&orders->ending, joints, naohw_dcm_get_time(orders->dcm, 0));
}

bool lola_orders_are_silent(const struct lola_orders *orders)
{
	return lola_ending_is_silent(&orders->ending, naohw_dcm_get_time(orders->dcm, 0));
}
