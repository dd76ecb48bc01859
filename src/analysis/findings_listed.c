/* Graph breaks at operators whose result has a size that depends on data, where tolist() follows.
 *
 * PyTorch's hint captures the size as a symbol. A list of Python needs its length, so that tolist() of such a result
 * raises an error with this setting, in each mode: without it, only the graph breaks. */
#include <inttypes.h>

#include "analysis/findings_failures.h"
#include "analysis/identity.h"
#include "base/path.h"
#include "base/word.h"

/* Where the parenthesis that ends before `end` was opened; SIZE_MAX: nowhere. */
static size_t opened_at(struct slice code, size_t end) {
    size_t depth = 0;
    for (size_t i = end; i-- > 0;) {
        char c = code.ptr[i];
        depth += c == ')' || c == ']';
        if ((c == '(' || c == '[') && depth && --depth == 0)
            return i;
    }
    return SIZE_MAX;
}

static size_t word_start(struct slice code, size_t end) {
    while (end > 0 && word_length(slice_make(code.ptr + end - 1, 1)))
        end--;
    return end;
}

/* Operators and methods with a result of fixed length, or of another kind. */
static bool is_reduction(struct slice name) {
    static const char *const names[] = {"sum",     "mean", "max",    "min",           "any",    "all",    "prod",
                                        "numel",   "size", "shape",  "item",          "argmax", "argmin", "norm",
                                        "std",     "var",  "median", "count_nonzero", "dim",    "dot",    "len",
                                        "one_hot", "topk", "pop",    "index_add",     "scatter"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (slice_is(name, names[i]))
            return true;
    return false;
}

static bool is_sized_by_data(struct slice name) {
    static const char *const names[] = {"nonzero",       "bincount", "unique", "unique_consecutive",
                                        "masked_select", "argwhere", "where"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (slice_is(name, names[i]))
            return true;
    return false;
}

/* "torch.bincount(x).cpu()": names, calls and indices, each of the one before, that end at `end`. */
struct expression {
    size_t start;
    struct slice first; /* "torch" */
    bool reduced;
    bool sized; /* it calls an operator whose result has another size for other data, or has an index */
};

static struct expression expression_before(struct slice code, size_t end) {
    struct expression found = {.start = end};
    for (bool called = false; end > 0;) {
        char c = code.ptr[end - 1];
        if (c == ')' || c == ']') {
            size_t opened = opened_at(code, end);
            if (opened == SIZE_MAX)
                break;
            called = c == ')';
            found.sized |= c == ']';
            found.start = end = opened;
            continue;
        }
        size_t start = word_start(code, end);
        struct slice name = slice_make(code.ptr + start, end - start);
        if (!name.len)
            break;
        found.reduced |= is_reduction(name);
        found.sized |= called && is_sized_by_data(name);
        found.first = name;
        found.start = end = start;
        called = false;
        if (!end || code.ptr[end - 1] != '.')
            break;
        end--;
    }
    return found;
}

/* "rows" of "rows = x.nonzero().flatten()", of which the length depends on data; empty: it is no such line. */
static struct slice assigned(struct slice code) {
    code = slice_trim(code);
    size_t length = word_length(code);
    struct slice rest = slice_from(code, length);
    if (!length || !slice_starts(rest, SLICE(" = ")))
        return (struct slice){0};
    rest = slice_trim(slice_from(rest, 3));
    struct expression value = expression_before(rest, rest.len);
    return value.start == 0 && value.sized && !value.reduced ? slice_first(code, length) : (struct slice){0};
}

/* Whether the line calls tolist(): of what it computes there, or of the name. */
static bool lists(struct slice code, struct slice name) {
    static const struct slice call = SLICE_INIT(".tolist()");
    for (size_t from = 0, at; (at = slice_find(slice_from(code, from), call)) != SIZE_MAX; from += at + call.len) {
        struct expression of = expression_before(code, from + at);
        if (!of.reduced && (name.len ? slice_eq(of.first, name) : of.sized))
            return true;
    }
    return false;
}

static bool lists_behind(const struct frame *frame, const struct place *place, struct slice name) {
    uint64_t unused;
    return frame->line > place->line && slice_eq(frame->file, place->file) &&
           slice_eq(resumed_function(frame->function, &unused), resumed_function(place->function, &unused)) &&
           lists(frame->code, name);
}

/* The line after the break that calls tolist() of the name: that of another break, or of a number that was captured. */
static const struct frame *listed_later(const struct model *model, const struct graph_break *found, struct slice name) {
    enum {
        COMPILES_MAX = 256,
        SEARCHED_MAX = 4096
    }; /* the rest of the function is compiled soon after its beginning */
    size_t first = found->compiles.count ? found->compiles.items[0] : model->compiles.count, seen = 0;
    for (size_t c = first; c < model->compiles.count && c - first < COMPILES_MAX; c++) {
        const struct compile *compile = model->compiles.items[c];
        for (size_t b = 0; b < compile->breaks.count; b++) {
            const struct graph_break *other = model->breaks.items[compile->breaks.items[b]];
            for (size_t i = 0; i < other->stack.count && seen < SEARCHED_MAX; i++, seen++)
                if (lists_behind(&other->stack.items[i], &found->place, name))
                    return &other->stack.items[i];
        }
        const struct shape_record *number = compile->shapes[SHAPE_UNBACKED].first;
        for (; number && seen < SEARCHED_MAX; number = number->next)
            for (const struct stack_node *node = number->user_stack; node && seen < SEARCHED_MAX;
                 node = node->parent, seen++)
                if (lists_behind(node->frame, &found->place, name))
                    return node->frame;
    }
    return NULL;
}

struct slice failure_listed(struct findings *findings, const struct model *model, const struct graph_break *found,
                            struct slice hint) {
    const struct frame *line = found->stack.count ? &found->stack.items[found->stack.count - 1] : NULL, *later = NULL;
    struct buf text = {0};
    if (!line || found->library || slice_find(hint, SLICE("capture_dynamic_output_shape_ops")) == SIZE_MAX)
        return (struct slice){0};
    bool here = lists(line->code, (struct slice){0});
    struct slice name = here ? (struct slice){0} : assigned(line->code);
    if (name.len)
        later = listed_later(model, found, name);
    if (!here && !later)
        return (struct slice){0};
    if (slice_find(found->context, SLICE("bincount")) != SIZE_MAX)
        buf_add_lit(&text, "Count with a fixed length, `torch.nn.functional.one_hot(x, N).sum(0)` in place of "
                           "`bincount(x, minlength=N)`, and set `torch._dynamo.config.capture_scalar_outputs = True` "
                           "for its `tolist()`. Or call both");
    else
        buf_add_lit(&text, "Keep a tensor of fixed length, for example a mask, or call this and `tolist()`");
    buf_add_lit(&text, " outside of the compiled function. PyTorch's hint, "
                       "`torch._dynamo.config.capture_dynamic_output_shape_ops = True`, raises an error at `tolist()`");
    if (later)
        buf_addf(&text, " in %.*s:%" PRIu64, SLICE_ARG(path_last(later->file)), later->line);
    buf_add_lit(&text, ", which needs a length that does not depend on data.");
    return finding_keep(findings, &text);
}
