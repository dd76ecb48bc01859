/* Graph breaks at operators whose result has a data-dependent size, if tolist() or a loop follows.
 *
 * PyTorch's hint captures the size as a symbol. A Python list needs its length, so with this setting, tolist() of such
 * a result raises an error in every mode; without it, the graph only breaks. A loop over the result breaks the graph in
 * both cases. */

#include "analysis/identity.h"
#include "findings/findings_failures.h"

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

/* Operators and methods whose result has a fixed length, or is of another kind. */
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

/* Whether the index may be a tensor: "x[mask]", not "x[0]" or "x[:, 1]". */
static bool is_of_data(struct slice index) {
    for (size_t i = 0; i < index.len; i++)
        if (index.ptr[i] >= 'A')
            return true;
    return false;
}

/* "torch.bincount(x).cpu()": a chain of names, calls and indices that ends at `end`. */
struct expression {
    size_t start;
    struct slice first; /* "torch" */
    bool reduced;
    bool sized; /* it calls an operator whose result size depends on data, or has such an index */
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
            found.sized |= c == ']' && is_of_data(slice_make(code.ptr + opened, end - opened - 1));
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

/* "rows" in "rows = x.nonzero().flatten()", whose length depends on data; empty: another line. */
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

/* Whether the line calls tolist(): on its own result, or on the name. */
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

/* The line after the break that calls tolist() on the name: from another break, or from a number that was captured. */
static const struct frame *listed_later(const struct model *model, const struct graph_break *found, struct slice name) {
    enum { COMPILES_MAX = 256, SEARCHED_MAX = 4096 }; /* the rest of the function is compiled soon after its start */
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

/* The text up to the parenthesis that closes an earlier one, or up to one of these characters outside of parentheses.
 */
static struct slice up_to(struct slice text, const char *stops) {
    size_t depth = 0, at = 0;
    for (; at < text.len; at++) {
        char c = text.ptr[at];
        bool closes = c == ')' || c == ']' || c == '}';
        if (!depth && (closes || slice_find(slice_str(stops), slice_make(&text.ptr[at], 1)) != SIZE_MAX))
            break;
        depth += (size_t)(c == '(' || c == '[' || c == '{') - (size_t)closes;
    }
    return slice_first(text, at);
}

/* Whether the expression is a tensor whose number of rows depends on data. Tuples of tensors have a fixed length. */
static bool has_rows_by_data(struct slice text) {
    text = slice_trim(text);
    struct expression value = expression_before(text, text.len);
    bool tuple = slice_find(text, SLICE("as_tuple")) != SIZE_MAX || slice_find(text, SLICE("return_")) != SIZE_MAX ||
                 slice_find(text, SLICE("where(")) != SIZE_MAX;
    return text.len && value.start == 0 && value.sized && !value.reduced && !tuple;
}

/* "zip(rows[done], scores[done])": whether the loop runs over such a tensor. */
static bool runs_over_data(struct slice text) {
    static const char *const wrappers[] = {"zip(", "enumerate(", "reversed(", "list(", "tuple(", "range(", "len("};
    enum { WRAPPERS = sizeof wrappers / sizeof *wrappers };
    text = slice_trim(text);
    for (size_t i = 0; i < WRAPPERS; i++)
        if (slice_starts(text, slice_str(wrappers[i]))) {
            text = up_to(slice_trim(slice_from(text, slice_str(wrappers[i]).len)), "");
            i = SIZE_MAX; /* the next one in it */
        }
    while (text.len) {
        struct slice one = up_to(text, ",");
        if (has_rows_by_data(one))
            return true;
        text = slice_from(text, one.len < text.len ? one.len + 1 : one.len);
    }
    return false;
}

/* Whether the line loops over a tensor whose number of rows depends on data, or has such a comprehension. */
static bool loops_over_data(struct slice code) {
    static const struct slice loop = SLICE_INIT("for "), in = SLICE_INIT(" in ");
    for (size_t from = 0, at; (at = slice_find(slice_from(code, from), loop)) != SIZE_MAX; from += at + loop.len) {
        struct slice rest = slice_from(code, from + at + loop.len);
        size_t start = slice_find(rest, in);
        if ((from + at && word_length(slice_make(code.ptr + from + at - 1, 1))) || start == SIZE_MAX)
            continue;
        rest = up_to(slice_from(rest, start + in.len), ":");
        rest = slice_first(rest, slice_find(rest, SLICE(" for ")));
        rest = slice_first(rest, slice_find(rest, SLICE(" if ")));
        if (runs_over_data(rest))
            return true;
    }
    return false;
}

struct slice failure_iterated(const struct graph_break *found, struct slice hint) {
    const struct frame *line = found->stack.count ? &found->stack.items[found->stack.count - 1] : NULL;
    if (!line || found->library || slice_find(hint, SLICE("capture_dynamic_output_shape_ops")) == SIZE_MAX ||
        !loops_over_data(line->code))
        return (struct slice){0};
    return SLICE(
        "Move the loop out of the compiled function, or compute with tensors of fixed length, for example with "
        "a mask: Python needs the number of rows that the loop runs over. PyTorch's hint, "
        "`torch._dynamo.config.capture_dynamic_output_shape_ops = True`, does not help: the graph breaks at "
        "the loop, too.");
}
