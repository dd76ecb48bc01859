"""Records a whole program, with what it compiles: whole.py PROGRAM, the path of another script."""
import os
import runpy
import sys

from torch.profiler import ProfilerActivity, profile

sys.path.insert(0, os.path.dirname(os.path.abspath(sys.argv[1])))
with profile(activities=[ProfilerActivity.CPU]) as prof:
    try:
        runpy.run_path(sys.argv[1], run_name="__main__")
    except Exception as error:  # noqa: BLE001
        print("ended by", type(error))
prof.export_chrome_trace(f"{os.environ['PROFILE_OUT']}/whole.json")
