"""A sampler that is configured by nested dicts, frozen dataclasses, namespaces and default dicts; keys come, go and change."""
import collections
import dataclasses
import types
import torch


@dataclasses.dataclass(frozen=True)
class Limits:
    top: int = 4
    floor: float = 0.0


@torch.compile(backend="eager")
def sample(logits, config):
    logits = logits / config["model"].get("temperature", 1.0)
    if "top" in config:
        logits = logits.topk(config["top"]).values
    if config["penalty"]["kind"] == "presence":
        logits = logits - config["penalty"]["value"]
    return logits.softmax(-1)


@torch.compile(backend="eager")
def clip(x, limits, space):
    if space.enabled:
        x = x[: limits.top]
    return x.clamp(min=limits.floor) * space.scale


@torch.compile(backend="eager")
def count(x, seen):
    seen["calls"] += 1
    return x + len(seen)


x = torch.randn(8)
for model in ({}, {"temperature": 0.7}, {"temperature": 0.9}, {"temperature": 0.9, "seed": 1}):
    sample(x, {"model": model, "penalty": {"kind": "none"}})
sample(x, {"model": {}, "top": 3, "penalty": {"kind": "none"}})
sample(x, {"model": {}, "penalty": {"kind": "presence", "value": 2}})
sample(x, {"model": {}, "penalty": {"kind": "presence", "value": 5}})
for limits in (Limits(), Limits(top=2), Limits(floor=0.5)):
    clip(x, limits, types.SimpleNamespace(enabled=True, scale=2.0))
clip(x, Limits(), types.SimpleNamespace(enabled=False, scale=2.0))
clip(x, Limits(), types.SimpleNamespace(enabled=True, scale=0.5, note="half"))
seen = collections.defaultdict(int)
for key in ("a", "b", "c"):
    count(x, seen)
    seen[key] += 1
