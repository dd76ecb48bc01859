"""The same errors with suppress_errors off, on, and with fullgraph=True."""
import torch


def backend(gm, inputs):
    raise NotImplementedError("no kernel for this device")


def breaks(x):
    print("break")
    return x + 1


def mismatch(x, y):
    return x @ y


def branches(x):
    return torch.cond(x.sum() > 0, lambda x: x[:2], lambda x: x[:3], (x,))


def data(x):
    n = x.sum().item()
    if n > 3:
        return x + 1
    return x


@torch.library.custom_op("fails::no_fake", mutates_args=())
def no_fake(x: torch.Tensor) -> torch.Tensor:
    return x.clone()


@torch.library.custom_op("fails::wrong_fake", mutates_args=())
def wrong_fake(x: torch.Tensor) -> torch.Tensor:
    return x.clone()


@wrong_fake.register_fake
def _(x):
    raise TypeError("the fake kernel is broken")


def calls_no_fake(x):
    return no_fake(x) + 1


def calls_wrong_fake(x):
    return wrong_fake(x) + 1


def raises(x):
    raise ValueError("the user's")


class Fn(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.sin()

    @staticmethod
    def backward(ctx, g):
        raise RuntimeError("error in the backward")


def bad_backward(x):
    return Fn.apply(x).sum()


x = torch.ones(4)


def run(name, fn, args, **options):
    options.setdefault("backend", "aot_eager")
    for fullgraph in (False, True):
        for suppress in (False, True):
            torch._dynamo.reset()
            torch._dynamo.config.suppress_errors = suppress
            try:
                result = torch.compile(fn, fullgraph=fullgraph, **options)(*args)
                if name == "bad_backward":
                    result.backward()
                print("RESULT", name, "fullgraph", fullgraph, "suppress", suppress, "ok")
            except Exception as e:
                print("RESULT", name, "fullgraph", fullgraph, "suppress", suppress, "raised", type(e).__name__, str(e).splitlines()[:1])


run("simple_backend", lambda x: x + 1, (x,), backend=backend)
run("breaks", breaks, (x,))
run("mismatch", mismatch, (torch.ones(2, 3), torch.ones(4, 5)))
run("branches", branches, (x,))
run("data", data, (x,))
run("calls_no_fake", calls_no_fake, (x,))
run("calls_wrong_fake", calls_wrong_fake, (x,))
run("raises", raises, (x,))
run("bad_backward", bad_backward, (x.requires_grad_(),))
