"""Report: lists over ranks and runs, lookups, texts of artifacts, tables, notebooks; damaged and hostile reports."""
from __future__ import annotations

import base64
import copy
import html.parser
import json
import pickle
import shutil
from pathlib import Path
from typing import Any, Dict, List, Tuple

import pytest
import zstandard
from conftest import LOGS, Source, named, report_of, sources

import tlparse
from tlparse import _html
from tlparse._node import Node


@pytest.mark.parametrize("source", sources(), ids=named)
def test_lists_agree_with_totals(source: Source) -> None:
    """Whatever the kind: of several ranks or runs, the lists have what all logs have."""
    report = report_of(*source)
    totals = report.totals
    assert len(report.compiles) == totals.compiles
    assert sum(not one.exception for one in report.graph_breaks) == totals.graph_breaks
    assert len(report.failures) + len(report.backward_failures) == totals.failures
    assert sum(recompile.recompiles for recompile in report.recompiles) == totals.recompiles
    assert len(report.findings) == totals.findings
    assert sum(compile.time_us or 0 for compile in report.ids) == (totals.time_us or 0)
    assert all(len(one.compiles) == one.totals.compiles for one in report.reports)
    assert (report.kind == "run") == (report.reports == (report,))


@pytest.mark.parametrize("source", sources(), ids=named)
def test_tables_have_all_metrics(source: Source) -> None:
    report = report_of(*source)
    rows: List[Tuple[Any, str, bool, Any]] = []
    for one in report.reports:
        data = json.loads((one.path / "report.json").read_text(encoding="utf-8"))
        for compile in data["compiles"]:
            for member in ("metrics", "backward_metrics"):
                if compile[member] is not None:
                    rows.append((data["run"]["rank"], compile["key"], member != "metrics", compile[member]))
    table = report.metrics
    own = ("rank", "dir", "key", "backward")
    found = [(row["rank"], row["key"], row["backward"], {k.removeprefix("metrics."): v for k, v in row.items() if k not in own}) for row in table]
    assert found == rows
    frame, arrow = table.to_pandas(), table.to_arrow()
    assert frame.shape == (len(rows), len(table.columns)) == arrow.shape
    if rows:
        for name in table.columns:
            values = table.column(name)
            assert [None if missing else value for value, missing in zip(frame[name].tolist(), frame[name].isna())] == values, name
            back = arrow.column(name).to_pylist()
            assert back == values or [v if v is None else json.loads(v) for v in back] == values, name


def test_ranks() -> None:
    report = report_of(LOGS / "ranks4_desync")
    assert report.kind == "ranks" and [rank.rank for rank in report.ranks] == [0, 1, 2, 3] and not report.runs
    third = report.rank(3)
    assert third.details.run.rank == 3 and third.timeline == third.details.timeline and third.path.name == "rank_3"
    assert third.details.dir == "rank_3" and report.dir == ""
    assert {compile.report.run.rank for compile in report.compiles} == {0, 1, 2, 3}
    with pytest.raises(KeyError, match="no log of rank 4"):
        report.rank(4)
    with pytest.raises(KeyError, match="compiles have the key 0/0"):
        report.compiles["0/0"]
    assert third.details.compiles["0/0"].report.run.rank == 3


def test_runs_have_names() -> None:
    report = report_of(LOGS / "simple", LOGS / "recompiles", Path("--compare"))
    assert report.kind == "runs" and [run.name for run in report.runs] == ["simple", "recompiles"]
    assert [run.details.totals.recompiles for run in report.runs] == [0, 19]
    assert report.comparison is not None and report.comparison.pairs[0].figures[0].name == "torch"


def test_compiles_by_key() -> None:
    report = report_of(LOGS / "recompiles")
    compile = report.compiles["0/1"]
    assert compile.key == "0/1" and compile in report.compiles and "0/1" in report.compiles and "99/0" not in report.compiles
    assert compile.recompile_reasons and compile == report.compiles[report.compiles.keys().index("0/1")]
    assert [c.key for c in report.compiles[:2]] == report.compiles.keys()[:2]
    with pytest.raises(KeyError, match="no compile 99/0"):
        report.compiles["99/0"]
    with pytest.raises(IndexError):
        report.compiles[1000]
    resets = report_of(LOGS / "resets")
    assert resets.compiles["0/0#2"].generation == 2 and resets.compiles["0/0"].key == "0/0"
    assert {c.key for c in resets.ids} > {c.key for c in resets.compiles}


