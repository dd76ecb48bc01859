"""Fetches the sources of sources.txt, and builds static libraries of them for one target.

Nothing of them is in the repository. The tarballs are kept in .cache/wheel/sources, checked by SHA-256 each time, and the libraries
in .cache/wheel/TARGET, so a second build needs neither the network nor a compiler.
"""
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
CACHE = HERE.parent / ".cache/wheel"
# With canaries and probes of the stack, as meson.build sets for tlparse: they read the bytes of strangers, too.
FLAGS = ["-O2", "-fPIE", "-fno-sanitize=undefined", "-ffunction-sections", "-fdata-sections", "-DNDEBUG", "-w",
         "-fno-unwind-tables", "-fno-asynchronous-unwind-tables", "-fomit-frame-pointer", "-fstack-protector-strong", "-fstack-clash-protection"]
SMALLEST = ["-Os", "-Xclang", "-Oz", "-mno-outline"]  # Zig takes -Oz for -Os


class Source(NamedTuple):
    """A line of sources.txt."""

    name: str
    version: str
    license: str
    sha256: str
    path: str
    license_files: list

    @property
    def tarball(self):
        return CACHE / "sources" / self.path.rsplit("/", 1)[1]


def sources(target=""):
    """Of the libraries that the target has: the malloc() of macOS stays."""
    lines = (HERE / "sources.txt").read_text(encoding="utf-8").splitlines()
    found = [line.split() for line in lines if line and not line.startswith("#")]
    return {fields[0]: Source(*fields[:5], fields[5].split(",")) for fields in found if not ("macos" in target and fields[0] == "mimalloc")}


def mirror():
    """The mirror of Debian that apt is configured with."""
    found = os.environ.get("DEBIAN_MIRROR")
    texts = [p.read_text() for p in sorted(Path("/etc/apt").glob("sources.list*/*.sources"))]
    texts += [p.read_text() for p in [Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt").glob("sources.list.d/*.list"))] if p.exists()]
    for text in texts:
        match = re.search(r"(?m)^(?:URIs:|deb)\s(?:.*\s)?(https?:\S*/debian)/?(?:\s|$)", text)
        found = found or (match and match[1])
    if not found:
        sys.exit("packaging: no mirror of Debian in /etc/apt: set DEBIAN_MIRROR to the address of one, ending with /debian")
    return found.rstrip("/")


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def fetch(source):
    """The tarball, with the pinned content."""
    if source.tarball.exists() and sha256(source.tarball) == source.sha256:
        return source.tarball
    source.tarball.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=source.tarball.parent) as folder:
        part = Path(folder, "part")
        subprocess.run(["curl", "-fsSL", "--retry", "3", "-o", part, f"{mirror()}/{source.path}"], check=True)
        if sha256(part) != source.sha256:
            sys.exit(f"packaging: {source.path} has the SHA-256 {sha256(part)}, but sources.txt says {source.sha256}")
        part.replace(source.tarball)
    return source.tarball


def unpack(source, folder):
    """Unpacks it, and returns its only top folder."""
    subprocess.run(["tar", "-xf", fetch(source), "-C", folder], check=True)
    (top,) = folder.iterdir()
    return top


# ---- how each is built: with few files and no options, a compiler and a list do; libevent and pcre2 need a configuration


