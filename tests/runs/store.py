"""Cases about the store: what it keeps of a run, names, limits, and hostile files in it."""
import json
import os
import re
import shutil
import stat
import subprocess
import time
from pathlib import Path

from common import COPY, PYTHON, Done, call, case, check_schema, environment, kept, log, python, run, runs, small_disk, start, wait_for_file, wait_until
from jobs import go, start_ranks


@case
def only_the_user_can_read_the_store():
    run("--", *python(COPY, *log("simple")), preexec_fn=lambda: os.umask(0))
    top = Path("state/tlparse/runs")
    one = top / kept()[0]["id"]
    for folder in (Path("state/tlparse"), top, one, one / "logs"):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700, folder
    for file in one.iterdir():
        assert file.is_dir() or stat.S_IMODE(file.stat().st_mode) == 0o600, file


@case
def a_full_disk_does_not_hide_how_a_run_ended():
    fill = """import os, sys
fd = os.open("disk/fill", os.O_WRONLY | os.O_CREAT)
for size in (65536, 4096, 1):
    try:
        while True: os.write(fd, bytes(size))
    except OSError: pass
if sys.argv[1] == "die": os.kill(os.getpid(), 9)
sys.exit(7)
"""
    with small_disk("1m"):
        for how, status, signal_name in (("exit", 7, None), ("die", None, "SIGKILL")):
            store = {"XDG_STATE_HOME": str(Path("disk/state").absolute())}
            done = run("--", *python(fill, how), env=store)
            assert done.status == (status or -9), (done.status, done.said)
            one = kept(env=store)[0]
            assert (one["state"], one["status"], one["signal"]) == ("ended", status, signal_name), one
            assert not list(Path("disk/state").rglob("run.json.new"))
            os.unlink("disk/fill")


@case
def the_store_is_bounded():
    for n in range(4):
        run("--keep", "3", "--", *python("pass"))
        if n == 0:
            runs("pin", "last")
    ids = [one["id"] for one in kept()]
    assert len(ids) == 3 and [one["pinned"] for one in kept()] == [False, False, True]
    assert f"{ids[2]}*" in runs() and re.search(r"\*\s+is\s+pinned", runs())
    process = start("run", "--", *python("import sys; open('ready', 'w'); sys.stdin.read()"), stdin=subprocess.PIPE)
    wait_for_file("ready")
    run("--keep", "1", "--", *python("pass"))
    assert [(one["state"], one["pinned"]) for one in kept()] == [("ended", False), ("running", False), ("ended", True)]
    assert Done(process, b"").status == 0
    runs("unpin", ids[2])
    run("--keep", "1", "--", *python("pass"))
    assert len(kept()) == 1
    assert sorted(p.name for p in Path("state/tlparse/runs").iterdir()) == [kept()[0]["id"]]


@case
def the_store_is_bounded_in_bytes():
    for _ in range(3):
        run("--", *python("pass"))
    ids = [one["id"] for one in kept()]
    file = Path("state/tlparse/runs") / ids[1] / "run.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "bytes": 10 << 30}))
    run("--", *python("pass"))
    assert [one["id"] for one in kept()][1:] == [ids[0], ids[2]]


@case
def what_a_killed_program_leaves_is_swept():
    top = Path("state/tlparse/runs")
    run("--", *python("pass"))
    for name, age in ((".new-00000001", 7200), (".new-00000002", 0), (".gone-00000003", 0)):
        (top / name / "logs").mkdir(parents=True)
        os.utime(top / name, (time.time() - age,) * 2)
    (top / "jobs").mkdir()
    (top / "jobs/key").symlink_to("0badf00d")
    assert len(kept()) == 1
    run("--", *python("pass"))
    assert sorted(p.name for p in top.iterdir() if p.name[0] == ".") == [".new-00000002"] and not os.listdir(top / "jobs")


@case
def runs_at_once_do_not_harm_each_other():
    processes = [start("run", "--keep", "3", "--", *python(COPY, *log("simple"))) for _ in range(8)]
    for process in processes:
        done = Done(process)
        assert done.status == 0 and "report: " in done.said and "cannot" not in done.said, done.said
    assert 3 <= len(kept()) <= 8 and all(one["state"] == "ended" and not one["damaged"] for one in kept())
    run("--keep", "3", "--", *python("pass"))
    assert len(kept()) == 3


