"""Cases about the ranks that a launcher starts: which are one run, who makes the report, and who waits."""
import contextlib
import fcntl
import json
import os
import re
import signal
import subprocess
from pathlib import Path

import common
import terminal
from common import COPY, LIMIT_S, Done, case, check_schema, environment, kept, log, python, run, runs, start, wait_until


def rank_environment(rank, size, **more):
    return {"RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": str(size), "LOCAL_WORLD_SIZE": str(size), "MASTER_ADDR": "localhost",
            "MASTER_PORT": "29500", "TORCHELASTIC_RUN_ID": "none", "TORCHELASTIC_RESTART_COUNT": "0", **more}


# Copies its log, waits until all ranks have begun, then until the file go.<rank> exists, and exits with the status in it.
WORKER = COPY + """
import time
rank, size = os.environ['RANK'], int(os.environ['WORLD_SIZE'])
open('begun.' + rank, 'w').close()
while not all(os.path.exists(f'begun.{r}') for r in range(size)): time.sleep(0.01)
while not os.path.exists('go.' + rank): time.sleep(0.01)
sys.exit(int(open('go.' + rank).read()))
"""


def go(rank, status=0):
    Path(f"go.{rank}.new").write_text(str(status))
    os.rename(f"go.{rank}.new", f"go.{rank}")


def start_ranks(size, **more):
    for old in [*Path(".").glob("begun.*"), *Path(".").glob("go.*")]:
        old.unlink()
    logs = log("ranks4")
    return [start("run", "--", *python(WORKER, logs[rank]), env=rank_environment(rank, size, **more), start_new_session=True)
            for rank in range(size)]


@case
def ranks_of_a_launcher_are_one_run():
    ranks = start_ranks(4)
    wait_until(lambda: all(Path(f"begun.{rank}").exists() for rank in range(4)))
    assert [one["state"] for one in kept()] == ["running"] and len(kept()[0]["processes"]) == 4
    for rank in (2, 0, 3, 1):  # one after the other; 0 fails first, then 3
        go(rank, {0: 7, 3: 9}.get(rank, 0))
        done = Done(ranks[rank])
        assert done.status == {0: 7, 3: 9}.get(rank, 0)
        assert ("report: " in done.said) == (rank == 1), (rank, done.said)
    assert re.search(r"(?m)^Ranks +4 of 4$", done.said), done.said
    one, = kept()
    assert (one["state"], one["status"], one["failed_rank"]) == ("ended", 7, 0), one
    assert one["job"] == {"launcher": "torchrun", "run_id": "none", "world_size": 4, "local_size": 4}
    assert sorted((p["rank"], p["status"]) for p in one["processes"]) == [(0, 7), (1, 0), (2, 0), (3, 9)]
    assert "(rank 0, the first that failed)" in runs("show") and "rank 3: status 9" in runs("show")


@case
def all_ranks_at_once():
    for round_ in range(3):
        ranks = start_ranks(4)
        for rank in range(4):
            go(rank)
        said = [Done(process).said for process in ranks]
        assert sum("report: " in text for text in said) == 1, said
        assert len(kept()) == round_ + 1 and kept()[0]["totals"] == kept()[-1]["totals"] and kept()[0]["status"] == 0


@case
def restarted_ranks_stay_in_the_run():
    for count, status in ((0, 1), (1, 0)):
        ranks = start_ranks(2, TORCHELASTIC_RESTART_COUNT=str(count))
        for rank in range(2):
            go(rank, status)
        assert sum("report: " in Done(process).said for process in ranks) == 1
    one, = kept()
    assert one["status"] == 0 and [p["restart"] for p in one["processes"]] == [0, 0, 1, 1]


@case
def a_killed_rank_does_not_keep_the_others():
    ranks = start_ranks(2)
    wait_until(lambda: all(Path(f"begun.{rank}").exists() for rank in range(2)))
    os.killpg(ranks[0].pid, signal.SIGKILL)
    Done(ranks[0])
    go(1)
    assert "report: " in Done(ranks[1]).said
    assert kept()[0]["state"] == "interrupted" and [p["status"] for p in kept()[0]["processes"] if p["rank"] == 1] == [0]


