"""An operator without a fake implementation in a checkpointed part: its frame fails at each call, and the program goes on."""
import torch
from torch.utils.checkpoint import checkpoint


@torch.library.custom_op("demo::scaled", mutates_args=())
def scaled(x: torch.Tensor) -> torch.Tensor:
    return x * 2


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a = torch.nn.Linear(4, 4)

    def block(self, x):
        return scaled(self.a(x))

    def forward(self, x):
        y = x + 1
        torch._dynamo.graph_break()
        return checkpoint(self.block, y, use_reentrant=False).sum()


net = Net()
fast = torch.compile(net, backend="aot_eager")
for batch in (2, 2, 3):
    try:
        fast(torch.ones(batch, 4))
    except RuntimeError:
        net(torch.ones(batch, 4))
