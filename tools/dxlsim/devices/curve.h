/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sensor whose counts are no line: points that were measured, and lines between them. */
#ifndef DXLSIM_CURVE_H
#define DXLSIM_CURVE_H

struct point {
	int count;
	double value;
};

double curve_value(const struct point *curve, int count);
int curve_count(const struct point *curve, double value);

#endif
