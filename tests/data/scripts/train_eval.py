"""One module under train, eval, no_grad, inference_mode and autocast: recompiles for the state around it."""
import torch
import torch._dynamo


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = torch.nn.Linear(4, 4)
        self.drop = torch.nn.Dropout(0.5)

    def forward(self, x):
        return self.drop(self.lin(x)).relu()


net = Net()
compiled = torch.compile(net, backend="eager")


@torch.compile(backend="aot_eager")
def scale(x, w):
    return (x @ w).tanh()


x = torch.ones(2, 4)
w = torch.ones(4, 4, requires_grad=True)

net.train()
compiled(x)
net.eval()
compiled(x)
net.train()
compiled(x)
net.eval()
with torch.no_grad():
    compiled(x)
    with torch.enable_grad():
        compiled(x)
with torch.inference_mode():
    compiled(x)

scale(x, w)
with torch.no_grad():
    scale(x, w)
with torch.autocast("cpu", dtype=torch.bfloat16):
    scale(x, w)
scale(x, w)
with torch.inference_mode():
    scale(x, w)
torch.set_default_dtype(torch.float64)
scale(x, w)
torch.set_default_dtype(torch.float32)
torch.use_deterministic_algorithms(True)
scale(x, w)
torch.use_deterministic_algorithms(False)
torch.set_num_threads(1)
scale(x, w)
