#!/usr/bin/env python3
"""The files of ./dev release: what is in them, whether they work, and whether another build has the same bytes; the recipes in packaging/.

    run.py [--tlparse build/tlparse] [--list] [NAME...]     run the cases whose names begin with NAME

The release is made of a copy of the working tree with a repository of its own, with the wheel for x86-64 only. TL_WHEELS=FOLDER takes the
wheels there instead of building them, in both builds. Needs what tools/setup.sh release installs. The last line is
`N passed, N failed, N skipped`.
"""
import base64
import email
import filecmp
import functools
import hashlib
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from datetime import datetime
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "tools"))
from cases import Skipped, case, main  # noqa: E402

PACKAGING = TOP / "packaging"
CHECKERS = TOP / ".cache/release/bin"  # packaging/release-requirements.txt
LOG = next((TOP / "tests/data/logs/graph_breaks").glob("*.log.gz"))
ADDRESSES = ["--home", "https://example.org/tlparse", "--files", "https://example.org/tlparse/files"]
LIMIT_S = 1500
EXCLUDED = "/.cache\n/web/node_modules\n"  # links here, folders elsewhere, which .gitignore matches
INSTALLED = ("web/node_modules", ".cache/bin", ".cache/wheel/sources", ".cache/wheel/tools")  # no results: the suite wheel may run meanwhile
NATIVE = None
WORK = tempfile.TemporaryDirectory(prefix="tlparse-release-", ignore_cleanup_errors=True)  # the release, for all cases


def call(*command, **how):
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LIMIT_S, **how)
    text = done.stdout.decode("utf-8", "replace")
    assert done.returncode == 0, f"{' '.join(map(str, command))}: exit status {done.returncode}\n{text[-6000:]}"
    return text


