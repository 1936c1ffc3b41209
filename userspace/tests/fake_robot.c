// SPDX-License-Identifier: LGPL-2.1-or-later
/* Two servos for a naohw that is linked with fake_iio.c; golden/walker.xml describes them. */
#include <errno.h>

#include "fake_iio.h"

__attribute__((constructor)) static void make_robot(void)
{
	fake_reset();
	fake_servo("HeadYaw");
	fake_servo("HeadPitch");
	fake_set("HeadYaw", "in_angl0_raw", "600");
	/* One that does not answer at first, and one that never does */
	fake_fail_times("HeadPitch", "in_temp0_raw", -ETIMEDOUT, 1);
	fake_fail("HeadPitch", "in_voltage0_raw", -ETIMEDOUT);
}
