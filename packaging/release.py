#!/usr/bin/env python3
"""Makes the files of a release in build/release: `./dev release`.

    tlparse_c-VERSION.tar.gz               the sources with the built page: pip, and meson without Node
    tlparse_c-VERSION-….whl                the wheels
    tlparse-VERSION-linux-….tar.gz         the static program with manual pages, completions and licenses
    tlparse-VERSION-linux-….cdx.json       what is in the program (CycloneDX)
    release-notes.md                       the section of CHANGELOG.md
    SHA256SUMS                             of all of these
    recipes/                               for conda, Homebrew and Nix, with --home and --files

They are made of the last commit; the same commit gives the same bytes.
"""
import argparse
import base64
import datetime
import gzip
import io
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import libraries
import wheel

TOP = wheel.TOP
OUT = TOP / "build/release"
HERE = TOP / "packaging"
SHELLS = {"bash": "bash-completion/completions/tlparse", "fish": "fish/vendor_completions.d/tlparse.fish", "zsh": "zsh/site-functions/_tlparse"}


def fail(text, hint=""):
    sys.exit(f"release: {text}" + (f"\nhint: {hint}" if hint else ""))


def git(*words):
    return subprocess.run(["git", *words], cwd=TOP, check=True, stdout=subprocess.PIPE).stdout


def version():
    return re.search(r"(?m)^  version: '([^']+)'", (TOP / "meson.build").read_text(encoding="utf-8"))[1]


def notes(unreleased):
    """The section of the changelog, without its heading."""
    wanted = "Unreleased" if unreleased else version()
    text = (TOP / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(rf"(?ms)^## \[{re.escape(wanted)}\][^\n]*\n(.*?)(?=^## \[|^\[[^\]\n]+\]: |\Z)", text)
    if not found or not found[1].strip():
        fail(f"CHANGELOG.md has no section [{wanted}]", "doc/releasing.md describes the steps before ./dev release")
    return found[1].strip() + "\n"


class Archive:
    """A .tar.gz whose bytes depend on the names and contents only: members in order, one time, no owners."""

    def __init__(self, top, epoch):
        self.top, self.epoch, self.members = top, int(epoch), {}

    def add(self, name, content, program=False):
        self.members[name] = (content, 0o755 if program else 0o644)

    def link(self, name, to):
        self.members[name] = (to, None)

    def write(self, path):
        with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=self.epoch) as packed, \
                tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar:
            folders = {parent for name in self.members for parent in Path(self.top, name).parents} - {Path(".")}
            for name in sorted({*(f"{self.top}/{m}" for m in self.members), *map(str, folders)}):
                member = tarfile.TarInfo(name)
                member.mtime = self.epoch
                content, mode = self.members.get(name[len(self.top) + 1:], (None, 0o755))
                member.mode = mode or 0o777
                if content is None:
                    member.type = tarfile.DIRTYPE
                elif mode is None:
                    member.type, member.linkname = tarfile.SYMTYPE, content
                else:
                    member.size = len(content)
                tar.addfile(member, io.BytesIO(content) if member.isreg() else None)
        print(f"{path.relative_to(TOP)}: {path.stat().st_size} bytes")


def source_archive(wheels, epoch):
    """What git tracks, and the built page, so that nobody needs Node: pip, and distributions with -Dweb=prebuilt."""
    stem = f"tlparse_c-{version()}"
    archive = Archive(stem, epoch)
    with tarfile.open(fileobj=io.BytesIO(git("archive", "--format=tar", "HEAD"))) as tracked:
        for member in tracked:
            if member.issym():
                archive.link(member.name, member.linkname)
            elif member.isreg():
                archive.add(member.name, tracked.extractfile(member).read(), bool(member.mode & 0o100))
    wheel.run(sys.executable, "tools/web.py", "build")
    for file in sorted((TOP / "web/dist").iterdir()):
        archive.add(f"web/dist/{file.name}", file.read_bytes())
    # Who installs from the archive has no Node.
    options = archive.members["pyproject.toml"][0].decode()
    changed = options.replace('setup = ["-Dwheel=true",', 'setup = ["-Dwheel=true", "-Dweb=prebuilt",')
    if changed == options:
        fail("pyproject.toml has no options for meson setup that begin with -Dwheel=true")
    archive.add("pyproject.toml", changed.encode())
    archive.add("PKG-INFO", in_wheel(wheels[0], ".dist-info/METADATA"))
    path = OUT / f"{stem}.tar.gz"
    archive.write(path)
    return path


def in_wheel(file, end):
    """The only file of a wheel whose name ends so."""
    with zipfile.ZipFile(file) as opened:
        (name,) = [n for n in opened.namelist() if n.endswith(end)]
        return opened.read(name)


def runs_here(wheels):
    """A program of the wheels that this machine can run: completions are the same for every processor."""
    for file in wheels:
        if f"_{platform.machine()}" in file.name and platform.system() == "Linux":
            program = OUT / "tlp"
            program.write_bytes(in_wheel(file, ".data/scripts/tlp"))
            program.chmod(0o755)
            return program
    fail(f"no wheel is for this machine (Linux on {platform.machine()}), and completions come from its program", "build that wheel, too")


