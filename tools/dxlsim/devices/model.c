// SPDX-License-Identifier: GPL-2.0-or-later
/* What can be told from a model's data alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

/* --- layout --- */

static bool replaced(const struct model *model, size_t piece,
		     const struct item *item)
{
	size_t i;

	while (++piece < PIECES_MAX)
		for (i = 0; i < model->pieces[piece].count; i++)
			if (model->pieces[piece].items[i].addr == item->addr)
				return true;

	return false;
}

static struct item *add(struct layout *layout, const struct item *item)
{
	if (layout->count == ITEMS_MAX)
		abort();
	layout->items[layout->count] = *item;

	return &layout->items[layout->count++];
}

static void add_row(struct layout *layout, const struct row *row)
{
	unsigned int i;

	for (i = 0; i < row->count; i++) {
		struct item *item = add(layout, &row->item);

		item->addr += i * item->size;
		item->init += i * row->step;
		snprintf(item->name, sizeof(item->name), "%.20s_%u",
			 row->item.name, row->number + i);
	}
}

static int by_address(const void *a, const void *b)
{
	return ((const struct item *)a)->addr - ((const struct item *)b)->addr;
}

static const struct item *named(const struct layout *layout, const char *name)
{
	size_t i;

	for (i = 0; i < layout->count; i++)
		if (!strcmp(layout->items[i].name, name))
			return &layout->items[i];

	return NULL;
}

static void build(struct layout *layout, const struct model *model)
{
	size_t piece, i, j;

	for (piece = 0; piece < PIECES_MAX; piece++) {
		const struct items *items = &model->pieces[piece];

		for (i = 0; i < items->count; i++)
			if (!replaced(model, piece, &items->items[i]))
				add(layout, &items->items[i]);
	}
	for (i = 0; i < model->row_count; i++)
		add_row(layout, &model->rows[i]);
	qsort(layout->items, layout->count, sizeof(layout->items[0]),
	      by_address);

	for (i = 0; i < layout->count; i++)
		for (j = 0; j < layout->items[i].size; j++)
			layout->at[layout->items[i].addr + j] =
				&layout->items[i];

	layout->supply = named(layout, "present_voltage");
	if (!layout->supply)
		layout->supply = named(layout, "present_input_voltage");
}

/* Of one model; they are few, and last. */
struct made {
	const struct model *model;
	struct layout layout;
	struct made *next;
};

/* Made when first asked for, and kept. */
const struct layout *model_layout(const struct model *model)
{
	static struct made *first;
	struct made *made;

	for (made = first; made; made = made->next)
		if (made->model == model)
			return &made->layout;

	made = calloc(1, sizeof(*made));
	if (!made)
		abort();
	made->model = model;
	build(&made->layout, model);
	made->next = first;
	first = made;

	return &made->layout;
}

const struct item *model_item_at(const struct model *model, unsigned int addr)
{
	return addr < TABLE_MAX ? model_layout(model)->at[addr] : NULL;
}

const struct item *model_item_named(const struct model *model, const char *name)
{
	return named(model_layout(model), name);
}

/* --- baud rate --- */

/* Bits per second that a value of the Baud Rate item stands for. */
unsigned int model_baud_rate(const struct model *model, unsigned int value)
{
	static const unsigned int fast[] = { 2250000, 2500000, 3000000 };

	if (model->bauds)
		return model->bauds[value < model->baud_count ? value : 0];
	if (model->fast_bauds && value >= 250 && value <= 252)
		return fast[value - 250];

	return 2000000 / (value + 1);
}

/*
 * The value of the Baud Rate item that comes closest to @rate; -1 where none
 * comes within the 3 % that the manual allows.
 */
int model_baud_value(const struct model *model, unsigned int rate)
{
	int last = model->bauds ? (int)model->baud_count - 1 : 254;
	long best = (long)rate * 3 / 100 + 1;
	int value, found = -1;

	for (value = 0; value <= last; value++) {
		long off = labs((long)model_baud_rate(model, value) - (long)rate);

		if (off < best) {
			best = off;
			found = value;
		}
	}

	return found;
}
