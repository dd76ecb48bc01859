#!/usr/bin/env python3
"""List the records that a PyTorch can log and this program does not know.

    tools/trace_calls.py FOLDER [--all]

FOLDER is an installed PyTorch (site-packages, or site-packages/torch) or any folder of Python files. Nothing of it is imported or run:
its syntax trees are searched for calls of trace_structured(), dtrace_structured() and trace_structured_artifact(), and of functions
that pass the name on to these. A key of a record is known if it is in src/kinds/registry.c; the name of an artifact, graph_dump or link
is known if web/src/ui/artifact-help.ts describes it. A part of a name that is only known at run time is shown as `*`.

Prints each unknown name with the calls that log it, or with --all every name, and the count of the unknown ones last. Exit status 1 if
there are any, 2 if FOLDER has no call.
"""
import argparse
import ast
import re
import sys
import warnings
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
NAMED = {"artifact", "graph_dump", "link"}  # keys whose records have a name
HOLE = "*"  # a part that is only known at run time
NAMES_MAX = 64  # of one call
DEPTH_MAX = 8  # of expressions that refer to each other


class Sink:
    """A function that logs a record: the places of its arguments for the key, the metadata and the name of an artifact."""

    def __init__(self, key=None, metadata=None, name=None, fixed=None, unless=None, default=None):
        self.key, self.metadata, self.name, self.fixed = key, metadata, name, fixed
        self.default = default  # what a call without the name or the key passes
        self.unless = unless  # calls with this argument log nothing


# (position, keyword) of each argument
SINKS = {
    "trace_structured": Sink(key=(0, "name"), metadata=(1, "metadata_fn")),
    "dtrace_structured": Sink(key=(0, "name"), metadata=(1, "metadata_fn")),
    "trace_structured_artifact": Sink(name=(0, "name"), fixed="artifact"),
}


def called(node):
    """The last part of the name of a called function."""
    return node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id if isinstance(node.func, ast.Name) else None


def argument(call, place):
    if place is None:
        return None
    position, keyword = place
    found = next((k.value for k in call.keywords if k.arg == keyword), None)
    return found if found is not None or position >= len(call.args) else call.args[position]


class Module(ast.NodeVisitor):
    """The functions, assignments and calls of one file."""

    def __init__(self, path, where):
        self.path, self.where = path, where
        self.calls = []  # (call, functions around it, innermost last)
        self.around, self.values, self.classes = [], {}, []
        self.attributes = {}  # (class, name) -> [(value, functions around it)] of the constructor

    def visit_function(self, node):
        for decorator in node.decorator_list:
            self.visit(decorator)
        node.of_class = self.classes[-1] if self.classes else None
        self.around.append(node)
        self.classes.append(None)
        for part in node.body:
            self.visit(part)
        self.classes.pop()
        self.around.pop()

    visit_FunctionDef = visit_AsyncFunctionDef = visit_function

    def visit_ClassDef(self, node):
        self.classes.append(node)
        self.generic_visit(node)
        self.classes.pop()

    def keep(self, target, value):
        around = self.around[-1] if self.around else None
        if isinstance(target, ast.Attribute) and around and around.name == "__init__" and around.of_class:
            self.attributes.setdefault((around.of_class, target.attr), []).append((value, tuple(self.around)))
        if isinstance(target, ast.Name):
            self.values.setdefault((around, target.id), []).append(value)

    def visit_Assign(self, node):
        for target in node.targets:
            self.keep(target, node.value)
        self.generic_visit(node)

    def visit_AnnAssign(self, node):
        if node.value:
            self.keep(node.target, node.value)
        self.generic_visit(node)

    def visit_NamedExpr(self, node):
        self.keep(node.target, node.value)
        self.generic_visit(node)

    def visit_Call(self, node):
        self.calls.append((node, tuple(self.around)))
        self.generic_visit(node)


def parameters(function):
    """Name of each parameter to its place in a call; a method is called without its first one."""
    names = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
    first = 1 if function.of_class and names[:1] in (["self"], ["cls"]) else 0
    places = {name: (at - first, name) for at, name in enumerate(names) if at >= first}
    return places | {a.arg: (sys.maxsize, a.arg) for a in function.args.kwonlyargs}


