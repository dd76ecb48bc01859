"""A tensor subclass with a scale beside its data: its sizes, the dtype inside, and the scale's Python attributes change."""
import torch
from torch.utils._pytree import tree_map_only


class Scaled(torch.Tensor):
    @staticmethod
    def __new__(cls, data, scale, mode):
        return torch.Tensor._make_wrapper_subclass(cls, data.shape, dtype=scale.dtype, strides=data.stride())

    def __init__(self, data, scale, mode):
        self.data_, self.scale, self.mode = data, scale, mode

    def __tensor_flatten__(self):
        return ["data_", "scale"], {"mode": self.mode}

    @staticmethod
    def __tensor_unflatten__(inner, meta, size, stride):
        return Scaled(inner["data_"], inner["scale"], meta["mode"])

    @classmethod
    def __torch_dispatch__(cls, func, types, args, kwargs=None):
        plain = tree_map_only(Scaled, lambda s: s.data_.to(s.scale.dtype) * s.scale, (args, kwargs or {}))
        return func(*plain[0], **plain[1])


@torch.compile(backend="aot_eager")
def project(x, w):
    return torch.nn.functional.linear(x, w).relu()


def weight(rows, dtype=torch.int8, mode="row"):
    return Scaled(torch.randint(-8, 8, (rows, 8)).to(dtype), torch.rand(rows, 1), mode)


torch.manual_seed(0)
for rows in (4, 6, 9):
    project(torch.randn(2, 8), weight(rows))
project(torch.randn(2, 8), weight(4, torch.int16))
project(torch.randn(2, 8), weight(4, mode="column"))
project(torch.randn(2, 8), torch.randn(4, 8))
project(torch.randn(5, 8), torch.randn(4, 8))
