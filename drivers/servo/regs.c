// SPDX-License-Identifier: GPL-2.0
/*
 * A servo's registers, and what has to be known before they are used
 *
 * A servo that does not answer when its driver binds is set up on the first
 * access that it answers. So is one that has been lost: it may be another one
 * now, or have been reset.
 */
#include <linux/bitops.h>
#include <linux/cleanup.h>
#include <linux/container_of.h>
#include <linux/device.h>
#include <linux/jiffies.h>
#include <linux/limits.h>
#include <linux/lockdep.h>
#include <linux/string.h>
#include <linux/unaligned.h>
#include <linux/workqueue.h>

#include "team.h"

/* After how long a servo is asked again that nobody else may ask for anything. */
#define ASK_AGAIN_MS	100

/**
 * dxl_servo_decode() - value of a register
 * @field: the register
 * @raw: its bytes, as many as it has
 *
 * Return: the value
 */
int dxl_servo_decode(const struct dxl_servo_field *field, const u8 *raw)
{
	u8 bytes[SERVO_FIELD_MAX] = {};
	u32 value;

	memcpy(bytes, raw, field->size);
	value = get_unaligned_le32(bytes);

	if (field->is_signed)
		return sign_extend32(value, 8 * field->size - 1);
	if (!field->magnitude)
		return value;
	if (value & (field->magnitude + 1))
		return -(int)(value & field->magnitude);

	return value & field->magnitude;
}

/**
 * dxl_servo_encode() - bytes of a register
 * @field: the register
 * @value: its value
 * @raw: where they go, as many as the register has
 */
void dxl_servo_encode(const struct dxl_servo_field *field, int value, u8 *raw)
{
	u8 bytes[SERVO_FIELD_MAX];

	if (field->magnitude && value < 0)
		value = -value | (field->magnitude + 1);

	put_unaligned_le32(value, bytes);
	memcpy(raw, bytes, field->size);
}

static int get(const struct dxl_servo *servo, enum dxl_servo_reg reg,
	       int (*read)(struct dxl_device *ddev, u16 addr, u8 *buf, u16 len),
	       int *value)
{
	const struct dxl_servo_field *field = dxl_servo_field(servo, reg);
	u8 raw[SERVO_FIELD_MAX];
	int ret;

	ret = read(servo->ddev, field->addr, raw, field->size);
	if (ret)
		return ret;

	*value = dxl_servo_decode(field, raw);

	return 0;
}

/**
 * dxl_servo_read_anyway() - read a register of a servo, whether it is ready or not
 * @servo: the servo
 * @reg: the register
 * @value: its value
 *
 * Takes no lock.
 *
 * Context: Process context. Sleeps.
 * Return: 0 or a negative errno
 */
int dxl_servo_read_anyway(const struct dxl_servo *servo, enum dxl_servo_reg reg,
			  int *value)
{
	return get(servo, reg, dxl_read, value);
}

/* A device that is known to be another model gets nothing: it has something else there. */
static int put(const struct dxl_servo *servo, const struct dxl_transfer *how,
	       enum dxl_servo_reg reg, int value)
{
	const struct dxl_servo_field *field = dxl_servo_field(servo, reg);
	u8 raw[SERVO_FIELD_MAX];

	if (READ_ONCE(servo->wrong_model))
		return -ENODEV;

	dxl_servo_encode(field, value, raw);

	return dxl_write_as(servo->ddev, how, field->addr, raw, field->size);
}

/**
 * dxl_servo_write_anyway() - write a register of a servo, whether it is ready or not
 * @servo: the servo
 * @reg: the register, outside of the EEPROM
 * @value: its value
 *
 * Takes no lock.
 *
 * Context: Process context. Sleeps.
 * Return: 0, -ENODEV if it is another model, or another negative errno
 */
int dxl_servo_write_anyway(const struct dxl_servo *servo, enum dxl_servo_reg reg,
			   int value)
{
	const struct dxl_transfer how = { .priority = DXL_PRIO_REQUEST };

	return put(servo, &how, reg, value);
}

/**
 * dxl_servo_write_anyway_if() - the same of what may not be wanted any more in its turn
 * @servo: the servo
 * @wanted: as that of &struct dxl_transfer
 * @context: likewise
 * @reg: the register, outside of the EEPROM
 * @value: its value
 *
 * Context: Process context. Sleeps.
 * Return: 0, -EBUSY if it was not wanted any more, or another negative errno
 */
int dxl_servo_write_anyway_if(const struct dxl_servo *servo,
			      bool (*wanted)(void *context), void *context,
			      enum dxl_servo_reg reg, int value)
{
	const struct dxl_transfer how = {
		.priority = DXL_PRIO_REQUEST,
		.wanted = wanted,
		.wanted_context = context,
	};
	int ret = put(servo, &how, reg, value);

