#!/usr/bin/env python3
"""Writes python/tlparse/types.py: a class for each object of report.json and of the answers, from the schemas in doc/.

    python_types.py [COPY]     write the file, and the same to COPY: the build has one, which a wheel gets

The file is not committed. The build writes it, so that the package can be imported from a source checkout.
"""
import json
import keyword
import re
import sys
import textwrap
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
OUT = TOP / "python/tlparse/types.py"
WIDTH = 120
ROOTS = {"diff": "diff_members", "summary": "summary", "graph": None}  # schemas of answers -> name of their definition; None: only $defs
NAMES = {"report": "ReportMembers"}  # Report and Diff of the API add methods to these
MIXINS = {  # definition -> class of _behavior.py that adds methods
    "artifact": "ArtifactText", "rank": "RankReport", "rank_member": "RankReport", "place": "PlaceText", "frame": "PlaceText",
    "stack_frame": "PlaceText", "tree_frame": "PlaceText",
}
NOT_CLASSES = {"report_common", "compile_summary", "compile_details"}  # only parts of others, or of the page's data
TAKEN = {"extra", "report", "to_dict"}  # members of Node
SCALARS = {"integer": "int", "number": "float", "string": "str", "boolean": "bool", "null": "None"}


class Unknown(Exception):
    """A schema uses what this script does not know."""


def load():
    """All definitions by name: those of all schemas, and the root objects of the others than report.schema.json."""
    defs = json.loads((TOP / "doc/report.schema.json").read_text(encoding="utf-8"))["$defs"]
    for stem, name in ROOTS.items():
        text = (TOP / f"doc/{stem}.schema.json").read_text(encoding="utf-8")
        schema = json.loads(text.replace('"report.schema.json#/', '"#/'))
        defs.update(schema.get("$defs", {}))
        if name:
            defs[name] = {key: value for key, value in schema.items() if key not in ("$schema", "title", "$defs")}
    return defs


def class_name(name):
    return NAMES.get(name, "".join(part.capitalize() for part in name.split("_")))


def attribute_name(member):
    """The name of the attribute of a member."""
    name = re.sub(r"\W", "_", member)
    return f"{name}_" if keyword.iskeyword(name) or name in TAKEN or name[0].isdigit() else name


def literal(value):
    return "None" if value is None else json.dumps(value, ensure_ascii=False)


def ref_name(schema):
    return schema["$ref"].removeprefix("#/$defs/") if "$ref" in schema else None


