/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the error code of one of NAO's motor boards means to the diagnosis. */
#ifndef NAOHW_DIAGNOSIS_CODE_H
#define NAOHW_DIAGNOSIS_CODE_H

enum code_kind {
	CODE_NONE,
	CODE_WARNING, /* nothing follows from it */
	CODE_NOISE,   /* of the board's lines to its sensors, of which some is normal */
	CODE_ERROR,
};

/* Of the byte that the board gives for a motor. */
enum code_kind code_kind_of(int code);

#endif
