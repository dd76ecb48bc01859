#include "findings/coverage.h"

#include "analysis/break_lines.h"
#include "analysis/identity.h"
#include "findings/findings_failures.h"
#include "model/export.h"
#include "recompiles/chains.h"
#include "scan/error_text.h"
#include "scan/library.h"

const char *coverage_state_name(enum coverage_state state) {
    static const char *const names[COVERAGE_STATES] = {
        [COVERAGE_NOT] = "not",       [COVERAGE_PARTLY] = "partly",     [COVERAGE_UNKNOWN] = "unknown",
        [COVERAGE_NO_OPS] = "no_ops", [COVERAGE_COMPILED] = "compiled",
    };
    return names[state];
}

/* What the compiles of a function show. Members of type compile: the first one with that property, or MAP_NONE. */
struct function {
    struct covered covered;
    uint64_t line;  /* its first line; 0: unknown */
    uint32_t older; /* the previous function with the same process, file and name, or MAP_NONE */
    uint32_t failed, backward, limit, skipped, traced;
    bool broken; /* a graph break, or an exception that PyTorch logs as one */
};

struct search {
    struct coverage *coverage;
    const struct model *model;
    const struct findings *findings;
    struct map names; /* process, file and name → the newest function of this name */
    struct map breaks;
    struct map given_up; /* index of the stack node that calls a function that has graphs and a failed compile → that
                          * function */
    LIST(struct function) functions;
};

/* The code object of a compile. Without metrics, it comes from the stack. */
static struct place code_of(const struct compile *compile) {
    if (compile->frame.file.ptr || !compile->stack)
        return compile->frame;
    const struct frame *frame = compile->stack->frame;
    return (struct place){.file = frame->file, .function = frame->function, .line = frame->line};
}

static void add_name(struct buf *key, const struct compile *compile, const struct place *code, struct slice name) {
    static const struct slice generated = SLICE_INIT("<eval_with_key>");
    BUF_ADD(key, compile->process, " ", slice_starts(code->file, generated) ? generated : code->file);
    buf_add_byte(key, 0);
    buf_add(key, name);
}

static uint32_t add_function(struct search *search, uint32_t *newest, const struct compile *compile,
                             const struct place *code, struct slice name, uint64_t line) {
    struct covered covered = {.place = {.file = code->file, .function = name, .line = line},
                              .finding = NO_FINDING,
                              .library = is_library_file(code->file)};
    if (slice_eq(name, compile->frame.function))
        covered.label = compile->label;
    ARENA_GROW(&search->coverage->arena, &search->functions);
    search->functions.items[search->functions.count] =
        (struct function){covered, line, *newest, MAP_NONE, MAP_NONE, MAP_NONE, MAP_NONE, MAP_NONE, false};
    return *newest = (uint32_t)search->functions.count++;
}

static bool is_rest(const struct compile *compile) {
    struct slice name = code_of(compile).function;
    uint64_t line_before;
    return resumed_function(name, &line_before).len < name.len;
}

/* The function that the compile, or its resume function, belongs to: the last one that begins before it. */
static uint32_t function_of(struct search *search, const struct compile *compile, bool rest) {
    struct place code = code_of(compile);
    uint64_t line_before;
    struct slice name = resumed_function(code.function, &line_before);
    bool generated = slice_starts(code.file, SLICE("<eval_with_key>"));
    uint32_t best = MAP_NONE;
    AUTO_BUF key = {0};
    add_name(&key, compile, &code, name);
    uint32_t *newest = map_put_in(&search->coverage->arena, &search->names, buf_slice(&key), MAP_NONE, NULL);
    for (uint32_t i = *newest; i != MAP_NONE; i = search->functions.items[i].older) {
        uint64_t line = search->functions.items[i].line;
        if (generated || (rest ? line <= code.line : line == code.line))
            best = best == MAP_NONE || search->functions.items[best].line < line ? i : best;
    }
    return best != MAP_NONE ? best : add_function(search, newest, compile, &code, name, rest ? 0 : code.line);
}

/* Whether the operator's result has a size or value that depends on data: the break is the operator itself. */
static bool is_operator(const struct graph_break *found) {
    static const char *const reasons[] = {"Dynamic shape operator", "Data dependent operator",
                                          "Data-dependent operator"};
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (slice_starts(found->reason, slice_str(reasons[i])))
            return true;
    return false;
}

