"""The recorder of `tlparse run --profile N`: N steps of the program with torch.profiler.

profile_site.py calls begin() when torch has been imported. The program must not notice it: nothing here prints or raises,
and the compiler sees the same code. Traces go to the folder `profile` of the run, links to traces that the program
exports itself to `profile/own`, and what the user should know to note-PID.

A step is a step of an optimizer, seen by torch.optim's hook; in a program without one, it is a call of the compiled
function that is called first. A step ends, and the profile begins and ends, when the compiled function is called next:
Dynamo's hooks for the start of a call run outside of compiled code. The last step ends with its optimizer.
"""
import os

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "profile")
CALLS = 32  # without a step of the optimizer: it may be compiled, or accumulate gradients


def note(text):
    try:
        with open(os.path.join(FOLDER, f"note-{os.getpid()}"), "w", encoding="utf-8") as file:
            file.write(text + "\n")
    except OSError:
        pass


class Recorder:
    """Of this process: of its main thread, because PyTorch crashes if a thread ends with its profile, or another one stops it."""

    def __init__(self, torch, steps):
        import atexit
        import threading

        from torch.optim.optimizer import register_optimizer_step_post_hook

        self.torch, self.steps = torch, steps
        self.in_main = lambda: threading.get_ident() == threading.main_thread().ident
        self.optimizer = self.function = self.profile = self.has_optimizer = None
        self.optimized = False  # the optimizer has made a step since the last call
        self.count = 0  # complete steps in the profile
        self.seen = self.elsewhere = self.done = self.own_call = False
        self.links = set()
        self.watch_profilers()
        if steps == 0:
            self.done = True
            return
        is_compiling, stepped = torch.compiler.is_compiling, self.on_optimizer

        def hook(optimizer, args, kwargs):
            if not is_compiling():  # otherwise, Dynamo traces this line
                stepped(optimizer)

        # It is never removed: compiled optimizers guard on the dict of hooks, and would be compiled again.
        register_optimizer_step_post_hook(hook)
        atexit.register(self.on_exit)
        os.register_at_fork(after_in_child=self.on_fork)

    # ---- The program's own profiles

    def watch_profilers(self):
        import functools

        from torch.profiler.profiler import _KinetoProfile

        profilers = self.torch.autograd.profiler

        def before(owner, name, action):
            original = getattr(owner, name)

            @functools.wraps(original)
            def wrapper(*args, **named):
                action()
                return original(*args, **named)

            setattr(owner, name, wrapper)

        def after_export(owner):
            original = owner.export_chrome_trace

            @functools.wraps(original)
            def export_chrome_trace(this, path, *args, **named):
                outer, self.own_call = self.own_call, True
                try:
                    result = original(this, path, *args, **named)
                finally:
                    self.own_call = outer
                if not outer:
                    self.link(path)
                return result

            owner.export_chrome_trace = export_chrome_trace

        before(profilers, "_prepare_profiler", self.give_way)
        before(profilers, "_enable_profiler", self.give_way)
        after_export(_KinetoProfile)
        after_export(profilers.profile)

    def give_way(self):
        """The program starts a profiler, and there can be only one."""
        if self.own_call or self.done:
            return
        self.finish("the program uses torch.profiler itself")

    def link(self, path):
        try:
            path = os.path.realpath(os.fspath(path))
            if path not in self.links:
                os.symlink(path, os.path.join(FOLDER, "own", f"{os.getpid()}-{len(self.links)}"))
                self.links.add(path)
        except (OSError, TypeError):
            pass

    # ---- Steps

    def on_optimizer(self, optimizer):
        import weakref

        if self.done or not self.in_main():
            return
        if self.optimizer is None or self.optimizer() is None:
            self.optimizer = weakref.ref(optimizer)
            self.discard()  # calls were taken for steps
        if self.optimizer() is optimizer:
            self.optimized = True
            if self.profile and self.count + 1 == self.steps:
                self.count += 1
                self.finish()

    def on_call(self, function):
        """Before a call of a compiled function, which an object stands for."""
        if self.done or not self.in_main():
            self.elsewhere = True
            return
        self.seen = True
        ended, self.optimized = self.optimized if self.optimizer else self.call_ended(function), False
        if not ended:
            return
        if not self.profile:
            self.start()
            return
        self.count += 1
        if self.count >= (max(self.steps, CALLS) if self.has_optimizer and not self.optimizer else self.steps):
            self.finish()
        else:
            self.quietly(self.profile.step)

    def call_ended(self, function):
        if self.has_optimizer is None:
            import gc

            kind = self.torch.optim.Optimizer
            self.has_optimizer = any(issubclass(type(thing), kind) for thing in gc.get_objects())
        if self.has_optimizer and not self.torch.is_grad_enabled():
            return False  # an evaluation before the training
        if self.function is None:
            self.function = function
            return False
        return function is self.function

    # ---- The profile

    def quietly(self, call, *args):
        self.own_call = True
        try:
            call(*args)
            return True
        except Exception as error:
            self.done, self.profile = True, None
            note(f"no profile was recorded: torch.profiler failed: {' '.join(str(error).split())[:200]}")
            return False
        finally:
            self.own_call = False

    def start(self):
        profiler = self.torch.profiler
        self.count = 0

        def begin():
            self.profile = profiler.profile(schedule=lambda step: profiler.ProfilerAction.RECORD)
            self.profile.start()

        if self.torch.autograd.profiler._is_profiler_enabled:
            self.give_way()
        else:
            self.quietly(begin)

    def discard(self):
        if self.profile and self.can_stop():
            self.quietly(self.profile.stop)
        self.profile = None

    def can_stop(self):
        """PyTorch crashes if another thread stops a profile, or if it has ended."""
        return self.in_main() and self.torch.autograd.profiler._is_profiler_enabled

    def finish(self, why=None):
        """Ends the profile and writes the trace. why: nothing else ends it, even if it has too few steps."""
        profile, self.profile, self.done = self.profile, None, True
        if not profile:
            note("no profile was recorded: " + why)
            return
        if not self.can_stop():
            note("no profile was recorded: another profiler or thread of the program ended it")
            return
        whole = not why or self.optimized or not self.optimizer
        self.count += whole and why is not None
        if self.quietly(self.export, profile) and self.count < self.steps:
            has = f"has {self.count} of {self.steps} steps" if whole else f"ends in step {self.count + 1} of {self.steps}"
            note(f"the profile {has}: {why}")

    def export(self, profile):
        name = f"{self.rank()}{os.getpid()}.json.gz"
        part = os.path.join(FOLDER, "part-" + name)
        profile.stop()
        try:
            profile.export_chrome_trace(part)
            os.rename(part, os.path.join(FOLDER, "trace-" + name))
        finally:
            if os.path.exists(part):
                os.unlink(part)

    def rank(self):
        distributed = self.torch.distributed
        known = distributed.is_available() and distributed.is_initialized()
        rank = str(distributed.get_rank()) if known else os.environ.get("RANK", "")
        return f"rank-{rank}-" if rank.isdigit() else ""

    # ---- The process

    def on_exit(self):
        if self.done:
            return
        if self.elsewhere and not self.seen:
            note("no profile was recorded: compiled functions are only called in other threads than the main one")
        elif self.seen:
            self.finish("the program ended" if self.profile else self.why_none())

    def why_none(self):
        if self.has_optimizer and not self.optimizer:
            return "the program has an optimizer, which makes no step, and calls without gradients do not count then"
        return "the program ended before its second step, and the first one compiles"

    def on_fork(self):
        self.done = self.done or self.profile is not None
        self.profile = None
        self.seen = False


def watch_contexts(recorder, eval_frame):
    """Adds a hook to what torch.compile makes; Dynamo calls it before each call of the function."""
    import functools

    context = eval_frame.OptimizeContext
    original = context.__init__

    @functools.wraps(original)
    def init(self, *args, **named):
        original(self, *args, **named)
        function = object()

        def enter():
            recorder.on_call(function)
            return nothing

        self.enter_exit_hooks.append(enter)

    context.__init__ = init


def nothing():
    pass


def guarded(action, *arguments):
    """With another PyTorch, the program matters more."""
    try:
        action(*arguments)
    except Exception as error:
        note(f"no profile was recorded: this torch lacks what --profile needs: {error}")


def begin(torch, actions):
    """actions: what to call when a module has been executed, by name."""
    steps = os.environ.get("TLPARSE_PROFILE", "")

    def start():
        recorder = Recorder(torch, int(steps))
        if not recorder.done:
            actions["torch._dynamo.eval_frame"] = lambda module: guarded(watch_contexts, recorder, module)

    if steps.isdigit():
        guarded(start)
