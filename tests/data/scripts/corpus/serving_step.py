"""A step of a server: requests as dataclasses, optional tensors, options in a dictionary, and modes that callers set."""
import contextlib
import dataclasses

import torch

LOGGING = False


@dataclasses.dataclass
class Request:
    tokens: torch.Tensor
    mask: torch.Tensor | None = None
    temperature: float = 1.0
    top: int = 4


@dataclasses.dataclass(frozen=True)
class Options:
    greedy: bool = False
    stop: tuple = ()


@contextlib.contextmanager
def default_dtype(dtype):
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    yield
    torch.set_default_dtype(before)


@torch.compile(backend="eager")
def serve(request, options, *extra, bias=None):
    logits = request.tokens.float() / request.temperature
    if request.mask is not None:
        logits = logits.masked_fill(request.mask, -1e9)
    if bias is not None:
        logits = logits + bias
    for tensor in extra:
        logits = logits + tensor
    if LOGGING:
        logits = logits * 1.0
    if options.greedy:
        return logits.argmax(-1)
    return logits.topk(request.top).values.softmax(-1)[..., len(options.stop) :]


def tokens(batch, vocabulary=16):
    return torch.ones(batch, vocabulary)


plain = Options()
with torch.no_grad():
    for batch in (2, 3, 4):
        serve(Request(tokens(batch)), plain)
    serve(Request(tokens(3), mask=torch.zeros(3, 16, dtype=torch.bool)), plain)
    serve(Request(tokens(5), mask=torch.zeros(5, 16, dtype=torch.bool)), Options(greedy=True))
    for temperature in (0.7, 0.8):
        serve(Request(tokens(3), temperature=temperature), plain)
    serve(Request(tokens(3), top=5), plain)
    serve(Request(tokens(3), top=6), plain)
with torch.inference_mode():
    serve(Request(tokens(3)), plain)
with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
    serve(Request(tokens(3)), plain)
with torch.no_grad(), default_dtype(torch.float64):
    serve(Request(tokens(3)), plain)
torch._dynamo.reset()
with torch.no_grad():
    serve(Request(tokens(4)), plain)
    serve(Request(tokens(4)), plain, bias=torch.ones(16))
    serve(Request(tokens(4)), plain, torch.ones(16))
    serve(Request(tokens(4)), plain, torch.ones(16), torch.ones(16), bias=torch.ones(16))
    LOGGING = True
    serve(Request(tokens(4)), plain)
    serve(Request(tokens(4)), Options(stop=(1, 2)))
    serve(Request(tokens(6)), Options(stop=(1, 2, 3)))
