#!/usr/bin/env python3
"""The recipes of doc/clusters.md, on engines that run here: Slurm with one node, Open MPI, Ray; and the Job for Kubernetes against its schema.

    run.py [--tlparse build/tlparse] [--list] [NAME...]     only the cases whose names begin with NAME

The daemons of Slurm run as this user, with all of their files in the folder of the case. `./dev test --all` installs the engines.
"""
import contextlib
import json
import os
import pwd
import shutil
import socket
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "tests/tools"))
from cases import LIMIT_S, Skipped, case, main, wait_until  # noqa: E402

JOB = TOP / "tests/data/logs/ranks4_desync"
tlparse = None

SLURM = """ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={control_port}
SlurmdPort={node_port}
AuthType=auth/munge
AuthInfo=socket={work}/munge.socket
CredType=cred/munge
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={work}/state
SlurmdSpoolDir={work}/spool
SlurmctldPidFile={work}/slurmctld.pid
SlurmdPidFile={work}/slurmd.pid
SlurmctldLogFile={work}/slurmctld.log
SlurmdLogFile={work}/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
ReturnToService=2
MpiDefault=none
SchedulerType=sched/builtin
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def needs(*programs):
    missing = [name for name in programs if not shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")]
    if missing:
        raise Skipped(f"not installed: {', '.join(missing)}")


def run(*argv, env=None):
    done = subprocess.run([str(a) for a in argv], env={**os.environ, **(env or {})}, capture_output=True, text=True, timeout=LIMIT_S)
    assert done.returncode == 0, (argv, done.returncode, done.stdout, done.stderr)
    return done.stdout


def nodes(count):
    """A folder of logs per node: every count-th rank."""
    logs = sorted(JOB.glob("*_rank_*"))
    assert len(logs) == 4, logs
    for n in range(count):
        Path(f"node{n}").mkdir()
        for log in logs[n::count]:
            shutil.copy2(log, f"node{n}")


def same_as_direct(report):
    """The merged report is that of the logs."""
    run(tlparse, JOB, "-o", "direct", "--no-browser")
    merged, direct = (json.loads(Path(path, "report.json").read_text()) for path in (report, "direct"))
    for rank in merged["ranks"]:
        rank.pop("elsewhere", None)
    assert merged == direct


def free_port():
    with socket.socket() as it:
        it.bind(("127.0.0.1", 0))
        return it.getsockname()[1]


@contextlib.contextmanager
def slurm():
    """A cluster of one node: the environment in which its commands find it."""
    needs("munged", "slurmctld", "slurmd", "srun", "sbatch")
    work = Path("slurm").absolute()
    for folder in (work, work / "state", work / "spool"):
        folder.mkdir(mode=0o755)
    key = work / "munge.key"
    key.write_bytes(os.urandom(128))
    key.chmod(0o400)
    (work / "slurm.conf").write_text(SLURM.format(host=socket.gethostname(), work=work, user=pwd.getpwuid(os.getuid()).pw_name,
                                                  control_port=free_port(), node_port=free_port()))
    env = {"SLURM_CONF": str(work / "slurm.conf"), "PATH": f"{os.environ['PATH']}:/usr/sbin"}
    commands = (["munged", "--foreground", "--force", f"--socket={work}/munge.socket", f"--key-file={key}", f"--pid-file={work}/munge.pid",
                 f"--seed-file={work}/munge.seed", f"--log-file={work}/munge.log"],
                ["slurmctld", "-D"], ["slurmd", "-D"])
    started = []
    try:
        for command in commands:
            with open(work / f"{command[0]}.out", "w") as out:
                started.append(subprocess.Popen(command, env={**os.environ, **env}, stdout=out, stderr=out))
            if command[0] == "munged":
                wait_until((work / "munge.socket").exists)
        wait_until(lambda: "idle" in subprocess.run(["sinfo", "-h", "-o", "%T"], env={**os.environ, **env}, capture_output=True, text=True).stdout,
                   "a node that is idle")
        yield env
    finally:
        for process in reversed(started):
            process.terminate()
        for process in started:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


@case
def slurm_takes_facts_on_each_node_and_merges_them_afterwards():
    nodes(1)
    Path("facts").mkdir()
    with slurm() as env:
        first = run("sbatch", "--parsable", "-o", "facts.out", "--wrap",
                    f"srun --ntasks-per-node=1 {tlparse} facts {Path('node0').absolute()} -o {Path('facts').absolute()}/", env=env).strip()
        run("sbatch", "--wait", "-o", "merge.out", f"--dependency=afterany:{first}", "--wrap",
            f"{tlparse} merge {Path('facts').absolute()}/*.facts --full none -o {Path('report').absolute()}", env=env)
    assert [p.name for p in Path("facts").iterdir()] == [f"{socket.gethostname()}.facts"], Path("facts.out").read_text()
    same_as_direct("report")


@case
def open_mpi_takes_facts_of_eight_processes():
    needs("mpirun")
    nodes(4)
    for n in range(4, 8):  # processes whose nodes have the logs of others: these count once
        shutil.copytree(f"node{n - 4}", f"node{n}")
    Path("facts").mkdir()
    run("mpirun", "--oversubscribe", "--allow-run-as-root", "-n", 8, "sh", "-c",
        f'exec {tlparse} facts "node$OMPI_COMM_WORLD_RANK" -o "facts/$OMPI_COMM_WORLD_RANK.facts"')
    assert len(list(Path("facts").iterdir())) == 8
    run(tlparse, "merge", *(f"facts/{n}.facts" for n in range(4)), "--full", "none", "-o", "report")
    same_as_direct("report")
    run(tlparse, "merge", *sorted(Path("facts").iterdir()), "--full", "none", "-o", "all")
    ranks = json.loads(Path("all/report.json").read_text())["ranks"]
    assert [rank["rank"] for rank in ranks] == [0, 1, 2, 3] and not any(rank["older"] for rank in ranks), ranks


@case
def a_node_may_fail_and_another_may_be_late():
    nodes(2)
    for n in range(2):
        run(tlparse, "facts", f"node{n}", "-o", f"{n}.facts")
    whole = Path("1.facts").read_bytes()
    Path("1.facts").write_bytes(whole[: len(whole) // 2])
    run(tlparse, "merge", "0.facts", "1.facts", "2.facts", "--full", "none", "-o", "report")
    log = json.loads(Path("report/report.json").read_text())["log"]
    assert [text.split(":")[0] for text in log["unread_folders"]] == ["1.facts", "2.facts"], log["unread_folders"]
    assert log["missing_inputs"] == 2
    Path("1.facts").write_bytes(whole)
    run(tlparse, "merge", "0.facts", "1.facts", "--full", "none", "-o", "report", "--overwrite")
    same_as_direct("report")


VALIDATE = """
import sys, kubernetes_validate, yaml
kubernetes_validate.validate(yaml.safe_load(sys.stdin), "1.28", strict=True)
"""


@case
def the_job_for_kubernetes_is_valid():
    python = TOP / ".cache/cluster/bin/python3"
    if not python.exists():
        raise Skipped("./dev test cluster installs the schemas of Kubernetes")
    job = (TOP / "doc/examples/facts-job.yaml").read_text()
    assert "completionMode: Indexed" in job and "tlparse facts" in job
    for text, good in ((job, True), (job.replace("completionMode", "completion_mode"), False), (job.replace("completions: 16", "completions: x"), False)):
        done = subprocess.run([python, "-c", VALIDATE], input=text, capture_output=True, text=True, timeout=LIMIT_S)
        assert (done.returncode == 0) == good, done.stderr


RAY = """
import json, os, sys
import ray
from tlparse import distributed
ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
paths = [f"node{n}" for n in range(4)]
taken = distributed.facts([os.path.abspath(path) for path in [*paths, "gone"]], engine="ray", out="facts")
assert len(taken.files) == 4 and [os.path.basename(path) for path in taken.errors] == ["gone"], taken
distributed.merge(taken, full="none", out="report")
ray.shutdown()
"""


@case
def ray_takes_facts_in_tasks():
    python = TOP / ".cache/cluster/bin/python3"
    if not python.exists():
        raise Skipped("./dev test cluster installs Ray")
    nodes(4)
    run(python, "-c", RAY, env={"PYTHONPATH": str(TOP / "python"), "TLPARSE_BINARY": str(tlparse), "RAY_USAGE_STATS_ENABLED": "0"})
    same_as_direct("report")


RAY_NODES = """
import os
import ray
from ray.cluster_utils import Cluster
from tlparse import distributed
cluster = Cluster()
cluster.add_node(num_cpus=0, include_dashboard=False)  # a head without processors for tasks
cluster.add_node(num_cpus=1)
ray.init(address=cluster.address, log_to_driver=False)
taken = distributed.facts([os.path.abspath("node0"), os.path.abspath("gone")], engine="ray", each_node=True, out="each")
assert len(taken.files) == 2 and taken.errors, taken
assert all(name.endswith(":" + os.path.abspath("gone")) for name in taken.errors), taken.errors
ray.shutdown()
cluster.shutdown()
"""


@case
def ray_reads_local_logs_on_each_node():
    python = TOP / ".cache/cluster/bin/python3"
    if not python.exists():
        raise Skipped("./dev test cluster installs Ray")
    nodes(1)
    run(python, "-c", RAY_NODES, env={"PYTHONPATH": str(TOP / "python"), "TLPARSE_BINARY": str(tlparse), "RAY_USAGE_STATS_ENABLED": "0"})


STORE = """
import sys
import boto3
from moto.server import ThreadedMotoServer
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
at = "http://%s:%d" % server.get_host_and_port()
boto3.client("s3", endpoint_url=at).create_bucket(Bucket="bucket")
print(at, flush=True)
sys.stdin.read()
server.stop()
"""
PUT = "import boto3, sys; boto3.client('s3').upload_fileobj(sys.stdin.buffer, 'bucket', sys.argv[1])"


@case
def facts_go_through_a_pipe_to_s3():
    """As `tlparse facts -o - | aws s3 cp - …`, to a stand-in for S3, and back with the hook of the examples that fetches addresses."""
    python = TOP / ".cache/python/bin/python3"
    nodes(2)
    config = Path("config/tlparse/config.json")
    config.parent.mkdir(parents=True)
    config.write_text(json.dumps({"fetch": {"s3": [str(python), str(TOP / "doc/examples/fetch_s3.py"), "{url}"]}}))
    env = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_DEFAULT_REGION": "us-east-1",
           "XDG_CONFIG_HOME": str(Path("config").absolute())}
    with subprocess.Popen([python, "-c", STORE], env={**os.environ, **env}, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True) as store:
        env["AWS_ENDPOINT_URL"] = store.stdout.readline().strip()
        for n in range(2):
            with subprocess.Popen([tlparse, "facts", f"node{n}", "-o", "-"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as taken:
                subprocess.run([python, "-c", PUT, f"facts/{n}.facts"], env={**os.environ, **env}, stdin=taken.stdout, check=True)
            for log in Path(f"node{n}").iterdir():
                subprocess.run([python, "-c", PUT, f"logs/{log.name}"], env={**os.environ, **env}, stdin=log.open("rb"), check=True)
                log.unlink()
        run(tlparse, "merge", "s3://bucket/facts/0.facts", "s3://bucket/facts/1.facts", "--full", "2", "--logs", "s3://bucket/logs", "-o", "report", env=env)
        same_as_direct("report")
        assert Path("report/rank_2/index.html").exists() and not Path("report/rank_1").exists()
        store.stdin.close()


def use(program, _update):
    global tlparse
    tlparse = program


if __name__ == "__main__":
    sys.exit(main(__doc__, use))
