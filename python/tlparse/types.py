"""The objects of report.json and of the answers. Generated from the schemas in doc/ by tools/python_types.py: change those.

Members have the names of report.json; one that is a word of Python ends with an underscore. A member that the schema allows
to be absent is None then. Enumerations may get further values in later versions.
"""
# mypy: no-warn-return-any
from __future__ import annotations

from typing import Any, Literal, Mapping, Optional, Sequence, Tuple, Union

from ._behavior import ArtifactText, PlaceText, RankReport
from ._node import Node, frozen

Status = Literal["missing", "ok", "restart", "empty", "error"]
ArtifactLang = Literal["python", "cpp", "json", "text", "graph", "guards"]
ExportKind = Literal[
    "data_dependent", "guard", "missing_fake_kernel", "mismatched_fake_kernel", "constraint_violation", "error"
]
KernelOutside = Literal["cpu", "copy", "unbacked_size", "unknown"]
KernelKind = Literal["triton", "cpp", "extern", "other"]
Aspect = Literal[
    "compile_ids", "status", "graphs", "guards", "recompiles", "cache", "collectives", "tensor_meta", "execution_order", "configuration"
]


class ReportMembers(Node):
    """The content of report.json."""

    __slots__ = ()

    @property
    def format(self) -> Literal["tlparse-report"]:
        """Identifies the file format."""
        return self._need("format")

    @property
    def version(self) -> Literal[2]:
        """Increases when the meaning of a member changes, not when members are added."""
        return self._need("version")

    @property
    def kind(self) -> Literal["run", "ranks", "runs"]:
        """What the report covers: one run (or one rank of it), several ranks, or several runs."""
        return self._need("kind")

    @property
    def tool(self) -> Tool:
        """The program that wrote the report."""
        return self._node(Tool, self._need("tool"))

    @property
    def run(self) -> Run:
        """The logged run, according to the log."""
        return self._node(Run, self._need("run"))

    @property
    def phases(self) -> Sequence[ShownPhase]:
        """The phases of by_phase_us, in the order in which they are shown."""
        return self._nodes(ShownPhase, self._need("phases"))

    @property
    def stacks(self) -> Sequence[StackNode]:
        """Tree of the stacks at which compiles start, in order of first appearance; those with callers from other
        records come last (caller_from of compiles)."""
        return self._nodes(StackNode, self._need("stacks"))

    @property
    def source_link(self) -> Optional[SourceLink]:
        """Links from places to code."""
        return self._node(SourceLink, self._data.get("source_link"))

    @property
    def graph_breaks(self) -> Sequence[GraphBreak]:
        """Graph breaks, distinct by reason and place."""
        return self._nodes(GraphBreak, self._need("graph_breaks"))

    @property
    def recompiles(self) -> Sequence[Recompile]:
        """Frames that were compiled more than once."""
        return self._nodes(Recompile, self._need("recompiles"))

    @property
    def failures(self) -> Sequence[ListedFailure]:
        """Failed compiles, in log order."""
        return self._nodes(ListedFailure, self._need("failures"))

    @property
    def restart_causes(self) -> Sequence[RestartCause]:
        """Why Dynamo restarted traces: one entry for restarts with the same text at the same graph break."""
        return self._nodes(RestartCause, self._need("restart_causes"))

    @property
    def backward_failures(self) -> Sequence[ListedFailure]:
        """Failed compiles of backward graphs, in log order."""
        return self._nodes(ListedFailure, self._need("backward_failures"))

    @property
    def caches(self) -> Caches:
        """Cache results."""
        return self._node(Caches, self._need("caches"))

    @property
    def compile_time(self) -> Optional[CompileTime]:
        """Where the compile time goes."""
        return self._node(CompileTime, self._data.get("compile_time"))

    @property
    def coverage(self) -> Optional[Coverage]:
        """Which functions run compiled code."""
        return self._node(Coverage, self._data.get("coverage"))

    @property
    def findings(self) -> Sequence[Finding]:
        """Issues of the run, most important first: errors, then compile time that a fix saves, then the rest by
        severity, those with advice first, then by impact and cost, then what is expected."""
        return self._nodes(Finding, self._need("findings"))

    @property
    def totals(self) -> Totals:
        """Sums over all compiles."""
        return self._node(Totals, self._need("totals"))

    @property
    def checks(self) -> Sequence[Check]:
        """Contradictions within the report, or between the report and the log."""
        return self._nodes(Check, self._need("checks"))

    @property
    def more_checks(self) -> Optional[int]:
        """Number of contradictions that are not listed."""
        return self._data.get("more_checks")

    @property
    def unfinished(self) -> Sequence[UnfinishedSpan]:
        """Spans without an end event, by thread, outermost first: where the process hung or died."""
        return self._nodes(UnfinishedSpan, self._need("unfinished"))

    @property
    def unattributed(self) -> Sequence[Unattributed]:
        """Records with a stack but without a compile id, grouped by stack, in order of first appearance."""
        return self._nodes(Unattributed, self._need("unattributed"))

    @property
    def more_unattributed(self) -> Optional[int]:
        """Number of such records whose stacks are not listed."""
        return self._data.get("more_unattributed")

    @property
    def config_differences(self) -> Sequence[ConfigDifference]:
        """Settings that have more than one value among the compiles of the log."""
        return self._nodes(ConfigDifference, self._need("config_differences"))

    @property
    def settings_in_effect(self) -> Sequence[SettingInEffect]:
        """Settings as they were while graphs were compiled, by kind and name: those that fx_graph_runnable sets, except
        what PyTorch sets in every compile and what only has its default again (the first such program of the process
        left it as it was, and the key of its graph has the same value), and those of Inductor that have another value
        in the FX graph cache's key than in the configuration of the metrics."""
        return self._nodes(SettingInEffect, self._need("settings_in_effect"))

    @property
    def notices(self) -> Optional[Notices]:
        """Messages of rare records: a failure that was ignored, work that was done twice, or a result that was not
        saved."""
        return self._node(Notices, self._data.get("notices"))

    @property
    def pgo(self) -> Optional[Pgo]:
        """Dynamo's profile-guided optimization (records get_…_code_state and put_…_code_state)."""
        return self._node(Pgo, self._data.get("pgo"))

    @property
    def compile_workers(self) -> Optional[CompileWorkers]:
        """Jobs that ran long enough for the watchdog of the compile workers to report them (compile_worker_status)."""
        return self._node(CompileWorkers, self._data.get("compile_workers"))

    @property
    def native_kernels(self) -> Optional[NativeKernels]:
        """Calls of the compile functions of native DSLs, summed by operator (native_dsl_compile)."""
        return self._node(NativeKernels, self._data.get("native_kernels"))

    @property
    def bucketing(self) -> Optional[Bucketings]:
        """Collectives of FSDP before and after they were merged into buckets (pre_bucketing_collective_sizes)."""
        return self._node(Bucketings, self._data.get("bucketing"))

    @property
    def vllm(self) -> Optional[Vllm]:
        """What vLLM compiled."""
        return self._node(Vllm, self._data.get("vllm"))

    @property
    def ranks(self) -> Optional[Sequence[Rank]]:
        """In a report of several ranks or runs: one item per log, or per job."""
        return self._nodes(Rank, self._data.get("ranks"))

    @property
    def missing_ranks(self) -> Optional[Tuple[int, ...]]:
        """Ranks without a log: below the highest rank with a log, and up to the known minimum of the world size."""
        return frozen(self._data.get("missing_ranks"))

    @property
    def more_missing_ranks(self) -> Optional[int]:
        """Number of ranks without a log that are not listed."""
        return self._data.get("more_missing_ranks")

    @property
    def divergence(self) -> Optional[Divergences]:
        """Rank divergence by aspect, and its root causes."""
        return self._node(Divergences, self._data.get("divergence"))

    @property
    def world(self) -> Optional[World]:
        """Number of ranks of the job."""
        return self._node(World, self._data.get("world"))

    @property
    def ranks_notes(self) -> Optional[Sequence[RanksNote]]:
        """What limits the comparison: logs of different jobs, copies, a rank that differs from the file name."""
        return self._nodes(RanksNote, self._data.get("ranks_notes"))

    @property
    def all_ranks(self) -> Optional[AllRanks]:
        """Sums over all ranks, if several ranks wrote to one log."""
        return self._node(AllRanks, self._data.get("all_ranks"))

    @property
    def rank_ends(self) -> Optional[Sequence[RankEnd]]:
        """Where the logs end: ranks grouped by the span that was open, those that did not finish first."""
        return self._nodes(RankEnd, self._data.get("rank_ends"))

    @property
    def rank_config_differences(self) -> Optional[Sequence[RankConfigDifference]]:
        """Settings that differ between ranks, by kind and name."""
        return self._nodes(RankConfigDifference, self._data.get("rank_config_differences"))

    @property
    def matrix(self) -> Optional[Matrix]:
        """Ranks × compile ids."""
        return self._node(Matrix, self._data.get("matrix"))

    @property
    def runtime(self) -> Optional[Runtime]:
        """Estimated run times of graphs, compared between ranks."""
        return self._node(Runtime, self._data.get("runtime"))

    @property
    def schedules(self) -> Optional[Schedules]:
        """Collectives by graph and rank."""
        return self._node(Schedules, self._data.get("schedules"))

    @property
    def execution(self) -> Optional[Execution]:
        """The order in which ranks ran their graphs."""
        return self._node(Execution, self._data.get("execution"))

    @property
    def timeline(self) -> TimelineSummary:
        """The chromium events of the log, as spans."""
        return self._node(TimelineSummary, self._need("timeline"))

    @property
    def cache_misses(self) -> Optional[CacheMisses]:
        """Why caches missed entries that other logs have."""
        return self._node(CacheMisses, self._data.get("cache_misses"))

    @property
    def rank_findings(self) -> Optional[Sequence[RankFinding]]:
        """Findings of all ranks, in the order of findings."""
        return self._nodes(RankFinding, self._data.get("rank_findings"))

    @property
    def rank_first(self) -> Optional[int]:
        """What to change first: index into rank_findings."""
        return self._data.get("rank_first")

    @property
    def log(self) -> Log:
        """The log."""
        return self._node(Log, self._need("log"))

    @property
    def configs(self) -> Sequence[Config]:
        """Distinct configurations, from compilation_metrics."""
        return self._nodes(Config, self._need("configs"))

    @property
    def compiles(self) -> Sequence[Compile]:
        """All compiles that started, or that have metrics and a frame id, in order of first appearance."""
        return self._nodes(Compile, self._need("compiles"))

    @property
    def shape_stacks(self) -> Sequence[TreeFrame]:
        """Tree of the stacks that shapes refer to (shape_where, in shapes)."""
        return self._nodes(TreeFrame, self._need("shape_stacks"))

    @property
    def kernels(self) -> Kernels:
        """Kernels in the output code."""
        return self._node(Kernels, self._need("kernels"))

    @property
    def export(self) -> Export:
        """torch.export: failures and exported programs."""
        return self._node(Export, self._need("export"))

    @property
    def comparison(self) -> Optional[Comparison]:
        """Differences between runs."""
        return self._node(Comparison, self._data.get("comparison"))

    @property
    def parsers(self) -> Optional[Sequence[Parser]]:
        """What the user's own parsers added (doc/hooks.md): one item for each parser with records in this log, by
        name."""
        return self._nodes(Parser, self._data.get("parsers"))


class SourceLink(Node):
    """How to make the address of a place's code."""

    __slots__ = ()

    @property
    def template(self) -> str:
        """An address with http or https, in which {path} is to be replaced by the path below the root, percent-encoded,
        {line} by the line, and {hash} by the hash of the file."""
        return self._need("template")

    @property
    def commit(self) -> Optional[str]:
        """The commit of the code, which the template contains."""
        return self._need("commit")

    @property
    def roots(self) -> Tuple[str, ...]:
        """Folders of the code, as in the log, without a slash at the end."""
        return frozen(self._need("roots"))

    @property
    def hashes(self) -> Optional[Mapping[str, str]]:
        """By path below the root: git's hash of the Python file in that commit."""
        return frozen(self._data.get("hashes"))


class Parser(Node):
    """What one parser of the user added."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The kind of record, or the name of the artifact, that it reads."""
        return self._need("name")

    @property
    def error(self) -> Optional[str]:
        """Why it failed; then it added nothing."""
        return self._need("error")

    @property
    def columns(self) -> Sequence[ParserColumn]:
        """Columns of the list of compiles."""
        return self._nodes(ParserColumn, self._need("columns"))

    @property
    def records(self) -> int:
        """Number of records that it read."""
        return self._need("records")

    @property
    def sections(self) -> Sequence[ParserSection]:
        """Sections of the page, in order."""
        return self._nodes(ParserSection, self._need("sections"))

    @property
    def findings(self) -> Sequence[ParserFinding]:
        """Issues."""
        return self._nodes(ParserFinding, self._need("findings"))

    @property
    def links(self) -> Sequence[ParserLink]:
        """Links to other places."""
        return self._nodes(ParserLink, self._need("links"))

    @property
    def files(self) -> Sequence[ParserFile]:
        """Files in the report."""
        return self._nodes(ParserFile, self._need("files"))

    @property
    def rejected(self) -> int:
        """Number of lines of its answer that have no known form."""
        return self._need("rejected")

    @property
    def example(self) -> Optional[str]:
        """Why the first of these was rejected."""
        return self._need("example")

    @property
    def more(self) -> int:
        """Number of answers beyond the limits, which are left out."""
        return self._need("more")


class ParserSummary(Node):
    """What the list of compiles shows of a parser."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The kind of record, or the name of the artifact, that it reads."""
        return self._need("name")

    @property
    def error(self) -> Optional[str]:
        """Why it failed; then it added nothing."""
        return self._need("error")

    @property
    def columns(self) -> Sequence[ParserColumn]:
        """Columns of the list of compiles."""
        return self._nodes(ParserColumn, self._need("columns"))


class ParserColumn(Node):
    """A value for some compiles."""

    __slots__ = ()

    @property
    def title(self) -> str:
        """Title of the column."""
        return self._need("title")

    @property
    def values(self) -> Mapping[str, Union[float, str]]:
        """By key of the compile: a number or a text."""
        return frozen(self._need("values"))


class ParserSection(Node):
    """A section: texts, a table, or both."""

    __slots__ = ()

    @property
    def title(self) -> str:
        """Title of the section."""
        return self._need("title")

    @property
    def texts(self) -> Tuple[str, ...]:
        """Plain texts."""
        return frozen(self._need("texts"))

    @property
    def columns(self) -> Optional[Tuple[Union[float, str], ...]]:
        """Titles of the columns."""
        return frozen(self._data.get("columns"))

    @property
    def rows(self) -> Optional[Tuple[Tuple[Union[float, str], ...], ...]]:
        """Rows of the table, each with a number or a text for each column."""
        return frozen(self._data.get("rows"))


class ParserFinding(Node):
    """An issue that a parser found."""

    __slots__ = ()

    @property
    def title(self) -> str:
        """The issue."""
        return self._need("title")

    @property
    def severity(self) -> Literal["error", "warning", "info"]:
        """Its severity, according to the parser."""
        return self._need("severity")

    @property
    def message(self) -> Optional[str]:
        """Details."""
        return self._need("message")

    @property
    def advice(self) -> Optional[str]:
        """What to do."""
        return self._need("advice")

    @property
    def place(self) -> Optional[Place]:
        """The source line."""
        return self._node(Place, self._need("place"))

    @property
    def compile(self) -> Optional[str]:
        """The compile."""
        return self._need("compile")


class ParserLink(Node):
    """A link that a parser gave."""

    __slots__ = ()

    @property
    def url(self) -> str:
        """An address with http or https."""
        return self._need("url")

    @property
    def title(self) -> Optional[str]:
        """Its text."""
        return self._need("title")

    @property
    def compile(self) -> Optional[str]:
        """The compile."""
        return self._need("compile")


class ParserFile(Node):
    """A file that a parser gave."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """Its name, as the parser gave it."""
        return self._need("name")

    @property
    def url(self) -> str:
        """Its path in the report, below parsers/."""
        return self._need("url")

    @property
    def bytes(self) -> int:
        """Its size."""
        return self._need("bytes")

    @property
    def compile(self) -> Optional[str]:
        """The compile."""
        return self._need("compile")


class Figure(Node):
    """A number or text, compared between two runs."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """Name for programs."""
        return self._need("name")

    @property
    def title(self) -> str:
        """Name for people."""
        return self._need("title")

    @property
    def unit(self) -> Literal["count", "us", "text"]:
        """Unit of the values: a count, microseconds (us), or a text."""
        return self._need("unit")

    @property
    def values(self) -> Tuple[Optional[Union[int, str]], Optional[Union[int, str]]]:
        """Values of the first and the second run."""
        return self._fixed((None, None), self._need("values"))

    @property
    def ranges(self) -> Optional[Tuple[Tuple[Optional[int], ...], ...]]:
        """Only if a side has several runs: values are then medians (the lower of two middle values), and these the
        smallest and the largest value of each side."""
        return frozen(self._data.get("ranges"))

    @property
    def delta(self) -> Optional[int]:
        """Second value minus first."""
        return self._need("delta")

    @property
    def verdict(self) -> Literal["same", "within", "worse", "better", "more", "less", "differs"]:
        """worse or better if more of it is a cost; for times only if they changed by more than 5 %."""
        return self._need("verdict")


class ComparedFinding(Node):
    """A finding that only one of the two runs has."""

    __slots__ = ()

    @property
    def index(self) -> int:
        """Index into findings of that run's report; for a job, into rank_findings."""
        return self._need("index")

    @property
    def kind(self) -> str:
        """Same as in that list."""
        return self._need("kind")

    @property
    def severity(self) -> Literal["error", "warning", "info"]:
        """Same as in that list."""
        return self._need("severity")

    @property
    def title(self) -> str:
        """Same as in that list."""
        return self._need("title")

    @property
    def place(self) -> Optional[Place]:
        """Same as in that list."""
        return self._node(Place, self._need("place"))

    @property
    def time_us(self) -> Optional[int]:
        """Same as in that list, in microseconds."""
        return self._need("time_us")


class ComparedBreak(Node):
    """A graph break that only one of the two logs has."""

    __slots__ = ()

    @property
    def id(self) -> Optional[str]:
        """Same as in graph_breaks."""
        return self._need("id")

    @property
    def reason(self) -> str:
        """Same as in graph_breaks, cut to 500 bytes."""
        return self._need("reason")

    @property
    def place(self) -> Optional[Place]:
        """The user's line."""
        return self._node(Place, self._need("place"))

    @property
    def count(self) -> int:
        """Number of occurrences."""
        return self._need("count")


class ComparedSide(Node):
    """Sums over the compiles of a function in one log."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """Its name in this log."""
        return self._need("name")

    @property
    def line(self) -> Optional[int]:
        """Its first line in this log."""
        return self._need("line")

    @property
    def compiles(self) -> Tuple[str, ...]:
        """Keys of its first 16 compiles."""
        return frozen(self._need("compiles"))

    @property
    def compile_count(self) -> int:
        """Number of its compiles."""
        return self._need("compile_count")

    @property
    def time_us(self) -> Optional[int]:
        """Compile time in microseconds."""
        return self._need("time_us")

    @property
    def own_us(self) -> Mapping[str, int]:
        """Self time of each phase, as in compiles[].own_us, in microseconds."""
        return frozen(self._need("own_us"))

    @property
    def by_phase_us(self) -> ShownTimes:
        """Self time of its compiles by shown phase, in microseconds."""
        return self._node(ShownTimes, self._need("by_phase_us"))

    @property
    def recompiles(self) -> int:
        """Number of recompiles, as in recompiles."""
        return self._need("recompiles")

    @property
    def graph_breaks(self) -> int:
        """Number of graph breaks: the sum of the distinct breaks of each compile."""
        return self._need("graph_breaks")

    @property
    def failures(self) -> int:
        """Number of compiles that failed or whose backward failed."""
        return self._need("failures")

    @property
    def ops(self) -> int:
        """Number of calls in their graphs."""
        return self._need("ops")

    @property
    def guards(self) -> int:
        """Number of guards."""
        return self._need("guards")

    @property
    def kernels(self) -> int:
        """Number of generated kernels."""
        return self._need("kernels")

    @property
    def cache(self) -> Tuple[Literal["bypass", "exception", "hit", "miss", "pickle_failure"], ...]:
        """Distinct cache results."""
        return frozen(self._need("cache"))


class CacheOwner(Node):
    """A compile that looked up a cache key."""

    __slots__ = ()

    @property
    def dir(self) -> str:
        """The folder of the log's report, as in ranks; for a job, as in its members."""
        return self._need("dir")

    @property
    def compile(self) -> str:
        """The key of the compile in that report."""
        return self._need("compile")

    @property
    def result(self) -> Literal["hit", "miss", "bypass"]:
        """The cache result."""
        return self._need("result")

    @property
    def same_graph(self) -> Optional[bool]:
        """Only for the key that a miss is compared with, as in compiles[].cache[].nearest."""
        return self._data.get("same_graph")

    @property
    def differences(self) -> Optional[int]:
        """Number of components whose hashes differ."""
        return self._data.get("differences")

    @property
    def components(self) -> Optional[Sequence[KeyComponent]]:
        """Components that differ, at most 8."""
        return self._nodes(KeyComponent, self._data.get("components"))


class RootCause(Node):
    """A root cause of a rank divergence."""

    __slots__ = ()

    @property
    def kind(self) -> Literal["configuration", "unfinished", "parts", "extra_compile", "other_compile", "recompile", "stopped", "backward", "status", "graph_break", "source", "branch", "operations", "input_sizes", "dynamic_sizes", "tensors", "graph", "recompile_reason", "guards", "collectives", "cache", "tensor_meta", "compile_time", "compile_order", "execution_order"]:
        """The kind of root cause."""
        return self._need("kind")

    @property
    def title(self) -> str:
        """Short description."""
        return self._need("title")

    @property
    def ranks(self) -> Tuple[int, ...]:
        """The outliers: ranks that differ from more than half of the ranks."""
        return frozen(self._need("ranks"))

    @property
    def aspect(self) -> Literal["compile_ids", "status", "graphs", "guards", "recompiles", "cache", "collectives", "tensor_meta", "execution_order", "configuration", "compile_time"]:
        """The aspect in which they differ."""
        return self._need("aspect")

    @property
    def place(self) -> Optional[Place]:
        """The first line of the program that shows it."""
        return self._node(Place, self._need("place"))

    @property
    def compile(self) -> Optional[str]:
        """The compile, in the report of the first outlier that has it."""
        return self._need("compile")

    @property
    def evidence(self) -> Sequence[CauseEvidence]:
        """The state of each group of ranks at that point."""
        return self._nodes(CauseEvidence, self._need("evidence"))

    @property
    def more_evidence(self) -> int:
        """Number of groups of ranks that are not listed."""
        return self._need("more_evidence")

    @property
    def consequences(self) -> Sequence[Consequence]:
        """Differences that follow from this cause."""
        return self._nodes(Consequence, self._need("consequences"))

    @property
    def more_consequences(self) -> int:
        """Number of consequences that are not listed."""
        return self._need("more_consequences")

    @property
    def may_hang(self) -> bool:
        """Whether ranks may wait for each other: their collectives differ, and the logs do not show that all ranks went
        on; or the log of some ends within a compile."""
        return self._need("may_hang")


