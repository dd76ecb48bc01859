"""Cases of `tlparse share`: what is in the file, wrong calls, and redaction.

The test of redaction reads the logs on its own, without any code of the program. It collects what each class has to remove, decodes the file with all
encodings that a page uses, and looks for every string. What may remain is the vocabulary, whose words come from no log.
"""
import base64
import gzip
import html
import io
import json
import os
import re
import signal
import subprocess
import urllib.parse
import zipfile
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent.parent
LOGS = TOP / "tests/data/logs"
WORD = re.compile(r"[^\W\d]\w*")
TORCH = re.compile(r"(site|dist)-packages/torch/")
VOCABULARY = {w for w in (TOP / "src/share/vocabulary.txt").read_text(encoding="utf-8").split("\n") if not w.startswith("#")}


def open_file(content):
    """(index, {path: bytes}) of an HTML file."""
    text = content.decode("utf-8")
    blocks = [gzip.decompress(base64.b64decode(b)) for b in re.findall(r'<script type="text/x-tlparse">([^<]*)</script>', text)]
    index = json.loads(blocks[0])
    return index, {path: blocks[block][at : at + size] for path, (block, at, size) in index["files"].items()}


def records(log):
    """(envelope, payload) of the records of a log."""
    raw = Path(log).read_bytes()
    if log.name.endswith(".zst"):
        raw = subprocess.run(["zstd", "-dcq", log], stdout=subprocess.PIPE, check=True).stdout
    envelope, payload = None, []
    for line in raw.decode("utf-8", "replace").split("\n"):
        if line.startswith("\t"):
            payload.append(line[1:])
            continue
        if envelope is not None:
            yield envelope, "\n".join(payload)
        at = line.find("] {")
        try:
            envelope, payload = (json.loads(line[at + 2 :]) if line[:1] in "VIWE" and at > 0 else None), []
        except ValueError:
            envelope = None
    if envelope is not None:
        yield envelope, "\n".join(payload)


def walk(value, key=""):
    """(key, text) of all texts in a value."""
    if isinstance(value, dict):
        for name, member in value.items():
            yield from walk(member, name)
    elif isinstance(value, list):
        for member in value:
            yield from walk(member, key)
    elif isinstance(value, str):
        yield key, value


def is_kept(word):
    """What the manual page says of words that stay."""
    stem = word.rstrip("0123456789_")
    lower = lambda w: w[:1].lower() + w[1:]
    return len(stem) <= 1 or not {word, lower(word), stem, lower(stem)}.isdisjoint(VOCABULARY)


def is_fused(word):
    """A kernel that Inductor named after operators."""
    return word.startswith(("triton_", "cpp_fused_"))


def frames(value):
    """All frames of stacks in a value."""
    if isinstance(value, dict):
        if "filename" in value and "line" in value:
            yield value
        value = list(value.values())
    if isinstance(value, list):
        for member in value:
            yield from frames(member)


def secrets(logs):
    """class -> what has to go."""
    paths, names, code, config = set(), set(), set(), set()
    public = set()  # words of PyTorch's own paths and source lines, which stay
    strings = {}
    for log in logs:
        paths.add(log.name)
        for envelope, payload in records(log):
            if "str" in envelope:
                text, number = envelope["str"]
                strings[number] = text
            for key, text in walk(envelope):
                if TORCH.search(text):
                    public.add(os.path.basename(text))
                if re.match(r"(/[\w.@+-]+){2,}$", text) and not TORCH.search(text):
                    paths.add(text)
            for frame in frames(envelope):
                file = frame.get("filename")
                file = strings.get(file, file)
                if isinstance(file, str) and TORCH.search(file):
                    public.update(WORD.findall(f"{frame.get('loc') or ''} {frame.get('name')}"))
                    public.add(os.path.basename(file))
            for frame in (envelope.get("dynamo_start") or {}).get("stack", []):
                file = frame.get("filename")
                file = strings.get(file, file)
                if isinstance(file, str) and not TORCH.search(file):
                    names.add(frame.get("name", ""))
                    code.update(WORD.findall(frame.get("loc") or ""))
            for text in re.findall(r"\bL_\w+_", payload):
                names.add(text)
            for file, line_of_code in re.findall(r"# File: (\S+?):\d+ in [^,\n]*, code: (.*)", payload):
                if not TORCH.search(file):
                    paths.add(file)
                    code.update(WORD.findall(line_of_code))
            for path in re.findall(r"(?<![\w.])/(?:home|tmp|usr|root)/[\w./@+-]*\w", payload):
                if not TORCH.search(path):
                    paths.add(path)
            artifact = envelope.get("artifact") or {}
            if "config" in str(artifact.get("name")) and payload.startswith("{"):
                try:
                    config.update(text for _, text in walk(json.loads(payload)) if len(text) > 3)
                except ValueError:
                    pass
    for path in list(paths):  # users, hosts, file names
        names.update(part for part in re.findall(r"/(?:home|root)/(\w+)/", path))
        paths.add(os.path.basename(path))
    named = {word for name in names for word in WORD.findall(name)}
    return {
        "paths": {path for path in paths - public if len(path) > 4 and "." in path or "/" in path},
        "names": {word for word in named - public if not is_kept(word)},
        "code": {word for word in code - public if not is_kept(word) and not is_fused(word)},
        "config": {text for text in config if not all(map(is_kept, WORD.findall(text)))},
    }


