/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A servo: what its control table makes of its motor and shaft. There are three
 * families of tables, and so of operations: that of the AX-12, with Moving
 * Speed and angle limits, that of the X series, with operating modes, and that of
 * NAO's motors.
 */
#ifndef DXLSIM_SERVO_H
#define DXLSIM_SERVO_H

#include <linux/types.h>

#include "../base/base.h"
#include "joint.h"
#include "limb.h"

struct device_ops;

/* How goals came. */
struct goals {
	uint64_t count;		/* writes of Goal Position */
	nsec_t first;
	nsec_t last;
	nsec_t shortest;	/* time between two of them */
	nsec_t longest;
	double farthest;	/* at once, see motor_note_aim() */
};

/* What tests ask of the past. */
struct past {
	bool torque;
	nsec_t torque_at;	/* when it became so, or 0 */
	struct goals goals;
	bool aimed;		/* it has torque and a goal, */
	double aim;		/* which was this */
};

struct servo {
	struct joint joint;
	nsec_t time;		/* until when the state has been computed */
	nsec_t power_on_at;
	nsec_t stalled_at;	/* when it met too much load, or NSEC_NEVER */
	bool overload;
	bool down;		/* by an alarm, and until it is started again */
	u8 errors;		/* Hardware Error Status: what has come up */
	nsec_t blind_at;	/* NAO: when an encoder was set to be wrong */
	double temperature;	/* degrees C */
	int supply;		/* 0.1 V */
	double full_seconds;	/* at full load, since the battery has last asked */
	double outer_load;	/* torque that holding takes, full being 1 */
	struct drive profile;	/* X: of the motion under way */
	bool moves;		/* X: there is such a motion */
	u8 shape;		/* X: of its profile, for Moving Status */
	nsec_t lockstep;	/* Present Position counts time, by so much; or 0 */
	struct past past;
	struct limb limb;
	struct joint aim;	/* in a body: where the shaft should be by now */
	struct drive_order order;	/* and what has been asked of the motor for that */
	double output;		/* that it gave, as a share of all */
	double pull;		/* and what that came to be, of the full torque */
};

/* Where the items of the AX-12's family are; 0: the model has none. */
struct servo_map {
	u16 drive_mode;
	u16 control_mode;
	u16 cw_limit;
	u16 ccw_limit;
	u16 temp_limit;
	u16 min_voltage;
	u16 max_voltage;
	u16 max_torque;
	u16 shutdown;
	u16 multi_turn_offset;
	u16 divider;
	u16 cw_margin;
	u16 ccw_margin;
	u16 cw_slope;
	u16 ccw_slope;
	u16 punch;
	u16 p_gain;
	u16 goal;
	u16 speed;
	u16 torque_limit;
	u16 present_position;
	u16 present_speed;
	u16 present_load;
	u16 present_voltage;
	u16 present_temp;
	u16 moving;
	u16 hardware_error;
	u16 tick;
	u16 current;
	u16 torque_mode;
	u16 goal_torque;
	u16 goal_accel;
};

/* The bits of Shutdown, and of the errors that are told. */
struct error_bits {
	u8 voltage;
	u8 heat;
	u8 overload;
};

/* What of a servo's mechanics is not in its control table. */
struct servo_spec {
	const struct servo_map *map;
	struct error_bits bits;
	int supply;		/* nominal, 0.1 V */
	double count_deg;	/* one position count */
	double speed_unit_rpm;	/* one count of speed */
	double no_load_rpm;	/* at the nominal supply */
	double torque;		/* standing, at the nominal supply, Nm */
	double accel_deg;	/* most it can do, degrees/s^2 */
	int max_position;
	int multi_turn;		/* most counts from zero, or 0: has no such mode */
	bool wheel_is_output;	/* wheel mode sets the output and not the speed */
	bool wheel_counts;	/* its encoder counts on in wheel mode */
	int full_load;		/* Present Current or the X's Load at full torque */
	int current_zero;	/* Present Current without any */
};

extern const struct device_ops servo_ops;
extern const struct device_ops servo_x_ops;
extern const struct device_ops servo_nao_ops;

#endif
