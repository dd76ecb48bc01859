#!/usr/bin/env python3
"""Check who uses whom: src/ and web/src/ keep to the order of their layers, and no modules use each other in a circle.

    layers.py            check; exit status 1 and a line for each use that is not allowed
    layers.py --list     print the layers and what each may use

A module of C is a header with the source of the same name; one of TypeScript is a file. A layer may use itself and the
layers that its row names. ARCHITECTURE.md says what each layer is for.
"""
import argparse
import re
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent

C = {
    "base": "",
    "sink": "base",
    "trace": "base",
    "scan": "base trace",
    "model": "base trace scan",
    "analysis": "base trace scan model sink",
    "report/json": "base trace scan model analysis sink",
    "report/html": "base trace scan model analysis sink",
    "kinds": "base trace scan model analysis sink report/json report/html",
    "pipeline": "base trace scan model analysis sink report/json report/html kinds",
    "ranks": "base trace scan model analysis sink report/json report/html kinds pipeline",
    "serve": "base",
    "cmd": "base sink trace model pipeline ranks serve",
    "": "base cmd",  # main.c
}


def c_uses():
    """{module: {module it uses: file that says so}}"""
    uses = {}
    for file in sorted((TOP / "src").rglob("*.[ch]")):
        name = file.relative_to(TOP / "src").as_posix()
        own = uses.setdefault(name.rsplit(".", 1)[0], {})
        for used in re.findall(r'^#include "([^"]+)\.h"', file.read_text(encoding="utf-8"), re.M):
            if used != name.rsplit(".", 1)[0]:
                own.setdefault(used, f"src/{name}")
    return uses


def layer_of(module, layers):
    """The longest layer that the module lies in."""
    return max((l for l in layers if l == "" or module.startswith(l + "/")), key=len)


def forbidden(uses, layers):
    for module, used in uses.items():
        mine = layer_of(module, layers)
        for other, file in used.items():
            theirs = layer_of(other, layers)
            if theirs != mine and theirs not in layers[mine].split():
                yield f"{file}: {mine or 'main'} may not use {theirs or 'main'} ({other})"


def circles(uses):
    """Strongly connected components of more than one module (Tarjan), without recursion."""
    index, low, stack, on_stack, found = {}, {}, [], set(), []
    for root in uses:
        if root in index:
            continue
        walk = [(root, iter(uses.get(root, ())))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while walk:
            module, rest = walk[-1]
            for other in rest:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    on_stack.add(other)
                    walk.append((other, iter(uses.get(other, ()))))
                    break
                if other in on_stack:
                    low[module] = min(low[module], index[other])
            else:
                walk.pop()
                if walk:
                    low[walk[-1][0]] = min(low[walk[-1][0]], low[module])
                if low[module] == index[module]:
                    at = stack.index(module)
                    members = stack[at:]
                    del stack[at:]
                    on_stack -= set(members)
                    if len(members) > 1:
                        found.append("circle: " + " ".join(sorted(members)))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--list", action="store_true", help="print the layers")
    arguments = parser.parse_args()
    if arguments.list:
        for layer, used in C.items():
            print(f"src/{layer or 'main.c':<12} {used}")
        return 0
    uses = c_uses()
    complaints = [*forbidden(uses, C), *circles(uses)]
    print(*complaints, sep="\n", end="\n" if complaints else "")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
