// SPDX-License-Identifier: GPL-2.0-or-later
#include "../../../dxlsim/tests/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "../../../dxlsim/tests/frame.h"
#include "../map.h"
#include "avr_talk.h"

/* Of Baud Rate, and of Host Baud Rate */
#define BAUD_57600	34

int talk_set_up(void **state)
{
	const char *image = getenv("CM510_BIN");

	if (!image)
		fail_msg("CM510_BIN is to be the path of cm-510.bin");
	*state = avr_board_new(image);
	assert_non_null(*state);
	avr_board_renew(*state);

	return 0;
}

int talk_tear_down(void **state)
{
	struct avr_board *board = *state;

	assert_int_equal(board->wrong_gates, 0);
	assert_int_equal(board->sides[LINE_BUS].usart.overruns, 0);
	assert_int_equal(board->sides[LINE_HOST].usart.overruns, 0);
	avr_board_free(board);

	return 0;
}

void send_all(struct avr_board *board, enum avr_line line, const uint8_t *bytes, size_t len)
{
	avr_board_send(board, line, bytes, len);
	while (!avr_board_quiet(board))
		avr_board_run(board, 10);
}

void send_packet(struct avr_board *board, enum avr_line line, uint8_t id,
			uint8_t instruction, const uint8_t *params, size_t len)
{
	uint8_t bytes[300];

	send_all(board, line, bytes, frame(bytes, id, instruction, params, len));
}

void hears(struct avr_board *board, enum avr_line line, const uint8_t *bytes, size_t len)
{
	uint8_t heard[LINE_BYTES];

	assert_int_equal(avr_board_heard(board, line, heard, sizeof(heard)), len);
	assert_memory_equal(heard, bytes, len);
}

void hears_status(struct avr_board *board, enum avr_line line, uint8_t id, uint8_t error,
			 const uint8_t *params, size_t len)
{
	uint8_t bytes[300];

	hears(board, line, bytes, frame(bytes, id, error, params, len));
}

void hears_nothing(struct avr_board *board, enum avr_line line)
{
	hears(board, line, NULL, 0);
}

unsigned int hears_packets(struct avr_board *board, enum avr_line line)
{
	uint8_t heard[LINE_BYTES], sum;
	size_t size = avr_board_heard(board, line, heard, sizeof(heard)), at, len, i;
	unsigned int count = 0;

	for (at = 0; at < size; at += len) {
		len = heard[at + 3] + 4;
		assert_true(at + len <= size);
		assert_memory_equal(heard + at, "\xff\xff", 2);
		for (sum = 0, i = 2; i < len; i++)
			sum += heard[at + i];
		assert_int_equal(sum, 0xff);
		count += heard[at + 2] != ID;
	}

	return count;
}

void writes8(struct avr_board *board, uint8_t addr, uint8_t value)
{
	send_packet(board, LINE_BUS, ID, WRITE, (uint8_t[]){ addr, value }, 2);
	avr_board_run(board, PATIENCE_US);
	hears_status(board, LINE_BUS, ID, 0, NULL, 0);
}

static void read_bytes(struct avr_board *board, uint8_t addr, uint8_t *data, size_t len)
{
	uint8_t heard[300];

	send_packet(board, LINE_BUS, ID, READ, (uint8_t[]){ addr, len }, 2);
	avr_board_run(board, 2000);
	assert_int_equal(avr_board_heard(board, LINE_BUS, heard, sizeof(heard)), 6 + len);
	memcpy(data, heard + 5, len);
}

uint16_t reads16(struct avr_board *board, uint8_t addr)
{
	uint8_t data[2];

	read_bytes(board, addr, data, 2);

	return data[0] | data[1] << 8;
}

uint8_t reads8(struct avr_board *board, uint8_t addr)
{
	uint8_t data;

	read_bytes(board, addr, &data, 1);

	return data;
}

void slows_down(struct avr_board *board)
{
	writes8(board, MAP_HOST_BAUD, BAUD_57600);
	writes8(board, MAP_BAUD, BAUD_57600);
	avr_board_power_cycle(board);
	board->sides[LINE_HOST].rate = BAUD_57600;
	board->sides[LINE_BUS].rate = BAUD_57600;
}

void ask_servo(struct avr_board *board)
{
	uint8_t bytes[300];
	size_t len = frame(bytes, SERVO, READ, (uint8_t[]){ 36, 8 }, 2);

	send_all(board, LINE_HOST, bytes, len);
	avr_board_run(board, 400);
	hears(board, LINE_BUS, bytes, len);
	hears_nothing(board, LINE_HOST);
	len = frame(bytes, SERVO, 0, (uint8_t[]){ 1, 2, 3, 0xff, 0xff, 200, 0xff, 8 }, 8);
	send_all(board, LINE_BUS, bytes, len);
	avr_board_run(board, 400);
	hears(board, LINE_HOST, bytes, len);
	hears_nothing(board, LINE_BUS);
}

void ask_servo_slowly(struct avr_board *board)
{
	uint8_t bytes[300];
	size_t len = frame(bytes, SERVO, PING, NULL, 0);

	send_all(board, LINE_HOST, bytes, len);
	avr_board_run(board, 5000);
	hears(board, LINE_BUS, bytes, len);
	len = frame(bytes, SERVO, 0, NULL, 0);
	send_all(board, LINE_BUS, bytes, len);
	avr_board_run(board, 5000);
	hears(board, LINE_HOST, bytes, len);
}
