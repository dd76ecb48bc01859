"""The data of a report's page: the content of the scripts in data/, compared with report.json."""
import json
import re
from urllib.parse import unquote

from data_parts import parts
from schemas import flat

PARTS = {"report": "page_report", "configs": "configs_part", "export": "export", "log": "log_part", "ranks": "rank_place",
         "timeline": "timeline_head", "compiles": "compiles_part", "shapes": "shapes_part", "comparison": "compared_runs", "kernels": "kernels_part", "sources": "sources_part",
         "timeline_args": "timeline_args_part", "parsers": "parsers_part"}


def definition(key):
    """The definition for this key, or None for the bytes of a text stream."""
    what, _, part = key.partition("/")
    return "timeline_part" if what == "timeline" and part else PARTS.get(what)


def read(folder):
    """{key: bytes} of the scripts of one report."""
    data = {}
    for path in sorted((folder / "data").glob("*.js")):
        data.update(parts(path.read_bytes()))
    return data


def joined(data, what):
    """The items of all parts with this name, in order."""
    numbers = sorted(int(key.partition("/")[2]) for key in data if key.startswith(f"{what}/"))
    return [item for k in numbers for item in json.loads(data[f"{what}/{k}"])]


def guard_lists(report, data):
    """The guard lists in the text streams."""
    streams = {}
    for compile in report["compiles"]:
        for artifact in compile["artifacts"]:
            if "guards" not in artifact:
                continue
            folder = artifact["dir"]
            if folder not in streams:
                numbers = sorted(int(key.rpartition("/")[2]) for key in data if key.rpartition("/")[0] == folder)
                streams[folder] = b"".join(data[f"{folder}/{k}"] for k in numbers)
            offset, length = artifact["guards"]["list"]
            yield json.loads(streams[folder][offset:offset + length])


def provenance(folder, report):
    """The data of the provenance pages."""
    for compile in report["compiles"]:
        for url in compile.get("provenance", []):
            page = (folder / unquote(url)).read_bytes()
            for found in re.findall(rb'<script id="provenance" type="application/json">(.*?)</script>', page, re.S):
                yield json.loads(found)


def values(folder, report, data):
    """(where, definition, value) for all data of the page."""
    for key, content in data.items():
        if definition(key):
            yield f"data: {key}", definition(key), json.loads(content)
    for guards in guard_lists(report, data):
        yield "guards", "guard_list", guards
    for pane in provenance(folder, report):
        yield "provenance", "provenance", pane


def only(defs, name, value):
    """The members of the value that the definition declares."""
    return {member: value[member] for member in flat(defs, name)[0]["properties"] if member in value}


def differences(defs, report, data):
    """Differences between the page's data and report.json."""
    summary = json.loads(data["report"])
    if only(defs, "report_common", summary) != only(defs, "report_common", report):
        yield "data/report.js differs from report.json"
    if summary["compiles"] != [only(defs, "compile_summary", compile) for compile in report["compiles"]]:
        yield "the compiles of data/report.js differ from report.json"
    if joined(data, "compiles") != [only(defs, "compile_details", compile) for compile in report["compiles"]]:
        yield "data/compiles.*.js differ from the compiles of report.json"
    if joined(data, "kernels") != report["kernels"]["list"]:
        yield "data/kernels.*.js differ from the kernels of report.json"
    if json.loads(data["log"]) != [share["kinds"] for share in report["log"]["by_compile"]]:
        yield "data/log.js differs from log.by_compile of report.json"
    if summary["parts"]["configs"] != ("configs" in data) or json.loads(data.get("configs", "[]")) != report["configs"]:
        yield "data/configs.js differs from configs of report.json"
    own = report.get("parsers", [])
    if summary.get("parsers", []) != [only(defs, "parser_summary", parser) for parser in own] or json.loads(data.get("parsers", "[]")) != own:
        yield "parsers of data/report.js or data/parsers.js differ from report.json"
    if "export" in data and json.loads(data["export"]) != report["export"]:
        yield "data/export.js differs from export of report.json"
