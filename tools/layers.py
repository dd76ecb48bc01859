#!/usr/bin/env python3
"""Check the dependencies of src/ and web/src/: modules use only lower layers, and there are no cycles.

    layers.py                  check includes and imports; print each forbidden use, with exit status 1 if there are any
    layers.py --objects DIR    check calls, too: DIR has the object files of a build of src/
    layers.py --list           print the layers and what each may use

A C module is a header and the source of the same name; a TypeScript module is a file. A layer may use itself and the
layers in its row. A layer of src/ is a folder: what its headers declare is defined in it. ARCHITECTURE.md lists them.
"""
import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent

C = {
    "base": "",
    "sink": "base",
    "trace": "base",
    "serve": "base",
    "answers": "base scan graph",
    "hooks": "base sink trace",
    "scan": "base trace",
    "graph": "base scan",
    "codegen": "base scan",
    "model": "base trace scan",
    "analysis": "base sink trace scan model",
    "lowering": "base scan codegen model",
    "modules": "base scan graph model",
    "recompiles": "base scan model analysis lowering modules",
    "profile": "base trace scan codegen model lowering",
    "advice": "base scan model analysis modules recompiles",
    "findings": "base scan codegen model analysis lowering modules recompiles profile advice",
    "savings": "base scan model analysis lowering recompiles findings",
    "pages": "base sink trace scan codegen model analysis lowering",
    "report": "base sink scan codegen model analysis lowering modules recompiles profile advice findings savings pages",
    "kinds": "base sink trace hooks scan codegen model analysis lowering modules recompiles pages report",
    "pipeline": "base sink trace hooks model analysis recompiles profile advice findings savings pages report kinds",
    "facts": "base sink trace scan model analysis lowering recompiles profile advice findings savings pages report kinds pipeline",
    "compare": "base model findings pages report facts",
    "diverge": "base sink trace scan model analysis findings pages report facts",
    "ranks": "base sink trace model analysis findings pages report kinds pipeline facts compare diverge",
    "follow": "base trace answers model analysis kinds pipeline",
    "runs": "base answers",
    "share": "base sink pages runs",
    "extract": "base trace share",
    "cmd": "base sink trace scan serve graph answers hooks model profile pages pipeline facts ranks follow runs share extract",
    "": "base cmd",  # main.c
}


# Sources that not every build has.
OPTIONAL = ["serve/deadlines", "serve/listeners", "serve/no_server", "serve/reply", "serve/server"]

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


def c_calls(objects):
    """({module: {module whose function or table it uses: object file}}, {symbol: module that defines it})"""
    modules = {p.relative_to(TOP / "src").as_posix()[:-2] for p in (TOP / "src").rglob("*.c")}
    by_object = {module.replace("/", "_") + ".c.o": module for module in modules}
    files = {path: by_object[path.name] for path in sorted(Path(objects).glob("*.o")) if path.name in by_object}
    missing = sorted(modules - set(files.values()) - {"main"} - set(OPTIONAL))
    if missing:
        sys.exit(f"{objects}: no object file of {' '.join(missing)}")
    listed = subprocess.run(["nm", "-A", "--extern-only", "--format=posix", *files], capture_output=True, text=True, check=True).stdout
    defined, used = {}, []
    for file, symbol, kind in re.findall(r"^(.*?\.o): (\S+) (\w)", listed, re.M):
        if kind == "U":
            used.append((files[Path(file)], symbol, file))
        else:
            defined[symbol] = files[Path(file)]
    calls = {}
    for module, symbol, file in used:
        if symbol in defined and defined[symbol] != module:
            calls.setdefault(module, {}).setdefault(defined[symbol], f"{file}: {symbol}")
    return calls, defined


def declared_elsewhere(defined):
    """Functions whose definition is in another layer than their declaration."""
    for header in sorted((TOP / "src").rglob("*.h")):
        name = header.relative_to(TOP / "src").as_posix()
        text = re.sub(r"/\*.*?\*/|\{[^{}]*\}", "", header.read_text(encoding="utf-8"), flags=re.S)
        for symbol in re.findall(r"\b(\w+)\(", text):
            if symbol in defined and layer_of(defined[symbol], C) != layer_of(name, C):
                yield f"src/{name}: {symbol}() is defined in {defined[symbol]}.c"


def undescribed_layers():
    """Layers that ARCHITECTURE.md does not list, or lists and are not there."""
    listed = re.search(r"^    src/\n(.*?)^    web/", (TOP / "ARCHITECTURE.md").read_text(encoding="utf-8"), re.M | re.S)[1]
    described = set(re.findall(r"^      (\w+)/ ", listed, re.M))
    there = {p.name for p in (TOP / "src").iterdir() if p.is_dir()}
    yield from (f"ARCHITECTURE.md: the list of src/ lacks {layer}/" for layer in sorted(there - described))
    yield from (f"ARCHITECTURE.md: there is no src/{layer}/" for layer in sorted(described - there))


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
    parser.add_argument("--objects", metavar="DIR", help="folder with the object files of src/")
    arguments = parser.parse_args()
    if arguments.list:
        for layer, used in C.items():
            print(f"src/{layer or 'main.c':<16} {used}")
        for layer, used in TS.items():
            print(f"web/src/{layer:<12} {used}")
        return 0
    c, ts = c_uses(), ts_uses()
    complaints = [
        *undescribed_layers(),
        *forbidden(c, C, lambda module: layer_of(module, C)),
        *circles(c),
        *forbidden(ts, TS, ts_layer),
        *circles(ts),
    ]
    if arguments.objects:
        calls, defined = c_calls(arguments.objects)
        complaints += [*forbidden(calls, C, lambda module: layer_of(module, C)), *circles(calls), *declared_elsewhere(defined)]
    print(*complaints, sep="\n", end="\n" if complaints else "")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
