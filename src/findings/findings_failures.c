/* Failed compiles, graph breaks, discarded traces.
 *
 * One cause is one finding: a graph break with its restart and the frames that run eagerly because of it; an error
 * with all compiles that it ended. Restarts and failures repeat the reason of their break, which identifies it.
 */

#include "findings/findings_failures.h"
#include "advice/recompile_advice.h"
#include "analysis/break_lines.h"
#include "analysis/identity.h"
#include "model/export.h"
#include "scan/error_text.h"
#include "scan/guard_facts.h"

enum { BREAK_RESTARTED = 1, BREAK_FAILED = 2, BREAK_ENDS = 4 /* Dynamo cannot resume after it */ };

struct restart_left {
    uint32_t compile, cause; /* in findings->restarts */
    struct slice reason;
};

/* The effects that breaks explain, and the remaining ones. */
struct causes {
    struct arena *arena;
    struct map pairs;     /* (break, compile) → BREAK_… */
    struct map restarted; /* (break or MAP_NONE, text) → index in findings->restarts */
    uint32_t *failed_by;  /* by index in model->failures: the break that explains it, or MAP_NONE */
    bool *failures;       /* by index in model->failures: explained by a break */
    bool *counted;        /* by index in model->compiles: a finding already includes the time of its restarts, or it
                           * has several causes */
    bool *shared;         /* by index in model->compiles: it has several causes */
    LIST(struct restart_left) restarts;
    struct map rests;          /* (function, file) with operators after a break → index in rest_lines */
    LIST(uint64_t) rest_lines; /* the line of the last such break */
    struct map skipped;        /* (function, file) whose rest after a break runs eagerly → the break that causes it */
    struct map computing; /* (process, frame id) of frames with operators, or with a version whose number of operators
                           * is unknown */
    struct beginnings beginnings;
};

static void mark_pair(struct causes *causes, uint32_t index, uint32_t compile, uint32_t what) {
    uint32_t pair[2] = {index, compile};
    *map_put_in(causes->arena, &causes->pairs, slice_make((const char *)pair, sizeof pair), 0, NULL) |= what;
}

static uint32_t pair_of(const struct causes *causes, uint32_t index, uint32_t compile) {
    uint32_t pair[2] = {index, compile};
    uint32_t found = map_get(&causes->pairs, slice_make((const char *)pair, sizeof pair));
    return found == MAP_NONE ? 0 : found;
}

/* The compile's break whose reason is a prefix of the text; MAP_NONE: none. */
static uint32_t break_with(const struct map *reasons, struct slice text) {
    struct break_text said;
    break_text_read(text, true, &said);
    return map_get(reasons, said.cause.reason);
}

/* Until the findings exist, a restart cause refers to its break. */
static uint32_t add_restart(struct findings *findings, struct causes *causes, uint32_t index, uint32_t compile,
                            struct slice text) {
    AUTO_BUF key = {0};
    bool added;
    buf_addf(&key, "%" PRIu32 " ", index);
    buf_add(&key, text);
    uint32_t place =
        *map_put_in(causes->arena, &causes->restarted, buf_slice(&key), (uint32_t)findings->restarts.count, &added);
    if (added)
        ARENA_ADD(&findings->arena, &findings->restarts, (struct restart_cause){.text = text, .finding = index});
    struct restart_cause *cause = &findings->restarts.items[place];
    ARENA_ADD(&findings->arena, &cause->compiles, compile);
    return place;
}

/* A break after which Dynamo cannot resume the frame restarts the trace without a reason, up to an earlier line.
 * Returns the only break of the compile that no other restart names; MAP_NONE: there is not exactly one. */
static uint32_t break_without_restart(const struct model *model, const struct compile *compile,
                                      const struct map *reasons) {
    uint32_t left = MAP_NONE;
    for (size_t b = 0; b < compile->breaks.count; b++) {
        bool named = false;
        for (size_t r = 0; r < compile->restarts.count && !named; r++)
            named = break_with(reasons, compile->restarts.items[r]) == compile->breaks.items[b];
        if (named || !graph_break_counts(model->breaks.items[compile->breaks.items[b]]))
            continue;
        if (left != MAP_NONE)
            return MAP_NONE;
        left = compile->breaks.items[b];
    }
    return left;
}

