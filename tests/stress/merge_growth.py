"""Shapes of facts files whose cost of `tlparse merge` must grow linearly with their size, as growth.py has for logs.

Each yields the facts of n ranks, or of a few ranks that have n of something. The definitions are those that tlparse writes of logs, without
what does not matter for the shape.
"""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))
import fact_lines

SHAPES = {}
FILE = "/home/user/model.py"
MISS, COUNTED = 1, [90]


def shape(n):
    def add(function):
        SHAPES[f"merge_{function.__name__}"] = (function, n)
        return function

    return add


class Facts:
    """A facts file."""

    def __init__(self):
        self.known, self.hashes, self.ranks = {}, [], 0
        self.lines = ['{"tlparse_facts":1,"made_by":"tlparse","made_us":1,"host":"h","unread":[]}']
        self.program = self.define("program", {"torch": "2.9.0", "program": FILE})

    def define(self, kind, value):
        """The number of a definition, which is written once."""
        text = json.dumps([kind, value], separators=(",", ":"))[1:]
        if text not in self.known:
            self.known[text] = len(self.known)
            self.lines.extend(fact_lines.rehashed([f'["{0:016x}",{text}']))
            self.hashes.append(self.lines[-1][2:fact_lines.HASH_DIGITS + 2])
        return self.known[text]

    def hash_of(self, number):
        """The hash of a definition, by which others refer to it."""
        return self.hashes[number]

    def graph(self, hash, *codes):
        self.define("graph", {"hash": hash, "steps": [
            {"file": FILE, "function": "f", "code": code, "line": 5 + i, "ops": hash + i, "text": code, "type": "f32[4]", "types": 1} for i, code in enumerate(codes)]})
        return {"graph_hash": hash, "traced": True}

    def guards(self, hash, pairs):
        self.define("guards", {"hash": hash, "list": [{"key": key, "value": value} for key, value in pairs]})
        return {"guards_hash": hash, "stated": True}

    def compile(self, number, function=None, version=0, **members):
        frame, place = f"{function or f'f{number}'} at {FILE}:{number + 1}", {"file": FILE, "function": function or f"f{number}", "line": number + 1}
        return self.define("compile", {"id": f"{number}/{version}", "match": f"{number}/{version}", "frame": frame, "slot": f"{frame} {version}", "place": place, "user": place,
                                       "number": version, "has_code": True, "status": 1, "ops": 3, "guards": 3, **members})

    def log(self, compiles, log=None, **members):
        name = f"dedicated_log_torch_trace_rank_{self.ranks}_a.log"
        time = {"time_us": 1000 * len(compiles), "forward_us": 1000 * len(compiles)}
        value = {"has_rank": True, "rank": self.ranks, "has_own_rank": True, "own_rank": self.ranks, "file": name, "paths": [f"/tmp/{name}"], "modified_ns": 1 + self.ranks,
                 "files": [{"name": name, "bytes": 9, "first_line": 1, "records": 9}], "bytes": 9, "counters": COUNTED,
                 "totals": {"compiles": len(compiles), "statuses": [0, len(compiles)], **time}, "first_us": 1, "last_us": 10**6, **(log or {})}
        times = [1000 + (self.ranks * 7 + i) % 100 for i in range(len(compiles))]
        self.lines.append(json.dumps({"log": value, "result": {"counters": COUNTED, "processes": 1}, "program": self.program, "compiles": compiles, "times_us": times, **members}))
        self.ranks += 1

    def end(self):
        return [*self.lines, json.dumps({"logs": self.ranks})]


def empty():
    facts = Facts()
    facts.log([facts.compile(0)])
    return facts.end()


@shape(400)
def ranks(n):
    facts = Facts()
    for _ in range(n):
        facts.log([facts.compile(i) for i in range(3)])
    return facts.end()


@shape(400)
def compiles_per_rank(n):
    facts = Facts()
    for _ in range(8):
        facts.log([facts.compile(i) for i in range(n)])
    return facts.end()


@shape(100)
def versions_of_a_frame(n):
    facts = Facts()
    for rank in range(8):
        facts.log([facts.compile(0, version=i, reasons_hash=i + 1, reasons=1, reason=f"L['x'] == {i + rank}") for i in range(n)])
    return facts.end()


@shape(200)
def other_graphs_in_each_compile(n):
    """Two sides that differ in each of n compiles."""
    facts = Facts()
    for rank in range(4):
        facts.log([facts.compile(i, **facts.graph(2 * i + rank % 2 + 1, "a = x", f"b = x + {rank % 2}")) for i in range(n)])
    return facts.end()


@shape(100)
def another_graph_on_each_rank(n):
    facts = Facts()
    for rank in range(n):
        facts.log([facts.compile(0), facts.compile(1, **facts.graph(rank + 1, "a = x", f"b = x + {rank}"))])
    return facts.end()


@shape(100)
def another_guard_on_each_rank(n):
    facts = Facts()
    for rank in range(n):
        pairs = [(f"G\x1fL['x{i}']", "1") for i in range(20)]
        facts.log([facts.compile(0), facts.compile(1, **facts.guards(rank + 1, [*pairs, ("G\x1fL['y']", str(rank))]))])
    return facts.end()


