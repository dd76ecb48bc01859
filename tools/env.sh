# shellcheck shell=sh
# Sourced by dev and tools/*.sh in the project's folder: what set-up put into .cache/ comes first.
PATH=$PWD/.cache/bin:$PATH
PYTHONDONTWRITEBYTECODE=1
LC_ALL=C.UTF-8
export PATH PYTHONDONTWRITEBYTECODE LC_ALL
