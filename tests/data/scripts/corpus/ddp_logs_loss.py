"""DDP with gloo on two ranks: the model logs in a loop over its blocks, so its forward cannot be split; one block is compiled alone;
an error of the program in a later step is caught."""
import torch
from dist_common import launch
from torch.nn.parallel import DistributedDataParallel as DDP


class Block(torch.nn.Module):
    def __init__(self, n):
        super().__init__()
        self.n, self.lin = n, torch.nn.Linear(n, n)

    def forward(self, x):
        if x.shape[-1] != self.n:
            raise ValueError(f"{x.shape[-1]} features, not {self.n}")
        return self.lin(x).relu()


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = torch.nn.ModuleList(Block(8) for _ in range(2))
        self.seen = []

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
            self.seen.append(x.sum().item())
        return x


def main(rank, world):
    torch.manual_seed(0)
    model = torch.compile(DDP(Net()), backend="aot_eager")
    for width in (8, 8, 6):
        try:
            model(torch.randn(4, width)).sum().backward()
        except ValueError as error:
            print(rank, error)


if __name__ == "__main__":
    launch(main, 2)
