#!/usr/bin/env python3
"""Tests of the documentation: links and paths exist, versions agree, and files follow .editorconfig.

    run.py [NAME...]     only the checks whose name starts with NAME

Looks at the files that git tracks. The last line is `N passed, N failed`.
"""
import json
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

TOP = Path(__file__).resolve().parent.parent.parent
CHECKS = []
# Bytes of these are significant, so they follow no style.
DATA = ("tests/data/", "tests/golden/expected/", "tests/fuzz/corpus.zip")


def check(function):
    CHECKS.append(function)
    return function


def tracked():
    names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=TOP, stdout=subprocess.PIPE, check=True).stdout
    return sorted(name for name in names.decode().split("\0") if name and (TOP / name).is_file())


def documents():
    return {name: (TOP / name).read_text(encoding="utf-8") for name in tracked() if name.endswith(".md")}


def without_code(text):
    """The text without fenced and indented code blocks, with the same number of lines."""
    lines, fenced = [], False
    for line in text.split("\n"):
        fence = line.lstrip().startswith("```")
        lines.append("" if fenced or fence or line.startswith("    ") else line)
        fenced ^= fence
    return "\n".join(lines)


def anchors(text):
    """The ids that GitHub and GitLab give to headings."""
    headings = re.findall(r"(?m)^#+ +(.*?) *$", without_code(text))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@check
def links_resolve():
    wrong, count = [], 0
    for name, text in documents().items():
        plain = re.sub(r"`[^`\n]*`", "", without_code(text))
        for target in re.findall(r"\]\(([^)\s]+)\)", plain) + re.findall(r"(?m)^\[[^\]]+\]: (\S+)", plain):
            if re.match(r"[a-z]+:", target):
                continue  # tests have no network
            count += 1
            path, _, anchor = target.partition("#")
            file = (TOP / name).parent / unquote(path) if path else TOP / name
            if not file.exists():
                wrong.append(f"{name}: {target} does not exist")
            elif anchor and unquote(anchor) not in anchors(file.read_text(encoding="utf-8")):
                wrong.append(f"{name}: {target} has no such heading")
    assert count > 10, "found no links"
    return wrong


@check
def paths_exist():
    """Paths in backticks, such as `src/base/path.c`, from the top or from the document. `*`, `<name>` and `{a,b}` match anything."""
    wrong, count = [], 0
    for name, text in documents().items():
        if name == "CHANGELOG.md" or name.startswith("tests/data/"):
            continue  # they mention files that no longer exist, and paths in logs
        for path in re.findall(r"`((?:src|tests|tools|web|doc|bench)/[^`\s]*)`", text):
            count += 1
            pattern = re.sub(r"<[^>]*>|\{[^}]*\}", "*", path).rstrip("/").removesuffix("()")
            built = pattern.startswith(("web/dist", "web/node_modules"))
            if not built and not any(TOP.glob(pattern)) and not any((TOP / name).parent.glob(pattern)):
                wrong.append(f"{name}: `{path}` does not exist")
    assert count > 10, "found no paths"
    return wrong


@check
def versions_agree():
    version = re.search(r"(?m)^  version: '([^']+)'", (TOP / "meson.build").read_text())[1]
    assert re.fullmatch(r"\d+\.\d+\.\d+", version), version
    lock = json.loads((TOP / "web/package-lock.json").read_text())
    found = {
        "web/package.json": json.loads((TOP / "web/package.json").read_text())["version"],
        "web/package-lock.json": lock["version"],
        "web/package-lock.json, packages": lock["packages"][""]["version"],
        **{f"doc/{page.name}": re.search(r"(?m)^\.Os tlparse (\S+)$", page.read_text())[1] for page in (TOP / "doc").glob("*.1")},
        "CHANGELOG.md": re.search(r"(?m)^## \[(\d[^]]*)\]", (TOP / "CHANGELOG.md").read_text())[1],
    }
    return [f"{place} has version {other}, and meson.build {version}" for place, other in found.items() if other != version]


@check
def files_follow_editorconfig():
    wrong, count = [], 0
    for name in tracked():
        content = (TOP / name).read_bytes()
        if name.startswith(DATA) or b"\0" in content or not content:
            continue
        count += 1
        try:
            lines = content.decode("utf-8").split("\n")
        except UnicodeDecodeError:
            wrong.append(f"{name}: is not UTF-8")
            continue
        if lines[-1]:
            wrong.append(f"{name}: has no final newline")
        for number, line in enumerate(lines, 1):
            if line != line.rstrip():
                wrong.append(f"{name}:{number}: has trailing whitespace")
            if line.startswith("\t"):
                wrong.append(f"{name}:{number}: is indented with a tab")
    assert count > 100, "found no files"
    return wrong


@check
def trace_calls_lists_unknown_records():
    import logged_names
    return logged_names.differences()


def main():
    passed = failed = 0
    for function in CHECKS:
        name = function.__name__
        if len(sys.argv) > 1 and not name.startswith(tuple(sys.argv[1:])):
            continue
        try:
            wrong = function()
        except (AssertionError, TypeError, ValueError, KeyError) as error:
            wrong = [f"{type(error).__name__}: {error}"]
        passed, failed = passed + (not wrong), failed + bool(wrong)
        print("\n".join([f"FAIL {name}", *wrong]) if wrong else f"ok   {name}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