@case
def runs_have_names():
    for _ in range(3):
        run("--", *python("pass"))
    ids = [one["id"] for one in kept()]
    for name, place in (("last", 0), ("last~1", 1), ("last~2", 2), (ids[1], 1)):
        assert runs("show", name).startswith(ids[place])
    top = Path("state/tlparse/runs")
    for old, new in zip(ids, ("aaaa0000", "aaaa1111", "bbbb0000"), strict=True):
        os.rename(top / old, top / new)
    assert runs("show", "aaaa1").startswith("aaaa1111") and runs("show", "b").startswith("bbbb0000")
    for name, text in (("aaaa", "aaaa is ambiguous: 2 runs"), ("cccc", "no run cccc"), ("last~3", "only 3 runs"), ("", "no run"),
                       ("../aaaa0000", "no run"), ("last~x", "no run")):
        done = call("runs", "show", name)
        assert done.status == 2 and text in done.said and not done.out, done.said


@case
def runs_are_removed():
    for _ in range(4):
        run("--", *python("pass"))
    ids = [one["id"] for one in kept()]
    runs("rm", ids[3], "last")
    assert [one["id"] for one in kept()] == ids[1:3]
    assert call("runs", "rm", ids[1], "nothing").status == 2 and len(kept()) == 2  # all or none
    runs("rm", "--older-than", "1d")
    assert len(kept()) == 2
    runs("pin", ids[1])
    runs("rm", "--older-than", "0s")
    assert [one["id"] for one in kept()] == [ids[1]]
    runs("rm", "--all")
    assert len(kept()) == 1
    runs("rm", ids[1])  # named
    assert kept() == []
    for wrong in (["rm"], ["rm", "--all", "last"], ["rm", "--older-than", "7"], ["rm", "--older-than", "d"], ["list", "x"], ["--all"], ["no"],
                  ["show", "a", "b"], ["diff", "a"], ["pin"], ["--stat"], ["--format", "markdown"]):
        done = call("runs", *wrong)
        assert done.status == 2 and not done.out and "tlparse: " in done.said, (wrong, done.said)
    assert "unknown action shwo: did you mean show?" in call("runs", "shwo").said


@case
def runs_are_compared():
    for name in ("cache_runs/first", "cache_runs/second"):
        run("--", *python(COPY, *log(name)))
    new, base = kept()
    here = call("diff", base["logs"], new["logs"], "--stat").out
    text = runs("diff", "--stat")
    assert [line.split() for line in text.split("\n")[1:]] == [line.split() for line in here.split("\n")[1:]]
    assert base["id"] in text and new["id"] in text, text
    assert runs("diff", "last~1", "last") == runs("diff") and runs("diff", new["id"], base["id"]) != runs("diff")
    assert json.loads(runs("diff", "--format", "json"))["limits"] == []
    assert "exceeded" in runs("diff", "--fail-on", "guards>-1", status=1)
    shutil.rmtree(new["logs"])
    assert "has no logs anymore" in call("runs", "diff").said


@case
def json_fits_its_schema():
    assert json.loads(runs("--format", "json"))["runs"] == []
    ranks = start_ranks(2)
    go(0), go(1)
    assert all(Done(process).status == 0 for process in ranks)
    run("--", *python(COPY, *log("simple")))
    run("--", *python("import os, signal; os.kill(os.getpid(), signal.SIGKILL)"))
    check_schema(runs("--format", "json"))
    check_schema(runs("show", "--format", "json"))
    assert len(json.loads(runs("show", "last~1", "--format", "json"))["runs"]) == 1


@case
def text_fits_the_terminal():
    run("--", *python("pass", "x" * 300))
    run("--", *python(COPY, *log("recompiles")))
    runs("pin", "last")
    for columns in (80, 200):
        for text in (runs(env={"COLUMNS": str(columns)}), runs("show", env={"COLUMNS": str(columns)})):
            assert max(map(len, text.split("\n"))) <= columns, text
            assert all(line == line.rstrip() for line in text.split("\n"))
    head, row = runs(env={"COLUMNS": "80"}).split("\n")[:2]
    assert head.split() == "Run Age Command Exit Compiles Compile time Recompiles Breaks".split(), head
    assert row.split()[-1] == str(kept()[0]["totals"]["graph_breaks"])


EVIL = "\x1b]0;title\x07\x1b[31m\u202e"


def hostile_files():
    good = {"format": "tlparse-run", "version": 1, "command": ["a"], "processes": [{}], "logs": "logs"}
    yield json.dumps({**good, "command": [EVIL, "b\n\nc"], "cwd": EVIL, "host": EVIL, "logs": "/" + EVIL, "report": EVIL,
                      "git": {"commit": EVIL * 9, "dirty": 1}, "packages": {"torch": EVIL}, "environment": {EVIL: EVIL}, "totals": {"compiles": EVIL},
                      "processes": [{"rank": 0, "signal": EVIL, "ended": "2026-01-01T00:00:00.000000Z"}], "started": "2026-01-01T00:00:00.000000Z"})
    yield json.dumps({**good, "started": EVIL})
    yield json.dumps({**good, "totals": {"compiles": -1, "time_us": 1e300, "recompiles": 2**64, "graph_breaks": []}, "bytes": 2**63})
    for key, value in (("command", "text"), ("command", [1]), ("processes", {}), ("processes", [[]]), ("git", []), ("environment", 7), ("cwd", {}),
                       ("job", "x"), ("totals", []), ("logs", 1)):
        yield json.dumps({**good, key: value})
    yield from ("", "{", "[]", "null", '"text"', "{}", json.dumps({"format": "other"}), "[" * 100000, '{"a":"' + "x" * (9 << 20) + '"}')
    yield json.dumps({**good, "processes": [{}] * 100000})


