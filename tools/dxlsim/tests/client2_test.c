// SPDX-License-Identifier: GPL-2.0-or-later
/* The instructions of Protocol 2.0, as a client of the maker's kind gives them. */
#include "cmocka_all.h"

#include "client.h"
#include "scene.h"

/* Of the XM430-W350 */
#define ID		7
#define BAUD		8
#define OPERATING_MODE	11
#define THRESHOLD	24
#define TORQUE		64
#define LED		65
#define STATUS_LEVEL	68
#define REGISTERED	69
#define PROFILE_SPEED	112
#define GOAL		116
#define PRESENT		132
#define INDIRECT_DATA	224

#define LOW(v)		((v) & 255)
#define HIGH(v)		((v) >> 8)

static const char tree[] =
"/dts-v1/; / { bus { compatible = \"robotis,dynamixel-bus\";\n"
"  current-speed = <1000000>; #address-cells = <1>; #size-cells = <0>;\n"
"  servo@1 { compatible = \"robotis,xm430-w350\"; reg = <1>; };\n"
"  servo@2 { compatible = \"robotis,xm430-w350\"; reg = <2>; };\n"
"  servo@3 { compatible = \"robotis,xm430-w350\"; reg = <3>; };\n"
"}; };\n";

static int set_up(void **state)
{
	return stage_set_up(state, tree, 2);
}

static struct client *client_of(void **state)
{
	return &((struct stage *)*state)->client;
}

static void check_ping(const struct status *status, u8 id)
{
	assert_int_equal(status->id, id);
	assert_int_equal(status->error, 0);
	assert_int_equal(status->len, 3);
	assert_int_equal(value_of(status->params, 2), 1020);
}

static void pings(void **state)
{
	struct client *client = client_of(state);
	struct status status;
	u8 id;

	for (id = 1; id <= 3; id++) {
		status = client_ask(client, id, DXL_PING, NULL, 0);
		check_ping(&status, id);
	}

	client_send(client, DXL_ID_BROADCAST, DXL_PING, NULL, 0);
	for (id = 1; id <= 3; id++) {
		status = client_hear(client);
		check_ping(&status, id);
	}
}

static void read_and_write(void **state)
{
	/* What looks like a header gets a byte more on the line, either way. */
	static const u8 header[] = { INDIRECT_DATA, 0, 255, 255, 253, 0, 1 };
	static const u8 there[] = { INDIRECT_DATA, 0, 5, 0 };
	struct client *client = client_of(state);
	struct status status;

	client_write(client, 1, GOAL, 4, 2100);
	client_write(client, 2, LED, 1, 1);
	assert_int_equal(client_read(client, 1, GOAL, 4), 2100);
	assert_int_equal(client_read(client, 2, LED, 1), 1);
	client_order(client, 3, DXL_WRITE, header, sizeof(header));
	status = client_ask(client, 3, DXL_READ, there, sizeof(there));
	assert_int_equal(status.error, 0);
	assert_int_equal(status.len, 5);
	assert_memory_equal(status.params, header + 2, 5);
}

static void reg_write_and_action(void **state)
{
	static const u8 goal[] = { GOAL, 0, LOW(2100), HIGH(2100), 0, 0 };
	struct client *client = client_of(state);

	client_order(client, 1, DXL_REG_WRITE, goal, sizeof(goal));
	client_order(client, 2, DXL_REG_WRITE, goal, sizeof(goal));
	assert_int_equal(client_read(client, 1, REGISTERED, 1), 1);
	assert_int_not_equal(client_read(client, 1, GOAL, 4), 2100);
	client_send(client, DXL_ID_BROADCAST, DXL_ACTION, NULL, 0);
	assert_int_equal(client_read(client, 1, GOAL, 4), 2100);
	assert_int_equal(client_read(client, 2, GOAL, 4), 2100);
	assert_int_equal(client_read(client, 2, REGISTERED, 1), 0);
	client_order(client, 2, DXL_REG_WRITE, goal, sizeof(goal));
	client_order(client, 2, DXL_ACTION, NULL, 0);
}

static void writes_without_an_answer(void **state)
{
	struct client *client = client_of(state);
	u8 id;

	client_tell(client, DXL_ID_BROADCAST, LED, 1, 1);
	client_tell(client, DXL_ID_BROADCAST, PROFILE_SPEED, 4, 100);
	for (id = 1; id <= 3; id++) {
		assert_int_equal(client_read(client, id, LED, 1), 1);
		assert_int_equal(client_read(client, id, PROFILE_SPEED, 4), 100);
	}

	client_write(client, 1, STATUS_LEVEL, 1, 1);
	client_tell(client, 1, PROFILE_SPEED, 4, 101);
	client_tell(client, 1, GOAL, 4, 2100);
	assert_int_equal(client_read(client, 1, PROFILE_SPEED, 4), 101);
	assert_int_equal(client_read(client, 1, GOAL, 4), 2100);
}

