#!/usr/bin/env python3
"""Tests of the command line: options, input, messages, exit status. Other files of this folder add the cases that their first lines name.

    run.py --tlparse build/tlparse [NAME...]     only the cases whose name starts with NAME

Each case runs in a temporary folder with a clean environment. The last line is `N passed, N failed, N skipped`.
"""
import contextlib
import gzip
import hashlib
import json
import os
import pty
import re
import resource
import shutil
import subprocess
import sys
import zlib
from pathlib import Path

import common
from common import (DEDICATED, LIMIT_S, Skipped, call, case, contents, environment, fails, hidden, last_line, main, makes, raw, record, report, said,
                    wait_until)


# ---- help, version, usage errors


@case
def prints_help_and_version():
    for option in ("-h", "--help"):
        done = call(option)
        assert done.returncode == 0 and b"Usage: tlparse" in done.stdout and not done.stderr
    for option in ("-V", "--version"):
        done = call(option)
        assert done.returncode == 0 and done.stdout.startswith(b"tlparse ") and done.stdout.count(b"\n") == 1
    done = call("--completion", "bash")
    assert done.returncode == 0 and b"complete -F" in done.stdout


@case
def version_names_another_program():
    own = Path("own")
    for folder in ("other", "own", "text"):
        Path(folder).mkdir()
    Path("other/tlparse").write_text("#!/bin/sh\n")
    Path("other/tlparse").chmod(0o755)
    Path("text/tlparse").write_text("no program")
    (own / "tlparse").symlink_to(common.tlparse)
    other, own, text = (str(Path(name).absolute()) for name in ("other", "own", "text"))
    for path in (f"{own}:{other}", f"{text}:{own}", own, "/nowhere", "", "other"):
        assert said(call("--version", env={"PATH": path})) == "", path
    for path in (f"{other}:{own}", f":/nowhere:{text}:{other}"):
        done = call("--version", env={"PATH": path})
        assert done.returncode == 0 and done.stdout.count(b"\n") == 1
        assert said(done) == f"tlparse: warning: the first tlparse on PATH is another program: {other}/tlparse\n"


@case
def parse_is_the_call_by_name():
    Path("a.log").write_text(record())
    for out, arguments in (("bare", ["a.log"]), ("named", ["parse", "a.log"])):
        assert call(*arguments, "-o", out, "--no-browser").returncode == 0
    files = sorted(str(p.relative_to("bare")) for p in Path("bare").rglob("*") if p.is_file())
    assert "report.json" in files
    assert files == sorted(str(p.relative_to("named")) for p in Path("named").rglob("*") if p.is_file())
    for file in files:
        assert (Path("bare") / file).read_bytes() == (Path("named") / file).read_bytes(), file
    done = call("parse", "--help")
    assert done.returncode == 0 and b"--overwrite" in done.stdout and b"\nCommands" not in done.stdout
    assert b"\nCommands" in call("--help").stdout
    done = call("parse", "--foo")
    assert done.returncode == 2 and "unknown option --foo" in said(done)
    assert "run 'tlparse parse --help' for a list of options" in said(done)  # the help of the command that was named
    assert "run 'tlparse --help' for a list of options" in said(call("--foo"))


@case
def names_the_nearest_option_and_command():
    Path("a.log").write_text(record())
    fails(2, "unknown option --overwite: did you mean --overwrite?", "a.log", "--overwite")
    fails(2, "option --stri is ambiguous: --strict or --strict-compile-id", "a.log", "--stri")
    fails(1, "did you mean the command 'tlparse summary'?", "sumary", "a.log")
    assert "did you mean" not in said(fails(1, "b.log", "b.log"))
    Path("sumary").write_text(record())
    assert call("sumary", "--no-browser").returncode == 0  # a file comes first


@case
def removes_the_folders_that_it_created_for_nothing():
    Path("kept").mkdir()
    Path("a.log").write_text("")
    for place in ("new/folders", "kept/new"):
        fails(1, "name too long", "a.log", "-o", f"{place}/{'x' * 300}/out")
        assert not Path(place).exists()
    assert Path("kept").exists() and not Path("new").exists()


@case
def options_of_the_server_need_it():
    Path("a.log").write_text(record())
    for option in (["--port", "0"], ["--host", "127.0.0.1"]):
        fails(2, f"{option[0]} requires --serve", "a.log", *option)
    assert os.listdir(".") == ["a.log"]


