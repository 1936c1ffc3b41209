// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The boot loader of ROBOTIS' controllers, at 57600 bits/s: held by '#' at its start, it
 * reads commands that end in a carriage return, and prompts with a '-'. After "ld" it says
 * "Ready", takes the bytes of a program and one more, their sum, and says "Success"; "go"
 * starts that.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../common/ending.h"
#include "boot.h"

#define GREETING	"SYSTEM O.K. ("
#define READY		"Ready"
#define SUCCESS		"Success"

/* How long a bus is listened for, in which the driver would have said something */
#define LISTEN_MS	500
#define CALL_MS		50
/* It has said all it has to say. */
#define SILENCE_MS	300
#define CHATTER_MS	3000
/* It may have to erase first. */
#define READY_MS	10000
#define SUCCESS_MS	5000
#define PIECE		64

static long long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);

	return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

/* --- what it says --- */

static void forget(struct boot *boot)
{
	boot->len = 0;
	boot->text[0] = '\0';
}

/* Of more than there is room for, the last half stays. Bytes that are no text become '.'. */
static void take(struct boot *boot, const char *bytes, int len)
{
	int i;

	for (i = 0; i < len; i++) {
		if (boot->len == sizeof(boot->text) - 1) {
			boot->len /= 2;
			memmove(boot->text, boot->text + sizeof(boot->text) - 1 - boot->len,
				boot->len);
		}
		boot->text[boot->len++] =
			isprint((unsigned char)bytes[i]) || isspace((unsigned char)bytes[i]) ?
				bytes[i] : '.';
		boot->text[boot->len] = '\0';
	}
}

/* 1 if something came, 0 if not within that time, or -1 */
static int hear(struct boot *boot, int ms)
{
	char bytes[256];
	int len = port_read(boot->port, bytes, sizeof(bytes), ms);

	if (len > 0)
		take(boot, bytes, len);

	return len < 0 ? -1 : len > 0;
}

static int hear_out(struct boot *boot)
{
	long long end = now_ms() + CHATTER_MS;
	int heard;

	do
		heard = hear(boot, SILENCE_MS);
	while (heard > 0 && now_ms() < end);

	return heard < 0 ? -1 : 0;
}

static int tell(struct boot *boot, const char *text)
{
	forget(boot);

	return port_write(boot->port, text, strlen(text));
}

static int command(struct boot *boot, const char *text)
{
	return tell(boot, text) ? -1 : hear_out(boot);
}

/* It waits for the next command. */
static bool prompts(const struct boot *boot)
{
	size_t len = boot->len;

	while (len && boot->text[len - 1] == ' ')
		len--;

	return len > 1 && !memcmp(boot->text + len - 2, "\n-", 2);
}

static int wait_for(struct boot *boot, const char *word, int ms)
{
	long long end = now_ms() + ms;

	while (now_ms() < end && !ending) {
		if (strstr(boot->text, word))
			return 0;
		if (prompts(boot))
			break;
		if (hear(boot, CALL_MS) < 0)
			return -1;
	}
	if (!ending)
		fprintf(stderr, "dxlflash: the boot loader has not said \"%s\" but: \"%s\"\n",
			word, boot->text);

	return -1;
}

/* --- who is there --- */

/* A boot loader says nothing by itself, and of a bus at another rate any byte may come. */
int boot_listen(struct boot *boot)
{
	long long end = now_ms() + LISTEN_MS;
	char bytes[256];
	int len;

	while (now_ms() < end && !ending) {
		len = port_read(boot->port, bytes, sizeof(bytes), 50);
		if (len < 0)
			return -1;
		if (!len)
			continue;
		fprintf(stderr,
			"dxlflash: %s: somebody talks, as on a bus; expected the board's PC jack, nobody else at it, and a board whose program says nothing\n",
			boot->port->path);
		return -1;
	}

	return 0;
}

/* "SYSTEM O.K. (CM-510 Boot loader V1.0)" has come whole. */
static bool greeted(const struct boot *boot)
{
	const char *greeting = strstr(boot->text, GREETING);

	return greeting && strchr(greeting, ')');
}

/* The board's name in it, and the boot loader's version */
static void split_name(struct boot *boot)
{
	const char *greeting = strstr(boot->text, GREETING) + strlen(GREETING);
	const char *words = strstr(greeting, " Boot loader ");
	size_t len = words ? (size_t)(words - greeting) : strcspn(greeting, ")");

	snprintf(boot->board, sizeof(boot->board), "%.*s", (int)len, greeting);
	boot->version[0] = '\0';
	if (words)
		sscanf(words, " Boot loader %15[^)]", boot->version);
}

int boot_call(struct boot *boot, int seconds)
{
	long long end = now_ms() + seconds * 1000LL;

	forget(boot);
	while (now_ms() < end && !ending) {
		if (port_write(boot->port, "#", 1) || hear(boot, CALL_MS) < 0)
			return -1;
		if (greeted(boot)) {
			split_name(boot);
			return 0;
		}
	}
	if (!ending)
		fprintf(stderr,
			"dxlflash: %s: no boot loader has answered within %d s; is the cable in the PC jack, and was MODE pressed?\n",
			boot->port->path, seconds);

	return -1;
}

/* --- loading --- */

static uint8_t sum_of(const struct image *image)
{
	uint8_t sum = 0;
	size_t i;

	for (i = 0; i < image->len; i++)
		sum += image->bytes[i];

	return sum;
}

static int send_image(struct boot *boot, const struct image *image,
		      void (*progress)(size_t bytes))
{
	size_t sent = 0, len;

	while (sent < image->len) {
		if (ending)
			return -1;
		len = image->len - sent < PIECE ? image->len - sent : PIECE;
		if (port_write(boot->port, image->bytes + sent, len) || hear(boot, 0) < 0)
			return -1;
		sent += len;
		progress(sent);
	}

	return 0;
}

int boot_ready(struct boot *boot)
{
	/* The greeting's end is no answer. The first command ends what the many '#' have begun. */
	if (hear_out(boot) || command(boot, "\r") || ending)
		return -1;
	if (boot->len)
		return 0;
	fprintf(stderr, "dxlflash: the boot loader has said nothing since its greeting\n");

	return -1;
}

int boot_prepare(struct boot *boot)
{
	return tell(boot, "ld\r") || wait_for(boot, READY, READY_MS) || hear_out(boot) ? -1 : 0;
}

int boot_load(struct boot *boot, const struct image *image, void (*progress)(size_t bytes))
{
	uint8_t sum = sum_of(image);

	if (send_image(boot, image, progress))
		return -1;
	/* What there was before the sum says nothing of the image. */
	forget(boot);
	if (port_write(boot->port, &sum, 1))
		return -1;

	return wait_for(boot, SUCCESS, SUCCESS_MS);
}

int boot_go(struct boot *boot)
{
	return command(boot, "go\r");
}