/* --- several at once --- */

/* As many above @goal as the ID is */
static void send_goals(struct client *client, int goal)
{
	u8 params[4 + 3 * 5] = { GOAL, 0, 4, 0 };
	u8 id, *p = params + 4;

	for (id = 1; id <= 3; id++, p += 5) {
		p[0] = id;
		p[1] = LOW(goal + id);
		p[2] = HIGH(goal + id);
	}
	client_send(client, DXL_ID_BROADCAST, DXL_SYNC_WRITE, params,
		    sizeof(params));
}

static void hear_value(struct client *client, u8 id, unsigned int size,
		       int value)
{
	struct status status = client_hear(client);

	assert_int_equal(status.id, id);
	assert_int_equal(status.error, 0);
	assert_int_equal(status.len, size);
	assert_int_equal(value_of(status.params, size), value);
}

static void sync_write(void **state)
{
	struct client *client = client_of(state);
	int goal;

	for (goal = 2000; goal < 2020; goal++) {
		send_goals(client, goal);
		assert_int_equal(client_read(client, goal % 3 + 1, GOAL, 4),
				 goal + goal % 3 + 1);
	}
	send_goals(client, 2100);
	send_goals(client, 2200);
	send_goals(client, 2300);
	assert_int_equal(client_read(client, 1, GOAL, 4), 2301);
	assert_int_equal(client_read(client, 3, GOAL, 4), 2303);
}

static void sync_read(void **state)
{
	static const u8 params[] = { GOAL, 0, 4, 0, 3, 1, 2 };
	struct client *client = client_of(state);
	int goal;

	for (goal = 2000; goal < 2020; goal++) {
		send_goals(client, goal);
		client_send(client, DXL_ID_BROADCAST, DXL_SYNC_READ, params,
			    sizeof(params));
		hear_value(client, 3, 4, goal + 3);
		hear_value(client, 1, 4, goal + 1);
		hear_value(client, 2, 4, goal + 2);
	}
}

static void send_bulk(struct client *client, int speed)
{
	const u8 params[] = {
		1, LED, 0, 1, 0, 1,
		2, PROFILE_SPEED, 0, 4, 0, LOW(speed), HIGH(speed), 0, 0,
		3, LED, 0, 1, 0, 1,
	};

	client_send(client, DXL_ID_BROADCAST, DXL_BULK_WRITE, params,
		    sizeof(params));
}

static const u8 bulk[] = {
	2, PROFILE_SPEED, 0, 4, 0, 1, LED, 0, 1, 0, 3, 0, 0, 2, 0,
};

static void bulk_write_and_read(void **state)
{
	struct client *client = client_of(state);
	int speed;

	for (speed = 300; speed < 320; speed++) {
		send_bulk(client, speed);
		client_send(client, DXL_ID_BROADCAST, DXL_BULK_READ, bulk,
			    sizeof(bulk));
		hear_value(client, 2, 4, speed);
		hear_value(client, 1, 1, 1);
		hear_value(client, 3, 2, 1020);
	}
}

/* A device's part of a fast answer at @at, which begins with an error; the next's place. */
static size_t check_part(const struct status *status, size_t at, u8 id,
			 unsigned int size, int value)
{
	const u8 *part = status->params + at;

	/* The last one's CRC is the packet's. */
	assert_in_range(at + 1 + size, 0, status->len);
	assert_int_equal(part[0], id);
	assert_int_equal(value_of(part + 1, size), value);

	return at + 1 + size + 3;
}

static void fast_sync_read(void **state)
{
	static const u8 params[] = { GOAL, 0, 4, 0, 3, 1, 2 };
	struct client *client = client_of(state);
	struct status status;
	size_t at;
	int goal;

	for (goal = 2000; goal < 2020; goal++) {
		send_goals(client, goal);
		status = client_ask(client, DXL_ID_BROADCAST, DXL_FAST_SYNC_READ,
				    params, sizeof(params));
		assert_int_equal(status.error, 0);
		at = check_part(&status, 0, 3, 4, goal + 3);
		assert_int_equal(status.params[at - 1], 0);
		at = check_part(&status, at, 1, 4, goal + 1);
		assert_int_equal(status.params[at - 1], 0);
		at = check_part(&status, at, 2, 4, goal + 2);
		assert_int_equal(status.len, at - 3);
	}
}

static void fast_bulk_read(void **state)
{
	struct client *client = client_of(state);
	struct status status;
	size_t at;
	int speed;

	for (speed = 300; speed < 320; speed++) {
		send_bulk(client, speed);
		status = client_ask(client, DXL_ID_BROADCAST, DXL_FAST_BULK_READ,
				    bulk, sizeof(bulk));
		assert_int_equal(status.error, 0);
		at = check_part(&status, 0, 2, 4, speed);
		at = check_part(&status, at, 1, 1, 1);
		at = check_part(&status, at, 3, 2, 1020);
		assert_int_equal(status.len, at - 3);
	}
}

