// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages.h"
#include "table.h"

/* It takes as long as so many bytes by themselves, however much of it is written. */
#define PAGE_TIME	5

/* How far the control table of a device goes, with its pages; old firmware has none. */
unsigned int device_size(const struct device *dev)
{
	const struct pages *pages = dev->model->pages;

	if (!pages || dev->table[dev->model->registers->firmware] < pages->firmware)
		return dev->model->table_size;

	return pages->addr + pages->size;
}

/* Whether any of it is in the pages; those are the last of a table. */
bool pages_reached(const struct device *dev, struct span span)
{
	return dev->model->pages && span.addr + span.len > dev->model->pages->addr;
}

u8 *pages_byte(struct device *dev, unsigned int addr)
{
	return &dev->pages.bytes[addr - dev->model->pages->addr];
}

/* Whether an instruction may write it: it has to be within one page. */
enum refusal pages_check(const struct device *dev, struct span span)
{
	if (span.addr + span.len > device_size(dev))
		return REFUSED_ACCESS;
	if (span.addr / PAGE_BYTES != (span.addr + span.len - 1) / PAGE_BYTES)
		return REFUSED_LENGTH;

	return REFUSED_NOT;
}

static bool power_goes(struct device *dev)
{
	if (!dev->pages.cut)
		return false;
	dev->pages.cut = dev->pages.left > 0;

	return !dev->pages.left--;
}

/* When the power goes, every second byte is still what it was. */
void pages_write(struct device *dev, struct span span, const u8 *data, nsec_t now)
{
	u8 *bytes = pages_byte(dev, span.addr);
	bool cut = power_goes(dev);
	unsigned int i;

	for (i = 0; i < span.len; i += cut ? 2 : 1)
		bytes[i] = data[i];
	if (cut)
		device_power_cycle(dev, now);
	else
		device_deafen_for_eeprom(dev, PAGE_TIME, now);
}

/* Have the power go while a page is written, @after so many that are written whole. */
void pages_cut(struct device *dev, unsigned int after)
{
	dev->pages.cut = true;
	dev->pages.left = after;
}
