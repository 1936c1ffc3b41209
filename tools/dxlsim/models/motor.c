// SPDX-License-Identifier: GPL-2.0-or-later
/* NAO's motors, two to a board, with the map of Documentation/boards/nao-motor.rst. */
#include "../body/body.h"
#include "board.h"

static const struct item items[] = {
	HEAD(19984, 1, 1, 252, 3, 0, 7, 0),
	{ 24, 1, ROM, R,      1, 0, 255, "struct_version" },
	{ NAO_BID, 1, ROM, R,     1, 0, 126, "bid" },
	{ 26, 2, ROM, R,      1, 0, 65535, "board_id" },
	{ 28, 2, ROM, R,      2, 0, 65535, "board_id_2" },
	{ 30, 1, ROM, R,      3, 0, 255, "boot_loader_version" },
	{ 31, 1, ROM, R,      4, 0, 255, "prog_version" },
	{ NAO_MOTOR_NUMBER, 1, ROM, R, 1, 1, 2, "motor_number" },
	{ 33, 1, ROM, R,      3, 3, 3, "operating_mode" },
	{ NAO_SENSOR_TYPE, 1, ROM, RW, 2, 1, 2, "sensor_type" },
	{ NAO_CHAIN_JOINT, 1, ROM, R, 1, 1, 4, "position_chain_mre_joint" },
	{ NAO_CHAIN_MOTOR, 1, ROM, R, 2, 0, 4, "position_chain_mre_motor" },
	{ 37, 1, ROM, RW,     0, 0, 1, "invert_control_direction" },
	{ NAO_KP, 1, ROM, RW, 32, 0, 255, "kp" },
	{ 39, 1, ROM, RW,     0, 0, 255, "ki" },
	{ 40, 1, ROM, RW,     0, 0, 255, "kd" },
	{ NAO_GEAR_RATIO, 2, ROM, RW, 13085, 1, 65535, "gear_ratio" },
	{ NAO_JOINT_ZERO, 2, ROM, RW, 2048, 0, 4095, "joint_zero_position" },
	{ NAO_TORQUE_ENABLE, 1, RAM, RW, 0, 0, 1, "torque_enable" },
	{ NAO_BUS_WATCHDOG, 1, RAM, RW, 25, 0, 127, "bus_watchdog" },
	{ NAO_CURRENT_MAX, 2, RAM, RW, NAO_FULL_CURRENT, 0, NAO_FULL_CURRENT, "current_max" },
	{ NAO_GOAL_POSITION, 2, RAM, RW, 0, -32768, 32767, "goal_position" },
	{ NAO_GOAL_SPEED, 2, RAM, RW, 0, 0, 32767, "goal_speed" },
	{ NAO_HARDNESS, 2, RAM, RW, NAO_FULL_HARDNESS, 0, NAO_FULL_HARDNESS, "hardness" },
	{ NAO_PRESENT_POSITION, 2, RAM, R, 0, -32768, 32767, "present_position" },
	{ NAO_PRESENT_SPEED, 2, RAM, R, 0, -32768, 32767, "present_speed" },
	{ NAO_MOTOR_POSITION, 2, RAM, R, 0, 0, 65535, "motor_position" },
	{ NAO_PRESENT_CURRENT, 2, RAM, R, 0, 0, 65535, "present_current" },
	{ NAO_PRESENT_TEMPERATURE, 1, RAM, R, 50, 0, 255, "present_temperature" },
	{ NAO_ERROR, 1, RAM, R, 0, 0, 255, "error" },
	{ NAO_BRAKE, 1, RAM, RW, 1, 0, 1, "brake" },
};

static const struct registers registers = {
	.firmware = 2,
	.id = 3,
	.baud = 4,
	.return_delay = 5,
	.status_level = 16,
	.torque_enable = NAO_TORQUE_ENABLE,
};

/* The fastest of a V3.3's joints but for wrists, at the six cells' 21.6 V. */
static const struct servo_spec spec = {
	.supply = 216,
	.count_deg = 360.0 / 65536,
	.no_load_rpm = 79,
	.torque = 3,	/* of its legs' */
	.accel_deg = 5000,
	.full_load = NAO_FULL_CURRENT,
};

const struct model model_nao_motor = {
	.name = "NAO-motor",
	.compatible = "naohw,nao-motor",
	.number = 19984,
	.protocol = DXL_PROTOCOL_2,
	.table_size = 85,
	.pieces = { PIECE(items) },
	.registers = &registers,
	.bauds = board_bauds_2,
	.baud_count = BOARD_BAUDS_2,
	.abilities = board_abilities_2,
	.ability_count = BOARD_ABILITIES_2,
	.eeprom_byte = 1 * NSEC_PER_MSEC,
	.boot = 200 * NSEC_PER_MSEC,
	.servo = &spec,
	.robot = &robot_nao,
	.ops = &servo_nao_ops,
};
