// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of NAO's motors, as servos in memory
 *
 * Addresses and units are those of Documentation/boards/nao-motor.rst, codes those of
 * NAO's documentation.
 */
#include <linux/device.h>
#include <linux/iio/consumer.h>
#include <linux/iio/iio.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <kunit/test.h>

#include "fake_servo.h"

#define ID	1

#define TORQUE		64
#define WATCHDOG	65
#define GOAL_CURRENT	66
#define GOAL		68
#define SPEED		70
#define HARDNESS	72
#define POSITION	74
#define MOTOR_POSITION	78
#define CURRENT		80
#define ERROR		83
#define BRAKE		84

static int motor_test_init(struct kunit *test)
{
	struct fake_servos *f = fake_servos_create(test, NULL);
	struct fake_device *dev;

	dev = fake_line_device(f->line, ID, DXL_PROTOCOL_2);
	f->servo[0] = dev;
	put_le16(dev->table, 19984);
	dev->table[2] = 1;
	dev->table[16] = DXL_ANSWERS_ALL;
	dev->table[33] = 3;
	put_le16(dev->table + 44, 2048);
	dev->table[WATCHDOG] = 25;
	put_le16(dev->table + HARDNESS, 1000);

	return 0;
}

static u8 *bind_motor(struct kunit *test)
{
	struct fake_servos *f = test->priv;
	const char *text = "naohw,nao-motor 1 Joint";

	fake_line_add(test, f->line);
	KUNIT_ASSERT_EQ(test,
			dev_attr_store(dxl_bus_dev(f->line->bus), "new_device",
				       text), (ssize_t)strlen(text));
	wait_for_device_probe();

	return f->servo[0]->table;
}

static void expect_text(struct kunit *test, struct device *dev,
			const char *attr, const char *text)
{
	char *buf = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, buf);
	KUNIT_EXPECT_GT_MSG(test, dev_attr_show(dev, attr, buf), 0, "%s", attr);
	KUNIT_EXPECT_STREQ(test, buf, text);
	kunit_kfree(test, buf);
}

/* --- what it is --- */

static void motor_is_a_servo(struct kunit *test)
{
	struct dxl_device *ddev;
	struct device *dev;

	bind_motor(test);
	dev = servo_iio(test, ID);
	KUNIT_EXPECT_STREQ(test, dev_to_iio_dev(dev)->name, "nao-motor");
	ddev = servo_device(test, ID);
	KUNIT_EXPECT_EQ(test, ddev->features, DXL_CAN_BULK_READ |
			DXL_CAN_SYNC_READ | DXL_CAN_BULK_WRITE);
	KUNIT_EXPECT_EQ(test, ddev->table->torque_enable, TORQUE);
	KUNIT_EXPECT_EQ(test, ddev->table->id, 3);
	KUNIT_EXPECT_EQ(test, ddev->table->baud, 4);
	KUNIT_EXPECT_EQ(test, ddev->table->eeprom_size, 64);
	expect_text(test, dev, "operating_mode_available", "position\n");
	expect_text(test, dev, "operating_mode", "position\n");
	KUNIT_EXPECT_FALSE(test, servo_has_channel(test, ID, IIO_VOLTAGE, IN));
}

static void motor_of_another_number(struct kunit *test)
{
	struct fake_servos *f = test->priv;

	put_le16(f->servo[0]->table, 19985);
	bind_motor(test);
	KUNIT_EXPECT_NULL(test, servo_find(test, ID));
}

static void motor_tells_its_board(struct kunit *test)
{
	u8 *table = bind_motor(test);
	struct device *dev = servo_iio(test, ID);

	table[24] = 1;
	table[25] = 63;
	put_le16(table + 26, 0xfedc);
	put_le16(table + 28, 515);
	table[30] = 8;
	table[31] = 200;
	table[32] = 2;
	expect_text(test, dev, "struct_version", "1\n");
	expect_text(test, dev, "bid", "63\n");
	expect_text(test, dev, "board_id", "65244\n");
	expect_text(test, dev, "board_id2", "515\n");
	expect_text(test, dev, "boot_loader_version", "8\n");
	expect_text(test, dev, "prog_version", "200\n");
	expect_text(test, dev, "motor_number", "2\n");
}

