"""Operators whose results have as many rows as the data says, with two ways in which a fake implementation says so."""
import torch


def positive(x):
    return x[x > 0].clone()


old = torch.library.custom_op("demo::old_rows", positive, mutates_args=(), schema="(Tensor x) -> Tensor")
new = torch.library.custom_op("demo::new_rows", positive, mutates_args=(), schema="(Tensor x) -> Tensor")
old.register_fake(lambda x: x.new_empty(torch.library.get_ctx().create_unbacked_symint()))
new.register_fake(lambda x: x.new_empty(torch.library.get_ctx().new_dynamic_size()))


@torch.compile(backend="aot_eager")
def first(x):
    return old(x) * 2


@torch.compile(backend="aot_eager")
def second(x):
    return new(x) * 2


for x in (torch.ones(4), torch.zeros(4)):
    first(x), second(x)
