/* Advice from PyTorch's hints: settings with their full names, and the effects that were observed when following them.
 */

#include "analysis/advice_words.h"
#include "analysis/break_lines.h"
#include "analysis/identity.h"
#include "analysis/setting_values.h"
#include "findings/findings_failures.h"
#include "recompiles/chains.h"
#include "scan/guard_text.h"

static const struct slice module = SLICE_INIT("torch._dynamo."), config = SLICE_INIT("torch._dynamo.config.");

/* What each hint leaves out, even for a line in a loop. doc/reliability.md lists the programs that followed it. */
static const struct {
    struct slice setting;
    const char *note, *in_loop; /* NULL: the same */
} notes[] = {
    {SLICE_INIT("capture_dynamic_output_shape_ops"),
     "Where Python tests the resulting size, write a comparison: `if n > 0` breaks the graph there, and `if n` raises "
     "an error. Neither happens after `torch._check(n > 0)`, if that always holds. A loop over the rows of the "
     "result breaks the graph, too.",
     "Remove tests of the resulting size: in a loop, `if n > 0` makes the frame run eagerly again, and `if n` raises "
     "an error."},
    {SLICE_INIT("capture_scalar_outputs"),
     "Where Python tests the resulting number, write a comparison: `if n > 0` breaks the graph there, as do `n in s` "
     "and `d[n]` of a dict or list, and `if n` raises an error.",
     "Remove tests of the resulting number and what needs it (`n in s`, `d[n]`): in a loop, `if n > 0` makes the frame "
     "run eagerly again, and `if n` raises an error."},
    {SLICE_INIT("compiled_autograd"),
     "Compile the function that calls `backward()`, too: otherwise it raises an error.", NULL},
};

static bool is_setting(struct slice hint) {
    return slice_find(hint, config) != SIZE_MAX || slice_find(hint, SLICE("`export TORCH")) != SIZE_MAX ||
           slice_starts(hint, SLICE("Set TORCH"));
}

/* Whether a Dynamo setting was on in the first compile with the break. */
static bool is_on(const struct model *model, const struct graph_break *found, const char *setting) {
    AUTO_BUF value = {0};
    bool on = found->compiles.count && compile_setting(&value, model, found->compiles.items[0], setting) &&
              slice_is(buf_slice(&value), "true");
    return on;
}

/* With Compiled Autograd, PyTorch captures no autograd call, whatever this setting is. */
static bool has_no_effect(const struct model *model, const struct graph_break *found, struct slice hint) {
    return slice_find(hint, SLICE("trace_autograd_ops")) != SIZE_MAX && is_on(model, found, "compiled_autograd");
}

/* tolist() of integers, which PyTorch's hint suggests, is only captured with a setting. */
static bool needs_capture(const struct model *model, const struct graph_break *found) {
    return slice_starts(found->reason, SLICE("Tensor.tolist() with non-integer")) &&
           !is_on(model, found, "capture_scalar_outputs");
}

enum hint_use failure_hint_use(const struct model *model, const struct graph_break *found, struct slice hint,
                               struct slice code) {
    bool library = found->library;
    if ((library && !is_setting(hint)) || has_no_effect(model, found, hint))
        return HINT_USELESS;
    if (needs_capture(model, found))
        return HINT_NUMBER;
    if (!hint_captures(hint))
        return HINT_USEFUL;
    if (line_tests(code))
        return library ? HINT_USELESS : HINT_BRANCHES;
    if (failure_converts(code))
        return library ? HINT_USELESS : HINT_CONDITION;
    if (failure_needs_number(code))
        return library ? HINT_USELESS : HINT_NUMBER;
    if (line_keeps_number(code).ptr)
        return library ? HINT_USELESS : HINT_KEPT;
    return HINT_USEFUL;
}

struct slice failure_setting_in(struct slice text) {
    size_t at = slice_find(text, SLICE("Set torch._dynamo.config."));
    return at == SIZE_MAX ? (struct slice){0} : slice_first_line(slice_from(text, at));
}

