// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A CM-510 as a device of Protocol 1.0 on the bus beside its servos, and as a bridge to it
 *
 * All is done in a loop; interrupts do no more than take bytes, pass them on and send what
 * is there. An answer waits for its time without being waited for.
 */
#include <avr/interrupt.h>
#include <avr/pgmspace.h>
#include <avr/sleep.h>
#include <util/delay.h>

#include "adc.h"
#include "bridge.h"
#include "bus.h"
#include "clock.h"
#include "flags.h"
#include "host.h"
#include "inputs.h"
#include "keep.h"
#include "outputs.h"
#include "slave.h"
#include "start.h"

/* By which dxlflash knows for which board this is */
static const char mark[] PROGMEM __attribute__((used)) = "naohw-image:cm-510;";

/*
 * Whoever asks has to let go of the line first; and whether he goes on is seen when a byte of
 * his has come as a whole, ten bits of n + 1 ticks behind the one before.
 */
#define ANSWER_AFTER	(20 * TICKS_PER_US)
#define SEEN_BITS	12
#define RETURN_DELAY	(2 * TICKS_PER_US)

/* A packet that pauses for longer has been given up. */
#define PAUSE		(10U * TICKS_PER_MS)

/* What is taken in one go: the ports are to be looked at on a full bus, too. */
#define PIECES_AT_ONCE	4

/* Where START asks for it, whatever the table has: 57600 bits/s at the PC jack */
#define RESCUE_RATE	34

#define PULL_UP_MS	1

/* Who may ask us something */
struct party {
	struct line *line;
	void (*say)(const uint8_t *bytes, uint8_t len);
	uint8_t (*rate)(void);	/* n of the n + 1 ticks that a bit has */
	struct receiver receiver;
	struct answer answer;
	uint16_t wait;		/* ticks from the last byte to the answer */
};

static struct slave slave;
static struct party bus = { .line = &bus_line, .say = bus_say, .rate = bus_rate };
static struct party host = { .line = &host_line, .say = host_say, .rate = host_rate };

/* A rate or a RESET takes effect once the answer has gone, before the next instruction. */
static bool unsettled;

/* --- what the table has set --- */

/* Not while somebody waits for an answer: a tone takes some time to be reckoned. */
static void set_outputs(void)
{
	if (bus.answer.len || host.answer.len)
		return;
	outputs_light(slave.table.bytes[MAP_LED]);
	outputs_sound(table_value(&slave.table, MAP_BUZZER));
}

static void begin_host(void)
{
	bridge_shut();
	if (inputs_start_held())
		host_begin(HOST_PC, RESCUE_RATE);
	else
		host_begin(slave.table.bytes[MAP_HOST_JACK], slave.table.bytes[MAP_HOST_BAUD]);
}

static void settle(void)
{
	if (bus.answer.len || host.answer.len || bus_talks() || !host_silent())
		return;
	unsettled = false;
	if (slave.reset) {
		slave_restart(&slave);
		begin_host();
	}
	bus_set_rate(slave.table.bytes[MAP_BAUD]);
	bridge_follow_rates();
}

/* --- what is heard --- */

static uint16_t wait_for(const struct party *party)
{
	uint16_t seen = SEEN_BITS * (party->rate() + 1);

	return (seen > ANSWER_AFTER ? seen : ANSWER_AFTER) +
	       RETURN_DELAY * slave.table.bytes[MAP_RETURN_DELAY];
}

static void execute(struct party *party, enum received received)
{
	party->wait = wait_for(party);
	slave_execute(&slave, &party->receiver, received, &party->answer);
	unsettled = slave.reset || slave.table.bytes[MAP_BAUD] != bus_rate();
}

static bool is_for_others(const struct party *party, enum received received)
{
	return received == RECEIVED_PACKET &&
	       (party == &bus || party->receiver.id != slave.table.bytes[MAP_ID]);
}

