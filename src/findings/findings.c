#include "findings/finding.h"

#include "advice/advice.h"
#include "analysis/export_words.h"
#include "findings/findings_make.h"
#include "model/export.h"

const char *finding_kind_name(enum finding_kind kind) {
    static const char *const names[FINDING_KINDS] = {
        [FINDING_UNFINISHED] = "unfinished",
        [FINDING_ERROR] = "error",
        [FINDING_USER_ERROR] = "user_error",
        [FINDING_FRAME_SKIPPED] = "frame_skipped",
        [FINDING_RECOMPILE_LIMIT] = "recompile_limit",
        [FINDING_GRAPH_BREAK] = "graph_break",
        [FINDING_CUDAGRAPH_SKIP] = "cudagraph_skip",
        [FINDING_CUDAGRAPH_RECORDINGS] = "cudagraph_recordings",
        [FINDING_FLOAT32_MATMUL] = "float32_matmul",
        [FINDING_RECOMPILE] = "recompile",
        [FINDING_REAL_TENSORS] = "real_tensors",
        [FINDING_SPECIALIZATION] = "specialization",
        [FINDING_SLOW_COMPILE] = "slow_compile",
        [FINDING_RESTART] = "restart",
        [FINDING_CACHE_BYPASS] = "cache_bypass",
        [FINDING_CACHE_MISS] = "cache_miss",
        [FINDING_MISSING_METRICS] = "missing_metrics",
        [FINDING_INTERRUPTED] = "interrupted",
        [FINDING_LOG_FAULT] = "log_fault",
        [FINDING_NO_RECORDS] = "no_records",
        [FINDING_SEVERAL_PROCESSES] = "several_processes",
        [FINDING_EXPORT_DATA_DEPENDENT] = "export_data_dependent",
        [FINDING_EXPORT_GUARD] = "export_guard",
        [FINDING_EXPORT_MISSING_FAKE_KERNEL] = "export_missing_fake_kernel",
        [FINDING_EXPORT_MISMATCHED_FAKE_KERNEL] = "export_mismatched_fake_kernel",
        [FINDING_EXPORT_CONSTRAINT_VIOLATION] = "export_constraint_violation",
        [FINDING_EXPORT_ERROR] = "export_error",
        [FINDING_AUTOGRAD_CAPTURE] = "autograd_capture",
        [FINDING_BACKWARD_FAILURE] = "backward_failure",
        [FINDING_GRAPH_ERROR] = "graph_error",
        [FINDING_COMPILE_WORKER_DEATH] = "compile_worker_death",
        [FINDING_PRECOMPILE_BYPASS] = "precompile_bypass",
        [FINDING_PRECOMPILE_ERROR] = "precompile_error",
        [FINDING_CACHE_SAVE_FAILURE] = "cache_save_failure",
        [FINDING_DUPLICATE_BACKWARD] = "duplicate_backward",
        [FINDING_OVERLAP_CYCLE] = "overlap_cycle",
        [FINDING_TRACE_FAILURE] = "trace_failure",
        [FINDING_SAVED_MEMORY] = "saved_memory",
        [FINDING_NEVER_RAN] = "never_ran",
        [FINDING_GUARD_CHECKS] = "guard_checks",
        [FINDING_HOT_KERNEL] = "hot_kernel",
    };
    return names[kind];
}

bool finding_is_measured(enum finding_kind kind) {
    return kind == FINDING_GUARD_CHECKS || kind == FINDING_HOT_KERNEL;
}

bool finding_needs_profile(enum finding_kind kind) {
    return kind == FINDING_NEVER_RAN || finding_is_measured(kind);
}

const char *impact_name(enum impact impact) {
    static const char *const names[] = {
        [IMPACT_STOPS] = "stops",
        [IMPACT_EVERY_STEP] = "every_step",
        [IMPACT_COMPILE_TIME] = "compile_time",
        [IMPACT_INFORMATION] = "information",
    };
    return names[impact];
}