static void first(uint32_t *at, uint32_t compile) {
    *at = *at == MAP_NONE ? compile : *at;
}

/* PyTorch up to 2.6 skips frames silently. Later versions log the break. A frame that was traced has guards. */
static void note_end(struct function *function, const struct compile *compile, uint32_t index) {
    bool skipped = compile_guards(compile) < 0 && (compile->breaks.count || (compile->no_code && compile->ops > 0));
    if (skipped)
        first(&function->skipped, index);
    else if (compile_guards(compile) >= 0 || !compile->no_code)
        first(&function->traced, index);
}

static void note_compile(struct search *search, uint32_t at, uint32_t index) {
    const struct model *model = search->model;
    const struct compile *compile = model->compiles.items[index];
    struct function *function = &search->functions.items[at];
    struct covered *covered = &function->covered;
    ARENA_ADD(&search->coverage->arena, &covered->compiles, index);
    for (size_t b = 0; b < compile->breaks.count; b++) {
        uint32_t pair[2] = {at, compile->breaks.items[b]};
        bool added;
        map_put_in(&search->coverage->arena, &search->breaks, slice_make((const char *)pair, sizeof pair), 0, &added);
        function->broken |= added;
        covered->breaks += added && graph_break_counts(model->breaks.items[pair[1]]);
    }
    if (recompile_limit_failure(model, compile))
        first(&function->limit, index);
    else if (compile->failed)
        first(&function->failed, index);
    else if (compile->has_metrics && !compile_is_interrupted(model, compile)) {
        bool graph = compile->ops > 0 && !compile->no_code;
        covered->graphs += graph;
        if (compile->backward_failure >= 0)
            first(&function->backward, index);
        if (!graph)
            note_end(function, compile, index);
    }
}

/* The first break of the function; NULL: none. `operator_only`: the first break that is an operator. */
static const struct graph_break *first_break(const struct search *search, const struct covered *covered,
                                             bool operator_only, uint32_t *index) {
    for (size_t c = 0; c < covered->compiles.count; c++) {
        const struct compile *compile = search->model->compiles.items[covered->compiles.items[c]];
        for (size_t b = 0; b < compile->breaks.count; b++) {
            *index = compile->breaks.items[b];
            if (!operator_only || is_operator(search->model->breaks.items[*index]))
                return search->model->breaks.items[*index];
        }
    }
    return NULL;
}

/* The backend's exception, if the reason only mentions that there is one. */
static struct slice cause_of(const struct model *model, uint32_t compile, struct slice reason) {
    struct slice announced = break_announced(model, model->compiles.items[compile], reason);
    return announced.len ? announced : reason;
}

static void explain_failure(const struct search *search, struct covered *covered, int64_t failure) {
    const struct model *model = search->model;
    if (failure < 0)
        return;
    struct break_text said;
    covered->finding = search->findings->of_failures[failure];
    break_text_read(model->failures.items[failure].reason, true, &said);
    bool split = slice_is(model->failures.items[failure].type, "Unsupported") &&
                 !is_limit_hit(&model->failures.items[failure]) &&
                 !slice_starts(said.cause.context, SLICE("raised exception "));
    if (covered->finding != NO_FINDING && !split)
        covered->reason = search->findings->list.items[covered->finding].title;
    else if (said.cause.reason.len)
        covered->reason = cause_of(model, model->failures.items[failure].compile, said.cause.reason);
    else
        covered->reason = model->failures.items[failure].type;
}

static void explain_break(const struct search *search, struct covered *covered, bool operator_only) {
    uint32_t index;
    const struct graph_break *found = first_break(search, covered, operator_only, &index);
    if (!found)
        return;
    covered->reason = cause_of(search->model, found->compiles.count ? found->compiles.items[0] : 0, found->reason);
    if (slice_ends(found->reason, SLICE(" function marked as skipped")) && found->callees.count == 1) {
        struct buf reason = {0};
        buf_addf(&reason, "%.*s: `%.*s`", SLICE_ARG(found->reason), SLICE_ARG(found->callees.items[0]));
        covered->reason = arena_keep(&search->coverage->arena, &reason);
    }
    covered->finding = search->findings->of_breaks[index];
}

