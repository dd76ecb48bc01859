"""The objects of report.json and of the answers. Generated from the schemas in doc/ by tools/python_types.py: change those.

Members have the names of report.json; one that is a word of Python ends with an underscore. A member that the schema allows
to be absent is None then. Enumerations may get further values in later versions.
"""
from __future__ import annotations

from typing import Any, Literal, Mapping, Optional, Sequence, Tuple, Union

from ._behavior import ArtifactText, PlaceText, RankReport
from ._member import Member, as_fixed, as_frozen, as_node, as_nodes, as_nodes_map
from ._node import Node

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

    format: Member[Literal["tlparse-report"]] = Member("Identifies the file format.")
    version: Member[Literal[2]] = Member("Increases when the meaning of a member changes, not when members are added.")
    kind: Member[Literal["run", "ranks", "runs"]] = Member("What the report covers: one run (or one rank of it), several ranks, or several runs.")
    tool: Member[Tool] = Member("The program that wrote the report.", as_node, lambda: Tool)
    run: Member[Run] = Member("The logged run, according to the log.", as_node, lambda: Run)
    phases: Member[Sequence[ShownPhase]] = Member("The phases of by_phase_us, in the order in which they are shown.", as_nodes, lambda: ShownPhase)
    stacks: Member[Sequence[StackNode]] = Member("Tree of the stacks at which compiles start, in order of first appearance; those with callers from other records come last (caller_from of compiles).", as_nodes, lambda: StackNode)
    source_link: Member[Optional[SourceLink]] = Member("Links from places to code.", as_node, lambda: SourceLink, required=False)
    graph_breaks: Member[Sequence[GraphBreak]] = Member("Graph breaks, distinct by reason and place.", as_nodes, lambda: GraphBreak)
    recompiles: Member[Sequence[Recompile]] = Member("Frames that were compiled more than once.", as_nodes, lambda: Recompile)
    failures: Member[Sequence[ListedFailure]] = Member("Failed compiles, in log order.", as_nodes, lambda: ListedFailure)
    restart_causes: Member[Sequence[RestartCause]] = Member("Why Dynamo restarted traces: one entry for restarts with the same text at the same graph break.", as_nodes, lambda: RestartCause)
    backward_failures: Member[Sequence[ListedFailure]] = Member("Failed compiles of backward graphs, in log order.", as_nodes, lambda: ListedFailure)
    caches: Member[Caches] = Member("Cache results.", as_node, lambda: Caches)
    compile_time: Member[Optional[CompileTime]] = Member("Where the compile time goes.", as_node, lambda: CompileTime, required=False)
    coverage: Member[Optional[Coverage]] = Member("Which functions run compiled code.", as_node, lambda: Coverage, required=False)
    findings: Member[Sequence[Finding]] = Member("Issues of the run, most important first: errors, then compile time that a fix saves, then the rest by severity, those with advice first, then by impact and cost, then what is expected.", as_nodes, lambda: Finding)
    totals: Member[Totals] = Member("Sums over all compiles.", as_node, lambda: Totals)
    checks: Member[Sequence[Check]] = Member("Contradictions within the report, or between the report and the log.", as_nodes, lambda: Check)
    more_checks: Member[Optional[int]] = Member("Number of contradictions that are not listed.", required=False)
    unfinished: Member[Sequence[UnfinishedSpan]] = Member("Spans without an end event, by thread, outermost first: where the process hung or died.", as_nodes, lambda: UnfinishedSpan)
    unattributed: Member[Sequence[Unattributed]] = Member("Records with a stack but without a compile id, grouped by stack, in order of first appearance.", as_nodes, lambda: Unattributed)
    more_unattributed: Member[Optional[int]] = Member("Number of such records whose stacks are not listed.", required=False)
    config_differences: Member[Sequence[ConfigDifference]] = Member("Settings that have more than one value among the compiles of the log.", as_nodes, lambda: ConfigDifference)
    settings_in_effect: Member[Sequence[SettingInEffect]] = Member("Settings as they were while graphs were compiled, by kind and name: those that fx_graph_runnable sets, except what PyTorch sets in every compile and what only has its default again (the first such program of the process left it as it was, and the key of its graph has the same value), and those of Inductor that have another value in the FX graph cache's key than in the configuration of the metrics.", as_nodes, lambda: SettingInEffect)
    notices: Member[Optional[Notices]] = Member("Messages of rare records: a failure that was ignored, work that was done twice, or a result that was not saved.", as_node, lambda: Notices, required=False)
    pgo: Member[Optional[Pgo]] = Member("Dynamo's profile-guided optimization (records get_…_code_state and put_…_code_state).", as_node, lambda: Pgo, required=False)
    compile_workers: Member[Optional[CompileWorkers]] = Member("Jobs that ran long enough for the watchdog of the compile workers to report them (compile_worker_status).", as_node, lambda: CompileWorkers, required=False)
    native_kernels: Member[Optional[NativeKernels]] = Member("Calls of the compile functions of native DSLs, summed by operator (native_dsl_compile).", as_node, lambda: NativeKernels, required=False)
    bucketing: Member[Optional[Bucketings]] = Member("Collectives of FSDP before and after they were merged into buckets (pre_bucketing_collective_sizes).", as_node, lambda: Bucketings, required=False)
    vllm: Member[Optional[Vllm]] = Member("What vLLM compiled.", as_node, lambda: Vllm, required=False)
    ranks: Member[Optional[Sequence[Rank]]] = Member("In a report of several ranks or runs: one item per log, or per job.", as_nodes, lambda: Rank, required=False)
    missing_ranks: Member[Optional[Tuple[int, ...]]] = Member("Ranks without a log: below the highest rank with a log, and up to the known minimum of the world size.", as_frozen, required=False)
    more_missing_ranks: Member[Optional[int]] = Member("Number of ranks without a log that are not listed.", required=False)
    divergence: Member[Optional[Divergences]] = Member("Rank divergence by aspect, and its root causes.", as_node, lambda: Divergences, required=False)
    world: Member[Optional[World]] = Member("Number of ranks of the job.", as_node, lambda: World, required=False)
    ranks_notes: Member[Optional[Sequence[RanksNote]]] = Member("What limits the comparison: logs of different jobs, copies, a rank that differs from the file name.", as_nodes, lambda: RanksNote, required=False)
    all_ranks: Member[Optional[AllRanks]] = Member("Sums over all ranks, if several ranks wrote to one log.", as_node, lambda: AllRanks, required=False)
    rank_ends: Member[Optional[Sequence[RankEnd]]] = Member("Where the logs end: ranks grouped by the span that was open, those that did not finish first.", as_nodes, lambda: RankEnd, required=False)
    rank_config_differences: Member[Optional[Sequence[RankConfigDifference]]] = Member("Settings that differ between ranks, by kind and name.", as_nodes, lambda: RankConfigDifference, required=False)
    matrix: Member[Optional[Matrix]] = Member("Ranks × compile ids.", as_node, lambda: Matrix, required=False)
    runtime: Member[Optional[Runtime]] = Member("Estimated run times of graphs, compared between ranks.", as_node, lambda: Runtime, required=False)
    schedules: Member[Optional[Schedules]] = Member("Collectives by graph and rank.", as_node, lambda: Schedules, required=False)
    execution: Member[Optional[Execution]] = Member("The order in which ranks ran their graphs.", as_node, lambda: Execution, required=False)
    timeline: Member[TimelineSummary] = Member("The chromium events of the log, as spans.", as_node, lambda: TimelineSummary)
    cache_misses: Member[Optional[CacheMisses]] = Member("Why caches missed entries that other logs have.", as_node, lambda: CacheMisses, required=False)
    rank_findings: Member[Optional[Sequence[RankFinding]]] = Member("Findings of all ranks, in the order of findings.", as_nodes, lambda: RankFinding, required=False)
    rank_first: Member[Optional[int]] = Member("What to change first: index into rank_findings.", required=False)
    log: Member[Log] = Member("The log.", as_node, lambda: Log)
    configs: Member[Sequence[Config]] = Member("Distinct configurations, from compilation_metrics.", as_nodes, lambda: Config)
    compiles: Member[Sequence[Compile]] = Member("All compiles that started, or that have metrics and a frame id, in order of first appearance.", as_nodes, lambda: Compile)
    shape_stacks: Member[Sequence[TreeFrame]] = Member("Tree of the stacks that shapes refer to (shape_where, in shapes).", as_nodes, lambda: TreeFrame)
    kernels: Member[Kernels] = Member("Kernels in the output code.", as_node, lambda: Kernels)
    export: Member[Export] = Member("torch.export: failures and exported programs.", as_node, lambda: Export)
    comparison: Member[Optional[Comparison]] = Member("Differences between runs.", as_node, lambda: Comparison, required=False)
    parsers: Member[Optional[Sequence[Parser]]] = Member("What the user's own parsers added (doc/hooks.md): one item for each parser with records in this log, by name.", as_nodes, lambda: Parser, required=False)


class SourceLink(Node):
    """How to make the address of a place's code."""
    __slots__ = ()

    template: Member[str] = Member("An address with http or https, in which {path} is to be replaced by the path below the root, percent-encoded, {line} by the line, and {hash} by the hash of the file.")
    commit: Member[Optional[str]] = Member("The commit of the code, which the template contains.")
    roots: Member[Tuple[str, ...]] = Member("Folders of the code, as in the log, without a slash at the end.", as_frozen)
    hashes: Member[Optional[Mapping[str, str]]] = Member("By path below the root: git's hash of the Python file in that commit.", as_frozen, required=False)


class Parser(Node):
    """What one parser of the user added."""
    __slots__ = ()

    name: Member[str] = Member("The kind of record, or the name of the artifact, that it reads.")
    error: Member[Optional[str]] = Member("Why it failed; then it added nothing.")
    columns: Member[Sequence[ParserColumn]] = Member("Columns of the list of compiles.", as_nodes, lambda: ParserColumn)
    records: Member[int] = Member("Number of records that it read.")
    sections: Member[Sequence[ParserSection]] = Member("Sections of the page, in order.", as_nodes, lambda: ParserSection)
    findings: Member[Sequence[ParserFinding]] = Member("Issues.", as_nodes, lambda: ParserFinding)
    links: Member[Sequence[ParserLink]] = Member("Links to other places.", as_nodes, lambda: ParserLink)
    files: Member[Sequence[ParserFile]] = Member("Files in the report.", as_nodes, lambda: ParserFile)
    rejected: Member[int] = Member("Number of lines of its answer that have no known form.")
    example: Member[Optional[str]] = Member("Why the first of these was rejected.")
    more: Member[int] = Member("Number of answers beyond the limits, which are left out.")


class ParserSummary(Node):
    """What the list of compiles shows of a parser."""
    __slots__ = ()

    name: Member[str] = Member("The kind of record, or the name of the artifact, that it reads.")
    error: Member[Optional[str]] = Member("Why it failed; then it added nothing.")
    columns: Member[Sequence[ParserColumn]] = Member("Columns of the list of compiles.", as_nodes, lambda: ParserColumn)


class ParserColumn(Node):
    """A value for some compiles."""
    __slots__ = ()

    title: Member[str] = Member("Title of the column.")
    values: Member[Mapping[str, Union[float, str]]] = Member("By key of the compile: a number or a text.", as_frozen)


class ParserSection(Node):
    """A section: texts, a table, or both."""
    __slots__ = ()

    title: Member[str] = Member("Title of the section.")
    texts: Member[Tuple[str, ...]] = Member("Plain texts.", as_frozen)
    columns: Member[Optional[Tuple[Union[float, str], ...]]] = Member("Titles of the columns.", as_frozen, required=False)
    rows: Member[Optional[Tuple[Tuple[Union[float, str], ...], ...]]] = Member("Rows of the table, each with a number or a text for each column.", as_frozen, required=False)


class ParserFinding(Node):
    """An issue that a parser found."""
    __slots__ = ()

    title: Member[str] = Member("The issue.")
    severity: Member[Literal["error", "warning", "info"]] = Member("Its severity, according to the parser.")
    message: Member[Optional[str]] = Member("Details.")
    advice: Member[Optional[str]] = Member("What to do.")
    place: Member[Optional[Place]] = Member("The source line.", as_node, lambda: Place)
    compile: Member[Optional[str]] = Member("The compile.")


class ParserLink(Node):
    """A link that a parser gave."""
    __slots__ = ()

    url: Member[str] = Member("An address with http or https.")
    title: Member[Optional[str]] = Member("Its text.")
    compile: Member[Optional[str]] = Member("The compile.")


class ParserFile(Node):
    """A file that a parser gave."""
    __slots__ = ()

    name: Member[str] = Member("Its name, as the parser gave it.")
    url: Member[str] = Member("Its path in the report, below parsers/.")
    bytes: Member[int] = Member("Its size.")
    compile: Member[Optional[str]] = Member("The compile.")


class Figure(Node):
    """A number or text, compared between two runs."""
    __slots__ = ()

    name: Member[str] = Member("Name for programs.")
    title: Member[str] = Member("Name for people.")
    unit: Member[Literal["count", "us", "text"]] = Member("Unit of the values: a count, microseconds (us), or a text.")
    values: Member[Tuple[Optional[Union[int, str]], Optional[Union[int, str]]]] = Member("Values of the first and the second run.", as_fixed, lambda: (None, None))
    ranges: Member[Optional[Tuple[Tuple[Optional[int], ...], ...]]] = Member("Only if a side has several runs: values are then medians (the lower of two middle values), and these the smallest and the largest value of each side.", as_frozen, required=False)
    delta: Member[Optional[int]] = Member("Second value minus first.")
    verdict: Member[Literal["same", "within", "worse", "better", "more", "less", "differs"]] = Member("worse or better if more of it is a cost; for times only if they changed by more than 5 %.")


class ComparedFinding(Node):
    """A finding that only one of the two runs has."""
    __slots__ = ()

    index: Member[int] = Member("Index into findings of that run's report; for a job, into rank_findings.")
    kind: Member[str] = Member("Same as in that list.")
    severity: Member[Literal["error", "warning", "info"]] = Member("Same as in that list.")
    title: Member[str] = Member("Same as in that list.")
    place: Member[Optional[Place]] = Member("Same as in that list.", as_node, lambda: Place)
    time_us: Member[Optional[int]] = Member("Same as in that list, in microseconds.")


class ComparedBreak(Node):
    """A graph break that only one of the two logs has."""
    __slots__ = ()

    id: Member[Optional[str]] = Member("Same as in graph_breaks.")
    reason: Member[str] = Member("Same as in graph_breaks, cut to 500 bytes.")
    place: Member[Optional[Place]] = Member("The user's line.", as_node, lambda: Place)
    count: Member[int] = Member("Number of occurrences.")


class ComparedSide(Node):
    """Sums over the compiles of a function in one log."""
    __slots__ = ()

    name: Member[str] = Member("Its name in this log.")
    line: Member[Optional[int]] = Member("Its first line in this log.")
    compiles: Member[Tuple[str, ...]] = Member("Keys of its first 16 compiles.", as_frozen)
    compile_count: Member[int] = Member("Number of its compiles.")
    time_us: Member[Optional[int]] = Member("Compile time in microseconds.")
    own_us: Member[Mapping[str, int]] = Member("Self time of each phase, as in compiles[].own_us, in microseconds.", as_frozen)
    by_phase_us: Member[ShownTimes] = Member("Self time of its compiles by shown phase, in microseconds.", as_node, lambda: ShownTimes)
    recompiles: Member[int] = Member("Number of recompiles, as in recompiles.")
    graph_breaks: Member[int] = Member("Number of graph breaks: the sum of the distinct breaks of each compile.")
    failures: Member[int] = Member("Number of compiles that failed or whose backward failed.")
    ops: Member[int] = Member("Number of calls in their graphs.")
    guards: Member[int] = Member("Number of guards.")
    kernels: Member[int] = Member("Number of generated kernels.")
    cache: Member[Tuple[Literal["bypass", "exception", "hit", "miss", "pickle_failure"], ...]] = Member("Distinct cache results.", as_frozen)


class CacheOwner(Node):
    """A compile that looked up a cache key."""
    __slots__ = ()

    dir: Member[str] = Member("The folder of the log's report, as in ranks; for a job, as in its members.")
    compile: Member[str] = Member("The key of the compile in that report.")
    result: Member[Literal["hit", "miss", "bypass"]] = Member("The cache result.")
    same_graph: Member[Optional[bool]] = Member("Only for the key that a miss is compared with, as in compiles[].cache[].nearest.", required=False)
    differences: Member[Optional[int]] = Member("Number of components whose hashes differ.", required=False)
    components: Member[Optional[Sequence[KeyComponent]]] = Member("Components that differ, at most 8.", as_nodes, lambda: KeyComponent, required=False)


