"""What the tests of run and runs share: programs, calls of tlparse with a home and a store of their own, and what the store keeps."""
import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
import samples  # noqa: E402
import validate  # noqa: E402
from cases import LIMIT_S, case, main, small_disk, wait_until  # noqa: E402, F401  # for the files with cases

tlparse = None  # the path of the program
PYTHON = sys.executable
COPY = "import os,shutil,sys\nfor log in sys.argv[1:]: shutil.copy(log, os.environ['TORCH_TRACE'])\n"


def log(name):
    """Paths of the logs of a sample."""
    path = samples.LOGS / name
    return sorted(str(p) for p in path.rglob("dedicated_log_*")) if path.is_dir() else [str(path)]


def environment(**more):
    keep = {name: os.environ[name] for name in ("PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS") if name in os.environ}
    here = os.getcwd()
    return {**keep, "LC_ALL": "C.UTF-8", "TZ": "UTC", "HOME": here, "XDG_STATE_HOME": here + "/state", "COLUMNS": "80",
            "PYTHONDONTWRITEBYTECODE": "1", **more}


def start(*arguments, env=None, **how):
    how = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **how}
    return subprocess.Popen([tlparse, *map(str, arguments)], env=environment(**(env or {})), **how)


class Done:
    def __init__(self, process, stdin=None):
        out, said = process.communicate(stdin, timeout=LIMIT_S)
        self.status, self.out, self.said = process.returncode, (out or b"").decode(), (said or b"").decode()


def call(*arguments, stdin=None, **how):
    return Done(start(*arguments, **({"stdin": subprocess.PIPE} if stdin is not None else {}), **how), stdin)


def run(*arguments, **how):
    return call("run", *arguments, **how)


def python(code, *arguments):
    return [PYTHON, "-c", code, *arguments]


def runs(*arguments, status=0, **how):
    done = call("runs", *arguments, **how)
    assert done.status == status, (done.status, done.said)
    return done.out


def kept(**how):
    """The runs that are kept, newest first."""
    return json.loads(runs("--format", "json", **how))["runs"]


def wait_for_file(path):
    wait_until(Path(path).exists, path)


def check_schema(text):
    validate.check(validate.documented("runs.schema.json"), json.loads(text))
