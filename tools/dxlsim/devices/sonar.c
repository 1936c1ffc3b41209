// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdlib.h>

#include "device.h"
#include "nerve.h"
#include "sonar.h"

#define CAPTURE		(10 * NSEC_PER_MSEC)
#define PERIOD		(100 * NSEC_PER_MSEC)

/* What an item shows, cm. What is nearer than the least is an error. */
#define LEAST		25
#define NO_ECHO		255
#define ERROR		0

/* Of a mode. */
enum {
	RIGHT_RECEIVER		= 1,
	RIGHT_TRANSMITTER	= 2,
	BOTH_RECEIVERS		= 4,
	BOTH_TRANSMITTERS	= 8,
	PERIODIC		= 64,
};

bool sonar_has_mode(u8 mode)
{
	mode &= ~PERIODIC;

	return mode <= BOTH_RECEIVERS || mode == BOTH_TRANSMITTERS ||
	       mode == (BOTH_TRANSMITTERS | BOTH_RECEIVERS);
}

static u8 mode_of(const struct device *dev)
{
	return dev->table[dev->model->board->sonar];
}

static bool sends(u8 mode, enum place side)
{
	if (mode & (BOTH_RECEIVERS | BOTH_TRANSMITTERS))
		return true;

	return (side == PLACE_RIGHT) == !!(mode & RIGHT_TRANSMITTER);
}

static size_t collect(const struct device *dev, enum place place, double *mm)
{
	const double *obstacles = dev->board.body->obstacles[place];
	size_t i;

	for (i = 0; i < OBSTACLES_MAX && obstacles[i]; i++)
		mm[i] = obstacles[i];

	return i;
}

static int by_distance(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

static u8 shown(double mm, int noise)
{
	double cm = round(mm / 10);

	if (cm < LEAST)
		return ERROR;
	/* Neither an error nor a silence is noisy. */
	if (cm >= NO_ECHO)
		return NO_ECHO;

	return fmin(fmax(cm + noise, LEAST), NO_ECHO - 1);
}

/* Of what is there by the control socket; @own: this side's wave is on its way, too. */
static size_t told_echoes(const struct device *dev, enum place side, bool own, double *mm)
{
	size_t heard = collect(dev, PLACE_FRONT, mm);

	return own ? heard + collect(dev, side, mm + heard) : heard;
}

/* The first echoes that the receiver of a side hears. */
static void hear(struct device *dev, enum place side, u16 addr, size_t echoes)
{
	double mm[2 * OBSTACLES_MAX];
	bool own = sends(mode_of(dev), side);
	size_t i, heard;

	if (dev->board.body->world)
		heard = nerve_echoes(dev, side == PLACE_RIGHT, !own, mm, SONAR_ECHOES);
	else
		heard = told_echoes(dev, side, own, mm);
	qsort(mm, heard, sizeof(*mm), by_distance);
	for (i = 0; i < echoes; i++)
		dev->table[addr + i] = i < heard ?
			shown(mm[i], board_noise(dev, addr + i, dev->board.captured_at)) :
			NO_ECHO;
}

static void capture(struct device *dev)
{
	u8 mode = mode_of(dev);

	if (mode & BOTH_RECEIVERS) {
		hear(dev, PLACE_LEFT, SONAR_LEFT, SONAR_ECHOES);
		hear(dev, PLACE_RIGHT, SONAR_RIGHT, SONAR_ECHOES);
	} else {
		hear(dev, mode & RIGHT_RECEIVER ? PLACE_RIGHT : PLACE_LEFT,
		     SONAR_VALUE, 1);
	}
}

/* Where both sides listen, each to its own wave, they do so one after the other. */
static nsec_t length(u8 mode)
{
	bool twice = mode & BOTH_RECEIVERS && !(mode & BOTH_TRANSMITTERS);

	return twice ? 2 * CAPTURE : CAPTURE;
}

/* Nobody listens for the last wave any more. */
void sonar_begin(struct device *dev, nsec_t now)
{
	dev->board.captured_at = now + length(mode_of(dev));
}

void sonar_advance(struct device *dev, nsec_t now)
{
	struct board *board = &dev->board;

	while (board->captured_at <= now) {
		capture(dev);
		board->captured_at = mode_of(dev) & PERIODIC ?
				     board->captured_at + PERIOD : NSEC_NEVER;
	}
}