/* One of PyTorch's hints sets torch._dynamo.NAME, which has no effect. */
static struct slice named_in_full(struct findings *findings, const struct model *model, struct slice hint) {
    size_t at = slice_find(hint, module);
    if (at == SIZE_MAX)
        return hint;
    struct slice name = slice_from(hint, at + module.len);
    name = slice_first(name, word_length(name));
    struct slice rest = slice_trim(slice_from(hint, at + module.len + name.len));
    if (!slice_starts(rest, SLICE("=")) || slice_starts(rest, SLICE("==")))
        return hint;
    AUTO_BUF key = {0};
    bool known = false;
    buf_addf(&key, "\"%.*s\":", SLICE_ARG(name));
    for (size_t i = 0; i < model->configs.count && i < CONFIGS_COMPARED_MAX && !known; i++)
        known = model->configs.items[i].kind == CONFIG_DYNAMO &&
                slice_find(model->configs.items[i].json, buf_slice(&key)) != SIZE_MAX;
    if (!known)
        return hint;
    return finding_say(findings, "%.*sconfig.%.*s", SLICE_ARG(slice_first(hint, at + module.len)),
                       SLICE_ARG(slice_from(hint, at + module.len)));
}

static void add_callees(struct buf *text, const struct graph_break *found) {
    for (size_t i = 0; i < found->callees.count; i++)
        buf_addf(text, "%s`%.*s`",
                 i == 0                          ? ""
                 : i + 1 == found->callees.count ? " and "
                                                 : ", ",
                 SLICE_ARG(found->callees.items[i]));
}

/* "Avoid calling the function `f`.": adds what to do instead. Names all functions that the line called. */
static struct slice called_outside(struct findings *findings, const struct graph_break *found, struct slice hint) {
    struct buf text = {0};
    struct slice name = slice_from(hint, slice_find(hint, SLICE("`")) + 1);
    size_t end = slice_find(name, SLICE("`"));
    if (end == SIZE_MAX)
        return hint;
    buf_add_lit(&text, "Call ");
    if (found && found->callees.count)
        add_callees(&text, found);
    else
        buf_addf(&text, "`%.*s`", SLICE_ARG(slice_first(name, end)));
    buf_add_lit(&text, " outside of the compiled function.");
    return finding_keep(findings, &text);
}

enum {
    SMALL_OPS = 10, /* fewer operators are not worth their own graph */
    SHARE = 4,      /* its frames cost at least 1/SHARE of the compile time */
};

/* Whether the library's file only calls the function that it wraps, as torch.no_grad() does. */
static bool is_decorator(struct slice file) {
    return slice_ends(file, SLICE("/torch/utils/_contextlib.py")) || slice_ends(file, SLICE("/contextlib.py")) ||
           slice_ends(file, SLICE("/torch/_dynamo/eval_frame.py")) ||
           slice_ends(file, SLICE("/torch/_dynamo/external_utils.py"));
}

const struct frame *failure_library_called(const struct graph_break *found, const struct frame **user) {
    size_t count = found->stack.count, at = count;
    if (!count || !is_library_file(found->stack.items[count - 1].file)) /* the user's code, in a library's decorator */
        return NULL;
    while (at > 0 && is_library_file(found->stack.items[at - 1].file))
        at--;
    if (!at)
        return NULL;
    *user = &found->stack.items[at - 1];
    while (at + 1 < count && is_decorator(found->stack.items[at].file))
        at++;
    return &found->stack.items[at];
}

static bool is_part_of(const struct compile *compile, const struct frame *function) {
    uint64_t unused;
    return slice_eq(compile->frame.file, function->file) &&
           slice_eq(resumed_function(compile->frame.function, &unused), function->function);
}

/* Whether the user's function is a frame: a library's function is not a frame that the user compiles. */
static bool is_frame(const struct model *model, const struct frame *user) {
    for (size_t i = 0; i < model->compiles.count; i++)
        if (model->compiles.items[i]->framed && is_part_of(model->compiles.items[i], user))
            return true;
    return false;
}

static bool is_file_of(const struct graph_break *found, struct slice file) {
    for (size_t i = 0; i < found->stack.count; i++)
        if (slice_eq(found->stack.items[i].file, file))
            return is_library_file(file);
    return false;
}

