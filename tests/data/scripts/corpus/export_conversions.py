# Exports that convert numbers of tensors with int(), float() and range(), and one that uses them as they are.
import torch


class Crop(torch.nn.Module):
    def forward(self, x, n):
        k = int(n)
        return x[:k] * 2


class Scale(torch.nn.Module):
    def forward(self, x, n):
        return x / float(x.max().item())


class Steps(torch.nn.Module):
    def forward(self, x, n):
        for step in range(n.item()):
            x = x + step
        return x


class Both(torch.nn.Module):
    def forward(self, x, n):
        k = n.item()
        torch._check(k >= 0)
        torch._check(k <= x.shape[0])
        return x[:k] / x.max().item()


for model in Crop(), Scale(), Steps(), Both():
    try:
        torch.export.export(model, (torch.ones(10, 4), torch.tensor(3)), strict=False)
        print(type(model).__name__, "exported")
    except Exception as error:
        print(type(model).__name__, type(error).__name__)
