// SPDX-License-Identifier: GPL-2.0-or-later
/* The list of the models. */
#include <string.h>

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
	&model_pepper_fuse, &model_pepper_laser, &model_pepper_base,
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