def wait_for_end():
    """Until the first process of the only run has ended. It waits some seconds for other ranks, so this must notice it at once."""

    def has_ended():
        for file in Path("state").glob("tlparse/runs/*/run.json"):
            return "ended" in json.loads(file.read_text())["processes"][0]

    wait_until(has_ended, "the end of the first process")


@case
def ranks_that_start_late_are_waited_for():
    first = start("run", "--", *python(COPY, log("ranks4")[0]), env=rank_environment(0, 2))  # waits some seconds
    wait_for_end()
    assert first.poll() is None
    second = run("--", *python(COPY, log("ranks4")[1]), env=rank_environment(1, 2))
    assert "report: " in second.said and "report: " not in Done(first).said and len(kept()) == 1


def stop_between_looks(process):
    """Stops a rank that has ended and waits for others. While it looks for them, it holds a lock that others wait for."""
    lock, = Path("state").glob("tlparse/runs/*/lock")

    def holds_no_lock():
        process.send_signal(signal.SIGSTOP)
        wait_until(lambda: terminal.state_of(process.pid) == "T", "the stop")
        with open(lock) as file, contextlib.suppress(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        process.send_signal(signal.SIGCONT)
        return False

    wait_until(holds_no_lock, "a stop without a lock")


@case
def a_rank_that_joins_and_ends_between_two_looks_is_the_last():
    first = start("run", "--", *python(COPY, log("ranks4")[0]), env=rank_environment(0, 2))
    wait_for_end()
    stop_between_looks(first)
    second = run("--", *python(COPY, log("ranks4")[1]), env=rank_environment(1, 2))
    first.send_signal(signal.SIGCONT)
    assert "report: " in second.said, second.said
    said = Done(first).said
    assert "report: " not in said, said
    assert len(kept()) == 1 and len(kept()[0]["processes"]) == 2, kept()


@case
def jobs_of_other_launchers_are_other_runs():
    """A shell script that starts ranks is the launcher."""
    script = 'for r in 0 1; do RANK=$r "$@" >said.$1.$r 2>&1 & done; wait'.replace("$1.", "$NAME.")
    plain = {name: value for name, value in rank_environment(0, 2).items() if name not in ("RANK", "LOCAL_RANK", "TORCHELASTIC_RUN_ID")}
    shells = []
    for name in "ab":
        command = ["sh", "-c", script, "sh", common.tlparse, "run", "--", *python(
            COPY.replace("sys.argv[1:]", "[sys.argv[1 + int(os.environ['RANK'])]]"), *log("ranks4")[:2])]
        shells.append(subprocess.Popen(command, env=environment(**plain, NAME=name)))
    for shell in shells:
        assert shell.wait(LIMIT_S) == 0
    assert [len(one["processes"]) for one in kept()] == [2, 2] and all(one["report"] for one in kept()), kept()


SLURM = {"SLURM_JOB_ID": "4711", "SLURM_STEP_ID": "2", "SLURM_STEP_NUM_TASKS": "2", "SLURM_NODEID": "0", "SLURM_STEP_TASKS_PER_NODE": "2"}
LAUNCHERS = {
    "mpirun": (None, lambda r: {"OMPI_COMM_WORLD_RANK": r, "OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_LOCAL_SIZE": "2",
                                **SLURM, "SLURM_PROCID": "0"}),  # the task of srun is its daemon
    "mpiexec": (None, lambda r: {"PMI_RANK": r, "PMI_SIZE": "2", "MPI_LOCALNRANKS": "2", **SLURM, "SLURM_STEP_NUM_TASKS": "1", "SLURM_PROCID": "0"}),
    "srun": ("4711.2", lambda r: {**SLURM, "SLURM_PROCID": r, "PMI_RANK": r, "PMI_SIZE": "2"}),
    "torchrun": ("none", lambda r: {**rank_environment(r, 2), **SLURM, "SLURM_PROCID": "0", "OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "1"}),
    None: (None, lambda r: {"RANK": r, "WORLD_SIZE": "2", "LOCAL_WORLD_SIZE": "2", **SLURM, "SLURM_PROCID": "0"}),
}


@case
def ranks_of_other_launchers_are_one_run():
    worker = WORKER.replace("'RANK'", "'TEST_RANK'").replace("'WORLD_SIZE'", "'TEST_SIZE'")
    for name, (run_id, of_rank) in LAUNCHERS.items():
        for old in [*Path(".").glob("begun.*"), *Path(".").glob("go.*")]:
            old.unlink()
        ranks = [start("run", "--", *python(worker, log("ranks4")[r]), env={**of_rank(str(r)), "TEST_RANK": str(r), "TEST_SIZE": "2"})
                 for r in range(2)]
        for r in range(2):
            go(r)
        said = [Done(process).said for process in ranks]
        assert sum("report: " in text for text in said) == 1 and any("Ranks " in text for text in said), (name, said)
        assert kept()[0]["job"] == {"launcher": name, "run_id": run_id, "world_size": 2, "local_size": 2}, (name, kept()[0]["job"])
        assert sorted(p["rank"] for p in kept()[0]["processes"]) == [0, 1], name
    assert len(kept()) == len(LAUNCHERS)
    check_schema(runs("--format", "json"))


@case
def steps_of_slurm_are_other_runs():
    alone = {**SLURM, "SLURM_STEP_NUM_TASKS": "1", "SLURM_STEP_TASKS_PER_NODE": "1", "SLURM_PROCID": "0"}
    for _ in range(2):  # one after the other in the shell of a step
        assert "report: " in run("--", *python(COPY, *log("simple")), env=alone).said
    assert len(kept()) == 2
    batch = {**SLURM, "SLURM_PROCID": "0", "SLURM_NTASKS": "4"}
    for step in (None, "4294967290"):  # the script of sbatch, the shell of salloc
        batch.pop("SLURM_STEP_ID", None)
        env = {**batch, "SLURM_STEP_ID": step} if step else batch
        assert "report: " in run("--", *python(COPY, *log("simple")), env=env).said and kept()[0]["job"] is None
    runs("rm", "--all")
    for text, node, size in (("2(x2),1", "1", 2), ("2(x2),1", "2", 1), ("3", "1", None), ("", "0", None), ("2(x", "0", None),
                             ("x", "0", None), ("99999999999", "0", None), ("0,1", "1", 1)):
        env = {**alone, "SLURM_STEP_TASKS_PER_NODE": text, "SLURM_NODEID": node}
        process = start("run", "--", *python("pass"), env=env)
        wait_for_end()
        assert kept()[0]["job"]["local_size"] == size, (text, node, kept()[0]["job"])
        process.kill()
        process.communicate()
        runs("rm", "--all")
    del alone["SLURM_STEP_NUM_TASKS"]
    run("--", *python("pass"), env={**alone, "SLURM_NTASKS": "1"})
    assert kept()[0]["job"]["world_size"] == 1


@case
def a_rank_that_cannot_start_may_be_the_last():
    first = start("run", "--", *python(COPY, log("ranks4")[0]), env=rank_environment(0, 2))  # has ended, and waits for the other one
    wait_for_end()
    stop_between_looks(first)
    second = run("--", "no-such-program", env=rank_environment(1, 2))
    first.send_signal(signal.SIGCONT)
    assert second.status == 127 and "report: " in second.said and "cannot run no-such-program" in second.said, second.said
    said = Done(first).said
    assert "report: " not in said and kept()[0]["totals"]["compiles"] > 0, said
    assert (kept()[0]["status"], kept()[0]["failed_rank"]) == (127, 1), kept()


@case
def ranks_that_cannot_start_make_no_report():
    ranks = [start("run", "--", "no-such-program", env=rank_environment(rank, 2)) for rank in range(2)]
    for done in map(Done, ranks):
        assert done.status == 127 and "no logs were written" not in done.said and "report: " not in done.said, done.said
    assert [one["state"] for one in kept()] == ["ended"] and kept()[0]["report"] is None