class ArtifactRef(Node):
    """A reference to an artifact of a compile."""

    __slots__ = ()

    @property
    def compile(self) -> str:
        """The key of a compile, unique in the report."""
        return self._need("compile")

    @property
    def index(self) -> int:
        """Index into the artifacts of the compile."""
        return self._need("index")


class Place(PlaceText):
    """A line of source code."""

    __slots__ = ()

    @property
    def file(self) -> Optional[str]:
        """The file, as in the log."""
        return self._need("file")

    @property
    def line(self) -> int:
        """The line."""
        return self._need("line")

    @property
    def function(self) -> Optional[str]:
        """The function."""
        return self._need("function")


class Failure(Node):
    """Why a compile failed."""

    __slots__ = ()

    @property
    def type(self) -> Optional[str]:
        """fail_type of compilation_metrics: the exception."""
        return self._need("type")

    @property
    def reason(self) -> Optional[str]:
        """fail_reason of compilation_metrics: the message."""
        return self._need("reason")

    @property
    def file(self) -> Optional[str]:
        """The file of the user's frame that failed."""
        return self._need("file")

    @property
    def line(self) -> Optional[int]:
        """Its line."""
        return self._need("line")

    @property
    def refused(self) -> bool:
        """Whether the recompile limit was reached, so that this version was not compiled."""
        return self._need("refused")


class CacheCounts(Node):
    """Number of lookups of a cache, by result."""

    __slots__ = ()

    @property
    def hit(self) -> int:
        """Number of hits."""
        return self._need("hit")

    @property
    def miss(self) -> int:
        """Number of misses."""
        return self._need("miss")

    @property
    def bypass(self) -> int:
        """Number of bypasses."""
        return self._need("bypass")

    @property
    def pickle_failure(self) -> Optional[int]:
        """Number of results that could not be saved."""
        return self._data.get("pickle_failure")


class FurtherCacheCounts(Node):
    """Counts of a cache that does not log misses."""

    __slots__ = ()

    @property
    def hit(self) -> Optional[int]:
        """Number of hits."""
        return self._data.get("hit")

    @property
    def bypass(self) -> Optional[int]:
        """Number of bypasses."""
        return self._data.get("bypass")

    @property
    def exception(self) -> Optional[int]:
        """Number of entries that could not be created."""
        return self._data.get("exception")

    @property
    def entries(self) -> Optional[int]:
        """Number of entries of the latest save."""
        return self._data.get("entries")


class Artifact(ArtifactText):
    """An output of the compiler, carried by a record."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The name of the artifact, graph or file."""
        return self._need("name")

    @property
    def kind(self) -> str:
        """The key of the record: artifact, dynamo_output_graph, …; symbols for the table of symbols."""
        return self._need("kind")

    @property
    def url(self) -> Optional[str]:
        """The path of the file in the report, or the address of a link."""
        return self._need("url")

    @property
    def bytes(self) -> int:
        """Length of the text in bytes."""
        return self._need("bytes")

    @property
    def line(self) -> int:
        """The line of the record in the log, from 1."""
        return self._need("line")

    @property
    def number(self) -> Optional[int]:
        """The number in the file name, from one counter per log."""
        return self._need("number")

    @property
    def attempt(self) -> Optional[int]:
        """The attempt in the compile id."""
        return self._need("attempt")

    @property
    def suffix(self) -> Literal["", "✅", "❌", "❓"]:
        """The cache result in the name: hit (✅), miss (❌) or bypass (❓)."""
        return self._need("suffix")

    @property
    def readable_url(self) -> Optional[str]:
        """A page that shows the content in readable form."""
        return self._need("readable_url")

    @property
    def dir(self) -> str:
        """The folder of the record's compile id."""
        return self._need("dir")

    @property
    def text(self) -> Optional[Tuple[int, int]]:
        """The position in the text stream of dir: [offset, length]."""
        return self._fixed((None, None), self._need("text"))

    @property
    def lang(self) -> ArtifactLang:
        """The format of the text."""
        return self._need("lang")

    @property
    def subgraph(self) -> Optional[str]:
        """The subgraph (of a higher-order operator) that the record belongs to."""
        return self._need("subgraph")

    @property
    def payload_url(self) -> Optional[str]:
        """The file that contains the text unchanged, if url is a page."""
        return self._data.get("payload_url")

    @property
    def graph(self) -> Optional[GraphSize]:
        """Size of the graph in the text."""
        return self._node(GraphSize, self._data.get("graph"))

    @property
    def kernels(self) -> Optional[int]:
        """Number of kernels that the output code defines."""
        return self._data.get("kernels")

    @property
    def kernel_line(self) -> Optional[int]:
        """Line of the output code that defines the first of these kernels."""
        return self._data.get("kernel_line")

    @property
    def instructions(self) -> Optional[int]:
        """Number of bytecode instructions."""
        return self._data.get("instructions")

    @property
    def guards(self) -> Optional[GuardText]:
        """Guards of a dynamo_cpp_guards_str."""
        return self._node(GuardText, self._data.get("guards"))

    @property
    def stem(self) -> str:
        """Name without number and file extension."""
        return self._need("stem")

    @property
    def slot(self) -> Optional[str]:
        """Identifies the artifact within its compile: artifacts of two compiles correspond if their slots are equal."""
        return self._data.get("slot")

    @property
    def earlier(self) -> Optional[int]:
        """Index of the artifact with the previous form of the same graph or bytecode: before the pass, of the stage
        before, or before Dynamo."""
        return self._data.get("earlier")

    @property
    def other_attempts(self) -> Optional[Tuple[int, ...]]:
        """Indices of the same artifact of other attempts, latest first, at most 8."""
        return frozen(self._data.get("other_attempts"))


class Pass(Node):
    """A graph before and after a pass, or before and after a step between two representations."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The name of the pass: post_grad, overlap_scheduling, the name that vLLM gives, …"""
        return self._need("name")

    @property
    def stage(self) -> Literal["dynamo", "compiled_autograd", "pre_grad", "joint", "post_grad", "aot", "other"]:
        """The stage of the compile that contains it."""
        return self._need("stage")

    @property
    def step(self) -> bool:
        """Whether it is a step between two representations (AOTAutograd, the partitioner) rather than a pass."""
        return self._need("step")

    @property
    def backward(self) -> bool:
        """Whether it belongs to the backward graph."""
        return self._need("backward")

    @property
    def before(self) -> int:
        """Index of the graph before it in the artifacts of the compile."""
        return self._need("before")

    @property
    def after(self) -> int:
        """Index of the graph after it in the artifacts of the compile."""
        return self._need("after")

    @property
    def changed(self) -> bool:
        """Whether the texts differ, ignoring noise (addresses, ids, temporary paths)."""
        return self._need("changed")

    @property
    def ops_before(self) -> Optional[int]:
        """Number of calls in the graph before."""
        return self._need("ops_before")

    @property
    def ops_after(self) -> Optional[int]:
        """Number of calls in the graph after."""
        return self._need("ops_after")

    @property
    def nodes_before(self) -> Optional[int]:
        """Number of nodes in the graph before: inputs, calls, attributes and the output."""
        return self._need("nodes_before")

    @property
    def nodes_after(self) -> Optional[int]:
        """Number of nodes in the graph after."""
        return self._need("nodes_after")


class Stage(Node):
    """A stage of a compile."""

    __slots__ = ()

    @property
    def stage(self) -> Literal["bytecode", "dynamo", "pre_grad", "joint", "forward", "backward", "post_grad", "code", "kernels"]:
        """The name of the stage."""
        return self._need("stage")

    @property
    def backward(self) -> bool:
        """Whether it belongs to the backward graph, which has its own post_grad, code and kernels."""
        return self._need("backward")

    @property
    def state(self) -> Literal["done", "cached", "failed", "skipped", "unknown"]:
        """done; cached: loaded from a cache; failed: the compile ended here; skipped: nothing to do; unknown: not
        logged."""
        return self._need("state")

    @property
    def why(self) -> Optional[str]:
        """Why it is not done."""
        return self._need("why")

    @property
    def time_us(self) -> Optional[int]:
        """Self time in microseconds, without nested stages."""
        return self._need("time_us")

    @property
    def ops(self) -> Optional[int]:
        """Number of calls in the resulting graphs."""
        return self._need("ops")

    @property
    def nodes(self) -> Optional[int]:
        """Number of nodes in the resulting graphs."""
        return self._need("nodes")

    @property
    def kernels(self) -> Optional[int]:
        """Number of kernels that its code defines."""
        return self._need("kernels")

    @property
    def parts(self) -> int:
        """Number of resulting graphs or codes."""
        return self._need("parts")

    @property
    def artifacts(self) -> Tuple[int, ...]:
        """Indices of its artifacts in the artifacts of the compile."""
        return frozen(self._need("artifacts"))


class ShapeWhere(Node):
    """The origin of a record about a symbol."""

    __slots__ = ()

    @property
    def attempt(self) -> Optional[int]:
        """The attempt."""
        return self._need("attempt")

    @property
    def line(self) -> int:
        """The line of the record in the log."""
        return self._need("line")

    @property
    def user_stack(self) -> Optional[int]:
        """The user's stack, an index into shape_stacks."""
        return self._need("user_stack")

    @property
    def stack(self) -> Optional[int]:
        """The full stack, an index into shape_stacks."""
        return self._need("stack")


class Shapes(Node):
    """Symbols in the shapes of a compile."""

    __slots__ = ()

    @property
    def symbols(self) -> Sequence[ShapeSymbol]:
        """Created symbols."""
        return self._nodes(ShapeSymbol, self._need("symbols"))

    @property
    def specializations(self) -> Sequence[Specialization]:
        """Symbols that were specialized to constants."""
        return self._nodes(Specialization, self._need("specializations"))

    @property
    def guards(self) -> Sequence[ShapeGuard]:
        """Guards on symbols, in the order in which they were added."""
        return self._nodes(ShapeGuard, self._need("guards"))

    @property
    def more(self) -> int:
        """Number of records that are not listed: the lists are limited."""
        return self._need("more")


class KernelCounts(Node):
    """Kernels of one kind."""

    __slots__ = ()

    @property
    def count(self) -> int:
        """Number of kernels."""
        return self._need("count")

    @property
    def calls(self) -> int:
        """Number of lines in the output code that call them."""
        return self._need("calls")


class Kernel(Node):
    """A kernel of an output code."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """Its name in the code."""
        return self._need("name")

    @property
    def kind(self) -> KernelKind:
        """The language or origin of the kernel."""
        return self._need("kind")

    @property
    def heuristic(self) -> Optional[str]:
        """Triton: pointwise, reduction, persistent_reduction, template, …; other: the language."""
        return self._need("heuristic")

    @property
    def compile(self) -> str:
        """The key of a compile, unique in the report."""
        return self._need("compile")

    @property
    def graph(self) -> Optional[str]:
        """AOTAutograd's name of the graph, such as 0_forward."""
        return self._need("graph")

    @property
    def artifact(self) -> int:
        """Index of the output code in the artifacts of the compile."""
        return self._need("artifact")

    @property
    def line(self) -> Optional[int]:
        """The line of its definition in the code."""
        return self._need("line")

    @property
    def call_line(self) -> Optional[int]:
        """The line of its first call in the code."""
        return self._need("call_line")

    @property
    def calls(self) -> int:
        """Number of lines in the code that call it."""
        return self._need("calls")

    @property
    def copy(self) -> Optional[KernelCopy]:
        """Absent unless it copies a tensor to another device."""
        return self._node(KernelCopy, self._data.get("copy"))

    @property
    def outside(self) -> Optional[KernelOutside]:
        """Why it is called outside of the parts of its graph that are for CUDA graphs."""
        return self._data.get("outside")

    @property
    def definition(self) -> Optional[Place]:
        """Where the program defines it."""
        return self._node(Place, self._data.get("definition"))

    @property
    def ops(self) -> Tuple[str, ...]:
        """Operators that it computes: those of post_nodes."""
        return frozen(self._need("ops"))

    @property
    def nodes(self) -> Tuple[str, ...]:
        """Nodes of the Dynamo graph that it computes, from the comments of the code."""
        return frozen(self._need("nodes"))

    @property
    def post_nodes(self) -> Tuple[str, ...]:
        """Nodes of the post-grad graph that it computes."""
        return frozen(self._need("post_nodes"))

    @property
    def nodes_by(self) -> Literal["provenance", "comment", "dataflow", None]:
        """The source of its nodes: the provenance mapping of the log, comments in the code, or the buffers that it
        reads and writes (dataflow)."""
        return self._need("nodes_by")

    @property
    def sources(self) -> Sequence[KernelSource]:
        """Source lines that it comes from: those of the user, then those of libraries."""
        return self._nodes(KernelSource, self._need("sources"))

    @property
    def compile_time_us(self) -> Optional[int]:
        """Compile time of the kernel in microseconds, in the process that compiled it."""
        return self._need("compile_time_us")

    @property
    def autotune(self) -> Optional[Autotune]:
        """Autotuning result."""
        return self._node(Autotune, self._need("autotune"))

    @property
    def choice(self) -> Optional[int]:
        """Index in choices of the choice by benchmarks that it is the result of."""
        return self._data.get("choice")

    @property
    def perhaps(self) -> Tuple[str, ...]:
        """Additional nodes of the post-grad graph that it may compute: the log does not show which of several kernels
        computes them."""
        return frozen(self._need("perhaps"))

    @property
    def nodes_unknown(self) -> Optional[str]:
        """Why its nodes are unknown, or, if perhaps is not empty, why they are ambiguous."""
        return self._need("nodes_unknown")

    @property
    def lines_unknown(self) -> Optional[str]:
        """Why it has no source lines."""
        return self._need("lines_unknown")


class Finding(Node):
    """An issue."""

    __slots__ = ()

    @property
    def kind(self) -> Literal["unfinished", "error", "user_error", "frame_skipped", "recompile_limit", "graph_break", "cudagraph_skip", "cudagraph_recordings", "float32_matmul", "recompile", "specialization", "real_tensors", "slow_compile", "restart", "cache_bypass", "cache_miss", "missing_metrics", "interrupted", "autograd_capture", "backward_failure", "graph_error", "compile_worker_death", "precompile_bypass", "precompile_error", "cache_save_failure", "duplicate_backward", "overlap_cycle", "trace_failure", "log_fault", "no_records", "several_processes", "export_data_dependent", "export_guard", "export_missing_fake_kernel", "export_mismatched_fake_kernel", "export_constraint_violation", "export_error"]:
        """The kind of issue."""
        return self._need("kind")

    @property
    def severity(self) -> Literal["error", "warning", "info"]:
        """The severity."""
        return self._need("severity")

    @property
    def impact(self) -> Literal["stops", "every_step", "compile_time", "information"]:
        """The effect: it stops the program or an export (stops), slows every step (every_step), or costs compile time
        (compile_time)."""
        return self._need("impact")

    @property
    def cost(self) -> Literal["compile_time", "lost_to_restarts", "lost", "run_time", "cacheable", "unfinished"]:
        """The meaning of time_us."""
        return self._need("cost")

    @property
    def title(self) -> str:
        """Short description."""
        return self._need("title")

    @property
    def id(self) -> Optional[str]:
        """The id of a graph break in PyTorch's registry (GB0001)."""
        return self._need("id")

    @property
    def message(self) -> Optional[str]:
        """The message of PyTorch or of the program, cut to about 600 bytes."""
        return self._need("message")

    @property
    def code(self) -> Optional[str]:
        """The source text at place."""
        return self._need("code")

    @property
    def caller(self) -> Optional[Place]:
        """The user's line that led to place."""
        return self._node(Place, self._need("caller"))

    @property
    def library(self) -> bool:
        """Whether place is in a library rather than in the user's code."""
        return self._need("library")

    @property
    def evidence(self) -> Optional[str]:
        """The records that the advice is based on."""
        return self._need("evidence")

    @property
    def expected(self) -> bool:
        """Whether this is normal: the advice explains why there are several versions."""
        return self._need("expected")

    @property
    def place(self) -> Optional[Place]:
        """The source line to look at."""
        return self._node(Place, self._need("place"))

    @property
    def compiles(self) -> Tuple[str, ...]:
        """The affected compiles."""
        return frozen(self._need("compiles"))

    @property
    def time_us(self) -> Optional[int]:
        """Cost in microseconds, with the meaning given by cost."""
        return self._need("time_us")

    @property
    def saves_us(self) -> Optional[int]:
        """Compile time in microseconds that a fix saves at most: for a graph break, discarded traces, and frames that
        exist only because of it and have no operators, or were compiled for values from before it; of several with the
        same setting as their fix, the one that costs most has the sum."""
        return self._need("saves_us")

    @property
    def why(self) -> Optional[str]:
        """What happened."""
        return self._need("why")

    @property
    def advice(self) -> Optional[str]:
        """Suggested fix."""
        return self._need("advice")

    @property
    def link(self) -> str:
        """The address in index.html that shows it."""
        return self._need("link")


class Side(Node):
    """The state of one group of ranks at the first difference."""

    __slots__ = ()

    @property
    def ranks(self) -> Tuple[int, ...]:
        """The ranks of the group."""
        return frozen(self._need("ranks"))

    @property
    def key(self) -> Optional[str]:
        """The item that is compared, usually a compile id."""
        return self._need("key")

    @property
    def value(self) -> Optional[str]:
        """Its value on these ranks."""
        return self._need("value")

    @property
    def same_key(self) -> bool:
        """Whether all of these ranks have it under the same key."""
        return self._need("same_key")

    @property
    def alike(self) -> int:
        """Index of the first group with the same item and value here, which may be this group: such groups differ
        later."""
        return self._need("alike")


class Divergence(Node):
    """Whether ranks diverge in one aspect."""

    __slots__ = ()

    @property
    def title(self) -> str:
        """The name of the aspect for people."""
        return self._need("title")

    @property
    def why(self) -> str:
        """Why it matters."""
        return self._need("why")

    @property
    def known(self) -> bool:
        """Whether the logs have data for this aspect."""
        return self._need("known")

    @property
    def passed_over(self) -> bool:
        """Whether nothing is compared because all data of this aspect belongs to compiles that not all ranks
        finished."""
        return self._need("passed_over")

    @property
    def diverges(self) -> bool:
        """Whether the ranks differ."""
        return self._need("diverges")

    @property
    def not_logged(self) -> Tuple[int, ...]:
        """Compared ranks whose logs have no data for this aspect."""
        return frozen(self._need("not_logged"))

    @property
    def uncertain(self) -> Optional[Tuple[int, ...]]:
        """Execution order only: ranks that ran graphs from a cache."""
        return frozen(self._data.get("uncertain"))

    @property
    def from_(self) -> Optional[Literal["schedules", "output_code", "dynamo_graphs"]]:
        """Collectives only: the source of the data."""
        return self._data.get("from")

    @property
    def groups(self) -> Sequence[RankGroup]:
        """Groups of ranks that agree."""
        return self._nodes(RankGroup, self._need("groups"))

    @property
    def first(self) -> Optional[FirstDifference]:
        """The first difference."""
        return self._node(FirstDifference, self._need("first"))


class LogElsewhere(Node):
    """Where a log is that this report was made without."""

    __slots__ = ()

    @property
    def host(self) -> Optional[str]:
        """The host that read the log."""
        return self._need("host")

    @property
    def paths(self) -> Tuple[str, ...]:
        """The files of the log there: absolute paths, or addresses."""
        return frozen(self._need("paths"))

    @property
    def wanted(self) -> bool:
        """Whether the log should have a report of its own: its rank represents others, is the slowest or the fastest,
        failed or hangs, or was asked for."""
        return self._need("wanted")


class Rank(RankReport):
    """A rank or a run with its own report below this one."""

    __slots__ = ()

    @property
    def rank(self) -> Optional[int]:
        """The rank."""
        return self._need("rank")

    @property
    def dir(self) -> str:
        """The folder of its report, relative to this report."""
        return self._need("dir")

    @property
    def elsewhere(self) -> Optional[LogElsewhere]:
        """Where its log is, if this report was made from facts and has no report of the log itself: dir does not exist
        then."""
        return self._node(LogElsewhere, self._data.get("elsewhere"))

    @property
    def files(self) -> Tuple[str, ...]:
        """The files of its log, in the order in which they were read."""
        return frozen(self._need("files"))

    @property
    def name(self) -> Optional[str]:
        """Display name of a run: the file name, or the name of its folder if file names do not distinguish the runs."""
        return self._data.get("name")

    @property
    def members(self) -> Optional[Sequence[RankMember]]:
        """The logs of a run that is a job, by rank, those without a rank last."""
        return self._nodes(RankMember, self._data.get("members"))

    @property
    def status(self) -> Literal["ok", "error", "unfinished", "bad"]:
        """bad: the log could not be read; unfinished: the log ends within spans; error: a compile failed; ok: none of
        these."""
        return self._need("status")

    @property
    def older(self) -> bool:
        """Whether it is from an earlier start of the same rank."""
        return self._need("older")

    @property
    def error(self) -> Optional[str]:
        """Why the log could not be read."""
        return self._need("error")

    @property
    def bytes(self) -> int:
        """Uncompressed length of the log in bytes."""
        return self._need("bytes")

    @property
    def compiles(self) -> int:
        """Number of compiles."""
        return self._need("compiles")

    @property
    def failed(self) -> int:
        """Number of failed compiles."""
        return self._need("failed")

    @property
    def time_us(self) -> int:
        """Compile time of all compiles, in microseconds."""
        return self._need("time_us")

    @property
    def first_us(self) -> Optional[int]:
        """Time of the first event, in microseconds since the epoch."""
        return self._need("first_us")

    @property
    def last_us(self) -> Optional[int]:
        """Time of the last event, in microseconds since the epoch."""
        return self._need("last_us")

    @property
    def malformed(self) -> int:
        """Number of malformed records."""
        return self._need("malformed")

    @property
    def skipped_lines(self) -> int:
        """Number of lines that are other output, such as prints and warnings."""
        return self._need("skipped_lines")

    @property
    def counters(self) -> Mapping[str, int]:
        """The counters of log.counters that are not 0."""
        return frozen(self._need("counters"))

    @property
    def parity(self) -> Sequence[StreamParity]:
        """Graphs whose output code has other collectives than their schedule, or does not wait for all of them."""
        return self._nodes(StreamParity, self._need("parity"))

    @property
    def job(self) -> int:
        """0 for the job with the most logs."""
        return self._need("job")

    @property
    def compared(self) -> bool:
        """Whether it is compared with the other ranks."""
        return self._need("compared")

    @property
    def unfinished(self) -> Sequence[RankSpan]:
        """Spans without an end event, outermost first."""
        return self._nodes(RankSpan, self._need("unfinished"))

    @property
    def decisions(self) -> Tuple[str, ...]:
        """What ranks exchanged during compilation, as logged."""
        return frozen(self._need("decisions"))


