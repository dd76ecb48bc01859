"""Rows chosen by a mask, captured with capture_dynamic_output_shape_ops; the function that gets them tests how many there are."""
import torch

torch._dynamo.config.capture_dynamic_output_shape_ops = True


def normalized(rows):
    if rows.numel() == 0:
        return rows
    return rows / rows.sum()


@torch.compile(backend="aot_eager")
def chosen(x, keep):
    return normalized(x[keep])


for count in (3, 0, 1):
    keep = torch.arange(8) < count
    chosen(torch.ones(8, 4), keep)
