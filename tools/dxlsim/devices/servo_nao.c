// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The hardware behind one of the two motors of a NAO's motor board
 *
 * Without a body the joint moves freely: nothing hangs on it but the outer load that a
 * test may set.
 * Its place is kept in steps of the goal from the encoder's zero, within half a turn of
 * where the joint's zero is. The other motor is another device.
 */
#include <math.h>

#include "limb.h"
#include "motor.h"
#include "servo_nao.h"
#include "table.h"

#define WATCHDOG_UNIT	(20 * NSEC_PER_MSEC)
#define WATCHDOG_MAX	127
#define STOPPED		0xff

/* Both encoders have 12 bits of the goal's 16. */
#define ENCODER_STEP	16
#define TURN		65536
#define TURN_MRAD	(2000 * M_PI)

/* The temperature is a simulated one on the board, too. */
#define START_HEAT	50.0
#define FULL_LOAD_HEAT	70.0
#define LIMIT_FROM	75.0
#define LIMIT_TO	85.0

/* How often the board tells another one of several errors. */
#define ROUND		(10 * NSEC_PER_MSEC)

/* After how many of them without good data from an encoder the control ends. */
#define ROUNDS_BLIND	50

/* How far off the goal is too far: 5 degrees. */
#define TOO_FAR		(TURN / 72)

/* What is wrong: the upper four bits of Error. */
enum {
	NO_MOTOR	= 1,
	TEMPERATURE	= 2,
	CONTROL_ERROR	= 3,
	MRE_NO_DATA	= 4,
	MRE_BAD_COF	= 5,
	MRE_BAD_LIN	= 6,	/* a warning */
	MRE_BAD_MAG	= 7,	/* and this */
	MRE_PARITY	= 8,
	MRE_BAD_OCF	= 9,
	CURRENT_LIMIT	= 13,	/* and this */
	MOTOR_1_BLIND	= 14,
	MOTOR_2_BLIND	= 15,
};

/* The lower four bits of the last two: of the motor's encoder and the joint's. */
#define BLIND_NO_DATA	1
#define BLIND_OTHER	4
#define BLIND_JOINT	2	/* times as much */

#define CODES_MAX	5

struct codes {
	u8 code[CODES_MAX];
	unsigned int count;
};

static int kind(u8 code)
{
	return code >> 4;
}

/* --- what is where on the board --- */

static unsigned int motor_number(const struct device *dev)
{
	return device_id(dev) % 2 ? 1 : 2;
}

static u8 motor_bit(const struct device *dev)
{
	return 1 << (motor_number(dev) - 1);
}

static unsigned int joint_chain(const struct device *dev)
{
	return 2 * motor_number(dev) - 1;
}

/* 0: it has none. */
static unsigned int motor_chain(const struct device *dev)
{
	return dev->table[NAO_SENSOR_TYPE] == 2 ? joint_chain(dev) + 1 : 0;
}

static bool code_has_chain(u8 code, unsigned int chain)
{
	return chain && code & 1 << (chain - 1);
}

/* --- encoders --- */

/* Whether an encoder sends nothing good; warnings do not count. */
static bool is_blind(const struct device *dev, unsigned int chain)
{
	u8 code = dev->servo.errors;

	switch (kind(code)) {
	case MRE_NO_DATA:
	case MRE_BAD_COF:
	case MRE_PARITY:
	case MRE_BAD_OCF:
		return code_has_chain(code, chain);
	default:
		return false;
	}
}

static bool any_blind(const struct device *dev)
{
	return is_blind(dev, joint_chain(dev)) ||
	       is_blind(dev, motor_chain(dev));
}

/* The code that says for which encoder the control has ended, or 0. */
static u8 blind_code(const struct device *dev)
{
	int blind = motor_number(dev) == 1 ? MOTOR_1_BLIND : MOTOR_2_BLIND;
	u8 bit, bits = 0;

	if (kind(dev->servo.errors) == blind)
		return dev->servo.errors;
	if (!any_blind(dev) ||
	    dev->servo.time - dev->servo.blind_at < ROUNDS_BLIND * ROUND)
		return 0;

	bit = kind(dev->servo.errors) == MRE_NO_DATA ? BLIND_NO_DATA :
						       BLIND_OTHER;
	if (is_blind(dev, motor_chain(dev)))
		bits |= bit;
	if (is_blind(dev, joint_chain(dev)))
		bits |= bit * BLIND_JOINT;

	return blind << 4 | bits;
}

