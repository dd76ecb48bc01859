"""Cases of the configuration, and of the programs of the user that tlparse runs."""
import gzip
import json
import os
import re
import resource
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import validate
from common import DEDICATED, call, case, contents, fails, hidden, makes, raw, record, said

TOP = Path(__file__).resolve().parent.parent.parent
EXAMPLES = TOP / "doc/examples"
TEST_PYTHON = TOP / ".cache/python/bin/python3"  # tools/setup.sh: has the packages of tests/requirements.txt
HOSTILE = "s3://b/-x --y 'a\" $(touch pwned) `touch pwned`; touch pwned & | > pwned {url} é"


def configure(**members):
    Path("config/tlparse").mkdir(parents=True, exist_ok=True)
    Path("config/tlparse/config.json").write_text(json.dumps(members))


def program(name, text):
    """A Python program, as the start of a command."""
    Path(name).write_text(f"import json, os, sys, time\n{text}\n")
    return [sys.executable, str(Path(name).absolute())]


def report_of(folder="out"):
    return json.loads((Path(folder) / "report.json").read_text())


def log(kind="my_kind", payloads=('{"tile": 64}', '{"tile": 128}')):
    """One record for each payload, each of another compile."""
    return "".join(record(kind, payload, ids=f'"frame_id": {i}, "frame_compile_id": 0, "attempt": 0')
                   for i, payload in enumerate(payloads)) + record("other")


# ---- Configuration


@case
def a_wrong_configuration_is_an_error():
    Path("a.log").write_text(record())
    Path("config/tlparse").mkdir(parents=True)
    path = Path("config/tlparse/config.json")
    path.write_text('{\n"fetch": {"s3": "cat {url}"},\n"notfy": "x"}')
    done = fails(2, f"{path.absolute()}:3: unknown key 'notfy'", "a.log")
    assert "hint: did you mean 'notify'?" in said(done)
    assert not Path("tl_out").exists()
    fails(2, "unknown key", "summary", "a.log")
    assert call("--help").returncode == 0  # without the configuration
    path.write_text('{"upload": "\x1b[31m"}')
    assert "\x1b" not in said(call("a.log"))


@case
def schemas_accept_what_the_program_accepts():
    schema = validate.documented("config.schema.json", "user")
    Path("a.log").write_text(record())
    good = {"fetch": {"s3": ["x", "{url}"]}, "upload": "u {path}", "notify": ["true"], "parsers": {"k": "p"},
            "timeouts_s": {"fetch": 1, "upload": 2, "notify": 3, "parsers": 0.5}, "source_link": "https://h/{commit}/{path}#L{line}",
            "source_commit": "v1", "source_root": ["/a"]}
    for bad in ({}, {"fetch": {"s3": []}}, {"fetch": {"S3": "x {url}"}}, {"timeouts_s": {"x": 1}}, {"timeouts_s": {"fetch": 0}},
                {"source_link": "ftp://h/{path}"}, {"source_commit": "-x"}, {"upload": 1}, {"unknown": 1}, {"fetch": []}):
        configure(**{**good, **bad})
        accepted = call("summary", "a.log").returncode == 0
        faults = schema.faults({**good, **bad})
        assert accepted == (not faults) == (not bad), (bad, accepted, faults)


@case
def a_project_cannot_run_commands():
    Path("project/.git").mkdir(parents=True)
    Path("project/a.log").write_text(log())
    touch = program("touch.py", "open(os.path.join(os.path.dirname(sys.argv[0]), 'ran'), 'w')")
    Path("project/.tlparse.json").write_text(json.dumps({
        "source_link": "https://h/{path}", "source_root": ".", "budgets": [{"max": {"recompiles": 1}}],
        "notify": touch, "upload": [*touch, "{path}"], "fetch": {"s3": [*touch, "{url}"]}, "parsers": {"my_kind": touch}}))
    done = call("a.log", "-o", "out", "--no-browser", cwd="project")
    assert done.returncode == 0, said(done)
    for key in ("notify", "upload", "fetch", "parsers"):
        assert re.search(rf"\.tlparse\.json:1: ignored '{key}': a project may not run commands", said(done)), said(done)
    assert report_of("project/out")["source_link"]["roots"] == [str(Path("project").absolute())]
    assert "parsers" not in report_of("project/out")
    assert call("s3://a/b", cwd="project").returncode == 1
    assert call("a.log", "--upload", "-o", "out2", cwd="project").returncode == 2
    assert not Path("ran").exists()