/* The break that caused the compile's failure; MAP_NONE: none. */
static uint32_t break_that_failed(const struct model *model, const struct compile *compile,
                                  const struct failure *failure, const struct map *reasons) {
    uint32_t index = break_with(reasons, failure->reason);
    if (slice_is(failure->type, "UserError")) /* other errors are raised, whatever broke the graph before */
        return index != MAP_NONE && model->breaks.items[index]->skipped ? index : MAP_NONE;
    if (!slice_is(failure->type, "Unsupported"))
        return MAP_NONE;
    if (index == MAP_NONE && compile->breaks.count == 1 && !compile->restarts.count)
        index = compile->breaks.items[0]; /* a break is only logged if Dynamo may continue without the frame */
    if (index != MAP_NONE && model->breaks.items[index]->announced) /* it does, even with fullgraph=True */
        index = MAP_NONE;
    for (size_t b = 0; b < compile->breaks.count && index == MAP_NONE; b++)
        if (model->breaks.items[compile->breaks.items[b]]->skipped)
            index = compile->breaks.items[b];
    return index;
}

static void find_causes(struct findings *findings, struct causes *causes, const struct model *model, uint32_t place) {
    const struct compile *compile = model->compiles.items[place];
    AUTO_MAP reasons = {0};
    size_t restart_causes = 0;
    for (size_t b = 0; b < compile->breaks.count; b++)
        map_put(&reasons, model->breaks.items[compile->breaks.items[b]]->reason, compile->breaks.items[b], NULL);
    for (size_t r = 0; r < compile->restarts.count; r++) {
        uint32_t index = break_with(&reasons, compile->restarts.items[r]);
        bool unnamed = slice_is(compile->restarts.items[r], "Unknown fail_and_restart_analysis");
        if (unnamed)
            index = break_without_restart(model, compile, &reasons);
        uint32_t cause = add_restart(findings, causes, index, place, compile->restarts.items[r]);
        restart_causes += index == MAP_NONE || !(pair_of(causes, index, place) & BREAK_RESTARTED);
        if (index != MAP_NONE) {
            mark_pair(causes, index, place, unnamed ? BREAK_RESTARTED | BREAK_ENDS : BREAK_RESTARTED);
            continue;
        }
        ARENA_ADD(causes->arena, &causes->restarts, (struct restart_left){place, cause, compile->restarts.items[r]});
    }
    causes->counted[place] = causes->shared[place] = restart_causes > 1; /* the log has only the sum of all of them */
    const struct failure *failure = compile->failure < 0 ? NULL : &model->failures.items[compile->failure];
    if (failure && compile->breaks.count && !is_limit_hit(failure)) {
        uint32_t index = break_that_failed(model, compile, failure, &reasons);
        if (index != MAP_NONE) {
            mark_pair(causes, index, place, BREAK_FAILED);
            causes->failures[compile->failure] = true;
            causes->failed_by[compile->failure] = index;
        }
    }
}

static bool is_at(const struct frame *frame, const struct place *place) {
    return frame->line == place->line && slice_eq(frame->file, place->file);
}

/* Sets the place of the break, its source text, and the user's line that led there. */
static void set_place(struct finding *finding, const struct model *model, const struct graph_break *found) {
    size_t inner = found->stack.count;
    const struct compile *compile = found->compiles.count ? model->compiles.items[found->compiles.items[0]] : NULL;
    finding->place = found->place;
    if (compile && !finding->place.function.ptr && compile->frame.line == finding->place.line &&
        slice_eq(compile->frame.file, finding->place.file))
        finding->place.function = compile->frame.function;
    finding->library = found->library;
    if (!found->place.file.ptr && compile) {
        finding->place = finding_place(compile->frame, compile->stack);
        finding->library = is_library_file(finding->place.file);
        return;
    }
    if (inner > 0 && is_at(&found->stack.items[inner - 1], &found->place))
        finding->code = found->stack.items[--inner].code;
    const struct user_lines lines = found->library ? failure_user_lines(model, found) : (struct user_lines){0};
    if (lines.count) {
        uint64_t unused;
        finding->caller = frame_place(lines.items[0]);
        finding->caller.function = resumed_function(finding->caller.function, &unused);
        return;
    }
    while (inner-- > 0)
        if (!is_library_file(found->stack.items[inner].file)) {
            finding->caller = frame_place(&found->stack.items[inner]);
            return;
        }
}

static uint32_t *rest_slot(struct causes *causes, struct slice function, struct slice file, bool *added) {
    AUTO_BUF key = {0};
    BUF_ADD(&key, function, "\n", file);
    uint32_t *slot =
        map_put_in(causes->arena, &causes->rests, buf_slice(&key), (uint32_t)causes->rest_lines.count, added);
    return slot;
}

static struct slice frame_key(const struct compile *compile, int64_t key[2]) {
    key[0] = (int64_t)compile->process;
    key[1] = compile->frame_id;
    return slice_make((const char *)key, 2 * sizeof *key);
}

