# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Each interactive bash of the test machine; a login shell has it by /etc/profile.

# What the host has to say of its terminal, and of the robot
. /etc/host.sh

[[ $- == *i* ]] || return 0
shopt -s checkwinsize
PS1='\u@\h:\w\$ '
if [[ $TERM != dumb ]]; then
	PS1='\[\e[1;36m\]\u@\h\[\e[0m\]:\[\e[1m\]\w\[\e[0m\]\$ '
	alias ls='ls --color=auto' grep='grep --color=auto'
fi
. /usr/share/bash-completion/bash_completion
