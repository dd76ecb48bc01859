#!/bin/sh
# Installs libyyjson-dev (0.10 or later). Debian 12 has none: there it takes the two packages of Debian 13, which need
# libc6 only, with the signatures checked; no source of packages is left behind. Run as root; may be run again.
set -eu

pkg-config --atleast-version=0.10 yyjson 2>/dev/null && exit 0

if apt-cache policy libyyjson-dev 2>/dev/null | grep -q 'Candidate: [0-9]'; then
    apt-get install -y --no-install-recommends libyyjson-dev
else
    mirror=$(sed -n 's/^URIs: *\([^ ]*\/debian\)\/*$/\1/p' /etc/apt/sources.list.d/*.sources 2>/dev/null | head -n 1)
    [ -n "$mirror" ] ||
        mirror=$(sed -n 's/^deb .*\(https\{0,1\}:[^ ]*\/debian\)\/* .*/\1/p' /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null | head -n 1)
    [ -n "$mirror" ] || { echo "install-yyjson.sh: no Debian mirror found in /etc/apt" >&2; exit 1; }
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial"
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror trixie main" >"$folder/one.list"
    set -- -o APT::Sandbox::User=root -o Dir::Etc::SourceList="$folder/one.list" -o Dir::Etc::SourceParts=/dev/null \
        -o Dir::State::Lists="$folder/lists" -o Dir::Cache="$folder/cache"
    apt-get "$@" -qq update
    (cd "$folder" && apt-get "$@" -qq download libyyjson0 libyyjson-dev)
    apt-get install -y --no-install-recommends "$folder"/libyyjson0_*.deb "$folder"/libyyjson-dev_*.deb
fi
pkg-config --atleast-version=0.10 yyjson
