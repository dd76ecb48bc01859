"""Custom operators without a formula for the backward, and with a size that depends on data, by which the code branches."""
import torch


@torch.library.custom_op("shop::smooth", mutates_args=())
def smooth(x: torch.Tensor) -> torch.Tensor:
    return x / 2


@smooth.register_fake
def _(x):
    return torch.empty_like(x)


@torch.library.custom_op("shop::distinct", mutates_args=())
def distinct(x: torch.Tensor) -> torch.Tensor:
    return torch.unique(x)


@distinct.register_fake
def _(x):
    return x.new_empty(torch.library.get_ctx().new_dynamic_size())


def train(x):
    return smooth(x * 2).relu().sum()


def padded(x):
    found = distinct(x)
    if found.shape[0] < 8:
        found = torch.cat([found, found.new_zeros(8 - found.shape[0])])
    return found


def limited(x):
    found = distinct(x)
    if found.shape[0] > 8: raise ValueError("too many")
    return found * 2


def cropped(x):
    found = distinct(x)
    return found[:8] if found.shape[0] > 8 else found


def flagged(x):
    found = distinct(x)
    many = found.shape[0] >= 4 and x.shape[0] >= 2
    return found, many


def attempt(function, x):
    try:
        torch.compile(function, backend="aot_eager", fullgraph=True)(x)
    except Exception as error:
        print(type(error).__name__)


attempt(train, torch.ones(3, 4, requires_grad=True))
attempt(padded, torch.arange(5))
attempt(limited, torch.arange(5))
attempt(cropped, torch.arange(5))
attempt(flagged, torch.arange(5))
