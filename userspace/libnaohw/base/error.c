// SPDX-License-Identifier: LGPL-2.1-or-later
#include "base.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int fail(struct naohw_error *err, int code, const char *format, ...)
{
	va_list args;

	if (!err)
		return code;
	va_start(args, format);
	vsnprintf(err->message, sizeof(err->message), format, args);
	va_end(args);
	return code;
}

/* strerror() shares its buffer between threads; strerrordesc_np() gives constants. */
static const char *system_text(int code)
{
	const char *text = strerrordesc_np(-code);

	return text ? text : "unknown error";
}

const char *error_text(int code)
{
	switch (-code) {
	case ETIMEDOUT:
		return "timed out, no answer";
	case EHOSTDOWN:
		return "lost, it has not answered for a while";
	case EBADMSG:
		return "its answer was broken (checksum)";
	case EPROTO:
		return "its answer makes no sense";
	case EREMOTEIO:
		return "it reported a fault";
	case ENODEV:
		return "not there";
	case ENOENT:
		return "it has no such thing";
	case ENOTUNIQ:
		return "there are several of this name";
	case EACCES:
		return "only root and the group \"robot\" may; \"naohw doctor\" tells more";
	default:
		return system_text(code);
	}
}

const char *file_error_text(int code)
{
	return system_text(code);
}