class Texts:
    """The texts that an expression may have, with holes; and the parameters of functions that decide them."""

    def __init__(self, module, around):
        self.module, self.around, self.decided_by = module, around, set()

    def of(self, node, depth=0):
        if isinstance(node, ast.Constant):
            return {node.value} if isinstance(node.value, str) else set() if node.value is None else {HOLE}
        if depth == DEPTH_MAX:
            return {HOLE}
        if isinstance(node, ast.IfExp):
            return self.of(node.body, depth + 1) | self.of(node.orelse, depth + 1)
        if isinstance(node, ast.BoolOp):
            return set().union(*(self.of(v, depth + 1) for v in node.values))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return self.joined([node.left, node.right], depth)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            return {re.sub(r"%[-+ #0-9.]*[a-zA-Z]", HOLE, text) for text in self.of(node.left, depth + 1)}
        if isinstance(node, ast.JoinedStr):
            return self.joined(node.values, depth)
        if isinstance(node, ast.FormattedValue):
            return self.of(node.value, depth + 1)
        if isinstance(node, ast.Lambda):
            return self.of(node.body, depth + 1)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
            return {re.sub(r"\{[^}]*\}", HOLE, text) for text in self.of(node.func.value, depth + 1)}
        if isinstance(node, ast.Call) and not node.args and isinstance(node.func, ast.Name):
            node = node.func  # a function that a caller passes
        if isinstance(node, ast.Attribute):
            return self.attribute(node, depth)
        return self.variable(node, depth) if isinstance(node, ast.Name) else {HOLE}

    def joined(self, parts, depth):
        texts = {""}
        for part in parts:
            more = self.of(part, depth + 1)
            texts = {a + b for a in texts for b in more}
            if len(texts) > NAMES_MAX:
                return {HOLE}
        return {re.sub(r"\*+", HOLE, text) for text in texts}

    def attribute(self, node, depth):
        """Of self, as the constructor sets it."""
        texts = set()
        of_class = self.around[-1].of_class if self.around else None
        for value, around in self.module.attributes.get((of_class, node.attr), []):
            inner = Texts(self.module, around)
            texts |= inner.of(value, depth + 1)
            self.decided_by |= inner.decided_by
        return texts or {HOLE}

    def variable(self, node, depth):
        for scope in (*reversed(self.around), None):
            if values := self.module.values.get((scope, node.id)):
                before = [v for v in values if v.lineno < node.lineno and node not in ast.walk(v)]
                return set().union(*(self.of(v, depth + 1) for v in before or values)) or {HOLE}
            if scope and node.id in parameters(scope):
                self.decided_by.add((scope, node.id))
                return {HOLE}
        return {HOLE}


def metadata_name(node, around, module):
    """The expression of "name" in `lambda: {"name": …}`, in a function of that kind, or in dict(name=…)."""
    if isinstance(node, ast.Name):
        inner = [f for (scope, n), f in functions_of(module).items() if n == node.id and scope in (*around, None)]
        node = next((r.value for f in inner for r in ast.walk(f) if isinstance(r, ast.Return)), node)
    body = node.body if isinstance(node, ast.Lambda) else node
    if isinstance(body, ast.Dict):
        return next((v for k, v in zip(body.keys, body.values, strict=True) if isinstance(k, ast.Constant) and k.value == "name"), None)
    if isinstance(body, ast.Call) and called(body) == "dict":
        return next((k.value for k in body.keywords if k.arg == "name"), None)
    return None


def functions_of(module):
    if not hasattr(module, "functions"):
        module.functions = {}

        def walk(node, scope):
            for child in ast.iter_child_nodes(node):
                inner = isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef))
                if inner:
                    module.functions[scope, child.name] = child
                walk(child, child if inner else scope)

        walk(module.tree, None)
    return module.functions


def read(folder):
    """The modules below the folder that mention one of the functions, directly or by a wrapper."""
    texts = {}
    for path in sorted(folder.rglob("*.py")):
        try:
            texts[path] = path.read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            print(f"trace_calls.py: cannot read {path}: {error.strerror}", file=sys.stderr)
    return texts