const char *cost_name(enum cost cost) {
    static const char *const names[] = {
        [COST_COMPILE_TIME] = "compile_time",
        [COST_LOST_TO_RESTARTS] = "lost_to_restarts",
        [COST_LOST] = "lost",
        [COST_RUN_TIME] = "run_time",
        [COST_CACHEABLE] = "cacheable",
        [COST_UNFINISHED] = "unfinished",
    };
    return names[cost];
}

const char *severity_name(enum severity severity) {
    static const char *const names[] =
        {[SEVERITY_ERROR] = "error", [SEVERITY_WARNING] = "warning", [SEVERITY_INFO] = "info"};
    return names[severity];
}

/* "recompile_limit cache size limit (currently set to 8)" → " (8)" */
static void add_limit(struct buf *out, const struct model *model, const struct chain *chain, bool *raised,
                      bool *either) {
    static const struct slice mark = {"currently set to ", sizeof "currently set to " - 1};
    *raised = *either = false;
    for (size_t i = chain->compiles.count; i-- > 0;) {
        const struct compile *compile = model->compiles.items[chain->compiles.items[i]];
        const struct failure *failure = recompile_limit_failure(model, compile);
        if (!failure)
            continue;
        *either |= failure->backward || failure->before_start; /* the log does not show whether it was raised */
        *raised |= slice_is(failure->type, "FailOnRecompileLimitHit");
        size_t at = slice_find(failure->reason, mark);
        struct slice rest = at != SIZE_MAX ? slice_from(failure->reason, at + mark.len) : (struct slice){0};
        size_t end = slice_find(rest, SLICE(")"));
        if (end != SIZE_MAX && end < 20 && !out->len)
            buf_addf(out, " (%.*s)", SLICE_ARG(slice_first(rest, end)));
    }
}

/* The order of advice within a finding. */
enum part { FIXES_SAVING, FIXES_OTHER, NOTES };

static int part_of(const struct advice *advice) {
    return advice->expected ? NOTES : advice->saves ? FIXES_SAVING : FIXES_OTHER;
}

static void add_fix(struct buf *text, struct buf *evidence, const struct model *model, const struct advice *advice) {
    AUTO_BUF one = {0};
    advice_add_evidence(&one, model, advice);
    BUF_ADD(text, text->len ? " " : "", advice->text);
    BUF_ADD(evidence, evidence->len && one.len ? "; " : "", buf_slice(&one));
}

/* Adds all fixes of the chain, each with its evidence, and the reasons why other versions are normal. */
static void add_fixes(struct findings *findings, struct finding *finding, const struct model *model,
                      const struct chain *chain) {
    const struct advice *first = chain_advice(chain);
    AUTO_BUF text = {0}, evidence = {0};
    if (!first)
        return;
    finding->expected = first->expected;
    for (int part = FIXES_SAVING; part <= NOTES; part++) {
        for (size_t i = 0; i < chain->advice.count; i++) {
            const struct advice *advice = &chain->advice.items[i];
            bool said = advice == first || !(advice->of_limit || (advice->expected && chain->limit_hit));
            if (said && part_of(advice) == part) /* the title states the limit */
                add_fix(&text, &evidence, model, advice);
        }
        if (part == FIXES_SAVING)
            findings_add_left(&text, chain);
        if (part == FIXES_OTHER)
            findings_add_left_with_tensors(&text, chain);
    }
    finding->advice = arena_slice(&findings->arena, buf_slice(&text));
    if (evidence.len)
        finding->evidence = arena_slice(&findings->arena, buf_slice(&evidence));
    finding->fix_us = first->expected ? 0 : chain_saves_us(model, chain);
}

/* For some recompiles, most of the time was spent on writing their records to this log. PyTorch counts that time per
 * id, across resets. */
static void add_logging(struct buf *why, const struct model *model, const struct chain *chain) {
    int64_t us = 0;
    for (size_t i = 1; i < chain->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[chain->compiles.items[i]];
        int64_t logging_us =
            compile->generation > 1 ? 0 : compile->logging_us[compile->logging_us[1] > compile->logging_us[0]];
        us += logging_us > 0 && logging_us <= compile->time_us ? logging_us : 0;
    }
    if (us < FINDING_SAVES_MIN_US || us < chain->time_us / 2)
        return;
    buf_add_lit(why, " Of the compile time, ");
    finding_add_duration(why, us);
    buf_add_lit(why, " went into this log: without `TORCH_TRACE`, there is none of it.");
}