def environment(**more):
    """Without what the machine or its user has set."""
    return {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": os.getcwd(), "LC_ALL": "C.UTF-8", **more}


def without_node():
    """PATH with programs that fail in the place of Node's."""
    folder = Path("no-node").absolute()
    folder.mkdir(exist_ok=True)
    for name in ("node", "npm", "npx"):
        (folder / name).write_text("#!/bin/sh\necho 'this build must not need Node' >&2\nexit 1\n")
        (folder / name).chmod(0o755)
    return f"{folder}:{environment()['PATH']}"


# ---- the release that the cases look at


def given():
    return Path(TOP, os.environ["TL_WHEELS"]) if "TL_WHEELS" in os.environ else None


@functools.cache
def committed():
    """The time of the only commit; that of the wheels, if they are given."""
    if not given():
        return 1764000000
    with zipfile.ZipFile(next(given().glob("*.whl"))) as opened:
        (name,) = [n for n in opened.namelist() if n.endswith("/tlparse.cdx.json")]
        return int(datetime.fromisoformat(json.loads(opened.read(name))["metadata"]["timestamp"].replace("Z", "+00:00")).timestamp())


def repository(folder):
    """A copy of the working tree with one commit, always the same; what the set-up installed is linked."""
    git = ["git", "-c", "user.name=test", "-c", "user.email=test@example.org", "-c", "init.defaultBranch=main"]
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=TOP, capture_output=True, check=True)
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (TOP / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(TOP / name, folder / name, follow_symlinks=False)
    call(*git, "init", "--quiet", cwd=folder)
    (folder / ".git/info/exclude").write_text(EXCLUDED)
    call(*git, "add", "--all", cwd=folder)
    time = f"{committed()} +0000"
    call(*git, "commit", "--quiet", "--message=everything", cwd=folder, env={**os.environ, "GIT_AUTHOR_DATE": time, "GIT_COMMITTER_DATE": time})
    return folder


def link(folder, *names):
    for name in names:
        if (TOP / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).symlink_to(TOP / name)


def make(folder, *options, **variables):
    wheels = ["--wheels", given()] if given() else ["--target", "x86_64"]
    env = {**os.environ, **variables}
    env.pop("SOURCE_DATE_EPOCH", None)
    return call(folder / ".cache/wheel/tools/bin/python3", folder / "packaging/release.py", *wheels, *options, env=env, cwd=folder)


@functools.cache
def release():
    folder = repository(Path(WORK.name, "one"))
    link(folder, *INSTALLED)
    make(folder, *ADDRESSES)
    return folder / "build/release"


def version():
    return re.search(r"(?m)^  version: '([^']+)'", (TOP / "meson.build").read_text())[1]


def source():
    return release() / f"tlparse_c-{version()}.tar.gz"


def program():
    """The folder of the static program, unpacked."""
    stem = f"tlparse-{version()}-linux-x86_64"
    if not Path(stem).exists():
        call("tar", "-xf", release() / f"{stem}.tar.gz")
    return Path(stem).absolute()


def unpacked():
    call("tar", "-xf", source())
    return Path(f"tlparse_c-{version()}").absolute()


# ---- the files


@case
def has_all_files_and_their_checksums():
    names = {p.name for p in release().iterdir()}
    stem = f"tlparse-{version()}-linux-x86_64"
    assert {"SHA256SUMS", "release-notes.md", "recipes", f"tlparse_c-{version()}.tar.gz", f"{stem}.tar.gz", f"{stem}.cdx.json"} < names, names
    assert any(name.endswith("musllinux_1_1_x86_64.whl") for name in names), names
    call("sha256sum", "--check", "--strict", "SHA256SUMS", cwd=release())
    listed = {line.split("  ")[1] for line in (release() / "SHA256SUMS").read_text().splitlines()}
    assert listed == names - {"SHA256SUMS", "recipes"}, listed ^ names


@case
def the_notes_are_the_section_of_the_changelog():
    notes = (release() / "release-notes.md").read_text()
    log = (TOP / "CHANGELOG.md").read_text()
    assert notes.strip() and notes in log and "\n## " not in notes
    before = log[: log.index(notes)].splitlines()
    assert [line for line in before if line.startswith("## ")][-1].startswith(f"## [{version()}]")


@case
def refuses_what_is_not_in_the_last_commit():
    folder = repository(Path("other").absolute())
    link(folder, *INSTALLED)
    python = folder / ".cache/wheel/tools/bin/python3"

    def said(*options):
        done = subprocess.run([python, folder / "packaging/release.py", *options], capture_output=True, text=True, timeout=LIMIT_S)
        assert done.returncode == 1 and "Traceback" not in done.stderr, done
        return done.stderr

    assert "need both --home and --files" in said("--home", "https://example.org")
    assert "is no address of https" in said("--home", "http://example.org", "--files", "https://example.org")
    assert "is no address of https" in said("--home", 'https://example.org/"', "--files", "https://example.org")
    (folder / "src/new.c").write_text("\n")
    assert "differs from the last commit, which a release is made of: src/new.c\nhint: " in said()
    (folder / "src/new.c").unlink()
    changelog = folder / "CHANGELOG.md"
    changelog.write_text(changelog.read_text().replace(f"## [{version()}]", "## [9.9.9]"))
    call("git", "-c", "user.name=test", "-c", "user.email=test@example.org", "commit", "--quiet", "--all", "--message=no section", cwd=folder)
    assert f"CHANGELOG.md has no section [{version()}]\nhint: " in said()
    Path("empty").mkdir()
    assert "has no wheel of version" in said("--unreleased", "--wheels", Path("empty").absolute())
    (file,) = release().glob("*_x86_64.whl")
    env = {**os.environ, "GIT_AUTHOR_DATE": "1700000000 +0000", "GIT_COMMITTER_DATE": "1700000000 +0000"}
    call("git", "-c", "user.name=test", "-c", "user.email=test@example.org", "commit", "--quiet", "--allow-empty", "--message=later", cwd=folder, env=env)
    assert "is of a commit of" in said("--unreleased", "--wheels", file.parent)


@case
def archives_have_no_owners_and_one_time():
    for file in release().glob("*.tar.gz"):
        with tarfile.open(file) as tar:
            members = tar.getmembers()
        assert len(members) > 10 and {m.name.split("/")[0] for m in members} == {file.name.removesuffix(".tar.gz")}
        assert [m.name for m in members] == sorted(m.name for m in members)
        assert {(m.uid, m.gid, m.uname, m.gname, m.mtime) for m in members} == {(0, 0, "", "", committed())}
        assert {m.mode for m in members} <= {0o755, 0o644, 0o777}
        assert file.read_bytes()[4:8] == committed().to_bytes(4, "little"), "the time in the header of gzip"


@case
def the_program_is_static_and_works():
    folder = program()
    tlp = folder / "bin/tlp"
    assert "INTERP" not in call("readelf", "--program-headers", tlp)
    assert os.readlink(folder / "bin/tlparse") == "tlp"
    for name in ("tlp", "tlparse"):
        assert call(folder / "bin" / name, "--version", env=environment(PATH=str(folder / "bin"))) == f"tlparse {version()}\n"
    call(folder / "bin/tlparse", LOG, "-o", "report", "--no-browser", env=environment())
    call(NATIVE, LOG, "-o", "native", "--no-browser", env=environment())
    assert json.loads(Path("report/report.json").read_text()) == json.loads(Path("native/report.json").read_text())


@case
def the_program_comes_with_pages_completions_and_licenses():
    share = program() / "share"
    pages = sorted((TOP / "doc").glob("*.1"))
    assert pages and sorted(p.name for p in (share / "man/man1").iterdir()) == [p.name for p in pages]
    assert all(filecmp.cmp(p, share / "man/man1" / p.name, shallow=False) for p in pages)
    for shell, place in {"bash": "bash-completion/completions/tlparse", "fish": "fish/vendor_completions.d/tlparse.fish", "zsh": "zsh/site-functions/_tlparse"}.items():
        assert (share / place).read_text() == call(NATIVE, "--completion", shell, env=environment()), shell
    libraries = {line.split()[0] for line in (PACKAGING / "sources.txt").read_text().splitlines() if line and line[0] != "#"}
    licenses = {p.stem for p in (share / "doc/tlparse/licenses").iterdir()}
    assert licenses == libraries | {"musl", "page", "zig-compiler-rt"}, licenses ^ libraries
    assert (share / "doc/tlparse/LICENSE").read_bytes() == (TOP / "LICENSE").read_bytes()
    bill = (share / "doc/tlparse/tlparse.cdx.json").read_bytes()
    assert bill == (release() / f"tlparse-{version()}-linux-x86_64.cdx.json").read_bytes()
    assert libraries < {c["name"] for c in json.loads(bill)["components"]}


# ---- the sources


@case
def the_sources_are_those_of_git_and_the_page():
    folder = unpacked()
    tracked = set(call("git", "ls-files", cwd=release().parent.parent).splitlines())
    there = {str(p.relative_to(folder)) for p in folder.rglob("*") if not p.is_dir()}
    added = there - tracked
    assert not tracked - there and "PKG-INFO" in added
    assert {name.split("/")[:2] == ["web", "dist"] for name in added - {"PKG-INFO"}} == {True}, added
    changed = [name for name in tracked if Path(folder, name).read_bytes() != Path(release().parent.parent, name).read_bytes()]
    assert changed == ["pyproject.toml"], changed
    assert stat.S_IMODE((folder / "dev").stat().st_mode) & 0o111
    about = email.message_from_string((folder / "PKG-INFO").read_text())
    assert (about["Name"], about["Version"]) == ("tlparse-c", version())


@case
def pip_builds_the_sources_without_node():
    tools = TOP / ".cache/wheel/tools/bin"
    path = f"{tools}:{without_node()}"
    call(tools / "python3", "-m", "pip", "--disable-pip-version-check", "wheel", "--no-build-isolation", "--no-deps", "--no-index", "--wheel-dir", "made", source(),
         env=environment(PATH=path))
    (made,) = Path("made").glob(f"tlparse_c-{version()}-*.whl")
    call(sys.executable, "-m", "venv", "--without-pip", "venv", env=environment())
    call(tools / "python3", "-m", "pip", "--disable-pip-version-check", "--python", "venv/bin/python", "install", "--no-index", "--no-deps", made, env=environment())
    for name in ("tlp", "tlparse"):
        assert call(f"venv/bin/{name}", "--version", env=environment(PATH="/nowhere")) == f"tlparse {version()}\n"
    count = f"import tlparse; print(len(tlparse.parse({str(LOG)!r}).compiles))"
    assert int(call("venv/bin/python", "-c", count, env=environment())) > 0


@case
def debhelper_builds_a_package_that_lintian_accepts():
    """Without Node."""
    folder = unpacked()
    shutil.copytree(PACKAGING / "debian", folder / "debian")
    call("dpkg-buildpackage", "--unsigned-source", "--unsigned-changes", "--build=binary", cwd=folder,
         env=environment(PATH=without_node(), DEB_BUILD_OPTIONS="parallel=2"))
    (changes,) = Path().glob("*.changes")
    lintian = ["lintian", *(["--allow-root"] if os.getuid() == 0 else []), "--no-cfg", "--quiet", "--fail-on", "error,warning", changes]
    assert call(*lintian, env=environment()) == ""
    (package,) = Path().glob(f"tlparse-c_{version()}-*.deb")
    call("dpkg-deb", "--extract", package, "root")
    assert call("root/usr/bin/tlparse", "--version", env=environment(PATH="/nowhere")) == f"tlparse {version()}\n"
    pages = {p.name.removesuffix(".gz") for p in Path("root/usr/share/man/man1").iterdir()}
    assert pages == {p.name for p in (TOP / "doc").glob("*.1")}
    for place in ("bash-completion/completions/tlparse", "fish/vendor_completions.d/tlparse.fish", "zsh/site-functions/_tlparse"):
        assert Path("root/usr/share", place).stat().st_size > 1000, place
    needs = call("dpkg-deb", "--field", package, "Depends")
    assert "libyyjson0" in needs and "libc6" in needs, needs


# ---- the recipes


def recipe(name):
    text = (release() / "recipes" / name).read_text()
    digest = hashlib.sha256(source().read_bytes()).digest()
    assert version() in text and "https://example.org/tlparse/files/tlparse_c-" in text and not re.search(r"@[A-Z0-9]+@", text), text
    assert digest.hex() in text or base64.b64encode(digest).decode() in text, "no checksum of the sources"
    return release() / "recipes" / name


@case
def rattler_build_renders_the_recipe_for_conda():
    script = """
import json, sys, rattler_build as r
recipe = r.Stage0Recipe.from_file(sys.argv[1])
for platform in ("linux-64", "linux-aarch64", "osx-arm64"):
    config = r.RenderConfig(platform=r.PlatformConfig(target_platform=platform, build_platform=platform, host_platform=platform))
    variants = r.VariantConfig.from_yaml("c_compiler: [clang]\\nc_stdlib: [sysroot]\\n")
    (found,) = recipe.render(variants, config)
    print(found.recipe.package.name, found.recipe.package.version)
"""
    said = call(CHECKERS / "python3", "-c", script, recipe("conda/recipe.yaml"), env=environment())
    assert said.splitlines() == [f"tlparse-c {version()}"] * 3, said


@case
def rubocop_accepts_the_formula_for_homebrew():
    said = call("rubocop", "--cache", "false", "--config", PACKAGING / "homebrew/rubocop.yml", recipe("homebrew/tlparse.rb"), env=environment())
    assert "1 file inspected, no offenses detected" in said, said


@case
def nix_evaluates_the_flake():
    """With a nixpkgs that has just enough for the derivation: the names of packages are not checked."""
    flake = recipe("nix/flake.nix")
    expression = """path: let
      package = name: { inherit name; };
      pkgs = builtins.listToAttrs (map (name: { inherit name; value = package name; }) (builtins.attrNames names)) // {
        stdenv.mkDerivation = a: a; fetchurl = a: a; lib.licenses.bsd3 = "bsd3";
      };
      names = { meson = 1; ninja = 1; pkg-config = 1; python3 = 1; libevent = 1; libmd = 1; minizip = 1; pcre2 = 1; xxHash = 1;
        yyjson = 1; zlib = 1; zstd = 1; };
      nixpkgs = {
        lib.genAttrs = names: f: builtins.listToAttrs (map (name: { inherit name; value = f name; }) names);
        legacyPackages = { x86_64-linux = pkgs; aarch64-linux = pkgs; aarch64-darwin = pkgs; };
      };
    in ((import path).outputs { inherit nixpkgs; }).packages"""
    folders = {f"NIX_{name}_DIR": str(Path(name.lower()).absolute()) for name in ("STORE", "STATE", "LOG", "CONF")}
    done = subprocess.run(["nix-instantiate", "--eval", "--strict", "--json", "--expr", f"({expression}) {flake}"], env=environment(**folders), capture_output=True, text=True, timeout=LIMIT_S)
    assert done.returncode == 0, done.stderr
    packages = json.loads(done.stdout)
    assert set(packages) == {"x86_64-linux", "aarch64-linux", "aarch64-darwin"}
    made = packages["x86_64-linux"]["default"]
    assert made["version"] == version() and made["mesonFlags"] == ["-Dweb=prebuilt"] and made["src"]["url"].endswith(source().name)


@case
def the_containerfile_makes_an_image_that_runs():
    file = PACKAGING / "container/Containerfile"
    call(CHECKERS / "hadolint", "--no-color", "--failure-threshold", "style", file, env=environment())
    buildah = ["buildah", "--root", Path("root").absolute(), "--runroot", Path("run").absolute(), "--storage-driver", "vfs"]
    try:
        call(*buildah, "build", "--isolation", "chroot", "--file", file, "--tag", "tlparse", program(), env=environment())
    except AssertionError as why:
        if re.search(r"operation not permitted|permission denied|newuidmap", str(why), re.IGNORECASE):
            raise Skipped("buildah may not build an image here") from why
        raise
    container = call(*buildah, "from", "--pull-never", "tlparse", env=environment()).strip().splitlines()[-1]
    about = json.loads(call(*buildah, "inspect", "--type", "image", "tlparse", env=environment()))["OCIv1"]["config"]
    assert about["Entrypoint"] == ["/usr/bin/tlparse"] and about["WorkingDir"] == "/work"
    shutil.copy(LOG, "log.gz")
    run = [*buildah, "run", "--isolation", "chroot", "--volume", f"{os.getcwd()}:/work", container, "--", "/usr/bin/tlparse"]
    assert call(*run, "--version", env=environment()).startswith(f"tlparse {version()}\n")
    call(*run, "log.gz", "-o", "out", "--no-browser", env=environment())
    assert Path("out/index.html").exists()


# ---- the same again


def members(file):
    """The parts of an archive, to name those that differ."""
    if file.suffix == ".whl":
        with zipfile.ZipFile(file) as opened:
            return {i.filename: (i.date_time, i.external_attr, opened.read(i)) for i in opened.infolist()}
    if file.name.endswith(".tar.gz"):
        with tarfile.open(file) as opened:
            return {m.name: (m.mode, m.mtime, m.linkname, opened.extractfile(m).read() if m.isreg() else b"") for m in opened}
    return {}


@case
def another_build_has_the_same_bytes():
    """In another folder, with another time zone, language and mask of modes, without anything that was compiled before."""
    one, folder = release(), Path("a-folder-of-another-name/two").absolute()
    mask = os.umask(0o077)
    try:
        call("git", "clone", "--quiet", one.parent.parent, folder)
        (folder / ".git/info/exclude").write_text(EXCLUDED)
        link(folder, *INSTALLED)
        make(folder, *ADDRESSES, TZ="Asia/Kolkata", LC_ALL="C")
    finally:
        os.umask(mask)
    two = folder / "build/release"
    names = [{str(p.relative_to(top)) for p in top.rglob("*") if p.is_file()} for top in (one, two)]
    assert names[0] == names[1] and len(names[0]) >= 9, names
    different = [name for name in sorted(names[0]) if (one / name).read_bytes() != (two / name).read_bytes()]
    for name in different:
        a, b = members(one / name), members(two / name)
        print(name, [part for part in sorted({*a, *b}) if a.get(part) != b.get(part)] or "(no part of an archive)")
    assert not different, different


def use(tlparse, _update):
    global NATIVE
    NATIVE = tlparse


if __name__ == "__main__":
    sys.exit(main(__doc__, use))
