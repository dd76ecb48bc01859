"""The tool that lists what a PyTorch logs and this program does not know, on a small tree of Python files."""
import subprocess
import sys
import tempfile
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
FILES = {
    "known.py": """
from torch._logging import trace_structured
def f(kind, fail):
    trace_structured("dynamo_start", lambda: {})
    trace_structured("artifact", metadata_fn=lambda: {"name": "fx_graph_runnable", "encoding": "string"})
    name = "compilation_metrics"
    if fail:
        name = "bwd_" + name
    trace_structured(name)
    torch._logging.trace_structured("artifact", lambda: {"name": f"{kind}_ORIGINAL_BYTECODE", "encoding": "string"})
""",
    "unknown.py": """
def f(x):
    torch._logging.trace_structured("new_key_of_torch", lambda: {})
    trace_structured("artifact", metadata_fn=lambda: {"name": "new_a" if x else "new_b", "encoding": "string"})
    trace_structured_artifact(f"new_{x}_part", "string", lambda: x)
    def metadata():
        return {"name": "new_graph"}
    trace_structured("graph_dump", metadata)
""",
    "wrapper.py": """
def log_it(what, out=None):
    if out is not None:
        out.append(what())
    else:
        trace_structured(f"{what()}")
class Source:
    def __init__(self, code, artifact_name=None):
        self._name = artifact_name
    def build(self):
        trace_structured("artifact", lambda: {"name": self._name, "encoding": "string"})
""",
    "caller.py": """
from wrapper import log_it, Source
log_it(lambda: "new_by_wrapper")
log_it(lambda: "never_logged", [])
Source("pass", artifact_name="new_by_class").build()
Source("pass")
""",
    "broken.py": "trace_structured('never_read'\n",
    "torch_free.py": "print('trace_structured')\n",
}
UNKNOWN = """\
unknown artifact new_*_part: unknown.py:5
unknown artifact new_a: unknown.py:4
unknown artifact new_b: unknown.py:4
unknown artifact new_by_class: caller.py:5
unknown graph_dump new_graph: unknown.py:8
unknown new_by_wrapper: caller.py:3
unknown new_key_of_torch: unknown.py:3
7 unknown of 12
"""


def call(folder, *more):
    return subprocess.run([sys.executable, TOP / "tools/trace_calls.py", folder, *more], capture_output=True, text=True, timeout=60)


def differences():
    wrong = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        empty = call(folder)
        if empty.returncode != 2 or empty.stdout != "0 unknown of 0\n":
            wrong.append(f"an empty folder: status {empty.returncode}, {empty.stdout}{empty.stderr}")
        for file, text in FILES.items():
            (folder / file).write_text(text)
        done = call(folder)
        if done.returncode != 1 or done.stdout != UNKNOWN:
            wrong.append(f"status {done.returncode}:\n{done.stdout}{done.stderr}")
        every = call(folder, "--all").stdout
        if "known   bwd_compilation_metrics: known.py:9" not in every:
            wrong.append(f"--all: {every}")
        for file in FILES.keys() - {"known.py"}:
            (folder / file).unlink()
        done = call(folder)
        if done.returncode or not done.stdout.startswith("0 unknown of "):
            wrong.append(f"known names: status {done.returncode}:\n{done.stdout}{done.stderr}")
    return wrong