/* The place of a cause, or the user's line that calls the frame: the log may have it only for some versions. A stack
 * that was found in other records is complete. */
static struct place user_place(const struct model *model, const struct chain *chain, struct place place) {
    struct place user = place;
    for (size_t i = 0; i < chain->compiles.count && is_library_file(user.file); i++)
        if (model->compiles.items[chain->compiles.items[i]]->caller_from)
            user = finding_place(place, model->compiles.items[chain->compiles.items[i]]->stack);
    for (size_t i = 0; i < chain->compiles.count && is_library_file(user.file); i++)
        user = finding_place(place, model->compiles.items[chain->compiles.items[i]]->stack);
    return user;
}

/* " The same object recompiled `step (SGD)` 3 times, too." */
static void say_joined(struct findings *findings, struct finding *finding, const struct model *model,
                       const struct chain *chain, bool object) {
    static const struct slice mark = SLICE_INIT(" A mark helps there, too, if that part gets the same tensor.");
    struct slice function = finding_subject(findings, model->compiles.items[chain->compiles.items[0]], false);
    struct buf why = {0}, also = {0};
    buf_addf(&also, " The same %s recompiled %.*s", object ? "object" : "change", SLICE_ARG(function));
    if (chain->recompiles == 1)
        buf_add_lit(&also, " once, too.");
    else
        buf_addf(&also, " %zu times, too.", chain->recompiles);
    buf_add(&why, finding->why);
    if (slice_find(finding->why, buf_slice(&also)) == SIZE_MAX) /* resume functions after two breaks on a line share
                                                                 * a name */
        buf_add(&why, buf_slice(&also));
    buf_free(&also);
    bool marked = !object && slice_find(finding->advice, SLICE("mark_dynamic")) != SIZE_MAX;
    if (marked && slice_find(finding->why, mark) == SIZE_MAX)
        buf_add(&why, mark);
    finding->why = finding_keep(findings, &why);
}

/* Adds the chain to the finding of another one with the same cause. Returns false if there is none. */
static bool join_chain(struct findings *findings, const struct model *model, const struct chains *chains, size_t nth) {
    const struct chain *chain = &chains->list.items[nth];
    struct same_cause same = chain_same_cause(model, chains, nth);
    uint32_t index = same.chain == SIZE_MAX ? UINT32_MAX : findings->of_chains.items[same.chain];
    if (index == UINT32_MAX)
        return false;
    struct finding *finding = &findings->list.items[index];
    for (size_t c = 0; c < chain->compiles.count; c++)
        finding_name_compile(findings, finding, chain->compiles.items[c]);
    if (chain->time_us > 0)
        finding->time_us = (finding->time_us > 0 ? finding->time_us : 0) + chain->time_us;
    finding->fix_us += chain_saves_us(model, chain);
    say_joined(findings, finding, model, chain, same.object);
    findings->of_chains.items[nth] = index;
    return true;
}

