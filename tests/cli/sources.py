"""packaging/behind.py: which libraries of the wheel are older than in Debian's archive, from an index made for the test."""
import sys
from pathlib import Path

from common import case

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "packaging"))
import behind
import libraries

INDEX = """\
Package: zlib
Version: 1:1.3.dfsg+really1.3.2-2
Directory: pool/main/z/zlib
Checksums-Sha256:
 aa 10 zlib_1.3.dfsg+really1.3.2-2.dsc
 {new} 20 zlib_1.3.dfsg+really1.3.2.orig.tar.gz
 cc 30 zlib_1.3.dfsg+really1.3.2-2.debian.tar.xz

Package: zlib
Version: 1:1.2.13.dfsg-1
Directory: pool/main/z/zlib
Checksums-Sha256:
 {old} 20 zlib_1.2.13.dfsg.orig.tar.gz

Package: other
Version: 9-1
Directory: pool/main/o/other
Checksums-Sha256:
 {old} 20 other_9.orig.tar.gz
""".format(new="1" * 64, old="2" * 64)


@case
def versions_are_those_of_upstream():
    for debian, expected in (("1:1.3.dfsg+really1.3.1-1", "1.3.1"), ("2.1.12-stable-10", "2.1.12"), ("0.10.0+ds-1", "0.10.0"), ("1.5.7+dfsg-3", "1.5.7"),
                             ("10.46-1~deb13u1", "10.46"), ("2.0.9+ds-2", "2.0.9")):
        assert behind.upstream(debian) == expected, debian
    assert behind.number("10.9") < behind.number("10.46")


@case
def the_newest_tarball_is_offered():
    offered = behind.offers(INDEX, {"zlib"})
    assert offered == {"zlib": behind.Offer("1.3.2", "1" * 64, "pool/main/z/zlib/zlib_1.3.dfsg+really1.3.2.orig.tar.gz")}, offered


@case
def a_line_of_the_list_is_updated():
    text = (libraries.HERE / "sources.txt").read_text(encoding="utf-8")
    source = libraries.sources()["zlib"]
    new = behind.updated(text, source, behind.offers(INDEX, {behind.package_of(source)})["zlib"])
    changed = [(a, b) for a, b in zip(text.splitlines(), new.splitlines(), strict=True) if a != b]
    assert len(changed) == 1, changed
    assert changed[0][1] == f"zlib 1.3.2 Zlib {'1' * 64} pool/main/z/zlib/zlib_1.3.dfsg+really1.3.2.orig.tar.gz " + ",".join(source.license_files), changed
