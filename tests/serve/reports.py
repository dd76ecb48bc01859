"""Cases about `tlparse serve`: one report, the list of a folder, several paths."""
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import common
from common import RECORD, Server, as_from_a_terminal, call, case, wait_until, write


class Site(Server):
    """tlparse serve with reports; ends with the `with` block, by SIGINT."""

    def __init__(self, *paths, port=0, browser="/bin/false"):
        self.errors = open("stderr", "w+b")
        self.process = subprocess.Popen(
            [common.tlparse, "serve", *map(str, paths), "--port", str(port), *([] if browser != "/bin/false" else ["--no-browser"])],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.errors, preexec_fn=as_from_a_terminal,
            env={**os.environ, "DISPLAY": ":77", "BROWSER": browser})
        self.read_address()

    def links(self):
        """The addresses in the list of reports, in its order."""
        answer = self.ask("/")
        assert answer.status == 200 and answer.headers["Content-Type"] == "text/html; charset=utf-8", answer.status
        return re.findall(r'<tr><td><a href="([^"]*)"', answer.body.decode())


def make_report(path, ranks=1, at=None):
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    Path("log").write_text("".join(RECORD % ("start", f', "rank": {rank}') for rank in range(ranks)))
    assert call("log", "-o", str(path), "--no-browser", "--overwrite").returncode == 0
    if at:
        os.utime(path / "report.json", (at, at))
    return path


def refused(*arguments):
    done = call("serve", *map(str, arguments), "--no-browser", "--port", "0")
    assert done.returncode == 2 and not done.stdout, done
    return done.stderr.decode()


@case
def one_report_is_served_as_it_is():
    out = make_report("one")
    with Site("one") as server:
        assert server.folder == "one"
        assert server.ask("/").body == (out / "index.html").read_bytes()
        assert server.ask("/report.json").body == (out / "report.json").read_bytes()
        shutil.rmtree(out)
        assert server.ask("/").status == 404
        make_report("one", ranks=2)
        assert server.ask("/").body == (out / "index.html").read_bytes()
        assert server.ask("/rank_1/").status == 200


@case
def a_folder_is_a_list_of_reports():
    make_report("all/old", at=1_000_000_000)
    make_report("all/deep/down/new", at=1_200_000_000)
    make_report("all/b <i>&\"'", at=1_100_000_000)
    write(Path("all/secret.txt"), "secret")
    write(Path("all/deep/secret/index.html"), "secret")
    make_report("all/.hidden")
    (Path("all") / "link").symlink_to("old")
    with Site("all") as server:
        assert server.links() == ["deep/down/new/", "b%20%3Ci%3E%26%22%27/", "old/"], server.links()
        page = server.ask("/").body.decode()
        assert "<i>" not in page and "Reports in all" in page and "2001-09-09 01:46:40 UTC" in page
        for link in server.links():
            assert server.ask("/" + link).status == 200
            assert server.ask("/" + link + "data/report.js").status == 200
        moved = server.ask("/old")
        assert (moved.status, moved.headers["Location"]) == (302, "./old/")
        for path in ("/secret.txt", "/deep/", "/deep", "/deep/secret/", "/deep/secret/index.html", "/.hidden/", "/link/",
                     "/old/../secret.txt", "/old/..%2fsecret.txt", "/nothing/", "/assets/", "/assets/nothing.js"):
            answer = server.ask(path)
            assert answer.status in (400, 404) and b"secret" not in answer.body, (path, answer.status)
        style = re.search(r'<link rel="stylesheet" href="([^"]*)"', page)[1]
        assert server.ask("/" + style).headers["Content-Type"] == "text/css; charset=utf-8"
        assert server.ask("/", "HEAD").body == b"" and server.ask("/", "POST").status == 405


@case
def the_list_follows_the_folder():
    make_report("all/one", at=1_000_000_000)
    with Site("all") as server:
        assert server.links() == ["one/"]
        make_report("all/two", ranks=2, at=1_100_000_000)
        assert server.links() == ["two/", "one/"]
        assert "<td>2 ranks</td>" not in server.ask("/").body.decode() # two ranks in one log are one run
        make_report("all/one", at=1_200_000_000)
        assert server.links() == ["one/", "two/"]
        (Path("all/two/report.json")).write_text('{"format": ')
        assert "invalid JSON at byte" in server.ask("/").body.decode()
        shutil.rmtree("all/two")
        assert server.links() == ["one/"] and server.ask("/two/").status == 404
        shutil.rmtree("all/one")
        assert server.links() == [] and b"No reports" in server.ask("/").body
        shutil.rmtree("all")
        assert server.links() == []


@case
def several_paths_have_names():
    for path in ("a/tl_out", "b/tl_out", "c"):
        make_report(path if path != "c" else "c/inner")
    with Site("a/tl_out", "b/tl_out", "c") as server:
        assert server.folder == "3 paths"
        assert sorted(server.links()) == ["c/inner/", "tl_out-2/", "tl_out/"], server.links()
        for link in server.links():
            assert server.ask("/" + link).status == 200, link
        assert server.ask("/tl_out-2").headers["Location"] == "./tl_out-2/"
        assert server.ask("/tl_out-3/").status == server.ask("/c/").status == 404


@case
def what_is_no_report_is_refused():
    Path("empty").mkdir()
    Path("trace.log").write_text(RECORD % ("start", ""))
    assert "empty: it is not a report and contains none" in refused("empty")
    assert "it is a file, not the folder of a report\nhint: " in refused("trace.log")
    assert "cannot open none: No such file or directory" in refused("none")
    assert "cannot open tl_out: No such file" in refused()
    make_report("good")
    assert "empty: it is not a report" in refused("good", "empty")


class WithProfile(Server):
    """tlparse --serve with a recorded log and the profile of its run."""

    def __init__(self):
        run = Path(__file__).resolve().parents[1] / "data/profiled/breaks"
        log, = run.glob("*.log.zst")
        self.out, self.errors = Path("out"), open("stderr", "w+b")
        self.process = subprocess.Popen(
            [common.tlparse, str(log), "--profile", str(run / "breaks.json.gz"), "-o", "out", "--serve", "--port", "0", "--no-browser"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.errors, preexec_fn=as_from_a_terminal)
        self.read_address()


@case
def run_time_is_served_with_its_report():
    with WithProfile() as server:
        profile = json.loads(server.ask("/report.json").body)["profile"]
        assert any(compile["calls"] and compile["total_us"] for compile in profile["compiles"]), profile["compiles"]


@case
def the_command_opens_a_browser():
    make_report("one")
    write(Path("browser"), '#!/bin/sh\necho "$1" >opened.tmp && mv opened.tmp opened\n').chmod(0o755)
    with Site("one", browser=os.path.abspath("browser")) as server:
        wait_until(lambda: Path("opened").exists())
        assert Path("opened").read_text() == f"http://127.0.0.1:{server.port}/\n"
