"""DDP with gloo on two ranks: a graph break in the model, and batches whose size differs between the ranks."""
import torch
from dist_common import launch
from torch.nn.parallel import DistributedDataParallel as DDP


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = torch.nn.Linear(8, 8), torch.nn.Linear(8, 2)

    def forward(self, x):
        x = self.a(x).relu()
        torch._dynamo.graph_break()
        return self.b(x)


def main(rank, world):
    torch.manual_seed(0)
    model = torch.compile(DDP(Net()), backend="aot_eager")
    for step in range(3):
        model(torch.randn(4 + step * rank, 8)).sum().backward()


if __name__ == "__main__":
    launch(main, 2)
