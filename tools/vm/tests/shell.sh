#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# run-on: host
# in: check-all
#
# The test machine as a person has it: a shell on a terminal, and in it each command of the guide
# that can be run there (shell/guide.sh).
exec python3 "$(dirname "$0")/shell/terminal.py" tools/vm/run "$@" --patient --name shell \
	--share tools/vm/tests --share Documentation --share userspace/naohw/man
