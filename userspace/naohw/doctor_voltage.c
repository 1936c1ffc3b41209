// SPDX-License-Identifier: GPL-2.0-or-later
/* What each servo has of the supply: as much as the others, and as much as its model needs. */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"

/* How far the supply of two servos of a kind may be apart */
#define APART 0.2

/*
 * What models need, in volts, by the maker's manual: the input voltage, with half a volt for what a
 * moving robot takes, up to the highest voltage at which the servo, as delivered, gives no alarm.
 */
static const struct need {
	const char *models;
	double least;
	double most;
} needs[] = {
	{ "ax-*", 8.5, 14.0 },
	{ "rx-24f", 8.5, 19.0 },
	{ "rx-*", 11.5, 19.0 },
	{ "ex-*", 11.5, 24.0 },
	{ "mx-*", 9.5, 16.0 },
	{ "xl-320", 5.5, 9.0 },
	{ "xl430-*", 6.0, 14.0 },
	{ "xc430-*", 6.0, 16.0 },
	{ "x[mh]*-w*", 9.5, 16.0 },
	{ "xh*-v*", 11.0, 30.0 },
	{ "*", 5.5, 30.0 },
};

struct supply {
	const char *label;
	const struct need *need;
	double voltage;
};

struct supplies {
	struct supply *at;
	size_t count;
};

static const struct need *need_of(const struct patient *patient,
				  const struct patient_device *device)
{
	const struct need *need = needs;
	char model[32];

	read_below(patient->root, model, sizeof(model), "%s/name", device->iio);
	while (fnmatch(need->models, model, 0) != 0)
		need++;
	return need;
}

/* Of a servo, in volts; 0: it does not say. A board may measure something else. */
static double voltage_of(const struct patient *patient, const struct patient_device *device)
{
	char raw[32], scale[32];

	if (!*device->iio || !is_below(patient->root, "%s/out_angl0_raw", device->iio) ||
	    read_below(patient->root, raw, sizeof(raw), "%s/in_voltage0_raw", device->iio) <= 0 ||
	    read_below(patient->root, scale, sizeof(scale), "%s/in_voltage0_scale", device->iio) <=
		    0)
		return 0;
	return strtod(raw, NULL) * strtod(scale, NULL) / 1000;
}

static int compare(const void *a, const void *b)
{
	double left = ((const struct supply *)a)->voltage, right = ((const struct supply *)b)->voltage;

	return (left > right) - (left < right);
}

/* By rising voltage; without memory none */
static struct supplies supplies_of(const struct patient *patient)
{
	struct supplies all = { calloc(patient->device_count + 1, sizeof(*all.at)), 0 };

	for (size_t i = 0; i < patient->device_count && all.at; i++) {
		const struct patient_device *device = &patient->device[i];
		double voltage = voltage_of(patient, device);

		if (voltage > 0)
			all.at[all.count++] = (struct supply){
				.label = device->label,
				.need = need_of(patient, device),
				.voltage = voltage,
			};
	}
	if (all.count)
		qsort(all.at, all.count, sizeof(*all.at), compare);
	return all;
}

/* The one in the middle of those with the same need, the higher one of two */
static double usual(const struct supplies *all, const struct need *need)
{
	size_t count = 0, before = 0;

	for (size_t i = 0; i < all->count; i++)
		count += all->at[i].need == need;
	for (size_t i = 0; i < all->count; i++) {
		if (all->at[i].need != need)
			continue;
		if (before++ == count / 2)
			return all->at[i].voltage;
	}
	return 0;
}

static bool is_odd(const struct supplies *all, const struct supply *supply)
{
	double others = usual(all, supply->need);

	return supply->voltage < others * (1 - APART) || supply->voltage > others * (1 + APART);
}

static bool is_out_of_range(const struct supply *supply)
{
	return supply->voltage < supply->need->least || supply->voltage > supply->need->most;
}

static void enumerate_supply(struct enumeration *names, const struct supply *supply)
{
	char text[LABEL_SIZE + 32];

	snprintf(text, sizeof(text), "%s (%.1f V)", supply->label, supply->voltage);
	enumerate(names, text);
}

static void say_odd(struct finding *finding, struct enumeration *odd, double others)
{
	is_wrong(finding, "Another voltage than the other servos: %s.", enumerated(odd));
	because(finding,
		"The others have %.1f V: its plug or cable is bad, its supply is another one, or it "
		"measures wrongly.",
		others);
	so_do(finding, "see to its plug and its cable, and measure there; if that is right, replace it");
}

static void say_out_of_range(struct finding *finding, struct enumeration *wrong,
			     const struct need *need)
{
	is_wrong(finding, "Not the supply that it needs: %s.", enumerated(wrong));
	because(finding,
		"Its model needs %.1f to %.1f V. The battery is empty, or the supply is off or "
		"another one.",
		need->least, need->most);
	so_do(finding,
	      "charge the battery, or see to the supply; with a CM-730 or OpenCR type "
	      "naohw get ChestBoard/ServoPower/Actuator");
}

static void tell(const struct supplies *all, struct finding *finding)
{
	struct enumeration odd = { 0 }, wrong = { 0 };
	const struct need *need = NULL;
	double others = 0;

	for (size_t i = 0; i < all->count; i++) {
		const struct supply *supply = &all->at[i];

		if (is_odd(all, supply)) {
			others = usual(all, supply->need);
			enumerate_supply(&odd, supply);
		} else if (is_out_of_range(supply)) {
			need = supply->need;
			enumerate_supply(&wrong, supply);
		}
	}
	if (odd.count)
		say_odd(finding, &odd, others);
	else if (wrong.count)
		say_out_of_range(finding, &wrong, need);
	else
		is_well(finding, "%.1f V at least, at %s.", all->at[0].voltage, all->at[0].label);
}

void check_voltage(const struct patient *patient, struct finding *finding)
{
	struct supplies all = supplies_of(patient);

	if (all.count)
		tell(&all, finding);
	else
		not_looked_at(finding, "No device tells its voltage.");
	free(all.at);
}
