"""Whether a value of JSON fits a schema, by jsonschema-rs of PyPI (tests/requirements.txt): with a validator in Python, some suites spent
half of their time on it."""
import json
import sys
from pathlib import Path

try:
    import jsonschema_rs
except ImportError:
    sys.exit("jsonschema-rs is missing: run this with .cache/python/bin/python3, which `./dev test` installs")

DOC = Path(__file__).resolve().parent.parent.parent / "doc"


class Validator:
    """Of a schema, and of the schemas that it refers to as {name: schema}. Raises ValueError if the schema itself is wrong."""

    def __init__(self, schema, others=None):
        known = [(name, other) for name, other in (others or {}).items()]
        self._schema = jsonschema_rs.validator_for(schema, registry=jsonschema_rs.Registry(known) if known else None)

    def faults(self, value):
        """What does not fit, sorted: "path: message"."""
        return sorted(f"{'/'.join(map(str, e.instance_path))}: {e.message[:300]}" for e in self._schema.iter_errors(value))


def documented(name, definition=None):
    """The validator of a schema of doc/, or of one of its definitions."""
    schemas = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in DOC.glob("*.schema.json")}
    schema = schemas[name]
    return Validator({**schema, "$ref": f"#/$defs/{definition}"} if definition else schema, schemas)


def check(validator, value):
    """Raises AssertionError with the first faults."""
    faults = validator.faults(value)
    assert not faults, faults[:3]
