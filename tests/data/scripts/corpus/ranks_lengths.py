"""Two ranks: only rank 0 is verbose, which is another branch; each reads a batch of another length, and then rank 0 alone a smaller one."""
import torch
from dist_common import launch


class Tagger(torch.nn.Module):
    def __init__(self, verbose):
        super().__init__()
        self.head = torch.nn.Linear(3, 5)
        self.verbose = verbose

    def forward(self, x, mask):
        y = self.head((x * mask[..., None]).sum(1))
        if self.verbose:
            y = y - y.mean()
        return y


def main(rank, world):
    model = Tagger(rank == 0)

    @torch.compile(backend="eager")
    def loss(x, mask, y):
        out = model(x, mask)
        torch._dynamo.graph_break()
        return torch.nn.functional.cross_entropy(out, y)

    for length in (6, 8 + rank):
        loss(torch.ones(4, length, 3), torch.ones(4, length), torch.zeros(4, dtype=torch.int64))
    if rank == 0:
        loss(torch.ones(2, 8, 3), torch.ones(2, 8), torch.zeros(2, dtype=torch.int64))


if __name__ == "__main__":
    launch(main, 2)
