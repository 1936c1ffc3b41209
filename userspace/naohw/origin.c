// SPDX-License-Identifier: GPL-2.0-or-later
#include "origin.h"

int origin_open(struct origin *origin, struct naohw_robot *robot,
		const struct frame_options *options, struct naohw_error *err)
{
	int ret = try_naohwd(robot, &origin->dcm, err);

	origin->frame = NULL;
	if (ret < 0 || origin->dcm)
		return ret;
	return try_frames(robot, options, &origin->frame, err);
}

void origin_close(struct origin *origin)
{
	naohw_dcm_close(origin->dcm);
	naohw_frame_close(origin->frame);
	*origin = (struct origin){ NULL, NULL };
}
