"""Programs that the tests run with an interpreter of their own."""
import os
import subprocess
import sys
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path


def output(tmp_path: Path, site: Path, parts: Sequence[str], arguments: Sequence[str], variables: Mapping[str, str]) -> str:
    """What a program of these parts prints, with the packages of a folder and with variables of the environment."""
    file = tmp_path / "program.py"
    file.write_text("".join(map(textwrap.dedent, parts)), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(file), *arguments], cwd=tmp_path, capture_output=True, encoding="utf-8",
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(site), os.environ["PYTHONPATH"]]), **variables}, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
