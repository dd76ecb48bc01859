#!/usr/bin/env python3
"""Convert src/base/noise.json to a table in C: noise.py NOISE.json HEADER.

`words` lists the beginnings of noise. What follows `after` is noise as long as its characters are in `then`, or up to a
character in `until`. `instead` replaces all of it. `id_instead` replaces numbers of at least `id_digits` digits.
"""
import json
import sys
from pathlib import Path


def text(value):
    """A C string of the value's bytes: octal escapes, because these never include the next character."""
    return '"' + "".join(chr(b) if 32 <= b < 127 and chr(b) not in '"\\?' else f"\\{b:03o}" for b in value.encode()) + '"'


def pairs(name, firsts):
    """A function that finds two bytes. firsts: second byte → the bytes before it."""
    terms = [f"(({' | '.join(f'(lanes)(v == {first})' for first in sorted(found))}) & (lanes)(next == {after}))" for after, found in sorted(firsts.items())]
    return f"static inline lanes {name}(lanes v, lanes next) {{\n    return {' | '.join(terms)};\n}}\n"


def main():
    source, header = map(Path, sys.argv[1:])
    rules = json.loads(source.read_text(encoding="utf-8"))
    second = {ord(digit): 1 for digit in "0123456789"}
    rows, begins_word, begins_number = [], {}, {}
    for word in rules["words"]:
        first, after = word["after"].encode()[:2]
        if second.setdefault(first, after) not in (1, after):
            sys.exit(f"{source}: two words begin with {chr(first)!r} but have different second characters")
        second[first] = after
        (begins_number if chr(first).isdigit() else begins_word).setdefault(after, set()).add(first)
        until = "until" in word
        rows.append(
            f"    {{SLICE_INIT({text(word['after'])}), SLICE_INIT({text(word['until' if until else 'then'])}), "
            f"{str(until).lower()}, SLICE_INIT({text(word['instead'])})}},\n"
        )
    table = "".join(f"    [{first}] = {after},\n" for first, after in sorted(second.items()))
    header.write_text(
        f"/* Generated from src/base/{source.name} by tools/noise.py. */\n"
        f"enum {{ ID_DIGITS = {rules['id_digits']} }};\n"
        f"static const struct slice id_instead = SLICE_INIT({text(rules['id_instead'])});\n"
        f"static const struct word words[] = {{\n{''.join(rows)}}};\n"
        f"static const char second[256] = {{\n{table}}};\n"
        + pairs("begins_word", begins_word) + pairs("begins_number", begins_number),
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