class ExportFailure(Node):
    """A failure of torch.export."""

    __slots__ = ()

    @property
    def kind(self) -> ExportKind:
        """The kind of failure."""
        return self._need("kind")

    @property
    def compile(self) -> str:
        """The key of a compile, unique in the report."""
        return self._need("compile")

    @property
    def line(self) -> Optional[int]:
        """The line of the record in the log."""
        return self._need("line")

    @property
    def title(self) -> str:
        """Short description."""
        return self._need("title")

    @property
    def reason(self) -> str:
        """What happened."""
        return self._need("reason")

    @property
    def advice(self) -> Tuple[str, ...]:
        """Suggested fix."""
        return frozen(self._need("advice"))

    @property
    def type(self) -> Optional[str]:
        """The exception."""
        return self._need("type")

    @property
    def expr(self) -> Optional[str]:
        """The expression that was evaluated."""
        return self._need("expr")

    @property
    def result(self) -> Optional[str]:
        """The value that was assumed for it."""
        return self._need("result")

    @property
    def op(self) -> Optional[str]:
        """The operator."""
        return self._need("op")

    @property
    def detail(self) -> Optional[str]:
        """Further text of the log."""
        return self._need("detail")

    @property
    def constraints(self) -> Sequence[ExportConstraint]:
        """The dimensions of a constraint violation, as far as PyTorch's message names them."""
        return self._nodes(ExportConstraint, self._need("constraints"))

    @property
    def suggested_fixes(self) -> Tuple[str, ...]:
        """What PyTorch suggests for dynamic_shapes, a line each."""
        return frozen(self._need("suggested_fixes"))

    @property
    def code(self) -> Optional[str]:
        """The source text at place."""
        return self._need("code")

    @property
    def place(self) -> Optional[Place]:
        """The user's line."""
        return self._node(Place, self._need("place"))

    @property
    def user_stack(self) -> Optional[int]:
        """The user's stack, an index into export.stacks."""
        return self._need("user_stack")

    @property
    def stack(self) -> Optional[int]:
        """The full stack, an index into export.stacks."""
        return self._need("stack")

    @property
    def frame_locals(self) -> Sequence[FrameLocal]:
        """Local variables of the frame."""
        return self._nodes(FrameLocal, self._need("frame_locals"))

    @property
    def more_locals(self) -> int:
        """Number of local variables that are not listed."""
        return self._need("more_locals")

    @property
    def symbols(self) -> Sequence[SymbolSource]:
        """Symbols in the expression."""
        return self._nodes(SymbolSource, self._need("symbols"))

    @property
    def tree(self) -> Sequence[ExportNode]:
        """The derivation of the expression: each operand follows the expression that contains it."""
        return self._nodes(ExportNode, self._need("tree"))

    @property
    def tree_cut(self) -> bool:
        """Whether operands are left out."""
        return self._need("tree_cut")

    @property
    def url(self) -> Optional[str]:
        """The page that shows it."""
        return self._need("url")


class Tool(Node):
    """The program that wrote the report."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """Always tlparse."""
        return self._need("name")

    @property
    def version(self) -> str:
        """Its version."""
        return self._need("version")


class Run(Node):
    """The logged run, according to the log."""

    __slots__ = ()

    @property
    def torch(self) -> Optional[str]:
        """Version of PyTorch."""
        return self._need("torch")

    @property
    def python(self) -> Optional[str]:
        """Version of Python."""
        return self._need("python")

    @property
    def cuda(self) -> Optional[str]:
        """Version of CUDA."""
        return self._need("cuda")

    @property
    def triton(self) -> Optional[str]:
        """Version of Triton."""
        return self._need("triton")

    @property
    def device(self) -> Optional[str]:
        """The accelerator that graphs were compiled for, such as NVIDIA H100 80GB HBM3."""
        return self._data.get("device")

    @property
    def rank(self) -> Optional[int]:
        """The rank in torch.distributed."""
        return self._need("rank")

    @property
    def world_size(self) -> Optional[int]:
        """Number of ranks, from the default process group in the graphs."""
        return self._need("world_size")

    @property
    def started(self) -> Optional[str]:
        """Time of the first record or event, in ISO 8601."""
        return self._need("started")

    @property
    def duration_us(self) -> Optional[int]:
        """Time from the first to the last record or event, in microseconds."""
        return self._need("duration_us")

    @property
    def vllm(self) -> bool:
        """Whether the log is from vLLM."""
        return self._need("vllm")

    @property
    def parent(self) -> Optional[Literal[".."]]:
        """The path to the report of all ranks or runs."""
        return self._data.get("parent")


class LogFile(Node):
    """A file of the log."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The name, without the folder that all files share."""
        return self._need("name")

    @property
    def bytes(self) -> int:
        """Uncompressed length in bytes."""
        return self._need("bytes")

    @property
    def first_line(self) -> Optional[int]:
        """The first line of the file within the whole log (raw.log)."""
        return self._need("first_line")

    @property
    def records(self) -> int:
        """Number of records, including those that intern a string."""
        return self._need("records")

    @property
    def damage(self) -> Optional[str]:
        """Why the file could not be read completely."""
        return self._need("damage")


class LogProcess(Node):
    """A process that wrote records."""

    __slots__ = ()

    @property
    def process(self) -> int:
        """The process id."""
        return self._need("process")

    @property
    def nth(self) -> Optional[int]:
        """Which of the processes with this id, from 2: containers and hosts number their own processes."""
        return self._data.get("nth")

    @property
    def file(self) -> Optional[str]:
        """The file in which its first record is."""
        return self._data.get("file")

    @property
    def records(self) -> int:
        """Number of its records, without those that intern a string."""
        return self._need("records")

    @property
    def compiles(self) -> int:
        """Number of its compiles."""
        return self._need("compiles")

    @property
    def first_line(self) -> int:
        """The line of its first record in the whole log."""
        return self._need("first_line")


class LogCounters(Node):
    """Number of records by outcome."""

    __slots__ = ()

    @property
    def ok(self) -> int:
        """Records in the report."""
        return self._need("ok")

    @property
    def other_rank(self) -> int:
        """Records of other ranks, which are left out."""
        return self._need("other_rank")

    @property
    def fail_glog(self) -> int:
        """Lines that belong to no record."""
        return self._need("fail_glog")

    @property
    def fail_json(self) -> int:
        """Records whose envelope is not a JSON object."""
        return self._need("fail_json")

    @property
    def fail_payload_md5(self) -> int:
        """Payload MD5 mismatches."""
        return self._need("fail_payload_md5")

    @property
    def fail_dynamo_guards_json(self) -> int:
        """dynamo_guards records whose payload is not a JSON list."""
        return self._need("fail_dynamo_guards_json")

    @property
    def fail_parser(self) -> int:
        """Records that lack a required member."""
        return self._need("fail_parser")

    @property
    def fail_key_conflict(self) -> int:
        """Records with a member that raw.jsonl reserves."""
        return self._need("fail_key_conflict")

    @property
    def fail_json_serialization(self) -> int:
        """Records that could not be written as JSON."""
        return self._need("fail_json_serialization")

    @property
    def too_large(self) -> int:
        """Records larger than --max-record, or with too many values."""
        return self._need("too_large")

    @property
    def unknown(self) -> int:
        """Keys that tlparse does not know."""
        return self._need("unknown")

    @property
    def unknown_encoding(self) -> int:
        """Artifacts with an unknown encoding, among fail_parser."""
        return self._need("unknown_encoding")


class RecordKind(Node):
    """A kind of record, and its share of the log."""

    __slots__ = ()

    @property
    def key(self) -> str:
        """The key of the record."""
        return self._need("key")

    @property
    def name(self) -> Optional[str]:
        """The name of the artifact."""
        return self._need("name")

    @property
    def records(self) -> int:
        """Number of records."""
        return self._need("records")

    @property
    def bytes(self) -> int:
        """Bytes of the log, including payloads."""
        return self._need("bytes")


class LogError(Node):
    """An error in the log, on one line or on adjacent lines."""

    __slots__ = ()

    @property
    def line(self) -> int:
        """The first line, from 1."""
        return self._need("line")

    @property
    def file(self) -> Optional[str]:
        """The file."""
        return self._data.get("file")

    @property
    def file_line(self) -> Optional[int]:
        """The line in that file."""
        return self._data.get("file_line")

    @property
    def what(self) -> str:
        """Description of the error."""
        return self._need("what")

    @property
    def count(self) -> int:
        """Number of lines."""
        return self._need("count")


class LogRest(Node):
    """All compile ids that are not listed, together."""

    __slots__ = ()

    @property
    def compiles(self) -> int:
        """Number of compiles."""
        return self._need("compiles")

    @property
    def records(self) -> int:
        """Number of their records."""
        return self._need("records")

    @property
    def bytes(self) -> int:
        """Bytes of their records in the log."""
        return self._need("bytes")


class Config(Node):
    """A configuration."""

    __slots__ = ()

    @property
    def kind(self) -> Literal["dynamo", "inductor", "functorch", "compiler"]:
        """The component that it configures."""
        return self._need("kind")

    @property
    def values(self) -> Any:
        """As logged: an object, or a text if it is not JSON."""
        return frozen(self._need("values"))

    @property
    def compiles(self) -> int:
        """Number of compiles that logged it in the metrics of their forward, backward or both."""
        return self._need("compiles")


class GraphBreak(Node):
    """A graph break."""

    __slots__ = ()

    @property
    def id(self) -> Optional[str]:
        """Its id in PyTorch's registry of graph breaks (GB0001)."""
        return self._need("id")

    @property
    def reason(self) -> str:
        """Why the graph broke."""
        return self._need("reason")

    @property
    def explanation(self) -> str:
        """PyTorch's explanation."""
        return self._need("explanation")

    @property
    def hints(self) -> Tuple[str, ...]:
        """PyTorch's hints."""
        return frozen(self._need("hints"))

    @property
    def url(self) -> Optional[str]:
        """PyTorch's documentation of it."""
        return self._need("url")

    @property
    def place(self) -> Optional[Place]:
        """The user's line."""
        return self._node(Place, self._need("place"))

    @property
    def library(self) -> bool:
        """Whether the line is in a library rather than in the user's code."""
        return self._need("library")

    @property
    def skipped(self) -> bool:
        """Whether Dynamo skipped the frame at least once, so that it runs eagerly."""
        return self._need("skipped")

    @property
    def exception(self) -> bool:
        """Whether the line raises an exception, or asserts something false, while it is traced: no limitation of the
        compiler, and not counted as a graph break."""
        return self._need("exception")

    @property
    def then(self) -> Optional[str]:
        """If handling this break led to another one: the reason of that one."""
        return self._need("then")

    @property
    def then_id(self) -> Optional[str]:
        """The id of the other one."""
        return self._need("then_id")

    @property
    def stack(self) -> Sequence[StackFrame]:
        """The user's frames, outermost first."""
        return self._nodes(StackFrame, self._need("stack"))

    @property
    def count(self) -> int:
        """Number of occurrences."""
        return self._need("count")

    @property
    def compiles(self) -> Tuple[str, ...]:
        """The compiles in which it occurred."""
        return frozen(self._need("compiles"))

    @property
    def time_us(self) -> Optional[int]:
        """Compile time of these compiles, in microseconds."""
        return self._need("time_us")


class RecompileCause(Node):
    """A guard that caused recompiles of a frame."""

    __slots__ = ()

    @property
    def guard(self) -> str:
        """The guard."""
        return self._need("guard")

    @property
    def source(self) -> Optional[str]:
        """The variable or attribute that it checks."""
        return self._need("source")

    @property
    def count(self) -> int:
        """Number of compiles that it caused."""
        return self._need("count")

    @property
    def subject(self) -> Optional[str]:
        """The same in the user's terms: x.size()[0], len(xs)."""
        return self._need("subject")

    @property
    def guard_type(self) -> str:
        """What it checks, as in steps."""
        return self._need("guard_type")

    @property
    def values(self) -> Tuple[Tuple[Optional[str], ...], ...]:
        """The first values, at most 8, in rows: [["6", "7"], ["8", "9"]] means 6 → 7 and 8 → 9."""
        return frozen(self._need("values"))

    @property
    def others(self) -> int:
        """Number of these recompiles in which another guard would have failed, too."""
        return self._need("others")

    @property
    def also(self) -> int:
        """Number of further recompiles in which it changed, too, in addition to their cause."""
        return self._need("also")

    @property
    def refused(self) -> int:
        """Number of these recompiles that the recompile limit refused: they have no compiled version."""
        return self._need("refused")

    @property
    def first(self) -> str:
        """The guard, as it first failed."""
        return self._need("first")

    @property
    def example(self) -> Optional[str]:
        """The first reason, complete."""
        return self._need("example")

    @property
    def code(self) -> Optional[str]:
        """The user's source line that needs the guard."""
        return self._need("code")

    @property
    def place(self) -> Optional[Place]:
        """The place of that line."""
        return self._node(Place, self._need("place"))


class GuardChange(Node):
    """A guard that fails."""

    __slots__ = ()

    @property
    def guard(self) -> Optional[str]:
        """The guard."""
        return self._need("guard")

    @property
    def guard_type(self) -> str:
        """What it checks, as in reasons."""
        return self._need("guard_type")

    @property
    def source(self) -> Optional[str]:
        """What it checks, in the user's terms: x.size()[0], self.drop.training, len(xs), grad_mode."""
        return self._need("source")

    @property
    def had(self) -> Optional[str]:
        """The value in the nearest version."""
        return self._need("had")

    @property
    def has(self) -> Optional[str]:
        """The value in this compile."""
        return self._need("has")

    @property
    def symbol(self) -> Optional[str]:
        """The symbol that replaced the value, which is dynamic from here on."""
        return self._need("symbol")

    @property
    def differs(self) -> Optional[str]:
        """Dispatch keys only: those that were removed and added, such as "−AutogradCPU +AutocastCPU"."""
        return self._need("differs")


class GuardFailure(Node):
    """A guard that failed."""

    __slots__ = ()

    @property
    def against(self) -> Optional[str]:
        """The earlier compile that the guard belongs to."""
        return self._need("against")

    @property
    def guard(self) -> str:
        """The guard, without id and comments."""
        return self._need("guard")

    @property
    def guard_type(self) -> Literal["other", "size", "stride", "rank", "dtype", "device", "requires_grad", "dispatch_key", "value", "length", "type", "identity", "dict", "attribute", "global_state", "relation", "alias", "float", "module_mode", "grad_mode", "divisibility", "backend"]:
        """What it checks."""
        return self._need("guard_type")

    @property
    def source(self) -> Optional[str]:
        """The checked input, variable, attribute or mode."""
        return self._need("source")

    @property
    def had(self) -> Optional[str]:
        """The expected value."""
        return self._need("had")

    @property
    def has(self) -> Optional[str]:
        """The actual value, from the reason or else from the guards of the new compile."""
        return self._need("has")


class SizeChange(Node):
    """An input whose sizes changed."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """Its name in the graph."""
        return self._need("name")

    @property
    def had(self) -> Optional[str]:
        """The sizes before."""
        return self._need("had")

    @property
    def has(self) -> Optional[str]:
        """The sizes after."""
        return self._need("has")


class RecompileStep(Node):
    """A recompile."""

    __slots__ = ()

    @property
    def compile(self) -> str:
        """The key of a compile, unique in the report."""
        return self._need("compile")

    @property
    def from_(self) -> str:
        """The version that sizes are compared with: the nearest one, or else the previous one."""
        return self._need("from")

    @property
    def nearest(self) -> Optional[str]:
        """The earlier version with the fewest differences to this compile: a size that several tensors have counts
        once, and versions for arguments of other types, ranks, lengths or members are farther."""
        return self._need("nearest")

    @property
    def also_near(self) -> Optional[Tuple[str, ...]]:
        """Other versions that are as near but fail another guard first, and do not differ in the first change, the
        latest first."""
        return frozen(self._data.get("also_near"))

    @property
    def changes(self) -> Sequence[GuardChange]:
        """The guards of the nearest version that fail in this compile."""
        return self._nodes(GuardChange, self._need("changes"))

    @property
    def more_changes(self) -> int:
        """Number of changes that are not listed."""
        return self._need("more_changes")

    @property
    def reasons(self) -> Sequence[GuardFailure]:
        """The logged guard failures, usually one per earlier compile, the latest first."""
        return self._nodes(GuardFailure, self._need("reasons"))

    @property
    def more_reasons(self) -> int:
        """Number of reasons that are not listed."""
        return self._need("more_reasons")

    @property
    def sizes(self) -> Sequence[SizeChange]:
        """Inputs of the Dynamo graph, without weights, whose sizes differ between the two."""
        return self._nodes(SizeChange, self._need("sizes"))


class AdviceEvidence(Node):
    """A record that advice is based on."""

    __slots__ = ()

    @property
    def record(self) -> str:
        """The kind of record, or the name of the artifact."""
        return self._need("record")

    @property
    def compile(self) -> str:
        """The key of a compile, unique in the report."""
        return self._need("compile")

    @property
    def says(self) -> Optional[str]:
        """Its relevant content."""
        return self._need("says")


class RecompileAdvice(Node):
    """Advice on a recompiled frame."""

    __slots__ = ()

    @property
    def guard_type(self) -> str:
        """As in steps; limit: the recompile limit was hit."""
        return self._need("guard_type")

    @property
    def text(self) -> str:
        """The suggested fix."""
        return self._need("text")

    @property
    def expected(self) -> bool:
        """Whether this is normal: the text explains why there are several versions."""
        return self._need("expected")

    @property
    def saves(self) -> int:
        """Recompiles in this log that the first thing that the text names would surely have saved."""
        return self._need("saves")

    @property
    def evidence(self) -> Sequence[AdviceEvidence]:
        """The records that it is based on."""
        return self._nodes(AdviceEvidence, self._need("evidence"))

    @property
    def more_evidence(self) -> int:
        """Number of records that are not listed."""
        return self._need("more_evidence")


class Recompile(Node):
    """A frame that was compiled more than once."""

    __slots__ = ()

    @property
    def frame(self) -> Optional[Frame]:
        """The function."""
        return self._node(Frame, self._need("frame"))

    @property
    def chain(self) -> Tuple[str, ...]:
        """Its compiles, in order."""
        return frozen(self._need("chain"))

    @property
    def recompiles(self) -> int:
        """Number of compiles in the chain that are recompiles: those with a logged reason, and those after a compile
        that did not fail."""
        return self._need("recompiles")

    @property
    def refused(self) -> int:
        """Number of further compiles in the chain that the recompile limit refused."""
        return self._need("refused")

    @property
    def limit_hit(self) -> bool:
        """Whether PyTorch gave up because the recompile limit was reached."""
        return self._need("limit_hit")

    @property
    def causes(self) -> Sequence[RecompileCause]:
        """Guards that failed."""
        return self._nodes(RecompileCause, self._need("causes"))

    @property
    def steps(self) -> Sequence[RecompileStep]:
        """One item for each compile after the first."""
        return self._nodes(RecompileStep, self._need("steps"))

    @property
    def more_steps(self) -> int:
        """Number of steps that are not listed."""
        return self._need("more_steps")

    @property
    def limit(self) -> Optional[int]:
        """recompile_limit of the compile that hit it."""
        return self._need("limit")

    @property
    def advice(self) -> Sequence[RecompileAdvice]:
        """Advice that the log has evidence for, for the most frequent causes first."""
        return self._nodes(RecompileAdvice, self._need("advice"))

    @property
    def time_us(self) -> int:
        """Compile time of the recompiles, in microseconds."""
        return self._need("time_us")


class Caches(Node):
    """Cache results."""

    __slots__ = ()

    @property
    def fx_graph(self) -> CacheCounts:
        """Inductor's FX graph cache."""
        return self._node(CacheCounts, self._need("fx_graph"))

    @property
    def aotautograd(self) -> CacheCounts:
        """AOTAutograd's cache."""
        return self._node(CacheCounts, self._need("aotautograd"))

    @property
    def fx_graph_bundled(self) -> Optional[FurtherCacheCounts]:
        """Code that is bundled with AOTAutograd's result (fx_graph_bundled_cache_hit)."""
        return self._node(FurtherCacheCounts, self._data.get("fx_graph_bundled"))

    @property
    def precompile(self) -> Optional[FurtherCacheCounts]:
        """Graphs that precompile does not save (precompile_cache_bypass)."""
        return self._node(FurtherCacheCounts, self._data.get("precompile"))

    @property
    def dynamo(self) -> Optional[FurtherCacheCounts]:
        """Precompile's package: entries of the latest save (dynamo_cache_entries), skipped code objects
        (dynamo_cache_bypass), entries that could not be created (dynamo_cache_exception)."""
        return self._node(FurtherCacheCounts, self._data.get("dynamo"))


