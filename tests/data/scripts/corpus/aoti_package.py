"""Export, package with AOTInductor, load, and call at two batch sizes, beside a compiled function."""
import torch
from torch.export import Dim, export

torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU()).eval()
program = export(net, (torch.randn(3, 4),), dynamic_shapes={"input": {0: Dim("n", min=1, max=32)}})
path = torch._inductor.aoti_compile_and_package(program, package_path="/tmp/net.pt2")
loaded = torch._inductor.aoti_load_package(path)
loaded(torch.randn(3, 4))


@torch.compile(backend="eager")
def after(x):
    return x.sum()


after(loaded(torch.randn(5, 4)))
after(loaded(torch.randn(7, 4)))
