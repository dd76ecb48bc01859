"""The software bill of materials of a wheel: CycloneDX 1.6, JSON.

Components are the libraries of sources.txt with the hash of their tarball, the C library and the compiler's functions that Zig links,
and the packages of npm in the page, as notices.txt of the bundle lists them.
"""
import datetime
import email
import json
import re
import uuid
from importlib import metadata
from pathlib import Path

import libraries

TOP = Path(__file__).resolve().parent.parent


def component(name, version, license, purl, sha256=None):
    found = {"type": "library", "bom-ref": purl, "name": name, "version": version, "licenses": [{"license": {"id": license}}], "purl": purl}
    if sha256:
        found["hashes"] = [{"alg": "SHA-256", "content": sha256}]
    return found


def page_packages():
    """(name, version, license) of each package in the page. A notice begins with "name version (license)"."""
    text = (TOP / "web/dist/notices.txt").read_text(encoding="utf-8")
    return sorted(set(re.findall(r"(?m)^(@?[a-z][\w./-]*) (\d[\w.+-]*) \(([A-Za-z0-9.-]+)\)$", text)))


def components(target):
    found = [component(s.name, s.version, s.license, f"pkg:generic/{s.name}@{s.version}", s.sha256) for s in libraries.sources(target).values()]
    zig = metadata.version("ziglang")
    if "macos" not in target:
        found.append(component("musl", musl_version(), "MIT", f"pkg:generic/musl@{musl_version()}"))
    found.append(component("zig-compiler-rt", zig, "MIT", f"pkg:pypi/ziglang@{zig}"))
    for name, version, license in page_packages():
        found.append(component(name, version, license, f"pkg:npm/{name.replace('@', '%40', 1)}@{version}"))
    return found


def musl_version():
    """Of the C library that comes with Zig."""
    root = Path(metadata.distribution("ziglang").locate_file("ziglang"))
    return re.search(r'VERSION "([\d.]+)"', (root / "lib/libc/musl/src/internal/version.h").read_text())[1]


def document(target, info, epoch):
    """The text for a wheel with this .dist-info folder. The same sources give the same text."""
    about = email.message_from_string((info / "METADATA").read_text(encoding="utf-8"))
    name, version = about["Name"], about["Version"]
    made = datetime.datetime.fromtimestamp(int(epoch), datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    inside, root = components(target), f"pkg:pypi/{name}@{version}"
    serial = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps([root, target, made, inside]))
    return json.dumps({
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{serial}",
        "version": 1,
        "metadata": {
            "timestamp": made,
            "component": {"type": "application", "bom-ref": root, "name": name, "version": version, "licenses": [{"license": {"id": "BSD-3-Clause"}}], "purl": root},
        },
        "components": inside,
        "dependencies": [{"ref": root, "dependsOn": [c["bom-ref"] for c in inside]}],
    }, indent=1) + "\n"