class Totals(Node):
    """Sums over all compiles."""

    __slots__ = ()

    @property
    def compiles(self) -> int:
        """Number of compiles."""
        return self._need("compiles")

    @property
    def compiled(self) -> int:
        """Number of compiles that succeeded, with or without restarts: ok and restart."""
        return self._need("compiled")

    @property
    def graph_breaks(self) -> int:
        """Number of distinct graph breaks, without those with exception."""
        return self._need("graph_breaks")

    @property
    def failures(self) -> int:
        """Number of failed forward and backward compiles."""
        return self._need("failures")

    @property
    def findings(self) -> int:
        """Number of findings."""
        return self._need("findings")

    @property
    def statuses(self) -> StatusCounts:
        """Number of compiles by status."""
        return self._node(StatusCounts, self._need("statuses"))

    @property
    def interrupted(self) -> int:
        """Number of compiles with the status empty that were interrupted: they have neither a finished graph nor a
        failure."""
        return self._need("interrupted")

    @property
    def ops_unknown(self) -> int:
        """Number of compiles with the status empty whose metrics do not count ops (AOTInductor, export)."""
        return self._need("ops_unknown")

    @property
    def recompiles(self) -> int:
        """Number of recompiles: the sum of recompiles in the list of that name."""
        return self._need("recompiles")

    @property
    def recompiles_refused(self) -> int:
        """Number of recompiles that the recompile limit refused."""
        return self._need("recompiles_refused")

    @property
    def restarts(self) -> int:
        """Number of times Dynamo restarted the trace of a frame."""
        return self._need("restarts")

    @property
    def time_us(self) -> Optional[int]:
        """Compile time in microseconds: forward_us plus backward_us."""
        return self._need("time_us")

    @property
    def forward_us(self) -> Optional[int]:
        """Compile time in microseconds from the compilation_metrics of forwards, including AOTInductor and export."""
        return self._need("forward_us")

    @property
    def backward_us(self) -> Optional[int]:
        """Compile time in microseconds from the metrics of backwards."""
        return self._need("backward_us")

    @property
    def runtime_us(self) -> Optional[int]:
        """Time in microseconds spent at run time, from the *_compilation_metrics_runtime records: autotuning, recording
        of CUDA graphs."""
        return self._need("runtime_us")

    @property
    def restart_us(self) -> Optional[int]:
        """Part of forward_us that was lost to restarts, in microseconds: dynamo_time_before_restart_s of the compiles
        that restarted and did not fail."""
        return self._need("restart_us")

    @property
    def phases_us(self) -> Mapping[str, int]:
        """Timers of the phases, in microseconds."""
        return frozen(self._need("phases_us"))

    @property
    def own_us(self) -> Mapping[str, int]:
        """The sum of own_us over all compiles, in microseconds."""
        return frozen(self._need("own_us"))

    @property
    def by_phase_us(self) -> ShownTimes:
        """Self time of all compiles by shown phase, in microseconds."""
        return self._node(ShownTimes, self._need("by_phase_us"))


class TimeLine(Node):
    """A part of the compile time, or a hint about it."""

    __slots__ = ()

    @property
    def key(self) -> str:
        """Identifies the kind of line, such as cpp_kernels, aotinductor, cpu_probes, autotuning, benchmarks, guards,
        cache_keys, dynamic_shapes, discarded, a shown phase, or of hints: cold_caches, warm_caches, caches_off,
        recompiles, graph_breaks, small_graphs, largest, equal_modules, equal_graphs, equal_but_constants, untimed,
        unfinished, captures, logging, gc."""
        return self._need("key")

    @property
    def title(self) -> str:
        """What the time was spent on."""
        return self._need("title")

    @property
    def time_us(self) -> int:
        """The time, in microseconds."""
        return self._need("time_us")

    @property
    def saves_us(self) -> Optional[int]:
        """Compile time in microseconds that the action saves at most."""
        return self._need("saves_us")

    @property
    def why(self) -> Optional[str]:
        """What this is."""
        return self._need("why")

    @property
    def action(self) -> Optional[str]:
        """What to change."""
        return self._need("action")

    @property
    def evidence(self) -> Optional[str]:
        """The records or spans that the time is from."""
        return self._need("evidence")

    @property
    def link(self) -> Optional[str]:
        """The page that shows more, as the fragment of an address."""
        return self._need("link")

    @property
    def compiles(self) -> Tuple[str, ...]:
        """The compiles whose time it is, at most 20."""
        return frozen(self._need("compiles"))

    @property
    def more_compiles(self) -> int:
        """Number of further compiles."""
        return self._need("more_compiles")


class FirstChange(Node):
    """What to change first."""

    __slots__ = ()

    @property
    def title(self) -> str:
        """The title of the line or issue."""
        return self._need("title")

    @property
    def action(self) -> Optional[str]:
        """What to change."""
        return self._need("action")

    @property
    def saves_us(self) -> Optional[int]:
        """Compile time in microseconds that this saves at most."""
        return self._need("saves_us")

    @property
    def issue(self) -> bool:
        """Whether it is the first of findings."""
        return self._need("issue")

    @property
    def link(self) -> Optional[str]:
        """The page that shows more, as the fragment of an address."""
        return self._need("link")


class CompileTime(Node):
    """Where the compile time goes, and what each part would save at most."""

    __slots__ = ()

    @property
    def parts(self) -> Sequence[TimeLine]:
        """Disjoint parts, longest first."""
        return self._nodes(TimeLine, self._need("parts"))

    @property
    def hints(self) -> Sequence[TimeLine]:
        """The same time from other sides, longest first."""
        return self._nodes(TimeLine, self._need("hints"))

    @property
    def first(self) -> Optional[FirstChange]:
        """What to change first."""
        return self._node(FirstChange, self._data.get("first"))


class CoverageCounts(Node):
    """Number of functions by state."""

    __slots__ = ()

    @property
    def compiled(self) -> int:
        """A graph, and nothing that is known to run without one."""
        return self._need("compiled")

    @property
    def no_ops(self) -> int:
        """Traced, and without operators outside of its graph breaks."""
        return self._need("no_ops")

    @property
    def unknown(self) -> int:
        """The log does not have the end of a trace, or does not say why Dynamo skipped the frame, or whether graphs of
        its caller contain it, where Dynamo compiles it on its own only since a call of the caller did not compile."""
        return self._need("unknown")

    @property
    def partly(self) -> int:
        """A graph, or a part in one of its caller, and graph breaks, failed versions or backwards, or calls beyond the
        recompile limit."""
        return self._need("partly")

    @property
    def not_(self) -> int:
        """No graph: Dynamo gave it up, or its only operators break the graph."""
        return self._need("not")


class CoveredFunction(Node):
    """A function that is not, or partly, compiled, or of which it is unknown."""

    __slots__ = ()

    @property
    def state(self) -> Literal["not", "partly", "unknown"]:
        """As in the counts."""
        return self._need("state")

    @property
    def frame(self) -> Frame:
        """Its first line; 0 if the log only has its rest after a graph break."""
        return self._node(Frame, self._need("frame"))

    @property
    def library(self) -> bool:
        """The function is not in the user's code."""
        return self._need("library")

    @property
    def graphs(self) -> int:
        """Compiles of it that have a graph."""
        return self._need("graphs")

    @property
    def breaks(self) -> int:
        """Distinct graph breaks in it."""
        return self._need("breaks")

    @property
    def reason(self) -> Optional[str]:
        """What kept it from being compiled as a whole: the worst."""
        return self._need("reason")

    @property
    def finding(self) -> Optional[int]:
        """The finding that explains it, an index into findings."""
        return self._need("finding")

    @property
    def compiles(self) -> Tuple[str, ...]:
        """Its first compiles, with those of its rests."""
        return frozen(self._need("compiles"))

    @property
    def more_compiles(self) -> int:
        """Further ones."""
        return self._need("more_compiles")


class Coverage(Node):
    """Which functions run compiled code, and which do not."""

    __slots__ = ()

    @property
    def counts(self) -> CoverageCounts:
        """Number of functions by state."""
        return self._node(CoverageCounts, self._need("counts"))

    @property
    def library(self) -> int:
        """Functions among the counts that are not in the user's code."""
        return self._need("library")

    @property
    def functions(self) -> Sequence[CoveredFunction]:
        """Those that are not compiled, then those that are partly, then the unknown; the user's own first, then in log
        order."""
        return self._nodes(CoveredFunction, self._need("functions"))

    @property
    def more_functions(self) -> int:
        """Further ones."""
        return self._need("more_functions")


class Check(Node):
    """A contradiction."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The compared values: phases (self times against compile time), timer_spans (spans of the events against the
        timers in the metrics, of the same forward and backward), records_by_kind, records_by_compile, graph_breaks,
        caches (against counts of records), ids (against compile_directory.json)."""
        return self._need("name")

    @property
    def compile(self) -> Optional[str]:
        """The compile."""
        return self._need("compile")

    @property
    def expected(self) -> int:
        """The value according to the log."""
        return self._need("expected")

    @property
    def found(self) -> int:
        """The value in the report, in the same unit."""
        return self._need("found")


class UnfinishedSpan(Node):
    """A span without an end event."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The name of the span."""
        return self._need("name")

    @property
    def compile(self) -> Optional[str]:
        """The key of its compile, or the id in the event if the log has no such compile."""
        return self._need("compile")

    @property
    def started_us(self) -> int:
        """Start time in microseconds since the epoch."""
        return self._need("started_us")

    @property
    def before_end_us(self) -> int:
        """Time from its start to the last event, in microseconds."""
        return self._need("before_end_us")

    @property
    def process(self) -> Optional[Union[float, str]]:
        """The process id of the event."""
        return self._need("process")

    @property
    def thread(self) -> Optional[Union[float, str]]:
        """The thread id of the event."""
        return self._need("thread")

    @property
    def stack(self) -> Optional[int]:
        """The stack at which its compile starts, an index into stacks."""
        return self._need("stack")

    @property
    def place(self) -> Optional[Place]:
        """In a report of several ranks: the function of its compile."""
        return self._node(Place, self._data.get("place"))

    @property
    def rank(self) -> Optional[int]:
        """In a report of several ranks: its rank."""
        return self._data.get("rank")

    @property
    def dir(self) -> Optional[str]:
        """In a report of several ranks: the folder of that rank's report."""
        return self._data.get("dir")


class UnattributedArtifact(Node):
    """An artifact."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """Its name."""
        return self._need("name")

    @property
    def url(self) -> Optional[str]:
        """Its file, as in the artifacts of the compile."""
        return self._need("url")

    @property
    def compile(self) -> str:
        """The item of compiles that lists it."""
        return self._need("compile")

    @property
    def index(self) -> int:
        """Its index in the artifacts of that item."""
        return self._need("index")

    @property
    def line(self) -> int:
        """The line of the record in the log."""
        return self._need("line")


class Unattributed(Node):
    """Records without a compile id that share a stack."""

    __slots__ = ()

    @property
    def stack(self) -> Sequence[StackFrame]:
        """The frames of the stack, outermost first."""
        return self._nodes(StackFrame, self._need("stack"))

    @property
    def records(self) -> int:
        """Number of records with this stack."""
        return self._need("records")

    @property
    def artifacts(self) -> Sequence[UnattributedArtifact]:
        """The artifacts of these records."""
        return self._nodes(UnattributedArtifact, self._need("artifacts"))


class SettingValue(Node):
    """A value of a setting, and the compiles that have it."""

    __slots__ = ()

    @property
    def set(self) -> bool:
        """Whether the configuration has this setting."""
        return self._need("set")

    @property
    def value(self) -> Any:
        """The value, as logged."""
        return frozen(self._need("value"))

    @property
    def compiles(self) -> Tuple[str, ...]:
        """The compiles that have it in their forward or backward metrics."""
        return frozen(self._need("compiles"))


class SettingInEffect(Node):
    """A setting that was set, or that does not have the value of the configuration."""

    __slots__ = ()

    @property
    def kind(self) -> Literal["dynamo", "inductor", "functorch", "compiler"]:
        """The component that is configured."""
        return self._need("kind")

    @property
    def setting(self) -> str:
        """The name of the setting."""
        return self._need("setting")

    @property
    def values(self) -> Sequence[EffectValue]:
        """Its values, in the order in which they were logged."""
        return self._nodes(EffectValue, self._need("values"))


class EffectValue(Node):
    """A value that a setting had while graphs of these compiles were compiled."""

    __slots__ = ()

    @property
    def value(self) -> Any:
        """A number, boolean, text or None."""
        return frozen(self._need("value"))

    @property
    def configured(self) -> Any:
        """For Inductor, the value in the configuration of the compiles' metrics."""
        return frozen(self._data.get("configured"))

    @property
    def compiles(self) -> Tuple[str, ...]:
        """At most 100 of the compiles."""
        return frozen(self._need("compiles"))

    @property
    def more_compiles(self) -> Optional[int]:
        """Number of compiles that are not listed."""
        return self._data.get("more_compiles")


class ConfigDifference(Node):
    """A setting that differs between compiles."""

    __slots__ = ()

    @property
    def kind(self) -> Literal["dynamo", "inductor", "functorch", "compiler"]:
        """The component that is configured."""
        return self._need("kind")

    @property
    def setting(self) -> str:
        """The name of the setting."""
        return self._need("setting")

    @property
    def values(self) -> Sequence[SettingValue]:
        """Its values, in the order in which they were logged."""
        return self._nodes(SettingValue, self._need("values"))


class ExportCounts(Node):
    """Number of failures by kind."""

    __slots__ = ()

    @property
    def data_dependent(self) -> Optional[int]:
        """Decisions that depend on tensor values."""
        return self._data.get("data_dependent")

    @property
    def guard(self) -> Optional[int]:
        """Guards that were evaluated."""
        return self._data.get("guard")

    @property
    def missing_fake_kernel(self) -> Optional[int]:
        """Operators without a fake kernel."""
        return self._data.get("missing_fake_kernel")

    @property
    def mismatched_fake_kernel(self) -> Optional[int]:
        """Fake kernels whose result differs from that of the real kernel."""
        return self._data.get("mismatched_fake_kernel")

    @property
    def constraint_violation(self) -> Optional[int]:
        """Dynamic sizes that the code specializes to a constant."""
        return self._data.get("constraint_violation")

    @property
    def error(self) -> Optional[int]:
        """Other errors."""
        return self._data.get("error")


class ExportOutcome(Node):
    """The outcome of all exports together."""

    __slots__ = ()

    @property
    def known(self) -> bool:
        """Whether every export that began is known to have produced a program."""
        return self._need("known")

    @property
    def title(self) -> str:
        """Short description."""
        return self._need("title")

    @property
    def text(self) -> str:
        """Full description."""
        return self._need("text")


class ExportOutcomes(Node):
    """Number of calls of torch.export by outcome."""

    __slots__ = ()

    @property
    def succeeded(self) -> Optional[int]:
        """Calls whose program the log has."""
        return self._data.get("succeeded")

    @property
    def compiled(self) -> Optional[int]:
        """Calls whose program AOTInductor compiled: its graph has their sizes."""
        return self._data.get("compiled")

    @property
    def failed(self) -> Optional[int]:
        """Calls whose error the log has, or the graph that was traced up to it."""
        return self._data.get("failed")

    @property
    def no_program(self) -> Optional[int]:
        """Calls without a program or an error in a log of TORCH_DTRACE."""
        return self._data.get("no_program")

    @property
    def traced(self) -> Optional[int]:
        """Strict exports that Dynamo traced without an error."""
        return self._data.get("traced")

    @property
    def unknown(self) -> Optional[int]:
        """Calls of which the log does not say how they ended."""
        return self._data.get("unknown")


class ExportCall(Node):
    """A call of torch.export."""

    __slots__ = ()

    @property
    def outcome(self) -> Literal["succeeded", "compiled", "failed", "no_program", "traced", "unknown"]:
        """How it ended, see export_outcomes."""
        return self._need("outcome")

    @property
    def compile(self) -> str:
        """The key of a compile, unique in the report."""
        return self._need("compile")

    @property
    def place(self) -> Optional[Place]:
        """The user's line that called torch.export."""
        return self._node(Place, self._need("place"))

    @property
    def caller(self) -> Optional[Place]:
        """The user's line that called the function with that line."""
        return self._node(Place, self._need("caller"))

    @property
    def strict(self) -> Optional[bool]:
        """Whether Dynamo traced it (strict=True)."""
        return self._need("strict")

    @property
    def line(self) -> int:
        """The line of its first record in the log."""
        return self._need("line")

    @property
    def failure(self) -> Optional[int]:
        """Index into export.failures of what ended it."""
        return self._need("failure")

    @property
    def program(self) -> Optional[int]:
        """Index into export.programs."""
        return self._need("program")


class ExportConstraint(Node):
    """A dimension that dynamic_shapes declares dynamic and the code limits."""

    __slots__ = ()

    @property
    def text(self) -> str:
        """PyTorch's sentence."""
        return self._need("text")

    @property
    def name(self) -> Optional[str]:
        """The dimension: the name of its Dim, or its source."""
        return self._need("name")

    @property
    def expr(self) -> Optional[str]:
        """The guard, or the value that the code needs."""
        return self._need("expr")

    @property
    def place(self) -> Optional[Place]:
        """The user's line with the guard."""
        return self._node(Place, self._need("place"))


class ExportProgram(Node):
    """An exported program."""

    __slots__ = ()

    @property
    def compile(self) -> str:
        """The key of a compile, unique in the report."""
        return self._need("compile")

    @property
    def artifact(self) -> int:
        """Index into the artifacts of the compile."""
        return self._need("artifact")

    @property
    def url(self) -> Optional[str]:
        """The file."""
        return self._need("url")

    @property
    def bytes(self) -> int:
        """Length of its text in bytes."""
        return self._need("bytes")


class Notice(Node):
    """Messages with the same kind, compile and text."""

    __slots__ = ()

    @property
    def kind(self) -> Literal["compiled_autograd_compile_reasons", "eager_compile_backwards_failure", "fx_interpreter_error", "compile_worker_sidecar_death", "precompile_cache_bypass", "dynamo_cache_bypass", "dynamo_cache_exception", "aotautograd_cache_pickle_failure", "invoke_subgraph_backward_duplicate", "inductor_overlap_cyclic_extra_deps", "make_fx_fail_partial"]:
        """The name of the artifact."""
        return self._need("kind")

    @property
    def compile(self) -> str:
        """The key of a compile, unique in the report."""
        return self._need("compile")

    @property
    def message(self) -> Optional[str]:
        """The message, cut to 2,000 bytes."""
        return self._need("message")

    @property
    def detail(self) -> Optional[str]:
        """Details: a node of a graph, a field of a cache entry, the last output of a process."""
        return self._need("detail")

    @property
    def subject(self) -> Optional[str]:
        """The affected subgraph or function."""
        return self._need("subject")

    @property
    def place(self) -> Optional[Place]:
        """The user's line that the text names."""
        return self._node(Place, self._need("place"))

    @property
    def variants(self) -> Optional[int]:
        """Number of backward graphs of the subgraph."""
        return self._data.get("variants")

    @property
    def line(self) -> int:
        """Line in the log of the first record."""
        return self._need("line")

    @property
    def count(self) -> int:
        """Number of records."""
        return self._need("count")


class Notices(Node):
    """Messages of rare records: a failure that was ignored, work that was done twice, or a result that was not
    saved."""

    __slots__ = ()

    @property
    def list(self) -> Sequence[Notice]:
        """In log order."""
        return self._nodes(Notice, self._need("list"))

    @property
    def more(self) -> int:
        """Number of records that are not listed."""
        return self._need("more")


class PgoChange(Node):
    """A source that became dynamic."""

    __slots__ = ()

    @property
    def frame(self) -> Place:
        """A line of source code."""
        return self._node(Place, self._need("frame"))

    @property
    def source(self) -> str:
        """The source, such as L['x']."""
        return self._need("source")

    @property
    def had(self) -> Optional[str]:
        """Its previous state."""
        return self._need("had")

    @property
    def has(self) -> str:
        """Its new state, such as tensor size=[?, 2] stride=[S(1), 1]."""
        return self._need("has")


class PgoRecord(Node):
    """A profile that was read or written."""

    __slots__ = ()

    @property
    def compile(self) -> str:
        """The key of a compile, unique in the report."""
        return self._need("compile")

    @property
    def action(self) -> Literal["read", "write"]:
        """Read from an earlier run, or written for the next one."""
        return self._need("action")

    @property
    def store(self) -> Literal["local", "remote", "extra_remote"]:
        """The cache that holds the profile."""
        return self._need("store")

    @property
    def line(self) -> int:
        """Line of the record in the log."""
        return self._need("line")

    @property
    def frames(self) -> int:
        """Number of frames in the profile."""
        return self._need("frames")

    @property
    def sources(self) -> int:
        """Number of sources of all its frames."""
        return self._need("sources")

    @property
    def dynamic(self) -> int:
        """Number of these sources that are dynamic."""
        return self._need("dynamic")

    @property
    def changes(self) -> Sequence[PgoChange]:
        """Sources that are dynamic here but were not in the previous profile of the process."""
        return self._nodes(PgoChange, self._need("changes"))


class Pgo(Node):
    """Dynamo's profile-guided optimization (records get_…_code_state and put_…_code_state)."""

    __slots__ = ()

    @property
    def records(self) -> Sequence[PgoRecord]:
        """Profiles that were read or written, in log order."""
        return self._nodes(PgoRecord, self._need("records"))

    @property
    def more_records(self) -> int:
        """Number of records that are not listed."""
        return self._need("more_records")

    @property
    def more_changes(self) -> int:
        """Number of changes that are not listed: at most 2,000 are, in all records together."""
        return self._need("more_changes")

    @property
    def suggested_dynamic_sources(self) -> Optional[str]:
        """The value of TORCH_COMPILE_DYNAMIC_SOURCES that the latest profile suggests."""
        return self._need("suggested_dynamic_sources")


class WorkerJob(Node):
    """A job of a compile worker."""

    __slots__ = ()

    @property
    def compile(self) -> str:
        """The key of a compile, unique in the report."""
        return self._need("compile")

    @property
    def process(self) -> int:
        """The process that waits for the job."""
        return self._need("process")

    @property
    def job(self) -> int:
        """The number of the job."""
        return self._need("job")

    @property
    def worker_pid(self) -> Optional[int]:
        """The process id of the worker."""
        return self._need("worker_pid")

    @property
    def phase(self) -> Optional[str]:
        """Its phase in the latest report: queued, running, … None if it is unknown."""
        return self._need("phase")

    @property
    def elapsed_us(self) -> Optional[int]:
        """Its age in the latest report, in microseconds."""
        return self._need("elapsed_us")

    @property
    def phase_elapsed_us(self) -> Optional[int]:
        """Time in this phase in the latest report, in microseconds."""
        return self._need("phase_elapsed_us")

    @property
    def reports(self) -> int:
        """Number of reports."""
        return self._need("reports")

    @property
    def line(self) -> int:
        """Line in the log of the first report."""
        return self._need("line")