static void motor_tells_its_control(struct kunit *test)
{
	u8 *table = bind_motor(test);
	struct device *dev = servo_iio(test, ID);

	table[34] = 1;
	table[35] = 3;
	table[36] = 0;
	table[37] = 1;
	table[38] = 200;
	table[39] = 7;
	table[40] = 255;
	put_le16(table + 42, 13085);
	expect_text(test, dev, "sensor_type", "1\n");
	expect_text(test, dev, "position_chain_mre_joint", "3\n");
	expect_text(test, dev, "position_chain_mre_motor", "0\n");
	expect_text(test, dev, "invert_control_direction", "1\n");
	expect_text(test, dev, "kp", "200\n");
	expect_text(test, dev, "ki", "7\n");
	expect_text(test, dev, "kd", "255\n");
	expect_text(test, dev, "gear_ratio", "130.85\n");
	put_le16(table + 42, 65535);
	expect_text(test, dev, "gear_ratio", "655.35\n");
	put_le16(table + 42, 1);
	expect_text(test, dev, "gear_ratio", "0.01\n");
}

/* --- what it measures --- */

static const struct iio_chan_spec *motor_encoder(struct kunit *test)
{
	struct iio_dev *iio = dev_to_iio_dev(servo_iio(test, ID));
	int i;

	for (i = 0; i < iio->num_channels; i++)
		if (iio->channels[i].type == IIO_ANGL &&
		    iio->channels[i].channel == 1)
			return &iio->channels[i];

	return NULL;
}

/* A step is 95873.8 nrad; IIO has whole ones. */
static void motor_angles(struct kunit *test)
{
	struct iio_channel in, motor;
	u8 *table = bind_motor(test);

	in = servo_channel(test, ID, IIO_ANGL, IN);
	put_le16(table + POSITION, 0x8000);
	KUNIT_EXPECT_EQ(test, chan_read(in), -32768);
	put_le16(table + POSITION, 16);
	KUNIT_EXPECT_EQ(test, chan_read(in), 16);
	expect_nano(test, in, 0, 0);
	expect_nano(test, in, 1000, 95873799);

	motor.indio_dev = in.indio_dev;
	motor.channel = motor_encoder(test);
	KUNIT_ASSERT_NOT_NULL(test, motor.channel);
	put_le16(table + MOTOR_POSITION, 0xfff0);
	KUNIT_EXPECT_EQ(test, chan_read(motor), 0xfff0);
}

static void motor_current(struct kunit *test)
{
	struct iio_channel in, out;
	u8 *table = bind_motor(test);

	in = servo_channel(test, ID, IIO_CURRENT, IN);
	put_le16(table + CURRENT, 40000);
	KUNIT_EXPECT_EQ(test, chan_read(in), 40000);
	expect_nano(test, in, 1, 1000000000);

	out = servo_channel(test, ID, IIO_CURRENT, OUT);
	KUNIT_EXPECT_EQ(test, chan_write(out, 1234), 0);
	KUNIT_EXPECT_MEMEQ(test, table + GOAL_CURRENT, "\xd2\x04", 2);
	KUNIT_EXPECT_EQ(test, chan_write(out, 2001), -ERANGE);
	KUNIT_EXPECT_EQ(test, chan_write(out, -1), -ERANGE);
}

/* --- where it goes --- */

static void motor_goals(struct kunit *test)
{
	struct iio_channel goal, speed;
	u8 *table = bind_motor(test);

	goal = servo_channel(test, ID, IIO_ANGL, OUT);
	KUNIT_EXPECT_EQ(test, chan_write(goal, -32768), 0);
	KUNIT_EXPECT_MEMEQ(test, table + GOAL, "\x00\x80", 2);
	KUNIT_EXPECT_EQ(test, chan_write(goal, 32767), 0);
	KUNIT_EXPECT_MEMEQ(test, table + GOAL, "\xff\x7f", 2);
	KUNIT_EXPECT_EQ(test, chan_write(goal, 32768), -ERANGE);
	KUNIT_EXPECT_EQ(test, chan_write(goal, -32769), -ERANGE);

	speed = servo_channel(test, ID, IIO_ANGL_VEL, OUT);
	expect_nano(test, speed, 1000, 1000000000);
	KUNIT_EXPECT_EQ(test, chan_write(speed, 4161), 0);
	KUNIT_EXPECT_MEMEQ(test, table + SPEED, "\x41\x10", 2);
	KUNIT_EXPECT_EQ(test, chan_write(speed, -1), -ERANGE);
}

