#!/usr/bin/env python3
"""Cases of what `tlparse share --redact` leaves: words in every text of every kind of record, in many forms.

    run.py [--tlparse build/tlparse] [--list] [NAME...]

The logs are those of tests/data/logs: the smallest record of each kind. Words are written into the texts of its envelope and payload, the log is shared
with all kinds redacted, and no word may be in the file, as it is, decoded, or with other case.
"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "cli"))
import common
import planted  # noqa: F401  # adds its cases, as the following do
import leaks  # noqa: F401
import cost  # noqa: F401


def use(tlparse, _update):
    common.tlparse = tlparse


if __name__ == "__main__":
    sys.exit(common.main(__doc__, use))
