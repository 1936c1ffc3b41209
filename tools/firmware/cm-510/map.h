/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The control table's addresses, of version 2: Documentation/boards/cm-510.rst */
#ifndef CM510_MAP_H
#define CM510_MAP_H

#define MAP_MODEL		0x0510
#define MAP_VERSION		2

#define MAP_MODEL_NUMBER	0
#define MAP_FIRMWARE		2
#define MAP_ID			3
#define MAP_BAUD		4
#define MAP_RETURN_DELAY	5
#define MAP_HOST_JACK		6
#define MAP_HOST_BAUD		7
#define MAP_STATUS_LEVEL	16
#define MAP_LOST_PACKETS	22
#define MAP_LED			25
#define MAP_PORT_OUTPUT		26
#define MAP_BUZZER		28
#define MAP_BUTTON		30
#define MAP_VOLTAGE		31
#define MAP_PORT_1		32
#define MAP_SOUNDS		44
#define MAP_SIZE		46

/* What the board has measured: from Button to what is before Sounds */
#define MAP_MEASURED		MAP_BUTTON
#define MAP_MEASURED_END	MAP_SOUNDS

/* What is below outlives the power. */
#define MAP_KEPT		17

#define MAP_PORTS		6

enum host_jack {
	HOST_NONE,
	HOST_PC,
	HOST_RADIO,
};

/* Bits of Button */
#define BUTTON_START	0x01
#define BUTTON_UP	0x10
#define BUTTON_DOWN	0x20
#define BUTTON_LEFT	0x40
#define BUTTON_RIGHT	0x80

#endif