static void add_chains(struct findings *findings, const struct model *model, const struct chains *chains) {
    for (size_t i = 0; i < chains->list.count; i++) {
        const struct chain *chain = &chains->list.items[i];
        struct buf limit = {0};
        bool raised, either;
        ARENA_ADD(&findings->arena, &findings->of_chains, UINT32_MAX);
        if (!chain->recompiles && !chain->refused) /* all earlier compiles failed */
            continue;
        if (join_chain(findings, model, chains, i))
            continue;
        findings->of_chains.items[i] = (uint32_t)findings->list.count;
        add_limit(&limit, model, chain, &raised, &either);
        if (!limit.len && chain->limit >= 0)
            buf_addf(&limit, " (%" PRId64 ")", chain->limit);
        struct finding *finding = finding_add(findings, chain->limit_hit ? FINDING_RECOMPILE_LIMIT : FINDING_RECOMPILE,
                                              chain->limit_hit           ? SEVERITY_ERROR
                                              : chain_is_expected(chain) ? SEVERITY_INFO
                                                                         : SEVERITY_WARNING,
                                              chain->limit_hit ? IMPACT_EVERY_STEP : IMPACT_COMPILE_TIME);
        const struct compile *first = model->compiles.items[chain->compiles.items[0]];
        struct slice function = finding_subject(findings, first, true);
        size_t times = chain->recompiles;
        if (chain->limit_hit)
            finding->title =
                finding_say(findings, "%.*s hit the %srecompile limit%.*s%s", SLICE_ARG(function),
                            recompile_limit_is_accumulated(chain->which_limit) ? "accumulated " : "",
                            SLICE_ARG(buf_slice(&limit)),
                            raised   ? " and raised an error"
                            : either ? ": calls that fit no version run eagerly, or raise with `fullgraph=True`"
                                     : ": calls that fit no version run eagerly");
        else if (times == 1)
            finding->title = finding_say(findings, "%.*s recompiled once", SLICE_ARG(function));
        else
            finding->title = finding_say(findings, "%.*s recompiled %zu times", SLICE_ARG(function), times);
        if (raised)
            finding->impact = IMPACT_STOPS;
        buf_free(&limit);
        struct buf why = {0};
        chain_add_why(&why, model, chain);
        chain_say_modules(&why, model, chain);
        if (!chain_advice(chain))
            chain_add_unknown(&why, model, chain);
        add_logging(&why, model, chain);
        finding->why = arena_keep(&findings->arena, &why);
        bool placed = chain->causes.count && chain->causes.items[0].place.file.ptr;
        finding->place = user_place(model, chain, placed ? chain->causes.items[0].place : chain->frame);
        add_fixes(findings, finding, model, chain);
        finding->library = finding->place.file.ptr && is_library_file(finding->place.file);
        finding->link = finding_say(findings, "#/recompiles?n=%zu", i);
        for (size_t c = 0; c < chain->compiles.count; c++) {
            const struct failure *refused =
                recompile_limit_failure(model, model->compiles.items[chain->compiles.items[c]]);
            finding_add_compile(findings, finding, model, chain->compiles.items[c]);
            if (refused)
                findings->of_failures[refused - model->failures.items] = finding->added;
        }
        finding->time_us = chain->time_us ? chain->time_us : -1;
    }
    findings_say_variable(findings, model, chains);
}

static struct slice words(struct findings *findings, void add_words(struct buf *, const struct export_failure *),
                          const struct export_failure *failure) {
    struct buf text = {0};
    add_words(&text, failure);
    return arena_keep(&findings->arena, &text);
}

static void add_export_finding(struct findings *findings, const struct export_failure *failure, size_t n) {
    static const enum finding_kind kinds[EXPORT_KINDS] = {
        [EXPORT_DATA_DEPENDENT] = FINDING_EXPORT_DATA_DEPENDENT,
        [EXPORT_GUARD] = FINDING_EXPORT_GUARD,
        [EXPORT_MISSING_KERNEL] = FINDING_EXPORT_MISSING_FAKE_KERNEL,
        [EXPORT_MISMATCHED_KERNEL] = FINDING_EXPORT_MISMATCHED_FAKE_KERNEL,
        [EXPORT_CONSTRAINT] = FINDING_EXPORT_CONSTRAINT_VIOLATION,
        [EXPORT_ERROR] = FINDING_EXPORT_ERROR,
    };
    struct finding *finding =
        finding_add(findings, kinds[failure->kind], failure->kind == EXPORT_GUARD ? SEVERITY_WARNING : SEVERITY_ERROR,
                    export_continues(failure) ? IMPACT_INFORMATION : IMPACT_STOPS);
    finding->title = words(findings, export_add_title, failure);
    finding->why = words(findings, export_add_reason, failure);
    struct slice advice = words(findings, export_add_advice, failure);
    if (advice.len)
        finding->advice = finding_line(findings, advice); /* the buffer has room for all of them */
    finding->place = failure->place;
    finding->caller = failure->caller;
    finding->library = failure->place.file.ptr && is_library_file(failure->place.file);
    finding->link = finding_say(findings, "#/export?n=%zu", n);
}