/* Finds the frames with operators, and the last line in each function that operators follow. */
static void find_computing(struct causes *causes, const struct model *model) {
    for (size_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        int64_t key[2];
        uint64_t line;
        bool added;
        struct slice function = resumed_function(compile->frame.function, &line);
        if (compile_status(compile) == STATUS_EMPTY && !compile_ops_unknown(compile) &&
            !compile_is_interrupted(model, compile))
            continue;
        map_put_in(causes->arena, &causes->computing, frame_key(compile, key), 0, NULL);
        if (!line)
            continue;
        uint32_t at = *rest_slot(causes, function, compile->frame.file, &added);
        if (added) {
            ARENA_ADD(causes->arena, &causes->rest_lines, line);
        } else if (causes->rest_lines.items[at] < line) {
            causes->rest_lines.items[at] = line;
        }
    }
}

/* Whether operators follow this line of the function. */
static bool has_rest(const struct causes *causes, struct slice function, struct slice file, uint64_t line) {
    AUTO_BUF key = {0};
    uint64_t unused;
    BUF_ADD(&key, resumed_function(function, &unused), "\n", file);
    uint32_t at = map_get(&causes->rests, buf_slice(&key));
    return at != MAP_NONE && causes->rest_lines.items[at] >= line;
}

/* Whether the function is a separate frame that the break splits: its rest does not belong to the frame that calls it.
 */
static bool is_own_frame(const struct model *model, const struct graph_break *found, const struct compile *caller,
                         const struct frame *function) {
    for (size_t i = 0; i < found->compiles.count; i++) {
        const struct compile *other = model->compiles.items[found->compiles.items[i]];
        if (other->frame_id != caller->frame_id && slice_eq(other->frame.function, function->function) &&
            slice_eq(other->frame.file, function->file))
            return true;
    }
    return false;
}

/* Whether the frame, the rest after the break, or the rest of a function that it calls, has operators. */
static bool computes(const struct causes *causes, const struct model *model, const struct graph_break *found,
                     const struct compile *compile) {
    int64_t key[2];
    uint64_t unused;
    struct slice function = resumed_function(compile->frame.function, &unused);
    bool listed = false; /* PyTorch's traceback leaves out the first frame in some cases */
    if (map_get(&causes->computing, frame_key(compile, key)) != MAP_NONE ||
        has_rest(causes, function, found->place.file, found->place.line))
        return true;
    for (size_t i = 0; i < found->stack.count; i++) {
        const struct frame *frame = &found->stack.items[i];
        listed |= slice_eq(resumed_function(frame->function, &unused), function) &&
                  slice_eq(frame->file, compile->frame.file);
        if (has_rest(causes, frame->function, frame->file, frame->line) && !is_own_frame(model, found, compile, frame))
            return true;
    }
    return !listed && has_rest(causes, function, compile->frame.file, compile->frame.line);
}

/* Adds which frames the break splits, which it ends, and which have nothing to split. Returns whether the text mentions
 * that the log ends there. */
static bool add_split(struct findings *findings, struct buf *why, const struct model *model,
                      const struct causes *causes, uint32_t index, const compile_list *split) {
    const struct graph_break *found = model->breaks.items[index];
    compile_list parts = {0}, empty = {0}, ended = {0}, undone = {0}, open = {0};
    for (size_t i = 0; i < split->count; i++) {
        if (model->compiles.items[split->items[i]]->failed) { /* in a later trace, for another reason */
            failure_add_place(findings, &undone, split->items[i]);
            continue;
        }
        bool ends = pair_of(causes, index, split->items[i]) & BREAK_ENDS,
             whole = ends || computes(causes, model, found, model->compiles.items[split->items[i]]);
        bool unfinished = !whole && failure_is_unfinished(model, found, split->items[i]);
        failure_add_place(findings, ends ? &ended : whole ? &parts : unfinished ? &open : &empty, split->items[i]);
    }
    if (parts.count) {
        size_t names = finding_add_functions(why, model, parts.items, parts.count);
        buf_add_str(why, names == 1 ? " is split here." : " are split here.");
    }
    if (ended.count) {
        failure_add_sentence(why, "");
        size_t names = finding_add_functions(why, model, ended.items, ended.count);
        buf_addf(why, " %s compiled up to this line at most: Dynamo cannot resume after it, and the rest runs eagerly.",
                 names == 1 ? "is" : "are");
    }
    if (open.count) {
        failure_add_sentence(why, "");
        size_t names = finding_add_functions(why, model, open.items, open.count);
        buf_addf(
            why,
            " %s no operators up to this line, and the log ends within the call: the program may have ended there.",
            names == 1 ? "has" : "have");
    }
    if (undone.count) {
        failure_add_sentence(why, "");
        size_t names = finding_add_functions(why, model, undone.items, undone.count);
        buf_addf(why, " would be split here, but %s not compiled, for another reason.", names == 1 ? "is" : "are");
    }
    if (empty.count) {
        failure_add_sentence(why, "");
        size_t names = finding_add_functions(why, model, empty.items, empty.count);
        buf_add_str(why, names == 1 ? " has no operators outside of its graph breaks: it runs eagerly"
                                    : " have no operators outside of their graph breaks: they run eagerly");
        enum called_frames called = failure_called_frames(model, &empty);
        if (called == CALLED_COMPILED)
            buf_addf(why, ", and functions that %s are frames of their own", names == 1 ? "it calls" : "they call");
        else if (called == CALLED_EMPTY && aftermath_of(model, &empty, found) == AFTER_NOTHING)
            buf_addf(why, ", and so does what %s, unless the program ended in the call: no frame below has operators",
                     names == 1 ? "it calls" : "they call");
        else if (called == CALLED_EMPTY)
            buf_addf(why, ", and so does what %s: no frame below has operators", names == 1 ? "it calls" : "they call");
        buf_add_lit(why, ".");
    }
    return open.count > 0;
}