static void motor_hardness(struct kunit *test)
{
	char *buf = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);
	struct iio_channel goal;
	u8 *table = bind_motor(test);

	KUNIT_ASSERT_NOT_NULL(test, buf);
	goal = servo_channel(test, ID, IIO_ANGL, OUT);
	KUNIT_EXPECT_GT(test, iio_write_channel_ext_info(&goal, "torque_limit",
							 "37.5", 4), 0);
	KUNIT_EXPECT_MEMEQ(test, table + HARDNESS, "\x77\x01", 2);
	KUNIT_EXPECT_GT(test, iio_read_channel_ext_info(&goal, "torque_limit",
							buf), 0);
	KUNIT_EXPECT_STREQ(test, buf, "37.5\n");
	KUNIT_EXPECT_EQ(test, iio_write_channel_ext_info(&goal, "torque_limit",
							 "100.1", 5), -ERANGE);
	KUNIT_EXPECT_EQ(test, iio_write_channel_ext_info(&goal, "torque_limit",
							 "-1", 2), -ERANGE);
}

static void motor_brake(struct kunit *test)
{
	char *buf = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);
	struct iio_channel goal;
	u8 *table = bind_motor(test);

	KUNIT_ASSERT_NOT_NULL(test, buf);
	goal = servo_channel(test, ID, IIO_ANGL, OUT);
	table[BRAKE] = 1;
	KUNIT_EXPECT_GT(test, iio_write_channel_ext_info(&goal, "brake", "0",
							 1), 0);
	KUNIT_EXPECT_EQ(test, table[BRAKE], 0);
	KUNIT_EXPECT_GT(test, iio_read_channel_ext_info(&goal, "brake", buf), 0);
	KUNIT_EXPECT_STREQ(test, buf, "0\n");
	KUNIT_EXPECT_EQ(test, iio_write_channel_ext_info(&goal, "brake", "x",
							 1), -EINVAL);
}

/* By hand nobody would keep it going, and one that has stopped is to go on. */
static void motor_torque_by_hand(struct kunit *test)
{
	struct iio_channel goal;
	u8 *table = bind_motor(test);

	goal = servo_channel(test, ID, IIO_ANGL, OUT);
	table[WATCHDOG] = 0xff;
	KUNIT_EXPECT_EQ(test, chan_write_enable(goal, 1), 0);
	KUNIT_EXPECT_EQ(test, table[WATCHDOG], 0);
	KUNIT_EXPECT_EQ(test, table[TORQUE], 1);
	table[WATCHDOG] = 25;
	KUNIT_EXPECT_EQ(test, chan_write_enable(goal, 0), 0);
	KUNIT_EXPECT_EQ(test, table[TORQUE], 0);
	KUNIT_EXPECT_EQ(test, table[WATCHDOG], 25);
}

/* What its watchdog was when its torque came, and a servo that does not say that it did. */
static u8 watchdog_at_torque;
static bool torque_unsaid;

static void note_watchdog(struct fake_line *line,
			  const struct dxl_packet *request)
{
	struct fake_device *dev = &line->devices[0];
	bool before = dev->table[TORQUE];
	bool writes_torque = request->instruction == DXL_WRITE &&
			     request->params[0] == TORQUE;

	dev->silent = torque_unsaid && writes_torque;
	if (dev->silent)
		dev->table[TORQUE] = 1;
	fake_line_respond(line, request);
	if (!before && dev->table[TORQUE])
		watchdog_at_torque = dev->table[WATCHDOG];
}

