// SPDX-License-Identifier: GPL-2.0-or-later
/* The instructions of Protocol 1.0, as a client of the maker's kind gives them. */
#include "cmocka_all.h"

#include "client.h"

/* Of the AX-12 and the MX-28 */
#define ID		3
#define BAUD		4
#define STATUS_LEVEL	16
#define LED		25
#define GOAL		30
#define SPEED		32
#define REGISTERED	44

static const char tree[] =
"/dts-v1/; / { bus { compatible = \"robotis,dynamixel-bus\";\n"
"  current-speed = <1000000>; #address-cells = <1>; #size-cells = <0>;\n"
"  servo@1 { compatible = \"robotis,ax-12\"; reg = <1>; };\n"
"  servo@2 { compatible = \"robotis,ax-12\"; reg = <2>; };\n"
"  servo@3 { compatible = \"robotis,mx-28\"; reg = <3>; };\n"
"  servo@4 { compatible = \"robotis,mx-28\"; reg = <4>; };\n"
"}; };\n";

static int set_up(void **state)
{
	return stage_set_up(state, tree, 1);
}

static struct client *client_of(void **state)
{
	return &((struct stage *)*state)->client;
}

static void pings(void **state)
{
	u8 id;

	for (id = 1; id <= 4; id++)
		client_order(client_of(state), id, DXL_PING, NULL, 0);
}

static void read_and_write(void **state)
{
	struct client *client = client_of(state);

	assert_int_equal(client_read(client, 1, 0, 2), 12);
	assert_int_equal(client_read(client, 3, 0, 2), 29);
	client_write(client, 1, GOAL, 2, 600);
	client_write(client, 3, LED, 1, 1);
	assert_int_equal(client_read(client, 1, GOAL, 2), 600);
	assert_int_equal(client_read(client, 3, LED, 1), 1);
}

static void reg_write_and_action(void **state)
{
	static const u8 goal[] = { GOAL, 600 & 255, 600 >> 8 };
	struct client *client = client_of(state);

	client_order(client, 1, DXL_REG_WRITE, goal, sizeof(goal));
	client_order(client, 2, DXL_REG_WRITE, goal, sizeof(goal));
	assert_int_equal(client_read(client, 1, REGISTERED, 1), 1);
	assert_int_equal(client_read(client, 1, GOAL, 2), 512);
	client_send(client, DXL_ID_BROADCAST, DXL_ACTION, NULL, 0);
	assert_int_equal(client_read(client, 1, GOAL, 2), 600);
	assert_int_equal(client_read(client, 2, GOAL, 2), 600);
	assert_int_equal(client_read(client, 2, REGISTERED, 1), 0);
	client_order(client, 2, DXL_REG_WRITE, goal, sizeof(goal));
	client_order(client, 2, DXL_ACTION, NULL, 0);
}

static void send_goals(struct client *client, int goal)
{
	const u8 low = goal & 255, high = goal >> 8;
	const u8 params[] = { GOAL, 2, 1, low, high, 2, low, high,
			      3, low, high, 4, low, high };

	client_send(client, DXL_ID_BROADCAST, DXL_SYNC_WRITE, params,
		    sizeof(params));
}

/* What is not answered is followed at once. */
static void sync_write(void **state)
{
	struct client *client = client_of(state);
	int goal;
	u8 id;

	for (goal = 500; goal < 520; goal++) {
		send_goals(client, goal);
		assert_int_equal(client_read(client, goal % 4 + 1, GOAL, 2), goal);
	}
	send_goals(client, 600);
	send_goals(client, 601);
	send_goals(client, 602);
	for (id = 1; id <= 4; id++)
		assert_int_equal(client_read(client, id, GOAL, 2), 602);
}

static void writes_without_an_answer(void **state)
{
	struct client *client = client_of(state);
	u8 id;

	client_tell(client, DXL_ID_BROADCAST, LED, 1, 1);
	client_tell(client, DXL_ID_BROADCAST, SPEED, 2, 100);
	for (id = 1; id <= 4; id++) {
		assert_int_equal(client_read(client, id, LED, 1), 1);
		assert_int_equal(client_read(client, id, SPEED, 2), 100);
	}

	client_write(client, 1, STATUS_LEVEL, 1, 1);
	client_await(client, 1);
	client_tell(client, 1, SPEED, 2, 101);
	client_tell(client, 1, GOAL, 2, 500);
	assert_int_equal(client_read(client, 1, SPEED, 2), 101);
	assert_int_equal(client_read(client, 1, GOAL, 2), 500);
}

static void bulk_read(void **state)
{
	static const u8 params[] = { 0, 2, 3, GOAL, 1, 4, LED, };
	struct client *client = client_of(state);
	struct status status;
	int i;

	client_write(client, 4, LED, 1, 1);
	for (i = 0; i < 20; i++) {
		send_goals(client, 1000 + i);
		client_send(client, DXL_ID_BROADCAST, DXL_BULK_READ, params,
			    sizeof(params));
		status = client_hear(client);
		assert_int_equal(status.id, 3);
		assert_int_equal(status.len, 2);
		assert_int_equal(value_of(status.params, 2), 1000 + i);
		status = client_hear(client);
		assert_int_equal(status.id, 4);
		assert_int_equal(status.len, 1);
		assert_int_equal(status.params[0], 1);
	}
}

/* From the factory it has another rate and another ID. */
static void factory_reset(void **state)
{
	struct client *client = client_of(state);

	client_order(client, 4, DXL_FACTORY_RESET, NULL, 0);
	client_set_rate(client, B57600);
	client_await(client, 1);
	assert_int_equal(client_read(client, 1, 0, 2), 29);
	client_write(client, 1, ID, 1, 4);
	client_await(client, 4);
	client_write(client, 4, BAUD, 1, 1);
	client_set_rate(client, B1000000);
	client_await(client, 4);
	assert_int_equal(client_read(client, 1, 0, 2), 12);
	assert_int_equal(client_read(client, 4, 0, 2), 29);
}

static void changes_of_the_rate(void **state)
{
	static const struct {
		speed_t rate;
		int value;
	} rates[] = {
		{ B57600, 34 }, { B115200, 16 }, { B500000, 3 }, { B1000000, 1 },
	};
	struct client *client = client_of(state);
	int i;

	for (i = 0; i < 20; i++) {
		client_write(client, 1, BAUD, 1, rates[i % 4].value);
		client_set_rate(client, rates[i % 4].rate);
		client_await(client, 1);
		send_goals(client, 500 + i);
		assert_int_equal(client_read(client, 1, GOAL, 2), 500 + i);
	}
	client_order(client, 4, DXL_PING, NULL, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CLIENT_TEST(pings),
		CLIENT_TEST(read_and_write),
		CLIENT_TEST(reg_write_and_action),
		CLIENT_TEST(sync_write),
		CLIENT_TEST(writes_without_an_answer),
		CLIENT_TEST(bulk_read),
		CLIENT_TEST(factory_reset),
		CLIENT_TEST(changes_of_the_rate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
