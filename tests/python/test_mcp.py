"""The MCP server, with the client of the official SDK, within this process and over standard input and output. Answers equal the report."""
from __future__ import annotations

import asyncio
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List, Tuple

import samples  # type: ignore[import-not-found]
from conftest import LOGS, PROGRAM, report_of
from mcp import Client, StdioServerParameters

import tlparse
from tlparse import mcp

Call = Tuple[str, Dict[str, Any]]


def ask(*calls: Call, folder: Path = LOGS, stdio: bool = False) -> List[Any]:
    """The answer of each call; the message of a call that failed is a text."""

    async def talk() -> List[Any]:
        parameters = StdioServerParameters(command=sys.executable, args=["-m", "tlparse.mcp", str(folder)], env=dict(os.environ))
        found: List[Any] = []
        async with Client(parameters if stdio else mcp.server([folder])) as client:
            for name, arguments in calls:
                result: Any = await client.call_tool(name, arguments)
                text = result.content[0].text
                found.append(text if result.is_error else json.loads(text))
        return found

    return asyncio.run(talk())


def path(name: str) -> Dict[str, Any]:
    return {"path": str(LOGS / name)}


def test_tools_describe_themselves() -> None:
    async def talk() -> List[Any]:
        async with Client(mcp.server([LOGS])) as client:
            return list((await client.list_tools()).tools)

    tools = asyncio.run(talk())
    assert [tool.name for tool in tools] == ["list", "summary", "findings", "graph_breaks", "recompiles", "run_time", "guards", "memory", "diff", "artifacts", "artifact_text", "search"]
    assert all(tool.description and "Args" not in tool.description for tool in tools)


def test_answers_equal_the_report() -> None:
    report = report_of(LOGS / "recompiles")
    summary, findings, chains = ask(("summary", path("recompiles")), ("findings", {**path("recompiles"), "kind": "recompile"}), ("recompiles", path("recompiles")), stdio=True)
    assert summary["totals"] == report.totals.to_dict() and summary["kind"] == "run"
    assert [item["title"] for item in summary["findings"]["items"]] == [finding.title for finding in report.findings][:10]
    assert summary["findings"]["more"] == len(report.findings) - 10
    assert [item["title"] for item in findings["items"]] == [finding.title for finding in report.findings if finding.kind == "recompile"]
    assert [item["recompiles"] for item in chains["items"]] == [chain.recompiles for chain in report.recompiles] and chains["more"] == 0
    for item, chain in zip(chains["items"], report.recompiles):
        assert [step["compile"] for step in item["steps"]] == [step.compile for step in chain.steps][:10]
        assert [step["changes"][0]["has"] for step in item["steps"] if step["changes"]] == [s.changes[0].has for s in chain.steps[:10] if s.changes]
        assert len(item["steps"]) + item["more_steps"] == len(chain.steps) + chain.more_steps


def test_evidence_is_the_line_of_the_record() -> None:
    report = report_of(LOGS / "graph_breaks")
    breaks, findings = ask(("graph_breaks", path("graph_breaks")), ("findings", path("graph_breaks")))
    log = (report.path / "raw.log").read_text(encoding="utf-8", errors="replace").split("\n")
    assert [item["reason"] for item in breaks["items"]] == [item.reason for item in report.graph_breaks]
    for item in breaks["items"]:
        assert item["records"], item
        for record in item["records"]:
            assert '"name": "dynamo_graph_break_reason"' in log[record["line"] - 1]
            assert item["reason"] in "\n".join(log[record["line"] : record["line"] + 40])
    for finding in findings["items"]:
        for record in finding["records"]:
            assert f'"{record["artifact"]}": {{' in log[record["line"] - 1]
    assert any(finding["records"] for finding in findings["items"])