	return ret == -ECANCELED ? -EBUSY : ret;
}

/* It is about to be sent: what was wanted before that is wanted no more. */
static bool count_release(void *releases)
{
	atomic_inc(releases);

	return true;
}

static bool is_lost(const struct dxl_servo *servo)
{
	return READ_ONCE(servo->ddev->state) == DXL_LOST;
}

/**
 * dxl_servo_release() - switch the torque of a servo off, whether it is ready or not
 * @servo: the servo
 *
 * The packet overtakes all that waits, and nothing of that comes behind it. A servo that is
 * lost may hear it all the same, but its answer is not waited for.
 *
 * Context: Process context. Takes no lock. Sleeps.
 * Return: 0; -EHOSTDOWN if the servo is lost, and the packet has been sent; -ENODEV if it is
 * another model, and nothing has been sent; or another negative errno
 */
int dxl_servo_release(struct dxl_servo *servo)
{
	const struct dxl_transfer how = {
		.priority = DXL_PRIO_RELEASE,
		.wanted = count_release,
		.wanted_context = &servo->releases,
	};
	bool lost = is_lost(servo);
	int ret = put(servo, &how, SERVO_TORQUE_ENABLE, 0);

	return !ret && (lost || is_lost(servo)) ? -EHOSTDOWN : ret;
}

/* --- set-up --- */

static void take_mode(struct dxl_servo *servo,
		      const struct dxl_servo_mode *mode)
{
	bool changed = servo->mode != mode;

	lockdep_assert_held(&servo->lock);

	WRITE_ONCE(servo->mode, mode);
	/* Pairs with the acquire in dxl_servo_mode_is_known(). */
	smp_store_release(&servo->mode_in_doubt, false);
	/* Its goals are others, which take another time. */
	if (changed && servo->team && dxl_servo_in_stream(servo))
		dxl_cycle_update(servo->ddev->bus);
}

static void take_model(struct dxl_servo *servo, u16 number)
{
	lockdep_assert_held(&servo->lock);

	WRITE_ONCE(servo->wrong_model, number != servo->model->number);
	if (servo->team)
		dxl_torque_notify(servo);
}

static const struct dxl_servo_mode *mode_of(const struct dxl_servo *servo,
					    u32 value)
{
	const struct dxl_servo_mode *modes = servo->model->series->modes;
	const struct dxl_servo_mode *mode;

	for (mode = modes; mode->name; mode++)
		if (mode->value == value)
			return mode;

	return modes;
}

static int read_mode(struct dxl_servo *servo)
{
	int value, ret;

	lockdep_assert_held(&servo->lock);

	ret = dxl_servo_read_anyway(servo, SERVO_MODE, &value);
	if (!ret)
		take_mode(servo, mode_of(servo, value));

	return ret;
}

static void forget(struct dxl_servo *servo)
{
	dxl_forget_answers(servo->ddev);
	servo->configured = false;
}

static int check_model(struct dxl_servo *servo)
{
	const struct dxl_servo_model *model = servo->model;
	struct dxl_device *ddev = servo->ddev;
	int ret;

	ret = dxl_identify(ddev);
	if (ret)
		return ret;
	take_model(servo, ddev->model_number);
	if (!servo->wrong_model)
		return 0;

	dev_err_ratelimited(&ddev->dev,
			    "found model number %u, expected %u (%s)\n",
			    ddev->model_number, model->number,
			    dxl_servo_name(servo));

	return -ENODEV;
}

static u32 features(const struct dxl_servo *servo, u8 firmware)
{
	u8 fast_firmware = servo->model->series->fast_firmware;
	u32 features = dxl_servo_layout(servo)->features;

	if (fast_firmware && firmware >= fast_firmware)
		features |= DXL_CAN_FAST_SYNC_READ | DXL_CAN_FAST_BULK_READ;

	return features;
}

static bool is_to_be_free(void *servo)
{
	return dxl_torque_is_off(servo);
}

/* A servo that was silent may not have heard that it was told to let go. */
static int keep_free(struct dxl_servo *servo)
{
	const struct dxl_transfer how = {
		.priority = DXL_PRIO_RELEASE,
		.wanted = is_to_be_free,
		.wanted_context = servo,
	};
	int ret;

	if (!servo->team || !dxl_torque_is_off(servo))
		return 0;

	ret = put(servo, &how, SERVO_TORQUE_ENABLE, 0);

	return ret == -ECANCELED ? 0 : ret;
}

