#!/usr/bin/env python3
"""Convert a text file to an array in C: text.py FILE NAME HEADER."""
import sys
from pathlib import Path


def main():
    source, name, header = sys.argv[1:]
    codes = [str(code) for code in Path(source).read_bytes()]
    lines = ",\n    ".join(", ".join(codes[i : i + 32]) for i in range(0, len(codes), 32))
    Path(header).write_text(f"/* Made by tools/text.py. */\nstatic const unsigned char {name}[] = {{\n    {lines},\n}};\n", encoding="utf-8")


if __name__ == "__main__":
    main()
