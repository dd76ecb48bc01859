"""Errors that a program meets and handles: shapes that do not fit in the user's code, fullgraph=True with a break that is retried without it, ValueError raised in the compiled function, and a global counter that meets the recompile limit."""

import torch

STEP = 0


def project(x, weight):
    return (x @ weight).relu()


def logged(x):
    y = x.sin()
    print("mean", y.mean().item())
    return y.cos()


def checked(x, low):
    if x.shape[0] < low:
        raise ValueError(f"needs {low} rows, has {x.shape[0]}")
    return x.sum()


def counted(x):
    global STEP
    STEP += 1
    return x * STEP


def main():
    compiled = torch.compile(project, backend="eager")
    for rows in (4, 5, 4):
        try:
            print("project", compiled(torch.randn(2, 4), torch.randn(rows, 3)).shape)
        except RuntimeError as error:
            print("project", rows, type(error).__name__, str(error).splitlines()[0])
    try:
        torch.compile(logged, backend="eager", fullgraph=True)(torch.ones(3))
    except torch._dynamo.exc.Unsupported as error:
        print("fullgraph:", str(error).splitlines()[0])
        print("retried", torch.compile(logged, backend="eager")(torch.ones(3)).sum().item())
    compiled = torch.compile(checked, backend="eager")
    for rows in (4, 1, 4):
        try:
            print("checked", compiled(torch.ones(rows, 2), 3).item())
        except ValueError as error:
            print("checked", error)
    compiled = torch.compile(counted, backend="eager")
    for _ in range(12):
        compiled(torch.ones(2))
    print("counted", STEP)


main()