static const struct compile *compile_at(const struct search *search, uint32_t index) {
    return search->model->compiles.items[index];
}

/* Whether a compile that succeeded has a graph break: then every call meets the break, not only one that fails. */
static bool breaks_otherwise(const struct search *search, const struct covered *covered) {
    for (size_t c = 0; c < covered->compiles.count; c++) {
        const struct compile *compile = compile_at(search, covered->compiles.items[c]);
        for (size_t b = 0; !compile->failed && b < compile->breaks.count; b++)
            if (graph_break_counts(search->model->breaks.items[compile->breaks.items[b]]))
                return true;
    }
    return false;
}

/* Explains why it was not compiled: the worst reason first. */
static void explain(const struct search *search, struct function *function) {
    struct covered *covered = &function->covered;
    const struct model *model = search->model;
    if (function->failed != MAP_NONE && !breaks_otherwise(search, covered))
        explain_failure(search, covered, compile_at(search, function->failed)->failure);
    else if (function->limit != MAP_NONE)
        explain_failure(search, covered,
                        recompile_limit_failure(model, compile_at(search, function->limit)) - model->failures.items);
    else if (function->backward != MAP_NONE)
        explain_failure(search, covered, compile_at(search, function->backward)->backward_failure);
    else
        explain_break(search, covered,
                      covered->state == COVERAGE_NOT && function->skipped == MAP_NONE && function->failed == MAP_NONE);
    if (!covered->reason.ptr && function->skipped != MAP_NONE)
        covered->reason = SLICE("Dynamo skipped the frame; the log does not say why");
}

/* Finds the call sites of functions that have graphs but that Dynamo gave up on in some call. The stack of a compile
 * may lack its innermost callers, so a function's callees are recognized by the frame that called the function. */
static void find_given_up(struct search *search) {
    for (uint32_t at = 0; at < search->functions.count; at++) {
        const struct function *function = &search->functions.items[at];
        for (size_t c = 0; function->covered.graphs && c < function->covered.compiles.count; c++) {
            uint32_t index = function->covered.compiles.items[c];
            const struct compile *compile = compile_at(search, index);
            if ((!compile->failed && index != function->skipped) || !compile->start || !compile->start->parent)
                continue;
            const struct stack_node *node = compile->start->parent;
            map_put_in(&search->coverage->arena, &search->given_up, slice_make((const char *)&node, sizeof node), at,
                       NULL);
        }
    }
}

/* The function that Dynamo gave up on before this compile, in the same call or earlier; NULL: none. A function with the
 * same call site as that function is not one of its callees. */
static const struct function *given_up_before(const struct search *search, const struct compile *compile) {
    enum { DEPTH_MAX = 256 };
    const struct stack_node *caller = compile->start ? compile->start->parent : NULL,
                            *node = caller ? caller->parent : NULL;
    for (size_t depth = 0; node && depth < DEPTH_MAX; node = node->parent, depth++) {
        uint32_t at = map_get(&search->given_up, slice_make((const char *)&node, sizeof node));
        const struct function *function = at != MAP_NONE ? &search->functions.items[at] : NULL;
        if (function && (function->failed < compile->index || function->skipped < compile->index))
            return function; /* MAP_NONE is not less than any index */
    }
    return NULL;
}

/* The function that calls this one where Dynamo gave up on the caller, and only there; NULL: none. Other calls of the
 * caller have graphs, which contain its callees. */
static const struct function *caller_given_up(const struct search *search, const struct covered *covered) {
    const struct function *caller = NULL;
    for (size_t c = 0; c < covered->compiles.count; c++) {
        caller = given_up_before(search, compile_at(search, covered->compiles.items[c]));
        if (!caller)
            return NULL;
    }
    return caller;
}

/* Whether a graph of the caller has operators of the function. */
static bool is_inlined(const struct search *search, const struct function *caller, const struct covered *covered) {
    enum { VERSIONS_MAX = 64 };
    for (size_t c = 0; c < caller->covered.compiles.count && c < VERSIONS_MAX; c++) {
        const struct compile *compile = compile_at(search, caller->covered.compiles.items[c]);
        for (uint32_t i = 0; compile->trace && !compile->failed && i < compile->trace->count; i++)
            if (slice_eq(compile->trace->steps[i].file, covered->place.file) &&
                slice_eq(compile->trace->steps[i].function, covered->place.function))
                return true;
    }
    return false;
}