# ---- Fetch


@case
def fetches_logs():
    text = log()
    Path("a.log").write_text(text)
    makes("a.log", out="direct")
    get = program("get.py", "open('asked', 'a').write(json.dumps(sys.argv[1:]) + '\\n')\n"
                            "sys.stdout.buffer.write(open(os.environ['CONTENT'], 'rb').read())")
    configure(fetch={"s3": [*get, "--from={url}", "-"]})
    Path("plain").write_text(text)
    Path("gz").write_bytes(gzip.compress(text.encode()))
    Path("zst").write_bytes(subprocess.run(["zstd", "-c"], input=text.encode(), stdout=subprocess.PIPE, check=True).stdout)
    for content in ("plain", "gz", "zst"):
        Path("asked").unlink(missing_ok=True)
        done = makes(HOSTILE, "--overwrite", env={"CONTENT": content})
        assert [json.loads(line) for line in Path("asked").read_text().splitlines()] == [[f"--from={HOSTILE}", "-"]]
        assert raw() == raw("direct")
        assert not Path("pwned").exists(), said(done)
    for command in (["summary"], ["summary", "--format", "json"], ["diff", "a.log"]):
        done = call(*command, "s3://b/k.log", env={"CONTENT": "plain"})
        assert done.returncode == 0 and done.stdout, said(done)
    done = call("summary", "s3://b/tl_out/report.json", env={"CONTENT": "direct/report.json"})
    assert done.returncode == 0 and b"s3://b/tl_out/report.json" in done.stdout, said(done)
    names = [f"s3://b/dedicated_log_torch_trace_rank_{rank}_x.log" for rank in (0, 1)]
    makes(*names, out="ranks", env={"CONTENT": "plain"})
    assert report_of("ranks")["kind"] == "ranks"


@case
def an_address_is_shown_without_its_query():
    Path("a.log").write_text(record())
    configure(fetch={"https": [*program("get.py", "print(open('a.log').read(), end='')"), "{url}"]})
    done = makes("https://host/log.txt?X-Token=secret#x", "-v")
    assert "secret" not in said(done)
    done = makes("a.log", "https://host/b.log?X=secret", "https://host/c.log?X=secret", "-v", out="several")
    assert "secret" not in said(done) and "https://host/b.log" in said(done)
    done = makes("https://host/b.log?X=secret", "https://host/c.log?X=secret", "https://host/c.log?X=secret", "none://host/x?X=secret", "--compare", "-v", out="runs")
    assert "secret" not in said(done)
    assert [rank["name"] for rank in report_of("runs")["ranks"]] == ["b.log", "c.log", "x"], report_of("runs")["ranks"]
    assert report_of()["log"]["files"][0]["name"] == "log.txt"
    for path in [*Path("out").rglob("*"), *Path("several").rglob("*"), *Path("runs").rglob("*")]:
        assert path.is_dir() or b"secret" not in path.read_bytes(), path
    for command in (["summary"], ["diff", "a.log"]):
        done = call(*command, "https://host/log.txt?X-Token=secret")
        assert done.returncode == 0 and b"log.txt" in done.stdout and b"secret" not in done.stdout, said(done)
    for address in ("https://me:secret@host/log.txt", "https://secret@host/log.txt?X=secret", "none://me:s@secret@host/log.txt"):
        done = makes(address, "a.log", "-v", out="users")
        assert "secret" not in said(done) and "log.txt" in said(done), said(done)
        for path in Path("users").rglob("*"):
            assert path.is_dir() or b"secret" not in path.read_bytes(), path
        shutil.rmtree("users")


