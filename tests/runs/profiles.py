"""Cases about `run --profile`: the steps that are recorded, the program's own profiles, and that the program does not notice.

The programs import the stand-in for PyTorch of tests/python, whose profiles have an event for each call of a compiled function.
tests/python/test_torch.py has cases with PyTorch itself.
"""
import json
import os
import re
import sys
from pathlib import Path

from common import HERE, case, kept, python, run

sys.path.insert(0, str(HERE.parent / "python"))
import standin

TRAIN = """
import os, sys, torch
def f(x): return x
f, other, optimizer = torch.compile(f), torch.optim.Optimizer(), torch.optim.Optimizer()
def train(steps, calls=1):
    for i in range(steps):
        for k in range(calls): f(2)
        optimizer.step(); other.step()
"""
INFER = """
import os, sys, torch
def f(x): return x
def g(x): return x
f, g = torch.compile(f), torch.compile(g)
def infer(steps):
    for i in range(steps): f(2), g(2)
"""


def profiled(steps, *code, env=None, status=0):
    """A run, with its folder, the member `profile` of its report, and the names of its traces."""
    site = standin.install(Path("site").absolute())
    done = run("--profile", steps, "--", *python("\n".join(code)), env={"PYTHONPATH": str(site), **(env or {})})
    assert done.status == status, (done.status, done.said)
    folder = Path("state/tlparse/runs", kept()[0]["id"])
    report = folder / "report/report.json"
    profile = json.loads(report.read_text()).get("profile") if report.exists() else None
    traces = sorted(re.sub(r"\d+[.]json[.]gz", "PID", path.name) for path in (folder / "profile").glob("trace-*"))
    assert not list((folder / "profile").glob("part-*"))
    return done, folder, profile, traces


def calls(profile):
    return profile["steps"], profile["regions"]["calls"]


@case
def steps_of_an_optimizer():
    done, folder, profile, traces = profiled(3, TRAIN, "train(10); print(len([p for p in sys.path if 'hook' in p]), len(torch.autograd.profiler.running))")
    assert (done.out, calls(profile), traces) == ("0 0\n", (3, 3), ["trace-PID"]) and "tlparse:" not in done.said, (done.out, profile, done.said)
    assert re.search(r"(?m)^Profile +.* in 3 calls of compiled frames, 3 steps", done.said)
    assert (folder / "hook").stat().st_mode & 0o777 == 0o700 and (folder / "profile").stat().st_mode & 0o777 == 0o700
    # With accumulated gradients, a step has several calls.
    assert calls(profiled(3, TRAIN, "train(10, calls=8)")[2]) == (3, 24)
    assert calls(profiled(1, TRAIN, "train(2)")[2]) == (1, 1)
    # The optimizer of the first steps was replaced.
    assert calls(profiled(2, TRAIN, "train(1); del optimizer; optimizer = torch.optim.Optimizer(); train(4)")[2])[0] == 2


@case
def steps_of_an_evaluation_do_not_count():
    code = "torch.is_grad_enabled = lambda: False\nfor i in range(40): f(2)\ntorch.is_grad_enabled = lambda: True\n"
    assert calls(profiled(3, TRAIN, code + "train(10, calls=2)")[2]) == (3, 6)


@case
def an_optimizer_that_is_compiled():
    """Its steps are not seen, so calls are steps after a while."""
    steps, regions = calls(profiled(3, TRAIN, "for i in range(60): f(2)")[2])
    assert (steps, regions) == (32, 32)


@case
def steps_without_an_optimizer():
    done, _, profile, traces = profiled(4, INFER, "infer(20)")
    assert (calls(profile), traces) == ((4, 8), ["trace-PID"]) and "tlparse:" not in done.said, (profile, done.said)
    assert calls(profiled(4, INFER, "infer(5)")[2]) == (4, 8)


@case
def a_program_that_ends_sooner():
    for end, status in (("", 0), ("sys.exit(7)", 7), ("raise KeyError('mine')", 1)):
        done, _, profile, _ = profiled(5, TRAIN, "train(3)", end, status=status)
        assert calls(profile) == (2, 2) and "tlparse: the profile has 2 of 5 steps: the program ended\n" in done.said, done.said
        assert ("KeyError: 'mine'" in done.said) == (status == 1)
    done, _, profile, traces = profiled(5, TRAIN, "train(3); f(2)")
    assert calls(profile) == (3, 3) and "tlparse: the profile ends in step 3 of 5: the program ended\n" in done.said, done.said
    for code in (TRAIN + "train(1)", INFER + "infer(1)"):
        done, _, profile, traces = profiled(5, code)
        assert profile is None and not traces and "tlparse: no profile was recorded: the program ended before its second step" in done.said, done.said
    done, _, profile, traces = profiled(5, TRAIN, "train(3); os.kill(os.getpid(), 9)", status=-9)
    assert profile is None and not traces and "tlparse: no profile was recorded\nhint: a profile needs " in done.said, done.said


