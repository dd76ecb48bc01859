"""The sitecustomize of `tlparse run --profile N`, which calls profile_recorder.py when torch is imported.

It is on PYTHONPATH, so each Python of the run executes it, and it must stay short: until torch is imported, it is one
finder on sys.meta_path. The program must not notice it: nothing here prints or raises.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


class Finder:
    """Calls a function when a module has been executed."""

    def __init__(self, actions):
        self.actions = actions

    def find_spec(self, name, path=None, target=None):
        if name not in self.actions:
            return None
        for finder in list(sys.meta_path):
            find = None if finder is self else getattr(finder, "find_spec", None)
            spec = find and find(name, path, target)
            if spec:
                self.watch(name, spec.loader)
                return spec
        return None

    def watch(self, name, loader):
        execute = getattr(loader, "exec_module", None)

        def exec_module(module):
            del loader.exec_module
            execute(module)
            self.actions.pop(name)(module)

        try:
            loader.exec_module = exec_module
        except AttributeError:
            pass


def on_torch(torch):
    try:
        from importlib.util import module_from_spec, spec_from_file_location

        spec = spec_from_file_location("tlparse_recorder", os.path.join(HERE, "tlparse_recorder.py"))
        recorder = module_from_spec(spec)
        spec.loader.exec_module(recorder)
        recorder.begin(torch, actions)
    except Exception:  # the run was removed
        pass


def chain():
    """Executes the user's own sitecustomize, which this one hides."""
    this = sys.modules.pop("sitecustomize")
    sys.path[:] = [path for path in sys.path if path != HERE]
    try:
        import sitecustomize  # noqa: F401
    except ImportError as error:
        if error.name != "sitecustomize":
            raise
        sys.modules["sitecustomize"] = this


if __name__ == "sitecustomize":
    actions = {"torch": on_torch}
    sys.meta_path.insert(0, Finder(actions))
    chain()
