#!/bin/sh
# Looks the code over with every tool that is here; exit status 1 when one of them has something to say.
# Needs build/ (compile_commands.json). `./dev lint` calls it after the set-up.
set -u
cd "$(dirname "$0")/.." || exit
. tools/env.sh
bad=0

check() { # check COMMAND...
    command -v "$1" >/dev/null || { echo "skip $1: it is not installed"; return; }
    if "$@" >build/lint.log 2>&1; then
        echo "ok   $1"
    else
        cat build/lint.log
        echo "FAIL $1"
        bad=1
    fi
}

sources=$(find src tests -name '*.[ch]' | sort)
# shellcheck disable=SC2086
check clang-format --dry-run --Werror $sources
check run-clang-tidy -quiet -p build '/(src|tests)/.*\.c$'
check cppcheck --quiet --error-exitcode=1 --std=c11 --enable=warning,performance,portability --inline-suppr \
    --suppress=missingIncludeSystem --suppress=unknownMacro --suppress=internalAstError -Isrc src
check tools/analyze.py
check mandoc -T lint -W warning doc/*.1
check shellcheck dev .ci/run tools/*.sh
exit "$bad"
