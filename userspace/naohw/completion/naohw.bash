# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# naohw itself tells how a line could go on. bash ends a word at "=", and has only what is
# behind it to be completed; so it does with a word in quotes.
_naohw() {
	local line=${COMP_LINE:0:COMP_POINT} words
	read -ra words <<<"${line//[\"\']/}"
	[[ $line != *[[:space:]] ]] || words+=("")
	mapfile -t COMPREPLY < <(naohw complete "${words[@]:1}" 2>/dev/null | cut -f 1)
	[[ ${words[-1]} != --*=* ]] || COMPREPLY=("${COMPREPLY[@]#*=}")
}
complete -o default -F _naohw naohw
