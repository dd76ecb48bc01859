"""Generator and discriminator trained in turns, in one compiled step function with a flag."""
import torch

torch.manual_seed(0)
gen, dis = torch.nn.Linear(2, 4), torch.nn.Linear(4, 1)
opts = [torch.optim.Adam(m.parameters(), lr=0.1) for m in (gen, dis)]


@torch.compile(backend="aot_eager")
def loss(z, real, generator):
    fake = gen(z)
    if generator:
        return torch.nn.functional.softplus(-dis(fake)).mean()
    return torch.nn.functional.softplus(dis(fake.detach())).mean() + torch.nn.functional.softplus(-dis(real)).mean()


for step in range(4):
    batch = 2 if step < 3 else 3
    for flag, opt in ((False, opts[1]), (True, opts[0])):
        opt.zero_grad()
        loss(torch.randn(batch, 2), torch.randn(batch, 4), flag).backward()
        opt.step()
for p in dis.parameters():
    p.requires_grad_(False)
loss(torch.randn(3, 2), torch.randn(3, 4), True).backward()
