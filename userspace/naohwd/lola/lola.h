/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * LoLA, the socket protocol of NAO v6, at a DCM. A client gets a packet with all that the robot
 * senses in each cycle, and sends packets with some of what it is to do; naohwd(8) tells the rest.
 *
 *	fields.c     which key each index of a client's field is
 *	decode.c     a client's bytes into values, or what is wrong with them
 *	actuators.c  these values to the DCM
 *	sensors.c    messages into the values of a packet
 *	encode.c     these into bytes
 *	server.c     who is connected
 */
#ifndef NAOHWD_LOLA_H
#define NAOHWD_LOLA_H

#include <naohw.h>

#include "../base/base.h"
#include "../lease/lease.h"

struct lola;

/*
 * Serve it at a socket, in this loop. Nothing moves. @settings live as long as it does.
 * Return: 0; or as listen_open() and naohw_messages_new().
 */
int lola_open(struct loop *loop, struct naohw_dcm *dcm, const struct listen_settings *settings,
	      struct lola **lola, struct naohw_error *err);

/* Leave alone what others hold alone. */
void lola_obey(struct lola *lola, struct leases *leases);

/* A cycle has ended: who is connected gets a packet. */
void lola_cycle(struct lola *lola);

/* Let the client go, with its joints as they are. NULL is fine. */
void lola_close(struct lola *lola);

#endif
