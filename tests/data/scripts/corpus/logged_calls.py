"""A compiled function that logs, with a text that json makes: breaks at the logger, and inside of logging and json."""
import json
import logging

import torch

logging.basicConfig(level=logging.INFO, filename="/dev/null")
log = logging.getLogger("train")


@torch.compile(backend="aot_eager")
def step(x, n):
    h = x.relu()
    log.info("sizes %s", h.shape)
    y = h.sum(-1)
    text = json.dumps({"step": n, "rows": [1, 2]})
    log.info(text)
    return y * 2


for n in range(3):
    step(torch.randn(4, 8), n)
