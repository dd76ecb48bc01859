#!/bin/sh
# Checks the code with every tool; exit status 1 when one of them reports something, or is not installed.
#
#     tools/lint.sh           all of it
#     tools/lint.sh --fast    without cppcheck, gcc -fanalyzer and mandoc; clang-tidy and ESLint only over the files that
#                             differ from LINT_BASE (default: where the branch left main; on main itself the previous commit)
#
# Each line ends with the seconds that the check took. Needs build/ (compile_commands.json). `./dev lint` calls it after the set-up.
# shellcheck disable=SC2317 # check() calls the functions
set -u
cd "$(dirname "$0")/.." || exit
. tools/env.sh
bad=0

check() { # check NAME COMMAND...
    name=$1
    start=$(date +%s)
    shift
    if "$@" >build/lint.log 2>&1; then
        echo "ok   $name ($(($(date +%s) - start)) s)"
    else
        cat build/lint.log
        echo "FAIL $name ($(($(date +%s) - start)) s)"
        bad=1
    fi
}

changed_in() { # changed_in PATH... : files there that differ from the base
    base=${LINT_BASE-$(git merge-base HEAD main 2>/dev/null || git rev-parse HEAD)}
    [ "$base" != "$(git rev-parse HEAD)" ] || base=$(git rev-parse --verify --quiet HEAD~1 || echo "$base")
    git diff --name-only --diff-filter=d "$base" -- "$@" && git ls-files --others --exclude-standard -- "$@"
}

changed() { # the C sources that differ from the base; of a changed header the source of the same name
    changed_in src tests/unit tests/fuzz |
        sed -n 's/\.[ch]$/.c/p' | sort -u | while read -r file; do
        [ ! -f "$file" ] || echo "$file"
    done
}

changed_page() { # the same for the page, as web/ names them
    changed_in 'web/src/*.ts' 'web/src/*.tsx' 'web/test/*.ts' 'web/*.mjs' | sed 's|^web/||' | sort -u
}

page_lint() { # page_lint FILE...
    [ $# -gt 0 ] || return 0
    npm --prefix web run --silent lint -- "$@"
}

formatted() { find src tests -name '*.[ch]' -exec clang-format --dry-run --Werror {} +; }

subjects() { # of the last commits: "area: do this" in 72 columns
    ! git log -n 10 --no-merges --format='%h %s' | grep -vE '^[0-9a-f]+ [a-z0-9_./, -]+: [^ ]' &&
        ! git log -n 10 --no-merges --format='%h %s' | grep -E '^[0-9a-f]+ .{73}'
}

sources() { find src tests/unit tests/fuzz -name '*.c'; }

tidy() { # tidy FILE...
    [ $# -gt 0 ] || return 0
    tools/tidy.py "$@"
}

# Results of unchanged files are kept in build/cppcheck. "AST broken" means that cppcheck cannot parse `a ? (struct slice){0} : b`
# and skips the file; `!a ? b : (struct slice){0}` is parsed.
cpp_check() {
    mkdir -p build/cppcheck
    cppcheck --quiet --error-exitcode=1 --std=c11 --enable=warning,performance,portability --inline-suppr \
        --suppress=missingIncludeSystem -j "$(nproc)" --cppcheck-build-dir=build/cppcheck -Isrc src tests/unit tests/fuzz tests/faults tests/shared
}

check clang-format formatted
check layers tools/layers.py --objects build/src/libtlparse.a.p
check editorconfig tools/editorconfig.py
check subjects subjects
check shellcheck shellcheck dev .ci/run tools/*.sh oss-fuzz/build.sh
check ruff ruff check --quiet --no-cache .
if [ "${1-}" = --fast ]; then
    check "types and format of the page" npm --prefix web run check:fast
    files=$(changed_page)
    # shellcheck disable=SC2086
    set -- $files
    check "eslint ($# changed files)" page_lint "$@"
    files=$(changed)
    # shellcheck disable=SC2086
    set -- $files
    check "clang-tidy ($# changed files)" tidy "$@"
else
    check page npm --prefix web run check
    check cppcheck cpp_check
    files=$(sources)
    # shellcheck disable=SC2086
    set -- $files
    check "clang-tidy ($# files)" tidy "$@"
    check "gcc -fanalyzer" tools/analyze.py
    check mandoc mandoc -T lint -W warning doc/*.1
fi
exit "$bad"