static bool has_consequence(const struct graph_break *found, uint32_t place) {
    for (size_t i = 0; i < found->then_of.count; i++)
        if (found->then_of.items[i] == place)
            return true;
    return false;
}

/* Adds which frames run eagerly, and the consequence that PyTorch states for them. */
static void add_eager(struct findings *findings, struct buf *why, const struct model *model,
                      const struct graph_break *found, const compile_list *eager) {
    compile_list with = {0}, without = {0};
    for (size_t i = 0; i < eager->count; i++)
        failure_add_place(findings, has_consequence(found, eager->items[i]) ? &with : &without, eager->items[i]);
    if (without.count) {
        failure_add_sentence(why, "");
        size_t names = finding_add_functions(why, model, without.items, without.count);
        buf_add_str(why,
                    names == 1 ? " runs eagerly: Dynamo skips the frame." : " run eagerly: Dynamo skips the frames.");
    }
    if (with.count) {
        struct slice then =
            finding_line(findings, found->then_explanation.len ? found->then_explanation : found->then_reason);
        then.len -= slice_ends(then, SLICE("."));
        failure_add_sentence(why, "");
        size_t names = finding_add_functions(why, model, with.items, with.count);
        buf_addf(why, names == 1 ? " runs eagerly: %.*s" : " run eagerly: %.*s", SLICE_ARG(then));
        if (found->then_id.len)
            buf_addf(why, " (%.*s)", SLICE_ARG(found->then_id));
        buf_add_byte(why, '.');
    }
}

/* The effect of the break on the frames. */
static struct slice break_outcome(struct findings *findings, const struct model *model, struct causes *causes,
                                  uint32_t index, const compile_list *split, const compile_list *eager) {
    const struct graph_break *found = model->breaks.items[index];
    struct buf why = {0};
    bool unfinished = add_split(findings, &why, model, causes, index, split);
    if (eager->count) {
        add_eager(findings, &why, model, found, eager);
        if (found->place.file.ptr && /* neither at the start of the frame nor by the backend */
            !break_announced(model, model->compiles.items[eager->items[0]], found->reason).len)
            buf_add_lit(&why, " It did not trace past this line, after which more graph breaks may follow.");
    }
    failure_add_skipped(findings, &why, model, &causes->beginnings, found);
    if (!eager->count && !unfinished && failure_is_last(model, found, split))
        failure_add_sentence(&why, "The log ends with this compile: nothing after this line was compiled.");
    if (found->library)
        failure_add_sentence(&why, "The line is in a library.");
    return finding_keep(findings, &why);
}

/* A frame that runs eagerly comes first, because it is worse than a split. */
static struct slice break_title(struct findings *findings, const struct model *model, const struct graph_break *found,
                                const compile_list *eager) {
    const struct compile *compile = found->compiles.count ? model->compiles.items[found->compiles.items[0]] : NULL;
    struct slice reason = compile ? break_announced(model, compile, found->reason) : (struct slice){0};
    struct buf title = {0};
    reason = reason.len ? reason : found->reason;
    if (slice_starts(reason, SLICE("Graph break due to "))) /* up to PyTorch 2.6; with advice */
        reason = slice_from(reason, sizeof "Graph break due to " - 1);
    reason = slice_first(reason, slice_find(reason, SLICE(". This function is either a Python builtin")));
    reason = finding_line(findings, reason.len ? reason : SLICE("unknown reason"));
    if (!eager->count)
        return finding_say(findings, "Graph break: %.*s", SLICE_ARG(reason));
    size_t names = finding_add_functions(&title, model, eager->items, eager->count);
    BUF_ADD(&title, names == 1 ? " runs eagerly: " : " run eagerly: ", reason);
    return finding_keep(findings, &title);
}

