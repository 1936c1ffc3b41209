// SPDX-License-Identifier: GPL-2.0-or-later
/* Boards of a Pepper, with the maps of Documentation/boards/pepper-boards.rst. */
#include "board.h"

#define PEPPER_HEAD(number, id)	HEAD(number, 1, id, 252, 3, 0, 7, 0)

/* --- fuse --- */

static const struct item fuse_items[] = {
	PEPPER_HEAD(0x5001, 100),
	{ 24, 1, RAM, R, 40, 0, 255, "present_temperature" },
	{ 25, 1, RAM, R,  0, 0, 255, "error" },
};

static const struct sense fuse_senses[] = {
	SENSE(24, TEMPERATURE, 0, 1), SENSE(25, BITS, 0, 1),
};

static const struct board_spec fuse_spec = { LIST(sense, fuse_senses) };

const struct model model_pepper_fuse = {
	MODEL_2,
	.name = "Pepper-fuse",
	.compatible = "naohw,pepper-fuse",
	.number = 0x5001,
	.table_size = 26,
	.pieces = { PIECE(fuse_items) },
	.board = &fuse_spec,
};

/* --- laser --- */

#define FAR	5000	/* mm */

static const struct item laser_items[] = {
	PEPPER_HEAD(0x5002, 214),
	{ 24, 2, RAM, R, 3000, 0, FAR, "segment_1" },
	{ 26, 2, RAM, R, 3000, 0, FAR, "segment_2" },
	{ 28, 2, RAM, R, 3000, 0, FAR, "segment_3" },
	{ 30, 1, RAM, R,    0, 0, 255, "error" },
};

static const struct sense laser_senses[] = {
	SENSE(24, DISTANCE, 0, 1), SENSE(26, DISTANCE, 0, 1), SENSE(28, DISTANCE, 0, 1),
	SENSE(30, BITS, 0, 1),
};

static const struct board_spec laser_spec = {
	LIST(sense, laser_senses),
	.noisy = true,
};

const struct model model_pepper_laser = {
	MODEL_2,
	.name = "Pepper-laser",
	.compatible = "naohw,pepper-laser",
	.number = 0x5002,
	.table_size = 31,
	.pieces = { PIECE(laser_items) },
	.board = &laser_spec,
};

/* --- base: bumpers, brakes and the 3D camera --- */

#define BUMPERS		24
#define BRAKE_HIP	25
#define BRAKE_KNEE	26
#define PICTURES	28

static const struct item base_items[] = {
	PEPPER_HEAD(0x5003, 215),
	{ BUMPERS,    1, RAM, R, 0, 0,     7, "button" },
	{ BRAKE_HIP,  1, RAM, R, 0, 0,     1, "brake_hip_pitch" },
	{ BRAKE_KNEE, 1, RAM, R, 0, 0,     1, "brake_knee_pitch" },
	{ PICTURES,   2, RAM, R, 0, 0, 65535, "camera_frames" },
};

static const struct button base_buttons[] = {
	{ 0, "front-right" }, { 1, "front-left" }, { 2, "back" },
};

static const struct brake base_brakes[] = {
	{ BRAKE_HIP, "HipPitch" }, { BRAKE_KNEE, "KneePitch" },
};

static const struct board_spec base_spec = {
	LIST(button, base_buttons),
	.button = BUMPERS,
	LIST(brake, base_brakes),
	.pictures = PICTURES,
};

const struct model model_pepper_base = {
	MODEL_2,
	.name = "Pepper-base",
	.compatible = "naohw,pepper-base",
	.number = 0x5003,
	.table_size = 30,
	.pieces = { PIECE(base_items) },
	.board = &base_spec,
};
