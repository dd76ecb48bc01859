"""Two networks, each with an optimizer, trained in compiled steps; and a network that gets a new optimizer for each task."""
import torch

torch.manual_seed(0)
gen, dis = torch.nn.Linear(3, 2), torch.nn.Linear(2, 1)
opts = {"gen": torch.optim.SGD(gen.parameters(), lr=0.1), "dis": torch.optim.SGD(dis.parameters(), lr=0.1)}
kept = []


@torch.compile(backend="eager")
def dis_step(z):
    dis(gen(z).detach()).mean().backward()
    opts["dis"].step()


@torch.compile(backend="eager")
def gen_step(z):
    dis(gen(z)).mean().neg().backward()
    opts["gen"].step()


@torch.compile(backend="eager")
def adapt(opt):
    opt.step()


@torch.compile(backend="eager")
def finish(opt):
    opt.step()


def main():
    for _ in range(3):
        dis_step(torch.randn(4, 3))
        gen_step(torch.randn(4, 3))
    for _ in range(3):
        net = torch.nn.Linear(2, 2)
        net(torch.randn(2, 2)).sum().backward()
        kept.append(torch.optim.RMSprop(net.parameters(), lr=0.1))
        adapt(kept[-1])
    finish(opts["dis"])
    finish(opts["gen"])


main()
