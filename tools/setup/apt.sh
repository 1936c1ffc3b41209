# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Sourced: Debian packages of any architecture, unpacked into a directory.
# Nothing foreign is installed on this machine.

# shellcheck disable=SC2154 # naohw_cache is common.sh's
apt_state=$naohw_cache/apt
apt_log=$naohw_cache/log/fetch.log

# own_release -- the code name of this machine's Debian
own_release() {
	sed -n 's/^VERSION_CODENAME=//p' /etc/os-release
}

# debian_archive [security] -- where this machine has its Debian from, or the security
# updates of it
debian_archive() {
	local release archive
	release=$(own_release)${1:+-$1}
	# shellcheck disable=SC2016 # apt's own $
	archive=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' \
		"Release: $release" 'Component: main' | head -n 1)
	[[ -n $archive ]] || die "this machine's apt has no source of Debian's $release"
	printf '%s\n' "$archive"
}

# apt_sources [SUITE] -- this machine's sources, and a suite that it may not have,
# which may be of another release
apt_sources() {
	local parts suites archive
	eval "$(apt-config shell parts Dir::Etc::sourceparts/d)"
	rm -rf "$apt_state/sources"
	cp -RL "$parts" "$apt_state/sources"
	[[ -n ${1-} ]] || return 0
	# Not among printf's arguments, where its failure would be lost
	archive=$(debian_archive)
	suites=$1
	[[ ${1%-*} == "$(own_release)" ]] || suites="${1%-*} $1"
	printf '%s\n' 'Types: deb' "URIs: $archive" "Suites: $suites" 'Components: main' \
		'Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg' \
		>"$apt_state/sources/$1.sources"
}

# apt_open ARCHITECTURE [SUITE] -- a private apt state: this machine's sources and
# keys, own lists; SUITE goes before the others. The empty status file makes apt
# believe nothing is installed, so it names the whole closure of a package. A
# kernel's build programs must run here, hence the second architecture. One at a
# time has the state, until its shell ends.
apt_open() {
	host_arch=$(dpkg --print-architecture)
	lock_file "$apt_state.lock"
	mkdir -p "$apt_state/lists/partial" "$apt_state/archives/partial" "$(dirname "$apt_log")"
	: >"$apt_state/status"
	# What an interrupted run has left would be missing among the URIs of closure().
	rm -f "$apt_state"/archives/*.deb
	apt_sources "${2-}"
	apt_options=(-oDir::Etc::sourceparts="$apt_state/sources"
		-oAPT::Default-Release="${2-}"
		-oAPT::Get::Assume-Yes=true -oquiet=1
		-oAPT::Architecture="$1"
		-oAPT::Architectures::="$1" -oAPT::Architectures::="$host_arch"
		-oAPT::Get::List-Cleanup=false
		-oDir::State::Lists="$apt_state/lists"
		-oDir::State::status="$apt_state/status"
		-oDir::Cache="$apt_state"
		-oAPT::Sandbox::User=root)
	say "reading Debian's package lists ($1)"
	apt_get update >"$apt_log" 2>&1 || say "apt-get update had errors (see $apt_log)"
}

apt_get() {
	apt-get "${apt_options[@]}" "$@"
}

# unpack DIRECTORY DEB...
unpack() {
	local directory=$1 deb
	shift
	mkdir -p "$directory"
	for deb in "$@"; do
		dpkg -x "$deb" "$directory"
	done
}

# closure PACKAGE... -- file names of the packages and of all they need
closure() {
	apt_get install --no-install-recommends --print-uris "$@" |
		sed -n "s/^'[^']*' \([^ ]*\.deb\) .*/\1/p"
}

# fetch_closure DIRECTORY PACKAGE... -- the packages and all they need
fetch_closure() {
	local directory=$1 names name
	shift
	# With all of them downloaded --print-uris would print none, so ask first.
	names=$(closure "$@")
	logged "$apt_log" apt_get install --no-install-recommends --download-only "$@"
	for name in $names; do
		unpack "$directory" "$apt_state/archives/$name"
	done
	rm -f "$apt_state"/archives/*.deb
}

# fetch_only DIRECTORY PACKAGE... -- the named packages alone
fetch_only() {
	local directory=$1 debs
	shift
	debs=$(mktemp -d "$apt_state/debs.XXXXXX")
	(cd "$debs" && logged "$apt_log" apt_get download "$@")
	unpack "$directory" "$debs"/*.deb
	rm -rf "$debs"
}

# apt_knows PACKAGE -- is there one of that name?
apt_knows() {
	[[ -n $(apt-cache "${apt_options[@]}" show "$1" 2>/dev/null) ]]
}

# depends_on PACKAGE PATTERN -- the dependency of PACKAGE that matches
depends_on() {
	apt-cache "${apt_options[@]}" depends "$1" |
		sed -nE "s/^ *Depends: ($2)(:[a-z0-9]+)?$/\1/p" | head -n 1
}
