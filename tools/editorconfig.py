#!/usr/bin/env python3
"""Check that the committed files keep to .editorconfig: encoding, line ends, trailing spaces, indentation, line length.

Prints what does not; exit status 1 if anything does. Indentation is checked for tabs only: formatters know the rest.
"""
import configparser
import re
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent


def pattern(glob):
    """A section's glob as a regular expression over paths: * and ** and {a,b}; without a slash, a name anywhere."""
    out, depth = "", 0
    for part in re.findall(r"\*\*/?|\*|[{},]|[^*{},]+", glob):
        depth += (part == "{") - (part == "}")
        words = {"**": ".*", "**/": "(?:.*/)?", "*": "[^/]*", "{": "(?:", "}": ")", ",": "|" if depth else ","}
        out += words.get(part) or re.escape(part)
    return re.compile(out if "/" in glob else f"(?:.*/)?{out}")


def sections():
    parser = configparser.ConfigParser(interpolation=None, delimiters=("=",), comment_prefixes=("#", ";"))
    parser.SECTCRE = re.compile(r"\[(?P<header>.+)\]")  # a section's name may have brackets
    parser.read_string("[-]\n" + (TOP / ".editorconfig").read_text(encoding="utf-8"))
    return [(pattern(name), dict(parser[name])) for name in parser.sections() if name != "-"]


def faults(data, rules):
    if rules.get("charset") == "utf-8":
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as error:
            yield data[: error.start].count(b"\n") + 1, "not UTF-8"
            return
    if rules.get("insert_final_newline") == "true" and data and not data.endswith(b"\n"):
        yield data.count(b"\n") + 1, "no newline at the end"
    longest = rules.get("max_line_length", "unset")
    for n, line in enumerate(data.split(b"\n"), 1):
        if rules.get("end_of_line") == "lf" and b"\r" in line:
            yield n, "a carriage return"
        if rules.get("trim_trailing_whitespace") == "true" and line[-1:] in (b" ", b"\t"):
            yield n, "trailing space"
        if rules.get("indent_style") == "space" and line[: len(line) - len(line.lstrip(b" \t"))].count(b"\t"):
            yield n, "a tab in the indentation"
        if longest.isdigit() and len(line.decode("utf-8", "replace")) > int(longest):
            yield n, f"longer than {longest} columns"


def main():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=TOP, check=True, stdout=subprocess.PIPE, text=True).stdout
    rows, bad, checked = sections(), 0, 0
    for name in filter(None, listed.split("\0")):
        path = TOP / name
        if not path.is_file():
            continue
        rules = {}
        for match, values in rows:
            if match.fullmatch(name):
                rules.update(values)
        data = path.read_bytes()
        if b"\0" in data or not any(value != "unset" for value in rules.values()):
            continue  # an image, or data of a test
        checked += 1
        for line, text in faults(data, rules):
            bad += 1
            print(f"{name}:{line}: {text}")
    if not checked:
        sys.exit("no file was checked")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
