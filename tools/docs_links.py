"""Checks a folder of HTML pages: links and anchors within it exist, and nothing is loaded from another host."""
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADS = {("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("link", "href"), ("object", "data"), ("video", "src")}
LINKS = LOADS | {("a", "href")}
REMOTE_STYLE = re.compile(r"@import\s+(?:url\()?[\"']?(?:https?:)?//[^\"')\s]*|url\(\s*[\"']?(?:https?:)?//[^\"')\s]*")


class Page(HTMLParser):
    """The ids of a page, and what it links to: (tag, attribute, address)."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links = set(), []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.ids.add(value)
            elif (tag, name) in LINKS and value is not None:
                self.links.append((tag, name, value))


def check(folder):
    """(what is wrong, number of links within the folder)."""
    folder = Path(folder).resolve()
    pages = {file: Page(file.read_text(encoding="utf-8")) for file in sorted(folder.rglob("*.html"))}
    wrong, count = [], 0
    for file, page in pages.items():
        for tag, name, value in page.links:
            address = urlsplit(value)
            if address.scheme in ("http", "https") or address.netloc:
                if (tag, name) in LOADS:
                    wrong.append(f"{file.relative_to(folder)}: loads {value}")
                continue
            if address.scheme:
                if address.scheme not in ("data", "mailto"):
                    wrong.append(f"{file.relative_to(folder)}: {value} has an unknown scheme")
                continue
            count += 1
            target = (file.parent / unquote(address.path)).resolve() if address.path else file
            if target.is_dir() or not target.exists() or not target.is_relative_to(folder):
                wrong.append(f"{file.relative_to(folder)}: {value} does not exist")
            elif address.fragment and target in pages and unquote(address.fragment) not in pages[target].ids:
                wrong.append(f"{file.relative_to(folder)}: {value} has no such anchor")
    for file in sorted(folder.rglob("*.css")):
        wrong += [f"{file.relative_to(folder)}: {found}" for found in REMOTE_STYLE.findall(file.read_text(encoding="utf-8"))]
    return wrong, count
