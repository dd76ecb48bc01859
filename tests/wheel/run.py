#!/usr/bin/env python3
"""The wheels in build/wheels, as users get them: what is in them, where they install, and whether their programs do what a native build
does.

    run.py [--tlparse build/tlparse] [--list] [NAME...]     run the cases whose names begin with NAME

`./dev wheel` builds the wheel for x86-64, `./dev wheel --target all` the others, too: their cases are skipped without them. --tlparse is the native program that they are compared with. The last line is
`N passed, N failed, N skipped`.
"""
import configparser
import email
import filecmp
import json
import os
import re
import shlex
import shutil
import struct
import subprocess
import sys
import time
import urllib.request
import zipfile
from datetime import datetime
from functools import lru_cache
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "tools"))
import data_parts  # noqa: E402
from cases import Skipped, case, main, stop  # noqa: E402

WHEELS = TOP / "build/wheels"
TOOLS = TOP / ".cache/wheel/tools/bin/python3"
VALIDATOR = TOP / ".cache/python/bin/python3"  # its packages have the schema of CycloneDX
LOG = TOP / "tests/data/logs/graph_breaks"
LIMIT_S = 120
GOLDEN = ["simple", "graph_breaks", "errors", "truncated", "ranks_folder"]
NATIVE = None


def wheel(platform):
    found = sorted(WHEELS.glob(f"tlparse_c-*-py3-none-*{platform}*.whl"))
    if not found and "x86_64" not in platform:
        raise Skipped("the wheel for another system was not built")
    assert len(found) == 1, f"{len(found)} wheels for {platform} in {WHEELS}: run ./dev wheel"
    return found[0]


def x86_64():
    return wheel("manylinux_2_17_x86_64")


def call(*command, **how):
    done = subprocess.run([str(c) for c in command], capture_output=True, timeout=LIMIT_S, **how)
    assert done.returncode == 0, f"{command}: {done.returncode}\n{done.stdout.decode()}\n{done.stderr.decode()}"
    return done.stdout.decode()


def environment(**more):
    return {"PATH": "/usr/bin:/bin", "HOME": os.getcwd(), "LC_ALL": "C", **more}


@lru_cache
def pythons():
    """Every Python that the wheel is for: version -> path."""
    places = [Path(p) for p in os.environ["PATH"].split(os.pathsep)] + [Path("/usr/bin"), Path("/usr/local/bin")]
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    places += sorted(p / "bin" for p in pyenv.glob("versions/*"))
    found = {}
    for path in (p for place in places for p in sorted(place.glob("python3.*")) if re.fullmatch(r"python3\.\d+", p.name)):
        asked = subprocess.run([path, "-c", "import sys, venv; print('%d.%d.%d' % sys.version_info[:3])"], capture_output=True, text=True)
        version = tuple(map(int, asked.stdout.split("."))) if asked.returncode == 0 else ()
        if version >= (3, 9) and version not in found:
            found[version] = path
    assert found, "no Python with venv"
    return found


def install(python, file=None):
    """A new virtual environment with the wheel, nothing else: the folder of its programs."""
    folder = Path(f"venv-{python.name}-{time.monotonic_ns()}").absolute()
    call(python, "-m", "venv", "--without-pip", folder)
    call(TOOLS, "-m", "pip", "--python", folder / "bin/python", "install", "--no-index", "--no-deps", "--quiet", "--disable-pip-version-check",
         file or x86_64())
    return folder / "bin"


def any_python():
    return next(iter(pythons().values()))


def programs(file):
    """Unpacks the programs of a wheel, with the mode that an installer gives them."""
    folder = Path(f"programs-{file.name}").absolute()
    with zipfile.ZipFile(file) as archive:
        for name in ("tlp", "tlparse"):
            (member,) = [m for m in archive.namelist() if m.endswith(f".data/scripts/{name}")]
            folder.mkdir(exist_ok=True)
            (folder / name).write_bytes(archive.read(member))
            (folder / name).chmod(0o755)
    return folder


