#!/usr/bin/env python3
"""Makes a large profile from a recorded one: its events again and again, each time later, in the form in which PyTorch writes them.

    make_profile.py -o OUT --size SIZE PROFILE
"""
import argparse
import gzip
import json
import re

UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--out", required=True)
    parser.add_argument("--size", required=True, help="bytes, or with K, M or G")
    parser.add_argument("profile")
    args = parser.parse_args()
    size = int(args.size.rstrip("KMG")) * UNITS.get(args.size[-1], 1)
    text = (gzip.open if args.profile.endswith(".gz") else open)(args.profile, "rt").read()
    trace = json.loads(text)
    events = [event for event in trace["traceEvents"] if event["ph"] == "X" and event["cat"] != "Trace"]
    first = min(event["ts"] for event in events)
    period = max(event["ts"] + event["dur"] for event in events) - first + 1000
    begin = text.index("[", text.index('"traceEvents"')) + 1
    pieces = []
    for event in events:
        piece = re.sub(r'("ts": )[0-9.]+', "@", json.dumps(event, indent=2), count=1).split("@")
        pieces.append((piece[0], event["ts"], piece[1]))
    with open(args.out, "w") as out:
        written, copy = out.write(text[:begin]), 0
        while written < size:
            block = ",\n".join(f'{head}"ts": {at + copy * period:.3f}{tail}' for head, at, tail in pieces)
            written += out.write((",\n" if copy else "\n") + block)
            copy += 1
        out.write('\n],"traceName": "profile.json" }')
    print(f"{args.out}: {copy} copies")


if __name__ == "__main__":
    main()
