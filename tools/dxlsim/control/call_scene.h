/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands that tell all there is to see, and from where it is seen. */
#ifndef DXLSIM_CALL_SCENE_H
#define DXLSIM_CALL_SCENE_H

#include "call.h"

bool call_scene(struct call *call);
bool call_cameras(struct call *call);

#endif
