"""Compiles that fail in Inductor, each with an exception of another kind, and one whose result is wrong: all with operators and settings of PyTorch alone."""
import torch
from torch._inductor import config


def attempt(title, function, *arguments, **settings):
    torch._dynamo.reset()
    with config.patch(settings):
        try:
            torch.compile(function, fullgraph=True)(*arguments)
            print(title, "runs")
        except Exception as error:
            print(title, type(error).__name__, str(error).splitlines()[0])


def broken_code(x):
    return torch.relu(x) + 1


def no_compiler(x):
    return torch.sin(x) * 2


def no_choice(x, y):
    return x @ y


def wrong_result(x):
    return torch.relu(x - 1) * 3


x = torch.linspace(-2, 2, 32).reshape(4, 8)
attempt("C++ that does not compile:", broken_code, x, **{"cpp.inject_relu_bug_TESTING_ONLY": "compile_error"})
attempt("no C++ compiler:", no_compiler, x, **{"cpp.cxx": ("no-such-compiler",)})
attempt("no way to compute:", no_choice, x, x.t().contiguous(), max_autotune=True, max_autotune_gemm_backends="TRITON")
attempt("wrong result:", wrong_result, x, **{"cpp.inject_relu_bug_TESTING_ONLY": "accuracy"})