@case
def a_failed_fetch_costs_only_its_log():
    Path("a.log").write_text(record())
    Path("b.log").write_text(record("b"))
    commands = {
        "gone": ["no-such-program-here", "{url}"],
        "fails": [*program("fails.py", "print('one\\ntwo\\nno such \\x1b[31mbucket', file=sys.stderr); sys.exit(3)"), "{url}"],
        "late": ["sh", "-c", "cat b.log; exec sleep 600", "{url}"],
        "dies": ["sh", "-c", "cat b.log; kill -9 $$", "{url}"],
        "silent": ["sh", "-c", "exec sleep 600", "{url}"]}
    for scheme, why in (("gone", "cannot run no-such-program-here: No such file"), ("fails", "exit status 3: one / two / no such"),
                        ("silent", "stopped, because it printed nothing for 0.3 s")):
        configure(fetch=commands, timeouts_s={"fetch": 0.3 if scheme == "silent" else 60})
        done = fails(1, f"cannot fetch {scheme}://x: ", f"{scheme}://x", "-o", "none")
        assert why in said(done) and "\x1b" not in said(done), said(done)
        assert not Path("none").exists() and not hidden()
        fails(2, why, "summary", f"{scheme}://x")
        done = makes("a.log", f"{scheme}://x", "b.log", "--overwrite")  # processes of one run
        assert why in said(done) and report_of()["log"]["counters"]["ok"] == 2, said(done)
        done = makes("a.log", f"{scheme}://x", "--overwrite")  # two runs
        assert why in said(done) and [rank["status"] == "bad" for rank in report_of()["ranks"]] == [False, True], said(done)
    for scheme, why in (("late", "printed nothing for 5 s"), ("dies", "ended by signal 9")):
        configure(fetch=commands, timeouts_s={"fetch": 5 if scheme == "late" else 60})  # enough for cat on a busy machine
        done = makes(f"{scheme}://x", "--overwrite")  # what arrived counts, as of a truncated file
        assert why in said(done), said(done)
        assert why in report_of()["log"]["files"][0]["damage"]
        assert report_of()["log"]["counters"]["ok"] == 1
    configure(fetch={"noise": [*program("noise.py", "sys.stdout.buffer.write(os.urandom(100000))"), "{url}"]})
    assert report_of()["log"]["counters"]["ok"] == 1
    done = call("noise://x", "-o", "noise", "--no-browser")
    assert done.returncode in (0, 1) and "tlparse: " in said(done)


@case
def an_unknown_scheme_is_explained():
    done = fails(1, "cannot open s3://b/k: no command is configured for s3://", "s3://b/k")
    assert '{"fetch": {"s3": ["aws", "s3", "cp", "{url}", "-"]}} to ~/.config/tlparse/config.json' in said(done)
    Path("s3:/b").mkdir(parents=True)
    Path("s3:/b/k").write_text(record())
    fails(1, "no command is configured", "s3://b/k")
    makes("./s3://b/k")


@case
def a_large_fetch_is_not_kept_in_memory():
    Path("big.py").write_text(
        "import sys\nrecord = open('a.log').read()\nfor _ in range(400): sys.stdout.write(record)\n")
    Path("a.log").write_text(record("x", "y" * 1000000))
    configure(fetch={"s3": [sys.executable, "big.py", "{url}"]})

    def limit():
        resource.setrlimit(resource.RLIMIT_DATA, (384 << 20, 384 << 20))

    done = call("summary", "s3://b/k", "--threads", "1", before=limit)  # 400 MB
    assert done.returncode == 0, said(done)


