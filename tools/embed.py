#!/usr/bin/env python3
"""Embed the front end's files in a C program: an assembler file with .incbin, and a table in C.

    embed.py --web WEB --depfile FILE.d [--prebuilt] [--packed] FILE.S FILE.c

Builds WEB/dist first (web.py) unless --prebuilt is given. The files are one after another, as src/sink/assets.c reads them; with
--packed they are one frame of zstd (with the package zstandard), because one window over all of them finds what they share.
ninja does not track files that the assembler includes, so a comment has the SHA-256 of their bytes: an edit changes FILE.S, and
with it the object file. The bytes are in a file next to FILE.S, so that another build of WEB/dist cannot change them while the
assembler runs.
"""
import argparse
import hashlib
from pathlib import Path

import web

HEAD = "/* Made by tools/embed.py. */\n"


def write(path, text):
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def pack(blob):
    import zstandard

    return zstandard.ZstdCompressor(level=22).compress(blob)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--web", type=Path, required=True)
    parser.add_argument("--depfile", type=Path, required=True)
    parser.add_argument("--prebuilt", action="store_true")
    parser.add_argument("--packed", action="store_true")
    parser.add_argument("assembler", type=Path)
    parser.add_argument("table", type=Path)
    args = parser.parse_args()

    if not args.prebuilt:
        web.build(args.web)
    dist = args.web / "dist"
    files = sorted(p for p in dist.glob("*") if p.is_file() and not p.name.startswith("."))
    if not files:
        raise SystemExit(f"{dist} is empty: build the front end first, or build without -Dweb=prebuilt")

    contents = {path.name: path.read_bytes() for path in files}
    blob = b"".join(contents.values())
    rows = "".join(f'    {{"{name}", {len(content)}}},\n' for name, content in contents.items())
    stored = pack(blob) if args.packed else blob
    copy = args.assembler.absolute().with_name("assets.bin")
    copy.write_bytes(stored)
    # Mach-O (macOS) has other names for sections, and another word for hidden; symbols of C begin with "_" there.
    write(
        args.assembler,
        f"{HEAD}/* sha256 {hashlib.sha256(stored).hexdigest()} */\n"
        "#ifdef __APPLE__\n#define SYMBOL(name) _##name\n#define HIDDEN .private_extern\n\t.const\n"
        "#else\n#define SYMBOL(name) name\n#define HIDDEN .hidden\n\t.section .rodata\n#endif\n"
        "\t.balign 16\n\t.globl SYMBOL(tlparse_assets)\n\tHIDDEN SYMBOL(tlparse_assets)\n"
        f'SYMBOL(tlparse_assets):\n\t.incbin "{copy}"\n'
        '#ifdef __CET__ /* notes that the file may be linked into a program with branch tracking */\n#include <cet.h>\n#endif\n'
        '#ifdef __ELF__\n\t.section .note.GNU-stack,"",%progbits\n#endif\n',
    )
    write(
        args.table,
        HEAD + '#include "sink/assets.h"\n\n'
        + f"const struct embedded embedded[] = {{\n{rows}}};\n"
        + "const size_t embedded_count = sizeof embedded / sizeof *embedded;\n"
        + f"const size_t embedded_bytes = {len(blob)};\nconst size_t embedded_stored = {len(stored)};\n",
    )
    depends = [Path(__file__), Path(web.__file__)] + (files if args.prebuilt else web.sources(args.web))
    escaped = " ".join(str(p).replace(" ", "\\ ") for p in depends)
    args.depfile.write_text(f"{args.assembler}: {escaped}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