class RootCause(Node):
    """A root cause of a rank divergence."""
    __slots__ = ()

    kind: Member[Literal["configuration", "unfinished", "parts", "extra_compile", "other_compile", "recompile", "stopped", "backward", "status", "graph_break", "source", "branch", "operations", "input_sizes", "dynamic_sizes", "tensors", "graph", "recompile_reason", "guards", "collectives", "cache", "tensor_meta", "compile_time", "compile_order", "execution_order"]] = Member("The kind of root cause.")
    title: Member[str] = Member("Short description.")
    ranks: Member[Tuple[int, ...]] = Member("The outliers: ranks that differ from more than half of the ranks.", as_frozen)
    aspect: Member[Literal["compile_ids", "status", "graphs", "guards", "recompiles", "cache", "collectives", "tensor_meta", "execution_order", "configuration", "compile_time"]] = Member("The aspect in which they differ.")
    place: Member[Optional[Place]] = Member("The first line of the program that shows it.", as_node, lambda: Place)
    compile: Member[Optional[str]] = Member("The compile, in the report of the first outlier that has it.")
    evidence: Member[Sequence[CauseEvidence]] = Member("The state of each group of ranks at that point.", as_nodes, lambda: CauseEvidence)
    more_evidence: Member[int] = Member("Number of groups of ranks that are not listed.")
    consequences: Member[Sequence[Consequence]] = Member("Differences that follow from this cause.", as_nodes, lambda: Consequence)
    more_consequences: Member[int] = Member("Number of consequences that are not listed.")
    may_hang: Member[bool] = Member("Whether ranks may wait for each other: their collectives differ, and the logs do not show that all ranks went on; or the log of some ends within a compile.")


class ArtifactRef(Node):
    """A reference to an artifact of a compile."""
    __slots__ = ()

    compile: Member[str] = Member("The key of a compile, unique in the report.")
    index: Member[int] = Member("Index into the artifacts of the compile.")


class Place(PlaceText):
    """A line of source code."""
    __slots__ = ()

    file: Member[Optional[str]] = Member("The file, as in the log.")
    line: Member[int] = Member("The line.")
    function: Member[Optional[str]] = Member("The function.")


class Failure(Node):
    """Why a compile failed."""
    __slots__ = ()

    type: Member[Optional[str]] = Member("fail_type of compilation_metrics: the exception.")
    reason: Member[Optional[str]] = Member("fail_reason of compilation_metrics: the message.")
    file: Member[Optional[str]] = Member("The file of the user's frame that failed.")
    line: Member[Optional[int]] = Member("Its line.")
    refused: Member[bool] = Member("Whether the recompile limit was reached, so that this version was not compiled.")


class CacheCounts(Node):
    """Number of lookups of a cache, by result."""
    __slots__ = ()

    hit: Member[int] = Member("Number of hits.")
    miss: Member[int] = Member("Number of misses.")
    bypass: Member[int] = Member("Number of bypasses.")
    pickle_failure: Member[Optional[int]] = Member("Number of results that could not be saved.", required=False)


class FurtherCacheCounts(Node):
    """Counts of a cache that does not log misses."""
    __slots__ = ()

    hit: Member[Optional[int]] = Member("Number of hits.", required=False)
    bypass: Member[Optional[int]] = Member("Number of bypasses.", required=False)
    exception: Member[Optional[int]] = Member("Number of entries that could not be created.", required=False)
    entries: Member[Optional[int]] = Member("Number of entries of the latest save.", required=False)


class Artifact(ArtifactText):
    """An output of the compiler, carried by a record."""
    __slots__ = ()

    name: Member[str] = Member("The name of the artifact, graph or file.")
    kind: Member[str] = Member("The key of the record: artifact, dynamo_output_graph, …; symbols for the table of symbols.")
    url: Member[Optional[str]] = Member("The path of the file in the report, or the address of a link.")
    bytes: Member[int] = Member("Length of the text in bytes.")
    line: Member[int] = Member("The line of the record in the log, from 1.")
    number: Member[Optional[int]] = Member("The number in the file name, from one counter per log.")
    attempt: Member[Optional[int]] = Member("The attempt in the compile id.")
    suffix: Member[Literal["", "✅", "❌", "❓"]] = Member("The cache result in the name: hit (✅), miss (❌) or bypass (❓).")
    readable_url: Member[Optional[str]] = Member("A page that shows the content in readable form.")
    dir: Member[str] = Member("The folder of the record's compile id.")
    text: Member[Optional[Tuple[int, int]]] = Member("The position in the text stream of dir: [offset, length].", as_fixed, lambda: (None, None))
    lang: Member[ArtifactLang] = Member("The format of the text.")
    subgraph: Member[Optional[str]] = Member("The subgraph (of a higher-order operator) that the record belongs to.")
    payload_url: Member[Optional[str]] = Member("The file that contains the text unchanged, if url is a page.", required=False)
    graph: Member[Optional[GraphSize]] = Member("Size of the graph in the text.", as_node, lambda: GraphSize, required=False)
    kernels: Member[Optional[int]] = Member("Number of kernels that the output code defines.", required=False)
    kernel_line: Member[Optional[int]] = Member("Line of the output code that defines the first of these kernels.", required=False)
    instructions: Member[Optional[int]] = Member("Number of bytecode instructions.", required=False)
    guards: Member[Optional[GuardText]] = Member("Guards of a dynamo_cpp_guards_str.", as_node, lambda: GuardText, required=False)
    stem: Member[str] = Member("Name without number and file extension.")
    slot: Member[Optional[str]] = Member("Identifies the artifact within its compile: artifacts of two compiles correspond if their slots are equal.", required=False)
    earlier: Member[Optional[int]] = Member("Index of the artifact with the previous form of the same graph or bytecode: before the pass, of the stage before, or before Dynamo.", required=False)
    other_attempts: Member[Optional[Tuple[int, ...]]] = Member("Indices of the same artifact of other attempts, latest first, at most 8.", as_frozen, required=False)


class Pass(Node):
    """A graph before and after a pass, or before and after a step between two representations."""
    __slots__ = ()

    name: Member[str] = Member("The name of the pass: post_grad, overlap_scheduling, the name that vLLM gives, …")
    stage: Member[Literal["dynamo", "compiled_autograd", "pre_grad", "joint", "post_grad", "aot", "other"]] = Member("The stage of the compile that contains it.")
    step: Member[bool] = Member("Whether it is a step between two representations (AOTAutograd, the partitioner) rather than a pass.")
    backward: Member[bool] = Member("Whether it belongs to the backward graph.")
    before: Member[int] = Member("Index of the graph before it in the artifacts of the compile.")
    after: Member[int] = Member("Index of the graph after it in the artifacts of the compile.")
    changed: Member[bool] = Member("Whether the texts differ, ignoring noise (addresses, ids, temporary paths).")
    ops_before: Member[Optional[int]] = Member("Number of calls in the graph before.")
    ops_after: Member[Optional[int]] = Member("Number of calls in the graph after.")
    nodes_before: Member[Optional[int]] = Member("Number of nodes in the graph before: inputs, calls, attributes and the output.")
    nodes_after: Member[Optional[int]] = Member("Number of nodes in the graph after.")


class Stage(Node):
    """A stage of a compile."""
    __slots__ = ()

    stage: Member[Literal["bytecode", "dynamo", "pre_grad", "joint", "forward", "backward", "post_grad", "code", "kernels"]] = Member("The name of the stage.")
    backward: Member[bool] = Member("Whether it belongs to the backward graph, which has its own post_grad, code and kernels.")
    state: Member[Literal["done", "cached", "failed", "skipped", "unknown"]] = Member("done; cached: loaded from a cache; failed: the compile ended here; skipped: nothing to do; unknown: not logged.")
    why: Member[Optional[str]] = Member("Why it is not done.")
    time_us: Member[Optional[int]] = Member("Self time in microseconds, without nested stages.")
    ops: Member[Optional[int]] = Member("Number of calls in the resulting graphs.")
    nodes: Member[Optional[int]] = Member("Number of nodes in the resulting graphs.")
    kernels: Member[Optional[int]] = Member("Number of kernels that its code defines.")
    parts: Member[int] = Member("Number of resulting graphs or codes.")
    artifacts: Member[Tuple[int, ...]] = Member("Indices of its artifacts in the artifacts of the compile.", as_frozen)


class ShapeWhere(Node):
    """The origin of a record about a symbol."""
    __slots__ = ()

    attempt: Member[Optional[int]] = Member("The attempt.")
    line: Member[int] = Member("The line of the record in the log.")
    user_stack: Member[Optional[int]] = Member("The user's stack, an index into shape_stacks.")
    stack: Member[Optional[int]] = Member("The full stack, an index into shape_stacks.")


class Shapes(Node):
    """Symbols in the shapes of a compile."""
    __slots__ = ()

    symbols: Member[Sequence[ShapeSymbol]] = Member("Created symbols.", as_nodes, lambda: ShapeSymbol)
    specializations: Member[Sequence[Specialization]] = Member("Symbols that were specialized to constants.", as_nodes, lambda: Specialization)
    guards: Member[Sequence[ShapeGuard]] = Member("Guards on symbols, in the order in which they were added.", as_nodes, lambda: ShapeGuard)
    more: Member[int] = Member("Number of records that are not listed: the lists are limited.")


class KernelCounts(Node):
    """Kernels of one kind."""
    __slots__ = ()

    count: Member[int] = Member("Number of kernels.")
    calls: Member[int] = Member("Number of lines in the output code that call them.")


class Kernel(Node):
    """A kernel of an output code."""
    __slots__ = ()

    name: Member[str] = Member("Its name in the code.")
    kind: Member[KernelKind] = Member("The language or origin of the kernel.")
    heuristic: Member[Optional[str]] = Member("Triton: pointwise, reduction, persistent_reduction, template, …; other: the language.")
    compile: Member[str] = Member("The key of a compile, unique in the report.")
    graph: Member[Optional[str]] = Member("AOTAutograd's name of the graph, such as 0_forward.")
    artifact: Member[int] = Member("Index of the output code in the artifacts of the compile.")
    line: Member[Optional[int]] = Member("The line of its definition in the code.")
    call_line: Member[Optional[int]] = Member("The line of its first call in the code.")
    calls: Member[int] = Member("Number of lines in the code that call it.")
    copy: Member[Optional[KernelCopy]] = Member("Absent unless it copies a tensor to another device.", as_node, lambda: KernelCopy, required=False)
    outside: Member[Optional[KernelOutside]] = Member("Why it is called outside of the parts of its graph that are for CUDA graphs.", required=False)
    definition: Member[Optional[Place]] = Member("Where the program defines it.", as_node, lambda: Place, required=False)
    ops: Member[Tuple[str, ...]] = Member("Operators that it computes: those of post_nodes.", as_frozen)
    nodes: Member[Tuple[str, ...]] = Member("Nodes of the Dynamo graph that it computes, from the comments of the code.", as_frozen)
    post_nodes: Member[Tuple[str, ...]] = Member("Nodes of the post-grad graph that it computes.", as_frozen)
    nodes_by: Member[Literal["provenance", "comment", "dataflow", None]] = Member("The source of its nodes: the provenance mapping of the log, comments in the code, or the buffers that it reads and writes (dataflow).")
    sources: Member[Sequence[KernelSource]] = Member("Source lines that it comes from: those of the user, then those of libraries.", as_nodes, lambda: KernelSource)
    compile_time_us: Member[Optional[int]] = Member("Compile time of the kernel in microseconds, in the process that compiled it.")
    autotune: Member[Optional[Autotune]] = Member("Autotuning result.", as_node, lambda: Autotune)
    choice: Member[Optional[int]] = Member("Index in choices of the choice by benchmarks that it is the result of.", required=False)
    perhaps: Member[Tuple[str, ...]] = Member("Additional nodes of the post-grad graph that it may compute: the log does not show which of several kernels computes them.", as_frozen)
    nodes_unknown: Member[Optional[str]] = Member("Why its nodes are unknown, or, if perhaps is not empty, why they are ambiguous.")
    lines_unknown: Member[Optional[str]] = Member("Why it has no source lines.")


class Finding(Node):
    """An issue."""
    __slots__ = ()

    kind: Member[Literal["unfinished", "error", "user_error", "frame_skipped", "recompile_limit", "graph_break", "cudagraph_skip", "cudagraph_recordings", "float32_matmul", "recompile", "specialization", "real_tensors", "slow_compile", "restart", "cache_bypass", "cache_miss", "missing_metrics", "interrupted", "autograd_capture", "backward_failure", "graph_error", "compile_worker_death", "precompile_bypass", "precompile_error", "cache_save_failure", "duplicate_backward", "overlap_cycle", "trace_failure", "log_fault", "no_records", "several_processes", "export_data_dependent", "export_guard", "export_missing_fake_kernel", "export_mismatched_fake_kernel", "export_constraint_violation", "export_error"]] = Member("The kind of issue.")
    severity: Member[Literal["error", "warning", "info"]] = Member("The severity.")
    impact: Member[Literal["stops", "every_step", "compile_time", "information"]] = Member("The effect: it stops the program or an export (stops), slows every step (every_step), or costs compile time (compile_time).")
    cost: Member[Literal["compile_time", "lost_to_restarts", "lost", "run_time", "cacheable", "unfinished"]] = Member("The meaning of time_us.")
    title: Member[str] = Member("Short description.")
    id: Member[Optional[str]] = Member("The id of a graph break in PyTorch's registry (GB0001).")
    message: Member[Optional[str]] = Member("The message of PyTorch or of the program, cut to about 600 bytes.")
    code: Member[Optional[str]] = Member("The source text at place.")
    caller: Member[Optional[Place]] = Member("The user's line that led to place.", as_node, lambda: Place)
    library: Member[bool] = Member("Whether place is in a library rather than in the user's code.")
    evidence: Member[Optional[str]] = Member("The records that the advice is based on.")
    expected: Member[bool] = Member("Whether this is normal: the advice explains why there are several versions.")
    place: Member[Optional[Place]] = Member("The source line to look at.", as_node, lambda: Place)
    compiles: Member[Tuple[str, ...]] = Member("The affected compiles.", as_frozen)
    time_us: Member[Optional[int]] = Member("Cost in microseconds, with the meaning given by cost.")
    saves_us: Member[Optional[int]] = Member("Compile time in microseconds that a fix saves at most of what the issue itself cost; where one setting fixes several issues, the first of them has the sum.")
    why: Member[Optional[str]] = Member("What happened.")
    advice: Member[Optional[str]] = Member("Suggested fix.")
    link: Member[str] = Member("The address in index.html that shows it.")


class Side(Node):
    """The state of one group of ranks at the first difference."""
    __slots__ = ()

    ranks: Member[Tuple[int, ...]] = Member("The ranks of the group.", as_frozen)
    key: Member[Optional[str]] = Member("The item that is compared, usually a compile id.")
    value: Member[Optional[str]] = Member("Its value on these ranks.")
    same_key: Member[bool] = Member("Whether all of these ranks have it under the same key.")
    alike: Member[int] = Member("Index of the first group with the same item and value here, which may be this group: such groups differ later.")


class Divergence(Node):
    """Whether ranks diverge in one aspect."""
    __slots__ = ()

    title: Member[str] = Member("The name of the aspect for people.")
    why: Member[str] = Member("Why it matters.")
    known: Member[bool] = Member("Whether the logs have data for this aspect.")
    passed_over: Member[bool] = Member("Whether nothing is compared because all data of this aspect belongs to compiles that not all ranks finished.")
    diverges: Member[bool] = Member("Whether the ranks differ.")
    not_logged: Member[Tuple[int, ...]] = Member("Compared ranks whose logs have no data for this aspect.", as_frozen)
    uncertain: Member[Optional[Tuple[int, ...]]] = Member("Execution order only: ranks that ran graphs from a cache.", as_frozen, required=False)
    from_: Member[Optional[Literal["schedules", "output_code", "dynamo_graphs"]]] = Member("Collectives only: the source of the data.", required=False, key="from")
    groups: Member[Sequence[RankGroup]] = Member("Groups of ranks that agree.", as_nodes, lambda: RankGroup)
    first: Member[Optional[FirstDifference]] = Member("The first difference.", as_node, lambda: FirstDifference)


class LogElsewhere(Node):
    """Where a log is that this report was made without."""
    __slots__ = ()

    host: Member[Optional[str]] = Member("The host that read the log.")
    paths: Member[Tuple[str, ...]] = Member("The files of the log there: absolute paths, or addresses.", as_frozen)
    wanted: Member[bool] = Member("Whether the log should have a report of its own: its rank represents others, is the slowest or the fastest, failed or hangs, or was asked for.")


class Rank(RankReport):
    """A rank or a run with its own report below this one."""
    __slots__ = ()

    rank: Member[Optional[int]] = Member("The rank.")
    dir: Member[str] = Member("The folder of its report, relative to this report.")
    elsewhere: Member[Optional[LogElsewhere]] = Member("Where its log is, if this report was made from facts and has no report of the log itself: dir does not exist then.", as_node, lambda: LogElsewhere, required=False)
    files: Member[Tuple[str, ...]] = Member("The files of its log, in the order in which they were read.", as_frozen)
    name: Member[Optional[str]] = Member("Display name of a run: the file name, or the name of its folder if file names do not distinguish the runs.", required=False)
    members: Member[Optional[Sequence[RankMember]]] = Member("The logs of a run that is a job, by rank, those without a rank last.", as_nodes, lambda: RankMember, required=False)
    status: Member[Literal["ok", "error", "unfinished", "bad"]] = Member("bad: the log could not be read; unfinished: the log ends within spans; error: a compile failed; ok: none of these.")
    older: Member[bool] = Member("Whether it is from an earlier start of the same rank.")
    error: Member[Optional[str]] = Member("Why the log could not be read.")
    bytes: Member[int] = Member("Uncompressed length of the log in bytes.")
    compiles: Member[int] = Member("Number of compiles.")
    failed: Member[int] = Member("Number of failed compiles.")
    time_us: Member[int] = Member("Compile time of all compiles, in microseconds.")
    first_us: Member[Optional[int]] = Member("Time of the first event, in microseconds since the epoch.")
    last_us: Member[Optional[int]] = Member("Time of the last event, in microseconds since the epoch.")
    malformed: Member[int] = Member("Number of malformed records.")
    skipped_lines: Member[int] = Member("Number of lines that are other output, such as prints and warnings.")
    counters: Member[Mapping[str, int]] = Member("The counters of log.counters that are not 0.", as_frozen)
    parity: Member[Sequence[StreamParity]] = Member("Graphs whose output code has other collectives than their schedule, or does not wait for all of them.", as_nodes, lambda: StreamParity)
    job: Member[int] = Member("0 for the job with the most logs.")
    compared: Member[bool] = Member("Whether it is compared with the other ranks.")
    unfinished: Member[Sequence[RankSpan]] = Member("Spans without an end event, outermost first.", as_nodes, lambda: RankSpan)
    decisions: Member[Tuple[str, ...]] = Member("What ranks exchanged during compilation, as logged.", as_frozen)


