"""Nothing that a repository contains is run, whatever its configuration names."""
import json
import os
import shlex
import subprocess
from pathlib import Path

from common import call, case, record, report, said

IDENTITY = ["-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "init.defaultBranch=main"]


def git(folder, *arguments):
    return subprocess.run(["git", "-C", folder, *IDENTITY, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def trap():
    """A program that leaves a mark, and a check that it was not run."""
    mark = Path("sprung").absolute()
    path = Path("trap").absolute()
    path.write_text(f"#!/bin/sh\necho \"$0 $*\" >>{shlex.quote(str(mark))}\nexit 1\n")
    path.chmod(0o755)
    return path, mark


def lacking_objects(folder, program, bare):
    """A repository that lacks its tree, with a promisor from which git would fetch it."""
    Path(folder).mkdir(parents=True)
    git(folder, "init", "-q", *(["--bare"] if bare else []))
    Path("filled").mkdir()
    git("filled", "init", "-q")
    Path("filled/a.py").write_text("a = 1\n")
    git("filled", "add", ".")
    git("filled", "commit", "-qm", "one")
    where = Path(folder) if bare else Path(folder, ".git")
    commit = git("filled", "rev-parse", "HEAD")
    content = subprocess.run(["git", "-C", "filled", "cat-file", "commit", commit], check=True, stdout=subprocess.PIPE).stdout
    subprocess.run(["git", "-C", folder, "hash-object", "-t", "commit", "-w", "--stdin", "--literally"], input=content, check=True,
                   stdout=subprocess.DEVNULL)
    (where / "refs/heads").mkdir(exist_ok=True)
    (where / "refs/heads/main").write_text(commit + "\n")
    settings = {"core.repositoryformatversion": "1", "extensions.partialClone": "origin", "remote.origin.url": "ssh://example.org/x",
                "remote.origin.promisor": "true", "core.sshCommand": program, "core.fsmonitor": program, "core.gitProxy": program,
                "core.hooksPath": str(Path(program).parent), "credential.helper": "!" + program, "protocol.allow": "always",
                "protocol.ssh.allow": "always", "core.pager": program, "core.askPass": program}
    for name, value in settings.items():
        git(folder, "config", name, value)
    return commit


def link_of(folder):
    Path("a.log").write_text(record())
    return call(str(Path("a.log").absolute()), "-o", str(Path("out").absolute()), "--overwrite", "--no-browser", cwd=folder)


@case
def the_trap_springs_without_protection():
    program, mark = trap()
    lacking_objects("code", str(program), False)
    subprocess.run(["git", "-C", "code", "ls-tree", "-r", "main"], check=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    assert mark.exists(), "git fetches missing objects with core.sshCommand"


@case
def a_repository_runs_nothing_to_fetch_objects():
    program, mark = trap()
    lacking_objects("code", str(program), False)
    Path("code/.tlparse.json").write_text(json.dumps({"source_link": "https://h/{hash}/{path}"}))
    done = link_of("code")
    assert done.returncode == 0 and "places have no links to code" in said(done), said(done)
    assert not mark.exists(), mark.read_text()
    assert "source_link" not in report("out")


@case
def a_repository_within_the_project_is_not_looked_into():
    program, mark = trap()
    lacking_objects("project/data/bare", str(program), True)
    git("project", "init", "-q")
    Path("project/a.py").write_text("a = 1\n")
    git("project", "add", "a.py")
    git("project", "commit", "-qm", "one")
    Path("project/.tlparse.json").write_text(json.dumps({"source_link": "https://h/{hash}/{path}", "source_root": "data/bare"}))
    done = link_of("project")
    assert done.returncode == 0 and not mark.exists(), said(done)
    assert report("out")["source_link"]["commit"] == git("project", "rev-parse", "HEAD")
    Path("project/data/bare/.tlparse.json").write_text(json.dumps({"source_link": "https://h/{hash}/{path}"}))
    done = link_of("project/data/bare")
    assert done.returncode == 0 and not mark.exists(), said(done)


@case
def hooks_of_git_may_run_the_program():
    Path("code").mkdir()
    git("code", "init", "-q")
    Path("code/a.py").write_text("a = 1\n")
    git("code", "add", ".")
    git("code", "commit", "-qm", "one")
    Path("code/.tlparse.json").write_text(json.dumps({"source_link": "https://h/{commit}/{path}"}))
    Path("a.log").write_text(record())
    Path("a.log").write_text(record())
    done = call("../a.log", "-o", "../out", "--no-browser", cwd="code", env={"GIT_DIR": os.devnull})
    assert done.returncode == 0, said(done)
    assert report("out")["source_link"]["commit"] == git("code", "rev-parse", "HEAD")
