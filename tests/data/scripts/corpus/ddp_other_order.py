"""DDP with gloo on two ranks: both meet a smaller batch and evaluate, but rank 1 evaluates first: equal recompiles in another order. Rank
1 alone then gets a batch of doubles."""
import torch
from dist_common import launch
from torch.nn.parallel import DistributedDataParallel as DDP


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = torch.nn.Linear(8, 8), torch.nn.Linear(8, 2)

    def forward(self, x):
        return self.b(torch.dropout(self.a(x.float()).relu(), 0.1, self.training))


def main(rank, world):
    torch.manual_seed(0)
    model = torch.compile(DDP(Net()), backend="aot_eager")

    def train(x):
        model.train()
        model(x).sum().backward()

    def evaluate(x):
        model.eval()
        with torch.no_grad():
            model(x)

    x = torch.randn(8, 8)
    train(x)
    for part in (lambda: train(x[:6]), lambda: evaluate(x))[:: -1 if rank else 1]:
        part()
    train(x.double() if rank else x)


if __name__ == "__main__":
    launch(main, 2)