class ExportFailure(Node):
    """A failure of torch.export."""
    __slots__ = ()

    kind: Member[ExportKind] = Member("The kind of failure.")
    compile: Member[str] = Member("The key of a compile, unique in the report.")
    line: Member[Optional[int]] = Member("The line of the record in the log.")
    title: Member[str] = Member("Short description.")
    reason: Member[str] = Member("What happened.")
    advice: Member[Tuple[str, ...]] = Member("Suggested fix.", as_frozen)
    type: Member[Optional[str]] = Member("The exception.")
    expr: Member[Optional[str]] = Member("The expression that was evaluated.")
    result: Member[Optional[str]] = Member("The value that was assumed for it.")
    op: Member[Optional[str]] = Member("The operator.")
    detail: Member[Optional[str]] = Member("Further text of the log.")
    constraints: Member[Sequence[ExportConstraint]] = Member("The dimensions of a constraint violation, as far as PyTorch's message names them.", as_nodes, lambda: ExportConstraint)
    suggested_fixes: Member[Tuple[str, ...]] = Member("What PyTorch suggests for dynamic_shapes, a line each.", as_frozen)
    code: Member[Optional[str]] = Member("The source text at place.")
    place: Member[Optional[Place]] = Member("The user's line.", as_node, lambda: Place)
    user_stack: Member[Optional[int]] = Member("The user's stack, an index into export.stacks.")
    stack: Member[Optional[int]] = Member("The full stack, an index into export.stacks.")
    frame_locals: Member[Sequence[FrameLocal]] = Member("Local variables of the frame.", as_nodes, lambda: FrameLocal)
    more_locals: Member[int] = Member("Number of local variables that are not listed.")
    symbols: Member[Sequence[SymbolSource]] = Member("Symbols in the expression.", as_nodes, lambda: SymbolSource)
    tree: Member[Sequence[ExportNode]] = Member("The derivation of the expression: each operand follows the expression that contains it.", as_nodes, lambda: ExportNode)
    tree_cut: Member[bool] = Member("Whether operands are left out.")
    url: Member[Optional[str]] = Member("The page that shows it.")


class Tool(Node):
    """The program that wrote the report."""
    __slots__ = ()

    name: Member[str] = Member("Always tlparse.")
    version: Member[str] = Member("Its version.")


class Run(Node):
    """The logged run, according to the log."""
    __slots__ = ()

    torch: Member[Optional[str]] = Member("Version of PyTorch.")
    python: Member[Optional[str]] = Member("Version of Python.")
    cuda: Member[Optional[str]] = Member("Version of CUDA.")
    triton: Member[Optional[str]] = Member("Version of Triton.")
    device: Member[Optional[str]] = Member("The accelerator that graphs were compiled for, such as NVIDIA H100 80GB HBM3.", required=False)
    rank: Member[Optional[int]] = Member("The rank in torch.distributed.")
    world_size: Member[Optional[int]] = Member("Number of ranks, from the default process group in the graphs.")
    started: Member[Optional[str]] = Member("Time of the first record or event, in ISO 8601.")
    duration_us: Member[Optional[int]] = Member("Time from the first to the last record or event, in microseconds.")
    vllm: Member[bool] = Member("Whether the log is from vLLM.")
    parent: Member[Optional[Literal[".."]]] = Member("The path to the report of all ranks or runs.", required=False)


class LogFile(Node):
    """A file of the log."""
    __slots__ = ()

    name: Member[str] = Member("The name, without the folder that all files share.")
    bytes: Member[int] = Member("Uncompressed length in bytes.")
    first_line: Member[Optional[int]] = Member("The first line of the file within the whole log (raw.log).")
    records: Member[int] = Member("Number of records, including those that intern a string.")
    damage: Member[Optional[str]] = Member("Why the file could not be read completely.")


class LogProcess(Node):
    """A process that wrote records."""
    __slots__ = ()

    process: Member[int] = Member("The process id.")
    nth: Member[Optional[int]] = Member("Which of the processes with this id, from 2: containers and hosts number their own processes.", required=False)
    file: Member[Optional[str]] = Member("The file in which its first record is.", required=False)
    records: Member[int] = Member("Number of its records, without those that intern a string.")
    compiles: Member[int] = Member("Number of its compiles.")
    first_line: Member[int] = Member("The line of its first record in the whole log.")


class LogCounters(Node):
    """Number of records by outcome."""
    __slots__ = ()

    ok: Member[int] = Member("Records in the report.")
    other_rank: Member[int] = Member("Records of other ranks, which are left out.")
    fail_glog: Member[int] = Member("Lines that belong to no record.")
    fail_json: Member[int] = Member("Records whose envelope is not a JSON object.")
    fail_payload_md5: Member[int] = Member("Payload MD5 mismatches.")
    fail_dynamo_guards_json: Member[int] = Member("dynamo_guards records whose payload is not a JSON list.")
    fail_parser: Member[int] = Member("Records that lack a required member.")
    fail_key_conflict: Member[int] = Member("Records with a member that raw.jsonl reserves.")
    fail_json_serialization: Member[int] = Member("Records that could not be written as JSON.")
    too_large: Member[int] = Member("Records larger than --max-record, or with too many values.")
    unknown: Member[int] = Member("Keys that tlparse does not know.")
    unknown_encoding: Member[int] = Member("Artifacts with an unknown encoding, among fail_parser.")


class RecordKind(Node):
    """A kind of record, and its share of the log."""
    __slots__ = ()

    key: Member[str] = Member("The key of the record.")
    name: Member[Optional[str]] = Member("The name of the artifact.")
    records: Member[int] = Member("Number of records.")
    bytes: Member[int] = Member("Bytes of the log, including payloads.")


class LogError(Node):
    """An error in the log, on one line or on adjacent lines."""
    __slots__ = ()

    line: Member[int] = Member("The first line, from 1.")
    file: Member[Optional[str]] = Member("The file.", required=False)
    file_line: Member[Optional[int]] = Member("The line in that file.", required=False)
    what: Member[str] = Member("Description of the error.")
    count: Member[int] = Member("Number of lines.")


class LogRest(Node):
    """All compile ids that are not listed, together."""
    __slots__ = ()

    compiles: Member[int] = Member("Number of compiles.")
    records: Member[int] = Member("Number of their records.")
    bytes: Member[int] = Member("Bytes of their records in the log.")


class Config(Node):
    """A configuration."""
    __slots__ = ()

    kind: Member[Literal["dynamo", "inductor", "functorch", "compiler"]] = Member("The component that it configures.")
    values: Member[Any] = Member("As logged: an object, or a text if it is not JSON.", as_frozen)
    compiles: Member[int] = Member("Number of compiles that logged it in the metrics of their forward, backward or both.")


class GraphBreak(Node):
    """A graph break."""
    __slots__ = ()

    id: Member[Optional[str]] = Member("Its id in PyTorch's registry of graph breaks (GB0001).")
    reason: Member[str] = Member("Why the graph broke.")
    explanation: Member[str] = Member("PyTorch's explanation.")
    hints: Member[Tuple[str, ...]] = Member("PyTorch's hints.", as_frozen)
    url: Member[Optional[str]] = Member("PyTorch's documentation of it.")
    place: Member[Optional[Place]] = Member("The user's line.", as_node, lambda: Place)
    library: Member[bool] = Member("Whether the line is in a library rather than in the user's code.")
    skipped: Member[bool] = Member("Whether Dynamo skipped the frame at least once, so that it runs eagerly.")
    exception: Member[bool] = Member("Whether the line raises an exception, or asserts something false, while it is traced: no limitation of the compiler, and not counted as a graph break.")
    then: Member[Optional[str]] = Member("If handling this break led to another one: the reason of that one.")
    then_id: Member[Optional[str]] = Member("The id of the other one.")
    stack: Member[Sequence[StackFrame]] = Member("The user's frames, outermost first.", as_nodes, lambda: StackFrame)
    count: Member[int] = Member("Number of occurrences.")
    compiles: Member[Tuple[str, ...]] = Member("The compiles in which it occurred.", as_frozen)
    time_us: Member[Optional[int]] = Member("Compile time of these compiles, in microseconds.")


class RecompileCause(Node):
    """A guard that caused recompiles of a frame."""
    __slots__ = ()

    guard: Member[str] = Member("The guard.")
    source: Member[Optional[str]] = Member("The variable or attribute that it checks.")
    count: Member[int] = Member("Number of compiles that it caused.")
    subject: Member[Optional[str]] = Member("The same in the user's terms: x.size()[0], len(xs).")
    guard_type: Member[str] = Member("What it checks, as in steps.")
    values: Member[Tuple[Tuple[Optional[str], ...], ...]] = Member("The first values, at most 8, in rows: [[\"6\", \"7\"], [\"8\", \"9\"]] means 6 → 7 and 8 → 9.", as_frozen)
    others: Member[int] = Member("Number of these recompiles in which another guard would have failed, too.")
    also: Member[int] = Member("Number of further recompiles in which it changed, too, in addition to their cause.")
    refused: Member[int] = Member("Number of these recompiles that the recompile limit refused: they have no compiled version.")
    first: Member[str] = Member("The guard, as it first failed.")
    example: Member[Optional[str]] = Member("The first reason, complete.")
    code: Member[Optional[str]] = Member("The user's source line that needs the guard.")
    place: Member[Optional[Place]] = Member("The place of that line.", as_node, lambda: Place)


class GuardChange(Node):
    """A guard that fails."""
    __slots__ = ()

    guard: Member[Optional[str]] = Member("The guard.")
    guard_type: Member[str] = Member("What it checks, as in reasons.")
    source: Member[Optional[str]] = Member("What it checks, in the user's terms: x.size()[0], self.drop.training, len(xs), grad_mode.")
    had: Member[Optional[str]] = Member("The value in the nearest version.")
    has: Member[Optional[str]] = Member("The value in this compile.")
    symbol: Member[Optional[str]] = Member("The symbol that replaced the value, which is dynamic from here on.")
    differs: Member[Optional[str]] = Member("Dispatch keys only: those that were removed and added, such as \"−AutogradCPU +AutocastCPU\".")


class GuardFailure(Node):
    """A guard that failed."""
    __slots__ = ()

    against: Member[Optional[str]] = Member("The earlier compile that the guard belongs to.")
    guard: Member[str] = Member("The guard, without id and comments.")
    guard_type: Member[Literal["other", "size", "stride", "rank", "dtype", "device", "requires_grad", "dispatch_key", "value", "length", "type", "identity", "dict", "attribute", "global_state", "relation", "alias", "float", "module_mode", "grad_mode", "divisibility", "backend"]] = Member("What it checks.")
    source: Member[Optional[str]] = Member("The checked input, variable, attribute or mode.")
    had: Member[Optional[str]] = Member("The expected value.")
    has: Member[Optional[str]] = Member("The actual value, from the reason or else from the guards of the new compile.")


class SizeChange(Node):
    """An input whose sizes changed."""
    __slots__ = ()

    name: Member[str] = Member("Its name in the graph.")
    had: Member[Optional[str]] = Member("The sizes before.")
    has: Member[Optional[str]] = Member("The sizes after.")


class RecompileStep(Node):
    """A recompile."""
    __slots__ = ()

    compile: Member[str] = Member("The key of a compile, unique in the report.")
    from_: Member[str] = Member("The version that sizes are compared with: the nearest one, or else the previous one.", key="from")
    nearest: Member[Optional[str]] = Member("The earlier version with the fewest differences to this compile: a size that several tensors have counts once, and versions for arguments of other types, ranks, lengths or members are farther.")
    also_near: Member[Optional[Tuple[str, ...]]] = Member("Other versions that are as near but fail another guard first, and do not differ in the first change, the latest first.", as_frozen, required=False)
    changes: Member[Sequence[GuardChange]] = Member("The guards of the nearest version that fail in this compile.", as_nodes, lambda: GuardChange)
    more_changes: Member[int] = Member("Number of changes that are not listed.")
    reasons: Member[Sequence[GuardFailure]] = Member("The logged guard failures, usually one per earlier compile, the latest first.", as_nodes, lambda: GuardFailure)
    more_reasons: Member[int] = Member("Number of reasons that are not listed.")
    sizes: Member[Sequence[SizeChange]] = Member("Inputs of the Dynamo graph, without weights, whose sizes differ between the two.", as_nodes, lambda: SizeChange)


class AdviceEvidence(Node):
    """A record that advice is based on."""
    __slots__ = ()

    record: Member[str] = Member("The kind of record, or the name of the artifact.")
    compile: Member[str] = Member("The key of a compile, unique in the report.")
    says: Member[Optional[str]] = Member("Its relevant content.")


class RecompileAdvice(Node):
    """Advice on a recompiled frame."""
    __slots__ = ()

    guard_type: Member[str] = Member("As in steps; limit: the recompile limit was hit.")
    text: Member[str] = Member("The suggested fix.")
    expected: Member[bool] = Member("Whether this is normal: the text explains why there are several versions.")
    saves: Member[int] = Member("Recompiles in this log that the first thing that the text names would surely have saved.")
    evidence: Member[Sequence[AdviceEvidence]] = Member("The records that it is based on.", as_nodes, lambda: AdviceEvidence)
    more_evidence: Member[int] = Member("Number of records that are not listed.")


class Recompile(Node):
    """A frame that was compiled more than once."""
    __slots__ = ()

    frame: Member[Optional[Frame]] = Member("The function.", as_node, lambda: Frame)
    chain: Member[Tuple[str, ...]] = Member("Its compiles, in order.", as_frozen)
    recompiles: Member[int] = Member("Number of compiles in the chain that are recompiles: those with a logged reason, and those after a compile that did not fail.")
    refused: Member[int] = Member("Number of further compiles in the chain that the recompile limit refused.")
    limit_hit: Member[bool] = Member("Whether PyTorch gave up because the recompile limit was reached.")
    causes: Member[Sequence[RecompileCause]] = Member("Guards that failed.", as_nodes, lambda: RecompileCause)
    steps: Member[Sequence[RecompileStep]] = Member("One item for each compile after the first.", as_nodes, lambda: RecompileStep)
    more_steps: Member[int] = Member("Number of steps that are not listed.")
    limit: Member[Optional[int]] = Member("recompile_limit of the compile that hit it.")
    advice: Member[Sequence[RecompileAdvice]] = Member("Advice that the log has evidence for, for the most frequent causes first.", as_nodes, lambda: RecompileAdvice)
    time_us: Member[int] = Member("Compile time of the recompiles, in microseconds.")


class Caches(Node):
    """Cache results."""
    __slots__ = ()

    fx_graph: Member[CacheCounts] = Member("Inductor's FX graph cache.", as_node, lambda: CacheCounts)
    aotautograd: Member[CacheCounts] = Member("AOTAutograd's cache.", as_node, lambda: CacheCounts)
    fx_graph_bundled: Member[Optional[FurtherCacheCounts]] = Member("Code that is bundled with AOTAutograd's result (fx_graph_bundled_cache_hit).", as_node, lambda: FurtherCacheCounts, required=False)
    precompile: Member[Optional[FurtherCacheCounts]] = Member("Graphs that precompile does not save (precompile_cache_bypass).", as_node, lambda: FurtherCacheCounts, required=False)
    dynamo: Member[Optional[FurtherCacheCounts]] = Member("Precompile's package: entries of the latest save (dynamo_cache_entries), skipped code objects (dynamo_cache_bypass), entries that could not be created (dynamo_cache_exception).", as_node, lambda: FurtherCacheCounts, required=False)