def test_ranks() -> None:
    report = report_of(LOGS / "ranks4_desync")
    summary, one, missing = ask(
        ("summary", path("ranks4_desync")), ("recompiles", {**path("ranks4_desync"), "rank": 3}), ("recompiles", {**path("ranks4_desync"), "rank": 7}))
    assert [rank["rank"] for rank in summary["ranks"]["items"]] == [0, 1, 2, 3] and summary["divergence"]["items"]
    assert summary["findings"]["items"] and {item["dir"] for item in summary["findings"]["items"]} <= {rank.dir for rank in report.ranks}
    assert len(one["items"]) == len(report.rank(3).details.recompiles)
    assert missing.endswith("no log of rank 7")


def test_run_time() -> None:
    folder = LOGS.parent / "profiled"
    one = {"path": "breaks", "profile": "breaks/breaks.json.gz"}
    ran, summary, issues, breaks, plain, of_report, outside = ask(
        ("run_time", {**one, "top": 2}), ("summary", one), ("findings", {**one, "kind": "graph_break"}), ("graph_breaks", one),
        ("run_time", {"path": "breaks"}), ("run_time", {**one, "rank": 3}), ("run_time", {**one, "profile": "../logs"}), folder=folder)
    report = tlparse.load(samples.report(PROGRAM, [folder / "breaks"], "--profile", str(folder / "breaks/breaks.json.gz")).out)
    assert report.profile is not None and ran["eager_us"] == report.profile.eager.total_us > 0
    assert ran["regions"] == report.profile.regions.to_dict() and ran["gaps"]["items"] == [gap.to_dict() for gap in report.profile.eager.gaps[:2]]
    for name in ("compiles", "graphs", "kernels", "lines"):
        items = getattr(report.profile, name)
        assert ran[name] == {"items": [item.to_dict() for item in items[:2]], "more": max(len(items) - 2, 0)}
    assert summary["findings"]["items"][0]["title"] == report.findings[0].title and len(breaks["items"]) == len(report.graph_breaks)
    assert issues["items"][0]["run_us"] == next(f.run_us for f in report.findings if f.kind == "graph_break")
    assert "there is no profile" in plain and "no log of rank 3" in of_report and "is not in" in outside


def test_guards_and_memory() -> None:
    one = {"path": "training"}
    summary, guards, memory, first = ask(("summary", one), ("guards", one), ("memory", one), ("memory", {**one, "top": 1}), folder=LOGS.parent / "profiled")
    checks = [item["checks"] for item in guards["items"]]
    assert checks == sorted(checks, reverse=True) and checks[0] == sum(kind["checks"] for kind in guards["items"][0]["by_kind"]), guards
    peaks = [item["peak_bytes"] for item in memory["items"]]
    assert peaks == sorted(peaks, reverse=True) and peaks[0] > 0 and "course" not in memory["items"][0], memory
    assert first["items"] == memory["items"][:1] and first["more"] == len(memory["items"]) - 1 and summary["totals"], first


def test_run_time_of_ranks() -> None:
    ranks, one = ask(("run_time", {"path": "ddp", "profile": "ddp"}), ("run_time", {"path": "ddp", "profile": "ddp", "rank": 1}), folder=LOGS.parent / "profiled")
    assert [rank["rank"] for rank in ranks["ranks"]["items"]] == [0, 1] and ranks["ranks"]["items"][1]["calls"] == one["regions"]["calls"] > 0


def test_a_finished_report_takes_no_profile(tmp_path: Path) -> None:
    folder = LOGS.parent / "profiled"
    trace = folder / "breaks/breaks.json.gz"
    tlparse.parse(folder / "breaks", out=tmp_path / "with", profile=trace)
    answer, again = ask(("run_time", {"path": "with"}), ("run_time", {"path": "with", "profile": "with/report.json"}), folder=tmp_path)
    assert answer["regions"]["calls"] > 0 and "`profile` goes with logs" in again


