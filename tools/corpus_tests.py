#!/usr/bin/env python3
"""Runs each test method of a file of PyTorch's tests in a process of its own, so that each has a log: corpus_tests.py TEST.py.

Called by tools/corpus.sh in the folder of the file, with TORCH_TRACE and CORPUS_LIMIT, the seconds for all methods. The module is
imported once; each method runs in a fork, and its log is in a folder of TORCH_TRACE that has its name. Whether a test passes does not
matter here: its log does.
"""
import importlib
import os
import random
import signal
import sys
import time
import unittest

METHOD_S = 60


def methods(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from methods(test)
        else:
            yield test


def log_to(folder):
    """The handler of structured logs opens its file at the first record."""
    from torch._logging import _internal

    os.environ["TORCH_TRACE"] = folder  # for programs that the test starts
    for handler in _internal.trace_log.handlers:
        handler.root_dir = folder


def warm_up():
    """Loads once what each method would load at its first compile."""
    import torch
    import torch._inductor.compile_fx
    from torch._dynamo import funcname_cache
    from torch._logging import _internal, structured

    handlers, _internal.trace_log.handlers = _internal.trace_log.handlers, []
    torch.compile(lambda x: x + 1, backend="aot_eager")(torch.ones(2))
    torch._dynamo.reset()
    structured.INTERN_TABLE.clear()
    _internal.trace_log.handlers = handlers
    for module in list(sys.modules.values()):
        if (getattr(module, "__file__", None) or "").startswith(os.getcwd()):
            funcname_cache.get_funcname(module.__file__, 1)  # reads the whole file


def run(test, folder):
    log_to(os.path.join(folder, test.id().removeprefix("__main__.")))
    signal.alarm(METHOD_S)
    result = unittest.TestResult()
    test.run(result)
    said = "skipped" if result.skipped else "passed" if result.wasSuccessful() else "failed"
    print(test.id(), said, flush=True)


def main():
    sys.path[:0] = [os.getcwd(), os.path.dirname(os.getcwd())]
    sys.argv = sys.argv[1:]
    folder = os.environ["TORCH_TRACE"]
    end = time.monotonic() + int(os.environ.get("CORPUS_LIMIT", "600"))
    module = importlib.import_module(os.path.basename(sys.argv[0]).removesuffix(".py"))
    tests = list(methods(unittest.defaultTestLoader.loadTestsFromModule(module)))
    warm_up()
    random.Random(0).shuffle(tests)  # a limit on time should not leave out whole classes
    for number, test in enumerate(tests):
        if time.monotonic() > end:
            print(f"{len(tests) - number} methods were not run", flush=True)
            break
        child = os.fork()
        if not child:
            try:
                os.setpgid(0, 0)  # so that what it starts ends with it
                run(test, folder)
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        try:
            os.killpg(child, signal.SIGKILL)
        except ProcessLookupError:
            pass


if __name__ == "__main__":
    main()