def views(content):
    """The bytes as each encoding of a page, or of a mail, may hide them."""
    text = content.decode("utf-8", "replace")
    yield text
    for decode in (html.unescape, urllib.parse.unquote, lambda t: re.sub(r"\\u([0-9a-fA-F]{4})", lambda m: chr(int(m[1], 16)), t),
                   lambda t: t.replace("\\/", "/").replace("\\n", "\n").replace('\\"', '"').replace("\\\\", "\\")):
        other = decode(text)
        if other != text:
            yield other
    for encoding in ("utf-16-le", "utf-16-be"):
        if content.count(b"\0") > len(content) / 4:
            yield content.decode(encoding, "replace")
    for run in re.findall(r"[A-Za-z0-9+/]{40,}={0,2}", text):  # base64 within
        try:
            yield base64.b64decode(run + "=" * (-len(run) % 4)).decode("utf-8")
        except ValueError:
            pass


def remaining(content, wanted):
    """(class, text, path) of what was found in a file that was redacted."""
    index, files = open_file(content)
    shell = re.sub(rb'<script[^>]*>[^<]*</script>', b"", content.split(b"<script>")[0])
    files = {path: data for path, data in files.items() if not path.startswith("assets/")}
    files["the page"] = shell
    files["the index"] = json.dumps(index["reports"] + index["left"] + sorted(files)).encode()
    found = []
    for path, data in files.items():
        for view in views(data):
            words = set(re.findall(r"\w+", view))
            for kind, texts in wanted.items():
                for text in texts:
                    if text in words if re.fullmatch(r"\w+", text) else text in view:
                        found.append((kind, text, path))
    return found


def leaves(value):
    if isinstance(value, (dict, list)):
        for member in value.values() if isinstance(value, dict) else value:
            yield from leaves(member)
    else:
        yield value


def functions(value, torch=False):
    """Names of functions that are not PyTorch's."""
    if isinstance(value, list):
        for member in value:
            yield from functions(member, torch)
    elif isinstance(value, dict):
        file = value.get("file") or value.get("co_filename")
        torch = bool(re.match(r"site-packages/torch/|_dynamo/|_inductor/|_functorch/|torch/_", file)) if file else torch
        for key, member in value.items():
            if key in ("function", "co_name") and isinstance(member, str) and not torch:
                yield member
            yield from functions(member, torch)


