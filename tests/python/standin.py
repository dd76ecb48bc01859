"""A stand-in for PyTorch, for machines without it: what record() uses of its logging and `tlparse run --profile` of its
hooks and of torch.profiler, in a package `torch` of a folder.

`torch.compile(function)` "compiles" for each new size and writes the records of a compile: strings by number, dynamo_start,
recompile reasons, metrics. A profile has an event for each call of a compiled function. test_torch.py tests the same with PyTorch.
"""
from __future__ import annotations

from pathlib import Path

FILES = {
    "__init__.py": """
        from . import _dynamo, _logging, autograd, compiler, distributed, optim, profiler
        from ._logging import _internal, structured

        def is_grad_enabled():
            return True

        def compile(function, graph_break=False):
            from ._dynamo.eval_frame import OptimizeContext
            code, context = function.__code__, OptimizeContext()
            def call(size):
                cleanups = [enter() for enter in context.enter_exit_hooks]
                versions = _dynamo.versions.setdefault(code, [])
                if size not in versions:
                    versions.append(size)
                    _internal.compiled(code, list(_dynamo.versions).index(code), versions, graph_break)
                autograd.profiler.happened(f"Torch-Compiled Region: {list(_dynamo.versions).index(code)}/{versions.index(size)}")
                for cleanup in cleanups:
                    cleanup()
                return function(size)
            return call
    """,
    "_dynamo/__init__.py": """
        versions = {}

        def reset():
            versions.clear()
    """,
    "_dynamo/eval_frame.py": """
        class OptimizeContext:
            def __init__(self):
                self.enter_exit_hooks = []
    """,
    "autograd/__init__.py": "from . import profiler\n",
    "autograd/profiler.py": """
        _is_profiler_enabled = False
        running = []

        def happened(name):
            for events in running:
                events.append({"ph": "X", "cat": "cpu_op", "name": name, "pid": os.getpid(), "tid": 1, "ts": 10.0 * len(events), "dur": 5.0})

        def _prepare_profiler():
            if running:
                raise RuntimeError("a profiler is active")

        def _enable_profiler(events):
            global _is_profiler_enabled
            _prepare_profiler()
            _is_profiler_enabled = True
            running.append(events)

        def _disable_profiler():
            global _is_profiler_enabled
            _is_profiler_enabled = False
            running.clear()

        class profile:
            def export_chrome_trace(self, path):
                (gzip.open if path.endswith(".gz") else open)(path, "wt").write(json.dumps({"traceEvents": self.events}))
        import gzip, json, os
    """,
    "compiler.py": """
        def is_compiling():
            return False
    """,
    "distributed.py": """
        def is_available():
            return False
    """,
    "optim/__init__.py": """
        from .optimizer import Optimizer
        del optimizer
    """,
    "optim/optimizer.py": """
        hooks = []
        register_optimizer_step_post_hook = hooks.append

        class Optimizer:
            def step(self):
                for hook in hooks:
                    hook(self, (), {})
    """,
    "profiler/__init__.py": "from .profiler import ProfilerAction, profile\n",
    "profiler/profiler.py": """
        import os
        from ..autograd import profiler

        class ProfilerAction:
            RECORD = 2

        class _KinetoProfile:
            def start(self):
                self.profiler = profiler.profile()
                self.profiler.events = []
                profiler._prepare_profiler()
                profiler._enable_profiler(self.profiler.events)

            def stop(self):
                profiler._disable_profiler()

            def export_chrome_trace(self, path):
                if os.environ.get("STANDIN_FAILS"):
                    raise OSError("the disk is full")
                self.profiler.export_chrome_trace(path)

        class profile(_KinetoProfile):
            def __init__(self, *, schedule=None):
                self.schedule, self.steps = schedule, 0

            def begin_step(self):
                if self.schedule:
                    assert self.schedule(self.steps) == ProfilerAction.RECORD
                    profiler.happened(f"ProfilerStep#{self.steps}")

            def start(self):
                super().start()
                self.begin_step()

            def step(self):
                self.steps += 1
                self.begin_step()

            def __enter__(self):
                self.start()
                return self

            def __exit__(self, *error):
                self.stop()
    """,
    "_logging/__init__.py": "from . import _internal, structured\n",
    "_logging/structured.py": """
        INTERN_TABLE = {}

        def intern_string(text):
            from ._internal import trace
            if text not in INTERN_TABLE:
                INTERN_TABLE[text] = len(INTERN_TABLE)
                trace({"str": (text, INTERN_TABLE[text])})
            return INTERN_TABLE[text]
    """,
    "_logging/_internal.py": """
        import hashlib, json, logging, os, tempfile

        trace_log = logging.getLogger("torch.__trace")
        trace_log.propagate = False
        LOG_TRACE_HANDLER = None

        class LazyTraceHandler(logging.StreamHandler):
            def __init__(self, root_dir):
                logging.Handler.__init__(self)
                self.root_dir, self.stream = root_dir, None

            def emit(self, record):
                if self.root_dir is None:
                    trace_log.removeHandler(self)
                    return
                if self.stream is None:
                    os.makedirs(self.root_dir, exist_ok=True)
                    fd, _ = tempfile.mkstemp(".log", "dedicated_log_torch_trace_", self.root_dir)
                    self.stream = os.fdopen(fd, "w")
                super().emit(record)

            def close(self):
                if self.stream:
                    self.stream.close()
                    self.stream = None
                super().close()

        class TorchLogsFormatter(logging.Formatter):
            def __init__(self, *, trace=False):
                super().__init__()
                assert trace

            def format(self, record):
                lines = f"V1121 00:04:31.983000 {record.process} torch/x.py:1] {json.dumps(record.metadata)}"
                return lines + "".join("\\n\\t" + line for line in (record.payload or "").split("\\n") if record.payload)

        def _track_handler(handler):
            return handler

        def trace(metadata, payload=None):
            if trace_log.handlers:
                if payload is not None:
                    metadata = {**metadata, "has_payload": hashlib.md5(payload.encode()).hexdigest()}
                trace_log.debug("", extra={"metadata": metadata, "payload": payload})

        def compiled(code, frame, versions, graph_break):
            from .structured import intern_string
            ids = {"frame_id": frame, "frame_compile_id": len(versions) - 1, "attempt": 0}
            place = {"line": code.co_firstlineno, "name": code.co_name, "filename": intern_string(code.co_filename)}
            trace({"dynamo_start": {"stack": [place]}, **ids})
            if len(versions) > 1:
                reason = f"{frame}/{len(versions) - 2}: tensor 'x' size mismatch at index 0. expected {versions[-2]}, actual {versions[-1]}"
                trace({"artifact": {"name": "recompile_reasons", "encoding": "json"}, **ids}, json.dumps([reason]))
            if graph_break:
                text = f"Graph break in user code at {code.co_filename}:{code.co_firstlineno + 1}\\nGraph Break Reason: Call to `torch._dynamo.graph_break()`"
                trace({"artifact": {"name": "dynamo_graph_break_reason", "encoding": "string"}, **ids}, text)
            metrics = {"compile_id": f"{frame}/{len(versions) - 1}", "co_name": code.co_name, "co_filename": code.co_filename,
                       "co_firstlineno": code.co_firstlineno, "graph_op_count": 1, "duration_us": 1000, "start_time": 1.0}
            trace({"compilation_metrics": metrics, **ids})

        def _init_logs():
            global LOG_TRACE_HANDLER
            if LOG_TRACE_HANDLER is None:
                LOG_TRACE_HANDLER = LazyTraceHandler(os.environ.get("TORCH_TRACE"))
            trace_log.setLevel(logging.DEBUG)
            LOG_TRACE_HANDLER.setFormatter(TorchLogsFormatter(trace=True))
            trace_log.addHandler(LOG_TRACE_HANDLER)

        _init_logs()
    """,
}


def install(folder: Path) -> Path:
    """Writes the package; the folder belongs on PYTHONPATH."""
    import textwrap

    for name, text in FILES.items():
        file = folder / "torch" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(text), encoding="utf-8")
    return folder