@case
def the_example_fetches_from_s3():
    assert TEST_PYTHON.exists(), "tools/setup.sh test installs the stand-in for S3"
    server = ("import boto3, gzip, sys\nfrom moto.server import ThreadedMotoServer\n"
              "server = ThreadedMotoServer(ip_address='127.0.0.1', port=0, verbose=False)\nserver.start()\n"
              "at = 'http://%s:%d' % server.get_host_and_port()\ns3 = boto3.client('s3', endpoint_url=at)\n"
              "s3.create_bucket(Bucket='logs')\ntext = open('a.log', 'rb').read()\n"
              "s3.put_object(Bucket='logs', Key='runs/a b+c.log', Body=text)\n"
              "s3.put_object(Bucket='logs', Key='a.log.gz', Body=gzip.compress(text))\n"
              "print(at, flush=True)\nsys.stdin.read()\nserver.stop()\n")
    Path("a.log").write_text(log())
    makes("a.log", out="direct")
    env = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_DEFAULT_REGION": "us-east-1"}
    configure(fetch={"s3": [str(TEST_PYTHON), str(EXAMPLES / "fetch_s3.py"), "{url}"]})
    with subprocess.Popen([TEST_PYTHON, "-c", server], env={**os.environ, **env}, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True) as running:
        env["AWS_ENDPOINT_URL"] = running.stdout.readline().strip()
        assert env["AWS_ENDPOINT_URL"].startswith("http://127.0.0.1:")
        for name in ("runs/a b+c.log", "a.log.gz"):
            makes(f"s3://logs/{name}", "--overwrite", env=env)
            assert raw() == raw("direct")
        done = fails(1, "cannot fetch s3://logs/missing: ", "s3://logs/missing", env=env)
        assert "NoSuchKey" in said(done), said(done)
        running.stdin.close()


# ---- Upload and notify


@case
def uploads_a_shared_file():
    Path("a.log").write_text(log())
    fails(2, "--upload: no command is configured", "share", "a.log", "--upload")
    up = program("up.py", "open('asked', 'w').write(json.dumps(sys.argv[1:])); print('https://host/one')")
    configure(upload=[*up, "{path}"])
    done = call("share", "a.log", "-o", "o $(x).html", "--upload")
    assert done.returncode == 0 and done.stdout == b"https://host/one\n", said(done)
    assert json.loads(Path("asked").read_text()) == ["o $(x).html"] and Path("o $(x).html").is_file()
    fails(2, "--upload needs a file", "share", "a.log", "-o", "-", "--upload")


@case
def uploads_a_report():
    Path("a.log").write_text(record())
    fails(2, "--upload: no command is configured", "a.log", "--upload")
    assert not Path("tl_out").exists()
    up = program("up.py", "assert os.path.exists(os.path.join(sys.argv[1], 'index.html'))\n"
                          "print('uploading'); print('https://host/\\x1b[31mout'); print()")
    configure(upload=[*up, "{path}"])
    done = call("a.log", "-o", "o $(x)", "--no-browser", "--upload")
    assert done.returncode == 0 and done.stdout == b"https://host/\\x1b[31mout\n", (done.stdout, said(done))
    for text, why in (("sys.exit('denied')", "upload: "), ("time.sleep(600)", "stopped after 0.3 s"), ("", "it printed no address")):
        configure(upload=[*program("up.py", text), "{path}"], timeouts_s={"upload": 0.3 if "sleep" in text else 60})
        done = fails(1, why, "a.log", "-o", "out", "--overwrite", "--no-browser", "--upload")
        assert (Path("out") / "index.html").exists()  # the report is there all the same


