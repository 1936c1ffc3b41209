// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A curve goes on by rising counts and falling values, to a point without a count.
 * What is farther than its first point is out of sight, as is a value of 0: both count
 * nothing. What is nearer than its last one counts as that.
 */
#include <math.h>

#include "curve.h"

static double between(double at, double from, double to, double first, double last)
{
	return first + (at - from) * (last - first) / (to - from);
}

double curve_value(const struct point *curve, int count)
{
	if (count < curve->count)
		return 0;
	while (curve[1].count && count >= curve[1].count)
		curve++;
	if (!curve[1].count)
		return curve->value;

	return between(count, curve[0].count, curve[1].count, curve[0].value,
		       curve[1].value);
}

int curve_count(const struct point *curve, double value)
{
	if (value == 0 || value > curve->value)
		return 0;
	while (curve[1].count && value <= curve[1].value)
		curve++;
	if (!curve[1].count)
		return curve->count;

	return lround(between(value, curve[0].value, curve[1].value,
			      curve[0].count, curve[1].count));
}
