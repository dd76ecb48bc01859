/* Python functions that Dynamo's own rules skip: the graph breaks where they are called, and they run eagerly. Their
 * callees may have separate frames.
 *
 * The stack of a compile may lack its innermost callers, so the log does not always show where a frame was called.
 * PyTorch 2.6 may log the first line of a function in place of the current one. */

#include "analysis/identity.h"
#include "findings/findings_failures.h"
#include "scan/guard_text.h"

struct skipped {
    struct slice function, file; /* ptr NULL: not a Python function */
};

static struct skipped skipped_of(const struct graph_break *found) {
    struct slice marked = SLICE("marked that the function `");
    struct skipped skipped = {.function = text_between(found->explanation, marked, SLICE("`")),
                              .file = text_between(found->explanation, SLICE("` in file `"), SLICE("`"))};
    if (skipped.function.ptr && !skipped.file.ptr)
        skipped.file = text_between(found->context, SLICE("filename: `"), SLICE("`"));
    if (!skipped.function.ptr && slice_starts(found->reason, SLICE("'skip function "))) { /* 2.6 */
        skipped.function = text_between(found->reason, SLICE("skip function "), SLICE(" in file "));
        skipped.file = text_between(found->reason, SLICE(" in file "), SLICE("'"));
    }
    if (!skipped.function.ptr && slice_starts(found->reason, SLICE("'inline in skipfiles: "))) { /* 2.6 */
        struct slice named = text_between(found->reason, SLICE(" | "), SLICE(", ")); /* "sub /usr/lib/…/re.py" */
        size_t space = slice_find(named, SLICE(" "));
        skipped.function = space == SIZE_MAX ? named : slice_first(named, space);
        skipped.file = space == SIZE_MAX ? named : slice_from(named, space + 1);
    }
    return skipped.function.ptr && slice_ends(skipped.file, SLICE(".py")) ? skipped : (struct skipped){0};
}

struct slice failure_quantization(const struct graph_break *found) {
    static const struct slice folder = SLICE_INIT("/torch/ao/quantization/");
    return slice_find(skipped_of(found).file, folder) == SIZE_MAX
             ? (struct slice){0}
             : SLICE("No setting helps: PyTorch does not trace `torch.ao.quantization`, and with "
                     "`dont_skip_tracing` its observers fail. Do not compile these modules, or quantize the graph of "
                     "an export instead (`prepare_qat_pt2e` in torchao).");
}

enum below { NOT_BELOW, MAY_BE_BELOW, IS_BELOW };

static bool is_function(const struct frame *frame, struct slice file, struct slice function) {
    uint64_t unused;
    return slice_eq(frame->file, file) && slice_eq(resumed_function(frame->function, &unused), function);
}

/* The first lines of functions in the log, in order. */
struct beginning {
    uint32_t function;
    uint64_t line;
};

