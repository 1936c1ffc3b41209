/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command that tells all there is to see, for whoever draws it. */
#ifndef DXLSIM_CALL_SCENE_H
#define DXLSIM_CALL_SCENE_H

#include "call.h"

bool call_scene(struct call *call);

#endif
