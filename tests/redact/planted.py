"""Cases that plant words in every text field: see run.py and forms.py."""
import collections
import functools
import hashlib
import html
import json
import re
import subprocess
import unicodedata
import urllib.parse
from pathlib import Path

from common import TOP, call, case, open_file, said
from forms import FORMS, SCRIPTS, WORDS

LOGS = TOP / "tests/data/logs"
CONTEXT = {"frame_id", "frame_compile_id", "attempt", "has_payload", "compiled_autograd_id", "rank", "stack", "subgraph_name"}
ALL = "paths,code,config,names"
BYTES_MAX = 8_000  # of a record: larger ones have no other fields
LOG_MAX = 150_000  # of a log, packed
IDS = {"frame_id": 0, "frame_compile_id": 0, "attempt": 0}
EACH = 2  # records of a kind, of different members


def records(path):
    """(lead, envelope, payload) of the records of a log."""
    raw = path.read_bytes()
    if path.suffix == ".zst":
        raw = subprocess.run(["zstd", "-dcq", path], stdout=subprocess.PIPE, check=True).stdout
    found = None
    for line in raw.decode("utf-8", "replace").split("\n"):
        if line.startswith("\t") and found:
            found[2].append(line[1:])
            continue
        if found:
            yield found
        at, found = line.find("] {"), None
        if line[:1] in "VIWE" and at > 0:
            try:
                found = (line[: at + 2], json.loads(line[at + 2 :]), [])
            except ValueError:
                pass
    if found:
        yield found


def shape_of(value):
    """The names of the members of a value, at all depths."""
    if isinstance(value, dict):
        return frozenset((key, shape_of(member)) for key, member in value.items() if key not in CONTEXT)
    if isinstance(value, list):
        return frozenset(shape_of(member) for member in value[:3])
    return type(value).__name__ if not isinstance(value, (int, float)) else "number"


def kind_of(envelope):
    """The kind of a record, with the name of an artifact or event."""
    kind = next((key for key in envelope if key not in CONTEXT), "")
    value = envelope.get(kind)
    return kind, str(value.get("name", "")) if isinstance(value, dict) and kind == "artifact" else ""


def compile_of(envelope):
    return tuple(str(envelope.get(key)) for key in ("frame_id", "frame_compile_id"))


def inside(payload):
    text = "\n".join(payload)
    try:
        return json.loads(text) if text[:1] in "{[" else None
    except ValueError:
        return None


# Kinds that no log of the tests has, or only in large records.
OTHERS = [
    ({"link": {"name": "a link", "url": "https://example.com/x"}}, ""),
    ({"export": {"x": "a text"}}, '{"y": "z"}'),
    ({"dynamo_guards": {}}, '[{"code": "L[\'x\'] == 3", "type": "EQUALS_MATCH", "stack": [{"line": 3, "name": "f", "filename": "m.py"}], "user_stack": null}]'),
    ({"inductor_pre_grad_graph": {}}, "def forward(self, x):\n    return (x,)"),
    ({"memoizer_artifacts": {"x": "y"}}, '{"cache": [{"key": "k", "params": {"a": "b"}}]}'),
    ({"aot_autograd_backward_compilation_metrics": {"fail_type": "E", "fail_reason": "r"}}, ""),
    ({"compilation_metrics_runtime": {"x": "y"}}, ""),
    ({"bwd_compilation_metrics_runtime": {"x": "y"}}, ""),
    ({"artifact": {"name": "unknown_artifact", "encoding": "json"}}, '{"version": "1", "torch": "2", "text": ["x", {"y": "z"}]}'),
    ({"unknown_kind": {"name": "x", "version": "1"}}, "text"),
]


def short(envelope):
    """With the first settings only."""
    for value in envelope.values():
        for key in list(value) if isinstance(value, dict) else ():
            if "config" in key and isinstance(value[key], str) and value[key][:1] == "{":
                value[key] = json.dumps(dict(list(json.loads(value[key]).items())[:6]))
    return envelope


