"""Cases of `tlparse share --redact`: each kind alone, and all combinations.

The test reads the logs on its own, without any code of the program. It collects what each kind has to remove, decodes the file with all encodings that a
page uses, and looks for every string. What a kind does not remove has to be there. With names or code, the vocabulary may remain, whose words come from
no log.
"""
import base64
import functools
import html
import io
import itertools
import json
import os
import re
import subprocess
import sys
import urllib.parse
import zipfile
from pathlib import Path

from common import call, case, hidden, process, said
from share import LOGS, TOP, open_file

sys.path.insert(0, str(TOP / "tests/schema"))
sys.path.insert(0, str(TOP / "tools"))
import schemas
import validate
import vocabulary

WORD = re.compile(r"[^\W\d]\w*")
TORCH = re.compile(r"(site|dist)-packages/torch/")
VOCABULARY = set(vocabulary.all_words())
KINDS = ("paths", "code", "config", "names")
COMBINATIONS = [",".join(some) for n in range(1, 5) for some in itertools.combinations(KINDS, n)]
# What each kind removes of what secrets() finds, and what has to be there if it is the only one.
REMOVES = {"paths": {"paths", "users"}, "code": {"lines"}, "config": {"config", "settings"}, "names": {"names", "code", "lines"}}
LEAVES = {"paths": {"names", "code", "lines"}, "code": {"paths"}, "config": {"paths", "names", "code", "lines"}, "names": set()}
SET = re.compile(r"""(?<!\w)(\w++)\\?["']?\]?\s*[:=,]\s*(?:True|False|true|false|-?\d[\d.]*)(?![\w.])""")


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
    def lower(w):
        return w[:1].lower() + w[1:]
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
    paths, names, code, config, lines, users, settings = set(), set(), set(), set(), set(), set(), set()
    public = set()  # words of PyTorch's own paths and source lines, which stay
    public_lines = set()
    strings = {}
    for log in logs:
        paths.add(log.name)
        for envelope, payload in records(log):
            if "str" in envelope:
                text, number = envelope["str"]
                strings[number] = text
            for _, text in walk(envelope):
                if TORCH.search(text):
                    public.add(os.path.basename(text))
                if re.match(r"(/[\w.@+-]+){2,}$", text) and not TORCH.search(text):
                    paths.add(text)
            for frame in frames(envelope):
                file = frame.get("filename")
                file = strings.get(file, file)
                if isinstance(file, str) and TORCH.search(file):
                    public.update(WORD.findall(f"{frame.get('loc') or ''} {frame.get('name')}"))
                    public_lines.add(frame.get("loc") or "")
                    public.add(os.path.basename(file))
            for frame in (envelope.get("dynamo_start") or {}).get("stack", []):
                file = frame.get("filename")
                file = strings.get(file, file)
                if isinstance(file, str) and not TORCH.search(file):
                    names.add(frame.get("name", ""))
                    code.update(WORD.findall(frame.get("loc") or ""))
                    lines.add((frame.get("loc") or "").strip())
            for text in re.findall(r"\bL_\w+_", payload):
                names.add(text)
            for file, line_of_code in re.findall(r"# File: (\S+?):\d+ in [^,\n]*, code: (.*)", payload):
                if not TORCH.search(file):
                    paths.add(file)
                    code.update(WORD.findall(line_of_code))
                    lines.add(line_of_code.strip())
            for path in re.findall(r"(?<![\w.])/(?:home|tmp|usr|root)/[\w./@+-]*\w", payload):
                if not TORCH.search(path):
                    paths.add(path)
            artifact = envelope.get("artifact") or {}
            if "config" in str(artifact.get("name")) and payload.startswith("{"):
                try:
                    config.update(text for _, text in walk(json.loads(payload)) if len(text) > 3)
                except ValueError:
                    pass
            metrics = envelope.get("compilation_metrics") or {}
            for key in ("dynamo_config", "inductor_config", "functorch_config"):
                try:
                    values = json.loads(metrics.get(key) or "{}")
                except ValueError:
                    continue
                config.update(text for _, text in walk(values) if len(text) > 3)
                settings.update(part for name in values for part in name.split(".") if "_" in part)
    for path in list(paths):  # users, hosts, file names
        users.update(part for part in re.findall(r"/(?:home|Users)/(\w+)/", path))
        paths.add(os.path.basename(path))
    named = {word for name in names for word in WORD.findall(name)}
    return {
        "paths": {path for path in paths - public if len(path) > 4 and "." in path or "/" in path},
        "names": {word for word in named - public if not is_kept(word)},
        "code": {word for word in code - public if not is_kept(word) and not is_fused(word)},
        "users": {user for user in users if not is_kept(user)},
        "lines": {line for line in lines if len(line) > 12 and sum(not is_kept(word) for word in WORD.findall(line)) > 1},
        "settings": settings,
        "config": {text for text in config if not any(text in line for line in public_lines) and not all(map(is_kept, WORD.findall(text)))},
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


def members(content):
    """{path: bytes} of a page or an archive, without the front end; the chunks of a stream are joined."""
    if content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = {entry.filename.removeprefix("tlparse_report/"): archive.read(entry) for entry in archive.infolist()}
        assert sorted(entries) == ["index.html", "report.json"], sorted(entries)
        return members(entries["index.html"]) | {"report.json": entries["report.json"]}
    index, files = open_file(content)
    found = {}
    for path, data in files.items():
        if not path.startswith("assets/"):
            stream = re.sub(r"/\d+$", "", path) if re.search(r"data/[^a-z][^/]*/\d+$", path) else path
            found[stream] = found.get(stream, b"") + data
    found["the page"] = re.sub(rb"<script[^>]*>[^<]*</script>", b"", content.split(b"<script>")[0])
    found["the index"] = json.dumps(index["reports"] + index["left"] + sorted(found)).encode()
    return found


@functools.cache
def longest_inside(text):
    """The longest of its words with others on both sides: a view that has the text has this word. "" if there is none."""
    return max(re.findall(r"(?<=\W)\w+(?=\W)", text), key=len, default="")


def remaining(content, wanted):
    """(class, text, path) of what was found in a file."""
    found = []
    single = {kind: {text for text in texts if re.fullmatch(r"\w+", text)} for kind, texts in wanted.items()}
    longer = {kind: [(text, longest_inside(text)) for text in texts - single[kind]] for kind, texts in wanted.items()}
    for path, data in members(content).items():
        for view in views(data):
            words = set(re.findall(r"\w+", view))
            for kind, texts in wanted.items():
                if kind == "settings":
                    found += [(kind, name, path) for name in SET.findall(view) if name in texts]
                    continue
                found += [(kind, text, path) for text in single[kind] & words]
                found += [(kind, text, path) for text, inside in longer[kind] if (not inside or inside in words) and text in view]
    return found


def check_offsets(content):
    """The data refers to texts within their streams."""
    files = members(content)
    for path, data in files.items():
        if not path.endswith("data/report"):
            continue
        folder = path.removesuffix("data/report")
        for dir, starts in json.loads(data)["parts"]["texts"].items():
            stream = files[f"{folder}data/{dir}"]
            assert starts[0] == 0 and starts == sorted(starts) and starts[-1] == len(stream), (path, dir, starts, len(stream))
        for part, content_of in files.items():
            if not re.match(re.escape(folder) + r"data/compiles/\d+$", part):
                continue
            for artifact in (a for c in json.loads(content_of) for a in c.get("artifacts", [])):
                if not artifact["text"]:
                    continue
                stream, (at, size) = files[f"{folder}data/{artifact['dir']}"], artifact["text"]
                assert at + size <= len(stream), (part, artifact["name"])
                stream[at : at + size].decode("utf-8", "strict")
                at, size = (artifact.get("guards") or {}).get("list") or (0, 0)
                assert not size or isinstance(json.loads(stream[at : at + size]), (dict, list)), (part, artifact["name"])


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


def shares(*arguments, out="one.html"):
    done = call("share", *arguments, "-o", out, "--overwrite")
    assert done.returncode == 0, said(done)
    assert not hidden(), hidden()
    return done, Path(out).read_bytes()


def check(report, what, wanted, out="one.html", strict=True):
    """One combination of kinds; all that it removes has to be gone, and what is not removed has to be there."""
    done, content = shares(report, "--redact", what, out=out)
    kinds = what.split(",")
    removed = set().union(*(REMOVES[kind] for kind in kinds))
    found = remaining(content, wanted)
    bad = [each for each in found if each[0] in removed]
    assert not bad, (what, len(bad), bad[:12])
    check_offsets(content)
    if strict and len(kinds) == 1:
        lacking = LEAVES[what] & {kind for kind in wanted if wanted[kind]} - {kind for kind, _, _ in found}
        assert not lacking, (what, lacking)
    if strict and what == "names":
        text = b"".join(members(content).values()).decode("utf-8", "replace")
        assert re.search(r"(?:/[\w.-]+){2,}\.py", text) and "torch." in text and "return" in text
    text = said(done)
    assert f"redacted: {', '.join(k for k in KINDS if k in kinds)}" in text and "what is left: numbers" in text, text
    return content


def folder_of(name, *options):
    folder = LOGS / name
    assert call(folder, "-o", "report", "--no-browser", "--overwrite", *options).returncode == 0
    return sorted(path for path in folder.rglob("*") if path.name.endswith((".log", ".log.zst", ".log.gz")))


def redacts(name, combinations, options):
    def redaction():
        wanted = secrets(folder_of(name, *options))
        assert wanted["paths"] and (wanted["names"] or wanted["config"]), {kind: len(texts) for kind, texts in wanted.items()}
        # The test can fail: without redaction it finds something of each class.
        plain = {kind for kind, _, _ in remaining(shares("report", out="plain.html")[1], wanted)}
        assert {kind for kind in wanted if wanted[kind]} - plain <= {"users", "settings", "config"}, plain
        for what in combinations:
            check("report", what, wanted)

    redaction.__name__ = f"redacts_{name}"
    return redaction


@case
def redacts_all_kinds():
    """Functions and settings by the structure of the data, on several ranks."""
    folder_of("ranks4_desync")
    _, content = shares("report", "--redact", "paths,code,config,names")
    for path, data in members(content).items():
        if not re.search(r"data/[a-z]", path):
            continue
        part = json.loads(data)
        strict = {name for name in functions(part) if not re.fullmatch(r"(torch_dynamo_resume_in_)?name\d+(_at_\d+)?|[<\w>]{1}|<?name\d+>?|\W*\w\W*", name)}
        assert not strict, (path, strict)
        if path.endswith("data/configs"):
            assert {value for each in part for value in leaves(each["values"])} <= {"(removed)", None}


@case
def redacts_an_archive():
    wanted = secrets(folder_of("recompiles"))
    schema = validate.Validator({"$ref": "#/$defs/report", "$defs": schemas.load()})
    whole = json.loads(Path("report/report.json").read_text())
    for what in ("paths", "config", "names", "paths,code,config,names"):
        content = check("report", what, wanted, out="one.zip")
        text = members(content)["report.json"]
        report = json.loads(text)
        faults = schema.faults(report)
        assert not faults, (what, faults[:5])
        page = json.loads(members(content)["data/compiles/0"])
        places = [a["text"] for c in report["compiles"][:32] for a in c["artifacts"]]
        assert places == [a["text"] for c in page for a in c["artifacts"]] and any(places), what
        assert report["totals"] == whole["totals"] and len(report["compiles"]) == len(whole["compiles"])
    text = said(shares("report", "--redact", "paths", out="one.zip")[0])
    assert "2 files: the page and report.json" in text and "left out the log and the files of artifacts" in text, text
    folder_of("ranks4_desync")
    text = said(shares("report", "--redact", "names", out="one.zip")[0])
    assert "report.json of each log" in text, text
    os.unlink("report/report.json")
    Path("report/report.json").write_text("{")
    done = call("share", "report", "-o", "two.zip", "--redact", "paths")
    assert done.returncode == 2 and "report.json is malformed" in said(done) and not Path("two.zip").exists(), said(done)


def hostile_log():
    secrets_of = {
        "paths": {"/home/zelda/My Models/m.py", "My Models", "zelda", "k\u00e9y/vault", "vault.safetensors", "node17.corp.example", "C:\\Users\\ganon", "ganon", "vault8", "q=vault9"},
        "names": {"triforce_fn", "tri\u00e9", "hyrule_proj", "lonlon"},
        "config": {"zebra mode", "node17.corp.example", "epona_value"},
    }
    text = "\n".join([
        "# File: /home/zelda/My Models/m.py:3 in triforce_fn, code: return hyrule_proj(self, x)",
        "/home/\x1b[31mzelda\x1b[0m/vault8 and \\x1b[1m/home/zelda/vault8",
        '{"a": "\\/home\\/zelda\\/vault8", "b": "x\\n/home/zelda/k\\u00e9y/vault", "c": "/home/zelda/k\u00e9y/vault"}',
        "open('vault.safetensors'); s3://node17.corp.example/vault8?q=vault9 file%3A%2F%2Fhome%2Fzelda%2Fvault8",
        "C:\\Users\\ganon\\vault8.py and \\\\node17.corp.example\\vault8\\x by zelda, ganon",
        "os.environ['MASTER_ADDR'] = 'node17.corp.example'",
        "torch._inductor.config.my_knob = 'epona_value'",
        "torch._dynamo.config.recompile_limit = 8",
        "def triforce_fn(self, x):  # tri\u00e9 tri\\u00e9",
        "    return self.hyrule_proj(x) + lonlon // 2",
    ])
    payload = "".join(f"\t{line}\n" for line in text.split("\n"))
    lead = "V0101 12:00:00.000000 1 torch/a.py:1] "
    ids = '"frame_id": 0, "frame_compile_id": 0, "attempt": 0'
    log = process(1, "triforce_fn").replace("/src/triforce_fn.py", "/home/zelda/My Models/m.py")
    metrics = json.dumps({"co_name": "self", "co_filename": "/home/zelda/My Models/m.py", "co_firstlineno": 1, "dynamo_config": json.dumps({"my_knob": "zebra mode", "recompile_limit": 8})})
    log += f'{lead}{{"artifact": {{"name": "notes", "encoding": "string"}}, {ids}, "has_payload": "{"0" * 32}"}}\n{payload}'
    log += f'{lead}{{"compilation_metrics": {metrics}, {ids}}}\n'
    return log, secrets_of


@case
def redacts_hostile_texts():
    log, wanted = hostile_log()
    Path("a.log").write_text(log)
    assert call("a.log", "-o", "report", "--no-browser").returncode == 0
    found = {(kind, text) for kind, text, _ in remaining(shares("report", out="plain.html")[1], wanted)}
    missing = {(kind, text) for kind, texts in wanted.items() for text in texts} - found
    assert len(missing) <= 3, missing
    host = "node17.corp.example"  # in a URL, a path of Windows and the environment
    for what in COMBINATIONS:
        kinds = what.split(",")
        here = {kind: texts - {host} for kind, texts in wanted.items()}
        if {"paths", "config"} <= set(kinds) or {"names", "paths"} <= set(kinds):
            here["paths"] = wanted["paths"]
        content = check("report", what, here, strict=False)
        text = b"\n".join(members(content).values()).decode("utf-8", "replace")
        for kind, sample in (("paths", "vault8"), ("code", "return"), ("names", "hyrule_proj"), ("config", "epona_value")):
            covered = {"paths": {"paths", "code", "names"}, "code": {"code"}, "names": {"names", "code"}, "config": {"config", "names", "code"}}[kind]
            assert covered & set(kinds) or sample in text, (what, sample)


@case
def redacts_hostile_names():
    Path("s\u00e9cret \u53d8.log").write_text(process(1, "\u53d8\u91cf_secretfn"))
    _, content = shares("s\u00e9cret \u53d8.log", "--redact", "paths,names")
    wanted = {"names": {"\u53d8\u91cf_secretfn", "s\u00e9cret", "\u53d8"}}
    assert remaining(content, wanted) == []
    _, content = shares("s\u00e9cret \u53d8.log", "--redact", "paths")
    assert list(remaining(content, {"paths": {"s\u00e9cret", "\u53d8\u91cf_secretfn.py"}})) == []


# Each combination on several logs, and all of them on one.
names = ("gpt2", "training", "vllm_like", "recompiles", "containers", "train_eval", "provenance_jit", "values", "aot_inductor", "errors", "cpp_wrapper")
for i, name in enumerate(names):
    case(redacts(name, [COMBINATIONS[(2 * i + k) % len(COMBINATIONS)] for k in range(2)], ()))
case(redacts("export_errors", ["paths", "names", "paths,config"], ("--export",)))
case(redacts("names", COMBINATIONS, ()))