@case
def notifies_after_each_call():
    Path("a.log").write_text(record())
    schema = validate.documented("notify.schema.json")
    configure(notify=program("note.py", "open('events', 'a').write(sys.stdin.read()); print('not shown')"),
              fetch={"bad": ["false", "{url}"]})
    makes("a.log")
    assert call("summary", "a.log").returncode == 0
    assert call("bad://host/x?secret").returncode == 1
    events = [json.loads(line) for line in Path("events").read_text().splitlines()]
    for event in events:
        validate.check(schema, event)
    assert [(e["command"], e["paths"], e["report"], e["status"]) for e in events] == [
        ("parse", ["a.log"], "out", 0), ("summary", ["a.log"], None, 0), ("parse", ["bad://host/x"], None, 1)]
    assert events[0]["error"] is None and events[2]["error"].startswith("cannot fetch bad://host/x: ")
    assert call("--version").returncode == 0 and len(Path("events").read_text().splitlines()) == 3
    for text, why in (("sys.exit(4)", "exit status 4"), ("time.sleep(600)", "stopped after 0.3 s")):
        configure(notify=program("note.py", text), timeouts_s={"notify": 0.3 if "sleep" in text else 60})
        done = call("summary", "a.log")
        assert done.returncode == 0 and done.stdout and f"tlparse: notify: {sys.executable}: {why}" in said(done), said(done)
    configure(notify=["true"])  # does not read its input
    assert said(call("summary", "a.log")) == ""


# ---- Links to code


def git(*arguments):
    return subprocess.run(["git", "-C", "code", "-c", "user.name=n", "-c", "user.email=e@example.org", *arguments], check=True,
                          stdout=subprocess.PIPE, text=True).stdout.strip()


@case
def places_link_to_the_commit_that_is_checked_out():
    Path("code/pkg").mkdir(parents=True)
    Path("code/pkg/a.py").write_text("a = 1\n")
    Path("code/b.txt").write_text("b\n")
    git("init", "-q")
    configure(source_link="https://h/p/blob/{commit}/{path}#L{line}")
    Path("a.log").write_text(record())
    done = call("../a.log", "-o", "../none", "--no-browser", cwd="code")  # no commit yet
    assert done.returncode == 0 and "places have no links to code: git: exit status 128" in said(done), said(done)
    assert "source_link" not in report_of("none")
    git("add", ".")
    git("commit", "-qm", "one")
    commit, root = git("rev-parse", "HEAD"), str(Path("code").absolute())
    for arguments, expected in (([], commit), (["--source-commit", "v1.0/x"], "v1.0/x")):
        done = call("../../a.log", "-o", "../../out", "--overwrite", "--no-browser", *arguments, cwd="code/pkg")
        assert done.returncode == 0, said(done)
        link = report_of()["source_link"]
        assert link == {"template": f"https://h/p/blob/{expected}/{{path}}#L{{line}}", "commit": expected, "roots": [root]}, link
        validate.check(validate.documented("report.schema.json", "source_link"), link)
    fails(2, "invalid value '--upload-pack=x' for --source-commit", "a.log", "--source-commit=--upload-pack=x")
    configure(source_link="https://h/{hash}/{path}")
    call("../a.log", "-o", "../out", "--overwrite", "--no-browser", cwd="code")
    assert report_of()["source_link"]["hashes"] == {"pkg/a.py": git("rev-parse", "HEAD:pkg/a.py")}
    configure(source_link="https://h/{path}", source_root=["/app/", "/"])  # needs no git
    makes("a.log", "--overwrite", env={"PATH": "/nowhere"})
    assert report_of()["source_link"] == {"template": "https://h/{path}", "commit": None, "roots": ["/app", ""]}
    configure(source_link="https://h/{path}?{commit}", source_root="code")  # relative to the file of the user
    Path("config/tlparse/code").symlink_to(Path("code").absolute())
    makes("a.log", "--overwrite")  # the commit is that of the root, not of the current folder
    assert report_of()["source_link"]["template"].endswith(commit)


# ---- Parsers


