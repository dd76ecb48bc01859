// A report with links to code and with everything that a parser can add.
import { configuredReport } from "./report.mjs";

const ANSWERS = `
import json, sys
def say(**answer):
    print(json.dumps(answer))
for line in sys.stdin:
    record = json.loads(line)
    say(column="Lines", compile=record["compile"], value=record["payload"].count("\\n") + 1)
    say(column="First <b>", compile=record["compile"], value="<script>alert(1)</script>")
say(section="Sizes <b>", text="one\\ntwo <img src=x onerror=alert(1)>")
say(section="Sizes <b>", columns=["Name", "Size"], rows=[[f"<i>{n}</i>", n] for n in range(300)])
say(finding="Tile too small", severity="warning", message="\`64 < 128\`", advice="Use a larger tile.", compile="0/0",
    place={"file": "/home/user/src/graph_breaks.py", "line": 11, "function": "prints"})
say(link="https://example.org/board?a=<b>", title="Dashboard", compile="0/0")
say(file="../plan.html", text="<script>alert(1)</script>", compile="0/0")
print("garbage")
`;

export const hooksReport = () =>
  configuredReport("hooks", "graph_breaks", {
    source_link: "https://code.example.org/p/blob/{commit}/{path}#L{line}",
    source_commit: "abc123",
    source_root: "/home/user",
    parsers: { dynamo_graph_break_reason: ANSWERS, torch_version: "import sys\nsys.exit('no <b>')\n" },
  });