@case
def hostile_files_do_no_harm():
    run("--", *python("pass"))
    top = Path("state/tlparse/runs")
    for n, text in enumerate(hostile_files()):
        folder = top / f"{n:08x}"
        folder.mkdir()
        (folder / "run.json").write_text(text)
    for n, make in enumerate((lambda p: p.mkdir(), os.mkfifo, lambda p: p.symlink_to("/etc/passwd"))):
        (top / f"f{n:07x}").mkdir()
        make(top / f"f{n:07x}/run.json")
    (top / "ffffffff").symlink_to("/")
    (top / "eeeeeeee").write_text("a file")
    text = runs(env={"COLUMNS": "500"})
    assert "\x1b" not in text and "\x07" not in text and "\u202e" not in text and "  (damaged)  " in text
    check_schema(runs("--format", "json"))
    for one in kept():
        text = runs("show", one["id"])
        assert "\x1b" not in text and "\u202e" not in text and ("State         unknown" in text) == one["damaged"], text
    runs("rm", "--all")
    assert kept() == [] and Path("/etc/passwd").exists() and Path("/").exists()
    assert "\x1b" not in call("runs", "show", EVIL).said and "\x1b" not in call("runs", EVIL).said


@case
def names_cannot_control_the_terminal():
    Path(EVIL.replace("/", "")).mkdir()
    done = run("--", EVIL)
    assert done.status == 127 and "\x1b" not in done.said and "\\x1b" in done.said
    done = run("-o", EVIL + "2", "--", *python(COPY, *log("simple")), env={"TORCH_TRACE": EVIL})
    assert done.status == 0 and "\x1b" not in done.said and done.said.count("\\x1b") > 2, done.said




# ---- what is known about a run


SECRETS = ("hunter2", "tok123", "hf_abcdef", "sekret", "dXNlcjpwdw")


@case
def secrets_are_not_kept():
    env = {"HF_TOKEN": "hunter2", "TORCH_API_KEY": "tok123", "TORCH_URL": "https://me:sekret@host/", "TORCH_HUB": "hf_abcdef",
           "TORCH_LOGS": "+dynamo", "CUDA_VISIBLE_DEVICES": "0,1", "AWS_SECRET_ACCESS_KEY": "hunter2", "MY_SETTING": "private"}
    run("--", *python("pass", "--api-key=tok123", "--token", "hunter2", "--url", "s3://me:sekret@host/x", "PASSWORD=hunter2", "hf_abcdef",
                      "--max-tokens", "128", "--tokenizer", "gpt2"), env=env)
    one = kept()[0]
    text = (Path("state/tlparse/runs") / one["id"] / "run.json").read_text()
    assert not any(secret in text for secret in SECRETS), text
    assert one["command"][3:] == ["--api-key=***", "--token", "***", "--url", "s3://***@host/x", "PASSWORD=***", "***", "--max-tokens", "128", "--tokenizer", "gpt2"]
    assert one["environment"] == {"CUDA_VISIBLE_DEVICES": "0,1", "TORCH_LOGS": "+dynamo"}
    assert "TORCH_LOGS=+dynamo" in runs("show")


def everything_of(one):
    """All files that are kept of a run, with their names."""
    files = [p for p in Path("state/tlparse/runs").rglob("*") if p.is_file()]
    assert any(p.name == "index.html" for p in files) == bool(one["report"]), files
    return "".join(f"{p}\n{p.read_bytes().decode('utf-8', 'replace')}\n" for p in files)


