"""suppress_errors with fullgraph=True: what raised, and a fallback that the program calls then; and what runs on eagerly."""
import torch

torch._dynamo.config.suppress_errors = True


def failing_backend(graph, inputs):
    raise KeyError("kernel")


def part(x):
    return x.sin()


@torch.compile(backend=failing_backend, fullgraph=True)
def whole(x):
    return part(x + 1)


@torch.compile(backend=failing_backend)
def pieces(x):
    return part(x + 2)


compiled_part = torch.compile(part, backend="eager")


def fallback(x):
    return compiled_part(x + 1)


def step(x):
    try:
        return whole(x)
    except Exception as error:
        print("whole raised", type(error).__name__)
        return compiled_part(x + 1)


def other_step(x):
    return pieces(x)


step(torch.ones(4))
other_step(torch.ones(4))
try:
    whole(torch.ones(4, dtype=torch.float64))
except Exception as error:
    fallback(torch.ones(4, dtype=torch.float64))