class CompileWorkers(Node):
    """Jobs that ran long enough for the watchdog of the compile workers to report them (compile_worker_status)."""

    __slots__ = ()

    @property
    def jobs(self) -> Sequence[WorkerJob]:
        """Jobs in log order."""
        return self._nodes(WorkerJob, self._need("jobs"))

    @property
    def more(self) -> int:
        """Number of reports of jobs that are not listed."""
        return self._need("more")


class NativeKernel(Node):
    """An operator of a native DSL."""

    __slots__ = ()

    @property
    def op(self) -> Optional[str]:
        """The operator, such as aten::topk."""
        return self._need("op")

    @property
    def dsl(self) -> Optional[str]:
        """The DSL: cutedsl, triton, helion, … None if it is unknown."""
        return self._need("dsl")

    @property
    def calls(self) -> int:
        """Number of calls."""
        return self._need("calls")

    @property
    def compiled(self) -> int:
        """Number of calls that compiled."""
        return self._need("compiled")

    @property
    def compile_us(self) -> int:
        """Wall time of the calls that compiled, in microseconds."""
        return self._need("compile_us")

    @property
    def line(self) -> int:
        """Line in the log of the first record."""
        return self._need("line")


class NativeKernels(Node):
    """Calls of the compile functions of native DSLs, summed by operator (native_dsl_compile)."""

    __slots__ = ()

    @property
    def list(self) -> Sequence[NativeKernel]:
        """One item for each operator and DSL, in log order."""
        return self._nodes(NativeKernel, self._need("list"))

    @property
    def more(self) -> int:
        """Number of records that are not listed."""
        return self._need("more")


class BucketSide(Node):
    """Number and size of collectives."""

    __slots__ = ()

    @property
    def count(self) -> int:
        """Number of collectives."""
        return self._need("count")

    @property
    def mib(self) -> float:
        """The sum of their sizes in MiB."""
        return self._need("mib")


class BucketedKind(Node):
    """Collectives of one kind."""

    __slots__ = ()

    @property
    def kind(self) -> Literal["all_gather", "reduce_scatter", "all_reduce", "other"]:
        """The kind of collective."""
        return self._need("kind")

    @property
    def before(self) -> Optional[BucketSide]:
        """Before the pass."""
        return self._node(BucketSide, self._need("before"))

    @property
    def after(self) -> Optional[BucketSide]:
        """After the pass."""
        return self._node(BucketSide, self._need("after"))


class Bucketing(Node):
    """The collectives of a compile before and after they were merged into buckets."""

    __slots__ = ()

    @property
    def compile(self) -> str:
        """The key of a compile, unique in the report."""
        return self._need("compile")

    @property
    def line(self) -> int:
        """Line in the log of the first record."""
        return self._need("line")

    @property
    def kinds(self) -> Sequence[BucketedKind]:
        """One item for each kind of collective that occurs."""
        return self._nodes(BucketedKind, self._need("kinds"))


class Bucketings(Node):
    """Collectives of FSDP before and after they were merged into buckets (pre_bucketing_collective_sizes)."""

    __slots__ = ()

    @property
    def list(self) -> Sequence[Bucketing]:
        """One item for each run of the pass, in log order."""
        return self._nodes(Bucketing, self._need("list"))

    @property
    def more(self) -> int:
        """Number of runs of the pass that are not listed."""
        return self._need("more")


class VllmSubgraph(Node):
    """A subgraph that vLLM compiled."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The name: submod_0, or subgraph_0 if the log has none."""
        return self._need("name")

    @property
    def elapsed_us(self) -> Optional[int]:
        """Time from its first to its last record in microseconds, a lower bound of its compile time."""
        return self._data.get("elapsed_us")

    @property
    def artifacts(self) -> Sequence[ArtifactRef]:
        """The artifacts that were written while it was compiled."""
        return self._nodes(ArtifactRef, self._need("artifacts"))


class VllmGroup(Node):
    """A compile range or a size."""

    __slots__ = ()

    @property
    def label(self) -> str:
        """Display name."""
        return self._need("label")

    @property
    def subgraphs(self) -> Sequence[VllmSubgraph]:
        """The subgraphs, in log order."""
        return self._nodes(VllmSubgraph, self._need("subgraphs"))


class VllmCall(Node):
    """A call, with one configuration."""

    __slots__ = ()

    @property
    def config(self) -> Optional[Mapping[str, Any]]:
        """The configuration, as vLLM logged it."""
        return frozen(self._need("config"))

    @property
    def dynamo(self) -> Sequence[ArtifactRef]:
        """Artifacts of the whole graph."""
        return self._nodes(ArtifactRef, self._need("dynamo"))

    @property
    def split_graph(self) -> Optional[ArtifactRef]:
        """The graph after it was split into subgraphs."""
        return self._node(ArtifactRef, self._need("split_graph"))

    @property
    def groups(self) -> Sequence[VllmGroup]:
        """Compile ranges and sizes for which subgraphs were compiled."""
        return self._nodes(VllmGroup, self._need("groups"))


class Vllm(Node):
    """What vLLM compiled."""

    __slots__ = ()

    @property
    def calls(self) -> Sequence[VllmCall]:
        """One item for each configuration, in log order."""
        return self._nodes(VllmCall, self._need("calls"))


class Divergences(Node):
    """Rank divergence by aspect, and its root causes."""

    __slots__ = ()

    @property
    def compile_ids(self) -> Divergence:
        """Whether ranks diverge in one aspect."""
        return self._node(Divergence, self._need("compile_ids"))

    @property
    def status(self) -> Divergence:
        """Whether ranks diverge in one aspect."""
        return self._node(Divergence, self._need("status"))

    @property
    def graphs(self) -> Divergence:
        """Whether ranks diverge in one aspect."""
        return self._node(Divergence, self._need("graphs"))

    @property
    def guards(self) -> Divergence:
        """Whether ranks diverge in one aspect."""
        return self._node(Divergence, self._need("guards"))

    @property
    def recompiles(self) -> Divergence:
        """Whether ranks diverge in one aspect."""
        return self._node(Divergence, self._need("recompiles"))

    @property
    def cache(self) -> Divergence:
        """Whether ranks diverge in one aspect."""
        return self._node(Divergence, self._need("cache"))

    @property
    def collectives(self) -> Divergence:
        """Whether ranks diverge in one aspect."""
        return self._node(Divergence, self._need("collectives"))

    @property
    def tensor_meta(self) -> Divergence:
        """Whether ranks diverge in one aspect."""
        return self._node(Divergence, self._need("tensor_meta"))

    @property
    def execution_order(self) -> Divergence:
        """Whether ranks diverge in one aspect."""
        return self._node(Divergence, self._need("execution_order"))

    @property
    def configuration(self) -> Divergence:
        """Settings."""
        return self._node(Divergence, self._need("configuration"))

    @property
    def root_causes(self) -> Sequence[RootCause]:
        """Root causes in log order."""
        return self._nodes(RootCause, self._need("root_causes"))

    @property
    def more_root_causes(self) -> int:
        """Number of root causes that are not listed."""
        return self._need("more_root_causes")


class World(Node):
    """Number of ranks of the job."""

    __slots__ = ()

    @property
    def size(self) -> Optional[int]:
        """The world size."""
        return self._need("size")

    @property
    def at_least(self) -> Optional[int]:
        """The known minimum."""
        return self._need("at_least")

    @property
    def from_(self) -> Optional[str]:
        """The source of these numbers."""
        return self._need("from")


class RanksNote(Node):
    """A limit of the comparison of ranks."""

    __slots__ = ()

    @property
    def kind(self) -> Literal["different_jobs", "recorded_apart", "copies", "other_rank", "world_size"]:
        """The kind of limit."""
        return self._need("kind")

    @property
    def title(self) -> str:
        """Short description."""
        return self._need("title")

    @property
    def why(self) -> str:
        """Why it matters."""
        return self._need("why")

    @property
    def ranks(self) -> Tuple[int, ...]:
        """The affected ranks."""
        return frozen(self._need("ranks"))


class AllRanks(Node):
    """Sums over all ranks, if several ranks wrote to one log."""

    __slots__ = ()

    @property
    def records(self) -> int:
        """Number of records of all ranks."""
        return self._need("records")

    @property
    def counters(self) -> LogCounters:
        """Number of records by outcome."""
        return self._node(LogCounters, self._need("counters"))

    @property
    def caches(self) -> Caches:
        """Cache results."""
        return self._node(Caches, self._need("caches"))

    @property
    def totals(self) -> Totals:
        """Sums over all compiles."""
        return self._node(Totals, self._need("totals"))

    @property
    def unfinished(self) -> Sequence[UnfinishedSpan]:
        """Spans without an end event, of all ranks."""
        return self._nodes(UnfinishedSpan, self._need("unfinished"))


class RankEnd(Node):
    """Ranks whose logs end in the same span, or outside of any span."""

    __slots__ = ()

    @property
    def ranks(self) -> Tuple[int, ...]:
        """The ranks."""
        return frozen(self._need("ranks"))

    @property
    def finished(self) -> bool:
        """Whether no span is open at the end."""
        return self._need("finished")

    @property
    def name(self) -> Optional[str]:
        """The innermost open span."""
        return self._need("name")

    @property
    def compile(self) -> Optional[str]:
        """The compile of this span, in the report of the first rank."""
        return self._need("compile")

    @property
    def place(self) -> Optional[Place]:
        """The function of the compile."""
        return self._node(Place, self._need("place"))

    @property
    def open_least_us(self) -> Optional[int]:
        """How long the compile was open when the log ended, in microseconds by the clock of its rank: the minimum over
        these ranks."""
        return self._need("open_least_us")

    @property
    def open_most_us(self) -> Optional[int]:
        """The maximum over these ranks."""
        return self._need("open_most_us")

    @property
    def last_us(self) -> int:
        """Time of the latest event of these ranks, in microseconds since the epoch."""
        return self._need("last_us")

    @property
    def before_end_us(self) -> int:
        """Time from the end of the log that ends first to the last event of all ranks, in microseconds, by the clocks
        of their hosts."""
        return self._need("before_end_us")


class RankSettingValue(Node):
    """A value of a setting, and the ranks that have it."""

    __slots__ = ()

    @property
    def set(self) -> bool:
        """Whether the configurations of these ranks have this setting."""
        return self._need("set")

    @property
    def value(self) -> Any:
        """The value."""
        return frozen(self._need("value"))

    @property
    def ranks(self) -> Tuple[int, ...]:
        """The ranks that have it."""
        return frozen(self._need("ranks"))


class RankConfigDifference(Node):
    """A setting that differs between ranks."""

    __slots__ = ()

    @property
    def kind(self) -> Literal["dynamo", "inductor", "functorch", "compiler"]:
        """The component that is configured."""
        return self._need("kind")

    @property
    def setting(self) -> str:
        """The name of the setting."""
        return self._need("setting")

    @property
    def values(self) -> Sequence[RankSettingValue]:
        """Its values, in the order of the ranks."""
        return self._nodes(RankSettingValue, self._need("values"))


class MatrixRow(Node):
    """The compiles of one rank, by id."""

    __slots__ = ()

    @property
    def dir(self) -> str:
        """The folder of the rank."""
        return self._need("dir")

    @property
    def status(self) -> str:
        """One letter per id: o ok, r restart, e empty, x error, ? missing metrics, ."""
        return self._need("status")

    @property
    def time_us(self) -> Tuple[Optional[int], ...]:
        """Compile time per id, in microseconds."""
        return frozen(self._need("time_us"))

    @property
    def other(self) -> Tuple[Tuple[int, int], ...]:
        """Ids under which this rank compiled a different function than the first rank with that id: [index into ids,
        index into frames]."""
        return frozen(self._need("other"))


class Matrix(Node):
    """Ranks × compile ids."""

    __slots__ = ()

    @property
    def ids(self) -> Tuple[str, ...]:
        """The columns."""
        return frozen(self._need("ids"))

    @property
    def frames(self) -> Tuple[str, ...]:
        """The distinct compiled functions."""
        return frozen(self._need("frames"))

    @property
    def id_frames(self) -> Tuple[int, ...]:
        """For each id, the function that the first rank with that id compiled: an index into frames."""
        return frozen(self._need("id_frames"))

    @property
    def rows(self) -> Sequence[MatrixRow]:
        """One item for each of ranks."""
        return self._nodes(MatrixRow, self._need("rows"))


class RankRuntime(Node):
    """The estimate of one rank."""

    __slots__ = ()

    @property
    def rank(self) -> int:
        """The rank."""
        return self._need("rank")

    @property
    def graph(self) -> str:
        """The folder of the graph's compile id."""
        return self._need("graph")

    @property
    def compile(self) -> str:
        """The key of a compile, unique in the report."""
        return self._need("compile")

    @property
    def ns(self) -> float:
        """The sum over its ops, in nanoseconds."""
        return self._need("ns")


class RuntimeGraph(Node):
    """A graph, with its estimated run time on each rank."""

    __slots__ = ()

    @property
    def index(self) -> int:
        """The position among the graphs of all ranks, from 0."""
        return self._need("index")

    @property
    def per_rank(self) -> Sequence[RankRuntime]:
        """Its estimate on each rank."""
        return self._nodes(RankRuntime, self._need("per_rank"))

    @property
    def slowest(self) -> int:
        """The rank with the largest estimate."""
        return self._need("slowest")

    @property
    def fastest(self) -> int:
        """The rank with the smallest estimate."""
        return self._need("fastest")

    @property
    def spread_ns(self) -> float:
        """The largest minus the smallest estimate, in nanoseconds."""
        return self._need("spread_ns")


class Runtime(Node):
    """Estimated run times of graphs, compared between ranks."""

    __slots__ = ()

    @property
    def available(self) -> bool:
        """Whether the estimates can be compared."""
        return self._need("available")

    @property
    def reason(self) -> Optional[str]:
        """Why they cannot be compared."""
        return self._need("reason")

    @property
    def wait_ns(self) -> float:
        """Upper estimate of how long one call of each function waits for the slowest rank, in nanoseconds: the spreads
        of the graphs of a compile are added, and the compile with the largest sum counts for its function."""
        return self._need("wait_ns")

    @property
    def graphs(self) -> Sequence[RuntimeGraph]:
        """One item per graph that several ranks have."""
        return self._nodes(RuntimeGraph, self._need("graphs"))


class ScheduledGraph(Node):
    """The collectives of a graph."""

    __slots__ = ()

    @property
    def graph(self) -> str:
        """The folder of the graph's compile id."""
        return self._need("graph")

    @property
    def compile(self) -> str:
        """The key of a compile, unique in the report."""
        return self._need("compile")

    @property
    def ops(self) -> int:
        """Its schedule, an index into ops."""
        return self._need("ops")


class RankSchedules(Node):
    """The graphs of a rank."""

    __slots__ = ()

    @property
    def rank(self) -> Optional[int]:
        """The rank."""
        return self._need("rank")

    @property
    def graphs(self) -> Sequence[ScheduledGraph]:
        """Its graphs."""
        return self._nodes(ScheduledGraph, self._need("graphs"))


class Schedules(Node):
    """Collectives by graph and rank."""

    __slots__ = ()

    @property
    def from_(self) -> Literal["schedules", "output_code", "dynamo_graphs"]:
        """The source of the collectives: Inductor's schedules, or output code or Dynamo graphs if a rank did not log
        schedules."""
        return self._need("from")

    @property
    def ops(self) -> Tuple[Tuple[str, ...], ...]:
        """Distinct schedules."""
        return frozen(self._need("ops"))

    @property
    def ranks(self) -> Sequence[RankSchedules]:
        """The schedules of the graphs of each rank."""
        return self._nodes(RankSchedules, self._need("ranks"))


class RankOrder(Node):
    """The graphs of a rank, in the order in which it ran them."""

    __slots__ = ()

    @property
    def rank(self) -> Optional[int]:
        """The rank."""
        return self._need("rank")

    @property
    def ids(self) -> Tuple[str, ...]:
        """The graphs, in order."""
        return frozen(self._need("ids"))


class OrderMismatch(Node):
    """A step at which ranks ran different graphs."""

    __slots__ = ()

    @property
    def index(self) -> int:
        """The position in the order, from 0."""
        return self._need("index")

    @property
    def schedule(self) -> bool:
        """Whether their collectives differ."""
        return self._need("schedule")

    @property
    def cache(self) -> bool:
        """Whether their cache results differ."""
        return self._need("cache")

    @property
    def function(self) -> bool:
        """Whether they run graphs of different functions, or some run none."""
        return self._need("function")


class Execution(Node):
    """The order in which ranks ran their graphs."""

    __slots__ = ()

    @property
    def order(self) -> Sequence[RankOrder]:
        """The order of each rank."""
        return self._nodes(RankOrder, self._need("order"))

    @property
    def mismatches(self) -> Sequence[OrderMismatch]:
        """Steps at which ranks ran different graphs."""
        return self._nodes(OrderMismatch, self._need("mismatches"))


class TimelineTotal(Node):
    """Spans and instants with the same name."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The name."""
        return self._need("name")

    @property
    def count(self) -> int:
        """Number of spans and instants."""
        return self._need("count")

    @property
    def total_us(self) -> int:
        """Total time in microseconds."""
        return self._need("total_us")

    @property
    def self_us(self) -> int:
        """Self time in microseconds: without nested spans."""
        return self._need("self_us")

    @property
    def max_us(self) -> int:
        """The longest span, in microseconds."""
        return self._need("max_us")


class TimelineLane(Node):
    """A thread of the timeline."""

    __slots__ = ()

    @property
    def pid(self) -> Optional[Union[float, str]]:
        """The process id of the events."""
        return self._need("pid")

    @property
    def tid(self) -> Optional[Union[float, str]]:
        """The thread id of the events."""
        return self._need("tid")

    @property
    def process(self) -> Optional[str]:
        """The name of the process."""
        return self._need("process")

    @property
    def thread(self) -> Optional[str]:
        """The name of the thread."""
        return self._need("thread")

    @property
    def rank(self) -> Optional[int]:
        """In a report of several ranks: its rank."""
        return self._data.get("rank")

    @property
    def dir(self) -> Optional[str]:
        """In a report of several ranks: the folder of that rank's report."""
        return self._data.get("dir")

    @property
    def spans(self) -> int:
        """Number of spans."""
        return self._need("spans")

    @property
    def instants(self) -> int:
        """Number of events without a duration."""
        return self._need("instants")

    @property
    def busy_us(self) -> int:
        """Time in outermost spans, in microseconds."""
        return self._need("busy_us")


class TimelineSummary(Node):
    """The chromium events of the log, as spans."""

    __slots__ = ()

    @property
    def start_us(self) -> Optional[int]:
        """Start of the first span, in microseconds since the epoch."""
        return self._need("start_us")

    @property
    def duration_us(self) -> int:
        """Time from the start of the first span to the last event."""
        return self._need("duration_us")

    @property
    def spans(self) -> int:
        """Number of spans: a begin event with its end event, or a complete event."""
        return self._need("spans")

    @property
    def instants(self) -> int:
        """Number of events without a duration."""
        return self._need("instants")

    @property
    def kept(self) -> int:
        """Number of spans and instants in the page's data, which is limited."""
        return self._need("kept")

    @property
    def no_end(self) -> int:
        """Number of spans without an end event, as in a run that was killed."""
        return self._need("no_end")

    @property
    def no_begin(self) -> int:
        """Number of end events without a begin event."""
        return self._need("no_begin")

    @property
    def bad_times(self) -> int:
        """Number of events without a valid time, or with one that is days away from the record's."""
        return self._need("bad_times")

    @property
    def other_events(self) -> int:
        """Number of events of other types (counters, flows)."""
        return self._need("other_events")

    @property
    def left_out(self) -> int:
        """Number of spans beyond a limit: not in the page's data, but in the totals unless there are too many names,
        threads or open spans."""
        return self._need("left_out")

    @property
    def totals(self) -> Sequence[TimelineTotal]:
        """Totals by name, the largest self time first."""
        return self._nodes(TimelineTotal, self._need("totals"))

    @property
    def more_totals(self) -> int:
        """Number of names that are not listed."""
        return self._need("more_totals")

    @property
    def lanes(self) -> Sequence[TimelineLane]:
        """Threads of processes, in order of first appearance."""
        return self._nodes(TimelineLane, self._need("lanes"))


class ComparedFindings(Node):
    """Compared findings."""

    __slots__ = ()

    @property
    def new(self) -> Sequence[ComparedFinding]:
        """Findings that only the second run has."""
        return self._nodes(ComparedFinding, self._need("new"))

    @property
    def gone(self) -> Sequence[ComparedFinding]:
        """Findings that only the first run has."""
        return self._nodes(ComparedFinding, self._need("gone"))

    @property
    def same(self) -> int:
        """Number of findings of the second run that the first has, too."""
        return self._need("same")


class FunctionCounts(Node):
    """Number of functions by change."""

    __slots__ = ()

    @property
    def new(self) -> int:
        """Functions that only the second log has."""
        return self._need("new")

    @property
    def gone(self) -> int:
        """Functions that only the first log has."""
        return self._need("gone")

    @property
    def slower(self) -> int:
        """Functions whose compile time increased by more than 5 %."""
        return self._need("slower")

    @property
    def faster(self) -> int:
        """Functions whose compile time decreased by more than 5 %."""
        return self._need("faster")

    @property
    def same(self) -> int:
        """All others."""
        return self._need("same")


class ComparedFunction(Node):
    """A function of one or both logs, matched by name and file, if that fails by its place in the file: it was renamed
    if the names of the sides differ."""

    __slots__ = ()

    @property
    def change(self) -> Literal["new", "gone", "slower", "faster", "same"]:
        """As in function_counts."""
        return self._need("change")

    @property
    def name(self) -> str:
        """Its name, in the first log that has it."""
        return self._need("name")

    @property
    def file(self) -> str:
        """Its file in that log."""
        return self._need("file")

    @property
    def delta_us(self) -> int:
        """Compile time of the second log minus that of the first, in microseconds; of the medians if a side has several
        runs."""
        return self._need("delta_us")

    @property
    def median_us(self) -> Optional[Tuple[Optional[int], ...]]:
        """Only if a side has several runs: the median compile time of each side in microseconds, over the runs that
        have the function."""
        return frozen(self._data.get("median_us"))

    @property
    def ranges_us(self) -> Optional[Tuple[Tuple[Optional[int], ...], ...]]:
        """Beside median_us: the shortest and the longest compile time, in microseconds."""
        return frozen(self._data.get("ranges_us"))

    @property
    def sides(self) -> Tuple[Optional[ComparedSide], Optional[ComparedSide]]:
        """The function in each log."""
        return self._fixed((ComparedSide, ComparedSide), self._need("sides"))

    @property
    def differs(self) -> Sequence[Figure]:
        """If both logs have it: the sums that differ, apart from time."""
        return self._nodes(Figure, self._need("differs"))

    @property
    def new_reasons(self) -> Tuple[str, ...]:
        """Recompile reasons that only the second log has, ignoring numbers and noise."""
        return frozen(self._need("new_reasons"))

    @property
    def gone_reasons(self) -> Tuple[str, ...]:
        """Recompile reasons that only the first log has."""
        return frozen(self._need("gone_reasons"))

    @property
    def compared(self) -> Optional[Tuple[str, str]]:
        """The best matching compile of each log."""
        return self._fixed((None, None), self._need("compared"))