static int by_line(const void *a, const void *b) {
    const struct beginning *x = a, *y = b;
    if (x->function != y->function)
        return x->function < y->function ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

static void add_name(struct buf *key, struct slice file, struct slice function) {
    key->len = 0;
    BUF_ADD(key, function, "\n", file);
}

static void find_beginnings(struct beginnings *all, struct arena *arena, const struct model *model) {
    AUTO_BUF key = {0};
    uint32_t functions = 0;
    if (all->items)
        return;
    all->items = arena_alloc(arena, (model->compiles.count + 1) * sizeof *all->items);
    for (size_t i = 0; i < model->compiles.count; i++) {
        const struct place *frame = &model->compiles.items[i]->frame;
        bool added;
        add_name(&key, frame->file, frame->function);
        uint32_t function = *map_put_in(arena, &all->functions, buf_slice(&key), functions, &added);
        functions += added;
        all->items[all->count++] = (struct beginning){function, frame->line};
    }
    qsort(all->items, all->count, sizeof *all->items, by_line);
}

/* The first line of the function of this name that contains the line: of those in the log, the last one that begins
 * before it. 0: none. */
static uint64_t first_line_of(const struct beginnings *all, struct slice file, struct slice function, uint64_t line) {
    AUTO_BUF key = {0};
    add_name(&key, file, function);
    const struct beginning wanted = {map_get(&all->functions, buf_slice(&key)), line};
    size_t from = 0; /* the first one after the line */
    SEARCH(from, all->count, middle, by_line(&all->items[middle], &wanted) <= 0);
    return from && all->items[from - 1].function == wanted.function ? all->items[from - 1].line : 0;
}

/* Whether the frame is one of the functions that lead to the break, or a resume function of one. */
static bool leads_to(const struct beginnings *beginnings, const struct graph_break *found,
                     const struct compile *compile) {
    uint64_t unused;
    struct slice file = compile->frame.file, function = resumed_function(compile->frame.function, &unused);
    for (size_t i = 0; i < found->stack.count; i++)
        if (is_function(&found->stack.items[i], file, function) &&
            first_line_of(beginnings, file, function, found->stack.items[i].line) ==
                first_line_of(beginnings, file, function, compile->frame.line))
            return true;
    return false;
}

/* The user's frame nearest to the compiled one, among those in the log; NULL: none. */
static const struct frame *caller_of(const struct compile *compile) {
    const struct stack_node *node = compile->stack ? compile->stack->parent : NULL;
    while (node && is_library_file(node->frame->file))
        node = node->parent;
    return node ? node->frame : NULL;
}

static bool is_same_line(const struct frame *a, const struct frame *b) {
    uint64_t unused;
    return a->line == b->line && is_function(a, b->file, resumed_function(b->function, &unused));
}

/* Whether the known line that leads to the compile also leads to the break. */
static bool is_on_the_way(const struct model *model, const struct graph_break *found, const struct frame *caller) {
    for (size_t i = 0; i < found->stack.count; i++)
        if (is_same_line(caller, &found->stack.items[i]))
            return true;
    for (size_t i = 0; i < found->compiles.count; i++) {
        const struct compile *broken = model->compiles.items[found->compiles.items[i]];
        const struct frame *called_from = caller_of(broken);
        if ((called_from && is_same_line(caller, called_from)) ||
            (caller->line == broken->frame.line && slice_eq(caller->file, broken->frame.file)))
            return true;
    }
    return false;
}

/* `first`: the first line of the function with the break. `file`: that of the skipped function. */
static enum below below_of(const struct model *model, const struct graph_break *found, uint64_t first,
                           const struct compile *compile, struct slice file) {
    enum { DEPTH_MAX = 256 };
    const struct stack_node *node = compile->stack ? compile->stack->parent : NULL;
    const struct frame *caller = caller_of(compile);
    bool through = false;
    for (size_t depth = 0; node && depth < DEPTH_MAX; node = node->parent, depth++) {
        through |= slice_eq(node->frame->file, file);
        if (slice_eq(node->frame->file, found->place.file) &&
            (node->frame->line == found->place.line || (through && node->frame->line == first)))
            return through ? IS_BELOW : MAY_BE_BELOW;
    }
    return !caller || is_on_the_way(model, found, caller) ? MAY_BE_BELOW : NOT_BELOW;
}

/* "; `f`, which it calls, has its own frame." */
static void add_called(struct buf *why, const struct model *model, const compile_list *called) {
    buf_add_lit(why, "; ");
    size_t names = finding_add_functions(why, model, called->items, called->count);
    buf_add_str(why, names == 1 ? ", which it calls, has its own frame." : ", which it calls, have their own frames.");
}

/* The frames in the log below the call, and beside it. */
struct around {
    compile_list called;
    bool unknown, others;
};

static void look_around(struct findings *findings, struct around *around, const struct model *model,
                        const struct beginnings *beginnings, const struct graph_break *found, struct slice file) {
    enum { LATER_MAX = 1024 };
    const struct compile *broken = model->compiles.items[found->compiles.items[0]];
    const struct place *place = &found->place;
    uint64_t unused,
        first = first_line_of(beginnings, place->file, resumed_function(place->function, &unused), place->line);
    const struct compile *rest = failure_first_rest(model, found);
    for (size_t i = (size_t)broken->index + 1; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        if (i - broken->index > LATER_MAX) {
            around->unknown = true;
            return;
        }
        if (!compile->framed || compile->process != broken->process)
            continue;
        enum below below = below_of(model, found, first, compile, file);
        if (below == MAY_BE_BELOW && failure_is_between(model, found, rest, compile))
            below = IS_BELOW;
        if (below != IS_BELOW && leads_to(beginnings, found, compile))
            continue;
        around->others = true;
        around->unknown |= below == MAY_BE_BELOW;
        if (below == IS_BELOW)
            failure_add_place(findings, &around->called, compile->index);
    }
}

void failure_add_skipped(struct findings *findings, struct buf *why, const struct model *model,
                         struct beginnings *beginnings, const struct graph_break *found) {
    struct skipped skipped = skipped_of(found);
    struct around around = {0};
    if (!skipped.file.ptr || !found->compiles.count || slice_ends(skipped.file, SLICE("/torch/_compile.py")) ||
        failure_intended(findings, model, found).ptr)
        return; /* functions that torch._disable_dynamo wraps have no frames below them */
    find_beginnings(beginnings, &findings->scratch, model);
    look_around(findings, &around, model, beginnings, found, skipped.file);
    failure_add_sentence(why, "");
    buf_addf(why, "`%.*s` runs eagerly", SLICE_ARG(skipped.function));
    if (around.called.count)
        add_called(why, model, &around.called);
    else if (around.unknown)
        buf_add_lit(why, ".");
    else if (around.others)
        buf_add_lit(why, "; the log has no frame that was compiled below it.");
    else
        buf_add_lit(why, ", and so does all that it calls: the log has no frame that was compiled below it.");
}