/* Until the servo has said that it has torque its watchdog stands behind it. */
static void motor_torque_is_watched(struct kunit *test)
{
	struct fake_servos *f = test->priv;
	struct iio_channel goal;
	u8 *table = bind_motor(test);

	goal = servo_channel(test, ID, IIO_ANGL, OUT);
	torque_unsaid = false;
	f->line->respond = note_watchdog;
	table[WATCHDOG] = 0xff;
	KUNIT_EXPECT_EQ(test, chan_write_enable(goal, 1), 0);
	KUNIT_EXPECT_EQ(test, watchdog_at_torque, 50);
	KUNIT_EXPECT_EQ(test, table[WATCHDOG], 0);

	KUNIT_EXPECT_EQ(test, chan_write_enable(goal, 0), 0);
	torque_unsaid = true;
	KUNIT_EXPECT_EQ(test, chan_write_enable(goal, 1), -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, table[TORQUE], 1);
	KUNIT_EXPECT_EQ(test, table[WATCHDOG], 50);
	torque_unsaid = false;
	KUNIT_EXPECT_EQ(test, chan_write_enable(goal, 1), 0);
	KUNIT_EXPECT_EQ(test, table[WATCHDOG], 0);
	f->line->respond = fake_line_respond;
}

/* It has nothing to gain from torque that it has, and must not lose that later. */
static void motor_that_holds_goes_on(struct kunit *test)
{
	struct fake_servos *f = test->priv;
	struct iio_channel goal;
	u8 *table = bind_motor(test);

	goal = servo_channel(test, ID, IIO_ANGL, OUT);
	KUNIT_EXPECT_EQ(test, chan_write_enable(goal, 1), 0);
	torque_unsaid = true;
	f->line->respond = note_watchdog;
	KUNIT_EXPECT_EQ(test, chan_write_enable(goal, 1), -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, table[TORQUE], 1);
	KUNIT_EXPECT_EQ(test, table[WATCHDOG], 0);
	f->line->respond = fake_line_respond;
}

static void motor_zero(struct kunit *test)
{
	struct iio_channel in;
	u8 *table = bind_motor(test);

	in = servo_channel(test, ID, IIO_ANGL, IN);
	KUNIT_EXPECT_EQ(test, chan_read_attr(in, IIO_CHAN_INFO_CALIBBIAS), 2048);
	KUNIT_EXPECT_EQ(test, iio_write_channel_attribute(&in, 4095, 0,
							  IIO_CHAN_INFO_CALIBBIAS), 0);
	KUNIT_EXPECT_MEMEQ(test, table + 44, "\xff\x0f", 2);
	KUNIT_EXPECT_EQ(test, iio_write_channel_attribute(&in, 4096, 0,
							  IIO_CHAN_INFO_CALIBBIAS), -ERANGE);
	KUNIT_EXPECT_EQ(test, iio_write_channel_attribute(&in, -1, 0,
							  IIO_CHAN_INFO_CALIBBIAS), -ERANGE);
	table[TORQUE] = 1;
	KUNIT_EXPECT_EQ(test, iio_write_channel_attribute(&in, 1, 0,
							  IIO_CHAN_INFO_CALIBBIAS), -EBUSY);
	KUNIT_EXPECT_MEMEQ(test, table + 44, "\xff\x0f", 2);
}

/* --- what is wrong with it --- */

