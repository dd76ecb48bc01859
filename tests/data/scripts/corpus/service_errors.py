"""A service that catches what its compiled handlers raise: a missing key, an exception of its own, an assertion, torch._check, a wrong
shape, and a call of a function that cannot be traced whole."""
import torch


class Refused(Exception):
    pass


@torch.compile(backend="eager")
def route(x, request):
    if request["user"] == "guest":
        raise Refused("guests may not")
    return x * request["weight"]


@torch.compile(backend="eager")
def checked(x, limit):
    assert x.shape[0] <= limit, "too long"
    torch._check(x.shape[1] == 4, lambda: f"expected 4 columns, got {x.shape[1]}")
    return x.sum(1)


@torch.compile(backend="eager", fullgraph=True)
def whole(x):
    if x.sum() > 0:
        return x.sin()
    return x.cos()


@torch.compile(backend="eager")
def matched(x, w):
    return torch.nn.functional.layer_norm(x @ w, (4,))


def serve(handler, *request):
    try:
        handler(*request)
    except Exception as error:
        print(type(error).__name__)


x = torch.ones(3, 4)
serve(route, x, {"user": "a", "weight": 2})
serve(route, x, {"user": "guest", "weight": 2})
serve(route, x, {"user": "a"})
serve(route, x, {"user": "b", "weight": 3})
for rows, columns in ((3, 4), (9, 4), (3, 5)):
    serve(checked, torch.ones(rows, columns), 8)
serve(whole, x)
serve(matched, x, torch.ones(4, 4))
serve(matched, x, torch.ones(5, 4))
