"""Saves a profile beside the log, with the totals that PyTorch's own `key_averages()` gives."""

import json
import os


def save(prof):
    folder = os.environ.get("TORCH_TRACE", ".")
    prof.export_chrome_trace(os.path.join(folder, "profile.json.gz"))
    rows = [{"name": e.key, "count": e.count, "cpu_us": e.cpu_time_total, "self_cpu_us": e.self_cpu_time_total, "device_us": e.device_time_total, "self_device_us": e.self_device_time_total} for e in prof.key_averages()]
    with open(os.path.join(folder, "key_averages.json"), "w") as f:
        json.dump(rows, f, indent=0)