class Totals(Node):
    """Sums over all compiles."""
    __slots__ = ()

    compiles: Member[int] = Member("Number of compiles.")
    compiled: Member[int] = Member("Number of compiles that succeeded, with or without restarts: ok and restart.")
    graph_breaks: Member[int] = Member("Number of distinct graph breaks, without those with exception.")
    failures: Member[int] = Member("Number of failed forward and backward compiles.")
    findings: Member[int] = Member("Number of findings.")
    statuses: Member[StatusCounts] = Member("Number of compiles by status.", as_node, lambda: StatusCounts)
    interrupted: Member[int] = Member("Number of compiles with the status empty that were interrupted: they have neither a finished graph nor a failure.")
    ops_unknown: Member[int] = Member("Number of compiles with the status empty whose metrics do not count ops (AOTInductor, export).")
    recompiles: Member[int] = Member("Number of recompiles: the sum of recompiles in the list of that name.")
    recompiles_refused: Member[int] = Member("Number of recompiles that the recompile limit refused.")
    restarts: Member[int] = Member("Number of times Dynamo restarted the trace of a frame.")
    time_us: Member[Optional[int]] = Member("Compile time in microseconds: forward_us plus backward_us.")
    forward_us: Member[Optional[int]] = Member("Compile time in microseconds from the compilation_metrics of forwards, including AOTInductor and export.")
    backward_us: Member[Optional[int]] = Member("Compile time in microseconds from the metrics of backwards.")
    runtime_us: Member[Optional[int]] = Member("Time in microseconds spent at run time, from the *_compilation_metrics_runtime records: autotuning, recording of CUDA graphs.")
    restart_us: Member[Optional[int]] = Member("Part of forward_us that was lost to restarts, in microseconds: dynamo_time_before_restart_s of the compiles that restarted and did not fail.")
    phases_us: Member[Mapping[str, int]] = Member("Timers of the phases, in microseconds.", as_frozen)
    own_us: Member[Mapping[str, int]] = Member("The sum of own_us over all compiles, in microseconds.", as_frozen)
    by_phase_us: Member[ShownTimes] = Member("Self time of all compiles by shown phase, in microseconds.", as_node, lambda: ShownTimes)


class TimeLine(Node):
    """A part of the compile time, or a hint about it."""
    __slots__ = ()

    key: Member[str] = Member("Identifies the kind of line, such as cpp_kernels, aotinductor, cpu_probes, autotuning, benchmarks, guards, cache_keys, dynamic_shapes, discarded, a shown phase, or of hints: cold_caches, warm_caches, caches_off, recompiles, graph_breaks, small_graphs, largest, equal_modules, equal_graphs, equal_but_constants, untimed, unfinished, captures, logging, gc.")
    title: Member[str] = Member("What the time was spent on.")
    time_us: Member[int] = Member("The time, in microseconds.")
    saves_us: Member[Optional[int]] = Member("Compile time in microseconds that the action saves at most.")
    why: Member[Optional[str]] = Member("What this is.")
    action: Member[Optional[str]] = Member("What to change.")
    evidence: Member[Optional[str]] = Member("The records or spans that the time is from.")
    link: Member[Optional[str]] = Member("The page that shows more, as the fragment of an address.")
    compiles: Member[Tuple[str, ...]] = Member("The compiles whose time it is, at most 20.", as_frozen)
    more_compiles: Member[int] = Member("Number of further compiles.")


class FirstChange(Node):
    """What to change first."""
    __slots__ = ()

    title: Member[str] = Member("The title of the line or issue.")
    action: Member[Optional[str]] = Member("What to change.")
    saves_us: Member[Optional[int]] = Member("Compile time in microseconds that this saves at most.")
    issue: Member[bool] = Member("Whether it is the first of findings.")
    link: Member[Optional[str]] = Member("The page that shows more, as the fragment of an address.")


class CompileTime(Node):
    """Where the compile time goes, and what each part would save at most."""
    __slots__ = ()

    parts: Member[Sequence[TimeLine]] = Member("Disjoint parts, longest first.", as_nodes, lambda: TimeLine)
    hints: Member[Sequence[TimeLine]] = Member("The same time from other sides, longest first.", as_nodes, lambda: TimeLine)
    first: Member[Optional[FirstChange]] = Member("What to change first.", as_node, lambda: FirstChange, required=False)


class CoverageCounts(Node):
    """Number of functions by state."""
    __slots__ = ()

    compiled: Member[int] = Member("A graph, and nothing that is known to run without one.")
    no_ops: Member[int] = Member("Traced, and without operators outside of its graph breaks.")
    unknown: Member[int] = Member("The log does not have the end of a trace, or does not say why Dynamo skipped the frame, or whether graphs of its caller contain it, where Dynamo compiles it on its own only since a call of the caller did not compile.")
    partly: Member[int] = Member("A graph, or a part in one of its caller, and graph breaks, failed versions or backwards, or calls beyond the recompile limit.")
    not_: Member[int] = Member("No graph: Dynamo gave it up, or its only operators break the graph.", key="not")


class CoveredFunction(Node):
    """A function that is not, or partly, compiled, or of which it is unknown."""
    __slots__ = ()

    state: Member[Literal["not", "partly", "unknown"]] = Member("As in the counts.")
    frame: Member[Frame] = Member("Its first line; 0 if the log only has its rest after a graph break.", as_node, lambda: Frame)
    library: Member[bool] = Member("The function is not in the user's code.")
    graphs: Member[int] = Member("Compiles of it that have a graph.")
    breaks: Member[int] = Member("Distinct graph breaks in it.")
    reason: Member[Optional[str]] = Member("What kept it from being compiled as a whole: the worst.")
    finding: Member[Optional[int]] = Member("The finding that explains it, an index into findings.")
    compiles: Member[Tuple[str, ...]] = Member("Its first compiles, with those of its rests.", as_frozen)
    more_compiles: Member[int] = Member("Further ones.")


class Coverage(Node):
    """Which functions run compiled code, and which do not."""
    __slots__ = ()

    counts: Member[CoverageCounts] = Member("Number of functions by state.", as_node, lambda: CoverageCounts)
    library: Member[int] = Member("Functions among the counts that are not in the user's code.")
    functions: Member[Sequence[CoveredFunction]] = Member("Those that are not compiled, then those that are partly, then the unknown; the user's own first, then in log order.", as_nodes, lambda: CoveredFunction)
    more_functions: Member[int] = Member("Further ones.")


class Check(Node):
    """A contradiction."""
    __slots__ = ()

    name: Member[str] = Member("The compared values: phases (self times against compile time), timer_spans (spans of the events against the timers in the metrics, of the same forward and backward), records_by_kind, records_by_compile, graph_breaks, caches (against counts of records), ids (against compile_directory.json).")
    compile: Member[Optional[str]] = Member("The compile.")
    expected: Member[int] = Member("The value according to the log.")
    found: Member[int] = Member("The value in the report, in the same unit.")


class UnfinishedSpan(Node):
    """A span without an end event."""
    __slots__ = ()

    name: Member[str] = Member("The name of the span.")
    compile: Member[Optional[str]] = Member("The key of its compile, or the id in the event if the log has no such compile.")
    started_us: Member[int] = Member("Start time in microseconds since the epoch.")
    before_end_us: Member[int] = Member("Time from its start to the last event, in microseconds.")
    process: Member[Optional[Union[float, str]]] = Member("The process id of the event.")
    thread: Member[Optional[Union[float, str]]] = Member("The thread id of the event.")
    stack: Member[Optional[int]] = Member("The stack at which its compile starts, an index into stacks.")
    place: Member[Optional[Place]] = Member("In a report of several ranks: the function of its compile.", as_node, lambda: Place, required=False)
    rank: Member[Optional[int]] = Member("In a report of several ranks: its rank.", required=False)
    dir: Member[Optional[str]] = Member("In a report of several ranks: the folder of that rank's report.", required=False)


class UnattributedArtifact(Node):
    """An artifact."""
    __slots__ = ()

    name: Member[str] = Member("Its name.")
    url: Member[Optional[str]] = Member("Its file, as in the artifacts of the compile.")
    compile: Member[str] = Member("The item of compiles that lists it.")
    index: Member[int] = Member("Its index in the artifacts of that item.")
    line: Member[int] = Member("The line of the record in the log.")


class Unattributed(Node):
    """Records without a compile id that share a stack."""
    __slots__ = ()

    stack: Member[Sequence[StackFrame]] = Member("The frames of the stack, outermost first.", as_nodes, lambda: StackFrame)
    records: Member[int] = Member("Number of records with this stack.")
    artifacts: Member[Sequence[UnattributedArtifact]] = Member("The artifacts of these records.", as_nodes, lambda: UnattributedArtifact)


class SettingValue(Node):
    """A value of a setting, and the compiles that have it."""
    __slots__ = ()

    set: Member[bool] = Member("Whether the configuration has this setting.")
    value: Member[Any] = Member("The value, as logged.", as_frozen)
    compiles: Member[Tuple[str, ...]] = Member("The compiles that have it in their forward or backward metrics.", as_frozen)


class SettingInEffect(Node):
    """A setting that was set, or that does not have the value of the configuration."""
    __slots__ = ()

    kind: Member[Literal["dynamo", "inductor", "functorch", "compiler"]] = Member("The component that is configured.")
    setting: Member[str] = Member("The name of the setting.")
    values: Member[Sequence[EffectValue]] = Member("Its values, in the order in which they were logged.", as_nodes, lambda: EffectValue)


class EffectValue(Node):
    """A value that a setting had while graphs of these compiles were compiled."""
    __slots__ = ()

    value: Member[Any] = Member("A number, boolean, text or None.", as_frozen)
    configured: Member[Any] = Member("For Inductor, the value in the configuration of the compiles' metrics.", as_frozen, required=False)
    compiles: Member[Tuple[str, ...]] = Member("At most 100 of the compiles.", as_frozen)
    more_compiles: Member[Optional[int]] = Member("Number of compiles that are not listed.", required=False)


class ConfigDifference(Node):
    """A setting that differs between compiles."""
    __slots__ = ()

    kind: Member[Literal["dynamo", "inductor", "functorch", "compiler"]] = Member("The component that is configured.")
    setting: Member[str] = Member("The name of the setting.")
    values: Member[Sequence[SettingValue]] = Member("Its values, in the order in which they were logged.", as_nodes, lambda: SettingValue)


class ExportCounts(Node):
    """Number of failures by kind."""
    __slots__ = ()

    data_dependent: Member[Optional[int]] = Member("Decisions that depend on tensor values.", required=False)
    guard: Member[Optional[int]] = Member("Guards that were evaluated.", required=False)
    missing_fake_kernel: Member[Optional[int]] = Member("Operators without a fake kernel.", required=False)
    mismatched_fake_kernel: Member[Optional[int]] = Member("Fake kernels whose result differs from that of the real kernel.", required=False)
    constraint_violation: Member[Optional[int]] = Member("Dynamic sizes that the code specializes to a constant.", required=False)
    error: Member[Optional[int]] = Member("Other errors.", required=False)


class ExportOutcome(Node):
    """The outcome of all exports together."""
    __slots__ = ()

    known: Member[bool] = Member("Whether every export that began is known to have produced a program.")
    title: Member[str] = Member("Short description.")
    text: Member[str] = Member("Full description.")


class ExportOutcomes(Node):
    """Number of calls of torch.export by outcome."""
    __slots__ = ()

    succeeded: Member[Optional[int]] = Member("Calls whose program the log has.", required=False)
    compiled: Member[Optional[int]] = Member("Calls whose program AOTInductor compiled: its graph has their sizes.", required=False)
    failed: Member[Optional[int]] = Member("Calls whose error the log has, or the graph that was traced up to it.", required=False)
    no_program: Member[Optional[int]] = Member("Calls without a program or an error in a log of TORCH_DTRACE.", required=False)
    traced: Member[Optional[int]] = Member("Strict exports that Dynamo traced without an error.", required=False)
    unknown: Member[Optional[int]] = Member("Calls of which the log does not say how they ended.", required=False)


class ExportCall(Node):
    """A call of torch.export."""
    __slots__ = ()

    outcome: Member[Literal["succeeded", "compiled", "failed", "no_program", "traced", "unknown"]] = Member("How it ended, see export_outcomes.")
    compile: Member[str] = Member("The key of a compile, unique in the report.")
    place: Member[Optional[Place]] = Member("The user's line that called torch.export.", as_node, lambda: Place)
    caller: Member[Optional[Place]] = Member("The user's line that called the function with that line.", as_node, lambda: Place)
    strict: Member[Optional[bool]] = Member("Whether Dynamo traced it (strict=True).")
    line: Member[int] = Member("The line of its first record in the log.")
    failure: Member[Optional[int]] = Member("Index into export.failures of what ended it.")
    program: Member[Optional[int]] = Member("Index into export.programs.")


class ExportConstraint(Node):
    """A dimension that dynamic_shapes declares dynamic and the code limits."""
    __slots__ = ()

    text: Member[str] = Member("PyTorch's sentence.")
    name: Member[Optional[str]] = Member("The dimension: the name of its Dim, or its source.")
    expr: Member[Optional[str]] = Member("The guard, or the value that the code needs.")
    place: Member[Optional[Place]] = Member("The user's line with the guard.", as_node, lambda: Place)


class ExportProgram(Node):
    """An exported program."""
    __slots__ = ()

    compile: Member[str] = Member("The key of a compile, unique in the report.")
    artifact: Member[int] = Member("Index into the artifacts of the compile.")
    url: Member[Optional[str]] = Member("The file.")
    bytes: Member[int] = Member("Length of its text in bytes.")


class Notice(Node):
    """Messages with the same kind, compile and text."""
    __slots__ = ()

    kind: Member[Literal["compiled_autograd_compile_reasons", "eager_compile_backwards_failure", "fx_interpreter_error", "compile_worker_sidecar_death", "precompile_cache_bypass", "dynamo_cache_bypass", "dynamo_cache_exception", "aotautograd_cache_pickle_failure", "invoke_subgraph_backward_duplicate", "inductor_overlap_cyclic_extra_deps", "make_fx_fail_partial"]] = Member("The name of the artifact.")
    compile: Member[str] = Member("The key of a compile, unique in the report.")
    message: Member[Optional[str]] = Member("The message, cut to 2,000 bytes.")
    detail: Member[Optional[str]] = Member("Details: a node of a graph, a field of a cache entry, the last output of a process.")
    subject: Member[Optional[str]] = Member("The affected subgraph or function.")
    place: Member[Optional[Place]] = Member("The user's line that the text names.", as_node, lambda: Place)
    variants: Member[Optional[int]] = Member("Number of backward graphs of the subgraph.", required=False)
    line: Member[int] = Member("Line in the log of the first record.")
    count: Member[int] = Member("Number of records.")


class Notices(Node):
    """Messages of rare records: a failure that was ignored, work that was done twice, or a result that was not
    saved."""
    __slots__ = ()

    list: Member[Sequence[Notice]] = Member("In log order.", as_nodes, lambda: Notice)
    more: Member[int] = Member("Number of records that are not listed.")


class PgoChange(Node):
    """A source that became dynamic."""
    __slots__ = ()

    frame: Member[Place] = Member("A line of source code.", as_node, lambda: Place)
    source: Member[str] = Member("The source, such as L['x'].")
    had: Member[Optional[str]] = Member("Its previous state.")
    has: Member[str] = Member("Its new state, such as tensor size=[?, 2] stride=[S(1), 1].")


class PgoRecord(Node):
    """A profile that was read or written."""
    __slots__ = ()

    compile: Member[str] = Member("The key of a compile, unique in the report.")
    action: Member[Literal["read", "write"]] = Member("Read from an earlier run, or written for the next one.")
    store: Member[Literal["local", "remote", "extra_remote"]] = Member("The cache that holds the profile.")
    line: Member[int] = Member("Line of the record in the log.")
    frames: Member[int] = Member("Number of frames in the profile.")
    sources: Member[int] = Member("Number of sources of all its frames.")
    dynamic: Member[int] = Member("Number of these sources that are dynamic.")
    changes: Member[Sequence[PgoChange]] = Member("Sources that are dynamic here but were not in the previous profile of the process.", as_nodes, lambda: PgoChange)


class Pgo(Node):
    """Dynamo's profile-guided optimization (records get_…_code_state and put_…_code_state)."""
    __slots__ = ()

    records: Member[Sequence[PgoRecord]] = Member("Profiles that were read or written, in log order.", as_nodes, lambda: PgoRecord)
    more_records: Member[int] = Member("Number of records that are not listed.")
    more_changes: Member[int] = Member("Number of changes that are not listed: at most 2,000 are, in all records together.")
    suggested_dynamic_sources: Member[Optional[str]] = Member("The value of TORCH_COMPILE_DYNAMIC_SOURCES that the latest profile suggests.")


class WorkerJob(Node):
    """A job of a compile worker."""
    __slots__ = ()

    compile: Member[str] = Member("The key of a compile, unique in the report.")
    process: Member[int] = Member("The process that waits for the job.")
    job: Member[int] = Member("The number of the job.")
    worker_pid: Member[Optional[int]] = Member("The process id of the worker.")
    phase: Member[Optional[str]] = Member("Its phase in the latest report: queued, running, … None if it is unknown.")
    elapsed_us: Member[Optional[int]] = Member("Its age in the latest report, in microseconds.")
    phase_elapsed_us: Member[Optional[int]] = Member("Time in this phase in the latest report, in microseconds.")
    reports: Member[int] = Member("Number of reports.")
    line: Member[int] = Member("Line in the log of the first report.")


class CompileWorkers(Node):
    """Jobs that ran long enough for the watchdog of the compile workers to report them (compile_worker_status)."""
    __slots__ = ()

    jobs: Member[Sequence[WorkerJob]] = Member("Jobs in log order.", as_nodes, lambda: WorkerJob)
    more: Member[int] = Member("Number of reports of jobs that are not listed.")