@case
def a_file_called_parse_needs_its_folder():
    Path("parse").write_text(record())
    assert call("./parse", "-o", "here", "--no-browser").returncode == 0 and Path("here/report.json").is_file()
    assert call("parse", "./parse", "-o", "named", "--no-browser").returncode == 0 and Path("named/report.json").is_file()
    assert call("parse", "-o", "none", "--no-browser").returncode == 2 and not Path("none").exists()  # no path is left
    assert call("--no-browser", "parse", "-o", "behind").returncode == 0  # only the first word is a command


@case
def help_to_a_full_disk_fails():
    if not Path("/dev/full").exists():
        raise Skipped("no /dev/full")
    with open("/dev/full", "wb") as full:
        done = subprocess.run([common.tlparse, "--help"], stdout=full, stderr=subprocess.PIPE, timeout=LIMIT_S)
    assert done.returncode == 1 and b"No space left" in done.stderr


@case
def usage_errors_exit_with_2():
    Path("a.log").write_text(record())
    for arguments in (["--foo", "a.log"], ["-o"], ["a.log", "--threads", "many"], ["--latest", "a.log"], []):
        done = call(*arguments)
        assert done.returncode == 2, arguments
        assert done.stdout == b""
        first, second = said(done).splitlines()
        assert first.startswith("tlparse: ") and second.startswith("hint: ")
    assert os.listdir(".") == ["a.log"]


def command_names():
    """The commands that the help lists."""
    commands = call("--help").stdout.decode().split("\nCommands ")[1].split("\n\n")[0]
    return [line.split()[0] for line in commands.splitlines()[1:]]


@case
def commands_need_their_arguments():
    Path("a.log").write_text(record())
    missing = {  # without arguments, and with half of them: exit status 2 and a reason
        "diff": [[], ["a.log"], ["--base", "a.log"], ["--base", "a.log", "--new", "a.log"], ["--new", "a.log"], ["a.log", "--base", "a.log"], ["--fail-on", "time>1%"], ["-o"]],
        "merge": [[], ["-o", "out"]],
        "facts": [[], ["-o", "out"]],
        "share": [[], ["-o", "out.html"]],
        "run": [[], ["--"], ["-o", "out"]],
        "parse": [["-o", "out"]],
        "summary": [[], ["--format"], ["--format", "json"]],
        "check": [[], ["a.log", "--baseline"], ["--max"], ["--max", "breaks=0"], ["--budget"]],
        "follow": [[], ["--serve"]],
        "serve": [[]],
        "runs": [["show"], ["unknown"], ["diff"], ["diff", "last"], ["rm"], ["rm", "--older-than"], ["pin"], ["unpin"]],
    }
    for command in command_names():
        for arguments in [[], *missing.get(command, [])]:
            done = call(command, *arguments)
            assert 0 <= done.returncode <= 2, (command, arguments, done.returncode, said(done))
            if done.returncode:
                assert said(done).startswith("tlparse: "), (command, arguments, said(done))
            if arguments in missing.get(command, []):
                assert done.returncode == 2, (command, arguments, done.returncode, said(done))
    assert set(missing) <= set(command_names()), command_names()
    fails(2, "diff compares two runs, but no path was given", "diff")


def options_with_arguments(command):
    """{long name: short name, or None} of the options of a command that take an argument, from its help."""
    text = call(*command, "--help").stdout.decode()
    return {name: short or None for short, name in re.findall(r"(?m)^ {2,6}(?:(-\w), )?(--[a-z-]+) [A-Z]", text)}


@case
def options_need_their_arguments():
    Path("a.log").write_text(record())
    checked = 0
    for command in [[], *([name] for name in command_names())]:
        for name, short in options_with_arguments(command).items():
            after = [["a.log", name]] if command != ["run"] else []  # there, the rest is the program's
            for arguments in ([name], *after, *([[short]] if short else [])):
                done = call(*command, *arguments)
                assert done.returncode == 2, (command, arguments, done.returncode, said(done))
                assert said(done).startswith(f"tlparse: option {arguments[-1]} requires an argument\n"), (command, arguments, said(done))
                assert not done.stdout and os.listdir(".") == ["a.log"], (command, arguments, os.listdir("."))
                checked += 1
    assert checked > 100, checked


