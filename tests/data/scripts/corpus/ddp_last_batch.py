"""DDP with gloo on two ranks: the last batch of rank 1 is smaller, and then both ranks evaluate: each recompiles `forward` for that, the
one as its first recompile and the other as its second."""
import torch
from dist_common import launch
from torch.nn.parallel import DistributedDataParallel as DDP


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = torch.nn.Linear(8, 8), torch.nn.Linear(8, 2)

    def forward(self, x):
        return self.b(torch.dropout(self.a(x).relu(), 0.1, self.training))


def main(rank, world):
    torch.manual_seed(0)
    model = torch.compile(DDP(Net()), backend="aot_eager")
    for size in (8, 8, 8 - 2 * rank):
        model(torch.randn(size, 8)).sum().backward()
    model.eval()
    with torch.no_grad():
        model(torch.randn(8, 8))


if __name__ == "__main__":
    launch(main, 2)
