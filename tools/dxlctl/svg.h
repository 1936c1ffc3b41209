/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A film, or a picture of one frame, as SVG that moves by itself. */
#ifndef DXLCTL_SVG_H
#define DXLCTL_SVG_H

#include "film.h"

void svg_write(FILE *out, const struct film *film, const char *title);

#endif
