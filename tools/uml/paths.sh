# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Sourced: where the UML debug kernel lives in the cache.

# shellcheck disable=SC2034,SC2154 # naohw_cache is common.sh's
uml_source=$naohw_cache/uml/source
# shellcheck disable=SC2034
uml_build=$naohw_cache/uml/build
