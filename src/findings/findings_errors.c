/* Errors that end a compile: descriptions by type, with all compiles that one error ended. */

#include "analysis/break_lines.h"
#include "findings/findings_failures.h"
#include "model/export.h"
#include "scan/error_text.h"
#include "scan/guard_failure.h"

/* The details of a failure, from its texts. */
struct error {
    enum finding_kind kind;
    struct slice title, why, message, advice, evidence;
    struct place place, caller;
    struct slice code;
    bool branches; /* if the line is a test: it depends on data */
};

/* Whether the error is in the traced code. Otherwise, it may come from anything that the compiler called. */
static bool is_traced(const struct failure *failure) {
    static const char *const types[] = {"Unsupported", "TorchRuntimeError", "FakeTensorError", "UserError",
                                        "ConstraintViolationError"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (slice_is(failure->type, types[i]))
            return true;
    return false;
}

/* Adds what the log's traceback of the user's code shows about the line: its function, source text, and caller. */
static void add_trace(struct error *error, const struct compile *compile) {
    struct frame frame, caller;
    if (!traceback_frame_at(compile->error_trace, error->place.file, error->place.line, &frame, &caller))
        return;
    error->place.function = frame.function;
    error->code = error->code.len ? error->code : frame.code;
    if (caller.file.ptr)
        error->caller = frame_place(&caller);
}

/* Sets the line that raised the error. */
static void set_error_place(struct error *error, const struct failure *failure, const struct compile *compile) {
    struct frame frame;
    bool own = failure->raised_at.file.ptr && !is_library_file(failure->raised_at.file);
    if (failure->place.file.ptr && (!own || is_traced(failure))) {
        error->place = failure->place;
        if (failure->place.line == failure->raised_at.line && slice_eq(failure->place.file, failure->raised_at.file)) {
            error->place = failure->raised_at;
            error->code = failure->raised_code;
        }
    } else if (own && !is_traced(failure)) {
        error->place = failure->raised_at;
        error->code = failure->raised_code;
    } else if (traceback_user_frame(failure->reason, &frame)) {
        error->place = frame_place(&frame);
        error->code = frame.code;
    } else {
        error->place = finding_place(compile->frame, compile->stack);
    }
    add_trace(error, compile);
}

static struct slice first_line(struct slice text) {
    return slice_first(slice_first_line(slice_trim(text)), TITLE_MAX);
}

/* The first line that states the cause: not one of PyTorch's sentences that ends in a colon and introduces the next. */
static struct slice cause_line(struct slice text) {
    enum { SKIPPED_MAX = 4 };
    text = slice_trim(text);
    for (int i = 0; i < SKIPPED_MAX; i++) {
        struct slice rest = text, line = {0};
        slice_next_line(&rest, &line);
        rest = slice_trim(rest);
        if (!slice_ends(slice_trim(line), SLICE(":")) || !rest.len || slice_starts(rest, SLICE("- ")) ||
            slice_starts(rest, SLICE("* ")) || slice_starts(rest, SLICE("# ")) || slice_starts(rest, SLICE("(1)")))
            break;
        text = rest;
    }
    return first_line(text);
}

/* Whether eager mode cannot raise the error: it is about tracing, branches that are traced together, unknown values, or
 * a symbol in place of a number. */
static bool is_only_of_compiler(struct slice reason) {
    static const char *const marks[] = {"torch.cond",          "data-dependent",     "data dependent",
                                        "DataDependentOutput", "DynamicOutputShape", "branches' output",
                                        "branches\\' output",  "<class 'torch.Sym"};
    bool found = false;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        found |= slice_find(reason, slice_str(marks[i])) != SIZE_MAX;
    return found;
}

/* The exception of an operation that was run with fake tensors: in "… got RuntimeError('…')" or, in older versions, on
 * the second line. */
static void read_fake_error(struct findings *findings, const struct model *model, const struct failure *failure,
                            struct error *error) {
    struct break_text said;
    struct slice got, rest = failure->reason, line = {0};
    break_text_read(failure->reason, true, &said);
    got = slice_after(said.cause.explanation.ptr ? said.cause.explanation : said.cause.reason, SLICE(": got "));
    error->kind = FINDING_USER_ERROR;
    error->title = got.len ? failure_exception_title(findings, got) : (struct slice){0};
    if (!got.len && slice_next_line(&rest, &line) && slice_starts(line, SLICE("Failed running")) &&
        first_line(rest).len)
        error->title = finding_say(findings, "%.*s", SLICE_ARG(first_line(rest)));
    if (!error->title.len)
        error->title = arena_slice(&findings->arena, cause_line(failure->reason));
    error->message =
        finding_message(findings, failure_without_frames(findings, said.cause.explanation.len ? said.cause.explanation
                                                                                              : failure->reason));
    error->why = SLICE("The operation raised it when Dynamo ran it with fake tensors, which have sizes and no data.");
    if (slice_find(failure->reason, SLICE("no fake impl registered")) !=
        SIZE_MAX) { /* without the compiler, it is not needed */
        error->advice = SLICE("Register a fake implementation of the operator with `register_fake`.");
        error->evidence = SLICE("the error's message");
        return;
    }
    if (is_only_of_compiler(failure->reason))
        return;
    struct static_advice constant = failure_static_sizes(findings, model, &failure->compile, 1, failure->reason);
    if (failure_is_of_symbols(failure->reason))
        error->kind = FINDING_ERROR;
    if (constant.advice.len) {
        error->why = constant.why.len
                       ? finding_say(findings, "%.*s %.*s", SLICE_ARG(error->why), SLICE_ARG(constant.why))
                       : error->why;
        error->advice = constant.advice;
        error->evidence = constant.evidence;
        return;
    }
    error->advice = failure_fake_advice(findings, failure->reason);
    if (error->advice.len) {
        error->evidence = SLICE("the error's message");
        return;
    }
    for (size_t i = 0; i < said.hint_count; i++)
        if (slice_find(said.hints[i], SLICE("force_eager")) != SIZE_MAX) {
            error->advice = SLICE("Call it once with `torch.compiler.set_stance(\"force_eager\")`: the same error may "
                                  "come without the compiler.");
            error->evidence = SLICE("PyTorch's hint in the error");
        }
}

/* Errors that ConvertFrame raises whatever suppress_errors says. With fullgraph=True, ConvertFrame is not used, and
 * every error is raised. The log does not show fullgraph. */
static bool is_always_raised(const struct failure *failure) {
    return slice_is(failure->type, "UncapturedHigherOrderOpError") ||
           slice_is(failure->type, "CompileOnOneRankUnsupported") ||
           slice_is(failure->type, "ResumePrologueTracingError");
}

/* Whether the error reached the program. A break is logged before Dynamo falls back to eager, so an `Unsupported`
 * without a break was not suppressed, as with fullgraph=True. Logs of PyTorch up to 2.6 do not show this. */
static bool is_raised(const struct failure *failure, const struct compile *compile) {
    bool soft = slice_is(failure->type, "Unsupported") || slice_is(failure->type, "UserError");
    if (!compile->suppressed || is_always_raised(failure))
        return true;
    return soft &&
           (slice_is(failure->type, "UserError") || slice_find(failure->reason, SLICE("Explanation:")) != SIZE_MAX);
}

/* "Backend compiler failed with a fake tensor exception at …" of PyTorch 2.6; an announced break has its text. */
static bool read_announced(struct findings *findings, const struct model *model, const struct compile *compile,
                           const struct failure *failure, struct error *error) {
    struct slice raised = break_announced(model, compile, failure->reason);
    if (!raised.len || slice_find(failure->reason, SLICE("Explanation:")) != SIZE_MAX)
        return false;
    error->title = finding_say(findings, "The backend cannot compile %.*s: %.*s",
                               SLICE_ARG(finding_function(findings, compile)), SLICE_ARG(first_line(raised)));
    error->why = is_raised(failure, compile)
                   ? SLICE("It ran the graph with fake tensors, which have sizes and no data. The log does not say "
                           "whether the frame runs eagerly instead, or raises, as with `fullgraph=True`.")
                   : SLICE("It ran the graph with fake tensors, which have sizes and no data.");
    return true;
}

/* Uses PyTorch's first hint as the advice. */
static void take_hint(struct findings *findings, const struct break_text *said, struct error *error) {
    AUTO_BUF id = {0};
    error->advice = break_hint(said->hints, said->hint_count);
    if (error->advice.ptr) {
        error->evidence = break_id_add(&id, said->cause.url)
                            ? finding_say(findings, "PyTorch's hint for %.*s", SLICE_ARG(buf_slice(&id)))
                            : SLICE("PyTorch's hint in the error");
        error->advice = arena_slice(&findings->arena, error->advice);
    }
}

static void read_unsupported(struct findings *findings, const struct model *model, const struct compile *compile,
                             const struct failure *failure, struct error *error) {
    struct break_text said;
    break_text_read(failure->reason, true, &said);
    if (read_announced(findings, model, compile, failure, error))
        return;
    if (slice_starts(said.cause.context, SLICE("raised exception "))) {
        error->kind = FINDING_USER_ERROR;
        error->title =
            failure_exception_title(findings, slice_from(said.cause.context, sizeof "raised exception " - 1));
        error->why = SLICE("Your code raised it while Dynamo traced it. This is not a limitation of the compiler.");
        return;
    }
    if (slice_is(said.cause.reason, "Observed exception") && !said.cause.explanation.ptr) { /* up to PyTorch 2.6 */
        error->kind = FINDING_USER_ERROR;
        error->title =
            finding_say(findings, "%.*s raises an exception", SLICE_ARG(finding_function(findings, compile)));
        error->why = SLICE("Your code raised it while Dynamo traced it; the log does not name it. This is not a "
                           "limitation of the compiler.");
        return;
    }
    struct slice line = cause_line(failure->reason);
    bool lists = slice_ends(line, SLICE(":")); /* what may be the cause */
    error->title = finding_say(findings, "%.*s does not compile%s%.*s", SLICE_ARG(finding_function(findings, compile)),
                               lists ? "" : ": ", SLICE_ARG(lists ? SLICE("") : line));
    error->message = finding_message(findings, lists ? failure->reason : said.cause.explanation);
    error->why =
        !is_raised(failure, compile) ? SLICE("Dynamo cannot trace this line.")
        : said.cause.explanation.ptr
            ? SLICE("Dynamo cannot trace this line, and the log has no fallback to eager, as with `fullgraph=True` "
                    "or `torch._dynamo.error_on_graph_break(True)`.")
            : SLICE("Dynamo cannot trace this line. The log does not say whether the frame runs eagerly instead, "
                    "or raises, as with `fullgraph=True`.");
    take_hint(findings, &said, error);
}

/* The C++ compiler failed, or Triton's. */
static bool read_compiler(struct findings *findings, const struct model *model, const struct compile *compile,
                          struct slice reason, struct error *error) {
    struct finding said = {0};
    if (!failure_describe_compiler(findings, model, compile, reason, &said))
        return false;
    error->title = said.title;
    error->why = said.why;
    error->message = said.message;
    error->advice = said.advice;
    error->evidence = said.evidence;
    error->place = said.place;
    error->code = said.code;
    return true;
}

/* "backend='inductor' raised:\nRuntimeError: no" */
static void read_backend(struct findings *findings, const struct model *model, const struct compile *compile,
                         const struct failure *failure, struct error *error) {
    struct slice name = slice_after(failure->reason, SLICE("backend='")),
                 raised = slice_trim(slice_after(failure->reason, SLICE("raised:\n")));
    size_t quote = slice_find(name, SLICE("'"));
    if (read_compiler(findings, model, compile, raised, error)) /* up to PyTorch 2.6 */
        return;
    if (!name.ptr || quote == SIZE_MAX || !raised.len) {
        error->title = finding_say(findings, "The backend failed: %.*s", SLICE_ARG(cause_line(failure->reason)));
    } else {
        struct slice line = cause_line(raised);
        if (exception_type_length(line) + 1 == line.len) /* "AssertionError:" without a message */
            line.len--;
        error->title =
            finding_say(findings, "Backend `%.*s` raised %.*s", SLICE_ARG(slice_first(name, quote)), SLICE_ARG(line));
        if (slice_find(raised, SLICE("\n")) != SIZE_MAX) /* it has more text than the title */
            error->message = finding_message(findings, raised);
    }
}

/* "LoweringException: TypeError: no\n  target: aten.x.default" */
static void read_inductor(struct findings *findings, const struct model *model, const struct compile *compile,
                          const struct failure *failure, struct error *error) {
    static const struct slice lowering = {"LoweringException: ", sizeof "LoweringException: " - 1};
    struct slice reason = slice_trim(failure->reason), target = first_line(slice_after(reason, SLICE("\n  target: ")));
    if (read_compiler(findings, model, compile, reason, error))
        return;
    if (slice_starts(reason, lowering) && target.len)
        error->title = finding_say(findings, "Inductor cannot lower `%.*s`: %.*s", SLICE_ARG(target),
                                   SLICE_ARG(first_line(slice_from(reason, lowering.len))));
    else
        error->title = finding_say(findings, "Inductor failed: %.*s", SLICE_ARG(cause_line(reason)));
}

/* The equality that the specialization in the message must satisfy. */
static struct equal_size broken_constraint(struct findings *findings, const struct compile *compile,
                                           struct slice bullet) {
    const struct shape_record *fixed = compile->shapes[SHAPE_SPECIALIZATION].first;
    for (; fixed; fixed = fixed->next)
        if (fixed->source.len && slice_find(bullet, fixed->source) != SIZE_MAX)
            return equal_size_of(compile, fixed, &findings->scratch);
    return (struct equal_size){0};
}

/* Adds advice on a size that must equal a static one, before PyTorch's advice. */
static void add_equal_size(struct findings *findings, const struct compile *compile, const struct equal_size *equal,
                           struct error *error) {
    struct buf why = {0};
    struct slice advice = finding_partner_advice(findings, compile, equal, &error->evidence);
    buf_add(&why, error->why);
    equal_size_add(&why, equal);
    error->why = finding_keep(findings, &why);
    if (advice.len && error->advice.len)
        advice = finding_say(findings, "%.*s %.*s", SLICE_ARG(advice), SLICE_ARG(error->advice));
    error->advice = advice.len ? advice : error->advice;
}

static void read_constraint(struct findings *findings, const struct compile *compile, const struct failure *failure,
                            struct error *error) {
    struct slice reason = first_line(failure->reason),
                 bullet = first_line(slice_after(failure->reason, SLICE("\n  - ")));
    size_t end = slice_find(reason, SLICE("! ")), stop = slice_find(bullet, SLICE(". "));
    error->title = end == SIZE_MAX ? finding_line(findings, failure->reason)
                                   : arena_slice(&findings->arena, slice_first(reason, end));
    if (bullet.len)
        error->why = arena_slice(&findings->arena, stop == SIZE_MAX ? bullet : slice_first(bullet, stop + 1));
    if (stop != SIZE_MAX) {
        struct slice whole = slice_trim(slice_after(failure->reason, SLICE("\n  - "))), line = {0};
        slice_next_line(&whole, &line);
        error->advice = arena_slice(&findings->arena, slice_first(slice_trim(slice_from(line, stop + 1)), 600));
        error->evidence = SLICE("PyTorch's message");
    }
    if (!error->advice.len && slice_starts(bullet, SLICE("Not all values of "))) {
        error->advice = SLICE("Use `torch._dynamo.maybe_mark_dynamic()` in place of `mark_dynamic()`: the code allows "
                              "only some of these values.");
        error->evidence = SLICE("PyTorch's message");
    }
    struct equal_size equal = broken_constraint(findings, compile, bullet);
    if (equal.guard)
        add_equal_size(findings, compile, &equal, error);
}

static void read_user_error(struct findings *findings, const struct failure *failure, struct error *error) {
    struct slice expr = first_line(slice_after(failure->reason, SLICE("data-dependent expression ")));
    size_t end = slice_find(expr, SLICE(" (unhinted"));
    if (!expr.len) {
        error->title = finding_line(findings, failure->reason);
        return;
    }
    error->title = finding_say(findings, "Data-dependent expression: %.*s",
                               SLICE_ARG(end == SIZE_MAX ? expr : slice_first(expr, end)));
    error->why = SLICE("It depends on tensor values, which Dynamo does not know while it traces.");
    if (slice_find(failure->reason, SLICE("Could not extract specialized integer")) != SIZE_MAX) {
        error->advice = failure_number(findings, (struct slice){0});
        error->evidence = SLICE("PyTorch's message");
    } else if (slice_find(failure->reason, SLICE("torch._check")) != SIZE_MAX) {
        error->advice =
            SLICE("If the test has the same result for all data, state this before the line with `torch._check()`.");
        error->evidence = SLICE("PyTorch's message");
        error->branches = true;
    }
}

/* Exceptions from outside of the compile: Python raises them wherever the program is. */
static bool is_interruption(struct slice type) {
    return slice_is(type, "KeyboardInterrupt") || slice_is(type, "SystemExit") || slice_is(type, "GeneratorExit");
}

static void read_captured(struct findings *findings, const struct failure *failure, struct error *error) {
    struct break_text said;
    break_text_read(failure->reason, true, &said);
    error->why = SLICE("The operator is captured as a whole or not at all: there is no fallback to eager.");
    take_hint(findings, &said, error);
    if (slice_ends(error->advice, SLICE("change user code to avoid mutation.")))
        error->advice = SLICE("Change a copy of the input (`.clone()`) instead, or none.");
    struct slice effect = failure_operator_effect(said.cause.reason);
    if (effect.len) {
        error->advice = effect;
        error->evidence = SLICE("PyTorch's explanation in the error");
    }
}

/* Other errors: in Dynamo, AOTAutograd or a pass. */
static void read_other(struct findings *findings, const struct compile *compile, const struct failure *failure,
                       struct error *error) {
    struct place at = failure->raised_at;
    struct slice line = cause_line(failure->reason), function = finding_function(findings, compile);
    const char *colon = line.len ? ": " : "";
    bool captured = is_always_raised(failure);
    bool inside = at.file.ptr && is_library_file(at.file) && !failure->place.file.ptr && !failure->backward;
    if (is_interruption(failure->type)) {
        error->kind = FINDING_INTERRUPTED;
        error->title =
            finding_say(findings, "Interrupted while %s%.*s compiled: %.*s",
                        failure->backward ? "the backward of " : "", SLICE_ARG(function), SLICE_ARG(failure->type));
        error->why = SLICE("It came from outside of the compile, as from Ctrl+C, a time limit or a scheduler.");
        return;
    }
    if (slice_is(failure->type, "RecompileError") && compile->reasons.count) {
        struct slice guard = guard_failure_read(compile->reasons.items[0]).guard;
        error->title = finding_say(findings, "%.*s raised RecompileError instead of recompiling", SLICE_ARG(function));
        error->why =
            finding_say(findings, "`torch._dynamo.config.error_on_recompile` is set, and a guard failed: `%.*s`.",
                        SLICE_ARG(slice_first(guard, TITLE_MAX)));
        return;
    }
    if (inside)
        error->title = finding_say(findings, "%.*s in PyTorch%s%.*s", SLICE_ARG(failure->type), colon, SLICE_ARG(line));
    else
        error->title =
            finding_say(findings, "%s%.*s does not compile: %.*s%s%.*s", failure->backward ? "The backward of " : "",
                        SLICE_ARG(function), SLICE_ARG(failure->type), colon, SLICE_ARG(line));
    if (slice_trim(failure->reason).len > line.len)
        error->message = finding_message(findings, failure->reason);
    if (inside) {
        struct frame traced;
        error->place = at;
        error->code = failure->raised_code;
        if (traceback_user_frame(compile->error_trace, &traced))
            error->caller = frame_place(&traced);
        error->why = SLICE("PyTorch raised it while it compiled; no line of yours did.");
    }
    if (!failure->reason.len)
        error->why = SLICE("The log does not say why.");
    else if (captured && !inside)
        read_captured(findings, failure, error);
    else if (!inside && at.file.ptr && is_library_file(at.file) && failure->place.file.ptr && !failure->backward)
        error->why = finding_say(findings, "A library raised it, at %.*s:%" PRIu64 ", while this line was traced.",
                                 SLICE_ARG(failure_short_path(at.file)), at.line);
}

/* Whether the line certainly belongs to the frame: only its first line does. Other lines of the file may belong to
 * another function. */
static bool is_frame_line(const struct compile *compile, const struct place *place) {
    return place->line == compile->frame.line && slice_eq(place->file, compile->frame.file);
}

static void read_error(struct findings *findings, const struct model *model, const struct compile *compile,
                       const struct failure *failure, struct error *error) {
    *error = (struct error){.kind = FINDING_ERROR};
    if (slice_is(failure->type, "TorchRuntimeError") || slice_is(failure->type, "FakeTensorError"))
        read_fake_error(findings, model, failure, error);
    else if (slice_is(failure->type, "Unsupported"))
        read_unsupported(findings, model, compile, failure, error);
    else if (slice_is(failure->type, "BackendCompilerFailed"))
        read_backend(findings, model, compile, failure, error);
    else if (slice_is(failure->type, "InductorError"))
        read_inductor(findings, model, compile, failure, error);
    else if (slice_is(failure->type, "ConstraintViolationError"))
        read_constraint(findings, compile, failure, error);
    else if (slice_is(failure->type, "UserError"))
        read_user_error(findings, failure, error);
    else
        read_other(findings, compile, failure, error);
    if (!error->place.file.ptr)
        set_error_place(error, failure, compile);
    if (!error->place.function.ptr && is_frame_line(compile, &error->place))
        error->place.function = compile->frame.function;
    struct frame frame;
    if (is_library_file(error->place.file) && !error->caller.file.ptr)
        error->caller = traceback_user_frame(failure->reason, &frame) ? frame_place(&frame)
                                                                      : finding_place(compile->frame, compile->stack);
    if (error->caller.file.ptr && is_library_file(error->caller.file)) /* the frame itself is in the library: no line
                                                                        * of the user is known */
        error->caller = (struct place){0};
}

/* The compiles that one error ended. `eager`: the log shows that it was suppressed; `either`: it may have been raised.
 */
struct group {
    uint32_t finding;
    compile_list raised, eager, either, backward;
    struct slice why;
};

static void add_outcome(struct buf *out, const struct model *model, const compile_list *list, const char *one,
                        const char *many) {
    if (!list->count)
        return;
    failure_add_sentence(out, "");
    buf_add_str(out, finding_add_functions(out, model, list->items, list->count) == 1 ? one : many);
}

/* Whether the process continued after the first of these errors. */
static bool is_survived(const struct model *model, const compile_list *ended) {
    uint32_t first = ended->items[0], last = ended->items[ended->count - 1];
    const compile_list one = {.items = &first, .count = 1};
    return first != last && model->compiles.items[first]->process == model->compiles.items[last]->process &&
           aftermath_of(model, &one, NULL) != AFTER_NOTHING;
}

static void add_last(struct buf *why, const struct model *model, const compile_list *ended) {
    const struct compile *first = model->compiles.items[ended->items[0]],
                         *last = model->compiles.items[ended->items[ended->count - 1]];
    if (!is_survived(model, ended)) {
        failure_add_sentence(why, "No compile follows: unless the program catches it, it ended the program.");
        return;
    }
    failure_add_sentence(why, "The program went on after ");
    buf_addf(why,
             "[%.*s]. No compile follows [%.*s]: unless the program catches the error there, too, it ended the "
             "program.",
             SLICE_ARG(first->key), SLICE_ARG(last->key));
}

static void end_group(struct findings *findings, const struct model *model, struct group *group) {
    struct finding *finding = &findings->list.items[group->finding];
    struct buf why = {0};
    buf_add(&why, group->why);
    add_outcome(&why, model, &group->raised, " did not compile.", " did not compile.");
    add_outcome(&why, model, &group->backward, " is compiled; its backward is not.",
                " are compiled; their backwards are not.");
    add_outcome(&why, model, &group->eager, " runs eagerly: the next compile is of a function that it calls.",
                " run eagerly: the next compile of each is of a function that it calls.");
    add_outcome(&why, model, &group->either, " runs eagerly, or raises with `fullgraph=True`: suppress_errors is on.",
                " run eagerly, or raise with `fullgraph=True`: suppress_errors is on.");
    const compile_list *ended = group->raised.count ? &group->raised : &group->backward;
    bool stops = ended->count && aftermath_of(model, ended, NULL) == AFTER_NOTHING;
    if (ended->count && !stops) {
        bool eager = group->eager.count || group->either.count;
        finding->impact = eager ? IMPACT_EVERY_STEP : IMPACT_COMPILE_TIME;
        failure_add_sentence(&why, "The log goes on: it did not end the program.");
    } else if (ended->count && finding->kind != FINDING_INTERRUPTED) {
        add_last(&why, model, ended);
    }
    finding->why = finding_keep(findings, &why);
    if (group->backward.count) { /* the forward was compiled, so its time is not part of the cost */
        finding->time_us = -1;
        for (size_t i = 0; i < group->backward.count; i++)
            finding_add_time(finding, model->compiles.items[group->backward.items[i]]->backward_us);
    }
    if (!group->raised.count && !group->backward.count) {
        finding->kind = FINDING_FRAME_SKIPPED;
        finding->impact = IMPACT_EVERY_STEP;
    }
}

static struct slice with_other_hints(struct findings *findings, const struct failure *failure, struct slice hint) {
    struct break_text said;
    break_text_read(failure->reason, true, &said);
    return hint.len ? failure_hints(findings, said.hints, said.hint_count, hint) : hint;
}

static uint32_t add_error(struct findings *findings, const struct model *model, const struct failure *failure,
                          const struct compile *compile, struct slice *why) {
    struct error error;
    read_error(findings, model, compile, failure, &error);
    struct slice branching = failure_branching(findings, error.advice, error.code);
    error.advice = branching.ptr
                     ? branching
                     : with_other_hints(findings, failure, failure_hint(findings, model, NULL, error.advice));
    struct slice test = error.branches ? failure_test_of_data(error.code) : (struct slice){0};
    if (test.ptr) {
        error.advice = test;
        error.evidence = SLICE("PyTorch's message, and the code of the line");
    }
    struct static_advice number;
    if (!error.advice.len && error.kind == FINDING_ERROR &&
        failure_in_called(findings, compile, failure, &error.place, &error.caller, &number)) {
        error.why = number.why;
        error.advice = number.advice;
        error.evidence = number.evidence;
    }
    if (!error.advice.len && failure_needs_static(findings, model, compile, failure, &error.place, &number)) {
        error.why = error.why.len ? finding_say(findings, "%.*s %.*s", SLICE_ARG(error.why), SLICE_ARG(number.why))
                                  : number.why;
        error.advice = number.advice;
        error.evidence = number.evidence;
    }
    if (!error.advice.len)
        error.advice = failure_pending(findings, failure, error.code);
    if (!error.advice.len) {
        error.advice = failure_formula(findings, failure->reason);
        error.evidence = error.advice.len ? SLICE("the error's message") : error.evidence;
    }
    error.why = failure_traced_up_to(findings, model, compile, error.why);
    struct finding *finding = finding_add(findings, error.kind, SEVERITY_ERROR, IMPACT_STOPS);
    finding->title = error.title;
    finding->message = error.message;
    finding->advice = error.advice;
    finding->evidence = error.evidence;
    finding->place = error.place;
    finding->caller = error.caller;
    finding->code = error.code;
    finding->library = is_library_file(error.place.file);
    finding->link = finding_link(findings, compile);
    *why = error.why;
    return (uint32_t)(findings->list.count - 1);
}

/* The text that distinguishes errors on one line: fake tensors are printed with the sizes of this call. */
static struct slice told_apart(const struct failure *failure) {
    struct slice got = slice_is(failure->type, "TorchRuntimeError") ? slice_after(failure->reason, SLICE(": got "))
                                                                    : (struct slice){0};
    return got.len ? got : failure->reason;
}

void findings_add_errors(struct findings *findings, const struct model *model, const bool *explained) {
    struct map seen = {0};
    LIST(struct group) groups = {0};
    for (size_t i = 0; i < model->failures.count; i++) {
        const struct failure *failure = &model->failures.items[i];
        const struct compile *compile = model->compiles.items[failure->compile];
        struct buf key = {0};
        bool added;
        /* It belongs to the finding of a break, of the frame's recompiles, or of the export. */
        if (explained[i] || is_limit_hit(failure) || exports_tell(model, failure))
            continue;
        buf_addf(&key, "%d %" PRIu64 " ", failure->backward, failure->place.line);
        BUF_ADD(&key, failure->place.file, failure->type);
        buf_add_byte(&key, 0);
        buf_add(&key, told_apart(failure));
        uint32_t index = *map_put_in(&findings->scratch, &seen, buf_slice(&key), (uint32_t)groups.count, &added);
        buf_free(&key);
        if (added) {
            struct group group = {0};
            group.finding = add_error(findings, model, failure, compile, &group.why);
            ARENA_ADD(&findings->scratch, &groups, group);
        }
        assert(index < groups.count && groups.items);
        struct group *group = &groups.items[index];
        failure_add_place(findings,
                          failure->backward                 ? &group->backward
                          : is_raised(failure, compile)     ? &group->raised
                          : failure_went_on(model, compile) ? &group->eager
                                                            : &group->either,
                          failure->compile);
        finding_add_compile(findings, &findings->list.items[group->finding], model, failure->compile);
        findings->of_failures[i] = group->finding;
    }
    for (size_t i = 0; i < groups.count; i++)
        end_group(findings, model, &groups.items[i]);
}