@case
def explains_how_to_record_a_log():
    done = fails(2, "TORCH_TRACE=DIR python train.py")
    assert said(done).splitlines() == ["tlparse: no log given", "hint: record one with TORCH_TRACE=DIR python train.py, then run tlparse DIR; "
                                       "or: tlparse run -- python train.py"]


# ---- input


@case
def reads_a_file():
    Path("a.log").write_text(record())
    done = makes("a.log")
    assert said(done).splitlines() == ["report: out/index.html", "Stats { ok: 1 }"]
    assert raw() == Path("a.log").read_bytes()
    assert Path("out/-_0_0_0/text_0.txt").read_text() == "hello"


@case
def writes_to_tl_out():
    Path("a.log").write_text(record())
    done = call("a.log", "--no-browser")
    assert done.returncode == 0 and Path("tl_out/index.html").exists()


@case
def reads_compressed_logs():
    text = record().encode() * 100
    Path("gzip.log").write_bytes(gzip.compress(text[:1000]) + gzip.compress(text[1000:]))
    makes("gzip.log")  # detected from magic bytes, not from the name
    assert raw() == text
    if not shutil.which("zstd"):
        raise Skipped("zstd is not installed")
    Path("plain.log").write_bytes(text)
    subprocess.run(["zstd", "-q", "plain.log", "-o", "packed.log.zst"], check=True)
    makes("packed.log.zst", out="zstd")
    assert raw("zstd") == text


@case
def reads_a_truncated_log():
    text = b"".join(record(payload=hashlib.sha512(b"%d" % i).hexdigest()).encode() for i in range(5000))
    Path("cut.log.gz").write_bytes(gzip.compress(text)[:-20000])
    done = makes("cut.log.gz")
    assert "tlparse: cut.log.gz: the gzip data is truncated" in said(done)
    assert 100000 < len(raw()) < len(text) and text.startswith(raw())


@case
def reads_standard_input():
    done = makes("-", stdin=record().encode() + b"rubbish\n")
    assert raw() == record().encode() + b"rubbish\n"
    assert "(standard input):3: " in said(done)
    makes("-", out="gz", stdin=gzip.compress(record().encode()))
    assert raw("gz") == record().encode()


@case
def reads_an_empty_log():
    Path("a.log").write_bytes(b"")
    done = makes("a.log", "--strict")
    assert last_line(done) == "Stats { }"


@case
def latest_reads_the_newest_log_of_a_folder():
    os.mkdir("logs")
    for age, name in enumerate((f"{DEDICATED}new.log", f"{DEDICATED}old.log", "other.log", "note.md")):
        Path("logs", name).write_text(record(payload=name))
        os.utime(Path("logs", name), (1e9 - age, 1e9 - age))
    os.utime("logs/other.log", (2e9, 2e9))
    done = makes("logs", "--latest")
    assert b"other.log" in raw()
    assert said(done).splitlines()[:3] == ["tlparse: looking for logs in logs",
                                           "tlparse: reading 1 log: other.log",
                                           f"tlparse: skipping 2 logs: {DEDICATED}new.log, {DEDICATED}old.log"]
    makes(out="env", env={"TORCH_TRACE": "logs"})
    assert b"new.log" in raw("env")
    makes("logs/other.log", out="named", env={"TORCH_TRACE": "nowhere"})
    assert b"other.log" in raw("named")
    fails(1, "cannot open nowhere", env={"TORCH_TRACE": "nowhere"})


@case
def reads_the_folder_of_torch_compile_debug():
    """Where PyTorch writes logs with TORCH_COMPILE_DEBUG=1; TORCH_TRACE goes first."""
    fails(2, "no log given")
    for top in ("torch_compile_debug", "debug/torch_compile_debug", "trace"):
        folder = Path(top) / ("" if top == "trace" else "tlparse")
        os.makedirs(folder)
        (folder / f"{DEDICATED}a.log").write_text(record(payload=f"of {top}"))
    for out, env, folder, top in (("a", {}, "torch_compile_debug/tlparse", "torch_compile_debug"),
                                  ("b", {"TORCH_TRACE": ""}, "torch_compile_debug/tlparse", "torch_compile_debug"),
                                  ("c", {"TORCH_COMPILE_DEBUG_DIR": "debug"}, "debug/torch_compile_debug/tlparse ($TORCH_COMPILE_DEBUG_DIR)",
                                   "debug/torch_compile_debug"),
                                  ("d", {"TORCH_COMPILE_DEBUG_DIR": "debug", "TORCH_TRACE": "trace"}, "trace ($TORCH_TRACE)", "trace")):
        done = makes(out=out, env=env)
        assert said(done).splitlines()[0] == f"tlparse: looking for logs in {folder}", said(done)
        assert f"of {top}\n".encode() in raw(out)
    assert call("summary").stdout.startswith(b"torch_compile_debug/tlparse\n")
    fails(2, "no log given", env={"TORCH_COMPILE_DEBUG_DIR": "nowhere"})