class Search:
    def __init__(self, folder):
        self.folder = folder
        self.texts = read(folder)
        self.modules = {}
        self.sinks = dict(SINKS)
        self.found = {}  # (key, name or None) -> places

    def module(self, path):
        if path not in self.modules:
            self.modules[path] = None
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    tree = ast.parse(self.texts[path])
            except (SyntaxError, ValueError, RecursionError):
                return None
            module = self.modules[path] = Module(path, path.relative_to(self.folder).as_posix())
            module.tree = tree
            module.visit(tree)
        return self.modules[path]

    def run(self):
        asked = set()
        while new := self.sinks.keys() - asked:
            asked |= new
            words = re.compile(r"\b(?:" + "|".join(map(re.escape, sorted(new))) + r")\b")
            for path, text in self.texts.items():
                if words.search(text) and (module := self.module(path)):
                    for call, around in module.calls:
                        if called(call) in new:
                            self.call(module, call, around)
        return self.found

    def call(self, module, call, around):
        sink = self.sinks[called(call)]
        if around and around[-1].name in SINKS:
            return  # the functions of torch._logging that call each other
        if sink.unless and argument(call, sink.unless) is not None:
            return
        texts = Texts(module, around)
        keys = {sink.fixed} if sink.fixed else texts.of(argument(call, sink.key) or sink.default)
        if not sink.fixed and self.passes_on(texts, keys, None, call):
            return
        for key in keys:
            self.add(module, call, around, key, sink)

    def add(self, module, call, around, key, sink):
        place = f"{module.where}:{call.lineno}"
        if key not in NAMED:
            self.found.setdefault((key, None), []).append(place)
            return
        texts = Texts(module, around)
        node = (argument(call, sink.name) or sink.default) if sink.name else metadata_name(argument(call, sink.metadata), around, module)
        names = texts.of(node) if node is not None else {HOLE}
        if self.passes_on(texts, names, key, call):
            return
        for name in names:
            self.found.setdefault((key, name), []).append(place)

    def passes_on(self, texts, names, key, call):
        """Whether the name, or the key (`key` is None), is all a parameter's: then calls of that function are searched, too."""
        if names != {HOLE} or len(texts.decided_by) != 1:
            return False
        ((function, name),) = texts.decided_by
        called_as = function.of_class.name if function.name == "__init__" and function.of_class else function.name
        if called_as not in self.sinks and not called_as.startswith("__"):
            places = parameters(function)
            unless = places.get(logs_unless(function, call))
            what = {"name": places[name], "fixed": key} if key else {"key": places[name]}
            self.sinks[called_as] = Sink(**what, unless=unless, default=default_of(function, name))
        return called_as in self.sinks


def default_of(function, name):
    arguments = function.args
    names = [a.arg for a in (*arguments.posonlyargs, *arguments.args)]
    defaults = dict(zip(reversed(names), reversed(arguments.defaults), strict=False))
    defaults |= {a.arg: value for a, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)}
    return defaults.get(name)


def logs_unless(function, call):
    """The parameter that must be None for the call to be reached: the call is in the `else` of `if parameter is not None`."""
    for node in ast.walk(function):
        if (
            isinstance(node, ast.If)
            and isinstance(node.test, ast.Compare)
            and isinstance(node.test.left, ast.Name)
            and isinstance(node.test.ops[0], ast.IsNot)
            and any(call is inner for part in node.orelse for inner in ast.walk(part))
        ):
            return node.test.left.id
    return None


def known_keys():
    text = (TOP / "src/kinds/registry.c").read_text()
    return set(re.findall(r'^    \{"(\w+)", ORDER_', text, re.M))


def described():
    """The names and patterns of web/src/ui/artifact-help.ts."""
    text = (TOP / "web/src/ui/artifact-help.ts").read_text()
    table = text[text.index("ARTIFACTS") : text.index("\n};")]
    return [a or b for a, b in re.findall(r'^  (?:"([^"]+)"|(\w+)):', table, re.M)]


def is_described(name, names):
    """As artifactHelp() of artifact-help.ts; a hole in the name may be anything that a pattern wants."""
    for known in names:
        if HOLE in known:
            pattern = ".+".join(map(re.escape, known.split(HOLE)))
            if re.match(pattern + r"(?![a-zA-Z])", name.replace(HOLE, "0__0")):
                return True
        elif name.startswith(known) and (known.endswith("_") or not name[len(known) : len(known) + 1].isalpha()):
            return True
    return False


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("folder", type=Path, metavar="FOLDER")
    words.add_argument("--all", action="store_true", help="print known names, too")
    options = words.parse_args()
    if not options.folder.is_dir():
        words.error(f"not a folder: {options.folder}")
    folder = options.folder / "torch" if (options.folder / "torch/_logging").is_dir() else options.folder
    keys, names, unknown = known_keys(), described(), 0
    found = Search(folder).run()
    for (key, name), places in sorted(found.items(), key=lambda item: (item[0][0], item[0][1] or "")):
        known = key in keys if name is None else is_described(name, names)
        unknown += not known
        if options.all or not known:
            print(f"{'known  ' if known else 'unknown'} {key}{'' if name is None else ' ' + name}: {', '.join(places)}")
    print(f"{unknown} unknown of {len(found)}")
    return 2 if not found else 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