/* Adds failures of an export. Those with the same kind, title and place are one finding. */
static void add_export(struct findings *findings, const struct model *model) {
    struct map seen = {0};
    for (size_t i = 0; exports_shown(model) && i < model->exports->failures.count; i++) {
        const struct export_failure *failure = model->exports->failures.items[i];
        struct finding *finding;
        struct buf key = {0};
        bool added;
        buf_addf(&key, "%d %" PRIu64 " ", failure->kind, failure->place.line);
        buf_add(&key, failure->place.file);
        buf_add_byte(&key, 0);
        export_add_title(&key, failure);
        uint32_t index =
            *map_put_in(&findings->scratch, &seen, buf_slice(&key), (uint32_t)findings->list.count, &added);
        buf_free(&key);
        if (added)
            add_export_finding(findings, failure, i);
        finding = &findings->list.items[index];
        if (failure->line) { /* one of several records of the same compile, which may have continued */
            finding_name_compile(findings, finding, failure->compile);
        } else { /* from the metrics: it ended the compile */
            finding->cost = COST_LOST;
            finding_add_compile(findings, finding, model, failure->compile);
        }
    }
}

struct code_at {
    struct arena *arena;
    struct map places;                 /* line and file → index in frames */
    LIST(const struct frame *) frames; /* NULL: the source texts differ, for example because the file changed */
};

static uint32_t *code_slot(struct code_at *known, struct slice file, uint64_t line, bool *added) {
    AUTO_BUF key = {0};
    BUF_ADD(&key, line, " ", file);
    uint32_t *slot = map_put_in(known->arena, &known->places, buf_slice(&key), (uint32_t)known->frames.count, added);
    return slot;
}

static void know(struct code_at *known, const struct frame *frame) {
    bool added;
    if (!frame->code.len)
        return;
    uint32_t index = *code_slot(known, frame->file, frame->line, &added);
    if (!added && index < known->frames.count && known->frames.items[index] &&
        !slice_eq(slice_trim(known->frames.items[index]->code), slice_trim(frame->code)))
        known->frames.items[index] = NULL;
    if (!added)
        return;
    ARENA_ADD(known->arena, &known->frames, frame);
}

/* The source text of the finding's line in the stacks of its compiles; ptr NULL: none. */
static struct slice own_code(const struct model *model, const struct finding *finding) {
    enum { OWN_MAX = 16 };
    for (size_t c = 0; c < finding->compiles.count && c < OWN_MAX; c++)
        for (const struct stack_node *node = model->compiles.items[finding->compiles.items[c]]->stack; node;
             node = node->parent)
            if (node->frame->line == finding->place.line && node->frame->code.len &&
                slice_eq(node->frame->file, finding->place.file))
                return node->frame->code;
    return (struct slice){0};
}

/* Whether this is a resume function. Its code object begins at the line of the preceding break, which it never runs. */
static bool is_resumed(struct slice function) {
    return slice_starts(function, SLICE("torch_dynamo_resume_in_"));
}

/* Adds the source text of a finding's line: from a stack of its compiles, or else from any stack of the log if all
 * agree. */
static void add_code(struct findings *findings, const struct model *model) {
    struct code_at known = {.arena = &findings->scratch};
    const struct stacks *stacks[] = {&model->starts, &model->stacks};
    for (size_t s = 0; s < 2 && findings->list.count; s++)
        for (size_t i = 0; i < stacks[s]->frames.count; i++)
            know(&known, stacks[s]->frames.items[i]);
    for (size_t i = 0; i < model->breaks.count && findings->list.count; i++)
        for (size_t f = 0; f < model->breaks.items[i]->stack.count; f++)
            know(&known, &model->breaks.items[i]->stack.items[f]);
    for (size_t i = 0; i < findings->list.count; i++) {
        struct finding *finding = &findings->list.items[i];
        bool added;
        if (finding->code.ptr || !finding->place.file.len || is_resumed(finding->place.function))
            continue;
        uint32_t index = *code_slot(&known, finding->place.file, finding->place.line, &added);
        finding->code = own_code(model, finding);
        if (!finding->code.ptr && index < known.frames.count && known.frames.items[index])
            finding->code = known.frames.items[index]->code;
    }
}