@pytest.mark.parametrize("name", ["gpt2", "graph_breaks", "aot_inductor", "export_ok", "procs"])
def test_reads_every_text(name: str) -> None:
    """The text of an artifact is that of its file, wherever the report has it as a file."""
    compared = 0
    for report in report_of(LOGS / name).reports:
        for artifact in report.artifacts():
            if artifact.text is None:
                with pytest.raises(tlparse.TlparseError, match="has no text"):
                    artifact.read()
                continue
            text = artifact.read(1 << 30)
            file = artifact.payload_url or artifact.url
            assert len(text.encode()) == artifact.bytes
            assert artifact.read(10) == text.encode()[:10].decode("utf-8", "replace")
            if file and file.endswith(".txt") and (report.path / file).exists():
                compared += 1
                assert text.strip() == (report.path / file).read_text(encoding="utf-8").strip(), file
    assert compared > 3


def test_finds_artifacts_by_name() -> None:
    report = report_of(LOGS / "gpt2")
    names = {artifact.name for artifact in report.artifacts("dynamo_output_graph")}
    assert names == {"dynamo_output_graph"}
    assert all(a.stem == "inductor_output_code" for a in report.artifacts("inductor_output_code")) and list(report.artifacts("inductor_output_code"))


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A report that a test may damage."""
    return Path(shutil.copytree(report_of(LOGS / "graph_breaks").path, tmp_path / "report"))


def edit(folder: Path, change: Any) -> tlparse.Report:
    data = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    change(data)
    (folder / "report.json").write_text(json.dumps(data), encoding="utf-8")
    return tlparse.load(folder)


def packed(content: bytes) -> bytes:
    """A script of data/ with this content."""
    return b'tl.put("a","%s");\n' % base64.b64encode(zstandard.ZstdCompressor().compress(content))


@pytest.mark.parametrize("name", ["../../secret", "/etc", "a/../../..", "..", ".", "x/..", "a\0b", "x\x1b[31m/../../y", 3, None, ["a"]])
def test_reads_no_file_outside_of_the_report(copied: Path, name: Any) -> None:
    def change(data: Any) -> None:
        data["compiles"][0]["artifacts"][0]["dir"] = name
        data.update(kind="ranks", ranks=[{"dir": name or ".", "status": "ok"}])

    outside = copied.parent / "secret.0.js"
    outside.write_bytes(packed(b"secret" * 99))
    report = edit(copied, change)
    with pytest.raises(tlparse.TlparseError) as error:
        tlparse.types.Compile(report.to_dict()["compiles"][0], report).artifacts[0].read()
    assert "\x1b" not in str(error.value)
    with pytest.raises(tlparse.TlparseError):
        report.ranks[0].details
    with pytest.raises(tlparse.TlparseError):
        report.compiles


@pytest.mark.parametrize("place", [[0], [0, -1], [-5, 10], ["a", "b"], 3, {"a": 1}, [True, 1]])
def test_wrong_places_of_texts_are_errors(copied: Path, place: Any) -> None:
    artifact = next(a for a in tlparse.load(copied).artifacts() if a.text)
    damaged = tlparse.types.Artifact({**artifact.to_dict(), "text": place}, artifact.report)
    with pytest.raises(tlparse.TlparseError, match="no valid place"):
        damaged.read()


def test_follows_no_link_out_of_the_report(copied: Path) -> None:
    report = tlparse.load(copied)
    artifact = next(a for a in report.artifacts() if a.text)
    file = copied / f"data/{artifact.dir}.0.js"
    file.rename(copied.parent / "elsewhere.js")
    file.symlink_to(copied.parent / "elsewhere.js")
    with pytest.raises(tlparse.TlparseError, match="outside of its folder"):
        artifact.read()


@pytest.mark.parametrize("content", [b"", b"tl.put(", b'tl.put("a","AAAA");\n', packed(b"x" * 99)[:-9] + b'");\n', packed(b"short")])
def test_damaged_texts_are_errors(copied: Path, content: bytes) -> None:
    artifact = next(a for a in tlparse.load(copied).artifacts() if a.text)
    (copied / f"data/{artifact.dir}.0.js").write_bytes(content)
    for later in copied.glob(f"data/{artifact.dir}.[1-9].js"):
        later.unlink()
    with pytest.raises(tlparse.TlparseError, match="is damaged|is incomplete"):
        artifact.read()
    (copied / f"data/{artifact.dir}.0.js").unlink()
    with pytest.raises(tlparse.TlparseError, match="cannot read .*No such file"):
        artifact.read()


def test_a_compressed_bomb_is_bounded(copied: Path) -> None:
    artifact = next(a for a in tlparse.load(copied).artifacts() if a.text)
    (copied / f"data/{artifact.dir}.0.js").write_bytes(packed(bytes(200 << 20)))
    assert len(artifact.read(100)) <= 100


def test_what_is_no_report(tmp_path: Path) -> None:
    for text, message in (("", "not JSON"), ("[" * 100000, "not JSON"), ("[]", "not a report"), ("{}", "not a report")):
        (tmp_path / "report.json").write_text(text)
        with pytest.raises(tlparse.TlparseError, match=message):
            tlparse.load(tmp_path)
    with pytest.raises(tlparse.TlparseError, match="No such file"):
        tlparse.load(tmp_path / "missing")


def test_another_version(copied: Path) -> None:
    with pytest.raises(tlparse.TlparseError, match="has version 3; this package reads version 2"):
        edit(copied, lambda data: data.update(version=3))


class Checked(html.parser.HTMLParser):
    """Collects elements and attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: List[Tuple[str, Any]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.found.append((tag, attrs))


def test_a_notebook_shows_no_markup_of_the_log(copied: Path) -> None:
    evil = '</td><script>alert(1)</script><img src=x onerror="x">'

    def change(data: Any) -> None:
        for finding in data["findings"]:
            finding.update(title=evil, severity=evil, place={"file": evil, "line": 1, "function": evil})

    report = edit(copied, change)
    found = Checked(report._repr_html_()).found
    assert {tag for tag, _ in found} == {"p", "b", "table", "tr", "td", "a"}
    links = [dict(attrs) for tag, attrs in found if tag == "a"]
    assert [link["href"] for link in links] == [(copied / "index.html").resolve().as_uri()]


def test_a_notebook_shows_the_totals() -> None:
    report = report_of(LOGS / "recompiles")
    text = report._repr_html_()
    assert f"<td>Recompiles</td><td>{report.totals.recompiles}</td>" in text and report.findings[0].title in text.replace("&#x27;", "'")
    assert "<td>Ranks</td><td>4</td>" in report_of(LOGS / "ranks4")._repr_html_()
    assert [_html.duration(us) for us in (None, 0, 999_999, 1_000_000, 61_500_000)] == ["unknown", "0.0 ms", "1,000.0 ms", "1.00 s", "61.50 s"]


def test_copies_and_pickles() -> None:
    report = report_of(LOGS / "recompiles")
    for copied in (copy.deepcopy(report), pickle.loads(pickle.dumps(report))):
        assert copied == report and copied.path == report.path and copied.compiles["0/1"].report is copied
    compile = report.compiles["0/1"]
    assert pickle.loads(pickle.dumps(compile)) == compile == copy.copy(compile)
    with pytest.raises(tlparse.TlparseError, match="not from a report"):
        copy.copy(compile).report


def test_objects_are_built_on_access(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loading a large report takes the time of parsing its JSON."""
    folder, make = report_of(LOGS / "versions").path, Node.__init__
    built: List[Node] = []

    def counted(node: Node, *values: Any) -> None:
        built.append(node)
        make(node, *values)

    monkeypatch.setattr(Node, "__init__", counted)
    report = tlparse.load(folder)
    assert built == [report]
    compiles = report.compiles
    assert built == [report] and len(compiles) > 90 and len(report.graph_breaks) == 5 and built == [report]
    assert compiles[50].frame and [type(node).__name__ for node in built[1:]] == ["Compile", "Frame"]


def test_tables_keep_large_numbers_and_mixed_columns() -> None:
    rows: List[Dict[str, Any]] = [{"a": 2**63, "b": 1, "c": {"x": 1}, "d": True}, {"a": None, "b": "text", "c": {"y": [1]}}, {"b": 2**53 + 1, "e": 1.5}]
    table = tlparse.Table(rows)
    assert table.columns == ("a", "b", "c", "d", "e") and len(table[1:]) == 2 and table[0] == rows[0]
    frame = table.to_pandas()
    assert frame["a"][0] == 2**63 and frame["b"][2] == 2**53 + 1 and str(frame["d"].dtype) == "boolean" and str(frame["e"].dtype) == "float64"
    arrow = table.to_arrow().to_pydict()
    assert json.loads(arrow["b"][2]) == 2**53 + 1 and json.loads(arrow["b"][1]) == "text" and json.loads(arrow["c"][1]) == {"y": [1]}
    assert [json.loads(v) if isinstance(v, str) else v for v in arrow["a"]] == [2**63, None, None]
    assert tlparse.Table([]).to_pandas().empty and tlparse.Table([]).to_arrow().num_rows == 0
    with pytest.raises(KeyError):
        table.column("missing")


def test_compiles_as_a_table() -> None:
    report = report_of(LOGS / "ranks4_desync")
    table = report.compiles.table()
    assert table.column("rank") == [compile.report.run.rank for compile in report.compiles]
    assert table.column("frame.file") == [compile.frame.file if compile.frame else None for compile in report.compiles]
    assert report.compiles.to_pandas()["time_us"].sum() == report.totals.time_us
    assert report.compiles.to_arrow().num_rows == len(report.compiles)