@case
def rejects_unreadable_input():
    fails(1, "tlparse: cannot open nowhere.log: No such file", "nowhere.log")
    os.mkdir("empty")
    fails(1, "no logs found in empty", "empty")
    Path("a.log.xz").write_bytes(b"\xfd7zXZ\0\0\0\0\0")
    fails(1, "hint: decompress it first: xz -dc", "a.log.xz")
    assert sorted(os.listdir(".")) == ["a.log.xz", "empty"]


# ---- messages


@case
def log_errors_have_a_line_and_are_sanitized():
    Path("a.log").write_bytes(record().encode() + b"evil \x1b]0;title\x07\x1b[2J \xff\xc2\x9b31m\n" * 1237)
    done = makes("a.log")
    lines = said(done).splitlines()
    faults = [line for line in lines if line.startswith("a.log:")]
    assert [line.split(": ")[0] for line in faults] == ["a.log:3", "a.log:4", "a.log:5"]
    assert "evil \\x1b]0;title\\x07\\x1b[2J" in faults[0], faults
    assert not any(byte in done.stderr for byte in (b"\x1b", b"\x07", b"\x9b"))
    assert [line for line in lines if line.startswith("… and 1,234 more: ")]
    assert last_line(done) == "Stats { ok: 1, fail_glog: 1237 }"


@case
def file_names_are_sanitized():
    name = "a\x1b[31m\n.log"
    Path(name).write_text("rubbish\n")
    done = makes(name)
    assert b"\x1b" not in done.stderr
    done = fails(1, "\\x1b[31m", f"nowhere{name}")
    assert b"\x1b" not in done.stderr and said(done).count("\n") == 1


@case
def prints_unknown_keys_once():
    line = record().split("\n")[0]
    text = "".join(line.replace("artifact", f"new_kind_{i % 2}") + "\n\thello\n" for i in range(10))
    Path("a.log").write_text(text)
    found = [line for line in said(makes("a.log", "--strict")).splitlines() if line.startswith("Unknown fields: {")]
    assert len(found) == 1 and found[0].count("new_kind_0") == 1 and found[0].count("new_kind_1") == 1


@case
def strict_fails_after_the_report():
    Path("good.log").write_text(record())
    makes("good.log", "--strict", "--strict-compile-id", out="good")
    stack = '"stack": [{"line": 1, "name": "f", "filename": 0}]'
    Path("bad.log").write_text(record() + "rubbish\n" + record(ids='"x": 1') + record(ids=stack) + record(ids=stack))
    done = makes("bad.log", out="lax")
    lax = said(done)
    done = fails(1, "--strict: fail_glog: 1", "bad.log", "--strict", "-o", "out", "--no-browser")
    assert said(done).startswith(lax.replace("lax", "out")), said(done)  # the same messages, then why it failed
    assert contents("out") == contents("lax")
    done = fails(1, "--strict-compile-id: 2 records have a stack but no compile id, first at bad.log:6", "bad.log",
                 "--strict-compile-id", "-o", "ids", "--no-browser")
    assert contents("ids") == contents("lax")


@case
def large_records_are_left_out():
    Path("a.log").write_text(record() + record(payload="x" * 3000) + record())
    done = makes("a.log", "--max-record", "2K")
    assert "a.log:3: record larger than --max-record left out: {" in said(done), said(done)
    log = json.loads(Path("out/report.json").read_text())["log"]
    assert log["counters"]["too_large"] == 1 and log["counters"]["ok"] == 2, log["counters"]
    assert raw() == Path("a.log").read_bytes()
    fails(1, "--strict: too_large: 1", "a.log", "--max-record", "2K", "--strict", "-o", "strict", "--no-browser")
    makes("a.log", "--strict", out="all")
    for wrong in ("0", "2G", "-1", "2T", "K", ""):
        fails(2, f"invalid value '{wrong}' for --max-record: expected a number of bytes, such as 18M", "a.log", "--max-record", wrong)


