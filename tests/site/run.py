#!/usr/bin/env python3
"""Tests of the documentation site.

    run.py [--tlparse build/tlparse] [--list] [NAME...]     only the cases whose names begin with NAME

The site is built once, into build/site. Needs what `tools/setup.sh test docs` installs. The last line is
`N passed, N failed, N skipped`.
"""
import functools
import json
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parent.parent
DOCS_PYTHON = TOP / ".cache/docs/bin/python3"
SITE = TOP / "build/site"
sys.path[:0] = [str(HERE.parent / "tools"), str(TOP / "tools")]
import docs_links  # noqa: E402
import docs_pages  # noqa: E402
from cases import case, main  # noqa: E402


@functools.cache
def site():
    """The folder of the site, built from this checkout."""
    done = subprocess.run([DOCS_PYTHON, TOP / "tools/docs.py"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout
    return SITE


def ids(page):
    return docs_links.Page(page.read_text(encoding="utf-8")).ids


def schema():
    return docs_pages.Schema((TOP / "doc/report.schema.json").read_text(encoding="utf-8"))


@case
def the_site_builds_without_warnings_and_dead_links():
    wrong, links = docs_links.check(site())
    assert not wrong and links > 1000, (wrong[:5], links)


@case
def dead_links_are_found():
    Path("sub").mkdir()
    Path("page.html").write_text('<p id="here"><a href="#here">a</a><a href="sub/other.html#there">b</a><a href="https://example.com/">c</a></p>')
    Path("sub/other.html").write_text('<p id="there"><img src="data:image/png;base64,"></p>')
    assert docs_links.check(".") == ([], 2)
    for bad in ('<a href="gone.html">', '<a href="#gone">', '<a href="sub/other.html#gone">', '<a href="sub">', '<a href="../up.html">', '<img src="gone.png">',
                '<script src="https://example.com/a.js">', '<link rel="stylesheet" href="//example.com/a.css">', '<img src="http://example.com/a.png">',
                '<a href="javascript:void(0)">'):
        Path("bad.html").write_text(bad)
        wrong, _ = docs_links.check(".")
        assert len(wrong) == 1 and wrong[0].startswith("bad.html: "), (bad, wrong)
    Path("bad.html").unlink()
    for bad in ("@import url(https://example.com/a.css);", 'a { background: url("//example.com/a.png") }', "@import '//example.com/a.css';"):
        Path("bad.css").write_text(bad)
        assert len(docs_links.check(".")[0]) == 1, bad


@case
def each_command_has_its_options():
    """Each option of `tlparse COMMAND --help` is on the page of the command."""
    pages = sorted((site() / "commands").glob("tlparse*.html"))
    assert len(pages) == len(list((TOP / "doc").glob("tlparse*.1"))) > 5
    for page in pages:
        command = [tlparse, *([page.stem.removeprefix("tlparse-")] if "-" in page.stem else []), "--help"]
        said = subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout
        options = set(re.findall(r"(?m)^ +(?:-\w, )?(--[a-z-]+)", said))
        text = re.sub(r"<[^>]+>", "", page.read_text(encoding="utf-8"))
        assert len(options) > 1 and not [option for option in options if option not in text], page.stem


@case
def each_view_has_a_page():
    """The rows of the table of pages in the front end."""
    keys = re.findall(r'(?m)^ *(?:\{ )?key: "([^"]*)",', (TOP / "web/src/app/pages.ts").read_text(encoding="utf-8"))
    names = {key.replace("/", "-") or "overview" for key in keys} - {"page"}  # standalone pages have texts of their own
    assert len(names) > 20 and names == {page.stem for page in (site() / "views").glob("*.html")} - {"index"}


@case
def each_object_has_a_page_with_its_members():
    found = schema()
    assert {page.stem for page in (site() / "report-json").glob("*.html")} - {"index"} == set(found.defs)
    count = 0
    for name, definition in found.defs.items():
        known = ids(site() / "report-json" / f"{name}.html")
        lacking = [member for member in found.merged(definition)[0] if f"member-{member}" not in known]
        assert not lacking, (name, lacking)
        count += len(found.merged(definition)[0])
    assert count > 500


@case
def objects_show_types_and_nested_members():
    small = docs_pages.Schema(json.dumps({"$defs": {
        "report": {"type": "object", "description": "A *root*.", "required": ["many"], "properties": {
            "many": {"type": "array", "items": {"$ref": "#/$defs/leaf"}, "description": "Items of some_name."},
            "maybe": {"anyOf": [{"$ref": "#/$defs/leaf"}, {"type": "null"}]},
            "pair": {"type": "array", "prefixItems": [{"type": "integer"}, {"type": ["string", "null"]}]},
            "inner": {"type": "array", "items": {"type": "object", "properties": {"deep": {"enum": ["a", 1]}}}}}},
        "leaf": {"type": "object", "description": "A leaf.", "additionalProperties": {"type": "number"}}}}))
    page = "\n".join(small.page("report"))
    for text in ("A \\*root\\*.", "list of [leaf](leaf.md)\n: Items of `some_name`.", "[leaf](leaf.md) or null, optional\n: —", "[integer, string or null]",
                 "list of object", "<code>inner[].deep</code>", '`"a"` or `1`'):
        assert text in page, (text, page)
    leaf = "\n".join(small.page("leaf"))
    assert "Type: map to number" in leaf and "[report](report.md)" in leaf
    assert docs_pages.member_link(small, "many")[1] == "Items of some_name."
    try:
        docs_pages.member_link(small, "gone")
    except docs_pages.Unknown as error:
        assert "no member gone" in str(error)
    else:
        raise AssertionError("a member that does not exist has a link")


@case
def chromium_shows_the_site_without_a_network():
    done = subprocess.run(["node", HERE / "look.mjs", site()], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False)
    assert done.returncode == 0 and "ok" in done.stdout, done.stdout


def use(path, update):
    global tlparse
    tlparse = path


if __name__ == "__main__":
    sys.exit(main(__doc__, use))
