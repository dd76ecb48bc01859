"""AOTInductor on a GPU: a model exported with a dynamic batch, packaged, loaded and run; then the same model with the C++ wrapper in torch.compile."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(32, 64), nn.Linear(64, 8)

    def forward(self, x):
        return self.fc2(torch.nn.functional.gelu(self.fc1(x))).softmax(-1)


net = Net().cuda().eval()
x = torch.randn(16, 32, device="cuda")
with torch.no_grad():
    program = torch.export.export(net, (x,), dynamic_shapes={"x": {0: torch.export.Dim("batch", min=2, max=1024)}})
    path = torch._inductor.aoti_compile_and_package(program)
    run = torch._inductor.aoti_load_package(path)
    print((run(torch.randn(5, 32, device="cuda"))).shape)
    fast = torch.compile(net, options={"cpp_wrapper": True})
    print(fast(x).shape)
torch.cuda.synchronize()