def same_tree(a, b):
    compared = filecmp.dircmp(a, b, ignore=[])
    assert not compared.left_only and not compared.right_only, (compared.left_only, compared.right_only)
    _, different, wrong = filecmp.cmpfiles(a, b, compared.common_files, shallow=False)
    different = [name for name in different if not equal_data(Path(a, name), Path(b, name))]
    assert not different and not wrong, (different, wrong)
    for name in compared.common_dirs:
        same_tree(Path(a, name), Path(b, name))


def equal_data(a, b):
    """Data of the page is compressed, and may differ between versions of libzstd."""
    if a.parent.name != "data":
        return False
    one, other = (data_parts.parts(p.read_bytes()) for p in (a, b))
    return bool(one) and one == other


# ---- what is in it


@case
def is_small_and_named_for_its_platforms():
    limit = int(re.search(r"(?m)^LIMIT_BYTES = (\S+)$", (TOP / "packaging/wheel.py").read_text())[1])
    for file in WHEELS.glob("*.whl"):
        assert file.stat().st_size <= limit, f"{file.name}: {file.stat().st_size} bytes"
        print(f"     {file.name}: {file.stat().st_size} bytes")
        with zipfile.ZipFile(file) as archive:
            assert archive.testzip() is None
            (kind,) = [n for n in archive.namelist() if n.endswith(".dist-info/WHEEL")]
            about = email.message_from_string(archive.read(kind).decode())
        assert about["Root-Is-Purelib"] == "false"
        assert sorted(about.get_all("Tag")) == sorted(f"py3-none-{p}" for p in file.name.removesuffix(".whl").split("-", 4)[4].split("."))
    assert "manylinux2014_x86_64" in x86_64().name and "musllinux_1_1_x86_64" in x86_64().name


@case
def has_the_version_and_two_programs():
    with zipfile.ZipFile(x86_64()) as archive:
        names = archive.namelist()
        (about,) = [n for n in names if n.endswith(".dist-info/METADATA")]
        about = email.message_from_string(archive.read(about).decode())
        entries = configparser.ConfigParser()
        entries.read_string(archive.read(next(n for n in names if n.endswith("entry_points.txt"))).decode())
    assert sorted(Path(n).name for n in names if ".data/scripts/" in n) == ["tlp", "tlparse"]
    assert about["Name"] == "tlparse-c" and about["Requires-Python"] == ">=3.9"
    assert set(about.get_all("Provides-Extra")) == {"pandas", "arrow", "mcp", "ray"}
    assert dict(entries["pytest11"]) == {"tlparse": "tlparse.pytest_plugin"}
    assert call(NATIVE, "--version", env=environment()) == f"tlparse {about['Version']}\n"
    assert tuple(map(int, about["Version"].split("."))) > (0, 4, 8), "the reference's version must not be newer"
    assert not [n for n in names if n.startswith("/") or ".." in n or n.endswith((".pyc", ".so"))]


@case
def has_the_license_of_everything():
    pinned = [line.split()[0] for line in (TOP / "packaging/sources.txt").read_text().splitlines() if line and line[0] != "#"]
    for file in WHEELS.glob("*.whl"):
        with zipfile.ZipFile(file) as archive:
            texts = {Path(n).name: archive.read(n).decode() for n in archive.namelist() if ".dist-info/licenses/" in n}
        expected = {"LICENSE", "page.txt", "zig-compiler-rt.txt", *(f"{name}.txt" for name in pinned)}
        expected = expected - {"mimalloc.txt"} if "macosx" in file.name else expected | {"musl.txt"}
        assert set(texts) == expected, set(texts) ^ expected
        assert all(re.search(r"(?i)copyright|license", text) for text in texts.values())
        assert "preact" in texts["page.txt"] and "Rich Felker" in texts.get("musl.txt", "Rich Felker")


def bill(file):
    with zipfile.ZipFile(file) as archive:
        (name,) = [n for n in archive.namelist() if n.endswith(".dist-info/sboms/tlparse.cdx.json")]
        return json.loads(archive.read(name))


