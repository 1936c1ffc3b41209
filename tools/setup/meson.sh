# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Sourced: one way to configure a Meson project, however often it is asked for.

# meson_configure SOURCE BUILD-DIRECTORY ARGUMENT... -- from nothing when the
# arguments or what stdin holds (a cross file) are not those of the last time, or
# ccache has come or gone; Meson itself follows the project's files.
meson_configure() {
	local source=$1 build=$2 key
	shift 2
	key=$(hash_of "$source" "$(command -v ccache)" "$@")
	[[ ! -f $build/build.ninja || ! -f $build.key || $(<"$build.key") != "$key" ]] || return 0
	say "configuring ${build#"$naohw_root"/}"
	rm -rf "$build"
	logged "$build.log" meson setup "$build" "$source" "$@"
	printf '%s\n' "$key" >"$build.key"
}

# meson_install BUILD-DIRECTORY DESTDIR
meson_install() {
	logged "$1.log" meson compile -C "$1"
	DESTDIR=$2 logged "$1.log" meson install -C "$1" --no-rebuild --quiet
}