@case
def the_profiler_of_the_program():
    own = "with torch.profiler.profile() as mine: infer(7)\n"
    for steps, first in ((3, 1), (3, 2), (3, 9), (0, 9)):  # before ours, while it records, after it, and without it
        done, folder, profile, traces = profiled(steps, INFER, f"infer({first})", own + "mine.export_chrome_trace('mine.json')")
        assert calls(profile) == (0, 14) and "tlparse:" not in done.said, (profile, done.said)
        assert [file["name"] for file in profile["files"]] == ["mine.json"]
        links = list((folder / "profile/own").iterdir())
        assert [os.readlink(link) for link in links] == [os.path.realpath("mine.json")], links
        Path("mine.json").unlink()
    done, _, profile, traces = profiled(3, INFER, "infer(3)", own)
    assert calls(profile) == (2, 4) and "tlparse: the profile has 2 of 3 steps: the program uses torch.profiler itself\n" in done.said, done.said
    done, _, profile, traces = profiled(3, INFER, "infer(1)", own)
    assert profile is None and "tlparse: no profile was recorded: the program uses torch.profiler itself\n" in done.said, done.said
    # It is active when ours would begin.
    done, _, profile, _ = profiled(3, INFER, own)
    assert profile is None and "the program uses torch.profiler itself\n" in done.said, done.said
    done, _, profile, _ = profiled(0, INFER, "infer(9)")
    assert profile is None and "tlparse: no profile: the program exported none with torch.profiler\n" in done.said, done.said


@case
def an_own_sitecustomize():
    os.mkdir("own")
    Path("own/sitecustomize.py").write_text("import sys\nsys.mine = __file__\n")
    path = {"PYTHONPATH": f"{Path('own').absolute()}:{standin.install(Path('site').absolute())}"}
    done, _, profile, _ = profiled(2, TRAIN, "train(9); print(sys.mine, sys.modules['sitecustomize'].__file__)", env=path)
    assert done.out.split() == [str(Path("own/sitecustomize.py").absolute())] * 2
    assert calls(profile) == (2, 2)
    Path("own/sitecustomize.py").write_text("import nothing_like_it\n")
    done, _, profile, _ = profiled(2, TRAIN, "train(9)", env=path)
    assert calls(profile) == (2, 2) and "No module named 'nothing_like_it'" in done.said, done.said


@case
def each_process_has_its_trace():
    code = "import subprocess\nif 'RANK' not in os.environ:\n    for r in '01': subprocess.run([sys.executable, '-c', open('rank.py').read()], env={**os.environ, 'RANK': r})\n"
    Path("rank.py").write_text(TRAIN + "train(4)")
    _, _, profile, traces = profiled(2, TRAIN, code)
    assert traces == ["trace-rank-0-PID", "trace-rank-1-PID"], traces
    # A child that begins while the parent records has no profile, and one before has its own.
    fork = "if os.fork() == 0: train(5); os._exit(0)\nos.wait()\n"
    assert len(profiled(2, TRAIN, "train(2);", fork, "train(2)")[3]) == 1
    assert len(profiled(2, TRAIN, fork, "train(5)")[3]) == 2


@case
def threads():
    """Other threads neither make steps nor begin or end the profile."""
    code = "import threading\ndef thread(steps): t = threading.Thread(target=train, args=(steps,)); t.start(); t.join()\n"
    done, _, profile, traces = profiled(3, TRAIN, code, "thread(9)")
    assert not traces and "tlparse: no profile was recorded: compiled functions are only called in other threads than the main one\n" in done.said, done.said
    done, _, profile, traces = profiled(3, TRAIN, code, "thread(9); train(2); thread(9); train(2)")
    assert profile["steps"] == 3 and "tlparse:" not in done.said, (profile, done.said)


@case
def torch_is_found_before_it_is_imported():
    assert calls(profiled(2, "import importlib.util\nassert importlib.util.find_spec('torch')", TRAIN, "train(9)")[2]) == (2, 2)
    done = run("--profile", "2", "--", *python("import json, sys; print(len(sys.meta_path), 'sitecustomize' in sys.modules)"))
    assert done.status == 0 and done.out.endswith("True\n") and "tlparse_recorder" not in done.out, done.out


@case
def what_fails_is_not_the_program():
    site = standin.install(Path("site").absolute())
    (site / "torch/optim/optimizer.py").write_text("class Optimizer:\n    def step(self): pass\n")
    done = run("--profile", "2", "--", *python(TRAIN + "train(5); print('end')"), env={"PYTHONPATH": str(site)})
    assert done.status == 0 and done.out == "end\n", done.said
    assert "no profile was recorded: this torch lacks what --profile needs: cannot import name" in done.said, done.said
    done, _, profile, traces = profiled(2, TRAIN, "train(9); print('end')", env={"STANDIN_FAILS": "1"})
    assert done.out == "end\n" and not traces and "torch.profiler failed: the disk is full\n" in done.said, done.said


@case
def files_that_are_no_profiles():
    """The program may write anything to the folder."""
    folder = "folder = os.path.join(os.path.dirname(os.environ['TORCH_TRACE']), 'profile')\n"
    for code, text in (("os.symlink('gone', folder + '/own/x'); os.mkfifo(folder + '/trace-x')", "tlparse: no profile was recorded\n"),
                       ("os.mkfifo(folder + '/note-x'); open(folder + '/note-y', 'w').write('a\\x1bb\\nc')", "tlparse: a"),
                       ("open(folder + '/trace-x.json', 'w').write('{')", "trace-x.json ends before the end of its events"),
                       ("os.rmdir(folder + '/own'); os.rmdir(folder)", "tlparse: no profile was recorded\n")):
        done, _, profile, _ = profiled(2, TRAIN, "f(2)", folder + code, "os.kill(os.getpid(), 9)", status=-9)
        assert (profile is None or profile["files"][0]["refused"]) and text in done.said and "\nreport: " in done.said and "\x1b" not in done.said, done.said


@case
def a_wrong_number_of_steps():
    for text in ("-1", "x", "100001", ""):
        done = run("--profile", text, "--", *python("open('ran', 'w')"))
        assert done.status == 2 and "--profile" in done.said and not Path("ran").exists(), (text, done.said)