/* Whether the compile is of code in the library's files that the line of the user calls. The resume function of the
 * user's function after a break is also called from that line. */
static bool is_below(const struct compile *compile, const struct graph_break *found, const struct frame *user) {
    enum { DEPTH_MAX = 256 };
    const struct stack_node *node = is_file_of(found, compile->frame.file) ? compile->stack : NULL;
    for (size_t depth = 0; node && depth < DEPTH_MAX; node = node->parent, depth++)
        if (slice_eq(node->frame->file, user->file))
            return node->frame->line == user->line && slice_eq(node->frame->function, user->function);
    return false;
}

/* Whether any module is called by a function of this name, so it does not identify the module. */
static bool calls_module(struct slice function) {
    return slice_is(function, "forward") || slice_is(function, "_call_impl") ||
           slice_is(function, "_wrapped_call_impl");
}

/* "Wrap `log` with `torch.compiler.disable()` once, …": a method's name determines how. */
static void add_wrap(struct buf *text, const struct frame *called, const struct frame *user) {
    if (calls_module(called->function))
        buf_addf(text,
                 "Wrap the module that %.*s:%" PRIu64 " calls with `torch.compiler.disable()` once, outside of what is "
                 "compiled (`self.layer = torch.compiler.disable(self.layer)` where the line calls `self.layer`)",
                 SLICE_ARG(path_last(user->file)), user->line);
    else if (slice_starts(called->function, SLICE("__")))
        buf_addf(text,
                 "Wrap what %.*s:%" PRIu64 " calls with `torch.compiler.disable()`, or call it outside of the "
                 "compiled function",
                 SLICE_ARG(path_last(user->file)), user->line);
    else
        buf_addf(text,
                 "%s `%.*s` with `torch.compiler.disable()` once, outside of what is compiled (a method: `self.%.*s = "
                 "torch.compiler.disable(self.%.*s)`)",
                 is_lightning_module(called->file) ? ADVICE_LIGHTNING ", or wrap" : "Wrap", SLICE_ARG(called->function),
                 SLICE_ARG(called->function), SLICE_ARG(called->function));
}

/* Whether another break already has this advice, with the savings for all frames. */
static bool is_said(const struct findings *findings, struct slice advice) {
    for (size_t i = 0; i < findings->list.count; i++)
        if (slice_eq(findings->list.items[i].advice, advice))
            return true;
    return false;
}

/* Advice on a library function that breaks the graph, and whose frames, including those of its callees, are small:
 * eager mode is just as good for it. Dynamo then does not trace it at all, neither inlined nor in these frames. */
bool failure_advise_disable(struct findings *findings, const struct model *model, struct finding *finding,
                            const struct graph_break *found) {
    const struct frame *user, *called = failure_library_called(found, &user);
    int64_t own_us = 0, saves_us = 0, all_us = 0, most = 0;
    size_t frames = 0;
    bool *own = NULL; /* for a LightningModule: the compiles that own_us counts */
    if (!called || !called->function.len || !is_frame(model, user))
        return false;
    for (size_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        int64_t us = compile->framed && compile->time_us > 0 ? compile->time_us : 0;
        all_us += us;
        if (!compile->framed || (!is_part_of(compile, called) && !is_below(compile, found, user)))
            continue;
        if (!compile->has_metrics || compile->ops >= SMALL_OPS)
            return false;
        most = compile->ops > most ? compile->ops : most;
        own_us += us;
        if (is_lightning_module(called->file)) {
            own = own ? own : arena_zalloc(&findings->scratch, model->compiles.count);
            own[i] = true;
        }
        frames++;
    }
    if (own_us < FINDING_SAVES_MIN_US || own_us < all_us / SHARE)
        return false;
    for (size_t i = 0; i < found->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[found->compiles.items[i]];
        bool counted = is_part_of(compile, called) || is_below(compile, found, user);
        saves_us += compile->restart_us > 0 && !counted ? compile->restart_us : 0;
    }
    if (own)
        saves_us = failure_lightning_us(findings, model, found, own);
    struct buf text = {0};
    add_wrap(&text, called, user);
    buf_addf(&text, ": the graph breaks where it is called in any case, and Dynamo compiled its frames %zu time%s, in ",
             frames, frames == 1 ? "" : "s");
    finding_add_duration(&text, own_us);
    buf_addf(&text, ", for graphs of at most %" PRId64 " operator%s.", most, most == 1 ? "" : "s");
    bool again = is_said(findings, buf_slice(&text));
    finding->advice = finding_keep(findings, &text);
    finding->evidence = finding_say(findings, "the metrics of `%.*s`", SLICE_ARG(called->function));
    finding->stays = true;
    finding->fix_us = again ? finding->fix_us : own_us + saves_us;
    return true;
}