def test_diff() -> None:
    diff, = ask(("diff", {"base": str(LOGS / "simple"), "new": str(LOGS / "recompiles"), "top": 3}))
    assert "recompiles" in diff["regressions"] and len(diff["functions"]["items"]) == 3 and diff["functions"]["more"] == 7
    assert len(diff["new_findings"]["items"]) == 3 and diff["gone_findings"] == {"items": [], "more": 0}
    assert len(diff["settings"]["items"]) == 3 and diff["settings_in_effect"] == {"items": [], "more": 0}
    diff, = ask(("diff", {"base": str(LOGS / "cache_jobs/first"), "new": str(LOGS / "cache_jobs/second")}))
    effect, = diff["settings_in_effect"]["items"]
    assert (effect["setting"], effect["rank"]) == ("max_fusion_size", 1)
    assert effect["values"] == [[{"value": 32, "compiles": ["2/0"]}], [{"value": 16, "compiles": ["2/0"]}]]
    assert diff["run_time"] is None


def test_diff_of_run_times() -> None:
    both = {"base": "steps_base", "new": "steps_slower"}
    profiles = [f"{name}/{name}.json.gz" for name in both.values()]
    diff, one, outside = ask(
        ("diff", {**both, "base_profile": profiles[0], "new_profile": profiles[1], "top": 2}), ("diff", {**both, "base_profile": profiles[0]}),
        ("diff", {**both, "base_profile": "../logs", "new_profile": profiles[1]}), folder=LOGS.parent / "profiled")
    log, = diff["run_time"]["items"]
    assert log["step"]["change"] == "slower" and len(log["changes"]["items"]) == 2 and log["changes"]["more"] == 2
    assert one.endswith("run times need a profile of both runs: base_profile and new_profile") and "is not in" in outside


def test_texts_and_search() -> None:
    artifacts, text, rest, wrong, found = ask(
        ("artifacts", {**path("simple"), "compile": "0/0"}), ("artifact_text", {**path("simple"), "compile": "0/0", "index": 0, "max_bytes": 10}),
        ("artifact_text", {**path("simple"), "compile": "0/0", "index": 0, "first_byte": 10}), ("artifact_text", {**path("simple"), "compile": "0/0", "index": 99}),
        ("search", {**path("simple"), "text": "DEF FORWARD", "top": 2}))
    expected = report_of(LOGS / "simple").compiles["0/0"].artifacts
    assert [item["name"] for item in artifacts["items"]] == [artifact.name for artifact in expected]
    assert text["text"] + rest["text"] == expected[0].read()[: 20_010] and text["more_bytes"] == expected[0].bytes - 10
    assert "the index is 0 to" in wrong
    assert len(found["items"]) == 2 and not found["searched_all"]
    for item in found["items"]:
        artifact = next(a for a in expected if a.line == item["line"])
        assert "def forward" in artifact.read().split("\n")[item["text_line"] - 1] and "def forward" in item["text"]


