/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands by which a test furnishes the room of a robot with a body, and looks at both. */
#ifndef DXLSIM_CALL_ROOM_H
#define DXLSIM_CALL_ROOM_H

#include "call.h"

/* The robot's body, brought to now; or NULL after saying that there is none. */
struct world *call_world(struct call *call);

/* Its line: name, box or ball, sides, where its middle is, turn. */
void call_tell_thing(struct call *call, const struct thing *thing);

bool call_hold(struct call *call);
bool call_let_go(struct call *call);
bool call_links(struct call *call);
bool call_floor(struct call *call);
bool call_box(struct call *call);
bool call_wall(struct call *call);
bool call_ball(struct call *call);
bool call_take(struct call *call);
bool call_room(struct call *call);

#endif
