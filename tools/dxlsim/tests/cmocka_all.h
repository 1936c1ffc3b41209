/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmocka.h wants these in front of it. */
#ifndef DXLSIM_TESTS_CMOCKA_ALL_H
#define DXLSIM_TESTS_CMOCKA_ALL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
