"""Exceptions that compiled functions catch, pass on or replace; generators and context managers with breaks; try/finally around them."""
import contextlib
import torch


class Closed(Exception):
    pass


def check(x, limit):
    if x.shape[0] > limit:
        raise Closed(f"{x.shape[0]} rows")
    return x + limit


@torch.compile(backend="eager")
def handles(x):
    try:
        return check(x, 2)
    except Closed:
        return x * 2


@torch.compile(backend="eager")
def replaces(x):
    try:
        return check(x, 2)
    except Closed as error:
        raise RuntimeError("too many") from error


@torch.compile(backend="eager")
def cleans_up(x, out):
    try:
        x = check(x, 9).sin()
    finally:
        out.append(x.shape[0])
    return x


@torch.compile(backend="eager")
def breaks_in_try(x):
    x = x.exp()
    try:
        print("step")
        x = check(x, 2)
    except Closed:
        x = x.cos()
    return x


@contextlib.contextmanager
def section(log):
    log.append("in")
    try:
        yield
    finally:
        log.append("out")


@torch.compile(backend="eager")
def managed(x, log):
    with section(log):
        x = x.tan()
        torch._dynamo.graph_break()
        x = x + 1
    return x


@torch.compile(backend="eager")
def no_grad_break(x):
    with torch.no_grad():
        x = x.sin()
        torch._dynamo.graph_break()
        x = x.cos()
    return x * 2


def rows(x):
    for i in range(x.shape[0]):
        if i == 2:
            torch._dynamo.graph_break()
        yield x[i] * i


@torch.compile(backend="eager")
def collects(x):
    return torch.stack(list(rows(x)))


@torch.compile(backend="eager")
def stops_early(x):
    total = x.sum()
    for row in rows(x):
        total = total + row.sum()
        break
    return total


@torch.compile(backend="eager")
def looks_up(x, table):
    try:
        return x * table["scale"]
    except KeyError:
        return x


def attempt(f, *args):
    try:
        f(*args)
        print(f.__name__, "returned")
    except Exception as error:
        print(f.__name__, "raised", type(error).__name__)


x = torch.ones(3, 2)
for f, args in ((handles, (x,)), (replaces, (x,)), (cleans_up, (x, [])), (breaks_in_try, (x,)), (managed, (x, [])), (no_grad_break, (x,)),
                (collects, (x,)), (stops_early, (x,)), (looks_up, (x, {})), (handles, (torch.ones(1, 2),)), (replaces, (torch.ones(1, 2),))):
    attempt(f, *args)