/* Find out whether this is the servo described, and how it answers. */
static int configure(struct dxl_servo *servo)
{
	struct dxl_device *ddev = servo->ddev;
	unsigned int doubts = READ_ONCE(ddev->doubts);
	bool in_doubt = !dxl_servo_mode_is_known(servo);
	int ret;

	lockdep_assert_held(&servo->lock);

	dxl_forget_answers(ddev);
	ret = check_model(servo);
	if (ret)
		return ret;

	ret = dxl_learn_answers(ddev);
	if (ret)
		return ret;
	ret = read_mode(servo);
	if (ret)
		return ret;

	WRITE_ONCE(ddev->features, features(servo, ddev->firmware_version));
	/* What began or ended a watch of the bus has left out a servo without a known mode. */
	if (in_doubt)
		ret = dxl_bus_watchdog_set(servo);
	ret = ret ?: keep_free(servo) ?: dxl_doubt_end(servo, doubts);
	if (ret)
		return ret;
	servo->configured = true;

	return 0;
}

/**
 * dxl_servo_init() - what is assumed of a servo that has not been asked yet
 * @servo: the servo, its device, model and lock set
 */
void dxl_servo_init(struct dxl_servo *servo)
{
	WRITE_ONCE(servo->ddev->protocol, servo->model->protocol);
	servo->ddev->table = &dxl_servo_layout(servo)->table;
	/*
	 * Until it says otherwise its firmware is the newest. By what frames take with an
	 * older one, servos without a supply would keep them from all others.
	 */
	WRITE_ONCE(servo->ddev->features, features(servo, U8_MAX));
	servo->mode = servo->model->series->modes;
	/* Not by goals does one of Protocol 2.0 get torque. */
	servo->torque = servo->model->protocol == DXL_PROTOCOL_1 ? TORQUE_UNUSED :
								    TORQUE_STIFF;
	/* Nor has it been asked whether it has torque. */
	servo->doubts = servo->ddev->doubts - 1;
	servo->limit = INT_MAX;
	servo->restore = -1;
	forget(servo);
}

static int make_ready(struct dxl_servo *servo)
{
	lockdep_assert_held(&servo->lock);

	if (servo->configured && is_lost(servo))
		forget(servo);

	return servo->configured ? 0 : configure(servo);
}

/**
 * dxl_servo_ready() - see that a servo may be used
 * @servo: the servo
 *
 * Context: Process context. Sleeps.
 * Return: 0, -ENODEV if it is another model, or as dxl_read()
 */
int dxl_servo_ready(struct dxl_servo *servo)
{
	guard(mutex)(&servo->lock);

	return make_ready(servo);
}

/**
 * dxl_servo_ready_to_move() - see that a servo may be used and what became of its torque
 * @servo: the servo
 *
 * Context: Process context. Sleeps.
 * Return: as dxl_servo_ready()
 */
int dxl_servo_ready_to_move(struct dxl_servo *servo)
{
	int ret;

	guard(mutex)(&servo->lock);

	ret = make_ready(servo);

	return ret ?: dxl_doubt_end(servo, READ_ONCE(servo->ddev->doubts));
}

/*
 * An answer that is missing may have been the last that anybody wanted, and not
 * every failure is one of the servo's, for which its state would change.
 */
static void ask(struct dxl_servo *servo)
{
	struct dxl_device *ddev = servo->ddev;
	enum dxl_state state;
	int ret;

	lockdep_assert_held(&servo->lock);

	if (servo->configured)
		ret = dxl_doubt_end(servo, READ_ONCE(ddev->doubts));
	else
		ret = configure(servo);
	if (ret == -ENODEV || (!ret && !dxl_doubt_lasts(servo)))
		return;

	state = READ_ONCE(ddev->state);
	if (state == DXL_ACTIVE ||
	    (state != DXL_LOST &&
	     (dxl_doubt_matters(servo) || !dxl_servo_mode_is_known(servo))))
		schedule_delayed_work(&servo->ask,
				      msecs_to_jiffies(ASK_AGAIN_MS));
}

/**
 * dxl_servo_ask() - ask a servo again
 * @work: that of the servo
 */
void dxl_servo_ask(struct work_struct *work)
{
	struct dxl_servo *servo = container_of(to_delayed_work(work),
					       struct dxl_servo, ask);
	const struct dxl_device *ddev = servo->ddev;

	guard(mutex)(&servo->lock);

	/* Else it is going to be set up. */
	if (READ_ONCE(ddev->returns) == READ_ONCE(ddev->times_lost))
		ask(servo);
}

/**
 * dxl_servo_returned() - set up a servo that had been lost
 * @servo: the servo
 *
 * Before somebody moves it: it may be another model now.
 *
 * Context: Process context. Sleeps.
 */
void dxl_servo_returned(struct dxl_servo *servo)
{
	guard(mutex)(&servo->lock);

	forget(servo);
	ask(servo);
}

/**
 * dxl_servo_doubted() - find out whether a servo that has not answered has torque
 * @servo: the servo
 *
 * Or what it is, if it has never said. If it does not answer again it is going to be
 * lost, and set up when it is back.
 *
 * Context: Process context. Sleeps.
 */
