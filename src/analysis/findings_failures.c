/* Failed compiles, graph breaks, discarded traces.
 *
 * One cause is one finding: a graph break with its restart and the frames that run eagerly because of it; an error
 * with all compiles that it ended. What belongs to a break is found by its reason, which restarts and failures repeat.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "analysis/findings_make.h"
#include "base/mem.h"
#include "base/word.h"
#include "model/export.h"
#include "scan/error_text.h"
#include "scan/guard_facts.h"
#include "scan/guard_text.h"

enum { TITLE_MAX = 300 };
enum { BREAK_RESTARTED = 1, BREAK_FAILED = 2 };

struct restart_left {
    uint32_t compile, cause; /* in findings->restarts */
    struct slice reason;
};

/* What breaks explain, and what remains. */
struct causes {
    struct arena *arena;
    struct map pairs;     /* (break, compile) → BREAK_… */
    struct map restarted; /* (break or MAP_NONE, text) → in findings->restarts */
    uint32_t *failed_by;  /* by place in model->failures: the break that explains it, or MAP_NONE */
    bool *failures;       /* by index in model->failures: explained by a break */
    bool *
        counted; /* by index in model->compiles: the time of its restarts is part of a finding, or has several causes */
    LIST(struct restart_left) restarts;
};

typedef LIST(uint32_t) places;

static void add_place(struct findings *findings, places *list, uint32_t place) {
    ARENA_GROW(&findings->scratch, list);
    list->items[list->count++] = place;
}

static void mark_pair(struct causes *causes, uint32_t index, uint32_t compile, uint32_t what) {
    uint32_t pair[2] = {index, compile};
    *map_put_in(causes->arena, &causes->pairs, slice_make((const char *)pair, sizeof pair), 0, NULL) |= what;
}

static uint32_t pair_of(const struct causes *causes, uint32_t index, uint32_t compile) {
    uint32_t pair[2] = {index, compile};
    uint32_t found = map_get(&causes->pairs, slice_make((const char *)pair, sizeof pair));
    return found == MAP_NONE ? 0 : found;
}

/* The break of the compile whose reason the text begins with; MAP_NONE: none. */
static uint32_t break_with(const struct map *reasons, struct slice text) {
    struct break_text said;
    break_text_read(text, true, &said);
    return map_get(reasons, said.cause.reason);
}

/* Until the findings are made, that of a restart's cause is its break. */
static uint32_t add_restart(struct findings *findings, struct causes *causes, uint32_t index, uint32_t compile,
                            struct slice text) {
    struct buf key = {0};
    bool added;
    buf_addf(&key, "%" PRIu32 " ", index);
    buf_add(&key, text);
    uint32_t place =
        *map_put_in(causes->arena, &causes->restarted, buf_slice(&key), (uint32_t)findings->restarts.count, &added);
    buf_free(&key);
    if (added) {
        ARENA_GROW(&findings->arena, &findings->restarts);
        findings->restarts.items[findings->restarts.count++] = (struct restart_cause){.text = text, .finding = index};
    }
    struct restart_cause *cause = &findings->restarts.items[place];
    ARENA_GROW(&findings->arena, &cause->compiles);
    cause->compiles.items[cause->compiles.count++] = compile;
    return place;
}