class ComparedBreaks(Node):
    """Distinct graph breaks, matched by reason, function and file."""

    __slots__ = ()

    @property
    def new(self) -> Sequence[ComparedBreak]:
        """Graph breaks that only the second log has."""
        return self._nodes(ComparedBreak, self._need("new"))

    @property
    def gone(self) -> Sequence[ComparedBreak]:
        """Graph breaks that only the first log has."""
        return self._nodes(ComparedBreak, self._need("gone"))

    @property
    def same(self) -> int:
        """Number of graph breaks that both logs have."""
        return self._need("same")


class ComparedSetting(Node):
    """A setting with different values in two logs."""

    __slots__ = ()

    @property
    def kind(self) -> Literal["dynamo", "inductor", "functorch", "compiler"]:
        """The component that is configured."""
        return self._need("kind")

    @property
    def setting(self) -> str:
        """The name of the setting."""
        return self._need("setting")

    @property
    def values(self) -> Tuple[Tuple[Any, ...], Tuple[Any, ...]]:
        """The values in each log, those of most compiles first."""
        return self._fixed((None, None), self._need("values"))


class ComparedEffect(Node):
    """A setting with which graphs of one function were compiled differently in two logs."""

    __slots__ = ()

    @property
    def kind(self) -> Literal["dynamo", "inductor", "functorch", "compiler"]:
        """The component that is configured."""
        return self._need("kind")

    @property
    def setting(self) -> str:
        """The name of the setting."""
        return self._need("setting")

    @property
    def values(self) -> Tuple[Sequence[ComparedEffectValue], Sequence[ComparedEffectValue]]:
        """The values in the compiles of the functions that differ in it, for each log."""
        return self._fixed(([ComparedEffectValue], [ComparedEffectValue]), self._need("values"))


class ComparedEffectValue(Node):
    """A value that a setting had while graphs of these compiles were compiled."""

    __slots__ = ()

    @property
    def value(self) -> Any:
        """The value."""
        return frozen(self._need("value"))

    @property
    def mode(self) -> Optional[Literal["max-autotune", "max-autotune-no-cudagraphs", "reduce-overhead"]]:
        """The mode= of torch.compile() that sets exactly those settings in which these compiles contradict the
        configuration of their metrics."""
        return self._data.get("mode")

    @property
    def compiles(self) -> Tuple[str, ...]:
        """At most 100 of the compiles."""
        return frozen(self._need("compiles"))

    @property
    def more_compiles(self) -> Optional[int]:
        """Number of compiles that are not listed."""
        return self._data.get("more_compiles")


class ComparedLogs(Node):
    """Two compared logs."""

    __slots__ = ()

    @property
    def rank(self) -> Optional[int]:
        """The rank, if the runs are jobs."""
        return self._need("rank")

    @property
    def dirs(self) -> Tuple[str, str]:
        """The folders of the two logs."""
        return self._fixed((None, None), self._need("dirs"))

    @property
    def function_counts(self) -> FunctionCounts:
        """Number of functions by change."""
        return self._node(FunctionCounts, self._need("function_counts"))

    @property
    def functions(self) -> Sequence[ComparedFunction]:
        """Functions, the largest change of compile time first."""
        return self._nodes(ComparedFunction, self._need("functions"))

    @property
    def more_functions(self) -> int:
        """Number of functions that are not listed."""
        return self._need("more_functions")

    @property
    def graph_breaks(self) -> ComparedBreaks:
        """Distinct graph breaks, matched by reason, function and file."""
        return self._node(ComparedBreaks, self._need("graph_breaks"))

    @property
    def settings(self) -> Optional[Sequence[ComparedSetting]]:
        """Settings that differ between the compiles of the two logs, by kind and name."""
        return self._nodes(ComparedSetting, self._need("settings"))

    @property
    def more_settings(self) -> int:
        """Number of settings that are not listed."""
        return self._need("more_settings")

    @property
    def settings_in_effect(self) -> Optional[Sequence[ComparedEffect]]:
        """Settings with which graphs of functions of both logs were compiled differently, and which the configurations
        do not show, such as those of torch.compile(mode=, options=); by kind and name, at most 1,000."""
        return self._nodes(ComparedEffect, self._need("settings_in_effect"))

    @property
    def more_settings_in_effect(self) -> int:
        """Number of settings in effect that are not listed."""
        return self._need("more_settings_in_effect")


class ComparedRuns(Node):
    """Differences between two runs."""

    __slots__ = ()

    @property
    def a(self) -> str:
        """The folder of the first run, as in ranks."""
        return self._need("a")

    @property
    def b(self) -> str:
        """The folder of the second run."""
        return self._need("b")

    @property
    def sides(self) -> Optional[Tuple[Tuple[str, ...], ...]]:
        """Only if a side has several runs: the folders of the runs of each side."""
        return frozen(self._data.get("sides"))

    @property
    def ranks(self) -> Tuple[int, ...]:
        """For jobs: the ranks that both have."""
        return frozen(self._need("ranks"))

    @property
    def figures(self) -> Sequence[Figure]:
        """Figures of the runs."""
        return self._nodes(Figure, self._need("figures"))

    @property
    def findings(self) -> ComparedFindings:
        """Compared findings."""
        return self._node(ComparedFindings, self._need("findings"))

    @property
    def logs(self) -> Sequence[ComparedLogs]:
        """Compared logs: one item, or for jobs one for each of ranks."""
        return self._nodes(ComparedLogs, self._need("logs"))


class Comparison(Node):
    """Compared runs."""

    __slots__ = ()

    @property
    def pairs(self) -> Sequence[ComparedRuns]:
        """Each pair of runs, in order."""
        return self._nodes(ComparedRuns, self._need("pairs"))

    @property
    def more(self) -> int:
        """Number of pairs that are not compared."""
        return self._need("more")


class CacheMissCause(Node):
    """Cache misses with the same cause."""

    __slots__ = ()

    @property
    def cache(self) -> Literal["fx_graph", "aotautograd"]:
        """The cache."""
        return self._need("cache")

    @property
    def kind(self) -> Literal["components", "graph", "same_key", "guards", "new", "not_logged"]:
        """components: the same graph has another key; graph: the same function has another graph; same_key: the key
        exists, but its entry was not found; guards: the key exists, but the guards of its entries fail; new: an earlier
        run has neither the graph nor the function; not_logged: the function has another key, and the log has no
        components of the keys."""
        return self._need("kind")

    @property
    def why(self) -> str:
        """Explanation, from the logs."""
        return self._need("why")

    @property
    def nearest(self) -> Optional[CacheOwner]:
        """The key that the miss is compared with."""
        return self._node(CacheOwner, self._need("nearest"))

    @property
    def title(self) -> str:
        """Short description."""
        return self._need("title")

    @property
    def run(self) -> Optional[str]:
        """The folder of the run that missed."""
        return self._need("run")

    @property
    def time_us(self) -> Optional[int]:
        """Compile time after these misses in microseconds, as far as it is logged."""
        return self._need("time_us")

    @property
    def misses(self) -> Sequence[CacheOwner]:
        """The compiles that missed."""
        return self._nodes(CacheOwner, self._need("misses"))

    @property
    def count(self) -> int:
        """Number of misses."""
        return self._need("count")


class CacheMisses(Node):
    """Why caches missed entries that other logs have."""

    __slots__ = ()

    @property
    def list(self) -> Sequence[CacheMissCause]:
        """Misses grouped by cache and cause, for runs also by run."""
        return self._nodes(CacheMissCause, self._need("list"))

    @property
    def more(self) -> int:
        """Number of misses that are not listed, or were not compared."""
        return self._need("more")


class RankFinding(Node):
    """A finding, with the ranks that have it."""

    __slots__ = ()

    @property
    def kind(self) -> Literal["unfinished", "error", "user_error", "frame_skipped", "recompile_limit", "graph_break", "cudagraph_skip", "cudagraph_recordings", "float32_matmul", "recompile", "specialization", "real_tensors", "slow_compile", "restart", "cache_bypass", "cache_miss", "missing_metrics", "interrupted", "autograd_capture", "backward_failure", "graph_error", "compile_worker_death", "precompile_bypass", "precompile_error", "cache_save_failure", "duplicate_backward", "overlap_cycle", "trace_failure", "log_fault", "no_records", "several_processes", "export_data_dependent", "export_guard", "export_missing_fake_kernel", "export_mismatched_fake_kernel", "export_constraint_violation", "export_error"]:
        """The kind of issue."""
        return self._need("kind")

    @property
    def severity(self) -> Literal["error", "warning", "info"]:
        """The severity."""
        return self._need("severity")

    @property
    def impact(self) -> Literal["stops", "every_step", "compile_time", "information"]:
        """The effect, as in findings."""
        return self._need("impact")

    @property
    def cost(self) -> Literal["compile_time", "lost_to_restarts", "lost", "run_time", "cacheable", "unfinished"]:
        """The meaning of time_us, as in findings."""
        return self._need("cost")

    @property
    def title(self) -> str:
        """Short description."""
        return self._need("title")

    @property
    def id(self) -> Optional[str]:
        """The id of a graph break in PyTorch's registry, as in findings."""
        return self._need("id")

    @property
    def message(self) -> Optional[str]:
        """The message of PyTorch or of the program, as in findings."""
        return self._need("message")

    @property
    def why(self) -> Optional[str]:
        """What happened."""
        return self._need("why")

    @property
    def advice(self) -> Optional[str]:
        """Suggested fix."""
        return self._need("advice")

    @property
    def evidence(self) -> Optional[str]:
        """The records that the advice is based on."""
        return self._need("evidence")

    @property
    def expected(self) -> bool:
        """Whether this is normal: the advice explains why there are several versions."""
        return self._need("expected")

    @property
    def place(self) -> Optional[Place]:
        """The source line to look at."""
        return self._node(Place, self._need("place"))

    @property
    def code(self) -> Optional[str]:
        """The source text at place."""
        return self._need("code")

    @property
    def caller(self) -> Optional[Place]:
        """The user's line that led to place."""
        return self._node(Place, self._need("caller"))

    @property
    def library(self) -> bool:
        """Whether place is in a library rather than in the user's code."""
        return self._need("library")

    @property
    def time_us(self) -> Optional[int]:
        """The cost on the rank with the highest cost, in microseconds."""
        return self._need("time_us")

    @property
    def saves_us(self) -> Optional[int]:
        """Compile time that a fix saves at most on that rank, in microseconds."""
        return self._need("saves_us")

    @property
    def dir(self) -> str:
        """The folder of the rank with the highest cost."""
        return self._need("dir")

    @property
    def dirs(self) -> Tuple[str, ...]:
        """The folders of all ranks that have it."""
        return frozen(self._need("dirs"))


class KeyComponent(Node):
    """A component of a cache key."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """Its name."""
        return self._need("name")

    @property
    def had(self) -> Optional[str]:
        """The value in the key that the miss is compared with."""
        return self._need("had")

    @property
    def has(self) -> Optional[str]:
        """The value in the key that missed."""
        return self._need("has")


class CauseEvidence(Node):
    """The state of one group of ranks where the ranks diverge."""

    __slots__ = ()

    @property
    def ranks(self) -> Tuple[int, ...]:
        """The ranks of the group."""
        return frozen(self._need("ranks"))

    @property
    def compile(self) -> Optional[str]:
        """The compile, in the report of the first rank."""
        return self._need("compile")

    @property
    def same_key(self) -> bool:
        """Whether it has that key on all of these ranks."""
        return self._need("same_key")

    @property
    def place(self) -> Optional[Place]:
        """The source line that these ranks run there."""
        return self._node(Place, self._need("place"))

    @property
    def text(self) -> Optional[str]:
        """The state of these ranks there."""
        return self._need("text")


class Consequence(Node):
    """A difference that follows from a root cause."""

    __slots__ = ()

    @property
    def aspect(self) -> Literal["compile_ids", "status", "graphs", "guards", "recompiles", "cache", "collectives", "tensor_meta", "execution_order", "configuration", "compile_time"]:
        """The aspect in which ranks differ because of it."""
        return self._need("aspect")

    @property
    def compile(self) -> Optional[str]:
        """The first compile that shows it."""
        return self._need("compile")

    @property
    def first(self) -> str:
        """Description of the first difference, with code in backticks."""
        return self._need("first")


class GraphSize(Node):
    """Size of the graph in the text."""

    __slots__ = ()

    @property
    def graphs(self) -> int:
        """Number of graphs: the graph and its nested graphs (bodies of cond, scan, …)."""
        return self._need("graphs")

    @property
    def inputs(self) -> int:
        """Number of inputs of the outermost graph."""
        return self._need("inputs")

    @property
    def ops(self) -> int:
        """Number of calls in the outermost graph."""
        return self._need("ops")

    @property
    def nodes(self) -> int:
        """Number of nodes in the outermost graph: inputs, calls, attributes that are read, and the output."""
        return self._need("nodes")

    @property
    def inner_ops(self) -> Optional[int]:
        """Number of calls in nested graphs."""
        return self._data.get("inner_ops")


class GuardText(Node):
    """Guards of a dynamo_cpp_guards_str."""

    __slots__ = ()

    @property
    def count(self) -> int:
        """Number of guards."""
        return self._need("count")

    @property
    def more(self) -> int:
        """Number of guards that are not listed: the list is limited."""
        return self._need("more")

    @property
    def list(self) -> Tuple[int, int]:
        """The position of the list of guards, a JSON text (doc/report-data.md), in the text stream of dir: [offset,
        length]."""
        return self._fixed((None, None), self._need("list"))


class ShapeSymbol(Node):
    """A created symbol."""

    __slots__ = ()

    @property
    def attempt(self) -> Optional[int]:
        """The attempt."""
        return self._need("attempt")

    @property
    def line(self) -> int:
        """The line of the record in the log."""
        return self._need("line")

    @property
    def user_stack(self) -> Optional[int]:
        """The user's stack, an index into shape_stacks."""
        return self._need("user_stack")

    @property
    def stack(self) -> Optional[int]:
        """The full stack, an index into shape_stacks."""
        return self._need("stack")

    @property
    def symbol(self) -> Optional[str]:
        """Its name: s77, u0."""
        return self._need("symbol")

    @property
    def unbacked(self) -> bool:
        """Whether its value is known only at run time."""
        return self._need("unbacked")

    @property
    def value(self) -> Optional[str]:
        """Its value when it was created (the hint)."""
        return self._need("value")

    @property
    def range(self) -> Optional[str]:
        """Its value range."""
        return self._need("range")

    @property
    def source(self) -> Optional[str]:
        """Its source, such as L['x'].size()[0]."""
        return self._need("source")

    @property
    def dynamic_by(self) -> Literal["mark_dynamic", "compile", "export", "dynamic_shapes", "automatic", None]:
        """What made this size dynamic: torch._dynamo.mark_dynamic (mark_dynamic), torch.compile(dynamic=True)
        (compile), torch._dynamo.export (export), dynamic_shapes of torch.export (dynamic_shapes), or PyTorch itself
        after it saw a different size (automatic)."""
        return self._need("dynamic_by")

    @property
    def dynamic_why(self) -> Optional[str]:
        """For automatic: what changed (128 → 256), or what was in its place before, from the event
        automatic_dynamic."""
        return self._need("dynamic_why")


class Specialization(Node):
    """A symbol that was specialized to a constant."""

    __slots__ = ()

    @property
    def attempt(self) -> Optional[int]:
        """The attempt."""
        return self._need("attempt")

    @property
    def line(self) -> int:
        """The line of the record in the log."""
        return self._need("line")

    @property
    def user_stack(self) -> Optional[int]:
        """The user's stack, an index into shape_stacks."""
        return self._need("user_stack")

    @property
    def stack(self) -> Optional[int]:
        """The full stack, an index into shape_stacks."""
        return self._need("stack")

    @property
    def symbol(self) -> Optional[str]:
        """Its name."""
        return self._need("symbol")

    @property
    def value(self) -> Optional[str]:
        """The constant."""
        return self._need("value")

    @property
    def source(self) -> Optional[str]:
        """Its source."""
        return self._need("source")

    @property
    def reason(self) -> Optional[str]:
        """PyTorch's reason."""
        return self._need("reason")


class ShapeGuard(Node):
    """A guard on symbols."""

    __slots__ = ()

    @property
    def attempt(self) -> Optional[int]:
        """The attempt."""
        return self._need("attempt")

    @property
    def line(self) -> int:
        """The line of the record in the log."""
        return self._need("line")

    @property
    def user_stack(self) -> Optional[int]:
        """The user's stack, an index into shape_stacks."""
        return self._need("user_stack")

    @property
    def stack(self) -> Optional[int]:
        """The full stack, an index into shape_stacks."""
        return self._need("stack")

    @property
    def expr(self) -> Optional[str]:
        """The condition."""
        return self._need("expr")

    @property
    def symbols(self) -> Tuple[str, ...]:
        """The symbols in it."""
        return frozen(self._need("symbols"))


class ShownPhase(Node):
    """A phase of compile time as the page and the commands show it."""

    __slots__ = ()

    @property
    def key(self) -> Literal["dynamo", "aot", "backend", "passes", "inductor", "codegen", "triton", "backward", "other", "not_logged"]:
        """Its key in by_phase_us."""
        return self._need("key")

    @property
    def title(self) -> str:
        """Its name."""
        return self._need("title")

    @property
    def description(self) -> str:
        """What is done in it."""
        return self._need("description")

    @property
    def of(self) -> Tuple[Literal["dynamo", "aot", "pre_grad", "joint", "post_grad", "inductor", "codegen", "triton", "backward"], ...]:
        """The phases of own_us that it sums."""
        return frozen(self._need("of"))

    @property
    def sum(self) -> Optional[Literal["aot", "other"]]:
        """In a sum over several compiles that has time in this phase, the time counts there."""
        return self._data.get("sum")


class ShownTimes(Node):
    """Self time in microseconds by shown phase: the keys of phases."""

    __slots__ = ()

    @property
    def dynamo(self) -> Optional[int]:
        """dynamo of own_us."""
        return self._data.get("dynamo")

    @property
    def aot(self) -> Optional[int]:
        """aot of own_us, if a phase of Inductor took time."""
        return self._data.get("aot")

    @property
    def backend(self) -> Optional[int]:
        """aot of own_us otherwise: PyTorch's timer of AOTAutograd runs for any backend."""
        return self._data.get("backend")

    @property
    def passes(self) -> Optional[int]:
        """pre_grad, joint and post_grad of own_us."""
        return self._data.get("passes")

    @property
    def inductor(self) -> Optional[int]:
        """inductor of own_us."""
        return self._data.get("inductor")

    @property
    def codegen(self) -> Optional[int]:
        """codegen of own_us."""
        return self._data.get("codegen")

    @property
    def triton(self) -> Optional[int]:
        """triton of own_us."""
        return self._data.get("triton")

    @property
    def backward(self) -> Optional[int]:
        """backward of own_us."""
        return self._data.get("backward")

    @property
    def other(self) -> Optional[int]:
        """other of own_us, if another phase took time."""
        return self._data.get("other")

    @property
    def not_logged(self) -> Optional[int]:
        """other of own_us otherwise: the log has neither timers nor complete events of the phases."""
        return self._data.get("not_logged")


class PhaseTimes(Node):
    """Time of each phase in microseconds."""

    __slots__ = ()

    @property
    def dynamo(self) -> Optional[int]:
        """Dynamo, including everything that it calls."""
        return self._data.get("dynamo")

    @property
    def aot(self) -> Optional[int]:
        """AOTAutograd, including the backend."""
        return self._data.get("aot")

    @property
    def pre_grad(self) -> Optional[int]:
        """Pre-grad passes."""
        return self._data.get("pre_grad")

    @property
    def joint(self) -> Optional[int]:
        """Joint-graph passes."""
        return self._data.get("joint")

    @property
    def post_grad(self) -> Optional[int]:
        """Post-grad passes."""
        return self._data.get("post_grad")

    @property
    def inductor(self) -> Optional[int]:
        """Inductor."""
        return self._data.get("inductor")

    @property
    def codegen(self) -> Optional[int]:
        """Inductor's code generation."""
        return self._data.get("codegen")

    @property
    def triton(self) -> Optional[int]:
        """Compilation of Triton kernels, and waiting for Triton and C++ kernels that other processes compile (PyTorch's
        triton_compile_time_us)."""
        return self._data.get("triton")

    @property
    def backward(self) -> Optional[int]:
        """Compilation of the backward."""
        return self._data.get("backward")


class CompileGraph(Node):
    """Size of the graph."""

    __slots__ = ()

    @property
    def ops(self) -> Optional[int]:
        """graph_op_count of compilation_metrics."""
        return self._need("ops")

    @property
    def nodes(self) -> Optional[int]:
        """graph_node_count of compilation_metrics."""
        return self._need("nodes")

    @property
    def inputs(self) -> Optional[int]:
        """graph_input_count of compilation_metrics."""
        return self._need("inputs")

    @property
    def parameters(self) -> Optional[int]:
        """param_count of compilation_metrics: how many of the inputs are weights."""
        return self._data.get("parameters")

    @property
    def parameter_bytes(self) -> Optional[int]:
        """param_bytes of compilation_metrics: size of the weights."""
        return self._data.get("parameter_bytes")


class RuntimeParts(Node):
    """The parts of runtime_us, in microseconds."""

    __slots__ = ()

    @property
    def autotune(self) -> Optional[int]:
        """Autotuning of Triton kernels."""
        return self._data.get("autotune")

    @property
    def cudagraphs(self) -> Optional[int]:
        """Preparing and recording CUDA graphs."""
        return self._data.get("cudagraphs")

    @property
    def compile(self) -> Optional[int]:
        """Compilation outside of a frame."""
        return self._data.get("compile")

    @property
    def other(self) -> Optional[int]:
        """Time that the log does not name."""
        return self._data.get("other")