@case
def secrets_within_arguments_are_not_kept():
    Path(".config/tlparse").mkdir(parents=True)
    Path(".config/tlparse/config.json").write_text(json.dumps({"notify": [PYTHON, "-c", "import sys; open('events', 'a').write(sys.stdin.read())"]}))
    env = {"HTTPS_PROXY": "http://user:hunter2@host", "MASTER_ADDR": "tcp://u:sekret@host", "HF_TOKEN": "hunter2", "CXX": "g++ -DTOKEN=tok123",
           "TORCH_HEADER": "Authorization: Bearer tok123", "TORCH_LINK": "https://h/x?a=1&token=sekret", "MASTER_PORT": "29500",
           "VLLM_CONFIG": '{"api_key": "hunter2"}', "LD_LIBRARY_PATH": "/opt/secret:/opt/keys"}
    arguments = {
        '{"lr": 1, "api_key": "hunter2"}': '{"lr": 1, "api_key": "***"}',
        "model.api_key=hunter2": "model.api_key=***",
        "+hub.token=hunter2": "+hub.token=***",
        "Authorization: Bearer tok123": "Authorization: ***",
        "Proxy-Authorization: Basic dXNlcjpwdw==": "Proxy-Authorization: ***",
        "https://h/x?a=1&token=sekret&b=2": "https://h/x?a=1&token=***&b=2",
        "https://h/x?X-Amz-Signature=sekret": "https://h/x?X-Amz-Signature=***",
        "https://h/x?se=1&sig=sekret": "https://h/x?se=1&sig=***",
        "use nvapi-tok123 or hf_abcdef": "use *** or ***",
        "--num-key-value-heads=8": "--num-key-value-heads=8",
        "author=x": "author=x",
    }
    line = "curl -H \"X-Api-Key: tok123\" h; python t.py --api-key=hunter2 --token sekret --tokenizer gpt2"
    done = run("--", "bash", "-c", f"{PYTHON} -c \"$0\" {log('simple')[0]} # {line}", COPY, *arguments, env=env)
    assert done.status == 0, done.said
    one = kept(env=env)[0]
    assert one["command"][4:] == list(arguments.values()), one["command"]
    assert one["command"][2].endswith("curl -H \"X-Api-Key: ***\" h; python t.py --api-key=*** --token *** --tokenizer gpt2"), one["command"]
    assert one["environment"] == {"LD_LIBRARY_PATH": "/opt/secret:/opt/keys", "MASTER_PORT": "29500"}, one["environment"]
    event = Path("events").read_text()
    assert "--tokenizer gpt2" in event, event
    for text in (everything_of(one), done.said, done.out, runs("show"), runs(), event):
        assert not any(secret in text for secret in SECRETS), text


def git(*arguments):
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], check=True, env=environment(), stdout=subprocess.DEVNULL)


def git_state(env):
    """What is known of git after a run. Another one follows if nothing is: tlparse waits two seconds for git, which may take longer on a
    busy machine."""

    def state():
        run("--", *python("pass"), env=env)
        return kept(env=env)[0]["git"]

    return wait_until(lambda: (found := state()) and found["dirty"] is not None and found, "the state of git")


@case
def the_commit_is_known():
    run("--", *python("pass"))
    assert kept()[0]["git"] is None
    os.mkdir("repo")
    os.chdir("repo")
    try:
        store = {"XDG_STATE_HOME": os.path.dirname(os.getcwd()) + "/state"}
        git("init", "-q")
        Path("file").write_text("1")
        git("add", "file")
        git("commit", "-qm", "first")
        Path("untracked").touch()
        found = git_state(store)
        assert re.fullmatch("[0-9a-f]{40}", found["commit"]) and found["dirty"] is False, found
        Path("file").write_text("2")
        assert git_state(store)["dirty"] is True and "with uncommitted changes" in runs("show", env=store)
        os.mkdir("bin")
        for script in (None, "#!/bin/sh\nexec sleep 1000\n", "#!/bin/sh\nyes\n", "#!/bin/sh\necho not a commit\n"):
            if script:
                Path("bin/git").write_text(script)
                os.chmod("bin/git", 0o755)
            done = run("--", *python("pass"), env={**store, "PATH": os.getcwd() + "/bin" + (":/usr/bin:/bin" if script else "")})
            assert done.status == 0 and kept(env=store)[0]["git"] is None, (script, done.said)
    finally:
        os.chdir("..")


@case
def packages_are_found_without_importing():
    site = Path("venv/lib/python3.11/site-packages")
    for name in ("torch-9.8.7+cpu.dist-info", "pytorch_triton-3.2.1.dist-info", "torchvision-1.0.dist-info"):
        (site / name).mkdir(parents=True)
    Path("venv/pyvenv.cfg").write_text("home = /usr/bin\nversion = 3.11.99\n")
    Path("venv/bin").mkdir()
    Path("venv/bin/python").symlink_to(os.path.realpath(PYTHON))
    Path("venv/bin/tool").write_text(f"#!{os.getcwd()}/venv/bin/python\n")
    os.chmod("venv/bin/tool", 0o755)
    wanted = {"torch": "9.8.7+cpu", "triton": "3.2.1", "python": "3.11.99"}
    for command in (["venv/bin/python", "-c", "pass"], ["venv/bin/tool"], ["tool"]):
        run("--", *command, env={"PATH": os.getcwd() + "/venv/bin:/usr/bin:/bin"})
        assert kept()[0]["packages"] == wanted, (command, kept()[0]["packages"])
    run("--", "/bin/true")
    assert kept()[0]["packages"] == {"torch": None, "triton": None, "python": None}