static int zero(const struct device *dev)
{
	return table_u16(dev->table, NAO_JOINT_ZERO) * ENCODER_STEP;
}

static int encoder(double pos)
{
	return lround(pos / ENCODER_STEP) * ENCODER_STEP;
}

static int present_position(const struct device *dev)
{
	return (int16_t)(encoder(dev->servo.joint.pos) - zero(dev));
}

static int motor_position(const struct device *dev)
{
	double ratio = table_u16(dev->table, NAO_GEAR_RATIO) / 100.0;

	return encoder(dev->servo.joint.pos * ratio) & 0xffff;
}

static double goal(const struct device *dev)
{
	return table_s16(dev->table, NAO_GOAL_POSITION) + zero(dev);
}

static void place(struct device *dev, double from_zero)
{
	from_zero -= floor(from_zero / TURN + 0.5) * TURN;
	dev->servo.joint.pos = from_zero + zero(dev);
}

/* --- load --- */

static bool driven(const struct device *dev)
{
	return dev->table[NAO_TORQUE_ENABLE] && !blind_code(dev);
}

static int direction(const struct device *dev)
{
	double way = goal(dev) - dev->servo.joint.pos;

	return driven(dev) ? (way > 0) - (way < 0) : 0;
}

/* All of the current up to the first limit, and none from the last one on. */
static double cool_share(const struct device *dev)
{
	double share = (LIMIT_TO - dev->servo.temperature) /
		       (LIMIT_TO - LIMIT_FROM);

	return fmin(fmax(share, 0), 1);
}

/* Of the full torque. */
static double limit(const struct device *dev)
{
	double share = cool_share(dev) * table_u16(dev->table, NAO_HARDNESS) /
		       NAO_FULL_HARDNESS;

	if (kind(dev->servo.errors) == NO_MOTOR &&
	    dev->servo.errors & motor_bit(dev))
		share /= 2;

	return share * table_u16(dev->table, NAO_CURRENT_MAX) / NAO_FULL_CURRENT;
}

static double load_needed(const struct device *dev)
{
	return dev->servo.outer_load + direction(dev) * MOTOR_FRICTION;
}

static bool stalled(const struct device *dev)
{
	if (dev->servo.limb.world)
		return limb_is_stuck(dev);

	return driven(dev) && fabs(load_needed(dev)) > limit(dev) + 1e-9;
}

static double top_speed(const struct device *dev)
{
	const struct servo_spec *spec = dev->model->servo;
	double share = (double)dev->servo.supply / spec->supply;

	return fmax(spec->no_load_rpm * share, 0.01) * DEGREES_PER_RPM /
	       spec->count_deg;
}

static double output(const struct device *dev)
{
	double drag = MOTOR_DRAG * dev->servo.joint.vel / top_speed(dev);

	if (!driven(dev))
		return 0;
	if (dev->servo.limb.world)
		return fmin(fabs(dev->servo.pull), 1);

	return fmin(fabs(load_needed(dev) + drag), limit(dev));
}

/* --- errors --- */

static void add_code(struct codes *codes, u8 code)
{
	codes->code[codes->count++] = code;
}

static void find_wrong(const struct device *dev, struct codes *codes)
{
	const struct servo *servo = &dev->servo;
	u8 blind = blind_code(dev);

	codes->count = 0;
	if (servo->errors)
		add_code(codes, servo->errors);
	if (blind && blind != servo->errors)
		add_code(codes, blind);
	if (servo->temperature >= LIMIT_FROM)
		add_code(codes, TEMPERATURE << 4 | motor_bit(dev));
	if (!stalled(dev))
		return;
	add_code(codes, CURRENT_LIMIT << 4 | motor_bit(dev));
	if (table_u16(dev->table, NAO_HARDNESS) == NAO_FULL_HARDNESS &&
	    fabs(goal(dev) - servo->joint.pos) > TOO_FAR)
		add_code(codes, CONTROL_ERROR << 4 | motor_bit(dev));
}