static void add_advice(struct findings *findings, const struct model *model, struct finding *finding,
                       const struct graph_break *found, const compile_list *eager) {
    struct slice hint = break_hint(found->hints.items, found->hints.count),
                 intended = failure_intended(findings, model, found);
    if (slice_find(hint, SLICE("fullgraph=False")) !=
        SIZE_MAX) /* it is set: with fullgraph=True, a break is an error */
        hint = (struct slice){0};
    if (!hint.ptr && slice_is(found->reason, "Tensor.item")) /* PyTorch 2.6 prints the hint but does not log it */
        hint = SLICE("Set `torch._dynamo.config.capture_scalar_outputs = True`.");
    bool said = !hint.ptr;
    if (failure_once(findings, model, finding, found))
        return;
    finding->advice = failure_functorch(findings, model, found);
    if (finding->advice.len) {
        finding->evidence = SLICE("PyTorch's text for this break, and the stacks of the compiles");
        return;
    }
    finding->advice = failure_filtered(findings, model, found);
    if (finding->advice.len) {
        finding->evidence = SLICE("the code of the line");
        return;
    }
    finding->advice = failure_quantization(found);
    if (!finding->advice.len)
        finding->advice = failure_missing_method(findings, found);
    if (!finding->advice.len)
        finding->advice = failure_attribute(findings, found);
    if (!finding->advice.len && !found->library)
        finding->advice = failure_random(findings, found);
    if (!finding->advice.len)
        finding->advice = failure_own_advice(findings, found);
    if (finding->advice.len) {
        finding->evidence = SLICE("PyTorch's text for this break");
        return;
    }
    if (intended.ptr && !eager->count) {
        finding->advice = intended;
        finding->evidence = SLICE("PyTorch's text for this break");
        finding->expected = true;
        finding->fix_us = 0;
        return;
    }
    if (!eager->count && failure_advise_disable(findings, model, finding, found))
        return;
    if (said)
        hint = failure_setting_in(found->explanation);
    finding->advice = failure_side_effect(findings, found, hint);
    if (finding->advice.len) {
        finding->evidence = SLICE("the stack of the graph break");
        return;
    }
    finding->advice = failure_loop(findings, model, found, hint, finding);
    enum hint_use use = hint.ptr ? failure_hint_use(model, found, hint, finding->code) : HINT_USELESS;
    if (!finding->advice.len && use == HINT_BRANCHES)
        finding->advice = failure_decision(findings, hint, finding->code);
    else if (!finding->advice.len && use == HINT_NUMBER)
        finding->advice = failure_number(findings, hint);
    else if (!finding->advice.len && use == HINT_CONDITION)
        finding->advice = failure_condition();
    else if (!finding->advice.len && use == HINT_KEPT)
        finding->advice = failure_kept(findings, hint, finding->code);
    finding->unsaved |= slice_starts(slice_trim(finding->code), SLICE("while "));
    if (finding->advice.len) {
        finding->evidence = SLICE("the code of the line");
        return;
    }
    if (use == HINT_USEFUL)
        finding->advice = failure_tested(findings, model, found, hint, &finding->evidence);
    if (finding->advice.len)
        return;
    said |= use == HINT_USELESS;
    finding->advice =
        use == HINT_USEFUL ? failure_hint(findings, model, found, hint) : failure_builtin(findings, model, found);
    if (use == HINT_USEFUL && failure_following(findings, model, found, hint).len) { /* alone, it saves nothing */
        finding->stays = true;
        finding->fix_us = 0;
    }
    if (!finding->advice.len)
        finding->advice = failure_library_call(findings, model, found, eager->count, finding->time_us);
    if (!finding->advice.len)
        finding->advice = failure_condition_of_argument(findings, model, found);
    if (!finding->advice.len && eager->count &&
        slice_starts(break_announced(model, model->compiles.items[eager->items[0]], found->reason),
                     SLICE("DynamicOutputShapeException")))
        finding->advice =
            SLICE("Set `torch._dynamo.config.capture_dynamic_output_shape_ops = True`: the backend can then "
                  "trace the operator. Code of the backend that tests the resulting size may raise an "
                  "error.");
    if (!finding->advice.len)
        return;
    const char *what = said ? "explanation" : "hint";
    finding->evidence = found->gb_id.len ? finding_say(findings, "PyTorch's %s for %.*s", what, SLICE_ARG(found->gb_id))
                                         : finding_say(findings, "PyTorch's %s for this break", what);
}

/* Notes a frame whose rest after a break runs eagerly. */
static void note_skipped_rest(struct causes *causes, const struct compile *compile, uint32_t index) {
    AUTO_BUF key = {0};
    uint64_t line;
    struct slice function = resumed_function(compile->frame.function, &line);
    BUF_ADD(&key, function, "\n", compile->frame.file);
    if (line)
        map_put_in(causes->arena, &causes->skipped, buf_slice(&key), index, NULL);
}

