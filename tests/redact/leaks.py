"""Cases of one place each that a shared page left, with all kinds redacted or with one: see run.py."""
import hashlib
import json
import re
from pathlib import Path

from common import call, case, open_file, said

ALL = "paths,code,config,names"
LEAD = "V0101 12:00:00.000000 7 torch/a.py:1] "
IDS = {"frame_id": 0, "frame_compile_id": 0, "attempt": 0}


def record(envelope, payload=None):
    if payload is not None:
        envelope = {**envelope, "has_payload": hashlib.md5(payload.encode()).hexdigest()}
    lines = "" if payload is None else "".join(f"\t{line}\n" for line in payload.split("\n"))
    return f"{LEAD}{json.dumps({**envelope, **IDS}, ensure_ascii=False)}\n{lines}"


def metrics(**members):
    return record({"compilation_metrics": {"co_name": "fn", "co_filename": "/home/jane/m.py", "co_firstlineno": 3, **members}})


def reason(text):
    return record({"artifact": {"name": "dynamo_graph_break_reason", "encoding": "string"}},
                  f"Graph break in user code at /home/jane/m.py:3\nGraph Break Reason: {text}\n")


def shared(*records, what=ALL, home="/home/jane/m.py"):
    """The text of the data of the shared page."""
    log = record({"str": [home, 0]}) + record({"dynamo_start": {"stack": [{"line": 3, "name": "fn", "filename": 0}]}}) + "".join(records)
    Path("a.log").write_text(log, encoding="utf-8")
    for command in (("a.log", "-o", "report", "--no-browser", "--overwrite"), ("share", "report", "--redact", what, "-o", "one.html", "--overwrite")):
        done = call(*command)
        assert done.returncode == 0, said(done)
    return "\n".join(data.decode() for path, data in open_file(Path("one.html").read_bytes())[1].items() if not path.startswith("assets/"))


def lacks(text, *words):
    left = [text[max(0, at - 60) : at + 60] for word in words for at in [text.find(word)] if at >= 0]
    assert not left, left


def removes(text, *words, what=ALL, home="/home/jane/m.py"):
    """Writes a reason into all places of reasons; returns what is left."""
    left = shared(reason(text), metrics(fail_type="RuntimeError", fail_reason=text, restart_reasons=[text]), what=what, home=home)
    lacks(left, *words)
    return left


@case
def what_follows_a_file_of_pytorch():
    left = removes("in /v/site-packages/torch/_ops.py:zebra, '/v/site-packages/torch/nn/modules/linear.py zebra' and \"/v/dist-packages/torch/zebra lab/x.py\" "
                   "/v/site-packages/torch/../zebra/x.py torch/_zebra/x.py _dynamo/zebra.py", "zebra", "a lab")
    assert "site-packages/torch/_ops.py:name" in left and "site-packages/torch/nn/modules/linear.py name" in left, left


@case
def a_frame_of_pytorch_keeps_known_names_only():
    frames = [{"line": 3, "name": "fn", "filename": 0}, {"line": 7, "name": "zebra_fn", "filename": 1, "loc": "return zebra(quagga_call)"},
              {"line": 8, "name": "_call_impl", "filename": 1, "loc": "return forward_call(*args, **kwargs)"}]
    symbol = {"symbol": "s0", "val": "3", "vr": "[2, int_oo]", "source": "L['x'].size()[0]", "user_stack": frames, "stack": frames}
    left = shared(record({"str": ["/v/site-packages/torch/nn/modules/module.py", 1]}), record({"create_symbol": symbol}))
    lacks(left, "zebra", "quagga")
    assert "_call_impl" in left and "return forward_call(*args, **kwargs)" in left, left


@case
def reasons_of_failures():
    removes("bad zebra of jane.surname: ab cd", "zebra", "jane", "surname", " ab", " cd")


@case
def names_in_other_scripts():
    # U+2C00 to U+2FFF, and other blocks that begin with the same bytes or were taken as signs
    words = ("ⰂⰅⰎ", "ⱠⱡⱢ", "ⲁⲃⲅ", "ⴀⴁⴂ", "ⵉⵎⴰ", "ⶀⶁⶂ", "ⷠⷡ", "⺀⺁", "⼀⼁", "ⓩⓔⓑ", "℞ℤℯ", "ⅠⅤⅩ", "⠵⠑⠃", "🅩🅔", "🄰🄱", "🇿🇪")
    removes(" ".join(words) + " z" + "\u200be\u200bbra gr\N{SOFT HYPHEN}aph to\u2060rch", *words, "\u200b", "\N{SOFT HYPHEN}", "\u2060")