class NearestKey(Node):
    """For a miss whose key components are logged: the earlier key with the fewest differences, among those of the same
    graph, or else among those of other compiles of the same function."""

    __slots__ = ()

    @property
    def compile(self) -> str:
        """The key of the compile that used it."""
        return self._need("compile")

    @property
    def same_graph(self) -> bool:
        """Whether it belongs to the same graph."""
        return self._need("same_graph")

    @property
    def differences(self) -> int:
        """Number of components whose hashes differ."""
        return self._need("differences")

    @property
    def components(self) -> Sequence[KeyComponent]:
        """Components that differ."""
        return self._nodes(KeyComponent, self._need("components"))


class CacheResult(Node):
    """A cache result."""

    __slots__ = ()

    @property
    def cache(self) -> Literal["fx_graph", "aotautograd", "fx_graph_bundled", "precompile", "dynamo"]:
        """The cache."""
        return self._need("cache")

    @property
    def result(self) -> Literal["hit", "miss", "bypass", "pickle_failure", "exception"]:
        """The result."""
        return self._need("result")

    @property
    def reason(self) -> Optional[str]:
        """The reason of a bypass or failure."""
        return self._need("reason")

    @property
    def time_us(self) -> Optional[int]:
        """In microseconds: for a miss, the compile time; for a hit, the compile time that was saved."""
        return self._data.get("time_us")

    @property
    def discarded_attempt(self) -> Optional[int]:
        """The attempt of the compile that looked it up, if it was discarded and the compile started again."""
        return self._data.get("discarded_attempt")

    @property
    def detail(self) -> Optional[str]:
        """For a miss, in PyTorch's terms: full_miss (no entry for the key) or guard_miss (entries whose guards
        fail)."""
        return self._data.get("detail")

    @property
    def guards(self) -> Optional[str]:
        """For a guard_miss: guards of an entry that fail."""
        return self._data.get("guards")

    @property
    def key_components(self) -> Optional[int]:
        """For a miss: number of components of its key that are logged."""
        return self._data.get("key_components")

    @property
    def nearest(self) -> Optional[NearestKey]:
        """For a miss whose key components are logged: the earlier key with the fewest differences, among those of the
        same graph, or else among those of other compiles of the same function."""
        return self._node(NearestKey, self._data.get("nearest"))


class RecordFact(Node):
    """A value of the record outside of its tables."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """Its name."""
        return self._need("name")

    @property
    def value(self) -> Union[float, str]:
        """A number if the text is one, otherwise the text."""
        return self._need("value")


class RecordTable(Node):
    """A table."""

    __slots__ = ()

    @property
    def title(self) -> Optional[str]:
        """Its title."""
        return self._need("title")

    @property
    def columns(self) -> Tuple[str, ...]:
        """The column names."""
        return frozen(self._need("columns"))

    @property
    def rows(self) -> Tuple[Tuple[Optional[Union[float, str]], ...], ...]:
        """Rows with one cell per column: a number if the text is one, None if the cell is empty."""
        return frozen(self._need("rows"))

    @property
    def more(self) -> int:
        """Number of rows that are not listed."""
        return self._need("more")


class RecordTables(Node):
    """The tables of an artifact, in the terms and units of the record."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The name of the artifact."""
        return self._need("name")

    @property
    def line(self) -> int:
        """Line of the record in the log."""
        return self._need("line")

    @property
    def facts(self) -> Sequence[RecordFact]:
        """Values outside of the tables, by name."""
        return self._nodes(RecordFact, self._need("facts"))

    @property
    def tables(self) -> Sequence[RecordTable]:
        """The tables."""
        return self._nodes(RecordTable, self._need("tables"))


class PassCounts(Node):
    """Number of passes and steps with a logged graph before and after."""

    __slots__ = ()

    @property
    def passes(self) -> int:
        """Number of passes, without steps between representations."""
        return self._need("passes")

    @property
    def changed(self) -> int:
        """Number of passes that changed the graph."""
        return self._need("changed")


class ShapeCounts(Node):
    """Number of records about symbols."""

    __slots__ = ()

    @property
    def symbols(self) -> int:
        """Number of created symbols, in all attempts."""
        return self._need("symbols")

    @property
    def specializations(self) -> int:
        """Number of symbols that were specialized to constants."""
        return self._need("specializations")

    @property
    def guards(self) -> int:
        """Number of guards on symbols."""
        return self._need("guards")


class KernelSource(Node):
    """A source line that a kernel computes."""

    __slots__ = ()

    @property
    def file(self) -> str:
        """The file."""
        return self._need("file")

    @property
    def line(self) -> int:
        """The line."""
        return self._need("line")

    @property
    def function(self) -> Optional[str]:
        """The function."""
        return self._need("function")

    @property
    def code(self) -> Optional[str]:
        """The source text."""
        return self._need("code")


class Autotune(Node):
    """The autotuning result."""

    __slots__ = ()

    @property
    def state(self) -> Optional[str]:
        """Autotune cache: hit, miss, only 1 config."""
        return self._need("state")

    @property
    def configs(self) -> Optional[int]:
        """Number of candidate configurations."""
        return self._need("configs")

    @property
    def config(self) -> Any:
        """The chosen configuration, as logged."""
        return frozen(self._need("config"))


class RankGroup(Node):
    """Ranks that agree in an aspect."""

    __slots__ = ()

    @property
    def ranks(self) -> Tuple[int, ...]:
        """The ranks."""
        return frozen(self._need("ranks"))


class FirstDifference(Node):
    """The first difference between groups of ranks."""

    __slots__ = ()

    @property
    def index(self) -> int:
        """Its position in the sequence, from 0."""
        return self._need("index")

    @property
    def sides(self) -> Sequence[Side]:
        """The state of each group there."""
        return self._nodes(Side, self._need("sides"))


class RankMember(RankReport):
    """A log of a run that is a job."""

    __slots__ = ()

    @property
    def rank(self) -> Optional[int]:
        """The rank."""
        return self._need("rank")

    @property
    def dir(self) -> str:
        """The folder of its report, relative to this report."""
        return self._need("dir")

    @property
    def readable(self) -> bool:
        """Whether it could be read."""
        return self._need("readable")

    @property
    def compared(self) -> bool:
        """Whether it is compared with the other ranks of the job."""
        return self._need("compared")


class StreamParity(Node):
    """A graph whose output code has other collectives than its schedule, or does not wait for all of them."""

    __slots__ = ()

    @property
    def graph(self) -> str:
        """The folder of the graph's compile id."""
        return self._need("graph")

    @property
    def offset(self) -> int:
        """Number of collectives in which schedule and output code differ, counted by kind."""
        return self._need("offset")

    @property
    def missing_waits(self) -> int:
        """Number of collectives in the output code without a wait."""
        return self._need("missing_waits")


class RankSpan(Node):
    """A span of a rank without an end event."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """Its name."""
        return self._need("name")

    @property
    def compile(self) -> Optional[str]:
        """Its compile."""
        return self._need("compile")

    @property
    def place(self) -> Optional[Place]:
        """The function of the compile."""
        return self._node(Place, self._need("place"))

    @property
    def started_us(self) -> int:
        """Start time in microseconds since the epoch."""
        return self._need("started_us")

    @property
    def before_end_us(self) -> int:
        """Time from its start to the last event of the log, in microseconds."""
        return self._need("before_end_us")

    @property
    def process(self) -> Any:
        """The process id of the event."""
        return frozen(self._need("process"))

    @property
    def thread(self) -> Any:
        """The thread id of the event."""
        return frozen(self._need("thread"))


class FrameLocal(Node):
    """A local variable."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """Its name."""
        return self._need("name")

    @property
    def value(self) -> Optional[str]:
        """The value."""
        return self._need("value")


class SymbolSource(Node):
    """A symbol in an expression."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """Its name."""
        return self._need("name")

    @property
    def source(self) -> Optional[str]:
        """The source of the symbol."""
        return self._need("source")


class ExportNode(Node):
    """A node of the derivation of an expression."""

    __slots__ = ()

    @property
    def depth(self) -> int:
        """Depth in the tree, 0 for the expression itself."""
        return self._need("depth")

    @property
    def expr(self) -> Optional[str]:
        """The expression."""
        return self._need("expr")

    @property
    def method(self) -> Optional[str]:
        """The operation that created it."""
        return self._need("method")

    @property
    def arguments(self) -> Optional[str]:
        """The arguments of the operation."""
        return self._need("arguments")

    @property
    def range(self) -> Optional[str]:
        """Its value range."""
        return self._need("range")

    @property
    def user_stack(self) -> Optional[int]:
        """The user's stack, an index into export.stacks."""
        return self._need("user_stack")

    @property
    def stack(self) -> Optional[int]:
        """The full stack, an index into export.stacks."""
        return self._need("stack")

    @property
    def again(self) -> bool:
        """Whether its operands were listed before."""
        return self._need("again")

    @property
    def cut(self) -> bool:
        """Whether its operands are left out."""
        return self._need("cut")


class StackNode(Node):
    """A frame in the tree of stacks at which compiles start."""

    __slots__ = ()

    @property
    def function(self) -> str:
        """The function."""
        return self._need("function")

    @property
    def file(self) -> str:
        """The file, without everything up to "#link-tree/"."""
        return self._need("file")

    @property
    def line(self) -> int:
        """The line."""
        return self._need("line")

    @property
    def code(self) -> Optional[str]:
        """The source text."""
        return self._need("code")

    @property
    def library(self) -> bool:
        """Whether the file belongs to Python, PyTorch or another package, or is generated, rather than to the user's
        code."""
        return self._need("library")

    @property
    def parent(self) -> int:
        """The caller: an index into the same list, -1 for an outermost frame."""
        return self._need("parent")

    @property
    def dump(self) -> Optional[str]:
        """The page of the dumped generated code that contains this line."""
        return self._need("dump")

    @property
    def time_us(self) -> Optional[int]:
        """Compile time of the compiles that start here or below, in microseconds."""
        return self._need("time_us")

    @property
    def compiles(self) -> Tuple[str, ...]:
        """The compiles that start here."""
        return frozen(self._need("compiles"))


class Compile(Node):
    """One run of the compiler on one frame, including all attempts."""

    __slots__ = ()

    @property
    def id(self) -> str:
        """A compile id as PyTorch shows it, without brackets and attempt: 0/1; !0/2/0 under compiled autograd 0; -/-
        for none; unknown."""
        return self._need("id")

    @property
    def key(self) -> str:
        """The key of a compile, unique in the report."""
        return self._need("key")

    @property
    def generation(self) -> int:
        """The generation of its id within the process, from 1: torch._dynamo.reset() starts the ids again."""
        return self._need("generation")

    @property
    def resets(self) -> int:
        """Number of preceding torch._dynamo.reset() calls in its process, as far as repeated ids show them."""
        return self._need("resets")

    @property
    def earlier(self) -> Optional[str]:
        """For the first compile of a frame after a reset: the latest compile of the same code before the reset, perhaps
        under another id."""
        return self._need("earlier")

    @property
    def process(self) -> int:
        """The process id, from the prefix of its records."""
        return self._need("process")

    @property
    def ops_unknown(self) -> Optional[bool]:
        """Whether the status is empty because the metrics do not count ops (AOTInductor, export)."""
        return self._data.get("ops_unknown")

    @property
    def interrupted(self) -> Optional[bool]:
        """Whether the compile was interrupted (KeyboardInterrupt, SystemExit): its graph was passed to the backend, and
        the metrics have neither code nor a failure."""
        return self._data.get("interrupted")

    @property
    def process_nth(self) -> Optional[int]:
        """Which of the processes with this id, from 2."""
        return self._data.get("process_nth")

    @property
    def process_file(self) -> Optional[str]:
        """The file in which the first record of the process is."""
        return self._data.get("process_file")

    @property
    def is_compile(self) -> bool:
        """Whether the log has a dynamo_start or compilation_metrics of it."""
        return self._need("is_compile")

    @property
    def frame_id(self) -> Optional[int]:
        """The number of the frame."""
        return self._need("frame_id")

    @property
    def attempts(self) -> Tuple[int, ...]:
        """The logged attempts, in order of appearance."""
        return frozen(self._need("attempts"))

    @property
    def dirs(self) -> Tuple[str, ...]:
        """The folders of its compile ids in the report, one per attempt."""
        return frozen(self._need("dirs"))

    @property
    def status(self) -> Status:
        """From compilation_metrics: error if one has a fail_type; else empty if a graph has no ops; else restart if the
        trace was restarted; else ok."""
        return self._need("status")

    @property
    def frame(self) -> Optional[Frame]:
        """The compiled function."""
        return self._node(Frame, self._need("frame"))

    @property
    def what(self) -> Optional[str]:
        """What compiled without a frame: AOTInductor, if it logged its code."""
        return self._data.get("what")

    @property
    def subgraph(self) -> Optional[str]:
        """The first subgraph that one of its records names."""
        return self._need("subgraph")

    @property
    def stack(self) -> Optional[int]:
        """The stack at which it starts, an index into stacks."""
        return self._need("stack")

    @property
    def caller(self) -> Optional[Place]:
        """The user's line that called the frame, from another record of the compile, because the stack in dynamo_start
        has no caller."""
        return self._node(Place, self._data.get("caller"))

    @property
    def caller_from(self) -> Optional[Literal["create_symbol", "guard_added_fast", "symbolic_shape_specialization", "graph break"]]:
        """The record that has the caller."""
        return self._data.get("caller_from")

    @property
    def exported(self) -> bool:
        """Whether torch._dynamo.export compiled the frame: its settings have constant_fold_autograd_profiler_enabled,
        which it sets in versions after 2.6."""
        return self._need("exported")

    @property
    def time_us(self) -> Optional[int]:
        """Compile time in microseconds: forward_us plus backward_us."""
        return self._need("time_us")

    @property
    def forward_us(self) -> Optional[int]:
        """Compile time of the forward in microseconds, from compilation_metrics: duration_us, else end_time_us -
        start_time_us, else entire_frame_compile_time_s, else dynamo_cumulative_compile_time_us."""
        return self._need("forward_us")

    @property
    def backward_us(self) -> Optional[int]:
        """The sum of the same times of its backwards, in microseconds."""
        return self._need("backward_us")

    @property
    def runtime_us(self) -> Optional[int]:
        """Time in microseconds spent at run time after the compile, from *_compilation_metrics_runtime."""
        return self._need("runtime_us")

    @property
    def restart_us(self) -> Optional[int]:
        """Part of forward_us that was lost to restarts, in microseconds: dynamo_time_before_restart_s."""
        return self._need("restart_us")

    @property
    def own_us(self) -> Mapping[str, int]:
        """Self time of each phase in microseconds, without nested timers."""
        return frozen(self._need("own_us"))

    @property
    def by_phase_us(self) -> ShownTimes:
        """The same time by shown phase, in microseconds."""
        return self._node(ShownTimes, self._need("by_phase_us"))

    @property
    def phases_us(self) -> PhaseTimes:
        """Time of each phase in microseconds."""
        return self._node(PhaseTimes, self._need("phases_us"))

    @property
    def graph(self) -> CompileGraph:
        """Size of the graph."""
        return self._node(CompileGraph, self._need("graph"))

    @property
    def guards(self) -> Optional[int]:
        """Number of guards: the checks of the latest guard tree (dynamo_cpp_guards_str), or guard_count if the log has
        no tree."""
        return self._need("guards")

    @property
    def guard_count(self) -> Optional[int]:
        """guard_count of compilation_metrics: Dynamo's guards before filters and before they become checks, of which
        one guard has several or none."""
        return self._need("guard_count")

    @property
    def recompile_reasons(self) -> Tuple[str, ...]:
        """Why the frame was recompiled: one text per failed guard."""
        return frozen(self._need("recompile_reasons"))

    @property
    def restarts(self) -> Tuple[str, ...]:
        """Why the trace was restarted."""
        return frozen(self._need("restarts"))

    @property
    def failure(self) -> Optional[Failure]:
        """Why it failed."""
        return self._node(Failure, self._need("failure"))

    @property
    def backward_failure(self) -> Optional[Failure]:
        """Why its backward failed."""
        return self._node(Failure, self._need("backward_failure"))

    @property
    def graph_breaks(self) -> Tuple[int, ...]:
        """Its graph breaks, as indices into graph_breaks, without those with exception."""
        return frozen(self._need("graph_breaks"))

    @property
    def runtime_parts_us(self) -> Optional[RuntimeParts]:
        """The parts of runtime_us, in microseconds."""
        return self._node(RuntimeParts, self._data.get("runtime_parts_us"))

    @property
    def cache(self) -> Sequence[CacheResult]:
        """Its cache results, in log order."""
        return self._nodes(CacheResult, self._need("cache"))

    @property
    def artifact_count(self) -> int:
        """Number of artifacts."""
        return self._need("artifact_count")

    @property
    def bytes(self) -> int:
        """Total length of their texts, in bytes."""
        return self._need("bytes")

    @property
    def provenance(self) -> Optional[Tuple[str, ...]]:
        """Pages that map lines of its graphs and code to each other."""
        return frozen(self._data.get("provenance"))

    @property
    def pass_counts(self) -> Optional[PassCounts]:
        """Number of passes and steps with a logged graph before and after."""
        return self._node(PassCounts, self._data.get("pass_counts"))

    @property
    def shape_counts(self) -> Optional[ShapeCounts]:
        """Number of records about symbols."""
        return self._node(ShapeCounts, self._data.get("shape_counts"))

    @property
    def artifacts(self) -> Sequence[Artifact]:
        """Its artifacts, in log order."""
        return self._nodes(Artifact, self._need("artifacts"))

    @property
    def metrics(self) -> Optional[Mapping[str, Any]]:
        """The last compilation_metrics."""
        return frozen(self._need("metrics"))

    @property
    def backward_metrics(self) -> Optional[Mapping[str, Any]]:
        """The last bwd_compilation_metrics."""
        return frozen(self._need("backward_metrics"))

    @property
    def stages(self) -> Sequence[Stage]:
        """The stages from bytecode to kernels, of its last attempt."""
        return self._nodes(Stage, self._need("stages"))

    @property
    def passes(self) -> Sequence[Pass]:
        """Passes whose graphs before and after are among the artifacts, in the order in which they ended."""
        return self._nodes(Pass, self._need("passes"))

    @property
    def record_tables(self) -> Optional[Sequence[RecordTables]]:
        """Artifacts that are tables, in log order: estimated run times (fx_*_estimation), what the partitioner saves
        and recomputes (min_cut_information, min_cut_failed_edge_list), collectives and their buckets (pre_bucketing_*,
        fx_bucketing_passes_*_buckets), estimates against a profile (pge_profile_vs_analytical)."""
        return self._nodes(RecordTables, self._data.get("record_tables"))

    @property
    def more_record_tables(self) -> Optional[int]:
        """Number of such artifacts beyond these limits."""
        return self._data.get("more_record_tables")

    @property
    def shapes(self) -> Optional[Shapes]:
        """Symbols in the shapes of a compile."""
        return self._node(Shapes, self._data.get("shapes"))


class LogShare(Node):
    """The share of a compile in the log."""

    __slots__ = ()

    @property
    def id(self) -> str:
        """The key of a compile, unique in the report."""
        return self._need("id")

    @property
    def records(self) -> int:
        """Number of its records."""
        return self._need("records")

    @property
    def bytes(self) -> int:
        """Bytes of its records in the log."""
        return self._need("bytes")


class LogShareByKind(Node):
    """The share of a compile in the log, by kind of record."""

    __slots__ = ()

    @property
    def id(self) -> str:
        """The key of a compile, unique in the report."""
        return self._need("id")

    @property
    def records(self) -> int:
        """Number of its records."""
        return self._need("records")

    @property
    def bytes(self) -> int:
        """Bytes of its records in the log."""
        return self._need("bytes")

    @property
    def kinds(self) -> Tuple[Tuple[int, int, int], ...]:
        """The shares of the kinds of its records."""
        return frozen(self._need("kinds"))


class LogCommon(Node):
    """The log, without by_compile."""

    __slots__ = ()

    @property
    def files(self) -> Sequence[LogFile]:
        """The files, in the order in which they were read."""
        return self._nodes(LogFile, self._need("files"))

    @property
    def empty(self) -> bool:
        """Whether the log has no records."""
        return self._need("empty")

    @property
    def processes(self) -> Sequence[LogProcess]:
        """The processes that wrote records, in the order of their first records."""
        return self._nodes(LogProcess, self._need("processes"))

    @property
    def more_process_records(self) -> int:
        """Number of records of processes that are not listed."""
        return self._need("more_process_records")

    @property
    def bytes(self) -> int:
        """Uncompressed length of the log in bytes."""
        return self._need("bytes")

    @property
    def other_ranks_bytes(self) -> Optional[int]:
        """The part of bytes in records of other ranks, which wrote to the same log and are not in the kinds of this
        report."""
        return self._data.get("other_ranks_bytes")

    @property
    def records(self) -> int:
        """Number of records, without those that intern a string."""
        return self._need("records")

    @property
    def counters(self) -> LogCounters:
        """Number of records by outcome."""
        return self._node(LogCounters, self._need("counters"))

    @property
    def kinds(self) -> Sequence[RecordKind]:
        """The kinds of records, in order of first appearance."""
        return self._nodes(RecordKind, self._need("kinds"))

    @property
    def unknown_keys(self) -> Tuple[str, ...]:
        """Keys that tlparse does not know, in order of first appearance."""
        return frozen(self._need("unknown_keys"))

    @property
    def faults(self) -> Sequence[LogError]:
        """Errors in the log, in the order of lines."""
        return self._nodes(LogError, self._need("faults"))

    @property
    def more_faults(self) -> int:
        """Number of lines with errors that are not listed."""
        return self._need("more_faults")

    @property
    def unread_folders(self) -> Tuple[str, ...]:
        """Folders that could not be searched for logs, and facts files that could not be read to their end, each with
        the reason."""
        return frozen(self._need("unread_folders"))

    @property
    def missing_inputs(self) -> int:
        """Number of files that could not be read completely (damage), and of folders that could not be searched."""
        return self._need("missing_inputs")

    @property
    def by_compile_rest(self) -> LogRest:
        """All compile ids that by_compile does not list, together."""
        return self._node(LogRest, self._need("by_compile_rest"))