@case
def has_a_bill_of_materials():
    lines = [line.split() for line in (TOP / "packaging/sources.txt").read_text().splitlines() if line and line[0] != "#"]
    known = {(fields[0], fields[1]): fields[3] for fields in lines}
    for file in WHEELS.glob("*.whl"):
        found = bill(file)
        assert found["bomFormat"] == "CycloneDX" and found["metadata"]["component"]["name"] == "tlparse-c"
        hashes = {(c["name"], c["version"]): c["hashes"][0]["content"] for c in found["components"] if "hashes" in c}
        assert hashes == {key: value for key, value in known.items() if key[0] != "mimalloc" or "macosx" not in file.name}
        page = {c["name"] for c in found["components"] if c["purl"].startswith("pkg:npm/")}
        wanted = set(json.loads((TOP / "web/package.json").read_text())["dependencies"])
        assert wanted <= page, wanted - page


@case
def the_bill_of_materials_is_valid():
    assert VALIDATOR.exists(), "tools/setup.sh test installs the schema of CycloneDX"
    folder = Path(call(VALIDATOR, "-c", "import importlib.util as u; print(u.find_spec('cyclonedx').submodule_search_locations[0])").strip()) / "schema/_res"
    check = """
import json, sys
from validate import Validator
folder, *bills = sys.argv[1:]
def load(name): return json.load(open(f"{folder}/{name}.SNAPSHOT.schema.json"))
others = {f"http://cyclonedx.org/schema/{n}.SNAPSHOT.schema.json": load(n) for n in ("spdx", "jsf-0.82")}
validator = Validator(load("bom-1.6"), others)
for bill in bills:
    assert not validator.faults(json.load(open(bill))), validator.faults(json.load(open(bill)))
broken = json.load(open(bills[0]))
broken["components"][0]["type"] = "nothing"
assert validator.faults(broken), "the schema accepts everything"
print("valid")
"""
    bills = []
    for i, file in enumerate(WHEELS.glob("*.whl")):
        bills.append(f"{i}.json")
        Path(bills[-1]).write_text(json.dumps(bill(file)))
    assert call(VALIDATOR, "-c", check, folder, *bills, env={**os.environ, "PYTHONPATH": str(TOP / "tests/tools")}) == "valid\n"


# ---- its programs


def elf(path):
    """(machine, types of the program headers) of a 64-bit little-endian ELF file."""
    data = path.read_bytes()
    assert data[:6] == b"\x7fELF\x02\x01", path
    machine, at, size, count = *struct.unpack_from("<H", data, 18), *struct.unpack_from("<Q", data, 32), *struct.unpack_from("<HH", data, 54)
    return machine, [struct.unpack_from("<I", data, at + i * size)[0] for i in range(count)]


@case
def is_static():
    check_static(x86_64(), 62)


@case
def is_static_for_aarch64():
    check_static(wheel("manylinux_2_17_aarch64"), 183)


def check_static(file, machine):
    folder = programs(file)
    for name in ("tlp", "tlparse"):
        found, headers = elf(folder / name)
        assert found == machine and 3 not in headers, f"{name} needs an interpreter (3): {headers}"
        needed = call("readelf", "--wide", "--dynamic", folder / name)  # a position-independent program has a table that relocates it
        assert "NEEDED" not in needed, f"{name} needs libraries: {needed}"
    assert (folder / "tlparse").stat().st_size < 256 * 1024


@case
def is_a_program_of_macos():
    for name in ("tlp", "tlparse"):
        data = (programs(wheel("macosx_11_0_arm64")) / name).read_bytes()
        assert struct.unpack_from("<II", data, 0) == (0xFEEDFACF, 0x0100000C), "no 64-bit Mach-O for arm64"