/* --- what changes a device --- */

static void reboot(void **state)
{
	struct client *client = client_of(state);

	client_write(client, 2, LED, 1, 1);
	client_order(client, 2, DXL_REBOOT, NULL, 0);
	client_await(client, 2);
	assert_int_equal(client_read(client, 2, LED, 1), 0);
}

static void await_place(struct client *client, u8 id, int place)
{
	int i;

	for (i = 0; i < PATIENCE_MS / 5; i++) {
		if (client_read(client, id, PRESENT, 4) == place)
			return;
		nap();
	}
	fail_msg("it does not get to %d", place);
}

static u8 ask_to_clear(struct client *client, u8 id)
{
	static const u8 word[] = { 1, 'D', 'X', 'L', 0x22 };

	return client_ask(client, id, DXL_CLEAR, word, sizeof(word)).error;
}

/* It is at its place before it stands still. */
static void await_clear(struct client *client, u8 id)
{
	u8 error = DXL2_ERR_RESULT;
	int i;

	for (i = 0; i < PATIENCE_MS / 5 && error == DXL2_ERR_RESULT; i++) {
		error = ask_to_clear(client, id);
		nap();
	}
	assert_int_equal(error, 0);
}

static void clear(void **state)
{
	struct client *client = client_of(state);

	client_write(client, 1, OPERATING_MODE, 1, 4);
	client_await(client, 1);
	client_write(client, 1, TORQUE, 1, 1);
	/* Not while it turns, and it does for minutes */
	client_write(client, 1, GOAL, 4, 200000);
	assert_int_equal(ask_to_clear(client, 1), DXL2_ERR_RESULT);
	client_write(client, 1, GOAL, 4, 5000);
	await_place(client, 1, 5000);
	client_write(client, 1, TORQUE, 1, 0);
	await_clear(client, 1);
	await_place(client, 1, 5000 - 4096);
}

static void backup(void **state)
{
	static const u8 store[] = { 1, 'C', 'T', 'R', 'L' };
	static const u8 restore[] = { 2, 'C', 'T', 'R', 'L' };
	struct client *client = client_of(state);

	client_write(client, 1, THRESHOLD, 4, 20);
	client_await(client, 1);
	client_order(client, 1, DXL_BACKUP, store, sizeof(store));
	client_await(client, 1);
	client_write(client, 1, THRESHOLD, 4, 30);
	client_await(client, 1);
	client_order(client, 1, DXL_BACKUP, restore, sizeof(restore));
	client_await(client, 1);
	assert_int_equal(client_read(client, 1, THRESHOLD, 4), 20);
}

/* All but ID and rate; and then these, too: both are other ones from the factory. */
static void factory_reset(void **state)
{
	struct client *client = client_of(state);

	client_write(client, 3, THRESHOLD, 4, 20);
	client_await(client, 3);
	client_order(client, 3, DXL_FACTORY_RESET, (u8[]){ 0x02 }, 1);
	client_await(client, 3);
	assert_int_equal(client_read(client, 3, THRESHOLD, 4), 10);

	client_order(client, 3, DXL_FACTORY_RESET, (u8[]){ 0xff }, 1);
	client_set_rate(client, B57600);
	client_await(client, 1);
	client_write(client, 1, ID, 1, 3);
	client_await(client, 3);
	client_write(client, 3, BAUD, 1, 3);
	client_set_rate(client, B1000000);
	client_await(client, 3);
	client_await(client, 1);
}

static void changes_of_the_rate(void **state)
{
	static const struct {
		speed_t rate;
		int value;
	} rates[] = {
		{ B57600, 1 }, { B115200, 2 }, { B3000000, 5 }, { B1000000, 3 },
	};
	struct client *client = client_of(state);
	int i;

	for (i = 0; i < 20; i++) {
		client_write(client, 1, BAUD, 1, rates[i % 4].value);
		client_set_rate(client, rates[i % 4].rate);
		client_await(client, 1);
		send_goals(client, 2000 + i);
		assert_int_equal(client_read(client, 1, GOAL, 4), 2001 + i);
	}
	client_await(client, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CLIENT_TEST(pings),
		CLIENT_TEST(read_and_write),
		CLIENT_TEST(reg_write_and_action),
		CLIENT_TEST(writes_without_an_answer),
		CLIENT_TEST(sync_write),
		CLIENT_TEST(sync_read),
		CLIENT_TEST(bulk_write_and_read),
		CLIENT_TEST(fast_sync_read),
		CLIENT_TEST(fast_bulk_read),
		CLIENT_TEST(reboot),
		CLIENT_TEST(clear),
		CLIENT_TEST(backup),
		CLIENT_TEST(factory_reset),
		CLIENT_TEST(changes_of_the_rate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