class Log(Node):
    """The log."""

    __slots__ = ()

    @property
    def files(self) -> Sequence[LogFile]:
        """The files, in the order in which they were read."""
        return self._nodes(LogFile, self._need("files"))

    @property
    def empty(self) -> bool:
        """Whether the log has no records."""
        return self._need("empty")

    @property
    def processes(self) -> Sequence[LogProcess]:
        """The processes that wrote records, in the order of their first records."""
        return self._nodes(LogProcess, self._need("processes"))

    @property
    def more_process_records(self) -> int:
        """Number of records of processes that are not listed."""
        return self._need("more_process_records")

    @property
    def bytes(self) -> int:
        """Uncompressed length of the log in bytes."""
        return self._need("bytes")

    @property
    def other_ranks_bytes(self) -> Optional[int]:
        """The part of bytes in records of other ranks, which wrote to the same log and are not in the kinds of this
        report."""
        return self._data.get("other_ranks_bytes")

    @property
    def records(self) -> int:
        """Number of records, without those that intern a string."""
        return self._need("records")

    @property
    def counters(self) -> LogCounters:
        """Number of records by outcome."""
        return self._node(LogCounters, self._need("counters"))

    @property
    def kinds(self) -> Sequence[RecordKind]:
        """The kinds of records, in order of first appearance."""
        return self._nodes(RecordKind, self._need("kinds"))

    @property
    def unknown_keys(self) -> Tuple[str, ...]:
        """Keys that tlparse does not know, in order of first appearance."""
        return frozen(self._need("unknown_keys"))

    @property
    def faults(self) -> Sequence[LogError]:
        """Errors in the log, in the order of lines."""
        return self._nodes(LogError, self._need("faults"))

    @property
    def more_faults(self) -> int:
        """Number of lines with errors that are not listed."""
        return self._need("more_faults")

    @property
    def unread_folders(self) -> Tuple[str, ...]:
        """Folders that could not be searched for logs, and facts files that could not be read to their end, each with
        the reason."""
        return frozen(self._need("unread_folders"))

    @property
    def missing_inputs(self) -> int:
        """Number of files that could not be read completely (damage), and of folders that could not be searched."""
        return self._need("missing_inputs")

    @property
    def by_compile_rest(self) -> LogRest:
        """All compile ids that by_compile does not list, together."""
        return self._node(LogRest, self._need("by_compile_rest"))

    @property
    def by_compile(self) -> Sequence[LogShareByKind]:
        """The share of each compile in the log, the largest first."""
        return self._nodes(LogShareByKind, self._need("by_compile"))


class KernelChoice(Node):
    """A kernel that Inductor chose by benchmarks."""

    __slots__ = ()

    @property
    def compile(self) -> str:
        """The key of a compile, unique in the report."""
        return self._need("compile")

    @property
    def operation(self) -> str:
        """The operation: mm, addmm, convolution, …"""
        return self._need("operation")

    @property
    def shape(self) -> Optional[str]:
        """Sizes of its inputs, as logged."""
        return self._need("shape")

    @property
    def candidates(self) -> int:
        """Number of candidates."""
        return self._need("candidates")

    @property
    def triton(self) -> int:
        """Number of candidates from Triton templates."""
        return self._need("triton")

    @property
    def winner(self) -> str:
        """PyTorch's name of the fastest candidate."""
        return self._need("winner")

    @property
    def config(self) -> Optional[str]:
        """Its configuration, as logged."""
        return self._need("config")

    @property
    def time_ns(self) -> Optional[int]:
        """Its time in the benchmark, in nanoseconds."""
        return self._need("time_ns")


class KernelSummary(Node):
    """Number of kernels."""

    __slots__ = ()

    @property
    def triton(self) -> KernelCounts:
        """Triton kernels."""
        return self._node(KernelCounts, self._need("triton"))

    @property
    def cpp(self) -> KernelCounts:
        """C++ kernels."""
        return self._node(KernelCounts, self._need("cpp"))

    @property
    def extern(self) -> KernelCounts:
        """Calls of library kernels: mm, convolution, collectives, copies between devices."""
        return self._node(KernelCounts, self._need("extern"))

    @property
    def other(self) -> KernelCounts:
        """Kernels in other languages: Halide, CuTe, Pallas."""
        return self._node(KernelCounts, self._need("other"))

    @property
    def generated(self) -> int:
        """Number of generated kernels: all except calls of library kernels."""
        return self._need("generated")

    @property
    def compile_time_us(self) -> Optional[int]:
        """Sum of the compile times of the kernels for which it is logged, in microseconds."""
        return self._need("compile_time_us")

    @property
    def listed(self) -> int:
        """Number of listed kernels."""
        return self._need("listed")

    @property
    def more(self) -> int:
        """Number of kernels that are not listed: the list is limited."""
        return self._need("more")

    @property
    def choices(self) -> Optional[Sequence[KernelChoice]]:
        """Operations for which Inductor benchmarked several kernels (max_autotune), in log order."""
        return self._nodes(KernelChoice, self._data.get("choices"))


class Kernels(Node):
    """Kernels in the output code."""

    __slots__ = ()

    @property
    def triton(self) -> KernelCounts:
        """Triton kernels."""
        return self._node(KernelCounts, self._need("triton"))

    @property
    def cpp(self) -> KernelCounts:
        """C++ kernels."""
        return self._node(KernelCounts, self._need("cpp"))

    @property
    def extern(self) -> KernelCounts:
        """Calls of library kernels: mm, convolution, collectives, copies between devices."""
        return self._node(KernelCounts, self._need("extern"))

    @property
    def other(self) -> KernelCounts:
        """Kernels in other languages: Halide, CuTe, Pallas."""
        return self._node(KernelCounts, self._need("other"))

    @property
    def generated(self) -> int:
        """Number of generated kernels: all except calls of library kernels."""
        return self._need("generated")

    @property
    def compile_time_us(self) -> Optional[int]:
        """Sum of the compile times of the kernels for which it is logged, in microseconds."""
        return self._need("compile_time_us")

    @property
    def listed(self) -> int:
        """Number of listed kernels."""
        return self._need("listed")

    @property
    def more(self) -> int:
        """Number of kernels that are not listed: the list is limited."""
        return self._need("more")

    @property
    def choices(self) -> Optional[Sequence[KernelChoice]]:
        """Operations for which Inductor benchmarked several kernels (max_autotune), in log order."""
        return self._nodes(KernelChoice, self._data.get("choices"))

    @property
    def list(self) -> Sequence[Kernel]:
        """The kernels, in log order."""
        return self._nodes(Kernel, self._need("list"))


class ExportSummary(Node):
    """Summary of torch.export."""

    __slots__ = ()

    @property
    def found(self) -> bool:
        """Whether the log is one of an export, or --export was given."""
        return self._need("found")

    @property
    def asked(self) -> bool:
        """Whether --export was given."""
        return self._need("asked")

    @property
    def counts(self) -> ExportCounts:
        """Number of failures by kind."""
        return self._node(ExportCounts, self._need("counts"))

    @property
    def failure_count(self) -> int:
        """Number of listed failures."""
        return self._need("failure_count")

    @property
    def more_failures(self) -> int:
        """Number of failures that are not listed."""
        return self._need("more_failures")

    @property
    def program_count(self) -> int:
        """Number of exported programs in the log."""
        return self._need("program_count")

    @property
    def call_count(self) -> int:
        """Number of calls of torch.export that the log shows."""
        return self._need("call_count")

    @property
    def outcomes(self) -> ExportOutcomes:
        """Number of these calls by outcome."""
        return self._node(ExportOutcomes, self._need("outcomes"))

    @property
    def outcome(self) -> Optional[ExportOutcome]:
        """The outcome of all exports together."""
        return self._node(ExportOutcome, self._need("outcome"))


class Export(Node):
    """torch.export: failures and exported programs."""

    __slots__ = ()

    @property
    def found(self) -> bool:
        """Whether the log is one of an export, or --export was given."""
        return self._need("found")

    @property
    def asked(self) -> bool:
        """Whether --export was given."""
        return self._need("asked")

    @property
    def counts(self) -> ExportCounts:
        """Number of failures by kind."""
        return self._node(ExportCounts, self._need("counts"))

    @property
    def failure_count(self) -> int:
        """Number of listed failures."""
        return self._need("failure_count")

    @property
    def more_failures(self) -> int:
        """Number of failures that are not listed."""
        return self._need("more_failures")

    @property
    def program_count(self) -> int:
        """Number of exported programs in the log."""
        return self._need("program_count")

    @property
    def call_count(self) -> int:
        """Number of calls of torch.export that the log shows."""
        return self._need("call_count")

    @property
    def outcomes(self) -> ExportOutcomes:
        """Number of these calls by outcome."""
        return self._node(ExportOutcomes, self._need("outcomes"))

    @property
    def outcome(self) -> Optional[ExportOutcome]:
        """The outcome of all exports together."""
        return self._node(ExportOutcome, self._need("outcome"))

    @property
    def failures(self) -> Sequence[ExportFailure]:
        """The failures."""
        return self._nodes(ExportFailure, self._need("failures"))

    @property
    def calls(self) -> Sequence[ExportCall]:
        """The calls of torch.export, in log order."""
        return self._nodes(ExportCall, self._need("calls"))

    @property
    def programs(self) -> Sequence[ExportProgram]:
        """Exported programs."""
        return self._nodes(ExportProgram, self._need("programs"))

    @property
    def stacks(self) -> Sequence[TreeFrame]:
        """Tree of the stacks that failures refer to."""
        return self._nodes(TreeFrame, self._need("stacks"))


class KernelCopy(Node):
    """A copy of a tensor to another device."""

    __slots__ = ()

    @property
    def from_(self) -> Optional[str]:
        """Its device: cuda:0."""
        return self._need("from")

    @property
    def to(self) -> Optional[str]:
        """The other device: cpu."""
        return self._need("to")

    @property
    def waits(self) -> Optional[bool]:
        """Whether the CPU waits for the GPU: a copy between the two that is not `non_blocking`."""
        return self._data.get("waits")


class ListedFailure(Node):
    """A failed compile."""

    __slots__ = ()

    @property
    def compile(self) -> str:
        """The key of a compile, unique in the report."""
        return self._need("compile")

    @property
    def attempt(self) -> Optional[int]:
        """The attempt that failed."""
        return self._need("attempt")

    @property
    def type(self) -> Optional[str]:
        """fail_type of compilation_metrics: the exception."""
        return self._need("type")

    @property
    def reason(self) -> Optional[str]:
        """fail_reason of compilation_metrics: the message."""
        return self._need("reason")

    @property
    def place(self) -> Optional[Place]:
        """The user's frame that failed."""
        return self._node(Place, self._need("place"))

    @property
    def sections(self) -> Optional[TextSections]:
        """The sections of the reason."""
        return self._node(TextSections, self._need("sections"))

    @property
    def finding(self) -> Optional[int]:
        """The finding that explains it, an index into findings."""
        return self._need("finding")


class TextSections(Node):
    """The sections of a message of PyTorch."""

    __slots__ = ()

    @property
    def id(self) -> Optional[str]:
        """PyTorch's id of the graph break, for example GB0170."""
        return self._need("id")

    @property
    def reason(self) -> Optional[str]:
        """The first line."""
        return self._need("reason")

    @property
    def explanation(self) -> Optional[str]:
        """The explanation."""
        return self._need("explanation")

    @property
    def hints(self) -> Tuple[str, ...]:
        """The hints."""
        return frozen(self._need("hints"))

    @property
    def context(self) -> Optional[str]:
        """The developer debug context."""
        return self._need("context")

    @property
    def url(self) -> Optional[str]:
        """The page about it in PyTorch's documentation."""
        return self._need("url")

    @property
    def then(self) -> Optional[str]:
        """The reason of the graph break that occurred while this one was handled."""
        return self._need("then")


class RestartCause(Node):
    """Why Dynamo discarded traces and traced frames again."""

    __slots__ = ()

    @property
    def reason(self) -> str:
        """The logged text, or the name of the exception if it has none."""
        return self._need("reason")

    @property
    def sections(self) -> Optional[TextSections]:
        """The sections of the text."""
        return self._node(TextSections, self._need("sections"))

    @property
    def compiles(self) -> Tuple[str, ...]:
        """The compiles that restarted, once per restart."""
        return frozen(self._need("compiles"))

    @property
    def finding(self) -> Optional[int]:
        """The finding that explains it, an index into findings."""
        return self._need("finding")


class Frame(PlaceText):
    """A compiled function."""

    __slots__ = ()

    @property
    def file(self) -> Optional[str]:
        """The file, as the log names it."""
        return self._need("file")

    @property
    def line(self) -> int:
        """The line, 0 where the log has none."""
        return self._need("line")

    @property
    def function(self) -> Optional[str]:
        """The function."""
        return self._need("function")

    @property
    def label(self) -> Optional[str]:
        """The name to show if the name of the function is generic (forward, __call__, wrapper, inner, <lambda>): with
        the class of self, or of the fn that inner calls, from the guards, for example Net.forward or wrapper
        (GPT2LMHeadModel), else with the file, for example forward (model.py)."""
        return self._data.get("label")


class CacheMiss(Node):
    """Why a cache missed."""

    __slots__ = ()

    @property
    def cache(self) -> Literal["fx_graph", "aotautograd"]:
        """The cache."""
        return self._need("cache")

    @property
    def kind(self) -> Literal["components", "graph", "same_key", "guards", "new", "not_logged"]:
        """components: the same graph has another key; graph: the same function has another graph; same_key: the key
        exists, but its entry was not found; guards: the key exists, but the guards of its entries fail; new: an earlier
        run has neither the graph nor the function; not_logged: the function has another key, and the log has no
        components of the keys."""
        return self._need("kind")

    @property
    def why(self) -> str:
        """Explanation, from the logs."""
        return self._need("why")

    @property
    def nearest(self) -> Optional[CacheOwner]:
        """The key that the miss is compared with."""
        return self._node(CacheOwner, self._need("nearest"))


class StackFrame(PlaceText):
    """A frame of a Python stack."""

    __slots__ = ()

    @property
    def function(self) -> str:
        """The function."""
        return self._need("function")

    @property
    def file(self) -> str:
        """The file, without everything up to "#link-tree/"."""
        return self._need("file")

    @property
    def line(self) -> int:
        """The line."""
        return self._need("line")

    @property
    def code(self) -> Optional[str]:
        """The source text."""
        return self._need("code")

    @property
    def library(self) -> bool:
        """Whether the file belongs to Python, PyTorch or another package, or is generated, rather than to the user's
        code."""
        return self._need("library")


class TreeFrame(PlaceText):
    """A frame in a tree of stacks."""

    __slots__ = ()

    @property
    def function(self) -> str:
        """The function."""
        return self._need("function")

    @property
    def file(self) -> str:
        """The file, without everything up to "#link-tree/"."""
        return self._need("file")

    @property
    def line(self) -> int:
        """The line."""
        return self._need("line")

    @property
    def code(self) -> Optional[str]:
        """The source text."""
        return self._need("code")

    @property
    def library(self) -> bool:
        """Whether the file belongs to Python, PyTorch or another package, or is generated, rather than to the user's
        code."""
        return self._need("library")

    @property
    def parent(self) -> int:
        """The caller: an index into the same list, -1 for an outermost frame."""
        return self._need("parent")


class StatusCounts(Node):
    """Number of compiles by status."""

    __slots__ = ()

    @property
    def ok(self) -> int:
        """Compiles with the status ok."""
        return self._need("ok")

    @property
    def restart(self) -> int:
        """Compiles with the status restart."""
        return self._need("restart")

    @property
    def error(self) -> int:
        """Compiles with the status error."""
        return self._need("error")

    @property
    def empty(self) -> int:
        """Compiles with the status empty."""
        return self._need("empty")

    @property
    def missing(self) -> int:
        """Compiles with the status missing."""
        return self._need("missing")


class RunPair(Node):
    """Two compared runs."""

    __slots__ = ()

    @property
    def a(self) -> str:
        """The folder of the first run, as in ranks."""
        return self._need("a")

    @property
    def b(self) -> str:
        """The folder of the second run."""
        return self._need("b")

    @property
    def sides(self) -> Optional[Tuple[Tuple[str, ...], ...]]:
        """Only if a side has several runs: the folders of the runs of each side."""
        return frozen(self._data.get("sides"))

    @property
    def ranks(self) -> Tuple[int, ...]:
        """For jobs: the ranks that both have."""
        return frozen(self._need("ranks"))


class DiffMembers(Node):
    """What changed from one run to another."""

    __slots__ = ()

    @property
    def format(self) -> Literal["tlparse-diff"]:
        """Identifies this format."""
        return self._need("format")

    @property
    def version(self) -> Literal[1]:
        """Increased if the meaning of a member changes."""
        return self._need("version")

    @property
    def base(self) -> str:
        """The first run, as given on the command line."""
        return self._need("base")

    @property
    def new(self) -> str:
        """The second run."""
        return self._need("new")

    @property
    def figures(self) -> Sequence[Figure]:
        """Numbers and versions of both runs."""
        return self._nodes(Figure, self._need("figures"))

    @property
    def findings(self) -> Optional[ComparedFindings]:
        """Issues that only one of the runs has."""
        return self._node(ComparedFindings, self._data.get("findings"))

    @property
    def logs(self) -> Optional[Sequence[ComparedLogs]]:
        """Functions, graph breaks and settings that differ: one item, or for jobs one per rank that both have."""
        return self._nodes(ComparedLogs, self._data.get("logs"))

    @property
    def cache_misses(self) -> Optional[Sequence[CacheMissCause]]:
        """Why caches missed in the second run entries that the first one has; empty if no run has a hit."""
        return self._nodes(CacheMissCause, self._data.get("cache_misses"))

    @property
    def runs(self) -> Tuple[int, ...]:
        """Number of runs of each side that could be read."""
        return frozen(self._need("runs"))

    @property
    def limits(self) -> Sequence[DiffMembersLimitsItem]:
        """The limits of --fail-on."""
        return self._nodes(DiffMembersLimitsItem, self._need("limits"))


class DiffMembersLimitsItem(Node):
    """"""

    __slots__ = ()

    @property
    def limit(self) -> str:
        """The limit as given: time>+10%."""
        return self._need("limit")

    @property
    def figure(self) -> str:
        """The name of the figure in figures."""
        return self._need("figure")

    @property
    def verdict(self) -> Literal["kept", "exceeded", "not known"]:
        """not known: a run does not have the figure."""
        return self._need("verdict")


class Summary(Node):
    """The totals and the issues of a report."""

    __slots__ = ()

    @property
    def format(self) -> Literal["tlparse-summary"]:
        """Identifies this format."""
        return self._need("format")

    @property
    def version(self) -> Literal[1]:
        """Increased if the meaning of a member changes."""
        return self._need("version")

    @property
    def name(self) -> str:
        """The log, folder or report, as given on the command line."""
        return self._need("name")

    @property
    def kind(self) -> Literal["run", "ranks", "runs"]:
        """What was read: one run, several ranks of a job, or several runs."""
        return self._need("kind")

    @property
    def run(self) -> Run:
        """The logged run, according to the log."""
        return self._node(Run, self._need("run"))

    @property
    def totals(self) -> Totals:
        """Sums over all compiles."""
        return self._node(Totals, self._need("totals"))

    @property
    def caches(self) -> Caches:
        """Cache results."""
        return self._node(Caches, self._need("caches"))

    @property
    def ranks(self) -> Optional[Tuple[Mapping[str, Any], ...]]:
        """The ranks or runs."""
        return frozen(self._data.get("ranks"))

    @property
    def missing_ranks(self) -> Optional[Tuple[int, ...]]:
        """Ranks without a log."""
        return frozen(self._data.get("missing_ranks"))

    @property
    def world(self) -> Optional[Mapping[str, Any]]:
        """Number of ranks of the job."""
        return frozen(self._data.get("world"))

    @property
    def export_outcomes(self) -> Optional[ExportOutcomes]:
        """How the calls of torch.export ended."""
        return self._node(ExportOutcomes, self._data.get("export_outcomes"))

    @property
    def coverage(self) -> Optional[Coverage]:
        """Which functions run compiled code."""
        return self._node(Coverage, self._data.get("coverage"))

    @property
    def compile_time(self) -> Optional[CompileTime]:
        """Where the compile time goes, and what to change first."""
        return self._node(CompileTime, self._data.get("compile_time"))

    @property
    def divergence(self) -> Optional[Tuple[Mapping[str, Any], ...]]:
        """The first --top causes of rank divergence, as root_causes of report.json."""
        return frozen(self._data.get("divergence"))

    @property
    def more_divergence(self) -> Optional[int]:
        """Number of further causes."""
        return self._data.get("more_divergence")

    @property
    def changes(self) -> Optional[Sequence[SummaryChangesItem]]:
        """What changed from the first run to each of the first --top others."""
        return self._nodes(SummaryChangesItem, self._data.get("changes"))

    @property
    def more_changes(self) -> Optional[int]:
        """Number of further runs."""
        return self._data.get("more_changes")

    @property
    def findings(self) -> Tuple[Mapping[str, Any], ...]:
        """The first --top issues, most important first."""
        return frozen(self._need("findings"))

    @property
    def more_findings(self) -> int:
        """Number of further issues."""
        return self._need("more_findings")

    @property
    def slowest(self) -> Optional[Sequence[SummarySlowestItem]]:
        """The --top compiles with the longest compile time."""
        return self._nodes(SummarySlowestItem, self._data.get("slowest"))


class SummaryChangesItem(Node):
    """What changed from the first run to another one."""

    __slots__ = ()

    @property
    def base(self) -> str:
        """Name of the first run."""
        return self._need("base")

    @property
    def new(self) -> str:
        """Name of the other run."""
        return self._need("new")

    @property
    def figures(self) -> Sequence[Figure]:
        """Numbers and versions of both runs, as in report.json."""
        return self._nodes(Figure, self._need("figures"))


class SummarySlowestItem(Node):
    """"""

    __slots__ = ()

    @property
    def key(self) -> str:
        """The compile id: unique in the report."""
        return self._need("key")

    @property
    def status(self) -> Status:
        """From compilation_metrics: error if one has a fail_type; else empty if a graph has no ops; else restart if the
        trace was restarted; else ok."""
        return self._need("status")

    @property
    def frame(self) -> Optional[Mapping[str, Any]]:
        """The compiled function."""
        return frozen(self._need("frame"))

    @property
    def time_us(self) -> int:
        """Compile time in microseconds."""
        return self._need("time_us")

    @property
    def own_us(self) -> Mapping[str, int]:
        """Self time of each phase in microseconds."""
        return frozen(self._need("own_us"))
