"""The schemas of doc/ as one set of definitions, in the two forms that the checks need."""
import json
from pathlib import Path

DOC = Path(__file__).resolve().parent.parent.parent / "doc"
FILES = ("report.schema.json", "page-data.schema.json")


def load():
    """{name: definition} of both files, which may refer to each other."""
    defs = {}
    for name in FILES:
        text = (DOC / name).read_text(encoding="utf-8")
        for key, value in json.loads(text.replace('"report.schema.json#/', '"#/'))["$defs"].items():
            assert key not in defs, f"{name}: {key} is defined twice"
            defs[key] = value
    return defs


def target(ref):
    """The name of the definition that a $ref refers to."""
    prefix = "#/$defs/"
    assert ref.startswith(prefix), f"{ref}: not a reference to a definition"
    return ref[len(prefix):]


def flat(defs, name):
    """A definition including the members of those that it extends (allOf), and {member: name of the declaring definition}."""
    schema = defs[name]
    if "allOf" not in schema:
        return schema, dict.fromkeys(schema.get("properties", {}), name)
    whole, owner = {"type": "object", "description": schema.get("description"), "properties": {}, "required": []}, {}
    for part in schema["allOf"]:
        if "$ref" in part:
            base, owners = flat(defs, target(part["$ref"]))
        else:
            base, owners = part, dict.fromkeys(part["properties"], name)
        whole["properties"] |= base["properties"]
        whole["required"] += base.get("required", [])
        whole.update({key: value for key, value in base.items() if key == "dependentRequired"})
        owner |= owners
    return whole, owner


def closed(defs):
    """The definitions with unknown members forbidden. Readers must accept these (a later version may add some), but this
    version must not write them."""
    def close(schema):
        if isinstance(schema, list):
            return [close(item) for item in schema]
        if not isinstance(schema, dict):
            return schema
        here = {key: close(value) for key, value in schema.items()}
        if isinstance(schema.get("properties"), dict) and schema.get("type") == "object":
            here.setdefault("additionalProperties", False)
        return here
    return {name: close(flat(defs, name)[0]) for name in defs}


def faults(defs):
    """Errors in the schemas themselves."""
    def look(schema, path, named):
        if isinstance(schema, list):
            for i, item in enumerate(schema):
                yield from look(item, f"{path}/{i}", path.endswith("/allOf") and named)
        elif isinstance(schema, dict):
            if path.endswith("/properties"):
                named = False
            elif isinstance(schema.get("properties"), dict):
                if not named:
                    yield f"{path}: an object inside a definition; give it a name in $defs"
                if schema.get("additionalProperties", True) is False:
                    yield f"{path}: it forbids unknown members"
                for member, value in schema["properties"].items():
                    if isinstance(value, dict) and not value.get("description") and "$ref" not in value:
                        yield f"{path}: {member} has no description"
                for member in set(schema.get("required", [])) - set(schema["properties"]):
                    yield f"{path}: {member} is required but not described"
            for key, value in schema.items():
                yield from look(value, f"{path}/{key}", named and key == "allOf")
    for name, schema in defs.items():
        yield from look(schema, name, True)


class Coverage:
    """The members of definitions that were seen."""

    def __init__(self, defs):
        self.defs = {name: flat(defs, name) for name in defs}
        self.seen = set()

    def declared(self):
        return {f"{owner}.{member}" for _, owners in self.defs.values() for member, owner in owners.items()}

    def see(self, name, value):
        self._walk({"$ref": f"#/$defs/{name}"}, value, None)

    def _walk(self, schema, value, owners):
        while "$ref" in schema:
            schema, owners = self.defs[target(schema["$ref"])]
        for branch in schema.get("anyOf", schema.get("oneOf", ())):
            if value is not None and branch.get("type") != "null":
                self._walk(branch, value, owners)
        if isinstance(value, list):
            first = schema.get("prefixItems", [])
            for i, item in enumerate(value):
                self._walk(first[i] if i < len(first) else schema.get("items", {}), item, None)
        elif isinstance(value, dict):
            further = schema.get("additionalProperties")
            for member, part in value.items():
                if member in schema.get("properties", {}):
                    self.seen.add(f"{owners[member]}.{member}")
                    self._walk(schema["properties"][member], part, None)
                elif isinstance(further, dict):
                    self._walk(further, part, None)
