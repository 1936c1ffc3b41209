# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Sourced by the set-up scripts: where things are, how they speak, and how
# something gets into the cache whole or not at all.

# shellcheck disable=SC2034 # for the scripts that source this
naohw_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
naohw_cache=${XDG_CACHE_HOME:-$HOME/.cache}/naohw
# What has been compiled once, in this tree or another of ours, is there, if there is ccache.
export CCACHE_DIR=$naohw_cache/ccache CCACHE_BASEDIR=$naohw_root CCACHE_NOHASHDIR=1
export CCACHE_MAXSIZE=1G
# How many times as long as on a quiet machine a test may take. Machines are up to five times as
# slow, and other jobs run beside it.
export NAOHW_PATIENCE=6

# Progress goes to stderr: stdout belongs to the command that the user runs.
say() {
	printf 'naohw: %s\n' "$*" >&2
}

die() {
	printf 'naohw: error: %s\n' "$*" >&2
	exit 1
}

# hash_of STRING... -- a short key for what the strings and stdin hold
hash_of() {
	{ printf '%s\n' "$@"; cat; } | sha256sum | cut -c1-16
}

# cache_is NAME KEY -- is NAME in the cache, finished, and made from KEY?
cache_is() {
	[[ -f $naohw_cache/$1.stamp && $(<"$naohw_cache/$1.stamp") == "$2" ]]
}

# cache_done NAME KEY -- the stamp is the last thing written, so whatever was
# interrupted before this line never counts.
cache_done() {
	printf '%s\n' "$2" >"$naohw_cache/$1.stamp.new"
	mv "$naohw_cache/$1.stamp.new" "$naohw_cache/$1.stamp"
}

# cache_publish NAME KEY -- moves $naohw_cache/NAME.new into place
cache_publish() {
	rm -f "$naohw_cache/$1.stamp"
	rm -rf "${naohw_cache:?}/$1"
	mv "$naohw_cache/$1.new" "$naohw_cache/$1"
	cache_done "$1" "$2"
}

# lock_file PATH -- holds the lock until this shell ends; two runs queue up
lock_file() {
	local fd
	mkdir -p "$(dirname "$1")"
	exec {fd}>"$1"
	flock --nonblock "$fd" && return
	say "waiting for another run to finish ($1)"
	flock --timeout 3600 "$fd" || die "$1 is still locked after an hour"
}

# logged LOG COMMAND... -- quiet when it works, the log's end when it does not
logged() {
	local log=$1
	shift
	mkdir -p "$(dirname "$log")"
	"$@" >"$log" 2>&1 </dev/null && return
	tail -n 30 "$log" >&2
	die "failed: $* (whole log: $log)"
}