@functools.cache
def samples():
    """Of each kind and shape of record, the first small ones of all logs, with the starts and metrics of their compiles."""
    taken, count, chosen = set(), collections.Counter(), []
    for path in sorted(LOGS.rglob("*.log*")):
        own = [(lead, short(envelope), payload) for lead, envelope, payload in records(path)] if path.suffix in (".log", ".zst") and path.stat().st_size < LOG_MAX else []
        wanted = set()
        for i, (_, envelope, payload) in enumerate(own):
            kind, value = kind_of(envelope), inside(payload)
            shape = (kind, shape_of(envelope), shape_of(value))
            limit = 6 if kind[0] == "chromium_event" else EACH
            if shape in taken or count[kind] >= limit or sum(map(len, payload)) + len(str(envelope)) > BYTES_MAX:
                continue
            taken.add(shape)
            count[kind] += 1
            wanted.add(i)
        about = {compile_of(own[i][1]) for i in wanted}
        starts = {i for i, (_, envelope, _) in enumerate(own) if compile_of(envelope) in about and "dynamo_start" in envelope}
        used = {frame.get("filename") for i in wanted | starts for frame in frames_of(own[i][1])}
        tables = {i for i, (_, envelope, _) in enumerate(own) if "str" in envelope and envelope["str"][1] in used}
        chosen += [own[i] for i in sorted(wanted | starts | tables)]
    return chosen + [(chosen[-1][0], {**envelope, **IDS}, payload.split("\n") if payload else []) for envelope, payload in OTHERS]


def frames_of(value):
    """All frames of stacks in a value."""
    if isinstance(value, dict):
        if "filename" in value:
            yield value
        value = list(value.values())
    for member in value if isinstance(value, list) else ():
        yield from frames_of(member)


