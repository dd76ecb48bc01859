"""Compares what advice predicts with what it does: pairs of logs of one program, before and after it followed the report's advice.

The corpus has NAME_without and NAME_with. Functions have the same names in both. For each, the recompiles of the first log minus those
that its advice promises to save (`saves`) are the recompiles of the second log. A function without advice is unchanged. Where only the
recompile limit was raised, as advised, the second log has more recompiles and does not hit it."""
import re
from collections import Counter

FILE = re.compile(r"_with(out)?\.py")


def name_of(chain):
    frame = chain["frame"]
    return FILE.sub(".py", frame.get("label") or frame["function"])


def recompiles(report):
    """{function: recompiles}"""
    counts = Counter()
    for chain in report["recompiles"]:
        counts[name_of(chain)] += chain["recompiles"]
    return counts


def predicted(report):
    """{function: recompiles that its advice saves}"""
    counts = Counter()
    for chain in report["recompiles"]:
        counts[name_of(chain)] += sum(advice["saves"] for advice in chain["advice"])
    return counts


def limited(report):
    """Functions that hit the recompile limit."""
    return {name_of(chain) for chain in report["recompiles"] if chain["limit_hit"]}


def pair_faults(without, with_):
    """Functions for which the prediction is wrong."""
    before, after, saved = recompiles(without), recompiles(with_), predicted(without)
    for name in sorted(limited(with_)):
        yield f"{name}: it hits the recompile limit with the advice, too"
    for name in sorted(before.keys() | after.keys()):
        if name in limited(without) and not saved[name]:
            if after[name] <= before[name]:
                yield f"{name}: {after[name]} recompiles with a higher limit, {before[name]} without"
        elif before[name] - saved[name] != after[name]:
            yield f"{name}: {before[name]} recompiles, advice saves {saved[name]}, but {after[name]} are left"


def table(without, with_):
    """Rows of doc/reliability.md: function, recompiles, predicted, measured, advice."""
    after = recompiles(with_)
    for chain in without["recompiles"]:
        texts = [a["text"].split(":")[0] for a in chain["advice"] if a["saves"]]
        yield name_of(chain), chain["recompiles"], sum(a["saves"] for a in chain["advice"]), after[name_of(chain)], texts