@case
def runs_in_an_empty_root():
    if os.geteuid() != 0:
        raise Skipped("only root can change the root")
    folder = programs(x86_64())
    log = next(LOG.glob("*.log.gz"))
    shutil.copy(log, folder / "a.log.gz")
    for name in ("tlparse", "tlp"):
        done = subprocess.run([f"/{name}", "/a.log.gz", "-o", f"/out-{name}", "--no-browser"], preexec_fn=lambda: (os.chroot(folder), os.chdir("/")),
                              env={}, capture_output=True, timeout=LIMIT_S)
        assert done.returncode == 0, done.stderr
        assert json.loads((folder / f"out-{name}/report.json").read_bytes())["compiles"]


@case
def the_launcher_names_what_is_missing():
    folder = programs(x86_64())
    (folder / "tlp").unlink()
    done = subprocess.run([folder / "tlparse", "--version"], capture_output=True, text=True, timeout=LIMIT_S)
    assert done.returncode == 127 and f"cannot run {folder}/tlp: No such file" in done.stderr and "reinstall" in done.stderr, done


@case
def is_found_through_links():
    folder = programs(x86_64())
    Path("bin").mkdir()
    Path("bin/tlparse").symlink_to(folder / "tlparse")  # as pipx does
    Path("bin/relative").symlink_to("tlparse")
    Path("elsewhere").symlink_to("bin")
    Path("chain").symlink_to("elsewhere/../bin/relative")
    for path in ("bin/tlparse", "bin/relative", "elsewhere/relative", "./chain"):
        assert call(path, "--version", env=environment()).startswith("tlparse "), path
    assert call("tlparse", "--version", env=environment(PATH=f"{os.getcwd()}/bin")).startswith("tlparse ")
    assert call("tlparse", "--version", env=environment(PATH=""), cwd=folder).startswith("tlparse ")  # no slash in its path


@case
def installs_in_every_python():
    for version, python in pythons().items():
        folder = install(python)
        for name in ("tlparse", "tlp"):
            assert call(folder / name, "--version", env=environment()) == call(NATIVE, "--version", env=environment())
        call(TOOLS, "-m", "pip", "--python", folder / "python", "uninstall", "--yes", "--quiet", "tlparse-c")
        assert not (folder / "tlparse").exists() and not (folder / "tlp").exists()
        print(f"     Python {'.'.join(map(str, version))}")


@case
def says_which_tlparse_is_first():
    folder = install(any_python())
    Path("other").mkdir()
    Path("other/tlparse").write_text("#!/bin/sh\nexit 0\n")
    Path("other/tlparse").chmod(0o755)

    def warned(program, *path):
        done = subprocess.run([program, "--version"], env=environment(PATH=os.pathsep.join(map(str, path))), capture_output=True, text=True, timeout=LIMIT_S)
        assert done.returncode == 0 and done.stdout.startswith("tlparse ") and done.stdout.count("\n") == 1
        return done.stderr

    other = Path("other").absolute()
    for name in ("tlp", "tlparse"):
        assert warned(folder / name, folder, other) == "" and warned(folder / name, "/nowhere") == ""
        assert warned(folder / name, other, folder) == f"tlparse: warning: the first tlparse on PATH is another program: {other}/tlparse\n"
    shutil.copy(other / "tlparse", folder / "tlparse")  # what the wheel of the reference does
    assert f"another program: {folder}/tlparse" in warned(folder / "tlp", folder)


@case
def reports_what_the_native_build_reports():
    tlp = install(any_python()) / "tlp"
    log = next(LOG.glob("*.log.gz"))
    for program, out in ((NATIVE, "native"), (tlp, "wheel")):
        call(program, log, "-o", out, "--no-browser", env=environment())
    same_tree("native", "wheel")


@case
def makes_the_golden_reports():
    golden(install(any_python()) / "tlp")


def golden(program):
    done = subprocess.run([sys.executable, TOP / "tests/golden/run.py", "--tlparse", program, "--few", *GOLDEN], capture_output=True, text=True, timeout=1200)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr
    print(f"     {done.stdout.splitlines()[-1]}")