@case
def the_example_adds_a_column_and_a_section():
    Path("a.log").write_text(log())
    parser = f"{shlex.quote(sys.executable)} {shlex.quote(str(EXAMPLES / 'parser.py'))}"
    assert len((EXAMPLES / "parser.py").read_text().splitlines()) <= 20
    done = makes("a.log", "--parser", f"my_kind={parser}")
    assert "parser" not in said(done), said(done)
    (result,) = report_of()["parsers"]
    assert result["columns"] == [{"title": "Tile", "values": {"0/0": 64, "1/0": 128}}]
    assert result["sections"][0]["rows"] == [["0/0", 1, 64], ["1/0", 3, 128]]
    assert result["records"] == 2 and result["error"] is None and result["rejected"] == 0
    makes("a.log", "--overwrite", "--parser", "absent=no-such-program")  # is not started without records
    assert "parsers" not in report_of()


ECHO = """
got = [json.loads(line) for line in sys.stdin]
json.dump(got, open('got.json', 'w'))
"""


@case
def a_parser_gets_its_records():
    payload = 'tab\there "quoted" \x00\n\u00e9\u202e'
    Path("a.log").write_text(log(payloads=[payload]) +
                             'V0101 12:00:00.000000 7 torch/a.py:1] {"my_kind": {"x": 1}, "frame_id": 3, "frame_compile_id": 1, "attempt": 0}\n')
    configure(parsers={"my_kind": program("echo.py", ECHO)})
    makes("a.log")
    first, second = json.loads(Path("got.json").read_text())
    assert (first["compile"], first["line"], first["payload"]) == ("0/0", 1, payload)
    assert first["record"]["artifact"]["name"] == "my_kind"
    assert second["record"]["my_kind"] == {"x": 1} and second["payload"] is None and second["compile"] == "3/1"


ANSWERS = """
for line in sys.stdin:
    pass
def say(**answer):
    print(json.dumps(answer))
say(column='T <b>', compile='0/0', value='<script>'); say(column='T <b>', compile='0/0', value='late'); say(column='N', compile='1/0', value=1.5)
say(section='S', text='a'); say(section='S', text='b'); say(section='S', columns=['x', 'y'], rows=[[1, 'p'], [2, 'q']])
say(finding='F', severity='warning', message='m', advice='d', compile='0/0', place={'file': '/x/a.py', 'line': 3, 'function': 'f'})
say(finding='G', severity='info')
say(link='https://example.org/?a=b', title='L', compile='1/0'); say(link='http://h')
say(file='../../../etc/passwd', text='no'); say(file='/abs/x.html', text='<script>alert(1)</script>', compile='0/0'); say(file='plan.json', text='{}')
for bad in ('{', '[]', '{}', '{"column": "T", "compile": "9/9", "value": 1}', '{"column": "T", "compile": "0/0", "value": {}}',
            '{"link": "javascript:alert(1)"}', '{"finding": "F", "severity": "fatal"}', '{"section": "S"}', '{"file": "plan.json", "text": "x"}',
            '{"section": "S", "columns": ["x", "y"], "rows": [[1]]}', '{"file": "", "text": ""}', '{"link": "https://a b"}'):
    print(bad)
"""


@case
def a_parser_adds_everything():
    Path("a.log").write_text(log())
    configure(parsers={"my_kind": program("answers.py", ANSWERS)})
    done = makes("a.log")
    assert "tlparse: parser my_kind: ignored 12 lines of its answer, first line 14: it is not an object of JSON" in said(done), said(done)
    (result,) = report_of()["parsers"]
    validate.check(validate.documented("report.schema.json", "parser"), result)
    assert result["columns"] == [{"title": "T <b>", "values": {"0/0": "late"}}, {"title": "N", "values": {"1/0": 1.5}}]
    assert result["sections"] == [{"title": "S", "texts": ["a", "b"], "columns": ["x", "y"], "rows": [[1, "p"], [2, "q"]]}]
    assert [f["title"] for f in result["findings"]] == ["F", "G"] and result["findings"][0]["place"]["line"] == 3
    assert report_of()["findings"] == [] and report_of()["totals"]["findings"] == 0  # they are not ours
    assert [link["url"] for link in result["links"]] == ["https://example.org/?a=b", "http://h"]
    urls = [file["url"] for file in result["files"]]
    assert all(url.startswith("parsers/my_kind/") and ".." not in url for url in urls), urls
    assert {Path(url).suffix for url in urls} == {".txt", ".json"}, urls  # no page of a parser runs in the report
    assert [(Path("out") / url).read_text() for url in urls] == ["no", "<script>alert(1)</script>", "{}"]
    assert sorted(str(p.relative_to("out")) for p in Path("out/parsers").rglob("*") if p.is_file()) == sorted(urls)
    assert result["rejected"] == 12
    makes("a.log", "--overwrite")  # parsers/ is a part of a report