static void find_causes(struct findings *findings, struct causes *causes, const struct model *model, uint32_t place) {
    const struct compile *compile = model->compiles.items[place];
    struct map reasons = {0};
    size_t restart_causes = 0;
    for (size_t b = 0; b < compile->breaks.count; b++)
        map_put(&reasons, model->breaks.items[compile->breaks.items[b]]->reason, compile->breaks.items[b], NULL);
    for (size_t r = 0; r < compile->restarts.count; r++) {
        uint32_t index = break_with(&reasons, compile->restarts.items[r]),
                 cause = add_restart(findings, causes, index, place, compile->restarts.items[r]);
        restart_causes += index == MAP_NONE || !(pair_of(causes, index, place) & BREAK_RESTARTED);
        if (index != MAP_NONE) {
            mark_pair(causes, index, place, BREAK_RESTARTED);
            continue;
        }
        ARENA_GROW(causes->arena, &causes->restarts);
        causes->restarts.items[causes->restarts.count++] =
            (struct restart_left){place, cause, compile->restarts.items[r]};
    }
    causes->counted[place] = restart_causes > 1; /* the log has one sum for all of them */
    const struct failure *failure = compile->failure < 0 ? NULL : &model->failures.items[compile->failure];
    if (failure && compile->breaks.count && slice_is(failure->type, "Unsupported") && !is_limit_hit(failure)) {
        uint32_t index = break_with(&reasons, failure->reason);
        if (index == MAP_NONE && compile->breaks.count == 1 && !compile->restarts.count)
            index = compile->breaks.items[0]; /* a break is only logged if Dynamo may continue without the frame */
        if (index != MAP_NONE) {
            mark_pair(causes, index, place, BREAK_FAILED);
            causes->failures[compile->failure] = true;
            causes->failed_by[compile->failure] = index;
        }
    }
    map_free(&reasons);
}

/* An assertion that is false while it is traced breaks the graph like a data-dependent branch; then Python raises. */
static bool is_false_assertion(const struct graph_break *found, struct slice code) {
    return slice_starts(code, SLICE("assert ")) &&
           slice_find(found->context, SLICE("ConstantVariable(bool: False)")) != SIZE_MAX;
}

static struct place place_of(const struct frame *frame) {
    return (struct place){.file = frame->file, .function = frame->function, .line = frame->line};
}

static bool is_at(const struct frame *frame, const struct place *place) {
    return frame->line == place->line && slice_eq(frame->file, place->file);
}

/* Where the graph broke, the source text, and the user's line that led there. */
static void set_place(struct finding *finding, const struct model *model, const struct graph_break *found) {
    size_t inner = found->stack.count;
    finding->place = found->place;
    finding->library = found->library;
    if (!found->place.file.ptr && found->compiles.count) {
        const struct compile *compile = model->compiles.items[found->compiles.items[0]];
        finding->place = finding_place(compile->frame, compile->stack);
        finding->library = is_library_file(finding->place.file);
        return;
    }
    if (inner > 0 && is_at(&found->stack.items[inner - 1], &found->place))
        finding->code = found->stack.items[--inner].code;
    while (inner-- > 0)
        if (!is_library_file(found->stack.items[inner].file)) {
            finding->caller = place_of(&found->stack.items[inner]);
            return;
        }
}

/* "ValueError: no such mode: 'fast'", on one line. */
static struct slice exception_title(struct findings *findings, struct slice text) {
    struct buf title = {0}, message = {0};
    struct slice type, rest, line = {0};
    if (!exception_read(text, &type, &message)) {
        buf_free(&message);
        return finding_line(findings, text);
    }
    rest = slice_trim(buf_slice(&message));
    slice_next_line(&rest, &line);
    buf_add(&title, slice_first(type, TITLE_MAX));
    if (line.len) {
        buf_add_lit(&title, ": ");
        buf_add(&title, slice_first(line, TITLE_MAX));
    }
    buf_free(&message);
    return finding_keep(findings, &title);
}

static void add_sentence(struct buf *out, const char *text) {
    if (out->len)
        buf_add_byte(out, ' ');
    buf_add_str(out, text);
}