def cases(run):
    """The cases, for run.py, whose functions they use."""
    call, said, fails, hidden, process = run["call"], run["said"], run["fails"], run["hidden"], run["process"]

    def shares(*arguments, out="one.html", **how):
        done = call("share", *arguments, "-o", out, **how)
        assert done.returncode == 0, said(done)
        assert not hidden(), hidden()
        return done

    def share_zip_has_the_whole_report():
        Path("a.log").write_text(process(1, "f"))
        assert call("a.log", "-o", "report", "--no-browser").returncode == 0
        shares("report", out="all.zip")
        with zipfile.ZipFile("all.zip") as archive:
            assert archive.testzip() is None
            entries = {entry.filename: archive.read(entry) for entry in archive.infolist()}
            times = {entry.date_time for entry in archive.infolist()}
        wanted = {f"tlparse_report/{path.relative_to('report')}": path.read_bytes() for path in Path("report").rglob("*") if path.is_file()}
        assert entries == wanted and "tlparse_report/raw.log" in entries
        assert times == {(1980, 1, 1, 0, 0, 0)}
        assert not any(name.startswith("/") or ".." in name.split("/") for name in entries)
        os.utime("report/raw.log", (1, 1))
        shares("report", out="again.zip")
        assert Path("all.zip").read_bytes() == Path("again.zip").read_bytes()

    def share_of_a_log_is_that_of_its_report():
        Path("a.log").write_text(process(1, "f"))
        assert call("a.log", "-o", "report", "--no-browser").returncode == 0
        shares("a.log")
        shares("report", out="two.html")
        shares("report/report.json", out="three.html")
        one = Path("one.html").read_bytes()
        assert one == Path("two.html").read_bytes() == Path("three.html").read_bytes()
        _, files = open_file(one)
        assert json.loads(files["data/report"])["totals"]["compiles"] == 1
        assert not any(path.endswith(("raw.log", "raw.jsonl")) for path in files)
        assert sorted(os.listdir()) == ["a.log", "one.html", "report", "three.html", "two.html"]

    def share_says_what_is_in_the_file():
        Path("a.log").write_text(process(1, "f"))
        text = said(shares("a.log"))
        assert "one page without the log: 1 report" in text and re.search(r"^report: one\.html \(\d.*iB\)$", text, re.M), text
        text = said(shares("a.log", out="all.zip"))
        assert "all of the report, with the log" in text, text

    def share_never_overwrites():
        Path("a.log").write_text(process(1, "f"))
        Path("one.html").write_text("mine")
        fails(2, "one.html already exists; pass --overwrite", "share", "a.log", "-o", "one.html")
        assert Path("one.html").read_text() == "mine"
        shares("a.log", "--overwrite")
        assert Path("one.html").stat().st_size > 100_000
        Path("folder.html").mkdir()
        fails(2, "it is a folder", "share", "a.log", "-o", "folder.html", "--overwrite")

    def share_writes_to_standard_output():
        Path("a.log").write_text(process(1, "f"))
        shares("a.log")
        done = call("share", "a.log", "-o", "-", env={"TMPDIR": os.getcwd()})
        assert done.returncode == 0 and done.stdout == Path("one.html").read_bytes(), said(done)
        assert sorted(os.listdir()) == ["a.log", "one.html"] and not hidden()
        done = call("share", "-", "-o", "-", stdin=Path("a.log").read_bytes())
        assert done.returncode == 0 and done.stdout.startswith(b"<!DOCTYPE html>"), said(done)

    def share_wrong_calls():
        Path("a.log").write_text(process(1, "f"))
        for arguments, text in (
            (["a.log", "-o", "one.pdf"], "must end in .html or .zip"),
            (["a.log", "-o", ""], "must end in .html or .zip"),
            (["a.log", "--redact", "path"], "invalid value 'path' for --redact"),
            (["a.log", "--redact", ""], "invalid value '' for --redact"),
            (["a.log", "--redact", "paths,"], "ends with a comma"),
            (["a.log", "-o", "a.zip", "--redact", "paths"], "--redact needs an HTML file"),
            (["a.log", "--max-size", "big"], "invalid value 'big' for --max-size"),
            (["a.log", "--max-size", "-1"], "invalid value '-1' for --max-size"),
            (["a.log", "--max-size", "99999999999G"], "invalid value"),
            (["nothing.log"], "nothing.log"),
        ):
            fails(2, text, "share", *arguments)
        assert os.listdir() == ["a.log"], os.listdir()
        fails(2, "Not a directory" if False else "cannot", "share", "a.log", "-o", "a.log/one.html")

    def share_of_broken_input():
        Path("empty.log").write_text("")
        shares("empty.log")
        Path("text.log").write_bytes(b"no record\n\xff\xfe\0" * 50)
        shares("text.log", "--redact", "paths,names", out="two.html")
        Path("a.log").write_text(process(1, "f"))
        assert call("a.log", "-o", "report", "--no-browser").returncode == 0
        Path("report/data/configs.js").write_text('tl.put("configs","!");\n')
        fails(2, "report/data/configs.js: it is not data of a report", "share", "report", "-o", "three.html")
        os.unlink("report/data/configs.js")
        Path("report/data/x.js").write_text('tl.put("x","H4sIAAAAAAAAAwAAAP////8=");\n')  # says that it unpacks to 4 GiB
        fails(2, "not data of a report", "share", "report", "-o", "three.html")
        os.unlink("report/data/x.js")
        os.symlink("/etc/passwd", "report/data/passwd.js")
        shares("report", out="four.zip")
        with zipfile.ZipFile("four.zip") as archive:
            assert not any("passwd" in name for name in archive.namelist())
        Path("report/assets/app.js").write_text("// older\n")
        fails(2, "report of another version", "share", "report", "-o", "three.html")
        assert not hidden()

    def share_of_hostile_names():
        name = "a\x1b[31m<script>alert(1)</script>'\".log"
        name = name.replace("/", "\u2215")
        Path(name).write_text(process(1, "</script><script>alert(1)//"))
        done = shares(name)
        assert b"\x1b" not in done.stderr
        page = Path("one.html").read_text()
        assert page.count("<script>") == 1 and "alert(1)" not in page.split("<title>")[0]
        assert "<script>alert" not in page

    def share_leaves_out_ranks_beyond_the_limit():
        done = shares(LOGS / "ranks4_desync", "--max-size", "900K")
        index, files = open_file(Path("one.html").read_bytes())
        assert "" in index["reports"] and index["left"], index["reports"]
        for folder in index["left"]:
            assert folder[:-1] in said(done) and not any(path.startswith(folder) for path in files)
        total = len(index["left"]) + len(index["reports"])
        assert f"left out {len(index['left'])} of {total} reports to stay below --max-size" in said(done), said(done)
        shares(LOGS / "ranks4_desync", out="all.html")
        assert open_file(Path("all.html").read_bytes())[0]["left"] == []

    def share_is_interrupted():
        Path("a.log").write_text(process(1, "f"))
        os.mkfifo("pipe.log")
        running = subprocess.Popen([run["TLPARSE"](), "share", "pipe.log", "-o", "one.html"], stderr=subprocess.PIPE, env=run["environment"]())
        with open("pipe.log", "wb") as pipe:  # opens when the program reads
            pipe.write(b"x\n")
            pipe.flush()
            run["wait_until"](hidden)
            running.send_signal(signal.SIGTERM)
            running.communicate(timeout=60)
        assert running.returncode == -signal.SIGTERM
        assert not hidden() and not Path("one.html").exists()

    def redacts(name, *options):
        def redaction():
            folder = LOGS / name
            logs = sorted(path for path in folder.rglob("*") if path.name.endswith((".log", ".log.zst", ".log.gz")))
            wanted = secrets(logs)
            assert wanted["paths"] and wanted["names"] and wanted["code"], {kind: len(texts) for kind, texts in wanted.items()}
            done = shares(folder, "--redact", "paths,code,config,names", *options)
            content = Path("one.html").read_bytes()
            found = remaining(content, wanted)
            assert not found, found[:20]
            _, files = open_file(content)
            for path, data in files.items():
                if path.startswith("assets/") or re.search(r"data/[^/]*/\d+$", path) and not re.search(r"data/[a-z]", path):
                    continue
                part = json.loads(data)
                strict = {name for name in functions(part) if not re.fullmatch(r"(torch_dynamo_resume_in_)?name\d+(_at_\d+)?|[<\w>]{1}|<?name\d+>?|\W*\w\W*", name)}
                assert not strict, (path, strict)
                if path.endswith("data/configs"):
                    assert {value for each in part for value in leaves(each["values"])} <= {"(removed)", None}
            assert "redacted: paths, code, config, names" in said(done) and "what is left: numbers" in said(done), said(done)
            # The test can fail: without redaction it finds something of each class.
            shares(folder, *options, out="plain.html")
            kinds = {kind for kind, _, _ in remaining(Path("plain.html").read_bytes(), wanted)}
            assert {"paths", "names", "code"} <= kinds, kinds

        redaction.__name__ = f"share_redacts_{name}"
        return redaction

    def share_redacts_one_class():
        folder = LOGS / "recompiles"
        wanted = secrets(sorted(folder.glob("*.log*")))
        for what, gone, kept in (("code", [], ["paths", "names"]), ("paths", ["paths"], ["names"]), ("names", ["names"], ["paths"])):
            shares(folder, "--redact", what, out=f"{what}.html")
            found = {kind for kind, _, _ in remaining(Path(f"{what}.html").read_bytes(), wanted)}
            assert not found & set(gone) and set(kept) <= found, (what, found)

    def share_redacts_hostile_names():
        Path("s\u00e9cret \u53d8.log").write_text(process(1, "\u53d8\u91cf_secretfn"))
        shares("s\u00e9cret \u53d8.log", "--redact", "paths,names")
        content = Path("one.html").read_bytes()
        wanted = {"names": {"\u53d8\u91cf_secretfn", "s\u00e9cret", "\u53d8"}}
        assert remaining(content, wanted) == []

    yield from (share_zip_has_the_whole_report, share_of_a_log_is_that_of_its_report, share_says_what_is_in_the_file, share_never_overwrites,
                share_writes_to_standard_output, share_wrong_calls, share_of_broken_input, share_of_hostile_names,
                share_leaves_out_ranks_beyond_the_limit, share_is_interrupted, share_redacts_one_class, share_redacts_hostile_names)
    for name, *options in (("gpt2",), ("training",), ("vllm_like",), ("ranks4_desync",), ("recompiles",), ("export_errors", "--export")):
        yield redacts(name, *options)