/* Whether it is a library function with a specific name that branches on data, or an expensive function of a library
 * other than torch: no setting captures it, and each trace up to it is discarded. */
static bool costs(const struct graph_break *found, const struct frame *called, int64_t lost_us) {
    return frame_has_own_name(called) &&
           (slice_is(found->reason, "Data-dependent branching")
                ? slice_find(called->file, SLICE("/torch/_dynamo/")) == SIZE_MAX
                : lost_us >= FINDING_SAVES_MIN_US && slice_find(called->file, SLICE("/torch/")) == SIZE_MAX);
}

/* " `training_step` leads there, too.": adds a function of the user that the break splits and that is not on its stack.
 */
static void add_leading(struct buf *text, const struct model *model, const struct graph_break *found) {
    struct slice first = {0}, name;
    uint64_t unused;
    bool more = false;
    for (size_t c = 0; c < found->compiles.count; c++) {
        const struct compile *compile = model->compiles.items[found->compiles.items[c]];
        bool other = compile->framed && !is_library_file(compile->frame.file);
        for (size_t i = 0; other && i < found->stack.count; i++)
            other = !is_part_of(compile, &found->stack.items[i]);
        name = resumed_function(compile->frame.function, &unused);
        more |= other && first.len && !slice_eq(first, name);
        first = other && !first.len ? name : first;
    }
    if (first.len)
        buf_addf(text, " `%.*s`%s there, too.", SLICE_ARG(first), more ? " and others lead" : " leads");
}

struct slice failure_library_call(struct findings *findings, const struct model *model, const struct graph_break *found,
                                  bool eager, int64_t lost_us) {
    const struct frame *user, *called = failure_library_called(found, &user);
    struct buf text = {0};
    bool small = is_of_python(called ? called->file : (struct slice){0});
    if (!called || !found->library || !is_frame(model, user) || (!eager && !small && !costs(found, called, lost_us)))
        return (struct slice){0};
    if (failure_follows(model, found, user))
        return finding_say(findings, "Fix the graph break at %.*s:%" PRIu64 " first: this one only follows from it.",
                           SLICE_ARG(path_last(user->file)), user->line);
    bool lightning = is_lightning_module(called->file);
    buf_add_str(&text, lightning ? ADVICE_LIGHTNING ". Then " : "Call ");
    failure_add_called(&text, called, user);
    BUF_ADD(&text,
            lightning        ? " is not compiled: the line that "
            : eager || small ? " outside of the compiled function: the line that "
                             : " outside of the compiled function, if little of its work is in this call: the "
                               "line that ",
            eager ? "makes the frame run eagerly is in a library." : "breaks the graph is in a library.");
    add_leading(&text, model, found);
    return finding_keep(findings, &text);
}

