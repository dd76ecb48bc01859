"""Guard checks on many modules beside little work, and a function that only runs before the profile."""
import torch
from common import recorded, with_kernel_events

with_kernel_events()


class Deep(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential(*[layer for _ in range(40) for layer in (torch.nn.Linear(8, 8), torch.nn.ReLU())])

    def forward(self, x):
        return self.layers(x)


@torch.compile
def only_before(x):
    return x.sin() + 1


def main(name, options):
    net = torch.compile(Deep(), options=options)
    x = torch.randn(4, 8)
    with torch.no_grad():
        only_before(x)
        for _ in range(20):
            net(x)
        recorded(name, lambda i: net(x), steps=6)


if __name__ == "__main__":
    main("guards", {})
