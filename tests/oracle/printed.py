"""Reads what PyTorch prints with TORCH_LOGS=recompiles,graph_breaks,guards. Independent of the C sources and of the structured log."""
import re
from collections import defaultdict
from dataclasses import dataclass, field

import guard_leaves

LINE = re.compile(r"^(?:\[rank\d+\]:)?[A-Z]\d{4} [\d:.]+ (\d+) \S+?:\d+\] (?:\[(!?[\d/_]+)\] )?\[__(\w+)\] ?(.*)$")
HEAD = re.compile(r"Recompiling function (.*) in (.*):(\d+)$")
REASON = re.compile(r"    - (!?\d+(?:/\d+)+(?:_\d+)?): (.*)$")
BREAK = re.compile(r"Graph break(?: \(user stack suppressed due to duplicate graph break\))? in user code at (.*):(\d+)$")
# An exception of the backend; a frame that 2.6 or a later version skips.
NO_PLACE = re.compile(r"WON'T CONVERT |Graph break: (skip: |torch\.compile cannot properly resume )")
COMMENT = re.compile(r"\s+# .*", re.S)


@dataclass
class Recompile:
    compile: str
    function: str
    file: str
    line: int
    reasons: list = field(default_factory=list)  # (version, guard), in the order of the text


@dataclass
class Process:
    recompiles: list = field(default_factory=list)
    breaks: list = field(default_factory=list)  # [compile, file, line, the text below]
    guards: dict = field(default_factory=lambda: defaultdict(list))  # compile: leaves of each printed tree
    complete: bool = True  # false for a text with recompiles only


def plain_id(compile_id):
    """A compile id without its attempt; -/- if PyTorch printed none, as in report.json."""
    return re.sub(r"_\d+$", "", compile_id or "-/-")


class Reader:
    """Sorts lines by process: several processes may write to one file."""

    def __init__(self):
        self.processes = defaultdict(Process)
        self.leaves = guard_leaves.Leaves()

    def recompiles(self, process, compile_id, text):
        if found := HEAD.match(text):
            process.recompiles.append(Recompile(plain_id(compile_id), found[1], found[2], int(found[3])))
        elif (found := REASON.match(text)) and process.recompiles:
            process.recompiles[-1].reasons.append((plain_id(found[1]), COMMENT.sub("", found[2]).strip()))

    def graph_breaks(self, process, compile_id, text):
        if found := BREAK.match(text):
            process.breaks.append([plain_id(compile_id), found[1], int(found[2]), ""])
        elif NO_PLACE.match(text):
            process.breaks.append([plain_id(compile_id), None, None, ""])
        elif process.breaks:
            process.breaks[-1][3] += text + "\n"

    def guards(self, process, compile_id, text):
        trees = process.guards[plain_id(compile_id)]
        if text == "TREE_GUARD_MANAGER:":
            trees.append(0)
            self.leaves = guard_leaves.Leaves()
        elif trees:
            trees[-1] += self.leaves.read(text) == "check"

    def add(self, line):
        if found := LINE.match(line):
            read = getattr(self, found[3], None) if found[3] in ("recompiles", "graph_breaks", "guards") else None
            if read:
                read(self.processes[int(found[1])], found[2], found[4])


def read(text):
    """{process: Process} of the text."""
    reader = Reader()
    for line in text.splitlines():
        reader.add(line)
    complete = "[__guards]" in text or "[__graph_breaks]" in text
    for process in reader.processes.values():
        process.complete = complete
    return dict(reader.processes)