@shape(60)
def one_cause_on_each_rank(n):
    """Each rank compiles a function that no other has, in another state."""
    facts = Facts()
    for rank in range(n):
        own = facts.compile(3, function=f"own{rank}", failure="RuntimeError: a" if rank % 3 == 0 else f"RuntimeError: {rank}", status=4 if rank % 2 else 1)
        facts.log([*(facts.compile(i) for i in range(3)), own])
    return facts.end()


def configuration(facts, pairs):
    pairs = sorted(pairs)
    pieces = [pairs[i:i + 40] for i in range(0, len(pairs), 40)]
    numbers = [facts.define("settings", {"list": [{"k": 1, "n": name, "v": value} for name, value in piece]}) for piece in pieces]
    return facts.define("configuration", {"pieces": [facts.hash_of(number) for number in numbers]})


@shape(400)
def settings_that_differ(n):
    facts = Facts()
    for rank in range(4):
        facts.log([facts.compile(0)], configuration=configuration(facts, [(f"name{i:06}", str(rank)) for i in range(n)]))
    return facts.end()


@shape(100)
def another_value_on_each_rank(n):
    """Of two settings, which ranks do not choose by their number."""
    facts = Facts()
    for rank in range(n):
        facts.log([facts.compile(0)], configuration=configuration(facts, [("a", "1"), ("seed", str(rank * 7919 % 1_000_003)), ("z", f'"{rank // 2}"')]))
    return facts.end()


@shape(4_000)
def long_names(n):
    facts = Facts()
    for rank in range(20):
        facts.log([facts.compile(i, function="f" * n + str(i + rank % 2)) for i in range(3)])
    return facts.end()


@shape(400)
def collectives(n):
    """The last one differs."""
    facts = Facts()
    for rank in range(4):
        ops = [f"torch.ops._c10d_functional.all_reduce.default{i % 7}" for i in range(n)] + [f"wait{rank}"]
        graphs = facts.define("graphs", {"list": [{"folder": "-_0_0_0", "id": "0/0", "ops": ops}]})
        facts.log([facts.compile(0)], schedules=graphs, code_calls=graphs)
    return facts.end()


@shape(200)
def graphs_with_collectives(n):
    facts = Facts()
    for rank in range(4):
        graphs = facts.define("graphs", {"list": [{"folder": f"-_{i}_0_0", "id": f"{i}/0", "ops": ["all_reduce", f"wait{rank % 2}"]} for i in range(n)]})
        facts.log([facts.compile(i) for i in range(n)], schedules=graphs)
    return facts.end()


@shape(400)
def execution_order(n):
    """Ranks that run the same graphs in the opposite order."""
    facts = Facts()
    for rank in range(4):
        ids = [f"{i}/0" for i in range(n)]
        order = facts.define("order", {"ids": ids[::-1] if rank % 2 else ids})
        graphs = facts.define("graphs", {"list": [{"folder": f"-_{i}_0_0", "id": f"{i}/0", "ops": ["all_reduce"]} for i in range(n)]})
        facts.log([facts.compile(i) for i in range(n)], {"execution_said": True}, execution=order, schedules=graphs)
    return facts.end()


@shape(100)
def cache_keys(n):
    """Misses with keys of which one component differs between ranks."""
    facts = Facts()
    for rank in range(4):
        lookups = []
        for i in range(n):
            parts = facts.define("parts", {"list": [{"n": f"part{p}", "h": f"{i}-{p}-{rank if p == i % 20 else 0}"} for p in range(20)]})
            key = facts.define("key", {"name": f"fx_graph k{i}-{rank}", "pieces": [facts.hash_of(parts)]})
            lookups.append({"compile": i, "name": f"fx_graph k{i}-{rank}", "outcome": MISS, "key": facts.hash_of(key)})
        number = facts.define("lookups", {"list": lookups})
        facts.log([facts.compile(i, cache=[MISS]) for i in range(n)], lookups=number, lookup_times_us=list(range(n)), more_lookups=0)
    return facts.end()


@shape(400)
def findings(n):
    facts = Facts()
    for _ in range(4):
        facts.log([facts.compile(0)], findings=[facts.define("finding", {"kind": 10, "title": f"title {i}", "place": {"file": FILE, "function": "f", "line": i}}) for i in range(n)])
    return facts.end()


@shape(400)
def spans(n):
    facts = Facts()
    for _ in range(8):
        names = facts.define("names", {"list": [f"span{i}" for i in range(n)]})
        tracks = [{"pid": "0", "tid": str(i), "writer": i + 1, "spans": 1, "busy_us": 1, "has_rank": True, "rank": facts.ranks} for i in range(n)]
        facts.log([facts.compile(0)], timeline={"tracks": tracks, "has_base": True, "base_us": 1, "last_us": 9, "spans": n, "kept": n, "names": names, "totals": [1, 2, 2, 2] * n})
    return facts.end()


@shape(400)
def claims_of_one_rank(n):
    facts = Facts()
    for i in range(n):
        facts.log([facts.compile(j) for j in range(3)], {"rank": 0, "own_rank": 0, "first_us": 1 + i, "last_us": 10**6 + i})
    return facts.end()