static bool is_alarm(u8 code)
{
	switch (kind(code)) {
	case CONTROL_ERROR:
	case MRE_BAD_LIN:
	case MRE_BAD_MAG:
	case CURRENT_LIMIT:
		return false;
	default:
		return true;
	}
}

static u8 condition(const struct device *dev)
{
	struct codes codes;
	unsigned int i;

	find_wrong(dev, &codes);
	for (i = 0; i < codes.count; i++)
		if (is_alarm(codes.code[i]))
			return codes.code[i];

	return 0;
}

/* One at a time, each in its turn. */
static u8 told_error(const struct device *dev)
{
	struct codes codes;

	find_wrong(dev, &codes);
	if (!codes.count)
		return 0;

	return codes.code[dev->servo.time / ROUND % codes.count];
}

/* --- time --- */

static void watch_bus(struct device *dev)
{
	u8 setting = dev->table[NAO_BUS_WATCHDOG];

	if (!setting || setting > WATCHDOG_MAX || !dev->table[NAO_TORQUE_ENABLE])
		return;
	if (dev->servo.time < dev->heard_at + setting * WATCHDOG_UNIT)
		return;
	dev->table[NAO_BUS_WATCHDOG] = STOPPED;
	dev->table[NAO_TORQUE_ENABLE] = 0;
	motor_note_torque(&dev->servo, false);
}

static struct drive drive(const struct device *dev)
{
	const struct servo_spec *spec = dev->model->servo;
	double setting = table_u16(dev->table, NAO_GOAL_SPEED) / TURN_MRAD * TURN;
	double top = top_speed(dev);

	return (struct drive){
		setting > 0 ? fmin(setting, top) : top,
		spec->accel_deg / spec->count_deg,
	};
}

static void step(struct device *dev, nsec_t length)
{
	double seconds = (double)length / NSEC_PER_SEC;
	struct servo *servo = &dev->servo;
	struct drive d = drive(dev);

	if (!direction(dev) || stalled(dev))
		joint_spin(&servo->joint, 0, d.accel, seconds);
	else
		joint_seek(&servo->joint, &d, goal(dev), seconds);
	motor_warm(servo, START_HEAT, FULL_LOAD_HEAT, output(dev), seconds);
}

static void advance(struct device *dev, nsec_t now)
{
	motor_advance(dev, now, step, watch_bus);
}

/* --- in a body --- */

/* With the gain that the map begins with, so far off is the full output; ours. */
#define FULL_KP		32
#define FULL_OFF	0.1	/* rad */

static struct mount mount(const struct device *dev)
{
	return (struct mount){ zero(dev), 1 };
}

static void order(struct device *dev, double seconds, struct drive_order *order)
{
	struct servo *servo = &dev->servo;
	struct drive d = drive(dev);

	order->driven = driven(dev) && !dev->starved;
	order->shorted = dev->table[NAO_BRAKE];
	if (!order->driven) {
		servo->aim = servo->joint;
		return;
	}
	order->limit = limit(dev);
	joint_seek(&servo->aim, &d, goal(dev), seconds);
	order->error = servo->aim.pos - servo->joint.pos;
	order->gain = dev->table[NAO_KP] / (double)FULL_KP /
		      (FULL_OFF / 2 / M_PI * TURN);
}

static void ran(struct device *dev, double seconds)
{
	motor_warm(&dev->servo, START_HEAT, FULL_LOAD_HEAT, output(dev), seconds);
	watch_bus(dev);
}

/* --- the table --- */

/* An encoder that sends nothing good is taken to be where it was. */
static void refresh_encoders(struct device *dev)
{
	const struct servo *servo = &dev->servo;

	if (!is_blind(dev, joint_chain(dev)))
		table_put_u16(dev->table, NAO_PRESENT_POSITION,
			      motor_shown(servo, present_position(dev)));
	if (!motor_chain(dev))
		table_put_u16(dev->table, NAO_MOTOR_POSITION, 0);
	else if (!is_blind(dev, motor_chain(dev)))
		table_put_u16(dev->table, NAO_MOTOR_POSITION, motor_position(dev));
}

