"""`python -m tlparse` is the program `tlparse`."""
from __future__ import annotations

import os
import sys

from ._error import TlparseError
from ._program import find


def main() -> None:
    try:
        program = find()
    except TlparseError as error:
        sys.exit(f"tlparse: {error}")
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