/* A function that runs separately only where Dynamo gave up on its caller is not one that never runs compiled. */
static void reconsider(struct search *search, struct covered *covered) {
    const struct function *caller = covered->state == COVERAGE_NOT ? caller_given_up(search, covered) : NULL;
    if (!caller)
        return;
    struct buf reason = {0};
    bool inlined = is_inlined(search, caller, covered);
    struct slice name = caller->covered.label.len ? caller->covered.label : caller->covered.place.function;
    covered->state = inlined ? COVERAGE_PARTLY : COVERAGE_UNKNOWN;
    BUF_ADD(&reason, "Dynamo compiles it on its own only since a call of `", name, "` did not compile; ",
            inlined ? "graphs of" : "the log does not say whether graphs of", " `", name, "` contain it");
    covered->reason = arena_keep(&search->coverage->arena, &reason);
}

static enum coverage_state state_of(const struct search *search, const struct function *function) {
    const struct covered *covered = &function->covered;
    bool lost = function->failed != MAP_NONE || function->skipped != MAP_NONE;
    uint32_t index;
    if (covered->graphs)
        return lost || function->broken || function->limit != MAP_NONE || function->backward != MAP_NONE
                 ? COVERAGE_PARTLY
                 : COVERAGE_COMPILED;
    if (lost || (function->limit == MAP_NONE && first_break(search, covered, true, &index)))
        return COVERAGE_NOT;
    if (function->limit != MAP_NONE) /* the versions before the limit are not in the log, or have no operators */
        return COVERAGE_PARTLY;
    return function->traced != MAP_NONE ? COVERAGE_NO_OPS : COVERAGE_UNKNOWN;
}

static int by_state(const void *a, const void *b) {
    const struct covered *x = a, *y = b;
    if (x->state != y->state)
        return x->state < y->state ? -1 : 1;
    if (x->library != y->library)
        return x->library ? 1 : -1;
    return x->compiles.items[0] < y->compiles.items[0] ? -1 : 1;
}

/* Whether this is a graph that Compiled Autograd captured, which is not a function of the program. */
static bool is_backward(const struct compile *compile, const struct place *code) {
    return compile->autograd_id != PART_MISSING && slice_starts(code->file, SLICE("<"));
}

/* Whether the program runs the frame. Up to PyTorch 2.6, a frame that the recompile limit refused has no start. */
static bool is_run(const struct model *model, const struct compile *compile) {
    struct place code = code_of(compile);
    return (compile->framed || recompile_limit_failure(model, compile)) && compile->frame_id >= 0 &&
           code.function.len && !compile->exported && !export_called(compile) && !is_backward(compile, &code);
}

void coverage_find(struct coverage *coverage, const struct model *model, const struct findings *findings) {
    struct search search = {.coverage = coverage, .model = model, .findings = findings};
    for (int rest = 0; rest < 2; rest++) /* functions come before their resume functions */
        for (uint32_t i = 0; i < model->compiles.count; i++) {
            const struct compile *compile = model->compiles.items[i];
            if (is_run(model, compile) && rest == is_rest(compile))
                note_compile(&search, function_of(&search, compile, rest), i);
        }
    find_given_up(&search);
    for (size_t i = 0; i < search.functions.count; i++) {
        struct function *function = &search.functions.items[i];
        function->covered.state = state_of(&search, function);
        coverage->library += function->covered.library;
        if (function->covered.state == COVERAGE_NOT || function->covered.state == COVERAGE_PARTLY)
            explain(&search, function);
        reconsider(&search, &function->covered);
        coverage->counts[function->covered.state]++;
        ARENA_ADD(&coverage->arena, &coverage->functions, function->covered);
    }
    if (coverage->functions.count)
        qsort(coverage->functions.items, coverage->functions.count, sizeof *coverage->functions.items, by_state);
}

void coverage_finish(struct coverage *coverage) {
    arena_free(&coverage->arena);
    *coverage = (struct coverage){0};
}
