#!/usr/bin/env python3
"""Builds the documentation site, build/site, with Sphinx. A warning of Sphinx, a dead link within the site and a file that is loaded from
another host are errors.

    docs.py [OUT]     write the site to OUT instead; OUT is replaced

Needs the packages of doc/site/requirements.txt, mandoc, node and the built page (./dev docs has all of them). The sources are put
together in build/site-source:
- doc/site: the texts of the site itself, and its configuration;
- doc/*.md, SECURITY.md and CHANGELOG.md, as they are, with the files that they link to;
- pages that docs_pages.py generates from the manual pages, the schema of report.json and the help of the page.
"""
import re
import shutil
import subprocess
import sys
from pathlib import Path

import docs_links
import docs_pages

TOP = Path(__file__).resolve().parent.parent
SOURCE, TREES = TOP / "build/site-source", TOP / "build/site-doctrees"
FROM_TOP = ("SECURITY.md", "CHANGELOG.md")
PROGRAMS = {"train_before.py": "tutorial_before.py", "train_after.py": "tutorial_after.py"}  # name in the site -> name in tests/data/scripts
LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)((?:#[^)\s]*)?)\)")


def moved(text, folder):
    """A text of the repository with its relative links as they are in the site, where all documents are in one folder."""

    def link(found):
        path = (folder / found[1]).resolve().relative_to(TOP)
        inside = path.parts[0] == "doc" or path.name in FROM_TOP
        if not inside:
            raise SystemExit(f"docs.py: {folder.relative_to(TOP)} links to {path}, which is not in the site")
        parts = path.parts[2:] if path.parts[:2] == ("doc", "site") else path.parts[1:] if path.parts[0] == "doc" else path.parts
        return f"]({'/'.join(parts)}{found[2]})"

    return LINK.sub(link, text)


def assemble():
    shutil.rmtree(SOURCE, ignore_errors=True)
    shutil.copytree(TOP / "doc/site", SOURCE, ignore=shutil.ignore_patterns("requirements.txt", "__pycache__"))
    shutil.copytree(TOP / "doc/examples", SOURCE / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    for file in (*(TOP / "doc").glob("*.schema.json"), *(TOP / "doc").glob("*.png")):
        shutil.copy(file, SOURCE)
    for name, program in PROGRAMS.items():
        shutil.copy(TOP / "tests/data/scripts" / program, SOURCE / name)
    documents = [*(TOP / "doc").glob("*.md"), *(TOP / name for name in FROM_TOP), *(TOP / "doc/site").glob("*.md")]
    for file in documents:
        (SOURCE / file.name).write_text(moved(file.read_text(encoding="utf-8"), file.parent), encoding="utf-8")
    if len({file.name for file in documents}) != len(documents):
        raise SystemExit("docs.py: two documents have the same name")
    docs_pages.write(TOP, SOURCE)


def main():
    out = Path(sys.argv[1] if len(sys.argv) > 1 else TOP / "build/site").resolve()
    assemble()
    new = out.with_name(out.name + ".new")
    shutil.rmtree(new, ignore_errors=True)
    version = re.search(r"(?m)^  version: '([^']+)'", (TOP / "meson.build").read_text(encoding="utf-8"))[1]
    command = [sys.executable, "-m", "sphinx", "--builder", "html", "--fail-on-warning", "--keep-going", "--quiet", "--doctree-dir", TREES]
    settings = ["--define", f"release={version}", "--define", f"version={version}"]
    if subprocess.run([*command, *settings, SOURCE, new], check=False).returncode:
        return 1
    for name in (".buildinfo", "objects.inv"):  # of use to Sphinx only
        (new / name).unlink(missing_ok=True)
    wrong, links = docs_links.check(new)
    if wrong:
        print(*wrong, sep="\n", file=sys.stderr)
        return 1
    shutil.rmtree(out, ignore_errors=True)
    new.rename(out)
    print(f"{len(list(out.rglob('*.html')))} pages, {links} links: {out / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
