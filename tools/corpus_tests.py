#!/usr/bin/env python3
"""Runs each test method of a file of PyTorch's tests in a process of its own, so that each has a log: corpus_tests.py TEST.py.

Called by tools/corpus.sh in the folder of the file, with TORCH_TRACE and CORPUS_LIMIT, the seconds for all methods. The module is
imported once; each method runs in a fork. Whether a test passes does not matter here: its log does.
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


def main():
    sys.path[:0] = [os.getcwd(), os.path.dirname(os.getcwd())]
    sys.argv = sys.argv[1:]
    end = time.monotonic() + int(os.environ.get("CORPUS_LIMIT", "600"))
    module = importlib.import_module(os.path.basename(sys.argv[0]).removesuffix(".py"))
    tests = list(methods(unittest.defaultTestLoader.loadTestsFromModule(module)))
    random.Random(0).shuffle(tests)  # a limit on time should not leave out whole classes
    for number, test in enumerate(tests):
        if time.monotonic() > end:
            print(f"{len(tests) - number} methods were not run", flush=True)
            break
        child = os.fork()
        if not child:
            signal.alarm(METHOD_S)
            result = unittest.TestResult()
            test.run(result)
            print(test.id(), "passed" if result.wasSuccessful() else "failed", flush=True)
            os._exit(0)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main()