class NativeKernel(Node):
    """An operator of a native DSL."""
    __slots__ = ()

    op: Member[Optional[str]] = Member("The operator, such as aten::topk.")
    dsl: Member[Optional[str]] = Member("The DSL: cutedsl, triton, helion, … None if it is unknown.")
    calls: Member[int] = Member("Number of calls.")
    compiled: Member[int] = Member("Number of calls that compiled.")
    compile_us: Member[int] = Member("Wall time of the calls that compiled, in microseconds.")
    line: Member[int] = Member("Line in the log of the first record.")


class NativeKernels(Node):
    """Calls of the compile functions of native DSLs, summed by operator (native_dsl_compile)."""
    __slots__ = ()

    list: Member[Sequence[NativeKernel]] = Member("One item for each operator and DSL, in log order.", as_nodes, lambda: NativeKernel)
    more: Member[int] = Member("Number of records that are not listed.")


class BucketSide(Node):
    """Number and size of collectives."""
    __slots__ = ()

    count: Member[int] = Member("Number of collectives.")
    mib: Member[float] = Member("The sum of their sizes in MiB.")


class BucketedKind(Node):
    """Collectives of one kind."""
    __slots__ = ()

    kind: Member[Literal["all_gather", "reduce_scatter", "all_reduce", "other"]] = Member("The kind of collective.")
    before: Member[Optional[BucketSide]] = Member("Before the pass.", as_node, lambda: BucketSide)
    after: Member[Optional[BucketSide]] = Member("After the pass.", as_node, lambda: BucketSide)


class Bucketing(Node):
    """The collectives of a compile before and after they were merged into buckets."""
    __slots__ = ()

    compile: Member[str] = Member("The key of a compile, unique in the report.")
    line: Member[int] = Member("Line in the log of the first record.")
    kinds: Member[Sequence[BucketedKind]] = Member("One item for each kind of collective that occurs.", as_nodes, lambda: BucketedKind)


class Bucketings(Node):
    """Collectives of FSDP before and after they were merged into buckets (pre_bucketing_collective_sizes)."""
    __slots__ = ()

    list: Member[Sequence[Bucketing]] = Member("One item for each run of the pass, in log order.", as_nodes, lambda: Bucketing)
    more: Member[int] = Member("Number of runs of the pass that are not listed.")


class VllmSubgraph(Node):
    """A subgraph that vLLM compiled."""
    __slots__ = ()

    name: Member[str] = Member("The name: submod_0, or subgraph_0 if the log has none.")
    elapsed_us: Member[Optional[int]] = Member("Time from its first to its last record in microseconds, a lower bound of its compile time.", required=False)
    artifacts: Member[Sequence[ArtifactRef]] = Member("The artifacts that were written while it was compiled.", as_nodes, lambda: ArtifactRef)


class VllmGroup(Node):
    """A compile range or a size."""
    __slots__ = ()

    label: Member[str] = Member("Display name.")
    subgraphs: Member[Sequence[VllmSubgraph]] = Member("The subgraphs, in log order.", as_nodes, lambda: VllmSubgraph)


class VllmCall(Node):
    """A call, with one configuration."""
    __slots__ = ()

    config: Member[Optional[Mapping[str, Any]]] = Member("The configuration, as vLLM logged it.", as_frozen)
    dynamo: Member[Sequence[ArtifactRef]] = Member("Artifacts of the whole graph.", as_nodes, lambda: ArtifactRef)
    split_graph: Member[Optional[ArtifactRef]] = Member("The graph after it was split into subgraphs.", as_node, lambda: ArtifactRef)
    groups: Member[Sequence[VllmGroup]] = Member("Compile ranges and sizes for which subgraphs were compiled.", as_nodes, lambda: VllmGroup)


class Vllm(Node):
    """What vLLM compiled."""
    __slots__ = ()

    calls: Member[Sequence[VllmCall]] = Member("One item for each configuration, in log order.", as_nodes, lambda: VllmCall)


class Divergences(Node):
    """Rank divergence by aspect, and its root causes."""
    __slots__ = ()

    compile_ids: Member[Divergence] = Member("Whether ranks diverge in one aspect.", as_node, lambda: Divergence)
    status: Member[Divergence] = Member("Whether ranks diverge in one aspect.", as_node, lambda: Divergence)
    graphs: Member[Divergence] = Member("Whether ranks diverge in one aspect.", as_node, lambda: Divergence)
    guards: Member[Divergence] = Member("Whether ranks diverge in one aspect.", as_node, lambda: Divergence)
    recompiles: Member[Divergence] = Member("Whether ranks diverge in one aspect.", as_node, lambda: Divergence)
    cache: Member[Divergence] = Member("Whether ranks diverge in one aspect.", as_node, lambda: Divergence)
    collectives: Member[Divergence] = Member("Whether ranks diverge in one aspect.", as_node, lambda: Divergence)
    tensor_meta: Member[Divergence] = Member("Whether ranks diverge in one aspect.", as_node, lambda: Divergence)
    execution_order: Member[Divergence] = Member("Whether ranks diverge in one aspect.", as_node, lambda: Divergence)
    configuration: Member[Divergence] = Member("Settings.", as_node, lambda: Divergence)
    root_causes: Member[Sequence[RootCause]] = Member("Root causes in log order.", as_nodes, lambda: RootCause)
    more_root_causes: Member[int] = Member("Number of root causes that are not listed.")


class World(Node):
    """Number of ranks of the job."""
    __slots__ = ()

    size: Member[Optional[int]] = Member("The world size.")
    at_least: Member[Optional[int]] = Member("The known minimum.")
    from_: Member[Optional[str]] = Member("The source of these numbers.", key="from")


class RanksNote(Node):
    """A limit of the comparison of ranks."""
    __slots__ = ()

    kind: Member[Literal["different_jobs", "recorded_apart", "copies", "other_rank", "world_size"]] = Member("The kind of limit.")
    title: Member[str] = Member("Short description.")
    why: Member[str] = Member("Why it matters.")
    ranks: Member[Tuple[int, ...]] = Member("The affected ranks.", as_frozen)


class AllRanks(Node):
    """Sums over all ranks, if several ranks wrote to one log."""
    __slots__ = ()

    records: Member[int] = Member("Number of records of all ranks.")
    counters: Member[LogCounters] = Member("Number of records by outcome.", as_node, lambda: LogCounters)
    caches: Member[Caches] = Member("Cache results.", as_node, lambda: Caches)
    totals: Member[Totals] = Member("Sums over all compiles.", as_node, lambda: Totals)
    unfinished: Member[Sequence[UnfinishedSpan]] = Member("Spans without an end event, of all ranks.", as_nodes, lambda: UnfinishedSpan)


class RankEnd(Node):
    """Ranks whose logs end in the same span, or outside of any span."""
    __slots__ = ()

    ranks: Member[Tuple[int, ...]] = Member("The ranks.", as_frozen)
    finished: Member[bool] = Member("Whether no span is open at the end.")
    name: Member[Optional[str]] = Member("The innermost open span.")
    compile: Member[Optional[str]] = Member("The compile of this span, in the report of the first rank.")
    place: Member[Optional[Place]] = Member("The function of the compile.", as_node, lambda: Place)
    open_least_us: Member[Optional[int]] = Member("How long the compile was open when the log ended, in microseconds by the clock of its rank: the minimum over these ranks.")
    open_most_us: Member[Optional[int]] = Member("The maximum over these ranks.")
    last_us: Member[int] = Member("Time of the latest event of these ranks, in microseconds since the epoch.")
    before_end_us: Member[int] = Member("Time from the end of the log that ends first to the last event of all ranks, in microseconds, by the clocks of their hosts.")


class RankSettingValue(Node):
    """A value of a setting, and the ranks that have it."""
    __slots__ = ()

    set: Member[bool] = Member("Whether the configurations of these ranks have this setting.")
    value: Member[Any] = Member("The value.", as_frozen)
    ranks: Member[Tuple[int, ...]] = Member("The ranks that have it.", as_frozen)


class RankConfigDifference(Node):
    """A setting that differs between ranks."""
    __slots__ = ()

    kind: Member[Literal["dynamo", "inductor", "functorch", "compiler"]] = Member("The component that is configured.")
    setting: Member[str] = Member("The name of the setting.")
    values: Member[Sequence[RankSettingValue]] = Member("Its values, in the order of the ranks.", as_nodes, lambda: RankSettingValue)


class MatrixRow(Node):
    """The compiles of one rank, by id."""
    __slots__ = ()

    dir: Member[str] = Member("The folder of the rank.")
    status: Member[str] = Member("One letter per id: o ok, r restart, e empty, x error, ? missing metrics, .")
    time_us: Member[Tuple[Optional[int], ...]] = Member("Compile time per id, in microseconds.", as_frozen)
    other: Member[Tuple[Tuple[int, int], ...]] = Member("Ids under which this rank compiled a different function than the first rank with that id: [index into ids, index into frames].", as_frozen)


class Matrix(Node):
    """Ranks × compile ids."""
    __slots__ = ()

    ids: Member[Tuple[str, ...]] = Member("The columns.", as_frozen)
    frames: Member[Tuple[str, ...]] = Member("The distinct compiled functions.", as_frozen)
    id_frames: Member[Tuple[int, ...]] = Member("For each id, the function that the first rank with that id compiled: an index into frames.", as_frozen)
    rows: Member[Sequence[MatrixRow]] = Member("One item for each of ranks.", as_nodes, lambda: MatrixRow)


class RankRuntime(Node):
    """The estimate of one rank."""
    __slots__ = ()

    rank: Member[int] = Member("The rank.")
    graph: Member[str] = Member("The folder of the graph's compile id.")
    compile: Member[str] = Member("The key of a compile, unique in the report.")
    ns: Member[float] = Member("The sum over its ops, in nanoseconds.")


class RuntimeGraph(Node):
    """A graph, with its estimated run time on each rank."""
    __slots__ = ()

    index: Member[int] = Member("The position among the graphs of all ranks, from 0.")
    per_rank: Member[Sequence[RankRuntime]] = Member("Its estimate on each rank.", as_nodes, lambda: RankRuntime)
    slowest: Member[int] = Member("The rank with the largest estimate.")
    fastest: Member[int] = Member("The rank with the smallest estimate.")
    spread_ns: Member[float] = Member("The largest minus the smallest estimate, in nanoseconds.")


class Runtime(Node):
    """Estimated run times of graphs, compared between ranks."""
    __slots__ = ()

    available: Member[bool] = Member("Whether the estimates can be compared.")
    reason: Member[Optional[str]] = Member("Why they cannot be compared.")
    wait_ns: Member[float] = Member("Upper estimate of how long one call of each function waits for the slowest rank, in nanoseconds: the spreads of the graphs of a compile are added, and the compile with the largest sum counts for its function.")
    graphs: Member[Sequence[RuntimeGraph]] = Member("One item per graph that several ranks have.", as_nodes, lambda: RuntimeGraph)


class ScheduledGraph(Node):
    """The collectives of a graph."""
    __slots__ = ()

    graph: Member[str] = Member("The folder of the graph's compile id.")
    compile: Member[str] = Member("The key of a compile, unique in the report.")
    ops: Member[int] = Member("Its schedule, an index into ops.")


class RankSchedules(Node):
    """The graphs of a rank."""
    __slots__ = ()

    rank: Member[Optional[int]] = Member("The rank.")
    graphs: Member[Sequence[ScheduledGraph]] = Member("Its graphs.", as_nodes, lambda: ScheduledGraph)


class Schedules(Node):
    """Collectives by graph and rank."""
    __slots__ = ()

    from_: Member[Literal["schedules", "output_code", "dynamo_graphs"]] = Member("The source of the collectives: Inductor's schedules, or output code or Dynamo graphs if a rank did not log schedules.", key="from")
    ops: Member[Tuple[Tuple[str, ...], ...]] = Member("Distinct schedules.", as_frozen)
    ranks: Member[Sequence[RankSchedules]] = Member("The schedules of the graphs of each rank.", as_nodes, lambda: RankSchedules)


class RankOrder(Node):
    """The graphs of a rank, in the order in which it ran them."""
    __slots__ = ()

    rank: Member[Optional[int]] = Member("The rank.")
    ids: Member[Tuple[str, ...]] = Member("The graphs, in order.", as_frozen)


class OrderMismatch(Node):
    """A step at which ranks ran different graphs."""
    __slots__ = ()

    index: Member[int] = Member("The position in the order, from 0.")
    schedule: Member[bool] = Member("Whether their collectives differ.")
    cache: Member[bool] = Member("Whether their cache results differ.")
    function: Member[bool] = Member("Whether they run graphs of different functions, or some run none.")


class Execution(Node):
    """The order in which ranks ran their graphs."""
    __slots__ = ()

    order: Member[Sequence[RankOrder]] = Member("The order of each rank.", as_nodes, lambda: RankOrder)
    mismatches: Member[Sequence[OrderMismatch]] = Member("Steps at which ranks ran different graphs.", as_nodes, lambda: OrderMismatch)


class TimelineTotal(Node):
    """Spans and instants with the same name."""
    __slots__ = ()

    name: Member[str] = Member("The name.")
    count: Member[int] = Member("Number of spans and instants.")
    total_us: Member[int] = Member("Total time in microseconds.")
    self_us: Member[int] = Member("Self time in microseconds: without nested spans.")
    max_us: Member[int] = Member("The longest span, in microseconds.")


class TimelineLane(Node):
    """A thread of the timeline."""
    __slots__ = ()

    pid: Member[Optional[Union[float, str]]] = Member("The process id of the events.")
    tid: Member[Optional[Union[float, str]]] = Member("The thread id of the events.")
    process: Member[Optional[str]] = Member("The name of the process.")
    thread: Member[Optional[str]] = Member("The name of the thread.")
    rank: Member[Optional[int]] = Member("In a report of several ranks: its rank.", required=False)
    dir: Member[Optional[str]] = Member("In a report of several ranks: the folder of that rank's report.", required=False)
    spans: Member[int] = Member("Number of spans.")
    instants: Member[int] = Member("Number of events without a duration.")
    busy_us: Member[int] = Member("Time in outermost spans, in microseconds.")


class TimelineSummary(Node):
    """The chromium events of the log, as spans."""
    __slots__ = ()

    start_us: Member[Optional[int]] = Member("Start of the first span, in microseconds since the epoch.")
    duration_us: Member[int] = Member("Time from the start of the first span to the last event.")
    spans: Member[int] = Member("Number of spans: a begin event with its end event, or a complete event.")
    instants: Member[int] = Member("Number of events without a duration.")
    kept: Member[int] = Member("Number of spans and instants in the page's data, which is limited.")
    no_end: Member[int] = Member("Number of spans without an end event, as in a run that was killed.")
    no_begin: Member[int] = Member("Number of end events without a begin event.")
    bad_times: Member[int] = Member("Number of events without a valid time, or with one that is days away from the record's.")
    other_events: Member[int] = Member("Number of events of other types (counters, flows).")
    left_out: Member[int] = Member("Number of spans beyond a limit: not in the page's data, but in the totals unless there are too many names, threads or open spans.")
    totals: Member[Sequence[TimelineTotal]] = Member("Totals by name, the largest self time first.", as_nodes, lambda: TimelineTotal)
    more_totals: Member[int] = Member("Number of names that are not listed.")
    lanes: Member[Sequence[TimelineLane]] = Member("Threads of processes, in order of first appearance.", as_nodes, lambda: TimelineLane)


class ComparedFindings(Node):
    """Compared findings."""
    __slots__ = ()

    new: Member[Sequence[ComparedFinding]] = Member("Findings that only the second run has.", as_nodes, lambda: ComparedFinding)
    gone: Member[Sequence[ComparedFinding]] = Member("Findings that only the first run has.", as_nodes, lambda: ComparedFinding)
    same: Member[int] = Member("Number of findings of the second run that the first has, too.")


class FunctionCounts(Node):
    """Number of functions by change."""
    __slots__ = ()

    new: Member[int] = Member("Functions that only the second log has.")
    gone: Member[int] = Member("Functions that only the first log has.")
    slower: Member[int] = Member("Functions whose compile time increased by more than 5 %.")
    faster: Member[int] = Member("Functions whose compile time decreased by more than 5 %.")
    same: Member[int] = Member("All others.")


class ComparedFunction(Node):
    """A function of one or both logs, matched by name and file, if that fails by its place in the file: it was renamed
    if the names of the sides differ."""
    __slots__ = ()

    change: Member[Literal["new", "gone", "slower", "faster", "same"]] = Member("As in function_counts.")
    name: Member[str] = Member("Its name, in the first log that has it.")
    file: Member[str] = Member("Its file in that log.")
    delta_us: Member[int] = Member("Compile time of the second log minus that of the first, in microseconds; of the medians if a side has several runs.")
    median_us: Member[Optional[Tuple[Optional[int], ...]]] = Member("Only if a side has several runs: the median compile time of each side in microseconds, over the runs that have the function.", as_frozen, required=False)
    ranges_us: Member[Optional[Tuple[Tuple[Optional[int], ...], ...]]] = Member("Beside median_us: the shortest and the longest compile time, in microseconds.", as_frozen, required=False)
    sides: Member[Tuple[Optional[ComparedSide], Optional[ComparedSide]]] = Member("The function in each log.", as_fixed, lambda: (ComparedSide, ComparedSide))
    differs: Member[Sequence[Figure]] = Member("If both logs have it: the sums that differ, apart from time.", as_nodes, lambda: Figure)
    new_reasons: Member[Tuple[str, ...]] = Member("Recompile reasons that only the second log has, ignoring numbers and noise.", as_frozen)
    gone_reasons: Member[Tuple[str, ...]] = Member("Recompile reasons that only the first log has.", as_frozen)
    compared: Member[Optional[Tuple[str, str]]] = Member("The best matching compile of each log.", as_fixed, lambda: (None, None))


