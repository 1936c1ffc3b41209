/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The models that there are, and how to find one. */
#ifndef DXLSIM_MODELS_H
#define DXLSIM_MODELS_H

#include "../devices/devices.h"

extern const struct model model_ax12;
extern const struct model model_ax18;
extern const struct model model_rx24f;
extern const struct model model_rx28;
extern const struct model model_rx64;
extern const struct model model_ex106;
extern const struct model model_mx12w;
extern const struct model model_mx28;
extern const struct model model_mx64;
extern const struct model model_mx106;
extern const struct model model_mx28_2;
extern const struct model model_mx64_2;
extern const struct model model_mx106_2;
extern const struct model model_xl320;
extern const struct model model_xl430_w250;
extern const struct model model_xc430_w150;
extern const struct model model_xc430_w240;
extern const struct model model_xm430_w210;
extern const struct model model_xm430_w350;
extern const struct model model_xm540_w150;
extern const struct model model_xm540_w270;
extern const struct model model_xh430_w210;
extern const struct model model_xh430_w350;
extern const struct model model_xh430_v210;
extern const struct model model_xh430_v350;
extern const struct model model_xh540_w150;
extern const struct model model_xh540_w270;
extern const struct model model_xh540_v150;
extern const struct model model_xh540_v270;
extern const struct model model_cm730;
extern const struct model model_cm740;
extern const struct model model_opencr;
extern const struct model model_fsr;
extern const struct model model_cm510;
extern const struct model model_nao_chest;
extern const struct model model_nao_foot;
extern const struct model model_nao_touch;
extern const struct model model_nao_hand;
extern const struct model model_nao_bmz;
extern const struct model model_nao_sanyo;
extern const struct model model_nao_face;
extern const struct model model_nao_ears;
extern const struct model model_nao_inertial;
extern const struct model model_nao_motor;
extern const struct model model_nao_us;
extern const struct model model_pepper_fuse;
extern const struct model model_pepper_laser;
extern const struct model model_pepper_base;

const struct model *model_by_index(size_t index);
const struct model *model_named(const char *name);

#endif
