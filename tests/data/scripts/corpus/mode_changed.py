"""Three runs of one script, the last two with the cache of inductor that the first one filled: in the second and the third, two functions
have a mode or an option that they did not have, one has lost its option, and one has the option that it had."""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

MODEL = '''import torch


def scale(x):
    return x.sin() * 2


def shift(x):
    return (x + 1).sum()


def lose(x):
    return x.cos() + 3


def keep(x):
    return x.exp() - 4


BEFORE = {lose: {"options": {"max_fusion_size": 8}}}
AFTER = {scale: {"mode": "max-autotune-no-cudagraphs"}, shift: {"options": {"max_fusion_size": 8, "epilogue_fusion": False}}}
BOTH = {keep: {"options": {"aggressive_fusion": True}}}

for function in (scale, shift, lose, keep):
    compiled = torch.compile(function, dynamic=False, **{**CHANGED, **BOTH}.get(function, {}))
    for n in (4, 5):
        compiled(torch.ones(n))
'''
top = Path(tempfile.mkdtemp(prefix="modes_"))
for changed in ("BEFORE", "AFTER", "AFTER"):
    (top / "model.py").write_text(MODEL.replace("CHANGED", changed), encoding="utf-8")
    subprocess.run([sys.executable, "model.py"], cwd=top, env=os.environ, check=True)
