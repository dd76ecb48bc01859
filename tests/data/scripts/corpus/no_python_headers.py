"""A machine without Python's files for development: the C++ compiler does not find Python.h."""
import os
import stat
import tempfile

compiler = os.path.join(tempfile.mkdtemp(), "c++")
with open(compiler, "w") as script:
    script.write('#!/bin/bash\nfor a; do case $a in -I*/include/python3*) ;; *) args+=("$a");; esac; done\nexec g++ "${args[@]}"\n')
os.chmod(compiler, stat.S_IRWXU)
os.environ["CXX"] = compiler

import torch


@torch.compile
def scale(x):
    return (x * 2).relu().sum()


try:
    print(scale(torch.ones(64)))
except Exception as error:
    print(type(error).__name__)
