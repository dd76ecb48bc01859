"""A physics-informed network: losses as numbers in a list that the compiled step appends to."""
import torch

net = torch.nn.Sequential(torch.nn.Linear(2, 16), torch.nn.Tanh(), torch.nn.Linear(16, 1))
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
losses = []


@torch.compile(backend="aot_eager")
def residual(xt):
    u = net(xt)
    loss = (u ** 2).mean()
    losses.append(loss.item())
    return loss * 1.0


for i in range(5):
    opt.zero_grad()
    residual(torch.rand(8, 2)).backward()
    opt.step()
print(len(losses))
