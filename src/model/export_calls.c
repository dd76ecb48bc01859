#include "model/export_calls.h"

#include "model/extras.h"
#include "scan/library.h"

enum { NO_CALL = -1, STEPS_MAX = 64 /* steps over calls that other threads made in the meantime */ };

const char *export_outcome_name(enum export_outcome outcome) {
    static const char *const names[EXPORT_OUTCOMES] = {
        [EXPORT_SUCCEEDED] = "succeeded",   [EXPORT_COMPILED] = "compiled", [EXPORT_FAILED] = "failed",
        [EXPORT_NO_PROGRAM] = "no_program", [EXPORT_TRACED] = "traced",     [EXPORT_UNKNOWN] = "unknown",
    };
    return names[outcome];
}

static uint64_t process_of(const struct model *model, const struct export_call *call) {
    return model->compiles.items[call->compile]->process;
}

static struct export_call *add_call(struct exports *exports, const struct compile *compile, uint64_t line) {
    ARENA_GROW(exports->arena, &exports->calls);
    struct export_call *call = &exports->calls.items[exports->calls.count++];
    *call = (struct export_call){.compile = compile->index, .line = line, .ended = -1, .failure = -1, .program = -1};
    return call;
}

static void set_place(struct export_call *call, const struct stack_node *site) {
    if (!site || call->place.file.ptr)
        return;
    call->place = (struct place){site->frame->file, site->frame->function, site->frame->line};
    for (site = site->parent; site && is_library_file(site->frame->file);)
        site = site->parent;
    if (site)
        call->caller = (struct place){site->frame->file, site->frame->function, site->frame->line};
}

/* Determined by the PyTorch function in which a record of the trace was logged. */
static enum export_mode mode_of(const struct stack_node *stack) {
    for (; stack; stack = stack->parent) {
        if (slice_is(stack->frame->function, "_non_strict_export"))
            return EXPORT_NOT_STRICT;
        if (slice_is(stack->frame->function, "_strict_export"))
            return EXPORT_STRICT;
    }
    return EXPORT_MODE_UNKNOWN;
}

/* Metrics with which strict exports ended, in log order. */
struct ends {
    LIST(const struct compile *) items;
};

static int by_metrics(const void *a, const void *b) {
    const struct compile *x = *(const struct compile *const *)a, *y = *(const struct compile *const *)b;
    return x->metrics_line < y->metrics_line ? -1 : x->metrics_line > y->metrics_line;
}

static struct ends find_ends(const struct model *model) {
    struct ends ends = {0};
    for (size_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        if (!compile->ends_export)
            continue;
        LIST_ADD(&ends.items, compile);
    }
    if (ends.items.count)
        qsort(ends.items.items, ends.items.count, sizeof *ends.items.items, by_metrics);
    return ends;
}

/* The line of the latest end in the process before this line; 0: none. */
static uint64_t end_before(const struct ends *ends, uint64_t process, uint64_t line) {
    size_t low = 0;
    SEARCH(low, ends->items.count, middle, ends->items.items[middle]->metrics_line < line);
    while (low && ends->items.items[low - 1]->process != process)
        low--;
    return low ? ends->items.items[low - 1]->metrics_line : 0;
}

/* Finds traces within the records of a compiled frame with the same id that had ended before: one call for each site,
 * and for each end of a strict export. */
static void add_calls_within(struct exports *exports, const struct compile *compile, const struct ends *ends) {
    const struct stack_node *latest = NULL;
    uint64_t after = 0;
    for (const struct shape_record *symbol = compile->shapes[SHAPE_SYMBOL].first; symbol; symbol = symbol->next) {
        const struct stack_node *site = export_site(symbol->stack);
        if (!site || symbol->line < compile->metrics_line)
            continue;
        uint64_t end = end_before(ends, compile->process, symbol->line);
        if (latest && latest->frame == site->frame && end == after)
            continue;
        struct export_call *call = add_call(exports, compile, symbol->line);
        set_place(call, site);
        call->mode = mode_of(symbol->stack);
        latest = site;
        after = end;
    }
}

/* Whether the compile is a trace that no frame started. Some containers only have events. */
static bool is_trace(const struct compile *compile) {
    return !compile->framed && compile->frame_id != PART_MISSING &&
           (compile->described || compile->shapes[SHAPE_SYMBOL].count || compile->shapes[SHAPE_UNBACKED].count);
}

static void add_traces(struct exports *exports, const struct model *model, const struct ends *ends) {
    for (size_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        if (compile->framed && compile->frame_id != PART_MISSING && !export_called(compile)) {
            add_calls_within(exports, compile, ends);
        } else if (is_trace(compile)) {
            struct export_call *call = add_call(exports, compile, compile->first_line);
            for (const struct shape_record *symbol = compile->shapes[SHAPE_SYMBOL].first;
                 symbol && !call->place.file.ptr; symbol = symbol->next) {
                set_place(call, export_site(symbol->stack));
                call->mode = mode_of(symbol->stack);
            }
        }
    }
}

static int by_line(const void *a, const void *b) {
    const struct export_call *x = a, *y = b;
    return x->line < y->line ? -1 : x->line > y->line;
}

static void sort_calls(struct exports *exports) {
    if (exports->calls.count)
        qsort(exports->calls.items, exports->calls.count, sizeof *exports->calls.items, by_line);
}

