"""What users of a GPU call inside of a compiled training step: a timer with CUDA events, a stream, an NVTX range, memory statistics, `.item()`, and `.cpu().numpy()`."""

import torch

losses = []
side = torch.cuda.Stream()


@torch.compile
def timed(x, w):
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    start.record()
    y = (x @ w).relu()
    end.record()
    torch.cuda.synchronize()
    return y, start.elapsed_time(end)


@torch.compile
def streams(x):
    with torch.cuda.stream(side):
        y = x.sin()
    torch.cuda.current_stream().wait_stream(side)
    return y + 1


@torch.compile
def marked(x):
    torch.cuda.nvtx.range_push("square")
    y = x * x
    torch.cuda.nvtx.range_pop()
    return y.sum()


@torch.compile
def logged(x):
    loss = (x * x).mean()
    if loss > 1000:
        print("large", torch.cuda.memory_allocated())
    losses.append(loss.item())
    return loss * 2


@torch.compile
def exported(x):
    rows = (x * 2).cpu().numpy()
    return torch.from_numpy(rows).cuda() + 1


x = torch.randn(32, 32, device="cuda")
for _ in range(3):
    for call in (lambda: timed(x, x), lambda: streams(x), lambda: marked(x), lambda: logged(x), lambda: exported(x)):
        try:
            call()
        except Exception as e:
            print(type(e).__name__, str(e)[:200])
torch.cuda.synchronize()
