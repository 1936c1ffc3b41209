// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * one_page FILE -- the numbers of the pages of a binary motion file that have steps
 * one_page FILE NUMBER STEPS OUT -- that page alone, or its first steps, which leads nowhere, as page
 * 1 of the file OUT; and what it has as RoboPlus' text does. A single step is one to be reached in
 * two seconds.
 *
 * By the bytes of the file, as others document them, and not by libnaohw, which is what is tested.
 */
#include <stdio.h>
#include <stdlib.h>

#define PAGE	  512
#define STEP	  64
#define PAGES	  256
#define IDS	  26
#define REPEAT	  15
#define SCHEDULE  16
#define STEPS	  20
#define SPEED	  22
#define NEXT	  25
#define EXIT	  26
#define CHECKSUM  31
#define PAUSE	  62
#define TIME	  63
#define TIME_BASE 0x0a
/* Of 8 ms */
#define TWO_S	  250
#define TICK_S	  0.008

static unsigned char bytes[PAGES][PAGE];

static int load(const char *path)
{
	FILE *file = fopen(path, "rb");
	size_t pages;

	if (!file) {
		perror(path);
		return 0;
	}
	pages = fread(bytes, PAGE, PAGES, file);
	fclose(file);
	return (int)pages;
}

static int plays(const unsigned char *page)
{
	return page[REPEAT] && page[STEPS] && page[STEPS] <= 7;
}

static void seal(unsigned char *page)
{
	unsigned int sum = 0;

	page[CHECKSUM] = 0;
	for (int i = 0; i < PAGE; i++)
		sum += page[i];
	page[CHECKSUM] = (unsigned char)(0xff - sum);
}

static void cut(unsigned char *page, int steps)
{
	page[REPEAT] = 1;
	page[NEXT] = page[EXIT] = 0;
	if (steps < page[STEPS])
		page[STEPS] = (unsigned char)steps;
	if (steps == 1) {
		page[SCHEDULE] = TIME_BASE;
		page[SPEED] = 32;
		page[STEP + PAUSE] = 0;
		page[STEP + TIME] = TWO_S;
	}
	seal(page);
}

static int store(const unsigned char *page, const char *path)
{
	static const unsigned char zeros[PAGE];
	FILE *file = fopen(path, "wb");

	if (!file || fwrite(zeros, PAGE, 1, file) != 1 || fwrite(page, PAGE, 1, file) != 1 ||
	    fclose(file) != 0) {
		perror(path);
		return 1;
	}
	return 0;
}

static void print(const unsigned char *page, int number)
{
	printf("name=%d\n", number);
	for (int i = 1; i <= page[STEPS]; i++) {
		const unsigned char *step = page + i * STEP;

		printf("step=");
		for (int id = 0; id < IDS; id++)
			printf("%d ", step[2 * id] | step[2 * id + 1] << 8);
		printf("%.3f %.3f\n", step[PAUSE] * TICK_S, step[TIME] * TICK_S);
	}
}

int main(int argc, char **argv)
{
	int pages = argc > 1 ? load(argv[1]) : 0;
	int number = argc == 5 ? atoi(argv[2]) : 0;

	if (argc == 2 && pages) {
		for (int i = 1; i < pages; i++)
			if (plays(bytes[i]))
				printf("%d\n", i);
		return 0;
	}
	if (number < 1 || number >= pages || !plays(bytes[number])) {
		fprintf(stderr, "usage: one_page FILE [NUMBER STEPS OUT]\n");
		return 1;
	}
	cut(bytes[number], atoi(argv[3]));
	print(bytes[number], number);
	return store(bytes[number], argv[4]);
}