/* Which frames it splits, and which run eagerly. */
static struct slice break_outcome(struct findings *findings, const struct model *model, const struct graph_break *found,
                                  const places *split, const places *eager) {
    struct buf why = {0};
    if (split->count) {
        size_t names = finding_add_functions(&why, model, split->items, split->count);
        buf_add_str(&why, names == 1 ? " is split here." : " are split here.");
    }
    if (eager->count) {
        add_sentence(&why, "");
        size_t names = finding_add_functions(&why, model, eager->items, eager->count);
        buf_add_str(&why, names == 1 ? " runs eagerly" : " run eagerly");
        if (found->then_explanation.len || found->then_reason.len) {
            struct slice then =
                finding_line(findings, found->then_explanation.len ? found->then_explanation : found->then_reason);
            then.len -= slice_ends(then, SLICE("."));
            buf_addf(&why, ": %.*s", SLICE_ARG(then));
            if (found->then_id.len)
                buf_addf(&why, " (%.*s)", SLICE_ARG(found->then_id));
            buf_add_byte(&why, '.');
        } else {
            buf_add_lit(&why, ": Dynamo skips the frame.");
        }
    }
    if (found->library)
        add_sentence(&why, "The line is in a library.");
    return finding_keep(findings, &why);
}

/* A hint that sets a setting of Dynamo without "config": torch._dynamo.NAME = … has no effect. NAME is one of the
 * logged settings. */
static struct slice with_config(struct findings *findings, const struct model *model, struct slice hint) {
    static const struct slice module = SLICE_INIT("torch._dynamo.");
    size_t at = slice_find(hint, module);
    if (at == SIZE_MAX)
        return hint;
    struct slice name = slice_from(hint, at + module.len);
    name = slice_first(name, word_length(name));
    struct slice rest = slice_trim(slice_from(hint, at + module.len + name.len));
    if (!slice_starts(rest, SLICE("=")) || slice_starts(rest, SLICE("==")))
        return hint;
    struct buf key = {0};
    bool known = false;
    buf_addf(&key, "\"%.*s\":", SLICE_ARG(name));
    for (size_t i = 0; i < model->configs.count && i < CONFIGS_COMPARED_MAX && !known; i++)
        known = model->configs.items[i].kind == CONFIG_DYNAMO &&
                slice_find(model->configs.items[i].json, buf_slice(&key)) != SIZE_MAX;
    buf_free(&key);
    if (!known)
        return hint;
    return finding_say(findings, "%.*sconfig.%.*s", SLICE_ARG(slice_first(hint, at + module.len)),
                       SLICE_ARG(slice_from(hint, at + module.len)));
}

static void describe_break(struct findings *findings, const struct model *model, struct finding *finding,
                           const struct graph_break *found) {
    struct slice hint = break_hint(found->hints.items, found->hints.count);
    finding->title =
        finding_say(findings, "Graph break: %.*s",
                    SLICE_ARG(finding_line(findings, found->reason.len ? found->reason : SLICE("unknown reason"))));
    finding->message = finding_message(findings, found->explanation);
    finding->id = found->gb_id;
    if (!hint.ptr || found->library)
        return;
    finding->advice = with_config(findings, model, hint);
    finding->evidence = found->gb_id.len ? finding_say(findings, "PyTorch's hint for %.*s", SLICE_ARG(found->gb_id))
                                         : SLICE("PyTorch's hint for this break");
}

/* The program's own exception, of which the graph break is only a symptom. */
static void describe_exception(struct findings *findings, struct finding *finding, const struct model *model,
                               const struct graph_break *found, const places *compiles, bool assertion) {
    struct buf why = {0};
    finding->kind = FINDING_USER_ERROR;
    finding->severity = SEVERITY_ERROR;
    finding->impact = IMPACT_STOPS;
    finding->id = found->gb_id;
    finding->title = assertion
                       ? finding_say(findings, "Assertion fails: %.*s",
                                     SLICE_ARG(slice_first(slice_from(finding->code, sizeof "assert " - 1), TITLE_MAX)))
                       : exception_title(findings, found->raised);
    buf_add_str(&why, assertion        ? "The condition is False while Dynamo traces "
                      : found->library ? "A library raised it while Dynamo traced "
                                       : "Your code raised it while Dynamo traced ");
    finding_add_functions(&why, model, compiles->items, compiles->count);
    buf_add_str(&why, assertion ? ": Dynamo stops at the line, and Python raises AssertionError there."
                                : ", which did not compile.");
    if (!found->library)
        add_sentence(&why, "This is not a limitation of the compiler.");
    finding->why = finding_keep(findings, &why);
}

