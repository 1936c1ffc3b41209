// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Which key is in which field of which message. It is the same for all robots: a field is of a
 * robot that has the key, be it by a board of another kind. Documentation/tables reads it, too.
 */
#include "../description/description.h"
#include "message.h"

#define SENSOR(name)   KEY_PREFIX name "/Sensor/Value"
#define ACTUATOR(name) KEY_PREFIX name "/Actuator/Value"
#define DEVICE(name)   DEVICE_PREFIX name
#define CONFIG(name)   ROBOT_CONFIG_PREFIX name
#define MAX(name)      KEY_PREFIX name "/Sensor/Max"

#define LIMITED(message, field, number, form, key, limit)         \
	{                                                         \
		offsetof(struct message_set, message),            \
		offsetof(struct message_set, message.field),      \
		number, form, key, limit                          \
	}
#define FIELD(message, field, number, form, key) \
	LIMITED(message, field, number, form, key, NULL)

/* A joint has a field in each of these messages. */
#define JOINT(i, name)                                                                             \
	FIELD(joint_positions, positions[i], i, FORM_NUMBER, SENSOR(name "/Position")),            \
	FIELD(joint_stiffnesses, stiffnesses[i], i, FORM_STIFFNESS, ACTUATOR(name "/Hardness")),   \
	FIELD(joint_temperatures, temperatures[i], i, FORM_NUMBER, SENSOR(name "/Temperature")),   \
	FIELD(joint_currents, currents[i], i, FORM_NUMBER, SENSOR(name "/ElectricCurrent")),       \
	LIMITED(joint_statuses, statuses[i], i, FORM_STATUS, SENSOR(name "/Temperature"),          \
		MAX(name "/Temperature"))

/* Their order is that of nao_sensor_msgs' JointIndexes. */
#define JOINTS(JOINT)                                           \
	JOINT(NAOHW_NAO_HEAD_YAW, "HeadYaw"),                   \
	JOINT(NAOHW_NAO_HEAD_PITCH, "HeadPitch"),               \
	JOINT(NAOHW_NAO_L_SHOULDER_PITCH, "LShoulderPitch"),    \
	JOINT(NAOHW_NAO_L_SHOULDER_ROLL, "LShoulderRoll"),      \
	JOINT(NAOHW_NAO_L_ELBOW_YAW, "LElbowYaw"),              \
	JOINT(NAOHW_NAO_L_ELBOW_ROLL, "LElbowRoll"),            \
	JOINT(NAOHW_NAO_L_WRIST_YAW, "LWristYaw"),              \
	JOINT(NAOHW_NAO_L_HIP_YAW_PITCH, "LHipYawPitch"),       \
	JOINT(NAOHW_NAO_L_HIP_ROLL, "LHipRoll"),                \
	JOINT(NAOHW_NAO_L_HIP_PITCH, "LHipPitch"),              \
	JOINT(NAOHW_NAO_L_KNEE_PITCH, "LKneePitch"),            \
	JOINT(NAOHW_NAO_L_ANKLE_PITCH, "LAnklePitch"),          \
	JOINT(NAOHW_NAO_L_ANKLE_ROLL, "LAnkleRoll"),            \
	JOINT(NAOHW_NAO_R_HIP_ROLL, "RHipRoll"),                \
	JOINT(NAOHW_NAO_R_HIP_PITCH, "RHipPitch"),              \
	JOINT(NAOHW_NAO_R_KNEE_PITCH, "RKneePitch"),            \
	JOINT(NAOHW_NAO_R_ANKLE_PITCH, "RAnklePitch"),          \
	JOINT(NAOHW_NAO_R_ANKLE_ROLL, "RAnkleRoll"),            \
	JOINT(NAOHW_NAO_R_SHOULDER_PITCH, "RShoulderPitch"),    \
	JOINT(NAOHW_NAO_R_SHOULDER_ROLL, "RShoulderRoll"),      \
	JOINT(NAOHW_NAO_R_ELBOW_YAW, "RElbowYaw"),              \
	JOINT(NAOHW_NAO_R_ELBOW_ROLL, "RElbowRoll"),            \
	JOINT(NAOHW_NAO_R_WRIST_YAW, "RWristYaw"),              \
	JOINT(NAOHW_NAO_L_HAND, "LHand"),                       \
	JOINT(NAOHW_NAO_R_HAND, "RHand")

/*
 * Whether a battery is charged is told by its current, whose sign all of them have: the bit that
 * says so in a BMZ's Status says in a Sanyo's that it is full. A head has no other version than
 * its kind.
 */
