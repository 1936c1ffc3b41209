// SPDX-License-Identifier: GPL-2.0-or-later
/* The list of the models, and what can be told from their data alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"
#include "models.h"

static const struct model *const models[] = {
	&model_ax12, &model_ax18, &model_rx24f, &model_rx28, &model_rx64,
	&model_ex106, &model_mx12w, &model_mx28, &model_mx64, &model_mx106,
	&model_mx28_2, &model_mx64_2, &model_mx106_2, &model_xl320,
	&model_xl430_w250, &model_xc430_w150, &model_xc430_w240,
	&model_xm430_w210, &model_xm430_w350, &model_xm540_w150,
	&model_xm540_w270, &model_xh430_w210, &model_xh430_w350,
	&model_xh430_v210, &model_xh430_v350, &model_xh540_w150,
	&model_xh540_w270, &model_xh540_v150, &model_xh540_v270,
	&model_cm730, &model_cm740, &model_opencr, &model_fsr, &model_cm510,
	&model_nao_chest, &model_nao_foot, &model_nao_touch, &model_nao_hand,
	&model_nao_face, &model_nao_ears, &model_nao_inertial, &model_nao_us,
	&model_nao_bmz, &model_nao_sanyo, &model_nao_motor,
};

#define MODEL_COUNT (sizeof(models) / sizeof(models[0]))

/* The models one after the other, NULL after the last. */
const struct model *model_by_index(size_t index)
{
	return index < MODEL_COUNT ? models[index] : NULL;
}

const struct model *model_named(const char *name)
{
	size_t i;

	for (i = 0; i < MODEL_COUNT; i++)
		if (!strcmp(models[i]->name, name))
			return models[i];

	return NULL;
}

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
}

/* Made when first asked for, and kept. */
const struct layout *model_layout(const struct model *model)
{
	static struct layout *layouts[MODEL_COUNT];
	size_t i;

	for (i = 0; i < MODEL_COUNT && models[i] != model; i++)
		;
	if (i == MODEL_COUNT)
		abort();
	if (!layouts[i]) {
		layouts[i] = calloc(1, sizeof(*layouts[i]));
		if (!layouts[i])
			abort();
		build(layouts[i], model);
	}

	return layouts[i];
}

const struct item *model_item_at(const struct model *model, unsigned int addr)
{
	return addr < TABLE_MAX ? model_layout(model)->at[addr] : NULL;
}

const struct item *model_item_named(const struct model *model, const char *name)
{
	const struct layout *layout = model_layout(model);
	size_t i;

	for (i = 0; i < layout->count; i++)
		if (!strcmp(layout->items[i].name, name))
			return &layout->items[i];

	return NULL;
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