static void add_break(struct findings *findings, const struct model *model, struct causes *causes, uint32_t index) {
    const struct graph_break *found = model->breaks.items[index];
    struct finding *finding = finding_add(findings, FINDING_GRAPH_BREAK, SEVERITY_WARNING, IMPACT_EVERY_STEP);
    places split = {0}, eager = {0};
    set_place(finding, model, found);
    finding->cost = COST_LOST_TO_RESTARTS;
    for (size_t c = 0; c < found->compiles.count; c++) {
        uint32_t place = found->compiles.items[c], what = pair_of(causes, index, place);
        const struct compile *compile = model->compiles.items[place];
        finding_name_compile(findings, finding, place);
        add_place(findings, what & BREAK_FAILED ? &eager : &split, place);
        if (what & BREAK_FAILED) {
            finding->cost = COST_LOST;
            finding_add_time(finding, compile->time_us);
        } else if (what & BREAK_RESTARTED && !compile->failed && !causes->counted[place]) {
            causes->counted[place] = true;
            finding_add_time(finding, compile->restart_us);
        }
    }
    bool assertion = !eager.count && is_false_assertion(found, finding->code);
    if ((found->raised.len && eager.count) || assertion) {
        describe_exception(findings, finding, model, found, eager.count ? &eager : &split, assertion);
        if (eager.count)
            finding->cost = COST_COMPILE_TIME;
    } else {
        describe_break(findings, model, finding, found);
        finding->why = break_outcome(findings, model, found, &split, &eager);
        finding->severity = eager.count ? SEVERITY_ERROR : found->library ? SEVERITY_INFO : SEVERITY_WARNING;
    }
    finding->link = finding_say(findings, "#/breaks?n=%" PRIu32, index);
}

/* Restarts not caused by a graph break. Those with the same reason are one finding. */
static void add_restarts(struct findings *findings, const struct model *model, struct causes *causes) {
    struct map seen = {0};
    for (size_t i = 0; i < causes->restarts.count; i++) {
        const struct restart_left *left = &causes->restarts.items[i];
        const struct compile *compile = model->compiles.items[left->compile];
        struct slice line = finding_line(findings, left->reason);
        bool added;
        if (compile->failed)
            continue;
        uint32_t index = *map_put_in(&findings->scratch, &seen, line, (uint32_t)findings->list.count, &added);
        if (added) {
            struct finding *finding = finding_add(findings, FINDING_RESTART, SEVERITY_INFO, IMPACT_COMPILE_TIME);
            finding->cost = COST_LOST_TO_RESTARTS;
            finding->title = finding_say(findings, "Dynamo restarted a trace: %.*s", SLICE_ARG(restart_reason(line)));
            finding->place = finding_place(compile->frame, compile->stack);
            finding->library = is_library_file(finding->place.file);
            finding->link = SLICE("#/failures");
            if (line.len < slice_trim(left->reason).len) /* it adds to the title */
                finding->message = finding_message(findings, left->reason);
        }
        struct finding *finding = &findings->list.items[index];
        findings->restarts.items[left->cause].finding = index;
        finding_name_compile(findings, finding, left->compile);
        if (!causes->counted[left->compile])
            finding_add_time(finding, compile->restart_us);
        causes->counted[left->compile] = true;
    }
    for (size_t f = 0; f < findings->list.count; f++) {
        struct finding *finding = &findings->list.items[f];
        struct buf why = {0};
        if (finding->kind != FINDING_RESTART)
            continue;
        size_t names = finding_add_functions(&why, model, finding->compiles.items, finding->compiles.count);
        buf_add_str(&why, names == 1 ? " was traced again from the start." : " were traced again from the start.");
        finding->why = finding_keep(findings, &why);
    }
}