void dxl_servo_doubted(struct dxl_servo *servo)
{
	guard(mutex)(&servo->lock);

	ask(servo);
}

/**
 * dxl_servo_read() - read a register for whoever reads an attribute
 * @servo: the servo
 * @reg: the register
 * @value: its value
 *
 * Others go first, see dxl_read_attribute().
 *
 * Context: Process context. Sleeps.
 * Return: 0 or a negative errno
 */
int dxl_servo_read(struct dxl_servo *servo, enum dxl_servo_reg reg, int *value)
{
	int ret;

	ret = dxl_servo_ready(servo);
	if (ret)
		return ret;

	return get(servo, reg, dxl_read_attribute, value);
}

/**
 * dxl_servo_write() - write a register outside of the EEPROM
 * @servo: the servo
 * @reg: the register
 * @value: its value
 *
 * Context: Process context. Sleeps.
 * Return: 0 or a negative errno
 */
int dxl_servo_write(struct dxl_servo *servo, enum dxl_servo_reg reg, int value)
{
	int ret;

	ret = dxl_servo_ready(servo);
	if (ret)
		return ret;

	return dxl_servo_write_anyway(servo, reg, value);
}

/**
 * dxl_servo_get_mode() - read the operating mode
 * @servo: the servo
 * @mode: the mode
 *
 * Any user may read it, so it is read without the lock, in turn with requests. The value may be
 * old when it arrives. If it is not the mode that the driver knows, the servo is asked again,
 * under the lock that dxl_servo_set_mode() holds.
 *
 * Context: Process context. Sleeps.
 * Return: 0 or a negative errno
 */
int dxl_servo_get_mode(struct dxl_servo *servo,
		       const struct dxl_servo_mode **mode)
{
	int value, ret;

	ret = dxl_servo_read(servo, SERVO_MODE, &value);
	if (ret)
		return ret;
	*mode = mode_of(servo, value);
	if (*mode == READ_ONCE(servo->mode))
		return 0;

	guard(mutex)(&servo->lock);

	ret = make_ready(servo) ?: read_mode(servo);
	*mode = servo->mode;

	return ret;
}

/* A write that has failed may have been executed, or its answer may have been lost. */
static void find_out_mode(struct dxl_servo *servo)
{
	if (!read_mode(servo))
		return;

	/* It gets neither torque nor a goal until it has told. */
	servo->configured = false;
	ask(servo);
}

/**
 * dxl_servo_set_mode() - change the operating mode
 * @servo: the servo
 * @mode: the mode, of its series
 *
 * Context: Process context. Sleeps.
 * Return: 0, -EBUSY while the torque is on, or another negative errno
 */
int dxl_servo_set_mode(struct dxl_servo *servo,
		       const struct dxl_servo_mode *mode)
{
	const struct dxl_servo_field *field = dxl_servo_field(servo,
							      SERVO_MODE);
	u8 raw[SERVO_FIELD_MAX];
	int torque, ret, watch = 0;

	guard(mutex)(&servo->lock);

	ret = make_ready(servo);
	if (ret)
		return ret;
	/* Do not replace angle limits that somebody has chosen. */
	if (servo->mode == mode)
		return 0;

	/* What holds or moves is not disturbed. */
	ret = dxl_servo_read_anyway(servo, SERVO_TORQUE_ENABLE, &torque);
	if (ret || torque)
		return ret ?: -EBUSY;

	/* Neither torque nor a goal may come to it before its mode is known again. */
	WRITE_ONCE(servo->mode_in_doubt, true);
	dxl_cycle_flush(servo->ddev->bus);
	dxl_servo_encode(field, mode->value, raw);
	ret = dxl_eeprom_write(servo->ddev, field->addr, raw, field->size);
	if (ret)
		find_out_mode(servo);
	else
		take_mode(servo, mode);

	/* Whether anybody keeps it going depends on whether poses go to it. */
	if (dxl_servo_mode_is_known(servo))
		watch = dxl_bus_watchdog_set(servo);

	return ret ?: watch;
}

/**
 * dxl_servo_set_zero() - say where a joint is at 0
 * @servo: the servo
 * @zero: what its encoder reads there
 *
 * Context: Process context. Sleeps.
 * Return: 0, -ERANGE, -EBUSY while the torque is on, or another negative errno
 */
int dxl_servo_set_zero(struct dxl_servo *servo, int zero)
{
	const struct dxl_servo_field *field = dxl_servo_field(servo,
							      SERVO_ZERO);
	u8 raw[SERVO_FIELD_MAX];
	int ret;

	if (zero < 0 || zero > dxl_servo_layout(servo)->zero_max)
		return -ERANGE;

	ret = dxl_servo_ready(servo);
	if (ret)
		return ret;

	dxl_servo_encode(field, zero, raw);

	return dxl_eeprom_write(servo->ddev, field->addr, raw, field->size);
}
