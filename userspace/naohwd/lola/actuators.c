// SPDX-License-Identifier: GPL-2.0-or-later
#include "actuators.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define ALIAS_PREFIX "LoLA/"
#define NAME_SIZE    64

#define PERIOD "DCM/TargetCycleTime"
#define SONAR  "US/Actuator"

/*
 * Both sides as transmitters and receivers, again and again; and once more, which ends that. One
 * side alone would give its distance under another name than clients look at.
 */
#define SONAR_ON  68
#define SONAR_OFF 4

/* ---- what there is ---- */

static void write_name(const struct lola_field *field, size_t index, char name[NAME_SIZE])
{
	if (field->of_joint)
		snprintf(name, NAME_SIZE, "%s%s", naohw_nao_joint_name(index), field->of_joint);
	else
		snprintf(name, NAME_SIZE, "%s", field->actuator[index]);
}

static void take_answers(struct lola_group *group, const char *const *answer, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (*answer[i])
			group->index[group->count++] = (unsigned char)i;
}

static bool is_others(const struct lola_orders *orders, const char *name)
{
	struct naohw_error err;

	return orders->leases && lease_check(orders->leases, NULL, name, &err) < 0;
}

static int make_group(struct lola_orders *orders, size_t index, struct naohw_error *err)
{
	const struct lola_field *field = &lola_fields[index];
	struct lola_group *group = &orders->group[index];
	const char *name[LOLA_VALUES], *answer[LOLA_VALUES];
	char room[LOLA_VALUES][NAME_SIZE];
	int ret;

	for (size_t i = 0; i < field->count; i++) {
		write_name(field, i, room[i]);
		/* Which is as if it were not there. */
		name[i] = is_others(orders, room[i]) ? "" : room[i];
	}
	snprintf(group->alias, sizeof(group->alias), ALIAS_PREFIX "%s", field->name);
	group->count = 0;
	ret = naohw_dcm_create_alias(orders->dcm, group->alias, name, field->count, answer, err);
	if (ret == 0)
		take_answers(group, answer, field->count);
	return ret == -ENOENT ? 0 : ret;
}

static int make_groups(struct lola_orders *orders, struct naohw_error *err)
{
	int ret = 0;

	for (size_t i = 0; i < LOLA_ACTUATORS && ret == 0; i++)
		if (lola_fields[i].of_joint || lola_fields[i].actuator)
			ret = make_group(orders, i, err);
	return ret;
}

int lola_orders_begin(struct lola_orders *orders, struct naohw_dcm *dcm, struct naohw_error *err)
{
	*orders = (struct lola_orders){ .dcm = dcm, .sonar = -1 };
	return make_groups(orders, err);
}

void lola_orders_obey(struct lola_orders *orders, struct leases *leases)
{
	orders->leases = leases;
	orders->changes = leases_changes(leases);
}

static int look_at_leases(struct lola_orders *orders, struct naohw_error *err)
{
	if (!orders->leases || orders->changes == leases_changes(orders->leases))
		return 0;
	orders->changes = leases_changes(orders->leases);
	return make_groups(orders, err);
}

/* ---- commands ---- */

static int give_group(const struct lola_orders *orders, const struct lola_group *group,
		      const double *value, struct naohw_error *err)
{
	const int64_t now = naohw_dcm_get_time(orders->dcm, 0);
	double given[LOLA_VALUES];

	if (!group->count)
		return 0;
	for (size_t i = 0; i < group->count; i++)
		given[i] = value[group->index[i]];
	return naohw_dcm_set_separate(orders->dcm, group->alias, NAOHW_UPDATE_CLEAR_ALL, 0, &now, 1,
				      given, group->count, err);
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

int lola_orders_give(struct lola_orders *orders, const struct lola_actuators *actuators,
		     struct naohw_error *err)
{
	int ret = look_at_leases(orders, err);

	for (size_t i = 0; i < LOLA_ACTUATORS && ret == 0; i++) {
		if (!actuators->is_given[i])
			continue;
		if (i == LOLA_SONAR)
			ret = give_sonar(orders, actuators->value[i], err);
		else
			ret = give_group(orders, &orders->group[i], actuators->value[i], err);
	}
	return ret;
}

void lola_orders_hold(struct lola_orders *orders)
{
	const struct lola_group *position = &orders->group[LOLA_POSITION];

	if (look_at_leases(orders, NULL) == 0 && position->count)
		(void)naohw_dcm_set(orders->dcm, position->alias, NAOHW_UPDATE_CLEAR_ALL, NULL, 0,
				    NULL);
}

int lola_orders_period(struct lola_orders *orders, double ms, struct naohw_error *err)
{
	int ret = orders->leases ? lease_check(orders->leases, NULL, PERIOD, err) : 0;

	return ret < 0 ? ret : give_one(orders->dcm, PERIOD, ms, err);
}
