# A line of Python that tests each length of a list, whose outcomes make more versions than the limit allows; the same with
# tensor operations; a line that tests one item alone; and operators that have conditions on the items.
import torch

compiled = torch.compile(backend="aot_eager")
table = torch.randn(3, 4)


@compiled
def bucketed(x, lens):
    rows = []
    for i, n in enumerate(lens):
        rows.append(x[i] + table[0 if n < 3 else 1 if n < 6 else 2])
    return torch.stack(rows)


@compiled
def indexed(x, lens):
    return x + table[(lens >= 3).long() + (lens >= 6).long()]


@compiled
def first_alone(x, lens):
    return x * 2 if lens[0] > 4 else x * 3


@compiled
def sliced(x, ends):
    return [x[:, : ends[0]] + 1, x[: ends[1]] * 2, x[ends[1] :, ends[0] :]]


generator = torch.Generator().manual_seed(0)
for step in range(12):
    lens = torch.randint(1, 9, (4,), generator=generator)
    bucketed(torch.randn(4, 4), lens.tolist())
    indexed(torch.randn(4, 4), lens)
    first_alone(torch.randn(4, 4), lens.tolist())
    sliced(torch.randn(6, 6), lens[:2].tolist())
