#!/usr/bin/env python3
"""Says which libraries of sources.txt are older than Debian's archive has them, and updates their lines.

    behind.py               prints a line for each library; exit status 1 if one is or stays behind
    behind.py --update [NAME...]
                            writes version, SHA-256 and path of the newer tarballs, of all or of these, to sources.txt

It reads the index of Debian unstable from the mirror that libraries.py uses, checks each new tarball by the hash in that index, and
keeps it where libraries.py looks for it. License and license files stay as they are: read those of the new version. Whether the
libraries still build is for `./dev wheel` to say.
"""
import argparse
import lzma
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import libraries

SUITE = "sid"
INDEX = f"dists/{SUITE}/main/source/Sources.xz"


class Offer(NamedTuple):
    """A tarball of upstream's in the archive."""

    version: str
    sha256: str
    path: str


def fields(paragraph):
    """{name: text} of a paragraph of the index; continued lines are joined with newlines."""
    found = {}
    name = ""
    for line in paragraph.splitlines():
        if line[:1] in (" ", "\t"):
            found[name] += f"\n{line.strip()}"
        else:
            name, _, text = line.partition(":")
            found[name] = text.strip()
    return found


def upstream(version):
    """Upstream's part of Debian's version: "1:1.3.dfsg+really1.3.1-1" is 1.3.1, "2.1.12-stable-10" is 2.1.12."""
    version = version.split(":", 1)[-1].rsplit("-", 1)[0]
    version = version.split("+really", 1)[-1]
    return re.split(r"[+~]|-stable|\.dfsg|\+dfsg|\+ds", version)[0]


def number(version):
    return [int(part) for part in re.findall(r"\d+", version)]


def offers(index, packages):
    """{package: Offer} of the newest version of each package."""
    found = {}
    for paragraph in index.split("\n\n"):
        name = re.match(r"Package: (\S+)", paragraph)
        if not name or name[1] not in packages:
            continue
        about = fields(paragraph)
        version = upstream(about["Version"])
        tarballs = [line.split() for line in about["Checksums-Sha256"].splitlines() if re.search(r"\.orig\.tar\.(xz|gz|bz2)$", line)]
        if len(tarballs) != 1:
            continue
        offer = Offer(version, tarballs[0][0], f"{about['Directory']}/{tarballs[0][2]}")
        if name[1] not in found or number(found[name[1]].version) < number(version):
            found[name[1]] = offer
    return found


def package_of(source):
    """Debian's name of the package: the folder of the tarball."""
    return source.path.split("/")[-2]


def fetched_index():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "Sources.xz")
        subprocess.run(["curl", "-fsSL", "--retry", "3", "-o", path, f"{libraries.mirror()}/{INDEX}"], check=True)
        return lzma.decompress(path.read_bytes()).decode("utf-8")


def updated(text, source, offer):
    """The text of sources.txt with the line of the library changed."""
    line = next(line for line in text.splitlines() if line.split()[:1] == [source.name])
    new = " ".join([source.name, offer.version, source.license, offer.sha256, offer.path, ",".join(source.license_files)])
    return text.replace(line, new)


def update(path, source, offer):
    """Fetches the newer tarball and changes the line. False if the mirror has an index that is newer than its tarballs."""
    try:
        libraries.fetch(source._replace(version=offer.version, sha256=offer.sha256, path=offer.path))
    except subprocess.CalledProcessError:
        print(f"packaging: the mirror does not have {offer.path}: {source.name} stays", file=sys.stderr)
        return False
    path.write_text(updated(path.read_text(encoding="utf-8"), source, offer), encoding="utf-8")
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true", help="change sources.txt")
    parser.add_argument("names", nargs="*", metavar="NAME", help="the libraries; all of them if none is named")
    args = parser.parse_args()
    known = libraries.sources()
    unknown = [name for name in args.names if name not in known]
    if unknown:
        parser.error(f"sources.txt has no {', '.join(unknown)}")
    chosen = [known[name] for name in args.names or known]
    offered = offers(fetched_index(), {package_of(source) for source in chosen})
    path = libraries.HERE / "sources.txt"
    behind = 0
    for source in chosen:
        offer = offered.get(package_of(source))
        newer = offer and number(offer.version) > number(source.version)
        behind += bool(newer)
        state = "not in Debian's index" if not offer else f"behind: Debian has {offer.version}" if newer else "up to date"
        print(f"{source.name:12} {source.version:10} {state}", flush=True)
        if newer and args.update and update(path, source, offer):
            behind -= 1
    return 1 if behind else 0


if __name__ == "__main__":
    sys.exit(main())