struct slice failure_own_advice(struct findings *findings, const struct graph_break *found) {
    struct slice indexed = failure_indexed(findings, found);
    if (indexed.len)
        return indexed;
    struct slice symbolic = failure_symbolic_bool(findings, found);
    if (symbolic.len)
        return symbolic;
    if (slice_find(found->explanation, SLICE("`checkpoint_sequential` in file")) != SIZE_MAX ||
        slice_starts(found->reason, SLICE("'skip function checkpoint_sequential in file")))
        return SLICE("Call `torch.utils.checkpoint.checkpoint(module, x, use_reentrant=False)` for each of the modules "
                     "in a loop instead: Dynamo traces it.");
    if (slice_ends(found->place.file, SLICE("/torch/nn/parallel/distributed.py")) ||
        slice_find(found->explanation, SLICE("`DistributedDataParallel.")) != SIZE_MAX)
        return SLICE("Compile the module itself, `DDP(torch.compile(module))`, and call it outside of other compiled "
                     "functions: DDP's own code then breaks no graph.");
    if (slice_starts(found->reason, SLICE("Failed to convert args/kwargs")))
        return failure_argument(findings, found);
    if (slice_is(found->reason, "attempted to trace numpy function unsupported by PyTorch") && !found->library)
        return failure_numpy(findings, found);
    if (slice_is(found->reason, "sort with non-constant keys"))
        return SLICE(
            "Sort outside of the compiled function, or by keys that are constants for Dynamo. A tensor is none, "
            "nor is a size or number that became dynamic.");
    if (slice_is(found->reason, "Attempted to wrap sparse Tensor with VariableTracker") && !found->library)
        return SLICE("Make the sparse tensor outside of the compiled function, or compute with dense tensors.");
    if (slice_is(found->reason, "C-implemented special method without VariableTracker model") && !found->library &&
        slice_find(found->explanation, SLICE(" implements '__next__' in C ")) != SIZE_MAX && found->stack.count &&
        slice_find(found->stack.items[found->stack.count - 1].code, SLICE("next(")) != SIZE_MAX)
        return SLICE("Advance the iterator outside of the compiled function, and pass its value.");
    if (slice_is(found->reason, "C-implemented special method without VariableTracker model") &&
        slice_find(found->explanation, SLICE(" implements '__iter__' in C ")) != SIZE_MAX)
        return finding_say(findings,
                           "Make a list of the `%.*s` outside of the compiled function, and pass that: Dynamo iterates "
                           "over lists.",
                           SLICE_ARG(text_between(found->explanation, SLICE("'"), SLICE("'"))));
    if (slice_is(found->reason, "Attempted to wrap sparse Tensor"))
        return SLICE(
            "Call what takes the sparse tensor outside of the compiled function, or pass its indices and values "
            "as dense tensors.");
    return (struct slice){0};
}

/* Whether the method belongs to a scheduler, such as "LRScheduler.step", and not to the optimizer that it wraps. */
static bool is_of_scheduler(struct slice method) {
    struct slice of = slice_first(method, slice_find(method, SLICE(".")));
    return slice_find(of, SLICE("Scheduler")) != SIZE_MAX || slice_ends(of, SLICE("LR")) ||
           slice_starts(of, SLICE("ReduceLROn")) || slice_is(of, "CosineAnnealingWarmRestarts");
}

struct slice failure_intended(struct findings *findings, const struct model *model, const struct graph_break *found) {
    struct buf text = {0};
    if (slice_starts(found->reason, SLICE("Unsupported Tensor.backward() call")) &&
        is_on(model, found, "compiled_autograd")) /* a call outside would not be captured */
        return SLICE("With `torch._dynamo.config.compiled_autograd`, the backward that this line calls is captured in "
                     "graphs of its own.");
    if (found->library && slice_starts(found->reason, SLICE("Call to `torch._dynamo.graph_break()`")))
        return SLICE("The library breaks the graph here on purpose.");
    if (slice_starts(found->reason, SLICE("Skip calling `torch.compiler.disable()`d function")) ||
        break_is_disabled(found))
        return found->library ? SLICE("The library disables the compiler for what this line calls.")
                              : SLICE("The program disables the compiler for what this line calls.");
    if (slice_find(found->context, SLICE("force-skipped")) == SIZE_MAX ||
        slice_find(found->context, SLICE("/torch/optim/lr_scheduler.py")) == SIZE_MAX || !found->callees.count)
        return (struct slice){0};
    for (size_t i = 0; i < found->callees.count; i++)
        if (is_of_scheduler(found->callees.items[i]))
            return (struct slice){0};
    buf_add_lit(&text, "This is expected with a learning rate scheduler, which wraps ");
    add_callees(&text, found);
    buf_add_lit(&text, " in a function that Dynamo does not trace.");
    return finding_keep(findings, &text);
}