/* The latest call of the process, among the first `count`, which are sorted, that began at this line or before. */
static int64_t call_before(const struct model *model, size_t count, uint64_t process, uint64_t line) {
    const struct exports *exports = model->exports;
    size_t low = 0;
    SEARCH(low, count, middle, exports->calls.items[middle].line <= line);
    while (low && process_of(model, &exports->calls.items[low - 1]) != process)
        low--;
    return low ? (int64_t)low - 1 : NO_CALL;
}

/* Dynamo traces before the metrics of this export, and after those of the previous one. */
static void join_ends(struct exports *exports, const struct model *model, const struct ends *ends) {
    size_t count = exports->calls.count;
    for (size_t i = 0; i < ends->items.count; i++) {
        const struct compile *end = ends->items.items[i];
        int64_t at = call_before(model, count, end->process, end->metrics_line);
        struct export_call *call = at == NO_CALL ? NULL : &exports->calls.items[at];
        if (!call || call->ended >= 0 || call->mode == EXPORT_NOT_STRICT ||
            call->line < end_before(ends, end->process, end->metrics_line))
            call = add_call(exports, end, end->metrics_line);
        call->ended = end->index;
        call->mode = EXPORT_STRICT;
        set_place(call, end->stack);
    }
    sort_calls(exports);
}

/* PyTorch logs a program when its export ends. */
static void join_programs(struct exports *exports, const struct model *model) {
    size_t count = exports->calls.count;
    for (size_t i = 0; i < exports->programs.count; i++) {
        const struct compile *compile = model->compiles.items[exports->programs.items[i].compile];
        uint64_t line = model->artifacts.items[exports->programs.items[i].artifact].line;
        int64_t at = call_before(model, count, compile->process, line);
        struct export_call *call = at == NO_CALL ? NULL : &exports->calls.items[at];
        if (!call || call->program >= 0)
            call = add_call(exports, compile, line);
        call->program = (int64_t)i;
    }
    sort_calls(exports);
}

/* The call with this trace or these metrics that began before the line. */
static struct export_call *call_with(const struct model *model, size_t count, uint32_t compile, uint64_t line) {
    struct exports *exports = model->exports;
    int64_t at = call_before(model, count, model->compiles.items[compile]->process, line);
    for (size_t steps = 0; at >= 0 && steps < STEPS_MAX; at--, steps++) {
        struct export_call *call = &exports->calls.items[at];
        if (call->compile == compile || call->ended == (int64_t)compile)
            return call;
    }
    return NULL;
}

static void join_failures(struct exports *exports, const struct model *model) {
    size_t count = exports->calls.count;
    for (size_t i = 0; i < exports->failures.count; i++) {
        const struct export_failure *failure = exports->failures.items[i];
        uint64_t line = failure->line ? failure->line : model->compiles.items[failure->compile]->metrics_line;
        struct export_call *call = call_with(model, count, failure->compile, line);
        if (export_continues(failure))
            continue;
        if (!call) /* for example, a failure that only --export attributes to an export */
            call = add_call(exports, model->compiles.items[failure->compile], line);
        if (call->failure < 0)
            call->failure = (int64_t)i;
    }
    for (size_t i = 0; model->extras && i < model->extras->notices.count; i++) {
        const struct notice *notice = &model->extras->notices.items[i];
        struct export_call *call =
            notice->kind == NOTICE_PARTIAL_TRACE ? call_with(model, count, notice->compile, notice->line) : NULL;
        if (call)
            call->partial = true;
    }
    sort_calls(exports);
}

static bool has_symbol(const struct compile *compile, struct slice symbol) {
    for (const struct shape_record *s = compile->shapes[SHAPE_SYMBOL].first; s; s = s->next)
        if (slice_eq(s->symbol, symbol))
            return true;
    return false;
}

/* AOTInductor compiles exported programs. If a process has only one export, its program is the one whose graph has the
 * export's symbol. With several exports, each could be the origin. */
static void join_packages(struct exports *exports, const struct model *model) {
    struct export_call *call = exports->calls.count == 1 ? exports->calls.items : NULL;
    for (size_t i = 0; call && i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        call->compiled |= compile->graph_symbol.ptr && compile->graph_symbol_line > call->line &&
                          compile->process == process_of(model, call) && compile_what(model, compile) &&
                          has_symbol(model->compiles.items[call->compile], compile->graph_symbol);
    }
}

static enum export_outcome outcome_of(const struct exports *exports, const struct export_call *call) {
    if (call->program >= 0)
        return EXPORT_SUCCEEDED;
    if (call->failure >= 0 || call->partial)
        return EXPORT_FAILED;
    if (call->compiled)
        return EXPORT_COMPILED;
    if (exports->starts || exports->programs.count)
        return EXPORT_NO_PROGRAM;
    return call->ended >= 0 ? EXPORT_TRACED : EXPORT_UNKNOWN;
}

void exports_find_calls(struct model *model) {
    struct exports *exports = model->exports;
    if (!exports || !exports->found)
        return;
    struct ends ends = find_ends(model);
    add_traces(exports, model, &ends);
    sort_calls(exports);
    join_ends(exports, model, &ends);
    join_programs(exports, model);
    join_failures(exports, model);
    join_packages(exports, model);
    for (size_t i = 0; i < exports->calls.count; i++)
        exports->calls.items[i].outcome = outcome_of(exports, &exports->calls.items[i]);
    mem_free(ends.items.items);
}

const struct export_call *export_call_at(const struct model *model, const struct compile *compile, uint64_t line) {
    return model->exports ? call_with(model, model->exports->calls.count, compile->index, line) : NULL;
}