class ComparedBreaks(Node):
    """Distinct graph breaks, matched by reason, function and file."""
    __slots__ = ()

    new: Member[Sequence[ComparedBreak]] = Member("Graph breaks that only the second log has.", as_nodes, lambda: ComparedBreak)
    gone: Member[Sequence[ComparedBreak]] = Member("Graph breaks that only the first log has.", as_nodes, lambda: ComparedBreak)
    same: Member[int] = Member("Number of graph breaks that both logs have.")


class ComparedSetting(Node):
    """A setting with different values in two logs."""
    __slots__ = ()

    kind: Member[Literal["dynamo", "inductor", "functorch", "compiler"]] = Member("The component that is configured.")
    setting: Member[str] = Member("The name of the setting.")
    values: Member[Tuple[Tuple[Any, ...], Tuple[Any, ...]]] = Member("The values in each log, those of most compiles first.", as_fixed, lambda: (None, None))


class ComparedEffect(Node):
    """A setting with which graphs of one function were compiled differently in two logs."""
    __slots__ = ()

    kind: Member[Literal["dynamo", "inductor", "functorch", "compiler"]] = Member("The component that is configured.")
    setting: Member[str] = Member("The name of the setting.")
    values: Member[Tuple[Sequence[ComparedEffectValue], Sequence[ComparedEffectValue]]] = Member("The values in the compiles of the functions that differ in it, for each log.", as_fixed, lambda: ([ComparedEffectValue], [ComparedEffectValue]))


class ComparedEffectValue(Node):
    """A value that a setting had while graphs of these compiles were compiled."""
    __slots__ = ()

    value: Member[Any] = Member("The value.", as_frozen)
    mode: Member[Optional[Literal["max-autotune", "max-autotune-no-cudagraphs", "reduce-overhead"]]] = Member("The mode= of torch.compile() that sets exactly those settings in which these compiles contradict the configuration of their metrics.", required=False)
    compiles: Member[Tuple[str, ...]] = Member("At most 100 of the compiles.", as_frozen)
    more_compiles: Member[Optional[int]] = Member("Number of compiles that are not listed.", required=False)


class ComparedLogs(Node):
    """Two compared logs."""
    __slots__ = ()

    rank: Member[Optional[int]] = Member("The rank, if the runs are jobs.")
    dirs: Member[Tuple[str, str]] = Member("The folders of the two logs.", as_fixed, lambda: (None, None))
    function_counts: Member[FunctionCounts] = Member("Number of functions by change.", as_node, lambda: FunctionCounts)
    functions: Member[Sequence[ComparedFunction]] = Member("Functions, the largest change of compile time first.", as_nodes, lambda: ComparedFunction)
    more_functions: Member[int] = Member("Number of functions that are not listed.")
    graph_breaks: Member[ComparedBreaks] = Member("Distinct graph breaks, matched by reason, function and file.", as_node, lambda: ComparedBreaks)
    settings: Member[Optional[Sequence[ComparedSetting]]] = Member("Settings that differ between the compiles of the two logs, by kind and name.", as_nodes, lambda: ComparedSetting)
    more_settings: Member[int] = Member("Number of settings that are not listed.")
    settings_in_effect: Member[Optional[Sequence[ComparedEffect]]] = Member("Settings with which graphs of functions of both logs were compiled differently, and which the configurations do not show, such as those of torch.compile(mode=, options=); by kind and name, at most 1,000.", as_nodes, lambda: ComparedEffect)
    more_settings_in_effect: Member[int] = Member("Number of settings in effect that are not listed.")


class ComparedRuns(Node):
    """Differences between two runs."""
    __slots__ = ()

    a: Member[str] = Member("The folder of the first run, as in ranks.")
    b: Member[str] = Member("The folder of the second run.")
    sides: Member[Optional[Tuple[Tuple[str, ...], ...]]] = Member("Only if a side has several runs: the folders of the runs of each side.", as_frozen, required=False)
    ranks: Member[Tuple[int, ...]] = Member("For jobs: the ranks that both have.", as_frozen)
    figures: Member[Sequence[Figure]] = Member("Figures of the runs.", as_nodes, lambda: Figure)
    findings: Member[ComparedFindings] = Member("Compared findings.", as_node, lambda: ComparedFindings)
    logs: Member[Sequence[ComparedLogs]] = Member("Compared logs: one item, or for jobs one for each of ranks.", as_nodes, lambda: ComparedLogs)


class Comparison(Node):
    """Compared runs."""
    __slots__ = ()

    pairs: Member[Sequence[ComparedRuns]] = Member("Each pair of runs, in order.", as_nodes, lambda: ComparedRuns)
    more: Member[int] = Member("Number of pairs that are not compared.")


class CacheMissCause(Node):
    """Cache misses with the same cause."""
    __slots__ = ()

    cache: Member[Literal["fx_graph", "aotautograd"]] = Member("The cache.")
    kind: Member[Literal["components", "graph", "same_key", "guards", "new", "not_logged"]] = Member("components: the same graph has another key; graph: the same function has another graph; same_key: the key exists, but its entry was not found; guards: the key exists, but the guards of its entries fail; new: an earlier run has neither the graph nor the function; not_logged: the function has another key, and the log has no components of the keys.")
    why: Member[str] = Member("Explanation, from the logs.")
    nearest: Member[Optional[CacheOwner]] = Member("The key that the miss is compared with.", as_node, lambda: CacheOwner)
    title: Member[str] = Member("Short description.")
    run: Member[Optional[str]] = Member("The folder of the run that missed.")
    time_us: Member[Optional[int]] = Member("Compile time after these misses in microseconds, as far as it is logged.")
    misses: Member[Sequence[CacheOwner]] = Member("The compiles that missed.", as_nodes, lambda: CacheOwner)
    count: Member[int] = Member("Number of misses.")


class CacheMisses(Node):
    """Why caches missed entries that other logs have."""
    __slots__ = ()

    list: Member[Sequence[CacheMissCause]] = Member("Misses grouped by cache and cause, for runs also by run.", as_nodes, lambda: CacheMissCause)
    more: Member[int] = Member("Number of misses that are not listed, or were not compared.")


class RankFinding(Node):
    """A finding, with the ranks that have it."""
    __slots__ = ()

    kind: Member[Literal["unfinished", "error", "user_error", "frame_skipped", "recompile_limit", "graph_break", "cudagraph_skip", "cudagraph_recordings", "float32_matmul", "recompile", "specialization", "real_tensors", "slow_compile", "restart", "cache_bypass", "cache_miss", "missing_metrics", "interrupted", "autograd_capture", "backward_failure", "graph_error", "compile_worker_death", "precompile_bypass", "precompile_error", "cache_save_failure", "duplicate_backward", "overlap_cycle", "trace_failure", "log_fault", "no_records", "several_processes", "export_data_dependent", "export_guard", "export_missing_fake_kernel", "export_mismatched_fake_kernel", "export_constraint_violation", "export_error"]] = Member("The kind of issue.")
    severity: Member[Literal["error", "warning", "info"]] = Member("The severity.")
    impact: Member[Literal["stops", "every_step", "compile_time", "information"]] = Member("The effect, as in findings.")
    cost: Member[Literal["compile_time", "lost_to_restarts", "lost", "run_time", "cacheable", "unfinished"]] = Member("The meaning of time_us, as in findings.")
    title: Member[str] = Member("Short description.")
    id: Member[Optional[str]] = Member("The id of a graph break in PyTorch's registry, as in findings.")
    message: Member[Optional[str]] = Member("The message of PyTorch or of the program, as in findings.")
    why: Member[Optional[str]] = Member("What happened.")
    advice: Member[Optional[str]] = Member("Suggested fix.")
    evidence: Member[Optional[str]] = Member("The records that the advice is based on.")
    expected: Member[bool] = Member("Whether this is normal: the advice explains why there are several versions.")
    place: Member[Optional[Place]] = Member("The source line to look at.", as_node, lambda: Place)
    code: Member[Optional[str]] = Member("The source text at place.")
    caller: Member[Optional[Place]] = Member("The user's line that led to place.", as_node, lambda: Place)
    library: Member[bool] = Member("Whether place is in a library rather than in the user's code.")
    time_us: Member[Optional[int]] = Member("The cost on the rank with the highest cost, in microseconds.")
    saves_us: Member[Optional[int]] = Member("Compile time that a fix saves at most on that rank, in microseconds.")
    dir: Member[str] = Member("The folder of the rank with the highest cost.")
    dirs: Member[Tuple[str, ...]] = Member("The folders of all ranks that have it.", as_frozen)


class KeyComponent(Node):
    """A component of a cache key."""
    __slots__ = ()

    name: Member[str] = Member("Its name.")
    had: Member[Optional[str]] = Member("The value in the key that the miss is compared with.")
    has: Member[Optional[str]] = Member("The value in the key that missed.")


class CauseEvidence(Node):
    """The state of one group of ranks where the ranks diverge."""
    __slots__ = ()

    ranks: Member[Tuple[int, ...]] = Member("The ranks of the group.", as_frozen)
    compile: Member[Optional[str]] = Member("The compile, in the report of the first rank.")
    same_key: Member[bool] = Member("Whether it has that key on all of these ranks.")
    place: Member[Optional[Place]] = Member("The source line that these ranks run there.", as_node, lambda: Place)
    text: Member[Optional[str]] = Member("The state of these ranks there.")


class Consequence(Node):
    """A difference that follows from a root cause."""
    __slots__ = ()

    aspect: Member[Literal["compile_ids", "status", "graphs", "guards", "recompiles", "cache", "collectives", "tensor_meta", "execution_order", "configuration", "compile_time"]] = Member("The aspect in which ranks differ because of it.")
    compile: Member[Optional[str]] = Member("The first compile that shows it.")
    first: Member[str] = Member("Description of the first difference, with code in backticks.")


class GraphSize(Node):
    """Size of the graph in the text."""
    __slots__ = ()

    graphs: Member[int] = Member("Number of graphs: the graph and its nested graphs (bodies of cond, scan, …).")
    inputs: Member[int] = Member("Number of inputs of the outermost graph.")
    ops: Member[int] = Member("Number of calls in the outermost graph.")
    nodes: Member[int] = Member("Number of nodes in the outermost graph: inputs, calls, attributes that are read, and the output.")
    inner_ops: Member[Optional[int]] = Member("Number of calls in nested graphs.", required=False)


class GuardText(Node):
    """Guards of a dynamo_cpp_guards_str."""
    __slots__ = ()

    count: Member[int] = Member("Number of guards.")
    more: Member[int] = Member("Number of guards that are not listed: the list is limited.")
    list: Member[Tuple[int, int]] = Member("The position of the list of guards, a JSON text (doc/report-data.md), in the text stream of dir: [offset, length].", as_fixed, lambda: (None, None))


class ShapeSymbol(Node):
    """A created symbol."""
    __slots__ = ()

    attempt: Member[Optional[int]] = Member("The attempt.")
    line: Member[int] = Member("The line of the record in the log.")
    user_stack: Member[Optional[int]] = Member("The user's stack, an index into shape_stacks.")
    stack: Member[Optional[int]] = Member("The full stack, an index into shape_stacks.")
    symbol: Member[Optional[str]] = Member("Its name: s77, u0.")
    unbacked: Member[bool] = Member("Whether its value is known only at run time.")
    value: Member[Optional[str]] = Member("Its value when it was created (the hint).")
    range: Member[Optional[str]] = Member("Its value range.")
    source: Member[Optional[str]] = Member("Its source, such as L['x'].size()[0].")
    dynamic_by: Member[Literal["mark_dynamic", "compile", "export", "dynamic_shapes", "automatic", None]] = Member("What made this size dynamic: torch._dynamo.mark_dynamic (mark_dynamic), torch.compile(dynamic=True) (compile), torch._dynamo.export (export), dynamic_shapes of torch.export (dynamic_shapes), or PyTorch itself after it saw a different size (automatic).")
    dynamic_why: Member[Optional[str]] = Member("For automatic: what changed (128 → 256), or what was in its place before, from the event automatic_dynamic.")


class Specialization(Node):
    """A symbol that was specialized to a constant."""
    __slots__ = ()

    attempt: Member[Optional[int]] = Member("The attempt.")
    line: Member[int] = Member("The line of the record in the log.")
    user_stack: Member[Optional[int]] = Member("The user's stack, an index into shape_stacks.")
    stack: Member[Optional[int]] = Member("The full stack, an index into shape_stacks.")
    symbol: Member[Optional[str]] = Member("Its name.")
    value: Member[Optional[str]] = Member("The constant.")
    source: Member[Optional[str]] = Member("Its source.")
    reason: Member[Optional[str]] = Member("PyTorch's reason.")


class ShapeGuard(Node):
    """A guard on symbols."""
    __slots__ = ()

    attempt: Member[Optional[int]] = Member("The attempt.")
    line: Member[int] = Member("The line of the record in the log.")
    user_stack: Member[Optional[int]] = Member("The user's stack, an index into shape_stacks.")
    stack: Member[Optional[int]] = Member("The full stack, an index into shape_stacks.")
    expr: Member[Optional[str]] = Member("The condition.")
    symbols: Member[Tuple[str, ...]] = Member("The symbols in it.", as_frozen)


class ShownPhase(Node):
    """A phase of compile time as the page and the commands show it."""
    __slots__ = ()

    key: Member[Literal["dynamo", "aot", "backend", "passes", "inductor", "codegen", "triton", "backward", "other", "not_logged"]] = Member("Its key in by_phase_us.")
    title: Member[str] = Member("Its name.")
    description: Member[str] = Member("What is done in it.")
    of: Member[Tuple[Literal["dynamo", "aot", "pre_grad", "joint", "post_grad", "inductor", "codegen", "triton", "backward"], ...]] = Member("The phases of own_us that it sums.", as_frozen)
    sum: Member[Optional[Literal["aot", "other"]]] = Member("In a sum over several compiles that has time in this phase, the time counts there.", required=False)


class ShownTimes(Node):
    """Self time in microseconds by shown phase: the keys of phases."""
    __slots__ = ()

    dynamo: Member[Optional[int]] = Member("dynamo of own_us.", required=False)
    aot: Member[Optional[int]] = Member("aot of own_us, if a phase of Inductor took time.", required=False)
    backend: Member[Optional[int]] = Member("aot of own_us otherwise: PyTorch's timer of AOTAutograd runs for any backend.", required=False)
    passes: Member[Optional[int]] = Member("pre_grad, joint and post_grad of own_us.", required=False)
    inductor: Member[Optional[int]] = Member("inductor of own_us.", required=False)
    codegen: Member[Optional[int]] = Member("codegen of own_us.", required=False)
    triton: Member[Optional[int]] = Member("triton of own_us.", required=False)
    backward: Member[Optional[int]] = Member("backward of own_us.", required=False)
    other: Member[Optional[int]] = Member("other of own_us, if another phase took time.", required=False)
    not_logged: Member[Optional[int]] = Member("other of own_us otherwise: the log has neither timers nor complete events of the phases.", required=False)


class PhaseTimes(Node):
    """Time of each phase in microseconds."""
    __slots__ = ()

    dynamo: Member[Optional[int]] = Member("Dynamo, including everything that it calls.", required=False)
    aot: Member[Optional[int]] = Member("AOTAutograd, including the backend.", required=False)
    pre_grad: Member[Optional[int]] = Member("Pre-grad passes.", required=False)
    joint: Member[Optional[int]] = Member("Joint-graph passes.", required=False)
    post_grad: Member[Optional[int]] = Member("Post-grad passes.", required=False)
    inductor: Member[Optional[int]] = Member("Inductor.", required=False)
    codegen: Member[Optional[int]] = Member("Inductor's code generation.", required=False)
    triton: Member[Optional[int]] = Member("Compilation of Triton kernels, and waiting for Triton and C++ kernels that other processes compile (PyTorch's triton_compile_time_us).", required=False)
    backward: Member[Optional[int]] = Member("Compilation of the backward.", required=False)


class CompileGraph(Node):
    """Size of the graph."""
    __slots__ = ()

    ops: Member[Optional[int]] = Member("graph_op_count of compilation_metrics.")
    nodes: Member[Optional[int]] = Member("graph_node_count of compilation_metrics.")
    inputs: Member[Optional[int]] = Member("graph_input_count of compilation_metrics.")
    parameters: Member[Optional[int]] = Member("param_count of compilation_metrics: how many of the inputs are weights.", required=False)
    parameter_bytes: Member[Optional[int]] = Member("param_bytes of compilation_metrics: size of the weights.", required=False)


class RuntimeParts(Node):
    """The parts of runtime_us, in microseconds."""
    __slots__ = ()

    autotune: Member[Optional[int]] = Member("Autotuning of Triton kernels.", required=False)
    cudagraphs: Member[Optional[int]] = Member("Preparing and recording CUDA graphs.", required=False)
    compile: Member[Optional[int]] = Member("Compilation outside of a frame.", required=False)
    other: Member[Optional[int]] = Member("Time that the log does not name.", required=False)