/* If a compile failed or a frame runs eagerly, compiling it will take longer, so the lost time is not saved. */
int64_t finding_saves_us(const struct finding *finding) {
    bool saves = (finding->cost == COST_LOST_TO_RESTARTS && !finding->unsaved) || finding->cost == COST_CACHEABLE;
    if (finding->kind == FINDING_RECOMPILE || finding->kind == FINDING_RECOMPILE_LIMIT ||
        finding->kind == FINDING_GRAPH_BREAK)
        return finding->fix_us > 0 ? finding->fix_us : -1;
    return saves && finding->time_us > 0 ? finding->time_us : -1;
}

/* The sort key of issues that may save compile time: recompiles without a known fix count with the cost that a fix
 * would save. */
static int64_t gain_us(const struct finding *finding) {
    int64_t saves_us = finding_saves_us(finding);
    return saves_us < 0 && finding->kind == FINDING_RECOMPILE ? finding->time_us : saves_us;
}

enum finding_group finding_group(const struct finding *finding) {
    if (finding->severity == SEVERITY_ERROR || finding->impact == IMPACT_STOPS)
        return FINDING_BROKEN;
    if (finding->expected || (finding->kind == FINDING_RECOMPILE && finding->severity == SEVERITY_INFO))
        return FINDING_EXPECTED;
    return finding->severity == SEVERITY_WARNING && gain_us(finding) >= FINDING_SAVES_MIN_US ? FINDING_SAVES
                                                                                             : FINDING_REST;
}

/* An issue that can be fixed and saves compile time is more than information; an expected one is not. */
static void set_severity(struct finding *finding) {
    if (finding->severity == SEVERITY_ERROR)
        return;
    if (finding->expected)
        finding->severity = SEVERITY_INFO;
    else if (finding->advice.len && finding_saves_us(finding) >= FINDING_SAVES_MIN_US)
        finding->severity = SEVERITY_WARNING;
}

static bool is_unfinished(const struct finding *finding) {
    return finding->kind == FINDING_UNFINISHED;
}

int finding_order(const struct finding *x, const struct finding *y) {
    if (is_unfinished(x) != is_unfinished(y))
        return is_unfinished(x) ? -1 : 1;
    if (finding_group(x) != finding_group(y))
        return finding_group(x) < finding_group(y) ? -1 : 1;
    if (x->handled != y->handled)
        return x->handled ? 1 : -1;
    if (finding_group(x) == FINDING_SAVES && gain_us(x) != gain_us(y))
        return gain_us(x) > gain_us(y) ? -1 : 1;
    if (x->severity != y->severity)
        return x->severity < y->severity ? -1 : 1;
    if (finding_group(x) == FINDING_REST && !x->advice.len != !y->advice.len) /* nothing is gained without a fix */
        return x->advice.len ? -1 : 1;
    if (x->impact != y->impact)
        return x->impact < y->impact ? -1 : 1;
    if (x->run_us != y->run_us)
        return x->run_us > y->run_us ? -1 : 1;
    return x->time_us != y->time_us ? (x->time_us > y->time_us ? -1 : 1) : 0;
}

static int worse(const void *a, const void *b) {
    const struct finding *x = a, *y = b;
    int order = finding_order(x, y);
    order = order ? order : slice_cmp(x->link, y->link);
    return order ? order : slice_cmp(x->title, y->title);
}

bool finding_is_broken(const struct finding *finding) {
    return finding_group(finding) == FINDING_BROKEN && !finding->handled;
}

bool finding_can_change(const struct finding *finding) {
    return finding->advice.len && !finding->handled && finding_group(finding) != FINDING_EXPECTED &&
           (finding->kind != FINDING_RECOMPILE || finding->fix_us > 0);
}

