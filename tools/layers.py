#!/usr/bin/env python3
"""Check the dependencies of src/ and web/src/: modules use only lower layers, and there are no cycles.

    layers.py            check; print each forbidden use, with exit status 1 if there are any
    layers.py --list     print the layers and what each may use

A C module is a header and the source of the same name; a TypeScript module is a file. A layer may use itself and the
layers in its row. ARCHITECTURE.md describes the layers.
"""
import argparse
import os
import re
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent

C = {
    "base": "",
    "sink": "base",
    "trace": "base",
    "serve": "base",
    "answers": "base",
    "hooks": "base sink trace",
    "scan": "base trace",
    "codegen": "base scan",
    "model": "base trace scan",
    "analysis": "base sink scan model",
    "lowering": "base scan codegen model",
    "recompiles": "base scan model analysis lowering",
    "advice": "base scan model analysis recompiles",
    "findings": "base scan model analysis lowering recompiles advice",
    "savings": "base scan model analysis lowering recompiles findings",
    "pages": "base sink trace model analysis lowering",
    "report": "base sink scan model analysis lowering recompiles findings savings pages",
    "kinds": "base hooks sink trace scan codegen model analysis lowering recompiles pages report",
    "pipeline": "base hooks sink trace model analysis recompiles findings savings pages report kinds",
    "facts": "base sink trace scan model analysis lowering recompiles advice findings savings pages report kinds pipeline",
    "compare": "base model facts pages report",
    "diverge": "base sink trace scan analysis findings pages report facts",
    "ranks": "base sink trace model analysis pages report kinds pipeline facts compare diverge",
    "follow": "base trace model analysis kinds pipeline answers",
    "runs": "base answers",
    "share": "base sink pages runs",
    "cmd": "base hooks sink trace pages pipeline facts ranks follow serve share answers runs",
    "": "base cmd",  # main.c
}


# web/src: a feature is one folder of features/, and uses no other feature.
TS = {
    "lib": "",
    "store": "lib",
    "ui": "lib store",
    "features/*": "lib store ui",
    "one": "lib",
    "standalone": "lib ui",
    "app": "lib store ui features/* standalone",
}
TS_IMPORT = re.compile(
    r"""^(?:import|export)\b[^"';]*?\bfrom\s*["'](\.[^"']*)["']  # with names
    |^import\s*["'](\.[^"']*)["']                             # for its side effect: styles
    |\bimport\(\s*["'](\.[^"']*)["']""",  # a type, or a module that is loaded later
    re.M | re.X,
)


def c_uses():
    """{module: {used module: file with the use}}"""
    uses = {}
    for file in sorted((TOP / "src").rglob("*.[ch]")):
        name = file.relative_to(TOP / "src").as_posix()
        own = uses.setdefault(name.rsplit(".", 1)[0], {})
        for used in re.findall(r'^#include "([^"]+)\.h"', file.read_text(encoding="utf-8"), re.M):
            if used != name.rsplit(".", 1)[0]:
                own.setdefault(used, f"src/{name}")
    return uses


def ts_uses():
    """{file: {used file: file with the use}}, including types. A file that names itself extends an interface of another."""
    source, uses = TOP / "web/src", {}
    for file in sorted(p for p in source.rglob("*.ts*") if not p.name.endswith((".test.ts", ".test.tsx"))):
        name = file.relative_to(source).as_posix()
        own = uses.setdefault(name, {})
        for match in TS_IMPORT.finditer(file.read_text(encoding="utf-8")):
            path = os.path.normpath(file.parent / next(filter(None, match.groups())).removesuffix("?inline"))
            used = next((p for p in map(Path, (path, path + ".ts", path + ".tsx")) if p.is_file()), None)
            if used is None:
                sys.exit(f"web/src/{name}: no file {path}")
            if used != file and used.is_relative_to(source):  # not data of the C program, which is not a module
                own[used.relative_to(source).as_posix()] = f"web/src/{name}"
    return uses


def ts_layer(module):
    """"features/compile" for features/compile/Compile.tsx, otherwise the first folder."""
    parts = module.split("/")
    return "/".join(parts[: 2 if parts[0] == "features" else 1])


def layer_of(module, layers):
    """The innermost layer that contains the module."""
    return max((layer for layer in layers if layer == "" or module.startswith(layer + "/")), key=len)


def forbidden(uses, layers, of):
    def row(layer):
        return "features/*" if layer.startswith("features/") else layer

    for module, used in uses.items():
        mine = of(module)
        for other, file in used.items():
            theirs = of(other)
            if row(mine) not in layers:
                yield f"{file}: {mine} is no layer"
            elif theirs != mine and row(theirs) not in layers[row(mine)].split():
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
            print(f"src/{layer or 'main.c':<16} {used}")
        for layer, used in TS.items():
            print(f"web/src/{layer:<12} {used}")
        return 0
    c, ts = c_uses(), ts_uses()
    complaints = [
        *forbidden(c, C, lambda module: layer_of(module, C)),
        *circles(c),
        *forbidden(ts, TS, ts_layer),
        *circles(ts),
    ]
    print(*complaints, sep="\n", end="\n" if complaints else "")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
