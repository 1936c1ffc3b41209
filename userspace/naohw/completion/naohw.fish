# SPDX-License-Identifier: GPL-2.0-or-later
# naohw itself tells how a line could go on, and behind a tab what that is.
function __naohw_complete
    set -l word (string trim -l -c "'\"" -- (commandline -ct))
    set -l found (naohw complete (commandline -opc)[2..] "$word" 2>/dev/null)
    if set -q found[1]
        printf '%s\n' $found
    else
        __fish_complete_path "$word"
    end
end
complete -c naohw -f -a '(__naohw_complete)'
