#!/usr/bin/env python3
"""Embed the front end's files in a C program: an assembler file with .incbin, and a table in C.

    embed.py --web WEB --depfile FILE.d [--prebuilt] FILE.S FILE.c

Builds WEB/dist first (web.py) unless --prebuilt is given. ninja does not track files that the assembler includes, so a
comment has the SHA-256 of each: an edit changes FILE.S, and with it the object file. The files are copied next to
FILE.S, so that another build of WEB/dist cannot change them while the assembler runs.
"""
import argparse
import hashlib
import shutil
from pathlib import Path

import web

HEAD = "/* Made by tools/embed.py. */\n"


def write(path, text):
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--web", type=Path, required=True)
    parser.add_argument("--depfile", type=Path, required=True)
    parser.add_argument("--prebuilt", action="store_true")
    parser.add_argument("assembler", type=Path)
    parser.add_argument("table", type=Path)
    args = parser.parse_args()

    if not args.prebuilt:
        web.build(args.web)
    dist = args.web / "dist"
    files = sorted(p for p in dist.glob("*") if p.is_file() and not p.name.startswith("."))
    if not files:
        raise SystemExit(f"{dist} is empty: build the front end first, or build without -Dweb=prebuilt")

    copies = args.assembler.absolute().with_name("assets")
    shutil.rmtree(copies, ignore_errors=True)
    copies.mkdir(parents=True)
    parts, externs, rows = [], [], []
    for i, path in enumerate(files):
        copy = shutil.copyfile(path, copies / path.name)
        digest = hashlib.sha256(copy.read_bytes()).hexdigest()
        symbol = f"tlparse_asset_{i}"
        parts.append(
            f"/* {path.name} sha256 {digest} */\n"
            f"\t.balign 16\n\t.globl SYMBOL({symbol})\n\tHIDDEN SYMBOL({symbol})\nSYMBOL({symbol}):\n\t.incbin \"{copy}\"\n"
        )
        externs.append(f"extern const unsigned char {symbol}[];\n")
        rows.append(f'    {{"{path.name}", {symbol}, {copy.stat().st_size}}},\n')
    # Mach-O (macOS) has other names for sections, and another word for hidden; symbols of C begin with "_" there.
    write(
        args.assembler,
        f"{HEAD}#ifdef __APPLE__\n#define SYMBOL(name) _##name\n#define HIDDEN .private_extern\n\t.const\n"
        "#else\n#define SYMBOL(name) name\n#define HIDDEN .hidden\n\t.section .rodata\n#endif\n" + "".join(parts)
        + '#ifdef __ELF__\n\t.section .note.GNU-stack,"",%progbits\n#endif\n')
    write(
        args.table,
        HEAD + '#include "sink/assets.h"\n\n' + "".join(externs) + "\nconst struct asset assets[] = {\n" + "".join(rows)
        + "};\nconst size_t asset_count = sizeof assets / sizeof *assets;\n",
    )
    depends = [Path(__file__), Path(web.__file__)] + (files if args.prebuilt else web.sources(args.web))
    escaped = " ".join(str(p).replace(" ", "\\ ") for p in depends)
    args.depfile.write_text(f"{args.assembler}: {escaped}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
