"""`python -m tlparse.run_parser FILE [KIND]` runs a parser of a file, as the command of `--parser`."""
from __future__ import annotations

import importlib.util
import os
import sys
from typing import Optional
from collections.abc import Sequence

from .parsers import Parser


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Runs a parser of a file: FILE [KIND]. Records are on standard input, answers go to standard output."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if not 1 <= len(given) <= 2:
        print("usage: python -m tlparse.run_parser FILE [KIND]", file=sys.stderr)
        return 2
    spec = importlib.util.spec_from_file_location("tlparse_parser", given[0])
    if spec is None or spec.loader is None:
        print(f"tlparse.run_parser: {given[0]} is no Python file", file=sys.stderr)
        return 2
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, os.path.dirname(os.path.abspath(given[0])))
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    found = [value for value in vars(module).values() if isinstance(value, Parser) and given[1:] in ([], [value.kind])]
    if len(found) != 1:
        wanted = f" of {given[1]}" if given[1:] else ""
        print(f"tlparse.run_parser: {given[0]} has {len(found)} parsers{wanted}, expected one", file=sys.stderr)
        return 2
    sys.stdin.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    found[0].answer(sys.stdin, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