class Planter:
    """Writes a form into every second text, instead of it or into it. The others stay, so that not all records lose their structure."""

    def __init__(self, form, turn):
        self.form, self.turn, self.count, self.planted = form, turn, 0, 0

    def text(self, text, structural=False):
        self.count += 1
        if (self.count + self.turn) % (8 if structural else 2):
            return text
        self.planted += 1
        way = (self.count // 2 + self.turn) % 4
        if way == 0:
            return self.form
        if way == 1:
            return f"{text} {self.form}"
        if way == 2:
            return f"{text[: len(text) // 2]}{self.form}{text[len(text) // 2 :]}"
        return f"{self.form}{text}"

    def value(self, value, key=""):
        if isinstance(value, dict):
            return {self.text(name, True) if key in ("args", "metrics", "values", "sizes") else name: self.value(member, name) for name, member in value.items()}
        if isinstance(value, list):
            return [self.value(member, key) for member in value]
        if not isinstance(value, str):
            return value
        if value[:1] in "{[" and len(value) > 2:
            try:
                return json.dumps(self.value(json.loads(value), key), ensure_ascii=False)
            except ValueError:
                pass
        return self.text(value, key in ("name", "ph", "encoding", "cat", "kind", "type"))

    def payload(self, text):
        if text[:1] in "{[":
            try:
                return json.dumps(self.value(json.loads(text)), ensure_ascii=False)
            except ValueError:
                pass
        lines = text.split("\n")
        for i in range(0, len(lines), max(1, len(lines) // 12)):
            lines[i] = self.text(lines[i])
        return "\n".join(lines)

    def record(self, lead, envelope, payload):
        envelope = {key: self.value(value, key) if key not in CONTEXT or key == "stack" else value for key, value in envelope.items()}
        lines = self.payload("\n".join(payload)).split("\n") if payload else []
        if payload:
            envelope["has_payload"] = hashlib.md5("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()
        return f"{lead}{json.dumps(envelope, ensure_ascii=False)}\n" + "".join(f"\t{line}\n" for line in lines)


IGNORED = re.compile("[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
ESCAPES = re.compile(r"\\+u\{([0-9a-fA-F]+)\}|\\+U([0-9a-fA-F]{8})|\\+u([0-9a-fA-F]{4})|\\+x([0-9a-fA-F]{2})|&#x([0-9a-fA-F]+);|%([0-9a-fA-F]{2})")
MORE = re.compile(r"\\+([0-3][0-7]{2})|&#(\d+);")


def fold(text):
    if text.isascii():
        return IGNORED.sub("", text).lower()
    text = unicodedata.normalize("NFKD", IGNORED.sub("", text)).casefold()
    return "".join(c for c in text if not unicodedata.combining(c))


def views(text):
    """The text as a reader, a browser or a decoder sees it."""
    yield text
    if text.isascii() and not re.search("[a-wyz]{2}|[0-9a-fA-F]{2}|&#", text):
        return  # a shape, which has nothing to decode

    def character(match, bases=(16, 16, 16, 16, 16, 16)):
        for i, digits in enumerate(match.groups()):
            if digits:
                number = int(digits, bases[i])
                return chr(number) if number < 0x110000 else ""
        return ""

    decoded = re.sub(r"\\+(?:x1b|u001b|033)\[[\d;]*[A-Za-z]|\x1b\[[\d;]*[A-Za-z]", "", text)
    decoded = ESCAPES.sub(character, decoded)
    decoded = MORE.sub(lambda match: character(match, (8, 10)), decoded)
    yield html.unescape(urllib.parse.unquote(decoded))
    yield re.sub(r"(?<=\w)[-_. \"'+,](?=\w)", "", decoded)  # of words that were split
    yield re.sub(r"\[(?:[\d;]*)m", "", decoded)


@functools.cache
def needles():
    """The folded halves of all words, and their encoded forms."""
    found = set()
    for first, second in [*WORDS.values(), *SCRIPTS.values()]:
        found |= {fold(first), fold(second)}
    for name in ("hex", "base64"):
        found |= {fold(part) for part in FORMS[name].split()}
    return sorted(found)


def texts(content):
    """{path: text} of a shared page, without the front end."""
    index, files = open_file(content)
    found = {path: data.decode("utf-8", "replace") for path, data in files.items() if not path.startswith("assets/")}
    joined = {}
    for path, text in found.items():
        stream = re.sub(r"/\d+$", "", path)
        joined[stream] = joined.get(stream, "") + text
    joined["the page"] = re.sub(r"<script[^>]*>[^<]*</script>", "", content.decode("utf-8", "replace"))
    joined["the index"] = json.dumps([index["reports"], index["left"], sorted(files)])
    return joined


def found_in(content):
    """(path, word, the text around it) of all words that are left."""
    for path, text in texts(content).items():
        for folded in {fold(view) for view in set(views(text))}:
            for word in needles():
                at = folded.find(word)
                if at >= 0:
                    yield path, word, folded[max(0, at - 60) : at + 60]


def plants(name, turn):
    def check():
        planter = Planter(FORMS[name], turn)
        log = "".join(planter.record(*each) for each in samples())
        Path("a.log").write_text(log, encoding="utf-8", errors="surrogatepass")
        done = call("a.log", "-o", "report", "--no-browser")
        assert done.returncode in (0, 1), said(done)
        done = call("share", "report", "--redact", ALL, "-o", "one.html")
        assert done.returncode == 0, said(done)
        bad = list(found_in(Path("one.html").read_bytes()))
        assert planter.planted > 1000, planter.planted
        assert not bad, "\n".join([f"{len(bad)} are left of {planter.planted}", *sorted({f"{path}: {word}: {around!r}" for path, word, around in bad})[:25]])

    check.__name__ = "plants_" + re.sub(r"\W+", "_", name)
    return check


for i, each in enumerate(FORMS):
    case(plants(each, i))