@case
def without_memory_nothing_is_left_behind():
    """The earlier report stays, and what was begun is removed."""
    (log,) = (common.TOP / "tests/data/logs/gpt2").glob("*.log*")
    makes(log)
    before, ends = contents("out"), set()
    for threads in (0, 2):
        for megabytes in range(12, 112, 5):
            limit = (megabytes << 20, megabytes << 20)
            done = call(log, "-o", "out", "--overwrite", "--no-browser", "--threads", threads,
                        before=lambda limit=limit: resource.setrlimit(resource.RLIMIT_AS, limit))
            ends.add(done.returncode)
            assert done.returncode in (0, 1, 70, 127), (megabytes, done.returncode, said(done))
            assert done.returncode != 70 or said(done).endswith("tlparse: out of memory\n"), said(done)
            assert contents("out") == before and not hidden(), (megabytes, hidden())
    assert {0, 70} <= ends, ends


@case
def large_records_take_no_memory():
    """A record with a payload of 300 MB is left out; one of 40 MB is kept."""
    with open("a.log", "w") as log:
        log.write(record())
        log.write(record(payload="").rstrip("\n\t") + "\n" + ("\t" + "x" * 99_999 + "\n") * 3000)
        log.write(record(payload="\n".join(["y" * 99_999] * 400)))
        log.write(record())
    before = lambda: resource.setrlimit(resource.RLIMIT_AS, (256 << 20, 256 << 20))  # noqa: E731
    done = makes("a.log", "--threads", "1", before=before)
    assert "a.log:3: record larger than --max-record left out" in said(done), said(done)
    log = json.loads(Path("out/report.json").read_text())["log"]
    assert log["counters"]["too_large"] == 1 and log["counters"]["ok"] == 3, log["counters"]
    assert raw() == Path("a.log").read_bytes()


@case
def long_lines_take_no_memory():
    """A line that is no record, and an envelope of numbers, each of 200 MB."""
    with open("a.log", "w") as log:
        log.write(record())
        for _ in range(200):
            log.write("x" * 1_000_000)
        log.write("\n" + record().split("{")[0] + '{"x": [')
        for _ in range(200):
            log.write("1," * 500_000)
        log.write("1]}\n" + record())
    before = lambda: resource.setrlimit(resource.RLIMIT_AS, (256 << 20, 256 << 20))  # noqa: E731
    done = makes("a.log", "--threads", "1", before=before)
    assert "record with an envelope larger than 16 MiB left out" in said(done) and "unrecognized line: xxx" in said(done), said(done)
    assert "Stats { ok: 2, fail_glog: 1, too_large: 1 }" in said(done), said(done)


def envelope(key):
    return record().split("{")[0] + f'{{"{key}": {{}}, "frame_id": 0, "frame_compile_id": 0, "attempt": 0}}\n'


def size(folder):
    return sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())


@case
def reading_ends_when_the_report_is_large():
    Path("a.log").write_text(envelope("dynamo_start") + "".join(record(payload=f"{i:99}\n" * 10) for i in range(2000)))
    for threads in ("0", "1", "4"):
        done = fails(1, "--strict: missing_inputs: 1", "a.log", "--max-output", "1M", "--strict", "--threads", threads,
                     "--block-bytes", "8192", "-o", f"out{threads}", "--no-browser")
        assert contents(f"out{threads}") == contents("out0")
    line = int(re.search(r"tlparse: a.log: not read from line (\d+) on: the report has the 1048576 bytes", said(done))[1])
    report = json.loads(Path("out0/report.json").read_text())
    assert report["log"]["counters"]["ok"] == (line - 2) // 12 + 1 and 300 < report["log"]["counters"]["ok"] < 1000, line
    (finding,) = (finding for finding in report["findings"] if finding["kind"] == "log_fault")
    assert f"not read from line {line} on" in finding["why"], finding
    assert not [finding for finding in report["findings"] if finding["severity"] == "error"], report["findings"]
    assert size("out0") < 3 << 20, size("out0")
    assert "not read" not in said(makes("a.log", "--strict"))


