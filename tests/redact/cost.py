"""Cases that compare the instructions of redaction for texts of n and 4 n: see run.py.

A linear step takes 4 times as many, a quadratic one 16 times. The limit leaves room for sorting. What the program costs without the text is not counted.
"""
import functools
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import common
from common import TOP, case

sys.path.insert(0, str(TOP / "tests/tools"))
import instructions

AT_MOST = 5
TIMES = 4
BYTES = 4_000
ALL = "paths,code,config,names"
# The kinds, and how the text is read: a sentence with all kinds, and a text of an artifact whose words stay.
READINGS = [(ALL, "json"), ("paths,config", "text")]


@functools.cache
def cost(text, kinds, form):
    program = Path(common.tlparse).parent / "tests/redact_text"
    return instructions.count([program, kinds, form], text)


def grows(name, make, readings):
    def check():
        with ThreadPoolExecutor(4) as pool:
            counts = {(how, n): pool.submit(cost, make(n) if how[1] == "text" else json.dumps(make(n)), *how)
                      for how in readings for n in (BYTES, BYTES * TIMES)}
        for how in readings:
            start = cost("" if how[1] == "text" else "{}", *how)
            ratio = (counts[how, BYTES * TIMES].result() - start) / (counts[how, BYTES].result() - start)
            assert ratio < AT_MOST, f"{how}: {ratio:.1f} times the instructions for {TIMES} times the text"

    check.__name__ = "cost_of_" + name
    case(check)


def settings(n):
    """Settings whose values begin alike, and a text of such beginnings."""
    values = {f"my_setting_{i}": f"zebra zebra zebra {i}" for i in range(n // 20)}
    return [{"kind": "dynamo", "values": values}, {"reason": "zebra zebra zebra " * (n // 18)}]


def folders(n):
    """Files of folders with spaces, and a text of such paths."""
    return [[{"file": f"/data/My Lab/{i}/m.py"} for i in range(n // 20)], {"reason": "/data/My " * (n // 9)}]


def deep(n):
    """A file in very many folders with spaces."""
    return {"file": "/a b" * (n // 4) + ".py"}


SHAPES = {
    "equal_signs": lambda n: "/1=" * (n // 3),
    "backslashes": lambda n: "\\" * n,
    "a_late_scheme": lambda n: "a" * (n // 2) + "://" + "=" * (n // 2),
    "escapes": lambda n: "x\\b" * (n // 3),
    "control_sequences": lambda n: "x\x1b[1m" * (n // 5),
    "resumed_functions": lambda n: "torch_dynamo_resume_in_f_at_" * (n // 28) + "1",
}
# Which were linear before: one text of all.
OTHERS = [
    lambda n: "site-packages/torch/" * (n // 20),
    lambda n: "'\"`" * (n // 6) + "'/a" * (n // 6) + "debug_dir_root='" * (n // 32),
    lambda n: "triton_" + "add_" * (n // 4) + "zebra",
    lambda n: "a.b-c+d" * (n // 7),
    lambda n: "a-b-c." * (n // 6),
    lambda n: "A_B='" * (n // 5),
    lambda n: "/" * (n // 2) + "%2F" * (n // 6),
    lambda n: "# File: /a in \n" * (n // 15),
    lambda n: "x" + "1_" * (n // 2) + "1.2.3." * (n // 6),
    lambda n: "&#x" * (n // 6) + "%4" * (n // 4),
    lambda n: "debug_dir_root = [\n  1,\n" * (n // 24),
]
for shape, text in SHAPES.items():
    grows(shape, text, READINGS)
grows("values_of_settings", settings, [("config", "json")])
grows("paths_with_spaces", folders, [("paths", "json")])
grows("deep_folders", deep, [("paths", "json"), (ALL, "json")])
grows("other_shapes", lambda n: "\n".join(make(n) for make in OTHERS), READINGS)
