#!/usr/bin/env python3
"""Keep the front end's packages and its bundle fresh.

    web.py install [FOLDER]
                     run npm ci in FOLDER (default: web), unless node_modules matches package-lock.json
    web.py build     the same in web, then npm run build, unless web/dist was built from the current sources
    web.py dist      (from meson dist) put web/dist into the archive, for builds without Node

Freshness is decided by content, never by time, so several build folders share one web/dist.
"""
import fcntl
import gzip
import hashlib
import json
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

WEB = Path(__file__).resolve().parent.parent / "web"
# The files that a page loads before it shows anything, and the limit on their size in bytes, gzipped.
FIRST_VIEW = ("app.js", "app.css")
FIRST_VIEW_LIMIT = 150 * 1024
NO_SOURCES = {"node_modules", "dist", "dev", "test", ".gitignore", ".prettierrc.json", ".prettierignore", "eslint.config.mjs", "meson.build", "README.md"}

SHARED = ("src/base/noise.json",)  # data of the C program that is also part of the bundle


def sources(web):
    """The sources of the bundle, sorted, without tests and without types, which are generated from the schemas in doc/."""
    found = []
    for folder, folders, names in os.walk(web):
        top = Path(folder) == web
        folders[:] = sorted(d for d in folders if not (top and d in NO_SOURCES or d == "generated"))
        found += [Path(folder, n) for n in sorted(names) if not (top and n in NO_SOURCES or n.endswith(".test.ts"))]
    return found + [web.parent / name for name in SHARED]


def fingerprint(web):
    total = hashlib.sha256()
    for path in sources(web):
        total.update(f"{os.path.relpath(path, web)}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return total.hexdigest()


@contextmanager
def lock(web):
    """Runs one npm at a time, for any number of builds. The folder itself is the lock, so no file is left behind."""
    fd = os.open(web, os.O_RDONLY)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(fd)


def npm(web, *args):
    own = WEB.parent / ".cache/bin"  # Node installed by the set-up, if the machine's was too old
    env = {**os.environ, "PATH": f"{own}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["npm", *args], cwd=web, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    if done.returncode:
        sys.stderr.buffer.write(done.stdout)
        sys.exit(f"npm {' '.join(args)} failed in {web.name}/")


def packages(path):
    """name -> (version, may be absent) of a lock file."""
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))["packages"]
    except (OSError, ValueError, KeyError):
        return None
    return {name: (e.get("version"), bool(e.get("optional") or e.get("peer"))) for name, e in entries.items() if name}


def installed(web):
    wanted, there = packages(web / "package-lock.json"), packages(web / "node_modules/.package-lock.json")
    if wanted is None or there is None:
        return False
    return all(name in wanted and wanted[name][0] == version for name, (version, _) in there.items()) and all(
        name in there or optional for name, (_, optional) in wanted.items()
    )


def install(web):
    if not installed(web):
        npm(web, "ci", "--no-audit", "--no-fund")


def build(web):
    """Builds web/dist from the current sources."""
    with lock(web):
        made_of, wanted = web / "dist/.made-of", fingerprint(web)
        if made_of.exists() and made_of.read_text() == wanted:
            return
        install(web)
        npm(web, "run", "build")
        first_view(web)
        made_of.write_text(wanted)


def first_view(web):
    """Fails if the code before the first view is too large."""
    size = sum(len(gzip.compress((web / "dist" / name).read_bytes(), 9, mtime=0)) for name in FIRST_VIEW)
    if size > FIRST_VIEW_LIMIT:
        sys.exit(
            f"{' and '.join(FIRST_VIEW)} have {size} bytes gzipped, {size - FIRST_VIEW_LIMIT} more than the limit for the "
            'first view: move something to a bundle that is loaded later (web/README.md, "Adding a page or a library")'
        )


def main():
    command = sys.argv[1] if len(sys.argv) == 2 else ""
    if sys.argv[1:2] == ["install"] and len(sys.argv) <= 3:
        folder = WEB.parent / sys.argv[2] if len(sys.argv) == 3 else WEB
        with lock(folder):
            install(folder)
    elif command == "build":
        build(WEB)
    elif command == "dist":
        build(WEB)
        shutil.copytree(WEB / "dist", Path(os.environ["MESON_DIST_ROOT"], "web/dist"))
    else:
        sys.exit(__doc__.strip())


if __name__ == "__main__":
    main()