const struct message_field message_fields[] = {
	FIELD(accelerometer, x, 0, FORM_NUMBER, SENSOR("InertialSensor/AccelerometerX")),
	FIELD(accelerometer, y, 1, FORM_NUMBER, SENSOR("InertialSensor/AccelerometerY")),
	FIELD(accelerometer, z, 2, FORM_NUMBER, SENSOR("InertialSensor/AccelerometerZ")),
	FIELD(angle, x, 0, FORM_NUMBER, SENSOR("InertialSensor/AngleX")),
	FIELD(angle, y, 1, FORM_NUMBER, SENSOR("InertialSensor/AngleY")),
	FIELD(battery, charge, 0, FORM_PERCENT, SENSOR("Battery/Charge")),
	FIELD(battery, charging, 1, FORM_POSITIVE, SENSOR("Battery/Current")),
	FIELD(battery, current, 2, FORM_NUMBER, SENSOR("Battery/Current")),
	FIELD(battery, temperature, 3, FORM_NUMBER, SENSOR("Battery/Temperature")),
	FIELD(buttons, chest, 0, FORM_FLAG, SENSOR("ChestBoard/Button")),
	FIELD(buttons, l_foot_bumper_left, 1, FORM_FLAG, SENSOR("LFoot/Bumper/Left")),
	FIELD(buttons, l_foot_bumper_right, 2, FORM_FLAG, SENSOR("LFoot/Bumper/Right")),
	FIELD(buttons, r_foot_bumper_left, 3, FORM_FLAG, SENSOR("RFoot/Bumper/Left")),
	FIELD(buttons, r_foot_bumper_right, 4, FORM_FLAG, SENSOR("RFoot/Bumper/Right")),
	FIELD(fsr, l_foot_front_left, 0, FORM_NUMBER, SENSOR("LFoot/FSR/FrontLeft")),
	FIELD(fsr, l_foot_front_right, 1, FORM_NUMBER, SENSOR("LFoot/FSR/FrontRight")),
	FIELD(fsr, l_foot_back_left, 2, FORM_NUMBER, SENSOR("LFoot/FSR/RearLeft")),
	FIELD(fsr, l_foot_back_right, 3, FORM_NUMBER, SENSOR("LFoot/FSR/RearRight")),
	FIELD(fsr, r_foot_front_left, 4, FORM_NUMBER, SENSOR("RFoot/FSR/FrontLeft")),
	FIELD(fsr, r_foot_front_right, 5, FORM_NUMBER, SENSOR("RFoot/FSR/FrontRight")),
	FIELD(fsr, r_foot_back_left, 6, FORM_NUMBER, SENSOR("RFoot/FSR/RearLeft")),
	FIELD(fsr, r_foot_back_right, 7, FORM_NUMBER, SENSOR("RFoot/FSR/RearRight")),
	FIELD(gyroscope, x, 0, FORM_NUMBER, SENSOR("InertialSensor/GyroscopeX")),
	FIELD(gyroscope, y, 1, FORM_NUMBER, SENSOR("InertialSensor/GyroscopeY")),
	FIELD(gyroscope, z, 2, FORM_NUMBER, SENSOR("InertialSensor/GyroscopeZ")),
	JOINTS(JOINT),
	FIELD(sonar, left, 0, FORM_NUMBER, SENSOR("US/Left")),
	FIELD(sonar, right, 1, FORM_NUMBER, SENSOR("US/Right")),
	FIELD(touch, head_front, 0, FORM_FLAG, SENSOR("Head/Touch/Front")),
	FIELD(touch, head_middle, 1, FORM_FLAG, SENSOR("Head/Touch/Middle")),
	FIELD(touch, head_rear, 2, FORM_FLAG, SENSOR("Head/Touch/Rear")),
	FIELD(robot_config, body_id, 0, FORM_TEXT, DEVICE("ChestBoard/BodyId")),
	FIELD(robot_config, body_version, 1, FORM_TEXT, CONFIG("Body/Version")),
	FIELD(robot_config, head_id, 2, FORM_TEXT, CONFIG("Head/FullHeadId")),
	FIELD(robot_config, head_version, 3, FORM_TEXT, CONFIG("Head/BaseVersion")),
};

const size_t message_field_count = sizeof(message_fields) / sizeof(message_fields[0]);

#define NAME(i, name) [i] = name

static const char *const joint_names[] = { JOINTS(NAME) };

_Static_assert(sizeof(joint_names) / sizeof(joint_names[0]) == NAOHW_NAO_JOINTS,
	       "each joint has a name");
_Static_assert(NAOHW_NAO_JOINTS <= NAOHW_MESSAGE_FIELDS, "each joint has a state");

const char *naohw_nao_joint_name(size_t joint)
{
	return joint < NAOHW_NAO_JOINTS ? joint_names[joint] : NULL;
}