@case
def passes_the_suite_of_the_command_line():
    tlparse = install(any_python()) / "tlp"  # cases copy the program, and look into it
    done = subprocess.run([sys.executable, TOP / "tests/cli/run.py", "--tlparse", tlparse], capture_output=True, text=True, timeout=2400)
    assert done.returncode == 0, "".join(part for part in re.findall(r"(?ms)^FAIL.*?(?=^ok|^FAIL|\Z)", done.stdout)) + done.stderr[-2000:]
    print(f"     {done.stdout.splitlines()[-1]}")


@case
def serves_a_report():
    tlp = install(any_python()) / "tlp"
    call(tlp, next(LOG.glob("*.log.gz")), "-o", "out", "--no-browser", env=environment())
    server = subprocess.Popen([tlp, "serve", "out", "--port", "0", "--no-browser"], stdout=subprocess.PIPE, text=True, env=environment())
    try:
        url = re.search(r"http://127\.0\.0\.1:\d+/", server.stdout.readline())[0]
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(f"{url}report.json", timeout=LIMIT_S) as answer:
            assert answer.read() == Path("out/report.json").read_bytes()
    finally:
        assert stop(server, 15) == 0


def emulated():
    """The program for aarch64, as one that this machine runs."""
    emulator = shutil.which("qemu-aarch64-static") or shutil.which("qemu-aarch64")
    if not emulator:
        raise Skipped("qemu-aarch64-static is not installed")
    tlp = programs(wheel("manylinux_2_17_aarch64")) / "tlp"
    program = Path("tlparse-aarch64").absolute()
    program.write_text(f"#!/bin/sh\nexec {emulator} {shlex.quote(str(tlp))} \"$@\"\n")
    program.chmod(0o755)
    return program


@case
def aarch64_reports_the_same():
    log = next(LOG.glob("*.log.gz"))
    call(NATIVE, log, "-o", "native", "--no-browser", env=environment())
    call(emulated(), log, "-o", "emulated", "--no-browser", env=environment())
    same_tree("native", "emulated")


@case
def aarch64_makes_the_golden_reports():
    golden(emulated())


@case
def another_build_is_equal():
    """Of the same sources in another folder, libraries included, without anything that was compiled before."""
    copy = Path("copy").absolute()
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=TOP, capture_output=True, check=True)
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (TOP / name).is_file() and not name.startswith(("tests/data/", "tests/golden/expected/")):
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(TOP / name, copy / name, follow_symlinks=False)
    (copy / ".cache/wheel").mkdir(parents=True)
    for name in ("web/node_modules", ".cache/bin", ".cache/wheel/sources", ".cache/wheel/tools"):
        if (TOP / name).exists():
            (copy / name).symlink_to(TOP / name)
    epoch = datetime.fromisoformat(bill(x86_64())["metadata"]["timestamp"].replace("Z", "+00:00")).timestamp()
    done = subprocess.run([copy / ".cache/wheel/tools/bin/python3", copy / "packaging/wheel.py"], capture_output=True, text=True, timeout=3600,
                          env={**os.environ, "SOURCE_DATE_EPOCH": str(int(epoch))})
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr
    (other,) = (copy / "build/wheels").glob("*.whl")
    different = []
    with zipfile.ZipFile(x86_64()) as a, zipfile.ZipFile(other) as b:
        assert a.namelist() == b.namelist(), set(a.namelist()) ^ set(b.namelist())
        different = [name for name in a.namelist() if a.read(name) != b.read(name)]
    assert not different, different
    assert x86_64().read_bytes() == other.read_bytes()


@case
def starts_at_once():
    """Prints the time of a start, which depends on the machine."""
    folder = install(any_python())
    for program in (NATIVE, folder / "tlp", folder / "tlparse"):
        times = []
        for _ in range(20):
            begin = time.monotonic()
            call(program, "--version", env=environment(PATH="/nowhere"))
            times.append(time.monotonic() - begin)
        print(f"     {Path(program).name} of {'the build' if program == NATIVE else 'the wheel'}: {sorted(times)[10] * 1000:.1f} ms with the time to fork")


def use(tlparse, _update):
    global NATIVE
    NATIVE = tlparse


if __name__ == "__main__":
    sys.exit(main(__doc__, use))