@case
def compressed_and_repeated_text_is_limited():
    """A compressed line of 300 MB, and pages that list the symbols of a compile id again and again."""
    packer = zlib.compressobj(wbits=31)
    with open("bomb.log.gz", "wb") as log:
        log.write(packer.compress(record().encode()))
        for _ in range(300):
            log.write(packer.compress(b"x" * 1_000_000))
        log.write(packer.flush())
    done = makes("bomb.log.gz", "--max-output", "20M", out="bomb")
    assert "bomb.log.gz: not read from line " in said(done) and size("bomb") < 40 << 20, (size("bomb"), said(done))

    Path("pages.log").write_text(envelope("create_symbol") * 2000 + envelope("compilation_metrics") * 500)
    done = makes("pages.log", "--max-output", "100M", out="pages")
    assert "pages.log: not read from line " in said(done) and size("pages") < 200 << 20, (size("pages"), said(done))


def missing_inputs(out="out"):
    log = json.loads((Path(out) / "report.json").read_text())["log"]
    return log["missing_inputs"], log["unread_folders"]


@case
def many_ranks_need_few_descriptors():
    Path("job").mkdir()
    for rank in range(84):
        Path(f"job/dedicated_log_torch_trace_rank_{rank}_x.log").write_text(record(rank=rank))
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    for limits in ((256, hard), (64, 64)):
        done = makes("job", "--strict", "--threads", "8", out=f"out{limits[1]}", before=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, limits))  # noqa: B023
        assert len(list(Path(f"out{limits[1]}").glob("rank_*/report.json"))) == 84, said(done)


@case
def strict_fails_if_input_is_missing():
    good = record().encode()
    cut = zlib.compressobj(wbits=31)
    Path("cut.log.gz").write_bytes(cut.compress(good) + cut.flush(zlib.Z_FULL_FLUSH))  # at the end of a record
    fails(1, "--strict: missing_inputs: 1", "cut.log.gz", "--strict", "-o", "cut", "--no-browser")
    assert missing_inputs("cut") == (1, [])
    (finding,) = json.loads(Path("cut/report.json").read_text())["findings"]
    assert finding["title"] == "The log could not be read to its end" and "`cut.log.gz`: the gzip data is truncated" in finding["why"]

    Path("job").mkdir()
    for rank in range(3):
        Path(f"job/dedicated_log_torch_trace_rank_{rank}_x.log").write_bytes(good)
    makes("job", "--strict", out="whole")
    assert missing_inputs("whole") == (0, [])
    Path("job/dedicated_log_torch_trace_rank_1_x.log").write_bytes(b"\x1f\x8b\x08rubbish")
    done = makes("job", out="lax")
    assert "rank_1_x.log: skipped this log" in said(done), said(done)
    fails(1, "--strict: missing_inputs: 1", "job", "--strict", "-o", "part", "--no-browser")
    assert missing_inputs("part") == missing_inputs("lax") == (1, [])


@case
def folders_that_cannot_be_searched_are_missing():
    user = 65534 if os.geteuid() == 0 else os.geteuid()
    for folder in ("logs/open", "logs/closed", "logs/listed", "home"):
        Path(folder).mkdir(parents=True)
        Path(folder, "a.log").write_text(record())
    for folder, mode in (("logs/closed", 0), ("logs/listed", 0o444), (".", 0o777)):
        os.chmod(folder, mode)
    shutil.copy(common.tlparse, "program")  # the folder of an installed program may be closed to this user
    done = subprocess.run(["./program", "logs", "--strict", "-o", "out", "--no-browser"], capture_output=True, timeout=LIMIT_S,
                          env=environment(HOME="home", XDG_CONFIG_HOME="home"), preexec_fn=lambda: os.setuid(user))
    assert done.returncode == 1 and "missing_inputs: 2" in said(done), said(done)
    assert "cannot read folder logs/closed: Permission denied; its logs are missing" in said(done), said(done)
    assert missing_inputs() == (2, ["logs/closed: Permission denied", "logs/listed/a.log: Permission denied"])
    os.chmod("logs/closed", 0o755)


