"""Forward hooks that are added and removed, submodules that are replaced, and buffers that are registered between calls."""
import torch

net = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.ReLU())
fast = torch.compile(net, backend="eager")
x = torch.ones(2, 3)
fast(x)
handle = net[0].register_forward_hook(lambda m, a, out: out + 1)
fast(x)
handle.remove()
net[1] = torch.nn.Sigmoid()
fast(x)
net.append(torch.nn.Linear(3, 2))
fast(x)
net[0].bias = None
fast(x)