static void carry_out(struct party *party, enum received received)
{
	if (is_for_others(party, received) && !bridge_packet(party->line, &party->receiver))
		table_count(&slave.table, MAP_LOST_PACKETS);
	if (slave_concerned(&slave, &party->receiver))
		execute(party, received);
}

/*
 * Nothing more of who has asked for what is not settled. But an answer waits for the bytes of
 * the other side to be taken, see may_answer().
 */
static bool may_take(const struct party *party)
{
	return !unsettled || (party == &bus ? &host : &bus)->answer.len;
}

/*
 * Who goes on talking does not listen: the answer is for nobody. Out of line: what is not
 * called costs hear() no registers.
 */
static __attribute__((noinline)) void take_pieces(struct party *party)
{
	struct ring *in = &party->line->in;
	uint8_t most = PIECES_AT_ONCE, len;
	enum received received;
	const uint8_t *bytes;

	while (may_take(party) && most--) {
		len = bridge_stretch(party->line, &party->receiver, &bytes);
		if (!len)
			return;
		line_listen(party->line);
		party->answer.len = 0;
		ring_drop(in, receiver_take(&party->receiver, bytes, len, &received));
		if (received != RECEIVED_PART)
			carry_out(party, received);
	}
	if (!ring_empty(in))
		party->answer.len = 0;
}

static void mend(struct party *party)
{
	enum mended mended = bridge_mend(party->line);

	if (mended != NOT_BROKEN)
		receiver_reset(&party->receiver);
	if (mended == MENDED_WITH_LOSS)
		table_count(&slave.table, MAP_LOST_PACKETS);
}

static void hear(struct party *party)
{
	if (party->line->broken)
		mend(party);
	line_listen(party->line);
	if (!ring_empty(&party->line->in) || party->line->stops)
		take_pieces(party);
	if (party->receiver.state != AT_HEADER && line_silence(party->line) > PAUSE)
		receiver_reset(&party->receiver);
}

/* What is told is not to be mixed with what a servo says to the host, or the host on the bus. */
static bool may_answer(const struct party *party)
{
	if (ring_room(&party->line->out) < party->answer.len)
		return false;

	return party == &bus ? bridge_hold_host(&host.receiver) : bridge_hold_bus();
}

static void answer(struct party *party)
{
	if (!party->answer.len || line_silence(party->line) < party->wait || !may_answer(party))
		return;
	party->say(party->answer.bytes, party->answer.len);
	party->answer.len = 0;
}

/* --- the loop --- */

static void step_inputs(void)
{
	static uint16_t last;

	if ((uint16_t)(clock_now() - last) < TICKS_PER_MS)
		return;
	last += TICKS_PER_MS;
	inputs_step(&slave.table);
}

static bool may_sleep(void)
{
	return adc_converts() && !unsettled && !(FLAGS & BUS_BUSY) && !bus.answer.len &&
	       !host.answer.len && ring_empty(&bus_line.in) && ring_empty(&host_line.in) &&
	       (bus_talks() || ring_empty(&bus_line.out));
}

/* Until any interrupt; the converter's comes within 0.1 ms, if it is at work. */
static void sleep(void)
{
	cli();
	if (may_sleep()) {
		sleep_enable();
		sei();
		sleep_cpu();
		sleep_disable();
	}
	sei();
}

static void begin(void)
{
	start_clean();
	clock_begin();
	inputs_begin();
	outputs_begin();
	adc_begin();
	slave_init(&slave);
	keep_recall(&slave.table);
	adc_round(&slave.table);
	/* The buttons' lines need a while to rise. */
	_delay_ms(PULL_UP_MS);
	bus_begin(slave.table.bytes[MAP_BAUD]);
	begin_host();
	sei();
}

int main(void)
{
	begin();
	for (;;) {
		bus_step();
		hear(&bus);
		hear(&host);
		answer(&bus);
		answer(&host);
		bridge_step(&bus.receiver);
		if (unsettled)
			settle();
		set_outputs();
		adc_step(&slave.table);
		step_inputs();
		keep_step(&slave.table);
		sleep();
	}
}