static void add_break(struct findings *findings, const struct model *model, struct causes *causes, uint32_t index) {
    const struct graph_break *found = model->breaks.items[index];
    struct finding *finding = finding_add(findings, FINDING_GRAPH_BREAK, SEVERITY_WARNING, IMPACT_EVERY_STEP);
    compile_list split = {0}, eager = {0};
    int64_t eager_us = 0;
    set_place(finding, model, found);
    finding->cost = COST_LOST_TO_RESTARTS;
    for (size_t c = 0; c < found->compiles.count; c++) {
        uint32_t place = found->compiles.items[c], what = pair_of(causes, index, place);
        const struct compile *compile = model->compiles.items[place];
        finding_name_compile(findings, finding, place);
        if (found->announced && (compile->failed || compile->breaks.count > 1))
            continue;
        failure_add_place(findings, what & BREAK_FAILED ? &eager : &split, place);
        if (what & BREAK_FAILED) {
            note_skipped_rest(causes, compile, index);
            finding->cost = COST_LOST;
            finding_add_time(finding, compile->time_us);
            eager_us += compile->time_us > 0 ? compile->time_us : 0;
        } else if (what & BREAK_RESTARTED && !compile->failed && causes->shared[place]) {
            failure_add_shared(findings, finding, compile);
        } else if (what & BREAK_RESTARTED && !compile->failed && !causes->counted[place]) {
            causes->counted[place] = true;
            finding_add_time(finding, compile->restart_us);
            finding->fix_us += compile->restart_us;
        }
    }
    finding->splits = finding->cost == COST_LOST_TO_RESTARTS || split.count;
    finding->fix_us += split.count ? eager_us : 0; /* a call that is moved out does not create such a frame */
    finding->fix_us += failure_shared_us(model, finding);
    if (raised_describe(findings, finding, model, found, &split, &eager)) {
        if (eager.count)
            finding->cost = COST_COMPILE_TIME;
    } else {
        finding->title = break_title(findings, model, found, &eager);
        finding->message = finding_message(findings, found->explanation.len ? found->explanation : found->context);
        finding->id = found->gb_id;
        add_advice(findings, model, finding, found, &eager);
        finding->unsaved_us = finding->unsaved ? finding->fix_us : 0;
        finding->fix_us = finding->unsaved ? 0 : finding->fix_us;
        finding->why = break_outcome(findings, model, causes, index, &split, &eager);
        if (eager.count)
            finding->why = failure_traced_up_to(findings, model, model->compiles.items[eager.items[0]], finding->why);
        failure_say_shared(findings, finding, model);
        finding->severity = eager.count && !finding->stays ? SEVERITY_ERROR /* a Python loop may have to run eagerly */
                          : finding->expected || (found->library && finding->impact == IMPACT_EVERY_STEP)
                              ? SEVERITY_INFO
                              : SEVERITY_WARNING;
    }
    if (found->announced && !split.count && !eager.count) {
        finding->why = SLICE("The compiler raised it. Another issue of this frame says what followed.");
        finding->severity = SEVERITY_INFO;
    }
    finding->link = finding_say(findings, "#/breaks?n=%" PRIu32, index);
}

