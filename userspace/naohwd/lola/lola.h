/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * LoLA, the socket protocol of NAO v6, at a DCM. A client gets a packet with all that the robot
 * senses in each cycle, and sends packets with some of what it is to do; naohwd(8) tells the rest.
 *
 *	fields.c     which key each index of a client's field is
 *	decode.c     a client's bytes into values, or what is wrong with them
 *	actuators.c  these values to the DCM
 *	returning.c  joints that come back from a program that held them alone
 *	end.c        what becomes of joints of which nobody says anything any more
 *	sensors.c    messages into the values of a packet
 *	encode.c     these into bytes
 *	server.c     who is connected
 */
#ifndef NAOHWD_LOLA_H
#define NAOHWD_LOLA_H

#include <stdint.h>

#include <naohw.h>

#include "../base/base.h"
#include "../lease/lease.h"

struct lola;

/* Sockets of one server */
#define LOLA_DOORS_MAX 4

/*
 * Serve it at @doors sockets, in this loop: one client at a time, whichever of them it comes by.
 * Nothing moves. @settings are those of each socket, and live as long as it does.
 * Return: 0; or as listen_open() and naohw_messages_new().
 */
int lola_open(struct loop *loop, struct naohw_dcm *dcm, const struct listen_settings *settings,
	      size_t doors, struct lola **lola, struct naohw_error *err);

/* What becomes of a client's joints when it stops sending, or has gone, and no other has come */
struct lola_end {
	enum lease_end how; /* but for LEASE_REST */
	double seconds;	    /* of LEASE_SOFTEN */
};

/*
 * Leave alone what others hold alone, ask for a client's period, and bring joints to this end, as
 * LEASE_HOLD does without. Before a client comes.
 */
void lola_obey(struct lola *lola, struct leases *leases, const struct lola_end *end);

/*
 * Joints, as bits by their index, that clients have moved and that have not come to their end; and
 * those of a server before, as if its client had just gone, so that they come to it.
 */
uint32_t lola_moved(const struct lola *lola);
void lola_have_moved(struct lola *lola, uint32_t joints);

/* A cycle has ended: who is connected gets a packet. */
void lola_cycle(struct lola *lola);

/* Let the client go, with its joints as they are; what its last packet moves has moved then. */
void lola_part(struct lola *lola);

/* The same, and ends. NULL is fine. */
void lola_close(struct lola *lola);

#endif