/* What a failure is about, from its texts. */
struct error {
    enum finding_kind kind;
    struct slice title, why, message, advice, evidence;
    struct place place, caller;
    struct slice code;
};

/* Whether the error is in the traced code. Otherwise it may come from anything that the compiler called. */
static bool is_traced(const struct failure *failure) {
    static const char *const types[] = {"Unsupported", "TorchRuntimeError", "FakeTensorError", "UserError",
                                        "ConstraintViolationError"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (slice_is(failure->type, types[i]))
            return true;
    return false;
}

/* What the log's traceback of the user's code says about the line: its function, source text, and caller. */
static void add_trace(struct error *error, const struct compile *compile) {
    struct frame frame, caller;
    if (!traceback_frame_at(compile->error_trace, error->place.file, error->place.line, &frame, &caller))
        return;
    error->place.function = frame.function;
    error->code = error->code.len ? error->code : frame.code;
    if (caller.file.ptr)
        error->caller = place_of(&caller);
}

/* The line that raised it. */
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
        error->place = place_of(&frame);
        error->code = frame.code;
    } else {
        error->place = finding_place(compile->frame, compile->stack);
    }
    add_trace(error, compile);
}

static struct slice after_text(struct slice text, struct slice mark) {
    size_t at = slice_find(text, mark);
    return at == SIZE_MAX ? (struct slice){0} : slice_from(text, at + mark.len);
}

static struct slice first_line(struct slice text) {
    struct slice line = {0};
    text = slice_trim(text);
    slice_next_line(&text, &line);
    return slice_first(slice_trim(line), TITLE_MAX);
}

/* The exception of an operation that was run with fake tensors: "… got RuntimeError('…')", or, in older versions, the
 * second line. */