@case
def users_of_two_parts_or_letters():
    left = removes("by jane and surname, not janet, in ab", "jane ", "surname", what="paths", home="/home/jane.surname/m.py")
    assert "not janet" in left, left
    removes("by ab, in abc", "by ab", what="paths", home="/home/ab/m.py")
    removes("by u1234567", "u1234567")


@case
def users_and_hosts_that_are_words_of_pytorch():
    text = "user=graph USER=kernel host: tensor mail graph@kernel.tensor in /home/compile/x at http://tensor:29500/graph 10.11.12.13 HOSTNAME='kernel'"
    removes(text, "=graph", "=kernel", "host: tensor", "graph@", "/home/compile", "//tensor", "10.11.12", "'kernel'")


@case
def variables_of_the_environment():
    text = "MASTER_ADDR=graph HF_TOKEN=torch MASTER_PORT=29517 export WANDB_API_KEY='tensor' {'MASTER_ADDR': 'kernel'} --api-key compile --token=torch MASTER_ADDR: graph"
    removes(text, "=graph", "=torch", "29517", "'tensor'", "'kernel'", "key compile", ": graph")
    removes(text, "=graph", "HF_TOKEN=torch", "29517", "'tensor'", "'kernel'", ": graph", what="config")
    assert "TYPE_MATCH: x" in removes("guard TYPE_MATCH: x, EQUALS_MATCH=1")


@case
def a_damaged_configuration():
    broken = '{"my_knob": "graph tensor", "debug": 171717, "b": [1'
    for what in (ALL, "config"):
        lacks(shared(metrics(dynamo_config=broken, inductor_config='{"x": "kernel zebra"', functorch_config="zebra = 171717"), what=what), "graph tensor", "171717", "kernel zebra")
        lacks(shared(record({"artifact": {"name": "inductor_config", "encoding": "json"}}, broken), what=what), "graph tensor", "171717")


@case
def names_of_data_and_models():
    names = ("model.onnx", "kernel.npz", "graph.parquet", "weight.gguf", "train.npy", "zebra.h5")
    for what in (ALL, "paths"):
        removes("reads " + ", ".join(names) + " and 'tensor.arrow'", *names, "tensor.arrow", what=what)


@case
def members_of_versions():
    versions = {"version": "zebra", "torch": "2.9.0+zebra", "cuda": "12.8 quagga", "started": "zebra", "python": "3.11.7 zebra", "triton_version": "3.zebra"}
    lacks(shared(metrics(**versions)), "zebra", "quagga")
    kept = {"version": "2.9.0a0+git5bb154e", "torch": "2.10.0.dev20261101+cu128", "cuda": "12.8", "started": "2026-11-21T00:05:19Z", "python": "3.11.7"}
    left = shared(metrics(**kept))
    assert all(f'"{value}"' in left for value in kept.values()), left


@case
def encoded_words():
    removes("%7a%65%62%72%61 &#122;&#101;&#98; &#x7a;&#x65; \\u{7a}\\u{65} 0x7a65627261 7a65627261 z.e.b.r.a \\x1b[变量m", "7a", "%65", "#101", "65;", "z.e", "变量")


@case
def links_of_the_documentation():
    left = removes("see https://pytorch.org/docs/zebra.html https://github.com/pytorch/pytorch/issues/12345 "
                   "https://meta-pytorch.github.io/compile-graph-break-site/gb/gb0059.html", "zebra")
    assert re.search(r"compile-graph-break-site/gb/gb0059\.html", left) and "github.com/pytorch/pytorch/issues/12345" in left, left


@case
def paths_with_spaces_of_many_files():
    """A log has more of them than were once remembered."""
    names = [f"/data/Zebra {i} Lab/m.py" for i in range(1500)]
    tables = [record({"str": [name, i + 1]}) for i, name in enumerate(names)]
    symbols = [record({"create_symbol": {"symbol": f"s{i}", "val": "3", "vr": "[2, 9]", "source": "L['x']", "stack": [], "user_stack": [
        {"line": 3, "name": "f", "filename": i + 1}]}}) for i in range(0, 1500, 7)]
    lacks(shared(*tables, *symbols, reason("at " + " at ".join(names[::7])), what="paths"), "Zebra", "Lab")