class NearestKey(Node):
    """For a miss whose key components are logged: the earlier key with the fewest differences, among those of the same
    graph, or else among those of other compiles of the same function."""
    __slots__ = ()

    compile: Member[str] = Member("The key of the compile that used it.")
    same_graph: Member[bool] = Member("Whether it belongs to the same graph.")
    differences: Member[int] = Member("Number of components whose hashes differ.")
    components: Member[Sequence[KeyComponent]] = Member("Components that differ.", as_nodes, lambda: KeyComponent)


class CacheResult(Node):
    """A cache result."""
    __slots__ = ()

    cache: Member[Literal["fx_graph", "aotautograd", "fx_graph_bundled", "precompile", "dynamo"]] = Member("The cache.")
    result: Member[Literal["hit", "miss", "bypass", "pickle_failure", "exception"]] = Member("The result.")
    reason: Member[Optional[str]] = Member("The reason of a bypass or failure.")
    time_us: Member[Optional[int]] = Member("In microseconds: for a miss, the compile time; for a hit, the compile time that was saved.", required=False)
    discarded_attempt: Member[Optional[int]] = Member("The attempt of the compile that looked it up, if it was discarded and the compile started again.", required=False)
    detail: Member[Optional[str]] = Member("For a miss, in PyTorch's terms: full_miss (no entry for the key) or guard_miss (entries whose guards fail).", required=False)
    guards: Member[Optional[str]] = Member("For a guard_miss: guards of an entry that fail.", required=False)
    key_components: Member[Optional[int]] = Member("For a miss: number of components of its key that are logged.", required=False)
    nearest: Member[Optional[NearestKey]] = Member("For a miss whose key components are logged: the earlier key with the fewest differences, among those of the same graph, or else among those of other compiles of the same function.", as_node, lambda: NearestKey, required=False)


class RecordFact(Node):
    """A value of the record outside of its tables."""
    __slots__ = ()

    name: Member[str] = Member("Its name.")
    value: Member[Union[float, str]] = Member("A number if the text is one, otherwise the text.")


class RecordTable(Node):
    """A table."""
    __slots__ = ()

    title: Member[Optional[str]] = Member("Its title.")
    columns: Member[Tuple[str, ...]] = Member("The column names.", as_frozen)
    rows: Member[Tuple[Tuple[Optional[Union[float, str]], ...], ...]] = Member("Rows with one cell per column: a number if the text is one, None if the cell is empty.", as_frozen)
    more: Member[int] = Member("Number of rows that are not listed.")


class RecordTables(Node):
    """The tables of an artifact, in the terms and units of the record."""
    __slots__ = ()

    name: Member[str] = Member("The name of the artifact.")
    line: Member[int] = Member("Line of the record in the log.")
    facts: Member[Sequence[RecordFact]] = Member("Values outside of the tables, by name.", as_nodes, lambda: RecordFact)
    tables: Member[Sequence[RecordTable]] = Member("The tables.", as_nodes, lambda: RecordTable)


class PassCounts(Node):
    """Number of passes and steps with a logged graph before and after."""
    __slots__ = ()

    passes: Member[int] = Member("Number of passes, without steps between representations.")
    changed: Member[int] = Member("Number of passes that changed the graph.")


class ShapeCounts(Node):
    """Number of records about symbols."""
    __slots__ = ()

    symbols: Member[int] = Member("Number of created symbols, in all attempts.")
    specializations: Member[int] = Member("Number of symbols that were specialized to constants.")
    guards: Member[int] = Member("Number of guards on symbols.")


class KernelSource(Node):
    """A source line that a kernel computes."""
    __slots__ = ()

    file: Member[str] = Member("The file.")
    line: Member[int] = Member("The line.")
    function: Member[Optional[str]] = Member("The function.")
    code: Member[Optional[str]] = Member("The source text.")


class Autotune(Node):
    """The autotuning result."""
    __slots__ = ()

    state: Member[Optional[str]] = Member("Autotune cache: hit, miss, only 1 config.")
    configs: Member[Optional[int]] = Member("Number of candidate configurations.")
    config: Member[Any] = Member("The chosen configuration, as logged.", as_frozen)


class RankGroup(Node):
    """Ranks that agree in an aspect."""
    __slots__ = ()

    ranks: Member[Tuple[int, ...]] = Member("The ranks.", as_frozen)


class FirstDifference(Node):
    """The first difference between groups of ranks."""
    __slots__ = ()

    index: Member[int] = Member("Its position in the sequence, from 0.")
    sides: Member[Sequence[Side]] = Member("The state of each group there.", as_nodes, lambda: Side)


class RankMember(RankReport):
    """A log of a run that is a job."""
    __slots__ = ()

    rank: Member[Optional[int]] = Member("The rank.")
    dir: Member[str] = Member("The folder of its report, relative to this report.")
    readable: Member[bool] = Member("Whether it could be read.")
    compared: Member[bool] = Member("Whether it is compared with the other ranks of the job.")


class StreamParity(Node):
    """A graph whose output code has other collectives than its schedule, or does not wait for all of them."""
    __slots__ = ()

    graph: Member[str] = Member("The folder of the graph's compile id.")
    offset: Member[int] = Member("Number of collectives in which schedule and output code differ, counted by kind.")
    missing_waits: Member[int] = Member("Number of collectives in the output code without a wait.")


class RankSpan(Node):
    """A span of a rank without an end event."""
    __slots__ = ()

    name: Member[str] = Member("Its name.")
    compile: Member[Optional[str]] = Member("Its compile.")
    place: Member[Optional[Place]] = Member("The function of the compile.", as_node, lambda: Place)
    started_us: Member[int] = Member("Start time in microseconds since the epoch.")
    before_end_us: Member[int] = Member("Time from its start to the last event of the log, in microseconds.")
    process: Member[Any] = Member("The process id of the event.", as_frozen)
    thread: Member[Any] = Member("The thread id of the event.", as_frozen)


class FrameLocal(Node):
    """A local variable."""
    __slots__ = ()

    name: Member[str] = Member("Its name.")
    value: Member[Optional[str]] = Member("The value.")


class SymbolSource(Node):
    """A symbol in an expression."""
    __slots__ = ()

    name: Member[str] = Member("Its name.")
    source: Member[Optional[str]] = Member("The source of the symbol.")


class ExportNode(Node):
    """A node of the derivation of an expression."""
    __slots__ = ()

    depth: Member[int] = Member("Depth in the tree, 0 for the expression itself.")
    expr: Member[Optional[str]] = Member("The expression.")
    method: Member[Optional[str]] = Member("The operation that created it.")
    arguments: Member[Optional[str]] = Member("The arguments of the operation.")
    range: Member[Optional[str]] = Member("Its value range.")
    user_stack: Member[Optional[int]] = Member("The user's stack, an index into export.stacks.")
    stack: Member[Optional[int]] = Member("The full stack, an index into export.stacks.")
    again: Member[bool] = Member("Whether its operands were listed before.")
    cut: Member[bool] = Member("Whether its operands are left out.")


class StackNode(Node):
    """A frame in the tree of stacks at which compiles start."""
    __slots__ = ()

    function: Member[str] = Member("The function.")
    file: Member[str] = Member("The file, without everything up to \"#link-tree/\".")
    line: Member[int] = Member("The line.")
    code: Member[Optional[str]] = Member("The source text.")
    library: Member[bool] = Member("Whether the file belongs to Python, PyTorch or another package, or is generated, rather than to the user's code.")
    parent: Member[int] = Member("The caller: an index into the same list, -1 for an outermost frame.")
    dump: Member[Optional[str]] = Member("The page of the dumped generated code that contains this line.")
    time_us: Member[Optional[int]] = Member("Compile time of the compiles that start here or below, in microseconds.")
    compiles: Member[Tuple[str, ...]] = Member("The compiles that start here.", as_frozen)


class Compile(Node):
    """One run of the compiler on one frame, including all attempts."""
    __slots__ = ()

    id: Member[str] = Member("A compile id as PyTorch shows it, without brackets and attempt: 0/1; !0/2/0 under compiled autograd 0; -/- for none; unknown.")
    key: Member[str] = Member("The key of a compile, unique in the report.")
    generation: Member[int] = Member("The generation of its id within the process, from 1: torch._dynamo.reset() starts the ids again.")
    resets: Member[int] = Member("Number of preceding torch._dynamo.reset() calls in its process, as far as repeated ids show them.")
    earlier: Member[Optional[str]] = Member("For the first compile of a frame after a reset: the latest compile of the same code before the reset, perhaps under another id.")
    process: Member[int] = Member("The process id, from the prefix of its records.")
    ops_unknown: Member[Optional[bool]] = Member("Whether the status is empty because the metrics do not count ops (AOTInductor, export).", required=False)
    interrupted: Member[Optional[bool]] = Member("Whether the compile was interrupted (KeyboardInterrupt, SystemExit): its graph was passed to the backend, and the metrics have neither code nor a failure.", required=False)
    process_nth: Member[Optional[int]] = Member("Which of the processes with this id, from 2.", required=False)
    process_file: Member[Optional[str]] = Member("The file in which the first record of the process is.", required=False)
    is_compile: Member[bool] = Member("Whether the log has a dynamo_start or compilation_metrics of it.")
    frame_id: Member[Optional[int]] = Member("The number of the frame.")
    attempts: Member[Tuple[int, ...]] = Member("The logged attempts, in order of appearance.", as_frozen)
    dirs: Member[Tuple[str, ...]] = Member("The folders of its compile ids in the report, one per attempt.", as_frozen)
    status: Member[Status] = Member("From compilation_metrics: error if one has a fail_type; else empty if a graph has no ops; else restart if the trace was restarted; else ok.")
    frame: Member[Optional[Frame]] = Member("The compiled function.", as_node, lambda: Frame)
    what: Member[Optional[str]] = Member("What compiled without a frame: AOTInductor, if it logged its code.", required=False)
    subgraph: Member[Optional[str]] = Member("The first subgraph that one of its records names.")
    stack: Member[Optional[int]] = Member("The stack at which it starts, an index into stacks.")
    caller: Member[Optional[Place]] = Member("The user's line that called the frame, from another record of the compile, because the stack in dynamo_start has no caller.", as_node, lambda: Place, required=False)
    caller_from: Member[Optional[Literal["create_symbol", "guard_added_fast", "symbolic_shape_specialization", "graph break"]]] = Member("The record that has the caller.", required=False)
    exported: Member[bool] = Member("Whether torch._dynamo.export compiled the frame: its settings have constant_fold_autograd_profiler_enabled, which it sets in versions after 2.6.")
    time_us: Member[Optional[int]] = Member("Compile time in microseconds: forward_us plus backward_us.")
    forward_us: Member[Optional[int]] = Member("Compile time of the forward in microseconds, from compilation_metrics: duration_us, else end_time_us - start_time_us, else entire_frame_compile_time_s, else dynamo_cumulative_compile_time_us.")
    backward_us: Member[Optional[int]] = Member("The sum of the same times of its backwards, in microseconds.")
    runtime_us: Member[Optional[int]] = Member("Time in microseconds spent at run time after the compile, from *_compilation_metrics_runtime.")
    restart_us: Member[Optional[int]] = Member("Part of forward_us that was lost to restarts, in microseconds: dynamo_time_before_restart_s.")
    own_us: Member[Mapping[str, int]] = Member("Self time of each phase in microseconds, without nested timers.", as_frozen)
    by_phase_us: Member[ShownTimes] = Member("The same time by shown phase, in microseconds.", as_node, lambda: ShownTimes)
    phases_us: Member[PhaseTimes] = Member("Time of each phase in microseconds.", as_node, lambda: PhaseTimes)
    graph: Member[CompileGraph] = Member("Size of the graph.", as_node, lambda: CompileGraph)
    guards: Member[Optional[int]] = Member("Number of guards: the checks of the latest guard tree (dynamo_cpp_guards_str), or guard_count if the log has no tree.")
    guard_count: Member[Optional[int]] = Member("guard_count of compilation_metrics: Dynamo's guards before filters and before they become checks, of which one guard has several or none.")
    recompile_reasons: Member[Tuple[str, ...]] = Member("Why the frame was recompiled: one text per failed guard.", as_frozen)
    restarts: Member[Tuple[str, ...]] = Member("Why the trace was restarted.", as_frozen)
    failure: Member[Optional[Failure]] = Member("Why it failed.", as_node, lambda: Failure)
    backward_failure: Member[Optional[Failure]] = Member("Why its backward failed.", as_node, lambda: Failure)
    graph_breaks: Member[Tuple[int, ...]] = Member("Its graph breaks, as indices into graph_breaks, without those with exception.", as_frozen)
    runtime_parts_us: Member[Optional[RuntimeParts]] = Member("The parts of runtime_us, in microseconds.", as_node, lambda: RuntimeParts, required=False)
    cache: Member[Sequence[CacheResult]] = Member("Its cache results, in log order.", as_nodes, lambda: CacheResult)
    artifact_count: Member[int] = Member("Number of artifacts.")
    bytes: Member[int] = Member("Total length of their texts, in bytes.")
    provenance: Member[Optional[Tuple[str, ...]]] = Member("Pages that map lines of its graphs and code to each other.", as_frozen, required=False)
    pass_counts: Member[Optional[PassCounts]] = Member("Number of passes and steps with a logged graph before and after.", as_node, lambda: PassCounts, required=False)
    shape_counts: Member[Optional[ShapeCounts]] = Member("Number of records about symbols.", as_node, lambda: ShapeCounts, required=False)
    artifacts: Member[Sequence[Artifact]] = Member("Its artifacts, in log order.", as_nodes, lambda: Artifact)
    metrics: Member[Optional[Mapping[str, Any]]] = Member("The last compilation_metrics.", as_frozen)
    backward_metrics: Member[Optional[Mapping[str, Any]]] = Member("The last bwd_compilation_metrics.", as_frozen)
    stages: Member[Sequence[Stage]] = Member("The stages from bytecode to kernels, of its last attempt.", as_nodes, lambda: Stage)
    passes: Member[Sequence[Pass]] = Member("Passes whose graphs before and after are among the artifacts, in the order in which they ended.", as_nodes, lambda: Pass)
    record_tables: Member[Optional[Sequence[RecordTables]]] = Member("Artifacts that are tables, in log order: estimated run times (fx_*_estimation), what the partitioner saves and recomputes (min_cut_information, min_cut_failed_edge_list), collectives and their buckets (pre_bucketing_*, fx_bucketing_passes_*_buckets), estimates against a profile (pge_profile_vs_analytical).", as_nodes, lambda: RecordTables, required=False)
    more_record_tables: Member[Optional[int]] = Member("Number of such artifacts beyond these limits.", required=False)
    shapes: Member[Optional[Shapes]] = Member("Symbols in the shapes of a compile.", as_node, lambda: Shapes, required=False)


class LogShare(Node):
    """The share of a compile in the log."""
    __slots__ = ()

    id: Member[str] = Member("The key of a compile, unique in the report.")
    records: Member[int] = Member("Number of its records.")
    bytes: Member[int] = Member("Bytes of its records in the log.")


class LogShareByKind(Node):
    """The share of a compile in the log, by kind of record."""
    __slots__ = ()

    id: Member[str] = Member("The key of a compile, unique in the report.")
    records: Member[int] = Member("Number of its records.")
    bytes: Member[int] = Member("Bytes of its records in the log.")
    kinds: Member[Tuple[Tuple[int, int, int], ...]] = Member("The shares of the kinds of its records.", as_frozen)


class LogCommon(Node):
    """The log, without by_compile."""
    __slots__ = ()

    files: Member[Sequence[LogFile]] = Member("The files, in the order in which they were read.", as_nodes, lambda: LogFile)
    empty: Member[bool] = Member("Whether the log has no records.")
    processes: Member[Sequence[LogProcess]] = Member("The processes that wrote records, in the order of their first records.", as_nodes, lambda: LogProcess)
    more_process_records: Member[int] = Member("Number of records of processes that are not listed.")
    bytes: Member[int] = Member("Uncompressed length of the log in bytes.")
    other_ranks_bytes: Member[Optional[int]] = Member("The part of bytes in records of other ranks, which wrote to the same log and are not in the kinds of this report.", required=False)
    records: Member[int] = Member("Number of records, without those that intern a string.")
    counters: Member[LogCounters] = Member("Number of records by outcome.", as_node, lambda: LogCounters)
    kinds: Member[Sequence[RecordKind]] = Member("The kinds of records, in order of first appearance.", as_nodes, lambda: RecordKind)
    unknown_keys: Member[Tuple[str, ...]] = Member("Keys that tlparse does not know, in order of first appearance.", as_frozen)
    faults: Member[Sequence[LogError]] = Member("Errors in the log, in the order of lines.", as_nodes, lambda: LogError)
    more_faults: Member[int] = Member("Number of lines with errors that are not listed.")
    unread_folders: Member[Tuple[str, ...]] = Member("Folders that could not be searched for logs, and facts files that could not be read to their end, each with the reason.", as_frozen)
    missing_inputs: Member[int] = Member("Number of files that could not be read completely (damage), and of folders that could not be searched.")
    by_compile_rest: Member[LogRest] = Member("All compile ids that by_compile does not list, together.", as_node, lambda: LogRest)


