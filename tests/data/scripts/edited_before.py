"""A program before an edit; edited_after.py is the same program afterwards. Both were recorded three times under the name edited.py."""
import torch


def normalize(x):
    return (x - x.mean()) / (x.std() + 1e-5)


def smooth(x, weight):
    return torch.nn.functional.relu(x @ weight) * 0.5


def report(x):
    y = x.sin()
    print("sum", y.sum().item() > 0)
    return y.cos()


def scale(x, factor):
    return x * factor


torch.manual_seed(0)
x, weight = torch.randn(8, 8), torch.randn(8, 8)
for function, arguments in ((normalize, (x,)), (smooth, (x, weight)), (report, (x,)), (scale, (x, 2.0)), (scale, (x, 3.0))):
    torch.compile(function)(*arguments)
