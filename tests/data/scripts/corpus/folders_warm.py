"""One script in two folders, run one after the other with the same cache of inductor; the second has one changed function."""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

MODEL = '''import torch


def encode(x, w):
    return torch.relu(x @ w).sum(dim=-1)


def decode(x):
    return torch.sigmoid(x) * 2


@torch.compile
def train(x, w):
    return encode(x, w).exp()


@torch.compile
def evaluate(x):
    return decode(x)


w = torch.ones(8, 8, requires_grad=True)
train(torch.ones(4, 8), w).sum().backward()
evaluate(torch.ones(6))
'''
top = Path(tempfile.mkdtemp(prefix="folders_"))
for folder, text in (("a", MODEL), ("b", MODEL.replace("* 2", "* 4"))):
    (top / folder).mkdir()
    (top / folder / "model.py").write_text(text, encoding="utf-8")
    subprocess.run([sys.executable, "model.py"], cwd=top / folder, env=os.environ, check=True)