static void read_fake_error(struct findings *findings, const struct failure *failure, struct error *error) {
    struct break_text said;
    struct slice got, rest = failure->reason, line = {0};
    break_text_read(failure->reason, true, &said);
    got = after_text(said.cause.explanation.ptr ? said.cause.explanation : said.cause.reason, SLICE(": got "));
    error->kind = FINDING_USER_ERROR;
    error->title = got.len ? exception_title(findings, got) : (struct slice){0};
    if (!got.len && slice_next_line(&rest, &line) && slice_starts(line, SLICE("Failed running")) &&
        first_line(rest).len)
        error->title = finding_say(findings, "%.*s", SLICE_ARG(first_line(rest)));
    if (!error->title.len)
        error->title = finding_line(findings, failure->reason);
    error->message = finding_message(findings, said.cause.explanation.len ? said.cause.explanation : failure->reason);
    error->why = SLICE("The operation raised it when Dynamo ran it with fake tensors, which have sizes and no data.");
    if (slice_find(failure->reason, SLICE("no fake impl registered")) !=
        SIZE_MAX) { /* without the compiler, it is not needed */
        error->advice = SLICE("Register a fake implementation of the operator with `register_fake`.");
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

static void read_unsupported(struct findings *findings, const struct compile *compile, const struct failure *failure,
                             struct error *error) {
    struct break_text said;
    struct buf id = {0};
    break_text_read(failure->reason, true, &said);
    if (slice_starts(said.cause.context, SLICE("raised exception "))) {
        error->kind = FINDING_USER_ERROR;
        error->title = exception_title(findings, slice_from(said.cause.context, sizeof "raised exception " - 1));
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
    error->title = finding_say(findings, "%.*s does not compile: %.*s", SLICE_ARG(finding_function(findings, compile)),
                               SLICE_ARG(finding_line(findings, failure->reason)));
    error->message = finding_message(findings, said.cause.explanation);
    error->why =
        said.cause.explanation.ptr
            ? SLICE("Dynamo cannot trace this line, and the log has no fallback to eager, as with `fullgraph=True` "
                    "or `torch._dynamo.error_on_graph_break(True)`.")
            : SLICE("Dynamo cannot trace this line. The log does not say whether the frame runs eagerly instead, "
                    "or raises, as with `fullgraph=True`.");
    error->advice = break_hint(said.hints, said.hint_count);
    if (error->advice.ptr) {
        error->evidence = break_id_add(&id, said.cause.url)
                            ? finding_say(findings, "PyTorch's hint for %.*s", SLICE_ARG(buf_slice(&id)))
                            : SLICE("PyTorch's hint in the error");
        error->advice = arena_slice(&findings->arena, error->advice);
    }
    buf_free(&id);
}

/* "backend='inductor' raised:\nRuntimeError: no" */
static void read_backend(struct findings *findings, const struct failure *failure, struct error *error) {
    struct slice name = after_text(failure->reason, SLICE("backend='")),
                 raised = slice_trim(after_text(failure->reason, SLICE("raised:\n")));
    size_t quote = slice_find(name, SLICE("'"));
    if (!name.ptr || quote == SIZE_MAX || !raised.len) {
        error->title = finding_say(findings, "The backend failed: %.*s", SLICE_ARG(first_line(failure->reason)));
    } else {
        error->title = finding_say(findings, "Backend `%.*s` raised %.*s", SLICE_ARG(slice_first(name, quote)),
                                   SLICE_ARG(first_line(raised)));
        if (slice_find(raised, SLICE("\n")) != SIZE_MAX) /* it says more than the title */
            error->message = finding_message(findings, raised);
    }
}

/* "LoweringException: TypeError: no\n  target: aten.x.default" */
static void read_inductor(struct findings *findings, const struct failure *failure, struct error *error) {
    static const struct slice lowering = {"LoweringException: ", sizeof "LoweringException: " - 1};
    struct slice reason = slice_trim(failure->reason), target = first_line(after_text(reason, SLICE("\n  target: ")));
    if (slice_starts(reason, lowering) && target.len)
        error->title = finding_say(findings, "Inductor cannot lower `%.*s`: %.*s", SLICE_ARG(target),
                                   SLICE_ARG(first_line(slice_from(reason, lowering.len))));
    else
        error->title = finding_say(findings, "Inductor failed: %.*s", SLICE_ARG(first_line(reason)));
}

static void read_constraint(struct findings *findings, const struct failure *failure, struct error *error) {
    struct slice reason = first_line(failure->reason),
                 bullet = first_line(after_text(failure->reason, SLICE("\n  - ")));
    size_t end = slice_find(reason, SLICE("! ")), stop = slice_find(bullet, SLICE(". "));
    error->title = end == SIZE_MAX ? finding_line(findings, failure->reason)
                                   : arena_slice(&findings->arena, slice_first(reason, end));
    if (bullet.len)
        error->why = arena_slice(&findings->arena, stop == SIZE_MAX ? bullet : slice_first(bullet, stop + 1));
    if (stop != SIZE_MAX) {
        struct slice whole = slice_trim(after_text(failure->reason, SLICE("\n  - "))), line = {0};
        slice_next_line(&whole, &line);
        error->advice = arena_slice(&findings->arena, slice_first(slice_trim(slice_from(line, stop + 1)), 600));
        error->evidence = SLICE("PyTorch's message");
    }
}

static void read_user_error(struct findings *findings, const struct failure *failure, struct error *error) {
    struct slice expr = first_line(after_text(failure->reason, SLICE("data-dependent expression ")));
    size_t end = slice_find(expr, SLICE(" (unhinted"));
    if (!expr.len) {
        error->title = finding_line(findings, failure->reason);
        return;
    }
    error->title = finding_say(findings, "Data-dependent expression: %.*s",
                               SLICE_ARG(end == SIZE_MAX ? expr : slice_first(expr, end)));
    error->why = SLICE("It depends on tensor values, which Dynamo does not know while it traces.");
    if (slice_find(failure->reason, SLICE("torch._check")) != SIZE_MAX) {
        error->advice = SLICE("If it always holds, state it before this line with `torch._check`.");
        error->evidence = SLICE("PyTorch's message");
    }
}

/* "torch/_dynamo/guards.py" for a file of an installed package, otherwise the file name. */
static struct slice short_path(struct slice file) {
    static const struct slice mark = {"-packages/", sizeof "-packages/" - 1};
    size_t at = slice_find(file, mark), slash = slice_rfind_byte(file, '/');
    return at != SIZE_MAX ? slice_from(file, at + mark.len) : slash == SIZE_MAX ? file : slice_from(file, slash + 1);
}

/* Other errors: in Dynamo, AOTAutograd or a pass. */
static void read_other(struct findings *findings, const struct compile *compile, const struct failure *failure,
                       struct error *error) {
    struct place at = failure->raised_at;
    struct slice line = first_line(failure->reason), function = finding_function(findings, compile);
    const char *colon = line.len ? ": " : "";
    bool inside = at.file.ptr && is_library_file(at.file) && !failure->place.file.ptr && !failure->backward;
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
            error->caller = place_of(&traced);
        error->why = SLICE("PyTorch raised it while it compiled; no line of yours did.");
    }
    if (!failure->reason.len)
        error->why = SLICE("The log does not say why.");
    else if (!inside && at.file.ptr && is_library_file(at.file) && failure->place.file.ptr && !failure->backward)
        error->why = finding_say(findings, "A library raised it, at %.*s:%" PRIu64 ", while this line was traced.",
                                 SLICE_ARG(short_path(at.file)), at.line);
}

/* Whether the line certainly belongs to the frame: its first line does. Others of the file may belong to another
 * function. */
static bool is_frame_line(const struct compile *compile, const struct place *place) {
    return place->line == compile->frame.line && slice_eq(place->file, compile->frame.file);
}

static void read_error(struct findings *findings, const struct compile *compile, const struct failure *failure,
                       struct error *error) {
    *error = (struct error){.kind = FINDING_ERROR};
    if (slice_is(failure->type, "TorchRuntimeError") || slice_is(failure->type, "FakeTensorError"))
        read_fake_error(findings, failure, error);
    else if (slice_is(failure->type, "Unsupported"))
        read_unsupported(findings, compile, failure, error);
    else if (slice_is(failure->type, "BackendCompilerFailed"))
        read_backend(findings, failure, error);
    else if (slice_is(failure->type, "InductorError"))
        read_inductor(findings, failure, error);
    else if (slice_is(failure->type, "ConstraintViolationError"))
        read_constraint(findings, failure, error);
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
        error->caller = traceback_user_frame(failure->reason, &frame) ? place_of(&frame)
                                                                      : finding_place(compile->frame, compile->stack);
}

/* The compiles that one error ended. */
struct group {
    uint32_t finding;
    places raised, eager, backward;
    struct slice why;
};

static void add_outcome(struct buf *out, const struct model *model, const places *list, const char *one,
                        const char *many) {
    if (!list->count)
        return;
    add_sentence(out, "");
    buf_add_str(out, finding_add_functions(out, model, list->items, list->count) == 1 ? one : many);
}

static void end_group(struct findings *findings, const struct model *model, struct group *group) {
    struct finding *finding = &findings->list.items[group->finding];
    struct buf why = {0};
    buf_add(&why, group->why);
    add_outcome(&why, model, &group->raised, " did not compile.", " did not compile.");
    add_outcome(&why, model, &group->backward, " is compiled; its backward is not.",
                " are compiled; their backwards are not.");
    add_outcome(&why, model, &group->eager, " runs eagerly: suppress_errors is on.",
                " run eagerly: suppress_errors is on.");
    finding->why = finding_keep(findings, &why);
    if (group->backward.count) { /* the forward is compiled: its time is not part of the cost */
        finding->time_us = -1;
        for (size_t i = 0; i < group->backward.count; i++)
            finding_add_time(finding, model->compiles.items[group->backward.items[i]]->backward_us);
    }
    if (!group->raised.count && !group->backward.count) {
        finding->kind = FINDING_FRAME_SKIPPED;
        finding->impact = IMPACT_EVERY_STEP;
    }
}

static uint32_t add_error(struct findings *findings, const struct model *model, const struct failure *failure,
                          const struct compile *compile, struct slice *why) {
    struct error error;
    read_error(findings, compile, failure, &error);
    error.advice = with_config(findings, model, error.advice);
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

/* Failures with the same type, reason and place have one cause. */
static void add_errors(struct findings *findings, const struct model *model, const struct causes *causes) {
    struct map seen = {0};
    LIST(struct group) groups = {0};
    for (size_t i = 0; i < model->failures.count; i++) {
        const struct failure *failure = &model->failures.items[i];
        const struct compile *compile = model->compiles.items[failure->compile];
        struct buf key = {0};
        bool added;
        /* Part of a finding of a break, of the frame's recompiles, or of the export. */
        if (causes->failures[i] || is_limit_hit(failure) || exports_tell(model, failure))
            continue;
        buf_addf(&key, "%d %" PRIu64 " ", failure->backward, failure->place.line);
        buf_add(&key, failure->place.file);
        buf_add(&key, failure->type);
        buf_add_byte(&key, 0);
        buf_add(&key, failure->reason);
        uint32_t index = *map_put_in(&findings->scratch, &seen, buf_slice(&key), (uint32_t)groups.count, &added);
        buf_free(&key);
        if (added) {
            struct group group = {0};
            group.finding = add_error(findings, model, failure, compile, &group.why);
            ARENA_GROW(&findings->scratch, &groups);
            groups.items[groups.count++] = group;
        }
        assert(index < groups.count && groups.items);
        struct group *group = &groups.items[index];
        add_place(findings,
                  failure->backward     ? &group->backward
                  : compile->suppressed ? &group->eager
                                        : &group->raised,
                  failure->compile);
        finding_add_compile(findings, &findings->list.items[group->finding], model, failure->compile);
        findings->of_failures[i] = group->finding;
    }
    for (size_t i = 0; i < groups.count; i++)
        end_group(findings, model, &groups.items[i]);
}

void findings_add_failures(struct findings *findings, const struct model *model) {
    struct arena *arena = &findings->scratch;
    struct causes causes = {.arena = arena,
                            .failures = arena_zalloc(arena, model->failures.count + 1),
                            .counted = arena_zalloc(arena, model->compiles.count + 1),
                            .failed_by = arena_alloc(arena, (model->failures.count + 1) * sizeof(uint32_t))};
    for (size_t i = 0; i < model->failures.count; i++)
        causes.failed_by[i] = MAP_NONE;
    for (uint32_t i = 0; i < model->compiles.count; i++)
        find_causes(findings, &causes, model, i);
    const uint32_t first = (uint32_t)findings->list.count; /* break i has the finding first + i */
    for (uint32_t i = 0; i < model->breaks.count; i++)
        add_break(findings, model, &causes, i);
    for (size_t i = 0; i < findings->restarts.count; i++) {
        uint32_t *finding = &findings->restarts.items[i].finding;
        *finding = *finding == MAP_NONE ? NO_FINDING : first + *finding;
    }
    for (size_t i = 0; i < model->failures.count; i++)
        if (causes.failed_by[i] != MAP_NONE)
            findings->of_failures[i] = first + causes.failed_by[i];
    add_restarts(findings, model, &causes);
    add_errors(findings, model, &causes);
}