/* The method to ignore: "logging.Logger.info", which PyTorch names in another hint. Inside that method, PyTorch names a
 * method that it calls, which has no effect. ptr NULL: not named. */
static struct slice logging_method(struct findings *findings, const struct graph_break *found) {
    static const struct slice before = SLICE_INIT("add the class method `"), stop = SLICE_INIT("` to ignore");
    const struct frame *user, *called = failure_library_called(found, &user);
    for (size_t i = 0; i < found->hints.count; i++) {
        struct slice method = text_between(found->hints.items[i], before, stop);
        size_t dot = method.len ? slice_rfind_byte(method, '.') : SIZE_MAX;
        if (dot == SIZE_MAX)
            continue;
        return called && slice_ends(called->file, SLICE("/logging/__init__.py"))
                 ? finding_say(findings, "%.*s.%.*s", SLICE_ARG(slice_first(method, dot)), SLICE_ARG(called->function))
                 : method;
    }
    return (struct slice){0};
}

struct slice failure_hint(struct findings *findings, const struct model *model, const struct graph_break *found,
                          struct slice hint) {
    hint = slice_trim(named_in_full(findings, model, hint));
    size_t at = slice_find(hint, config);
    struct slice name = at == SIZE_MAX ? (struct slice){0} : slice_from(hint, at + config.len);
    const char *dot = slice_ends(hint, SLICE(".")) ? "" : ".";
    bool loop = found && found->skipped && slice_is(found->then_id, "GB7000");
    name = slice_first(name, word_length(name));
    if (slice_starts(hint, SLICE("Avoid calling ")) && slice_find(hint, SLICE("`")) != SIZE_MAX)
        return called_outside(findings, found, hint);
    if (found && break_is_of_value(found))
        return failure_number(findings, (struct slice){0});
    if (slice_starts(hint, SLICE("Consider annotating your code using torch._check")))
        return failure_annotate(findings, found);
    struct slice logging = found && slice_find(hint, SLICE("ignore_logging_functions`")) != SIZE_MAX
                             ? logging_method(findings, found)
                             : (struct slice){0};
    if (logging.len)
        return finding_say(
            findings,
            "If you do not need this logging side effect, call "
            "`torch._dynamo.config.ignore_logging_functions.add(%.*s)` before: Dynamo then skips the call.",
            SLICE_ARG(logging));
    if (found && slice_starts(hint, SLICE("Use `torch.cond`")) &&
        slice_find(found->context, SLICE("attempted to jump with SymNodeVariable(")) != SIZE_MAX)
        return failure_annotate(findings, found);
    struct slice branching =
        failure_branching(findings, hint,
                          found && found->stack.count ? found->stack.items[found->stack.count - 1].code : SLICE(""));
    if (branching.ptr)
        return branching;
    if (slice_is(name, "allow_rnn"))
        return failure_rnn(findings, model, hint);
    struct slice following = found ? failure_following(findings, model, found, hint) : (struct slice){0};
    if (following.len)
        return following;
    if (found && slice_is(name, "trace_autograd_ops"))
        return finding_say(findings, "%.*s%s%s", SLICE_ARG(hint), dot, failure_autograd_note(found));
    const struct frame *call = NULL;
    bool inside = found && found->library && hint_captures(hint) && failure_library_called(found, &call);
    if (found && hint_captures(hint) && failure_is_nms(found)) {
        struct user_lines lines = failure_user_lines(model, found);
        return failure_nms(findings, inside && lines.count ? lines.items[0] : NULL, found->library);
    }
    if (inside)
        return failure_captured_inside(findings, model, found, hint, name);
    for (size_t i = 0; name.len && i < sizeof notes / sizeof *notes; i++)
        if (slice_eq(name, notes[i].setting))
            return finding_say(findings, "%.*s%s %s%s%s", SLICE_ARG(hint), dot,
                               loop && notes[i].in_loop ? notes[i].in_loop : notes[i].note,
                               failure_rows_note(found, name), failure_item_note(found, name));
    return found && !found->library ? failure_hints(findings, found->hints.items, found->hints.count, hint) : hint;
}