class Log(Node):
    """The log."""
    __slots__ = ()

    files: Member[Sequence[LogFile]] = Member("The files, in the order in which they were read.", as_nodes, lambda: LogFile)
    empty: Member[bool] = Member("Whether the log has no records.")
    processes: Member[Sequence[LogProcess]] = Member("The processes that wrote records, in the order of their first records.", as_nodes, lambda: LogProcess)
    more_process_records: Member[int] = Member("Number of records of processes that are not listed.")
    bytes: Member[int] = Member("Uncompressed length of the log in bytes.")
    other_ranks_bytes: Member[Optional[int]] = Member("The part of bytes in records of other ranks, which wrote to the same log and are not in the kinds of this report.", required=False)
    records: Member[int] = Member("Number of records, without those that intern a string.")
    counters: Member[LogCounters] = Member("Number of records by outcome.", as_node, lambda: LogCounters)
    kinds: Member[Sequence[RecordKind]] = Member("The kinds of records, in order of first appearance.", as_nodes, lambda: RecordKind)
    unknown_keys: Member[Tuple[str, ...]] = Member("Keys that tlparse does not know, in order of first appearance.", as_frozen)
    faults: Member[Sequence[LogError]] = Member("Errors in the log, in the order of lines.", as_nodes, lambda: LogError)
    more_faults: Member[int] = Member("Number of lines with errors that are not listed.")
    unread_folders: Member[Tuple[str, ...]] = Member("Folders that could not be searched for logs, and facts files that could not be read to their end, each with the reason.", as_frozen)
    missing_inputs: Member[int] = Member("Number of files that could not be read completely (damage), and of folders that could not be searched.")
    by_compile_rest: Member[LogRest] = Member("All compile ids that by_compile does not list, together.", as_node, lambda: LogRest)
    by_compile: Member[Sequence[LogShareByKind]] = Member("The share of each compile in the log, the largest first.", as_nodes, lambda: LogShareByKind)


class KernelChoice(Node):
    """A kernel that Inductor chose by benchmarks."""
    __slots__ = ()

    compile: Member[str] = Member("The key of a compile, unique in the report.")
    operation: Member[str] = Member("The operation: mm, addmm, convolution, …")
    shape: Member[Optional[str]] = Member("Sizes of its inputs, as logged.")
    candidates: Member[int] = Member("Number of candidates.")
    triton: Member[int] = Member("Number of candidates from Triton templates.")
    winner: Member[str] = Member("PyTorch's name of the fastest candidate.")
    config: Member[Optional[str]] = Member("Its configuration, as logged.")
    time_ns: Member[Optional[int]] = Member("Its time in the benchmark, in nanoseconds.")


class KernelSummary(Node):
    """Number of kernels."""
    __slots__ = ()

    triton: Member[KernelCounts] = Member("Triton kernels.", as_node, lambda: KernelCounts)
    cpp: Member[KernelCounts] = Member("C++ kernels.", as_node, lambda: KernelCounts)
    extern: Member[KernelCounts] = Member("Calls of library kernels: mm, convolution, collectives, copies between devices.", as_node, lambda: KernelCounts)
    other: Member[KernelCounts] = Member("Kernels in other languages: Halide, CuTe, Pallas.", as_node, lambda: KernelCounts)
    generated: Member[int] = Member("Number of generated kernels: all except calls of library kernels.")
    compile_time_us: Member[Optional[int]] = Member("Sum of the compile times of the kernels for which it is logged, in microseconds.")
    listed: Member[int] = Member("Number of listed kernels.")
    more: Member[int] = Member("Number of kernels that are not listed: the list is limited.")
    choices: Member[Optional[Sequence[KernelChoice]]] = Member("Operations for which Inductor benchmarked several kernels (max_autotune), in log order.", as_nodes, lambda: KernelChoice, required=False)


class Kernels(Node):
    """Kernels in the output code."""
    __slots__ = ()

    triton: Member[KernelCounts] = Member("Triton kernels.", as_node, lambda: KernelCounts)
    cpp: Member[KernelCounts] = Member("C++ kernels.", as_node, lambda: KernelCounts)
    extern: Member[KernelCounts] = Member("Calls of library kernels: mm, convolution, collectives, copies between devices.", as_node, lambda: KernelCounts)
    other: Member[KernelCounts] = Member("Kernels in other languages: Halide, CuTe, Pallas.", as_node, lambda: KernelCounts)
    generated: Member[int] = Member("Number of generated kernels: all except calls of library kernels.")
    compile_time_us: Member[Optional[int]] = Member("Sum of the compile times of the kernels for which it is logged, in microseconds.")
    listed: Member[int] = Member("Number of listed kernels.")
    more: Member[int] = Member("Number of kernels that are not listed: the list is limited.")
    choices: Member[Optional[Sequence[KernelChoice]]] = Member("Operations for which Inductor benchmarked several kernels (max_autotune), in log order.", as_nodes, lambda: KernelChoice, required=False)
    list: Member[Sequence[Kernel]] = Member("The kernels, in log order.", as_nodes, lambda: Kernel)


class ExportSummary(Node):
    """Summary of torch.export."""
    __slots__ = ()

    found: Member[bool] = Member("Whether the log is one of an export, or --export was given.")
    asked: Member[bool] = Member("Whether --export was given.")
    counts: Member[ExportCounts] = Member("Number of failures by kind.", as_node, lambda: ExportCounts)
    failure_count: Member[int] = Member("Number of listed failures.")
    more_failures: Member[int] = Member("Number of failures that are not listed.")
    program_count: Member[int] = Member("Number of exported programs in the log.")
    call_count: Member[int] = Member("Number of calls of torch.export that the log shows.")
    outcomes: Member[ExportOutcomes] = Member("Number of these calls by outcome.", as_node, lambda: ExportOutcomes)
    outcome: Member[Optional[ExportOutcome]] = Member("The outcome of all exports together.", as_node, lambda: ExportOutcome)


class Export(Node):
    """torch.export: failures and exported programs."""
    __slots__ = ()

    found: Member[bool] = Member("Whether the log is one of an export, or --export was given.")
    asked: Member[bool] = Member("Whether --export was given.")
    counts: Member[ExportCounts] = Member("Number of failures by kind.", as_node, lambda: ExportCounts)
    failure_count: Member[int] = Member("Number of listed failures.")
    more_failures: Member[int] = Member("Number of failures that are not listed.")
    program_count: Member[int] = Member("Number of exported programs in the log.")
    call_count: Member[int] = Member("Number of calls of torch.export that the log shows.")
    outcomes: Member[ExportOutcomes] = Member("Number of these calls by outcome.", as_node, lambda: ExportOutcomes)
    outcome: Member[Optional[ExportOutcome]] = Member("The outcome of all exports together.", as_node, lambda: ExportOutcome)
    failures: Member[Sequence[ExportFailure]] = Member("The failures.", as_nodes, lambda: ExportFailure)
    calls: Member[Sequence[ExportCall]] = Member("The calls of torch.export, in log order.", as_nodes, lambda: ExportCall)
    programs: Member[Sequence[ExportProgram]] = Member("Exported programs.", as_nodes, lambda: ExportProgram)
    stacks: Member[Sequence[TreeFrame]] = Member("Tree of the stacks that failures refer to.", as_nodes, lambda: TreeFrame)


class KernelCopy(Node):
    """A copy of a tensor to another device."""
    __slots__ = ()

    from_: Member[Optional[str]] = Member("Its device: cuda:0.", key="from")
    to: Member[Optional[str]] = Member("The other device: cpu.")
    waits: Member[Optional[bool]] = Member("Whether the CPU waits for the GPU: a copy between the two that is not `non_blocking`.", required=False)


class ListedFailure(Node):
    """A failed compile."""
    __slots__ = ()

    compile: Member[str] = Member("The key of a compile, unique in the report.")
    attempt: Member[Optional[int]] = Member("The attempt that failed.")
    type: Member[Optional[str]] = Member("fail_type of compilation_metrics: the exception.")
    reason: Member[Optional[str]] = Member("fail_reason of compilation_metrics: the message.")
    place: Member[Optional[Place]] = Member("The user's frame that failed.", as_node, lambda: Place)
    sections: Member[Optional[TextSections]] = Member("The sections of the reason.", as_node, lambda: TextSections)
    finding: Member[Optional[int]] = Member("The finding that explains it, an index into findings.")


class TextSections(Node):
    """The sections of a message of PyTorch."""
    __slots__ = ()

    id: Member[Optional[str]] = Member("PyTorch's id of the graph break, for example GB0170.")
    reason: Member[Optional[str]] = Member("The first line.")
    explanation: Member[Optional[str]] = Member("The explanation.")
    hints: Member[Tuple[str, ...]] = Member("The hints.", as_frozen)
    context: Member[Optional[str]] = Member("The developer debug context.")
    url: Member[Optional[str]] = Member("The page about it in PyTorch's documentation.")
    then: Member[Optional[str]] = Member("The reason of the graph break that occurred while this one was handled.")


class RestartCause(Node):
    """Why Dynamo discarded traces and traced frames again."""
    __slots__ = ()

    reason: Member[str] = Member("The logged text, or the name of the exception if it has none.")
    sections: Member[Optional[TextSections]] = Member("The sections of the text.", as_node, lambda: TextSections)
    compiles: Member[Tuple[str, ...]] = Member("The compiles that restarted, once per restart.", as_frozen)
    finding: Member[Optional[int]] = Member("The finding that explains it, an index into findings.")


class Frame(PlaceText):
    """A compiled function."""
    __slots__ = ()

    file: Member[Optional[str]] = Member("The file, as the log names it.")
    line: Member[int] = Member("The line, 0 where the log has none.")
    function: Member[Optional[str]] = Member("The function.")
    label: Member[Optional[str]] = Member("The name to show if the name of the function is generic (forward, __call__, wrapper, inner, <lambda>): with the class of self, or of the fn that inner calls, from the guards, for example Net.forward or wrapper (GPT2LMHeadModel), else with the file, for example forward (model.py).", required=False)


class CacheMiss(Node):
    """Why a cache missed."""
    __slots__ = ()

    cache: Member[Literal["fx_graph", "aotautograd"]] = Member("The cache.")
    kind: Member[Literal["components", "graph", "same_key", "guards", "new", "not_logged"]] = Member("components: the same graph has another key; graph: the same function has another graph; same_key: the key exists, but its entry was not found; guards: the key exists, but the guards of its entries fail; new: an earlier run has neither the graph nor the function; not_logged: the function has another key, and the log has no components of the keys.")
    why: Member[str] = Member("Explanation, from the logs.")
    nearest: Member[Optional[CacheOwner]] = Member("The key that the miss is compared with.", as_node, lambda: CacheOwner)


class StackFrame(PlaceText):
    """A frame of a Python stack."""
    __slots__ = ()

    function: Member[str] = Member("The function.")
    file: Member[str] = Member("The file, without everything up to \"#link-tree/\".")
    line: Member[int] = Member("The line.")
    code: Member[Optional[str]] = Member("The source text.")
    library: Member[bool] = Member("Whether the file belongs to Python, PyTorch or another package, or is generated, rather than to the user's code.")


class TreeFrame(PlaceText):
    """A frame in a tree of stacks."""
    __slots__ = ()

    function: Member[str] = Member("The function.")
    file: Member[str] = Member("The file, without everything up to \"#link-tree/\".")
    line: Member[int] = Member("The line.")
    code: Member[Optional[str]] = Member("The source text.")
    library: Member[bool] = Member("Whether the file belongs to Python, PyTorch or another package, or is generated, rather than to the user's code.")
    parent: Member[int] = Member("The caller: an index into the same list, -1 for an outermost frame.")


class StatusCounts(Node):
    """Number of compiles by status."""
    __slots__ = ()

    ok: Member[int] = Member("Compiles with the status ok.")
    restart: Member[int] = Member("Compiles with the status restart.")
    error: Member[int] = Member("Compiles with the status error.")
    empty: Member[int] = Member("Compiles with the status empty.")
    missing: Member[int] = Member("Compiles with the status missing.")


class RunPair(Node):
    """Two compared runs."""
    __slots__ = ()

    a: Member[str] = Member("The folder of the first run, as in ranks.")
    b: Member[str] = Member("The folder of the second run.")
    sides: Member[Optional[Tuple[Tuple[str, ...], ...]]] = Member("Only if a side has several runs: the folders of the runs of each side.", as_frozen, required=False)
    ranks: Member[Tuple[int, ...]] = Member("For jobs: the ranks that both have.", as_frozen)


class DiffMembers(Node):
    """What changed from one run to another."""
    __slots__ = ()

    format: Member[Literal["tlparse-diff"]] = Member("Identifies this format.")
    version: Member[Literal[1]] = Member("Increased if the meaning of a member changes.")
    base: Member[str] = Member("The first run, as given on the command line.")
    new: Member[str] = Member("The second run.")
    figures: Member[Sequence[Figure]] = Member("Numbers and versions of both runs.", as_nodes, lambda: Figure)
    findings: Member[Optional[ComparedFindings]] = Member("Issues that only one of the runs has.", as_node, lambda: ComparedFindings, required=False)
    logs: Member[Optional[Sequence[ComparedLogs]]] = Member("Functions, graph breaks and settings that differ: one item, or for jobs one per rank that both have.", as_nodes, lambda: ComparedLogs, required=False)
    cache_misses: Member[Optional[Sequence[CacheMissCause]]] = Member("Why caches missed in the second run entries that the first one has; empty if no run has a hit.", as_nodes, lambda: CacheMissCause, required=False)
    runs: Member[Tuple[int, ...]] = Member("Number of runs of each side that could be read.", as_frozen)
    limits: Member[Sequence[DiffMembersLimitsItem]] = Member("The limits of --fail-on.", as_nodes, lambda: DiffMembersLimitsItem)


class DiffMembersLimitsItem(Node):
    """"""
    __slots__ = ()

    limit: Member[str] = Member("The limit as given: time>+10%.")
    figure: Member[str] = Member("The name of the figure in figures.")
    verdict: Member[Literal["kept", "exceeded", "not known"]] = Member("not known: a run does not have the figure.")


class Summary(Node):
    """The totals and the issues of a report."""
    __slots__ = ()

    format: Member[Literal["tlparse-summary"]] = Member("Identifies this format.")
    version: Member[Literal[1]] = Member("Increased if the meaning of a member changes.")
    name: Member[str] = Member("The log, folder or report, as given on the command line.")
    kind: Member[Literal["run", "ranks", "runs"]] = Member("What was read: one run, several ranks of a job, or several runs.")
    run: Member[Run] = Member("The logged run, according to the log.", as_node, lambda: Run)
    totals: Member[Totals] = Member("Sums over all compiles.", as_node, lambda: Totals)
    caches: Member[Caches] = Member("Cache results.", as_node, lambda: Caches)
    ranks: Member[Optional[Tuple[Mapping[str, Any], ...]]] = Member("The ranks or runs.", as_frozen, required=False)
    missing_ranks: Member[Optional[Tuple[int, ...]]] = Member("Ranks without a log.", as_frozen, required=False)
    world: Member[Optional[Mapping[str, Any]]] = Member("Number of ranks of the job.", as_frozen, required=False)
    export_outcomes: Member[Optional[ExportOutcomes]] = Member("How the calls of torch.export ended.", as_node, lambda: ExportOutcomes, required=False)
    coverage: Member[Optional[Coverage]] = Member("Which functions run compiled code.", as_node, lambda: Coverage, required=False)
    compile_time: Member[Optional[CompileTime]] = Member("Where the compile time goes, and what to change first.", as_node, lambda: CompileTime, required=False)
    divergence: Member[Optional[Tuple[Mapping[str, Any], ...]]] = Member("The first --top causes of rank divergence, as root_causes of report.json.", as_frozen, required=False)
    more_divergence: Member[Optional[int]] = Member("Number of further causes.", required=False)
    changes: Member[Optional[Sequence[SummaryChangesItem]]] = Member("What changed from the first run to each of the first --top others.", as_nodes, lambda: SummaryChangesItem, required=False)
    more_changes: Member[Optional[int]] = Member("Number of further runs.", required=False)
    findings: Member[Tuple[Mapping[str, Any], ...]] = Member("The first --top issues, most important first.", as_frozen)
    more_findings: Member[int] = Member("Number of further issues.")
    slowest: Member[Optional[Sequence[SummarySlowestItem]]] = Member("The --top compiles with the longest compile time.", as_nodes, lambda: SummarySlowestItem, required=False)


class SummaryChangesItem(Node):
    """What changed from the first run to another one."""
    __slots__ = ()

    base: Member[str] = Member("Name of the first run.")
    new: Member[str] = Member("Name of the other run.")
    figures: Member[Sequence[Figure]] = Member("Numbers and versions of both runs, as in report.json.", as_nodes, lambda: Figure)


class SummarySlowestItem(Node):
    """"""
    __slots__ = ()

    key: Member[str] = Member("The compile id: unique in the report.")
    status: Member[Status] = Member("From compilation_metrics: error if one has a fail_type; else empty if a graph has no ops; else restart if the trace was restarted; else ok.")
    frame: Member[Optional[Mapping[str, Any]]] = Member("The compiled function.", as_frozen)
    time_us: Member[int] = Member("Compile time in microseconds.")
    own_us: Member[Mapping[str, int]] = Member("Self time of each phase in microseconds.", as_frozen)
