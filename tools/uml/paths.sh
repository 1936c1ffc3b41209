# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Sourced: where the UML kernels live in the cache. There are two of them, and
# $uml_variant says which one is meant: `debug`, unless the script that sources
# this says `bench`.

# shellcheck disable=SC2034,SC2154 # naohw_cache is common.sh's
uml_source=$naohw_cache/uml/source

# use_uml VARIANT -- sets uml_variant, uml_build (the kernel's tree), uml_modules
# (ours for it) and uml_target (what tools/kbuild/modules calls those)
use_uml() {
	uml_variant=$1
	# shellcheck disable=SC2034,SC2154 # naohw_root is common.sh's
	uml_build=$naohw_cache/uml/build-$uml_variant
	case $uml_variant in
	debug) uml_target=uml ;;
	bench) uml_target=uml-bench ;;
	*) die "no UML kernel '$uml_variant' (there are debug and bench)" ;;
	esac
	uml_modules=$naohw_root/build/kmod-$uml_target
}

use_uml "${uml_variant:-debug}"