/* The text, with each `label` of a frame replaced by the function's name. */
static struct slice plain_title(struct findings *findings, const struct model *model, const struct finding *finding) {
    enum { NAMED_MAX = 16 };
    struct slice title = finding->title;
    for (size_t i = 0; i < finding->compiles.count && i < NAMED_MAX; i++) {
        const struct compile *compile = model->compiles.items[finding->compiles.items[i]];
        struct slice label = compile->label.ptr ? finding_function(findings, compile) : (struct slice){0};
        size_t at = label.ptr ? slice_find(title, label) : SIZE_MAX;
        if (at != SIZE_MAX)
            title = finding_say(findings, "%.*s`%.*s`%.*s", SLICE_ARG(slice_first(title, at)),
                                SLICE_ARG(compile->frame.function), SLICE_ARG(slice_from(title, at + label.len)));
    }
    return title;
}

/* Shortens a long title to the first sentence of the exception; the message has the rest. A title is used within
 * sentences, so it ends without a period. */
static void shorten_title(struct finding *finding) {
    enum { LONG = 120 };
    struct slice title = finding->title;
    bool error = finding->kind == FINDING_ERROR || finding->kind == FINDING_USER_ERROR;
    for (size_t i = 0; error && finding->message.len && title.len > LONG && i + 2 < title.len; i++)
        if (title.ptr[i] == '.' && title.ptr[i + 1] == ' ' && title.ptr[i + 2] >= 'A' && title.ptr[i + 2] <= 'Z')
            title = slice_first(title, i);
    title.len -= error && slice_ends(title, SLICE(".")) && !slice_ends(title, SLICE(".."));
    finding->title = title;
}

/* Sorts the findings. Failures, breaks and restarts refer to their finding by its position in the ranked list. */
static void rank(struct findings *findings, const struct model *model) {
    uint32_t *places = arena_alloc(&findings->scratch, findings->list.count * sizeof *places);
    if (findings->list.count)
        qsort(findings->list.items, findings->list.count, sizeof *findings->list.items, worse);
    for (uint32_t i = 0; i < findings->list.count; i++)
        places[findings->list.items[i].added] = i;
    for (size_t i = 0; i < model->failures.count; i++)
        if (findings->of_failures[i] != NO_FINDING)
            findings->of_failures[i] = places[findings->of_failures[i]];
    for (size_t i = 0; i < model->breaks.count; i++)
        findings->of_breaks[i] = places[findings->of_breaks[i]];
    for (size_t i = 0; i < findings->restarts.count; i++)
        if (findings->restarts.items[i].finding != NO_FINDING)
            findings->restarts.items[i].finding = places[findings->restarts.items[i].finding];
}

void findings_find(struct findings *findings, const struct model *model, const struct chains *chains) {
    findings->of_failures = arena_alloc(&findings->arena, (model->failures.count + 1) * sizeof *findings->of_failures);
    memset(findings->of_failures, 0xff, (model->failures.count + 1) * sizeof *findings->of_failures);
    findings_add_unfinished(findings, model);
    findings_add_failures(findings, model, chains);
    findings_add_refused(findings, model, chains);
    add_chains(findings, model, chains);
    findings_add_caches(findings, model);
    findings_add_cudagraphs(findings, model);
    findings_add_float32(findings, model);
    findings_add_memory(findings, model);
    findings_add_costs(findings, model);
    findings_add_shapes(findings, model, chains);
    findings_add_coverage(findings, model);
    findings_add_log(findings, model);
    add_export(findings, model);
    findings_add_bounds(findings, model);
    findings_add_captures(findings, model);
    findings_add_records(findings, model); /* after the errors, which may cover the same records */
    if (model->profile)
        findings_add_profile(findings, model, chains);
    add_code(findings, model);
    findings_add_moved(findings);
    for (size_t i = 0; i < findings->list.count; i++)
        set_severity(&findings->list.items[i]);
    for (size_t i = 0; i < findings->list.count; i++)
        shorten_title(&findings->list.items[i]);
    for (size_t i = 0; i < findings->list.count; i++)
        findings->list.items[i].plain = plain_title(findings, model, &findings->list.items[i]);
    rank(findings, model);
    arena_free(&findings->scratch);
}

void findings_finish(struct findings *findings) {
    arena_free(&findings->arena);
    arena_free(&findings->scratch);
    *findings = (struct findings){0};
}