@case
def shows_progress_on_a_terminal_only():
    master, terminal = pty.openpty()
    child = subprocess.Popen([common.tlparse, "-", "-o", "out", "--no-browser", "--block-bytes", "4096"],
                             stdin=subprocess.PIPE, stderr=terminal, env=environment())
    os.close(terminal)
    os.set_blocking(master, False)
    text, pieces = b"", 0

    def read_some():
        nonlocal text
        with contextlib.suppress(BlockingIOError):
            text += os.read(master, 4096)

    def shows_progress():
        nonlocal pieces
        child.stdin.write(record().encode() * 100)
        child.stdin.flush()
        pieces += 1
        read_some()
        return b"iB/s" in text  # the unit depends on the machine

    wait_until(shows_progress, "the progress")
    child.stdin.close()
    with contextlib.suppress(OSError):  # the terminal is closed
        wait_until(lambda: read_some(), "the end of the output")
    assert child.wait(LIMIT_S) == 0
    assert re.search(rb"\r +\rreport: out/index.html\r\nStats \{ ok: %d \}\r\n$" % (100 * pieces), text), text
    assert b"\r" not in makes("-", out="out2", stdin=record().encode() * 100).stderr


@case
def survives_a_closed_stderr():
    Path("a.log").write_text("rubbish\n" * 1000)
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([common.tlparse, "a.log", "-o", "out", "--no-browser"], stderr=write, env=environment(),
                          timeout=LIMIT_S)
    os.close(write)
    assert done.returncode == 0 and Path("out/index.html").exists() and not hidden()


# ---- the browser


def call_to_the_end(*arguments, **how):
    """A call, and what it has started: all of them have a pipe, which ends with the last."""
    read, write = os.pipe()
    done = call(*arguments, inherit=(write,), **how)
    os.close(write)
    with open(read, "rb") as pipe:
        assert pipe.read() == b""
    return done


@case
def opens_the_browser_unless_disabled():
    Path("a.log").write_text(record())
    called = Path("called").resolve()
    browser = Path("browser").resolve()
    ended = Path("ended").resolve()
    browser.write_text(f'#!/bin/sh\necho "$1" >{called}.new; mv {called}.new {called}\n'
                       f'echo noise; echo noise >&2; while [ ! -e {ended}.may ]; do sleep 0.1; done; touch {ended}\n')
    browser.chmod(0o755)
    done = call("a.log", "-o", "out dir", env={"BROWSER": str(browser)}) # would hang if it waited for the browser
    assert done.returncode == 0
    wait_until(called.exists)
    ended.with_suffix(".may").touch()
    wait_until(ended.exists)
    assert called.read_text().startswith("file:///") and called.read_text().endswith("/out%20dir/index.html\n")
    assert "index.html (opened in the browser)\n" in said(done) and "noise" not in said(done) and done.stdout == b""
    called.unlink()
    Path("xdg-open").symlink_to(browser)
    ended.unlink()
    for more, env in ((["--no-browser"], {"BROWSER": str(browser)}), ([], {"PATH": f".:{os.environ['PATH']}"}),
                      ([], {"BROWSER": "nowhere/browser", "PATH": "/nowhere"})):
        done = call_to_the_end("a.log", "-o", "out", "--overwrite", *more, env=env)
        assert done.returncode == 0 and "report: out/index.html\n" in said(done), said(done)
        assert not called.exists()


@case
def shows_the_text_of_an_artifact_with_an_unknown_encoding():
    Path("a.log").write_text(record() + record(name="odd").replace('"string"', '"base64"') + record(name="last"))
    done = makes("a.log")
    assert "a.log:3: artifact with an unknown encoding, shown as text: base64" in said(done), said(done)
    assert last_line(done) == "Stats { ok: 3, fail_parser: 1, unknown_encoding: 1 }"
    found = {a["name"]: a for c in report()["compiles"] for a in c["artifacts"]}
    assert found.keys() == {"text", "odd", "last"}
    assert found["odd"]["number"] is None and Path("out", found["odd"]["url"]).read_text() == "hello"
    assert found["last"]["number"] == 1
    log = report()["log"]
    assert log["counters"]["fail_parser"] == log["counters"]["unknown_encoding"] == 1 and not log["faults"], log
    assert not [f for f in report()["findings"] if f["kind"] == "log_fault"]
    fails(1, "--strict: fail_parser: 1", "a.log", "-o", "other", "--no-browser", "--strict")


import several  # noqa: E402, F401  # adds its cases, as the following do
import output  # noqa: E402, F401
import hooks  # noqa: E402, F401
import share  # noqa: E402, F401
import redaction  # noqa: E402, F401
import repository  # noqa: E402, F401
import hardening  # noqa: E402, F401
import sources  # noqa: E402, F401
import source_files  # noqa: E402, F401
import facts  # noqa: E402, F401


def use(tlparse, _update):
    common.tlparse = tlparse


if __name__ == "__main__":
    sys.exit(main(__doc__, use))
