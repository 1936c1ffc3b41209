/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What public programs for a NAO v6 read from LoLA's packet: for each program a structure with the
 * names, types and order of that program's own fields. A program that needs a field fails without
 * it, and one that needs an array of a certain size fails with another size.
 *
 *	B-Human        bhuman/BHumanCodeRelease, NaoProvider.cpp and MsgPack.cpp
 *	Bembelbots     Bembelbots/BembelSoccer, lola/mapping.h and connector.cpp
 *	Berlin United  BerlinUnited/NaoTH, Test/Source/LoLa/Lola.h
 *	HULKs          HULKs/hulk, hula_types/src/robot_state.rs
 *	Nao Devils     NaoDevils/CodeRelease, naodevilsbase.h and naodevilsbase.cpp
 *	nao_lola       ros-sports/nao_lola, msgpack_parser.cpp
 *	nidhogg        IntelligentRoboticsLab/nidhogg, backend/lola.rs
 *	rUNSWift       UNSWComputing/rUNSWift-2022-release, LoLAData.cpp and LoLATouch.cpp
 */
#ifndef NAOHW_TEST_LOLA_PROGRAMS_H
#define NAOHW_TEST_LOLA_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROGRAM_JOINTS 25
#define PROGRAM_ID     20
#define PROGRAM_TEXT   32

/* In the order of LoLA, which all of them have */
struct hulks_joints {
	float head_yaw, head_pitch;
	float left_shoulder_pitch, left_shoulder_roll, left_elbow_yaw, left_elbow_roll;
	float left_wrist_yaw;
	float left_hip_yaw_pitch, left_hip_roll, left_hip_pitch;
	float left_knee_pitch, left_ankle_pitch, left_ankle_roll;
	float right_hip_roll, right_hip_pitch;
	float right_knee_pitch, right_ankle_pitch, right_ankle_roll;
	float right_shoulder_pitch, right_shoulder_roll, right_elbow_yaw, right_elbow_roll;
	float right_wrist_yaw;
	float left_hand, right_hand;
};

struct hulks {
	char body_id[PROGRAM_ID];
	uint8_t body_version;
	char head_id[PROGRAM_ID];
	uint8_t head_version;
	struct {
		float charge, status, current, temperature;
	} battery;
	float accelerometer[3], angles[2], gyroscope[3];
	float left_foot[4], right_foot[4]; /* front left, front right, rear left, rear right */
	struct {
		bool chest_button, head_front, head_middle, head_rear;
		bool left_foot_left, left_foot_right;
		bool left_hand_back, left_hand_left, left_hand_right;
		bool right_foot_left, right_foot_right;
		bool right_hand_back, right_hand_left, right_hand_right;
	} touch;
	float sonar_left, sonar_right;
	struct hulks_joints position, stiffness, current, temperature, status;
};

struct nao_devils {
	char body_id[PROGRAM_TEXT], head_id[PROGRAM_TEXT];
	float acc[3], angle[2];
	struct {
		float charge, status, current, temperature;
	} battery;
	float current[PROGRAM_JOINTS], fsr[8], gyro[3], position[PROGRAM_JOINTS], sonar[2];
	float stiffness[PROGRAM_JOINTS], temperature[PROGRAM_JOINTS], touch[14];
	int32_t status[PROGRAM_JOINTS];
};

struct berlin_united {
	struct {
		char body_id[PROGRAM_TEXT], body_version[PROGRAM_TEXT];
		char full_head_id[PROGRAM_TEXT], head_version[PROGRAM_TEXT];
	} config;
	struct {
		float charge, current, status, temperature; /* its own order */
	} battery;
	float accelerometer[3], gyroscope[3];
	float left_fsr[4], right_fsr[4];
	float sonar_left, sonar_right;
	float touch[14];
	float position[PROGRAM_JOINTS], stiffness[PROGRAM_JOINTS], current[PROGRAM_JOINTS];
	float temperature[PROGRAM_JOINTS];
	int32_t status[PROGRAM_JOINTS];
};

struct nidhogg {
	float stiffness[PROGRAM_JOINTS], position[PROGRAM_JOINTS], temperature[PROGRAM_JOINTS];
	float current[PROGRAM_JOINTS];
	struct {
		float charge, current, status, temperature; /* its own order */
	} battery;
	float accelerometer[3], gyroscope[3], angles[2], sonar[2], fsr[8], touch[14];
	int32_t status[PROGRAM_JOINTS];
	char body_id[PROGRAM_TEXT], body_version[PROGRAM_TEXT];
	char head_id[PROGRAM_TEXT], head_version[PROGRAM_TEXT];
};

struct nao_lola {
	float accelerometer[3], angles[2], touch[14], fsr[8], gyroscope[3];
	float position[PROGRAM_JOINTS], stiffness[PROGRAM_JOINTS], temperature[PROGRAM_JOINTS];
	float current[PROGRAM_JOINTS];
	float status[PROGRAM_JOINTS];
	float sonar[2];
	struct {
		float charge, current, status, temperature; /* its own order */
	} battery;
	char body_id[PROGRAM_TEXT], body_version[PROGRAM_TEXT];
	char head_id[PROGRAM_TEXT], head_version[PROGRAM_TEXT];
};

struct runswift {
	float angles[PROGRAM_JOINTS], stiffnesses[PROGRAM_JOINTS], temperatures[PROGRAM_JOINTS];
	float currents[PROGRAM_JOINTS];
	struct {
		float charge, status, current, temperature;
	} battery;
	float accelerometer[3], gyroscope[3], angle[2], sonar[2], fsr[8], touch[14];
};

struct bembelbots {
	float acc[3], angle[2];
	float battery_charge, battery_current, battery_temperature; /* it leaves out the status */
	float current[PROGRAM_JOINTS], fsr[8], gyro[3], position[PROGRAM_JOINTS], us[2];
	float status[PROGRAM_JOINTS], temperature[PROGRAM_JOINTS], touch[14];
};

/*
 * B-Human keeps where each float of the first packet is, and reads all later ones there. It takes
 * floats of 32 bits, and of whole numbers only the joints' statuses.
 */
struct bhuman {
	size_t battery_level, battery_charging, battery_current, battery_temperature;
	size_t joint_currents, joint_angles, joint_temperatures, joint_statuses;
	size_t fsrs, accs, gyros, torso_angles, keys;
};

/* A packet as the program reads it; the test fails where the program could not. */
void read_as_hulks(const uint8_t *packet, size_t size, struct hulks *hulks);
void read_as_nao_devils(const uint8_t *packet, size_t size, struct nao_devils *devils);
void read_as_berlin_united(const uint8_t *packet, size_t size, struct berlin_united *united);
void read_as_nidhogg(const uint8_t *packet, size_t size, struct nidhogg *nidhogg);
void read_as_nao_lola(const uint8_t *packet, size_t size, struct nao_lola *lola);
void read_as_runswift(const uint8_t *packet, size_t size, struct runswift *runswift);
void read_as_bembelbots(const uint8_t *packet, size_t size, struct bembelbots *bots);
void read_as_bhuman(const uint8_t *packet, size_t size, struct bhuman *bhuman);

/* One of the floats whose place B-Human keeps. */
float bhuman_float(const uint8_t *packet, size_t at, unsigned int index);

#endif