def test_reads_only_its_folders(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(LOGS / "simple")
    answers = ask(
        ("summary", {"path": str(LOGS / "simple")}), ("summary", {"path": str(tmp_path / "link")}), ("summary", {"path": f"{tmp_path}/../x"}),
        ("summary", {"path": "s3://bucket/key"}), ("diff", {"base": "/etc", "new": "/etc"}), ("summary", {"path": str(tmp_path / "missing")}), folder=tmp_path)
    assert all("is not in" in answers[i] for i in (0, 1, 2, 4)) and all("does not exist" in answers[i] for i in (3, 5)), answers


def test_answers_are_bounded() -> None:
    long = {"text": "x" * 100_000}
    answer = mcp.bounded([{**long, "n": n} for n in range(1000)], 100, 1000)
    assert len(answer["items"]) + answer["more"] == 1000 and len(json.dumps(answer)) < 1.1 * mcp.ANSWER_CHARS
    assert mcp.cut("\x1b[31m") == r"\x1b[31m"
    for name in ("recompiles", "graph_breaks", "gpt2", "versions"):
        report = report_of(LOGS / name)
        for made in (mcp.summary(report, 100), mcp.graph_breaks(report, 100), mcp.recompiles(report, 100), mcp.search(report, "a", 100)):
            assert len(json.dumps(made)) < 2 * mcp.ANSWER_CHARS


def test_one_name_does_not_make_an_answer_long(tmp_path: Path) -> None:
    """Of an artifact, a compile, a function: a log may have names of megabytes."""
    name = "n" * 3_000_000 + "\x1b[31m"
    envelope = {"artifact": {"name": name, "encoding": "string"}, "frame_id": 0, "frame_compile_id": 0, "attempt": 0}
    payload = "some text"
    envelope["has_payload"] = hashlib.md5(payload.encode()).hexdigest()
    metrics = {"compilation_metrics": {"co_name": name, "co_filename": name, "fail_type": name, "fail_reason": name}, "frame_id": 0, "frame_compile_id": 0, "attempt": 0}
    lead = "V0101 12:00:00.000000 7 torch/a.py:1] "
    (tmp_path / "a.log").write_text(f"{lead}{json.dumps(envelope)}\n\t{payload}\n{lead}{json.dumps(metrics)}\n")
    calls: List[Call] = [
        ("list", {}), ("summary", {"path": "a.log"}), ("findings", {"path": "a.log"}), ("artifacts", {"path": "a.log", "compile": "0/0"}),
        ("artifact_text", {"path": "a.log", "compile": "0/0", "index": 0}), ("search", {"path": "a.log", "text": "some"}),
        ("artifacts", {"path": "a.log", "compile": name}), ("summary", {"path": name}), ("search", {"path": "a.log", "text": name}),
        ("diff", {"base": "a.log", "new": "a.log"}), ("graph_breaks", {"path": "a.log"}), ("recompiles", {"path": "a.log"})]
    for (tool, _), answer in zip(calls, ask(*calls, folder=tmp_path)):
        text = json.dumps(answer)
        assert len(text) < mcp.ANSWER_MAX, (tool, len(text))
        assert "\\u001b" not in text, tool


def test_lists_what_exists(tmp_path: Path) -> None:
    folder = tmp_path / "runs" / "one"
    folder.mkdir(parents=True)
    (folder / "a.log").write_bytes(next((LOGS / "simple").glob("*.log")).read_bytes())
    (tmp_path / "empty").mkdir()
    [listed] = ask(("list", {}), folder=tmp_path)
    assert [(item["path"], item["kind"], item["logs"]) for item in listed["items"]] == [("runs/one", "logs", 1)] and listed["more"] == 0
    by_list, by_name = ask(("summary", {"path": "runs/one"}), ("summary", {"path": str(folder)}), folder=tmp_path)
    assert by_list["totals"] == by_name["totals"]


def test_no_link_leads_out(tmp_path: Path) -> None:
    secret, folder = tmp_path / "secret.log", tmp_path / "logs"
    secret.write_bytes(next((LOGS / "simple").glob("*.log")).read_bytes())
    folder.mkdir()
    (folder / "a.log").symlink_to(secret)
    answers = ask(("summary", {"path": "."}), ("summary", {"path": "a.log"}), ("diff", {"base": ".", "new": "."}), ("summary", {"path": "../secret.log"}), folder=folder)
    assert "leads out of" in answers[0] and "is not in" in answers[1] and "leads out of" in answers[2] and "is not in" in answers[3], answers


def test_a_log_that_grows_is_read_again(tmp_path: Path) -> None:
    reports = mcp.Reports([tmp_path])
    text = next((LOGS / "simple").glob("*.log")).read_bytes()
    log = tmp_path / "a.log"
    log.write_bytes(text[: len(text) // 2])
    first = reports.get(str(log))
    assert reports.get(str(log)) is first
    log.write_bytes(text)
    assert reports.get(str(log)) is not first


def test_command_line(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-m", "tlparse.mcp", str(tmp_path / "missing")], stderr=subprocess.PIPE, encoding="utf-8", check=False)
    assert done.returncode == 2 and "is not a folder" in done.stderr
    code = "import sys; sys.modules['mcp'] = None; import tlparse.mcp"
    done = subprocess.run([sys.executable, "-c", code], stderr=subprocess.PIPE, encoding="utf-8", check=False)
    assert done.returncode and "pip install 'tlparse-c[mcp]'" in done.stderr
