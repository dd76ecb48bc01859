#!/usr/bin/env python3
"""A parser of one's own: adds a column and a section to the report.

    tlparse trace --parser my_kind='python3 parser.py'

It reads records such as trace_structured("artifact", metadata_fn=lambda: {"name": "my_kind", "encoding": "json"},
payload_fn=lambda: '{"tile": 64}'). Each line of standard input has one of them.
"""
import json
import sys

rows = []
for line in sys.stdin:
    record = json.loads(line)
    tile = json.loads(record["payload"])["tile"]
    print(json.dumps({"column": "Tile", "compile": record["compile"], "value": tile}))
    rows.append([record["compile"], record["line"], tile])
print(json.dumps({"section": "Tiles", "columns": ["Compile", "Log line", "Tile"], "rows": rows}))