static void refresh(struct device *dev)
{
	const struct servo *servo = &dev->servo;
	u8 *table = dev->table;

	table[NAO_BID] = (device_id(dev) + 1) / 2;
	table[NAO_MOTOR_NUMBER] = motor_number(dev);
	table[NAO_CHAIN_JOINT] = joint_chain(dev);
	table[NAO_CHAIN_MOTOR] = motor_chain(dev);
	refresh_encoders(dev);
	table_put_u16(table, NAO_PRESENT_SPEED,
		      lround(servo->joint.vel / TURN * TURN_MRAD));
	table_put_u16(table, NAO_PRESENT_CURRENT,
		      lround(output(dev) * dev->model->servo->full_load));
	table[NAO_PRESENT_TEMPERATURE] = lround(fmin(fmax(servo->temperature, 0),
						 255));
	table[NAO_ERROR] = told_error(dev);
}

static void assemble(struct device *dev, nsec_t now)
{
	motor_init(&dev->servo, zero(dev), dev->model->servo->supply, now);
}

static void hold_still(struct device *dev)
{
	table_put_u16(dev->table, NAO_GOAL_POSITION, present_position(dev));
}

/* It does not know how warm it was. */
static void power_on(struct device *dev, nsec_t now)
{
	motor_power_on(&dev->servo, now);
	dev->servo.temperature = START_HEAT;
	hold_still(dev);
}

static enum refusal check(const struct device *dev, const u8 *table,
			  const struct reach *reach)
{
	bool on = reach->at[NAO_TORQUE_ENABLE] && table[NAO_TORQUE_ENABLE];

	if (dev->table[NAO_BUS_WATCHDOG] == STOPPED &&
	    (on || reach->at[NAO_GOAL_POSITION]))
		return REFUSED_RANGE;
	/* Whatever takes the torque is to leave a brake. */
	if (table[NAO_TORQUE_ENABLE] && reach->at[NAO_BRAKE] && !table[NAO_BRAKE])
		return REFUSED_RANGE;
	/* Without a zero nobody knows where the joint's ends are. */
	if (on && !table_u16(table, NAO_JOINT_ZERO))
		return REFUSED_LIMIT;

	return REFUSED_NOT;
}

static void written(struct device *dev, const u8 *before,
		    const struct reach *reach)
{
	struct servo *servo = &dev->servo;

	if (reach->at[NAO_JOINT_ZERO])
		place(dev, servo->joint.pos - zero(dev));
	if (dev->table[NAO_TORQUE_ENABLE])
		dev->table[NAO_BRAKE] = 1;
	if (dev->table[NAO_TORQUE_ENABLE] && !before[NAO_TORQUE_ENABLE] &&
	    !reach->at[NAO_GOAL_POSITION])
		hold_still(dev);
	motor_note_torque(servo, device_torque(dev));
	if (reach->at[NAO_GOAL_POSITION])
		motor_note_goal(servo);
	motor_note_aim(servo, device_torque(dev), goal(dev));
}

static void poke(struct device *dev, const struct item *item, int value)
{
	struct servo *servo = &dev->servo;

	switch (item->addr) {
	case NAO_PRESENT_POSITION:
		servo->joint = (struct joint){ 0 };
		place(dev, value);
		break;
	case NAO_PRESENT_CURRENT:
		servo->outer_load = (double)value /
				    dev->model->servo->full_load;
		break;
	case NAO_PRESENT_TEMPERATURE:
		servo->temperature = value;
		break;
	case NAO_ERROR:
		servo->errors = value;
		servo->blind_at = servo->time;
		break;
	}
}

const struct device_ops servo_nao_ops = {
	.assemble = assemble,
	.power_on = power_on,
	.advance = advance,
	.refresh = refresh,
	.check = check,
	.written = written,
	.condition = condition,
	.poke = poke,
	.mount = mount,
	.order = order,
	.ran = ran,
};