def completions(wheels):
    program = runs_here(wheels)
    try:
        return {place: subprocess.run([program, "--completion", shell], check=True, stdout=subprocess.PIPE).stdout for shell, place in SHELLS.items()}
    finally:
        program.unlink()


def program_archive(file, processor, shells, epoch):
    """The static program of a wheel as what a prefix has: bin, share/man, share/doc and completions; and its bill of materials."""
    stem = f"tlparse-{version()}-linux-{processor}"
    archive = Archive(stem, epoch)
    archive.add("bin/tlp", in_wheel(file, ".data/scripts/tlp"), program=True)
    archive.link("bin/tlparse", "tlp")
    for page in sorted((TOP / "doc").glob("*.1")):
        archive.add(f"share/man/man1/{page.name}", page.read_bytes())
    for place, text in shells.items():
        archive.add(f"share/{place}", text)
    for name in ("README.md", "CHANGELOG.md", "LICENSE"):
        archive.add(f"share/doc/tlparse/{name}", (TOP / name).read_bytes())
    with zipfile.ZipFile(file) as opened:
        for name in opened.namelist():
            if ".dist-info/licenses/" in name and not name.endswith(("/", "/LICENSE")):
                archive.add(f"share/doc/tlparse/licenses/{name.rsplit('/', 1)[1]}", opened.read(name))
    bill = in_wheel(file, ".dist-info/sboms/tlparse.cdx.json")
    archive.add("share/doc/tlparse/tlparse.cdx.json", bill)
    archive.write(OUT / f"{stem}.tar.gz")
    (OUT / f"{stem}.cdx.json").write_bytes(bill)


def recipes(source, home, files):
    """Fills the templates in packaging/*/*.in: no address is known before the release has one."""
    digest = libraries.sha256(source)
    values = {
        "VERSION": version(), "HOME": home, "FILES": files.rstrip("/"), "SHA256": digest,
        "SRI": "sha256-" + base64.b64encode(bytes.fromhex(digest)).decode(),
    }
    for template in sorted(HERE.glob("*/*.in")):
        text = re.sub(r"@([A-Z0-9]+)@", lambda match: values[match[1]], template.read_text(encoding="utf-8"))
        path = OUT / "recipes" / template.parent.name / template.stem
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(TOP))


def given_wheels(folder, epoch):
    """Those in a folder, if they are of the commit: each says when that was."""
    found = sorted(folder.glob(f"tlparse_c-{version()}-*.whl"))
    if not found:
        fail(f"{folder} has no wheel of version {version()}")
    made = datetime.datetime.fromtimestamp(int(epoch), datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    for file in found:
        time = json.loads(in_wheel(file, ".dist-info/sboms/tlparse.cdx.json"))["metadata"]["timestamp"]
        if time != made:
            fail(f"{file.name} is of a commit of {time}, and the last commit is of {made}", "build the wheels again: ./dev wheel --target all")
    return found


def build_wheels(targets):
    for name in targets:
        wheel.build(name)
    return [next(wheel.OUT.glob(f"*{wheel.TARGETS[name].platforms.split('.')[0]}*.whl")) for name in targets]


def main():
    parser = argparse.ArgumentParser(prog="dev release", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", default="all", choices=[*wheel.TARGETS, "all"], help="the wheels to build; default: all")
    parser.add_argument("--wheels", type=Path, metavar="FOLDER", help="take the wheels there instead, built elsewhere from this commit")
    parser.add_argument("--unreleased", action="store_true", help="the notes are the section Unreleased of the changelog")
    parser.add_argument("--home", metavar="URL", help="the project's page, for recipes/")
    parser.add_argument("--files", metavar="URL", help="where the files of the release will be, for recipes/")
    args = parser.parse_args()
    if bool(args.home) != bool(args.files):
        fail("the recipes need both --home and --files")
    for address in filter(None, (args.home, args.files)):
        if not re.fullmatch(r"https://[\w.-]+(?::\d+)?(?:/[\w.~%+-]+)*/?", address):
            fail(f"{address} is no address of https, or has characters that recipes would have to quote")
    if changed := git("status", "--porcelain").decode().splitlines():
        fail(f"the working tree differs from the last commit, which a release is made of: {', '.join(line[3:] for line in changed[:3])}",
             "commit or remove what git status lists")
    text = notes(args.unreleased)
    os.environ.update(wheel.environment())
    epoch = os.environ["SOURCE_DATE_EPOCH"]
    wheels = given_wheels(args.wheels, epoch) if args.wheels else build_wheels(wheel.TARGETS if args.target == "all" else [args.target])
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    source = source_archive(wheels, epoch)
    shells = completions(wheels)
    for file in wheels:
        shutil.copyfile(file, OUT / file.name)
        if processor := re.search(r"manylinux2014_(\w+?)\.", file.name):
            program_archive(file, processor[1], shells, epoch)
    (OUT / "release-notes.md").write_text(text, encoding="utf-8")
    sums = "".join(f"{libraries.sha256(file)}  {file.name}\n" for file in sorted(OUT.iterdir()))
    (OUT / "SHA256SUMS").write_text(sums, encoding="ascii")
    if args.home:
        recipes(source, args.home, args.files)
    print(f"release: {OUT.relative_to(TOP)}")


if __name__ == "__main__":
    main()