@case
def a_failed_parser_costs_only_what_it_added():
    Path("a.log").write_text(log())
    makes("a.log", out="without")
    good = ["echo", '{"column": "C", "compile": "0/0", "value": 1}']  # does not read its input
    begun = "print(json.dumps({'column': 'C', 'compile': '0/0', 'value': 1}), flush=True)\n"
    for text, why in ((begun + "print('bad thing', file=sys.stderr); sys.exit(1)", "exit status 1: bad thing"),
                      (begun + "os.kill(os.getpid(), 11)", "ended by signal 11"),
                      (begun + "time.sleep(600)", "stopped after 5 s"),
                      ("import subprocess; subprocess.run(['yes'])", "stopped after ")):
        configure(parsers={"my_kind": program("bad.py", text), "other": good}, timeouts_s={"parsers": 5 if "sleep" in text else 60})  # enough for echo
        done = makes("a.log", "--overwrite")
        assert f"tlparse: parser my_kind: {sys.executable}: {why}" in said(done), (why, said(done))
        assert said(done).count("its output is left out") == 1
        bad, other = report_of()["parsers"]
        assert why in bad["error"] and not bad["columns"] and bad["name"] == "my_kind"
        assert other["columns"] == [{"title": "C", "values": {"0/0": 1}}] and other["error"] is None
        assert contents("out").keys() - contents("without").keys() == {"data/parsers.js"}
    configure(parsers={"my_kind": ["no-such-program-here"]})
    done = makes("a.log", "--overwrite")
    assert "tlparse: parser my_kind: cannot run no-such-program-here" in said(done)
    for value, why in (("my_kind", "expected KIND=COMMAND"), ("=x", "expected KIND=COMMAND"), ("k='x", "a quote is not closed")):
        fails(2, why, "a.log", "--parser", value)
    fails(2, "--parser is given twice for 'k'", "a.log", "--parser", "k=a", "--parser", "k=b")


@case
def parsers_do_not_depend_on_threads():
    for rank in range(3):
        Path(f"{DEDICATED}rank_{rank}_x.log").write_text(log(payloads=[f'{{"tile": {rank * 100 + i}}}' for i in range(50)]))
    Path("long.log").write_text(log(payloads=["x" * 3000] * 300))
    configure(parsers={"my_kind": program("count.py", "n = 0\nfor line in sys.stdin:\n    n += 1\n    one = json.loads(line)\n"
                                          "    print(json.dumps({'column': 'N', 'compile': one['compile'], 'value': n}))")})
    for paths in (["long.log"], [f"{DEDICATED}rank_{rank}_x.log" for rank in range(3)]):
        made = []
        for more in (["--threads", "0"], ["--threads", "4"], ["--threads", "4", "--block-bytes", "1000"]):
            makes(*paths, "--overwrite", *more)
            made.append({name: text for name, text in contents("out").items() if name.endswith(("report.json", "parsers.js"))})
        assert made[0] == made[1] == made[2]
        assert any(name.endswith("data/parsers.js") for name in made[0])
    assert report_of("out/rank_2")["parsers"][0]["columns"][0]["values"]["49/0"] == 50