class Generator:
    def __init__(self, defs):
        self.defs, self.nested = defs, []

    def merged(self, schema):
        """(properties, required names) of an object, with those of its allOf and $ref."""
        properties, required = {}, set(schema.get("required", ()))
        parts = [*schema.get("allOf", ()), *([self.defs[ref_name(schema)]] if "$ref" in schema else ())]
        for part in parts:
            found, needed = self.merged(part)
            properties.update(found)
            required |= needed
        properties.update(schema.get("properties", {}))
        return properties, required

    def is_object(self, schema):
        return "properties" in schema or "allOf" in schema

    def alias(self, name):
        """Whether a definition is not an object with known members: a list, a text, a map."""
        return not self.is_object(self.defs[name])

    def kind(self, schema, owner):
        """(type, how to build it, name of its class) of a value. How: value, node, nodes, nodes_map, values, fixed, frozen."""
        name = ref_name(schema)
        if name:
            if self.alias(name):
                kind, how, item = self.kind(self.defs[name], name)
                return (class_name(name) if how == "value" and kind.startswith("Literal") else kind), how, item
            return class_name(name), "node", class_name(name)
        if "anyOf" in schema or "oneOf" in schema:
            return self.any_of(schema.get("anyOf") or schema["oneOf"], owner)
        if "const" in schema or "enum" in schema:
            values = [schema["const"]] if "const" in schema else schema["enum"]
            return f"Literal[{', '.join(literal(v) for v in values)}]", "value", None
        if self.is_object(schema):  # an object without a definition is named after its owner
            self.nested.append((owner, schema))
            return class_name(owner), "node", class_name(owner)
        kinds = schema.get("type", ())
        if isinstance(kinds, list):
            rest = [k for k in kinds if k != "null"]
            if len(rest) == 1 and rest[0] in ("object", "array"):
                kind, how, item = self.kind({**schema, "type": rest[0]}, owner)
                return f"Optional[{kind}]", how, item
            # float includes int for type checkers
            names = [SCALARS[k] for k in rest if not (k == "integer" and "number" in rest)]
            kind = names[0] if len(names) == 1 else f"Union[{', '.join(names)}]"
            return (f"Optional[{kind}]" if "null" in kinds else kind), "value", None
        if kinds in SCALARS:
            return SCALARS[kinds], "value", None
        if kinds == "array":
            return self.array(schema, owner)
        if kinds == "object":
            return self.mapping(schema, owner)
        if not kinds and schema.keys() <= {"description"}:
            return "Any", "frozen", None
        raise Unknown(f"{owner}: {schema}")

    def any_of(self, choices, owner):
        rest = [c for c in choices if c.get("type") != "null"]
        if len(rest) != 1 or len(rest) == len(choices):
            raise Unknown(f"{owner}: anyOf {choices}")
        kind, how, item = self.kind(rest[0], owner)
        return f"Optional[{kind}]", how, item

    def array(self, schema, owner):
        if "prefixItems" in schema:
            kinds = [self.kind(item, owner) for item in schema["prefixItems"]]
            classes = ", ".join(f"[{item}]" if how == "nodes" else item or "None" for _, how, item in kinds)
            return f"Tuple[{', '.join(kind for kind, _, _ in kinds)}]", "fixed", f"({classes})"
        kind, how, item = self.kind(schema.get("items", {}), f"{owner}_item")
        if how == "node":
            return f"Sequence[{kind}]", "nodes", item
        return f"Tuple[{kind}, ...]", "frozen", None

    def mapping(self, schema, owner):
        kind, how, item = self.kind(schema["additionalProperties"] if isinstance(schema.get("additionalProperties"), dict) else {}, owner)
        if how == "node":
            return f"Mapping[str, {kind}]", "nodes_map", item
        return f"Mapping[str, {kind}]", "frozen", None

    def member(self, owner, member, schema, required):
        """The line of a member: its type, what it is, and how it is built."""
        kind, how, item = self.kind(schema, f"{owner}_{member}")
        if not required and not kind.startswith("Optional[") and kind != "Any":
            kind = f"Optional[{kind}]"
        described = schema.get("description") or self.defs.get(ref_name(schema), {}).get("description") or ""
        name, words = attribute_name(member), [json.dumps(first_sentence(described), ensure_ascii=False)]
        if how != "value":
            words.append(f"as_{how}")
        if item:
            words.append(f"lambda: {item}")
        if not required:
            words.append("required=False")
        if name != member:
            words.append(f'key="{member}"')
        return f"    {name}: Member[{kind}] = Member({', '.join(words)})"

    def object(self, name, schema):
        properties, required = self.merged(schema)
        bases = ", ".join([MIXINS[name]] if name in MIXINS else []) or "Node"
        lines = [
            f"class {class_name(name)}({bases}):",
            *docstring(schema.get("description", ""), 4),
            "    __slots__ = ()",
            "",
        ]
        lines += [self.member(name, member, value, member in required) for member, value in properties.items()]
        return [*lines, "", ""]

    def file(self):
        body, aliases = [], []
        for name, schema in self.defs.items():
            if name in NOT_CLASSES:
                continue
            if self.is_object(schema):
                body += self.object(name, schema)
                while self.nested:
                    body += self.object(*self.nested.pop(0))
            else:
                kind, how, _ = self.kind(schema, name)
                if how == "value" and kind.startswith("Literal"):
                    aliases.append(wrapped_alias(class_name(name), kind))
        return HEADER + "\n".join([*aliases, "", "", *body]).rstrip() + "\n"


def first_sentence(text):
    """The schemas in doc/ have the rest, and a wheel has a limit on its size."""
    return re.sub(r"\bnull\b", "None", re.split(r"(?<=\.)\s", text, maxsplit=1)[0])


def docstring(text, indent):
    text = first_sentence(text).replace("\\", "\\\\").replace('"""', "'''")
    lines = textwrap.wrap(f'"""{text}"""', WIDTH, initial_indent=" " * indent, subsequent_indent=" " * indent, break_long_words=False)
    return lines


def wrapped_alias(name, kind):
    line = f"{name} = {kind}"
    return line if len(line) <= WIDTH else f"{name} = {kind[:-1].replace('[', '[' + chr(10) + '    ', 1)}{chr(10)}]"


HEADER = '''"""The objects of report.json and of the answers. Generated from the schemas in doc/ by tools/python_types.py: change those.

Members have the names of report.json; one that is a word of Python ends with an underscore. A member that the schema allows
to be absent is None then. Enumerations may get further values in later versions.
"""
from __future__ import annotations

from typing import Any, Literal, Mapping, Optional, Sequence, Tuple, Union

from ._behavior import ArtifactText, PlaceText, RankReport
from ._member import Member, as_fixed, as_frozen, as_node, as_nodes, as_nodes_map
from ._node import Node

'''


def main():
    text = Generator(load()).file()
    for copy in sys.argv[1:]:
        Path(copy).write_text(text, encoding="utf-8")
    try:
        if not OUT.exists() or OUT.read_text(encoding="utf-8") != text:
            OUT.write_text(text, encoding="utf-8")
    except OSError:  # the sources may be read-only: then the build only has its copy
        if not sys.argv[1:]:
            raise


if __name__ == "__main__":
    main()