static const struct {
	u8 code;
	const char *text;
} errors[] = {
	{ 0, "\n" },
	{ 17, "no-motor motor-1\n" },
	{ 18, "no-motor motor-2\n" },
	{ 19, "no-motor motor-1 motor-2\n" },
	{ 33, "temperature motor-1\n" },
	{ 34, "temperature motor-2\n" },
	{ 35, "temperature motor-1 motor-2\n" },
	{ 49, "control-error motor-1\n" },
	{ 50, "control-error motor-2\n" },
	{ 51, "control-error motor-1 motor-2\n" },
	{ 65, "mre-no-data mre-1\n" },
	{ 66, "mre-no-data mre-2\n" },
	{ 68, "mre-no-data mre-3\n" },
	{ 72, "mre-no-data mre-4\n" },
	{ 79, "mre-no-data mre-1 mre-2 mre-3 mre-4\n" },
	{ 81, "mre-cordic-overflow mre-1\n" },
	{ 82, "mre-cordic-overflow mre-2\n" },
	{ 84, "mre-cordic-overflow mre-3\n" },
	{ 88, "mre-cordic-overflow mre-4\n" },
	{ 95, "mre-cordic-overflow mre-1 mre-2 mre-3 mre-4\n" },
	{ 97, "mre-linearity mre-1\n" },
	{ 98, "mre-linearity mre-2\n" },
	{ 100, "mre-linearity mre-3\n" },
	{ 104, "mre-linearity mre-4\n" },
	{ 111, "mre-linearity mre-1 mre-2 mre-3 mre-4\n" },
	{ 113, "mre-magnetic-field mre-1\n" },
	{ 114, "mre-magnetic-field mre-2\n" },
	{ 116, "mre-magnetic-field mre-3\n" },
	{ 120, "mre-magnetic-field mre-4\n" },
	{ 127, "mre-magnetic-field mre-1 mre-2 mre-3 mre-4\n" },
	{ 129, "mre-parity mre-1\n" },
	{ 130, "mre-parity mre-2\n" },
	{ 132, "mre-parity mre-3\n" },
	{ 136, "mre-parity mre-4\n" },
	{ 143, "mre-parity mre-1 mre-2 mre-3 mre-4\n" },
	{ 145, "mre-offset mre-1\n" },
	{ 146, "mre-offset mre-2\n" },
	{ 148, "mre-offset mre-3\n" },
	{ 152, "mre-offset mre-4\n" },
	{ 159, "mre-offset mre-1 mre-2 mre-3 mre-4\n" },
	{ 161, "com read-crc\n" },
	{ 162, "com unfinished\n" },
	{ 164, "com rcrc\n" },
	{ 168, "com read-unfinished\n" },
	{ 175, "com read-crc unfinished rcrc read-unfinished\n" },
	{ 177, "uart-spi spi-overflow\n" },
	{ 178, "uart-spi parity\n" },
	{ 180, "uart-spi framing\n" },
	{ 184, "uart-spi overrun\n" },
	{ 191, "uart-spi spi-overflow parity framing overrun\n" },
	{ 193, "0xc1\n" },
	{ 209, "current-limit motor-1\n" },
	{ 210, "current-limit motor-2\n" },
	{ 211, "current-limit motor-1 motor-2\n" },
	{ 225, "motor-1-stopped motor-no-data\n" },
	{ 226, "motor-1-stopped joint-no-data\n" },
	{ 228, "motor-1-stopped motor-other\n" },
	{ 232, "motor-1-stopped joint-other\n" },
	{ 239, "motor-1-stopped motor-no-data joint-no-data motor-other joint-other\n" },
	{ 241, "motor-2-stopped motor-no-data\n" },
	{ 242, "motor-2-stopped joint-no-data\n" },
	{ 244, "motor-2-stopped motor-other\n" },
	{ 248, "motor-2-stopped joint-other\n" },
	{ 255, "motor-2-stopped motor-no-data joint-no-data motor-other joint-other\n" },
	/* In no documentation */
	{ 5, "0x05\n" },
	{ 20, "no-motor\n" },
	{ 160, "com\n" },
};

static void motor_errors(struct kunit *test)
{
	u8 *table = bind_motor(test);
	struct device *dev = servo_iio(test, ID);
	char code[8];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(errors); i++) {
		table[ERROR] = errors[i].code;
		snprintf(code, sizeof(code), "%u\n", errors[i].code);
		expect_text(test, dev, "error", code);
		expect_text(test, dev, "hardware_error", errors[i].text);
	}
}

static struct kunit_case motor_test_cases[] = {
	KUNIT_CASE(motor_is_a_servo),
	KUNIT_CASE(motor_of_another_number),
	KUNIT_CASE(motor_tells_its_board),
	KUNIT_CASE(motor_tells_its_control),
	KUNIT_CASE(motor_angles),
	KUNIT_CASE(motor_current),
	KUNIT_CASE(motor_goals),
	KUNIT_CASE(motor_hardness),
	KUNIT_CASE(motor_brake),
	KUNIT_CASE(motor_torque_by_hand),
	KUNIT_CASE(motor_torque_is_watched),
	KUNIT_CASE(motor_that_holds_goes_on),
	KUNIT_CASE(motor_zero),
	KUNIT_CASE(motor_errors),
	{}
};

static struct kunit_suite motor_suite = {
	.name = "dxl_motor",
	.init = motor_test_init,
	.test_cases = motor_test_cases,
};

kunit_test_suite(motor_suite);