class Build:
    """One library for one target."""

    def __init__(self, source, top, prefix, tools):
        self.source, self.top, self.prefix, self.tools = source, top, prefix, tools

    def archive(self, name, files, *flags):
        """Compiles the files (patterns) of the source, in the order of their names, into lib/libNAME.a."""
        objects = []
        found = sorted({p for pattern in files for p in self.top.glob(pattern)})
        if not found:
            sys.exit(f"packaging: {self.source.name} has no {files}")
        for i, file in enumerate(found):
            objects.append(self.top / f"{i}-{file.stem}.o")
            self.run(*self.tools.cc, *FLAGS, *flags, "-c", file.relative_to(self.top), "-o", objects[-1])
        self.run(*self.tools.ar, "rcsD", self.prefix / "lib" / f"lib{name}.a", *objects)

    def headers(self, *patterns, to=""):
        folder = self.prefix / "include" / to
        folder.mkdir(parents=True, exist_ok=True)
        for pattern in patterns:
            for file in self.top.glob(pattern):
                shutil.copy(file, folder)

    def package(self, name, libraries, version=None, cflags=""):
        """What pkg-config says."""
        (self.prefix / "lib/pkgconfig" / f"{name}.pc").write_text(
            f"prefix={self.prefix}\nName: {name}\nDescription: {name}\nVersion: {version or self.source.version}\n"
            f"Libs: -L${{prefix}}/lib {libraries}\nCflags: -I${{prefix}}/include {cflags}\n")

    def edit(self, name, old, new):
        """Replaces a text that must be in a file of the source once."""
        path = self.top / name
        text = path.read_text(encoding="utf-8")
        if text.count(old) != 1:
            sys.exit(f"packaging: {self.source.name}: {name} has {text.count(old)} times what is to be replaced: {old}")
        path.write_text(text.replace(old, new), encoding="utf-8")

    def run(self, *command):
        done = subprocess.run([str(c) for c in command], cwd=self.top, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode:
            sys.stderr.buffer.write(done.stdout[-5000:])
            sys.exit(f"packaging: {self.source.name}: {' '.join(map(str, command[:6]))} … failed")


def yyjson(b):
    # One reader of containers, whether they are indented or not, and no writer of indented JSON, which tlparse does itself.
    b.edit("src/yyjson.c", "if (char_is_space(cur[1]) && char_is_space(cur[2])) {", "if (1) {")
    b.edit("src/yyjson.c", "return (char *)yyjson_write_pretty(root, flg, alc, dat_len, err);", "return NULL;")
    b.archive("yyjson", ["src/yyjson.c"], "-DYYJSON_DISABLE_NON_STANDARD")  # comments, NaN and the like, which nothing asks for
    b.headers("src/yyjson.h")
    b.package("yyjson", "-lyyjson")


def zlib(b):
    # Reads compressed logs, and packs zip archives of reports. Its tables for checksums are made at the first use: 9 KB of the wheel.
    b.archive("z", ["*.c"], "-DDYNAMIC_CRC_TABLE", "-DHAVE_UNISTD_H", "-DHAVE_STDARG_H", "-D_LARGEFILE64_SOURCE=1", "-Os")
    b.headers("zlib.h", "zconf.h")
    b.package("zlib", "-lz")
    # Without encryption, which tlparse does not use.
    b.archive("minizip", ["contrib/minizip/zip.c", "contrib/minizip/ioapi.c"], "-I.", "-DHAVE_UNISTD_H", "-DNOCRYPT", "-DNOUNCRYPT", "-D_LARGEFILE64_SOURCE=1", *SMALLEST)
    b.headers("contrib/minizip/zip.h", "contrib/minizip/ioapi.h", "contrib/minizip/ints.h", to="minizip")
    b.package("minizip", "-lminizip -lz")


def zstd(b):
    # One decoder of sequences and one of literals, for all processors. The others, and copies for BMI2, are 28 KB of the wheel, and save 1 %
    # of the instructions of a report of a compressed log. Of the compressors, the fastest one.
    # None for what tlparse does not use: dictionaries, long-distance matches, blocks of a wanted size, matches of other lengths than six.
    for file, old, new in (
        ("zstd_compress.c", """        { ZSTD_compressBlock_fast_dictMatchState  /* default for 0 */,
          ZSTD_compressBlock_fast_dictMatchState,
          ZSTD_COMPRESSBLOCK_DOUBLEFAST_DICTMATCHSTATE,""", "{ NULL, NULL, NULL,"),
        ("zstd_compress.c", """} else if (zc->appliedParams.ldmParams.enableLdm == ZSTD_ps_enable) {
            RawSeqStore_t""", """} else if (0) {
            RawSeqStore_t"""),
        ("zstd_compress.c", "if (zc->externSeqStore.pos < zc->externSeqStore.size) {", "if (0) {"),
        ("zstd_compress.c", "ZSTD_compressSuperBlock(zc, dst, dstCapacity, src, srcSize, lastBlock);", "ERROR(dstSize_tooSmall);"),
        ("zstd_fast.c", """    U32 const mml = ms->cParams.minMatch;
    /* use cmov when "candidate in range" branch is likely unpredictable */
    int const useCmov = ms->cParams.windowLog < 19;""", "    enum { mml = 6, useCmov = 0 };"),
    ):
        b.edit(f"lib/compress/{file}", old, new)
    strategies = ("DFAST", "GREEDY", "LAZY", "LAZY2", "BTLAZY2", "BTOPT", "BTULTRA")
    b.archive("zstd", ["lib/common/*.c", "lib/decompress/*.c", "lib/compress/[!z]*.c", "lib/compress/zstd_*.c"],
              *(f"-DZSTD_EXCLUDE_{name}_BLOCK_COMPRESSOR" for name in strategies), "-DZSTD_DISABLE_ASM", "-DXXH_NAMESPACE=ZSTD_", "-DZSTD_NO_TRACE",
              "-DZSTD_FORCE_DECOMPRESS_SEQUENCES_SHORT", "-DHUF_FORCE_DECOMPRESS_X1", "-DDYNAMIC_BMI2=0", "-Os")
    b.headers("lib/zstd.h", "lib/zstd_errors.h")
    b.package("libzstd", "-lzstd")


def libmd(b):
    (b.top / "config.h").write_text("#include <unistd.h>\n")  # all that these files ask for beyond C17
    # Each step of MD5 waits for the one before it. LLVM adds the constant after that wait, and the second function waits longer than it
    # must: its terms have no bit in common, so they can be added one by one. Both together make MD5 28 % faster.
    b.edit("src/md5.c", "( w += f(x, y, z) + data,", '( w += data, __extension__({ __asm__("" : "+r"(w)); }), w += f(x, y, z),')
    b.edit("src/md5.c", "#define F2(x, y, z) F1(z, x, y)", "#define F2(x, y, z) ((x & z) + (y & ~z))")
    b.archive("md", ["src/md5.c", "src/md5hl.c", "src/sha2.c"], "-I.", "-Iinclude", "-Isrc")
    b.headers("include/md5.h", "include/sha2.h")
    b.package("libmd", "-lmd")


def pcre2(b):
    """As its NON-AUTOTOOLS-BUILD says, without Unicode: 51 KB of the wheel. A pattern is of bytes then."""
    for name in ("config.h", "pcre2.h"):
        shutil.copy(b.top / f"src/{name}.generic", b.top / f"src/{name}")
    shutil.copy(b.top / "src/pcre2_chartables.c.dist", b.top / "src/pcre2_chartables.c")
    names = re.findall(r"(?m)^ {7}(pcre2_\w+\.c)$", (b.top / "NON-AUTOTOOLS-BUILD").read_text())
    b.archive("pcre2-8", [f"src/{name}" for name in names], "-DHAVE_CONFIG_H", "-DPCRE2_CODE_UNIT_WIDTH=8", "-DPCRE2_STATIC", "-Isrc", *SMALLEST)
    b.headers("src/pcre2.h")
    b.package("libpcre2-8", "-lpcre2-8", cflags="-DPCRE2_STATIC")


def libevent(b):
    (b.top / "zig-cc").write_text("#!/bin/sh\nexec " + " ".join(f"'{c}'" for c in b.tools.cc) + ' "$@"\n')
    (b.top / "zig-cc").chmod(0o755)
    b.run("./configure", f"--host={b.tools.host}", f"--prefix={b.prefix}", f"CC={b.top}/zig-cc", f"AR={' '.join(map(str, b.tools.ar))}", "RANLIB=:",
          "ARFLAGS=rcsD", f"CFLAGS={' '.join(FLAGS)} -Oz", "--enable-static", "--disable-shared", "--disable-openssl", "--disable-samples",
          "--disable-libevent-regress", "--disable-debug-mode", "--disable-thread-support", "--disable-dependency-tracking")
    b.run("make", "include/event2/event-config.h")
    b.run("make", "-j2", "libevent_core.la", "libevent_extra.la")
    for name in ("core", "extra"):
        shutil.copy(b.top / f".libs/libevent_{name}.a", b.prefix / "lib")
        b.package(f"libevent_{name}", f"-levent_{name}")
    b.headers("include/event2/*.h", to="event2")


def xxhash(b):
    b.headers("xxhash.h")
    b.package("libxxhash", "")


def mimalloc(b):
    """Takes the place of musl's malloc(), which asks the system for each larger block and gives it back at once: doc/packaging.md has the effect."""
    b.archive("mimalloc", ["src/static.c"], "-Iinclude", "-DMI_MALLOC_OVERRIDE", "-DMI_STATIC_LIB", "-D_GNU_SOURCE", *SMALLEST)
    b.package("mimalloc", "-lmimalloc")


BUILDS = [yyjson, zlib, zstd, libmd, pcre2, libevent, xxhash, mimalloc]


def stamp(tools):
    """What the libraries depend on."""
    parts = [(HERE / name).read_bytes() for name in ("sources.txt", "libraries.py", "requirements.txt")]
    return hashlib.sha256(b"\0".join([*parts, tools.target.encode()])).hexdigest()


def build(tools):
    """The prefix with all libraries and headers for the target, built if what they depend on has changed."""
    prefix = CACHE / tools.target
    made_of = prefix / "made-of"
    if made_of.exists() and made_of.read_text() == stamp(tools):
        return prefix
    shutil.rmtree(prefix, ignore_errors=True)
    (prefix / "lib/pkgconfig").mkdir(parents=True)
    known = sources(tools.target)
    for function in [f for f in BUILDS if f.__name__ in known]:
        source = known[function.__name__]
        print(f"packaging: {source.name} {source.version} for {tools.target}", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            top = unpack(source, Path(folder))
            licenses = prefix / "licenses" / source.name
            licenses.mkdir(parents=True)
            for name in source.license_files:
                shutil.copy(top / name, licenses)
            function(Build(source, top, prefix, tools))
    made_of.write_text(stamp(tools))
    return prefix