/* The meaning of the exceptions that restart a trace, from PyTorch's sources; NULL: the text explains itself. */
static const char *restart_words(struct slice reason) {
    static const char *const words[][2] = {
        {"TensorifyScalarRestartAnalysis", "a float that was a symbol may have to be a constant"},
        {"CompileCollectiveRestartAnalysis", "the ranks exchange what they traced"},
        {"Unknown fail_and_restart_analysis", "PyTorch does not say why"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (slice_is(reason, words[i][0]))
            return words[i][1];
    return NULL;
}

static struct slice restart_title(struct findings *findings, struct slice line) {
    struct slice reason = restart_reason(line);
    const char *words = restart_words(reason);
    if (!words)
        return finding_say(findings, "Dynamo restarted a trace: %.*s", SLICE_ARG(reason));
    return finding_say(findings, "Dynamo restarted a trace: %s (`%.*s`)", words, SLICE_ARG(reason));
}

/* The break that makes the rest of one of these functions run eagerly, and the first frame of that rest; MAP_NONE:
 * none. */
static uint32_t skipped_rest(const struct causes *causes, const struct model *model, const struct graph_break *found,
                             const struct compile **frame) {
    uint32_t index = MAP_NONE;
    for (size_t c = 0; c < found->compiles.count && index == MAP_NONE; c++) {
        AUTO_BUF key = {0};
        uint64_t line;
        *frame = model->compiles.items[found->compiles.items[c]];
        BUF_ADD(&key, resumed_function((*frame)->frame.function, &line), "\n", (*frame)->frame.file);
        index = map_get(&causes->skipped, buf_slice(&key));
    }
    return index;
}

/* Whether the break splits functions other than this one and its callees: the first frame with the break is another
 * one. */
static bool splits_others(const struct model *model, const struct graph_break *found, const struct compile *frame) {
    const struct place *first = &model->compiles.items[found->compiles.items[0]]->frame;
    uint64_t unused;
    return !slice_eq(first->file, frame->frame.file) ||
           !slice_eq(resumed_function(first->function, &unused), resumed_function(frame->frame.function, &unused));
}

/* "Fix the graph break at prog.py:64 first: …", for all functions that the break splits, or for one of them. */
static struct slice after_other(struct findings *findings, const struct model *model, const struct finding *finding,
                                const struct place *later, const struct graph_break *found,
                                const struct compile *frame) {
    struct slice file = path_last(later->file), function = finding_function(findings, frame);
    if (splits_others(model, found, frame))
        return finding_say(findings,
                           "%.*s In %.*s, the graph break at %.*s:%" PRIu64
                           " makes more run eagerly without this one: fix it first there.",
                           SLICE_ARG(finding->advice), SLICE_ARG(function), SLICE_ARG(file), later->line);
    return finding_say(findings,
                       "Fix the graph break at %.*s:%" PRIu64
                       " first: without this one, it makes more of the function run eagerly. %.*s",
                       SLICE_ARG(file), later->line, SLICE_ARG(finding->advice));
}

/* Whether the line is the other one, or precedes it in the same function. */
static bool is_before(const struct place *place, const struct place *other) {
    uint64_t unused;
    return slice_eq(place->file, other->file) &&
           (place->line == other->line ||
            (place->line < other->line && place->function.len &&
             slice_eq(resumed_function(place->function, &unused), resumed_function(other->function, &unused))));
}

/* Without this break, the frame would reach a later break that cannot split it, and would run eagerly as a whole. */
static void order_fixes(struct findings *findings, const struct model *model, const struct causes *causes,
                        uint32_t first) {
    for (uint32_t i = 0; i < model->breaks.count; i++) {
        struct finding *finding = &findings->list.items[first + i];
        const struct compile *frame;
        uint32_t index = skipped_rest(causes, model, model->breaks.items[i], &frame);
        if (index == MAP_NONE || index == i || !finding->advice.len || finding->expected ||
            finding->severity == SEVERITY_ERROR)
            continue;
        const struct finding *later = &findings->list.items[first + index];
        if (later->kind != FINDING_GRAPH_BREAK ||       /* an exception */
            slice_eq(later->advice, finding->advice) || /* the loop that contains both */
            is_before(&later->place, &finding->place))
            continue;
        finding->advice = after_other(findings, model, finding, &later->place, model->breaks.items[i], frame);
    }
}

/* The place and advice for a float that became a constant: its guard failed in the earlier version, as the compile's
 * reason shows. Otherwise, the place is that of the frame. */
static void place_restart(struct findings *findings, const struct model *model, struct finding *finding,
                          const struct compile *compile, struct slice reason) {
    struct frame frame;
    struct needed needed = {0};
    finding->place = finding_place(compile->frame, compile->stack);
    for (size_t i = 0; i < compile->reasons.count && slice_is(reason, "TensorifyScalarRestartAnalysis"); i++) {
        struct guard_failure failure = guard_failure_read(compile->reasons.items[i]);
        if (failure.type != GUARD_FLOAT || !traceback_user_frame(compile->reasons.items[i], &frame))
            continue;
        finding->place = (struct place){.file = frame.file, .function = frame.function, .line = frame.line};
        uint64_t line;
        resumed_function(compile->frame.function, &line);
        bool stack = slice_starts(failure.source, SLICE("___")); /* no name of the program */
        if (stack && line)
            finding->advice = finding_say(findings,
                                          "Fix the graph break at %.*s:%" PRIu64
                                          " first: `%.*s` is a value from before it, which is an input of another "
                                          "frame only because of the break. What this saves is counted there.",
                                          SLICE_ARG(path_last(compile->frame.file)), line, SLICE_ARG(failure.source));
        else if (!stack && number_user(model, compile, failure.source, &needed) && needed.of_operator)
            finding->advice = finding_say(findings,
                                          "`%.*s` takes a number, and each value of `%.*s` needs a version: pass few "
                                          "values, or write it with operators that take a tensor.",
                                          SLICE_ARG(needed.code), SLICE_ARG(failure.source));
        else if (!stack && needed.code.ptr && number_is_tested_input(model, compile, failure.source, needed.code))
            finding->advice =
                finding_say(findings,
                            "Pass `%.*s` as a 0-d tensor (`torch.tensor(…)`), and the result of its test "
                            "(`%.*s`) as an argument of its own: the graph computes with the number, too.",
                            SLICE_ARG(failure.source), SLICE_ARG(needed.code));
        else if (!stack && needed.code.ptr)
            finding->advice =
                finding_say(findings,
                            "Keep `%.*s` a number: Python decides by it (`%.*s`), and a tensor would break the graph.",
                            SLICE_ARG(failure.source), SLICE_ARG(needed.code));
        else if (!stack)
            finding->advice = finding_say(findings,
                                          "If the operator there takes a tensor, make `%.*s` a 0-d tensor "
                                          "(`torch.tensor(…)`): it needs no symbol then.",
                                          SLICE_ARG(failure.source));
        finding->evidence = finding_say(findings, "recompile_reasons of %.*s", SLICE_ARG(compile->key));
        finding->unsaved = stack && line;
        break;
    }
}

/* The key that restarts of one finding share: the reason, and the frame if the reason is a number of that frame. */
static struct slice restart_key(struct buf *key, const struct compile *compile, struct slice line) {
    int64_t frame[2];
    key->len = 0;
    buf_add(key, line);
    if (slice_is(restart_reason(line), "TensorifyScalarRestartAnalysis"))
        buf_add(key, frame_key(compile, frame));
    return buf_slice(key);
}

/* Restarts not caused by a graph break. Those with the same reason are one finding. */
static void add_restarts(struct findings *findings, const struct model *model, struct causes *causes) {
    struct map seen = {0};
    struct buf key = {0};
    for (size_t i = 0; i < causes->restarts.count; i++) {
        const struct restart_left *left = &causes->restarts.items[i];
        const struct compile *compile = model->compiles.items[left->compile];
        struct slice line = finding_line(findings, left->reason);
        bool added;
        if (compile->failed)
            continue;
        uint32_t index = *map_put_in(&findings->scratch, &seen, restart_key(&key, compile, line),
                                     (uint32_t)findings->list.count, &added);
        if (added) {
            struct finding *finding = finding_add(findings, FINDING_RESTART, SEVERITY_INFO, IMPACT_COMPILE_TIME);
            finding->cost = COST_LOST_TO_RESTARTS;
            finding->title = restart_title(findings, line);
            place_restart(findings, model, finding, compile, restart_reason(line));
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
        else if (causes->shared[left->compile])
            failure_add_shared(findings, finding, compile);
        causes->counted[left->compile] = true;
    }
    buf_free(&key);
    for (size_t f = 0; f < findings->list.count; f++) {
        struct finding *finding = &findings->list.items[f];
        struct buf why = {0};
        if (finding->kind != FINDING_RESTART)
            continue;
        size_t names = finding_add_functions(&why, model, finding->compiles.items, finding->compiles.count);
        buf_add_str(&why, names == 1 ? " was traced again from the start." : " were traced again from the start.");
        finding->why = finding_keep(findings, &why);
        failure_say_shared(findings, finding, model);
    }
}

void findings_add_failures(struct findings *findings, const struct model *model, const struct chains *chains) {
    struct arena *arena = &findings->scratch;
    struct causes causes = {.arena = arena,
                            .failures = arena_zalloc(arena, model->failures.count + 1),
                            .counted = arena_zalloc(arena, model->compiles.count + 1),
                            .shared = arena_zalloc(arena, model->compiles.count + 1),
                            .failed_by = arena_alloc(arena, (model->failures.count + 1) * sizeof(uint32_t))};
    for (size_t i = 0; i < model->failures.count; i++)
        causes.failed_by[i] = MAP_NONE;
    for (uint32_t i = 0; i < model->compiles.count; i++)
        find_causes(findings, &causes, model, i);
    find_computing(&causes, model);
    const uint32_t first = (uint32_t)findings->list.count; /* break i has the finding first + i */
    findings->of_breaks = arena_alloc(&findings->arena, (model->breaks.count + 1) * sizeof *findings->of_breaks);
    for (uint32_t i = 0; i < model->breaks.count; i++) {
        findings->of_breaks[i] = first + i;
        add_break(findings, model, &causes, i);
    }
    failure_add_looped(findings, model, first);
    failure_add_gains(findings, model, chains, first);
    order_fixes(findings, model, &causes, first);
    for (size_t i = 0; i < findings->restarts.count; i++) {
        uint32_t *finding = &findings->restarts.items[i].finding;
        *finding = *finding == MAP_NONE ? NO_FINDING : first + *finding;
    }
    for (size_t i = 0; i < model->failures.count; i++)
        if (causes.failed_by[i] != MAP_NONE)
            findings->of_failures[i] = first + causes.failed_by[i];
    add_restarts(findings, model, &causes);
    findings_add_errors(findings, model, causes.failures);
}
